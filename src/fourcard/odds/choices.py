"""What the choices in one spot are worth in cents, and which of them can be made there."""

from dataclasses import dataclass
from fractions import Fraction

from fourcard.money import dollars
from fourcard.odds.advice import Advice


@dataclass(frozen=True)
class Options:
    """What the choices in a spot are worth in cents, told apart by whether they can be made."""

    given: Advice
    ante: int
    plays: range
    """The Play wagers that the rules allow and the money covers, in cents."""

    def worth(self, amount: int) -> Fraction:
        """Return the value of a Play wager, or of folding for 0; a value is linear in the Play wager."""
        values = self.given.values
        if amount == 0:
            return values["fold"] * self.ante
        slope = values["2x"] - values["1x"]
        return values["1x"] * self.ante + slope * (amount - self.ante)

    @property
    def open(self) -> dict[str, Fraction]:
        """Return what can be done; the largest Play wager is the one between multiples that can be best."""
        values = {name: value * self.ante for name, value in self.given.values.items() if self._can(name)}
        if self.plays and self.plays[-1] % self.ante:
            values[f"{dollars(self.plays[-1])} on Play"] = self.worth(self.plays[-1])
        return values

    @property
    def barred(self) -> dict[str, Fraction]:
        """Return what cannot be done, for want of money or because of a limit."""
        values = self.given.values
        return {name: value * self.ante for name, value in values.items() if not self._can(name)}

    @property
    def best(self) -> str:
        """Return the choice of the highest value that can be made, and of equal ones the smallest wager."""
        values = self.open
        return max(values, key=lambda name: values[name])

    def _can(self, name: str) -> bool:
        return name == "fold" or int(name.removesuffix("x")) * self.ante in self.plays

    def cost(self, amount: int) -> Fraction:
        """Return what a decision costs in cents against the best that could be done."""
        return self.open[self.best] - self.worth(amount)

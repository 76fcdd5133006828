"""What the choices in one spot are worth in cents, which the game allows, and what money lacks for them.

The best choice is that of the game: rules and limits bound it, the money at hand does not.
"""

from dataclasses import dataclass
from fractions import Fraction

from fourcard.money import dollars
from fourcard.odds.advice import Advice


@dataclass(frozen=True)
class Choice:
    """One choice in a spot: a fold, a multiple of the Ante, or the largest Play wager that a limit allows."""

    name: str
    amount: int
    """The Play wager in cents, 0 for a fold."""
    worth: Fraction
    """What it is worth on average, in cents."""
    allowed: bool
    """Whether rules and limits allow it."""
    short: int
    """The cents that the money lacks for it; 0 where it is covered."""


@dataclass(frozen=True)
class Options:
    """What can be chosen in a spot."""

    given: Advice
    ante: int
    plays: range
    """The Play wagers that rules and limits allow, in cents, whatever money there is."""
    money: int | None = None
    """What the player has for a Play wager, in cents; None where that is not known."""

    def worth(self, amount: int) -> Fraction:
        """Return the value of a Play wager, or of folding for 0; a value is linear in the Play wager."""
        values = self.given.values
        if amount == 0:
            return values["fold"] * self.ante
        slope = values["2x"] - values["1x"]
        return values["1x"] * self.ante + slope * (amount - self.ante)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return every choice; where a limit ends between multiples, the largest Play wager too."""
        found = [self._choice(name, _multiple(name) * self.ante) for name in self.given.values]
        if self.plays and self.plays[-1] % self.ante:
            found.append(self._choice(f"{dollars(self.plays[-1])} on Play", self.plays[-1]))
        return tuple(found)

    def _choice(self, name: str, amount: int) -> Choice:
        short = 0 if self.money is None else max(0, amount - self.money)
        return Choice(name, amount, self.worth(amount), amount == 0 or amount in self.plays, short)

    @property
    def best(self) -> Choice:
        """Return the allowed choice of the highest value, and of equal ones the smallest wager."""
        return max((each for each in self.choices if each.allowed), key=lambda each: each.worth)

    def cost(self, amount: int) -> Fraction:
        """Return what a decision costs in cents against the best one."""
        return self.best.worth - self.worth(amount)


def _multiple(name: str) -> int:
    return 0 if name == "fold" else int(name.removesuffix("x"))

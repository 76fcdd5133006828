"""The coach beside the player: the exact value of each choice, and what a choice cost."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from fourcard.money import dollars

if TYPE_CHECKING:
    from fourcard.odds.advice import Advice
    from fourcard.rules.game import Game
    from fourcard.table.session import Spot


@dataclass(frozen=True)
class Options:
    """What the choices in a spot are worth in cents, told apart by whether they can be made."""

    given: "Advice"
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


class Coach:
    """Values decisions, before or after they are made, and keeps the count."""

    def __init__(self, game: "Game") -> None:
        """Coach one game."""
        self.game = game
        self.when: Literal["off", "after", "before"] = "off"
        self.decisions, self.right = 0, 0
        self.cost = Fraction(0)
        """What all choices have cost against the best, in cents."""

    def options(self, spot: "Spot", plays: range) -> Options:
        """Return the exact value of every choice in a spot where these Play wagers can be made."""
        from fourcard.odds.advice import advice
        from fourcard.odds.strategies import contest_of

        return Options(advice(spot.cards, spot.up, contest_of(self.game)), spot.ante, plays)

    def judge(self, options: Options, amount: int) -> Fraction:
        """Note a decision and return what it cost in cents against the best that could be done."""
        cost = options.open[options.best] - options.worth(amount)
        self.decisions += 1
        self.right += cost == 0
        self.cost += cost
        return cost

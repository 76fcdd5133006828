"""Coach: the exact value of each decision, and what a decision cost."""

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from fourcard.odds.choices import Options
    from fourcard.rules.game import Game
    from fourcard.table.session import Spot


class Coach:
    """Values decisions before or after they are made, and counts the best ones."""

    def __init__(self, game: "Game") -> None:
        """Coach one game."""
        self.game = game
        self.when: Literal["off", "after", "before"] = "off"
        self.decisions, self.right = 0, 0
        self.cost = Fraction(0)
        """The cost of all decisions against the best ones, in cents."""

    def options(self, spot: "Spot", money: int) -> "Options":
        """Return the exact value of every decision, and how much money is missing for it."""
        from fourcard.odds.advice import advice
        from fourcard.odds.choices import Options
        from fourcard.odds.strategies import contest_of
        from fourcard.rules.limits import plays_allowed

        values = advice(spot.cards, spot.up, contest_of(self.game))
        return Options(values, spot.ante, plays_allowed(self.game, spot.ante), money)

    def judge(self, options: "Options", amount: int) -> Fraction:
        """Count a decision and return its cost in cents against the best one."""
        cost = options.cost(amount)
        self.decisions += 1
        self.right += cost == 0
        self.cost += cost
        return cost

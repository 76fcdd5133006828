"""The coach beside the player: the exact value of each choice, and what a choice cost."""

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from fourcard.odds.advice import Advice
    from fourcard.rules.game import Game
    from fourcard.table.session import Spot


class Coach:
    """Values decisions, before or after they are made, and keeps the count."""

    def __init__(self, game: "Game") -> None:
        """Coach one game."""
        self.game = game
        self.when: Literal["off", "after", "before"] = "off"
        self.decisions, self.right = 0, 0
        self.cost = Fraction(0)
        """What all choices have cost against the best, in cents."""

    def advice(self, spot: "Spot") -> "Advice":
        """Return the exact value of every choice in a spot."""
        from fourcard.odds.advice import advice
        from fourcard.odds.strategies import contest_of

        return advice(spot.cards, spot.up, contest_of(self.game))

    def judge(self, spot: "Spot", amount: int, given: "Advice") -> Fraction:
        """Note a decision and return what it cost in cents; a value is linear in the Play wager."""
        values = given.values
        least = values["1x"]
        chosen = values["fold"]
        if amount:
            slope = values["2x"] - least
            chosen = least + slope * (Fraction(amount, spot.ante) - 1)
        cost = (max(values.values()) - chosen) * spot.ante
        self.decisions += 1
        self.right += cost == 0
        self.cost += cost
        return cost

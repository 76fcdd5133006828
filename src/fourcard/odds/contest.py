"""Base terms: what Ante, Play and Automatic Bonus pay, which Play wagers are allowed, and what each is worth.

The value of a decision is linear in the Play wager. The best decision is therefore always to fold, or the
smallest or the largest Play wager; which of them depends only on how many of the dealer's hands the player
beats. At equal value the smaller wager is best.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import floor

import msgspec

from fourcard.money import Odds, OddsKind
from fourcard.odds.rows import Kind, row_of
from fourcard.odds.states import COMPLETIONS, StateCounts
from fourcard.rules.rulebook import Rulebook

FOLD = 0


class Contest(msgspec.Struct, frozen=True):
    """The terms of the base game on an Ante of one unit."""

    ante: Fraction
    play: Fraction
    ties_win: bool
    least: int
    most: int
    bonus: Mapping[str, Odds]
    """What the Automatic Bonus pays, by row; empty if there is none."""

    @property
    def multiples(self) -> range:
        """Return the allowed Play wagers, in Antes."""
        return range(self.least, self.most + 1)

    def bonus_on(self, kind: Kind) -> Fraction:
        """Return what the Automatic Bonus pays this kind of hand per unit of Ante."""
        row = row_of(self.bonus, kind)
        return Fraction(0) if row is None else self.bonus[row].value

    def beaten(self, counts: StateCounts) -> int:
        """Return how many of the dealer's hands the player wins against; ties as the rulebook says."""
        tied = counts.tied if self.ties_win else 0
        return counts.below + tied

    def value(self, multiple: int, kind: Kind, won: int, of: int = COMPLETIONS) -> Fraction:
        """Return the exact value of a decision that wins against ``won`` of the dealer's ``of`` hands."""
        if multiple == FOLD:
            return Fraction(-1)
        gain = won * (self.ante + multiple * self.play) - (of - won) * (1 + multiple)
        return gain / of + self.bonus_on(kind)

    def best(self, kind: Kind, won: int, of: int = COMPLETIONS) -> int:
        """Return the decision of the highest value; the smallest wager if several are equal."""
        choices = (FOLD, *self.multiples)
        values: dict[int, Fraction] = {each: self.value(each, kind, won, of) for each in choices}
        most = max(values.values())
        return next(multiple for multiple, value in values.items() if value == most)

    def thresholds(self, kind: Kind, of: int) -> tuple[int, int]:
        """Return the most wins at which the smallest, and the largest, Play wager is not yet best."""
        bonus = self.bonus_on(kind)
        least = (self.least - bonus) * of / (self.ante + self.least * self.play + 1 + self.least)
        most = (self.most - bonus) * of / (self.ante + self.most * self.play + 1 + self.most)
        raising = of / (self.play + 1)
        return max(-1, floor(least)), max(-1, floor(max(most, raising)))


def contest(book: Rulebook, bonus: Mapping[str, Odds]) -> Contest:
    """Return the base terms of a rulebook with the given Automatic Bonus table."""
    ante, play = book.wagers.ante, book.wagers.play
    assert {ante.pays.value.kind, play.pays.value.kind} == {OddsKind.TO}
    return Contest(
        ante=ante.pays.value.value,
        play=play.pays.value.value,
        ties_win=ante.ties_win.value,
        least=play.least.value,
        most=play.most.value,
        bonus=bonus,
    )


def multiple_text(multiple: int) -> str:
    """Return the name of a decision: ``fold``, ``1x``, ``2x`` or ``3x``."""
    return "fold" if multiple == FOLD else f"{multiple}x"

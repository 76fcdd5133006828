"""The terms of the contest with the dealer: what Ante, Play and Automatic Bonus pay, and what may be wagered.

The value of a decision is linear in the Play wager, so the best is always to fold, or the least or the most
that may be wagered; which of them depends only on how many of the dealer's hands the player beats. At equal
value the smaller wager is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from fourcard.money import Odds, OddsKind
from fourcard.odds.rows import Kind, row_of
from fourcard.odds.states import COMPLETIONS, StateCounts
from fourcard.rules.rulebook import Rulebook

FOLD = 0


@dataclass(frozen=True)
class Contest:
    """What the player can do, and what it leads to, on an Ante of one unit."""

    ante: Fraction
    play: Fraction
    ties_win: bool
    least: int
    most: int
    bonus: Mapping[str, Odds]
    """What the Automatic Bonus pays, by row; empty where there is none."""

    @property
    def multiples(self) -> range:
        """Return the Play wagers, in Antes."""
        return range(self.least, self.most + 1)

    def bonus_on(self, kind: Kind) -> Fraction:
        """Return what the Automatic Bonus pays a hand on a unit."""
        row = row_of(self.bonus, kind)
        return Fraction(0) if row is None else self.bonus[row].value

    def beaten(self, counts: StateCounts) -> int:
        """Return the dealer's hands that the player wins against, ties as the rulebook says."""
        tied = counts.tied if self.ties_win else 0
        return counts.below + tied

    def value(self, multiple: int, kind: Kind, won: int, of: int = COMPLETIONS) -> Fraction:
        """Return the exact value of a decision where so many of the dealer's hands are beaten."""
        if multiple == FOLD:
            return Fraction(-1)
        gain = won * (self.ante + multiple * self.play) - (of - won) * (1 + multiple)
        return gain / of + self.bonus_on(kind)

    def best(self, kind: Kind, won: int, of: int = COMPLETIONS) -> int:
        """Return the decision of the highest value, and of equal ones the smallest wager."""
        choices = (FOLD, *self.multiples)
        values: dict[int, Fraction] = {each: self.value(each, kind, won, of) for each in choices}
        most = max(values.values())
        return next(multiple for multiple, value in values.items() if value == most)

    def thresholds(self, kind: Kind, of: int) -> tuple[int, int]:
        """Return the most wins with which the least, and the greatest, Play wager is not yet right."""
        bonus = self.bonus_on(kind)
        least = (self.least - bonus) * of / (self.ante + self.least * self.play + 1 + self.least)
        most = (self.most - bonus) * of / (self.ante + self.most * self.play + 1 + self.most)
        raising = of / (self.play + 1)
        return max(-1, floor(least)), max(-1, floor(max(most, raising)))


def contest(book: Rulebook, bonus: Mapping[str, Odds]) -> Contest:
    """Return the contest that a rulebook describes, with a table for the Automatic Bonus."""
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
    """Return a decision as people and files call it."""
    return "fold" if multiple == FOLD else f"{multiple}x"

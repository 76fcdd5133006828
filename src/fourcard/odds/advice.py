"""Advice: the exact value of every decision for one hand and up card."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from fourcard.hands import best_hand
from fourcard.odds.contest import FOLD, Contest, multiple_text
from fourcard.odds.states import COMPLETIONS, StateCounts
from fourcard.odds.table import known_states


class Advice(msgspec.Struct, frozen=True):
    """The dealer's possible hands and the value of each decision, in Antes."""

    hand: tuple[int, ...]
    up: int
    name: str
    """The name of the player's best four cards."""
    counts: StateCounts
    values: dict[str, Fraction]
    best: str

    def answer(self) -> dict[str, object]:
        """Return the advice as JSON data."""
        return {
            "dealer": {
                "below": self.counts.below,
                "tied": self.counts.tied,
                "above": self.counts.above,
                "of": COMPLETIONS,
            },
            "ev": {choice: float(value) for choice, value in self.values.items()},
            "best": self.best,
            "exact": {
                choice: f"{value.numerator}/{value.denominator}" for choice, value in self.values.items()
            },
            "hand": self.name,
        }


def advice(hand: Sequence[int], up: int, contest: Contest) -> Advice:
    """Return the advice for a state: looked up if the table is cached, otherwise counted."""
    states = known_states()
    counts = states.of(hand, up) if states is not None else _counted(hand, up)
    held = best_hand(hand)
    won = contest.beaten(counts)
    choices = {multiple_text(each): each for each in (FOLD, *contest.multiples)}
    values = {name: contest.value(each, held.rows, won) for name, each in choices.items()}
    best = multiple_text(contest.best(held.rows, won))
    return Advice(tuple(hand), up, held.name, counts, values, best)


def _counted(hand: Sequence[int], up: int) -> StateCounts:
    """Count one state without the table; only this path needs compiled code."""
    from fourcard.odds.one_state import count_state  # noqa: PLC0415

    return count_state(hand, up)

"""Decision values: the terms of the base game, and what each decision is worth, in Antes and in cents.

The value of a decision is linear in the Play wager. The best decision is therefore always to fold, or the
smallest or the largest Play wager; which of them depends only on how many of the dealer's hands the player
beats. At equal value the smaller wager is best. The player's money does not change which option is best.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor

import msgspec

from fourcard.answers import exact_text
from fourcard.fingerprints import fingerprint
from fourcard.hands import best_hand
from fourcard.money import Odds, OddsKind, dollars
from fourcard.odds.hand_kinds import WinnableRows
from fourcard.odds.state_counts import COMPLETIONS, StateCounts
from fourcard.odds.states_cache import available_states
from fourcard.rules.rulebook import Rulebook
from fourcard.settlers.wager_settler import best_row

FOLD = 0


class BaseTerms(msgspec.Struct, frozen=True):
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

    def bonus_for(self, kind: WinnableRows) -> Fraction:
        """Return what the Automatic Bonus pays this kind of hand per unit of Ante."""
        row = best_row(self.bonus, kind)
        return Fraction(0) if row is None else self.bonus[row].value

    def hands_beaten(self, counts: StateCounts) -> int:
        """Return how many of the dealer's hands the player wins against; ties as the rulebook says."""
        tied = counts.tied if self.ties_win else 0
        return counts.below + tied

    def value(self, multiple: int, kind: WinnableRows, won: int, of: int = COMPLETIONS) -> Fraction:
        """Return the exact value of a decision that wins against ``won`` of the dealer's ``of`` hands."""
        if multiple == FOLD:
            return Fraction(-1)
        gain = won * (self.ante + multiple * self.play) - (of - won) * (1 + multiple)
        return gain / of + self.bonus_for(kind)

    def best(self, kind: WinnableRows, won: int, of: int = COMPLETIONS) -> int:
        """Return the decision of the highest value; the smallest wager if several are equal."""
        choices = (FOLD, *self.multiples)
        values: dict[int, Fraction] = {each: self.value(each, kind, won, of) for each in choices}
        most = max(values.values())
        return next(multiple for multiple, value in values.items() if value == most)

    def thresholds(self, kind: WinnableRows, of: int) -> tuple[int, int]:
        """Return the most wins at which the smallest, and the largest, Play wager is not yet best."""
        bonus = self.bonus_for(kind)
        least = (self.least - bonus) * of / (self.ante + self.least * self.play + 1 + self.least)
        most = (self.most - bonus) * of / (self.ante + self.most * self.play + 1 + self.most)
        raising = of / (self.play + 1)
        return max(-1, floor(least)), max(-1, floor(max(most, raising)))


def base_terms(rulebook: Rulebook, bonus: Mapping[str, Odds]) -> BaseTerms:
    """Return the base terms of a rulebook with the given Automatic Bonus table."""
    ante, play = rulebook.wagers.ante, rulebook.wagers.play
    assert {ante.pays.value.kind, play.pays.value.kind} == {OddsKind.TO}
    return BaseTerms(
        ante=ante.pays.value.value,
        play=play.pays.value.value,
        ties_win=ante.ties_win.value,
        least=play.least.value,
        most=play.most.value,
        bonus=bonus,
    )


def decision_name(multiple: int) -> str:
    """Return the name of a decision: ``fold``, ``1x``, ``2x`` or ``3x``."""
    return "fold" if multiple == FOLD else f"{multiple}x"


class DealerCounts(msgspec.Struct, frozen=True):
    """How many of the dealer's possible hands are below, equal to and above the player's."""

    below: int
    tied: int
    above: int
    of: int


class AdviceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The value of each decision in Antes, and the best one."""

    dealer: DealerCounts
    ev: dict[str, float]
    best: str
    """The decision of the highest value; of equal ones the smaller wager."""
    exact: dict[str, str]
    hand: str
    fingerprint: str


class Advice(msgspec.Struct, frozen=True):
    """The dealer's possible hands and the value of each decision, in Antes."""

    hand: tuple[int, ...]
    up: int
    name: str
    """The name of the player's best four cards."""
    counts: StateCounts
    values: dict[str, Fraction]
    best: str

    def answer(self) -> AdviceAnswer:
        """Return the advice as it is sent."""
        counts = self.counts
        return AdviceAnswer(
            dealer=DealerCounts(counts.below, counts.tied, counts.above, COMPLETIONS),
            ev={choice: float(value) for choice, value in self.values.items()},
            best=self.best,
            exact={choice: exact_text(value) for choice, value in self.values.items()},
            hand=self.name,
            fingerprint=fingerprint(),
        )


def advice(hand: Sequence[int], up: int, contest: BaseTerms) -> Advice:
    """Return the advice for a state: looked up if the table is cached, otherwise counted."""
    states = available_states()
    counts = states.look_up(hand, up) if states is not None else _count_without_table(hand, up)
    held = best_hand(hand)
    won = contest.hands_beaten(counts)
    choices = {decision_name(each): each for each in (FOLD, *contest.multiples)}
    values = {name: contest.value(each, held.rows, won) for name, each in choices.items()}
    best = decision_name(contest.best(held.rows, won))
    return Advice(tuple(hand), up, held.name, counts, values, best)


def _count_without_table(hand: Sequence[int], up: int) -> StateCounts:
    """Count one state without the table; only this path needs compiled code."""
    from fourcard.odds.solver import count_state  # noqa: PLC0415

    return count_state(hand, up)


class DecisionOption(msgspec.Struct, frozen=True):
    """One option: a fold, a multiple of the Ante, or the largest Play wager that a limit allows."""

    name: str
    amount: int
    """The Play wager in cents, 0 for a fold."""
    value: Fraction
    """The expected value in cents."""
    allowed: bool
    """Whether rules and limits allow it."""
    missing_cents: int
    """The cents that the player is short of; 0 if the money suffices."""


class DecisionOptions(msgspec.Struct, frozen=True):
    """All options of one decision, with their values in cents."""

    advice: Advice
    ante: int
    plays: range
    """The Play wagers that rules and limits allow, in cents, whatever money the player has."""
    money: int | None = None
    """The player's money for a Play wager, in cents; None if unknown."""

    def value(self, amount: int) -> Fraction:
        """Return the value in cents of a Play wager, or of a fold for 0; it is linear in the Play wager."""
        values = self.advice.values
        if amount == 0:
            return values["fold"] * self.ante
        slope = values["2x"] - values["1x"]
        return values["1x"] * self.ante + slope * (amount - self.ante)

    @property
    def options(self) -> tuple[DecisionOption, ...]:
        """Return every option, including the largest Play wager where a limit falls between multiples."""
        found = [self._option(name, _multiple(name) * self.ante) for name in self.advice.values]
        if self.plays and self.plays[-1] % self.ante:
            found.append(self._option(f"{dollars(self.plays[-1])} on Play", self.plays[-1]))
        return tuple(found)

    def _option(self, name: str, amount: int) -> DecisionOption:
        short = 0 if self.money is None else max(0, amount - self.money)
        return DecisionOption(name, amount, self.value(amount), amount == 0 or amount in self.plays, short)

    @property
    def best(self) -> DecisionOption:
        """Return the allowed option of the highest value; the smallest wager if several are equal."""
        return max((each for each in self.options if each.allowed), key=lambda each: each.value)

    def cost(self, amount: int) -> Fraction:
        """Return what a decision costs in cents compared with the best one."""
        return self.best.value - self.value(amount)


def _multiple(name: str) -> int:
    return 0 if name == "fold" else int(name.removesuffix("x"))

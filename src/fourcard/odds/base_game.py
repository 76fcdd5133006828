"""Base game: exact results of Ante, Play and Automatic Bonus together, for any strategy and bonus table."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.odds.contest import FOLD, Contest, multiple_text
from fourcard.odds.figures import Distribution, Outcome
from fourcard.odds.rows import kinds, row_of
from fourcard.odds.spots import Spots, Strategy, decided
from fourcard.odds.states import COMPLETIONS, STATES
from fourcard.odds.tallying import ABOVE, BELOW, TIED, tally

DEALS = STATES * COMPLETIONS
RESULTS = {BELOW: "win", TIED: "tie", ABOVE: "loss"}


class BaseGame(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The results of a strategy over all 167,439,136,344,480 deals, on an Ante of one unit."""

    contest: Contest
    tally: NDArray[np.int64]
    """The number of deals by decision, kind of hand and result."""

    def __eq__(self, other: object) -> bool:
        """Return whether terms and results are equal."""
        if not isinstance(other, BaseGame):
            return NotImplemented
        return self.contest == other.contest and np.array_equal(self.tally, other.tally)

    def __hash__(self) -> int:
        """Return a hash of the results."""
        return hash(self.tally.tobytes())

    @cached_property
    def distribution(self) -> Distribution:
        """Return every outcome with its net gain in Antes."""
        return Distribution(tuple(self._outcomes()))

    def _outcomes(self) -> Iterator[Outcome]:
        for decision, by_kind in enumerate(self.tally.tolist()):
            if decision == FOLD:
                folded = sum(sum(results) for results in by_kind)
                detail = {"decision": "fold", "result": "fold"}
                yield Outcome("any", folded, DEALS, None, Fraction(-1), detail)
                continue
            for kind, results in zip(kinds(), by_kind, strict=True):
                for result, count in enumerate(results):
                    if count:
                        yield self._outcome(decision, kind, result, count)

    def _outcome(self, decision: int, kind: tuple[str, ...], result: int, count: int) -> Outcome:
        terms = self.contest
        won = result == BELOW or (result == TIED and terms.ties_win)
        bonus = terms.bonus_on(kind)
        net = (terms.ante + decision * terms.play if won else Fraction(-1 - decision)) + bonus
        row = row_of(terms.bonus, kind)
        detail = {"decision": multiple_text(decision), "result": RESULTS[result]}
        if row is not None:
            detail["bonus"] = str(terms.bonus[row])
        return Outcome(kind[0], count, DEALS, f"{float(net):+g}" if net > 0 else None, net, detail)

    @property
    def ev_per_ante(self) -> Fraction:
        """Return the player's expected gain in Antes."""
        return self.distribution.mean

    @property
    def house_edge(self) -> Fraction:
        """Return the house's expected gain in Antes."""
        return -self.ev_per_ante

    @property
    def average_wager(self) -> Fraction:
        """Return the average of Ante and Play together, in Antes."""
        return 1 + sum((m * share for m, share in self.decisions.items()), Fraction(0))

    @property
    def element_of_risk(self) -> Fraction:
        """Return the house's expected gain per unit wagered, Play included."""
        return self.house_edge / self.average_wager

    @cached_property
    def decisions(self) -> dict[int, Fraction]:
        """Return the frequency of each decision, folding first."""
        totals = self.tally.sum(axis=(1, 2)).tolist()
        allowed = (FOLD, *self.contest.multiples)
        return {multiple: Fraction(totals[multiple], DEALS) for multiple in allowed}

    @cached_property
    def results(self) -> dict[str, Fraction]:
        """Return the frequency of folds, wins, ties and losses."""
        played = self.tally[1:].sum(axis=(0, 1)).tolist()
        shares = {RESULTS[result]: Fraction(count, DEALS) for result, count in enumerate(played)}
        return {"fold": self.decisions[FOLD], **shares}

    @cached_property
    def bonus_shares(self) -> dict[str, Fraction]:
        """Return the frequency of each row of the Automatic Bonus."""
        found = dict.fromkeys(self.contest.bonus, Fraction(0))
        for kind, count in zip(kinds(), self.tally[1:].sum(axis=(0, 2)).tolist(), strict=True):
            row = row_of(self.contest.bonus, kind)
            if row is not None:
                found[row] += Fraction(count, DEALS)
        return found

    @property
    def bonus_hit_frequency(self) -> Fraction:
        """Return the frequency with which the Automatic Bonus is paid."""
        return sum(self.bonus_shares.values(), Fraction(0))

    @property
    def bonus_value(self) -> Fraction:
        """Return the expected value of the Automatic Bonus, in Antes."""
        worth = (share * self.contest.bonus[row].value for row, share in self.bonus_shares.items())
        return sum(worth, Fraction(0))


def base_game(spots: Spots, strategy: Strategy) -> BaseGame:
    """Return the exact results of a strategy over all decision points."""
    return BaseGame(spots.contest, tally(spots, decided(strategy, spots)))

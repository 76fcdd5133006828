"""Base game: exact results of Ante, Play and Automatic Bonus together, for any strategy and bonus table."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

import msgspec
import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from fourcard.odds.decision_values import FOLD, BaseTerms, decision_name
from fourcard.odds.distribution import Distribution, WagerOutcome
from fourcard.odds.hand_kinds import hand_kinds
from fourcard.odds.kernels import kernel
from fourcard.odds.state_counts import COMPLETIONS, STATES
from fourcard.odds.strategies import OPTIMAL, DecisionPoints, Decisions, Strategy, checked_decisions
from fourcard.settlers.wager_settler import best_row

BELOW, TIED, ABOVE = range(3)


def tally_outcomes(spots: DecisionPoints, decisions: Decisions) -> NDArray[np.int64]:
    """Count deals by decision, kind of hand, and whether the dealer is lower, equal or higher."""
    counted = np.zeros((spots.terms.most + 1, len(hand_kinds()), 3), np.int64)
    _tally_kernel(spots.states.counts, spots.states.sizes, spots.kinds, decisions, counted, COMPLETIONS)
    return counted


@kernel
def _tally_kernel(
    counts: NDArray[np.uint32],
    sizes: NDArray[np.uint8],
    kinds_of_hands: NDArray[np.uint8],
    decisions: Decisions,
    counted: NDArray[np.int64],
    completions: int,
) -> None:
    for each in range(counts.shape[0]):
        size, kind = np.int64(sizes[each]), kinds_of_hands[each]
        for up in range(counts.shape[1]):
            decision = decisions[each, up]
            below, tied = np.int64(counts[each, up, 0]), np.int64(counts[each, up, 1])
            counted[decision, kind, 0] += size * below
            counted[decision, kind, 1] += size * tied
            counted[decision, kind, 2] += size * (completions - below - tied)


DEALS = STATES * COMPLETIONS
RESULTS = {BELOW: "win", TIED: "tie", ABOVE: "loss"}


class BaseGame(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The results of a strategy over all 167,439,136,344,480 deals, on an Ante of one unit."""

    terms: BaseTerms
    tally: NDArray[np.int64]
    """The number of deals by decision, kind of hand and result."""

    def __eq__(self, other: object) -> bool:
        """Return whether terms and results are equal."""
        if not isinstance(other, BaseGame):
            return NotImplemented
        return self.terms == other.terms and np.array_equal(self.tally, other.tally)

    def __hash__(self) -> int:
        """Return a hash of the results."""
        return hash(self.tally.tobytes())

    @cached_property
    def distribution(self) -> Distribution:
        """Return every outcome with its net gain in Antes."""
        return Distribution(tuple(self._outcomes()))

    def _outcomes(self) -> Iterator[WagerOutcome]:
        for decision, by_kind in enumerate(self.tally.tolist()):
            if decision == FOLD:
                folded = sum(sum(results) for results in by_kind)
                yield WagerOutcome("any", folded, DEALS, None, Fraction(-1), "fold", "fold")
                continue
            for kind, results in zip(hand_kinds(), by_kind, strict=True):
                for result, count in enumerate(results):
                    if count:
                        yield self._outcome(decision, kind, result, count)

    def _outcome(self, decision: int, kind: tuple[str, ...], result: int, count: int) -> WagerOutcome:
        terms = self.terms
        won = result == BELOW or (result == TIED and terms.ties_win)
        bonus = terms.bonus_for(kind)
        net = (terms.ante + decision * terms.play if won else Fraction(-1 - decision)) + bonus
        row = best_row(terms.bonus, kind)
        paid = UNSET if row is None else str(terms.bonus[row])
        pays = f"{float(net):+g}" if net > 0 else None
        return WagerOutcome(kind[0], count, DEALS, pays, net, decision_name(decision), RESULTS[result], paid)

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
        allowed = (FOLD, *self.terms.multiples)
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
        found = dict.fromkeys(self.terms.bonus, Fraction(0))
        for kind, count in zip(hand_kinds(), self.tally[1:].sum(axis=(0, 2)).tolist(), strict=True):
            row = best_row(self.terms.bonus, kind)
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
        worth = (share * self.terms.bonus[row].value for row, share in self.bonus_shares.items())
        return sum(worth, Fraction(0))


def base_game(spots: DecisionPoints, strategy: Strategy) -> BaseGame:
    """Return the exact results of a strategy over all decision points."""
    return BaseGame(spots.terms, tally_outcomes(spots, checked_decisions(strategy, spots)))


class StrategyResult(msgspec.Struct, frozen=True):
    """The result of a strategy, on an Ante of one unit."""

    name: str
    says: str
    ev_per_ante: Fraction
    house_edge: Fraction
    element_of_risk: Fraction
    average_wager: Fraction
    cost: Fraction
    """Extra cost compared with the best strategy."""
    decisions: dict[str, Fraction]


def strategy_results(games: Mapping[str, BaseGame], says: Callable[[str], str]) -> tuple[StrategyResult, ...]:
    """Return the result of every strategy, the optimal one first, then the best first."""
    best = games[OPTIMAL].house_edge
    return tuple(
        StrategyResult(
            name,
            says(name),
            game.ev_per_ante,
            game.house_edge,
            game.element_of_risk,
            game.average_wager,
            game.house_edge - best,
            {decision_name(each): share for each, share in game.decisions.items()},
        )
        for name, game in sorted(games.items(), key=lambda each: (each[0] != OPTIMAL, each[1].house_edge))
    )

"""Progressive and Envy odds, counted exactly for a meter, a stake and a number of other players.

The stake is not returned with a "for 1" award or a share of the meter (SM-PROG-3.1). Envy comes from each
other player's hand (R50, R53); hands of one deck are not independent, so the variance counts pairs of hands.
No player folds a hand that these tables pay. The meter is taken as it stands when the hand is settled;
another winner in the same round is not considered.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import sqrt
from operator import mul

import msgspec

from fourcard.money import Odds, OddsKind
from fourcard.odds.distribution import Distribution, WagerOutcome
from fourcard.odds.hand_counting import hand_counts, pairs_of_hands, two_player_pairs
from fourcard.odds.hand_kinds import WinnableRows
from fourcard.odds.paytable_lookup import PaytableError
from fourcard.odds.side_bets import LOSES, paytable_distribution
from fourcard.odds.state_counts import HAND
from fourcard.rules.cited import Paytable
from fourcard.settlers.progressive import FIVE_CARDS
from fourcard.settlers.wager_settler import best_row, odds_by_row

MAX_OTHERS = 6


class ProgressiveOdds(msgspec.Struct, frozen=True, dict=True):
    """The exact odds of a progressive wager with its Envy."""

    table: Paytable
    envy: Paytable | None
    stake: int
    meter: int
    others: int

    def __post_init__(self) -> None:
        """Refuse invalid amounts and numbers of players."""
        if self.stake <= 0 or self.meter < 0:
            raise PaytableError("A stake must be more than $0, and a meter at least $0.")
        if not 0 <= self.others <= MAX_OTHERS:
            raise PaytableError(f"There can be 0 to {MAX_OTHERS} other players, not {self.others}.")
        if self.others and self.envy is None:
            raise PaytableError("Envy needs a schedule. Choose one, or set the other players to 0.")

    @cached_property
    def own(self) -> Distribution:
        """Return the distribution of the player's own hand."""
        return paytable_distribution(_counts(self.table), odds_by_row(self.table), self._own_net)

    @cached_property
    def envy_from_one(self) -> Distribution:
        """Return the distribution of Envy from one other player, without the cost of the stake."""
        schedule = self.envy or Paytable(clauses=(), pays={})
        return paytable_distribution(
            _counts(schedule), odds_by_row(schedule), self._envy_net, lost=Fraction(0)
        )

    def _own_net(self, odds: Odds) -> Fraction:
        if odds.kind is OddsKind.TO:
            return odds.value
        worth = {OddsKind.METER: odds.value * self.meter, OddsKind.FIXED: odds.value}
        return worth.get(odds.kind, odds.value * self.stake) / self.stake - 1

    def _envy_net(self, odds: Odds) -> Fraction:
        return odds.value / self.stake

    @property
    def house_edge(self) -> Fraction:
        """Return the house edge after Envy from every other player."""
        return self.own.house_edge - self.others * self.envy_from_one.mean

    @property
    def variance(self) -> Fraction:
        """Return the variance of the total gain per unit; hands of one deck are dependent."""
        if self.envy is None or not self.others:
            return self.own.variance
        shared = _covariance(_gains(self.table, self.own), _gains(self.envy, self.envy_from_one))
        return self.own.variance + 2 * self.others * shared + self.envy_variance

    @property
    def envy_variance(self) -> Fraction:
        """Return the variance of the Envy from all other players together."""
        n, envy = self.others, self.envy_from_one
        if self.envy is None or n < 2:
            return n * envy.variance
        gain = _gains(self.envy, envy)
        return n * envy.variance + n * (n - 1) * _covariance(gain, gain)

    @property
    def standard_deviation(self) -> float:
        """Return the square root of the variance."""
        return sqrt(self.variance)

    @property
    def top(self) -> WagerOutcome | None:
        """Return the outcome that takes the whole meter, if there is one."""
        pays = odds_by_row(self.table)
        whole = [row for row, odds in pays.items() if odds.kind is OddsKind.METER and odds.value == 1]
        return next((each for each in self.own.outcomes if each.hand in whole), None)

    @property
    def fixed_return(self) -> Fraction:
        """Return the expected return per unit without shares of the meter, with Envy."""
        pays = odds_by_row(self.table)
        paid = (each for each in self.own.outcomes if each.pays is not None)
        fixed = (each for each in paid if pays[each.hand].kind is not OddsKind.METER)
        return sum(
            (each.probability * (each.net + 1) for each in fixed), self.others * self.envy_from_one.mean
        )

    @property
    def break_even_meter(self) -> Fraction | None:
        """Return the meter in cents at which the house edge is zero; None if there is none."""
        pays = odds_by_row(self.table)
        shares = (each for each in self.own.outcomes if each.hand in pays)
        meter = (each for each in shares if pays[each.hand].kind is OddsKind.METER)
        share = sum((each.probability * pays[each.hand].value for each in meter), Fraction(0))
        left = (1 - self.fixed_return) * self.stake
        return left / share if share and left >= 0 else None

    def long_run(self, rate: Fraction, seed: int) -> Fraction:
        """Return the long-run house edge: the meter pays out its contributions and every seed.

        Reseeding is a cost of the house (SM-PROG-4.2, WA-PROG-3.2, WA-NEX-3.2), as the rate is (WA-REC-5).
        """
        reseeding = self.top.probability * seed / self.stake if self.top is not None else Fraction(0)
        return 1 - self.fixed_return - rate - reseeding


def _counts(table: Paytable) -> Mapping[WinnableRows, int]:
    """Return hand counts by what the paytable ranks: the best four cards (R49), or all five (R8)."""
    return hand_counts(five_cards=table.cards == FIVE_CARDS)


def hit_covariance(table: Paytable, rows: Collection[str]) -> Fraction:
    """Return the covariance of two players of one round both hitting one of some rows."""
    hit = [Fraction(row in rows) for row in _rows_won(table)]
    return _covariance(hit, hit)


def _gains(table: Paytable, outcomes: Distribution) -> list[Fraction]:
    """Return the gain of each joint kind of two_players under a paytable."""
    net = {each.hand: each.net for each in outcomes.outcomes}
    return [net[row] for row in _rows_won(table)]


def _rows_won(table: Paytable) -> list[str]:
    """Return the row that each joint kind of two_players wins, or LOSES."""
    pays = odds_by_row(table)
    judged = (five if table.cards == FIVE_CARDS else four for four, five in two_player_pairs()[0])
    return [best_row(pays, kind) or LOSES for kind in judged]


def _covariance(mine: list[Fraction], theirs: list[Fraction]) -> Fraction:
    """Return the covariance of one player's gain with another's, over all pairs of their hands."""
    total, pairs = pairs_of_hands(HAND), two_player_pairs()[1]
    held = [sum(row) for row in pairs]
    both = _dot([_dot(row, theirs) for row in pairs], mine)
    return both / total - _dot(held, mine) * _dot(held, theirs) / total**2


def _dot(weights: Sequence[int | Fraction], values: Sequence[Fraction]) -> Fraction:
    return sum(map(mul, weights, values), Fraction(0))

"""Jackpot run: deals every round of a plan, finds the winning hands, and updates the meter to the unit.

``fourcard.meter`` prices and pays the awards. Between two awards all stakes add the same whole units, so they
are added in one step. The stakes of a round are added before its winners are paid, each in turn from the
meter as it then stands (R58). The rounds of a block depend only on the seed and the block number.
"""

import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from fourcard.bonus_hands import FIVE
from fourcard.meter import UNITS_PER_CENT, Meter, Payment, pay_meter_award
from fourcard.odds.evaluator import five_category, five_strength
from fourcard.odds.hand_counting import five_card_kinds
from fourcard.odds.hand_kinds import hands_by_strength
from fourcard.odds.jackpot_sim.config import JackpotConfig, JackpotPlan
from fourcard.odds.kernels import kernel
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.ranking_tables import FiveCardTables, RankingTables, five_card_tables, ranking_tables
from fourcard.odds.simulation.dealing import (
    Deals,
    Shoe,
    deal,
    deal_buffers,
    generator_state,
    new_shoe,
    seed_or_random,
)
from fourcard.rules.cited import Paytable
from fourcard.settlers.wager_settler import MeterAward, best_row, odds_by_row

BLOCK = 1 << 16
"""Rounds per random generator."""
BATCH = 1024
"""Hands dealt at a time."""
PURPOSE = 2
"""Generator purpose for jackpot simulation; rounds and sessions use other numbers."""
NO_ROW = 255


class PayingRowTables(NamedTuple):
    """Look-up tables that give the paytable row of a hand."""

    four: RankingTables
    five: FiveCardTables
    five_cards: bool
    """Whether all five cards are ranked (R8), or the best four of them (R49)."""
    rows: NDArray[np.uint8]
    """By five-card category, or by strength of the best four: the index of the row, or NO_ROW."""


class WinningHands(msgspec.Struct, frozen=True):
    """The winning hands of a block, in deal order."""

    rounds: NDArray[np.int64]
    """Counted from 0 over the whole simulation."""
    seats: NDArray[np.int64]
    rows: NDArray[np.uint8]


def paying_row_tables(table: Paytable) -> PayingRowTables:
    """Return the look-up tables for a paytable."""
    pays, five_cards = odds_by_row(table), table.cards == FIVE
    kinds = five_card_kinds() if five_cards else tuple(hand.rows for hand in hands_by_strength())
    places: dict[str | None, int] = {row: place for place, row in enumerate(pays)}
    rows = [places.get(best_row(pays, kind), NO_ROW) for kind in kinds]
    return PayingRowTables(ranking_tables(), five_card_tables(), five_cards, np.array(rows, np.uint8))


def compile_kernel(judge: PayingRowTables, seats: int) -> None:
    """Compile the kernel before the clock starts."""
    _find_winners(
        judge, new_shoe(generator_state(0, PURPOSE, 0)), deal_buffers(1, seats), *_buffers(0), 0, seats
    )


def winning_hands_by_block(
    judge: PayingRowTables, rounds: int, seats: int, seed: int
) -> Iterator[tuple[int, WinningHands]]:
    """Yield, block by block, the number of rounds dealt and the winning hands."""
    deals = deal_buffers(max(1, BATCH // seats), seats)
    hands, rows = _buffers(min(BLOCK, rounds) * seats)
    for block, first in enumerate(range(0, rounds, BLOCK)):
        size = min(BLOCK, rounds - first)
        shoe = new_shoe(generator_state(seed, PURPOSE, block))
        count = _find_winners(judge, shoe, deals, hands, rows, size, seats)
        found = hands[:count]
        yield size, WinningHands(first + found // seats, found % seats, rows[:count])


def _buffers(hands: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return buffers for the winners among the given number of hands."""
    return np.zeros(hands, np.int64), np.zeros(hands, np.uint8)


@kernel
def _find_winners(
    judge: PayingRowTables,
    shoe: Shoe,
    deals: Deals,
    hands: NDArray[np.int64],
    rows: NDArray[np.uint8],
    rounds: int,
    seats: int,
) -> int:
    """Deal rounds, store every hand that wins a row, and return how many there are."""
    cards, batch, count = deals.players, len(deals.bonus), 0
    numbers = judge.five.card_codes if judge.five_cards else judge.four.card_codes
    for first in range(0, rounds, batch):
        some = min(batch, rounds - first)
        deal(shoe, deals, some, seats)
        for hand in range(some * seats):
            total = np.uint64(0)
            for place in range(cards.shape[1]):
                total += numbers[cards[hand, place]]
            if judge.five_cards:
                row = judge.rows[five_category(judge.five, total, cards, hand)]
            else:
                row = judge.rows[five_strength(judge.four, total, cards, hand)]
            if row != NO_ROW:
                hands[count] = first * seats + hand
                rows[count] = row
                count += 1
    return count


PATH_POINTS = 1_460
"""The number of points of the meter's path for a picture: four a day in a year."""


class JackpotWin(msgspec.Struct, frozen=True):
    """One win of the whole meter."""

    round: int
    """Counted from 1 over all tables."""
    position: int
    amount: int
    """In cents."""


class JackpotRun(msgspec.Struct, frozen=True):
    """The result of one simulated run of a meter."""

    config: JackpotConfig
    plan: JackpotPlan
    seed: int
    """The random seed."""
    seconds: float
    meter: Meter
    """The meter at the end."""
    hits: dict[str, int]
    """By row."""
    wins: tuple[JackpotWin, ...]
    highest: int
    """In units, as are all the following amounts by default."""
    sum_of_meters: int
    """The sum over all rounds of the meter when its hands are paid."""
    seeded: int
    """What the house added: at the start, and after every win."""
    from_meter: int
    """In cents, what the meter paid or reimbursed to the tray."""
    from_tray: int
    """In cents, what the tray paid without reimbursement."""
    shortfall: int
    """In cents, the part of it that an empty meter could not pay (R59)."""
    path: tuple[tuple[int, int], ...]
    """Rounds and displayed cents: at even steps, before and after every win, and at the end."""

    @property
    def contributed(self) -> int:
        """Return what all wagers added to meter and reserve."""
        each = self.config.contribution
        return (each.to_meter + each.to_reserve) * self.plan.wagers

    @property
    def held_and_paid(self) -> int:
        """Return what meter and reserve hold, plus what the meter paid."""
        return self.meter.amount + self.meter.reserve + self.from_meter * UNITS_PER_CENT

    @property
    def conserved(self) -> bool:
        """Return whether held plus paid equals seeded plus contributed, to the unit."""
        return self.held_and_paid == self.seeded + self.contributed

    @property
    def average_meter(self) -> float:
        """Return the average meter in cents when the hands of a round are paid."""
        return self.sum_of_meters / self.plan.rounds / UNITS_PER_CENT


def run_jackpot(
    linked: JackpotConfig, plan: JackpotPlan, *, seed: int | None = None, step: ProgressCallback = no_progress
) -> JackpotRun:
    """Deal every round of a plan and update the meter; the same seed gives the same run."""
    used_seed, judge = seed_or_random(seed), paying_row_tables(linked.table)
    compile_kernel(judge, plan.players)
    started, state, counts = time.perf_counter(), _MeterState(linked, plan), Counter[str]()
    names = [*linked.awards]
    for size, hits in winning_hands_by_block(judge, plan.rounds, plan.players, used_seed):
        found = np.bincount(hits.rows, minlength=len(names)).tolist()
        counts.update(dict(zip(names, found, strict=True)))
        for turn, position, row in _meter_awards(linked, hits, plan.players):
            state.award(turn, position, names[row])
        step(size / plan.rounds)
    state.forward(plan.rounds)
    by_tray = sum(
        counts[row] * award for row, award in linked.awards.items() if not isinstance(award, MeterAward)
    )
    return JackpotRun(
        config=linked,
        plan=plan,
        seed=used_seed,
        seconds=time.perf_counter() - started,
        meter=state.meter,
        hits={row: counts[row] for row in names},
        wins=tuple(state.wins),
        highest=state.highest,
        sum_of_meters=state.total,
        seeded=state.seeded,
        from_meter=state.from_meter,
        from_tray=state.from_tray + by_tray,
        shortfall=state.shortfall,
        path=(*state.path, (plan.rounds, state.meter.whole_cents)),
    )


def _meter_awards(linked: JackpotConfig, hits: WinningHands, seats: int) -> Iterator[tuple[int, int, int]]:
    """Yield round, position and row of every award that involves the meter, in order of payment."""
    priced = np.array([isinstance(award, MeterAward) for award in linked.awards.values()])
    wanted = priced[hits.rows]
    rounds, places, rows = hits.rounds[wanted] + 1, hits.seats[wanted], hits.rows[wanted]
    turns = seats - 1 - places if linked.from_right else places
    order = np.argsort(rounds * seats + turns)
    yield from zip(rounds[order].tolist(), (places[order] + 1).tolist(), rows[order].tolist(), strict=True)


class _MeterState:
    """The meter and the totals during a run."""

    def __init__(self, linked: JackpotConfig, plan: JackpotPlan) -> None:
        contribution = linked.contribution
        self.awards = linked.awards
        self.to_meter = contribution.to_meter * plan.players
        self.to_reserve = contribution.to_reserve * plan.players
        self.meter = linked.initial_meter
        self.seeded = self.highest = self.meter.amount
        self.done = self.total = 0
        self.from_meter = self.from_tray = self.shortfall = 0
        self.wins: list[JackpotWin] = []
        self.path = [(0, self.meter.whole_cents)]
        points = min(PATH_POINTS, plan.rounds)
        self.marks = [plan.rounds * point // points for point in range(points - 1, 0, -1)]

    def forward(self, turn: int) -> None:
        """Add the stakes of every round up to this one."""
        rounds, before = turn - self.done, self.meter.amount
        while self.marks and self.marks[-1] <= turn:
            mark = self.marks.pop()
            self.path.append((mark, (before + (mark - self.done) * self.to_meter) // UNITS_PER_CENT))
        amount, reserve = before + rounds * self.to_meter, self.meter.reserve + rounds * self.to_reserve
        self.total += rounds * before + self.to_meter * rounds * (rounds + 1) // 2
        self.meter = replace(self.meter, amount=amount, reserve=reserve)
        self.highest = max(self.highest, amount)
        self.done = turn

    def award(self, turn: int, position: int, row: str) -> None:
        """Pay a winning hand of a round."""
        if turn > self.done:
            self.forward(turn)
        tier, shown = self.awards[row], self.meter.whole_cents
        assert isinstance(tier, MeterAward)
        self.meter, paid = pay_meter_award(self.meter, tier.odds, tier.stake, tier.source)
        self._add_payment(paid)
        if paid.whole_meter:
            self.wins.append(JackpotWin(turn, position, paid.amount))
            self.path += (turn, shown), (turn, self.meter.whole_cents)

    def _add_payment(self, paid: Payment) -> None:
        self.from_meter += paid.from_meter + paid.meter_to_tray
        self.from_tray += paid.from_tray - paid.meter_to_tray
        self.shortfall += paid.shortfall
        self.seeded += paid.reset_units - paid.reserve_units

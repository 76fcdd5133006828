"""Jackpot run: simulates a meter wager by wager, exact to one unit.

``fourcard.meter`` prices and pays the awards. Between two awards all stakes add the same whole units, so they
are added in one step. The stakes of a round are added before its winners are paid, each in turn from the
meter as it then stands (R58).
"""

import time
from collections import Counter
from collections.abc import Iterator

import msgspec
import numpy as np
from msgspec.structs import replace

from fourcard.meter import UNITS_PER_CENT, Meter, Payment, pay
from fourcard.odds.meter_year.hits import Hits, hits_by_block, judge_of, prepare
from fourcard.odds.meter_year.linked import LinkedMeter
from fourcard.odds.meter_year.plan import Plan
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.simulation.chance import checked_seed
from fourcard.wagers.wager import Tier

POINTS = 1_460
"""The number of points of the meter's path for a picture: four a day in a year."""


class Win(msgspec.Struct, frozen=True):
    """One win of the whole meter."""

    round: int
    """Counted from 1 over all tables."""
    position: int
    amount: int
    """In cents."""


class Course(msgspec.Struct, frozen=True):
    """The result of one simulated run of a meter."""

    linked: LinkedMeter
    plan: Plan
    seed: int
    """The random seed."""
    seconds: float
    meter: Meter
    """The meter at the end."""
    hits: dict[str, int]
    """By row."""
    wins: tuple[Win, ...]
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
        each = self.linked.contribution
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


def play_course(
    linked: LinkedMeter, plan: Plan, *, seed: int | None = None, step: Step = no_progress
) -> Course:
    """Deal every round of a plan and update the meter; the same seed gives the same run."""
    used_seed, judge = checked_seed(seed), judge_of(linked.table)
    prepare(judge, plan.players)
    started, state, counts = time.perf_counter(), _MeterState(linked, plan), Counter[str]()
    names = [*linked.awards]
    for size, hits in hits_by_block(judge, plan.rounds, plan.players, used_seed):
        found = np.bincount(hits.rows, minlength=len(names)).tolist()
        counts.update(dict(zip(names, found, strict=True)))
        for turn, position, row in _meter_awards(linked, hits, plan.players):
            state.award(turn, position, names[row])
        step(size / plan.rounds)
    state.forward(plan.rounds)
    by_tray = sum(counts[row] * award for row, award in linked.awards.items() if not isinstance(award, Tier))
    return Course(
        linked=linked,
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
        path=(*state.path, (plan.rounds, state.meter.displayed)),
    )


def _meter_awards(linked: LinkedMeter, hits: Hits, seats: int) -> Iterator[tuple[int, int, int]]:
    """Yield round, position and row of every award that involves the meter, in order of payment."""
    priced = np.array([isinstance(award, Tier) for award in linked.awards.values()])
    wanted = priced[hits.rows]
    rounds, places, rows = hits.rounds[wanted] + 1, hits.seats[wanted], hits.rows[wanted]
    turns = seats - 1 - places if linked.from_right else places
    order = np.argsort(rounds * seats + turns)
    yield from zip(rounds[order].tolist(), (places[order] + 1).tolist(), rows[order].tolist(), strict=True)


class _MeterState:
    """The meter and the totals during a run."""

    def __init__(self, linked: LinkedMeter, plan: Plan) -> None:
        contribution = linked.contribution
        self.awards = linked.awards
        self.to_meter = contribution.to_meter * plan.players
        self.to_reserve = contribution.to_reserve * plan.players
        self.meter = linked.begun
        self.seeded = self.highest = self.meter.amount
        self.done = self.total = 0
        self.from_meter = self.from_tray = self.shortfall = 0
        self.wins: list[Win] = []
        self.path = [(0, self.meter.displayed)]
        points = min(POINTS, plan.rounds)
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
        tier, shown = self.awards[row], self.meter.displayed
        assert isinstance(tier, Tier)
        self.meter, paid = pay(self.meter, tier.odds, tier.stake, tier.source)
        self._add_payment(paid)
        if paid.whole:
            self.wins.append(Win(turn, position, paid.amount))
            self.path += (turn, shown), (turn, self.meter.displayed)

    def _add_payment(self, paid: Payment) -> None:
        self.from_meter += paid.from_meter + paid.meter_to_tray
        self.from_tray += paid.from_tray - paid.meter_to_tray
        self.shortfall += paid.shortfall
        self.seeded += paid.seeded - paid.from_reserve

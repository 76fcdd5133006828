"""The course of a meter: fed by every wager, paid from by every hand that wins, to the unit.

Awards are priced and paid by ``fourcard.meter`` itself. Between two of them all stakes add the same whole
units, so that they are added at once. The stakes of a round are in the meter before its winners are paid, in
their order, each at the meter as it then stands (R58).
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

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
"""How often the meter is noted for a picture: four times a day in a year."""


@dataclass(frozen=True)
class Win:
    """The whole meter, won."""

    round: int
    """Counted from 1 over all tables."""
    position: int
    amount: int
    """In cents."""


@dataclass(frozen=True)
class Course:
    """A meter from its first wager to its last."""

    linked: LinkedMeter
    plan: Plan
    seed: int
    """What chance started from."""
    seconds: float
    meter: Meter
    """As it stands at the end."""
    hits: dict[str, int]
    """By row."""
    wins: tuple[Win, ...]
    highest: int
    """In units, as all that follow unless said otherwise."""
    sum_of_meters: int
    """The meter as the hands of each round found it, over all rounds."""
    seeded: int
    """What the house put in: at the start, and after every win."""
    from_meter: int
    """In cents, what the meter paid or made good to the tray."""
    from_tray: int
    """In cents, what the tray paid and nobody made good."""
    shortfall: int
    """In cents, the part of it that a dry meter could not pay (R59)."""
    path: tuple[tuple[int, int], ...]
    """Rounds and the cents that the meter showed: at even steps, before and after every win, at the end."""

    @property
    def contributed(self) -> int:
        """Return what all wagers put into meter and reserve."""
        each = self.linked.contribution
        return (each.to_meter + each.to_reserve) * self.plan.wagers

    @property
    def held_and_paid(self) -> int:
        """Return what is in meter and reserve, and what came out of the meter."""
        return self.meter.amount + self.meter.reserve + self.from_meter * UNITS_PER_CENT

    @property
    def conserved(self) -> bool:
        """Say whether what is held and paid is what was seeded and contributed, to the unit."""
        return self.held_and_paid == self.seeded + self.contributed

    @property
    def average_meter(self) -> float:
        """Return the cents that the hands of a round found on average."""
        return self.sum_of_meters / self.plan.rounds / UNITS_PER_CENT


def play_course(
    linked: LinkedMeter, plan: Plan, *, seed: int | None = None, step: Step = no_progress
) -> Course:
    """Deal every round of a plan and follow the meter; the same seed gives the same course."""
    chosen, judge = checked_seed(seed), judge_of(linked.table)
    prepare(judge, plan.players)
    begun, walk, counts = time.perf_counter(), _Walk(linked, plan), Counter[str]()
    names = [*linked.awards]
    for size, hits in hits_by_block(judge, plan.rounds, plan.players, chosen):
        found = np.bincount(hits.rows, minlength=len(names)).tolist()
        counts.update(dict(zip(names, found, strict=True)))
        for turn, position, row in _of_the_meter(linked, hits, plan.players):
            walk.award(turn, position, names[row])
        step(size / plan.rounds)
    walk.forward(plan.rounds)
    by_tray = sum(counts[row] * award for row, award in linked.awards.items() if not isinstance(award, Tier))
    return Course(
        linked=linked,
        plan=plan,
        seed=chosen,
        seconds=time.perf_counter() - begun,
        meter=walk.meter,
        hits={row: counts[row] for row in names},
        wins=tuple(walk.wins),
        highest=walk.highest,
        sum_of_meters=walk.total,
        seeded=walk.seeded,
        from_meter=walk.from_meter,
        from_tray=walk.from_tray + by_tray,
        shortfall=walk.shortfall,
        path=(*walk.path, (plan.rounds, walk.meter.displayed)),
    )


def _of_the_meter(linked: LinkedMeter, hits: Hits, seats: int) -> Iterator[tuple[int, int, int]]:
    """Yield round, position and row of every award that the meter has a part in, in the order of paying."""
    priced = np.array([isinstance(award, Tier) for award in linked.awards.values()])
    wanted = priced[hits.rows]
    rounds, places, rows = hits.rounds[wanted] + 1, hits.seats[wanted], hits.rows[wanted]
    turns = seats - 1 - places if linked.from_right else places
    order = np.argsort(rounds * seats + turns)
    yield from zip(rounds[order].tolist(), (places[order] + 1).tolist(), rows[order].tolist(), strict=True)


class _Walk:
    """The meter on its way; what it holds is read when it has arrived."""

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
        """Bring in the stakes of every round up to this one."""
        rounds, before = turn - self.done, self.meter.amount
        while self.marks and self.marks[-1] <= turn:
            mark = self.marks.pop()
            self.path.append((mark, (before + (mark - self.done) * self.to_meter) // UNITS_PER_CENT))
        grown, kept = before + rounds * self.to_meter, self.meter.reserve + rounds * self.to_reserve
        self.total += rounds * before + self.to_meter * rounds * (rounds + 1) // 2
        self.meter = replace(self.meter, amount=grown, reserve=kept)
        self.highest = max(self.highest, grown)
        self.done = turn

    def award(self, turn: int, position: int, row: str) -> None:
        """Pay a winning hand of a round."""
        if turn > self.done:
            self.forward(turn)
        tier, shown = self.awards[row], self.meter.displayed
        assert isinstance(tier, Tier)
        self.meter, paid = pay(self.meter, tier.odds, tier.stake, tier.source)
        self._note(paid)
        if paid.whole:
            self.wins.append(Win(turn, position, paid.amount))
            self.path += (turn, shown), (turn, self.meter.displayed)

    def _note(self, paid: Payment) -> None:
        self.from_meter += paid.from_meter + paid.meter_to_tray
        self.from_tray += paid.from_tray - paid.meter_to_tray
        self.shortfall += paid.shortfall
        self.seeded += paid.seeded - paid.from_reserve

"""Who is settled when: wagers and meter into steps, in the order of the rulebook and the submission.

Forfeited wagers are collected first; then each position is settled from the dealer's right counterclockwise,
all acts for one player or each act for all (MA-10e1, MA-10e2); wagers that need every hand come at the end.
Each award of the meter is paid at the meter as it then stands (R58, MA-13a4, MD-12D4). Nothing here knows
disk, clock, chance or float.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from fourcard.meter import Meter, Payment, pay
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.game import Game
from fourcard.rules.nodes import WAGERS, Frozen, WagerName
from fourcard.rules.rulebook import Act, AwardSource, Procedure, Routine
from fourcard.wagers import wagers_at
from fourcard.wagers.showdown import Seat, Showdown, Standing
from fourcard.wagers.wager import Due, Phase, WagerAtTable

LAST: Final = "settle_last"
"""The pass after all positions, for the wagers that need every hand (MA-12j, R54)."""
Moment = tuple[Act | Literal["settle_last"], Seat | None]
MONEY_ACTS = frozenset[str](("collect_forfeits", "settle", "take", "pay"))


class Step(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, rename={"source": "from"}):
    """One movement of money between a player and tray or meter."""

    position: int
    wager: WagerName
    action: Literal["take", "pay"]
    amount: int
    source: AwardSource | Literal["player"]
    hand: str
    clauses: tuple[str, ...]
    row: str | None = None
    odds: str | None = None
    holder: int | None = None


class MeterEntry(Frozen, frozen=True, kw_only=True):
    """What one award did to the meter beside what the player got."""

    position: int
    payment: Payment
    before: int
    """What the meter showed when the award's turn came, in cents."""
    after: int


class Settlement(msgspec.Struct, frozen=True):
    """A round settled: every step in order, and the meter as it stands afterwards."""

    steps: tuple[Step, ...]
    meter: Meter | None
    entries: tuple[MeterEntry, ...]

    def net(self, position: int) -> dict[WagerName, int]:
        """Return what a position gained or lost on each of the nine wagers."""
        found = dict.fromkeys(WAGERS, 0)
        for step in self.steps:
            if step.position == position:
                found[step.wager] += step.amount if step.action == "pay" else -step.amount
        return found


class Settler:
    """Settles rounds of one game."""

    def __init__(self, game: Game) -> None:
        """Put the game's wagers and acts in order once."""
        self.game = game
        rules = game.rulebook.settlement
        self.wagers: dict[WagerName, WagerAtTable] = wagers_at(game)
        self.order = tuple(self.wagers[name] for name in wager_order(game) if name in self.wagers)
        self.routine: Routine = game.submission.settlement.routine or rules.routines.value[-1]
        self.opening = in_order(rules.opening)
        self.acts = in_order(rules.by_routine[self.routine])
        self.closing = in_order(rules.closing)
        self.from_right = rules.start.value == "dealer-right"

    def standing(self, wagers: Mapping[WagerName, int], play: int | None, *, left: bool) -> Standing:
        """Return what becomes of a hand: folded cards stay while a wager that they decide lives (R3)."""
        if left:
            return Standing.LEFT
        if "ante" not in wagers or play:
            return Standing.LIVE
        placed = (self.wagers[name] for name in wagers if name in self.wagers)
        kept = any(wager.own_hand and wager.lives_after_fold for wager in placed)
        return Standing.KEPT if kept else Standing.MUCKED

    def seats(self, showdown: Showdown) -> list[Seat]:
        """Return the seats in the order of settling: positions are numbered from the dealer's left."""
        return sorted(showdown.seats, key=lambda seat: seat.position, reverse=self.from_right)

    def moments(self, showdown: Showdown, *, money_only: bool) -> Iterator[Moment]:
        """Yield what the dealer does, in order, with the seat that it is done to."""
        wanted = MONEY_ACTS if money_only else None
        yield from ((act, None) for act in self.opening if wanted is None or act in wanted)
        acts = [act for act in self.acts if wanted is None or act in wanted]
        seats = [seat for seat in self.seats(showdown) if seat.standing in (Standing.LIVE, Standing.KEPT)]
        if self.routine == "by-procedure":
            yield from ((act, seat) for act in acts for seat in seats)
        else:
            yield from ((act, seat) for seat in seats for act in acts)
        yield LAST, None
        if wanted is None:
            yield from ((act, None) for act in self.closing)

    def settle(self, showdown: Showdown, meter: Meter | None = None) -> Settlement:
        """Return every step of the round and the meter afterwards."""
        dues = self.dues(showdown)
        till = _Till(meter)
        for moment in self.moments(showdown, money_only=True):
            for due in self.falling(moment, dues):
                till.book(due)
        return Settlement(tuple(till.steps), till.meter, tuple(till.entries))

    def dues(self, showdown: Showdown) -> dict[int, list[Due]]:
        """Return all that falls due by position, the wagers in their order."""
        found: dict[int, list[Due]] = {seat.position: [] for seat in self.seats(showdown)}
        for wager in self.order:
            for due in wager.dues(showdown):
                found[due.position].append(due)
        return found

    def falling(self, moment: Moment, dues: Mapping[int, Sequence[Due]]) -> Iterator[Due]:
        """Yield what falls due at one moment."""
        act, seat = moment
        if act == "collect_forfeits":
            yield from (due for each in dues.values() for due in each if due.phase is Phase.FORFEIT)
        elif act == LAST:
            last = [due for each in dues.values() for due in each if due.phase is Phase.LAST]
            for wager in self.order if last else ():
                yield from (due for due in last if due.wager == wager.name)
        elif seat is not None and act in MONEY_ACTS:
            for due in dues[seat.position]:
                if due.phase is Phase.TURN and act in ("settle", due.action):
                    yield due


class _Till:
    """Books dues as steps while the meter moves."""

    def __init__(self, meter: Meter | None) -> None:
        self.meter = meter
        self.steps: list[Step] = []
        self.entries: list[MeterEntry] = []

    def book(self, due: Due) -> None:
        """Turn a due into its step; an award of the meter may take two, from meter and tray."""
        if due.amount is not None and due.source != "meter":
            self._step(due, due.amount, due.source)
            return
        payment = self._price(due)
        if payment.from_meter or not payment.from_tray:
            self._step(due, payment.from_meter, "meter")
        if payment.from_tray:
            self._step(due, payment.from_tray, "tray", ("R59",) if payment.shortfall else ("R60",))

    def _price(self, due: Due) -> Payment:
        """Pay an award of the meter as it stands at its turn."""
        if self.meter is None:
            raise RefusedError(refuse(Code.METER_NOT_GIVEN, due.clauses))
        assert due.odds is not None
        assert due.source != "player"
        before = self.meter.displayed
        self.meter, payment = pay(self.meter, due.odds, due.stake, due.source)
        entry = MeterEntry(position=due.position, payment=payment, before=before, after=self.meter.displayed)
        self.entries.append(entry)
        return payment

    def _step(
        self, due: Due, amount: int, source: AwardSource | Literal["player"], also: tuple[str, ...] = ()
    ) -> None:
        self.steps.append(
            Step(
                due.position,
                due.wager,
                due.action,
                amount,
                source,
                due.hand,
                (*due.clauses, *also) if also else due.clauses,
                due.row,
                None if due.odds is None else str(due.odds),
                due.holder,
            )
        )


def wager_order(game: Game) -> tuple[WagerName, ...]:
    """Return a player's wagers in the order of settling: the house's where submitted, or the rulebook's."""
    if game.submission.settlement.order:
        return game.submission.settlement.order
    order = list(game.rulebook.settlement.order.value)
    if game.settings.get("bad_beat_settled") == "before_aces_up":
        order.remove("bad_beat")
        order.insert(order.index("aces_up"), "bad_beat")
    return tuple(order)


def in_order(procedure: Procedure) -> tuple[Act, ...]:
    """Return the acts of a procedure as they are numbered."""
    return tuple(sorted(procedure, key=lambda act: procedure[act].value))

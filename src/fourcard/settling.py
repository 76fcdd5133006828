"""Settlement: turns wagers and meter into payment steps, in the order of the rulebook and the submission.

Forfeited wagers are collected first; then each position is settled from the dealer's right counterclockwise,
all acts for one player or each act for all (MA-10e1, MA-10e2); wagers that need every hand come at the end.
Each meter award uses the meter at that time (R58, MA-13a4, MD-12D4); several meter winners come after all
positions where internal controls name their order (SM-APP-A.2). There is no I/O, clock, randomness or
float here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from fourcard.hands import best_of
from fourcard.meter import Meter, Payment, pay_meter_award
from fourcard.refusal_codes import Code
from fourcard.refusals import PositionRefusedError, RefusedError, refuse
from fourcard.rules.cited import FrozenData, clauses_of
from fourcard.rules.game import Game
from fourcard.rules.rulebook import Act, AwardSource, Procedure, Routine
from fourcard.settlers import wager_settlers
from fourcard.settlers.showdown import KEPT, LIVE, MUCKED, Seat, Showdown, Standing
from fourcard.settlers.wager_settler import MeterAward, PendingStep, SettlementStep, SettlePhase, WagerSettler
from fourcard.wagers import WAGERS, WagerName

METER_WINNERS: Final = "settle_winners"
"""The pass after all positions for several meter winners, in an order that the house names (SM-APP-A.2)."""
LAST_PASS: Final = "settle_last"
"""The pass after all positions, for the wagers that need every hand (MA-12j, R54)."""
ScheduledActName = Act | Literal["settle_winners", "settle_last"]
ScheduledAct = tuple[ScheduledActName, Seat | None]
SEVERAL = 2
MONEY_ACTS = frozenset[str](("collect_forfeits", "settle", "take", "pay"))


class MeterEntry(FrozenData, frozen=True, kw_only=True):
    """Meter entry: how one award changed the meter."""

    position: int
    payment: Payment
    before: int
    """Displayed cents before the award."""
    after: int


class Settlement(msgspec.Struct, frozen=True):
    """Settled round: every step in order, and the meter afterwards."""

    steps: tuple[SettlementStep, ...]
    meter: Meter | None
    entries: tuple[MeterEntry, ...]

    def nets(self, positions: Iterable[int]) -> dict[int, dict[WagerName, int]]:
        """Return the net result of each position on each of the nine wagers."""
        found = {position: dict.fromkeys(WAGERS, 0) for position in positions}
        for step in self.steps:
            found[step.position][step.wager] += step.amount if step.action == "pay" else -step.amount
        return found


class Settler:
    """Settles rounds of one game."""

    def __init__(self, game: Game) -> None:
        """Order the game's wagers and acts once."""
        self.game = game
        rules = game.rulebook.settlement
        self.wagers: dict[WagerName, WagerSettler] = wager_settlers(game)
        self.order = tuple(self.wagers[name] for name in wager_order(game) if name in self.wagers)
        self.routine: Routine = game.submission.settlement.routine or default_routine(game)
        self.opening = ordered_acts(rules.opening)
        self.acts = ordered_acts(rules.by_routine[self.routine])
        self.closing = ordered_acts(rules.closing)
        self.from_right = rules.start.value == "dealer-right"

    def standing(self, wagers: Mapping[WagerName, int], play: int | None, *, left: bool) -> Standing:
        """Return the standing of a hand: folded cards stay while a wager that they decide is live (R3)."""
        if left:
            return Standing.LEFT
        if "ante" not in wagers or play:
            return LIVE
        placed = (self.wagers[name] for name in wagers)
        kept = any(wager.specification.own_hand and wager.lives_after_fold for wager in placed)
        return KEPT if kept else MUCKED

    def lost_by_fold(self, wagers: Mapping[WagerName, int]) -> dict[WagerName, int]:
        """Return the wagers that a fold loses, in cents; the others stay in play."""
        return {name: amount for name, amount in wagers.items() if not self.wagers[name].lives_after_fold}

    def showdown(self, seats: Iterable[Seat], dealer: tuple[int, ...], bonus_card: int | None) -> Showdown:
        """Return a showdown with seats in the order of settling; positions count from the dealer's left."""
        ordered = sorted(seats, key=lambda seat: seat.position, reverse=self.from_right)
        return Showdown(tuple(ordered), dealer, best_of(sorted(dealer, reverse=True)), bonus_card)

    def scheduled_acts(self, showdown: Showdown, *, money_only: bool) -> Iterator[ScheduledAct]:
        """Yield the dealer's acts in order, each with its seat."""
        wanted = MONEY_ACTS if money_only else None
        yield from ((act, None) for act in self.opening if wanted is None or act in wanted)
        acts = [act for act in self.acts if wanted is None or act in wanted]
        seats = [seat for seat in showdown.seats if seat.standing is LIVE or seat.standing is KEPT]
        if self.routine == "by-procedure":
            yield from ((act, seat) for act in acts for seat in seats)
        else:
            yield from ((act, seat) for seat in seats for act in acts)
        yield METER_WINNERS, None
        yield LAST_PASS, None
        if wanted is None:
            yield from ((act, None) for act in self.closing)

    def settle(self, showdown: Showdown, meter: Meter | None = None) -> Settlement:
        """Return every step of the round and the meter afterwards."""
        pending = self.pending_steps(showdown)
        book = SettlementBook(meter)
        for act, seat in self.scheduled_acts(showdown, money_only=True):
            book.record(pending.due_at(act, seat))
        return Settlement(tuple(book.steps), book.meter, tuple(book.entries))

    def pending_steps(self, showdown: Showdown) -> "PendingSteps":
        """Return all pending steps, each player's wagers in order."""
        turns: dict[int, list[PendingStep]] = {seat.position: [] for seat in showdown.seats}
        forfeits: list[PendingStep] = []
        last: list[PendingStep] = []
        turn, forfeit = SettlePhase.TURN, SettlePhase.FORFEIT
        for wager in self.order:
            for due in map(self._with_second_person, wager.pending_steps(showdown)):
                if due.phase is turn:
                    turns[due.step.position].append(due)
                elif due.phase is SettlePhase.HOLDERS_TURN and due.step.holder in turns:
                    turns[due.step.holder].append(due)
                elif due.phase is forfeit:
                    forfeits.append(due)
                else:
                    last.append(due)
        forfeits.sort(key=_position, reverse=self.from_right)
        return PendingSteps(turns, forfeits, self._part_winners(turns), last)

    def _part_winners(self, turns: Mapping[int, list[PendingStep]]) -> list[PendingStep]:
        """Take several meter winners out of their turns where the house names another order of them."""
        choice, rules = self.game.submission.progressive, self.game.rulebook.wagers.progressive
        winners = [due for turn in turns.values() for due in turn if due.meter_award]
        if choice is None or not choice.has_house_order or len(winners) < SEVERAL:
            return []
        assert rules is not None
        for turn in turns.values():
            turn[:] = [due for due in turn if not due.meter_award]
        if choice.winner_order == "dealer-left":
            winners.sort(key=_position)
        else:
            rows = [*self.game.tables["progressive"].pays]
            winners.sort(key=lambda due: rows.index(due.step.row or ""))
        return [due.with_clauses(*clauses_of(rules.winner_order_by_internal_controls)) for due in winners]

    def _with_second_person(self, due: PendingStep) -> PendingStep:
        """Let a large award wait for a second person, whatever its wager (R61)."""
        if due.waits or due.step.action != "pay" or not self.game.needs_second_person(due.step.amount):
            return due
        return msgspec.structs.replace(due.with_clauses("R61"), second_person=True)


def _position(due: PendingStep) -> int:
    return due.step.position


class PendingSteps(msgspec.Struct, frozen=True):
    """Pending steps of a round, grouped by when they are due."""

    turns: dict[int, list[PendingStep]]
    """By position."""
    forfeits: list[PendingStep]
    winners: list[PendingStep]
    """Several meter winners in the order of the house, or none."""
    last: list[PendingStep]

    def due_at(self, act: ScheduledActName, seat: Seat | None) -> Sequence[PendingStep]:
        """Return the steps that an act makes due, for a seat or for all."""
        if seat is None:
            for_all = {"collect_forfeits": self.forfeits, METER_WINNERS: self.winners, LAST_PASS: self.last}
            return for_all.get(act, ())
        turn = self.turns[seat.position]
        return turn if act == "settle" else [due for due in turn if due.step.action == act]


class SettlementBook:
    """Settlement book: records pending steps as steps and updates the meter."""

    def __init__(self, meter: Meter | None) -> None:
        """Start with the current meter."""
        self.meter = meter
        self.steps: list[SettlementStep] = []
        self.entries: list[MeterEntry] = []

    def record(self, pending: Sequence[PendingStep]) -> Sequence[SettlementStep]:
        """Record pending steps and return the resulting steps; a meter award may take two."""
        before = len(self.steps)
        for each in pending:
            if each.meter_award is None:
                self.steps.append(each.step)
            else:
                self.steps.extend(split_by_source(each.step, self._price(each.step, each.meter_award)))
        return self.steps[before:]

    def _price(self, step: SettlementStep, award: MeterAward) -> Payment:
        """Pay an award at the current meter."""
        if self.meter is None:
            raise PositionRefusedError(refuse(Code.METER_NOT_GIVEN, step.clauses), step.position)
        before = self.meter.whole_cents
        try:
            self.meter, payment = pay_meter_award(self.meter, award.odds, award.stake, award.source)
        except RefusedError as error:
            raise PositionRefusedError(error.refusal, step.position) from None
        after = self.meter.whole_cents
        self.entries.append(MeterEntry(position=step.position, payment=payment, before=before, after=after))
        return payment


def split_by_source(step: SettlementStep, payment: Payment) -> tuple[SettlementStep, ...]:
    """Return the steps of a priced award: from meter, tray, or both."""
    steps = []
    if payment.from_meter or not payment.from_tray:
        steps.append(_from(step, payment.from_meter, "meter"))
    if payment.from_tray:
        steps.append(_from(step, payment.from_tray, "tray", "R59" if payment.shortfall else "R60"))
    return tuple(steps)


def _from(step: SettlementStep, amount: int, source: AwardSource, *also: str) -> SettlementStep:
    clauses = (*step.clauses, *also)
    return msgspec.structs.replace(step, amount=amount, source=source, clauses=clauses)


def wager_order(game: Game) -> tuple[WagerName, ...]:
    """Return a player's wagers in the order of settling: the submitted order, or the rulebook's."""
    if game.submission.settlement.order:
        return game.submission.settlement.order
    order = list(game.rulebook.settlement.order.value)
    if game.settings.get("bad_beat_settled") == "before_aces_up":
        order.remove("bad_beat")
        order.insert(order.index("aces_up"), "bad_beat")
    return tuple(order)


def default_routine(game: Game) -> Routine:
    """Return the default routine: player by player, or the first that the rulebook describes."""
    routines = game.rulebook.settlement.routines.value
    return "by-player" if "by-player" in routines else routines[0]


def ordered_acts(procedure: Procedure) -> tuple[Act, ...]:
    """Return the acts of a procedure in their numbered order."""
    return tuple(sorted(procedure, key=lambda act: procedure[act].value))

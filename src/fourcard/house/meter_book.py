"""A progressive meter as the house keeps it: what it holds, and what the rounds under way brought or took."""

from collections.abc import Mapping
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from fourcard.house import accounts
from fourcard.house.events import AwardTaken, MeterEvent, MeterStarted, RoundTakenBack, StakesAdded
from fourcard.house.postings import Move
from fourcard.meter import (
    UNITS_PER_CENT,
    Contribution,
    Meter,
    Payment,
    contribute,
    reverse_contribution,
    reverse_payment,
)
from fourcard.round.events import Stake
from fourcard.rules.game import Game
from fourcard.table.meters import paid_from


class OpenRound(msgspec.Struct, frozen=True, gc=False):
    """What one round of one table brought to the meter and took from it, to be reversed if it is void."""

    round: int
    parts: tuple[Contribution, ...] = ()
    payments: tuple[Payment, ...] = ()


class MeterBook(msgspec.Struct, frozen=True, gc=False):
    """Everything that is known of a meter."""

    name: str
    meter: Meter = Meter(amount=0)
    rate: Fraction = Fraction(0)
    reserve_rate: Fraction = Fraction(0)
    terms: str = ""
    """The hash of the game whose terms it follows, empty until it is started."""
    open: Mapping[str, OpenRound] = {}
    """By table, its last round that touched the meter."""
    borne: int = 0
    """Units that the house bore because the meter no longer had them (R66)."""

    def of_round(self, table: str, number: int) -> OpenRound:
        """Return what a round of a table brought and took so far."""
        known = self.open.get(table)
        return known if known is not None and known.round == number else OpenRound(number)


def started(game: Game) -> MeterStarted:
    """Return the start of a meter by the terms of a game's submission."""
    choice = game.submission.progressive
    assert choice is not None
    return MeterStarted(
        units=int(choice.seed or 0) * UNITS_PER_CENT,
        seed=None if choice.reset is None else int(choice.reset),
        rate=str(choice.rate or Fraction(0)),
        reserve_rate=str(choice.reserve),
        game=game.hash,
    )


def stakes_added(book: MeterBook, table: str, number: int, stakes: tuple[Stake, ...]) -> StakesAdded:
    """Return where the stakes of a round go."""
    meter, parts = book.meter, list[Contribution]()
    for _, stake in stakes:
        meter, part = contribute(meter, stake, book.rate, book.reserve_rate)
        parts.append(part)
    return StakesAdded(table, number, tuple(parts))


def taken_back(book: MeterBook, table: str, number: int) -> RoundTakenBack | None:
    """Return what reversing a void round does to the meter, or None where it never touched it."""
    known = book.of_round(table, number)
    if not known.parts and not known.payments:
        return None
    meter, borne = book.meter, 0
    for payment in reversed(known.payments):
        meter, short = reverse_payment(meter, payment)
        borne += short
    for part in reversed(known.parts):
        meter, short = reverse_contribution(meter, part)
        borne += short
    returned = sum(each.from_meter + each.meter_to_tray for each in known.payments) * UNITS_PER_CENT
    return RoundTakenBack(table, number, returned, meter.amount, meter.reserve, meter.taken, borne)


def evolve(book: MeterBook, event: MeterEvent) -> tuple[MeterBook, list[Move]]:
    """Return the meter after an event, and the money that moved."""
    if isinstance(event, StakesAdded):
        return _with_stakes(book, event)
    if isinstance(event, AwardTaken):
        return _with_award(book, event)
    if isinstance(event, RoundTakenBack):
        return _without_round(book, event)
    return _begun(book, event)


def _begun(book: MeterBook, event: MeterStarted) -> tuple[MeterBook, list[Move]]:
    meter = Meter(amount=event.units, seed=event.seed)
    rates = {"rate": Fraction(event.rate), "reserve_rate": Fraction(event.reserve_rate)}
    begun = replace(book, meter=meter, terms=event.game, **rates)
    return begun, _moves(book.name, to_meter=event.units, what="seed")


def _with_stakes(book: MeterBook, event: StakesAdded) -> tuple[MeterBook, list[Move]]:
    to_meter = sum(part.to_meter for part in event.parts)
    to_reserve = sum(part.to_reserve for part in event.parts)
    meter = book.meter
    grown = replace(meter, amount=meter.amount + to_meter, reserve=meter.reserve + to_reserve)
    known = book.of_round(event.table, event.round)
    known = replace(known, parts=(*known.parts, *event.parts))
    book = replace(book, meter=grown, open={**book.open, event.table: known})
    return book, _moves(book.name, to_meter=to_meter, to_reserve=to_reserve, what="contribution")


def _with_award(book: MeterBook, event: AwardTaken) -> tuple[MeterBook, list[Move]]:
    """Lower the meter by what it paid; what the player received is posted where it was paid, at the table."""
    payment, known = event.payment, book.of_round(event.table, event.round)
    known = replace(known, payments=(*known.payments, payment))
    meter = paid_from(book.meter, payment)
    book = replace(book, meter=meter, open={**book.open, event.table: known})
    seed = payment.seeded - payment.from_reserve
    moved = _moves(book.name, to_meter=seed, what="seed")
    if payment.from_reserve:
        names = accounts.reserve(book.name), accounts.meter(book.name)
        moved.append(Move(*names, payment.from_reserve, "seed", "progressive"))
    return book, moved


def _without_round(book: MeterBook, event: RoundTakenBack) -> tuple[MeterBook, list[Move]]:
    before = book.meter
    meter = replace(before, amount=event.amount, reserve=event.reserve, taken=event.taken)
    others = {table: known for table, known in book.open.items() if table != event.table}
    to_meter = event.amount - before.amount - event.returned
    moved = _moves(book.name, to_meter=to_meter, to_reserve=event.reserve - before.reserve, what="void")
    return replace(book, meter=meter, open=others, borne=book.borne + event.borne), moved


def _moves(name: str, *, to_meter: int = 0, to_reserve: int = 0, what: str) -> list[Move]:
    """Return movements between a meter or its reserve and what owes it to them."""
    owed, moved = accounts.link(name), list[Move]()
    for account, units in ((accounts.meter(name), to_meter), (accounts.reserve(name), to_reserve)):
        if units > 0:
            moved.append(Move(owed, account, units, what, "progressive"))
        elif units < 0:
            moved.append(Move(account, owed, -units, what, "progressive"))
    return moved

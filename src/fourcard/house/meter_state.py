"""Meter state: what a progressive meter holds, its wins, and the effects of rounds under way."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.house import ledger
from fourcard.house.events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    ContributionsAdded,
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    MeterEvent,
    MeterRestored,
    MeterStarted,
    RoundReversed,
    SignAdjusted,
    TableLinked,
    TableUnlinked,
    TermsChanged,
)
from fourcard.house.ledger import Posting
from fourcard.meter import UNITS_PER_CENT, Contribution, Meter, Payment
from fourcard.table.local_meter import meter_after_payment

LAST_WINS = 25
"""Number of last wins that can always be read, the newest last."""


class MeterLifetimeTotals(msgspec.Struct, frozen=True, gc=False):
    """Lifetime totals of a meter, reserve included.

    What it holds plus what it paid equals its seeds, contributions and adjustments.
    """

    wagered: int = 0
    """Cents wagered."""
    contributed: int = 0
    """Units of the wagers that went to meter and reserve."""
    seeded: int = 0
    paid: int = 0
    """Units of all wins that the meter bore, counted when they are logged."""
    adjusted: int = 0
    """Units added by adjustments and void rounds; negative if taken away."""
    won: int = 0
    """Cents of all wins, including what the tray paid."""
    shortfall: int = 0
    """Cents that the tray paid because the meter ran dry (R59)."""


class LoggedWin(msgspec.Struct, frozen=True, gc=False):
    """A logged win and its status."""

    logged: AwardLogged
    adjusted: bool = False
    """Whether the signs were adjusted for it."""
    backed_out: bool = False


class MeterDebit(msgspec.Struct, frozen=True, gc=False):
    """A win that the meter pays."""

    number: int
    payment: Payment
    backed_out: bool = False
    """Whether an adjustment has already returned it to the meter."""


class RoundMeterEffects(msgspec.Struct, frozen=True, gc=False):
    """What one round of one table added to the meter and took from it, to be reversed if it is void."""

    round: int
    parts: tuple[Contribution, ...] = ()
    payments: tuple[MeterDebit, ...] = ()


class MeterState(msgspec.Struct, frozen=True, gc=False):
    """State of a meter."""

    name: str
    meter: Meter = Meter(amount=0)
    """Its value without all logged wins, so the next win is priced at it (R58)."""
    rate: Fraction = Fraction(0)
    reserve_rate: Fraction = Fraction(0)
    terms: str = ""
    """The hash of the game whose terms it follows; empty until it is started."""
    tables: tuple[str, ...] = ()
    """The linked tables."""
    closed: str = ""
    """Why the link is closed; empty while it is open."""
    open: Mapping[str, RoundMeterEffects] = {}
    """By table, its last round that touched the meter."""
    borne: int = 0
    """Units that the house bore because the meter no longer had them (R66)."""
    totals: MeterLifetimeTotals = MeterLifetimeTotals()
    hits: Mapping[str, int] = {}
    """By paytable row, the number of wins."""
    count: int = 0
    """Number of logged wins."""
    logged: tuple[AwardLogged, ...] = ()
    """Wins whose prize is not paid yet; the signs are not adjusted for them."""
    last: tuple[LoggedWin, ...] = ()
    proposals: Mapping[int, AdjustmentProposed] = {}
    """Adjustments that wait for approval."""
    proposed: int = 0
    restored: int = 0
    """The restore after which no reading has been approved yet; 0 if none is due (P38)."""

    def round_effects(self, table: str, number: int) -> RoundMeterEffects:
        """Return the effects of a round of a table so far."""
        known = self.open.get(table)
        return known if known is not None and known.round == number else RoundMeterEffects(number)

    @property
    def displayed(self) -> int:
        """Return the cents on the signs: they fall when the signs are adjusted for a logged win.

        An adjusted win includes all wins logged before it.
        """
        adjusted = max((win.logged.number for win in self.last if win.adjusted), default=0)
        shown = self.meter.amount
        for win in (each for each in self.logged if each.number > adjusted):
            shown += borne_by_meter(win.payment) - win.payment.seeded
        return shown // UNITS_PER_CENT

    @property
    def owed(self) -> int:
        """Return the units of prizes that are logged and not paid yet."""
        return sum(borne_by_meter(win.payment) for win in self.logged)


def borne_by_meter(payment: Payment) -> int:
    """Return the units that a payment takes from the meter."""
    return (payment.from_meter + payment.meter_to_tray) * UNITS_PER_CENT


def evolve(book: MeterState, event: MeterEvent) -> tuple[MeterState, list[Posting]]:
    """Return the meter after an event, and its postings."""
    return _FOLDS[type(event)](book, event)


Folded = tuple[MeterState, list[Posting]]


def _on_meter_started(book: MeterState, event: MeterStarted) -> Folded:
    meter = Meter(amount=event.units, seed=event.seed)
    rates = {"rate": Fraction(event.rate), "reserve_rate": Fraction(event.reserve_rate)}
    totals = replace(book.totals, seeded=book.totals.seeded + event.units)
    begun = replace(book, meter=meter, terms=event.game, totals=totals, **rates)
    return begun, _link_postings(book.name, to_meter=event.units, what="seed")


def _on_table_linked(book: MeterState, event: TableLinked) -> Folded:
    return replace(book, tables=tuple(sorted({*book.tables, event.table}))), []


def _on_table_unlinked(book: MeterState, event: TableUnlinked) -> Folded:
    return replace(book, tables=tuple(name for name in book.tables if name != event.table)), []


def _on_contributions_added(book: MeterState, event: ContributionsAdded) -> Folded:
    to_meter = sum(part.to_meter for part in event.parts)
    to_reserve = sum(part.to_reserve for part in event.parts)
    to_house = sum(part.to_house for part in event.parts)
    meter, totals = book.meter, book.totals
    grown = replace(meter, amount=meter.amount + to_meter, reserve=meter.reserve + to_reserve)
    known = book.round_effects(event.table, event.round)
    known = replace(known, parts=(*known.parts, *event.parts))
    totals = replace(
        totals,
        wagered=totals.wagered + (to_meter + to_reserve + to_house) // UNITS_PER_CENT,
        contributed=totals.contributed + to_meter + to_reserve,
    )
    book = replace(book, meter=grown, open={**book.open, event.table: known}, totals=totals)
    return book, _link_postings(book.name, to_meter=to_meter, to_reserve=to_reserve, what="contribution")


def _on_award_logged(book: MeterState, event: AwardLogged) -> Folded:
    """Take a win off the meter, owe its prize, and start the meter again if the win took all of it."""
    payment, known, totals = event.payment, book.round_effects(event.table, event.round), book.totals
    known = replace(known, payments=(*known.payments, MeterDebit(event.number, payment)))
    seed = payment.seeded - payment.from_reserve
    totals = replace(
        totals,
        paid=totals.paid + borne_by_meter(payment),
        seeded=totals.seeded + seed,
        won=totals.won + payment.amount,
        shortfall=totals.shortfall + payment.shortfall,
    )
    book = replace(
        book,
        meter=meter_after_payment(book.meter, payment),
        open={**book.open, event.table: known},
        totals=totals,
        hits={**book.hits, event.row: book.hits.get(event.row, 0) + 1},
        count=event.number,
        logged=(*book.logged, event),
        last=(*book.last, LoggedWin(event))[-LAST_WINS:],
    )
    return book, _win_postings(book.name, payment, seed)


def _win_postings(name: str, payment: Payment, seed: int) -> list[Posting]:
    """Return the postings of a win: the prize out of the meter, and the new seed into it."""
    meter = ledger.meter_account(name)
    moved = [Posting(meter, ledger.prizes_account(name), borne_by_meter(payment), "prize", "progressive")]
    moved += _link_postings(name, to_meter=seed, what="seed")
    moved.append(Posting(ledger.reserve_account(name), meter, payment.from_reserve, "seed", "progressive"))
    return [move for move in moved if move.units]


def _on_sign_adjusted(book: MeterState, event: SignAdjusted) -> Folded:
    """Adjust the signs for a win; the table posts what the player received."""
    logged = tuple(win for win in book.logged if win.number != event.number)
    return replace(_with_win_status(book, (event.number,), adjusted=True), logged=logged), []


def _with_win_status(book: MeterState, numbers: tuple[int, ...], **became: bool) -> MeterState:
    """Set the status of some wins."""
    last = tuple(replace(win, **became) if win.logged.number in numbers else win for win in book.last)
    return replace(book, last=last)


def _on_round_reversed(book: MeterState, event: RoundReversed) -> Folded:
    """Reverse a void round: its stakes, its payments, and prizes still owed."""
    before, known = book.meter, book.round_effects(event.table, event.round)
    unpaid = [win for win in book.logged if (win.table, win.round) == (event.table, event.round)]
    owed = sum(borne_by_meter(win.payment) for win in unpaid)
    to_meter = event.amount - before.amount - event.returned - owed
    moved = _link_postings(
        book.name, to_meter=to_meter, to_reserve=event.reserve - before.reserve, what="void"
    )
    if owed:
        names = ledger.prizes_account(book.name), ledger.meter_account(book.name)
        moved.append(Posting(*names, owed, "void", "progressive"))
    gone = tuple(taken.number for taken in known.payments)
    book = replace(
        _with_amounts(_with_win_status(book, gone, backed_out=True), event),
        open={table: each for table, each in book.open.items() if table != event.table},
        logged=tuple(win for win in book.logged if win not in unpaid),
    )
    return book, moved


def _with_amounts(book: MeterState, event: RoundReversed | MeterAdjusted) -> MeterState:
    """Set meter and reserve to the amounts after an adjustment."""
    before, totals = book.meter, book.totals
    meter = replace(before, amount=event.amount, reserve=event.reserve, undone=event.undone)
    change = event.amount + event.reserve - before.amount - before.reserve
    totals = replace(totals, adjusted=totals.adjusted + change)
    return replace(book, meter=meter, borne=book.borne + event.borne, totals=totals)


def _on_link_closed(book: MeterState, event: LinkClosed) -> Folded:
    return replace(book, closed=event.reason), []


def _on_link_opened(book: MeterState, _event: LinkOpened) -> Folded:
    return replace(book, closed=""), []


def _on_terms_changed(book: MeterState, event: TermsChanged) -> Folded:
    rates = {"rate": Fraction(event.rate), "reserve_rate": Fraction(event.reserve_rate)}
    return replace(book, meter=replace(book.meter, seed=event.seed), terms=event.game, **rates), []


def _on_adjustment_proposed(book: MeterState, event: AdjustmentProposed) -> Folded:
    return replace(book, proposals={**book.proposals, event.number: event}, proposed=event.number), []


def _on_adjustment_rejected(book: MeterState, event: AdjustmentRejected) -> Folded:
    left = {number: each for number, each in book.proposals.items() if number != event.number}
    return replace(book, proposals=left), []


def _on_meter_adjusted(book: MeterState, event: MeterAdjusted) -> Folded:
    """Adjust the meter; a backed-out win is not returned again when its round is void."""
    before, proposal = book.meter, book.proposals[event.number]
    book, _ = _on_adjustment_rejected(_with_amounts(book, event), AdjustmentRejected(event.number, ""))
    changes = {"to_meter": event.amount - before.amount, "to_reserve": event.reserve - before.reserve}
    if proposal.reading is not None:
        book = replace(book, restored=0)
    if proposal.win:
        open_ = {table: _with_backed_out(known, proposal.win) for table, known in book.open.items()}
        book = replace(_with_win_status(book, (proposal.win,), backed_out=True), open=open_)
    return book, _link_postings(book.name, what="adjustment", **changes)


def _on_meter_restored(book: MeterState, event: MeterRestored) -> Folded:
    """Wait for a reading before any linked table opens, and drop earlier proposals."""
    return replace(book, restored=event.restore, proposals={}), []


def _with_backed_out(known: RoundMeterEffects, win: int) -> RoundMeterEffects:
    payments = (replace(each, backed_out=each.backed_out or each.number == win) for each in known.payments)
    return replace(known, payments=tuple(payments))


def _link_postings(name: str, *, to_meter: int = 0, to_reserve: int = 0, what: str) -> list[Posting]:
    """Return postings between a meter or its reserve and the link account that funds them."""
    owed, moved = ledger.link_account(name), list[Posting]()
    for account, units in (
        (ledger.meter_account(name), to_meter),
        (ledger.reserve_account(name), to_reserve),
    ):
        if units > 0:
            moved.append(Posting(owed, account, units, what, "progressive"))
        elif units < 0:
            moved.append(Posting(account, owed, -units, what, "progressive"))
    return moved


_FOLDS: dict[type, Callable[[MeterState, Any], Folded]] = {
    MeterStarted: _on_meter_started,
    TableLinked: _on_table_linked,
    TableUnlinked: _on_table_unlinked,
    ContributionsAdded: _on_contributions_added,
    AwardLogged: _on_award_logged,
    SignAdjusted: _on_sign_adjusted,
    RoundReversed: _on_round_reversed,
    LinkClosed: _on_link_closed,
    LinkOpened: _on_link_opened,
    TermsChanged: _on_terms_changed,
    AdjustmentProposed: _on_adjustment_proposed,
    AdjustmentRejected: _on_adjustment_rejected,
    MeterAdjusted: _on_meter_adjusted,
    MeterRestored: _on_meter_restored,
}

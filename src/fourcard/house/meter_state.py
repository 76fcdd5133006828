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
from fourcard.meter import UNITS_PER_CENT, Contribution, Meter, Payment, meter_after_payment

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


class LoggedWin(msgspec.Struct, frozen=True, gc=False, rename={"sign_adjusted": "adjusted"}):
    """A logged win and its status."""

    logged: AwardLogged
    sign_adjusted: bool = False
    """Whether the signs were adjusted for it."""
    backed_out: bool = False


class MeterDebit(msgspec.Struct, frozen=True, gc=False):
    """A win that the meter pays."""

    number: int
    payment: Payment
    backed_out: bool = False
    """Whether an adjustment has already returned it to the meter."""


class RoundMeterEffects(msgspec.Struct, frozen=True, gc=False, rename={"contributions": "parts"}):
    """What one round of one table added to the meter and took from it, to be reversed if it is void."""

    round: int
    contributions: tuple[Contribution, ...] = ()
    payments: tuple[MeterDebit, ...] = ()
    shown: int = 0
    """The cents on the signs after its contributions."""
    meter: Meter | None = None
    """The amounts before its first win, or after its contributions."""


class MeterState(msgspec.Struct, frozen=True, gc=False):
    """State of a meter."""

    name: str
    amounts: Meter = Meter(amount=0)
    """Its amounts after all logged wins, paid or not; the next win is priced from them (R58)."""
    rate: Fraction = Fraction(0)
    reserve_rate: Fraction = Fraction(0)
    terms_game: str = ""
    """The hash of the game whose terms it follows; empty until it is started."""
    tables: tuple[str, ...] = ()
    """The linked tables."""
    closed_reason: str = ""
    """Why the link is closed; empty while it is open."""
    last_rounds: Mapping[str, RoundMeterEffects] = {}
    """By table, its last round that touched the meter."""
    absorbed: int = 0
    """Units that the house bore because the meter no longer had them (R66)."""
    totals: MeterLifetimeTotals = MeterLifetimeTotals()
    hits: Mapping[str, int] = {}
    """By paytable row, the number of wins."""
    win_count: int = 0
    """Number of logged wins."""
    unpaid_wins: tuple[AwardLogged, ...] = ()
    """Wins whose prize is not paid yet; the signs are not adjusted for them."""
    last_wins: tuple[LoggedWin, ...] = ()
    proposals: Mapping[int, AdjustmentProposed] = {}
    """Adjustments that wait for approval."""
    proposal_count: int = 0
    unconfirmed_restore: int = 0
    """The restore after which no reading has been approved yet; 0 if none is due (P38)."""

    def round_effects(self, table: str, number: int) -> RoundMeterEffects:
        """Return the effects of a round of a table so far, for a void to reverse (R66)."""
        known = self.last_rounds.get(table)
        return known if known is not None and known.round == number else RoundMeterEffects(number)

    @property
    def displayed(self) -> int:
        """Return the cents on the signs: they fall when the signs are adjusted for a logged win.

        An adjusted win includes all wins logged before it (SM-PROG-9f.2, WA-PROG-8g.2).
        """
        adjusted = max((win.logged.number for win in self.last_wins if win.sign_adjusted), default=0)
        shown = self.amounts.amount
        for win in (each for each in self.unpaid_wins if each.number > adjusted):
            shown += win.payment.meter_units - win.payment.reset_units
        return shown // UNITS_PER_CENT

    @property
    def owed(self) -> int:
        """Return the units of prizes that are logged and not paid yet."""
        return sum(win.payment.meter_units for win in self.unpaid_wins)


def evolve(meter: MeterState, event: MeterEvent) -> tuple[MeterState, list[Posting]]:
    """Return the meter after an event, and its postings."""
    return _HANDLERS[type(event)](meter, event)


Evolved = tuple[MeterState, list[Posting]]


def _on_meter_started(meter_state: MeterState, event: MeterStarted) -> Evolved:
    meter = Meter(amount=event.units, reset_amount=event.reset_amount)
    rates = {"rate": Fraction(event.rate), "reserve_rate": Fraction(event.reserve_rate)}
    totals = replace(meter_state.totals, seeded=meter_state.totals.seeded + event.units)
    begun = replace(meter_state, amounts=meter, terms_game=event.game, totals=totals, **rates)
    return begun, _funding_postings(meter_state.name, to_meter=event.units, what="seed")


def _on_table_linked(meter: MeterState, event: TableLinked) -> Evolved:
    return replace(meter, tables=tuple(sorted({*meter.tables, event.table}))), []


def _on_table_unlinked(meter: MeterState, event: TableUnlinked) -> Evolved:
    return replace(meter, tables=tuple(name for name in meter.tables if name != event.table)), []


def _on_contributions_added(meter_state: MeterState, event: ContributionsAdded) -> Evolved:
    to_meter = sum(part.to_meter for part in event.parts)
    to_reserve = sum(part.to_reserve for part in event.parts)
    to_house = sum(part.to_house for part in event.parts)
    meter, totals = meter_state.amounts, meter_state.totals
    grown = replace(meter, amount=meter.amount + to_meter, reserve=meter.reserve + to_reserve)
    known = meter_state.round_effects(event.table, event.round)
    known = replace(known, contributions=(*known.contributions, *event.parts), meter=grown)
    totals = replace(
        totals,
        wagered=totals.wagered + (to_meter + to_reserve + to_house) // UNITS_PER_CENT,
        contributed=totals.contributed + to_meter + to_reserve,
    )
    meter_state = replace(meter_state, amounts=grown, totals=totals)
    known = replace(known, shown=meter_state.displayed)
    meter_state = replace(meter_state, last_rounds={**meter_state.last_rounds, event.table: known})
    return meter_state, _funding_postings(
        meter_state.name, to_meter=to_meter, to_reserve=to_reserve, what="contribution"
    )


def _on_award_logged(meter: MeterState, event: AwardLogged) -> Evolved:
    """Take a win off the meter, owe its prize, and start the meter again if the win took all of it."""
    payment, known, totals = event.payment, meter.round_effects(event.table, event.round), meter.totals
    first = known.meter if known.payments else meter.amounts
    known = replace(known, payments=(*known.payments, MeterDebit(event.number, payment)), meter=first)
    seed = payment.reset_units - payment.reserve_units
    totals = replace(
        totals,
        paid=totals.paid + payment.meter_units,
        seeded=totals.seeded + seed,
        won=totals.won + payment.amount,
        shortfall=totals.shortfall + payment.shortfall,
    )
    meter = replace(
        meter,
        amounts=meter_after_payment(meter.amounts, payment),
        last_rounds={**meter.last_rounds, event.table: known},
        totals=totals,
        hits={**meter.hits, event.row: meter.hits.get(event.row, 0) + 1},
        win_count=event.number,
        unpaid_wins=(*meter.unpaid_wins, event),
        last_wins=(*meter.last_wins, LoggedWin(event))[-LAST_WINS:],
    )
    return meter, _win_postings(meter.name, payment, seed)


def _win_postings(name: str, payment: Payment, seed: int) -> list[Posting]:
    """Return the postings of a win: the prize out of the meter, and the new seed into it."""
    meter = ledger.meter_account(name)
    postings = [Posting(meter, ledger.prizes_account(name), payment.meter_units, "prize", "progressive")]
    postings += _funding_postings(name, to_meter=seed, what="seed")
    postings.append(
        Posting(ledger.reserve_account(name), meter, payment.reserve_units, "seed", "progressive")
    )
    return [move for move in postings if move.units]


def _on_sign_adjusted(meter: MeterState, event: SignAdjusted) -> Evolved:
    """Adjust the signs for a win; the table posts what the player received."""
    logged = tuple(win for win in meter.unpaid_wins if win.number != event.number)
    return replace(_with_win_status(meter, (event.number,), sign_adjusted=True), unpaid_wins=logged), []


def _with_win_status(meter: MeterState, numbers: tuple[int, ...], **status: bool) -> MeterState:
    """Set the status of some wins."""
    last = tuple(replace(win, **status) if win.logged.number in numbers else win for win in meter.last_wins)
    return replace(meter, last_wins=last)


def _on_round_reversed(meter: MeterState, event: RoundReversed) -> Evolved:
    """Reverse a void round: its stakes, its payments, and prizes still owed."""
    before, known = meter.amounts, meter.round_effects(event.table, event.round)
    unpaid = [win for win in meter.unpaid_wins if (win.table, win.round) == (event.table, event.round)]
    owed = sum(win.payment.meter_units for win in unpaid)
    to_meter = event.amount - before.amount - event.returned - owed
    postings = _funding_postings(
        meter.name, to_meter=to_meter, to_reserve=event.reserve - before.reserve, what="void"
    )
    if owed:
        names = ledger.prizes_account(meter.name), ledger.meter_account(meter.name)
        postings.append(Posting(*names, owed, "void", "progressive"))
    gone = tuple(taken.number for taken in known.payments)
    meter = replace(
        _with_amounts(_with_win_status(meter, gone, backed_out=True), event),
        last_rounds={table: each for table, each in meter.last_rounds.items() if table != event.table},
        unpaid_wins=tuple(win for win in meter.unpaid_wins if win not in unpaid),
    )
    return meter, postings


def _with_amounts(meter_state: MeterState, event: RoundReversed | MeterAdjusted) -> MeterState:
    """Set meter and reserve to the amounts after an adjustment."""
    before, totals = meter_state.amounts, meter_state.totals
    meter = replace(before, amount=event.amount, reserve=event.reserve, reversed_wins=event.undone)
    change = event.amount + event.reserve - before.amount - before.reserve
    totals = replace(totals, adjusted=totals.adjusted + change)
    return replace(meter_state, amounts=meter, absorbed=meter_state.absorbed + event.absorbed, totals=totals)


def _on_link_closed(meter: MeterState, event: LinkClosed) -> Evolved:
    return replace(meter, closed_reason=event.reason), []


def _on_link_opened(meter: MeterState, _event: LinkOpened) -> Evolved:
    return replace(meter, closed_reason=""), []


def _on_terms_changed(meter: MeterState, event: TermsChanged) -> Evolved:
    rates = {"rate": Fraction(event.rate), "reserve_rate": Fraction(event.reserve_rate)}
    return replace(
        meter, amounts=replace(meter.amounts, reset_amount=event.reset_amount), terms_game=event.game, **rates
    ), []


def _on_adjustment_proposed(meter: MeterState, event: AdjustmentProposed) -> Evolved:
    return replace(meter, proposals={**meter.proposals, event.number: event}, proposal_count=event.number), []


def _on_adjustment_rejected(meter: MeterState, event: AdjustmentRejected) -> Evolved:
    left = {number: each for number, each in meter.proposals.items() if number != event.number}
    return replace(meter, proposals=left), []


def _on_meter_adjusted(meter: MeterState, event: MeterAdjusted) -> Evolved:
    """Adjust the meter (P30, P38); a backed-out win is not returned again when its round is void."""
    before, proposal = meter.amounts, meter.proposals[event.number]
    meter, _ = _on_adjustment_rejected(_with_amounts(meter, event), AdjustmentRejected(event.number, ""))
    changes = {"to_meter": event.amount - before.amount, "to_reserve": event.reserve - before.reserve}
    if proposal.reading is not None:
        meter = replace(meter, unconfirmed_restore=0)
    if proposal.win:
        open_ = {table: _with_backed_out(known, proposal.win) for table, known in meter.last_rounds.items()}
        meter = replace(_with_win_status(meter, (proposal.win,), backed_out=True), last_rounds=open_)
    return meter, _funding_postings(meter.name, what="adjustment", **changes)


def _on_meter_restored(meter: MeterState, event: MeterRestored) -> Evolved:
    """Wait for a reading before any linked table opens, and drop earlier proposals."""
    return replace(meter, unconfirmed_restore=event.restore, proposals={}), []


def _with_backed_out(known: RoundMeterEffects, win: int) -> RoundMeterEffects:
    payments = (replace(each, backed_out=each.backed_out or each.number == win) for each in known.payments)
    return replace(known, payments=tuple(payments))


def _funding_postings(name: str, *, to_meter: int = 0, to_reserve: int = 0, what: str) -> list[Posting]:
    """Return postings between a meter or its reserve and the account that funds them."""
    funding, postings = ledger.meter_funding_account(name), list[Posting]()
    for account, units in (
        (ledger.meter_account(name), to_meter),
        (ledger.reserve_account(name), to_reserve),
    ):
        if units > 0:
            postings.append(Posting(funding, account, units, what, "progressive"))
        elif units < 0:
            postings.append(Posting(account, funding, -units, what, "progressive"))
    return postings


_HANDLERS: dict[type, Callable[[MeterState, Any], Evolved]] = {
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

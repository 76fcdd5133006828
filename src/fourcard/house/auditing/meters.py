"""Meter replay: decides Game Manager commands again; events about tables wait for the tables' own."""

from typing import Any

from fourcard.house.at_meter import at_meter, terms_changed
from fourcard.house.auditing.case import Case, role_fault
from fourcard.house.auditing.others import hold
from fourcard.house.auditing.pairs import Waiting
from fourcard.house.auditing.replaying import Replay
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_commands import (
    ApproveAdjustment,
    ChangeTerms,
    CloseLink,
    EnterReading,
    MeterCommand,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RejectAdjustment,
)
from fourcard.house.meter_events import (
    OF_TABLES,
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    MeterRestored,
    MeterStarted,
    StakesAdded,
    TermsChanged,
)
from fourcard.house.meter_follow import paytable, started
from fourcard.house.player_book import PlayerBook
from fourcard.house.records import Recorded
from fourcard.house.staff import StaffState
from fourcard.house.table_book import UninstalledTable
from fourcard.refusals import Refusal
from fourcard.rules.game import Game


class MeterReplay(Replay):
    """Rebuilds the state of a meter."""

    book: MeterBook

    def event(self, record: Recorded, event: Any) -> None:
        """Replay one event."""
        before = self.book
        if isinstance(event, MeterStarted):
            self._check_start(record, event)
        else:
            if not before.terms:
                self.context.note(record, "meter", "The meter was never started.")
            if isinstance(event, OF_TABLES):
                self._table_event(record, event)
            elif isinstance(event, MeterRestored):
                self._check_restore(record, event)
            else:
                self._manager_event(record, event)
        self.fold(record, event)

    def _check_start(self, record: Recorded, event: MeterStarted) -> None:
        """Check that a meter starts with the terms of its game."""
        if self.book.terms:
            self.context.note(record, "meter", "A meter can be started only once.")
        if self.context.games.has(event.game) and event != started(self.context.games.game(event.game)):
            self.context.note(record, "meter", "The meter does not start with the terms of its game.")

    def _check_restore(self, record: Recorded, event: MeterRestored) -> None:
        """Check that a restored meter belongs to a recorded restore of the house."""
        self.context.authored(record)
        if event.restore not in self.context.restores:
            self.context.note(record, "inserted", f"The house records no restore {event.restore}.")

    def _table_event(self, record: Recorded, event: Any) -> None:
        """Let an event about a table wait for the table's own; a closed link carries none."""
        if self.book.closed and isinstance(event, StakesAdded | AwardLogged):
            self.context.note(record, "meter", "The link of the meter was closed.")
        if self.book.restored and isinstance(event, StakesAdded | AwardLogged):
            self.context.note(record, "meter", "No reading of the restored meter was approved yet.")
        moment = getattr(event, "round", record.at)
        self.context.pairs.keep(event.table, Waiting(record, event, (record.kind, moment), self.book))

    def _manager_event(self, record: Recorded, event: Any) -> None:
        """Decide a Game Manager command again."""
        self.context.tally["commands"] += 1
        self.context.authored(record)
        if isinstance(event, TermsChanged):
            self._check_terms(record, event)
            return
        books, command = _ManagerBooks(self.context, self.book), _rebuild_command(record, event)
        self._check_role(record, command)
        decided = at_meter(books, self.name, command)
        hold(self, record, event, decided if isinstance(decided, Refusal) else [*decided.events])

    def _check_terms(self, record: Recorded, event: TermsChanged) -> None:
        """Check changed terms against their game; the command is not stored."""
        games = self.context.games
        self._check_role(record, ChangeTerms(submission="", reason=event.reason))
        if not self.book.closed:
            self.context.note(record, "meter", "Terms can change only while the link is closed.")
        if not games.has(event.game) or not games.has(self.book.terms):
            return
        game = games.game(event.game)
        fits = game.offers("progressive") and paytable(game) == paytable(games.game(self.book.terms))
        if not fits or event != terms_changed(game, event.reason):
            self.context.note(record, "meter", "The terms are not those of their game.")

    def _check_role(self, record: Recorded, command: MeterCommand) -> None:
        """Check the role of a Game Manager command."""
        fault = role_fault(record, command)
        if fault is not None:
            self.context.note(record, "author", fault)

    def end(self) -> None:
        """Keep the final state for the comparison with the ledger."""
        super().end()
        self.context.meters[self.name] = self.book


def _rebuild_command(record: Recorded, event: Any) -> MeterCommand:
    """Return the meter command that an event came from."""
    who: dict[str, Any] = {"by": record.by, "role": record.role, "at": record.at}
    if isinstance(event, LinkClosed):
        return CloseLink(reason=event.reason, **who)
    if isinstance(event, LinkOpened):
        return OpenLink(reason=event.reason, **who)
    if isinstance(event, AdjustmentRejected):
        return RejectAdjustment(number=event.number, reason=event.reason, **who)
    if isinstance(event, MeterAdjusted):
        return ApproveAdjustment(number=event.number, **who)
    assert isinstance(event, AdjustmentProposed)
    return _rebuild_proposal(event, who)


def _rebuild_proposal(event: AdjustmentProposed, who: dict[str, Any]) -> MeterCommand:
    """Return the command that a proposal came from."""
    if event.win:
        return ProposeBackOut(win=event.win, reason=event.reason, **who)
    if event.reading is not None:
        return EnterReading(cents=event.reading, reason=event.reason, **who)
    return ProposeAdjustment(part=event.part, cents=event.cents, reason=event.reason, **who)


class _ManagerBooks:
    """Replaces the state cache of the command service; table states are unknown when a meter is replayed."""

    def __init__(self, context: Case, book: MeterBook) -> None:
        self._context, self._book = context, book

    def find_table(self, name: str) -> UninstalledTable:
        return UninstalledTable(name)

    def meter(self, name: str) -> MeterBook:
        del name
        return self._book

    def player(self, name: str) -> PlayerBook:
        return PlayerBook(name)

    def staff(self) -> StaffState:
        return StaffState()

    def game(self, hash_: str) -> Game:
        return self._context.games.game(hash_)

    def secret(self, stream: str, number: int) -> bytes:
        raise LookupError(f"a meter never needs the secret of shuffle {number} of {stream}")

    def draw(self, count: int) -> bytes:
        raise LookupError(f"a meter never draws {count} bytes")

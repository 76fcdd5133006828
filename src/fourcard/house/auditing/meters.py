"""Replaying a meter: what its Game Manager did is decided anew, and what it says of tables waits for them."""

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
    """Rebuilds a meter."""

    book: MeterBook

    def event(self, record: Recorded, event: Any) -> None:
        """Replay one event."""
        before = self.book
        if isinstance(event, MeterStarted):
            self._started(record, event)
        else:
            if not before.terms:
                self.case.note(record, "meter", "The meter was never started.")
            if isinstance(event, OF_TABLES):
                self._of_table(record, event)
            elif isinstance(event, MeterRestored):
                self._restored(record, event)
            else:
                self._managed(record, event)
        self.fold(record, event)

    def _started(self, record: Recorded, event: MeterStarted) -> None:
        """Hold the start of a meter to the terms of its game."""
        if self.book.terms:
            self.case.note(record, "meter", "A meter is started once.")
        if self.case.games.has(event.game) and event != started(self.case.games.game(event.game)):
            self.case.note(record, "meter", "The meter does not start by the terms of its game.")

    def _restored(self, record: Recorded, event: MeterRestored) -> None:
        """Hold a restored meter to a restore of the house, which alone can have made it so."""
        self.case.authored(record)
        if event.restore not in self.case.restores:
            self.case.note(record, "inserted", f"The house records no restore {event.restore}.")

    def _of_table(self, record: Recorded, event: Any) -> None:
        """Keep what concerns a table until the table tells it too; over a closed link there is nothing."""
        if self.book.closed and isinstance(event, StakesAdded | AwardLogged):
            self.case.note(record, "meter", "The link of the meter was closed.")
        if self.book.restored and isinstance(event, StakesAdded | AwardLogged):
            self.case.note(record, "meter", "No reading of the restored meter was approved yet.")
        moment = getattr(event, "round", record.at)
        self.case.pairs.keep(event.table, Waiting(record, event, (record.kind, moment), self.book))

    def _managed(self, record: Recorded, event: Any) -> None:
        """Decide anew what was done through the Game Manager."""
        self.case.tally["commands"] += 1
        self.case.authored(record)
        if isinstance(event, TermsChanged):
            self._changed(record, event)
            return
        books, command = _ManagerBooks(self.case, self.book), _asked(record, event)
        self._hold_role(record, command)
        decided = at_meter(books, self.name, command)
        hold(self, record, event, decided if isinstance(decided, Refusal) else [*decided.events])

    def _changed(self, record: Recorded, event: TermsChanged) -> None:
        """Hold changed terms to their game, whose submission is not kept as a command."""
        games = self.case.games
        self._hold_role(record, ChangeTerms(submission="", reason=event.reason))
        if not self.book.closed:
            self.case.note(record, "meter", "Terms change only while the link is closed.")
        if not games.has(event.game) or not games.has(self.book.terms):
            return
        game = games.game(event.game)
        fits = game.offers("progressive") and paytable(game) == paytable(games.game(self.book.terms))
        if not fits or event != terms_changed(game, event.reason):
            self.case.note(record, "meter", "The terms are not those of their game.")

    def _hold_role(self, record: Recorded, command: MeterCommand) -> None:
        """Hold a command of the Game Manager to the roles that may give it."""
        unfit = role_fault(record, command)
        if unfit is not None:
            self.case.note(record, "author", unfit)

    def end(self) -> None:
        """Leave the meter to be held against the ledger."""
        super().end()
        self.case.meters[self.name] = self.book


def _asked(record: Recorded, event: Any) -> MeterCommand:
    """Return the command to a meter that an event follows from."""
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
    return _proposal(event, who)


def _proposal(event: AdjustmentProposed, who: dict[str, Any]) -> MeterCommand:
    """Return the command that a proposal follows from."""
    if event.win:
        return ProposeBackOut(win=event.win, reason=event.reason, **who)
    if event.reading is not None:
        return EnterReading(cents=event.reading, reason=event.reason, **who)
    return ProposeAdjustment(part=event.part, cents=event.cents, reason=event.reason, **who)


class _ManagerBooks:
    """Stands in for the library of a desk; what tables did then is not known when a meter is replayed."""

    def __init__(self, case: Case, book: MeterBook) -> None:
        self._case, self._book = case, book

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
        return self._case.games.game(hash_)

    def secret(self, stream: str, number: int) -> bytes:
        raise LookupError(f"no meter asks for the secret of shuffle {number} of {stream}")

    def draw(self, count: int) -> bytes:
        raise LookupError(f"no meter draws {count} bytes")

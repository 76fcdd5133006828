"""Stream replay: folds every event, posts its money and compares snapshots; for players, staff and meters."""

from abc import ABC, abstractmethod
from typing import Any

import msgspec

from fourcard.house import account_state
from fourcard.house.account_state import AccountState
from fourcard.house.audit.context import AuditContext, ExpectedPair, role_fault
from fourcard.house.audit.redecide import RecordedEvent
from fourcard.house.audit.report import FindingPlace
from fourcard.house.auth import staff
from fourcard.house.auth.identity import Actor
from fourcard.house.auth.permissions import acting_roles
from fourcard.house.auth.staff import StaffState
from fourcard.house.commands import (
    ApproveAdjustment,
    ChangeRoles,
    ChangeTerms,
    CloseLink,
    ConfirmClock,
    Deposit,
    DismissStaff,
    EnterReading,
    HireStaff,
    MeterCommand,
    NotePassword,
    OpenLink,
    ProposeAdjustment,
    ProposeBackOut,
    RegisterPlayer,
    RejectAdjustment,
    Withdraw,
)
from fourcard.house.decide_meter import decide_meter, meter_paytable, start_event, terms_event
from fourcard.house.events import (
    EVENTS_OF_TABLES,
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    ChipsBought,
    ChipsReturned,
    ClockConfirmed,
    ContributionsAdded,
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    MeterRestored,
    MeterStarted,
    MoneyDeposited,
    PasswordSet,
    PlayerRegistered,
    RolesChanged,
    StaffHired,
    TermsChanged,
)
from fourcard.house.journal import JournalRecord
from fourcard.house.ledger import Posting
from fourcard.house.meter_state import MeterState
from fourcard.house.state_cache import StreamState, empty_state, encode_meter, encode_table, evolve_state
from fourcard.house.table_state import HouseTable, UninstalledTable
from fourcard.refusals import BadInputError, Refusal
from fourcard.rules.game import Game


class StreamReplay(ABC):
    """Rebuilds the state of one stream, command by command."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        """Start with the state of an empty stream."""
        self.context, self.stream = context, stream
        self.name = stream.partition("/")[2]
        self.state: StreamState = empty_state(stream)
        self._snapshot = context.snapshots.pop(stream, None)

    def command(self, happened: list[RecordedEvent]) -> None:
        """Replay the events of one command."""
        for record, event in happened:
            self.event(record, event)

    @abstractmethod
    def event(self, record: JournalRecord, event: Any) -> None:
        """Replay one event."""

    def apply(self, record: JournalRecord, event: Any, *, quietly: bool = False) -> list[Posting] | None:
        """Fold an event and post its transfers; None where it cannot be folded, which is reported once."""
        try:
            self.state, moved = evolve_state(self.state, event, self.context.games.game)
        except Exception as error:  # noqa: BLE001  an altered event can break anything; report it
            reason = str(error) if isinstance(error, BadInputError) else "the state before does not allow it."
            if not quietly:
                self.context.add_finding(record, "rules", f"The {record.kind} cannot be replayed: {reason}")
            self.context.ledger.accept(record)
            return None
        if moved:
            self.context.ledger.post(record, moved)
        if record.game != self.game:
            self.context.add_finding(
                record, "game", f"It names game '{record.game}' instead of '{self.game}'."
            )
        if self._snapshot is not None and record.sequence == self._snapshot.sequence:
            self._check_snapshot(self._snapshot.body)
        return moved

    @property
    def game(self) -> str:
        """Return the hash of the pinned game; only a table has one."""
        return ""

    def end(self) -> None:
        """Report a snapshot at an event that the stream does not have."""
        if self._snapshot is not None:
            sentence = f"It is of event {self._snapshot.sequence}, which the stream does not have."
            self.context.findings.add(FindingPlace("snapshots", self.stream), "inserted", sentence)

    def _check_snapshot(self, body: bytes) -> None:
        """Compare a snapshot with the replayed state."""
        self.context.tally["snapshots"] += 1
        self._snapshot = None
        place, right = FindingPlace("snapshots", self.stream), _snapshot_data(self.state)
        try:
            found = msgspec.json.decode(body)
        except (msgspec.MsgspecError, UnicodeError) as error:
            self.context.findings.add(place, "unreadable", f"It cannot be read: {error}.")
            return
        if right is None:
            self.context.findings.add(place, "inserted", "A snapshot cannot be taken at that event.")
        elif found != right:
            names = sorted(name for name in {*found, *right} if found.get(name) != right.get(name))
            self.context.findings.add(place, "altered", f"It differs from the journal in {', '.join(names)}.")


def _snapshot_data(state: StreamState) -> dict[str, Any] | None:
    """Return the snapshot of a state as plain data; None where none can be taken."""
    if isinstance(state, MeterState):
        return msgspec.json.decode(encode_meter(state))  # type: ignore[no-any-return]
    if isinstance(state, HouseTable) and state.state.round is None:
        return msgspec.json.decode(encode_table(state))  # type: ignore[no-any-return]
    return None


class PlayerReplay(StreamReplay):
    """Rebuilds a player's account; events about tables wait for the tables' own."""

    state: AccountState

    def event(self, record: JournalRecord, event: Any) -> None:
        """Replay one event."""
        if isinstance(event, ChipsBought | ChipsReturned):
            self.context.pairs.add(event.table, ExpectedPair(record, event, (record.kind, record.at)))
            if not self.state.registered:
                self.context.add_finding(record, "rules", "The player does not have an account.")
        else:
            self.context.tally["commands"] += 1
            check_event(self, record, event, account_state.decide(self.state, _rebuild_player_command(event)))
        self.apply(record, event)
        if self.state.cents < 0:
            self.context.add_finding(record, "overdrawn", "The account is overdrawn.")
        if self.state.registered:
            self.context.players.add(self.name)
        if not isinstance(event, ChipsBought | ChipsReturned):
            self.context.check_author(record)


class StaffReplay(StreamReplay):
    """Rebuilds the staff of the house, and every role that each person could ever act in."""

    state: StaffState

    def __init__(self, context: AuditContext, stream: str) -> None:
        """Start without staff."""
        super().__init__(context, stream)
        self._records: list[JournalRecord] = []

    def event(self, record: JournalRecord, event: Any) -> None:
        """Replay one event."""
        self.context.tally["commands"] += 1
        self._records.append(record)
        check_event(self, record, event, staff.decide(self.state, _rebuild_staff_command(event)))
        self.apply(record, event)
        if isinstance(event, StaffHired | RolesChanged):
            actor = Actor(event.person, "staff", event.roles)
            self.context.authors |= {(event.person, role) for role in acting_roles(actor)}

    def end(self) -> None:
        """Check the authors of staff events, now that everybody is known."""
        super().end()
        for record in self._records:
            self.context.check_author(record)


def check_event(
    replay: StreamReplay, record: JournalRecord, event: Any, decided: Refusal | list[Any]
) -> None:
    """Compare an event with the one that its command leads to."""
    if isinstance(decided, Refusal):
        replay.context.add_finding(record, "rules", f"The rules refuse it here: {decided.message}")
    elif decided != [event]:
        replay.context.add_finding(record, "rules", "It is not the event that its command leads to.")


def _rebuild_player_command(event: Any) -> Any:
    """Return the player command that an event came from."""
    if isinstance(event, PlayerRegistered):
        return RegisterPlayer(name=event.name)
    if isinstance(event, PasswordSet):
        return NotePassword(person=event.person)
    return Deposit(cents=event.cents) if isinstance(event, MoneyDeposited) else Withdraw(cents=event.cents)


def _rebuild_staff_command(event: Any) -> Any:
    """Return the staff command that an event came from."""
    if isinstance(event, StaffHired):
        return HireStaff(person=event.person, name=event.name, roles=event.roles)
    if isinstance(event, RolesChanged):
        return ChangeRoles(person=event.person, roles=event.roles)
    if isinstance(event, PasswordSet):
        return NotePassword(person=event.person)
    if isinstance(event, ClockConfirmed):
        return ConfirmClock(ahead=event.ahead)
    return DismissStaff(person=event.person)


class MeterReplay(StreamReplay):
    """Rebuilds the state of a meter."""

    state: MeterState

    def event(self, record: JournalRecord, event: Any) -> None:
        """Replay one event."""
        before = self.state
        if isinstance(event, MeterStarted):
            self._check_start(record, event)
        else:
            if not before.terms_game:
                self.context.add_finding(record, "meter", "The meter was never started.")
            if isinstance(event, EVENTS_OF_TABLES):
                self._table_event(record, event)
            elif isinstance(event, MeterRestored):
                self._check_restore(record, event)
            else:
                self._manager_event(record, event)
        self.apply(record, event)

    def _check_start(self, record: JournalRecord, event: MeterStarted) -> None:
        """Check that a meter starts with the terms of its game."""
        if self.state.terms_game:
            self.context.add_finding(record, "meter", "A meter can be started only once.")
        if self.context.games.has(event.game) and event != start_event(self.context.games.game(event.game)):
            self.context.add_finding(record, "meter", "The meter does not start with the terms of its game.")

    def _check_restore(self, record: JournalRecord, event: MeterRestored) -> None:
        """Check that a restored meter belongs to a recorded restore of the house."""
        self.context.check_author(record)
        if event.restore not in self.context.restores:
            self.context.add_finding(record, "inserted", f"The house records no restore {event.restore}.")

    def _table_event(self, record: JournalRecord, event: Any) -> None:
        """Let an event about a table wait for the table's own; a closed link carries none."""
        if self.state.closed_reason and isinstance(event, ContributionsAdded | AwardLogged):
            self.context.add_finding(record, "meter", "The link of the meter was closed.")
        if self.state.unconfirmed_restore and isinstance(event, ContributionsAdded | AwardLogged):
            self.context.add_finding(record, "meter", "No reading of the restored meter was approved yet.")
        moment = getattr(event, "round", record.at)
        self.context.pairs.add(event.table, ExpectedPair(record, event, (record.kind, moment), self.state))

    def _manager_event(self, record: JournalRecord, event: Any) -> None:
        """Decide a Game Manager command again."""
        self.context.tally["commands"] += 1
        self.context.check_author(record)
        if isinstance(event, TermsChanged):
            self._check_terms(record, event)
            return
        states, command = _ManagerStateReader(self.context, self.state), _rebuild_meter_command(record, event)
        self._check_role(record, command)
        decided = decide_meter(states, self.name, command)
        check_event(self, record, event, decided if isinstance(decided, Refusal) else [*decided.events])

    def _check_terms(self, record: JournalRecord, event: TermsChanged) -> None:
        """Check changed terms against their game; the command is not stored."""
        games = self.context.games
        self._check_role(record, ChangeTerms(submission="", reason=event.reason))
        if not self.state.closed_reason:
            self.context.add_finding(record, "meter", "Terms can change only while the link is closed.")
        if not games.has(event.game) or not games.has(self.state.terms_game):
            return
        game = games.game(event.game)
        fits = game.offers("progressive") and meter_paytable(game) == meter_paytable(
            games.game(self.state.terms_game)
        )
        if not fits or event != terms_event(game, event.reason):
            self.context.add_finding(record, "meter", "The terms are not those of their game.")

    def _check_role(self, record: JournalRecord, command: MeterCommand) -> None:
        """Check the role of a Game Manager command."""
        fault = role_fault(record, command)
        if fault is not None:
            self.context.add_finding(record, "author", fault)

    def end(self) -> None:
        """Keep the final state for the comparison with the ledger."""
        super().end()
        self.context.meters[self.name] = self.state


def _rebuild_meter_command(record: JournalRecord, event: Any) -> MeterCommand:
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


class _ManagerStateReader:
    """Replaces the state cache of the command service; table states are unknown when a meter is replayed."""

    def __init__(self, context: AuditContext, meter: MeterState) -> None:
        self._context, self._meter = context, meter

    def find_table(self, name: str) -> UninstalledTable:
        return UninstalledTable(name)

    def meter(self, name: str) -> MeterState:
        del name
        return self._meter

    def player(self, name: str) -> AccountState:
        return AccountState(name)

    def staff(self) -> StaffState:
        return StaffState()

    def game(self, hash_: str) -> Game:
        return self._context.games.game(hash_)

    def secret(self, stream: str, number: int) -> bytes:
        raise LookupError(f"a meter never needs the secret of shuffle {number} of {stream}")

    def draw(self, count: int) -> bytes:
        raise LookupError(f"a meter never draws {count} bytes")

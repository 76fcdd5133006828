"""Stream replay: folds every event, posts its money and compares snapshots; for players, staff and meters."""

from abc import ABC, abstractmethod
from typing import Any

import msgspec

from fourcard.house.account_state import AccountState
from fourcard.house.audit.checkpoint import StreamCheckpoint, TableProgress
from fourcard.house.audit.context import AuditContext, ExpectedPair
from fourcard.house.audit.new_rows import NewRows
from fourcard.house.audit.redecide import CommandFault, RecordedEvent, check_command
from fourcard.house.audit.report import FindingPlace
from fourcard.house.auth.identity import Actor
from fourcard.house.auth.permissions import acting_roles
from fourcard.house.auth.security import SecurityState
from fourcard.house.auth.staff import StaffState
from fourcard.house.decide_meter import start_event
from fourcard.house.events import (
    EVENTS_OF_TABLES,
    AwardLogged,
    ChipsBought,
    ChipsReturned,
    ClockConfirmed,
    ContributionsAdded,
    MeterRestored,
    MeterStarted,
    RolesChanged,
    StaffHired,
)
from fourcard.house.journal import JournalRecord
from fourcard.house.ledger import Posting
from fourcard.house.meter_state import MeterState
from fourcard.house.signed_files import verifies
from fourcard.house.state_cache import (
    StreamState,
    empty_state,
    encode_meter,
    encode_security,
    encode_table,
    evolve_state,
)
from fourcard.house.store.interface import Snapshot, signed_message
from fourcard.house.table_state import HouseTable
from fourcard.refusals import BadInputError


class StreamReplay(ABC):
    """Rebuilds the state of one stream, command by command."""

    def __init__(self, context: AuditContext, new: NewRows) -> None:
        """Start with the state at the checkpoint, or with that of an empty stream."""
        self.context, self.stream = context, new.stream
        self.name = new.stream.partition("/")[2]
        self.start = context.earlier.get(new.stream)
        self.state: StreamState = empty_state(new.stream)
        self._stores_commands = False
        """Whether an earlier event came with its command; those of 0.1 came without."""
        if self.start is not None:
            self.state = context.state_of(new.stream, self.start)
            self._stores_commands = self.start.stores_commands
        self._snapshots = new.snapshots()
        self._snapshot = next(self._snapshots, None)

    def checkpoint(self) -> StreamCheckpoint:
        """Return what the next audit needs to go on from here."""
        return StreamCheckpoint(
            rows=self.context.rows[self.stream],
            stores_commands=self._stores_commands,
            state=msgspec.Raw(self.context.states.encode(self.state)),
            table=self.progress(),
        )

    def progress(self) -> TableProgress | None:
        """Return what the checks of a table remember; only a table has something."""
        return None

    def command(self, happened: list[RecordedEvent]) -> None:
        """Decide a command again and replay its events."""
        if self.begins_command(happened[0][1]):
            self.context.tally["commands"] += 1
            fault = self.decide_again(happened)
            if fault is not None:
                self.context.add_finding(*fault)
        elif happened[0][0].command is not None:
            sentence = "It follows from a command in another stream, and cannot have one of its own."
            self.context.add_finding(happened[0][0], "envelope", sentence)
        for record, event in happened:
            self.event(record, event)

    def begins_command(self, event: object) -> bool:
        """Say whether an event comes from a command of this stream."""
        del event
        return True

    def decide_again(self, happened: list[RecordedEvent]) -> CommandFault | None:
        """Decide a stored command again and return what does not follow from it; one of 0.1 is counted."""
        record = happened[0][0]
        if record.command is None:
            if self._stores_commands:
                return record, "missing", "It is stored without its command, unlike those before it."
            self.context.tally["not_redecided"] += 1
            return None
        self._stores_commands = True
        try:
            return check_command(self.context, self.stream, self.state, happened)
        except Exception:  # noqa: BLE001  an altered event can break anything; report it
            return record, "rules", "It cannot be decided again: the state before it does not allow it."

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
        if record.game and record.game != self.game:
            self.context.add_finding(
                record, "game", f"It names game '{record.game}' instead of '{self.game}'."
            )
        if self._snapshot is not None and record.sequence >= self._snapshot.sequence:
            self._check_snapshots(record.sequence)
        return moved

    @property
    def game(self) -> str:
        """Return the hash of the pinned game; only a table has one."""
        return ""

    def end(self) -> None:
        """Report snapshots at events that the stream does not have."""
        while self._snapshot is not None:
            self._report_inserted(self._snapshot)
            self._snapshot = next(self._snapshots, None)

    def _check_snapshots(self, sequence: int) -> None:
        """Compare the snapshot of a sequence with the state, and report snapshots of events before it."""
        while self._snapshot is not None and self._snapshot.sequence <= sequence:
            if self._snapshot.sequence == sequence:
                self._compare_snapshot(self._snapshot, _snapshot_data(self.state))
            else:
                self._report_inserted(self._snapshot)
            self._snapshot = next(self._snapshots, None)

    def check_earlier_snapshots(self, sequence: int, snapshot: tuple[int, msgspec.Raw] | None) -> None:
        """Compare new snapshots of events up to the checkpoint with the only one that can come that late."""
        while self._snapshot is not None and self._snapshot.sequence <= sequence:
            if snapshot is not None and self._snapshot.sequence == snapshot[0]:
                self._compare_snapshot(self._snapshot, msgspec.json.decode(snapshot[1]))
            else:
                self._report_inserted(self._snapshot)
            self._snapshot = next(self._snapshots, None)

    def _report_inserted(self, snapshot: Snapshot) -> None:
        sentence = f"It is of event {snapshot.sequence}, which the stream does not have."
        self.context.findings.add(FindingPlace("snapshots", self.stream), "inserted", sentence)

    def _compare_snapshot(self, snapshot: Snapshot, right: dict[str, Any] | None) -> None:
        """Compare a snapshot with that of the replayed state, and verify its signature, if it has one."""
        self.context.tally["snapshots"] += 1
        place = FindingPlace("snapshots", self.stream)
        message, signature = signed_message(snapshot), snapshot.signature.hex()
        if signature and not verifies(self.context.public_key, signature, message):
            self.context.findings.add(place, "signature", "It is not signed with the key of the house.")
        try:
            found = msgspec.json.decode(snapshot.body)
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
    if isinstance(state, SecurityState):
        return msgspec.json.decode(encode_security(state))  # type: ignore[no-any-return]
    if isinstance(state, HouseTable) and state.state.round is None:
        return msgspec.json.decode(encode_table(state))  # type: ignore[no-any-return]
    return None


class PlayerReplay(StreamReplay):
    """Rebuilds a player's account; events about tables wait for the tables' own."""

    state: AccountState

    def __init__(self, context: AuditContext, new: NewRows) -> None:
        """Start with the account at the checkpoint, or without one."""
        super().__init__(context, new)
        self._note_registered()

    def begins_command(self, event: object) -> bool:
        """Say whether an event comes from a command to the account, not to a table."""
        return not isinstance(event, ChipsBought | ChipsReturned)

    def event(self, record: JournalRecord, event: Any) -> None:
        """Replay one event."""
        if isinstance(event, ChipsBought | ChipsReturned):
            self.context.pairs.add(event.table, ExpectedPair(record, event, (record.kind, record.at)))
            if not self.state.registered:
                self.context.add_finding(record, "rules", "The player does not have an account.")
        self.apply(record, event)
        if self.state.cents < 0:
            self.context.add_finding(record, "overdrawn", "The account is overdrawn.")
        self._note_registered()
        if self.begins_command(event):
            self.context.check_author(record)

    def _note_registered(self) -> None:
        if self.state.registered:
            self.context.players.add(self.name)


class StaffReplay(StreamReplay):
    """Rebuilds the staff of the house, and every role that each person could ever act in."""

    state: StaffState

    def __init__(self, context: AuditContext, new: NewRows) -> None:
        """Start with the staff at the checkpoint, or without any."""
        super().__init__(context, new)
        self._records: list[JournalRecord] = []

    def event(self, record: JournalRecord, event: Any) -> None:
        """Replay one event."""
        self._records.append(record)
        self.apply(record, event)
        if isinstance(event, StaffHired | RolesChanged):
            actor = Actor(event.person, "staff", event.roles)
            self.context.authors |= {(event.person, role) for role in acting_roles(actor)}
        elif isinstance(event, ClockConfirmed):
            self.context.set_back = max(self.context.set_back, -event.ahead)

    def end(self) -> None:
        """Check the authors of staff events, now that everybody is known."""
        super().end()
        for record in self._records:
            self.context.check_author(record)


class SecurityReplay(StreamReplay):
    """Rebuilds passwords and sign-ins, which no command of this stream changes."""

    state: SecurityState

    def begins_command(self, event: object) -> bool:
        """Say that no event comes from a command of this stream."""
        del event
        return False

    def event(self, record: JournalRecord, event: Any) -> None:
        """Replay one event."""
        self.apply(record, event)

    def end(self) -> None:
        """Keep the final state for the comparison with the stored passwords."""
        super().end()
        self.context.security = self.state


class MeterReplay(StreamReplay):
    """Rebuilds the state of a meter."""

    state: MeterState

    def begins_command(self, event: object) -> bool:
        """Say whether an event comes from a command of the Game Manager."""
        return not isinstance(event, (MeterStarted, MeterRestored, *EVENTS_OF_TABLES))

    def event(self, record: JournalRecord, event: Any) -> None:
        """Replay one event."""
        if isinstance(event, MeterStarted):
            self._check_start(record, event)
        elif not self.state.terms_game:
            self.context.add_finding(record, "meter", "The meter was never started.")
        if isinstance(event, EVENTS_OF_TABLES):
            self._table_event(record, event)
        elif not isinstance(event, MeterStarted):
            self.context.check_author(record)
        if isinstance(event, MeterRestored) and event.restore not in self.context.restores:
            self.context.add_finding(record, "inserted", f"The house records no restore {event.restore}.")
        self.apply(record, event)
        if isinstance(event, ContributionsAdded | AwardLogged):
            effects = self.state.last_rounds.get(event.table)
            if effects is not None:
                self.context.index.meters[event.table, effects.round] = effects

    def _check_start(self, record: JournalRecord, event: MeterStarted) -> None:
        """Check that a meter starts with the terms of its game."""
        if self.state.terms_game:
            self.context.add_finding(record, "meter", "A meter can be started only once.")
        if self.context.games.has(event.game) and event != start_event(self.context.games.game(event.game)):
            self.context.add_finding(record, "meter", "The meter does not start with the terms of its game.")

    def _table_event(self, record: JournalRecord, event: Any) -> None:
        """Let an event about a table wait for the table's own; a closed link carries none."""
        if self.state.closed_reason and isinstance(event, ContributionsAdded | AwardLogged):
            self.context.add_finding(record, "meter", "The link of the meter was closed.")
        if self.state.unconfirmed_restore and isinstance(event, ContributionsAdded | AwardLogged):
            self.context.add_finding(record, "meter", "No reading of the restored meter was approved yet.")
        moment = getattr(event, "round", record.at)
        self.context.pairs.add(event.table, ExpectedPair(record, event, (record.kind, moment), self.state))

    def end(self) -> None:
        """Keep the final state for the comparison with the ledger."""
        super().end()
        self.context.meters[self.name] = self.state

"""Unit of work: collects the records, transfers, secrets, games and snapshots of a group of commands."""

from itertools import takewhile

from msgspec.structs import force_setattr

from fourcard.house.auth.identity import AnyCommand
from fourcard.house.auth.security import SECURITY, SecurityState, end_sign_ins, new_password
from fourcard.house.auth.sign_in import NO_PASSWORD
from fourcard.house.commands import NotePassword, PersonKind
from fourcard.house.decision import HOUSE, STAFF, Decision
from fourcard.house.events import StaffDismissed, StaffHired, TableInstalled
from fourcard.house.journal import (
    RECORD_KIND,
    SEALED_KIND,
    JournalRecord,
    StreamHead,
    chain_hash,
    codec_of,
    encode_command,
    pack_events,
    unpack_events,
)
from fourcard.house.ledger import Posting, Transfer
from fourcard.house.meter_state import MeterState
from fourcard.house.round_index import END_KINDS, IndexedRound, index_round, player_rows, round_row
from fourcard.house.state_cache import (
    StateCache,
    StreamState,
    encode_meter,
    encode_security,
    encode_table,
    evolve_state,
)
from fourcard.house.store.interface import Credential, Snapshot, WriteTransaction, key_of, sign_snapshot
from fourcard.house.store.sealing import salt_for, seal_record
from fourcard.house.table_state import HouseTable
from fourcard.round.events import RoundEnded, RoundVoided
from fourcard.table.events import RoundBegan

SNAPSHOT_EVERY = 1_000
"""Events between two snapshots of a stream."""
SNAPSHOT_EVENTS = frozenset((RoundBegan, RoundEnded, RoundVoided, TableInstalled))
"""Events at which a table snapshot starts or ends."""


class UnitOfWork:
    """Collects what the commands of a group lead to, and writes it at the end."""

    def __init__(self, cache: StateCache, writing: WriteTransaction) -> None:
        """Take the state cache and the transaction to write to."""
        self.cache, self.transaction = cache, writing
        self.event_records: list[JournalRecord] = []
        self.events: list[object] = []
        """The event of each event record, in the same order."""
        self.states: list[StreamState] = []
        """The state of the stream after each event, in the same order."""
        self.records: list[JournalRecord] = []
        """The stored records of finished requests."""
        self._unpacked: dict[str, list[JournalRecord]] = {}
        """By stream, the events of the current request, which become one stored record."""
        self.transfers: list[Transfer] = []
        self.rounds: list[IndexedRound] = []
        """The rounds that end."""
        self._games: dict[str, bytes] = {}
        self._secrets: dict[tuple[str, int], bytes] = {}
        self._forgotten: list[tuple[str, int]] = []
        self._snapshots: dict[str, Snapshot] = {}
        self._passwords: dict[tuple[PersonKind, str], str] = {}
        """By person, the hash of a new password; empty for people dismissed or hired, who have none."""
        self._at = 0
        self._by = self._role = self._key = ""
        self._command: AnyCommand | None = None
        """The current command; None when the house itself acts."""
        self._first_sequences: dict[str, int] = {}
        """By stream, the sequence of the first event of the current command."""

    def begin(self, command: AnyCommand) -> None:
        """Start a command."""
        self._at, self._by, self._role = command.at, command.by, command.role
        self._key, self._command = command.key, command
        self._first_sequences = {}

    def begin_by_house(self, at: int) -> None:
        """Start an action of the house itself, without a command."""
        self._at, self._by, self._role = at, HOUSE, HOUSE
        self._key, self._command = "", None
        self._first_sequences = {}

    def add_secrets_and_games(self, outcome: Decision) -> None:
        """Add the games and secrets of a decision."""
        for hash_, body in outcome.games.items():
            self._games[hash_] = body
            self.cache.cache_game(hash_, body)
        for stream, number, secret in outcome.secrets:
            self._secrets[stream, number] = key_of(self.transaction).seal(stream, number, secret)
            self.cache.keep_secret(stream, number, secret)

    def add_password(self, stream: str, note: AnyCommand, password: str) -> None:
        """Add the hash of a new password with the note that it was set."""
        assert isinstance(note, NotePassword)
        self._store_password("staff" if stream == STAFF else "player", note.person, password)

    def _store_password(self, kind: PersonKind, person: str, password: str) -> None:
        """Store a password hash, or none, and end every sign-in of the person."""
        self._passwords[kind, person] = password
        for event in new_password(self.cache.security(), kind, person, password):
            self.add(SECURITY, event)

    def delete_secret(self, stream: str, number: int) -> None:
        """Delete a secret that this command reveals."""
        self.cache.forget_secret(stream, number)
        if self._secrets.pop((stream, number), None) is None:
            self._forgotten.append((stream, number))

    def add(self, stream: str, event: object) -> JournalRecord:
        """Apply an event to its state, and add its record and its transfers."""
        cache, unpacked = self.cache, self._unpacked.setdefault(stream, [])
        sequence, before = cache.heads[stream].sequence + len(unpacked), cache.states[stream]
        if type(event) in SNAPSHOT_EVENTS or type(before) in (MeterState, SecurityState):
            self._take_snapshot(stream, sequence, before, event)
        after, postings = evolve_state(before, event, cache.game)
        cache.states[stream] = after
        record = self._record(stream, sequence + 1, event)
        unpacked.append(record)
        self.event_records.append(record)
        self.events.append(event)
        self.states.append(after)
        if postings:
            self._post(record, postings)
        if type(before) is HouseTable:
            cache.totals.add(record, event, postings, self.transaction)
            if record.kind in END_KINDS:
                self._index_round(before, record)
        elif isinstance(event, StaffDismissed | StaffHired):
            self._end_access(event.person)
        return record

    def _end_access(self, person: str) -> None:
        """Take the password and every sign-in of a person who was dismissed, or hired again."""
        security = self.cache.security()
        if security.password("staff", person) or end_sign_ins(security, "staff", person):
            self._store_password("staff", person, NO_PASSWORD)

    def _record(self, stream: str, sequence: int, event: object) -> JournalRecord:
        """Return an event as a journal record; the first event of a command has the command and its key."""
        key, command = "", None
        begins = self._first_sequences.get(stream)
        if begins is None:
            if not self._first_sequences:
                key = self._key
                command = None if self._command is None else encode_command(self._command, event)
            begins = self._first_sequences[stream] = sequence
        codec = codec_of(stream)
        kind, version = codec.kind_of(event)
        return JournalRecord(
            stream, sequence, begins, kind, version, self._at, self._by, self._role, key, "", "",
            codec.encode(event), command=command,
        )  # fmt: skip

    def end_request(self) -> dict[str, JournalRecord]:
        """Turn the events of the current request into one record for each stream, and return them.

        A table's record with cards that are not shown yet is stored sealed.
        """
        heads, packed = self.cache.heads, dict[str, JournalRecord]()
        for stream, events in self._unpacked.items():
            state = self.cache.states[stream]
            shuffle = state.shuffle_in_play if isinstance(state, HouseTable) else None
            secret = b"" if shuffle is None else self.cache.secret(stream, shuffle)
            salt = salt_for(secret, stream, events) if secret else ""
            record = packed[stream] = pack_events(events, salt)
            hash_ = chain_hash(heads[stream].hash, record)
            force_setattr(record, "hash", hash_)
            heads[stream] = StreamHead(record.sequence, hash_)
            self.records.append(record if shuffle is None else seal_record(record, shuffle, secret))
        self._unpacked.clear()
        return packed

    def _post(self, record: JournalRecord, postings: list[Posting]) -> None:
        stream, sequence, at = record.stream, record.sequence, record.at
        self.transfers += [
            Transfer(stream, sequence, number, each.giver, each.taker, each.units, each.what, each.wager, at)
            for number, each in enumerate(postings)
        ]

    def _index_round(self, before: HouseTable, record: JournalRecord) -> None:
        """Add the round that an event ended to the index."""
        after = self.cache.table(before.name)
        effects = self.cache.meter(after.meter).last_rounds.get(after.name) if after.meter else None
        self.rounds.append(index_round(before, after, record, effects))

    def _take_snapshot(self, stream: str, sequence: int, state: StreamState, event: object) -> None:
        """Remember a table's state before a round and store it after the round; store a meter's at once."""
        cache = self.cache
        if sequence - cache.snapshots.get(stream, 0) >= SNAPSHOT_EVERY:
            if isinstance(state, MeterState | SecurityState):
                body = encode_meter(state) if isinstance(state, MeterState) else encode_security(state)
                self._add_snapshot(Snapshot(stream, sequence, body, cache.heads[stream].hash))
            elif isinstance(event, RoundBegan):
                cache.pending_snapshots[stream] = (sequence, state, cache.heads[stream].hash)
        if isinstance(event, TableInstalled):
            cache.pending_snapshots.pop(stream, None)
        elif isinstance(event, RoundEnded | RoundVoided) and stream in cache.pending_snapshots:
            begun, marked, hash_ = cache.pending_snapshots.pop(stream)
            assert isinstance(marked, HouseTable)
            self._add_snapshot(Snapshot(stream, begun, encode_table(marked), hash_))

    def _add_snapshot(self, snapshot: Snapshot) -> None:
        self._snapshots[snapshot.stream] = snapshot
        self.cache.snapshots[snapshot.stream] = snapshot.sequence

    def events_of_command(self, record: JournalRecord) -> list[JournalRecord]:
        """Return the events of the first command of a stored record."""
        first = record.command_sequence
        following = (
            unpack_events(record)
            if record.kind in (RECORD_KIND, SEALED_KIND)
            else self.transaction.events(record.stream, record.sequence - 1)
        )
        return [*takewhile(lambda each: each.command_sequence == first, following)]

    def write(self) -> None:
        """Write everything to the transaction."""
        self.end_request()
        writing = self.transaction
        for hash_, body in self._games.items():
            writing.keep_game(hash_, body)
        if self.records:
            writing.append(self.records)
        if self.transfers:
            writing.post(self.transfers)
        self.cache.totals.write(writing)
        if self.rounds:
            players = [row for each in self.rounds for row in player_rows(each)]
            writing.add_rounds([round_row(each) for each in self.rounds], players)
        if self._secrets:
            writing.keep_secrets(self._secrets)
        if self._forgotten:
            writing.forget_secrets(self._forgotten)
        for snapshot in self._snapshots.values():
            writing.keep_snapshot(sign_snapshot(writing.key, snapshot))
        for name, password in self._passwords.items():
            writing.put_credential(Credential(*name, password))
            writing.announce_sign_out(*name)

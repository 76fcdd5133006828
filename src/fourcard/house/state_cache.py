"""State cache: the current state of every stream, loaded from snapshot and journal.

A table's snapshot is taken before a round begins and stored once that round is over. So the last round, which
people can still look at, is always in the events after it. Older snapshots stay: a round of long ago is
replayed from the one before it. All can be deleted at any time; then reading starts at the first event.
"""

from collections.abc import Callable, Collection
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.house import account_state, meter_state, table_state
from fourcard.house.account_state import AccountState
from fourcard.house.auth import security, staff
from fourcard.house.auth.security import SECURITY, SecurityState, Token
from fourcard.house.auth.staff import StaffState
from fourcard.house.clock_entropy import Entropy
from fourcard.house.commands import CardSource
from fourcard.house.decision import STAFF, game_of_submission, meter_stream, player_stream, table_stream
from fourcard.house.events import AdjustmentProposed, AwardLogged
from fourcard.house.journal import SEALED_KIND, JournalRecord, StreamHead, chain_hash, codec_of, unpack_events
from fourcard.house.ledger import Posting, TableAccounts
from fourcard.house.meter_state import LoggedWin, MeterLifetimeTotals, MeterState, RoundMeterEffects
from fourcard.house.running_totals import RunningTotals
from fourcard.house.shuffle_algorithm import (
    ALGORITHM,
    FIRST_ALGORITHM,
    SECRET_BYTES,
    ShuffleInput,
    commitment_of,
    order_of,
)
from fourcard.house.store.interface import ReadTransaction, Snapshot, StoreError, is_signed_snapshot
from fourcard.house.table_state import AnyTable, DrawnShuffle, GameLookup, HouseTable, UninstalledTable
from fourcard.meter import Meter
from fourcard.progressive.console import ConsoleState
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal, RefusedError, refuse
from fourcard.round.commands import HandSide
from fourcard.round.state import RoundRules
from fourcard.rules.game import Game, decode_game
from fourcard.rules.procedures import DealingMethod, Spread
from fourcard.table.commands import Device
from fourcard.table.state import Deck, TablePhase, TableState

UNOPENED = "cannot be opened: it was altered, or sealed with another key"
FAR_BEHIND = 1_000
"""Missing events of a stream from which it is read again from its newest snapshot instead of one by one."""
SNAPSHOT_FORMAT = 3
"""A snapshot of another format is ignored."""
TABLE_FIELDS = (
    "phase",
    "decks",
    "active",
    "seats",
    "round_number",
    "since_count",
    "by_hand",
    "failures",
    "failed",
    "away",
    "shoe_side",
    "hand",
    "spread",
    "at",
)
"""Stored fields of a table's state; the game is stored by hash, and the rules follow from it."""
STORED_METER_FIELDS = {
    "terms_game": "terms",
    "closed_reason": "closed",
    "last_rounds": "open",
    "absorbed": "borne",
    "win_count": "count",
    "unpaid_wins": "logged",
    "last_wins": "last",
    "proposal_count": "proposed",
    "unconfirmed_restore": "restored",
}
"""Names in stored snapshots where they differ."""


class TableSnapshot(msgspec.Struct, frozen=True, kw_only=True, rename={"round_number": "number"}):
    """A table between two rounds."""

    format: int
    table: str
    game: str
    method: DealingMethod
    shuffled_by_hand: bool
    cards: CardSource
    meter: str
    held: dict[str, int]
    counted: bool
    seeds: dict[str, str]
    shuffle: int
    commitment: str
    algorithm: str = FIRST_ALGORITHM
    hashes: dict[str, str] = {}
    pending: dict[int, int]
    drawn: dict[int, DrawnShuffle]
    console: ConsoleState | None
    phase: TablePhase
    decks: tuple[Deck, ...]
    active: int
    seats: dict[int, str]
    round_number: int
    since_count: int
    by_hand: bool
    failures: int
    failed: tuple[Device, ...]
    away: tuple[Device, ...]
    shoe_side: HandSide
    hand: HandSide | None
    spread: Spread | None
    at: int


class MeterSnapshot(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename=STORED_METER_FIELDS
):
    """A meter; default values are left out, as in snapshots older than the field."""

    format: int
    name: str
    meter: Meter
    rate: str
    reserve_rate: str
    terms_game: str
    tables: tuple[str, ...]
    closed_reason: str
    last_rounds: dict[str, RoundMeterEffects]
    absorbed: int
    totals: MeterLifetimeTotals
    hits: dict[str, int]
    win_count: int
    unpaid_wins: tuple[AwardLogged, ...]
    last_wins: tuple[LoggedWin, ...]
    proposals: dict[int, AdjustmentProposed]
    proposal_count: int
    unconfirmed_restore: int = 0


class SecuritySnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """Passwords and sign-ins."""

    format: int
    passwords: dict[str, str]
    tokens: dict[str, Token]


_table_decoder = msgspec.json.Decoder(TableSnapshot)
_meter_decoder = msgspec.json.Decoder(MeterSnapshot)
_security_decoder = msgspec.json.Decoder(SecuritySnapshot)
METER_FIELDS = MeterSnapshot.__struct_fields__[5:]
"""Fields that a snapshot takes over as they are; those before them are converted."""


def encode_table(table: HouseTable) -> bytes:
    """Return a table between two rounds in JSON, without the last round."""
    state = table.state
    assert state.round is None
    kept = {name: getattr(state, name) for name in TABLE_FIELDS}
    return msgspec.json.encode(
        TableSnapshot(
            format=SNAPSHOT_FORMAT,
            table=table.name,
            game=table.game_hash,
            method=state.method,
            shuffled_by_hand=state.rules.shuffled_by_hand,
            cards=table.card_source,
            meter=table.meter,
            held=dict(table.balances),
            counted=table.tray_counted,
            seeds=dict(table.seeds),
            shuffle=table.shuffle_number,
            commitment=table.commitment,
            algorithm=table.algorithm,
            hashes=dict(table.seed_hashes),
            pending=dict(table.unrevealed_shuffles),
            drawn=dict(table.drawn_shuffles),
            console=table.console,
            **kept,
        )
    )


def decode_table(body: bytes, games: GameLookup) -> HouseTable | None:
    """Return the table of a snapshot, or None if it is unusable."""
    try:
        kept = _table_decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeError):
        return None
    if kept.format != SNAPSHOT_FORMAT:
        return None
    game = games(kept.game)
    rules = RoundRules(game, kept.method, by_hand=kept.shuffled_by_hand)
    state = TableState(game, rules)
    for name in TABLE_FIELDS:
        state = replace(state, **{name: getattr(kept, name)})
    return HouseTable(
        name=kept.table,
        state=state,
        card_source=kept.cards,
        meter=kept.meter,
        balances=kept.held,
        tray_counted=kept.counted,
        seeds=kept.seeds,
        shuffle_number=kept.shuffle,
        commitment=kept.commitment,
        algorithm=kept.algorithm,
        seed_hashes=kept.hashes,
        unrevealed_shuffles=kept.pending,
        drawn_shuffles=kept.drawn,
        console=kept.console,
        accounts=TableAccounts(kept.table, kept.meter),
    )


def encode_meter(meter: MeterState) -> bytes:
    """Return a meter in JSON."""
    return msgspec.json.encode(
        MeterSnapshot(
            format=SNAPSHOT_FORMAT,
            name=meter.name,
            meter=meter.amounts,
            rate=str(meter.rate),
            reserve_rate=str(meter.reserve_rate),
            **{name: getattr(meter, name) for name in METER_FIELDS},
        )
    )


def decode_meter(body: bytes) -> MeterState | None:
    """Return the meter of a snapshot, or None if it is unusable."""
    try:
        kept = _meter_decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeError):
        return None
    if kept.format != SNAPSHOT_FORMAT:
        return None
    fields = {name: getattr(kept, name) for name in METER_FIELDS}
    return MeterState(kept.name, kept.meter, Fraction(kept.rate), Fraction(kept.reserve_rate), **fields)


def encode_security(state: SecurityState) -> bytes:
    """Return passwords and sign-ins in JSON."""
    return msgspec.json.encode(
        SecuritySnapshot(format=SNAPSHOT_FORMAT, passwords=dict(state.passwords), tokens=dict(state.tokens))
    )


def decode_security(body: bytes) -> SecurityState | None:
    """Return the passwords and sign-ins of a snapshot, or None if it is unusable."""
    try:
        kept = _security_decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeError):
        return None
    return SecurityState(kept.passwords, kept.tokens) if kept.format == SNAPSHOT_FORMAT else None


StreamState = AnyTable | MeterState | AccountState | StaffState | SecurityState


class BrokenStreamError(StoreError):
    """The stored data of one stream is damaged; the other streams go on, and an audit says more."""

    def __init__(self, stream: str, fault: str, what: str = "journal") -> None:
        """Say which stream, and what is wrong with it."""
        super().__init__(f"The {what} of {stream} {fault}; run an audit.")


class CommitsLostError(StoreError):
    """The database has less than this process has written: it was rolled back, or a replica took over."""

    def __init__(self, stream: str, known: StreamHead) -> None:
        """Say where it was noticed."""
        super().__init__(
            f"The database was rolled back to an older state: event {known.sequence} of {stream} was "
            "committed and is missing now. Nothing more is done; close the house and open it again."
        )


class StateCache:
    """The state and the head of every stream in use."""

    def __init__(self, entropy: Entropy) -> None:
        """Start empty."""
        self.entropy = entropy
        self.states: dict[str, StreamState] = {}
        self.heads: dict[str, StreamHead] = {}
        self.pending_snapshots: dict[str, tuple[int, StreamState, bytes]] = {}
        """Tables before the round under way, with sequence and earlier hash, to become snapshots."""
        self.snapshots: dict[str, int] = {}
        """By stream, the sequence of its newest snapshot."""
        self.totals = RunningTotals()
        self._games: dict[str, Game] = {}
        self._secrets: dict[tuple[str, int], bytes] = {}
        self._reading: ReadTransaction | None = None

    def use_reader(self, reading: ReadTransaction | None) -> None:
        """Set the transaction that reads what is missing, or None to stop reading."""
        self._reading = reading

    def forget(self, streams: Collection[str]) -> None:
        """Forget streams whose last command has an unknown result."""
        for stream in streams:
            self.states.pop(stream, None)
            self.heads.pop(stream, None)
            self.pending_snapshots.pop(stream, None)
            self.snapshots.pop(stream, None)
        self.totals.forget(streams)
        self._secrets.clear()

    def catch_up(self, stream: str, head: StreamHead) -> None:
        """Read a stream up to a head; if that fails, nothing has changed."""
        known = self.heads.get(stream)
        if known == head:
            return
        if known is not None and known.sequence >= head.sequence:
            raise CommitsLostError(stream, known)
        if known is None or self._is_far_behind(stream, known, head):
            state = self._load(stream, head)
        else:
            state = self._read_to_head(stream, self.states[stream], known, head, recheck_last=True)
        self.states[stream], self.heads[stream] = state, head
        self.totals.forget((stream,))

    def _is_far_behind(self, stream: str, known: StreamHead, head: StreamHead) -> bool:
        """Say whether a stream is read sooner from a snapshot than from its last known event.

        That event must be in the journal as it was: a database that was rolled back is noticed here too.
        """
        assert self._reading is not None
        if head.sequence - known.sequence <= FAR_BEHIND:
            return False
        found = self._reading.snapshot(stream)
        if found is None or found.sequence <= known.sequence:
            return False
        for record in self._reading.stored_records(stream, known.sequence - 1) if known.sequence else ():
            _refuse_changed_event(record, known)
            break
        return True

    def _load(self, stream: str, head: StreamHead) -> StreamState:
        """Return a stream at a head, from its snapshot or, if that is unusable, from the start."""
        assert self._reading is not None
        found = self._reading.snapshot(stream)
        if found is not None and found.sequence <= head.sequence:
            try:
                known = StreamHead(found.sequence, found.earlier_hash)
                state = self._read_to_head(stream, self._state_of_snapshot(found), known, head)
            except BrokenStreamError:
                pass
            else:
                self.snapshots[stream] = found.sequence
                return state
        return self._read_to_head(stream, empty_state(stream), StreamHead(), head)

    def _state_of_snapshot(self, snapshot: Snapshot) -> StreamState:
        """Return the state of a snapshot, or refuse an unusable one."""
        assert self._reading is not None
        key = self._reading.key
        if key is not None and not is_signed_snapshot(key, snapshot):
            raise BrokenStreamError(snapshot.stream, "is not signed", "snapshot")
        state: StreamState | None
        try:
            if snapshot.stream.startswith("table/"):
                state = decode_table(snapshot.body, self.game)
            else:
                security_stream = snapshot.stream == SECURITY
                state = (decode_security if security_stream else decode_meter)(snapshot.body)
        except (ValueError, KeyError, ZeroDivisionError):
            state = None
        if state is None:
            raise BrokenStreamError(snapshot.stream, "cannot be read", "snapshot")
        return state

    def _read_to_head(
        self,
        stream: str,
        state: StreamState,
        known: StreamHead,
        head: StreamHead,
        *,
        recheck_last: bool = False,
    ) -> StreamState:
        """Apply the events of a stream up to a head; an event that cannot be applied means damage.

        Records must be chained from the known hash to a signed head. With ``recheck_last`` the last known
        record is read again and must be unchanged.
        """
        assert self._reading is not None
        last, codec = known, codec_of(stream)
        after = known.sequence - (recheck_last and known.sequence > 0)
        try:
            for record in self._reading.records(stream, after):
                if record.sequence > head.sequence or record.kind == SEALED_KIND:
                    break
                if record.sequence == known.sequence:
                    _refuse_changed_event(record, known)
                    continue
                _refuse_unchained(last, record)
                for each in unpack_events(record):
                    if each.sequence > known.sequence:
                        state, _ = evolve_state(state, codec.decode(each), self.game)
                last = StreamHead(record.sequence, record.hash)
        except StoreError:
            raise
        except Exception as error:
            raise BrokenStreamError(
                stream, f"cannot be replayed after event {last.sequence} ({error!r:.80})"
            ) from error
        if last.sequence != head.sequence:
            if self._is_sealed_after(stream, last.sequence):
                return state
            raise BrokenStreamError(stream, f"ends at event {last.sequence}, not at {head.sequence}")
        if last.hash and last.hash != head.hash:
            raise BrokenStreamError(stream, f"ends in a different event {head.sequence}")
        fault = self._reading.head_fault(stream, head)
        if fault:
            raise BrokenStreamError(stream, fault)
        return state

    def _is_sealed_after(self, stream: str, sequence: int) -> bool:
        """Say whether a reader without the house's key has read all that is not sealed until a round ends."""
        assert self._reading is not None
        if self._reading.key is not None:
            return False
        following = next(self._reading.stored_records(stream, sequence), None)
        return following is not None and following.kind == SEALED_KIND

    def find_table(self, name: str) -> AnyTable:
        """Return a table, installed or not."""
        return self.states.get(table_stream(name)) or UninstalledTable(name)  # type: ignore[return-value]

    def table(self, name: str) -> HouseTable:
        """Return an installed table, or raise a refusal."""
        table = self.find_table(name)
        if isinstance(table, UninstalledTable):
            raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=name))
        return table

    def meter(self, name: str) -> MeterState:
        """Return a meter; an unknown one has no terms."""
        return self.states.get(meter_stream(name)) or MeterState(name)  # type: ignore[return-value]

    def player(self, name: str) -> AccountState:
        """Return a player's account; an unknown one is not registered."""
        return self.states.get(player_stream(name)) or AccountState(name)  # type: ignore[return-value]

    def staff(self) -> StaffState:
        """Return the staff; it is empty before the first person is hired."""
        return self.states.get(STAFF) or StaffState()  # type: ignore[return-value]

    def security(self) -> SecurityState:
        """Return passwords and sign-ins; there are none before the first event."""
        return self.states.get(SECURITY) or SecurityState()  # type: ignore[return-value]

    def game(self, hash_: str) -> Game:
        """Return a pinned game."""
        known = self._games.get(hash_)
        if known is None:
            assert self._reading is not None
            body = self._reading.game(hash_)
            if body is None:
                raise BrokenStreamError(hash_, "is missing", "game")
            known = self.cache_game(hash_, body)
        return known

    def knows_game(self, hash_: str) -> bool:
        """Say whether a pinned game is cached."""
        return hash_ in self._games

    def cache_game(self, hash_: str, body: bytes) -> Game:
        """Cache a game, after a check that it matches its hash."""
        try:
            game = decode_game(body)
        except BadInputError as error:
            raise BrokenStreamError(hash_, f"cannot be read ({error})", "game") from error
        if game.hash != hash_:
            raise BrokenStreamError(hash_, f"was changed: it is {game.hash} now", "game")
        self._games[hash_] = game
        return game

    def secret(self, stream: str, number: int) -> bytes:
        """Return the secret of a shuffle that has been committed to."""
        known = self._secrets.get((stream, number))
        if known is None:
            assert self._reading is not None
            sealed = self._reading.secret(stream, number)
            if sealed is None:
                raise BrokenStreamError(f"shuffle {number} of {stream}", "is missing", "secret")
            known = None if self._reading.key is None else self._reading.key.open(stream, number, sealed)
            if known is None:
                raise BrokenStreamError(f"shuffle {number} of {stream}", UNOPENED, "secret")
            self._secrets[stream, number] = known
        return known

    def keep_secret(self, stream: str, number: int, secret: bytes) -> None:
        """Cache a new secret."""
        self._secrets[stream, number] = secret

    def forget_secret(self, stream: str, number: int) -> None:
        """Forget a secret that is public now."""
        self._secrets.pop((stream, number), None)

    def resolve_submission(self, text: str) -> Game | Refusal:
        """Return the game that a submission makes, or a refusal."""
        return game_of_submission(text)

    def shuffled_order(self, shuffle: ShuffleInput) -> tuple[int, ...]:
        """Return the order that a committed shuffle gives a deck."""
        return order_of(self.secret(table_stream(shuffle.table), shuffle.number), shuffle)

    def commit_shuffle(self) -> tuple[str, bytes, str]:
        """Return the commitment to a new shuffle, its secret, and its algorithm."""
        secret = self.entropy.draw(SECRET_BYTES)
        return commitment_of(secret), secret, ALGORITHM


def _refuse_unchained(last: StreamHead, record: JournalRecord) -> None:
    """Refuse a record that is not chained to the last one, if the hash of that is known."""
    if last.hash and chain_hash(last.hash, record) != record.hash:
        raise BrokenStreamError(record.stream, f"was altered at event {record.sequence}")


def _refuse_changed_event(record: JournalRecord, known: StreamHead) -> None:
    """Refuse an event that differs from the last known event of its stream."""
    if record.hash != known.hash:
        raise CommitsLostError(record.stream, known)


def empty_state(stream: str) -> StreamState:
    """Return the state of a stream without events."""
    family, _, name = stream.partition("/")
    if family == "table":
        return UninstalledTable(name)
    if family == "meter":
        return MeterState(name)
    if family == "player":
        return AccountState(name)
    return SecurityState() if stream == SECURITY else StaffState()


def evolve_state(
    state: StreamState, event: Any, games: Callable[[str], Game]
) -> tuple[StreamState, list[Posting]]:
    """Return a state after an event, and the postings."""
    if isinstance(state, AnyTable):
        return table_state.evolve(state, event, games)
    if isinstance(state, MeterState):
        return meter_state.evolve(state, event)
    if isinstance(state, AccountState):
        return account_state.evolve(state, event)
    if isinstance(state, SecurityState):
        return security.evolve(state, event), []
    return staff.evolve(state, event), []

"""Recovery: detects a database that was rolled back, and makes the house safe (P38).

The watermark, a file beside the key, names the newest state seen on this machine. It is written after the
commit, so it can be behind the database but never ahead of it. Players may know secrets of shuffles that an
older state has yet to use, and saw higher meters on the signs. So a recovery retires every secret and commits
to new ones, voids rounds under way, closes tables, ends sign-ins, and lets meters wait for a reading. All of
it is one transaction with the event that records it.
"""

import fcntl
import logging
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from fourcard.house import ledger
from fourcard.house.account_state import AccountState
from fourcard.house.auth.security import SECURITY
from fourcard.house.clock_entropy import Entropy
from fourcard.house.decide_shuffle import commit_event, spent_shuffles
from fourcard.house.decide_table import meter_reactions, with_departures
from fourcard.house.decision import HOUSE, Decision, player_stream, table_stream
from fourcard.house.events import (
    CashedOut,
    HouseRestored,
    LostEvents,
    MeterRestored,
    RestoreCause,
    SecretRevealed,
    SecurityNoted,
    SignInsEnded,
    TableRestored,
)
from fourcard.house.head_signatures import Anchor, StreamFigures
from fourcard.house.journal import StreamHead, UnreadableEventError, codec_of, house_record
from fourcard.house.meter_state import MeterState
from fourcard.house.running_totals import decode_hour
from fourcard.house.state_cache import BrokenStreamError, StateCache
from fourcard.house.store.address import OWNER_ONLY
from fourcard.house.store.interface import ReadTransaction, WriteTransaction
from fourcard.house.table_state import GameLookup, HouseTable
from fourcard.house.unit_of_work import UnitOfWork
from fourcard.meter import UNITS_PER_CENT
from fourcard.money import dollars
from fourcard.refusals import BadInputError
from fourcard.round.decide_wagers import void_event
from fourcard.round.events import RoundVoided
from fourcard.table.events import TableClosed

WATERMARK_FORMAT = "fourcard-watermark-1"
MAX_WATERMARK_LENGTH = 1 << 20
"""Bytes after which the file is compacted to the newest line of every stream."""
_log = logging.getLogger(__name__)


class StreamMark(msgspec.Struct, frozen=True, array_like=True):
    """The head of one stream, and the cents of a meter or an account."""

    stream: str
    sequence: int
    hash: str
    cents: int | None = None


class _WatermarkHeader(msgspec.Struct, frozen=True):
    """The first line of the file."""

    format: str
    house: str
    restore: str
    signed: bool = False


class WatermarkState(msgspec.Struct, frozen=True):
    """The newest state seen: the id of the house's last restore, and the head of each stream."""

    restore: str
    marks: Mapping[str, StreamMark]
    signed: bool = True
    """Whether the commits of the house were signed by then."""


_header_decoder = msgspec.json.Decoder(_WatermarkHeader)
_mark_decoder = msgspec.json.Decoder(StreamMark)
_encoder = msgspec.json.Encoder()


class Watermark:
    """The watermark file; several processes with the same key can write to it."""

    def __init__(self, key: Path, house: str) -> None:
        """Name the file after the key and the house."""
        self.path, self.house = key.with_name(f"{key.name}.{house}.watermark"), house
        self._file: int | None = None

    def read(self) -> WatermarkState | None:
        """Return the recorded state, or None if there is none; an incomplete line is ignored."""
        try:
            head, *lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(self.path, error) from None
        try:
            header = _header_decoder.decode(head)
        except (msgspec.MsgspecError, UnicodeError):
            raise BadInputError(f"The watermark {self.path} is damaged: restore it from a copy.") from None
        if (header.format, header.house) != (WATERMARK_FORMAT, self.house):
            raise BadInputError(f"{self.path} is not a watermark of the house {self.house}.")
        newest: dict[str, StreamMark] = {}
        for mark in filter(None, map(_decode_mark, lines)):
            if mark.stream not in newest or newest[mark.stream].sequence <= mark.sequence:
                newest[mark.stream] = mark
        return WatermarkState(header.restore, newest, header.signed)

    def write(self, seen: WatermarkState) -> None:
        """Replace the whole file."""
        header = _encoder.encode(_WatermarkHeader(WATERMARK_FORMAT, self.house, seen.restore, seen.signed))
        lines = [header, *(_encoder.encode(seen.marks[stream]) for stream in sorted(seen.marks)), b""]
        part = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        try:
            part.unlink(missing_ok=True)
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
            with os.fdopen(handle, "wb") as file:
                file.write(b"\n".join(lines))
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path)
        except OSError as error:
            raise _unusable(self.path, error) from None

    def add(self, marks: Iterable[StreamMark]) -> None:
        """Append stream heads after a commit; a failure is only logged, because the commit is done."""
        lines = b"".join(_encoder.encode(mark) + b"\n" for mark in marks)
        try:
            if lines and self._append(lines) > MAX_WATERMARK_LENGTH:
                self._compact()
        except (OSError, BadInputError) as error:
            _log.error("The watermark %s could not be written: %s", self.path, error)

    def _append(self, lines: bytes) -> int:
        """Append lines, and return the file's length; a file replaced meanwhile is opened again."""
        while True:
            if self._file is None:
                self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            fcntl.flock(self._file, fcntl.LOCK_SH)
            try:
                if os.path.samestat(os.fstat(self._file), self.path.stat()):
                    os.write(self._file, lines)
                    return os.fstat(self._file).st_size
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)
            self.close()

    def _compact(self) -> None:
        """Keep only the newest line of every stream, while nobody appends."""
        assert self._file is not None
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            seen = self.read()
            if seen is not None:
                self.write(seen)
        finally:
            self.close()

    def close(self) -> None:
        """Close the file, which also releases its lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _decode_mark(line: bytes) -> StreamMark | None:
    """Return a line of the file, or None if a full disk or a crash cut it short."""
    try:
        return _mark_decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeError):
        return None


def _unusable(path: Path, error: OSError) -> BadInputError:
    reason = (error.strerror or "unknown reason").lower()
    return BadInputError(
        f"The watermark {path} cannot be used: {reason}. It must be beside the key, to detect that the "
        "database was rolled back to an older state."
    )


def mark_of(stream: str, head: StreamHead, state: object) -> StreamMark:
    """Return the head of a stream after a commit."""
    cents = None
    if isinstance(state, MeterState):
        cents = state.displayed
    elif isinstance(state, AccountState):
        cents = state.cents
    return StreamMark(stream, head.sequence, head.hash.hex(), cents)


def marks_of(reading: ReadTransaction) -> dict[str, StreamMark]:
    """Return the head of every stream of a database."""
    balances = reading.balances()
    return {
        stream: StreamMark(stream, head.sequence, head.hash.hex(), amount_in(balances, stream))
        for stream, head in reading.streams().items()
    }


def amount_in(balances: Mapping[str, int], stream: str) -> int | None:
    """Return the cents in the ledger account of a meter or a player."""
    family, _, name = stream.partition("/")
    account = {"meter": ledger.meter_account, "player": ledger.player_account}.get(family)
    return None if account is None else balances.get(account(name), 0) // UNITS_PER_CENT


def is_behind(reading: ReadTransaction, restores: Sequence[str], seen: WatermarkState) -> bool:
    """Say whether a database is older than the recorded state, or differs from it.

    A state recorded before the newest restore does not count: that restore made it safe.
    """
    if seen.restore != (restores[-1] if restores else ""):
        return bool(seen.restore) and seen.restore not in restores
    heads = reading.streams()
    return not all(_has_event(reading, heads.get(stream), mark) for stream, mark in seen.marks.items())


def _has_event(reading: ReadTransaction, head: StreamHead | None, mark: StreamMark) -> bool:
    """Say whether a stream has the last recorded event."""
    if head is None or head.sequence < mark.sequence:
        return False
    if head.sequence == mark.sequence:
        return head.hash.hex() == mark.hash
    record = next(reading.stored_records(mark.stream, mark.sequence - 1), None)
    return record is not None and record.hash.hex() == mark.hash


COUNTED_KINDS = {"award_logged": "wins", "money_deposited": "deposits", "money_withdrawn": "withdrawals"}
"""Event kinds of meters and players that an operator must make good, and the name of their count."""
COUNTED = (*COUNTED_KINDS.values(), "counts")


class _KnownHead(msgspec.Struct, frozen=True):
    """What one source says about a stream."""

    sequence: int
    figures: StreamFigures | None = None
    cents: int | None = None


def figures_of(reading: ReadTransaction) -> tuple[StreamFigures, ...]:
    """Return, by stream, what an operator would have to make good if it were lost."""
    counted: defaultdict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTED, 0))
    balances, streams = reading.balances(), reading.streams()
    for stream in (*reading.streams_of("meter"), *reading.streams_of("player")):
        for record in reading.events(stream):
            if record.kind in COUNTED_KINDS:
                counted[stream][COUNTED_KINDS[record.kind]] += 1
    for hour in reading.table_hours():  # the events of tables are too many
        counts = decode_hour(hour)[0].counts
        if counts and hour.stream in streams:
            counted[hour.stream]["counts"] += len(counts)
    amounts = {stream: amount_in(balances, stream) for stream in streams}
    told = sorted(stream for stream in streams if stream in counted or amounts[stream] is not None)
    return tuple(StreamFigures(stream, **counted[stream], cents=amounts[stream]) for stream in told)


def gap_of(
    reading: ReadTransaction, seen: WatermarkState | None, anchors: Iterable[Anchor]
) -> tuple[LostEvents, ...]:
    """Return the events known to be missing from a state, by stream, from the newest source of each."""
    heads = {stream: head.sequence for stream, head in reading.streams().items()}
    newest = {stream: known for stream, known in _newest(seen, anchors).items() if stream != HOUSE}
    behind = sorted(stream for stream, known in newest.items() if known.sequence > heads.get(stream, 0))
    if not behind:
        return ()
    here = {figures.stream: figures for figures in figures_of(reading)}
    return tuple(_lost(stream, heads.get(stream, 0), newest[stream], here.get(stream)) for stream in behind)


def _newest(seen: WatermarkState | None, anchors: Iterable[Anchor]) -> Mapping[str, _KnownHead]:
    """Return the newest source for each stream; at the same event an anchor says more."""
    found: dict[str, _KnownHead] = {}
    if seen is not None:
        found = {mark.stream: _KnownHead(mark.sequence, cents=mark.cents) for mark in seen.marks.values()}
    for anchor in anchors:
        figures = {each.stream: each for each in anchor.figures}
        for head in anchor.heads:
            known, told = found.get(head.stream), figures.get(head.stream)
            if known is None or known.sequence < head.sequence or (told and known.sequence == head.sequence):
                found[head.stream] = _KnownHead(head.sequence, told, None if told is None else told.cents)
    return found


def _lost(stream: str, sequence: int, known: _KnownHead, here: StreamFigures | None) -> LostEvents:
    before, after = here or StreamFigures(stream), known.figures
    lost = {name: getattr(after, name) - getattr(before, name) for name in COUNTED} if after else {}
    return LostEvents(stream, known.sequence - sequence, **lost, cents=before.cents, seen=known.cents)


def describe_gap(lost: Sequence[LostEvents]) -> list[str]:
    """Return one line for each stream that lost events."""
    return [_describe_lost(each) for each in lost]


def _describe_lost(each: LostEvents) -> str:
    numbers = {name: getattr(each, name) for name in COUNTED}
    told = [f"{number} {name}" for name, number in numbers.items() if number]
    if each.seen is not None:
        told.append(f"last seen with {dollars(each.seen)}, here {dollars(each.cents or 0)}")
    events = "1 event" if each.events == 1 else f"{each.events:,} events"
    return f"{each.stream}: {events} lost" + (f" ({'; '.join(told)})" if told else "")


RESTORED = "house_restored"
"""The kind of event that records a recovery."""
ID_BYTES = 8
LOCKED_FAMILIES = ("meter/", "player/", "table/")
"""The streams to lock, all at once and in order."""


class RestoreEvidence(msgspec.Struct, frozen=True):
    """Why a house recovers, and what is known of the lost state."""

    cause: RestoreCause
    seen: WatermarkState | None = None
    anchors: tuple[Anchor, ...] = ()


def restores_of(reading: ReadTransaction) -> tuple[HouseRestored, ...]:
    """Return every recovery of a house."""
    records = (record for record in reading.events(HOUSE) if record.kind == RESTORED)
    return tuple(codec_of(HOUSE).decode(record) for record in records)


def restore_ids(reading: ReadTransaction) -> tuple[str, ...]:
    """Return the ids of all recoveries, the newest last."""
    return tuple(event.id for event in restores_of(reading))


def last_seen(reading: ReadTransaction, restore: int) -> dict[str, int]:
    """Return, by stream, the cents on meters and accounts before a restore, if known."""
    lost = (each for event in restores_of(reading) if event.restore == restore for each in event.lost)
    return {each.stream: each.seen for each in lost if each.seen is not None}


def close_restored(games: GameLookup, table: HouseTable, restore: int, at: int) -> Decision:
    """Return how a table ends: the round void, everybody cashed out, and the table closed."""
    events: list[Any] = [TableRestored(restore)]
    if table.state.round is not None:
        events.append(void_event(table.state.round, ("P38",), ("void", "return-wagers")))
    if table.state.phase != "closed":
        events.append(TableClosed(at))
    closed = with_departures(games, table, Decision(events))
    assert isinstance(closed, Decision)
    return closed


def recover(
    writing: WriteTransaction, evidence: RestoreEvidence, entropy: Entropy, now: int
) -> HouseRestored:
    """Make a house safe that continues from an older state; the caller commits the transaction."""
    return _Recovery(writing, entropy, now).run(evidence)


class _Recovery:
    """One recovery under way."""

    def __init__(self, writing: WriteTransaction, entropy: Entropy, now: int) -> None:
        self.writing, self.now = writing, now
        self.head = writing.lock_exclusive([HOUSE])[HOUSE]
        self.cache = StateCache(entropy)
        self.cache.use_reader(writing)
        self.work = UnitOfWork(self.cache, writing)
        self.restore, self.id = len(restore_ids(writing)) + 1, entropy.draw(ID_BYTES).hex()
        self.voided: list[tuple[str, int]] = []
        self.unreadable: list[str] = []
        self.signed_out = 0

    def run(self, evidence: RestoreEvidence) -> HouseRestored:
        lost = gap_of(self.writing, evidence.seen, evidence.anchors)
        heads = self.writing.lock_exclusive(
            name for name in self.writing.streams() if name.startswith(LOCKED_FAMILIES)
        )
        self._read({name: head for name, head in heads.items() if not name.startswith("player/")})
        self._read({name: heads[name] for name in self._accounts() if name in heads})
        for stream in sorted(self.cache.states):
            self._recover(stream, self.cache.states[stream])
        self._end_all_sign_ins()
        event = self._event(evidence.cause, lost)
        if SECURITY in self.cache.states:
            self.work.add(SECURITY, SecurityNoted(HOUSE, evidence.cause, _describe_restore(event)))
        self.work.write()
        self.writing.append([house_record(self.head, event, self.now)])
        return event

    def _read(self, heads: Mapping[str, StreamHead]) -> None:
        """Read streams; an unreadable stream takes no commands, so its secrets are never used."""
        for stream, head in heads.items():
            try:
                self.cache.catch_up(stream, head)
            except (BrokenStreamError, UnreadableEventError):
                self.cache.forget([stream])
                self.unreadable.append(stream)

    def _end_all_sign_ins(self) -> None:
        """End every sign-in; with an unreadable security stream nobody signs in until an audit."""
        self._read(self.writing.lock_exclusive([SECURITY]))
        self.work.begin_by_house(self.now)
        tokens = self.cache.security().tokens.values()
        self.signed_out = len(tokens)
        for kind, person in sorted({(each.kind, each.person) for each in tokens}):
            self.work.add(SECURITY, SignInsEnded(kind, person))
            self.writing.announce_sign_out(kind, person)

    def _accounts(self) -> set[str]:
        """Return the accounts of everybody with chips at a table."""
        tables = [states for states in self.cache.states.values() if isinstance(states, HouseTable)]
        rounds = [table.state.round for table in tables if table.state.round is not None]
        holders = {player for table in tables for player in table.chip_holders}
        playing = {
            place.player
            for current_round in rounds
            for place in current_round.positions.values()
            if place.player
        }
        return {*map(player_stream, holders | playing)}

    def _recover(self, stream: str, table: object) -> None:
        if isinstance(table, MeterState):
            self.work.begin_by_house(self.now)
            self.work.add(stream, MeterRestored(self.restore))
        elif isinstance(table, HouseTable):
            at = max(self.now, table.state.at)
            self.work.begin_by_house(at)
            self._close(table, at)
            self._retire(table.name)

    def _close(self, table: HouseTable, at: int) -> None:
        """Void the round under way, cash everybody out and close the table; the meter reverses its part."""
        closed = close_restored(self.cache.game, table, self.restore, at)
        if any(stream not in self.cache.states for stream, _ in closed.other_events):
            # Chips stay at the table if their account is unreadable.
            closed = Decision([event for event in closed.events if not isinstance(event, CashedOut)])
        followed = (
            meter_reactions(self.cache.meter(table.meter), table, closed.events, at) if table.meter else ()
        )
        for event in closed.events:
            self.work.add(table_stream(table.name), event)
            if isinstance(event, RoundVoided):
                self.voided.append((table.name, table.state.round_number))
        for stream, event in (*closed.other_events, *followed):
            self.work.add(stream, event)

    def _retire(self, table: str) -> None:
        """Reveal every secret of a table; instead of one for the next shuffle, commit to a new one."""
        stream, house_table = table_stream(table), self.cache.table(table)
        for number in spent_shuffles(house_table):
            self._reveal(house_table, number)
        if not house_table.commitment:
            return
        self._reveal(house_table, house_table.shuffle_number)
        commitment, secret = commit_event(self.cache, house_table)
        self.work.add_secrets_and_games(Decision([commitment], secrets=[secret]))
        self.work.add(stream, commitment)

    def _reveal(self, table: HouseTable, number: int) -> None:
        """Reveal a secret; a missing secret is never used either, and the audit reports it."""
        try:
            event = SecretRevealed(number, self.cache.secret(table_stream(table.name), number).hex())
        except BrokenStreamError:
            return
        self.work.add(table_stream(table.name), event)
        self.work.delete_secret(table_stream(table.name), number)

    def _event(self, cause: RestoreCause, lost: tuple[LostEvents, ...]) -> HouseRestored:
        return HouseRestored(
            restore=self.restore,
            id=self.id,
            cause=cause,
            voided=tuple(self.voided),
            signed_out=self.signed_out,
            lost=lost,
            unreadable=tuple(self.unreadable),
        )


def _describe_restore(event: HouseRestored) -> str:
    lost = sum(each.events for each in event.lost)
    rounds = f"{len(event.voided)} rounds void, {event.signed_out} sign-ins ended"
    return f"restore {event.restore}: {rounds}, {lost} events known to be lost"


def note_state(watermark: Watermark, reading: ReadTransaction, seen: WatermarkState | None) -> None:
    """Bring a watermark up to the state of a database, by a few lines or as a whole."""
    ids, marks = restore_ids(reading), marks_of(reading)
    newest = ids[-1] if ids else ""
    if seen is None or seen.restore != newest or not seen.signed:
        watermark.write(WatermarkState(newest, marks))
        return
    watermark.add(
        mark
        for stream, mark in marks.items()
        if stream not in seen.marks or seen.marks[stream].sequence != mark.sequence
    )

"""Journal: hash-chained records, and the codecs of their events and commands.

A stored record holds the events of one command, or of several commands that were committed together in order,
each with its command. Readers get one record per event. Records of 0.1 hold one event each, and events of
older versions are upgraded when read.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, Generic, TypeVar, get_args

import msgspec
from msgspec.structs import fields, replace

from fourcard.house.commands import HouseTableCommand, MeterCommand, PlayerCommand, StaffCommand
from fourcard.house.events import (
    HouseEvent,
    HouseTableEvent,
    MeterEvent,
    PlayerEvent,
    SecurityEvent,
    StaffEvent,
)
from fourcard.progressive.console import ConsoleCommand, ConsoleEvent
from fourcard.refusals import BadInputError
from fourcard.round.events import Event
from fourcard.rules.safe_convert import safe_convert
from fourcard.table.commands import TableCommand
from fourcard.table.events import TableEvent

GENESIS = bytes(32)
"""The hash before the first event of a stream."""


RECORD_KIND = "commands"
"""The kind of a stored record with the events of one command or more; any other kind is that of its event."""
SEALED_KIND = "sealed"
"""The kind of a stored record that nobody can read before the secret of its shuffle is revealed."""


class JournalRecord(msgspec.Struct, frozen=True, gc=False):
    """One event, or one stored record of several; the fields are in the order of the columns."""

    stream: str
    sequence: int
    """Its position in the stream, from 1 without a gap; of a stored record, that of its last event."""
    command_sequence: int
    """The sequence of the first event of the same command; of a stored record, of its first command."""
    kind: str
    version: int
    at: int
    """Milliseconds since the epoch."""
    by: str
    role: str
    key: str
    """The command's idempotency key, on its first event; otherwise empty."""
    digest: str
    """The SHA-256 of a command with a key, in records of 0.1, which do not hold the command; else empty."""
    game: str
    """The hash of the pinned game, in records of 0.1; else empty."""
    body: bytes
    """The event in JSON; of a stored record, its commands and events."""
    hash: bytes = b""
    """SHA-256 over the hash of the stored record before it and all other fields of the stored record."""
    command: bytes | None = None
    """The command in JSON, on its first event, without the fields that this event repeats."""

    @property
    def first_sequence(self) -> int:
        """Return the sequence of the first event."""
        return self.command_sequence if self.kind in (RECORD_KIND, SEALED_KIND) else self.sequence


class StreamHead(msgspec.Struct, frozen=True, gc=False):
    """The head of a stream: its last sequence and hash."""

    sequence: int = 0
    hash: bytes = GENESIS


_encoder = msgspec.json.Encoder()


def chain_hash(before: bytes, record: JournalRecord) -> bytes:
    """Return the hash that chains a record to the one before it.

    It is the SHA-256 of the previous hash, the fields up to the game as a JSON list, command and body.
    """
    r = record
    envelope = (
        r.stream, r.sequence, r.command_sequence, r.kind, r.version, r.at, r.by, r.role, r.key, r.digest,
        r.game,
    )  # fmt: skip
    return sha256(before + _encoder.encode(envelope) + (r.command or b"") + r.body).digest()


E = TypeVar("E")
PlainEvent = dict[str, Any]
Upgrade = Callable[[PlainEvent], PlainEvent]
"""Upgrades an event in plain data to the next version."""


class UnreadableEventError(BadInputError):
    """An event of the journal that this program cannot read."""


_DECODING_ERRORS = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What can be raised by stored bytes that are not what they should be."""


class EventCodec(Generic[E]):
    """Encodes and decodes the events of one stream family."""

    def __init__(
        self,
        events: Any,
        versions: Mapping[str, int] | None = None,
        lifts: Mapping[tuple[str, int], Upgrade] | None = None,
    ) -> None:
        """Take a union of events, versions above 1, and the upgrade from each older version."""
        self.versions, self.upgrades = dict(versions or {}), dict(lifts or {})
        self.encode: Callable[[object], bytes] = msgspec.json.Encoder().encode
        """Returns an event in JSON."""
        self._decoder: msgspec.json.Decoder[E] = msgspec.json.Decoder(events)
        self._events = events
        self._kinds: dict[type, tuple[str, int]] = {}

    def kind_of(self, event: object) -> tuple[str, int]:
        """Return the name and the current version of an event."""
        known = self._kinds.get(type(event))
        if known is None:
            assert isinstance(event, Event)
            kind = str(type(event).__struct_config__.tag)
            known = self._kinds[type(event)] = (kind, self.versions.get(kind, 1))
        return known

    def decode(self, record: JournalRecord) -> E:
        """Return the event of a record, upgraded to its current version."""
        wanted = self.versions.get(record.kind, 1)
        try:
            if record.version == wanted:
                return self._decoder.decode(record.body)
            if 1 <= record.version < wanted:
                return self._upgraded(record, wanted)
        except _DECODING_ERRORS as error:
            raise _unreadable(record, str(error)) from None
        raise _unreadable(record, f"version {record.version} is not known here")

    def _upgraded(self, record: JournalRecord, wanted: int) -> E:
        plain: PlainEvent = msgspec.json.decode(record.body)
        for version in range(record.version, wanted):
            plain = self.upgrades[record.kind, version](plain)
        found: E = safe_convert(plain, self._events)
        return found


def _unreadable(record: JournalRecord, reason: str) -> UnreadableEventError:
    place = f"{record.stream}, event {record.sequence} ({record.kind})"
    return UnreadableEventError(f"{place} cannot be read: {reason}.")


RECORD_VERSION, SALTED_VERSION = 1, 2
SALT_BYTES = 16


def pack_events(events: Sequence[JournalRecord], salt: str = "") -> JournalRecord:
    """Return the events of one stream and one commit as a stored record, without its hash.

    Its body is a list of commands, each ``[events, command]``; a command is null where the events follow
    from a command in another stream. ``[by, role]`` comes third where the author is not the record's, and the
    versions of the events fourth where one is above 1. In a salted record, version 2, the salt comes before
    the commands: the hash of a record that was sealed could otherwise be compared with guesses at its cards.
    """
    first, last = events[0], events[-1]
    commands = list[list[JournalRecord]]()
    begun: int | None = None
    for event in events:
        if event.command_sequence != begun:
            begun = event.command_sequence
            commands.append([])
        commands[-1].append(event)
    author = (first.by, first.role)
    packed = [_pack_command(each, author) for each in commands]
    version = RECORD_VERSION
    if salt:
        packed, version = [_encoder.encode(salt), *packed], SALTED_VERSION
    return JournalRecord(
        first.stream, last.sequence, first.sequence, RECORD_KIND, version, first.at, *author, first.key, "",
        "", b"[%b]" % b",".join(packed),
    )  # fmt: skip


def _pack_command(events: Sequence[JournalRecord], author: tuple[str, str]) -> bytes:
    first = events[0]
    packed = b"[[%b],%b" % (b",".join([each.body for each in events]), first.command or b"null")
    own, versions = (first.by, first.role), [each.version for each in events]
    if max(versions) > 1:
        by = b"null" if own == author else _encoder.encode(own)
        return b"%b,%b,%b]" % (packed, by, _encoder.encode(versions))
    return packed + b"]" if own == author else b"%b,%b]" % (packed, _encoder.encode(own))


class _EventKind(msgspec.Struct):
    kind: str


_record_decoder = msgspec.json.Decoder(list[list[msgspec.Raw]])
_salted_decoder = msgspec.json.Decoder(list[list[msgspec.Raw] | str])
_events_decoder = msgspec.json.Decoder(list[msgspec.Raw])
_kind_decoder = msgspec.json.Decoder(_EventKind)
_author_decoder = msgspec.json.Decoder(tuple[str, str] | None)
_versions_decoder = msgspec.json.Decoder(list[int])


def unpack_events(record: JournalRecord) -> list[JournalRecord]:
    """Return the events of a stored record, each with the hash of the record."""
    if record.kind != RECORD_KIND:
        return [record]
    if record.version not in (RECORD_VERSION, SALTED_VERSION):
        raise _unreadable(record, f"version {record.version} is not known here")
    try:
        found = [*_unpacked(record)]
    except (*_DECODING_ERRORS, ValueError) as error:
        raise _unreadable(record, str(error)) from None
    if not found or found[-1].sequence != record.sequence:
        count = record.sequence - record.command_sequence + 1
        raise _unreadable(record, f"it has {len(found)} events, not {count}")
    return found


def salt_of(record: JournalRecord) -> str:
    """Return the salt of a readable stored record; empty if it has none."""
    salt = _salted_decoder.decode(record.body)[0] if record.version == SALTED_VERSION else ""
    return salt if isinstance(salt, str) else ""


def _packed_commands(record: JournalRecord) -> list[list[msgspec.Raw]]:
    if record.version == RECORD_VERSION:
        return _record_decoder.decode(record.body)
    return [each for each in _salted_decoder.decode(record.body)[1:] if not isinstance(each, str)]


def _unpacked(record: JournalRecord) -> Iterator[JournalRecord]:
    r, sequence, key = record, record.command_sequence, record.key
    for bodies, command, *others in _packed_commands(record):
        events, began = _events_decoder.decode(bodies), sequence
        if not events or len(others) > 2:
            raise ValueError("a command has no events, or more than four parts")
        by, role = (_author_decoder.decode(others[0]) if others else None) or (r.by, r.role)
        versions = _versions_decoder.decode(others[1]) if len(others) > 1 else [1] * len(events)
        given = bytes(command) if bytes(command) != b"null" else None
        for body, version in zip(events, versions, strict=True):
            kind = _kind_decoder.decode(body).kind
            if kind in (RECORD_KIND, SEALED_KIND):
                raise ValueError("a record cannot hold another")
            yield JournalRecord(
                r.stream, sequence, began, kind, version, r.at, by, role, key, "", "", bytes(body), r.hash,
                given,
            )  # fmt: skip
            sequence, key, given = sequence + 1, "", None


def events_after(records: Iterable[JournalRecord], after: int) -> Iterator[JournalRecord]:
    """Yield the events of stored records after a sequence, up to the first that is still sealed."""
    for record in records:
        if record.kind == SEALED_KIND:
            return
        if record.kind != RECORD_KIND:
            yield record
        else:
            yield from (event for event in unpack_events(record) if event.sequence > after)


TABLE_CODEC: EventCodec[TableEvent | HouseTableEvent | ConsoleEvent] = EventCodec(
    TableEvent | HouseTableEvent | ConsoleEvent
)
METER_CODEC: EventCodec[MeterEvent] = EventCodec(MeterEvent)
PLAYER_CODEC: EventCodec[PlayerEvent] = EventCodec(PlayerEvent)
STAFF_CODEC: EventCodec[StaffEvent] = EventCodec(StaffEvent)
HOUSE_CODEC: EventCodec[HouseEvent] = EventCodec(HouseEvent)
SECURITY_CODEC: EventCodec[SecurityEvent] = EventCodec(SecurityEvent)
CODECS: dict[str, EventCodec[Any]] = {
    "table": TABLE_CODEC,
    "meter": METER_CODEC,
    "player": PLAYER_CODEC,
    "staff": STAFF_CODEC,
    "house": HOUSE_CODEC,
    "security": SECURITY_CODEC,
}
"""By stream family; a stream is named ``family/name``."""


def house_record(head: StreamHead, event: HouseEvent, at: int) -> JournalRecord:
    """Return an event of the house's own stream as a record, chained to a head."""
    kind, version = HOUSE_CODEC.kind_of(event)
    sequence, body = head.sequence + 1, HOUSE_CODEC.encode(event)
    author = ("house", "house")
    event_record = JournalRecord("house", sequence, sequence, kind, version, at, *author, "", "", "", body)
    record = pack_events([event_record])
    return replace(record, hash=chain_hash(head.hash, record))


@lru_cache(maxsize=65_536)
def codec_of(stream: str) -> EventCodec[Any]:
    """Return the codec of a stream."""
    family = stream.partition("/")[0]
    if family not in CODECS:
        raise UnreadableEventError(f"There is no family of streams for '{stream}'.")
    return CODECS[family]


COMMANDS: dict[str, Any] = {
    "table": TableCommand | ConsoleCommand | HouseTableCommand,
    "meter": MeterCommand,
    "player": PlayerCommand,
    "staff": StaffCommand,
}
"""By stream family, the commands that it takes."""
ENVELOPE = frozenset(("by", "role", "at", "key"))
"""Fields of a command that are columns of its record."""


@cache
def _stored_fields(command: Any, event: Any) -> tuple[bytes, str, tuple[tuple[str, bool, object], ...]]:
    """Return how a command is stored: its JSON without fields, its kind, and what it has of each field.

    That is the name, whether the event has a field of that name, and the default.
    """
    kind, repeated = str(command.__struct_config__.tag), set(event.__struct_fields__)
    described = tuple(
        (each.name, each.name in repeated, each.default)
        for each in fields(command)
        if each.name not in ENVELOPE
    )
    return _encoder.encode({"kind": kind}), kind, described


def encode_command(command: Any, event: Any) -> bytes:
    """Return a command in JSON, without its envelope and without what its first event repeats."""
    bare, kind, described = _stored_fields(command.__class__, event.__class__)
    own = {
        name: value
        for name, repeated, default in described
        if (value := getattr(command, name)) != (getattr(event, name) if repeated else default)
    }
    return _encoder.encode({"kind": kind, **own}) if own else bare


def decode_command(record: JournalRecord, event: Any) -> Any:
    """Return the command of its first record, completed from the envelope and the event."""
    try:
        plain: dict[str, Any] = msgspec.json.decode(record.command or b"")
        command = _command_type(record.stream, str(plain["kind"]))
        for name, repeated, _ in _stored_fields(command, event.__class__)[2]:
            if repeated and name not in plain:
                plain[name] = msgspec.to_builtins(getattr(event, name), str_keys=True)
        envelope = {"by": record.by, "role": record.role, "at": record.at, "key": record.key}
        return safe_convert({**plain, **envelope}, command, str_keys=True)
    except (*_DECODING_ERRORS, KeyError, TypeError) as error:
        raise _unreadable(record, f"its command: {error}") from None


@cache
def _commands_by_kind(family: str) -> dict[str, type]:
    return {str(each.__struct_config__.tag): each for each in get_args(COMMANDS[family])}


def _command_type(stream: str, kind: str) -> type:
    return _commands_by_kind(stream.partition("/")[0])[kind]

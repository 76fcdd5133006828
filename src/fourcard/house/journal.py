"""Journal codec: events with stable names and versions; older versions are upgraded when read."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from fourcard.errors import BadInputError
from fourcard.house.events import HouseEvent, PlayerEvent, StaffEvent, TableDeskEvent
from fourcard.house.meter_events import MeterEvent
from fourcard.house.records import Head, Recorded, link
from fourcard.progressive.events import ConsoleEvent
from fourcard.round.events import Event
from fourcard.table.events import TableEvent

E = TypeVar("E")
Plain = dict[str, Any]
Lift = Callable[[Plain], Plain]
"""Upgrades an event in plain data to the next version."""


class UnreadableEventError(BadInputError):
    """An event of the journal that this program cannot read."""


class Codec(Generic[E]):
    """Encodes and decodes the events of one stream family."""

    def __init__(
        self,
        events: Any,
        versions: Mapping[str, int] | None = None,
        lifts: Mapping[tuple[str, int], Lift] | None = None,
    ) -> None:
        """Take a union of events, versions above 1, and the upgrade from each older version."""
        self.versions, self.lifts = dict(versions or {}), dict(lifts or {})
        self._encoder = msgspec.json.Encoder()
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

    def encode(self, event: object) -> bytes:
        """Return an event in JSON."""
        return self._encoder.encode(event)

    def decode(self, record: Recorded) -> E:
        """Return the event of a record, upgraded to its current version."""
        wanted = self.versions.get(record.kind, 1)
        try:
            if record.version == wanted:
                return self._decoder.decode(record.body)
            if 1 <= record.version < wanted:
                return self._lifted(record, wanted)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise _unreadable(record, str(error)) from None
        raise _unreadable(record, f"version {record.version} is not known here")

    def _lifted(self, record: Recorded, wanted: int) -> E:
        plain: Plain = msgspec.json.decode(record.body)
        for version in range(record.version, wanted):
            plain = self.lifts[record.kind, version](plain)
        found: E = msgspec.convert(plain, self._events)
        return found


def _unreadable(record: Recorded, reason: str) -> UnreadableEventError:
    place = f"{record.stream}, event {record.sequence} ({record.kind})"
    return UnreadableEventError(f"{place} cannot be read: {reason}.")


TABLES: Codec[TableEvent | TableDeskEvent | ConsoleEvent] = Codec(TableEvent | TableDeskEvent | ConsoleEvent)
METERS: Codec[MeterEvent] = Codec(MeterEvent)
PLAYERS: Codec[PlayerEvent] = Codec(PlayerEvent)
STAFF: Codec[StaffEvent] = Codec(StaffEvent)
HOUSE: Codec[HouseEvent] = Codec(HouseEvent)
FAMILIES: dict[str, Codec[Any]] = {
    "table": TABLES,
    "meter": METERS,
    "player": PLAYERS,
    "staff": STAFF,
    "house": HOUSE,
}
"""By stream family; a stream is named ``family/name``."""


def house_record(head: Head, event: HouseEvent, at: int) -> Recorded:
    """Return an event of the house's own stream as a record, chained to a head."""
    kind, version = HOUSE.kind_of(event)
    sequence, body = head.sequence + 1, HOUSE.encode(event)
    author = ("house", "house")
    record = Recorded("house", sequence, sequence, kind, version, at, *author, "", "", "", body)
    return replace(record, hash=link(head.hash, record))


@lru_cache(maxsize=65_536)
def codec_of(stream: str) -> Codec[Any]:
    """Return the codec of a stream."""
    family = stream.partition("/")[0]
    if family not in FAMILIES:
        raise UnreadableEventError(f"There is no family of streams for '{stream}'.")
    return FAMILIES[family]

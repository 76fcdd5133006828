"""Event scan: reads the streams of meters and tables event by event, with progress and period filters."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from fourcard.house.journal import JournalRecord, codec_of
from fourcard.house.reports.formats import parse_time
from fourcard.house.store.interface import ReadTransaction
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, RefusedError, refuse

Progress = Callable[[int, int], None]
"""Callback with the number of events done and the total."""
PROGRESS_INTERVAL = 1_000


class Period(msgspec.Struct, frozen=True):
    """A period from one time to just before another; an end that is None is open."""

    since: int | None = None
    until: int | None = None

    def __contains__(self, at: int) -> bool:
        """Return whether a time is within the period."""
        return (self.since is None or at >= self.since) and (self.until is None or at < self.until)


def parse_period(since: str | None, until: str | None) -> Period:
    """Parse a period from two texts; refuse one that ends before it starts."""
    first, end = (None if text is None else parse_time(text) for text in (since, until))
    if first is not None and end is not None and first > end:
        raise BadInputError(f"The period ends at {until}, before it starts at {since}.")
    return Period(first, end)


def meter_names(reading: ReadTransaction, only: str | None = None) -> tuple[str, ...]:
    """Return the meters of a house, or one of them; refuse an unknown one."""
    found = _stream_names(reading, "meter")
    if only is not None and only not in found:
        raise RefusedError(refuse(Code.NO_SUCH_METER, meter=only))
    return found if only is None else (only,)


def table_names(reading: ReadTransaction, only: str | None = None) -> tuple[str, ...]:
    """Return the tables of a house, or one of them; refuse an unknown one."""
    found = _stream_names(reading, "table")
    if only is not None and only not in found:
        raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=only))
    return found if only is None else (only,)


def _stream_names(reading: ReadTransaction, family: str) -> tuple[str, ...]:
    return tuple(sorted(each.partition("/")[2] for each in reading.streams_of(family)))


def scan_events(
    reading: ReadTransaction,
    streams: Iterable[str],
    kinds: Collection[str] | None = None,
    progress: Progress | None = None,
    after: Mapping[str, int] = MappingProxyType({}),
) -> Iterator[tuple[JournalRecord, Any]]:
    """Yield the events of streams, optionally of some kinds only, one stream after the other.

    ``after`` are the sequences up to which some streams are known already.
    """
    names = [*streams]
    heads, done = reading.streams(names), 0
    total = sum(head.sequence - after.get(name, 0) for name, head in heads.items())
    for name in names:
        codec = codec_of(name)
        for record in reading.events(name, after.get(name, 0)):
            done += 1
            if progress is not None and done % PROGRESS_INTERVAL == 0:
                progress(done, total)
            if kinds is None or record.kind in kinds:
                yield record, codec.decode(record)

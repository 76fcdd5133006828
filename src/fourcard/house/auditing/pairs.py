"""Cross-stream pairs: chips against player accounts, and rounds against meters.

Meters and accounts are read before tables. Their events about a table wait here, in order, for the table's
own event; an event that no table event claims was inserted.
"""

from collections import deque
from collections.abc import Callable
from itertools import islice

import msgspec

from fourcard.errors import BadInputError
from fourcard.house.auditing.report import Findings, Place
from fourcard.house.auditing.wording import difference
from fourcard.house.meter_book import MeterBook
from fourcard.house.records import Recorded

REACH = 8
"""How many waiting events are searched for a counterpart, so that an inserted one hides no other."""
Sign = tuple[str, int]
"""The key of a counterpart: its kind, and the round or the time."""


class Waiting(msgspec.Struct, frozen=True):
    """An event of a meter or an account that waits for the table's event."""

    record: Recorded
    event: object
    sign: Sign
    before: MeterBook | None = None
    """The meter as it was before the event."""

    @property
    def place(self) -> Place:
        """Return its place."""
        return Place("events", self.record.stream, self.record.sequence)


class Pairs:
    """The events that wait for their counterpart."""

    def __init__(self, findings: Findings) -> None:
        """Start without waiting events."""
        self.findings, self.count = findings, 0
        self._waiting: dict[tuple[str, str], deque[Waiting]] = {}

    def keep(self, table: str, waiting: Waiting) -> None:
        """Add an event that waits for its counterpart at a table."""
        self._waiting.setdefault((waiting.record.stream, table), deque()).append(waiting)

    def next(self, stream: str, table: str) -> Waiting | None:
        """Return the next waiting event of a stream about a table."""
        queue = self._waiting.get((stream, table))
        return queue[0] if queue else None

    def match(
        self, stream: str, table: str, record: Recorded, sign: Sign, right: Callable[[Waiting], object]
    ) -> Waiting | None:
        """Return the counterpart of a table's event, and report it where it is not as expected."""
        found = self._found(stream, table, sign)
        if found is None:
            sentence = f"It has no {sign[0]} for event {record.sequence} of {record.stream}."
            self.findings.add(Place("events", stream), "missing", sentence)
            return None
        self.count += 1
        wanted, theirs = _wanted(right, found), found.record
        if found.event != wanted:
            other = f"It does not match event {record.sequence} of {record.stream}."
            self.findings.add(found.place, "pair", f"{other} {difference(found.event, wanted)}")
        elif (theirs.at, theirs.by, theirs.role) != (record.at, record.by, record.role):
            sentence = f"It does not belong to the command of event {record.sequence} of {record.stream}."
            self.findings.add(found.place, "pair", sentence)
        return found

    def _found(self, stream: str, table: str, sign: Sign) -> Waiting | None:
        """Return the next event with a key; the events before it are reported as inserted."""
        queue = self._waiting.get((stream, table), deque())
        for skipped, waiting in enumerate(islice(queue, REACH)):
            if waiting.sign == sign:
                for _ in range(skipped):
                    self._inserted(queue.popleft())
                return queue.popleft()
        return None

    def forget(self, table: str) -> None:
        """Drop the events that wait for a table which cannot be replayed."""
        for place in [place for place in self._waiting if place[1] == table]:
            del self._waiting[place]

    def end(self) -> None:
        """Report the events that no table event claimed."""
        for queue in self._waiting.values():
            for waiting in queue:
                self._inserted(waiting)

    def _inserted(self, waiting: Waiting) -> None:
        sentence = f"No event of a table leads to this {waiting.record.kind}."
        self.findings.add(waiting.place, "inserted", sentence)


def _wanted(right: Callable[[Waiting], object], found: Waiting) -> object:
    """Return the expected event, or the error text where an altered amount is impossible for a meter."""
    try:
        return right(found)
    except BadInputError as error:
        return str(error)

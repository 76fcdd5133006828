"""Events that two streams have in common: chips against accounts, and rounds against meters.

Meters and accounts are read before tables. What they say of a table waits here, in its order, until the
table's own event is reached; what nobody comes for was put in.
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
"""How many events further on a counterpart is looked for, so that one that was put in hides no other."""
Sign = tuple[str, int]
"""By what a counterpart is known: its kind, and the round or the moment."""


class Waiting(msgspec.Struct, frozen=True):
    """An event of a meter or an account that waits for the table's own."""

    record: Recorded
    event: object
    sign: Sign
    before: MeterBook | None = None
    """The meter as it was before the event."""

    @property
    def place(self) -> Place:
        """Return where it stands."""
        return Place("events", self.record.stream, self.record.sequence)


class Pairs:
    """Everything that waits for its counterpart."""

    def __init__(self, findings: Findings) -> None:
        """Begin with nothing."""
        self.findings, self.count = findings, 0
        self._waiting: dict[tuple[str, str], deque[Waiting]] = {}

    def keep(self, table: str, waiting: Waiting) -> None:
        """Let an event wait for its counterpart at a table."""
        self._waiting.setdefault((waiting.record.stream, table), deque()).append(waiting)

    def next(self, stream: str, table: str) -> Waiting | None:
        """Return what a stream says of a table next."""
        queue = self._waiting.get((stream, table))
        return queue[0] if queue else None

    def match(
        self, stream: str, table: str, record: Recorded, sign: Sign, right: Callable[[Waiting], object]
    ) -> Waiting | None:
        """Return the counterpart of a table's event, having held it against what it must be."""
        found = self._found(stream, table, sign)
        if found is None:
            sentence = f"It has no {sign[0]} for event {record.sequence} of {record.stream}."
            self.findings.add(Place("events", stream), "missing", sentence)
            return None
        self.count += 1
        wanted, theirs = _wanted(right, found), found.record
        if found.event != wanted:
            other = f"It does not fit event {record.sequence} of {record.stream}."
            self.findings.add(found.place, "pair", f"{other} {difference(found.event, wanted)}")
        elif (theirs.at, theirs.by, theirs.role) != (record.at, record.by, record.role):
            sentence = f"It is not of one command with event {record.sequence} of {record.stream}."
            self.findings.add(found.place, "pair", sentence)
        return found

    def _found(self, stream: str, table: str, sign: Sign) -> Waiting | None:
        """Return the next event with a sign; those that are passed over nobody comes for."""
        queue = self._waiting.get((stream, table), deque())
        for skipped, waiting in enumerate(islice(queue, REACH)):
            if waiting.sign == sign:
                for _ in range(skipped):
                    self._inserted(queue.popleft())
                return queue.popleft()
        return None

    def forget(self, table: str) -> None:
        """Let everything go that waits for a table which cannot be replayed."""
        for place in [place for place in self._waiting if place[1] == table]:
            del self._waiting[place]

    def end(self) -> None:
        """Note what nobody came for."""
        for queue in self._waiting.values():
            for waiting in queue:
                self._inserted(waiting)

    def _inserted(self, waiting: Waiting) -> None:
        sentence = f"No table has an event that this {waiting.record.kind} follows from."
        self.findings.add(waiting.place, "inserted", sentence)


def _wanted(right: Callable[[Waiting], object], found: Waiting) -> object:
    """Return what an event must be; an altered amount may be one that no meter can take."""
    try:
        return right(found)
    except BadInputError as error:
        return str(error)

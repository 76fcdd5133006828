"""A forger who changes what a database keeps, hashes worked out anew or not, and what an audit must find."""

from typing import Any

import msgspec
from sqlalchemy import Engine, Row, bindparam, create_engine, delete, insert, select, update
from sqlalchemy.event import listen
from sqlalchemy.pool import NullPool

from fourcard.house.auditing.audit import audit
from fourcard.house.auditing.report import AuditReport, Kind
from fourcard.house.records import GENESIS, Recorded, link
from fourcard.house.signing import Anchor
from fourcard.house.store import schema
from fourcard.house.store.sql import open_store

Place = tuple[str, str, int | None]
"""Where something is kept, of which stream or account, and the event."""


class Forger:
    """Somebody who can write to the database."""

    def __init__(self, address: str) -> None:
        """Connect to a SQLite file, or to an address."""
        self.address = address
        url = address if "://" in address else f"sqlite:///{address}"
        url = url.replace("postgresql://", "postgresql+psycopg://")
        self.engine: Engine = create_engine(url, poolclass=NullPool)
        if self.engine.dialect.name == "sqlite":
            listen(self.engine, "connect", _hurry)

    def audit(self, anchor: Anchor | None = None) -> AuditReport:
        """Return what an audit finds now."""
        store = open_store(self.address, writing=False)
        try:
            return audit(store, anchor)
        finally:
            store.close()

    def run(self, statement: Any) -> list[Row[Any]]:
        """Run a statement, whatever it is."""
        with self.engine.begin() as connection:
            result = connection.execute(statement)
            return list(result) if result.returns_rows else []

    def events(self, stream: str) -> list[Recorded]:
        """Return the events of a stream."""
        events = schema.events
        rows = self.run(select(events).where(events.c.stream == stream).order_by(events.c.sequence))
        return [Recorded(**row._mapping) for row in rows]

    def event(self, stream: str, sequence: int) -> Recorded:
        """Return one event."""
        return next(each for each in self.events(stream) if each.sequence == sequence)

    def find(self, stream: str, kind: str, number: int = 0) -> int:
        """Return the sequence of the first event of a kind in a stream, or of a later one."""
        return [each.sequence for each in self.events(stream) if each.kind == kind][number]

    def change(self, stream: str, sequence: int, /, **columns: Any) -> None:
        """Change columns of an event."""
        events = schema.events
        here = (events.c.stream == stream, events.c.sequence == sequence)
        self.run(update(events).where(*here).values(**columns))

    def edit(self, stream: str, sequence: int, /, **fields: Any) -> None:
        """Change fields of an event's body, and nothing else."""
        plain = {**self.body(stream, sequence), **fields}
        self.change(stream, sequence, body=msgspec.json.encode(plain))

    def body(self, stream: str, sequence: int) -> dict[str, Any]:
        """Return the body of an event as plain data."""
        found: dict[str, Any] = msgspec.json.decode(self.event(stream, sequence).body)
        return found

    def drop(self, stream: str, first: int, last: int | None = None) -> None:
        """Delete events."""
        events = schema.events
        within = events.c.sequence.between(first, first if last is None else last)
        self.run(delete(events).where(events.c.stream == stream, within))

    def add(self, record: Recorded) -> None:
        """Insert an event."""
        self.run(insert(schema.events).values(**msgspec.structs.asdict(record)))

    def rechain(self, stream: str) -> None:
        """Work the hashes of a stream out anew, and move its head to its end."""
        hashes, before = dict[int, bytes](), GENESIS
        for record in self.events(stream):
            before = hashes[record.sequence] = link(before, record)
        events = schema.events
        here = (events.c.stream == stream, events.c.sequence == bindparam("place"))
        rows = [{"place": sequence, "hash": hash_} for sequence, hash_ in hashes.items()]
        with self.engine.begin() as connection:
            connection.execute(update(events).where(*here), rows)
        self.move(stream, sequence=max(hashes), hash=before)

    def move(self, stream: str, **columns: Any) -> None:
        """Change a head."""
        self.run(update(schema.streams).where(schema.streams.c.name == stream).values(**columns))

    def renumber(self, stream: str) -> None:
        """Close the gaps of a stream, each command beginning where it now begins, and chain it anew."""
        places, records = dict[int, int](), self.events(stream)
        for number, record in enumerate(records, 1):
            places[record.sequence] = number
            if record.sequence != number:
                command = places.get(record.command, number)
                self.change(stream, record.sequence, sequence=number, command=command)
        self.rechain(stream)


def _hurry(connection: Any, _record: object) -> None:
    """Let a forger's file be written without waiting for the disk."""
    connection.execute("PRAGMA synchronous = OFF")


def holds(report: AuditReport, place: Place, what: Kind) -> None:
    """Demand a finding of a kind at a place; where no sequence is told, any will do."""
    kept, name, sequence = place
    at = [each for each in report.findings if (each.place.kept, each.place.name) == (kept, name)]
    exact = [each for each in at if sequence is None or each.place.sequence == sequence]
    assert any(each.what == what for each in exact), f"nothing {what} at {place} in:\n{told(report)}"


def told(report: AuditReport) -> str:
    """Return all findings as text, for a test that fails."""
    return "\n".join(f"{each.place}: {each.what}: {each.sentence}" for each in report.findings) or "nothing"

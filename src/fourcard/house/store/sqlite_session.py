"""SQLite transactions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Table

from fourcard.house.accounts import Transfer
from fourcard.house.records import Head, Recorded
from fourcard.house.store import schema
from fourcard.house.store.sql_writing import SqlWriting

_json = msgspec.json.Encoder()


def _insert(table: Table) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.c)
    return f"INSERT INTO {table.name} ({names}) VALUES ({', '.join('?' * len(table.c))})"


_EVENT, _TRANSFER = _insert(schema.events), _insert(schema.transfers)
_EVENT_COLUMNS = ", ".join(f'e."{column.name}"' for column in schema.events.c)
# The cross join makes SQLite use the index for each key, whatever its statistics say.
_FIND_KEYS = (
    f"SELECT {_EVENT_COLUMNS} FROM json_each(?) AS asked CROSS JOIN events AS e "
    "WHERE e.key <> '' AND e.key = json_extract(asked.value, '$[1]') "
    "AND e.stream = json_extract(asked.value, '$[0]')"
)
_HEADS = "SELECT name, sequence, hash FROM json_each(?) AS asked CROSS JOIN streams ON name = asked.value"
_MOVE = (
    f"{_insert(schema.streams)} ON CONFLICT (name) "
    "DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash"
)
_ADD = f"{_insert(schema.balances)} ON CONFLICT (account) DO UPDATE SET amount = amount + excluded.amount"


class SqliteSession(SqlWriting):
    """A read or write transaction of a SQLite file."""

    def __init__(self, connection: Connection, known: dict[str, Head] | None = None) -> None:
        """Use a connection; ``known`` are the heads that the only writer of the file remembers."""
        super().__init__(connection)
        self._known: dict[str, Head] = {} if known is None else known

    def committed(self) -> None:
        """Remember the new heads."""
        self._known.update(self._taken)

    def given_up(self) -> None:
        """Forget the heads: a failed commit may have been stored all the same."""
        self._known.clear()

    def _find_keys(self, places: Sequence[tuple[str, str]]) -> Iterable[Any]:
        return self._drive(_FIND_KEYS, (_json.encode(places).decode(),))

    def _take(self, names: Sequence[str]) -> Mapping[str, Head]:
        """Return the heads of streams; no other writer can begin before this one ends."""
        known = self._known
        strange = [name for name in names if name not in known]
        found: dict[str, Head] = {}
        if strange:
            rows = self._drive(_HEADS, (_json.encode(strange).decode(),))
            found = {name: Head(sequence, hash_) for name, sequence, hash_ in rows}
        return {name: known.get(name) or found.get(name) or Head() for name in names}

    def _hold(self, names: Sequence[str]) -> Mapping[str, Head]:
        return self._take(names)

    def _insert_events(self, events: Sequence[Recorded]) -> None:
        self._drive(_EVENT, [msgspec.structs.astuple(event) for event in events])

    def _move(self, heads: Mapping[str, Head]) -> None:
        self._drive(_MOVE, [(name, head.sequence, head.hash) for name, head in heads.items()])

    def _insert_transfers(self, transfers: Sequence[Transfer]) -> None:
        self._drive(_TRANSFER, [msgspec.structs.astuple(transfer) for transfer in transfers])

    def _add(self, units: Mapping[str, int]) -> None:
        self._drive(_ADD, list(units.items()))

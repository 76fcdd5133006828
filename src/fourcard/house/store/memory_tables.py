"""Memory tables: committed rows, and overlays of changes."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from fourcard.house.accounts import Transfer
from fourcard.house.records import Head, Recorded
from fourcard.house.store.contract import Credential, SecurityNote, Snapshot, Token

K = TypeVar("K")
V = TypeVar("V")


class Table(Generic[K, V]):
    """Committed rows by key; they are copied before a change while a reader uses them."""

    __slots__ = ("rows", "shared")

    def __init__(self) -> None:
        """Start empty."""
        self.rows: dict[K, V] = {}
        self.shared = False

    def apply(self, changes: Mapping[K, V | None]) -> None:
        """Apply changes; ``None`` deletes a row."""
        if not changes:
            return
        if self.shared:
            self.rows, self.shared = dict(self.rows), False
        for key, row in changes.items():
            if row is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = row


class Layer(Generic[K, V]):
    """The rows of a table at one moment, with the changes of one transaction."""

    __slots__ = ("_rows", "changes")

    def __init__(self, table: Table[K, V]) -> None:
        """Start with the committed rows."""
        self._rows = table.rows
        self.changes: dict[K, V | None] = {}

    def get(self, key: K) -> V | None:
        """Return a row, or None."""
        return self.changes[key] if key in self.changes else self._rows.get(key)

    def put(self, key: K, row: V | None) -> None:
        """Set or delete a row."""
        self.changes[key] = row

    def all(self) -> dict[K, V]:
        """Return every row by key, sorted."""
        merged: dict[K, V | None] = {**self._rows, **self.changes}
        return {key: row for key in sorted(merged) if (row := merged[key]) is not None}  # type: ignore[type-var]


class Kept:
    """All committed rows."""

    def __init__(self) -> None:
        """Start empty."""
        self.heads: Table[str, Head] = Table()
        self.balances: Table[str, int] = Table()
        self.games: Table[str, bytes] = Table()
        self.secrets: Table[tuple[str, int], bytes] = Table()
        self.snapshots: Table[str, Snapshot] = Table()
        self.credentials: Table[tuple[str, str], Credential] = Table()
        self.tokens: Table[str, Token] = Table()
        # Append-only rows are never copied: a reader knows how many it can see.
        self.events: dict[str, list[Recorded]] = {}
        self.keys: dict[tuple[str, str], Recorded] = {}
        self.transfers: list[Transfer] = []
        self.places: set[tuple[str, int, int]] = set()
        self.notes: list[SecurityNote] = []

    def share(self, *, shared: bool) -> None:
        """Set whether a reader uses the rows as they are now."""
        self.heads.shared = shared
        self.balances.shared = shared
        self.games.shared = shared
        self.secrets.shared = shared
        self.snapshots.shared = shared
        self.credentials.shared = shared
        self.tokens.shared = shared

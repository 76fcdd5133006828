"""Where a storm's houses are kept: in memory, in a SQLite file, or on a PostgreSQL server of its own."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fourcard.house.store.address import open_store
from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from tests.kit.postgres import Server, server
from tests.storm.setup import StoreKind

Opening = Callable[[], Store]
"""Opens the store of one house, again and again."""


class Ground:
    """Gives every house a place of its own."""

    def __init__(self, kind: StoreKind, folder: Path, running: Server | None) -> None:
        """Take a folder for files, and a server where there is one."""
        self.kind, self.folder, self.running = kind, folder, running
        self._count = 0

    def address(self) -> str:
        """Return the address of a new, empty database."""
        self._count += 1
        if self.running is not None:
            return self.running.fresh()
        return str(self.folder / f"house-{self._count}.db")

    def opening(self) -> Opening:
        """Return what opens the store of a new house."""
        if self.kind == "memory":
            store = MemoryStore()
            return lambda: store
        address = self.address()
        return lambda: open_store(address)


@contextmanager
def ground(kind: StoreKind) -> Iterator[Ground]:
    """Prepare for houses of one kind, and clear everything away afterwards."""
    with tempfile.TemporaryDirectory(prefix="fourcard-storm-") as folder:
        if kind == "postgres":
            with server() as running:
                yield Ground(kind, Path(folder), running)
        else:
            yield Ground(kind, Path(folder), None)

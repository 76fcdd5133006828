"""File lock: one writing process per SQLite file; a killed process cannot leave it behind."""

import fcntl
import os
from pathlib import Path

from fourcard.house.store.contract import StoreError


class FileLock:
    """Locks a file beside a database, so no second program writes to it at the same time."""

    def __init__(self, database: Path) -> None:
        """Acquire the lock, or raise an error that names its holder."""
        self._path = database.with_name(f"{database.name}.lock")
        self._handle = self._taken(database)

    def _taken(self, database: Path) -> int:
        while True:
            handle = _opened(self._path, database)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                holder = os.pread(handle, 20, 0).decode(errors="replace")
                os.close(handle)
                raise StoreError(_refusal(database, holder)) from None
            if _is_still(handle, self._path):
                os.ftruncate(handle, 0)
                os.pwrite(handle, str(os.getpid()).encode(), 0)
                return handle
            # The previous holder released the lock and deleted its file in between.
            os.close(handle)

    def release(self) -> None:
        """Release the lock and delete its file."""
        if self._handle >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = -1


def _opened(path: Path, database: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise StoreError(f"{database} cannot be opened for writing: {reason}.") from None


def _is_still(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _refusal(database: Path, holder: str) -> str:
    if holder == str(os.getpid()):
        return f"{database} is already open for writing in this process."
    number = f" (number {holder})" if holder else ""
    return f"{database} is open in another process{number}; close it there first."

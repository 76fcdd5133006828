"""One writer a file: a lock of the operating system, which a killed process cannot leave behind."""

import fcntl
import os
from pathlib import Path

from fourcard.house.store.contract import StoreError


class FileLock:
    """Holds a file beside a database, so that no second program writes to it at the same time."""

    def __init__(self, database: Path) -> None:
        """Take the lock, or say who has it."""
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
            # The one before let it go and took the file away in between.
            os.close(handle)

    def release(self) -> None:
        """Let others write, and leave nothing behind."""
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
        return f"{database} is open for writing in this process already."
    number = f" (number {holder})" if holder else ""
    return f"{database} is open in another process{number}; close it there first."

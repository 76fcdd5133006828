"""Readiness check: commits a write that changes nothing, at most once a second."""

import asyncio
import logging
import time

from fourcard.house.house import House
from fourcard.house.outcome import HOUSE
from fourcard.house.store.contract import StoreError

CHECK_EVERY = 1.0
"""Seconds between two checks; requests in between get the last result."""
PATIENCE = 5.0
"""Seconds that a request waits for a running check."""
UNWRITABLE = "The store cannot commit a write."
_log = logging.getLogger(__name__)


class Readiness:
    """Checks whether the store can be written; concurrent requests share one check."""

    def __init__(self, house: House) -> None:
        """Take a house; the first request starts the first check."""
        self._house = house
        self._writable = True
        self._checked_at: float | None = None
        self._check: asyncio.Task[bool] | None = None

    async def is_writable(self) -> bool:
        """Return whether a write was committed within the last second, or can be now."""
        if self._check is None and self._is_due():
            self._check = asyncio.create_task(self._run_check())
        if self._check is None:
            return self._writable
        try:
            return await asyncio.wait_for(asyncio.shield(self._check), PATIENCE)
        except TimeoutError:
            return False

    def _is_due(self) -> bool:
        return self._checked_at is None or time.monotonic() - self._checked_at >= CHECK_EVERY

    async def _run_check(self) -> bool:
        try:
            self._writable = await asyncio.to_thread(self._write)
        finally:
            self._checked_at, self._check = time.monotonic(), None
        return self._writable

    def _write(self) -> bool:
        """Commit a write that changes nothing; log when it starts or stops failing."""
        try:
            if self._house.desk.put_back is not None:
                raise self._house.desk.put_back
            with self._house.store.writing() as writing:
                writing.rewrite_head(HOUSE)
        except StoreError as error:
            if self._writable:
                _log.warning("The house is not ready: %s", error)
            return False
        if not self._writable:
            _log.warning("The house is ready again.")
        return True

"""Report process: reports that take long run in processes of their own, so that players do not notice them.

A process opens the store for reading only, at a lower priority, and answers one request after the other. A
request is a function of a module with its arguments; permissions are checked before it is sent. The process
ends with the server, however that ends: the pipe between them breaks.
"""

import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from queue import SimpleQueue
from tempfile import SpooledTemporaryFile
from threading import BoundedSemaphore, Lock, Thread
from typing import IO, Any, Concatenate, Literal, ParamSpec, TypeVar

import msgspec

from fourcard.house.store.address import open_store
from fourcard.odds.disk_cache import CACHE_VARIABLE, cache_folder
from fourcard.refusals import BadInputError
from fourcard.server.api.params import busy_refusal
from fourcard.server.api.round_index import Histories

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
ReportCall = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
OutcomeKind = Literal["part", "answer", "refused", "failed"]
IN_MEMORY = 4_000_000
"""Bytes of a file kept in memory; a longer one goes to a temporary file."""
CHUNK = 64 * 1024
"""Bytes of a file that are sent at a time."""
NICENESS = 10
"""How far the process steps back when processors are scarce."""
_START = "from fourcard.server.api.report_process import main; main()"


class ReportError(Exception):
    """A report failed by a fault of the program; the text is the traceback of its process."""


class ReportLimits(msgspec.Struct, frozen=True):
    """How long one report may take, and how many may run or wait."""

    seconds: float
    waiting: int
    busy: str
    """What somebody is told when that many wait."""


class ReportProcess:
    """Answers reports in one process, which starts at the first and starts again after it has ended.

    The store of a house in memory exists in this process alone, so its reports run here.
    """

    def __init__(self, histories: Histories, limits: ReportLimits) -> None:
        """Take the histories of a house; nothing is started yet."""
        self._histories, self._limits = histories, limits
        self._places, self._turn = BoundedSemaphore(limits.waiting), Lock()
        self._worker: _Worker | None = None
        self._stopped = False

    def run(
        self,
        report: Callable[Concatenate[Histories, Given], Answer],
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> Answer:
        """Return the answer of a report, or raise its refusal; refuse if it takes or waits too long."""
        if self._histories.store.address is None:
            with self._turn:
                return report(self._histories, *args, **kwargs)
        answer: Answer = self._ask((report, args, kwargs), _no_parts)
        return answer

    def write_file(
        self,
        report: Callable[Concatenate[Histories, Given], Iterator[bytes]],
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> IO[bytes]:
        """Return a temporary file with all parts of a report; the process ends with it."""
        file: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  the caller closes it
        try:
            if self._histories.store.address is None:
                with self._turn:
                    file.writelines(report(self._histories, *args, **kwargs))
            else:
                self._ask((report, args, kwargs), file.write, last=True)
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return file

    def stop(self) -> None:
        """End the process at once and start no other."""
        self._stopped = True
        worker = self._worker
        if worker is not None:
            worker.end()

    def _ask(self, call: ReportCall, write: Callable[[bytes], object], *, last: bool = False) -> Any:
        if not self._places.acquire(blocking=False):
            raise busy_refusal(self._limits.busy)
        try:
            if not self._turn.acquire(timeout=self._limits.seconds):
                raise busy_refusal("other reports take too long; try again in a moment.")
            try:
                return self._answer(call, write)
            finally:
                if last:
                    self._end_worker()
                self._turn.release()
        finally:
            self._places.release()

    def _answer(self, call: ReportCall, write: Callable[[bytes], object]) -> Any:
        try:
            return self._running().ask(call, write, self._limits.seconds)
        except TimeoutError:
            self._end_worker()
            raise busy_refusal("the report took too long and was stopped.") from None
        except (EOFError, ConnectionError):
            self._end_worker()
            raise busy_refusal("the report was interrupted; try again in a moment.") from None

    def _running(self) -> "_Worker":
        """Return the process; start one if there is none, or if it has ended."""
        if self._worker is None or not self._worker.is_alive():
            self._end_worker()
            assert self._histories.store.address is not None
            self._worker = _Worker(self._histories.store.address)
        if self._stopped:
            self._end_worker()
            raise busy_refusal("the house is closing.")
        return self._worker

    def _end_worker(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None


def _no_parts(_part: bytes) -> None:
    raise ReportError("A report answered with a file.")


class _Worker:
    """The started process, seen from the server."""

    def __init__(self, address: str) -> None:
        # The address goes through the pipe: anybody could read it in the list of processes.
        self._connection, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, str(theirs.fileno())],
                env={**os.environ, CACHE_VARIABLE: str(cache_folder())},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self._connection.send(address)

    def is_alive(self) -> bool:
        """Return whether the process has not ended; an idle one sends nothing, but its end is to be read."""
        return self._process.poll() is None and not self._connection.poll(0)

    def ask(self, call: ReportCall, write: Callable[[bytes], object], seconds: float) -> Any:
        """Return the answer to a call, and write the parts of a file that come before it."""
        until = time.monotonic() + seconds
        self._connection.send(call)
        while self._connection.poll(max(0.0, until - time.monotonic())):
            kind, found = self._connection.recv()
            if kind == "answer":
                return found
            if kind == "refused":
                raise found
            if kind == "failed":
                raise ReportError(found)
            write(found)
        raise TimeoutError

    def end(self) -> None:
        """Kill the process, which only reads."""
        self._process.kill()
        self._process.wait()


def main() -> None:
    """Answer the requests of a server; the process ends when the pipe breaks, even amid a report."""
    os.nice(NICENESS)
    connection: Connection[Any, Any] = Connection(int(sys.argv[1]))
    calls = SimpleQueue[ReportCall]()
    Thread(target=_answer_calls, args=(connection, connection.recv(), calls), daemon=True).start()
    try:
        while True:
            calls.put(connection.recv())
    except (EOFError, ConnectionError):
        os._exit(0)


def _answer_calls(connection: "Connection[Any, Any]", address: str, calls: "SimpleQueue[ReportCall]") -> None:
    histories: Histories | None = None
    while True:
        report, args, kwargs = calls.get()
        try:
            histories = histories or Histories(open_store(address, writing=False))
            found = report(histories, *args, **kwargs)
            if isinstance(found, Iterator):
                for part in _chunks(found):
                    connection.send(("part", part))
                found = None
            outcome: tuple[OutcomeKind, Any] = "answer", found
        except BadInputError as error:
            outcome = "refused", error
        except Exception:  # noqa: BLE001  the server logs it, and the process goes on
            outcome = "failed", traceback.format_exc()
        connection.send(outcome)


def _chunks(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Yield small parts together, because each message costs the server time."""
    waiting, size = list[bytes](), 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= CHUNK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


class Reports(msgspec.Struct, frozen=True):
    """The report processes of a house, so that a quick report never waits for a slow kind."""

    pages: ReportProcess
    """Lists and figures for staff, replayed rounds, and what players' decisions were worth."""
    odds: ReportProcess
    """Computed odds, PAR sheets, and players' results."""
    exports: ReportProcess
    """Files of rounds."""

    def stop(self) -> None:
        """End all processes."""
        for each in (self.pages, self.odds, self.exports):
            each.stop()


_MANY = "too many people are waiting for this kind of answer; try again in a moment."
PAGE_LIMITS, ODDS_LIMITS = ReportLimits(30.0, 8, _MANY), ReportLimits(120.0, 8, _MANY)
EXPORT_LIMITS = ReportLimits(600.0, 1, "another export is running; try again in a moment.")


def reports_of(histories: Histories) -> Reports:
    """Return the report processes of a house."""
    limits = PAGE_LIMITS, ODDS_LIMITS, EXPORT_LIMITS
    return Reports(*(ReportProcess(histories, each) for each in limits))

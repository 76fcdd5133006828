"""Workers: several server processes at one address, each started again when it ends.

Every worker listens on the same port (SO_REUSEPORT), and the system gives each new connection to one of them.
A worker that ends takes its connections with it: their clients reconnect and reach another one.
"""

import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from fourcard.house.store.address import is_postgres
from fourcard.refusals import BadInputError

RESTART_SECONDS = 1.0
"""Seconds from the start of a worker until it may be started again."""
STOP_SECONDS = 30.0
"""Seconds in which the workers must end after a signal; those left are killed."""
FAILED = 2
"""Exit status of a worker that cannot open the house."""
WORKER_ENDED = "Worker %d ended with status %s and is started again."
_log = logging.getLogger(__name__)
WorkerMain = Callable[[], None]
"""What a worker does; it is pickled, because each worker is a new interpreter."""


def refuse_workers(database: str | None) -> None:
    """Refuse several workers for a database that only one process can write to; a local house has none."""
    if database is None or not is_postgres(database):
        raise BadInputError(
            "Several workers need --house and a PostgreSQL database: only one process can write to a SQLite "
            "file. A backup of the file restores into PostgreSQL."
        )


class WorkerSupervisor:
    """Runs workers until a signal ends them all; a worker that ends by itself is started again."""

    def __init__(self, main: WorkerMain, count: int) -> None:
        """Take what each worker does, and how many there are."""
        self._main, self._count = main, count
        self._context = multiprocessing.get_context("spawn")
        self._workers: dict[int, BaseProcess] = {}
        self._started_at: dict[int, float] = {}
        self._stopping_since: float | None = None

    def run(self) -> int:
        """Run until a signal and return the exit status: 1 if a worker did not end well."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        while self._stopping_since is None:
            self._start_missing()
            wait([each.sentinel for each in self._workers.values()], RESTART_SECONDS)
            self._remove_ended()
        return self._wait_for_end(self._stopping_since + STOP_SECONDS)

    def _stop(self, *_: object) -> None:
        """Pass a signal on to every worker; a second one stops them at once."""
        self._stopping_since = self._stopping_since or time.monotonic()
        for worker in tuple(self._workers.values()):
            worker.terminate()

    def _start_missing(self) -> None:
        now = time.monotonic()
        for number in range(1, self._count + 1):
            due = now - self._started_at.get(number, -RESTART_SECONDS) >= RESTART_SECONDS
            if number not in self._workers and due:
                worker = self._context.Process(
                    target=_run_worker, args=(self._main,), name=f"worker-{number}"
                )
                self._started_at[number] = now
                worker.start()
                self._workers[number] = worker
                if self._stopping_since is not None:  # the signal came before it was known
                    worker.terminate()

    def _remove_ended(self) -> None:
        for number, worker in tuple(self._workers.items()):
            if not worker.is_alive() and self._stopping_since is None:
                _log.error(WORKER_ENDED, number, worker.exitcode)
                del self._workers[number]

    def _wait_for_end(self, until: float) -> int:
        """Wait for every worker, kill those that do not end in time, and return the exit status."""
        for worker in self._workers.values():
            worker.join(max(0.0, until - time.monotonic()))
            if worker.is_alive():
                worker.kill()
                worker.join()
        good = (0, -signal.SIGTERM)
        return int(any(worker.exitcode not in good for worker in self._workers.values()))


def _run_worker(main: WorkerMain) -> None:
    """Run a worker; it ends with its supervisor, which alone hears the keyboard."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_supervisor, daemon=True).start()
    try:
        main()
    except BadInputError as error:
        _log.error("%s", error)
        sys.exit(FAILED)


def _end_with_supervisor() -> None:
    """End this worker when its supervisor has ended, however that happened."""
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        supervisor.join()
        os.kill(os.getpid(), signal.SIGTERM)

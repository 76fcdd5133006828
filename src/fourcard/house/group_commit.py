"""Group commit: a thread that executes commands in batches, and replies after the commit.

Commands that arrive during a commit share the next one. Where the store allows it, and while commands wait,
they are decided during that commit.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from fourcard.house.auth.identity import Actor, AnyCommand
from fourcard.house.command_service import CommandService
from fourcard.house.route_command import CommandResult, Reply, Request, internal_error, result_or_raise
from fourcard.house.store.interface import StoreError

_log = logging.getLogger(__name__)
MAX_IN_BATCH = 250
"""The most commands in a commit; when more wait, they are decided while it is under way."""
MAX_WAITING = 10_000
"""Commands that can wait; more are rejected, to limit memory while the store is blocked."""
ReplyCallback = Callable[[Reply], None]
Batch = list[tuple[Request, ReplyCallback]]


class GroupCommit:
    """A thread that executes commands in batches, and replies after the commit."""

    def __init__(
        self, service: CommandService, task_interval: int = 0, task: Callable[[], object] | None = None
    ) -> None:
        """Take a command service, and a task to run after each ``task_interval`` commits."""
        self.service, self.task_interval, self.task = service, task_interval, task
        self.batches = 0
        self._waiting: deque[tuple[Request, ReplyCallback]] = deque()
        self._wake = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._committer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="fourcard-commit")
        self._commit: Future[None] | None = None
        """The commit under way in the other thread."""

    def submit(self, request: Request, done: ReplyCallback) -> None:
        """Submit a command; the writer's thread calls back with the reply after the commit."""
        self._enqueue([request], done)

    def _enqueue(self, requests: Sequence[Request], done: ReplyCallback) -> None:
        """Queue commands to run in order; all of them or, if that is impossible, none."""
        with self._wake:
            if self._closed:
                raise StoreError("The house is closed.")
            if len(self._waiting) + len(requests) > MAX_WAITING:
                raise StoreError("The house is too busy; try again.")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="fourcard-writer", daemon=True)
                self._thread.start()
            self._waiting.extend((request, done) for request in requests)
            self._wake.notify()

    def submit_and_wait(self, requests: Sequence[Request]) -> list[Reply]:
        """Submit commands together, wait for all replies and return them in order."""
        replied, replies = threading.Event(), list[Reply]()

        def done(reply: Reply) -> None:
            replies.append(reply)
            if len(replies) == len(requests):
                replied.set()

        if threading.current_thread() is self._thread:
            raise StoreError("A reply callback cannot wait for another reply; use submit instead.")
        if requests:
            self._enqueue(requests, done)
            replied.wait()
        return replies

    def do(self, stream: str, command: AnyCommand, actor: Actor) -> CommandResult:
        """Submit a command, wait for its reply and return the result, or raise the refusal or error."""
        (reply,) = self.submit_and_wait([Request(stream, command, actor)])  # type: ignore[arg-type]
        return result_or_raise(reply)

    def close(self) -> None:
        """Execute the queued commands, and stop."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
        self._committer.shutdown()

    def _run(self) -> None:
        committing: Batch = []
        while True:
            batch = self._take(committing)
            if not batch and not committing:
                return
            if committing or (self._waiting and self.service.store.sole_writer):
                committing = self._execute_ahead(committing, batch)
            else:
                self._execute(batch, self.service.execute)

    def _take(self, committing: Batch) -> Batch:
        """Return the next commands; none after the close, and none when a commit ends before they come."""
        with self._wake:
            while not self._waiting and not self._closed:
                if committing and (self._commit is None or self._commit.done()):
                    break
                self._wake.wait()
            count = min(len(self._waiting), MAX_IN_BATCH)
            return [self._waiting.popleft() for _ in range(count)]

    def _execute_ahead(self, committing: Batch, batch: Batch) -> Batch:
        """Decide a batch during the commit of another one, whose replies follow; return what commits now."""
        requests = [request for request, _ in batch]
        self._execute(committing, lambda _: self.service.execute_ahead(requests, self._start_commit))
        return batch

    def _start_commit(self, commit: Callable[[], None]) -> Future[None]:
        """Run a commit in the other thread, which wakes this one at its end."""
        self._commit = self._committer.submit(commit)
        self._commit.add_done_callback(self._on_committed)
        return self._commit

    def _on_committed(self, _commit: Future[None]) -> None:
        with self._wake:
            self._wake.notify()

    def _execute(self, batch: Batch, execute: Callable[[Sequence[Request]], list[Reply]]) -> None:
        """Reply to a batch; an internal error is replied to everybody, and the writer continues."""
        try:
            replies = execute([request for request, _ in batch])
            assert len(replies) == len(batch)
        except BaseException as error:  # noqa: BLE001  every waiting caller gets a reply
            replies = [internal_error(error)] * len(batch)
        for (_, done), reply in zip(batch, replies, strict=True):
            self._reply(done, reply)
        self.batches += bool(batch)
        if batch and self.task_interval and self.task is not None and self.batches % self.task_interval == 0:
            self._run_regular_task(self.task)

    def _reply(self, done: ReplyCallback, reply: Reply) -> None:
        """Call back with a reply; an error in one callback does not affect the others."""
        try:
            done(reply)
        except BaseException:  # noqa: BLE001  a failing callback must not stop the thread
            _log.exception("A reply callback failed.")

    def _run_regular_task(self, task: Callable[[], object]) -> None:
        """Run the regular task; if it fails, it runs again after the next commit."""
        try:
            task()
        except BaseException:  # noqa: BLE001  a failing task must not stop the thread
            _log.exception("The regular task after commits failed and will run again.")
            self.batches -= 1

"""Group commit: a thread that executes commands in batches, and replies after the commit.

Commands that arrive during a commit share the next one.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence

from fourcard.house.auth.identity import Actor, AnyCommand
from fourcard.house.command_service import CommandService
from fourcard.house.route_command import CommandResult, Reply, Request, internal_error, result_or_raise
from fourcard.house.store.interface import StoreError

_log = logging.getLogger(__name__)
MAX_IN_BATCH = 1_000
MAX_WAITING = 10_000
"""Commands that can wait; more are rejected, to limit memory while the store is blocked."""
ReplyCallback = Callable[[Reply], None]


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

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._closed:
                    self._wake.wait()
                count = min(len(self._waiting), MAX_IN_BATCH)
                batch = [self._waiting.popleft() for _ in range(count)]
            if not batch:
                return
            self._execute(batch)

    def _execute(self, batch: list[tuple[Request, ReplyCallback]]) -> None:
        """Execute a batch; an internal error is replied to everybody, and the writer continues."""
        try:
            replies = self.service.execute([request for request, _ in batch])
        except BaseException as error:  # noqa: BLE001  every waiting caller gets a reply
            replies = [internal_error(error)] * len(batch)
        for (_, done), reply in zip(batch, replies, strict=True):
            self._reply(done, reply)
        self.batches += 1
        if self.task_interval and self.task is not None and self.batches % self.task_interval == 0:
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

"""Group commit: commands that arrive during a commit share the next one."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence

from fourcard.house.actors import Actor, AnyCommand
from fourcard.house.desk import Desk
from fourcard.house.requests import Answer, Reply, Request, fault
from fourcard.house.store.contract import StoreError
from fourcard.refusals import Refusal, RefusedError

MOST_IN_GROUP = 1_000
MOST_WAITING = 10_000
"""Commands that can wait; more are rejected, so the memory cannot fill while nothing is written."""
Done = Callable[[Reply], None]
_log = logging.getLogger(__name__)


class Writer:
    """A thread that executes commands in groups, and replies after the commit."""

    def __init__(self, desk: Desk, every: int = 0, then: Callable[[], object] | None = None) -> None:
        """Take a command service, and a task to run after every so many commits."""
        self.desk, self.every, self.then = desk, every, then
        self.groups = 0
        self._waiting: deque[tuple[Request, Done]] = deque()
        self._wake = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def submit(self, request: Request, done: Done) -> None:
        """Submit a command; the writer's thread calls back with the reply after the commit."""
        self._hand_in([request], done)

    def _hand_in(self, requests: Sequence[Request], done: Done) -> None:
        """Queue commands to run in order; all of them or, if that is impossible, none."""
        with self._wake:
            if self._closed:
                raise StoreError("The house is closed.")
            if len(self._waiting) + len(requests) > MOST_WAITING:
                raise StoreError("The house is too busy; try again.")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="fourcard-writer", daemon=True)
                self._thread.start()
            self._waiting.extend((request, done) for request in requests)
            self._wake.notify()

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """Submit commands together, wait for all replies and return them in order."""
        replied, replies = threading.Event(), list[Reply]()

        def done(reply: Reply) -> None:
            replies.append(reply)
            if len(replies) == len(requests):
                replied.set()

        if threading.current_thread() is self._thread:
            raise StoreError("A reply callback cannot wait for another reply; use submit instead.")
        if requests:
            self._hand_in(requests, done)
            replied.wait()
        return replies

    def do(self, stream: str, command: AnyCommand, actor: Actor) -> Answer:
        """Submit a command, wait for its reply and return the result, or raise the refusal or error."""
        (reply,) = self.replies([Request(stream, command, actor)])  # type: ignore[arg-type]
        if isinstance(reply, Refusal):
            raise RefusedError(reply)
        if isinstance(reply, StoreError):
            raise reply
        return reply

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
                count = min(len(self._waiting), MOST_IN_GROUP)
                group = [self._waiting.popleft() for _ in range(count)]
            if not group:
                return
            self._execute(group)

    def _execute(self, group: list[tuple[Request, Done]]) -> None:
        """Execute a group; an internal error is replied to everybody, and the writer continues."""
        try:
            replies = self.desk.execute([request for request, _ in group])
        except BaseException as error:  # noqa: BLE001  whoever waits must be told, whatever went wrong
            replies = [fault(error)] * len(group)
        for (_, done), reply in zip(group, replies, strict=True):
            self._tell(done, reply)
        self.groups += 1
        if self.every and self.then is not None and self.groups % self.every == 0:
            self._besides(self.then)

    def _tell(self, done: Done, reply: Reply) -> None:
        """Call back with a reply; an error in one callback does not affect the others."""
        try:
            done(reply)
        except BaseException:  # noqa: BLE001  a fault of whoever waits is not the writer's
            _log.exception("A reply callback failed.")

    def _besides(self, then: Callable[[], object]) -> None:
        """Run the regular task; if it fails, it runs again after the next commit."""
        try:
            then()
        except BaseException:  # noqa: BLE001  commands go on whatever becomes of it
            _log.exception("The regular task after commits failed and will run again.")
            self.groups -= 1

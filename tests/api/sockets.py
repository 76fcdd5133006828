"""Live connections for tests: viewers of a table who send anything and read the answers."""

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from fourcard.server.floor.deeds import Wait
from tests.api.serving import PATIENCE, TABLE, Hall, new_key

SOON = 30.0


class Looker:
    """A live connection of somebody to a table."""

    def __init__(
        self,
        served: Hall,
        person: str = "",
        *,
        table: str = TABLE,
        token: str = "",
        origin: str | None = "own",
        headers: dict[str, str] | None = None,
    ) -> None:
        """Connect as a signed-in person (default: from the house's own page)."""
        found = token or (served.token(person) if person else "")
        cookie = {"Cookie": f"{served.serving.authenticator.cookie_name}={found}"} if found else {}
        self.token = found
        self._socket = connect(
            f"ws://127.0.0.1:{served.port}/api/tables/{table}/live",
            origin=None if origin is None else Origin(served.address if origin == "own" else origin),
            additional_headers=cookie if headers is None else headers,
            max_size=None,
            compression=None,
            proxy=None,
            open_timeout=PATIENCE,
            legacy=True,
        )

    def __enter__(self) -> Self:
        """Connect."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Disconnect."""
        self._socket.close()

    def say(self, message: object) -> None:
        """Send text or bytes as they are, anything else as JSON."""
        self._socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def say_raw(self, text: bytes) -> None:
        """Send bytes as a text frame, even if they are not valid UTF-8."""
        with self._socket.send_context():
            self._socket.protocol.send_text(text)

    def hear(self, *kinds: str, within: float = SOON) -> dict[str, Any]:
        """Return the next message, optionally of certain kinds."""
        until = time.monotonic() + within
        while True:
            found = json.loads(self._socket.recv(timeout=max(0.0, until - time.monotonic())))
            assert isinstance(found, dict)
            if not kinds or found["kind"] in kinds:
                return found

    def answer(self, message: object) -> dict[str, Any]:
        """Send a message and return its answer, skipping table updates."""
        self.say(message)
        return self.hear("done", "refused", "trouble")

    def do(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command under a new key and return its answer."""
        return self.answer({"key": new_key(), "command": {"kind": kind, **fields}})

    def until(self, phase: str) -> dict[str, Any]:
        """Return the first message in which the current round is in a phase."""
        while True:
            found = self.hear("table")
            under_way = found["view"]["round"]
            if under_way is not None and under_way["phase"] == phase:
                return found

    def closed(self, within: float = SOON) -> int:
        """Return the close code."""
        return self.goodbye(within)[0]

    def goodbye(self, within: float = SOON) -> tuple[int, str]:
        """Return the close code and reason."""
        until = time.monotonic() + within
        try:
            while True:
                self._socket.recv(timeout=max(0.0, until - time.monotonic()))
        except ConnectionClosed as error:
            return (error.rcvd.code, error.rcvd.reason) if error.rcvd is not None else (1006, "")

    def is_alive(self) -> bool:
        """Return whether the connection still answers."""
        return bool(self.answer({"key": "alive", "ready": -1})["kind"] == "refused")


def settled(served: Hall, table: str = TABLE) -> dict[str, int]:
    """Return the heads of all streams once the dealer only waits."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        before = served.heads()
        watch = served.serving.floor.tables[table]
        if watch.sequence == before[watch.stream] and isinstance(served.serving.floor.next(watch), Wait):
            time.sleep(0.02)
            if served.heads() == before:
                return before
        time.sleep(0.005)
    raise AssertionError("The table did not come to rest.")


@contextmanager
def faultless() -> Iterator[list[logging.LogRecord]]:
    """Fail if anything is logged with a traceback; return the log."""
    found = list[logging.LogRecord]()

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not record.name.startswith("websockets"):
                found.append(record)

    handler, root = Keeping(), logging.getLogger()
    root.addHandler(handler)
    try:
        yield found
    finally:
        root.removeHandler(handler)
    faults = [record.getMessage() for record in found if record.exc_info or record.levelno >= logging.ERROR]
    assert faults == []

"""Somebody of the house's staff, who works through the API alone."""

import time
from types import TracebackType
from typing import Any, Self

import httpx

from tests.browser.serving import Served

MOST_STEPS = 20
MANNED = ("jackpot", "document")
"""What only people can do at a table that the house deals by itself."""


class Staff:
    """Whoever comes by the staff's link."""

    def __init__(self, house: Served) -> None:
        """Come in."""
        self._client = httpx.Client(base_url=house.address, headers={"origin": house.address}, timeout=20)
        assert self._client.get(house.staff).status_code == 303
        self._commands = 0

    def __enter__(self) -> Self:
        """Return the person."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Go out."""
        self._client.close()

    def look(self, table: str) -> dict[str, Any]:
        """Return a table as the staff see it."""
        answer = self._client.get(f"/api/tables/{table}")
        assert answer.status_code == 200, answer.text
        seen: dict[str, Any] = answer.json()
        return seen

    def waits(self, table: str) -> bool:
        """Say whether a table waits for the staff."""
        waiting = self.look(table)["waiting"]
        return waiting is not None and waiting["for"] in MANNED

    def confirm(self, table: str) -> list[str]:
        """Do what is due for a win of the progressive, and return what that was, step by step."""
        done = list[str]()
        while self.waits(table):
            assert len(done) < MOST_STEPS, done
            seen = self.look(table)
            following = seen["console"]["next"] or self._paper(seen)
            self.command(table, following["command"])
            done.append(following["command"]["kind"])
            self._settled(table, seen["sequence"])
        return done

    def _paper(self, seen: dict[str, Any]) -> dict[str, Any]:
        (command,) = [each for each in seen["chances"]["may"] if each["kind"] == "complete_document"]
        return {"command": command}

    def _settled(self, table: str, before: int) -> None:
        """Wait until the house has gone on by itself as far as it can."""
        last = before
        for _ in range(50):
            seen = self.look(table)
            if seen["sequence"] == last and seen["waiting"] is not None:
                return
            last = seen["sequence"]
            time.sleep(0.05)

    def command(self, table: str, command: dict[str, Any]) -> None:
        """Give a command that must be done."""
        self._commands += 1
        body = {"key": f"staff-{self._commands}", "command": command}
        answer = self._client.post(f"/api/tables/{table}/commands", json=body)
        assert answer.status_code == 200, answer.text

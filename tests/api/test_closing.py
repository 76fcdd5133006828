"""Closing a house: it tells everybody, ends soon, and continues the same round when it reopens."""

import asyncio
import json
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from fourcard.house.store.interface import StoreError
from tests.api.served_house import LiveViewer, ServedHouse, assert_no_errors, new_key, served_house
from tests.browser.served_house import BrowserHouse
from tests.kit.commands import Command, runner
from tests.kit.table_copy import TableCopy
from tests.kit.waiting import PATIENCE, wait_until

TABLE = "massachusetts"
SOON = 5.0
"""Seconds in which a house must close."""


@pytest.fixture
def served() -> Iterator[ServedHouse]:
    with served_house() as made:
        yield made


def test_a_house_is_ready_while_it_is_open(served: ServedHouse) -> None:
    with served.client() as client:
        assert client.get("/ready").json()["status"] == "ready"
        served.serving.closing = True
        answer = client.get("/ready")
        assert (answer.status_code, answer.json()["status"]) == (503, "not ready")
        assert client.get("/health").json()["status"] == "ok"


def test_a_house_that_cannot_write_lives_and_is_not_ready(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing() -> None:
        raise StoreError("The database is gone.")

    with served.client() as client:
        monkeypatch.setattr(served.house.store, "writing", failing)
        answer = client.get("/ready")
        assert (answer.status_code, answer.json()["reason"]) == (503, "The store cannot commit a write.")
        assert "gone" not in answer.text
        assert client.get("/health").status_code == 200
        monkeypatch.undo()
        wait_until(lambda: client.get("/ready").status_code == 200)


def test_however_often_it_is_asked_a_write_is_tried_once_a_second(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, writing = list[float](), served.house.store.writing

    def counted() -> Any:
        tried.append(time.monotonic())
        return writing()

    with served.client() as client:
        monkeypatch.setattr(served.house.store, "writing", counted)
        begun = time.monotonic()
        while time.monotonic() < begun + 2.5:
            assert client.get("/ready").status_code == 200
    assert 1 <= len(tried) <= 4
    assert all(later - earlier >= 1 for earlier, later in pairwise(tried))


def test_while_a_house_closes_it_answers_and_says_that_it_is_not_ready(
    served: ServedHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = served.serving.connections.close

    async def slow() -> None:
        await close()
        await asyncio.sleep(0.5)

    monkeypatch.setattr(served.serving.connections, "close", slow)
    with assert_no_errors(), served.client("ann") as ann, LiveViewer(served, "ann") as looking:
        looking.receive()
        served.ask_to_close()
        assert looking.closed() == 1012
        assert ann.get("/ready").status_code == 503
        assert ann.get("/api/me").json()["who"]["person"] == "ann"
        with LiveViewer(served, token=looking.token) as late:
            assert late.closed() == 1012
        served.close()


class Guest:
    """A player at a table of a house served by its own process."""

    def __init__(self, house: BrowserHouse, token: str = "") -> None:
        """Sign in with the link, or with an earlier token."""
        self.house, self.token = house, token or entered(house.player)
        self.socket: ClientConnection = connect(
            f"ws://127.0.0.1:{house.port}/api/tables/{TABLE}/live",
            additional_headers={"Authorization": f"Bearer {self.token}"},
            proxy=None,
            open_timeout=PATIENCE,
            legacy=True,
        )
        self.copy = TableCopy()

    @property
    def table(self) -> dict[str, Any]:
        """Return the table as the player has it."""
        return self.copy.message

    def told(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of some kinds."""
        while True:
            found = self.copy.take(self.socket.recv(timeout=PATIENCE))
            if found["kind"] in kinds:
                return found

    def do(self, kind: str, **fields: Any) -> None:
        """Send a command that must be accepted."""
        self.socket.send(json.dumps({"key": new_key(), "command": {"kind": kind, **fields}}))
        answer = self.told("done", "refused", "trouble")
        assert answer["kind"] == "done", answer

    def until(self, phase: str) -> dict[str, Any]:
        """Return the current round once it is in a phase; it may have been announced already."""
        while not self.table or (self.table["view"]["round"] or {}).get("phase") != phase:
            self.told("table")
        current_round: dict[str, Any] = self.table["view"]["round"]
        return current_round

    def until_cards_seen(self) -> dict[str, Any]:
        """Return the current round once players decide and have looked at their cards."""
        while any("??" in place["cards"] for place in self.until("deciding")["places"]):
            self.told("table")
        return self.until("deciding")


def entered(link: str) -> str:
    """Sign in with a link and return the token."""
    answer = httpx.get(link, timeout=PATIENCE)
    assert answer.status_code == 303
    return answer.cookies["fourcard_session"]


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return runner(capsys, monkeypatch)


def test_a_house_closes_in_the_middle_of_a_round_and_goes_on_with_it(
    tmp_path: Path, fourcard: Command
) -> None:
    house = BrowserHouse(tmp_path, "--bots", "0", "--pace", "0")
    house.start()
    try:
        ann = Guest(house)
        name = ann.told("table")["you"]["player"]
        ann.do("buy_in", player=name, cents=100_000)
        ann.do("take_seat", position=2, player=name)
        ann.until("betting")
        ann.do("place_wager", position=2, wager="ante", amount=10_000)
        ann.socket.send(json.dumps({"key": new_key(), "ready": ann.table["view"]["number"]}))
        before, number = ann.until_cards_seen(), ann.table["view"]["number"]
        began = time.monotonic()
        assert house.stop() == 0
        assert time.monotonic() - began < SOON
        with pytest.raises(ConnectionClosed) as closed:
            ann.told("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        assert house.output().count("\n") == 3, house.output()
        assert fourcard("audit", "-d", house.database, "--json").answer

        house.start()
        again = Guest(house, ann.token)
        after = again.until_cards_seen()
        assert again.table["view"]["number"] == number
        assert (after["places"], after["up"]) == (before["places"], before["up"])
        again.do("fold", position=2)
        while again.table["view"]["number"] == number:
            again.told("table")
        again.socket.close()
        assert house.stop() == 0
        assert fourcard("audit", "-d", house.database, "--json").answer
    finally:
        house.kill()

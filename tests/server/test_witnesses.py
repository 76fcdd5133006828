"""A served house sends its heads to witnesses: through kills, while one is down, and from one process."""

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from fourcard.house.house import open_house
from fourcard.house.store.address import open_store
from fourcard.house.witness_statements import WitnessFolder, WitnessStatement, read_statement
from fourcard.house.witnesses import add_witness
from tests.kit.commands import Command
from tests.kit.postgres import Server
from tests.kit.waiting import PATIENCE, wait_until
from tests.server.processes import CREW, TABLE, ServeProcess, create_hosted_house, free_port

PROGRAM = str(Path(sys.executable).parent / "fourcard")
SOON = 15.0
"""Seconds for a statement to arrive that is sent every second, also on a busy machine."""


class WitnessedHouse:
    """A house with a witness, and the process that serves it."""

    def __init__(self, folder: Path, address: str, database: str) -> None:
        """Create the house."""
        self.database, key = database, folder / "house.key"
        self.tokens = create_hosted_house(database, key, "massachusetts", ("ann",))
        with open_house(database, key) as house:
            add_witness(house, "apart", address, CREW)
        options = ("--house", "--no-deal", "-d", database, "--key", str(key), "--witness-every", "1")
        self.processes = [ServeProcess(folder / f"log-{number}", *options) for number in range(2)]
        self.process = self.processes[0]

    def serve(self) -> None:
        """Serve it."""
        self.process.start()
        self.process.listen()

    def buy_in(self, key: str) -> None:
        """Let the player do something."""
        command = {"kind": "buy_in", "player": "ann", "cents": 500}
        done = httpx.post(
            f"http://{self.process.address}/api/tables/{TABLE}/commands",
            headers={"Authorization": f"Bearer {self.tokens['ann']}"},
            json={"key": key, "command": command},
            timeout=PATIENCE,
            trust_env=False,
        )
        assert done.status_code == 200, done.text

    def heads(self) -> dict[str, int]:
        """Return the sequence of every stream."""
        store = open_store(self.database, writing=False)
        try:
            with store.reading() as reading:
                return {name: head.sequence for name, head in reading.streams().items() if head.sequence}
        finally:
            store.close()

    def alerts(self) -> list[str]:
        """Return what an operator must fix."""
        answer = httpx.get(f"http://{self.process.address}/health", timeout=PATIENCE, trust_env=False)
        return [*answer.json()["alerts"]]


def stated(folder: Path) -> dict[str, int]:
    """Return the newest sequence of every stream in the statements of a folder."""
    return {head.stream: head.sequence for each in statements(folder) for head in each.heads}


def statements(folder: Path) -> list[WitnessStatement]:
    """Return the statements in a folder, without lines that a crash cut short."""
    return [*filter(None, map(read_statement, WitnessFolder(folder).lines()))]


def numbers(folder: Path) -> list[int]:
    return [each.number for each in statements(folder)]


def knows_all(house: WitnessedHouse, folder: Path) -> bool:
    return stated(folder) == house.heads()


def test_statements_come_by_themselves_through_a_kill_and_at_the_end(
    tmp_path: Path, fourcard: Command
) -> None:
    folder = tmp_path / "apart"
    folder.mkdir()
    house = WitnessedHouse(tmp_path, str(folder), str(tmp_path / "house.db"))
    try:
        house.serve()
        for number in range(3):
            house.buy_in(f"buy-{number}")
            wait_until(partial(knows_all, house, folder), partial(stated, folder), SOON)
            house.process.kill()
            if not number:
                (day,) = folder.iterdir()
                with day.open("ab") as file:
                    file.write(b'{"format":"fourcard-st')
            house.serve()
        house.buy_in("last")
        assert house.process.stop() == 0
    finally:
        house.process.kill()
    assert knows_all(house, folder), "the last statement has the heads that were signed at closing"
    assert numbers(folder) == [*range(1, len(numbers(folder)) + 1)]
    report = fourcard("audit", "--json", "-d", house.database, "--witness", folder).answer
    assert report["witnesses"][0]["statements"] == len(numbers(folder)) >= 4
    assert any("0 events are newer than the newest statement" in each for each in report["cannot_exclude"])


class Receiver:
    """A `fourcard witness serve` process."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of its statements."""
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it and wait until it listens."""
        command = [PROGRAM, "witness", "serve", str(self.folder), "--port", str(self.port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == f"The witness listens at {self.url}\n"

    def kill(self) -> None:
        """Kill it."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def post(self, body: bytes) -> httpx.Response:
        """Send it a statement."""
        return httpx.post(self.url, content=body, timeout=PATIENCE, trust_env=False)


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[Receiver]:
    folder = tmp_path / "received"
    folder.mkdir()
    made = Receiver(folder)
    yield made
    made.kill()


def test_a_witness_that_was_down_gets_the_rest_and_refuses_what_does_not_follow(
    tmp_path: Path, receiver: Receiver, fourcard: Command
) -> None:
    house = WitnessedHouse(tmp_path, receiver.url, str(tmp_path / "house.db"))
    try:
        receiver.start()
        house.serve()
        wait_until(partial(knows_all, house, receiver.folder), patience=SOON)
        receiver.kill()
        house.buy_in("while it is down")
        wait_until(lambda: house.alerts() != [], patience=SOON)
        assert house.alerts()[0].startswith("The witness 'apart' has taken no statement since ")
        assert receiver.url not in house.alerts()[0], "everybody can read alerts"
        receiver.start()
        wait_until(partial(knows_all, house, receiver.folder), patience=SOON)
        wait_until(lambda: house.alerts() == [], house.alerts, SOON)
        assert house.process.stop() == 0
    finally:
        house.process.kill()
    held = [*WitnessFolder(receiver.folder).lines()]
    assert numbers(receiver.folder) == [*range(1, len(held) + 1)]
    assert fourcard("audit", "--json", "-d", house.database, "--witness", receiver.url).answer["clean"]
    altered = held[-1].replace(b'"whole":', b'"whole": ')
    for body in (b"", b"[]", held[-1], held[0], altered, held[-1].replace(b'"at":1', b'"at":2')):
        refused = receiver.post(body)
        assert refused.status_code == 409, body
        assert refused.json()["reason"]
    assert [*WitnessFolder(receiver.folder).lines()] == held


def test_one_of_two_processes_sends_and_the_other_goes_on(
    tmp_path: Path, postgres: Server, fourcard: Command
) -> None:
    folder = tmp_path / "apart"
    folder.mkdir()
    house = WitnessedHouse(tmp_path, str(folder), postgres.fresh())
    try:
        for process in house.processes:
            process.start()
            process.listen()
        for number in range(4):
            house.buy_in(f"buy-{number}")
            wait_until(partial(knows_all, house, folder), partial(stated, folder), SOON)
        assert sum(each.whole for each in statements(folder)) <= 2, (
            "two processes that send in turn would list everything each time"
        )
        house.process.kill()
        house.process = house.processes[1]
        house.buy_in("after the kill")
        wait_until(partial(knows_all, house, folder), partial(stated, folder), SOON)

        assert house.process.stop() == 0
    finally:
        for process in house.processes:
            process.kill()
    assert knows_all(house, folder)
    assert numbers(folder) == [*range(1, len(numbers(folder)) + 1)]
    options = ("-d", house.database, "--checkpoint", tmp_path / "checkpoint", "--witness", folder)
    assert fourcard("audit", "--json", *options).answer["clean"]

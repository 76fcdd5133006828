"""Workers: several processes of one `fourcard serve` at one address, on a real PostgreSQL."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import psutil  # type: ignore[import-untyped]
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from fourcard.house.house import open_house
from tests.kit.commands import PASSWORD
from tests.kit.postgres import Server
from tests.kit.waiting import PATIENCE, wait_until
from tests.server.processes import TABLE, ConnectedPlayer, FinalHouse, ServeProcess, create_hosted_house

PLAYERS = ("ann", "bob", "cat", "dan")
SOON = 30.0
"""Seconds until players go on after their worker was killed, also on a busy machine; usually two."""
IN_ROUND = ("dealing", "deciding", "settling")


class Workers:
    """A house in PostgreSQL, served by two workers at one port."""

    def __init__(self, postgres: Server, folder: Path) -> None:
        """Create the house; nothing runs yet."""
        self.url, self.key = postgres.fresh(), folder / "house.key"
        tokens = create_hosted_house(self.url, self.key, "massachusetts-everything", (*PLAYERS, "eve"))
        with open_house(self.url, self.key) as house:
            assert house.sign_in.set_password("player", "eve", PASSWORD) is None
        options = ("--house", "--workers", "2", "-d", self.url, "--key", str(self.key), "--pace", "0")
        self.serving = ServeProcess(folder / "serve.log", *options)
        self.people = [
            ConnectedPlayer(name, tokens[name], [self.serving.address], TABLE, place)
            for place, name in enumerate(PLAYERS, 1)
        ]

    def running(self) -> list[int]:
        """Return the processes of the workers that have said that they serve and still run."""
        said = map(int, re.findall(r"served by process (\d+)", self.serving.output()))
        return [number for number in said if psutil.pid_exists(number)]

    def connections(self, worker: int) -> int:
        """Return how many clients are connected to a worker."""
        found = psutil.Process(worker).net_connections("tcp")
        return sum(each.status == "ESTABLISHED" and each.laddr.port == self.serving.port for each in found)

    def passed(self, worker: int) -> int:
        """Return how many live connections other workers have passed on to a worker."""
        sockets = psutil.Process(worker).net_connections("unix")
        (own,) = {each.laddr for each in sockets if "/fourcard-" in str(each.laddr)}
        return len([each for each in sockets if each.laddr == own]) - 1

    async def all_at_one(self) -> int:
        """Wait until both workers have clients and one serves them all; return that one."""
        async with asyncio.timeout(PATIENCE):
            while True:
                first, second = await self.both_in_use()
                for home, other in ((first, second), (second, first)):
                    if self.passed(home) == self.connections(other) > 0 == self.passed(other):
                        return home
                await asyncio.sleep(0.2)

    async def both_in_use(self) -> list[int]:
        """Let people reconnect until both workers have some of them; return the workers."""
        async with asyncio.timeout(PATIENCE):
            while True:
                workers = self.running()
                used = [number for number in workers if self.connections(number)]
                if len(used) == len(workers) == 2:
                    return workers
                for person in self.people if len(used) < len(workers) == 2 else ():
                    await person.reconnect()
                await asyncio.sleep(0.2)


@pytest.fixture(scope="module")
def workers(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    """Start two workers at one port, and stop them after all tests."""
    made = Workers(postgres, tmp_path_factory.mktemp("workers"))
    made.serving.start()
    try:
        made.serving.listen()
        wait_until(lambda: len(made.running()) == 2, made.serving.output)
        yield made
    finally:
        made.serving.kill()
        for left in made.running():  # they end with their supervisor
            with suppress(psutil.NoSuchProcess):
                psutil.Process(left).wait(PATIENCE)


def test_wrong_passwords_are_counted_at_all_workers_together(workers: Workers) -> None:
    def sign_in(password: str) -> str:
        """Return the name of the refusal, empty if somebody is signed in; each call is a new connection."""
        body = {"kind": "player", "person": "eve", "password": password}
        answer = httpx.post(f"http://{workers.serving.address}/api/sign-in", json=body, timeout=PATIENCE)
        return str(answer.json().get("refusal", {}).get("name", ""))

    assert sign_in(PASSWORD) == ""
    for _ in range(5):
        assert sign_in("a wrong password") == "sign_in_failed"
        time.sleep(0.1)
    assert {sign_in(PASSWORD) for _ in range(4)} == {"sign_in_locked"}, "wherever a connection goes"


REFUSED_CONNECTIONS: tuple[tuple[dict[str, str], str, int], ...] = (
    ({"Authorization": "Bearer invented"}, TABLE, 4401),
    ({"Origin": "http://elsewhere.example"}, TABLE, 4403),
    ({}, "nowhere", 4404),
)


@pytest.mark.parametrize(("headers", "table", "code"), REFUSED_CONNECTIONS)
def test_a_connection_is_refused_alike_at_every_worker(
    workers: Workers, headers: dict[str, str], table: str, code: int
) -> None:
    async def refusal() -> int:
        url = f"ws://{workers.serving.address}/api/tables/{table}/live"
        signed_in = {"Authorization": f"Bearer {workers.people[0].token}"}
        async with connect(url, additional_headers=signed_in | headers) as live:
            with suppress(ConnectionClosed):
                await live.recv()
            assert live.close_code is not None
            return live.close_code

    async def story() -> None:
        assert {*await asyncio.gather(*(refusal() for _ in range(8)))} == {code}

    asyncio.run(story())


def test_players_go_on_at_the_same_address_when_workers_are_killed_in_a_round(workers: Workers) -> None:
    took, homes = list[float](), list[int]()

    async def kill_in_round(worker: int) -> None:
        ann = workers.people[0]
        await ann.until(lambda: ann.phase in IN_ROUND)
        number, killed = ann.round, time.monotonic()
        os.kill(worker, signal.SIGKILL)
        for person in workers.people:
            await person.until(lambda person=person: person.round > number)  # type: ignore[misc]
        took.append(time.monotonic() - killed)
        for person in workers.people:
            await person.until(lambda person=person: person.round > number + 2)  # type: ignore[misc]

    async def story() -> None:
        lives = [asyncio.ensure_future(person.live()) for person in workers.people]
        try:
            for _ in range(2):
                homes.append(await workers.all_at_one())
                await kill_in_round(homes[-1])
            homes.append(await workers.all_at_one())
        finally:
            for life in lives:
                life.cancel()
            await asyncio.gather(*lives, return_exceptions=True)

    asyncio.run(story())
    assert max(took) < SOON
    log = workers.serving.output()
    assert log.count("is started again") == 2
    assert len({*homes}) == 3, "each time another worker took the table over, and has all its players"
    assert workers.serving.stop() == 0
    assert not workers.running(), "no worker outlives its supervisor"
    kept = FinalHouse(workers.url, key=workers.key)
    kept.check()
    ended = sum(record.kind == "round_ended" for record in kept.records)
    begun = sum(record.kind == "round_began" for record in kept.records)
    assert begun - ended <= 1, "every round but the last one has ended"
    for person in workers.people:
        assert len(person.answered) > 10
        for key, sequence in person.answered.items():
            assert [record.sequence for record in kept.keyed(key)] == [sequence]


def test_no_worker_outlives_a_supervisor_that_is_killed() -> None:
    program = (
        "import time; from functools import partial; from fourcard.server.workers import WorkerSupervisor; "
        "WorkerSupervisor(partial(time.sleep, 60), 2).run()"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as supervisor:
        children = psutil.Process(supervisor.pid).children
        wait_until(lambda: len(children()) == 3)  # with Python's own helper
        started = children()
        supervisor.kill()
    gone, _ = psutil.wait_procs(started, PATIENCE)
    assert len(gone) == 3

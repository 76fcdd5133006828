"""Several processes on one PostgreSQL: each takes any command, and others continue when one dies."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from fourcard.server.floor.postgres_bus import LIST_HOLDERS
from tests.kit.postgres import Server
from tests.server.processes import TABLE, ConnectedPlayer, FinalHouse, ServeProcess, create_hosted_house

PLAYERS = ("ann", "bob")
EXAMPLE = "massachusetts-everything"
SOON = 12.0
"""Seconds for another process to continue dealing, also on a busy machine."""
Story = Callable[[ConnectedPlayer, ConnectedPlayer], Awaitable[None]]


class HouseProcesses:
    """A house in PostgreSQL and its server processes."""

    def __init__(self, postgres: Server, folder: Path, count: int = 2) -> None:
        """Create the house and start the processes, the first one a while before the others."""
        self.url, self.key = postgres.fresh(), folder / "house.key"
        self.tokens = create_hosted_house(self.url, self.key, EXAMPLE, PLAYERS)
        options = ("--house", "-d", self.url, "--key", str(self.key), "--pace", "0", "--bots", "2")
        self.processes = [ServeProcess(folder / f"{number}.log", *options) for number in range(count)]

    def start(self) -> None:
        """Start all processes and wait until they answer."""
        for process in self.processes:
            process.start()
        for process in self.processes:
            process.listen()

    def people(self) -> tuple[ConnectedPlayer, ConnectedPlayer]:
        """Return two players with different first processes, who switch when theirs is lost."""
        ways = [process.address for process in self.processes]
        ann = ConnectedPlayer("ann", self.tokens["ann"], ways, TABLE, 1)
        return ann, ConnectedPlayer("bob", self.tokens["bob"], [*ways[1:], ways[0]], TABLE, 3)

    def dealer_with_viewers(self) -> int | None:
        """Return the number of the process that holds the table's lease, if it has all viewers."""
        with psycopg.connect(self.url) as session:
            found = session.execute(LIST_HOLDERS, {"group": "fourcard dealers", "tables": [TABLE]}).fetchall()
        holders = {number for number, table, views in found if table == TABLE and not views}
        viewers = {number for number, _, views in found if views}
        return holders.pop() if holders == viewers and len(viewers) == 1 else None

    def stop(self) -> list[int]:
        """Stop all of them."""
        return [process.stop() for process in self.processes]


@pytest.fixture
def serving(postgres: Server, tmp_path: Path) -> Iterator[HouseProcesses]:
    """Serve a house with two processes and stop them afterwards."""
    made = HouseProcesses(postgres, tmp_path)
    yield made
    for process in made.processes:
        process.kill()


def told(people: Sequence[ConnectedPlayer], story: Story) -> None:
    """Let people play while something happens."""

    async def happen() -> None:
        lives = [asyncio.ensure_future(person.live()) for person in people]
        try:
            await story(*people)
        finally:
            for life in lives:
                life.cancel()
            for life in lives:
                with suppress(asyncio.CancelledError):
                    await life

    asyncio.run(happen())


def check(serving: HouseProcesses, people: Sequence[ConnectedPlayer]) -> FinalHouse:
    """Close the house and verify it: each answered command once, money and journal whole."""
    assert {*serving.stop()} == {0}
    kept = FinalHouse(serving.url, key=serving.key)
    kept.check()
    for person in people:
        assert len(person.answered) > 5
        for key, sequence in person.answered.items():
            assert [record.sequence for record in kept.keyed(key)] == [sequence]
    return kept


def test_people_at_different_processes_play_whole_rounds_at_one_table(serving: HouseProcesses) -> None:
    serving.start()
    ann, bob = people = serving.people()

    async def story(ann: ConnectedPlayer, bob: ConnectedPlayer) -> None:
        for person in (ann, bob):
            await person.until(lambda person=person: person.round > 6)  # type: ignore[misc]
        first, second = (process.address for process in serving.processes)
        await all_move(people, second, await all_move(people, first, 0))

    async def all_move(people: Sequence[ConnectedPlayer], address: str, before: int) -> int:
        """Let everybody go to one process, which deals then, and not the one before; return its number."""
        number = people[0].round
        for person in people:
            person.addresses = [address]
            await person.reconnect()
        async with asyncio.timeout(SOON):
            while (found := serving.dealer_with_viewers()) in (None, before):
                await asyncio.sleep(0.05)
        for person in people:
            await person.until(lambda person=person: person.round > number + 1)  # type: ignore[misc]
        assert found is not None
        return found

    told(people, story)
    both = {*ann.shown} & {*bob.shown}
    assert len(both) >= 3
    assert [ann.shown[number] for number in both] == [bob.shown[number] for number in both]
    mine, theirs = (after_both_sat(person.told) for person in people)
    assert len(mine) > 100
    assert mine[: len(theirs)] == theirs[: len(mine)]
    assert not [each for each in (*ann.refused, *bob.refused) if "command" in each]
    kept = check(serving, people)
    assert {record.by for record in kept.records} >= {"ann", "bob", "house-dealer", "bot-bea-main"}


def after_both_sat(told: Sequence[str]) -> list[str]:
    """Return the narration from the start of a round that both people played."""
    text = [*told]
    return text[next(n for n, each in enumerate(text) if each.startswith("Round 3 ")) :]


def test_another_process_deals_on_when_the_one_that_deals_is_killed(serving: HouseProcesses) -> None:
    first, second = serving.processes
    first.start()
    first.listen()
    people = serving.people()
    took = list[float]()

    async def story(ann: ConnectedPlayer, bob: ConnectedPlayer) -> None:
        await ann.until(lambda: ann.round > 1)
        await asyncio.to_thread(second.start)
        await asyncio.to_thread(second.listen)
        bob.addresses = [second.address]
        await bob.until(lambda: bob.round > 3 and bob.phase in ("dealing", "deciding", "settling"))
        number = bob.round
        await asyncio.to_thread(first.kill)
        killed = time.monotonic()
        await bob.until(lambda: bob.round > number, SOON)
        took.append(time.monotonic() - killed)
        for person in (ann, bob):
            await person.until(lambda person=person: person.round > number + 3)  # type: ignore[misc]

    told(people, story)
    assert people[0].connections >= 2
    assert took[0] < SOON
    check(serving, people)


def test_a_database_that_is_restarted_in_a_round_is_survived(
    serving: HouseProcesses, postgres: Server
) -> None:
    serving.start()
    people = serving.people()

    async def story(ann: ConnectedPlayer, bob: ConnectedPlayer) -> None:
        await bob.until(lambda: bob.round > 2 and bob.phase in ("dealing", "deciding", "settling"))
        number = bob.round
        await asyncio.to_thread(postgres.stop)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(postgres.start)
        for person in (ann, bob):
            await person.until(lambda person=person: person.round > number + 3)  # type: ignore[misc]

    told(people, story)
    ann, bob = people
    both = sorted({*ann.shown} & {*bob.shown})[-2:]
    assert [ann.shown[number] for number in both] == [bob.shown[number] for number in both]
    check(serving, people)

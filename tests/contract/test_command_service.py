"""The desk on every store: whole rounds, restarts, racing processes, and databases that go away."""

import sqlite3
import threading
from pathlib import Path

import pytest

from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import BuyIn, FillTray
from fourcard.house.decision import table_stream
from fourcard.house.route_command import CommandResult, Request
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import Store, StoreError
from tests.kit.houses import TestHouse, player
from tests.kit.postgres import Server, server

MAIN = table_stream("main")
PLAYERS = ("ann", "bob", "cal")


def ready(store: Store, example: str = "maryland-everything") -> TestHouse:
    """Return a house with one open table in a store."""
    house = TestHouse(store)
    house.staff()
    house.register(*PLAYERS)
    house.install("main", example)
    house.open("main")
    house.seat("main", PLAYERS)
    return house


def journal(house: TestHouse) -> list[bytes]:
    """Return the last hash of every stream."""
    with house.store.reading() as reading:
        return [head.hash for _, head in sorted(reading.streams().items())]


def test_every_store_ends_with_the_same_journal(store: Store) -> None:
    house, twin = ready(store), ready(TestHouse().store)
    for each in (house, twin):
        each.play(each.rehearsal("main", PLAYERS, seed=4), 3)
    assert journal(house) == journal(twin)
    assert house.balances() == twin.balances()
    assert sum(house.balances().values()) == 0


def test_a_round_goes_on_where_it_stood_after_a_restart(store: Store) -> None:
    house = ready(store)
    bots = house.rehearsal("main", PLAYERS, seed=4)
    for number in range(220):
        house.step(bots)
        if number % 17 == 0:
            before = house.house_table("main")
            house.restart()
            assert house.house_table("main") == before


def test_racing_desks_take_turns_and_lose_nothing(store: Store) -> None:
    """Let four desks, as if of four processes, sell chips at one table at the same time."""
    house = ready(store)
    before = house.house_table("main").chips("ann")
    failures: list[BaseException] = []

    def sell(number: int) -> None:
        other = TestHouse(store, seed=number)
        try:
            for step in range(15):
                other.at("main", BuyIn(player="ann", cents=1, key=f"{number}-{step}"), player("ann"))
        except BaseException as error:  # noqa: BLE001  told by the thread that waits
            failures.append(error)

    threads = [threading.Thread(target=sell, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not failures
    house.restart()
    assert house.house_table("main").chips("ann") == before + 60
    assert sum(house.balances().values()) == 0


def test_one_key_in_two_racing_desks_takes_effect_once(store: Store) -> None:
    house = ready(store)
    before = house.balances()["tray/main"]
    fill = FillTray(cents=1, slip="F", role="supervisor", key="once")
    answers: list[CommandResult] = []
    start = threading.Barrier(4)

    def try_it(number: int) -> None:
        other = TestHouse(store, seed=number)
        start.wait()
        answers.append(other.at("main", fill))

    threads = [threading.Thread(target=try_it, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(answer.repeated for answer in answers) == [False, True, True, True]
    assert len({answer.first_sequence for answer in answers}) == 1
    assert house.balances()["tray/main"] == before + 10_000


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    store = open_store(tmp_path / "house.db")
    house = ready(store, "massachusetts")
    bots = house.rehearsal("main", PLAYERS)
    _limit(store, 1)
    with pytest.raises(StoreError, match="full"):
        house.play(bots, 50)
    number, before = house.number("main"), journal(house)
    with pytest.raises(StoreError, match="full"):
        house.play(bots, 50)
    assert journal(house) == before
    _limit(store, 2**30)
    house.play(bots, 2)
    assert house.number("main") >= number + 1
    assert sum(house.balances().values()) == 0


def _limit(store: Store, pages: int) -> None:
    """Let a database grow to so many pages at most, or, being larger, no more."""
    with store.writing() as writing:
        writing._execute_raw(f"PRAGMA max_page_count = {pages}", ())  # type: ignore[attr-defined]


def test_a_server_that_stops_in_mid_round_is_told_and_the_round_goes_on() -> None:
    with server(durable=True) as running:
        store = open_store(running.fresh())
        house = ready(store)
        bots = house.rehearsal("main", PLAYERS)
        house.play(bots)
        while house.between("main"):
            house.step(bots)
        before, heads = house.house_table("main"), journal(house)
        running.stop()
        request = bots.next(before)
        (reply,) = house.service.execute([request])
        assert isinstance(reply, StoreError)
        assert "\n" not in str(reply)
        running.start()
        assert journal(house) == heads
        assert house.service.table("main") == before
        assert not house.do(request.stream, request.command, request.actor).repeated
        while not house.between("main"):
            house.step(bots)
        assert sum(house.balances().values()) == 0
        store.close()


def test_a_file_that_somebody_else_locks_is_waited_for_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourcard.house.store.sqlite.LOCK_TIMEOUT", 0.2)
    file = tmp_path / "house.db"
    store = open_store(file)
    house = ready(store, "massachusetts")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    fill = FillTray(cents=1, slip="F", role="supervisor", key="k")
    (reply,) = house.service.execute([Request(MAIN, fill, BOT_STAFF)])
    assert isinstance(reply, StoreError)
    other.execute("ROLLBACK")
    other.close()
    assert not house.at("main", fill).repeated
    store.close()


def test_many_tables_share_commits(postgres: Server) -> None:
    store = open_store(postgres.emptied())
    house = TestHouse(store)
    house.staff()
    bots = []
    for number in range(6):
        players = tuple(f"p{number}-{seat}" for seat in range(3))
        house.register(*players)
        house.install(f"t{number}", "washington-everything", meter="link")
        bots.append(house.rehearsal(f"t{number}", players, seed=number))
    for _ in range(150):
        requests = [each.next(house.house_table(each.table)) for each in bots]
        replies = house.service.execute(requests)
        assert all(isinstance(reply, CommandResult) for reply in replies), replies
    assert sum(house.balances().values()) == 0
    assert min(house.number(each.table) for each in bots) >= 1
    store.close()

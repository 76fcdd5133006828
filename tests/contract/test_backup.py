"""Backup and restore: from any store to any store, while the house is running."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourcard.house.store import backup
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import CopyCounts, copy_house
from fourcard.house.store.interface import (
    Credential,
    PlayerRound,
    RoundRow,
    Snapshot,
    Store,
    StoreError,
    TableHour,
)
from fourcard.house.store.memory import MemoryStore
from tests.contract.records import AT, GAME, add, contents, fill, packed, run, transfer
from tests.kit.faulty_store import FaultyStore
from tests.kit.postgres import Server

Opening = Callable[[str], Store]


@pytest.fixture
def opened(postgres: Server, tmp_path: Path) -> Iterator[Opening]:
    """Return a function that opens another empty store of a kind."""
    stores = list[Store]()

    def open_one(kind: str) -> Store:
        place = postgres.emptied(2) if kind == "postgres" else tmp_path / f"{len(stores)}.db"
        stores.append(MemoryStore() if kind == "memory" else open_store(place))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_everything_is_copied_to_any_kind_and_back(store: Store, opened: Opening, kind: str) -> None:
    with store.writing() as writing:
        fill(writing)
    copy, restored = opened(kind), opened("memory")
    copied = copy_house(store, copy)
    assert copied == CopyCounts(
        streams=3, events=6, transfers=3, balances=3, games=1, secrets=1, snapshots=1, table_hours=1,
        rounds=1, credentials=1, segments=1,
    )  # fmt: skip
    assert contents(copy) == contents(store)
    assert copy_house(copy, restored) == copied
    assert contents(restored) == contents(store)
    add(copy, run("table/t1", 1, contents(copy)["streams"]["table/t1"]))  # type: ignore[index]


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_records_of_several_commands_are_copied_as_they_are(store: Store, opened: Opening, kind: str) -> None:
    first = packed("a", 1, (1, 3), "k")
    add(store, [first, packed("a", 5, (2,), before=first.hash), *run("b", 2)])
    copy = opened(kind)
    copied = copy_house(store, copy)
    assert (copied.streams, copied.events) == (2, 8)
    assert contents(copy) == contents(store)


def test_an_empty_house_is_copied_too(store: Store, opened: Opening) -> None:
    assert copy_house(store, opened("sqlite")) == CopyCounts(*[0] * 11)


def test_a_long_journal_is_copied_in_pages_and_told(
    store: Store, opened: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "COPY_PAGE_ROWS", 400)
    add(store, run("a", 700) + run("b", 333), [transfer("a", n, amount=n) for n in range(1, 500)])
    told = list[tuple[str, int]]()
    copied = copy_house(store, opened("sqlite"), lambda what, done: told.append((what, done)))
    assert (copied.events, copied.transfers) == (1033, 499)
    assert told == [
        ("records", 400),
        ("records", 800),
        ("records", 1033),
        ("transfers", 400),
        ("transfers", 499),
    ]


def grow(store: Store) -> None:
    """Add something of every kind to what ``fill`` wrote, and change what changes."""
    with store.writing() as writing:
        heads = writing.lock_exclusive(["table/t1", "player/p2"])
        writing.append(run("table/t1", 2, heads["table/t1"], keyed=True) + run("player/p2", 1))
        writing.post([transfer("table/t1", 4), transfer("player/p2", 1, amount=3)])
        writing.keep_game("h", b"{}")
        writing.forget_secrets([("table/t1", 4)])
        writing.keep_secrets({("table/t1", 5): b"next"})
        writing.keep_snapshot(Snapshot("table/t1", 5, b"later"))
        hour = AT // 3_600_000
        writing.put_table_hours(
            [TableHour("table/t1", hour, b"{1}", b""), TableHour("table/t1", hour + 1, b"{}", b"[1]")]
        )
        ended = RoundRow("table/t1", 2, AT + 5, 5, GAME, 5, b"[2]")
        writing.add_rounds([ended], [PlayerRound(name, AT + 5, "table/t1", 2) for name in ("p1", "p2")])
        writing.put_credential(Credential("staff", "ann", "$argon2id$2"))


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_an_earlier_copy_is_brought_up_to_date(store: Store, opened: Opening, kind: str) -> None:
    """Read only what came since, twice, and hold in the end what a new copy holds."""
    with store.writing() as writing:
        fill(writing)
    copy = opened(kind)
    first, told = copy_house(store, copy), list[tuple[str, int]]()
    assert copy_house(store, copy, lambda *each: told.append(each), onto_earlier=True) == first
    assert told == []
    grow(store)
    later = copy_house(store, copy, lambda *each: told.append(each), onto_earlier=True)
    assert dict(told) == {
        "records": 3, "transfers": 2, "snapshots": 1, "table hours": 2, "rounds": 1, "players": 2,
    }  # fmt: skip
    assert contents(copy) == contents(store)
    assert copy_house(store, opened("memory")) == later


def test_only_an_earlier_copy_of_the_same_house_is_brought_up_to_date(store: Store, opened: Opening) -> None:
    with store.writing() as writing:
        fill(writing)
    ahead, other = opened("memory"), opened("sqlite")
    copy_house(store, ahead)
    grow(ahead)
    add(other, [packed("table/t1", 1, (1, 2))])
    for target in (ahead, other):
        before = contents(target)
        with pytest.raises(StoreError, match="is not an earlier backup of this house"):
            copy_house(store, target, onto_earlier=True)
        assert contents(target) == before


def test_an_earlier_copy_that_lost_rows_is_not_brought_up_to_date(store: Store, tmp_path: Path) -> None:
    with store.writing() as writing:
        fill(writing)
    copy = open_store(tmp_path / "copy.db")
    copy_house(store, copy)
    grow(store)
    for lost in ("transfers WHERE sequence = 1", "events WHERE sequence = 2 AND stream = 'table/t1'"):
        with sqlite3.connect(tmp_path / "copy.db") as tampering:
            assert tampering.execute(f"DELETE FROM {lost}").rowcount == 1
        tampering.close()
        with pytest.raises(StoreError, match="make a full backup"):
            copy_house(store, copy, onto_earlier=True)
    copy.close()


@pytest.mark.parametrize(
    "point", ["copy_records:after", "post:after", "forget_secrets:after", "add_rounds:after", "commit:before"]
)
def test_a_copy_that_fails_leaves_the_earlier_copy_as_it_was(store: Store, point: str) -> None:
    source = MemoryStore()
    with source.writing() as writing:
        fill(writing)
    copy_house(source, store)
    before = contents(store)
    grow(source)
    with pytest.raises(StoreError, match="as planned"):
        copy_house(source, FaultyStore(store, lambda name: name == point), onto_earlier=True)
    assert contents(store) == before
    copy_house(source, store, onto_earlier=True)
    assert contents(store) == contents(source)


def test_a_running_house_is_copied_as_of_one_moment(store: Store, opened: Opening) -> None:
    done = threading.Event()

    def play() -> None:
        while not done.is_set():
            with store.writing() as writing:
                head = writing.lock_exclusive(["a"])["a"]
                writing.append(run("a", 3, head))
                writing.post(
                    [transfer("a", head.sequence + n, amount=1, giver="x", taker="y") for n in range(3)]
                )

    playing = threading.Thread(target=play)
    playing.start()
    try:
        for _ in range(4):
            copy = opened("memory")
            copied = copy_house(store, copy)
            assert copied.events % 3 == 0
            assert copied.transfers == copied.events
            with copy.reading() as reading:
                assert reading.balances().get("y", 0) == copied.events
    finally:
        done.set()
        playing.join()


def test_nothing_is_copied_over(store: Store) -> None:
    source = MemoryStore()
    with source.writing() as writing:
        fill(writing)
    with store.writing() as writing:
        writing.keep_game("h", b"g")
    before = contents(store)
    with pytest.raises(StoreError, match="is not empty"):
        copy_house(source, store)
    assert contents(store) == before


@pytest.mark.parametrize(
    "point", ["copy_records:after", "post:after", "keep_snapshot:after", "commit:before"]
)
def test_a_copy_that_fails_leaves_the_target_empty(store: Store, point: str) -> None:
    source = MemoryStore()
    with source.writing() as writing:
        fill(writing)
    with pytest.raises(StoreError, match="as planned"):
        copy_house(source, FaultyStore(store, lambda name: name == point))
    assert not any(contents(store).values())
    assert copy_house(source, store).events == 6


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("UPDATE balances SET amount = amount + 1 WHERE account = 'cage'", "balances do not match"),
        ("UPDATE streams SET sequence = 2 WHERE name = 'table/t1'", "do not match its journal"),
        ("DELETE FROM streams WHERE name = 'table/t1'", "do not match its journal"),
        ("DELETE FROM events WHERE stream = 'table/t1' AND sequence = 2", "does not come next"),
    ],
)
def test_a_house_that_disagrees_with_itself_is_not_copied(tmp_path: Path, damage: str, words: str) -> None:
    house = open_store(tmp_path / "house.db")
    with house.writing() as writing:
        fill(writing)
    with sqlite3.connect(tmp_path / "house.db") as tampering:
        assert tampering.execute(damage).rowcount == 1
    tampering.close()
    target = MemoryStore()
    with pytest.raises(StoreError, match=words):
        copy_house(house, target)
    assert not any(contents(target).values())
    house.close()


def test_a_backup_is_one_file_that_can_be_read_anywhere(store: Store, tmp_path: Path) -> None:
    with store.writing() as writing:
        fill(writing)
    folder = tmp_path / "backup"
    folder.mkdir()
    target = open_store(folder / "copy.db")
    copy_house(store, target)
    target.close()
    assert [path.name for path in folder.iterdir()] == ["copy.db"]
    with sqlite3.connect(f"file:{folder / 'copy.db'}?mode=ro&immutable=1", uri=True) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert plain.execute("SELECT count(*) FROM events").fetchone() == (5,)
    plain.close()

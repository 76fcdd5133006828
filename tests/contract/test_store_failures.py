"""What goes wrong around a SQLite file: one clear sentence, nothing changed, and usable again afterwards."""

import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from fourcard.house.store import sqlite
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import Store, StoreError
from fourcard.house.store.sql import SqlStore
from tests.contract.records import add, contents, event, fill, finished, run, started


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a house could be."""
    return tmp_path / "house.db"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that every user may enter and write to."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o777)
        yield Path(name)
        Path(name).chmod(0o777)


def sentence(place: str | Path, *, writing: bool = True) -> str:
    """Return the one sentence with which a place is refused."""
    with pytest.raises(StoreError) as caught:
        open_store(place, writing=writing)
    words = str(caught.value)
    assert words.endswith(".")
    assert "\n" not in words
    return words


def filled(place: str | Path) -> None:
    """Leave a closed house behind."""
    store = open_store(place)
    with store.writing() as writing:
        fill(writing)
    store.close()


def limit(store: Store, pages: int) -> None:
    """Let the file have no more pages than so many more than it has."""
    writer = cast("SqlStore", store)._writer
    assert writer is not None
    with writer.connect() as connection:
        used = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {used + pages}")


@pytest.mark.parametrize("writing", [True, False])
def test_a_file_with_two_names_is_refused_under_both_until_one_is_gone(path: Path, *, writing: bool) -> None:
    filled(path)
    other = path.with_name("other.db")
    other.hardlink_to(path)
    (path.with_name("sign.db")).symlink_to(path)
    before = {each.name for each in path.parent.iterdir()}
    for name in (path, other, path.with_name("sign.db")):
        real = name.resolve()
        assert sentence(name, writing=writing) == (
            f"{real} is one of 2 names (hard links) of the same file, which cannot be locked safely; "
            "remove the other names first."
        )
    assert {each.name for each in path.parent.iterdir()} == before
    path.unlink()
    open_store(other, writing=writing).close()


def test_a_full_disk_is_said_and_survived(path: Path) -> None:
    store = open_store(path)
    add(store, run("a", 10))
    before = contents(store)
    limit(store, 1)
    with pytest.raises(StoreError, match="cannot be written, because the disk is full"):
        add(store, run("b", 5000))
    assert contents(store) == before
    limit(store, 100_000)
    add(store, run("b", 5000))
    store.close()


def test_a_file_that_may_not_grow_is_said_and_survived(path: Path) -> None:
    said = finished("no_room", str(path))
    assert "cannot be" in said[0]
    assert said[1:] == ["['a']", "['a', 'b']"]


def test_a_file_that_may_only_be_read_can_be_read(open_folder: Path) -> None:
    said = finished("no_right_to_file", str(open_folder / "house.db"))
    assert said[0].endswith("house.db cannot be written, because it is read-only.")
    assert said[1] == "['a']"


def test_a_file_in_a_folder_that_may_only_be_read_can_be_read(open_folder: Path) -> None:
    said = finished("no_right_to_folder", str(open_folder / "house.db"))
    assert said[0].endswith("house.db cannot be opened for writing: permission denied.")
    assert said[1:] == ["['a']", "['house.db']"]


def test_a_place_where_nothing_can_be_made() -> None:
    assert "cannot be opened for writing" in sentence("/proc/house.db")


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    assert "is a folder, not a database" in sentence(tmp_path)
    assert "is a folder, not a database" in sentence(tmp_path, writing=False)
    assert "there is no folder" in sentence(tmp_path / "none" / "house.db")


def test_reading_needs_a_file_and_makes_none(path: Path) -> None:
    assert "does not exist" in sentence(path, writing=False)
    path.touch()
    assert "no house has been opened there yet" in sentence(path, writing=False)
    assert path.stat().st_size == 0


@pytest.mark.parametrize("writing", [True, False])
@pytest.mark.parametrize("size", [10, 100_000])
def test_a_file_that_is_no_database_stays_as_it_is(path: Path, size: int, *, writing: bool) -> None:
    path.write_bytes(b"dear diary" * (size // 10))
    assert "is not a database" in sentence(path, writing=writing)
    assert path.read_bytes() == b"dear diary" * (size // 10)
    assert [file.name for file in path.parent.iterdir()] == ["house.db"]


@pytest.mark.parametrize("writing", [True, False])
def test_a_database_of_another_program_stays_as_it_is(path: Path, *, writing: bool) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = path.read_bytes()
    assert "is a database, but not of a house" in sentence(path, writing=writing)
    assert path.read_bytes() == before


def test_a_damaged_file_is_said_to_be_damaged(path: Path) -> None:
    store = open_store(path)
    add(store, run("a", 3000))
    store.close()
    content = bytearray(path.read_bytes())
    content[130_000:-8192] = b"\xa5" * len(content[130_000:-8192])
    path.write_bytes(content)
    damaged = open_store(path, writing=False)
    with damaged.reading() as reading, pytest.raises(StoreError, match="is damaged"):
        list(reading.events("a"))
    damaged.close()


def test_a_table_that_is_gone_is_said(path: Path) -> None:
    filled(path)
    with sqlite3.connect(path) as tampering:
        tampering.execute("DROP TABLE balances")
    tampering.close()
    store = open_store(path)
    with store.reading() as reading, pytest.raises(StoreError, match="no such table: balances"):
        reading.balances()
    store.close()


def test_another_program_that_locks_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "LOCK_TIMEOUT", 0.05)
    store = open_store(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="is locked by another program"):
        add(store, run("a", 1))
    assert contents(store)["streams"] == {}
    other.execute("ROLLBACK")
    other.close()
    add(store, run("a", 1))
    store.close()


def test_one_process_writes_and_others_read_beside_it(path: Path) -> None:
    child = started("hold", str(path))
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    assert f"is open in another process (number {child.pid})" in sentence(path)
    reader = open_store(path, writing=False)
    assert contents(reader)["streams"] == {}
    reader.close()
    child.send_signal(signal.SIGKILL)
    child.communicate()
    store = open_store(path)
    add(store, run("a", 1))
    store.close()


def test_a_reader_in_another_store_follows_the_writer(path: Path) -> None:
    writer = open_store(path)
    reader = open_store(f"sqlite:///{path}", writing=False)
    for sequence in range(1, 4):
        add(writer, [event("a", sequence)])
        with reader.reading() as reading:
            assert reading.streams()["a"].sequence == sequence
    with pytest.raises(StoreError, match="is open for reading only"):
        add(reader, run("b", 1))
    writer.close()
    assert contents(reader)["streams"]
    reader.close()


def test_a_file_is_open_for_writing_once_even_within_a_process(path: Path) -> None:
    store = open_store(path)
    assert "is already open for writing in this process" in sentence(path)
    link = path.with_name("link.db")
    link.symlink_to(path)
    assert "is already open for writing in this process" in sentence(link)
    store.close()
    store.close()
    open_store(link).close()
    assert sorted(file.name for file in path.parent.iterdir()) == ["house.db", "link.db"]


def test_a_refused_opening_lets_go_of_the_lock(path: Path) -> None:
    path.write_text("dear diary")
    sentence(path)
    path.unlink()
    open_store(path).close()


def test_a_closed_store_says_so(path: Path) -> None:
    store = open_store(path)
    store.close()
    with pytest.raises(StoreError, match=r"house\.db is closed"):
        add(store, [])
    with pytest.raises(StoreError, match=r"house\.db is closed"):
        contents(store)


def test_a_new_file_is_nobody_elses_to_read(path: Path) -> None:
    store = open_store(path)
    add(store, run("a", 1))
    files = sorted(path.parent.glob("house.db*"))
    assert len(files) == 4
    assert [oct(file.stat().st_mode & 0o077) for file in files if file.suffix != ".lock"] == ["0o0"] * 3
    store.close()


def test_a_name_with_odd_characters_is_only_a_name(tmp_path: Path) -> None:
    place = tmp_path / "a house?mode=ro#100%41 ü.db"
    filled(place)
    assert place.exists()
    store = open_store(place, writing=False)
    assert all(contents(store).values())
    store.close()


@pytest.mark.parametrize("place", ["mysql://u:secret@host/db", "sqlite://", "http://x"])
def test_an_unknown_kind_of_store(place: str) -> None:
    words = sentence(place)
    assert "is an unknown kind of store" in words
    assert "secret" not in words


def test_a_commit_survives_a_kill(address: str) -> None:
    finished("commit_and_die", address, -signal.SIGKILL)
    store = open_store(address)
    with store.reading() as reading:
        assert list(reading.events("a")) == run("a", 50)
    store.close()


def test_a_kill_in_a_transaction_leaves_nothing_of_it(address: str) -> None:
    finished("die_inside", address, -signal.SIGKILL)
    store = open_store(address)
    with store.reading() as reading:
        assert {name: head.sequence for name, head in reading.streams().items()} == {"a": 3}
        assert list(reading.events("b")) == []
    add(store, run("b", 1))
    store.close()

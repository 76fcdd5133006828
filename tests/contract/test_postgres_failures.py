"""What goes wrong around a PostgreSQL server: one clear sentence, nothing changed, usable again."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from fourcard.house.store.address import open_store
from fourcard.house.store.interface import ConcurrentChangeError, Store, StoreError, WriteTransaction
from tests.contract.records import add, contents, event, run, transfer
from tests.kit.postgres import Server
from tests.kit.waiting import wait_until

CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE application_name = 'fourcard' AND datname = current_database()"
)
KILL_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fourcard'"


@pytest.fixture
def place(postgres: Server) -> str:
    """Return the address of an empty database."""
    return postgres.emptied()


@pytest.fixture
def store_in_postgres(place: str) -> Iterator[Store]:
    """Return an empty store in PostgreSQL."""
    opened = open_store(place)
    yield opened
    opened.close()


def done(place: str, statement: str) -> None:
    """Do something behind the store's back."""
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute(statement.encode())


def test_where_nobody_listens() -> None:
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://ann:hunter2@127.0.0.1:1/house")
    words = str(caught.value)
    assert words.startswith("PostgreSQL database house at 127.0.0.1:1 cannot be reached: ")
    assert "refused" in words
    assert "\n" not in words
    assert "hunter2" not in f"{words} {caught.value.__cause__} {caught.value.__context__}"


@pytest.mark.parametrize(
    "place", ["postgresql://ann:hunter2@host:port/house", "postgresql://ann:hunter2@[::1/house"]
)
def test_an_address_that_cannot_be_read(place: str) -> None:
    with pytest.raises(StoreError, match="address is invalid") as caught:
        open_store(place)
    assert "hunter2" not in str(caught.value)


def test_a_database_that_does_not_exist(place: str) -> None:
    server_alone, options = place.split("?")
    with pytest.raises(StoreError, match='database "none" does not exist'):
        open_store(f"{server_alone.rpartition('/')[0]}/none?{options}")


def test_a_store_that_is_closed_while_somebody_reads_leaves_no_connection(
    place: str, store_in_postgres: Store
) -> None:
    def connections() -> int:
        with psycopg.connect(place) as connection:
            return int(connection.execute(CONNECTIONS).fetchone()[0])  # type: ignore[index]

    with store_in_postgres.reading():
        store_in_postgres.close()
        assert connections() == 1
    wait_until(lambda: connections() == 0)


def test_a_server_that_is_stopped_in_mid_use_and_comes_back(
    postgres: Server, store_in_postgres: Store
) -> None:
    store = store_in_postgres
    add(store, run("a", 3), [transfer("a", 1)])
    before = contents(store)
    with stopped(postgres):
        for _ in range(2):
            with pytest.raises(StoreError, match=r"PostgreSQL database .* cannot be reached: "):
                add(store, run("b", 1))
            with pytest.raises(StoreError, match=r"PostgreSQL database .* cannot be reached: "):
                contents(store)
    assert contents(store) == before
    add(store, run("b", 1))


def test_a_server_that_is_stopped_in_a_transaction(postgres: Server, store_in_postgres: Store) -> None:
    def act(writing: WriteTransaction) -> None:
        writing.append(run("a", 1))
        with stopped(postgres):
            writing.post([transfer("a", 1)])

    with pytest.raises(StoreError) as caught, store_in_postgres.writing() as writing:
        act(writing)
    assert "\n" not in str(caught.value)
    assert not any(contents(store_in_postgres).values())
    add(store_in_postgres, run("a", 1))


@contextmanager
def stopped(running: Server) -> Iterator[None]:
    """Do something while a server is stopped."""
    running.stop()
    try:
        yield
    finally:
        running.start()


def test_connections_that_were_cut_while_idle_go_unnoticed(place: str, store_in_postgres: Store) -> None:
    add(store_in_postgres, run("a", 1))
    done(place, KILL_ALL)
    add(store_in_postgres, run("b", 1))
    with store_in_postgres.reading() as reading:
        assert list(reading.streams()) == ["a", "b"]


def test_a_connection_cut_before_the_commit_is_told_and_nothing_is_kept(
    place: str, store_in_postgres: Store
) -> None:
    def act(writing: WriteTransaction) -> None:
        writing.append(run("a", 1))
        done(place, KILL_ALL)

    with pytest.raises(StoreError, match="lost during a commit"), store_in_postgres.writing() as writing:
        act(writing)
    assert contents(store_in_postgres)["streams"] == {}
    add(store_in_postgres, run("a", 1))


def test_a_failure_that_was_caught_cannot_be_committed(place: str, store_in_postgres: Store) -> None:
    def act(writing: WriteTransaction) -> None:
        writing.append(run("a", 1))
        done(place, "ALTER TABLE credentials RENAME TO gone")
        with pytest.raises(StoreError, match="is not a complete house database"):
            writing.credentials()
        done(place, "ALTER TABLE gone RENAME TO credentials")

    with pytest.raises(StoreError, match="nothing was stored"), store_in_postgres.writing() as writing:
        act(writing)
    assert contents(store_in_postgres)["streams"] == {}


def test_a_lock_that_is_held_too_long(place: str, store_in_postgres: Store) -> None:
    hasty = open_store(f"{place}&options=-c%20lock_timeout%3D100ms")
    with store_in_postgres.writing() as writing:
        writing.append(run("a", 1))
        with pytest.raises(StoreError, match="is locked by another process") as caught:
            add(hasty, [event("a", 1)])
        assert not isinstance(caught.value, ConcurrentChangeError)
        add(hasty, run("b", 1))
    hasty.close()


def test_streams_taken_one_by_one_in_opposite_order_are_untangled(store_in_postgres: Store) -> None:
    add(store_in_postgres, run("a", 1) + run("b", 1))
    together, ends = threading.Barrier(2), list[str]()

    def write(first: str, second: str) -> None:
        try:
            with store_in_postgres.writing() as writing:
                writing.lock_exclusive([first])
                together.wait(10)
                writing.append(run(second, 1, writing.lock_exclusive([second])[second]))
            ends.append("kept")
        except ConcurrentChangeError:
            ends.append("again")

    threads = [threading.Thread(target=write, args=names) for names in (("a", "b"), ("b", "a"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(ends) == ["again", "kept"]


def test_two_stores_write_to_one_database(place: str, store_in_postgres: Store) -> None:
    other = open_store(place)
    for sequence in range(1, 6):
        add((store_in_postgres, other)[sequence % 2], [event("a", sequence)])
    with pytest.raises(ConcurrentChangeError):
        add(other, [event("a", 5)])
    with other.reading() as reading:
        assert reading.streams()["a"].sequence == 5
    other.close()


def test_rows_that_came_behind_the_heads_are_fenced_off(place: str, store_in_postgres: Store) -> None:
    add(store_in_postgres, run("a", 2))
    done(place, "UPDATE streams SET sequence = 1 WHERE name = 'a'")
    with pytest.raises(ConcurrentChangeError):
        add(store_in_postgres, [event("a", 2)])


def test_a_database_that_was_emptied_under_a_running_house(place: str, store_in_postgres: Store) -> None:
    add(store_in_postgres, run("a", 2))
    done(place, "TRUNCATE streams, events")
    with pytest.raises(ConcurrentChangeError, match="is gone"):
        add(store_in_postgres, [event("a", 1)])
    add(store_in_postgres, [event("a", 1)])


def test_a_reader_only_reads(place: str, store_in_postgres: Store) -> None:
    add(store_in_postgres, run("a", 1))
    reader = open_store(place, writing=False)
    assert contents(reader) == contents(store_in_postgres)
    with pytest.raises(StoreError, match="for reading only"):
        add(reader, run("b", 1))
    reader.close()


def test_an_empty_database_is_not_read(postgres: Server) -> None:
    with pytest.raises(StoreError, match="is empty: no house has been opened there yet"):
        open_store(postgres.fresh(), writing=False)

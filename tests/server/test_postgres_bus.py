"""PostgreSQL bus: leases, messages, and both after losing the database."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import Deposit, PersonKind, RegisterPlayer
from fourcard.house.decision import player_stream
from fourcard.house.route_command import Request
from fourcard.house.store.address import open_store
from fourcard.house.store.postgres import CHANNEL, REVOCATION_CHANNEL
from fourcard.server.floor import postgres_bus
from fourcard.server.floor.bus import WorkerSockets
from fourcard.server.floor.postgres_bus import ATTEMPT_CHANNEL, READY_CHANNEL, PostgresBus
from tests.kit.houses import TestHouse
from tests.kit.postgres import Server
from tests.kit.waiting import wait_until

Joining = Callable[..., "Ear"]


class Ear:
    """A bus and everything it received."""

    def __init__(self, address: str, sockets: WorkerSockets | None) -> None:
        """Start listening, as one of several workers if it has sockets."""
        self.streams: list[tuple[str, int]] = []
        self.ready: list[tuple[str, str, int]] = []
        self.revoked: list[tuple[PersonKind, str]] = []
        self.attempts: list[tuple[PersonKind, str, bool]] = []
        self.moved: list[str] = []
        self.bus = PostgresBus(address, sockets)
        self.bus.start(
            lambda *heard: self.streams.append(heard),
            lambda *said: self.ready.append(said),
            lambda *person: self.revoked.append(person),
            lambda *tried: self.attempts.append(tried),
            self.moved.append,
        )
        wait_until(lambda: ("", 0) in self.streams)


@pytest.fixture
def address(postgres: Server) -> str:
    """Return the address of an empty database."""
    return postgres.fresh()


@pytest.fixture
def joining(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Joining]:
    """Connect processes to a house, each with a bus that checks its leases often."""
    monkeypatch.setattr(postgres_bus, "HEARTBEAT_SECONDS", 0.1)
    with ExitStack() as stack:

        def join(sockets: WorkerSockets | None = None) -> Ear:
            ear = Ear(address, sockets)
            stack.callback(ear.bus.close)
            return ear

        yield join


def test_one_process_minds_a_table_and_another_when_that_one_has_ended(joining: Joining) -> None:
    one, other = joining(), joining()
    wait_until(lambda: one.bus.lease("main"))
    assert not other.bus.lease("main")
    wait_until(lambda: other.bus.lease("second"))
    time.sleep(0.3)
    assert not other.bus.lease("main")
    assert not one.bus.lease("second")
    one.bus.close()
    wait_until(lambda: other.bus.lease("main"))


def test_processes_hold_equal_shares_of_the_tables_whenever_one_comes_or_goes(joining: Joining) -> None:
    tables = [f"t{number}" for number in range(20)]

    def held(ear: Ear) -> set[str]:
        return {table for table in tables if ear.bus.lease(table)}

    one = joining()
    wait_until(lambda: len(held(one)) == 20)
    other = joining()
    wait_until(lambda: len(held(other)) == 10 == len(held(one)))
    assert held(one).isdisjoint(held(other))
    third = joining()
    wait_until(lambda: sorted(len(held(each)) for each in (one, other, third)) == [6, 7, 7])
    one.bus.close()
    wait_until(lambda: len(held(other)) == 10 == len(held(third)))


def test_a_lease_follows_the_viewers_of_its_table_and_stays_with_them(joining: Joining) -> None:
    one, other = joining(), joining()
    wait_until(lambda: one.bus.lease("main"))
    assert not other.bus.lease("main")
    other.bus.view("main", True)
    wait_until(lambda: other.bus.lease("main") and one.bus.holder("main") == other.bus.number)
    one.bus.view("main", True)
    other.bus.view("main", False)
    wait_until(lambda: one.bus.lease("main"))
    other.bus.view("main", True)
    time.sleep(0.5)
    assert one.bus.lease("main"), "who has viewers keeps it"
    one.bus.close()
    wait_until(lambda: other.bus.lease("main"))


def test_a_new_worker_gets_its_share_of_the_tables_together_with_their_viewers(
    joining: Joining, tmp_path: Path
) -> None:
    tables = [f"t{number}" for number in range(8)]
    for number in (1, 2):
        (tmp_path / str(number)).touch()
    one = joining(WorkerSockets(tmp_path, 1))

    def held(ear: Ear) -> set[str]:
        return {table for table in tables if ear.bus.lease(table)}

    for table in tables:
        one.bus.view(table, True)
    wait_until(lambda: len(held(one)) == 8)
    other = joining(WorkerSockets(tmp_path, 2))
    wait_until(lambda: len(held(other)) == 4)
    assert held(other) == {*one.moved}
    time.sleep(0.5)
    assert len(one.moved) == 4, "that is all"


def test_processes_without_a_dealer_take_no_lease_from_those_with_one(joining: Joining, address: str) -> None:
    watching = PostgresBus(address, deals=False)
    watching.start(*[lambda *_: None] * 5)
    try:
        wait_until(lambda: watching.lease("main"))
        one = joining()
        wait_until(lambda: one.bus.lease("main"))
        assert watching.lease("main")
    finally:
        watching.close()


def test_a_lease_that_was_not_looked_at_for_long_is_not_believed(
    joining: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = joining()
    wait_until(lambda: one.bus.lease("main"))
    one.bus.close()
    monkeypatch.setattr(postgres_bus, "LEASE_TRUST_SECONDS", 0.0)
    assert not one.bus.lease("main")


def test_everybody_hears_who_is_ready_and_what_was_committed(joining: Joining, address: str) -> None:
    one, other = joining(), joining()
    one.bus.ready("main", "ann", 3)
    for ear in (one, other):
        wait_until(lambda ear=ear: ("main", "ann", 3) in ear.ready)  # type: ignore[misc]
    with psycopg.connect(address, autocommit=True) as session:
        session.execute("SELECT pg_notify(%s, %s)", (CHANNEL, "table/main 17"))
    for ear in (one, other):
        wait_until(lambda ear=ear: ("table/main", 17) in ear.streams)  # type: ignore[misc]


def test_every_commit_is_heard_by_its_streams_and_what_was_refused_is_not(
    joining: Joining, address: str
) -> None:
    store = open_store(address)
    try:
        one, house = joining(), TestHouse(store)
        house.staff()
        house.register("ann", money=0)
        stream = player_stream("ann")
        before = house.heads()[stream]
        house.refused(stream, Deposit(cents=-1, role="supervisor"))
        house.do(stream, Deposit(cents=100, role="supervisor"))
        wait_until(lambda: (stream, before + 1) in one.streams)
        heard = [sequence for name, sequence in one.streams if name == stream]
        assert heard == [*range(1, before + 2)]
        assert ("staff", house.heads()["staff"]) in one.streams
    finally:
        store.close()


def test_a_commit_with_more_streams_than_a_notice_holds_is_heard_whole(
    joining: Joining, address: str
) -> None:
    store = open_store(address)
    try:
        one, house = joining(), TestHouse(store)
        house.staff()
        streams = [player_stream(f"{number:x>40}") for number in range(200)]
        register = RegisterPlayer(name="Ann", role="supervisor")
        house.service.execute([Request(stream, register, BOT_STAFF) for stream in streams])
        wait_until(lambda: {(stream, 1) for stream in streams} <= {*one.streams})
    finally:
        store.close()


def test_who_begins_to_listen_asks_who_is_ready(joining: Joining) -> None:
    one = joining()
    before = one.ready.count(("", "", 0))
    joining()
    wait_until(lambda: one.ready.count(("", "", 0)) > before)


@pytest.mark.parametrize("garbage", ["", "table/main", "table/main x", "{", '{"table": 1}', "[]"])
def test_what_cannot_be_read_is_passed_over(joining: Joining, address: str, garbage: str) -> None:
    one = joining()
    with psycopg.connect(address, autocommit=True) as session:
        for channel in (CHANNEL, READY_CHANNEL, REVOCATION_CHANNEL, ATTEMPT_CHANNEL):
            session.execute("SELECT pg_notify(%s, %s)", (channel, garbage))
    one.bus.ready("main", "ann", 1)
    wait_until(lambda: ("main", "ann", 1) in one.ready)
    assert not one.revoked
    assert not one.attempts


def test_a_database_that_goes_and_comes_back(joining: Joining, postgres: Server) -> None:
    one = joining()
    wait_until(lambda: one.bus.lease("main"))
    missed = one.streams.count(("", 0))
    postgres.stop()
    began = time.monotonic()
    one.bus.ready("main", "ann", 5)
    one.bus.lease("second")
    assert time.monotonic() - began < 0.5, "nobody waits for a database that is away"
    assert one.ready[-1] == ("main", "ann", 5), "the own process knows at once"
    wait_until(lambda: not one.bus.lease("main"))
    postgres.start()
    wait_until(lambda: one.bus.lease("main"))
    wait_until(lambda: one.streams.count(("", 0)) > missed)
    wait_until(lambda: not one.bus._outbox)


def test_a_session_that_is_cut_loses_its_leases_and_takes_them_again(joining: Joining, address: str) -> None:
    one, other = joining(), joining()
    wait_until(lambda: one.bus.lease("main"))
    other.bus.lease("main")
    with psycopg.connect(address, autocommit=True) as session:
        session.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    for ear in (one, other):
        wait_until(lambda ear=ear: ear.streams.count(("", 0)) == 2)  # type: ignore[misc]
    wait_until(lambda: one.bus.lease("main") != other.bus.lease("main"))
    one.bus.ready("main", "bob", 7)
    for ear in (one, other):
        wait_until(lambda ear=ear: ("main", "bob", 7) in ear.ready)  # type: ignore[misc]


def test_whatever_goes_wrong_in_listening_it_is_begun_again_and_told_once(
    address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres_bus, "HEARTBEAT_SECONDS", 0.02)
    heard, faults = list[tuple[str, int]](), [RuntimeError("a fault of ours")] * 5

    def hear(stream: str, sequence: int) -> None:
        if stream and faults:
            raise faults.pop()
        heard.append((stream, sequence))

    bus = PostgresBus(address)
    bus.start(hear, *[lambda *_: None] * 4)
    try:
        wait_until(lambda: ("", 0) in heard)
        with psycopg.connect(address, autocommit=True) as session:
            while faults:
                before = len(faults)
                session.execute("SELECT pg_notify(%s, %s)", (CHANNEL, "table/main 17"))
                begun = heard.count(("", 0))
                wait_until(lambda before=before: len(faults) < before)  # type: ignore[misc]
                wait_until(lambda begun=begun: heard.count(("", 0)) > begun)  # type: ignore[misc]
            session.execute("SELECT pg_notify(%s, %s)", (CHANNEL, "table/main 18"))
        wait_until(lambda: ("table/main", 18) in heard)
    finally:
        bus.close()
    (record,) = caplog.records
    assert "lost (RuntimeError)" in record.message
    assert record.exc_info, "a fault of the program is told with where it was"


def test_after_a_fault_in_holding_leases_they_are_taken_again(
    joining: Joining, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = joining()
    wait_until(lambda: one.bus.lease("main"))
    look, failures, looks = one.bus._beat, [1], list[bool]()

    def failing(session: postgres_bus.Session) -> None:
        if failures:
            failures.pop()
            raise RuntimeError("a fault of ours")
        looks.append(not one.bus._leases)
        look(session)

    monkeypatch.setattr(one.bus, "_beat", failing)
    wait_until(lambda: len(looks) > 1 and one.bus.lease("main"))
    assert looks[:2] == [True, False], "what the lost session held was lost"

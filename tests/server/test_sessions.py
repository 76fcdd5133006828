"""Sessions in memory: answered without the store, ended at once here and soon in every other process."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from unittest.mock import patch

import psycopg
import pytest

from fourcard.house.auth.identity import Actor
from fourcard.house.auth.security import SecurityState
from fourcard.house.auth.sign_in import token_hash
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import ChangeRoles, DismissStaff, NotePassword
from fourcard.house.decision import STAFF
from fourcard.house.house import House
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import StoreError
from fourcard.server import sessions as sessions_module
from fourcard.server.floor import postgres_bus
from fourcard.server.floor.bus import Bus, SingleProcessBus
from fourcard.server.floor.postgres_bus import PostgresBus
from fourcard.server.sessions import MAX_AGE, Sessions
from tests.kit.postgres import Server
from tests.server.simulated_floor import SimulatedFloor, reopened_house, simulated_house, staff, wait_until

EXAMPLE = "massachusetts-everything"
PASSWORD = "four of a kind"
HOUR = 3_600_000


def token_of(house: House, person: str = "dan") -> str:
    """Sign a person in by link."""
    return house.sign_in.issue_by_link("player" if person == "ann" else "staff", person, HOUR)


def known_session(house: House, person: str = "dan") -> tuple[Sessions, str]:
    """Return sessions that know a token, and the token."""
    sessions, token = Sessions(house), token_of(house, person)
    assert sessions.current(token_hash(token)) is None
    assert sessions.read(token_hash(token)) == sessions.current(token_hash(token)) is not None
    return sessions, token


def advance(house: House, milliseconds: int) -> None:
    """Move the manual clock of a house."""
    house.clock.at += milliseconds  # type: ignore[attr-defined]


@contextmanager
def unreachable(house: House) -> Iterator[None]:
    """Make every look into a store fail."""
    with (
        patch.object(house.store, "reading", side_effect=StoreError("The store is away.")),
        patch.object(house.store, "writing", side_effect=StoreError("The store is away.")),
    ):
        yield


@asynccontextmanager
async def opened(*floors: SimulatedFloor) -> AsyncIterator[None]:
    """Open floors, and close them at the end."""
    for each in floors:
        await each.open()
    try:
        yield
    finally:
        for each in floors:
            await each.close()


def test_a_known_session_needs_no_store_until_it_is_too_old_or_ends() -> None:
    house = simulated_house(EXAMPLE)
    sessions, token = known_session(house)
    with unreachable(house):
        assert sessions.current(token_hash(token)) == staff("dan")
        advance(house, MAX_AGE - 1)
        assert sessions.current(token_hash(token)) == staff("dan")
        advance(house, 1)
        assert sessions.current(token_hash(token)) is None
        with pytest.raises(StoreError):
            sessions.read(token_hash(token))
    assert sessions.last_known(token_hash(token)) == staff("dan")
    advance(house, HOUR)
    assert sessions.read(token_hash(token)) is None
    assert sessions.last_known(token_hash(token)) is None


def test_a_session_ends_on_time_while_it_is_in_memory() -> None:
    house = simulated_house(EXAMPLE)
    sessions, token = Sessions(house), house.sign_in.issue_by_link("staff", "dan", 500)
    sessions.read(token_hash(token))
    advance(house, 499)
    assert sessions.current(token_hash(token)) == staff("dan")
    advance(house, 1)
    assert sessions.current(token_hash(token)) is None


def test_a_clock_that_was_set_back_makes_no_session_last() -> None:
    house = simulated_house(EXAMPLE)
    sessions, token = known_session(house)
    advance(house, -1)
    assert sessions.current(token_hash(token)) is None


def test_sessions_in_use_are_read_again_in_the_background_and_others_are_not() -> None:
    house = simulated_house(EXAMPLE)
    sessions, token = known_session(house)
    for _ in range(3):
        advance(house, MAX_AGE - 1)
        assert sessions.current(token_hash(token)) == staff("dan")
        sessions.recheck()
    advance(house, MAX_AGE - 1)
    with unreachable(house):
        sessions.recheck()
    advance(house, 1)
    assert sessions.current(token_hash(token)) is None, "an idle session is read at its next use"


def test_what_ended_without_a_message_ends_at_the_next_reading_in_the_background() -> None:
    house = simulated_house(EXAMPLE)
    sessions, token = known_session(house)
    other = reopened_house(house)
    other.sign_in.revoke(token)
    assert sessions.current(token_hash(token)) == staff("dan"), "nobody has told this process"
    sessions.recheck()
    assert sessions.current(token_hash(token)) is sessions.last_known(token_hash(token)) is None


def test_those_unused_for_longest_are_dropped_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions_module, "MAX_SESSIONS", 3)
    house = simulated_house(EXAMPLE)
    sessions, tokens = Sessions(house), [token_of(house) for _ in range(4)]
    for token in tokens[:3]:
        sessions.read(token_hash(token))
    sessions.recheck()
    sessions.current(token_hash(tokens[0]))
    sessions.recheck()
    sessions.read(token_hash(tokens[3]))
    assert [sessions.current(token_hash(token)) is not None for token in tokens] == [True, False, True, True]


@pytest.mark.parametrize("rechecked", [False, True])
def test_a_sign_out_while_a_session_is_read_is_not_missed(rechecked: bool) -> None:
    house = simulated_house(EXAMPLE)
    sessions, token = known_session(house)
    house.sign_in.revocation_listener = sessions.forget
    real = house.service.security_state

    def overtaken() -> SecurityState:
        found = real()
        with patch.object(house.service, "security_state", real):
            house.sign_in.revoke(token)
        return found

    with patch.object(house.service, "security_state", overtaken):
        if rechecked:
            sessions.recheck()
        else:
            assert sessions.read(token_hash(token)) == staff("dan")
    assert sessions.current(token_hash(token)) is None


def revoke(house: House, token: str) -> None:
    """Sign out."""
    assert house.sign_in.revoke(token)


def revoke_all(house: House, _token: str) -> None:
    """End every sign-in of a person."""
    assert house.sign_in.revoke_all("staff", "dan") == 1


def set_password(house: House, _token: str) -> None:
    """Set the person's password."""
    house.set_password("staff", NotePassword(person="dan"), PASSWORD, BOT_STAFF)


def dismiss(house: House, _token: str) -> None:
    """Dismiss the person by a command that only the writer sees."""
    house.group_commit.do(STAFF, DismissStaff(person="dan"), BOT_STAFF)


def promote(house: House, _token: str) -> None:
    """Give the person another role by a command that only the writer sees."""
    house.group_commit.do(STAFF, ChangeRoles(person="dan", roles=("supervisor",)), BOT_STAFF)


ENDINGS: dict[Callable[[House, str], None], Actor | None] = {
    revoke: None,
    revoke_all: None,
    set_password: None,
    dismiss: None,
    promote: Actor("dan", "staff", ("supervisor",)),
}
"""What ends a session of Dan or changes its roles, and who is signed in afterwards."""
endings = pytest.mark.parametrize(
    ("ending", "after"), ENDINGS.items(), ids=lambda each: getattr(each, "__name__", "")
)


@endings
def test_in_its_own_process_an_ending_is_in_force_when_it_is_answered(
    ending: Callable[[House, str], None], after: Actor | None
) -> None:
    async def happen() -> None:
        at = SimulatedFloor(simulated_house(EXAMPLE))
        async with opened(at):
            sessions, token, stranger = at.floor.sessions, token_of(at.house), token_of(at.house, "eve")
            assert (sessions.read(token_hash(token)), sessions.read(token_hash(stranger))) == (
                staff("dan"),
                staff("eve"),
            )
            await asyncio.to_thread(ending, at.house, token)
            assert sessions.current(token_hash(token)) is None
            assert sessions.read(token_hash(token)) == after
            assert sessions.read(token_hash(stranger)) == staff("eve")

    asyncio.run(happen())


@contextmanager
def two_houses(postgres: Server) -> Iterator[tuple[str, House, House]]:
    """Open one house twice on a database, as two processes do; time stands still."""
    address = postgres.fresh()
    with ExitStack() as stack:
        stores = [open_store(address) for _ in range(2)]
        for store in stores:
            stack.callback(store.close)
        one = simulated_house(EXAMPLE, ("ann",), stores[0])
        yield address, one, reopened_house(one, store=stores[1])


@endings
def test_another_process_hears_of_an_ending_and_does_not_wait_for_time(
    ending: Callable[[House, str], None], after: Actor | None, postgres: Server
) -> None:
    async def happen(address: str, one: House, two: House) -> None:
        here, there = (SimulatedFloor(each, bus=PostgresBus(address)) for each in (one, two))
        async with opened(here, there):
            sessions, token = there.floor.sessions, token_of(one)
            await wait_until(lambda: sessions.current(token_hash(token)) or sessions.read(token_hash(token)))  # type: ignore[arg-type, return-value]
            await asyncio.to_thread(ending, one, token)
            await wait_until(lambda: sessions.current(token_hash(token)) is None, 10)
            assert sessions.read(token_hash(token)) == after

    with two_houses(postgres) as (address, one, two):
        asyncio.run(happen(address, one, two))


@endings
def test_another_process_that_hears_nothing_notices_within_the_bound(
    ending: Callable[[House, str], None], after: Actor | None, postgres: Server
) -> None:
    async def happen(one: House, two: House) -> None:
        buses: tuple[Bus, Bus] = SingleProcessBus(), SingleProcessBus()
        here, there = (SimulatedFloor(each, bus=bus) for each, bus in zip((one, two), buses, strict=True))
        async with opened(here, there):
            sessions, token = there.floor.sessions, token_of(one)
            sessions.read(token_hash(token))
            await asyncio.to_thread(ending, one, token)
            assert sessions.current(token_hash(token)) == staff("dan"), "the message is lost"
            advance(one, MAX_AGE)
            assert sessions.current(token_hash(token)) is None
            assert sessions.read(token_hash(token)) == after

    with two_houses(postgres) as (_, one, two):
        asyncio.run(happen(one, two))


def test_after_a_lost_connection_every_session_is_read_again(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_bus, "HEARTBEAT_SECONDS", 0.1)

    async def happen(address: str, one: House) -> None:
        here = SimulatedFloor(one, bus=PostgresBus(address))
        async with opened(here):
            sessions, token = here.floor.sessions, token_of(one, "ann")
            await wait_until(lambda: sessions._epoch > 0)  # it distrusts once when the bus first listens
            await wait_until(
                lambda: bool(sessions.read(token_hash(token)) and sessions.current(token_hash(token)))
            )
            await asyncio.sleep(0.3)
            assert sessions.current(token_hash(token)) is not None
            with psycopg.connect(address, autocommit=True) as session:
                session.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND query LIKE 'LISTEN%' OR query LIKE '%pg_notify%'"
                    " AND pid <> pg_backend_pid()"
                )
            await wait_until(lambda: sessions.current(token_hash(token)) is None, 10)
            assert sessions.read(token_hash(token)) == Actor("ann", "player")

    with two_houses(postgres) as (address, one, _):
        asyncio.run(happen(address, one))

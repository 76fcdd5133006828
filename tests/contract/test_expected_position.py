"""Commands that were decided upon a state of their stream: done there and nowhere else, on every store."""

import threading

import pytest

from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.command_service import CommandService
from fourcard.house.commands import BuyIn, FillTray
from fourcard.house.decision import player_stream, table_stream
from fourcard.house.route_command import CommandResult, Reply, Request
from fourcard.house.store.interface import Store
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from tests.contract.records import contents
from tests.kit.houses import TestHouse, player

MAIN = table_stream("main")
PLAYERS = ("ann", "bob", "cal")


@pytest.fixture
def house(store: Store) -> TestHouse:
    """Return a house with two open tables that are linked to one meter."""
    made = TestHouse(store)
    made.staff()
    made.register(*PLAYERS)
    for table in ("main", "other"):
        made.install(table, "washington-everything", meter="link")
        made.open(table)
        made.seat(table, PLAYERS)
    return made


def fill(upon: int | None, key: str = "", cents: int = 700) -> Request:
    """Return a request that was decided upon a sequence."""
    return Request(MAIN, FillTray(cents=cents, slip="F", role="supervisor", key=key), BOT_STAFF, upon)


def refused(reply: Reply) -> Refusal:
    """Return that something was decided upon another state."""
    assert isinstance(reply, Refusal), reply
    assert reply.code is Code.STREAM_MOVED
    return reply


def test_it_is_done_at_its_sequence_and_changes_nothing_one_under_or_over(house: TestHouse) -> None:
    at, before = house.heads()[MAIN], contents(house.store)
    for upon in (at - 1, at + 1, 0, -1):
        (reply,) = house.service.execute([fill(upon)])
        told = f"The command was based on event {upon} of {MAIN}, which is now at event {at}. Read it again."
        assert refused(reply).message == told
    assert contents(house.store) == before
    (reply,) = house.service.execute([fill(at)])
    assert isinstance(reply, CommandResult)
    assert reply.first_sequence == at + 1


def test_without_a_condition_it_is_done_wherever_the_stream_stands(house: TestHouse) -> None:
    for _ in range(2):
        (reply,) = house.service.execute([fill(None)])
        assert isinstance(reply, CommandResult)


def test_what_came_before_it_in_the_same_commit_counts(house: TestHouse) -> None:
    at = house.heads()[MAIN]
    bought = Request(MAIN, BuyIn(player="ann", cents=500), player("ann"))
    first, second, third = house.service.execute([bought, fill(at), fill(at + 1)])
    assert isinstance(first, CommandResult)
    refused(second)
    assert isinstance(third, CommandResult)
    assert third.first_sequence == at + 2


def test_what_another_process_committed_counts(house: TestHouse) -> None:
    at, other = house.heads()[MAIN], CommandService(house.store, house.clock, house.entropy)
    other.do(MAIN, BuyIn(player="ann", cents=500), player("ann"))
    (reply,) = house.service.execute([fill(at)])
    refused(reply)
    (reply,) = house.service.execute([fill(at + 1)])
    assert isinstance(reply, CommandResult)


def test_a_meter_or_an_account_that_moves_is_no_part_of_the_condition(house: TestHouse) -> None:
    at, meter, account = (house.heads()[name] for name in (MAIN, "meter/link", player_stream("ann")))
    house.at("other", BuyIn(player="ann", cents=500), player("ann"))
    house.play(house.rehearsal("other", PLAYERS, seed=4), 2)
    assert house.heads()["meter/link"] > meter
    assert house.heads()[player_stream("ann")] > account
    bought = BuyIn(player="ann", cents=500)
    (reply,) = house.service.execute([Request(MAIN, bought, player("ann"), at)])
    assert isinstance(reply, CommandResult)


def test_what_was_done_under_its_key_is_answered_again_though_the_stream_moved_on(house: TestHouse) -> None:
    at = house.heads()[MAIN]
    (first,) = house.service.execute([fill(at, "once")])
    before = contents(house.store)
    for upon in (at, at + 1, None):
        (again,) = house.service.execute([fill(upon, "once")])
        assert isinstance(first, CommandResult)
        assert isinstance(again, CommandResult)
        assert (again.first_sequence, again.events, again.repeated) == (
            first.first_sequence,
            first.events,
            True,
        )
    (other,) = house.service.execute([fill(at, "once", 701)])
    assert isinstance(other, Refusal)
    assert other.code is Code.KEY_REUSED
    assert contents(house.store) == before


def test_of_many_processes_that_decided_upon_the_same_one_acts(house: TestHouse) -> None:
    at, replies = house.heads()[MAIN], list[Reply]()
    begun = threading.Barrier(4)

    def act(number: int) -> None:
        desk = CommandService(house.store, house.clock, house.entropy)
        begun.wait()
        replies.extend(desk.execute([fill(at, f"of-{number}")]))

    threads = [threading.Thread(target=act, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = [reply for reply in replies if isinstance(reply, CommandResult)]
    assert len(done) == 1
    assert [refused(reply).code for reply in replies if reply is not done[0]] == [Code.STREAM_MOVED] * 3
    assert house.heads()[MAIN] == at + 1

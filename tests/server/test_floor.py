"""Floor of one process: what it follows, whom it notifies, and what a subscription shows."""

import asyncio
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace

from fourcard.house.autopilot import BOT_STAFF, WaitReason
from fourcard.house.commands import BuyIn, Deposit, InstallTable
from fourcard.house.decision import player_stream, table_stream
from fourcard.house.route_command import Request
from fourcard.house.store.interface import StoreError
from fourcard.round.commands import LeaveSeat, PlaceWager, Play
from fourcard.server.floor import floor as floors
from fourcard.server.floor.dealer_loop import DealerSupervisor
from fourcard.server.floor.floor import Floor
from fourcard.server.settings import PaceSettings
from fourcard.table.commands import CloseTable
from tests.kit.houses import break_event, submission_text
from tests.kit.whole_message import whole_message
from tests.server.simulated_floor import (
    SETTINGS,
    TABLE,
    SimulatedFloor,
    on_floor,
    player,
    reopened_house,
    simulated_house,
    staff,
    wait_until,
)
from tests.server.test_auto_dealer_policy import ANTE, DECIDING, NO_BOTS, WAGERING, ready, wagered


async def again(at: SimulatedFloor) -> SimulatedFloor:
    """Return the floor after a restart of the process, on the same store."""
    at.floor.stop()
    other = SimulatedFloor(reopened_house(at.house), at.floor.settings)
    await other.open()
    return other


@pytest.mark.clause("P34")
def test_after_a_restart_who_is_to_decide_has_all_the_time_again() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1, 3)
        ready(at, "ann", "bob")
        await at.work()
        at.clock.at += DECIDING - 1
        other = await again(at)
        assert other.next() == WaitReason("decision", 1, at.clock.at + DECIDING)
        at.clock.at += DECIDING - 1
        assert isinstance(other.next(), WaitReason)
        at.clock.at += 1
        assert isinstance(other.next(), Request)

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P34")
def test_after_a_restart_bets_close_in_time_all_the_same() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        other = await again(at)
        assert other.next() == WaitReason("ready", until=at.clock.at + WAGERING)
        at.clock.at += WAGERING
        assert isinstance(other.next(), Request)

    on_floor(during, settings=NO_BOTS)


def test_a_look_tells_every_sentence_once() -> None:
    async def during(at: SimulatedFloor) -> None:
        look = await at.look(player("ann"))
        heard = [told["text"] for told in look.message["told"]]
        await wagered(at, 1)
        ready(at, "ann", "bob")
        while isinstance(at.next(), Request):
            await at.dealer.step()
            for message in await look.push():
                heard += [told["text"] for told in msgspec.json.decode(message)["told"]]
        assert heard == [sentence.text for sentence in at.watch.snapshot.lines]
        assert await look.push() == []
        fresh = await at.look(player("bob"))
        of_round = at.watch.snapshot.lines_since(at.watch.snapshot.round_start_line)
        assert [told["text"] for told in fresh.message["told"]] == [sentence.text for sentence in of_round]
        assert 0 < len(of_round) < len(heard)
        look.leave(at.floor)
        fresh.leave(at.floor)

    on_floor(during, settings=NO_BOTS)


def test_state_sequence_and_words_of_a_message_are_of_one_moment() -> None:
    async def during(at: SimulatedFloor) -> None:
        look = await at.look(player("ann"))
        moved = asyncio.Event()

        async def hurry() -> None:
            for number in range(40):
                await at.floor.submit(
                    at.watch.stream, BuyIn(player="ann", cents=100, key=f"hurry-{number}"), player("ann")
                )
            moved.set()

        task = asyncio.ensure_future(hurry())
        before = at.watch.state.chips("ann") - 100 * at.watch.sequence
        while not moved.is_set():
            await look.push()
            assert look.message["you"]["chips"] - 100 * look.message["sequence"] == before
            await asyncio.sleep(0)
        await task
        look.leave(at.floor)

    on_floor(during, settings=NO_BOTS)


def test_an_account_is_right_though_it_moves_while_somebody_begins_to_look() -> None:
    async def during(at: SimulatedFloor) -> None:
        stream, standing = player_stream("dee"), at.house.service.committed_state
        before, paid = standing(stream)[0], list[str]()

        def moving(asked: str) -> object:
            found = standing(asked)
            if asked == stream and not paid:
                paid.append(asked)
                at.house.service.do(stream, Deposit(cents=700, role="supervisor"), BOT_STAFF)
            return found

        with patch.object(at.house.service, "committed_state", moving):
            look = await at.look(player("dee"))
        account = getattr(before, "cents", 0) + 700
        async with asyncio.timeout(2):
            while look.message["you"]["account"] != account:
                await look.next()
        look.leave(at.floor)
        again = await at.look(player("dee"))
        assert again.message["you"]["account"] == account
        again.leave(at.floor)

    on_floor(during)


def test_whoever_asks_for_a_new_table_at_once_gets_the_one_that_is_followed() -> None:
    async def during(at: SimulatedFloor) -> None:
        at.house.service.commit_listener = None
        stream = table_stream("second")
        at.house.service.do(
            stream, InstallTable(submission=submission_text("shuffle-master-everything")), BOT_STAFF
        )
        at.house.service.commit_listener = at.floor._on_commit
        found = await asyncio.gather(*(at.floor.follow_table("second") for _ in range(8)))
        assert {*found} == {at.floor.tables["second"]}
        assert at.floor._projections.get(stream) is at.floor.tables["second"]
        assert await at.floor.follow_table("third") is None

    on_floor(during)


def test_a_table_that_is_installed_later_is_followed_and_dealt_at() -> None:
    async def during(at: SimulatedFloor) -> None:
        minding = DealerSupervisor(at.floor)
        minding.start()
        at.house.service.do(
            table_stream("second"), InstallTable(submission=submission_text("catfish-bend")), BOT_STAFF
        )
        with patch("fourcard.server.floor.dealer_loop.TABLE_SEARCH_SECONDS", 0.01):
            await wait_until(lambda: "second" in at.floor.tables)
            state = at.floor.tables["second"]
            await wait_until(lambda: getattr(state.state.state, "phase", "") == "open")
        await minding.stop()

    on_floor(during, settings=NO_BOTS)


def test_a_table_with_another_meter_shows_that_one() -> None:
    async def during(at: SimulatedFloor) -> None:
        for position, name in ((1, "ann"), (3, "bob")):
            await at.done(LeaveSeat(position=position), player(name))
        await at.work()
        await at.done(CloseTable(role="floorperson"), staff("flo"))
        text = submission_text("massachusetts-everything")
        await at.done(InstallTable(submission=text, meter="other"), staff("ada"))
        await wait_until(lambda: at.floor.meter("other") is not None, 2)
        message = whole_message(at.floor, at.watch.snapshot, player("ann"), 0)
        assert message.meter is not None

    on_floor(during, settings=NO_BOTS)


def test_a_stream_that_could_not_be_read_is_read_again() -> None:
    async def during(at: SimulatedFloor) -> None:
        reading, failures = at.house.store.reading, [1, 1]

        def failing() -> object:
            if failures:
                failures.pop()
                raise StoreError("The database is away.")
            return reading()

        before = at.watch.sequence
        at.house.service.commit_listener = None
        await at.done(BuyIn(player="ann", cents=100), player("ann"))
        assert at.watch.sequence == before
        with (
            patch.object(at.house.store, "reading", failing),
            patch.object(floors, "RETRY_READ_SECONDS", 0.01),
        ):
            at.floor._on_bus_commit(at.watch.stream, before + 1)
            await wait_until(lambda: at.watch.sequence == before + 1, 2)
        assert not failures

    on_floor(during, settings=NO_BOTS)


def test_a_broken_table_hinders_no_other() -> None:
    async def happen() -> None:
        house = simulated_house("massachusetts-everything", ("ann",))
        house.service.do(table_stream("aa"), InstallTable(submission=submission_text("maryland")), BOT_STAFF)
        break_event(house, table_stream("aa"), "table_installed", {"game": "0" * 64})  # type: ignore[arg-type]
        at = SimulatedFloor(reopened_house(house), SETTINGS)
        await at.open()
        assert {*at.floor.tables} == {TABLE}
        await at.close()

    asyncio.run(happen())


def test_an_old_word_that_somebody_is_ready_counts_for_nothing() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann", "bob")
        await at.work()
        await at.done(Play(position=1, amount=ANTE), player("ann"))
        await at.work()
        assert at.state.round_number == 2
        assert at.floor.ready_players(at.watch.snapshot) == frozenset()
        ready(at, "ann")
        at.floor._add_ready(TABLE, "bob", 1)
        assert at.floor.ready_players(at.watch.snapshot) == {"ann"}
        message = whole_message(at.floor, at.watch.snapshot, player("ann"), 0)
        assert message.you is not None
        assert message.you.ready

    on_floor(during, settings=NO_BOTS)


def test_a_dealer_deals_whole_rounds_by_itself_until_it_is_stopped() -> None:
    async def during(at: SimulatedFloor) -> None:
        at.floor.settings = replace(NO_BOTS, pace=PaceSettings(0))
        minding = DealerSupervisor(at.floor)
        minding.start()
        for number in range(1, 4):
            await wait_until(lambda: at.next() == WaitReason("wagers"))
            await at.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("ann"))
            for name in ("ann", "bob"):
                at.floor.bus.ready(TABLE, name, number)
            await wait_until(lambda: at.next() == WaitReason("decision", 1))
            await at.done(Play(position=1, amount=ANTE), player("ann"))
        await wait_until(lambda: at.state.round_number == 4)
        await minding.stop()

    on_floor(during, settings=NO_BOTS)


def test_a_dealer_is_stopped_though_something_changes_at_the_same_moment() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        for turns in range(6):
            task = asyncio.ensure_future(at.dealer.run())
            await asyncio.sleep(0.01)
            at.floor.dealer_wakeups[TABLE].set()
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait({task}, timeout=1)
            assert task.done(), f"it went on after {turns} turns of the loop"

    on_floor(during, settings=NO_BOTS)


def test_floors_that_nobody_serves_any_more_hear_nothing() -> None:
    async def during(at: SimulatedFloor) -> None:
        at.floor.stop()
        assert at.house.service.commit_listener is None
        assert isinstance(at.floor, Floor)
        at.floor._on_bus_commit("", 0)

    on_floor(during)

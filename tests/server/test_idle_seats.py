"""Idle seats: how long they are kept, what counts as activity, and who gets them."""

import asyncio

import pytest
from msgspec.structs import replace

from fourcard.house import autopilot as bots
from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import WaitReason
from fourcard.house.commands import BuyIn, CashOut, CommitSeed
from fourcard.house.route_command import Request
from fourcard.house.timers import MIN_BETTING_TIME
from fourcard.round.commands import Fold, LeaveSeat, PlaceWager, TakeSeat
from fourcard.server.settings import PaceSettings
from tests.kit.houses import SEED_HASH
from tests.kit.whole_message import whole_message
from tests.server.simulated_floor import (
    SETTINGS,
    SimulatedFloor,
    TwinFloor,
    by_house,
    on_floor,
    on_twins,
    player,
    staff,
    wait_until,
)
from tests.server.test_auto_dealer_policy import ANTE, DECIDING, WAGERING, ready, wagered
from tests.server.test_floor import again
from tests.server.test_two_floors import same

SEAT = 600_000
KEPT = replace(SETTINGS, bots=0, pace=PaceSettings(0, wagering=WAGERING, deciding=DECIDING, seat=SEAT))
OUT_OF_ONE = by_house(LeaveSeat(position=1, role="dealer"))
OUT_OF_THREE = by_house(LeaveSeat(position=3, role="dealer"))


@pytest.mark.clause("P34")
def test_who_does_nothing_at_the_table_for_so_long_is_let_out_of_the_seat() -> None:
    async def during(at: SimulatedFloor) -> None:
        since = at.clock.at
        assert await at.work() == WaitReason("wagers", seat_until=since + SEAT)
        at.clock.at = since + SEAT - 1
        assert at.next() == WaitReason("wagers", seat_until=since + SEAT)
        for late in (1, 0):
            at.clock.at = since + SEAT + late
            assert at.next() == OUT_OF_ONE
        assert await at.work() == WaitReason("players"), "the round is called off when everybody has gone"
        assert not at.state.seats
        assert at.watch.state.chip_holders == (), "the chips went back to the account"
        await at.done(TakeSeat(position=1, player="dee"), player("dee"))
        assert await at.work() == WaitReason("wagers", seat_until=at.clock.at + SEAT)
        assert audit(at.house.store).clean

    on_floor(during, settings=KEPT)


@pytest.mark.clause("P34")
def test_whatever_a_player_does_keeps_the_seat() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        for command in (BuyIn(player="ann", cents=100), CashOut(player="ann", cents=100)):
            at.clock.at += SEAT - 1
            await at.done(command, player("ann"))
            await at.done(BuyIn(player="bob", cents=100), player("bob"))
        at.clock.at += SEAT - 1
        await at.done(BuyIn(player="ann", cents=100), player("ann"))
        at.clock.at += 1
        assert at.next() == OUT_OF_THREE, "what one does keeps no other's seat"
        await at.dealer.step()
        assert isinstance(at.next(), WaitReason)
        assert {*at.state.seats.values()} == {"ann"}

    on_floor(during, settings=KEPT)


@pytest.mark.clause("P34")
@pytest.mark.clause("P40")
def test_the_seed_that_a_page_sends_keeps_no_seat() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        at.clock.at += SEAT - 1
        number = at.watch.state.shuffle_number
        await at.done(CommitSeed(player="ann", shuffle=number, hash=SEED_HASH), player("ann"))
        await at.done(BuyIn(player="bob", cents=100), player("bob"))
        at.clock.at += 1
        assert at.next() == OUT_OF_ONE

    on_floor(during, settings=KEPT)


@pytest.mark.clause("P34")
def test_where_a_wager_lies_the_seat_is_kept_and_the_round_is_played_out() -> None:
    async def during(at: SimulatedFloor) -> None:
        since = at.clock.at
        await wagered(at, 1)
        at.clock.at = since + SEAT
        assert at.next() == OUT_OF_THREE
        at.clock.at = since + SEAT - 1
        ready(at, "ann", "bob")
        assert (await at.work()).for_ == "decision"
        at.clock.at = since + SEAT + DECIDING
        folded = at.next()
        assert isinstance(folded, Request)
        assert isinstance(folded.command, Fold), "in a round nobody leaves"
        while at.state.round is not None:
            await at.dealer.step()
        ended = at.clock.at
        assert await at.work() == WaitReason("wagers", seat_until=ended + MIN_BETTING_TIME)
        at.clock.at = ended + MIN_BETTING_TIME - 1
        assert isinstance(at.next(), WaitReason), "the round may have waited for long: he can wager first"
        at.clock.at = ended + MIN_BETTING_TIME
        assert at.next() == OUT_OF_THREE
        assert await at.work() == WaitReason("wagers", seat_until=ended + SEAT), "her wager was in that round"
        assert at.state.seats == {1: "ann"}
        at.clock.at = ended + SEAT
        assert at.next() == OUT_OF_ONE, "that the dealer folded for her was no act of hers"

    on_floor(during, settings=KEPT)


@pytest.mark.clause("P34")
def test_what_staff_enters_for_a_player_is_the_players_own() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        at.clock.at += SEAT // 2
        await at.done(TakeSeat(position=5, player="dee", role="dealer"), staff("dan"))
        await at.done(PlaceWager(position=3, wager="ante", amount=ANTE, role="dealer"), staff("dan"))
        acted = at.watch.snapshot.timers.last_action_at
        assert acted["dee"] == acted["bob"] == acted["ann"] + SEAT // 2

    on_floor(during, settings=KEPT)


@pytest.mark.clause("P34")
def test_a_bot_and_who_sits_where_seats_are_kept_for_ever_stay() -> None:
    async def with_bots(at: SimulatedFloor) -> None:
        await at.work()
        at.clock.at += SEAT - 1
        await at.done(BuyIn(player="ann", cents=100), player("ann"))
        at.clock.at += 1
        assert at.next() == OUT_OF_THREE
        await at.dealer.step()
        assert {*at.state.seats.values()} == {"ann", bots.bot_name("main", 0), bots.bot_name("main", 1)}
        assert isinstance(at.next(), WaitReason)
        assert audit(at.house.store).clean, "accounts of bots stand in the journal like any other"

    async def for_ever(at: SimulatedFloor) -> None:
        await at.work()
        at.clock.at += 1_000 * SEAT
        assert at.next() == WaitReason("wagers")

    on_floor(with_bots, settings=replace(KEPT, bots=2))
    on_floor(for_ever)


@pytest.mark.clause("P34")
def test_both_positions_of_a_player_are_given_up() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        at.clock.at += SEAT
        await at.done(BuyIn(player="bob", cents=100), player("bob"))
        await at.work()
        assert at.state.seats == {4: "bob"}

    on_floor(during, "shuffle-master-everything", seats={1: "ann", 2: "ann", 4: "bob"}, settings=KEPT)


@pytest.mark.clause("P34")
def test_every_process_counts_from_the_same_and_after_a_start_there_is_all_the_time_again() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await one.work()
        one.clock.at += SEAT // 2
        await other.done(BuyIn(player="ann", cents=100), player("ann"))
        await wait_until(lambda: same(one, other))
        assert one.watch.snapshot.timers.last_action_at == other.watch.snapshot.timers.last_action_at
        one.clock.at += SEAT // 2
        assert (one.next(), other.next()) == (OUT_OF_THREE, OUT_OF_THREE)
        fresh = await again(other)
        assert fresh.next() == WaitReason("wagers", seat_until=one.clock.at + SEAT)
        one.clock.at += SEAT
        assert fresh.next() == OUT_OF_ONE

    on_twins(during, settings=KEPT)


@pytest.mark.clause("P34")
def test_the_dealer_wakes_in_time_and_nobody_is_shown_that_clock() -> None:
    async def during(at: SimulatedFloor) -> None:
        until = at.clock.at + SEAT
        await at.work()
        at.clock.at = until - 50
        waiting = whole_message(at.floor, at.watch.snapshot, player("ann"), 0).waiting
        assert waiting is not None
        assert (waiting.for_, waiting.left) == ("wagers", None)
        async with asyncio.timeout(30):
            await at.dealer.step()

    on_floor(during, settings=KEPT)

"""People who miss rounds: nobody waits after one missed round; the seat is freed after three (P34)."""

import pytest
from msgspec.structs import replace

from fourcard.house.account_state import AccountState
from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import WaitReason
from fourcard.house.commands import BuyIn
from fourcard.house.decision import player_stream
from fourcard.house.route_command import Request
from fourcard.progressive.autopilot import next_motion
from fourcard.round.commands import LeaveSeat, PlaceWager, Play
from fourcard.server.settings import SEAT_MILLISECONDS, PaceSettings, ServerSettings
from tests.kit.whole_message import whole_message
from tests.server.simulated_floor import (
    MONEY,
    SETTINGS,
    SimulatedFloor,
    TwinFloor,
    by_house,
    on_floor,
    on_twins,
    player,
    wait_until,
)
from tests.server.test_auto_dealer_policy import ANTE, DECIDING, WAGERING, ready, wagered
from tests.server.test_floor import again
from tests.server.test_two_floors import same

HOME = replace(SETTINGS, bots=0, pace=PaceSettings(0, wagering=WAGERING, deciding=DECIDING, patient=True))
"""Settings of a local house in `fourcard serve`."""
SHARED = replace(
    SETTINGS, bots=0, pace=PaceSettings(0, wagering=WAGERING, deciding=DECIDING, seat=SEAT_MILLISECONDS)
)
"""Settings of a hosted house in `fourcard serve`."""
BOTH = pytest.mark.parametrize("settings", [HOME, SHARED], ids=["own machine", "shared"])
FREED = by_house(LeaveSeat(position=3, role="dealer"))


def account(at: SimulatedFloor, name: str) -> int:
    """Return the cents on an account."""
    book, _ = at.house.service.committed_state(player_stream(name))
    assert isinstance(book, AccountState)
    return book.cents


async def bets_close(at: SimulatedFloor) -> int:
    """Let ann bet and be ready; return how long the table still waits for others."""
    await wagered(at, 1)
    ready(at, "ann")
    following = at.next()
    waited = 0 if isinstance(following, Request) or following.until is None else following.until - at.clock.at
    at.clock.at += waited
    return waited


async def played(at: SimulatedFloor) -> int:
    """Let ann play a round until just after its end; return how long betting waited for bob."""
    waited, number = await bets_close(at), at.state.round_number
    assert (await at.work()).position == 1
    await at.done(Play(position=1, amount=ANTE), player("ann"))
    while at.state.round is not None or next_motion(at.watch.state.console, at.watch.state.state) is not None:
        await at.dealer.step()
    assert at.state.round_number == number
    return waited


@BOTH
@pytest.mark.clause("P34")
def test_who_misses_a_round_sits_out_and_after_three_the_seat_is_freed(settings: ServerSettings) -> None:
    async def during(at: SimulatedFloor) -> None:
        assert await played(at) == WAGERING, "nobody knows yet that he is away"
        assert at.next() != FREED
        assert await played(at) == 0, "after one missed round nobody waits"
        assert at.next() != FREED, "after two he still has his seat"
        assert at.state.seats == {1: "ann", 3: "bob"}
        assert await played(at) == 0
        assert at.next() == FREED, "after three it is freed, before the next round begins"
        before = at.watch.state.chips("bob")
        await at.work()
        assert at.state.seats == {1: "ann"}
        assert (before, at.watch.state.chips("bob"), account(at, "bob")) == (1_000_000, 0, MONEY)
        assert audit(at.house.store).clean

    on_floor(during, settings=settings)


@BOTH
@pytest.mark.clause("P34")
def test_who_comes_back_is_waited_for_at_once_and_counts_from_nothing(settings: ServerSettings) -> None:
    async def during(at: SimulatedFloor) -> None:
        for missed in range(2):
            assert await played(at) == (0 if missed else WAGERING)
        await at.work()
        assert sits_out(at) == (3,)
        await at.done(PlaceWager(position=3, wager="ante", amount=ANTE), player("bob"))
        assert sits_out(at) == ()
        assert await bets_close(at) == WAGERING, "his wager is down, and he has not said that he is ready"
        ready(at, "bob")
        for position, name in ((1, "ann"), (3, "bob")):
            assert (await at.work()).position == position
            await at.done(Play(position=position, amount=ANTE), player(name))
        assert [await played(at) for _ in range(2)] == [WAGERING, 0]
        assert at.next() != FREED, "two in a row again"
        await at.work()
        await at.done(BuyIn(player="bob", cents=100), player("bob"))
        assert [await played(at) for _ in range(4)] == [WAGERING, WAGERING, 0, 0], "any act is one"
        assert at.next() == FREED

    on_floor(during, settings=settings)


def sits_out(at: SimulatedFloor) -> tuple[int, ...]:
    """Return the positions shown as sitting out."""
    message = whole_message(at.floor, at.watch.snapshot, player("bob"), 0)
    assert message.you is not None
    assert message.you.sits_out == (3 in message.sitting_out)
    return message.sitting_out


@pytest.mark.clause("P34")
def test_beside_somebody_who_sits_out_one_is_alone_on_ones_own_machine() -> None:
    async def during(at: SimulatedFloor) -> None:
        await played(at)
        await wagered(at, 1)
        assert at.next() == WaitReason("ready"), "she may think as long as she likes"
        ready(at, "ann")
        assert await at.work() == WaitReason("decision", 1)
        await at.done(BuyIn(player="bob", cents=100), player("bob"))
        assert at.next() == WaitReason("decision", 1, at.clock.at + DECIDING), "somebody waits again"

    on_floor(during, settings=HOME)


@pytest.mark.clause("P34")
def test_no_round_is_dealt_for_bots_while_everybody_who_is_left_sits_out() -> None:
    async def during(at: SimulatedFloor) -> None:
        await played(at)
        await at.work()
        await at.done(LeaveSeat(position=1), player("ann"))
        assert await at.work() == WaitReason("wagers")
        number = at.state.round_number
        at.clock.at += 100 * WAGERING
        assert await at.work() == WaitReason("wagers")
        assert (at.state.round_number, at.round.dealt_in != ()) == (number, True)

    on_floor(during, settings=replace(HOME, bots=2))


@pytest.mark.clause("P34")
def test_who_sat_down_while_bets_were_taken_has_not_missed_that_round() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        await at.seat({5: "dee"})
        await played(at)
        assert at.watch.snapshot.timers.attendance.missed == {"bob": 1}, "dee came while bets were taken"

    on_floor(during, settings=HOME)


@pytest.mark.clause("P34")
def test_every_process_counts_the_same_missed_rounds_and_a_new_one_begins_with_none() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await played(one)
        await wait_until(lambda: same(one, other))
        missed = [each.watch.snapshot.timers.attendance.missed for each in (one, other)]
        assert missed == [{"bob": 1}, {"bob": 1}]
        fresh = await again(other)
        assert fresh.watch.snapshot.timers.attendance.missed == {}

    on_twins(during, settings=SHARED)

"""Pace of a table: the slowest seated person decides, and all of them together can skip what is shown."""

import asyncio

import msgspec

from fourcard.house.autopilot import WaitReason
from fourcard.round.commands import Play
from fourcard.server.floor.dealer_loop import DealerLoop
from fourcard.server.settings import PaceSettings
from tests.server.simulated_floor import SETTINGS, SimulatedFloor, on_floor, player, staff, wait_until
from tests.server.test_auto_dealer_policy import ANTE
from tests.server.test_dealer_runs import bet

PACED = msgspec.structs.replace(SETTINGS, pace=PaceSettings(0.3, wagering=20_000, deciding=45_000))
SLOW = 1_000.0
"""A factor with which nothing more is shown while a test runs."""


async def deal(at: SimulatedFloor) -> int:
    """Let the dealer deal at a pace that shows nothing; return the sequence of the last event."""
    await bet(at)
    at.watch.pace.house_factor = SLOW
    await DealerLoop(at.floor, at.watch).step()
    await wait_until(lambda: at.watch.sequence > at.watch.snapshot.sequence)
    return at.watch.sequence


def test_a_table_keeps_the_pace_of_the_slowest_person_who_plays_there() -> None:
    async def during(at: SimulatedFloor) -> None:
        people = frozenset(("ann", "bob"))
        pace, factor = at.watch.pace, at.watch.pace.house_factor
        ann, bob = [await at.floor.subscribe(at.watch, player(each)) for each in ("ann", "bob")]
        onlookers = [await at.floor.subscribe(at.watch, each) for each in (player("dee"), staff("flo"))]
        assert pace.factor(people) == factor, "normal, as long as nobody wants anything else"
        at.floor.choose_speed(ann, "instant")
        for each in onlookers:
            at.floor.choose_speed(each, "normal")
        assert pace.factor(people) == factor
        at.floor.choose_speed(bob, "fast")
        assert pace.factor(people) == factor / 3
        second = await at.floor.subscribe(at.watch, player("bob"))
        at.floor.unsubscribe(bob)
        assert pace.factor(people) == factor / 3, "another window of the same player keeps the speed"
        at.floor.unsubscribe(second)
        assert pace.factor(people) == 0, "who has no window sees nothing that could be too fast"
        at.floor.unsubscribe(ann)
        assert pace.factor(people) == factor

    on_floor(during, settings=PACED)


def test_what_one_wants_instantly_is_shown_at_once_and_the_other_has_time() -> None:
    async def during(at: SimulatedFloor) -> None:
        ann, bob = [await at.floor.subscribe(at.watch, player(each)) for each in ("ann", "bob")]
        end = await deal(at)
        at.floor.choose_speed(ann, "instant")
        assert at.watch.snapshot.sequence < end
        at.floor.choose_speed(bob, "instant")
        assert at.watch.snapshot.sequence == end
        assert isinstance(at.next(), WaitReason)

    on_floor(during, settings=PACED)


def test_a_table_skips_when_every_seated_person_asked_and_until_it_waits_for_one() -> None:
    async def during(at: SimulatedFloor) -> None:
        ann, bob = [await at.floor.subscribe(at.watch, player(each)) for each in ("ann", "bob")]
        dee = await at.floor.subscribe(at.watch, player("dee"))
        end = await deal(at)
        for each in (dee, ann):
            at.floor.skip(each)
            assert at.watch.snapshot.sequence < end
        at.floor.skip(bob)
        assert at.watch.snapshot.sequence == end
        assert at.watch.pace.factor(frozenset(("ann", "bob"))) == SLOW, "the table waits for ann now"
        for each in (ann, bob):
            at.floor.skip(each)
        assert not at.watch.pace.skips, "while it waits for a person there is nothing to skip"

    on_floor(during, settings=PACED)


def test_a_dealer_goes_on_as_soon_as_its_pause_is_skipped() -> None:
    async def during(at: SimulatedFloor) -> None:
        ann, bob = [await at.floor.subscribe(at.watch, player(each)) for each in ("ann", "bob")]
        end = await deal(at)
        waiting = asyncio.ensure_future(DealerLoop(at.floor, at.watch).step())
        await asyncio.sleep(0.01)
        for each in (ann, bob):
            at.floor.skip(each)
        await at.done(Play(position=1, amount=ANTE), player("ann"))
        async with asyncio.timeout(10):
            await waiting
        assert at.watch.sequence > end

    on_floor(during, settings=PACED)

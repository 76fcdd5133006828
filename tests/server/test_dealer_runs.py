"""Dealer runs: what the house does between two human acts is one record, and is shown at a visible pace."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from unittest.mock import patch

import msgspec

from fourcard.house.audit.auditor import audit
from fourcard.house.auth.identity import HOUSE_DEALER, is_bot
from fourcard.house.autopilot import WaitReason
from fourcard.house.journal import JournalRecord, unpack_events
from fourcard.round.commands import PlaceWagers, Play
from fourcard.server.floor.dealer_loop import DealerLoop
from fourcard.server.settings import PaceSettings
from tests.server.simulated_floor import SETTINGS, TABLE, SimulatedFloor, on_floor, player, wait_until
from tests.server.test_auto_dealer_policy import ANTE, ready

PACED = msgspec.structs.replace(SETTINGS, pace=PaceSettings(0.3, wagering=20_000, deciding=45_000))


def records_after(at: SimulatedFloor, sequence: int) -> list[JournalRecord]:
    """Return the stored records of the table after a sequence."""
    with at.house.store.reading() as reading:
        return [*reading.records(at.watch.stream, sequence)]


def commands_of(record: JournalRecord) -> Sequence[JournalRecord]:
    """Return the first event of each command in a stored record."""
    return [each for each in unpack_events(record) if each.command is not None]


async def bet(at: SimulatedFloor) -> None:
    """Let both people bet and be ready."""
    await at.work()
    for position, name in ((1, "ann"), (3, "bob")):
        wagers = PlaceWagers(position=position, wagers={"ante": ANTE, "aces_up": ANTE})
        await at.done(wagers, player(name))
    await wait_until(lambda: not at.watch.show())
    ready(at, "ann", "bob")


def test_between_two_acts_of_people_the_house_stores_one_record() -> None:
    async def during(at: SimulatedFloor) -> None:
        await bet(at)
        dealer, before = DealerLoop(at.floor, at.watch), at.watch.sequence
        await dealer.step()
        (dealt,) = records_after(at, before)
        assert at.next() == WaitReason("decision", 1, at.clock.at + 45_000)
        assert len(commands_of(dealt)) > 10
        assert {each.by for each in commands_of(dealt)} == {HOUSE_DEALER}
        for position, name in ((1, "ann"), (3, "bob")):
            before = at.watch.sequence
            await at.done(Play(position=position, amount=ANTE), player(name))
            while not isinstance(at.next(), WaitReason):
                await dealer.step()
            assert records_after(at, before)[0].by == name
        settled = records_after(at, before)[-1]
        kinds = [each.kind for each in unpack_events(settled)]
        assert {"round_ended", "round_began"} <= {*kinds}
        assert any(is_bot(each.by) for each in commands_of(settled)), "bots bet in the same record"
        assert at.state.round_number == 2
        assert audit(at.house.store).clean

    on_floor(during)


def test_a_run_upon_an_older_state_does_nothing() -> None:
    async def during(at: SimulatedFloor) -> None:
        await bet(at)
        dealer, seen, action = DealerLoop(at.floor, at.watch), at.watch.snapshot, at.next()
        assert not isinstance(action, WaitReason)
        await dealer.submit(action, seen)
        moved = at.watch.sequence
        await dealer.submit(action, seen)
        assert at.watch.sequence == moved

    on_floor(during)


def test_a_run_is_stored_at_once_and_shown_at_the_pace_of_the_table() -> None:
    async def during(at: SimulatedFloor) -> None:
        await bet(at)
        dealer, shown = DealerLoop(at.floor, at.watch), at.watch.snapshot.sequence
        action = at.next()
        assert not isinstance(action, WaitReason)
        await dealer.submit(action, at.watch.snapshot)
        end = at.watch.sequence
        with at.house.store.reading() as reading:
            assert reading.streams()[at.watch.stream].sequence == end, "all of it is stored"
        with patch.object(at.floor, "next_action_for") as chosen, suppress(TimeoutError):
            await asyncio.wait_for(dealer.step(), 0.01)
        chosen.assert_not_called()
        seen = list[int]()

        def has_shown() -> bool:
            seen.append(at.watch.snapshot.sequence)
            return at.watch.snapshot.sequence == end

        await wait_until(has_shown)
        assert len({*seen} - {shown, end}) > 5, "it was not shown step by step"
        assert seen == sorted(seen)

    on_floor(during, settings=PACED)


def test_what_was_not_shown_yet_is_there_after_a_restart() -> None:
    async def during(at: SimulatedFloor) -> None:
        await bet(at)
        action = at.next()
        assert not isinstance(action, WaitReason)
        await DealerLoop(at.floor, at.watch).submit(action, at.watch.snapshot)
        assert at.watch.snapshot.sequence < at.watch.sequence
        again = SimulatedFloor(at.house, PACED)
        await again.floor.follow_table(TABLE)
        assert again.floor.tables[TABLE].snapshot.sequence == at.watch.sequence

    on_floor(during, settings=PACED)

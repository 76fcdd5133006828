"""Two floors of one house: each hears what the other commits, and everything is done once."""

import asyncio
from collections import Counter
from unittest.mock import patch

from msgspec.structs import replace

from fourcard.house.commands import BuyIn, InstallTable
from fourcard.house.outcome import table_stream
from fourcard.house.rehearsal import CREW
from fourcard.round.commands import PlaceWager, Play
from fourcard.server.floor.crowd import bot_at
from fourcard.server.floor.deeds import Wait
from fourcard.server.floor.minding import Minding
from fourcard.server.settings import Pace
from tests.houses import submission_text
from tests.server.simulated import SETTINGS, TABLE, player
from tests.server.test_deeds import ANTE, NO_BOTS
from tests.server.twins import Twin, on_twins, settled


def same(one: Twin, other: Twin) -> bool:
    """Say whether two floors know the same of their table."""
    return one.watch.sequence == other.watch.sequence and one.watch.book == other.watch.book


def test_what_one_commits_the_other_follows_and_shows() -> None:
    async def during(one: Twin, other: Twin) -> None:
        await settled(lambda: same(one, other))
        look = await other.floor.look(other.watch, player("bob"))
        look.message()
        await one.done(BuyIn(player="ann", cents=100), player("ann"))
        await settled(lambda: same(one, other) and look.changed.is_set())
        assert look.message().sequence == one.watch.sequence
        other.floor.end(look)

    on_twins(during, settings=NO_BOTS)


def test_both_tell_the_same_words() -> None:
    async def during(one: Twin, other: Twin) -> None:
        await one.work()
        for floor, position, name in ((one, 1, "ann"), (other, 3, "bob")):
            await settled(lambda: same(one, other))
            await floor.done(PlaceWager(position=position, wager="ante", amount=ANTE), player(name))
        await settled(lambda: same(one, other))
        first, second = ([told.text for told in at.watch.at.told] for at in (one, other))
        assert first[-3:] == second[-3:]
        assert "puts $25 on Ante" in first[-1]

    on_twins(during, settings=NO_BOTS)


def test_who_was_cut_off_catches_up_and_finds_new_tables() -> None:
    async def during(one: Twin, other: Twin) -> None:
        await settled(lambda: same(one, other))
        heard, other.bus.heard = other.bus.heard, None
        await one.done(BuyIn(player="ann", cents=100), player("ann"))
        install = InstallTable(submission=submission_text("catfish-bend"))
        one.house.desk.do(table_stream("second"), install, CREW)
        await settled(lambda: "second" in one.floor.tables)
        assert not same(one, other)
        assert "second" not in other.floor.tables
        assert heard is not None
        heard("", 0)
        await settled(lambda: same(one, other) and "second" in other.floor.tables)

    on_twins(during, settings=NO_BOTS)


def test_who_is_ready_is_told_again_to_one_who_was_away() -> None:
    async def during(one: Twin, other: Twin) -> None:
        await one.work()
        readied, other.bus.readied = other.bus.readied, None
        one.floor.bus.ready(TABLE, "ann", 1)
        await settled(lambda: one.floor.ready_at(one.watch.at) == {"ann"})
        assert other.floor.ready == {}
        other.bus.readied = readied
        one.bus.wire.ready("", "", 0)
        await settled(lambda: other.floor.ready.get(TABLE) == (1, frozenset({"ann"})))
        assert len(one.bus.wire.said) < 10, "a question and its answers do not go round and round"

    on_twins(during, settings=NO_BOTS)


def test_two_dealers_who_both_believe_to_hold_the_lease_do_everything_once() -> None:
    async def during(one: Twin, other: Twin) -> None:
        for at in (one, other):
            at.floor.settings = replace(SETTINGS, pace=Pace(0))
        mindings = [Minding(at.floor) for at in (one, other)]
        for minding in mindings:
            minding.start()
        for number in range(1, 4):
            await settled(lambda: one.next() == Wait("wagers") and same(one, other))
            await other.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("ann"))
            for name in ("ann", "bob"):
                one.floor.bus.ready(TABLE, name, number)
            await settled(lambda: one.next() == Wait("decision", 1))
            await one.done(Play(position=1, amount=ANTE), player("ann"))
        await settled(lambda: one.state.number == 4 and one.next() == Wait("wagers"))
        for minding in mindings:
            await minding.stop()
        with one.house.store.reading() as reading:
            records = [*reading.events(one.watch.stream)]
        keys = Counter(record.key for record in records if record.key.startswith("house-"))
        assert max(keys.values()) == 1
        assert len(keys) > 100
        bought = Counter(record.by for record in records if record.kind == "bought_in")
        assert bought == {"ann": 1, "bob": 1, bot_at(TABLE, 0): 1, bot_at(TABLE, 1): 1}

    on_twins(during)


def test_a_dealer_whose_table_is_behind_waits_to_hear_and_does_not_try_on_and_on() -> None:
    async def during(one: Twin, other: Twin) -> None:
        await settled(lambda: same(one, other))
        other.bus.heard = None
        await one.dealer.step()
        assert not same(one, other)
        handed = list[object]()
        submit = other.house.writer.submit

        def counted(request: object, done: object) -> None:
            handed.append(request)
            submit(request, done)  # type: ignore[arg-type]

        with patch.object(other.house.writer, "submit", counted):
            task = asyncio.ensure_future(other.dealer.run())
            await asyncio.sleep(0.3)
            task.cancel()
        assert 1 <= len(handed) <= 2

    on_twins(during, settings=NO_BOTS)


def test_without_the_lease_nobody_deals() -> None:
    async def during(one: Twin, other: Twin) -> None:
        await settled(lambda: same(one, other))
        other.bus.holds = False
        before = other.watch.sequence
        task = asyncio.ensure_future(other.dealer.run())
        await asyncio.sleep(0.1)
        assert other.watch.sequence == before
        with patch("fourcard.server.floor.dealer.LEASE_EVERY", 0.01):
            other.bus.holds = True
            await settled(lambda: other.watch.sequence > before, 3)
        task.cancel()

    on_twins(during)

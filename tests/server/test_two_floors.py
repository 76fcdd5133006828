"""Two floors of one house: each hears the other's commits, and everything happens once."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from unittest.mock import AsyncMock, patch

import pytest
from msgspec.structs import replace

from fourcard.house.audit.auditor import audit
from fourcard.house.auth.identity import HOUSE_DEALER
from fourcard.house.autopilot import BOT_STAFF, HOUSE_DEALER_ACTOR, ReadyPlayers, WaitReason, bot_name
from fourcard.house.commands import BuyIn, InstallTable
from fourcard.house.decision import table_stream
from fourcard.house.journal import JournalRecord
from fourcard.refusal_codes import Code
from fourcard.round.commands import PlaceWager, Play
from fourcard.server.api.auth import describe_visitor
from fourcard.server.api.tables import find_table
from fourcard.server.floor import projections
from fourcard.server.floor.dealer_loop import DealerSupervisor
from fourcard.server.floor.projections import LATE_MILLISECONDS
from fourcard.server.floor.table_pace import TablePace
from fourcard.server.settings import PaceSettings
from fourcard.table.commands import BeginRound
from tests.kit.houses import submission_text
from tests.kit.postgres import Server
from tests.server.simulated_floor import SETTINGS, TABLE, TwinFloor, by_house, on_twins, player, wait_until
from tests.server.test_auto_dealer_policy import ANTE, NO_BOTS


def same(one: TwinFloor, other: TwinFloor) -> bool:
    """Return whether two floors agree on their table."""
    return one.watch.sequence == other.watch.sequence and one.watch.state == other.watch.state


async def disconnect(one: TwinFloor, other: TwinFloor) -> None:
    """Let the other floor read all that was announced, and then hear no more."""
    await wait_until(lambda: same(one, other) and not other.floor._tasks)
    other.bus.heard = None


def test_what_one_commits_the_other_follows_and_shows() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await wait_until(lambda: same(one, other))
        look = await other.look(player("bob"))
        await one.done(BuyIn(player="ann", cents=100), player("ann"))
        await wait_until(lambda: same(one, other))
        assert (await look.next())["sequence"] == one.watch.sequence
        look.leave(other.floor)

    on_twins(during, settings=NO_BOTS)


def test_both_tell_the_same_words() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await one.work()
        for floor, position, name in ((one, 1, "ann"), (other, 3, "bob")):
            await wait_until(lambda: same(one, other))
            await floor.done(PlaceWager(position=position, wager="ante", amount=ANTE), player(name))
        await wait_until(lambda: same(one, other))
        first, second = ([told.text for told in at.watch.snapshot.lines] for at in (one, other))
        assert first[-3:] == second[-3:]
        assert "puts $25 on Ante" in first[-1]

    on_twins(during, settings=NO_BOTS)


class CountedReads:
    """How often a floor reads events from the store, and whether it ever did."""

    def __init__(self, at: TwinFloor) -> None:
        """Count from now on."""
        self.count, self._read = 0, at.floor._read_all
        at.floor._read_all = self  # type: ignore[method-assign]

    def __call__(self, streams: set[str]) -> set[str]:
        """Count a read, and read."""
        self.count += 1
        return self._read(streams)


def test_a_process_without_viewers_and_lease_does_nothing_for_a_table_until_somebody_asks() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await wait_until(lambda: same(one, other) and not other.floor._tasks)
        other.bus.holds = False
        reads, before = CountedReads(other), other.watch.snapshot
        await one.work()
        await one.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("ann"))
        await asyncio.sleep(0.1)
        assert (reads.count, other.watch.snapshot) == (0, before), "it has heard of all and read nothing"
        assert not other.floor._tasks
        found = await asyncio.gather(*(find_table(other.floor, TABLE) for _ in range(5)))
        assert all(each.sequence == one.watch.sequence for each in found)
        assert reads.count == 1
        assert same(one, other)
        await find_table(other.floor, TABLE)
        assert reads.count == 1
        await one.done(BuyIn(player="ann", cents=100), player("ann"))
        stacks = (await describe_visitor(other.floor, player("ann"))).stacks
        assert [each.chips for each in stacks] == [one.watch.state.chips("ann")]
        await one.done(BuyIn(player="bob", cents=100), player("bob"))
        look = await other.look(player("bob"))
        assert look.message["sequence"] == one.watch.sequence
        await one.done(BuyIn(player="bob", cents=100), player("bob"))
        assert (await look.next())["sequence"] == one.watch.sequence, "with a viewer it follows"
        look.leave(other.floor)

    on_twins(during, settings=NO_BOTS)


def test_who_takes_a_table_over_reads_first_what_happened_there() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await one.work()
        await wait_until(lambda: same(one, other) and not other.floor._tasks)
        other.bus.holds = False
        await one.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("ann"))
        for name in ("ann", "bob"):
            one.floor.bus.ready(TABLE, name, 1)
        await asyncio.sleep(0.05)
        assert other.next() == WaitReason("wagers"), "it does not know that a wager lies"
        other.bus.holds = True
        await asyncio.wait_for(other.dealer.step(), 10)
        assert other.next() != WaitReason("wagers"), "it closed the bets"

    on_twins(during, settings=NO_BOTS)


def test_a_table_far_behind_starts_again_and_its_narration_goes_on_counting() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await one.work()
        await wait_until(lambda: same(one, other) and not other.floor._tasks)
        other.bus.holds = False
        spoken = other.watch.snapshot.last_line
        await one.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("ann"))
        for name in ("ann", "bob"):
            one.floor.bus.ready(TABLE, name, 1)
        await wait_until(lambda: len(one.floor.ready_players(one.watch.snapshot)) == 2)
        await one.work()
        with patch.object(projections, "FAR_BEHIND", 3):
            await find_table(other.floor, TABLE)
        assert same(one, other)
        snapshot = other.watch.snapshot
        assert (snapshot.lines, snapshot.last_line) == ((), spoken), "nobody here saw it"
        other.bus.holds = True
        await one.done(Play(position=1, amount=ANTE), player("ann"))
        await wait_until(lambda: same(one, other))
        assert other.watch.snapshot.last_line > spoken

    on_twins(during, settings=NO_BOTS)


def test_what_happened_long_ago_is_not_shown_at_the_pace_of_the_table() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await wait_until(lambda: same(one, other) and not other.floor._tasks)
        other.bus.holds = False
        await one.work()
        other.watch.pace = TablePace(1.0)
        for moment, at_once in ((0, False), (LATE_MILLISECONDS + 1, True)):
            await one.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("ann"))
            for name in ("ann", "bob"):
                one.floor.bus.ready(TABLE, name, one.state.round_number)
            await wait_until(lambda: len(one.floor.ready_players(one.watch.snapshot)) == 2)
            await one.work()
            await one.done(Play(position=1, amount=ANTE), player("ann"))
            await one.work()
            one.clock.at += moment
            await find_table(other.floor, TABLE)
            assert (other.watch.snapshot.sequence == one.watch.sequence) is at_once

    on_twins(during, settings=NO_BOTS)


def test_who_was_cut_off_catches_up_and_finds_new_tables() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await wait_until(lambda: same(one, other))
        heard, other.bus.heard = other.bus.heard, None
        await one.done(BuyIn(player="ann", cents=100), player("ann"))
        install = InstallTable(submission=submission_text("catfish-bend"))
        one.house.service.do(table_stream("second"), install, BOT_STAFF)
        await wait_until(lambda: "second" in one.floor.tables)
        assert not same(one, other)
        assert "second" not in other.floor.tables
        assert heard is not None
        heard("", 0)
        await wait_until(lambda: same(one, other) and "second" in other.floor.tables)

    on_twins(during, settings=NO_BOTS)


def test_who_is_ready_is_told_again_to_one_who_was_away() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await one.work()
        readied, other.bus.readied = other.bus.readied, None
        one.floor.bus.ready(TABLE, "ann", 1)
        await wait_until(lambda: one.floor.ready_players(one.watch.snapshot) == {"ann"})
        assert other.floor.ready == {}
        other.bus.readied = readied
        one.bus.wire.ready("", "", 0)
        await wait_until(lambda: other.floor.ready.get(TABLE) == ReadyPlayers(1, frozenset({"ann"})))
        assert len(one.bus.wire.said) < 10, "a question and its answers do not go round and round"

    on_twins(during, settings=NO_BOTS)


def _round_of(records: Sequence[JournalRecord], of: JournalRecord) -> int:
    """Return how many rounds had begun by an event."""
    return sum(record.kind == "round_began" and record.sequence < of.sequence for record in records)


@pytest.mark.parametrize("kind", ["memory", "postgres"])
def test_two_dealers_who_both_believe_to_hold_the_lease_do_everything_once(
    kind: str, request: pytest.FixtureRequest
) -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        for at in (one, other):
            at.floor.settings = replace(SETTINGS, pace=PaceSettings(0))
        mindings = [DealerSupervisor(at.floor) for at in (one, other)]
        for minding in mindings:
            minding.start()
        for number in range(1, 4):
            await wait_until(lambda: one.next() == WaitReason("wagers") and same(one, other))
            await other.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("ann"))
            for name in ("ann", "bob"):
                one.floor.bus.ready(TABLE, name, number)
            await wait_until(lambda: one.next() == WaitReason("decision", 1))
            await one.done(Play(position=1, amount=ANTE), player("ann"))
        await wait_until(lambda: one.state.round_number == 4 and one.next() == WaitReason("wagers"))
        for minding in mindings:
            await minding.stop()
        with one.house.store.reading() as reading:
            records = [*reading.events(one.watch.stream)]
        assert audit(one.house.store).clean
        automatic = {record.command_sequence for record in records if record.by == HOUSE_DEALER}
        assert len(automatic) > 100
        done = Counter((record.kind, _round_of(records, record)) for record in records)
        once = ("round_began", "bets_closed", "up_card_turned", "showdown_reached", "round_ended")
        assert [done[kind, number] for kind in once for number in range(1, 4)] == [1] * 15
        plays = [record for record in records if record.kind == "play_made"]
        assert len({(record.by, _round_of(records, record)) for record in plays}) == len(plays)
        bought = Counter(record.by for record in records if record.kind == "bought_in")
        assert bought == {"ann": 1, "bob": 1, bot_name(TABLE, 0): 1, bot_name(TABLE, 1): 1}

    server: Server | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    on_twins(during, address="" if server is None else server.fresh())


def test_a_dealer_who_missed_something_is_refused_once_and_reads_on(caplog: pytest.LogCaptureFixture) -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await disconnect(one, other)
        await one.dealer.step()
        await one.done(BuyIn(player="ann", cents=100), player("ann"))
        look = await other.look(player("bob"))
        assert not same(one, other)
        before = one.watch.sequence
        async with asyncio.timeout(30):
            await other.dealer.step()
        assert (one.watch.sequence, other.watch.sequence) == (before, before)
        assert (await look.next())["sequence"] == before, "whoever looks is told of what was missed"
        look.leave(other.floor)
        async with asyncio.timeout(30):
            await other.dealer.step()
        assert other.watch.sequence > before

    on_twins(during, settings=NO_BOTS)
    assert not caplog.records


def test_whatever_a_dealer_was_refused_for_it_reads_on_before_it_decides_again() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await one.work()
        await disconnect(one, other)
        await one.done(PlaceWager(position=1, wager="ante", amount=ANTE), player("ann"))
        behind = other.watch.snapshot
        with patch.object(
            other.floor,
            "next_action_for",
            lambda _seen: by_house(BeginRound(role="dealer")),
        ):
            reply = await other.floor.submit(
                other.watch.stream, BeginRound(role="dealer"), HOUSE_DEALER_ACTOR
            )
            assert getattr(reply, "code", None) is Code.ROUND_UNDER_WAY
            with patch.object(other.dealer, "submit", AsyncMock(return_value=reply)):
                async with asyncio.timeout(30):
                    await other.dealer.step()
        assert other.watch.sequence == one.watch.sequence > behind.sequence

    on_twins(during, settings=NO_BOTS)


def test_without_the_lease_nobody_deals() -> None:
    async def during(one: TwinFloor, other: TwinFloor) -> None:
        await wait_until(lambda: same(one, other))
        other.bus.holds = False
        before = other.watch.sequence
        task = asyncio.ensure_future(other.dealer.run())
        await asyncio.sleep(0.1)
        assert other.watch.sequence == before
        with patch("fourcard.server.floor.dealer_loop.LEASE_SECONDS", 0.01):
            other.bus.holds = True
            await wait_until(lambda: other.watch.sequence > before, 3)
        task.cancel()

    on_twins(during)

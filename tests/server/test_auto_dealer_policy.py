"""Auto-dealer policy: who is waited for and how long, and what the house then does."""

import asyncio
from collections.abc import Callable
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from fourcard.house.account_state import AccountState
from fourcard.house.autopilot import (
    BOT_CENTS,
    FILL_CENTS,
    HOUSE_DEALER_ACTOR,
    LEAST_TRAY,
    WaitReason,
    bot_name,
    next_action,
)
from fourcard.house.commands import BuyIn, FillTray
from fourcard.house.decision import player_stream
from fourcard.house.route_command import Reply, Request
from fourcard.house.timers import Timers
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import CallOff, Deal, Fold, LeaveSeat, PlaceWager, Play, TakeSeat, WithdrawWager
from fourcard.server.settings import PaceSettings, ServerSettings
from fourcard.table.commands import BeginRound, CloseTable, GoIdle
from tests.server.simulated_floor import SETTINGS, SimulatedFloor, by_house, on_floor, player, staff

ANTE = 2_500
WAGERING, DECIDING = 20_000, 45_000
NO_LIMITS = replace(SETTINGS, pace=PaceSettings(0))
NO_BOTS = replace(SETTINGS, bots=0)
PATIENT = replace(NO_BOTS, pace=PaceSettings(0, wagering=WAGERING, deciding=DECIDING, patient=True))


async def wagered(at: SimulatedFloor, *positions: int) -> None:
    """Begin a round and let people place their Antes."""
    await at.work()
    for position in positions:
        who = at.state.seats[position]
        await at.done(PlaceWager(position=position, wager="ante", amount=ANTE), player(who))


def ready(at: SimulatedFloor, *people: str) -> None:
    """Mark people as done betting."""
    for each in people:
        at.floor._add_ready("main", each, at.state.round_number)


def when(
    at: SimulatedFloor, moments: Timers, now: int, settings: ServerSettings = NO_BOTS
) -> Request | WaitReason:
    """Return the next action at a time, with given timers."""
    return next_action(at.watch.state, at.floor.ready_players(at.watch.snapshot), moments, now, settings)


@pytest.mark.clause("P34")
def test_bets_close_so_long_after_the_first_wager_of_a_person() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        first = at.clock.at
        assert at.watch.snapshot.timers.first_wager_at == first
        assert when(at, Timers(first), first + WAGERING - 1) == WaitReason("ready", until=first + WAGERING)
        for now in (first + WAGERING, first + WAGERING + 1):
            closing = when(at, Timers(first), now)
            assert isinstance(closing, Request)
            assert closing.actor == HOUSE_DEALER_ACTOR
        at.clock.at += WAGERING // 2
        await wagered(at, 3)
        assert at.watch.snapshot.timers.first_wager_at == first, "a later wager gives no more time"
        at.clock.at = first + WAGERING
        assert isinstance(at.next(), Request)

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P34")
def test_a_wager_that_was_taken_back_leaves_no_clock_running() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        await at.done(WithdrawWager(position=1, wager="ante"), player("ann"))
        assert at.watch.snapshot.timers.first_wager_at is None
        at.clock.at += 10 * WAGERING
        await wagered(at, 3)
        assert at.next() == WaitReason("ready", until=at.clock.at + WAGERING)
        await wagered(at, 1)
        await at.done(WithdrawWager(position=1, wager="ante"), player("ann"))
        assert at.next() == WaitReason("ready", until=at.clock.at + WAGERING), "another person's lies still"

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P34")
def test_bets_close_at_once_when_every_seated_person_is_ready() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann")
        assert isinstance(at.next(), WaitReason)
        ready(at, "dee")
        assert isinstance(at.next(), WaitReason), "who does not sit here has no say"
        ready(at, "bob")
        assert isinstance(at.next(), Request)

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P34")
def test_without_limits_a_table_waits_for_ever() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1, 3)
        assert when(at, Timers(1), 10**15, NO_LIMITS) == WaitReason("ready")
        ready(at, "ann", "bob")
        assert (await at.work()).for_ == "decision"
        assert when(at, Timers(None, 1), 10**15, NO_LIMITS) == WaitReason("decision", 1)

    on_floor(during, settings=replace(NO_BOTS, pace=PaceSettings(0)))


@pytest.mark.clause("P34")
def test_on_ones_own_machine_limits_hold_only_while_others_wait() -> None:
    patient = replace(NO_BOTS, pace=PaceSettings(0, wagering=WAGERING, deciding=DECIDING, patient=True))

    async def alone(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        assert when(at, Timers(1), 10**15, patient) == WaitReason("ready")
        ready(at, "ann")
        await at.work()
        assert when(at, Timers(None, 1), 10**15, patient) == WaitReason("decision", 1)

    async def in_company(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        assert when(at, Timers(1), WAGERING, patient) == WaitReason("ready", until=1 + WAGERING)
        assert isinstance(when(at, Timers(1), 1 + WAGERING, patient), Request)

    on_floor(alone, seats={1: "ann"}, settings=patient)
    on_floor(in_company, settings=patient)


@pytest.mark.clause("P34")
def test_the_time_for_wagers_begins_with_a_person_and_not_with_a_bot() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        assert at.round.dealt_in, "bots have wagered"
        assert at.watch.snapshot.timers.first_wager_at is None
        at.clock.at += 10 * WAGERING
        assert at.next() == WaitReason("wagers")

    on_floor(during)


@pytest.mark.clause("P34")
def test_who_has_not_decided_in_time_has_folded() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1, 3)
        ready(at, "ann", "bob")
        waits = await at.work()
        since = at.clock.at
        assert waits == WaitReason("decision", 1, since + DECIDING)
        at.clock.at = since + DECIDING - 1
        assert isinstance(at.next(), WaitReason)
        for late in (0, 1):
            at.clock.at = since + DECIDING + late
            assert at.next() == by_house(Fold(position=1, role="dealer"))
        await at.dealer.step()
        assert at.round.positions[1].play_amount == 0
        assert at.next() == WaitReason("decision", 3, at.clock.at + DECIDING), "the next one has all the time"

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P34")
def test_nobody_gains_time_to_decide_by_doing_something_else() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1, 3)
        ready(at, "ann", "bob")
        until = (await at.work()).until
        at.clock.at += DECIDING - 1
        await at.done(BuyIn(player="ann", cents=100), player("ann"))
        assert at.next() == WaitReason("decision", 1, until)

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P34")
@pytest.mark.parametrize(("seats", "limited"), [({1: "ann"}, False), ({1: "ann", 3: "bob"}, True)])
def test_where_the_house_is_patient_limits_hold_only_while_others_wait(
    seats: dict[int, str], limited: bool
) -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        wagering = when(at, Timers(1), 10**15, PATIENT)
        assert isinstance(wagering, Request) is limited
        ready(at, *seats.values())
        await at.work()
        deciding = when(at, Timers(None, 1, 1), 10**15, PATIENT)
        assert isinstance(deciding, Request) is limited

    on_floor(during, seats=seats, settings=NO_BOTS)


def test_a_round_without_wagers_waits_for_them() -> None:
    async def during(at: SimulatedFloor) -> None:
        assert await at.work() == WaitReason("wagers")
        ready(at, "ann", "bob")
        assert at.next() == WaitReason("wagers")

    on_floor(during, settings=NO_BOTS)


@pytest.mark.parametrize("settings", [SETTINGS, NO_BOTS], ids=["with bots", "without"])
def test_a_round_that_everybody_left_before_the_cards_is_called_off(settings: ServerSettings) -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        for position, name in ((1, "ann"), (3, "bob")):
            await at.done(LeaveSeat(position=position), player(name))
        following = at.next()
        assert isinstance(following, Request)
        assert isinstance(following.command, CallOff)
        assert await at.work() == WaitReason("players")
        assert not at.state.seats, "bots leave with the last person"

    on_floor(during, settings=settings)


def test_an_idle_table_waits_until_somebody_who_sits_there_wants_to_play_again() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        await at.done(GoIdle(spread="face-down", role="floorperson"), staff("flo"))
        assert await at.work() == WaitReason("players")
        assert at.state.spread == "face-down"
        await at.done(TakeSeat(position=1, player="ann"), player("ann"))
        assert (await at.work()).for_ == "wagers"
        assert (at.state.phase, at.state.round_number) == ("open", 2)

    on_floor(during, settings=NO_BOTS)


def test_a_round_is_dealt_to_its_end_and_the_next_one_begins() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann", "bob")
        assert (await at.work()).position == 1
        await at.done(Play(position=1, amount=ANTE), player("ann"))
        assert await at.work() == WaitReason("wagers")
        assert (at.state.round_number, at.state.last_round is not None) == (2, True)

    on_floor(during, settings=NO_BOTS)


def test_a_tray_is_filled_when_it_runs_low_where_the_house_does_that() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.done(CloseTable(role="floorperson"), staff("flo"))
        tray = at.watch.state.accounts.tray
        units = at.watch.state.balances[tray] // at.watch.state.cents(tray)
        for cents, low in ((LEAST_TRAY - 1, True), (LEAST_TRAY, False), (LEAST_TRAY + 1, False)):
            book = replace(at.watch.state, balances={**at.watch.state.balances, tray: cents * units})
            following = next_action(book, frozenset(), Timers(), at.clock.at, SETTINGS)
            assert isinstance(following, Request)
            assert isinstance(following.command, FillTray) is low
            assert next_action(
                book, frozenset(), Timers(), at.clock.at, replace(SETTINGS, opens=False)
            ) == WaitReason("staff", role="floorperson", task="Count the tray.")
        assert FILL_CENTS > LEAST_TRAY

    async def open_first(at: SimulatedFloor) -> None:
        for position, name in ((1, "ann"), (3, "bob")):
            await at.done(LeaveSeat(position=position), player(name))
        await at.work()
        await during(at)

    on_floor(open_first)


def test_an_open_table_whose_tray_the_floor_minds_is_dealt_at_with_little_in_it() -> None:
    async def during(at: SimulatedFloor) -> None:
        tray = at.watch.state.accounts.tray
        book = replace(at.watch.state, balances={**at.watch.state.balances, tray: 1})
        minded = replace(NO_BOTS, opens=False)
        assert isinstance(next_action(book, frozenset(), Timers(), at.clock.at, minded), Request)

    on_floor(during, settings=NO_BOTS)


def test_a_bot_is_given_money_only_where_it_has_too_little_and_once() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        bot = bot_name("main", 0)
        wanted = Request(at.watch.stream, BuyIn(player=bot, cents=500, by=bot, role="player"), player(bot))
        before = at.house.service.committed_state(player_stream(bot))[0]
        assert isinstance(before, AccountState)
        for code in (Code.TRAY_SHORT, Code.AMOUNT_UNFIT):
            at.floor.dealer_wakeups["main"].set()
            await at.dealer._handle_refusal(wanted, Refusal(code, "no"))
        assert at.house.service.committed_state(player_stream(bot))[0] == before
        for _ in range(2):
            await at.dealer._handle_refusal(wanted, Refusal(Code.MONEY_SHORT, "no"))
        after = at.house.service.committed_state(player_stream(bot))[0]
        assert isinstance(after, AccountState)
        assert after.cents == before.cents + BOT_CENTS

    on_floor(during)


def test_a_deck_that_is_too_old_is_replaced_before_the_next_round() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        assert isinstance(at.next(), WaitReason)
        for position, name in ((1, "ann"), (3, "bob")):
            await at.done(LeaveSeat(position=position), player(name))
        await at.work()
        at.clock.at += 30 * 60 * 60 * 1_000
        await at.seat({1: "ann"})
        kinds = set[type]()
        while isinstance(following := at.next(), Request):
            kinds.add(type(following.command))
            await at.dealer.step()
        assert BeginRound in kinds
        assert "BringDeck" in {kind.__name__ for kind in kinds}

    on_floor(during, "maryland-everything")


def test_dealing_goes_on_where_another_process_left_it() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann", "bob")
        while not isinstance(getattr(at.next(), "command", None), Deal):
            await at.dealer.step()
        seen = at.watch.snapshot
        first = await at.dealer.submit(by_house(Deal()), seen)
        again = await at.dealer.submit(by_house(Deal()), seen)
        assert getattr(first, "first_sequence", 0) == seen.sequence + 1
        assert isinstance(again, Refusal)
        assert again.code is Code.STREAM_MOVED

    on_floor(during, settings=NO_BOTS)


def test_a_deed_is_not_done_upon_what_somebody_changed_after_it_was_decided(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1, 3)
        ready(at, "ann", "bob")
        assert isinstance(at.next(), Request)
        before, submit = at.watch.sequence, at.house.group_commit.submit
        withdrawn = WithdrawWager(position=1, wager="ante", key="mine")

        def overtaken(request: Request, done: Callable[[Reply], None]) -> None:
            submit(Request(at.watch.stream, withdrawn, player("ann")), lambda _reply: None)
            submit(request, done)

        with patch.object(at.house.group_commit, "submit", overtaken):
            async with asyncio.timeout(30):
                await at.dealer.step()
        assert at.watch.sequence == before + 1, "the deed would have been possible with bob's wager alone"
        assert at.round.positions[1].wagers == {}
        await at.dealer.step()
        assert at.watch.sequence > before + 1, "it is decided again at once"

    on_floor(during, settings=NO_BOTS)
    assert not caplog.records


def test_what_is_refused_though_nothing_moved_is_told_and_tried_after_a_while(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        wrong = by_house(BeginRound(role="dealer"))
        with (
            patch.object(at.floor, "next_action_for", lambda _seen: wrong),
            patch("fourcard.server.floor.dealer_loop.RETRY_SECONDS", 0.05),
        ):
            async with asyncio.timeout(30):
                await at.dealer.step()

    on_floor(during, settings=NO_BOTS)
    (record,) = caplog.records
    assert "was refused" in record.message

"""Leaving a table: players are cashed out, now or after the round, and never lose a cent (P35)."""

import pytest

from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import WaitReason
from fourcard.house.commands import BuyIn, LeaveTable
from fourcard.house.events import CashedOut, LeaveAsked, LeaveCancelled
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import Fold, LeaveSeat, PlaceWager, Play
from fourcard.round.events import SeatLeft, WagerWithdrawn
from fourcard.server.settings import ServerSettings
from fourcard.table.commands import CloseTable
from tests.kit.whole_message import whole_message
from tests.server.simulated_floor import MONEY, STACK, SimulatedFloor, by_house, on_floor, player, staff
from tests.server.test_absence import BOTH, HOME, account
from tests.server.test_auto_dealer_policy import ANTE, DECIDING, NO_BOTS, ready, wagered
from tests.server.test_floor import again

LEAVE = LeaveTable(player="ann")


def where(at: SimulatedFloor, name: str) -> tuple[int, int]:
    """Return somebody's chips at the table, and the account."""
    return at.watch.state.chips(name), account(at, name)


@pytest.mark.clause("P35")
def test_who_gives_up_the_last_seat_is_cashed_out_in_the_same_commit() -> None:
    async def during(at: SimulatedFloor) -> None:
        held = at.watch.state.chips("ann")
        first = await at.done(LeaveSeat(position=2), player("ann"))
        assert [type(event) for event in first.events] == [SeatLeft]
        assert where(at, "ann") == (held, MONEY - held), "she still sits at another position"
        last = await at.done(LeaveSeat(position=1, role="dealer"), staff("dan"))
        assert last.events[1:] == (CashedOut("ann", held),), "whoever let her out"
        assert where(at, "ann") == (0, MONEY)
        assert where(at, "bob") == (STACK, MONEY - STACK)
        assert audit(at.house.store).clean

    on_floor(during, "shuffle-master-everything", seats={1: "ann", 2: "ann", 4: "bob"}, settings=NO_BOTS)


@pytest.mark.clause("P35")
def test_leaving_takes_wagers_back_while_bets_are_open() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        for wager, amount in (("aces_up", 500), ("progressive", 100)):
            bet = PlaceWager(position=1, wager=wager, amount=amount)
            await at.done(bet, player("ann"))
        kinds = [type(event) for event in (await at.done(LEAVE, player("ann"))).events]
        assert kinds == [LeaveAsked, *[WagerWithdrawn] * 3, SeatLeft, CashedOut]
        assert (where(at, "ann"), at.state.seats) == ((0, MONEY), {3: "bob"})
        assert audit(at.house.store).clean

    on_floor(during, settings=NO_BOTS)


@BOTH
@pytest.mark.clause("P35")
def test_who_has_cards_leaves_with_the_end_of_the_round(settings: ServerSettings) -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann", "bob")
        assert (await at.work()).position == 1
        assert isinstance((await at.done(LEAVE, player("ann"))).events, tuple)
        you = whole_message(at.floor, at.watch.snapshot, player("ann"), 0).you
        assert you is not None
        assert (you.leaving, you.positions) == (True, (1,)), "the seat is kept, and says so"
        assert where(at, "ann") == (STACK - ANTE, MONEY - STACK)
        await at.done(Play(position=1, amount=ANTE), player("ann"))
        net = None
        while at.state.round_number == 1:
            await at.dealer.step()
            if at.state.last_round is not None and net is None:
                net = at.state.last_round.nets[1]
        assert net is not None
        assert (where(at, "ann"), at.state.seats) == ((0, MONEY + net), {3: "bob"})
        assert audit(at.house.store).clean

    on_floor(during, settings=settings)


@pytest.mark.clause("P35")
def test_who_leaves_on_ones_own_machine_is_waited_for_within_the_limit_and_no_longer() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann")
        assert await at.work() == WaitReason("decision", 1), "alone she has all the time"
        at.clock.at += 10 * DECIDING
        await at.done(LEAVE, player("ann"))
        until = at.clock.at + DECIDING
        assert at.next() == WaitReason("decision", 1, until), "it counts from when she left"
        at.clock.at = until - 1
        assert isinstance(at.next(), WaitReason)
        at.clock.at = until
        assert at.next() == by_house(Fold(position=1, role="dealer"))
        assert await at.work() == WaitReason("players")
        assert where(at, "ann") == (0, MONEY - ANTE)

    on_floor(during, seats={1: "ann"}, settings=HOME)


@pytest.mark.clause("P35")
def test_who_stays_after_all_keeps_the_seat() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann", "bob")
        await at.work()
        stay = LeaveTable(player="ann", cancel=True)
        assert reason(await at.do(stay, player("ann"))) == "has not asked to leave this table"
        await at.done(LEAVE, player("ann"))
        assert reason(await at.do(LEAVE, player("ann"))) == "already leaves the table after this round"
        assert (await at.done(stay, player("ann"))).events == (LeaveCancelled("ann"),)
        await at.done(Fold(position=1), player("ann"))
        await at.work()
        assert at.state.seats == {1: "ann", 3: "bob"}
        assert where(at, "ann") == (STACK - ANTE, MONEY - STACK)
        assert audit(at.house.store).clean

    on_floor(during, settings=NO_BOTS)


def reason(reply: object) -> str:
    """Return why there was nothing to do."""
    assert isinstance(reply, Refusal)
    assert reply.code is Code.NOTHING_TO_LEAVE
    return reply.message.partition("' ")[2].removesuffix(".")


@pytest.mark.clause("P35")
def test_chips_without_a_seat_are_cashed_out_and_nobody_leaves_for_another() -> None:
    async def during(at: SimulatedFloor) -> None:
        dee = LeaveTable(player="dee")
        assert reason(await at.do(dee, player("dee"))) == "has neither a seat nor chips at this table"
        await at.done(BuyIn(player="dee", cents=700), player("dee"))
        await at.work()
        assert where(at, "dee") == (700, MONEY - 700), "who buys first may sit down next"
        refused = await at.do(dee, player("ann"))
        assert isinstance(refused, Refusal)
        assert refused.code is Code.NOT_YOUR_ACCOUNT
        await at.done(dee, player("dee"))
        assert where(at, "dee") == (0, MONEY)

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P35")
def test_a_table_that_closes_cashes_everybody_out() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.done(BuyIn(player="dee", cents=700), player("dee"))
        closed = await at.done(CloseTable(role="floorperson"), staff("flo"))
        assert closed.events[1:4] == (
            CashedOut("ann", STACK),
            CashedOut("bob", STACK),
            CashedOut("dee", 700),
        )
        assert [where(at, name) for name in ("ann", "bob", "dee")] == [(0, MONEY)] * 3
        assert audit(at.house.store).clean

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P35")
def test_the_wish_to_leave_outlives_the_process() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann", "bob")
        await at.work()
        await at.done(LEAVE, player("ann"))
        fresh = await again(at)
        fresh.name = "after"
        assert fresh.watch.state.leaving == {"ann"}
        await fresh.done(Fold(position=1), player("ann"))
        await fresh.work()
        assert (where(fresh, "ann"), fresh.state.seats) == ((0, MONEY - ANTE), {3: "bob"})

    on_floor(during, settings=NO_BOTS)

"""Last hand: a table with players closes at the end of the current round (P36)."""

import pytest
from msgspec.structs import replace

from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import WaitReason
from fourcard.house.commands import CountTray
from fourcard.house.events import CashedOut
from fourcard.house.route_command import Request
from fourcard.house.timers import MIN_BETTING_TIME
from fourcard.round.commands import CallOff, Fold, LeaveSeat
from fourcard.server.settings import ServerSettings
from fourcard.table.commands import LastHand, OpenTable
from fourcard.table.events import LastHandCalled, TableClosed
from tests.kit.whole_message import whole_message
from tests.server.simulated_floor import MONEY, SimulatedFloor, by_house, on_floor, player, staff
from tests.server.test_absence import BOTH, HOME
from tests.server.test_auto_dealer_policy import ANTE, DECIDING, NO_BOTS, WAGERING, ready, wagered
from tests.server.test_floor import again
from tests.server.test_leaving import where

CALL = LastHand(role="floorperson")


@BOTH
@pytest.mark.clause("P36")
def test_after_the_last_hand_the_table_closes_and_stays_closed(settings: ServerSettings) -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann", "bob")
        assert (await at.work()).position == 1
        assert (await at.done(CALL, staff("flo"))).events == (LastHandCalled(),)
        message = whole_message(at.floor, at.watch.snapshot, player("bob"), at.watch.snapshot.last_line - 1)
        assert (message.view.last_hand, message.view.phase) == (True, "open")
        assert [said.text for said in message.told] == [
            "This is the last hand: the table closes after this round."
        ]
        await at.done(Fold(position=1), player("ann"))
        assert (await at.work()).for_ == "staff", "nobody opens it again by itself"
        assert (at.state.phase, at.state.round_number, at.state.seats) == ("closed", 1, {})
        assert (where(at, "ann"), where(at, "bob")) == ((0, MONEY - ANTE), (0, MONEY))
        assert at.state.last_round is not None, "the last round can still be looked at"
        assert audit(at.house.store).clean

    on_floor(during, settings=settings)


@pytest.mark.clause("P36")
def test_the_table_closes_in_the_commit_that_ends_the_round() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        ready(at, "ann", "bob")
        await at.work()
        await at.done(CALL, staff("flo"))
        await at.done(Fold(position=1), player("ann"))
        fresh = await again(at)
        assert fresh.state.last_hand, "it outlives the process"
        before = fresh.watch.sequence
        await fresh.work()
        with fresh.house.store.reading() as reading:
            kinds = {each.kind: each.command_sequence for each in reading.events(fresh.watch.stream, before)}
        assert kinds["round_ended"] == kinds["table_closed"] == kinds["cashed_out"]

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P36")
def test_without_a_round_under_way_the_table_closes_at_once() -> None:
    async def during(at: SimulatedFloor) -> None:
        closed = await at.done(LastHand(role="dealer"), staff("dan"))
        assert [type(event) for event in closed.events[:4]] == [
            *(LastHandCalled, TableClosed, CashedOut, CashedOut)
        ]
        assert (await at.work()).for_ == "staff"
        assert audit(at.house.store).clean

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P36")
def test_a_last_hand_that_nobody_plays_is_called_off_after_a_minute() -> None:
    async def during(at: SimulatedFloor) -> None:
        assert isinstance(await at.work(), WaitReason)
        at.clock.at += 10 * MIN_BETTING_TIME
        await at.done(CALL, staff("flo"))
        until = at.clock.at + MIN_BETTING_TIME
        assert at.next() == WaitReason("wagers", until=until), "there is time to wager once more"
        at.clock.at = until - 1
        assert isinstance(at.next(), WaitReason)
        at.clock.at = until
        off = at.next()
        assert isinstance(off, Request)
        assert isinstance(off.command, CallOff)
        assert (await at.work()).for_ == "staff"
        assert (at.state.phase, where(at, "ann")) == ("closed", (0, MONEY))
        assert audit(at.house.store).clean

    for bots in (0, 2):
        on_floor(during, settings=replace(HOME, bots=bots))


@pytest.mark.clause("P36")
def test_in_the_last_hand_limits_of_time_hold_even_for_somebody_alone() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        assert at.next() == WaitReason("ready")
        at.clock.at += 10 * WAGERING
        await at.done(CALL, staff("flo"))
        assert at.next() == WaitReason("ready", until=at.clock.at + WAGERING)
        at.clock.at += WAGERING
        assert await at.work() == WaitReason("decision", 1, at.clock.at + DECIDING)
        at.clock.at += DECIDING
        assert at.next() == by_house(Fold(position=1, role="dealer"))
        assert (await at.work()).for_ == "staff"
        assert where(at, "ann") == (0, MONEY - ANTE)

    on_floor(during, seats={1: "ann"}, settings=HOME)


@pytest.mark.clause("P36")
def test_the_floor_opens_the_table_again_and_the_house_deals_on() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.done(CALL, staff("flo"))
        tray = at.watch.state.cents(at.watch.state.accounts.tray)
        await at.done(CountTray(occasion="opening", cents=tray, role="floorperson"), staff("flo"))
        decks = ("red", "blue")[: at.state.game.submission.dealing.decks]
        await at.done(OpenTable(decks=decks, role="floorperson"), staff("flo"))
        assert not at.state.last_hand
        await at.seat({1: "ann"})
        assert (await at.work()).for_ == "wagers"

    on_floor(during, settings=NO_BOTS)


@pytest.mark.clause("P36")
def test_staff_are_offered_the_last_hand_while_a_round_is_under_way_and_once() -> None:
    async def during(at: SimulatedFloor) -> None:
        assert offered(at, "flo") == set(), "between rounds the table can be closed as it is"
        await at.work()
        for person in ("dan", "flo", "sue", "eve"):
            assert offered(at, person) == {"last_hand"}
        for person in ("otto", "ada"):
            assert offered(at, person) == set()
        await at.done(CALL, staff("flo"))
        assert offered(at, "flo") == set()

    on_floor(during, settings=NO_BOTS)


def offered(at: SimulatedFloor, person: str) -> set[str]:
    """Return whether a member of staff is offered the last hand."""
    message = whole_message(at.floor, at.watch.snapshot, staff(person), 0)
    return {str(each["kind"]) for each in message.allowed.may} & {"last_hand"}


@pytest.mark.clause("P36")
def test_who_leaves_in_the_last_hand_closes_it() -> None:
    async def during(at: SimulatedFloor) -> None:
        await at.work()
        await at.done(CALL, staff("flo"))
        for position, name in ((1, "ann"), (3, "bob")):
            await at.done(LeaveSeat(position=position), player(name))
        assert (await at.work()).for_ == "staff"
        assert at.state.phase == "closed"

    on_floor(during, settings=NO_BOTS)

"""Large awards: a second person confirms what is above the house's amount, whatever the wager (R61)."""

import pytest
from msgspec.structs import replace

from fourcard.dealing import BONUS
from fourcard.house import ledger
from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF, DealerPolicy, WaitReason, next_action
from fourcard.house.commands import InstallTable
from fourcard.house.decision import table_stream
from fourcard.house.timers import Timers
from fourcard.progressive.console import PressHand
from fourcard.refusals import Refusal
from fourcard.round.commands import ActorRole, ConfirmAward, Perform
from fourcard.round.events import AwardAwaited, AwardConfirmed
from fourcard.rules.game import CONFIRM_ABOVE
from fourcard.table.decide import decide
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.awards import settling
from tests.kit.consoles import (
    FOUR_ACES,
    MD_KEYPAD,
    NOTHING,
    ConsoleSetup,
    ConsoleTable,
)
from tests.kit.deals import act
from tests.kit.houses import TestHouse
from tests.kit.support import game
from tests.kit.tables import bet, current_round, refused, stack, until

FULLEST = "maryland-everything"
PLAIN = ConsoleSetup("MD plain", "maryland", "keypad", {"settlement__confirm_above": "$49.99"})


def super_royal() -> Table:
    """Return a table that settles a Six Card Bonus of six suited cards from the ace down."""
    made = game(FULLEST)
    deck = stack(made, {1: "Ts Js Qs Ks As", 2: "Jh Td 6s 4c 3d", BONUS: "9s"}, (1, 2))
    at = Table(made, lambda: deck)
    for position in (1, 2):
        at.seat(position, f"p{position}")
    at.begin()
    bet(at, {"ante": 2500, "aces_up": 500, "six_card": 100})
    until(at, "settling")
    return at


def until_award(at: Table) -> bool:
    """Let the dealer settle until an award waits for a second person; say whether one does."""
    while at.state.round is not None and current_round(at).awaited_at_table is None:
        act = at.next_command()
        assert act is not None
        at.do(replace(act, by="dora") if isinstance(act, Perform) else act)
    return at.state.round is not None


@pytest.mark.clause("R61")
def test_no_dealer_pays_a_super_royal_alone() -> None:
    at = super_royal()
    assert until_award(at)
    step = current_round(at).awaited_at_table
    assert step is not None
    assert (step.wager, step.amount > CONFIRM_ABOVE, step.clauses[-1]) == ("six_card", True, "R61")
    settle = Perform(step="settle", position=1)
    assert refused(at, settle).name == "award_awaited"
    confirm = ConfirmAward(position=1, by="fred", role="floorperson")
    low: tuple[ActorRole, ...] = ("dealer", "player")
    for role in low:
        low_rank = refused(at, replace(confirm, role=role))
        assert (low_rank.name, low_rank.clauses) == ("not_your_duty", ("R61",))
    assert refused(at, replace(confirm, position=2)).name == "no_award_awaited"
    assert refused(at, replace(confirm, by="dora")).name == "award_own"
    paid = at.do(confirm)
    assert paid[0] == AwardConfirmed(step, "fred")
    assert refused(at, confirm).name == "no_award_awaited"
    while at.state.round is not None:
        act = at.next_command()
        assert act is not None
        at.do(act)
    assert at.state.last_round is not None
    assert at.state.last_round.nets[1] >= step.amount


@pytest.mark.clause("R61")
def test_where_nobody_is_named_the_floor_still_confirms_what_the_dealer_would_have_paid() -> None:
    at = super_royal()
    while current_round(at).awaited_at_table is None:
        act(at)
    at.do(ConfirmAward(position=1, role="floorperson"))
    assert current_round(at).awaited_at_table is None


@pytest.mark.clause("R61")
@pytest.mark.parametrize(
    ("above", "waits"), [("$5,000", False), ("$4,999.99", True), ("$5,000.01", False), ("$0", True)]
)
def test_an_award_waits_above_the_houses_amount_and_not_at_it(above: str, *, waits: bool) -> None:
    wagers = {"ante": 2500, "aces_up": 10_000}
    at = settling(
        "maryland",
        {1: "Ts Th Td Tc As", 2: "Jh 9d 6s 4c 3d"},
        wagers,
        settlement={"confirm_above": above},
        limits__posted__aces_up={"least": "$1", "most": "$100"},
    )
    assert until_award(at) == waits
    waiting = [each.step for each in at.events if isinstance(each, AwardAwaited)]
    assert [step.action for step in waiting] == ["pay"] * waits


@pytest.mark.clause("R61")
def test_a_large_award_that_the_console_confirms_waits_for_nobody_else() -> None:
    hands = {1: "Ts Th Td Tc As", 2: "Jh 9d 6s 4c 3d"}
    wagers: dict[WagerName, int] = {"ante": 2500, "aces_up": 500, "progressive": 100}
    at = settling(FULLEST, hands, wagers, settlement={"confirm_above": "$299.99"})
    while current_round(at).awaited_win is None:
        act = at.next_command()
        assert act is not None
        at.do(act)
    award = current_round(at).awaited_win
    assert award is not None
    assert (award.wager, award.amount, "R61" in award.clauses) == ("progressive", 30_000, False)


@pytest.mark.clause("R61")
def test_the_money_moves_with_the_confirmation_and_a_stranger_changes_nothing() -> None:
    hands = {1: "Ts Th Td Tc As", 2: "Jh 9d 6s 4c 3d"}
    at = ConsoleTable(PLAIN, hands)
    at.bet(progressive=())
    while at.round.awaited_at_table is None:
        at.step()
    step = at.round.awaited_at_table
    tray, held = ledger.tray_account(at.name), at.account(ledger.tray_account(at.name))
    assert isinstance(decide(at.table, ConfirmAward(position=1, by="zoe", role="player")), Refusal)
    assert at.refused(ConfirmAward(position=1)).name == "not_permitted"
    assert at.account(tray) == held
    at.do(ConfirmAward(position=1, role="floorperson"))
    assert at.account(tray) == held - step.amount


@pytest.mark.clause("R61")
def test_who_marks_a_win_does_not_confirm_the_large_award_that_follows_it() -> None:
    at = ConsoleTable(MD_KEYPAD.but("envy", settlement__confirm_above="$99"), {1: NOTHING, 2: FOUR_ACES})
    at.bet()
    while at.to_award() and at.round.awaited_win is None:
        at.do(ConfirmAward(position=2, role="floorperson"))
    at.do(PressHand(hand="four_aces"), BOT_STAFF)
    at.confirm()
    envy = at.round.awaited_at_table
    assert envy is not None
    assert (envy.wager, envy.position, envy.holder) == ("envy", 1, 2)
    confirm = ConfirmAward(position=1, role="floorperson")
    assert at.refused(confirm, BOT_STAFF).name == "award_own"
    at.do(confirm)
    assert at.round.awaited_at_table is None


@pytest.mark.clause("R61")
def test_where_the_house_deals_a_large_award_waits_for_the_floor() -> None:
    at = ConsoleTable(PLAIN, {1: "Ts Th Td Tc As", 2: NOTHING})
    at.bet(progressive=())
    while at.round.awaited_at_table is None:
        at.step()
    for cards in ("built-in", "keyed"):
        held = replace(at.house.house_table(at.name), card_source=cards)
        waits = next_action(held, frozenset(), Timers(), 0, DealerPolicy())
        assert isinstance(waits, WaitReason)
        task = "Confirm the award of position 1."
        assert (waits.for_, waits.position, waits.role, waits.task) == ("jackpot", 1, "supervisor", task)


def test_where_bots_play_alone_another_of_them_confirms_and_the_table_goes_on() -> None:
    house = TestHouse()
    house.staff()
    house.register("ann", "bob")
    house.at("main", InstallTable(submission=PLAIN.but("every", settlement__confirm_above="$0").text))
    house.open("main")
    house.seat("main", ["ann", "bob"])
    bots = house.rehearsal("main", ["ann", "bob"])
    house.play(bots, rounds=3)
    with house.store.reading() as reading:
        confirmed = [each for each in reading.events(table_stream("main")) if each.kind == "award_confirmed"]
    assert {record.by for record in confirmed} == {BOT_FLOORPERSON.person}

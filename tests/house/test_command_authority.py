"""Who may act at the desk: those who work here at that moment; and nobody sees into another's pockets."""

from random import Random

import pytest
from msgspec.structs import replace

from fourcard.house.auth.identity import HOUSE_DEALER, Actor
from fourcard.house.auth.security import security_notes
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.clock_entropy import SeededEntropy
from fourcard.house.command_service import CommandService
from fourcard.house.commands import (
    BuyIn,
    ChangeRoles,
    Deposit,
    DismissStaff,
    FillTray,
    HireStaff,
    RegisterPlayer,
    StaffRole,
)
from fourcard.house.decision import STAFF, player_stream, table_stream
from fourcard.house.reports.statements import trial_balance
from fourcard.house.route_command import CommandResult, InternalError, Request
from fourcard.house.store.interface import StoreError
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import PlaceWager, Play
from tests.kit.houses import STACK, TestHouse, break_event, house_with, player

MAIN = table_stream("main")
SUE = Actor("sue", "staff", ("supervisor",))
MONEY = Request(player_stream("ann"), Deposit(cents=100, role="supervisor"), SUE)


def house_of_sue(*roles: StaffRole) -> TestHouse:
    """Return a house in which sue works."""
    house = house_with()
    house.do(STAFF, HireStaff(person="sue", name="Sue", roles=roles or SUE.roles))
    return house


def outcome(house: TestHouse, *requests: Request) -> list[str]:
    """Return what became of requests of one group."""
    replies = house.service.execute(requests)
    return [
        "done" if isinstance(each, CommandResult) else getattr(each, "name", repr(each)) for each in replies
    ]


@pytest.mark.clause("P25")
def test_a_command_in_the_name_of_another_is_recorded_as_that_of_who_gave_it() -> None:
    house = house_of_sue()
    forged = replace(MONEY, command=replace(MONEY.command, by="bob"))
    assert outcome(house, forged) == ["done"]
    with house.store.reading() as reading:
        assert [*reading.records(forged.stream)][-1].by == "sue"


@pytest.mark.clause("P25")
@pytest.mark.parametrize(
    "change", [DismissStaff(person="sue"), ChangeRoles(person="sue", roles=("dealer", "administrator"))]
)
def test_who_has_the_role_no_longer_does_nothing_with_a_sign_in_of_before(
    change: DismissStaff | ChangeRoles,
) -> None:
    house = house_of_sue()
    assert outcome(house, MONEY) == ["done"]
    before = house.balances()
    assert outcome(house, MONEY, Request(STAFF, change, BOT_STAFF), MONEY) == [
        "done",
        "done",
        "role_not_held",
    ]
    assert outcome(house, MONEY) == ["role_not_held"]
    assert house.balances()["player/ann"] == before["player/ann"] + 100 * 10_000
    with house.store.reading() as reading:
        notes = security_notes(reading)
    assert ("sue", "deposit", "role_not_held") in [(note.by, note.what, note.reason) for note in notes]


def test_another_process_knows_at_once_who_was_let_go() -> None:
    house = house_of_sue()
    other = CommandService(house.store, house.clock, SeededEntropy(2))
    assert isinstance(other.execute([MONEY])[0], CommandResult)
    house.do(STAFF, DismissStaff(person="sue"))
    (reply,) = other.execute([MONEY])
    assert isinstance(reply, Refusal)
    assert reply.code is Code.ROLE_NOT_HELD


def test_who_was_given_more_roles_goes_on_under_the_old_sign_in() -> None:
    house = house_of_sue()
    house.do(STAFF, ChangeRoles(person="sue", roles=("dealer", "supervisor")))
    assert outcome(house, MONEY) == ["done"]


def test_somebody_made_up_does_nothing() -> None:
    house = house_with()
    assert outcome(house, MONEY) == ["role_not_held"]


def test_a_repeat_is_answered_though_its_author_was_let_go() -> None:
    house = house_of_sue()
    keyed = Request(player_stream("ann"), Deposit(cents=100, role="supervisor", key="k"), SUE)
    assert outcome(house, keyed) == ["done"]
    house.do(STAFF, DismissStaff(person="sue"))
    (reply,) = house.service.execute([keyed])
    assert isinstance(reply, CommandResult)
    assert reply.repeated


def test_where_the_staff_cannot_be_read_no_one_of_it_acts_and_players_do() -> None:
    house = house_with()
    break_event(house, STAFF, "staff_hired", {"kind": "nothing"})
    house.restart()
    seat = Request(MAIN, BuyIn(player="ann", cents=1), player("ann"))
    broken, fine = house.service.execute([MONEY, seat])
    assert isinstance(broken, StoreError)
    assert "audit" in str(broken)
    assert isinstance(fine, CommandResult)
    with pytest.raises(StoreError, match="audit"):
        house.service.staff()


@pytest.mark.clause("P25")
def test_a_dealer_does_not_learn_what_an_account_holds() -> None:
    house = house_with()
    refusal = house.refused(MAIN, BuyIn(player="ann", cents=10**9, role="dealer"))
    assert refusal.code is Code.MONEY_SHORT
    assert refusal.message == Code.MONEY_SHORT.sentence.format(player="ann", needed="$10,000,000")


@pytest.mark.clause("P25")
def test_nobody_learns_of_chips_at_another_position() -> None:
    house = house_with()
    house.register("eve")
    bots = house.rehearsal("main", ("ann", "bob"))
    while house.between("main"):
        house.step(bots)
    for command in (
        PlaceWager(position=1, wager="ante", amount=10**9),
        PlaceWager(position=1, wager="ante", amount=STACK + 1),
    ):
        refusal = house.refused(MAIN, command, player("eve"))
        assert refusal.code not in (Code.CHIPS_SHORT, Code.MONEY_SHORT)
        assert "$5,000" not in refusal.message
    assert "$" not in house.refused(MAIN, Play(position=1, amount=10**9), player("eve")).message


def test_names_that_are_not_there_leave_no_trace() -> None:
    house = house_with()
    known = {*house.service.cache.states}
    for number in range(50):
        wager = PlaceWager(position=1, wager="ante", amount=100)
        assert house.refused(f"table/x{number}", wager, player("ann")).code is Code.NO_SUCH_TABLE
        money = Deposit(cents=100, role="supervisor")
        assert house.refused(f"player/x{number}", money).code is Code.PLAYER_UNKNOWN
        assert (
            house.refused(MAIN, BuyIn(player=f"x{number}", cents=1, role="dealer")).code
            is Code.PLAYER_UNKNOWN
        )
    assert {*house.service.cache.states} == known
    joined = [
        Request(player_stream("new"), RegisterPlayer(name="New", role="floorperson"), BOT_STAFF),
        Request(player_stream("new"), Deposit(cents=100, role="supervisor"), BOT_STAFF),
    ]
    assert outcome(house, *joined) == ["done", "done"]


def test_a_request_that_is_none_harms_nobody_else() -> None:
    house = house_of_sue()
    broken = Request(player_stream("ann"), Deposit(cents=100, role="supervisor", key=7), SUE)  # type: ignore[arg-type]
    first, second, third = house.service.execute([MONEY, broken, MONEY])
    assert isinstance(first, CommandResult)
    assert isinstance(second, InternalError)
    assert isinstance(third, CommandResult)


def test_the_columns_of_a_trial_balance_foot() -> None:
    house = house_with()
    house.install("other")
    chance = Random(1)
    for _ in range(5):
        house.at("main", FillTray(cents=chance.randrange(1, 10_000), slip="F", role="supervisor"))
    with house.store.reading() as reading:
        found = trial_balance(reading)
    assert sum(group.held for group in found.groups) == found.held
    assert sum(group.owed for group in found.groups) == found.owed
    assert all(group.held - group.owed == group.units for group in found.groups)
    assert found.held == found.owed > 0


@pytest.mark.clause("P25")
@pytest.mark.parametrize("person", ["bot-", "bot-bea-main", "bot-anybody"])
def test_only_the_dealer_of_the_house_opens_an_account_under_a_name_of_bots(person: str) -> None:
    house = house_of_sue()
    roles: tuple[StaffRole, ...] = ("dealer", "floorperson", "supervisor")
    house.do(STAFF, HireStaff(person=HOUSE_DEALER, name="Dealer", roles=roles))
    stream, command = player_stream(person), RegisterPlayer(name="Bea", role="supervisor")
    for actor in (BOT_STAFF, SUE):
        refusal = house.refused(stream, command, actor)
        assert (refusal.code, refusal.clauses) == (Code.BOT_NAME, ("P25",))
        pretended = replace(command, by=HOUSE_DEALER)
        assert house.refused(stream, pretended, actor).code is Code.BOT_NAME
    assert house.do(stream, command, Actor(HOUSE_DEALER, "staff", roles)).first_sequence == 1


def test_names_that_only_look_like_those_of_bots_are_anybodys() -> None:
    house = house_with()
    for name in ("bot", "bott", "abot-x", "robot-1"):
        house.do(player_stream(name), RegisterPlayer(name=name))

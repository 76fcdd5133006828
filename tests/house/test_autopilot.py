"""House autopilot: a table without people opens, seats its bots and plays, whatever its meter's link does."""

import pytest
from msgspec.structs import replace

from fourcard.house.autopilot import BOT_CENTS, LEAST_TRAY, TableBots, bot_buy_in, funding_commands
from fourcard.house.commands import BuyIn, CountTray, Deposit, FillTray, RegisterPlayer
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import PlaceWager, PlaceWagers, TakeSeat
from fourcard.table.bots import BotPolicy
from fourcard.table.commands import OpenTable
from tests.kit.houses import TestHouse

PLAYERS = {1: "ann", 4: "bob"}
EVERYTHING = BotPolicy(lambda _wager, _number: True)


def bots_in(house: TestHouse, example: str = "shuffle-master-everything") -> TableBots:
    """Install a table and return its bots."""
    house.staff()
    house.register(*PLAYERS.values())
    house.install("main", example)
    return TableBots("main", PLAYERS, EVERYTHING)


def test_a_closed_table_is_filled_counted_and_opened_before_the_bots_buy_in_and_sit() -> None:
    house = TestHouse()
    bots = bots_in(house)
    kinds = list[type]()
    while house.between("main"):
        kinds.append(type(bots.next(house.house_table("main")).command))
        house.step(bots)
    assert kinds[:7] == [FillTray, CountTray, OpenTable, BuyIn, TakeSeat, BuyIn, TakeSeat]
    book = house.house_table("main")
    assert dict(book.state.seats) == PLAYERS
    assert book.cents(book.accounts.tray) >= LEAST_TRAY
    assert [book.chips(name) for name in PLAYERS.values()] == [bot_buy_in(book.state)] * 2


@pytest.mark.parametrize(("linked", "closed"), [(True, ""), (False, ""), (True, "maintenance")])
def test_without_a_link_to_the_meter_no_bot_makes_the_progressive_wager(linked: bool, closed: str) -> None:
    house = TestHouse()
    bots, placed = bots_in(house), set[str]()
    while not (house.number("main") == 1 and house.between("main")):
        book = house.house_table("main")
        assert book.console is not None
        request = bots.next(replace(book, console=replace(book.console, linked=linked)), 0, closed)
        if isinstance(request.command, PlaceWager):
            placed.add(request.command.wager)
        elif isinstance(request.command, PlaceWagers):
            placed |= {*request.command.wagers}
        house.do(request.stream, request.command, request.actor)
    assert ("progressive" in placed) == (linked and not closed)
    assert {"ante", "aces_up"} <= placed


def test_a_bot_is_given_an_account_and_money_only_where_it_lacks_them() -> None:
    buy_in = BuyIn(player="ann", cents=500)
    deposit = Deposit(cents=BOT_CENTS, role="supervisor")
    assert funding_commands(buy_in, Refusal(Code.MONEY_SHORT, "")) == (deposit,)
    unknown = funding_commands(buy_in, Refusal(Code.PLAYER_UNKNOWN, ""))
    assert unknown == (RegisterPlayer(name="ann", role="supervisor"), deposit)
    assert funding_commands(buy_in, Refusal(Code.TRAY_SHORT, "")) == ()
    much = funding_commands(BuyIn(player="ann", cents=2 * BOT_CENTS), Refusal(Code.MONEY_SHORT, ""))
    assert much == (replace(deposit, cents=2 * BOT_CENTS),)

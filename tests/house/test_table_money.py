"""Money at a table: chips are bought and cashed in, the tray is counted, filled and credited."""

from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.house.autopilot import next_staff_command
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    CollectDrop,
    CountTray,
    CreditTray,
    Deposit,
    FillTray,
    InstallTable,
    LeaveTable,
    NotePassword,
    RegisterPlayer,
    Withdraw,
)
from fourcard.house.decide_table import accounts_touched
from fourcard.house.decision import player_stream, table_stream
from fourcard.house.events import CashedOut, ShuffleCommitted, TableInstalled
from fourcard.progressive.console import ReportLink
from fourcard.refusal_codes import Code
from fourcard.round.commands import Fold, LeaveSeat, PlaceWager, Play, ReportIrregularity, TakeSeat
from fourcard.round.events import RoundEnded, SeatLeft
from fourcard.rules.line_options import MAX_CENTS
from fourcard.table.commands import BeginRound, CloseTable, LastHand, OpenTable
from tests.kit.houses import FLOAT, MONEY, STACK, TestHouse, house_with, player, submission_text

MAIN = table_stream("main")
ANN = player("ann")
UNITS = 10_000


def cents(house: TestHouse) -> dict[str, int]:
    """Return the balances in whole cents."""
    balances = house.balances()
    assert sum(balances.values()) == 0
    assert not any(units % UNITS for name, units in balances.items() if name[:5] not in ("meter", "link/"))
    return {name: units // UNITS for name, units in balances.items()}


def test_chips_come_out_of_the_tray_and_money_goes_into_the_drop() -> None:
    house = house_with(players=("ann",))
    found = cents(house)
    assert found["player/ann"] == MONEY - STACK
    assert found["chips/main/ann"] == STACK
    assert found["drop/main"] == STACK
    assert found["tray/main"] == FLOAT - STACK
    assert found["cage"] == -MONEY - FLOAT


@pytest.mark.clause("P27")
def test_only_buying_and_cashing_in_touch_the_account() -> None:
    house = house_with(players=("ann", "bob"))
    before = cents(house)["player/ann"]
    house.play(house.rehearsal("main", ("ann", "bob")), 3)
    assert cents(house)["player/ann"] == before
    chips = house.house_table("main").chips("ann")
    house.at("main", CashOut(player="ann", cents=chips), ANN)
    assert cents(house)["player/ann"] == before + chips
    assert "chips/main/ann" not in cents(house)


@pytest.mark.parametrize(("amount", "refused"), [(STACK, False), (STACK + 1, True)])
def test_nobody_cashes_in_more_than_there_is(amount: int, refused: bool) -> None:
    house = house_with(players=("ann",))
    command = CashOut(player="ann", cents=amount)
    if refused:
        assert house.refused(MAIN, command, ANN).code is Code.CHIPS_SHORT
    else:
        house.at("main", command, ANN)
        assert house.house_table("main").chips("ann") == 0


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        (0, Code.AMOUNT_UNFIT),
        (-1, Code.AMOUNT_UNFIT),
        (1, None),
        (MONEY - STACK, None),
        (MONEY - STACK + 1, Code.MONEY_SHORT),
        (MAX_CENTS, Code.MONEY_SHORT),
        (MAX_CENTS + 1, Code.AMOUNT_UNFIT),
    ],
)
def test_chips_are_bought_with_what_the_account_holds(amount: int, code: Code | None) -> None:
    house = house_with(players=("ann",))
    house.at("main", FillTray(cents=2 * MONEY, slip="F2", role="supervisor"))
    command = BuyIn(player="ann", cents=amount)
    if code is None:
        house.at("main", command, ANN)
        assert house.house_table("main").chips("ann") == STACK + amount
    else:
        assert house.refused(MAIN, command, ANN).code is code


@pytest.mark.clause("P26")
def test_a_tray_sells_no_more_chips_than_it_has() -> None:
    house = house_with(players=("ann",))
    left = FLOAT - STACK
    refusal = house.refused(MAIN, BuyIn(player="ann", cents=left + 1), ANN)
    assert (refusal.code, refusal.clauses) == (Code.TRAY_SHORT, ("P26",))
    house.at("main", BuyIn(player="ann", cents=left), ANN)
    assert house.house_table("main").cents("tray/main") == 0


@pytest.mark.clause("P27")
def test_a_player_without_an_account_neither_sits_down_nor_has_chips() -> None:
    house = house_with(players=("ann",))
    cash_out = CashOut(player="eve", cents=100)
    for command in (TakeSeat(position=2, player="eve"), BuyIn(player="eve", cents=100), cash_out):
        assert house.refused(MAIN, command, player("eve")).code is Code.PLAYER_UNKNOWN


def _betting(house: TestHouse) -> None:
    bots = house.rehearsal("main", ("ann",))
    while house.between("main"):
        house.step(bots)


@pytest.mark.clause("P27")
def test_a_wager_is_made_with_chips_that_are_there() -> None:
    house = house_with(players=("ann",))
    house.at("main", CashOut(player="ann", cents=STACK - 3_000), ANN)
    house.at("main", BuyIn(player="ann", cents=STACK - 3_000), ANN)
    _betting(house)
    house.at("main", PlaceWager(position=1, wager="ante", amount=2_500), ANN)
    chips = house.house_table("main").chips("ann")
    assert chips == STACK - 2_500
    house.at("main", PlaceWager(position=1, wager="ante", amount=5_000), ANN)
    assert house.house_table("main").chips("ann") == STACK - 5_000


def test_a_wager_over_the_chips_is_refused_and_one_that_is_changed_counts_what_lies_there() -> None:
    house = house_with(players=("ann",))
    house.at("main", CashOut(player="ann", cents=STACK - 6_000), ANN)
    # Bots would buy more chips: the round is begun by hand.
    bots = house.rehearsal("main", ())
    while house.between("main"):
        house.step(bots)
    house.at("main", PlaceWager(position=1, wager="ante", amount=5_000), ANN)
    refusal = house.refused(MAIN, PlaceWager(position=1, wager="aces_up", amount=1_500), ANN)
    assert (refusal.code, refusal.clauses) == (Code.CHIPS_SHORT, ("P27",))
    assert refusal.message == Code.CHIPS_SHORT.sentence.format(held="$10", needed="$15")
    house.at("main", PlaceWager(position=1, wager="aces_up", amount=1_000), ANN)
    house.at("main", PlaceWager(position=1, wager="ante", amount=2_500), ANN)
    assert house.house_table("main").chips("ann") == 2_500


def test_play_is_made_with_chips_that_are_there() -> None:
    house = house_with(players=("ann",))
    house.at("main", CashOut(player="ann", cents=STACK - 5_000), ANN)
    bots = house.rehearsal("main", ())
    while house.between("main"):
        house.step(bots)
    house.at("main", PlaceWager(position=1, wager="ante", amount=2_500), ANN)
    while _phase(house) != "deciding" or not _looked(house):
        house.step(bots)
    assert house.refused(MAIN, Play(position=1, amount=5_000), ANN).code is Code.CHIPS_SHORT
    house.at("main", Play(position=1, amount=2_500), ANN)
    assert house.house_table("main").chips("ann") == 0
    bots = house.rehearsal("main", ("ann",), keys="later")
    while not house.between("main"):
        house.step(bots)
    cents(house)


def _phase(house: TestHouse) -> str:
    state = house.house_table("main").state
    assert state is not None
    assert state.round is not None
    return state.round.phase


def _looked(house: TestHouse) -> bool:
    state = house.house_table("main").state
    assert state is not None
    return state.round is not None and state.round.players_looked


@pytest.mark.clause("P27")
def test_who_has_wagers_in_a_round_cashes_in_after_it() -> None:
    house = house_with(players=("ann", "bob"))
    bots = house.rehearsal("main", ("ann",))
    while house.between("main"):
        house.step(bots)
    house.at("main", PlaceWager(position=1, wager="ante", amount=2_500), ANN)
    refusal = house.refused(MAIN, CashOut(player="ann", cents=1), ANN)
    assert (refusal.code, refusal.clauses) == (Code.CASH_OUT_LATER, ("P27",))
    house.at("main", CashOut(player="bob", cents=1), player("bob"))


@pytest.mark.clause("P35")
def test_who_sits_without_chips_leaves_at_once() -> None:
    house = house_with(players=("ann", "bob"))
    house.at("main", CashOut(player="ann", cents=STACK), ANN)
    house.at("main", LeaveTable(player="ann"), ANN)
    assert house.house_table("main").state.seats == {2: "bob"}


@pytest.mark.clause("P35")
def test_who_leaves_with_a_hand_folded_keeps_the_seat_to_the_end_of_the_round() -> None:
    house = house_with(players=("ann", "bob"))
    bots = house.rehearsal("main", ("ann", "bob"))
    while house.between("main") or not _looked(house):
        house.step(bots)
    house.at("main", Fold(position=1), ANN)
    house.at("main", LeaveTable(player="ann"), ANN)
    chips, events = house.house_table("main").chips("ann"), tuple[Any, ...]()
    while not house.between("main"):
        table = house.house_table("main")
        assert (table.state.seats[1], table.chips("ann"), "ann" in table.leaving) == ("ann", chips, True)
        events = house.step(bots).events
    left = [type(event) for event in events if isinstance(event, RoundEnded | SeatLeft | CashedOut)]
    assert left == [RoundEnded, SeatLeft, CashedOut]
    assert house.house_table("main").state.seats == {2: "bob"}


@pytest.mark.clause("P35")
def test_the_accounts_that_get_chips_back_are_known_before() -> None:
    house = house_with(players=("ann", "bob"))

    def touched(command: Any) -> set[str]:
        return {*accounts_touched(house.house_table("main"), command)}

    seated = {"ann", "bob"}
    assert touched(LeaveSeat(position=1)) == {"ann"}
    assert touched(CloseTable()) == touched(LastHand()) == seated
    bots = house.rehearsal("main", ("ann", "bob"))
    while house.between("main") or not _looked(house):
        house.step(bots)
    assert touched(Fold(position=1)) == set()
    house.at("main", LeaveTable(player="ann"), ANN)
    assert (touched(Fold(position=1)), touched(LeaveSeat(position=2))) == ({"ann"}, seated)
    house.at("main", LastHand(role="floorperson"))
    assert touched(Fold(position=1)) == seated


def test_a_refusal_does_not_tell_what_another_player_has() -> None:
    """What the game refuses is refused for that reason, however few chips the player has (P25)."""
    house = house_with(players=("ann", "bob"))
    house.at("main", CashOut(player="bob", cents=STACK), player("bob"))
    _betting(house)
    for wager in (PlaceWager(position=2, wager="ante", amount=2_500), Play(position=2, amount=2_500)):
        assert house.refused(MAIN, wager, ANN).code is not Code.CHIPS_SHORT
    assert house.refused(MAIN, replace(wager, position=2), player("bob")).code is not Code.CHIPS_SHORT


def test_only_a_closed_table_is_installed_anew_and_keeps_its_commitment() -> None:
    house = house_with(players=("ann",))
    again = InstallTable(submission=submission_text("massachusetts"))
    assert house.refused(MAIN, again).code is Code.TABLE_IN_USE
    house.at("main", CloseTable())
    assert [type(event) for event in house.at("main", again).events] == [TableInstalled]
    first = house.at("other", again).events
    keyed = house.at("keyed", replace(again, cards="keyed")).events
    assert [type(event) for event in first] == [TableInstalled, ShuffleCommitted]
    assert [type(event) for event in keyed] == [TableInstalled]


def test_a_table_without_a_progressive_has_no_console() -> None:
    house = house_with("catfish-bend", players=("ann",))
    assert house.refused(MAIN, ReportLink(up=False, reason="no link")).code is Code.NO_CONSOLE


def test_a_void_round_gives_everything_back() -> None:
    house = house_with("maryland-everything", ("ann", "bob"))
    bots = house.rehearsal("main", ("ann", "bob"), seed=5)
    before = cents(house)
    while house.between("main") or _phase(house) != "stub":
        house.step(bots)
    meter = house.service.cache.meter("main").amounts.amount
    house.at("main", ReportIrregularity(irregularity="wrong_number_of_cards", count=7))
    after = cents(house)
    assert after == before
    assert house.service.cache.meter("main").amounts.amount < meter


@pytest.mark.clause("P26")
def test_a_table_opens_when_its_tray_was_counted() -> None:
    house = TestHouse()
    house.staff()
    house.install("main")
    opening = OpenTable(decks=("red", "blue")[: _decks(house)], role="floorperson")
    assert house.refused(MAIN, opening).code is Code.TRAY_UNCOUNTED
    house.at("main", CountTray(occasion="closing", cents=0, role="floorperson"))
    assert house.refused(MAIN, opening).code is Code.TRAY_UNCOUNTED
    house.at("main", CountTray(occasion="opening", cents=0, role="floorperson"))
    house.at("main", opening)
    assert house.refused(MAIN, CountTray(occasion="closing", cents=0, role="floorperson")).code is (
        Code.TRAY_IN_USE
    )
    house.at("main", CloseTable())
    assert house.refused(MAIN, opening).code is Code.TRAY_UNCOUNTED


def _decks(house: TestHouse) -> int:
    state = house.house_table("main").state
    assert state is not None
    return state.game.submission.dealing.decks


@pytest.mark.clause("P26")
@pytest.mark.parametrize("found", [FLOAT - 1, FLOAT, FLOAT + 500])
def test_what_a_count_finds_is_what_the_books_say_then(found: int) -> None:
    house = TestHouse()
    house.staff()
    house.install("main")
    house.at("main", FillTray(cents=FLOAT, slip="F1", role="supervisor"))
    house.at("main", CountTray(occasion="opening", cents=found, role="floorperson"))
    assert cents(house) == {"tray/main": found, "cage": -found}


@pytest.mark.clause("P26")
def test_no_round_begins_with_a_tray_that_owes_chips() -> None:
    house = TestHouse()
    house.staff()
    house.register("ann")
    house.install("main")
    house.open("main", STACK)
    house.seat("main", ["ann"])
    bots = house.rehearsal("main", ())
    rounds = 0
    while house.house_table("main").cents("tray/main") >= 0 and rounds < 200:
        rounds += 1
        _lose_or_win(house, bots)
    refusal = _begin_refusal(house)
    assert (refusal.code, refusal.clauses) == (Code.TRAY_SHORT, ("P26",))
    owed = -house.house_table("main").cents("tray/main")
    house.at("main", FillTray(cents=owed, slip="F2", role="supervisor"))
    house.at("main", BeginRound())


def _lose_or_win(house: TestHouse, bots: Any) -> None:
    """Play a round at three Antes each time, so that the tray runs dry sooner or later."""
    while house.between("main"):
        house.at("main", next_staff_command(house.house_table("main")))
    house.at("main", PlaceWager(position=1, wager="ante", amount=100_00), ANN)
    while not house.between("main"):
        state = house.house_table("main").state
        assert state is not None
        assert state.round is not None
        if state.round.phase == "deciding" and state.round.players_looked:
            house.at("main", _decision(house), ANN)
        else:
            house.at("main", bots.next(house.house_table("main")).command)


def _decision(house: TestHouse) -> Play | Fold:
    return (
        Play(position=1, amount=300_00)
        if house.house_table("main").chips("ann") >= 300_00
        else Fold(position=1)
    )


def _begin_refusal(house: TestHouse) -> Any:
    while True:
        command = next_staff_command(house.house_table("main"))
        if isinstance(command, BeginRound):
            return house.refused(MAIN, command)
        house.at("main", command)


@pytest.mark.parametrize("slip", ["", "  "])
def test_fills_and_credits_carry_a_slip(slip: str) -> None:
    house = house_with(players=("ann",))
    for command in (
        FillTray(cents=100, slip=slip, role="supervisor"),
        CreditTray(cents=100, slip=slip, role="supervisor"),
    ):
        assert house.refused(MAIN, command).code is Code.SLIP_MISSING


def test_a_credit_takes_no_more_than_there_is() -> None:
    house = house_with(players=("ann",))
    left = house.house_table("main").cents("tray/main")
    over = CreditTray(cents=left + 1, slip="C1", role="supervisor")
    assert house.refused(MAIN, over).code is Code.TRAY_SHORT
    house.at("main", CreditTray(cents=left, slip="C1", role="supervisor"))
    assert "tray/main" not in cents(house)


@pytest.mark.parametrize("amount", [-1, 0, MAX_CENTS + 1])
def test_what_is_no_amount_moves_no_chips(amount: int) -> None:
    house = house_with(players=("ann",))
    fill = FillTray(cents=amount, slip="F2", role="supervisor")
    credit = CreditTray(cents=amount, slip="C1", role="supervisor")
    for command in (fill, credit):
        assert house.refused(MAIN, command).code is Code.AMOUNT_UNFIT
    assert house.refused(MAIN, CashOut(player="ann", cents=amount), ANN).code is Code.AMOUNT_UNFIT


@pytest.mark.clause("P26")
@pytest.mark.parametrize(("slip", "fits"), [("7" * 40, True), ("7" * 41, False), ("F\n7", False)])
def test_the_number_of_a_slip_is_short_and_printable(slip: str, fits: bool) -> None:
    house = house_with(players=("ann",))
    for make in (FillTray, CreditTray):
        command = make(cents=100, slip=slip, role="supervisor")
        if fits:
            house.at("main", command)
        else:
            assert house.refused(MAIN, command).code is Code.WORD_UNFIT


@pytest.mark.parametrize(("cents_", "fits"), [(MAX_CENTS - FLOAT + STACK, True), (MAX_CENTS, False)])
def test_a_tray_holds_no_more_than_can_be_counted(cents_: int, fits: bool) -> None:
    house = house_with(players=("ann",))
    fill = FillTray(cents=cents_, slip="F2", role="supervisor")
    if not fits:
        assert house.refused(MAIN, fill).code is Code.AMOUNT_UNFIT
        return
    house.at("main", fill)
    house.at("main", CloseTable())
    house.at("main", CountTray(occasion="closing", cents=MAX_CENTS + 5, role="floorperson"))
    for bad in (-1, 2 * MAX_CENTS + 6):
        count = CountTray(occasion="opening", cents=bad, role="floorperson")
        assert house.refused(MAIN, count).code is Code.COUNT_UNFIT
    house.at("main", CountTray(occasion="opening", cents=2 * MAX_CENTS + 5, role="floorperson"))
    for bad in (-1, STACK + MAX_CENTS + 1):
        drop = CollectDrop(cents=bad, role="supervisor")
        assert house.refused(MAIN, drop).code is Code.COUNT_UNFIT


@pytest.mark.parametrize("found", [STACK - 700, STACK, STACK + 1])
def test_a_drop_is_collected_as_it_was_counted(found: int) -> None:
    house = house_with(players=("ann",))
    before = cents(house)["cage"]
    house.at("main", CollectDrop(cents=found, role="supervisor"))
    assert "drop/main" not in cents(house)
    assert cents(house)["cage"] == before + STACK
    with house.store.reading() as reading:
        moved = [(each.what, each.units // UNITS) for each in reading.transfers("drop/main")]
    variance = [("drop_variance", abs(found - STACK))] if found != STACK else []
    assert moved == [("buy_in", STACK), *variance, ("drop", found)]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (RegisterPlayer(name="Ann"), Code.PLAYER_KNOWN),
        (Withdraw(cents=MONEY + 1, role="supervisor"), Code.ACCOUNT_SHORT),
        (Withdraw(cents=0, role="supervisor"), Code.AMOUNT_UNFIT),
        (Deposit(cents=0, role="supervisor"), Code.AMOUNT_UNFIT),
        (Deposit(cents=MAX_CENTS - MONEY + 1, role="supervisor"), Code.AMOUNT_UNFIT),
        (Withdraw(cents=MAX_CENTS + 1, role="supervisor"), Code.AMOUNT_UNFIT),
        (NotePassword(person="bob"), Code.NOT_YOUR_ACCOUNT),
    ],
)
def test_an_account_refuses_what_cannot_be(command: Any, code: Code) -> None:
    house = TestHouse()
    house.staff()
    house.register("ann")
    assert house.refused(player_stream("ann"), command).code is code


def test_an_account_holds_the_largest_amount_and_pays_it_out() -> None:
    house = TestHouse()
    house.staff()
    house.register("ann")
    house.do(player_stream("ann"), Deposit(cents=MAX_CENTS - MONEY, role="supervisor"))
    house.do(player_stream("ann"), Withdraw(cents=MAX_CENTS, role="supervisor"))
    assert "player/ann" not in cents(house)


@pytest.mark.parametrize(
    ("name", "code"), [("Ann", Code.ID_UNFIT), ("a b", Code.ID_UNFIT), ("a" * 41, Code.ID_UNFIT)]
)
def test_an_account_needs_a_plain_name(name: str, code: Code) -> None:
    house = TestHouse()
    house.staff()
    assert house.refused(player_stream(name), RegisterPlayer(name="Ann")).code is code
    assert house.refused(player_stream("ann"), RegisterPlayer(name=" ")).code is Code.NAME_MISSING
    assert house.refused(player_stream("ann"), Deposit(cents=5, role="supervisor")).code is (
        Code.PLAYER_UNKNOWN
    )


def test_everything_can_be_withdrawn_and_no_more() -> None:
    house = TestHouse()
    house.staff()
    house.register("ann")
    house.do(player_stream("ann"), Withdraw(cents=MONEY, role="supervisor"))
    assert house.balances() == {}

"""Random days at a table, and what the count, the wagers and the players must then agree on."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from msgspec.structs import replace

from fourcard.house.autopilot import TableBots
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    CollectDrop,
    CountTray,
    CreditTray,
    Deposit,
    FillTray,
    InstallTable,
    Withdraw,
)
from fourcard.house.decision import player_stream, table_stream
from fourcard.house.journal import TABLE_CODEC
from fourcard.house.reports.statements import Statement, statement
from fourcard.house.reports.table_results import TableDay, sum_days, table_results
from fourcard.house.running_totals import HOUR
from fourcard.house.table_state import AnyTable, HouseTable, UninstalledTable, evolve
from fourcard.round.commands import CallOff, PlaceWager, ReportIrregularity, WithdrawWager
from fourcard.round.events import RoundEnded
from fourcard.rules.game import decode_game
from fourcard.table.commands import CloseTable
from fourcard.wagers import WagerName
from tests.kit.houses import TestHouse, player, submission_text

UNITS = 10_000
START = 1_767_225_600_000
Act = Callable[[TestHouse, TableBots, int], object]


def results(house: TestHouse, **options: int) -> tuple[TableDay, ...]:
    """Return the results of all tables."""
    with house.store.reading() as reading:
        return table_results(reading, **options)  # type: ignore[arg-type]


def statement_of(
    house: TestHouse, name: str, since: int | None = None, until: int | None = None
) -> Statement:
    """Return a player's statement."""
    with house.store.reading() as reading:
        return statement(reading, name, since, until)


def step(house: TestHouse, bots: TableBots, count: int) -> None:
    """Let bots go on, with decks that are as old as the clock says."""
    for _ in range(count):
        book = house.house_table("main")
        aged = replace(book, state=replace(book.state, at=max(house.clock.at, book.state.at)))
        request = bots.next(aged)
        house.do(request.stream, request.command, request.actor)


def _close(house: TestHouse, _bots: TableBots, amount: int) -> None:
    """Close the table and count a tray that is off by something."""
    house.at("main", CloseTable())
    held = house.house_table("main").cents("tray/main")
    house.at("main", CountTray(occasion="closing", cents=held + amount % 1_000 - 500, role="floorperson"))


def _collect(house: TestHouse, _bots: TableBots, amount: int) -> None:
    held = house.house_table("main").cents("drop/main")
    house.at("main", CollectDrop(cents=max(0, held + amount % 1_000 - 500), role="supervisor"))


def _let_time_pass(house: TestHouse, _bots: TableBots, amount: int) -> None:
    """Let hours pass, and now and then set the clock back a little."""
    house.clock.at += (amount % 30 - 3) * HOUR


def _void(house: TestHouse, _bots: TableBots, _amount: int) -> None:
    house.at("main", ReportIrregularity(irregularity="wrong_number_of_cards", count=7))


def _install_again(house: TestHouse, _bots: TableBots, _amount: int) -> None:
    house.at("main", InstallTable(submission=submission_text("maryland")))


def _bet(house: TestHouse, _bots: TableBots, amount: int) -> None:
    """Put another amount on the Ante, or a chip on the progressive that the system does not register."""
    if amount % 2:
        bet = PlaceWager(position=1, wager="ante", amount=1_000 + amount % 10 * 100)
    else:
        bet = PlaceWager(position=2, wager="progressive", amount=100, accepted=False)
    house.at("main", bet, player("ann" if amount % 2 else "bob"))


def _withdraw(house: TestHouse, _bots: TableBots, amount: int) -> None:
    named: WagerName = "aces_up" if amount % 2 else "progressive"
    house.at("main", WithdrawWager(position=1, wager=named), player("ann"))


ACTS: dict[str, Act] = {
    "step": lambda house, bots, amount: step(house, bots, amount % 70 + 1),
    "fill": lambda house, _, amount: house.at("main", FillTray(cents=amount, slip="F", role="supervisor")),
    "credit": lambda house, _, amount: house.at(
        "main", CreditTray(cents=amount, slip="C", role="supervisor")
    ),
    "pay in": lambda house, _, amount: house.do(
        player_stream("ann"), Deposit(cents=amount, role="supervisor")
    ),
    "pay out": lambda house, _, amount: house.do(
        player_stream("ann"), Withdraw(cents=amount, role="supervisor")
    ),
    "buy": lambda house, _, amount: house.at("main", BuyIn(player="bob", cents=amount), player("bob")),
    "cash": lambda house, _, amount: house.at("main", CashOut(player="ann", cents=amount), player("ann")),
    "call off": lambda house, _bots, _: house.at("main", CallOff(role="floorperson")),
    "void": _void,
    "bet": _bet,
    "withdraw": _withdraw,
    "close": _close,
    "collect": _collect,
    "pass": _let_time_pass,
    "again": _install_again,
}


def check_day(day: TableDay) -> None:
    """See that a day is the same from every side."""
    assert day.win == day.drop + day.closing + day.credits - day.opening - day.fills
    assert day.win == day.win_of_wagers + day.variance
    lost = sum(each.taken - each.paid for each in day.wagers)
    assert lost == day.bought - day.cashed - (day.out_after - day.out_before)
    assert day.drop == day.bought + day.drop_variance
    assert day.tray_variance == sum(each.variance for each in day.counts if each.of != "drop")
    assert day.drop_variance == sum(each.variance for each in day.counts if each.of == "drop")
    if day.out_before == day.out_after == 0:
        assert all(each.handle >= each.taken for each in day.wagers)


def check_days(house: TestHouse, found: tuple[TableDay, ...]) -> None:
    """See that days follow on each other, and end where the accounts stand."""
    balances = house.balances()
    assert sum(balances.values()) == 0
    for before, after in pairwise(found):
        assert (before.day < after.day, before.closing) == (True, after.opening)
        assert before.out_after == after.out_before
    whole = sum_days(found)
    assert whole.closing * UNITS == balances.get("tray/main", 0)
    assert (whole.drop - whole.collected) * UNITS == balances.get("drop/main", 0)
    out = sum(units for account, units in balances.items() if account.startswith(("chips/", "layout/")))
    assert whole.out_after * UNITS == out
    put_in_and_left = sum(balances.get(f"{account}/main", 0) for account in ("link", "meter", "reserve"))
    assert -put_in_and_left == sum(each.by_meter for each in whole.wagers) * UNITS
    handles = Counter({each.wager: each.handle for each in whole.wagers})
    assert +handles == +wagered_in_rounds(house)
    with house.store.reading() as reading:
        kinds = [record.kind for record in reading.events("table/main")]
    assert (whole.rounds, whole.voids) == (kinds.count("round_ended"), kinds.count("round_voided"))


def wagered_in_rounds(house: TestHouse) -> Counter[str]:
    """Return what was wagered in rounds that were not void, as the rounds themselves know it."""
    book: AnyTable = UninstalledTable("main")
    sums = Counter[str]()
    with house.store.reading() as reading:
        games = {hash_: decode_game(body) for hash_, body in reading.games().items()}
        for record in reading.events(table_stream("main")):
            event = TABLE_CODEC.decode(record)
            if isinstance(event, RoundEnded):
                sums += _wagered_now(book)
            book, _ = evolve(book, event, games.__getitem__)
    return sums + _wagered_now(book)


def _wagered_now(book: AnyTable) -> Counter[str]:
    sums = Counter[str]()
    current_round = book.state.round if isinstance(book, HouseTable) else None
    for place in current_round.positions.values() if current_round is not None else ():
        sums.update(place.wagers)
        sums["progressive"] += place.unregistered
    return sums


def check_statement(house: TestHouse, name: str) -> None:
    """See that a statement ends where the account stands, and can be cut anywhere."""
    whole, balances = statement_of(house, name), house.balances()
    assert whole.closing * UNITS == balances.get(f"player/{name}", 0)
    assert dict(whole.chips).get("main", 0) * UNITS == balances.get(f"chips/main/{name}", 0)
    balance = 0
    for line in whole.lines:
        balance += line.cents
        assert line.balance == balance >= 0
    middle = START + HOUR
    first, second = statement_of(house, name, until=middle), statement_of(house, name, since=middle)
    assert (first.opening, first.closing, second.closing) == (0, second.opening, whole.closing)
    assert len(first.lines) + len(second.lines) == len(whole.lines)

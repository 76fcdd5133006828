"""Statements, the trial balance, results of tables, and what each table is: exact, and true of the ledger."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcard.answers import json_data
from fourcard.house.audit.auditor import audit
from fourcard.house.auth.identity import Actor
from fourcard.house.commands import BuyIn, CashOut, HireStaff
from fourcard.house.decision import STAFF
from fourcard.house.ledger import Transfer
from fourcard.house.reports.formats import (
    DAY,
    day_name,
    day_number,
    day_start,
    exact_dollars,
    format_time,
    parse_day,
    parse_time,
)
from fourcard.house.reports.house_status import TableStatus, table_statuses
from fourcard.house.reports.statements import ACCOUNT_GROUPS, group_of, statement, trial_balance
from fourcard.house.reports.table_results import table_results
from fourcard.house.reports.wins import WinLog, wins
from fourcard.house.running_totals import HOUR, effect_of
from fourcard.house.store.interface import StoreError
from fourcard.house.store.memory import MemoryStore
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, RefusedError
from fourcard.table.commands import BringDeck, CloseTable
from tests.kit.audited_houses import play_strong, small_house, told
from tests.kit.houses import FLOAT, MONEY, STACK, TestHouse, house_with, player
from tests.ledgers.random_days import START, UNITS, results, statement_of, step

PLAYERS = ("ann", "bob")


def tables(house: TestHouse) -> dict[str, TableStatus]:
    """Return every table as it is now."""
    with house.store.reading() as reading:
        return {each.table: each for each in table_statuses(reading, house.clock.at)}


def test_one_day_and_one_table_are_those_of_the_whole_report() -> None:
    house = house_with("maryland", PLAYERS)
    house.install("other", "massachusetts")
    bots = house.rehearsal("main", PLAYERS)
    house.play(bots, 2)
    house.clock.at += DAY
    step(house, bots, 40)
    found = results(house)
    assert [(each.day, each.table) for each in found] == [("2026-01-01", "main"), ("2026-01-02", "main")]
    with house.store.reading() as reading:
        second = table_results(reading, day=parse_day("2026-01-02"))
        assert [each.table for each in second] == ["main", "other"]
        assert second[0] == found[1]
        assert table_results(reading, table="main") == found
        (idle,) = table_results(reading, table="main", day=parse_day("2026-02-01"))
        assert (idle.opening, idle.closing, idle.win, idle.hold) == (
            found[1].closing, found[1].closing, 0, None,
        )  # fmt: skip
        with pytest.raises(RefusedError, match="There is no table 'nowhere'"):
            table_results(reading, table="nowhere")


def test_results_say_who_dealt_whoever_writes_and_after_every_restart() -> None:
    """Let two processes write in turn; a dealer is relieved while nothing moves."""
    house = house_with("maryland", PLAYERS)
    house.do(STAFF, HireStaff(person="dora", name="Dora", roles=("dealer",)))
    bots, dora = house.rehearsal("main", PLAYERS), Actor("dora", "staff", ("dealer",))
    house.play(bots, 2)
    desks = [house, TestHouse(house.store)]
    while house.number("main") < 4 or not house.between("main"):
        desks.reverse()
        request = bots.next(house.house_table("main"))
        actor = dora if request.command.role == "dealer" else request.actor
        desks[0].do(request.stream, request.command, actor)
        desks[1].restart()
    (day,) = results(house)
    before, crew, relief = day.dealers
    assert [(each.dealer, each.rounds) for each in day.dealers] == [("", 0), ("crew", 2), ("dora", 2)]
    for figure in ("handle", "taken", "paid", "win"):
        assert sum(getattr(each, figure) for each in day.dealers) == sum(
            getattr(each, figure) for each in day.wagers
        )
    assert before.handle == 0 < min(crew.handle, relief.handle)
    assert relief.hold == Fraction(relief.win, relief.handle)
    report = audit(house.store)
    assert report.counts.hours == 1
    assert not [each for each in report.findings if each.place.kept in ("totals", "rounds")], told(report)


def test_hold_is_exact() -> None:
    house = house_with("maryland", PLAYERS)
    house.play(house.rehearsal("main", PLAYERS), 5)
    (day,) = results(house)
    assert day.hold == Fraction(day.win, 2 * STACK)
    ante = next(each for each in day.wagers if each.wager == "ante")
    assert ante.hold == Fraction(ante.taken - ante.paid, ante.handle)
    answer = json_data(day)
    assert answer["win"] == day.win
    assert answer["hold"] == {"fraction": str(day.hold), "value": float(day.hold)}
    assert answer["wagers"][0]["wager"] == "ante"


def test_the_trial_balance_has_every_account_once_and_a_sum_of_zero() -> None:
    house = house_with("maryland-everything", PLAYERS)
    step(house, house.rehearsal("main", PLAYERS), 30)
    with house.store.reading() as reading:
        found = trial_balance(reading)
    assert [group.group for group in found.groups] == [*ACCOUNT_GROUPS]
    accounts = [each for group in found.groups for each in group.accounts]
    assert {each.account: each.units for each in accounts} == house.balances()
    assert all(group_of(each.account) == group.group for group in found.groups for each in group.accounts)
    assert (found.sum, found.held) == (0, found.owed)
    cage = found.groups[-1]
    assert cage.units == -(2 * MONEY + FLOAT) * UNITS
    assert cage.dollars == "-$250,000"


def test_an_account_of_no_group_is_not_passed_over() -> None:
    with pytest.raises(StoreError, match="unknown account 'purse/ann'"):
        group_of("purse/ann")


def test_a_movement_that_no_table_makes_is_not_passed_over() -> None:
    odd = Transfer("table/main", 1, 0, "tray/main", "player/ann", UNITS, "gift", "", START)
    with pytest.raises(StoreError, match="unknown transfer 'gift' from tray to player"):
        effect_of(odd, withdrawn=False)


@pytest.mark.parametrize(
    ("giver", "taker", "what", "effect"),
    [
        ("prizes/m", "tray/main", "meter_to_tray", {"by_meter": 1, "tray": 1}),
        ("prizes/m", "chips/main/ann", "pay", {"paid": 1, "by_meter": 1, "out": 1}),
        ("tray/main", "meter/m", "void", {"by_meter": -1, "tray": -1}),
        ("layout/main/ante", "chips/main/ann", "stake_back", {}),
    ],
)
def test_what_seldom_happens_counts_too(giver: str, taker: str, what: str, effect: dict[str, int]) -> None:
    seldom = Transfer("table/main", 1, 0, giver, taker, UNITS, what, "progressive", START)
    assert dict(effect_of(seldom, withdrawn=False)) == effect


def test_a_ledger_that_lost_a_movement_makes_no_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    house = house_with("maryland", PLAYERS)
    with house.store.reading() as reading:
        moved = [*reading.transfers("player/ann")]
        for kept in (moved[:-1], [*moved, moved[-1]]):
            monkeypatch.setattr(type(reading), "transfers", lambda *_, kept=kept: iter(kept))
            with pytest.raises(StoreError, match="player 'ann' do not agree; run an audit"):
                statement(reading, "ann")


def test_a_statement_is_of_a_player_who_has_an_account() -> None:
    house = TestHouse()
    house.staff()
    with pytest.raises(RefusedError, match="There is no player 'ann'") as found:
        statement_of(house, "ann")
    assert found.value.refusal.code is Code.PLAYER_UNKNOWN


def test_movements_of_one_moment_stand_in_the_order_in_which_they_happened() -> None:
    house = house_with("maryland", ("ann",))
    house.install("a", "massachusetts")
    house.open("a")
    house.at("a", BuyIn(player="ann", cents=100), player("ann"))
    house.at("main", CashOut(player="ann", cents=200), player("ann"))
    house.at("a", CashOut(player="ann", cents=100), player("ann"))
    lines = statement_of(house, "ann").lines
    assert [(line.what, line.table, line.cents) for line in lines] == [
        ("deposit", "", MONEY),
        ("buy_in", "main", -STACK),
        ("buy_in", "a", -100),
        ("cash_out", "main", 200),
        ("cash_out", "a", 100),
    ]
    assert [line.by for line in lines] == ["crew", "ann", "ann", "ann", "ann"]
    assert statement_of(house, "ann").total("cash_out") == 300
    found = statement_of(house, "ann")
    assert (found.opening, found.closing, found.chips) == (
        0,
        MONEY - STACK + 200,
        {"main": STACK - 200},
    )


def test_a_table_tells_what_it_is() -> None:
    house = house_with("maryland", PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    house.play(bots, 3)
    house.clock.at += 5 * HOUR + 1
    found = tables(house)["main"]
    assert (found.rulebook, found.edition, found.phase, found.round) == ("maryland", "proposed", "open", 3)
    assert (found.in_round, found.seats) == ("", {"1": "ann", "2": "bob"})
    assert (found.tray, found.drop, found.meter) == (
        house.house_table("main").cents("tray/main"),
        2 * STACK,
        None,
    )
    assert all(deck.hours == 5 for deck in found.decks)
    limits = {(deck.most_hours, deck.clauses) for deck in found.decks}
    assert limits in ({(8, ("MD-03C2",))}, {(4, ("MD-03C1",))})
    house.clock.at += 4 * HOUR
    assert all(deck.overdue for deck in tables(house)["main"].decks)
    with house.store.reading() as reading:
        assert json_data(table_statuses(reading, house.clock.at))


def test_a_deck_that_was_changed_is_new() -> None:
    house = house_with("maryland", PLAYERS)
    house.clock.at += 5 * HOUR
    house.at("main", BringDeck(back="red", deck=0, role="floorperson"))
    assert tables(house)["main"].decks[0].hours == 0


def test_the_next_stub_count_comes_nearer_with_every_round() -> None:
    house = house_with("massachusetts", PLAYERS)
    every = house.house_table("main").state.rules.dealing.counting.every
    assert every is not None
    bots = house.rehearsal("main", PLAYERS)
    seen = []
    for _ in range(every.value + 1):
        seen.append(tables(house)["main"].count_in)
        house.play(bots)
    assert seen == [*range(every.value, 0, -1), every.value]
    assert tables(house)["main"].count_clauses


def test_where_a_shuffler_counts_no_count_is_due() -> None:
    assert tables(house_with("maryland-everything", PLAYERS))["main"].count_in is None


def test_a_meter_and_a_round_under_way_are_told() -> None:
    house = house_with("maryland-everything", PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    while house.between("main"):
        house.step(bots)
    found = tables(house)["main"]
    assert (found.in_round, found.round) == ("betting", 1)
    assert found.meter is not None
    assert (found.meter.name, found.meter.units, found.meter.taken) == ("main", 10_000_00 * UNITS, 0)


def test_a_closed_table_has_no_decks() -> None:
    house = house_with("maryland", PLAYERS)
    house.at("main", CloseTable())
    found = tables(house)["main"]
    assert (found.phase, found.decks) == ("closed", ())


@pytest.mark.parametrize(
    ("units", "told"),
    [
        (0, "$0"),
        (1, "$0.000001"),
        (-1, "-$0.000001"),
        (UNITS, "$0.01"),
        (125_000, "$0.125"),
        (50 * UNITS, "$0.50"),
        (1_234_567 * 100 * UNITS, "$1,234,567"),
        (-1_000_001_000_000, "-$1,000,001"),
        (1_000_000_500_000, "$1,000,000.50"),
    ],
)
def test_money_is_shown_exactly(units: int, told: str) -> None:
    assert exact_dollars(units) == told


def test_shares_and_moments() -> None:
    assert json_data([None, Fraction(1, 4)]) == [None, {"fraction": "1/4", "value": 0.25}]
    assert format_time(START) == "2026-01-01 00:00:00"


@pytest.mark.parametrize(
    ("at", "begins", "day"),
    [
        (START, 0, "2026-01-01"),
        (START - 1, 0, "2025-12-31"),
        (START + DAY - 1, 0, "2026-01-01"),
        (START + 6 * HOUR - 1, 6, "2025-12-31"),
        (START + 6 * HOUR, 6, "2026-01-01"),
        (0, 0, "1970-01-01"),
        (0, 1, "1969-12-31"),
    ],
)
def test_a_gaming_day_begins_at_its_hour(at: int, begins: int, day: str) -> None:
    assert day_name(day_number(at, begins)) == day


@given(number=st.integers(-10_000, 50_000), begins=st.integers(0, 23))
def test_a_day_lasts_from_its_beginning_to_the_next(number: int, begins: int) -> None:
    start = day_start(number, begins)
    assert day_number(start, begins) == number == day_number(start + DAY - 1, begins)
    assert day_number(start - 1, begins) == number - 1
    assert parse_day(day_name(number)) == number


def test_moments_are_read_in_utc_unless_they_say_otherwise() -> None:
    assert parse_time("2026-01-01") == START
    assert parse_time("2026-01-01T06:30") == START + 6 * HOUR + 30 * 60_000
    assert parse_time("2026-01-01T06:00+06:00") == START
    for text in ("yesterday", "2026-13-01", ""):
        with pytest.raises(BadInputError, match="is not a time"):
            parse_time(text)
    with pytest.raises(BadInputError, match="is not a date"):
        parse_day("31.1.2026")
    with pytest.raises(BadInputError, match="an hour from 0 to 23, not at 24"):
        day_number(0, 24)


def test_wins_are_followed_from_where_the_last_reading_ended() -> None:
    made, _ = small_house(MemoryStore())
    log = WinLog()
    with made.store.reading() as reading:
        before = log.wins(reading)
        assert before == wins(reading)
    play_strong(made, "three", (12, 13, 14))
    with made.store.reading() as reading:
        after = log.wins(reading)
        assert after == wins(reading)
        assert log.wins(reading, "one", "three") == wins(reading, "one", "three")
    assert len(after) > len(before) > 0

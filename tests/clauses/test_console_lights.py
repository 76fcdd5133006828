"""Sensors and their lights: a chip on the own sensor, the button that starts a game, chips off the table."""

from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.house import ledger
from fourcard.progressive.console import new_console, sensor_lights
from fourcard.round.commands import Deal, Perform, PlaceWager, WithdrawWager
from fourcard.round.events import CardsDealt, ProgressiveBooked, ProgressiveLocked, StepDone
from fourcard.table.table_driver import Table
from tests.kit.consoles import (
    MA_KEYPAD,
    NOTHING,
    NOTHING_ELSE,
    SM,
    STARTS,
    WA_KEYPAD,
    WA_TOUCH,
    ConsoleSetup,
    ConsoleTable,
    on_consoles,
)
from tests.kit.houses import player
from tests.kit.support import by_clause, game, game_under

MANUAL: dict[str, Any] = {"dealing__method": "manual", "dealing__stack": None}
NO_WIN = {1: NOTHING, 2: NOTHING_ELSE, 3: "Qs Js 6h 4s 2s"}


@pytest.mark.parametrize(
    ("clause", "setup"), on_consoles("SM-PROG-5.3", "WA-PROG-4.3", "WA-NEX-4.3", md="MD-07E4a.2")
)
def test_a_chip_counts_on_the_sensor_of_its_own_position_alone(clause: str, setup: ConsoleSetup) -> None:
    at = ConsoleTable(setup)
    at.bet(progressive=())
    foreign = at.refused(at.wager(1), player("p2"))
    assert (foreign.name, foreign.clauses) == ("sensor_foreign", (clause,))
    assert at.refused(at.wager(4), player("p2")).name == "not_seated"
    assert at.lights == {}
    at.do(at.wager(1), player("p1"))
    assert at.refused(at.wager(1), player("p2")).name == "sensor_foreign"
    at.do(at.wager(2), player("p2"))
    # For a player without a screen the dealer enters what the player does.
    at.do(at.wager(3))
    assert at.lights == dict.fromkeys((1, 2, 3), "placed")
    at.start()
    assert at.round.locked_stakes == ((1, 100), (2, 100), (3, 100))


@pytest.mark.parametrize(
    ("clause", "setup"),
    [
        *on_consoles("SM-PROG-5.4", "WA-PROG-4.4", "WA-NEX-4.4", md="MD-02C1"),
        *by_clause(("R62", SM)),
    ],
)
def test_a_sensor_lights_when_a_chip_is_placed_on_it(clause: str, setup: ConsoleSetup) -> None:
    at = ConsoleTable(setup)
    every = sensor_lights(at.console, at.table)
    assert [*every] == [*range(1, at.table.game.submission.positions.at_table + 1)], clause
    assert {*every.values()} == {"off"}
    at.bet(progressive=())
    assert at.lights == {}
    at.do(at.wager(2), player("p2"))
    assert at.lights == {2: "placed"}
    # A chip that the sensor did not take in is not acknowledged by its light.
    at.do(at.wager(1, accepted=False), player("p1"))
    assert at.lights == {2: "placed"}
    at.do(at.wager(1), player("p1"))
    assert at.lights == {1: "placed", 2: "placed"}
    at.do(WithdrawWager(position=2, wager="progressive"), player("p2"))
    assert at.lights == {1: "placed"}


@pytest.mark.parametrize(
    ("clause", "setup"),
    [
        *on_consoles("SM-PROG-6.2", "WA-PROG-5.2", "WA-NEX-5.2", md="MD-02C2.1"),
        *by_clause(("R62", SM)),
    ],
)
def test_lights_then_mark_the_registered_wagers_until_the_game_is_ended(
    clause: str, setup: ConsoleSetup
) -> None:
    at = ConsoleTable(setup, NO_WIN)
    at.bet(progressive=(1, 3))
    assert at.lights == dict.fromkeys((1, 3), "placed"), clause
    at.start()
    registered = dict.fromkeys((1, 3), "registered")
    assert at.lights == registered
    while at.table.round is not None:
        at.step()
        assert at.lights == registered
    at.end()
    assert at.lights == {}
    at.begin(NO_WIN)
    assert at.lights == {}


@pytest.mark.clause("R62")
@pytest.mark.parametrize("light", ["placed", "registered"])
def test_a_sensor_without_one_of_its_lights_stays_dark(light: str) -> None:
    at = Table(game_under(game("washington-everything"), **{f"consoles__touch__lights_{light}": False}))
    at.seat(1, "Ann")
    at.begin()
    at.do(PlaceWager(position=1, wager="ante", amount=2_500))
    at.do(PlaceWager(position=1, wager="progressive", amount=100))
    seen = [sensor_lights(new_console(at.game), at.state)[1]]
    at.do(Perform(step="lock_out"))
    seen.append(sensor_lights(new_console(at.game), at.state)[1])
    assert seen == ["off" if each == light else each for each in ("placed", "registered")]


@pytest.mark.parametrize(
    ("clause", "setup"),
    [
        *on_consoles("SM-PROG-6.1", "WA-PROG-5.1", "WA-NEX-5.1", md="MD-02C2.1"),
        *by_clause(
            ("WA-PROG-5.1", WA_KEYPAD.but("by hand", **MANUAL)),
            ("WA-NEX-5.1", WA_TOUCH.but("by hand", **MANUAL)),
        ),
    ],
)
def test_the_dealer_starts_the_game_when_all_bets_are_down(clause: str, setup: ConsoleSetup) -> None:
    at = ConsoleTable(setup, NO_WIN)
    right, wrong = STARTS[setup.kind], STARTS["touch" if setup.kind == "keypad" else "keypad"]
    assert at.refused(right).name in ("nobody_wagered", "out_of_order")
    at.bet(progressive=(1, 3))
    absent = at.refused(wrong)
    assert (absent.name, absent.clauses) == ("button_absent", (clause,))
    for role in ("floorperson", "supervisor", "executive"):
        others = at.refused(replace(right, role=role))
        assert (others.name, others.clauses) == ("not_your_duty", (clause,))
    assert at.refused(right, player("p1")).name == "not_permitted"
    assert at.refused(Deal()).name == "out_of_order"
    # Until the button is pressed wagers come and go.
    at.do(at.wager(2), player("p2"))
    at.do(WithdrawWager(position=2, wager="progressive"), player("p2"))
    meter = at.meter.amounts.amount
    told = at.start().events
    assert [event.stakes for event in told if isinstance(event, ProgressiveLocked)] == [((1, 100), (3, 100))]
    rate = at.table.game.submission.progressive
    assert rate is not None
    assert rate.rate is not None
    assert at.meter.amounts.amount - meter == 200 * 10_000 * rate.rate
    for late in (at.wager(2), at.wager(2, "ante", 5_000), WithdrawWager(position=1, wager="progressive")):
        assert at.refused(late, player(f"p{late.position}")).name == "betting_closed"
    assert at.refused(right).name == "out_of_order"
    at.finish()
    assert at.refused(right).name == "no_round"


@pytest.mark.parametrize(
    ("clause", "setup"),
    by_clause(
        ("SM-PROG-6.3", SM),
        ("WA-PROG-5.3", WA_KEYPAD),
        ("WA-PROG-5.3", WA_KEYPAD.but("by hand", **MANUAL)),
        ("WA-NEX-5.3", WA_TOUCH),
        ("WA-NEX-5.3", WA_TOUCH.but("by hand", **MANUAL)),
    ),
)
def test_the_dealer_then_takes_every_progressive_chip_off_the_table(clause: str, setup: ConsoleSetup) -> None:
    at, collect = ConsoleTable(setup, NO_WIN), Perform(step="collect_chips")
    spot, tray = ledger.layout_account(at.name, "progressive"), ledger.tray_account(at.name)
    at.bet(progressive=(1, 3))
    assert at.refused(collect).name == "out_of_order"
    held = at.account(tray)
    at.start()
    assert (at.account(spot), at.account(tray)) == (200, held)
    waits = at.refused(Deal())
    assert (waits.name, clause in waits.clauses) == ("out_of_order", True)
    for role in ("floorperson", "supervisor", "executive"):
        assert at.refused(replace(collect, role=role)).name == "not_your_duty"
    done, booked = at.do(collect).events
    assert isinstance(done, StepDone)
    assert isinstance(booked, ProgressiveBooked)
    assert clause in done.clauses
    assert all("progressive" not in place.on_layout for place in at.round.positions.values())
    assert (at.account(spot), at.account(tray) - held) == (0, 200)
    assert any(isinstance(event, CardsDealt) for event in at.step().events)


@pytest.mark.clause("R104")
@pytest.mark.parametrize("setup", [SM, WA_KEYPAD, WA_TOUCH, MA_KEYPAD], ids=str)
def test_a_house_may_verify_the_chips_where_no_clause_asks_for_it(setup: ConsoleSetup) -> None:
    at = ConsoleTable(setup.but("verified", settings__verify_progressive_chips=True), NO_WIN)
    spot, tray = ledger.layout_account(at.name, "progressive"), ledger.tray_account(at.name)
    at.bet(progressive=(1, 3))
    held = at.account(tray)
    at.start()
    count = Perform(step="count_chips", count=2, role="floorperson")
    differs = Perform(step="count_chips", count=1)
    for step in (Perform(step="collect_chips"), differs, count, Perform(step="put_chips_in_tray")):
        due = "chips_differ" if step is count else "out_of_order"
        assert at.refused(Deal()).name == due
        assert (at.account(spot), at.account(tray)) == (200, held)
        at.do(step)
    assert (at.account(spot), at.account(tray)) == (0, held + 200)
    assert any(isinstance(event, CardsDealt) for event in at.step().events)


@pytest.mark.clause("R104")
def test_in_massachusetts_where_nobody_collects_chips_they_lie_until_they_are_settled() -> None:
    at = ConsoleTable(MA_KEYPAD, NO_WIN)
    spot = ledger.layout_account(at.name, "progressive")
    at.bet(progressive=(1, 3))
    at.start()
    while at.round.phase != "settling":
        at.step()
        assert at.account(spot) == 200
    while at.table.round is not None:
        at.step()
    assert at.account(spot) == 0


@pytest.mark.parametrize("setup", [SM, WA_KEYPAD, WA_TOUCH], ids=str)
def test_where_no_chip_lies_on_a_sensor_none_is_taken_away(setup: ConsoleSetup) -> None:
    at = ConsoleTable(setup, NO_WIN)
    at.bet(progressive=())
    at.start()
    assert any(isinstance(event, CardsDealt) for event in at.step().events)

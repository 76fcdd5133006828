"""`fourcard manager meters`, `meter`, `tables` and `jackpots`: what every meter and console shows now."""

import sqlite3
from contextlib import closing

import pytest

from fourcard.house.auth.identity import CONSOLE
from fourcard.house.meter_state import LAST_WINS
from fourcard.house.reports.consoles import open_jackpots
from fourcard.round.commands import CompleteDocument
from tests.kit.commands import HOUSE_FILE as FILE
from tests.kit.commands import Command, said
from tests.kit.consoles import SM, WA_TOUCH, ConsoleSetup, at_award

CENT = 10_000
LINK = {
    "displayed_cents": 500_012,
    "meter_units": 500_012 * CENT,
    "reserve_units": 0,
    "owed_units": 0,
    "wagered_cents": 1_000,
    "contributed_units": 220 * CENT,
    "paid_units": 1_500_248 * CENT,
    "seeded_units": 2_000_000 * CENT,
    "adjusted_units": 40 * CENT,
    "borne_units": 44 * CENT,
    "won_cents": 1_501_148,
    "hits": 4,
    "times_taken": 3,
    "link": "open",
    "tables": ["one", "two"],
    "holds": True,
    "agrees": True,
}
"""Four aces thrice, one of them void, three of a kind once; the house bore what a void round had brought."""


def test_every_meter_is_told_with_the_law_that_holds(manager: Command) -> None:
    found = {each["meter"]: each for each in manager("meters", "--json").answer}
    assert [*found] == ["bay", "dry", "link", "pad"]
    assert {name: found["link"][name] for name in LINK} == LINK
    for each in found.values():
        came = each["seeded_units"] + each["contributed_units"] + each["adjusted_units"]
        assert each["meter_units"] + each["reserve_units"] + each["paid_units"] == came
        assert (each["holds"], each["agrees"]) == (True, True)
    assert (found["dry"]["displayed_cents"], found["dry"]["shortfall_cents"]) == (0, 28_960)
    shown = said(manager("meters"))
    assert "$5,000.12" in shown
    law = "held $5,000.12 + paid $15,002.48 = seeded $20,000 + contributed $2.20 + adjusted $0.40"
    assert f"link: {law}; the ledger agrees." in shown


def test_the_signs_show_a_logged_prize_until_it_is_paid(manager: Command) -> None:
    found = {each["meter"]: each for each in manager("meters", "--json").answer}["pad"]
    assert (found["displayed_cents"], found["meter_units"]) == (500_050, 500_000 * CENT)
    assert found["owed_units"] == 500_050 * CENT
    assert "waits win 1 of $5,000.50 at pad, round 1, position 1" in said(manager("meter", "pad"))


def test_a_meter_that_the_ledger_knows_otherwise_is_found(manager: Command) -> None:
    with closing(sqlite3.connect(FILE)) as file, file:
        file.execute("UPDATE balances SET amount = amount + 1 WHERE account = 'meter/link'")
    done = manager("meters")
    assert (done.status, done.err) == (1, "")
    assert "the ledger has $5,000.120001 instead" in done.out
    told = manager("meters", "--json")
    assert told.status == 1
    assert manager("meter", "link").status == 1


def test_one_meter_is_told_with_its_terms_and_wins(manager: Command) -> None:
    found = manager("meter", "link", "--json").answer
    assert (found["rate"], found["reserve_rate"], found["reset_cents"]) == ("1/5", "1/50", 500_000)
    assert found["executive_threshold_cents"] == 500_000
    assert {each["row"]: each["hits"] for each in found["rows"]} == {
        "four_aces": 3,
        "four_of_a_kind": 0,
        "straight_flush": 0,
        "three_of_a_kind": 1,
    }
    wins = [
        (each["number"], each["amount_cents"], each["adjusted"], each["backed_out"]) for each in found["last"]
    ]
    assert wins == [
        (4, 500_124, True, False),
        (3, 500_084, True, True),
        (2, 900, True, False),
        (1, 500_040, True, False),
    ]
    assert len(wins) <= LAST_WINS
    shown = said(manager("meter", "link"))
    assert "20% of a wager, 2% to the reserve" in shown
    assert "7♠ 7♥ 7♦ K♣ 2♦" in shown


def test_what_waits_at_a_meter_is_told(manager: Command) -> None:
    proposed = ("adjust", "link", "--cents", 250, "--reason", "found by a count")
    said(manager(*proposed, "--as", "sue", "--password-file", "password"))
    found = manager("meter", "link", "--json").answer
    assert [(each["number"], each["amount_cents"], each["by"]) for each in found["proposals"]] == [
        (1, 250, "sue")
    ]
    assert "waits adjustment 1 by sue: $2.50 to the meter, found by a count." in said(
        manager("meter", "link")
    )
    assert manager("meter", "pad", "--json").answer["logged"] == [1]


def test_every_console_is_told(manager: Command) -> None:
    found = {each["table"]: each for each in manager("tables", "--json").answer}
    assert {name: (each["console"], each["game"]) for name, each in found.items()} == {
        "bay": ("keypad", "in game"),
        "low": ("touch", "ready"),
        "one": ("touch", "ready"),
        "pad": ("keypad", "in game"),
        "two": ("touch", "ready"),
    }
    pad = found["pad"]
    assert (pad["key"], pad["logged_position"], pad["logged_cents"]) == ("jph", 1, 500_050)
    assert pad["monitor_cents"] == 500_050
    assert (pad["marked"], pad["marked_by"]) == ("four_aces", "dora")
    assert [p for p, light in pad["lights"].items() if light == "registered"] == ["1", "2"]
    assert (found["bay"]["key"], found["one"]["key"]) == ("run", "")
    assert (found["one"]["linked"], found["two"]["linked"]) == (True, False)
    (only,) = manager("tables", "--table", "two", "--json").answer
    assert only == found["two"]
    shown = said(manager("tables"))
    assert "[1] [2] 3 4 5 6 7" in shown
    assert "logged: $5,000.50 at position 1" in shown
    assert "lost" in shown


def test_a_closed_link_is_told_with_its_reason(manager: Command) -> None:
    said(manager("close-link", "link", "--reason", "night count"))
    found = {each["meter"]: each for each in manager("meters", "--json").answer}
    assert (found["link"]["link"], found["link"]["closed"]) == ("closed", "night count")
    assert "night count" in said(manager("meters"))
    assert "night count" in said(manager("tables"))


def test_open_jackpots_are_told_with_what_is_next(manager: Command) -> None:
    (found,) = manager("jackpots", "--json").answer
    assert found == {
        "table": "pad",
        "meter": "pad",
        "round": 1,
        "position": 1,
        "player": "pad-1",
        "cards": "As Ah Ad Ac 2c",
        "row": "four_aces",
        "odds": "100% of meter",
        "amount_cents": 500_050,
        "stage": "logged",
        "next": "turn the key to Run",
        "win": 1,
    }
    shown = said(manager("jackpots"))
    assert "$5,000.50" in shown
    assert "turn the key to Run" in shown


@pytest.mark.parametrize(
    ("setup", "marking", "confirming"),
    [
        (WA_TOUCH, "select the player's spot", "press CONFIRM"),
        (SM, "press the hand button", "turn the key to JPH"),
    ],
    ids=str,
)
def test_a_jackpot_goes_from_stage_to_stage(setup: ConsoleSetup, marking: str, confirming: str) -> None:
    at = at_award(setup)

    def stages() -> list[tuple[str, str, int | None, int]]:
        with at.house.store.reading() as reading:
            return [(each.stage, each.next, each.amount_cents, each.win) for each in open_jackpots(reading)]

    prize = at.meter.displayed
    assert stages() == [("awarded", marking, prize, 0)]
    at.mark()
    assert stages() == [("marked", confirming, prize, 0)]
    at.confirm()
    assert stages() == [("to be documented", "complete the document", prize, 1)]
    at.do(CompleteDocument(position=1, role="supervisor"))
    assert stages() == []


def test_a_house_without_a_progressive_says_so(house: Command, fourcard: Command) -> None:
    del house
    assert said(fourcard("manager", "meters")) == "There is no meter in this house yet.\n"
    assert said(fourcard("manager", "tables")) == "There is no table with a progressive.\n"
    assert said(fourcard("manager", "jackpots")) == "There is no open jackpot.\n"
    assert said(fourcard("manager", "history")) == "There are no logged wins.\n"
    assert said(fourcard("manager", "adjustments")) == "There are no adjustments.\n"
    assert said(fourcard("manager", "alerts")) == "There are no alerts.\n"
    report = fourcard("manager", "report", "--json").answer
    assert (report["lines"], report["holds"]) == ([], True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("meter", "nope"), "There is no meter 'nope' in this house."),
        (("tables", "--table", "nope"), "There is no table 'nope' in this house."),
        (("history", "--meter", "nope"), "There is no meter 'nope' in this house."),
        (("history", "--table", "nope"), "There is no table 'nope' in this house."),
        (("history", "--since", "today"), "'today' is not a time; write it like 2026-01-31"),
        (
            ("alerts", "--since", "2026-02-01", "--until", "2026-01-01"),
            "The period ends at 2026-01-01, before it starts at 2026-02-01",
        ),
        (("report", "--meter", "nope"), "There is no meter 'nope' in this house."),
        (("report", "--begins", 24), "an hour from 0 to 23, not at 24"),
        (("report", "--by", "moon"), "'moon' is not one of"),
        (("export", "moons"), "'moons' is not one of"),
        (("export", "wins", "-o", "nowhere/wins.csv"), "there is no folder nowhere"),
        (("adjustments", "--meter", "nope"), "There is no meter 'nope' in this house."),
        (("win-page", "link", 77), "There is no win 77 on meter 'link'."),
        (("win-page", "nope", 1), "There is no meter 'nope' in this house."),
        (("win-page", "link", "first"), "'first' is not a valid int"),
        (("win-page", "link", 1, "-o", "page.doc"), "page.doc must end in .html or .pdf."),
        (("meters", "-d", "other.db"), "other.db"),
    ],
)
def test_what_cannot_be_read_gets_one_sentence(
    manager: Command, arguments: tuple[object, ...], sentence: str
) -> None:
    assert sentence in manager(*arguments).sentence


def test_reading_goes_on_when_the_console_was_let_go(manager: Command, fourcard: Command) -> None:
    said(fourcard("house", "dismiss", CONSOLE))
    assert len(manager("meters", "--json").answer) == 4
    told = manager("close-link", "link", "--reason", "night").sentence
    assert told == "The console of this house was dismissed: only people who sign in can make changes."

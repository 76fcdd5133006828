"""`fourcard manager history`, `alerts`, `report` and `export`: everything from the journal, to the unit."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fourcard.cli.manager_reports import comma_separated
from fourcard.house.events import ContributionsAdded, MeterStarted
from fourcard.house.journal import METER_CODEC, JournalRecord, StreamHead
from fourcard.house.ledger import Transfer
from fourcard.house.reports.event_scan import PROGRESS_INTERVAL, Period
from fourcard.house.reports.meters import Grouping, totals_report
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import ReadTransaction
from fourcard.meter import UNITS_PER_CENT, Contribution
from tests.kit.commands import HOUSE_FILE as FILE
from tests.kit.commands import Command, Done, said
from tests.kit.managed_house import HOUR

NAMES = ("bay", "dry", "link", "pad")
DAY = 24 * HOUR


@contextmanager
def opened() -> Iterator[ReadTransaction]:
    """Read the house of the test."""
    with closing(open_store(FILE, writing=False)) as store, store.reading() as reading:
        yield reading


def ledger() -> list[Transfer]:
    """Return every movement of the ledger."""
    with opened() as reading:
        return [*reading.transfers()]


def moved(what: str, giver: str, taker: str, name: str) -> int:
    """Return the units that the ledger moved for a reason, between families of accounts of one meter."""
    ends = (f"{giver}/{name}", f"{taker}/{name}")
    return sum(each.units for each in ledger() if each.what == what and (each.giver, each.taker) == ends)


def test_every_win_is_told_from_the_journal(manager: Command) -> None:
    found = manager("history", "--json").answer
    assert [(each["meter"], each["number"], each["table"], each["state"]) for each in found] == [
        ("link", 1, "one", "paid"),
        ("link", 2, "two", "paid"),
        ("link", 3, "two", "void"),
        ("link", 4, "two", "paid"),
        ("dry", 1, "low", "paid"),
        ("pad", 1, "pad", "logged"),
    ]
    first = found[0]
    assert (first["marked_by"], first["confirmed_by"], first["confirmed_as"]) == (
        "dora",
        "edith",
        "executive",
    )
    assert (first["before_cents"], first["after_cents"], first["amount_cents"]) == (500_040, 500_004, 500_040)
    assert (first["seeded_cents"], first["from_reserve_units"]) == (500_000, 40_000)
    with opened() as reading:
        kept = {each.sequence: each.hash.hex() for each in reading.events("meter/link")}
    assert kept[first["sequence"]] == first["hash"]
    shown = said(manager("history"))
    assert "6 logged, 5 of them valid, for $15,311.14." in shown
    assert "A♠ A♥ A♦ A♣ 2♣" in shown


def test_history_is_narrowed(manager: Command) -> None:
    def numbers(*options: str) -> list[tuple[str, int]]:
        return [(each["meter"], each["number"]) for each in manager("history", *options, "--json").answer]

    assert numbers("--table", "two") == [("link", 2), ("link", 3), ("link", 4)]
    assert numbers("--meter", "link", "--table", "one") == [("link", 1)]
    assert numbers("--since", "2026-01-01T03:00", "--until", "2026-01-01T06:00") == [("link", 3), ("link", 4)]
    assert numbers("--since", "2026-01-01T07:00:00.001") == []
    assert said(manager("history", "--since", "2027-01-01")) == "There are no logged wins.\n"


def test_alerts_tell_everything_that_is_to_be_heard_of(manager: Command) -> None:
    found = manager("alerts", "--json").answer
    assert Counter(each["kind"] for each in found) == {
        "large win": 3,
        "link lost": 2,
        "link restored": 1,
        "backed out": 1,
        "house bore": 1,
        "shortfall": 1,
        "chips differ": 1,
    }
    told = {each["kind"]: (each["sentence"], each["clauses"]) for each in found}
    assert told["shortfall"] == ("$289.60 from the tray for win 1 of dry, at low.", ["R59"])
    assert told["house bore"] == ("$0.44 for link: round 2 of one is void.", ["R66"])
    assert told["backed out"] == ("$5,000.84 back to link: round 2 of two is void.", ["R66"])
    assert told["chips differ"] == ("Chips counted: 1; accepted wagers: 2, at bay.", ["MD-10A3b", "R65"])
    assert told["large win"][1] == ["WA-NEX-8f.2", "R64"]
    assert [each["sentence"] for each in found if each["stands"]] == ["two: cable out."]
    assert [each["at"] for each in found] == sorted(each["at"] for each in found)
    shown = said(manager("alerts"))
    assert "still open" in shown
    only = manager("alerts", "--since", "2026-01-01T08:00", "--json").answer
    assert [each["kind"] for each in only] == ["chips differ"]


def test_a_win_under_the_level_is_no_alert(manager: Command) -> None:
    streams_of = [
        each["stream"] for each in manager("alerts", "--json").answer if each["kind"] == "large win"
    ]
    assert streams_of == ["table/one", "table/two", "table/two"]


def test_figures_by_meter_are_those_of_the_ledger(manager: Command) -> None:
    found = manager("report", "--by", "meter", "--json").answer
    lines = {each["key"]: each for each in found["lines"]}
    assert tuple(lines) == NAMES
    with opened() as reading:
        balances = reading.balances()
    for name, line in lines.items():
        contributed = moved("contribution", "link", "meter", name)
        to_reserve = moved("contribution", "link", "reserve", name)
        assert (line["contributed_units"], line["to_reserve_units"]) == (contributed + to_reserve, to_reserve)
        assert line["seeded_units"] == moved("seed", "link", "meter", name)
        assert line["paid_units"] == moved("prize", "meter", "prizes", name)
        assert line["meter_units"] == balances.get(f"meter/{name}", 0)
        assert line["reserve_units"] == balances.get(f"reserve/{name}", 0)
        assert (
            line["change_units"]
            == line["contributed_units"] + line["seeded_units"] + line["adjusted_units"] - line["paid_units"]
        )
        assert line["change_units"] == line["meter_units"] + line["reserve_units"]
    assert found["closing_units"] == sum(line["change_units"] for line in lines.values())
    assert (found["opening_units"], found["holds"]) == (0, True)


def test_figures_by_table_are_what_its_stakes_and_prizes_were(manager: Command) -> None:
    lines = {each["key"]: each for each in manager("report", "--json").answer["lines"]}
    assert [*lines] == ["", "bay", "low", "one", "pad", "two"]
    stakes = Counter[str]()
    for each in ledger():
        if (each.what, each.wager, each.taker.partition("/")[0]) == ("stake", "progressive", "layout"):
            stakes[each.taker.split("/")[1]] += each.units // UNITS_PER_CENT
    assert {name: line["wagered_cents"] for name, line in lines.items() if name} == stakes
    assert {name: line["hits"] for name, line in lines.items()} == {
        "": 0,
        "bay": 0,
        "low": 1,
        "one": 1,
        "pad": 1,
        "two": 3,
    }
    assert {name: line["rounds"] for name, line in lines.items() if name} == {
        "bay": 1,
        "low": 1,
        "one": 2,
        "pad": 1,
        "two": 3,
    }
    assert lines["low"]["shortfall_cents"] == 28_960
    assert (lines["one"]["borne_units"], lines["two"]["borne_units"]) == (44 * UNITS_PER_CENT, 0)
    assert lines[""]["seeded_units"] == 2_001_000 * UNITS_PER_CENT
    assert all(line["meter_units"] is None for line in lines.values())
    shown = said(manager("report"))
    assert "no table" in shown
    assert "in meters and reserves $20,000.46: $0 before, $20,000.46 of changes; the sum is right." in shown


def test_figures_of_a_period_begin_with_what_was_there(manager: Command) -> None:
    whole = manager("report", "--by", "day", "--json").answer
    (day,) = whole["lines"]
    assert (day["key"], day["meter_units"] + day["reserve_units"]) == ("2026-01-01", whole["closing_units"])
    part = manager("report", "--by", "meter", "--since", "2026-01-01T05:00", "--json").answer
    first = manager("report", "--by", "meter", "--until", "2026-01-01T05:00", "--json").answer
    assert (part["opening_units"], part["holds"], first["holds"]) == (first["closing_units"], True, True)
    assert part["closing_units"] == whole["closing_units"]
    assert first["total"]["change_units"] + part["total"]["change_units"] == whole["total"]["change_units"]
    only = manager("report", "--by", "meter", "--meter", "link", "--json").answer
    assert [line["key"] for line in only["lines"]] == ["link"]
    begun = manager("report", "--by", "day", "--begins", 6, "--json").answer
    assert [line["key"] for line in begun["lines"]] == ["2025-12-31", "2026-01-01"]
    assert begun["total"] == whole["total"]


def test_a_meter_that_was_left_alone_counts_on_every_day(manager: Command) -> None:
    said(by_two(manager, "adjust", "bay", "--cents", 100, "--reason", "x"))
    said(manager("approve", "bay", 1, "--as", "eva", "--password-file", "password"))
    first, second = manager("report", "--by", "day", "--json").answer["lines"]
    assert second["meter_units"] == first["meter_units"] + 100 * UNITS_PER_CENT
    later = manager("report", "--by", "day", "--since", "2026-01-02", "--json").answer
    assert [each["meter_units"] for each in later["lines"]] == [second["meter_units"]]


def by_two(manager: Command, *arguments: object) -> Done:
    """Ask as a supervisor."""
    return manager(*arguments, "--as", "sue", "--password-file", "password")


def rows(done: Done) -> list[dict[str, Any]]:
    """Return the lines of JSON that an export wrote."""
    assert done.status == 0
    return [json.loads(line) for line in done.out.splitlines()]


def test_exports_are_the_same_rows_in_both_forms(manager: Command, folder: Path) -> None:
    done = manager("export", "wins")
    assert done.err == "6 wins exported.\n"
    assert rows(done) == manager("history", "--json").answer
    told = manager("export", "wins", "--csv", "-o", "wins.csv")
    assert (told.status, told.out, told.err) == (0, "", "6 wins exported.\n")
    with (folder / "wins.csv").open(encoding="utf-8", newline="") as file:
        cells = [*csv.DictReader(file)]
    assert [[*each] for each in cells] == [[*each] for each in rows(done)]
    assert [each["cards"] for each in cells] == [each["cards"] for each in rows(done)]
    again = manager("export", "wins", "--csv", "-o", "wins.csv").sentence
    assert again == "wins.csv already exists, and an export never overwrites a file. Choose another name."
    assert manager("export", "wins", "--since", "2030-01-01").err == "0 wins exported.\n"


def test_contributions_are_a_row_a_round_and_add_up(manager: Command) -> None:
    found = rows(manager("export", "contributions"))
    assert len(found) == 8
    report_ = manager("report", "--json").answer["total"]
    total = Counter[str]()
    for each in found:
        parts = {name: each[name] for name in ("to_meter_units", "to_reserve_units", "to_house_units")}
        assert sum(parts.values()) == each["wagered_units"]
        total.update(parts)
    assert total["to_meter_units"] + total["to_reserve_units"] == report_["contributed_units"]
    assert total.total() == report_["wagered_cents"] * UNITS_PER_CENT
    assert len(rows(manager("export", "contributions", "--meter", "link"))) == 5


class LongReading:
    """A meter with as many rounds as one likes, none of which is kept in memory."""

    def __init__(self, rounds: int) -> None:
        """Take how many rounds were played."""
        self.rounds = rounds

    def streams(self, names: object = None) -> dict[str, StreamHead]:
        """Return the only stream."""
        del names
        return {"meter/long": StreamHead(self.rounds + 1)}

    streams_of = streams

    def events(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        """Yield the start, then one round a minute."""
        del after
        part = Contribution(to_meter=200_000, to_reserve=20_000, to_house=780_000, wins_before=0)
        started = MeterStarted(units=0, reset_amount=0, rate="1/5", reserve_rate="1/50", game="")
        rounds = (ContributionsAdded("one", number, (part,)) for number in range(1, self.rounds + 1))
        for sequence, event in enumerate(chain((started,), rounds), 1):
            kind, version = METER_CODEC.kind_of(event)
            body = METER_CODEC.encode(event)
            at = sequence * 60_000
            yield JournalRecord(
                stream, sequence, sequence, kind, version, at, "x", "dealer", "", "", "", body
            )


def test_long_journals_stream_through_and_tell_how_far_they_are() -> None:
    rounds, told = 50_000, list[tuple[int, int]]()
    reading: Any = LongReading(rounds)
    found = totals_report(reading, Grouping("day"), None, Period(), lambda *done: told.append(done))
    assert (found.total.rounds, found.total.contributed_units) == (rounds, rounds * 220_000)
    assert found.holds
    assert len(found.lines) == 35
    assert told == [(done, rounds + 1) for done in range(PROGRESS_INTERVAL, rounds + 1, PROGRESS_INTERVAL)]
    assert found.lines[0].key == "1970-01-01"


@pytest.mark.parametrize("what", ["wins", "contributions", "adjustments"])
def test_an_export_without_rows_is_the_head_alone(manager: Command, what: str) -> None:
    full, done = (manager("export", what, "--csv", *late) for late in ((), ("--since", "2030-01-01")))
    assert (done.status, done.err) == (0, f"0 {what} exported.\n")
    assert done.out.splitlines() == full.out.splitlines()[:1]
    (first, *_) = rows(manager("export", what))
    assert done.out.strip().split(",") == [*first]
    assert rows(manager("export", what, "--since", "2030-01-01")) == []


def test_a_cell_is_a_legible_text() -> None:
    row: dict[str, object] = {
        "yes": True,
        "no": False,
        "none": None,
        "cents": -5,
        "formula": "=1+1",
        "bell": "a\ab\r\nc\x1b[2J",
    }
    kind = msgspec.defstruct("Row", [*row])
    head, line = comma_separated(kind.__struct_fields__, [kind(**row)])
    assert head == b"yes,no,none,cents,formula,bell\r\n"
    assert line == b"true,false,,-5,'=1+1,a?b??c?[2J\r\n"


def named_amounts(told: object) -> Iterator[str]:
    """Yield the names under which whole numbers stand in an answer, however deep."""
    for name, value in told.items() if isinstance(told, dict) else ():
        if isinstance(value, int) and not isinstance(value, bool):
            yield name
        yield from named_amounts(value)
    for each in told if isinstance(told, list) else ():
        yield from named_amounts(each)


COUNTS = {
    *(
        "number",
        "at",
        "round",
        "position",
        "adjustment",
        "sequence",
        "adjusted_at",
        "undone_at",
        "decided_at",
    ),
    *("hits", "times_taken", "rounds", "wagers", "win", "marked_position", "logged_position"),
}
"""Whole numbers that are no amounts of money."""


@pytest.mark.parametrize(
    "arguments",
    [
        ("meters", "--json"),
        ("meter", "link", "--json"),
        ("tables", "--json"),
        ("jackpots", "--json"),
        ("history", "--json"),
        ("adjustments", "--json"),
        ("report", "--by", "meter", "--json"),
    ],
    ids=lambda each: each[0],
)
def test_every_amount_says_whether_it_is_of_cents_or_units(
    manager: Command, arguments: tuple[str, ...]
) -> None:
    said(by_two(manager, "adjust", "link", "--cents", 100, "--reason", "x"))
    names = {*named_amounts(manager(*arguments).answer)} - COUNTS
    assert [each for each in names if not each.endswith(("_cents", "_units"))] == []

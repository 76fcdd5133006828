"""House report routes: for the roles that may read them, with the values of the commands."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fourcard.answers import json_data
from fourcard.house.auth.identity import Actor
from fourcard.house.auth.permissions import STAFF_ROLES, reading_refusal
from fourcard.house.house import House
from fourcard.house.reports.house_status import staff_members, table_statuses
from fourcard.house.reports.meters import meter_statuses
from fourcard.house.reports.statements import trial_balance
from fourcard.house.reports.table_results import sum_days, table_results
from fourcard.house.reports.wins import wins
from tests.api.api_client import AUDITOR, ApiReader, house_of, house_with_rounds, read_house
from tests.kit.houses import player

REPORTS = ("tables", "results", "balance", "meters", "wins", "staff", "security-log")


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    made = house_with_rounds("maryland-everything", ("ann", "bob", "cy"), 60)
    with house_of(house_with_rounds("maryland", ("ann", "bob"), 3, "other", made)) as found:
        yield found


@pytest.fixture(scope="module")
def reader(house: House) -> Iterator[ApiReader]:
    with read_house(house) as found:
        yield found


def plain(value: object) -> Any:
    """Return a value as JSON carries it."""
    return msgspec.json.decode(msgspec.json.encode(json_data(value)))


def test_reports_are_those_of_the_house(reader: ApiReader, house: House) -> None:
    with house.store.reading() as view:
        tables = table_statuses(view, house.clock.now())
        days = table_results(view)
        meters = meter_statuses(view)
        won = [*reversed(wins(view))]
        staff = staff_members(view)
        balance = trial_balance(view)
    assert reader.ask("/api/house/tables", AUDITOR)["items"] == plain(tables)
    results = {"days": days, "total": sum_days(days), "next": None}
    assert reader.ask("/api/house/results", AUDITOR) == plain(results)
    assert reader.ask("/api/house/meters", AUDITOR)["items"] == plain(meters)
    assert reader.ask("/api/house/wins", AUDITOR, limit=200)["items"] == plain(won)
    assert won
    assert reader.ask("/api/house/staff", AUDITOR)["items"] == plain(staff)
    assert reader.ask("/api/house/balance", AUDITOR) == {**plain(balance), "next": None}
    assert balance.sum == 0


@pytest.mark.parametrize("report", REPORTS)
def test_each_report_is_for_its_roles(reader: ApiReader, report: str) -> None:
    what = report.replace("-", "_")
    for role in STAFF_ROLES:
        actor = Actor("pat", "staff", (role,))
        permitted = reading_refusal(actor, what) is None
        assert reader.raw(f"/api/house/{report}", actor).status_code == (200 if permitted else 403), role
    assert reader.refused(f"/api/house/{report}", 403, player("ann"))
    assert reader.refused(f"/api/house/{report}", 401)


def test_who_asks_for_what_is_not_for_them_is_noted(reader: ApiReader) -> None:
    reader.refused("/api/house/balance", 403, player("nosy"))
    notes = reader.ask("/api/house/security-log", AUDITOR, limit=200)["items"]
    assert ("nosy", "read balance", "reading_not_permitted") in {
        (each["by"], each["what"], each["reason"]) for each in notes
    }
    assert [each["at"] for each in notes] == sorted((each["at"] for each in notes), reverse=True)


def test_lists_come_in_pages(reader: ApiReader) -> None:
    first = reader.ask("/api/house/tables", AUDITOR, limit=1)
    assert [each["table"] for each in first["items"]] == ["main"]
    second = reader.ask("/api/house/tables", AUDITOR, limit=1, after=first["next"])
    assert [each["table"] for each in second["items"]] == ["other"]
    assert second["next"] is None
    notes = reader.ask("/api/house/security-log", AUDITOR, limit=200)["items"]
    found, after = list[object](), ""
    while after is not None:
        page = reader.ask("/api/house/security-log", AUDITOR, limit=3, after=after)
        found, after = found + page["items"], page["next"]
    assert found == notes


def pages_of(reader: ApiReader, path: str, limit: int) -> list[Any]:
    """Return every page of a report."""
    found = [reader.ask(path, AUDITOR, limit=limit)]
    while found[-1]["next"] is not None:
        found.append(reader.ask(path, AUDITOR, limit=limit, after=found[-1]["next"]))
    return found


def test_results_come_in_pages_with_the_total_of_all(reader: ApiReader) -> None:
    whole = reader.ask("/api/house/results", AUDITOR)
    pages = pages_of(reader, "/api/house/results", 1)
    assert [len(page["days"]) for page in pages] == [1] * len(whole["days"])
    assert len(pages) == 2
    assert [day for page in pages for day in page["days"]] == whole["days"]
    assert {page["total"]["rounds"] for page in pages} == {63}


def test_a_balance_comes_in_pages_of_accounts_with_the_sums_of_all(reader: ApiReader) -> None:
    whole = reader.ask("/api/house/balance", AUDITOR)
    pages = pages_of(reader, "/api/house/balance", 3)
    counts = [sum(len(group["accounts"]) for group in page["groups"]) for page in pages]
    assert counts[:-1] == [3] * (len(pages) - 1)
    assert len(pages) > 3
    for number, group in enumerate(whole["groups"]):
        assert [each for page in pages for each in page["groups"][number]["accounts"]] == group["accounts"]
        assert {page["groups"][number]["units"] for page in pages} == {group["units"]}
    assert {(page["held"], page["owed"], page["sum"]) for page in pages} == {
        (whole["held"], whole["owed"], 0)
    }


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/api/house/results?table=nowhere", 404, "nowhere"),
        ("/api/house/results?day=yesterday", 400, "'yesterday' is not a date"),
        ("/api/house/results?begins=24", 400, "begins"),
        ("/api/house/wins?meter=nowhere", 404, "nowhere"),
        ("/api/house/wins?since=2026-02-01&until=2026-01-01", 400, "before it starts"),
        ("/api/house/security-log?after=x", 400, "no page after 'x'"),
        ("/api/house/results?after=never", 400, "no page after 'never'"),
        ("/api/house/balance?limit=201", 400, "limit"),
        ("/api/house/staff?after=nobody", 400, "no page after 'nobody'"),
    ],
)
def test_what_is_not_there_is_refused(reader: ApiReader, path: str, status: int, says: str) -> None:
    assert says in reader.refused(path, status, AUDITOR)


def test_one_day_and_one_table_can_be_asked_for(reader: ApiReader) -> None:
    whole = reader.ask("/api/house/results", AUDITOR)["days"]
    day = whole[0]["day"]
    some = reader.ask("/api/house/results", AUDITOR, table="other", day=day)["days"]
    assert some == [each for each in whole if each["table"] == "other" and each["day"] == day]

"""Staff page: who can use it, and reports that match the commands."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from fourcard.cli.house_maintenance import new
from fourcard.cli.house_people import hire
from fourcard.house.reports.formats import exact_dollars
from fourcard.house.reports.statements import GROUP_LABELS
from fourcard.money import dollars
from fourcard.server.local_house import open_local_house
from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import QUICK, OpenWindow, serve_house
from tests.browser.player_page import MINUS, PlayerPage, percent
from tests.browser.served_house import BrowserHouse, StaffClient
from tests.kit.commands import PASSWORD, Command, runner
from tests.kit.waiting import PROCESS_PATIENCE, wait_until

TABLE = "maryland"
OPEN = "The house is open at "
PEOPLE = {"dan": "dealer", "otto": "auditor"}
UNKNOWN, REFUSED = 401, 403
Row = dict[str, Any]
Cell = Callable[[Row], str]


def text(key: str) -> Cell:
    return lambda row: str(row[key])


def words(key: str) -> Cell:
    return lambda row: row[key].replace("-", " ")


def cents(key: str) -> Cell:
    return lambda row: dollars(row[key])


def units(key: str) -> Cell:
    return lambda row: exact_dollars(row[key])


def several(key: str) -> Cell:
    return lambda row: ", ".join(row[key])


def yes(key: str) -> Cell:
    return lambda row: "yes" if row[key] else "no"


def group(row: Row) -> str:
    return "total" if row["group"] == "total" else GROUP_LABELS[row["group"]]


def meter(row: Row) -> str:
    return "" if row["meter"] is None else exact_dollars(row["meter"]["units"])


def win(row: Row) -> str:
    return f"{'+' if row['win'] > 0 else ''}{dollars(row['win'])}"


def hold(row: Row) -> str:
    return "" if row["hold"] is None else percent(row["hold"]["value"], 2)


def every(answer: Any) -> list[Row]:
    return [*answer]


REPORTS: Mapping[str, tuple[tuple[str, ...], Callable[[Any], list[Row]], tuple[Cell, ...]]] = {
    "Meters": (
        ("manager", "meters"),
        every,
        (
            *(text("meter"), cents("displayed_cents"), units("reserve_units"), cents("wagered_cents")),
            *(units("contributed_units"), cents("won_cents"), text("hits"), text("link")),
            *(several("tables"), yes("agrees"), lambda _: ""),
        ),
    ),
    "Tables": (
        ("house", "tables"),
        every,
        (
            *(text("table"), text("submission"), words("rulebook"), text("phase"), text("round")),
            *(text("cards"), cents("tray"), cents("drop"), meter),
        ),
    ),
    "Results": (
        ("house", "results"),
        lambda answer: [*answer["days"], {**answer["total"], "day": "total"}],
        (
            *(text("day"), text("table"), text("rounds"), text("voids"), cents("opening"), cents("fills")),
            *(cents("credits"), cents("closing"), cents("drop"), win, hold),
        ),
    ),
    "Trial balance": (
        ("house", "balance"),
        lambda answer: [*answer["groups"], {**answer, "group": "total"}],
        (group, units("held"), units("owed")),
    ),
    "People": (
        ("house", "staff"),
        every,
        (text("person"), text("name"), several("roles"), yes("password")),
    ),
}
"""By report title: the matching command, its rows, and the text of each column."""


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return runner(capsys, monkeypatch)


@pytest.fixture(scope="module")
def played(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve a house in which a player has played one round with the progressive."""
    with serve_house(tmp_path_factory.mktemp("played"), *QUICK, "--bots", "0") as house:
        window = BrowserWindow(browser, house.address)
        window.page.goto(house.player)
        play(PlayerPage(window), house)
        window.close()
        yield house


def play(person: PlayerPage, house: BrowserHouse) -> None:
    person.open_table(TABLE)
    person.sit_down()
    person.choose_smallest_chip()
    for wager in ("Ante", "Progressive"):
        person.wager(wager)
    person.deal()
    person.decide("Fold")
    if not person.ended_or_awaits_staff():
        with StaffClient(house) as staff:
            staff.confirm_win(TABLE)
    person.result()
    person.leave()


def go_to(window: BrowserWindow, place: str) -> Locator:
    window.page.goto(f"{window.address}/#/{place}")
    return window.page.get_by_role("main")


def report(window: BrowserWindow, title: str) -> list[list[str]]:
    """Open a report, and return the text of its rows."""
    window.page.get_by_role("navigation", name="Reports").get_by_role("link", name=title).click()
    rows = window.page.get_by_role("region", name=title).get_by_role("row")
    expect(rows.nth(1)).to_be_visible()
    return [row.get_by_role("cell").all_inner_texts() for row in rows.all()[1:]]


def test_a_player_is_told_who_may_enter(played: BrowserHouse, open_window: OpenWindow) -> None:
    window = open_window(played, played.player)
    expect(window.page.get_by_role("navigation", name="Main")).to_contain_text("Rules")
    expect(window.page.get_by_role("navigation", name="Main")).not_to_contain_text("Staff")
    main = go_to(window, "staff/reports")
    expect(main).to_contain_text(
        "This page is for staff: dealers, floorpersons, supervisors, executives, auditors"
    )
    expect(main).to_contain_text("open the second link from the terminal")
    assert main.get_by_role("table").count() == 0


def test_the_reports_say_what_the_commands_say(
    played: BrowserHouse, open_window: OpenWindow, fourcard: Command
) -> None:
    window = open_window(played, played.staff)
    go_to(window, "staff/reports")
    for title, (command, rows, columns) in REPORTS.items():
        seen = report(window, title)
        said = rows(fourcard(*command, "-d", played.database, "--json").answer)
        assert len(said) > 1
        assert seen == [[_minus(column(row)) for column in columns] for row in said], title
    (meter,) = [row for row in report(window, "Meters") if row[0] == TABLE]
    assert meter[2] == "$0.025", "a meter holds parts of a cent, and the page rounds none away"


def _minus(text: str) -> str:
    return text.replace("-$", f"{MINUS}$")


class SharedHouse(BrowserHouse):
    """A hosted house: people sign in with a password, not with a link."""

    def _links(self) -> tuple[str, str]:
        """Wait until the server says that it is open."""
        wait_until(lambda: OPEN in self.output(), self.output, PROCESS_PATIENCE)
        return f"{self.address}/", f"{self.address}/"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Create and serve a house where people sign in."""
    house = SharedHouse(tmp_path_factory.mktemp("shared"), "--house")
    database, secret = str(house.database), house.folder / "password"
    secret.write_text(PASSWORD, encoding="utf-8")
    new("ann", password_file=secret, database=database)
    for person, role in PEOPLE.items():
        hire(person, [role], password_file=secret, database=database)
    house.start()
    yield house
    house.stop()


def sign_in(window: BrowserWindow, person: str, password: str = PASSWORD) -> None:
    page = window.page
    page.get_by_role("radio", name="Staff").check()
    page.get_by_role("textbox", name="Name").fill(person)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_a_wrong_password_is_refused_and_a_right_one_lets_in(
    shared: BrowserHouse, open_window: OpenWindow
) -> None:
    window = open_window(shared)
    window.ignore_faults("status of 401")
    page = window.page
    with page.expect_response("**/api/sign-in") as answer:
        sign_in(window, "ann", "correct horse")
    expect(page.get_by_role("alert")).to_have_text(answer.value.json()["refusal"]["message"])
    expect(page.get_by_role("textbox", name="Password")).to_have_value("")
    assert page.request.get(f"{shared.address}/api/house/staff").status == UNKNOWN
    sign_in(window, "ann")
    expect(page.get_by_role("main")).to_contain_text("ann: administrator")
    assert page.url == f"{shared.address}/#/staff"
    go_to(window, "staff/reports")
    offered = page.get_by_role("navigation", name="Reports").get_by_role("link")
    expect(offered).to_have_text(["Tables", "People", "Security log"])
    people = {row[0]: row[2] for row in report(window, "People")}
    assert people.items() >= {**PEOPLE, "ann": "administrator"}.items()


def test_a_role_that_may_not_read_a_report_is_told_why(
    shared: BrowserHouse, open_window: OpenWindow, fourcard: Command
) -> None:
    window = open_window(shared)
    window.ignore_faults("status of 403")
    sign_in(window, "dan")
    expect(window.page.get_by_role("main")).to_contain_text("dan: dealer")
    with window.page.expect_response("**/api/house/balance") as answer:
        main = go_to(window, "staff/reports/balance")
    refusal = answer.value.json()["refusal"]
    assert (answer.value.status, refusal["clauses"]) == (REFUSED, ["P25"])
    expect(main.get_by_role("alert")).to_have_text(f"{refusal['message']} P25")
    assert main.get_by_role("table").count() == 0
    logged = fourcard("house", "security", "-d", shared.database, "--json").answer
    assert ("dan", "read balance") in {(note["by"], note["what"]) for note in logged}


def test_signing_out_ends_it(shared: BrowserHouse, open_window: OpenWindow) -> None:
    window = open_window(shared)
    page = window.page
    sign_in(window, "otto")
    expect(page.get_by_role("main")).to_contain_text("otto: auditor")
    go_to(window, "staff/reports/balance")
    expect(page.get_by_role("region", name="Trial balance").get_by_role("row").last).to_contain_text("total")
    assert page.request.get(f"{shared.address}/api/house/balance").ok
    (kept,) = page.context.cookies()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_role("main")).not_to_contain_text("Trial balance")
    cookie = {"Cookie": f"{kept['name']}={kept['value']}"}
    assert page.request.get(f"{shared.address}/api/house/balance", headers=cookie).status == UNKNOWN


@pytest.fixture
def jumped(tmp_path: Path) -> Iterator[BrowserHouse]:
    """Serve a house that was closed a day ago, as its clock file says."""
    open_local_house(tmp_path / "house.db").close()
    kept = tmp_path / "house.db.clock"
    reference = json.loads(kept.read_text(encoding="utf-8"))
    kept.write_text(json.dumps({**reference, "at": reference["at"] - 86_400_000}), encoding="utf-8")
    with serve_house(tmp_path, *QUICK, "--bots", "0") as house:
        yield house


def test_staff_see_that_the_clock_jumped_and_confirm_it(
    jumped: BrowserHouse, open_window: OpenWindow
) -> None:
    page = open_window(jumped, jumped.staff).page
    page.goto(f"{jumped.address}/#/staff")
    alert = page.get_by_role("alert").filter(has_text="clock")
    expect(alert).to_contain_text("1 d")
    alert.get_by_role("button", name="Confirm the computer's time").click()
    expect(alert).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Staff")
    expect(alert).to_have_count(0)

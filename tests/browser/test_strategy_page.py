"""Strategy page: the chart and its values, rules to memorise, own decisions, on paper, while it counts."""

import re
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, Page, PdfMargins, Route, expect

from fourcard.server.data_files import data_file
from tests.browser.browser_window import PHONE, BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import MINUS, PlayerPage
from tests.browser.served_house import BrowserHouse

CHART = "#/strategy?rulebook=washington&bonus=FCP-08"
FILE = "strategy/washington-FCP-08.json"
ONE_PAGE = re.compile(rb"/Type\s*/Page\b")
DATA = "**/data/strategy/*"


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """Return what the command and the server know of the chart."""
    file = data_file(FILE)
    assert file is not None
    found: dict[str, Any] = msgspec.json.decode(file.content)
    return found


@pytest.fixture
def window(running_house: BrowserHouse, open_window: OpenWindow) -> BrowserWindow:
    return open_window(running_house, f"{running_house.address}/{CHART}")


def chart(page: Page) -> Locator:
    return page.get_by_role("grid", name="Strategy chart")


def choice(decision: str) -> str:
    return "Fold" if decision == "fold" else f"Play {decision}"


def antes(value: float, digits: int = 4) -> str:
    return f"{value:+.{digits}f}".replace("-", MINUS)


def label(cell: dict[str, Any]) -> str:
    """Return how the page names a cell."""
    up = "10" if cell["up"] == "T" else cell["up"]
    mixed = ", with exceptions" if cell["mixed"] else ""
    value = antes(cell["values"][cell["decision"]], 2)
    return f"{cell['hand']} against {up}: {choice(cell['decision'])}{mixed}, worth {value} Antes"


def test_every_cell_has_its_value_and_a_click_opens_it(window: BrowserWindow, data: dict[str, Any]) -> None:
    page = window.page
    expect(chart(page)).to_be_visible()
    cells = [cell for row in data["cells"] for cell in row]
    shown = chart(page).get_by_role("gridcell").evaluate_all("all => all.map(each => each.ariaLabel)")
    assert shown == [label(cell) for cell in cells]
    mixed = next(cell for cell in cells if cell["mixed"] and len(cell["rules"]) > 1)
    chart(page).get_by_role("gridcell", name=label(mixed), exact=True).click()
    details = page.get_by_role("region", name="Selected cell")
    for decision, value in mixed["values"].items():
        row = details.get_by_role("row").filter(
            has=page.get_by_role("rowheader", name=choice(decision), exact=True)
        )
        expect(row.get_by_role("cell").first).to_have_text(antes(value))
    for rule in mixed["rules"]:
        expect(details.get_by_role("listitem").filter(has_text=rule["if"]).first).to_contain_text(
            choice(rule["then"])
        )
    example = mixed["examples"][0]
    details.get_by_role("link", name="Calculate").first.click()
    expect(page.get_by_role("heading", name="Best choice")).to_contain_text(choice(example["best"]))
    page.go_back()
    expect(details.get_by_role("heading", level=2)).to_contain_text(choice(mixed["decision"]))
    page.get_by_role("radio", name="Lead").click()
    expect(chart(page).get_by_role("gridcell").first).to_have_accessible_name(re.compile("Antes ahead$"))


def test_the_chart_by_keyboard(window: BrowserWindow, data: dict[str, Any]) -> None:
    page = window.page
    page.get_by_role("radio", name="Value").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    cell = chart(page).get_by_role("gridcell")
    expect(cell.first).to_be_focused()
    for key in ("ArrowDown", "End", "ArrowLeft", "PageDown", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    wanted = data["cells"][-2][-2]
    expect(chart(page).get_by_role("gridcell", selected=True)).to_have_accessible_name(label(wanted))
    expect(page.get_by_role("region", name="Selected cell")).to_contain_text(choice(wanted["decision"]))
    page.reload()
    expect(chart(page).get_by_role("gridcell", selected=True)).to_have_accessible_name(label(wanted))


def test_rules_to_memorise_with_their_exact_edge(window: BrowserWindow, data: dict[str, Any]) -> None:
    page = window.page
    part = page.get_by_role("region", name="Strategies to memorise")
    assert [len(each["rules"]) for each in data["memorise"]] == [5, 6, 8]
    part.get_by_role("checkbox", name="Exact fractions").check()
    part.get_by_role("radio", name="5 rules").focus()
    for each in data["memorise"]:
        name = f"{len(each['rules'])} rules"
        expect(part.get_by_role("radio", name=name)).to_be_checked()
        expect(part.get_by_role("listitem")).to_have_text([rule["says"] for rule in each["rules"]])
        expect(part).to_contain_text(f"Otherwise {choice(each['otherwise']).lower()}.")
        row = part.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name, exact=True))
        edge = each["house_edge"]
        expect(row.get_by_role("cell").first).to_have_text(f"{edge['value']:.4%}{edge['fraction']}")
        page.keyboard.press("ArrowRight")
    part.get_by_role("radio", name="6 rules").click()
    expect(page).to_have_url(re.compile("rules=6"))


def test_the_chart_and_its_rules_fit_on_one_sheet(window: BrowserWindow, data: dict[str, Any]) -> None:
    page = window.page
    expect(chart(page)).to_be_visible()
    page.evaluate("window.print = () => (window.printed = true)")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1032})
    for hidden in (
        page.get_by_role("combobox", name="Rules"),
        page.get_by_role("region", name="Selected cell"),
        page.get_by_text("Guest"),
    ):
        expect(hidden.first).to_be_hidden()
    expect(page.get_by_text("Washington, Automatic Bonus FCP-08")).to_be_visible()
    box = chart(page).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 703
    colors = (
        chart(page)
        .get_by_role("gridcell")
        .evaluate_all("all => all.map(each => getComputedStyle(each).backgroundColor)")
    )
    assert len({*colors}) == len({cell["decision"] for row in data["cells"] for cell in row})
    sheet = page.pdf(format="A4", margin=PdfMargins(top="12mm", bottom="12mm", left="12mm", right="12mm"))
    assert len(ONE_PAGE.findall(sheet)) == 1


def test_own_decisions_stand_in_their_cells(quiet_house: BrowserHouse, open_window: OpenWindow) -> None:
    window = open_window(quiet_house, size=PHONE)
    person, page = PlayerPage(window), window.page
    page.goto(f"{window.address}/#/strategy?show=accuracy")
    expect(page.get_by_text("You have not decided at a table yet.")).to_be_visible()
    person.open_table("maryland")
    person.sit_down()
    person.wager("Ante")
    person.deal()
    person.decide("Play 2x")
    person.result()
    person.leave()
    page.goto(f"{window.address}/#/strategy")
    page.get_by_role("radio", name="My accuracy").click()
    expect(page.get_by_text("Your decisions at tables: 1, of which 0 were the best one.")).to_be_visible()
    (cell,) = page.request.get(f"{window.address}/api/decisions/cells").json()["cells"]
    mine = chart(page).get_by_role("gridcell", name=re.compile("1 decision, 0 the best one"))
    expect(mine).to_have_count(1)
    expect(mine).to_have_accessible_name(
        re.compile(f"^{cell['hand']} .*{cell['lost']:.2f} Antes lost", re.IGNORECASE)
    )
    mine.click()
    expect(page.get_by_text("You: 1 decision, 0 the best one (0%)")).to_be_visible()
    narrow = page.get_by_text("Scroll sideways to see every column.")
    expect(narrow).to_be_visible()
    page.get_by_role("radio", name="Decision").click()
    expect(narrow).to_be_hidden()


def test_it_shows_that_it_counts_and_says_what_is_wrong(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    window = open_window(running_house, f"{running_house.address}/#/calculator")
    window.ignore_faults("503")
    page, held = window.page, list[Route]()
    refusal = {
        "code": 901,
        "name": "busy",
        "message": "The game is being solved, 40% done; try again.",
        "clauses": [],
    }

    def hold(route: Route) -> None:
        held.append(route)

    page.route(DATA, hold)
    page.goto(f"{window.address}/#/strategy?rulebook=atlantis&hand=banana&up=6")
    expect(page.get_by_text(re.compile(r"Counting the chart.*…$"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"^[2-9] s$"))).to_be_visible()
    held.pop().fulfill(status=503, json={"refusal": refusal})
    expect(
        page.get_by_role("status").filter(has_text="The whole game is being solved, once: 40%")
    ).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="40% done")).to_have_count(0)
    page.unroute(DATA)
    expect(chart(page)).to_be_visible()
    for message in ("There is no such rulebook", "The chart has no such cell"):
        expect(page.get_by_role("alert").filter(has_text=message)).to_be_visible()

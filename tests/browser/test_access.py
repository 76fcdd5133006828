"""Every page, as a phone and as a desktop shows it, passes a scan by axe without a grave finding."""

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import Opening
from tests.browser.playing import How, Person
from tests.browser.scanning import grave_findings
from tests.browser.serving import Served
from tests.browser.watching import PHONE, SIZES

FOR_PLAYERS = (
    "table",
    "history",
    "odds",
    "odds/strategies",
    "odds/published",
    "odds/par",
    "rules",
    "rules/clause/MD-07E1",
    "rules/differences",
    "rules/rulings",
    "rules/submission",
)
FOR_STAFF = ("staff", "staff/table/maryland", "staff/reports", "staff/tasks")


def how_at(size: ViewportSize) -> How:
    return "touch" if size is PHONE else "mouse"


def scanned(person: Person, places: tuple[str, ...]) -> dict[str, list[str]]:
    """Go to places of the page, and return what is wrong with each once nothing more is fetched there."""
    found = dict[str, list[str]]()
    for place in places:
        person.page.goto(f"{person.window.address}/#/{place}")
        expect(person.page.get_by_role("main").get_by_role("heading").first).to_be_visible()
        person.window.settle()
        found[place] = grave_findings(person.page)
        wide = person.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        found[place] += [f"{wide} pixels wider than the window"] if wide > 0 else []
    return {place: wrong for place, wrong in found.items() if wrong}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_round_from_the_seat_to_the_history(served: Served, opened: Opening, size: ViewportSize) -> None:
    person = Person(opened(served, size=size), how_at(size))
    found = dict[str, list[str]]()
    person.go_to("maryland")
    found["before sitting down"] = grave_findings(person.page)
    person.press(person.page.get_by_role("button", name="Sit down", exact=True))
    expect(person.page.get_by_role("dialog")).to_be_visible()
    found["buying in"] = grave_findings(person.page)
    person.page.keyboard.press("Escape")
    person.sit_down()
    person.wager("Ante")
    found["wagering"] = grave_findings(person.page)
    person.deal()
    expect(person.decision).to_be_visible()
    found["deciding"] = grave_findings(person.page)
    person.decide("Fold")
    person.result()
    found["the end"] = grave_findings(person.page)
    for name in ("My mistakes", "Strategy grid", "How to play", *(() if size is PHONE else ("Keys",))):
        person.press(person.page.get_by_role("button", name=name, exact=True))
        expect(person.page.get_by_role("dialog", name=name)).to_be_visible()
        person.window.settle()
        found[name] = grave_findings(person.page)
        person.page.keyboard.press("Escape")
    person.leave()
    person.page.goto(f"{person.window.address}/#/history")
    person.press(person.page.locator("main a[href^='#/history/']").first)
    expect(person.page.get_by_role("main")).to_contain_text("Were the cards fair?")
    person.window.settle()
    found["one round"] = grave_findings(person.page)
    assert {where: what for where, what in found.items() if what} == {}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_pages_for_players(served: Served, opened: Opening, size: ViewportSize) -> None:
    assert scanned(Person(opened(served, size=size)), FOR_PLAYERS) == {}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_pages_for_staff(served: Served, opened: Opening, size: ViewportSize) -> None:
    assert scanned(Person(opened(served, served.staff, size=size)), FOR_STAFF) == {}


def test_a_page_for_nobody_in_particular(served: Served, opened: Opening) -> None:
    window = opened(served, f"{served.address}/")
    expect(window.page.get_by_role("main")).to_contain_text("link")
    assert grave_findings(window.page) == []

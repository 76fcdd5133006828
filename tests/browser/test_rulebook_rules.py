"""Rules of one rulebook: by mouse, by keyboard, on a phone, on paper, and with what one table chose."""

import re

import pytest
from playwright.sync_api import Page, expect

from fourcard.rules.loading import rulebook_ids
from fourcard.rules.player_rules import rulebook_rules
from tests.browser.browser_window import PHONE
from tests.browser.conftest import OpenWindow
from tests.browser.served_house import BrowserHouse

CLAUSE = re.compile(r"\b(?:MA|MD|SM|WA|IA)-[0-9A-Z]")


def rules_of(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Four Card Poker: {name}")


def test_the_lobby_leads_to_the_rules_and_these_to_each_other(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    page = open_window(running_house).page
    page.get_by_role("link", name="Rules of Massachusetts").click()
    rules_of(page, "Massachusetts")
    main = page.get_by_role("main")
    for wager in rulebook_rules("massachusetts").pages[0].wagers:
        shown = main.get_by_role("article", name=wager.label, exact=True)
        expect(shown).to_contain_text(wager.sentences[0].text)
        for grid in wager.grids:
            for column in grid.columns:
                expect(shown).to_contain_text(column.heading, ignore_case=True)
    for name in rulebook_ids():
        page.get_by_role("navigation", name="Rulebooks").get_by_role(
            "link", name=rulebook_rules(name).name
        ).click()
        rules_of(page, rulebook_rules(name).name)
    page.get_by_role("navigation", name="Rules", exact=True).get_by_role("link", name="By rulebook").click()
    expect(main.get_by_role("listitem")).to_have_count(len(rulebook_ids()))


def test_editions_and_differences_are_chosen_and_clauses_are_for_those_who_ask(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    page = open_window(running_house, f"{running_house.address}/#/rules/maryland").page
    main = page.get_by_role("main")
    rules_of(page, "Maryland")
    assert not CLAUSE.search(main.inner_text())
    six_card = main.get_by_role("article", name="Six Card Bonus")
    expect(six_card).to_be_visible()
    page.get_by_role("combobox", name="Edition").select_option("existing")
    expect(six_card).to_have_count(0)
    assert page.url.endswith("#/rules/maryland?edition=existing")
    page.get_by_role("combobox", name="Compare with").select_option("Catfish Bend")
    expect(main.get_by_text("To stay in, bet exactly 1, 2 or 3 times your Ante on Play.")).to_have_count(1)
    expect(main.locator("dd b").filter(has_text="Shuffle Master")).to_have_count(0)
    page.get_by_role("button", name="Show clauses").click()
    main.get_by_role("link", name="MD-11D4cii.1").first.click()
    expect(page.get_by_role("heading", name="MD-11D4cii.1")).to_be_visible()


def test_a_table_marks_what_it_chose(running_house: BrowserHouse, open_window: OpenWindow) -> None:
    window = open_window(running_house)
    page = window.page
    config = page.request.get(f"{window.address}/api/tables/washington/felt").json()
    page.goto(f"{window.address}/#/rules/washington?table=washington")
    for panel in config["sign"]:
        if panel["wager"] in ("aces_up", "bad_beat"):
            wager = page.get_by_role("article", name=config["labels"][panel["wager"]])
            expect(wager).to_contain_text(f"At this table: {panel['limits']}")
            chosen = wager.get_by_role("columnheader", name="this table")
            expect(chosen).to_contain_text(panel["title"].rpartition(" ")[2])
    window.ignore_faults("404")
    page.goto(f"{window.address}/#/rules/washington?table=nowhere")
    expect(page.get_by_role("alert")).to_contain_text("nowhere")
    rules_of(page, "Washington")
    page.goto(f"{window.address}/#/rules/nowhere")
    expect(page.get_by_role("alert")).to_have_text("There is no such page. Check the address.")


def test_a_phone_reads_by_keyboard_and_prints(running_house: BrowserHouse, open_window: OpenWindow) -> None:
    page = open_window(running_house, f"{running_house.address}/#/rules/massachusetts", PHONE).page
    rules_of(page, "Massachusetts")
    contents = page.get_by_role("navigation", name="On this page")
    contents.get_by_role("button", name="What is different here").press("Enter")
    heading = page.get_by_role("heading", name="What is different here")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Compare with")).to_be_focused()
    page.emulate_media(media="print")
    expect(contents).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.get_by_text("If you leave during a round, your bets stay in play.").last).to_be_visible()


@pytest.mark.parametrize("name", rulebook_ids())
def test_no_sentence_is_lost_on_the_page(
    running_house: BrowserHouse, open_window: OpenWindow, name: str
) -> None:
    page = open_window(running_house, f"{running_house.address}/#/rules/{name}").page
    rules_of(page, rulebook_rules(name).name)
    text = page.get_by_role("main").text_content() or ""
    found = rulebook_rules(name).pages[0]
    sentences = [each for section in found.sections for each in section.sentences]
    sentences += [each for wager in found.wagers for each in wager.sentences]
    assert [each.text for each in sentences if each.text not in text] == []

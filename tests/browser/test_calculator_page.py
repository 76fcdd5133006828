"""Calculator: positions by mouse, keyboard, text and link; the answer equals `fourcard advise`."""

import re
from itertools import chain
from urllib.parse import parse_qs

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from fourcard.cards import parse_cards
from fourcard.odds.decision_values import Advice, advice, base_terms
from fourcard.rules.loading import rulebook
from fourcard.rules.paytables import paytable
from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.page_checks import faults_everywhere
from tests.browser.player_page import MINUS, percent
from tests.browser.served_house import BrowserHouse

ACES = "#/calculator?hand=As+Ah+Kd+7c+2h&up=Ac&rulebook=maryland&bonus=standard"
EIGHTS = "#/calculator?hand=8s+8d+Qh+5c+2s&up=Kd&rulebook=washington&bonus=FCP-04"
FOUR_ACES = "#/calculator?hand=As+Ah+Ad+Ac+2h&up=2c&rulebook=washington&bonus=FCP-04"


@pytest.fixture
def window(running_house: BrowserHouse, open_window: OpenWindow) -> BrowserWindow:
    """Open the calculator without signing in: it needs no account."""
    return open_window(running_house, f"{running_house.address}/#/calculator")


def go(window: BrowserWindow, address: str) -> Page:
    window.page.goto(f"{window.address}/{address}")
    return window.page


def advised(address: str) -> Advice:
    """Return what Python says about the position of an address."""
    query = {name: value for name, (value,) in parse_qs(address.partition("?")[2]).items()}
    rules = rulebook(query["rulebook"])
    pays = paytable(rules, "automatic_bonus", query["bonus"]).pays
    (up,) = parse_cards(query["up"])
    return advice(parse_cards(query["hand"]), up, base_terms(rules, pays))


def antes(value: float) -> str:
    return f"{value:+.4f}".replace("-", MINUS)


def expect_answer(page: Page, address: str) -> None:
    """Expect the address, and all that Python says about it."""
    expect(page).to_have_url(re.compile(re.escape(address.partition("#")[2]) + "$"))
    said = advised(address)
    answer = page.get_by_role("region", name=re.compile("^Best choice"))
    best = "Fold" if said.best == "fold" else f"Play {said.best}"
    value = antes(float(said.values[said.best]))
    expect(answer.get_by_role("heading", level=2)).to_have_text(
        re.compile(f"{best}\\s+{re.escape(value)} Antes")
    )
    expect(answer).to_contain_text(re.compile(said.name, re.IGNORECASE))
    for name, part in (("Win", said.counts.below), ("Tie", said.counts.tied), ("Lose", said.counts.above)):
        expect(answer).to_contain_text(
            f"{name} {percent(part / 1_370_754, 2)} {part:,}", use_inner_text=False
        )
    for choice, exact in said.values.items():
        row = answer.get_by_role("row").filter(
            has=page.get_by_role(
                "rowheader", name=re.compile(f"^{'Fold' if choice == 'fold' else f'Play {choice}'}")
            )
        )
        expect(row.get_by_role("cell").first).to_have_text(antes(float(exact)))


def test_a_position_by_mouse_under_several_rules(window: BrowserWindow) -> None:
    page = window.page
    deck = page.get_by_role("group", name="Deck")
    for name in (
        "8 of spades",
        "8 of diamonds",
        "queen of hearts",
        "5 of clubs",
        "2 of spades",
        "king of clubs",
    ):
        deck.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("button", name="Remove king of clubs").click()
    deck.get_by_role("button", name="king of diamonds", exact=True).click()
    expect(deck.get_by_role("button", pressed=True)).to_have_count(6)
    page.get_by_role("combobox", name="Rules").select_option("Washington")
    page.get_by_role("combobox", name="Automatic Bonus").select_option("FCP-04")
    expect_answer(page, EIGHTS)
    deck.get_by_role("button", name="8 of diamonds", exact=True).click()
    expect(page.get_by_role("heading", name="Pick five cards")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(deck.get_by_role("button", pressed=True)).to_have_count(0)
    page.get_by_role("button", name="Random").click()
    expect(deck.get_by_role("button", pressed=True)).to_have_count(6)
    expect_answer(page, page.url)


def test_a_position_by_keyboard_and_as_text(window: BrowserWindow) -> None:
    page = go(window, "#/calculator?rulebook=maryland")
    expect(page.get_by_role("combobox", name="Rules")).to_have_value("maryland")
    page.keyboard.type("asahkd10cJD", delay=1)
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("7c2has")
    expect(page.get_by_text("The ace of spades is already used.")).to_be_visible()
    page.keyboard.type("ac")
    expect_answer(page, ACES)
    announced = page.locator("[aria-live=polite]").filter(has_text="Your best four cards make")
    expect(announced).to_contain_text("Play 3x is best, worth 1.5172 Antes")

    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    keys.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.keyboard.press("Backspace")
    expect_answer(page, ACES)
    page.keyboard.press("?")
    keys.get_by_role("checkbox").check()
    page.keyboard.press("Escape")

    deck = page.get_by_role("group", name="Deck")
    deck.get_by_role("button", name="ace of spades", exact=True).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft", "End", "Home"):
        page.keyboard.press(key)
    expect(deck.get_by_role("button", name="ace of diamonds", exact=True)).to_be_focused()
    page.keyboard.press("Backspace")
    page.keyboard.press("Space")
    expect_answer(page, ACES.replace("Ac", "Ad"))

    field = page.get_by_role("textbox", name="Cards as text")
    field.fill("8s 8d banana")
    field.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="“banana” is not a card.")).to_be_visible()
    field.fill("8s 8d Qh 8s")
    field.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="“8s” is there twice.")).to_be_visible()
    field.fill("8s 8d Qh 5c 2s Kd 7h")
    field.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="A position has five cards and")).to_be_visible()
    field.fill("8s 8d Qh")
    field.press("Enter")
    expect(page.get_by_text("Pick 2 more cards and the up card.")).to_be_visible()
    field.fill("8\N{BLACK SPADE SUIT} 8\N{BLACK DIAMOND SUIT}, qh 5C 2s vs Kd")
    expect_answer(page, EIGHTS.replace("washington", "maryland").replace("FCP-04", "standard"))


def test_links_open_exactly_their_position(window: BrowserWindow) -> None:
    page = go(window, FOUR_ACES)
    expect_answer(page, FOUR_ACES)
    expect(page.get_by_text(re.compile("The Automatic Bonus pays .* for four of a kind"))).to_be_visible()
    exact = page.get_by_role("checkbox", name="Exact fractions")
    exact.check()
    expect(page.get_by_role("row", name="Play 3x")).to_contain_text(str(advised(FOUR_ACES).values["3x"]))
    exact.uncheck()

    go(window, EIGHTS)
    expect_answer(page, EIGHTS)
    answer = page.get_by_role("region", name=re.compile("^Best choice"))
    expect(answer).to_contain_text("Rule of thumb Play 1x with a pair of threes or better.")
    answer.get_by_role("link", name="Strategy chart: pair of eights against K").click()
    expect(page.get_by_role("heading", name="Pair of eights against K: Play 1x")).to_be_visible()
    expect(page).to_have_url(re.compile("rulebook=washington&bonus=FCP-04"))
    page.go_back()
    up_cards = page.get_by_role("region", name="This hand against every up card")
    nearby = page.get_by_role("region", name="Stronger and weaker hands against the king of diamonds")
    expect(nearby).to_contain_text("The next strengths")
    expect(up_cards.get_by_role("link")).to_have_count(13)
    expect(up_cards.get_by_text("Counting")).to_be_hidden()
    rows = nearby.get_by_role("link").all()
    strengths = list[str]()
    for link in chain(up_cards.get_by_role("link").all(), rows):
        address, shown = link.get_attribute("href") or "", link.inner_text()
        said = advised(address)
        value = float(said.values[said.best])
        digits = 4 if link in rows else 2
        assert f"{value:+.{digits}f}".replace("-", MINUS) in shown, (address, shown)
        assert said.best in shown.lower()
        strengths += [said.best] if link in rows else []
    assert strengths == sorted(strengths, key=("3x", "2x", "1x", "fold").index)
    assert {"3x", "1x", "fold"} <= {*strengths}

    stronger = rows[0].get_attribute("href") or ""
    rows[0].click()
    expect_answer(page, stronger)
    page.go_back()
    expect_answer(page, EIGHTS)

    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(copied)
    expect_answer(page, EIGHTS)
    expect(page.get_by_role("link", name="Drill this kind of hand")).to_have_attribute(
        "href", "#/drills?class=low_pair&rulebook=washington&bonus=FCP-04"
    )


def test_the_picture_and_the_words(window: BrowserWindow) -> None:
    page = go(window, ACES)
    page.get_by_role("button", name="In words").click()
    words = page.get_by_text(
        "You hold the ace of spades, ace of hearts, king of diamonds, 7 of clubs and 2 of"
    )
    expect(words).to_contain_text("Of the dealer's 1,370,754 possible hands you beat 944,120 (68.9%)")
    page.get_by_role("button", name="Picture").click()
    dialog = page.get_by_role("dialog", name="Picture of this position")
    expect(dialog.get_by_role("img")).to_have_accessible_name(words.inner_text())
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "fourcard-As-Ah-Kd-7c-2h-Ac.png"
    with Image.open(download.value.path()) as picture:
        assert picture.size == (1200, 630)
        assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 1000


BAD = {
    "hand=As+As+Kd": "“As” is there twice",
    "hand=As+Ah+Kd+7c+2h+3h": "It has 6 cards, and a hand has five",
    "hand=%3Cb%3E&up=%E0%A4%A": "“<b>” is not a card",
    "up=banana": "is not a card such as Ac",
    "hand=As+Ah&up=As": "also in the hand",
    "rulebook=atlantis": "There is no such rulebook",
    "rulebook=maryland&bonus=FCP-99": "Maryland has no such bonus table",
}


def test_a_bad_address_gets_a_message_and_the_page_works(window: BrowserWindow) -> None:
    for query, message in BAD.items():
        page = go(window, f"#/calculator?{query}")
        expect(page.get_by_role("alert").filter(has_text=message)).to_be_visible()
        page.get_by_role("button", name="Random").click()
        expect(page.get_by_role("heading", name="Best choice")).to_be_visible()
        expect(page.get_by_role("alert").filter(has_text=message)).to_be_hidden()


def test_all_of_an_answer_is_readable_everywhere(window: BrowserWindow) -> None:
    page = go(window, f"{FOUR_ACES}+FCP-04")
    expect(page.get_by_role("alert").filter(has_text="no such bonus table")).to_be_visible()
    page.get_by_role("button", name="In words").click()
    page.get_by_role("checkbox", name="Exact fractions").check()
    expect(page.get_by_text("Counting")).to_have_count(0)
    assert faults_everywhere(page) == {}

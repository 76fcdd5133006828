"""Layout and focus: chips and buttons are visible, uncovered and focused when they are needed."""

import re

import pytest
from playwright.sync_api import FloatRect, Locator, ViewportSize, expect

from tests.browser.browser_window import DESKTOP, PHONE
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import DECISION_KEYS, PlayerPage
from tests.browser.served_house import BrowserHouse

SCREENS = {
    "laptop": ViewportSize(width=1366, height=625),
    "desktop": ViewportSize(width=1280, height=800),
    "phone": ViewportSize(width=390, height=844),
    "small phone": ViewportSize(width=360, height=640),
    "phone on its side": ViewportSize(width=844, height=390),
}
UNCOVERED = """(element) => {
  const box = element.getBoundingClientRect();
  const corners = [[0.2, 0.2], [0.8, 0.2], [0.5, 0.5], [0.2, 0.8], [0.8, 0.8]];
  return corners.every(([x, y]) => {
    const top = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
    return top !== null && (element.contains(top) || element.parentElement.contains(top));
  });
}"""
"""Whether an element is on the screen and nothing covers it, tested at five points."""
SOLVED = 120_000
"""Milliseconds until the strategy grid must be there."""
SHORT_OF_CHIPS = {
    "large": ViewportSize(width=1440, height=900),
    "medium": ViewportSize(width=1280, height=720),
    "narrowest with a side column": ViewportSize(width=1200, height=720),
    "phone": ViewportSize(width=390, height=844),
}
LINES = """() => [...document.querySelectorAll("svg textPath")].map((line) => {
  const path = document.querySelector(line.getAttribute("href"));
  return path.getTotalLength() - line.getComputedTextLength();
})"""
TABLES = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")


def out_of_sight(wanted: list[Locator]) -> list[str]:
    """Return the names of elements that are not visible or covered."""
    return [each.get_attribute("aria-label") or str(each) for each in wanted if not each.evaluate(UNCOVERED)]


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_chips_and_buttons_are_in_sight_when_they_are_needed(
    running_house: BrowserHouse, open_window: OpenWindow, size: ViewportSize
) -> None:
    person = PlayerPage(open_window(running_house, size=size))
    person.open_table("maryland")
    person.sit_down()
    person.wager("Ante")
    chips = person.page.get_by_role("radio", name=re.compile(" chip$")).all()
    assert len(chips) >= 4
    assert out_of_sight([*chips, person.page.get_by_role("button", name="Deal", exact=True)]) == []
    person.deal()
    expect(person.decision).to_be_visible()
    buttons = [person.decision.get_by_role("button", name=name, exact=True) for name in DECISION_KEYS]
    buttons.append(person.decision.get_by_role("button", name="Play this amount"))
    assert out_of_sight(buttons) == []
    person.decide("Fold")
    person.result()
    person.leave()


def test_the_focus_goes_where_something_can_be_done_and_says_what_is_held(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table("maryland")
    person.sit_down()
    person.wager("Ante")
    person.page.get_by_role("button", name="Deal", exact=True).focus()
    person.page.keyboard.press("Enter")
    expect(person.decision).to_be_focused()
    (up,) = {card for card in person.cards("Dealer's cards") if card != "face-down card"}
    held = re.escape(", ".join(person.cards()))
    expect(person.decision).to_have_accessible_description(
        re.compile(rf"^You hold {held}: .+\. The dealer shows the {up}\.$")
    )
    person.page.keyboard.press("Tab")
    expect(person.decision.get_by_role("button", name="Fold")).to_be_focused()
    person.page.keyboard.press("Enter")
    expect(person.page.get_by_role("group", name="Your wagers")).to_be_focused()
    person.result()
    person.leave()


def test_screen_readers_hear_the_dealer_s_every_sentence_only_if_they_want(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table("maryland")
    said = person.page.get_by_role("log")
    expect(said).to_have_attribute("aria-live", "off")
    person.page.keyboard.press("?")
    person.page.get_by_label("Screen readers announce every sentence of the dealer").check()
    person.page.keyboard.press("Escape")
    expect(said).to_have_attribute("aria-live", "polite")
    person.page.reload()
    expect(said).to_have_attribute("aria-live", "polite")


@pytest.mark.parametrize("table", TABLES)
def test_what_is_printed_on_the_felt_has_room_there(
    running_house: BrowserHouse, open_window: OpenWindow, table: str
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table(table)
    room = person.page.evaluate(LINES)
    assert len(room) >= 2
    assert min(room) >= 0


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_newcomer_is_told_the_game_in_the_lobby_and_at_the_table(
    running_house: BrowserHouse, open_window: OpenWindow, size: ViewportSize
) -> None:
    page = open_window(running_house, size=size).page
    dialog = page.get_by_role("dialog", name="How to play")
    for place in ("table", "table/washington"):
        page.goto(f"{running_house.address}/#/{place}")
        menu = page.get_by_text("Menu", exact=True)
        if size is PHONE and place != "table":
            menu.click()
        page.get_by_role("button", name="How to play").click()
        expect(dialog.get_by_role("listitem").filter(has_text="Straight flush")).to_be_visible()
        expect(dialog.get_by_role("img", name="10 of hearts")).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


def test_a_void_round_has_no_result_at_seats_that_are_empty_again(
    fresh_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(fresh_house))
    person.open_table("washington")
    person.show_whole_log()
    person.sit_down()
    bot = person.page.get_by_role("button", name=re.compile("^Ante, position")).first
    expect(bot).to_be_enabled()
    expect(person.page.get_by_role("log")).to_contain_text("a bot) puts $10 on Ante.")
    person.leave()
    expect(person.page.get_by_role("log")).to_contain_text("The round is called off")
    empty = person.page.get_by_role("region", name=re.compile(r"^Position \d+, empty$"))
    expect(empty).to_have_count(7)
    assert not [seat for seat in empty.all() if "$0" in seat.inner_text()]


def boxes(found: Locator) -> list[FloatRect]:
    """Return the bounding boxes of all elements."""
    return [box for each in found.all() if (box := each.bounding_box()) is not None]


def overlap(one: FloatRect, other: FloatRect) -> bool:
    """Return whether two boxes overlap."""
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return across > 0.5 and down > 0.5


def test_no_button_covers_a_card_or_the_hand_when_chips_do_not_cover_play(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(running_house))
    page = person.page
    person.open_table("catfish-bend")
    page.get_by_role("button", name="Sit down", exact=True).click()
    page.get_by_label("Buy-in in dollars").fill("5")
    page.get_by_role("button", name="Buy $5 and sit down").click()
    person.choose_smallest_chip()
    person.wager("Ante")
    person.deal()
    felt = page.get_by_label(re.compile(rf"^Cards of position {person.position}\b")).get_by_role("img")
    hand, note = person.decision.locator("strong"), person.decision.get_by_text("You can buy chips now.")
    buttons = person.decision.get_by_role("button")
    covered = list[tuple[str, str]]()
    for screen, size in SHORT_OF_CHIPS.items():
        page.set_viewport_size(size)
        expect(felt).to_have_count(5)
        expect(buttons).to_have_count(len(DECISION_KEYS))
        under = [*boxes(felt), *boxes(hand), *boxes(note)]
        if any(overlap(box, button) for box in under for button in boxes(buttons)):
            covered.append((screen, "by a button"))
        if not all(each.evaluate(UNCOVERED) for each in (*felt.all(), hand, note)):
            covered.append((screen, "by something"))
    assert covered == []
    person.decide("Fold")
    person.result()
    person.leave()


def test_the_strategy_grid_says_that_it_scrolls_and_keeps_its_hands_in_sight(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(running_house, size=SCREENS["phone"]))
    page = person.page
    person.open_table("maryland")
    page.get_by_role("button", name="Strategy grid").click()
    dialog = page.get_by_role("dialog", name="Strategy grid")
    grid = dialog.get_by_role("region", name="Best decision by hand and up card")
    hands, ups = grid.get_by_role("rowheader"), grid.get_by_role("columnheader")
    expect(hands).to_have_count(16, timeout=SOLVED)
    hint = dialog.get_by_text("Scroll sideways to see every column.")
    expect(hint).to_be_visible()
    assert not ups.last.evaluate(UNCOVERED)
    grid.focus()
    page.keyboard.press("End")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect(ups.last).to_be_in_viewport(ratio=1)
    assert out_of_sight([ups.last, hands.first, hands.last]) == []
    last = grid.get_by_role("row").nth(1).get_by_role("gridcell").last
    assert out_of_sight([last]) == []
    last.click()
    expect(dialog).to_contain_text("Two pair or better against A: ")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.set_viewport_size(SHORT_OF_CHIPS["medium"])
    expect(hint).to_be_hidden()
    assert out_of_sight([ups.last, hands.first, hands.last]) == []

"""Amounts on the page match the table: bets, losses by a fold, chips in play, buy-ins."""

import re

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests.browser.browser_window import DESKTOP
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.kit.waiting import wait_until

FOLDS = {
    "massachusetts": (["Ante", "Aces Up", "Cover All", "Progressive"], "Aces Up and Cover All still play."),
    "shuffle-master": (["Ante", "Aces Up", "Bad Beat Bonus", "Progressive"], "Aces Up still plays."),
    "maryland": (
        ["Ante", "Aces Up", "Six Card Bonus", "Progressive"],
        "Aces Up and Six Card Bonus still play.",
    ),
    "catfish-bend": (["Ante"], ""),
}
"""By table: the wagers, and which stay in play after a fold."""


@pytest.mark.parametrize("pressed", ["Ante", "Clear", "Repeat last wagers"])
def test_enter_deals_after_a_click_and_never_raises_a_bet(
    running_house: BrowserHouse, open_window: OpenWindow, pressed: str
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table("catfish-bend")
    person.sit_down()
    person.choose_smallest_chip()
    if pressed != "Ante":
        person.wager("Ante")
        person.deal()
        person.decide("Fold")
        person.result()
        person.press(person.page.get_by_role("button", name="Repeat last wagers"))
        expect(person.spot("Ante")).to_have_accessible_name(re.compile(r"\$5$"))
    if pressed == "Clear":
        person.press(person.page.get_by_role("button", name="Clear"))
        expect(person.spot("Ante")).to_have_accessible_name(re.compile("empty$"))
        person.page.keyboard.press("a")
    elif pressed == "Ante":
        person.wager("Ante")
    expect(person.spot("Ante")).to_have_accessible_name(re.compile(r"\$5$"))
    person.page.keyboard.press("Enter")
    person.page.keyboard.press("Enter")
    expect(person.decision).to_be_visible()
    assert person.money()["In play"] == 500
    person.decide("Fold")
    person.result()
    person.leave()


def test_a_spot_that_has_the_focus_takes_chips_by_space_and_plus(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table("catfish-bend")
    person.sit_down()
    person.choose_smallest_chip()
    expect(person.spot("Ante")).to_be_enabled()
    person.spot("Ante").focus()
    person.page.keyboard.press("Enter")
    person.page.keyboard.press("Space")
    expect(person.spot("Ante")).to_have_accessible_name(re.compile(r"\$5$"))
    person.page.keyboard.press("+")
    expect(person.spot("Ante")).to_have_accessible_name(re.compile(r"\$6$"))
    person.page.keyboard.press("Delete")
    expect(person.spot("Ante")).to_have_accessible_name(re.compile("empty$"))
    person.leave()


@pytest.mark.parametrize("size", [DESKTOP, ViewportSize(width=390, height=844)], ids=["desktop", "phone"])
def test_a_fold_in_washington_says_all_that_is_lost_and_what_stays(
    running_house: BrowserHouse, open_window: OpenWindow, size: ViewportSize
) -> None:
    person = PlayerPage(open_window(running_house, size=size))
    person.open_table("washington")
    person.sit_down()
    person.choose_smallest_chip()
    for wager in ("Ante", "Aces Up", "Bad Beat Bonus", "Progressive"):
        person.wager(wager)
    for _ in range(4):
        person.wager("Bad Beat Bonus")
    person.deal()
    told = person.decision.get_by_text("Lose $16. Aces Up still plays.")
    expect(told).to_be_in_viewport()
    expect(person.decision.get_by_role("button", name="Fold")).to_have_accessible_description(
        "Lose $16. Aces Up still plays."
    )
    person.decide("Fold")
    person.result()
    person.leave()


@pytest.mark.parametrize("table", FOLDS)
def test_what_a_fold_loses_is_what_the_round_then_takes(
    running_house: BrowserHouse, open_window: OpenWindow, table: str
) -> None:
    wagers, stays = FOLDS[table]
    person = PlayerPage(open_window(running_house))
    person.open_table(table)
    person.sit_down()
    person.choose_smallest_chip()
    for wager in wagers:
        person.wager(wager)
    person.deal()
    fold = person.decision.get_by_role("button", name="Fold")
    expect(fold).to_have_accessible_description(re.compile(rf"^Lose \$\d+\.{' ' * bool(stays)}{stays}$"))
    lost = int(re.findall(r"Lose \$(\d+)\.", person.decision.inner_text())[0]) if stays else 5
    person.decide("Fold")
    kept = {"Aces Up", "Cover All", "Six Card Bonus"}
    shares = dict(re.findall(r"([A-Z][A-Za-z ]+) \u2212\$(\d+)", person.result()))
    assert sum(int(amount) for wager, amount in shares.items() if wager.strip() not in kept) == lost
    person.leave()


def test_what_lies_on_the_felt_is_what_the_spots_show(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(running_house))
    person.open_table("maryland")
    position = person.sit_down()
    person.choose_smallest_chip()
    for wager in ("Ante", "Aces Up", "Progressive"):
        person.wager(wager)
    assert person.money()["In play"] == on_spots(person, position)
    person.deal()
    expect(person.decision).to_be_visible()
    assert person.money()["In play"] == on_spots(person, position)
    expect(person.spot("Progressive")).to_have_accessible_name(re.compile("empty, light on$"))
    person.decide("Play 1x")
    person.result()
    assert person.money().get("In play", 0) == on_spots(person, position) == 0
    person.leave()


def on_spots(person: PlayerPage, position: int) -> int:
    """Return the sum of the amounts on a position's spots, in cents."""
    own = person.page.get_by_role("region", name=f"Position {position}, yours")
    names = (
        each.get_attribute("aria-label") or "" for each in own.get_by_label(re.compile(", position ")).all()
    )
    found = [re.search(r"^(?!Take back).*, \$([\d,.]+)$", name) for name in names]
    return sum(round(100 * float(each[1].replace(",", ""))) for each in found if each is not None)


def test_only_what_the_account_has_can_be_bought(quiet_house: BrowserHouse, open_window: OpenWindow) -> None:
    person = PlayerPage(open_window(quiet_house))
    person.open_table("catfish-bend")
    person.sit_down(100)
    person.press(person.page.get_by_role("button", name="More chips"))
    dialog = person.page.get_by_role("dialog", name="More chips")
    field, buy = dialog.get_by_label("Buy-in in dollars"), dialog.get_by_role("button", name="Buy")
    for amount, fits in (("0", False), ("1", True), ("900", True), ("901", False), ("1.50", False)):
        field.fill(amount)
        expect(buy).to_be_enabled(enabled=fits)
    for amount in ("5000", "-5", ""):
        field.fill(amount)
        expect(buy).to_be_disabled()
        expect(buy).to_have_text("Buy chips")
        expect(dialog).to_contain_text("You can buy $1 to $900, in steps of $1.")
    assert amounts(dialog) == ["$50", "$100", "$250", "$900"]
    field.fill("893")
    buy.click()
    expect(dialog).to_be_hidden()
    person.press(person.page.get_by_role("button", name="More chips"))
    wait_until(lambda: amounts(dialog) == ["$7"])
    buy.click()
    expect(dialog).to_be_hidden()
    wait_until(lambda: person.money() == {"Chips": 100_000, "Account": 0})
    expect(person.page.get_by_role("button", name="More chips")).to_be_disabled()
    person.leave()


def amounts(dialog: Locator) -> list[str]:
    """Return the amounts of the quick-choice buttons."""
    return [text for text in dialog.get_by_role("button").all_inner_texts() if text.startswith("$")]

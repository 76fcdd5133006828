"""Motion and cards: what travels over the felt and what cuts it short, and how hands and decks are shown."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenWindow
from tests.browser.page_checks import SCREENS
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse

RECORD = """
window.moves = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  const ends = [frames[0], frames.at(-1)].map(({ transform }) => transform ?? "");
  const isCard = this.querySelector("[data-card], .card") !== null;
  moves.push({ card: isCard, from: ends[0], to: ends[1], duration: timing.duration });
  return animate.call(this, frames, timing);
};
"""
"""Notes every animation that the page starts by script."""
HAND = 5
DEALER_HAND = 6
BEST = 4
NORMAL = 420
"""Milliseconds that a card travels at normal speed."""
STARTED = 300
"""Milliseconds until things move at a table that was just opened, and until a hand is lifted."""
LIFTED = """(label) => {
  const slots = [...document.querySelectorAll(`[aria-label^="${label}"] [data-card]`)];
  const lift = (slot) => Math.sign(parseFloat(getComputedStyle(slot).translate.split(" ")[1] ?? "0"));
  return slots.map(lift);
}"""
"""For each card of a hand: -1 if it is lifted, 1 if it is lowered."""
COLORS = """() => Object.fromEntries([...document.querySelectorAll(".felt .card.up")]
  .map((card) => [card.ariaLabel.split(" ").at(-1), getComputedStyle(card).color]))"""
BACK = """() => getComputedStyle(document.querySelector(".felt .card.down")).getPropertyValue("--back")"""
RUNNING = """() => document.querySelector(".felt").getAnimations({ subtree: true })
  .filter(({ playState }) => playState === "running").length"""


def moves(page: Page) -> list[dict[str, Any]]:
    """Return the animations since the last question."""
    found: list[dict[str, Any]] = page.evaluate("moves.splice(0)")
    return found


def set_up(person: PlayerPage, group: str, choice: str) -> None:
    """Change a setting at the table."""
    page = person.page
    page.get_by_role("button", name="Settings", exact=True).click()
    settings = page.get_by_role("dialog", name="Settings")
    if group:
        settings.get_by_role("group", name=group).get_by_role("radio", name=choice).check(force=True)
    else:
        settings.get_by_role("checkbox", name=choice).click()
    page.keyboard.press("Escape")
    expect(settings).to_be_hidden()


def deal(person: PlayerPage) -> list[dict[str, Any]]:
    """Bet, deal and return what moved until the decision; the buttons may come a moment before the cards."""
    person.wager("Ante")
    person.deal()
    expect(person.decision).to_be_visible()
    expect(person.page.get_by_label(f"Cards of position {person.position}").get_by_role("img")).to_have_count(
        HAND
    )
    return moves(person.page)


def fold(person: PlayerPage) -> None:
    """Fold, and wait for the end of the round."""
    person.decide("Fold")
    person.result()


def sit_down(person: PlayerPage) -> None:
    """Take a seat at a table of two decks, in a window in which things move."""
    person.page.emulate_media(reduced_motion="no-preference")
    person.page.add_init_script(RECORD)
    person.page.reload()
    person.open_table("maryland")
    person.sit_down()
    person.page.wait_for_timeout(STARTED)


def test_cards_and_chips_travel_unless_that_is_cut_short(
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(quiet_house, size=SCREENS["laptop"]))
    page = person.page
    sit_down(person)
    dealt = [move for move in deal(person) if move["from"].startswith("translate")]
    assert {move["duration"] for move in dealt} == {NORMAL}
    assert sum(move["card"] for move in dealt) >= HAND + DEALER_HAND, "cards come from the shuffler"
    assert [move for move in dealt if not move["card"]], "chips come from the player"
    first_back = page.evaluate(BACK)
    fold(person)
    settled = moves(page)
    assert [move for move in settled if not move["card"] and move["to"]], "lost chips go to the tray"
    assert page.locator("[data-place=discards] i").count() > 0, "discards fill"
    set_up(person, "Speed of the dealer", "Fast")
    fast = deal(person)
    assert any(move["card"] and move["to"].startswith("translate") for move in fast), "cards are discarded"
    assert {move["duration"] for move in fast if move["from"].startswith("translate")} == {NORMAL / 3}
    assert page.evaluate(BACK) != first_back, "the other deck is in play"
    fold(person)
    set_up(person, "Speed of the dealer", "Instant")
    moves(page)
    assert deal(person) == []
    fold(person)
    set_up(person, "Speed of the dealer", "Normal")
    page.emulate_media(reduced_motion="reduce")
    moves(page)
    assert deal(person) == []
    fold(person)
    page.emulate_media(reduced_motion="no-preference")
    assert deal(person) != []
    page.keyboard.press("h")
    assert page.evaluate(RUNNING) == 0, "a key finishes what moves"
    fold(person)
    person.leave()


def test_the_best_four_are_lifted_and_hands_are_sorted_and_colored_as_wanted(
    quiet_house: BrowserHouse, open_window: OpenWindow
) -> None:
    person = PlayerPage(open_window(quiet_house, size=SCREENS["laptop"]))
    page = person.page
    sit_down(person)
    deal(person)
    held = person.decision.locator("strong").inner_text()
    expect(page.get_by_role("region", name="yours").get_by_text(held)).to_be_visible()
    arranged = person.cards()
    set_up(person, "", "Sort hands")
    dealt = person.cards()
    assert sorted(dealt) == sorted(arranged)
    set_up(person, "", "Sort hands")
    assert person.cards() == arranged
    person.decide("Play 1x")
    person.ended_or_awaits_staff()
    for label in ("Dealer's cards: ", f"Cards of position {person.position}: "):
        expect(page.get_by_label(label)).to_be_visible()
        page.wait_for_timeout(STARTED)
        lifts = page.evaluate(LIFTED, label)
        assert lifts == [-1] * BEST + [1] * (len(lifts) - BEST), (label, lifts)
    expect(page.get_by_role("region", name="Dealer", exact=True).get_by_text("Dealer: ")).to_be_visible()
    turned = [move for move in moves(page) if "rotateY" in move["from"]]
    assert len(turned) >= DEALER_HAND, "the dealer turns the cards over"
    assert len({*page.evaluate(COLORS).values()}) == 2
    set_up(person, "Cards", "Four colors")
    colors = page.evaluate(COLORS)
    assert len(colors) > 2
    assert len({*colors.values()}) == len(colors), colors
    person.leave()

"""Drawing of the table: nothing overlaps at any size, under any rulebook, with all wagers down."""

from collections.abc import Iterator

import pytest

from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import QUICK, UNHURRIED, OpenWindow, serve_house
from tests.browser.page_checks import SCREENS, small_texts, too_wide
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.browser.test_full_rounds import TABLES

MIN_DRAWN = 10
"""Things on the felt that must have been measured at the least, and with the hands on it at every seat."""
MIN_WITH_HANDS = 20
DRAWN = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const felt = document.querySelector(".felt");
  const hands = ["Cards of", "Dealer", "Bonus", "Extra"].map((name) => `[aria-label^="${name}"]`);
  const groups = {
    hand: `[role=group]:is(${hands})`,
    spot: "[aria-label*=', position ']:is(button, [role=img])",
    place: "[data-place]",
    meter: "[role=img][aria-label^=Progressive]",
    print: "svg:has(textPath)",
  };
  const seen = new Map();
  for (const [kind, selector] of Object.entries(groups))
    for (const element of felt.querySelectorAll(selector))
      if (element.checkVisibility()) seen.set(element, kind);
  const within = (element) => [...seen.keys()].some((each) => each.contains(element));
  const hasText = (element) => element.classList.contains("visual-text")
    || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const passing = ".banner, .withdraw";
  for (const element of felt.querySelectorAll("*"))
    if (hasText(element) && element.checkVisibility({ opacityProperty: true })
      && !element.closest(passing) && !within(element)) seen.set(element, "text");
  const boxOf = (element, kind) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return (kind === "text" && element.firstChild ? range : element).getBoundingClientRect();
  };
  const nameOf = ({ ariaLabel, dataset, textContent }) =>
    ariaLabel ?? dataset.place ?? dataset.text ?? textContent.trim();
  const drawn = [...seen].map(([element, kind]) =>
    ({ element, name: `${kind} ${nameOf(element)}`, box: boxOf(element, kind) }));
  const bounds = felt.getBoundingClientRect(), faults = [];
  for (const { name, box } of drawn)
    if (Math.min(box.left - bounds.left, bounds.right - box.right) < 0
      || Math.min(box.top - bounds.top, bounds.bottom - box.bottom) < 0) faults.push(`${name} is cut off`);
  const takesBack = (spot, button) =>
    spot.nextElementSibling === button && button.ariaLabel?.startsWith("Take back");
  drawn.forEach(({ element, name, box }, index) => {
    for (const other of drawn.slice(index + 1)) {
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (across > 1 && down > 1 && !takesBack(element, other.element))
        faults.push(`${name} and ${other.name} overlap by ${across.toFixed()} x ${down.toFixed()}`);
    }
  });
  return { count: drawn.length, faults };
}"""
"""Measures hands, spots, names, the dealer's devices and all texts on the felt, and compares all of them."""

INSTANT = """() => localStorage.setItem("fourcard.speed", JSON.stringify("instant"))"""


@pytest.fixture(scope="module")
def window(full_house: BrowserHouse, open_window_for_file: OpenWindow) -> BrowserWindow:
    """Open one window for the file; it changes its size."""
    window = open_window_for_file(full_house, size=SCREENS["laptop"])
    window.page.evaluate(INSTANT)
    window.page.reload()
    return window


@pytest.fixture(scope="module")
def full_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve a house in which bots take all other positions."""
    with serve_house(tmp_path_factory.mktemp("full"), *QUICK, *UNHURRIED, "--bots", "6") as house:
        yield house


def faults(person: PlayerPage, state: str, least: int = MIN_DRAWN) -> list[str]:
    """Return what overlaps, is cut off or too small at each size of the window."""
    found, page = list[str](), person.page
    for name, size in SCREENS.items():
        page.set_viewport_size(size)
        drawn = page.evaluate(DRAWN)
        assert drawn["count"] >= least, (state, name, drawn)
        wrong = [*drawn["faults"], *small_texts(page), *too_wide(page)]
        found += [f"{state}, {name}: {each}" for each in wrong]
    page.set_viewport_size(SCREENS["laptop"])
    return found


@pytest.mark.parametrize("table", TABLES)
def test_nothing_on_the_felt_overlaps_with_all_wagers_down(window: BrowserWindow, table: str) -> None:
    person = PlayerPage(window)
    person.open_table(table)
    found = faults(person, "before")
    person.sit_down()
    person.choose_smallest_chip()
    for wager in person.offered_wagers():
        person.wager(wager)
    found += faults(person, "betting")
    person.deal()
    person.decision.wait_for()
    found += faults(person, "decision", MIN_WITH_HANDS)
    person.decide("Play 3x")
    person.ended_or_awaits_staff()
    found += faults(person, "result", MIN_WITH_HANDS)
    person.leave()
    assert not found, "\n".join(found)

"""Drawing of the table: nothing on the felt overlaps, at any size and under any rulebook, with all wagers down."""

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
  const groups = [
    ["hand", "[role=group]:is([aria-label^='Cards of'], [aria-label^='Dealer'], [aria-label^='Bonus'], [aria-label^='Extra'])"],
    ["spot", "[aria-label*=', position ']:is(button, [role=img])"],
    ["place", "[data-place]"],
    ["meter", "[role=img][aria-label^=Progressive]"],
    ["print", "svg:has(textPath)"],
  ];
  const seen = new Map();
  for (const [kind, selector] of groups)
    for (const element of felt.querySelectorAll(selector))
      if (element.checkVisibility()) seen.set(element, kind);
  const within = (element) => [...seen.keys()].some((each) => each.contains(element));
  for (const element of felt.querySelectorAll("*")) {
    const own = element.classList.contains("visual-text") || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const hidden = !element.checkVisibility({ opacityProperty: true }) || element.closest(".banner, .withdraw");
    if (own && !hidden && !within(element)) seen.set(element, "text");
  }
  const bounds = felt.getBoundingClientRect();
  const named = [...seen].map(([element, kind]) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = kind === "text" && element.firstChild ? range.getBoundingClientRect() : element.getBoundingClientRect();
    const name = element.getAttribute("aria-label") ?? element.dataset.place ?? element.dataset.text ?? element.textContent.trim();
    return { element, name: `${kind} ${name}`, box };
  });
  const faults = [];
  for (const { name, box } of named)
    if (box.left < bounds.left || box.right > bounds.right || box.top < bounds.top || box.bottom > bounds.bottom)
      faults.push(`${name} is not all on the felt`);
  const takesBack = (spot, button) => spot.nextElementSibling === button && button.ariaLabel?.startsWith("Take back");
  named.forEach(({ element, name, box }, index) => {
    for (const other of named.slice(index + 1)) {
      if (takesBack(element, other.element)) continue;
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (across > 1 && down > 1) faults.push(`${name} and ${other.name} overlap by ${across.toFixed()} x ${down.toFixed()}`);
    }
  });
  return { count: named.length, faults };
}"""
"""Measures hands, spots, names, the dealer's devices and all texts on the felt, and compares each with each."""

INSTANT = """() => localStorage.setItem("fourcard.speed", JSON.stringify("instant"))"""


@pytest.fixture(scope="module")
def window(full_house: BrowserHouse, open_window_for_file: OpenWindow) -> BrowserWindow:
    """Open one window for the file; it changes its size."""
    window = open_window_for_file(full_house, size=SCREENS["laptop"])
    window.page.evaluate(INSTANT)
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

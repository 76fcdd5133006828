"""Screenshots: `python -m tools.screenshots` takes the README's pictures from a running server."""

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from fourcard.rules.game import resolve_game
from fourcard.rules.submission import submission_named
from tests.browser.browser_window import PHONE, TIMEOUT, BrowserWindow
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse, is_straight_flush, lucky_seed
from tools.chromium import ARGUMENTS, chromium
from tools.claims import ROOT

PICTURES = ROOT / "docs" / "pictures"
DESKTOP = ViewportSize(width=1360, height=860)
LARGEST = 300_000
"""The most bytes of a picture, so that documents load quickly."""
TABLE, SUBMISSION = "maryland", "maryland-everything"
MAX_ROUNDS = 5
PLACES = {
    "lobby": "table",
    "odds": "odds",
    "rules": "rules/differences",
    "history": f"history/{TABLE}/1",
}


def keep(page: Page, name: str) -> None:
    """Write a picture of a page with at most 256 colours."""
    image = Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(256)
    path = PICTURES / f"{name}.png"
    image.save(path, optimize=True)
    size = path.stat().st_size
    assert size <= LARGEST, f"{name} has {size} bytes"
    print(f"docs/pictures/{name}.png  {image.width} x {image.height}  {size // 1000} kB")


def dealt(person: PlayerPage, table: str) -> None:
    """Sit down and play until the own decision."""
    person.open_table(table)
    person.sit_down()
    person.choose_smallest_chip()
    for wager in person.offered_wagers():
        person.wager(wager)
    person.deal()
    expect(person.decision).to_be_visible()


def win(person: PlayerPage, house: BrowserHouse) -> None:
    """Let the browser draw a seed that brings a straight flush, and play until it comes."""
    seen = person.page.request.get(f"{house.address}/api/tables/{TABLE}").json()
    game, others = resolve_game(submission_named(SUBMISSION)), [int(seat) for seat in seen["view"]["seats"]]
    person.draw_seed(lucky_seed(house.database, seen, game, person.position, is_straight_flush, others))
    for _ in range(MAX_ROUNDS):
        person.wager("Ante")
        person.wager("Progressive")
        person.deal()
        person.decide("Play 3x")
        if not person.ended_or_awaits_staff():
            return
    raise AssertionError("the hand was not dealt")


def take(browser: Browser, house: BrowserHouse) -> None:
    """Take every picture."""
    seated, phone = (BrowserWindow(browser, house.address, size) for size in (DESKTOP, PHONE))
    for window in (seated, phone):
        window.page.goto(house.player)
    person = PlayerPage(seated)
    person.open_table(TABLE)
    person.page.get_by_role("radio", name="Coach before the decision").check(force=True)
    dealt(person, TABLE)
    seated.wait_until_idle()
    keep(seated.page, "table")
    dealt(PlayerPage(phone, "touch"), "shuffle-master")
    phone.wait_until_idle()
    keep(phone.page, "phone")
    person.decide("Play 1x")
    person.result()
    for name, place in PLACES.items():
        seated.page.goto(f"{house.address}/#/{place}")
        seated.wait_until_idle()
        keep(seated.page, name)
    person.open_table(TABLE)
    win(person, house)
    keep(seated.page, "jackpot")
    staff = BrowserWindow(browser, house.address, DESKTOP)
    staff.page.goto(house.staff)
    staff.page.goto(f"{house.address}/#/staff/table/{TABLE}")
    staff.wait_until_idle()
    keep(staff.page, "console")
    for window in (seated, phone, staff):
        window.close()


def main() -> int:
    """Serve a new house and take the pictures."""
    program = chromium()
    if program is None:
        print("There is no Chromium; `python -m tools.chromium` installs one.", file=sys.stderr)
        return 2
    PICTURES.mkdir(exist_ok=True)
    expect.set_options(timeout=TIMEOUT)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = BrowserHouse(Path(folder))
        house.start()
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        try:
            take(browser, house)
        finally:
            browser.close()
            house.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Unknown addresses and old sign-in links: both show a page with a way forward."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenWindow
from tests.browser.served_house import BrowserHouse

UNKNOWN = (
    "#/foo",
    "#/odds/par/foo",
    "#/staff/foo",
    "#/history/maryland",
    "#/table/maryland/foo",
    "#/%E0%A4%A",
)
PLACES = ("Play", "History", "Odds", "Rules")


def expect_not_found(page: Page, address: str) -> None:
    """Expect the page for unknown addresses, with the address and links to other pages."""
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(main).to_contain_text(address)
    expect(page).to_have_title("Page not found · fourcard")
    assert set(PLACES) <= set(main.get_by_role("link").all_inner_texts())


@pytest.mark.parametrize("signed_in", [True, False], ids=["a guest", "a stranger"])
def test_an_unknown_address_says_so_and_leads_on(
    running_house: BrowserHouse, open_window: OpenWindow, signed_in: bool
) -> None:
    page = open_window(running_house, None if signed_in else f"{running_house.address}/").page
    for address in UNKNOWN:
        page.goto(f"{running_house.address}/{address}")
        expect_not_found(page, address)
    page.get_by_role("main").get_by_role("link", name="Odds", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Odds")


def test_an_address_without_its_mark_leads_to_its_place_or_says_that_there_is_none(
    running_house: BrowserHouse, open_window: OpenWindow
) -> None:
    page = open_window(running_house).page
    page.goto(f"{running_house.address}/rules/clause/MA-6e")
    expect(page).to_have_url(f"{running_house.address}/#/rules/clause/MA-6e")
    expect(page.get_by_role("main")).to_contain_text("only if adjacent")
    page.goto(f"{running_house.address}/foo")
    expect_not_found(page, "#/foo")


def test_an_old_link_says_to_use_the_newest_or_goes_on_where_one_is_signed_in(
    own_house: BrowserHouse, open_window: OpenWindow
) -> None:
    player, staff = own_house.player, own_house.staff
    guest, manager = open_window(own_house), open_window(own_house, staff)
    name = guest.page.get_by_role("banner").locator("summary").first
    expect(name).to_contain_text("Guest 1")
    expect(manager.page.get_by_role("heading", level=1)).to_have_text("Staff")
    for window in (guest, manager):
        window.wait_until_idle()
        window.page.goto("about:blank")
    own_house.stop()
    own_house.start()
    assert own_house.player != player

    guest.page.goto(player)
    expect(guest.page.get_by_role("heading", level=1)).to_have_text("Choose your table")
    expect(name).to_contain_text("Guest 1")
    manager.page.goto(staff)
    expect(manager.page.get_by_role("heading", level=1)).to_have_text("Staff")

    stranger = open_window(own_house, player).page
    for old in (player, staff):
        stranger.goto(old)
        main = stranger.get_by_role("main")
        expect(main.get_by_role("heading", level=1)).to_have_text("This link no longer works")
        expect(main).to_contain_text("Open the newest link")
        assert old.rpartition("/")[2] not in stranger.url
        assert "{" not in main.inner_text()
    stranger.goto(own_house.player)
    expect(stranger.get_by_role("banner").locator("summary").first).to_contain_text(re.compile(r"Guest \d"))

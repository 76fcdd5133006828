"""A table with a human dealer: player, dealer, floor and supervisor read whom the table waits for."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fourcard.cli.house_maintenance import new
from fourcard.cli.house_people import deposit, hire, register
from fourcard.cli.house_tables import install
from tests.browser.browser_window import BrowserWindow
from tests.browser.conftest import OpenWindow
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.browser.test_staff_page import SharedHouse, sign_in
from tests.kit.commands import PASSWORD

TABLE, PLAYER = "main", "pia"
CREW = {"dan": "dealer", "flo": "floorperson", "sue": "supervisor"}
FLOAT = 1_000_000
STEPS = ("prepare", "begin_round", "perform", "deal")
MAX_STEPS = 60


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve a house without auto-dealer, with one closed table."""
    house = SharedHouse(tmp_path_factory.mktemp("manned"), "--house", "--no-deal")
    database, secret = str(house.database), house.folder / "password"
    secret.write_text(PASSWORD, encoding="utf-8")
    new("ann", password_file=secret, database=database)
    for person, role in CREW.items():
        hire(person, [role], password_file=secret, database=database)
    register(PLAYER, password_file=secret, database=database)
    deposit(PLAYER, "$1000.00", database=database)
    install(TABLE, "massachusetts", database=database)
    house.start()
    yield house
    house.stop()


class Worker:
    """A member of staff at the table's staff page, who sends commands through the API."""

    def __init__(self, house: BrowserHouse, window: BrowserWindow, person: str) -> None:
        """Sign in and open the table."""
        self._window, self._person, self._keys = window, person, 0
        self._api, self._headers = f"{house.address}/api/tables/{TABLE}", {"origin": house.address}
        self.page: Page = window.page
        sign_in(window, person)
        expect(self.page.get_by_role("main")).to_contain_text(f"{person}: ")
        self.page.goto(f"{house.address}/#/staff/table/{TABLE}")

    def table_state(self) -> dict[str, Any]:
        """Return the state of the table for this person."""
        seen: dict[str, Any] = self.page.request.get(self._api).json()
        return seen

    def do(self, **command: Any) -> None:
        """Send a command that must succeed."""
        self._keys += 1
        body = {"key": f"{self._person}-{self._keys}", "command": {"role": CREW[self._person], **command}}
        answer = self.page.request.post(f"{self._api}/commands", data=body, headers=self._headers)
        assert answer.ok, answer.text()

    def work_until(self, awaited: str, role: str) -> None:
        """Do the dealer's steps until the table waits for somebody else."""
        for _ in range(MAX_STEPS):
            seen = self.table_state()
            if (seen["waiting"]["for"], seen["waiting"]["role"]) == (awaited, role):
                return
            if seen["waiting"]["for"] == "seeds":
                self.page.wait_for_timeout(100)
                continue
            may = {each["kind"]: each for each in seen["chances"]["may"]}
            kind = next(kind for kind in STEPS if kind in may)
            self.do(**may[kind])
        raise AssertionError(self.table_state()["waiting"])


def player_at_table(house: BrowserHouse, open_window: OpenWindow) -> PlayerPage:
    """Sign the player in and open the table."""
    person = PlayerPage(open_window(house))
    page = person.page
    page.get_by_role("textbox", name="Name").fill(PLAYER)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Choose your table")).to_be_visible()
    person.open_table(TABLE)
    return person


def test_everybody_reads_whose_act_the_table_waits_for(house: BrowserHouse, open_window: OpenWindow) -> None:
    player = player_at_table(house, open_window)
    crew = {person: Worker(house, open_window(house), person) for person in CREW}
    dan, flo, sue = crew.values()

    def expect_told(to_player: str, **to_staff: str) -> None:
        """Expect the sentences that the player and the staff read."""
        expect(player.page.get_by_role("region", name="Your controls")).to_contain_text(to_player)
        for person, sentence in to_staff.items():
            told = crew[person].page.get_by_role("status", name="What the table waits for")
            expect(told).to_have_text(sentence)

    sue.do(kind="fill_tray", cents=FLOAT, slip="F1")
    counting = "Count the tray."
    expect_told(
        "This table is closed. Staff must open it.",
        dan=f"Waiting for the floor: {counting}",
        flo=f"Your turn as floorperson: {counting}",
        sue=f"Your turn as floorperson: {counting}",
    )
    flo.do(kind="count_tray", occasion="opening", cents=FLOAT)
    flo.do(kind="open_table", decks=["red"])
    inspecting = "Inspect the cards for defects."
    expect_told(
        "Waiting for the dealer.",
        dan=f"Your turn as dealer: {inspecting}",
        flo=f"Waiting for the dealer: {inspecting}",
    )
    dan.work_until("staff", "floorperson")
    verifying = "Verify the inspection of the cards."
    expect_told(
        "Waiting for the floor.",
        dan=f"Waiting for the floor: {verifying}",
        flo=f"Your turn as floorperson: {verifying}",
        sue=f"Your turn as floorperson: {verifying}",
    )
    for person in (flo, sue):
        may = [(each["kind"], each.get("step")) for each in person.table_state()["chances"]["may"]]
        assert ("prepare", "verify_inspection") in may
    flo.page.get_by_text("Other actions at this table").click()
    flo.page.get_by_role("button", name="prepare, step verify inspection").click()
    expect_told("Waiting for the dealer.")
    dan.work_until("players", "player")
    expect_told("Waiting for players to sit down.", dan="Waiting for players to sit down.")

    position = player.sit_down()
    expect_told("Waiting for the dealer.")
    dan.work_until("wagers", "player")
    wagering = "Waiting for players to place wagers."
    expect_told("Place your wagers.", dan=wagering, flo=wagering, sue=wagering)
    player.wager("Ante")
    finishing = "Waiting for players to finish betting."
    expect_told("Press Deal when you're done.", dan=finishing, flo=finishing)
    player.deal()
    closing = "Announce: no more bets."
    expect_told(
        "Waiting for the dealer.",
        dan=f"Your turn as dealer: {closing}",
        flo=f"Waiting for the dealer: {closing}",
    )
    dan.work_until("decision", "player")
    deciding = f"Waiting for {PLAYER} at position {position} to decide."
    expect_told("Your decision.", dan=deciding, flo=deciding, sue=deciding)
    player.decide("Fold")
    expect_told("Waiting for the dealer.")
    dan.work_until("wagers", "player")
    player.result()
    expect_told("Place your wagers.", dan=wagering)

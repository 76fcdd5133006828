"""A table that people deal: player, dealer, floor and supervisor each read whose act it waits for."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fourcard.cli.house_new import new
from fourcard.cli.house_people import deposit, hire, register
from fourcard.cli.house_tables import install
from tests.browser.conftest import Opening
from tests.browser.playing import Person
from tests.browser.serving import Served
from tests.browser.test_staff_page import SharedHouse, sign_in
from tests.browser.watching import Window
from tests.commands import PASSWORD

TABLE, PLAYER = "main", "pia"
CREW = {"dan": "dealer", "flo": "floorperson", "sue": "supervisor"}
FLOAT = 1_000_000
STEPS = ("prepare", "begin_round", "perform", "deal")
MOST_STEPS = 60


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a house whose tables are dealt by its people, with one table that is closed."""
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
    """Somebody of the crew at the staff's page of the table, whose commands go to the API."""

    def __init__(self, house: Served, window: Window, person: str) -> None:
        """Sign in and go to the table."""
        self._window, self._person, self._keys = window, person, 0
        self._api, self._headers = f"{house.address}/api/tables/{TABLE}", {"origin": house.address}
        self.page: Page = window.page
        sign_in(window, person)
        expect(self.page.get_by_role("main")).to_contain_text(f"{person}: ")
        self.page.goto(f"{house.address}/#/staff/table/{TABLE}")

    def look(self) -> dict[str, Any]:
        """Return the table as this person sees it."""
        seen: dict[str, Any] = self.page.request.get(self._api).json()
        return seen

    def do(self, **command: Any) -> None:
        """Give a command that must be done."""
        self._keys += 1
        body = {"key": f"{self._person}-{self._keys}", "command": {"role": CREW[self._person], **command}}
        answer = self.page.request.post(f"{self._api}/commands", data=body, headers=self._headers)
        assert answer.ok, answer.text()

    def work_until(self, awaited: str, role: str) -> None:
        """Do one step of the dealer after the other until the table waits for somebody else."""
        for _ in range(MOST_STEPS):
            seen = self.look()
            if (seen["waiting"]["for"], seen["waiting"]["role"]) == (awaited, role):
                return
            may = {each["kind"]: each for each in seen["chances"]["may"]}
            kind = next(kind for kind in STEPS if kind in may)
            self.do(**may[kind])
        raise AssertionError(self.look()["waiting"])


def player_at_table(house: Served, opened: Opening) -> Person:
    """Open the table to the player."""
    person = Person(opened(house))
    page = person.page
    page.get_by_role("textbox", name="Name").fill(PLAYER)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Choose your table")).to_be_visible()
    person.go_to(TABLE)
    return person


def test_everybody_reads_whose_act_the_table_waits_for(house: Served, opened: Opening) -> None:
    player = player_at_table(house, opened)
    crew = {person: Worker(house, opened(house), person) for person in CREW}
    dan, flo, sue = crew.values()

    def expect_told(to_player: str, **to_staff: str) -> None:
        """Expect what the player and everybody of the crew read."""
        expect(player.page.get_by_role("region", name="Your controls")).to_contain_text(to_player)
        for person, sentence in to_staff.items():
            told = crew[person].page.get_by_role("status", name="What the table waits for")
            expect(told).to_have_text(sentence)

    sue.do(kind="fill_tray", cents=FLOAT, slip="F1")
    counting = "Count the tray."
    expect_told(
        "The table is closed; the staff open it.",
        dan=f"The table waits for the floor: {counting}",
        flo=f"Your turn as floorperson: {counting}",
        sue=f"Your turn as floorperson: {counting}",
    )
    flo.do(kind="count_tray", occasion="opening", cents=FLOAT)
    flo.do(kind="open_table", decks=["red"])
    inspecting = "Inspect the cards for defects."
    expect_told(
        "The table waits for the dealer.",
        dan=f"Your turn as dealer: {inspecting}",
        flo=f"The table waits for the dealer: {inspecting}",
    )
    dan.work_until("staff", "floorperson")
    verifying = "Verify the inspection of the cards."
    expect_told(
        "The table waits for the floor.",
        dan=f"The table waits for the floor: {verifying}",
        flo=f"Your turn as floorperson: {verifying}",
        sue=f"Your turn as floorperson: {verifying}",
    )
    for person in (flo, sue):
        may = [(each["kind"], each.get("step")) for each in person.look()["chances"]["may"]]
        assert ("prepare", "verify_inspection") in may
    flo.page.get_by_text("Other things that you may do").click()
    flo.page.get_by_role("button", name="prepare, step verify inspection").click()
    expect_told("The table waits for the dealer.")
    dan.work_until("players", "player")
    expect_told("The table waits for players.", dan="The table waits for players.")

    position = player.sit_down()
    expect_told("The table waits for the dealer.")
    dan.work_until("wagers", "player")
    wagering = "The table waits for the players to place their wagers."
    expect_told("Place your wagers.", dan=wagering, flo=wagering, sue=wagering)
    player.wager("Ante")
    finishing = "The table waits for the players to finish their wagers."
    expect_told("Press Deal when your wagers are down.", dan=finishing, flo=finishing)
    player.deal()
    closing = "Announce: no more bets."
    expect_told(
        "The table waits for the dealer.",
        dan=f"Your turn as dealer: {closing}",
        flo=f"The table waits for the dealer: {closing}",
    )
    dan.work_until("decision", "player")
    deciding = f"{PLAYER} at position {position} decides."
    expect_told("Your decision.", dan=deciding, flo=deciding, sue=deciding)
    player.decide("Fold")
    expect_told("The table waits for the dealer.")
    dan.work_until("wagers", "player")
    player.result()
    expect_told("Place your wagers.", dan=wagering)

"""History page: replay, fairness check, export and results over time."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.browser_window import BrowserWindow
from tests.browser.player_page import PlayerPage, amounts, cents
from tests.browser.served_house import BrowserHouse
from tests.kit.commands import Command, runner
from tests.kit.support import ROOT

TABLE = "maryland"
WAGERS = ("Ante", "Aces Up", "Six Card Bonus")
CHECKER = ROOT / "web" / "src" / "history" / "fairness.ts"
HALF_A_CENT = 0.5
TENTH, LABELS_BELOW = 0.1, 4
"""The precision of lines in pixels, and how far axis labels are below their line."""
Change = Callable[[dict[str, Any], str], None]
HASH = re.compile(r"\b[0-9a-f]{64}\b")
FALSE = "False: this round does not match its proof or your receipt."
PROOF = "Proof of the shuffle"
KEPT = re.compile("^Fair: ")


class SeenRound(msgspec.Struct, frozen=True):
    """A round as the player saw it at the table."""

    number: int
    position: int
    cards: list[str]
    dealer: list[str]
    published: tuple[str, ...]
    net: int


class HistoryReader:
    """A player who reads the history."""

    def __init__(self, window: BrowserWindow, rounds: list[SeenRound]) -> None:
        """Store the rounds that the player saw."""
        self.window, self.page, self.rounds = window, window.page, rounds

    def go_to(self, place: str) -> None:
        """Load a page from scratch."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.window.address}/#/{place}")

    def open_round(self, seen: SeenRound, part: str) -> None:
        """Open a part of a round from the list."""
        self.go_to("history")
        self.page.get_by_role("link", name=f"Maryland, round {seen.number}", exact=True).click()
        expect(self.page.get_by_role("heading", name=re.compile(rf", round {seen.number} "))).to_be_visible()
        self.page.get_by_role("tab", name=part).click()


@pytest.fixture(scope="module")
def reader(browser: Browser, fresh_house: BrowserHouse) -> Iterator[HistoryReader]:
    window = BrowserWindow(browser, fresh_house.address)
    window.page.goto(fresh_house.player)
    person = PlayerPage(window)
    person.open_table(TABLE)
    person.sit_down()
    person.press(person.page.get_by_role("tab", name="Fair shuffle"))
    first = played(person, "Play 1x", ())
    rounds = [first, played(person, "Fold", first.published)]
    person.leave()
    yield HistoryReader(window, rounds)
    window.close()


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return runner(capsys, monkeypatch)


def played(person: PlayerPage, choice: str, published: tuple[str, ...]) -> SeenRound:
    """Play a round, and return what the player saw and the commitments published before the deal."""
    person.choose_smallest_chip()
    for wager in WAGERS:
        person.wager(wager)
    published = (*published, person.page.get_by_text(HASH).inner_text())
    person.deal()
    expect(person.decision).to_be_visible()
    number, cards = person.round, person.cards()
    person.decide(choice)
    net = person.result_net()
    return SeenRound(number, person.position, cards, person.cards("Dealer's cards"), published, net)


def named_cards(where: Locator) -> list[str]:
    return [card.get_attribute("aria-label") or "" for card in where.get_by_role("img").all()]


def place_of(page: Page, seen: SeenRound) -> Locator:
    return page.get_by_role("article", name=f"Position {seen.position}")


def test_a_round_goes_by_keys_to_the_end_that_the_table_showed(reader: HistoryReader) -> None:
    seen, page = reader.rounds[0], reader.page
    reader.open_round(seen, "Step by step")
    replay = page.get_by_role("region", name="Step by step")
    where = replay.get_by_text(re.compile(r"^\d+ of \d+$"))
    expect(where).to_have_text(re.compile("^1 of "))
    page.keyboard.press("Tab")
    steps = int(where.inner_text().rpartition(" ")[2])
    own = place_of(page, seen)
    assert named_cards(own) == []
    said = list[str]()
    for step in range(2, steps + 1):
        page.keyboard.press("ArrowRight")
        expect(where).to_have_text(f"{step} of {steps}")
        said.append(replay.get_by_role("list").last.inner_text())
    expect(replay.get_by_role("button", name="Next step")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text(f"{steps} of {steps}")
    assert sorted(named_cards(own)) == sorted(seen.cards)
    assert cents(own.get_by_role("paragraph").last.inner_text()) == seen.net
    dealer = replay.get_by_role("heading", name="Dealer").locator("..")
    assert {*seen.dealer} <= {*named_cards(dealer)}
    outcome = f"Position {seen.position} (guest-1) {'wins' if seen.net > 0 else 'loses'} "
    assert outcome in said[-1] or seen.net == 0
    assert not any(outcome in each for each in said[:-1])
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text(f"{steps - 1} of {steps}")
    page.keyboard.press("Home")
    expect(where).to_have_text(f"1 of {steps}")
    page.keyboard.press("End")
    expect(where).to_have_text(f"{steps} of {steps}")


def test_the_browser_checks_the_cards_and_shows_how(reader: HistoryReader) -> None:
    check = reader.page.get_by_role("region", name="Were the cards fair?")
    for seen in reader.rounds:
        reader.open_round(seen, PROOF)
        expect(check.get_by_role("status")).to_have_text(KEPT)
        assert check.get_by_text(": failed").count() == 0
    published = HASH.search(check.get_by_text("SHA-256(secret) = ").inner_text())
    assert published is not None
    assert published[0] in reader.rounds[-1].published
    noted = check.get_by_label(re.compile("^Did you write down the commitment"))
    noted.fill(published[0])
    expect(check.get_by_text("It matches.")).to_be_visible()
    noted.fill("0" * len(published[0]))
    expect(check.get_by_text("It does not match.")).to_be_visible()
    check.get_by_role("button", name="Show the code").click()
    code = check.get_by_role("region", name="The code of the fairness check").get_by_role("code")
    expect(code.first).to_be_visible()
    lines = CHECKER.read_text(encoding="utf-8").rstrip("\n").split("\n")
    assert [line.rstrip() for line in code.all_text_contents()] == lines


def in_a_hand(line: dict[str, Any], other: str) -> None:
    seat = line["seats"][0]
    seat["cards"] = f"{other}{seat['cards'][2:]}"


def in_the_deck(line: dict[str, Any], other: str) -> None:
    drawn = line["proof"]["drawn"][0]
    drawn["cards"] = f"{other}{drawn['cards'][2:]}"


@pytest.mark.parametrize("change", [in_a_hand, in_the_deck])
def test_a_card_that_was_changed_is_called_false(
    reader: HistoryReader, fourcard: Command, tmp_path: Path, change: Change
) -> None:
    seen, sent = reader.rounds[0], dict[str, Any]()

    def changed(route: Route) -> None:
        story = route.fetch().json()
        line = story["proof"]
        dealt = " ".join(each["cards"] for each in line["proof"]["drawn"])
        change(line, next(card for card in ("As", "Ah", "Ad", "Ac", "2s") if card not in dealt))
        sent.update(line)
        route.fulfill(json=story)

    address = f"**/api/rounds/{TABLE}/{seen.number}"
    reader.page.route(address, changed)
    reader.open_round(seen, PROOF)
    check = reader.page.get_by_role("region", name="Were the cards fair?")
    expect(check.get_by_role("status")).to_have_text(FALSE)
    assert check.get_by_text(": failed").count()
    findings = check.get_by_role("list").first.get_by_role("listitem").all_inner_texts()
    reader.page.unroute(address)
    (tmp_path / "changed.jsonl").write_text(json.dumps(sent), encoding="utf-8")
    said = fourcard("verify-shuffle", tmp_path / "changed.jsonl", "--json")
    assert (said.status, json.loads(said.out)["verdict"]) == (1, "false")
    assert findings == json.loads(said.out)["findings"]


def test_an_export_settles_to_the_nets_that_the_page_shows(
    reader: HistoryReader, fourcard: Command, tmp_path: Path
) -> None:
    reader.go_to("history")
    with reader.page.expect_download() as download:
        reader.page.get_by_role("link", name="Export as JSON Lines").click()
    assert download.value.suggested_filename == "rounds.jsonl"
    download.value.save_as(tmp_path / "rounds.jsonl")
    settled = fourcard("settle", tmp_path / "rounds.jsonl", "-o", tmp_path / "settled.jsonl")
    assert (settled.status, settled.err) == (0, "")
    lines = (tmp_path / "settled.jsonl").read_text(encoding="utf-8").splitlines()
    answers = {answer["id"]: answer for answer in map(json.loads, lines)}
    assert [*answers] == [f"{TABLE}/{seen.number}" for seen in reader.rounds]
    listed = reader.page.get_by_role("region", name="Rounds").get_by_role("listitem")
    expect(listed).to_have_count(len(reader.rounds))
    for seen in reader.rounds:
        shown = listed.filter(has_text=f"Maryland, round {seen.number}")
        seats = answers[f"{TABLE}/{seen.number}"]["seats"]
        (seat,) = [each for each in seats if each["position"] == seen.position]
        net = cents(shown.get_by_text("net ").locator("..").inner_text())
        assert net == sum(seat["net"].values()) == seen.net
    proofs = fourcard("verify-shuffle", tmp_path / "rounds.jsonl", "--json")
    assert {json.loads(line)["verdict"] for line in proofs.out.splitlines()} == {"committed only"}


def test_chart_and_table_agree_with_the_results(reader: HistoryReader) -> None:
    with reader.page.expect_response("**/api/results") as response:
        reader.go_to("history")
    results = response.value.json()["rounds"]
    part = reader.page.get_by_role("region", name="Results over time").first
    assert [each["net"] for each in results] == [seen.net for seen in reader.rounds]
    expected, spread, net = 0.0, 0.0, 0
    part.get_by_text("Show as a table").click()
    rows = part.get_by_role("row").all()[1:]
    assert len(rows) == len(results)
    for number, (row, result) in enumerate(zip(rows, results, strict=True), 1):
        net, expected = net + result["net"], expected + result["expected"]
        spread += result["sd"] ** 2
        reach = 1.96 * spread**0.5
        assert row.get_by_role("rowheader").inner_text() == str(number)
        told = [cents(cell.inner_text()) for cell in row.get_by_role("cell").all()]
        exact = [net, expected, expected - reach, expected + reach]
        assert told == pytest.approx(exact, abs=HALF_A_CENT)
    wagered = sum(result["wagered"] for result in results)
    caption = part.get_by_text(re.compile(r"^After \d")).inner_text()
    assert amounts(caption) == [wagered, net, round(expected)]
    points, pixel = line_of(part)
    sums = [0, *accumulate(seen.net for seen in reader.rounds)]
    assert points == pytest.approx(sums, abs=pixel)


def line_of(chart: Locator) -> tuple[list[float], float]:
    """Return the values of the chart's line in cents, and the value of a tenth of a pixel."""
    labels = chart.locator("text[text-anchor=end]")
    marks = [
        (cents(label.text_content() or ""), float(label.get_attribute("y") or 0)) for label in labels.all()
    ]
    (low, bottom), (high, top) = marks[0], marks[-1]
    scale = (high - low) / (top - bottom)
    points = (chart.locator("polyline.net").get_attribute("points") or "").split()
    heights = [float(point.partition(",")[2]) + LABELS_BELOW for point in points]
    return [low + (height - bottom) * scale for height in heights], abs(scale) * TENTH

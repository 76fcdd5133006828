"""A toy side wager, one module and one rulebook field: sign, limits, settlement, odds, page and history."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from fourcard.rules.game import resolve_game
from fourcard.rules.submission import fullest_examples, read_submission
from tests.browser.conftest import QUICK, OpenWindow, serve_house
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.kit import one_colour
from tests.kit.copied_package import copied_package
from tests.kit.own_rulebook import NEVADA, OwnRulebooks

FIELD = """
[wagers.one_colour]
offered = { value = "optional", clauses = ["NV-INT-8"] }
requires_all = { value = ["ante"], clauses = ["NV-DEF-3.1"] }
closes = { value = "first-card", clauses = ["NV-DEF-3.1"] }
on_fold = { value = "live", clauses = ["NV-COMP-2.3"] }
posted_limits = { value = true, clauses = ["NV-WAG-2b"] }
own_tables = { value = "free", clauses = ["NV-PAY-2.2"] }

[wagers.one_colour.paytables.standard]
clauses = ["NV-PAY-2.2"]
[wagers.one_colour.paytables.standard.pays]
one_suit   = "50 to 1"
one_colour = "15 to 1"
"""
LIMITS = """
[limits.posted.one_colour]
least = "$2"
most = "$20"
"""
POSTED = {"least": 200, "most": 2000}
HANDS = {"one_suit": "As Ts 8s 6s 2s", "one_colour": "As Tc 8s 6c 2s", "loses": "As Td 8s 6c 2s"}


def with_field(text: str) -> str:
    """Return a rulebook with the wager, which has a place in the order of settling."""
    ordered = text.replace('"ante", "aces_up"], clauses', '"ante", "aces_up", "one_colour"], clauses')
    assert ordered != text
    return ordered + FIELD


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnRulebooks]:
    """Copy the package, add the module to it, and write a rulebook with the field."""
    with copied_package(tmp_path_factory.mktemp("toy"), Path(one_colour.__file__)) as source:
        yield with_toy_wager(tmp_path_factory.mktemp("own") / "rulebooks", source)


def with_toy_wager(folder: Path, source: Path) -> OwnRulebooks:
    """Write a rulebook with the field and a submission that offers the wager."""
    own = OwnRulebooks(folder, with_field, PYTHONPATH=str(source))
    submission = Path(own.with_aces_up)
    text = submission.read_text(encoding="utf-8")
    offered = text.replace('aces_up = "standard"', 'aces_up = "standard"\none_colour = "standard"')
    submission.write_text(offered + LIMITS, encoding="utf-8")
    return own


def settle(own: OwnRulebooks) -> list[dict[str, Any]]:
    """Settle each hand, and stakes at the limits and beyond them."""
    rounds = [(hand, 500) for hand in HANDS] + [("loses", stake) for stake in (199, 200, 2000, 2001)]
    lines = [
        {
            "rulebook": NEVADA,
            "options": {"one_colour": "standard", "limits": {"posted": {"one_colour": POSTED}}},
            "seats": [
                {
                    "position": 1,
                    "cards": HANDS[hand],
                    "wagers": {"ante": 1000, "one_colour": stake},
                    "play": 0,
                }
            ],
            "dealer": "Ks Kh 5d 9c 3d 4s",
        }
        for hand, stake in rounds
    ]
    given = "\n".join(map(json.dumps, lines))
    return [json.loads(line) for line in own.run("settle", given=given, status=1).splitlines()]


def test_a_toy_wager_is_on_the_sign_and_has_limits_settlement_odds_and_a_sheet(own: OwnRulebooks) -> None:
    sign = " ".join(own.run("paytables", own.with_aces_up).split())
    assert "One Colour" in sign
    assert "15 to 1" in sign
    assert "$2 to $20" in sign
    answers = settle(own)
    refused = [each["refused"]["name"] if "refused" in each else None for each in answers]
    assert refused == [None, None, None, "wager_below_least", None, None, "wager_above_most"]
    nets = [each["seats"][0]["net"]["one_colour"] for each in answers if "seats" in each]
    assert nets == [25_000, 7_500, -500, -200, -2000]
    assert answers[0]["steps"][-1]["clauses"] == ["NV-PAY-2.2", "NV-COMP-2.3"]
    suits, colours, every = 4 * comb(13, 5), 2 * comb(26, 5), comb(52, 5)
    report = json.loads(own.run("odds", "one_colour", "--rulebook", NEVADA, "--json"))
    assert Fraction(report["house_edge"]["fraction"]) == 1 - Fraction(
        51 * suits + 16 * (colours - suits), every
    )
    assert Fraction(report["hit_frequency"]["fraction"]) == Fraction(colours, every)
    assert "Paid whatever the dealer holds, and after a fold too." in report["assumptions"]
    simulated = own.run("simulate", "--submission", own.with_aces_up, "--rounds", 1000, "--seed", 1)
    assert "Not simulated: One Colour." in simulated
    assert "cannot be simulated" in own.run("simulate", "--wager", "one_colour", status=2)
    own.run("par", own.with_aces_up, "-o", own.folder / "sheet.html")
    assert "One Colour" in (own.folder / "sheet.html").read_text(encoding="utf-8")


def test_games_of_the_release_keep_their_hash(own: OwnRulebooks) -> None:
    for submission in fullest_examples().values():
        assert resolve_game(read_submission(submission)).hash in own.run("check", submission)


def test_a_field_of_a_wager_without_a_module_is_refused(tmp_path: Path) -> None:
    without = OwnRulebooks(tmp_path / "rulebooks", with_field)
    said = without.run("check", without.with_aces_up, status=2)
    assert "nevada.toml" in said
    assert "one_colour" in said


@pytest.fixture(scope="module")
def house(own: OwnRulebooks, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve a house with a table that offers the wager."""
    folder = tmp_path_factory.mktemp("house")
    with serve_house(folder, **own.environment) as served:
        database = served.database
    own.hire(database, "ann", "bob")
    for person in ("ann", "bob"):
        own.install(database, "--as", person, "--rulebook-hash", own.full_hash())
    with serve_house(folder, *QUICK, **own.environment) as served:
        yield served


def test_a_toy_wager_is_on_the_page_and_in_the_history(
    own: OwnRulebooks, house: BrowserHouse, open_window: OpenWindow
) -> None:
    window = open_window(house)
    person, page = PlayerPage(window), window.page
    expect(page.get_by_text("One Colour").first).to_be_visible()
    person.open_table(NEVADA)
    person.sit_down()
    spots = page.locator("button.spot")
    labels = [str(name).partition(",")[0] for name in spots.evaluate_all("all => all.map(e => e.ariaLabel)")]
    assert labels == ["One Colour", "Aces Up", "Ante"]
    person.wager("Ante")
    page.keyboard.press("o")
    expect(person.spot("One Colour")).to_have_accessible_name(re.compile(r"position \d+, \$"))
    expect(person.spot("One Colour").locator(".mark")).to_have_css("border-color", "rgb(255, 119, 204)")
    person.deal()
    expect(person.decision).to_be_visible()
    number = person.round
    person.decide("Play 1x")
    assert "One Colour" in person.result()
    person.leave()
    page.goto(f"{window.address}/#/history/{NEVADA}/{number}?show=steps")
    expect(page.get_by_role("heading", name="Step by step")).to_be_visible()
    while not page.get_by_text("One Colour").count():
        expect(page.get_by_role("button", name="Next step")).to_be_enabled()
        page.keyboard.press("ArrowRight")
    page.goto(f"{window.address}/#/odds")
    page.get_by_role("combobox", name="Wager", exact=True).select_option("One Colour")
    expect(page.get_by_role("cell", name="71/588")).to_be_visible()
    house.stop()
    audited = json.loads(own.run("audit", "--database", house.database, "--json"))
    assert audited["findings"] == []

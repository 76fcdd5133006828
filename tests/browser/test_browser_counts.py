"""Counting in the browser: counts, hands and values equal those of `fourcard advise`, and come quickly."""

from fractions import Fraction
from random import Random
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Page

from fourcard.cards import DECK
from fourcard.hands import best_hand
from fourcard.odds.decision_values import BaseTerms, advice, base_terms
from fourcard.odds.hand_kinds import hands_by_strength
from fourcard.odds.states_cache import available_states
from fourcard.rules.loading import rulebook
from fourcard.rules.paytables import paytable
from tests.browser.conftest import OpenWindow
from tests.browser.page_script import poker_script
from tests.browser.served_house import BrowserHouse
from tools.page import PAGE

POSITIONS = 500
LIMIT = 300
"""Milliseconds in which a position must be counted."""
MIN_CATEGORIES = 8

COUNT = """async ([script, positions]) => {
  const start = () => new Worker(script, {type: "module"});
  const ask = (worker, id) => new Promise((resolve, reject) => {
    worker.onmessage = ({data}) => resolve(data.counts);
    worker.onerror = reject;
    worker.postMessage({id, ...positions[id]});
  });
  const timed = async (action) => {
    const before = performance.now();
    const counts = await action();
    return [counts, performance.now() - before];
  };
  const cold = [];
  for (let each = 0; each < 3; each++) {
    let worker;
    cold.push((await timed(() => ask(worker = start(), each)))[1]);
    worker.terminate();
  }
  const worker = start(), found = [];
  for (const id of positions.keys()) found.push(await timed(() => ask(worker, id)));
  worker.terminate();
  return {cold, warm: found.map(([, time]) => time), counts: found.map(([counts]) => counts)};
}"""
HANDS = "hands => hands.map(poker.bestHand)"
VALUES = """async positions => {
  const {games} = await (await fetch("data/games.json")).json();
  return games.flatMap(game => game.bonuses.map(({id, rows}) => ({
    rulebook: game.id, edition: game.edition, bonus: id,
    values: positions.map(({hand, counts}) => {
      const found = poker.choiceValues({...game, bonus: rows}, poker.bestHand(hand).strength, counts);
      return [found.best.name, Object.fromEntries(found.choices.map(({name, text}) => [name, text]))];
    }),
  })));
}"""
NEARBY = """([hand, up]) =>
  Array.from({length: poker.STRENGTH_COUNT}, (_, at) => poker.handOfStrength(at, hand, up))"""


def dealt(seed: str, size: int, number: int = POSITIONS) -> list[list[int]]:
    """Return seeded cards: every second time from a few ranks or suits, so that strong hands come too."""
    chance, found = Random(seed), list[list[int]]()
    for each in range(number):
        deck = list(DECK)
        if each % 4 == 1:
            deck = [
                card
                for rank in chance.sample(range(13), 2 + each % 8 // 2)
                for card in DECK[4 * rank : 4 * rank + 4]
            ]
        elif each % 4 == 3:
            deck = [*DECK[chance.randrange(4) :: 4], *chance.sample(DECK, 2)]
        found.append(chance.sample(list(dict.fromkeys(deck)), size))
    return found


@pytest.fixture
def page(running_house: BrowserHouse, open_window: OpenWindow) -> Page:
    page = open_window(running_house, f"{running_house.address}/#/settings").page
    page.evaluate(poker_script())
    return page


def test_500_positions_count_and_pay_as_in_python(page: Page) -> None:
    positions: list[dict[str, Any]] = [{"hand": cards[:5], "up": cards[5]} for cards in dealt("positions", 6)]
    (worker,) = (PAGE / "assets").glob("dealerCount.worker-*.js")
    found = page.evaluate(COUNT, [f"/assets/{worker.name}", positions])
    states = available_states()
    assert states is not None
    expected = [states.look_up(each["hand"], each["up"]) for each in positions]
    assert [(each["below"], each["tied"]) for each in found["counts"]] == [
        (each.below, each.tied) for each in expected
    ]
    assert {sum(each[part] for part in ("below", "tied", "above")) for each in found["counts"]} == {1_370_754}

    counted = [each | {"counts": counts} for each, counts in zip(positions, found["counts"], strict=True)]
    terms = page.evaluate(VALUES, counted)
    assert len(terms) > len({each["rulebook"] for each in terms}) > 1
    for each in terms:
        valued = [
            (best, {name: Fraction(text) for name, text in choices.items()})
            for best, choices in each["values"]
        ]
        assert valued == python_values(terms_of(each), positions), each["bonus"]

    for name in ("cold", "warm"):
        print(f"{name}: median {median(found[name]):.0f} ms, at most {max(found[name]):.0f} ms")
    assert median(found["warm"]) < LIMIT
    assert min(found["cold"]) < LIMIT


def terms_of(given: dict[str, Any]) -> BaseTerms:
    rules = rulebook(given["rulebook"], given["edition"])
    return base_terms(rules, paytable(rules, "automatic_bonus", given["bonus"]).pays)


def python_values(terms: BaseTerms, positions: list[dict[str, Any]]) -> list[tuple[str, dict[str, Fraction]]]:
    answers = [advice(each["hand"], each["up"], terms) for each in positions]
    return [(each.best, each.values) for each in answers]


@pytest.mark.parametrize("size", [4, 5, 6])
def test_hands_have_the_strength_name_and_cards_of_python(page: Page, size: int) -> None:
    held = dealt(f"hands of {size}", size)
    expected = [best_hand(cards) for cards in held]
    assert len({each.category for each in expected}) == MIN_CATEGORIES
    assert [
        (each["category"], each["strength"], each["name"], each["ranks"], each["cards"])
        for each in page.evaluate(HANDS, held)
    ] == [(each.category.text, each.strength, each.name, [*each.ranks], [*each.cards]) for each in expected]


def test_nearby_hands_have_the_strength_that_was_asked_for(page: Page) -> None:
    (*hand, up) = dealt("nearby", 6, 1)[0]
    found = page.evaluate(NEARBY, [hand, up])
    assert len(found) == len(hands_by_strength())
    possible = {strength: cards for strength, cards in enumerate(found) if cards}
    assert all(len({*cards, up}) == 6 for cards in possible.values())
    assert {strength: best_hand(cards).strength for strength, cards in possible.items()} == {
        strength: strength for strength in possible
    }
    reachable = {best_hand(cards).strength for cards in dealt("every hand", 5, 4000) if up not in cards}
    assert reachable <= possible.keys()

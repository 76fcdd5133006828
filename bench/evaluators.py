"""Evaluator benchmark: the fast evaluator compared with other libraries, in hands per second on one core.

The other libraries rank five-card poker, one hand per call from Python; none of them ranks four cards. Hands
are prepared for each of them beforehand, so that only ranking is timed.
"""

import importlib
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bench.measuring import seconds, table_of
from fourcard.cards import DECK, card_text
from fourcard.odds.evaluator import best_five_of_six, best_of_five, best_of_six

HANDS = 4_000_000
PEER_HANDS = 20_000
FIVE_LIMIT = 100e6
SIX_LIMIT = 50e6


def _dealt(size: int) -> NDArray[np.uint8]:
    """Return random hands of ``size`` cards, unsorted."""
    chance = np.random.default_rng(4)
    some = np.argsort(chance.random((200_000, 52)), axis=1)[:, :size].astype(np.uint8)
    return np.ascontiguousarray(np.tile(some, (HANDS // len(some), 1))[chance.permutation(HANDS)])


def _peer_hands() -> list[list[str]]:
    chance = random.Random(4)
    return [[card_text(card) for card in chance.sample(DECK, 5)] for _ in range(PEER_HANDS)]


def _each(work: Callable[[Any], object], hands: list[Any]) -> None:
    for hand in hands:
        work(hand)


def _eval7(hands: list[list[str]]) -> Callable[[], object]:
    eval7 = importlib.import_module("eval7")
    return partial(_each, eval7.evaluate, [[eval7.Card(card) for card in hand] for hand in hands])


def _phevaluator(hands: list[list[str]]) -> Callable[[], object]:
    library = importlib.import_module("phevaluator")
    ready = [[library.Card(card).id_ for card in hand] for hand in hands]
    return partial(_each, lambda hand: library.evaluate_cards(*hand), ready)


def _treys(hands: list[list[str]]) -> Callable[[], object]:
    treys = importlib.import_module("treys")
    judge = treys.Evaluator()
    return partial(_each, judge._five, [[treys.Card.new(card) for card in hand] for hand in hands])


def _pokerkit(hands: list[list[str]]) -> Callable[[], object]:
    pokerkit = importlib.import_module("pokerkit")
    return partial(_each, pokerkit.StandardHighHand, ["".join(hand) for hand in hands[: PEER_HANDS // 20]])


PEERS: dict[str, tuple[Callable[[list[list[str]]], Callable[[], object]], int]] = {
    "eval7": (_eval7, PEER_HANDS),
    "phevaluator": (_phevaluator, PEER_HANDS),
    "treys": (_treys, PEER_HANDS),
    "pokerkit": (_pokerkit, PEER_HANDS // 20),
}


def _rates() -> Iterator[tuple[str, float, float | None]]:
    five, six = _dealt(5), _dealt(6)
    for name, work, hands, limit in (
        ("fourcard, best four of five", best_of_five, five, FIVE_LIMIT),
        ("fourcard, best four of six", best_of_six, six, SIX_LIMIT),
        ("fourcard, best five of six", best_five_of_six, six, SIX_LIMIT),
    ):
        work(hands[:1])
        yield name, HANDS / seconds(partial(work, hands), 5), limit
    ready = _peer_hands()
    for name, (prepare, count) in PEERS.items():
        try:
            work_of_peer = prepare(ready)
        except ImportError:
            continue
        yield f"{name}, five-card poker", count / seconds(work_of_peer, 5), None


def evaluators() -> Table:
    """Compare hands per second with the limits and with other evaluators."""
    table = table_of("evaluators, one core", "what", "hands/s", "of the limit", "times eval7")
    rates = list(_rates())
    eval7 = next((rate for name, rate, _ in rates if name.startswith("eval7")), None)
    for name, rate, limit in rates:
        share = f"{rate / limit:.0%}" if limit else ""
        table.add_row(name, f"{rate:,.0f}", share, f"{rate / eval7:.2f}" if eval7 else "")
    return table

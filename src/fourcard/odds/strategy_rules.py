"""Strategy files: ordered rules, of which the first that matches decides.

A rule limits the hand (``at_least``, ``at_most``: ``"pair T"``, ``"pair T J"`` with a jack or better as side
card, ``"two pair"``), names up cards (``up = "2-9 J"``), or tests whether the hand holds the up card's rank
(``matching``) or a higher card (``over``).
"""

from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import RANKS
from fourcard.errors import BadInputError
from fourcard.hands import Category
from fourcard.odds.rows import hands_by_strength
from fourcard.odds.spots import Spots
from fourcard.odds.states import CLASSES, UP_CARDS
from fourcard.rules.loading import convert, file_text, parse
from fourcard.rules.nodes import Frozen

Bet = Literal["fold", "1x", "2x", "3x"]
BETS: dict[Bet, int] = {"fold": 0, "1x": 1, "2x": 2, "3x": 3}


class StrategyError(BadInputError):
    """An invalid strategy file or an unknown strategy name."""


class Rule(Frozen, frozen=True, kw_only=True):
    """One rule: a decision and the conditions under which it applies."""

    bet: Bet
    at_least: str | None = None
    at_most: str | None = None
    up: str | None = None
    matching: bool | None = None
    """Whether the hand holds a card of the up card's rank."""
    over: bool | None = None
    """Whether the hand holds a card above the up card's rank."""

    def fits(self, spots: Spots) -> NDArray[np.bool_]:
        """Return where the rule applies, by class and up card."""
        found = np.ones((CLASSES, UP_CARDS), np.bool_)
        if self.at_least is not None:
            found &= (spots.strengths >= _bounds(self.at_least)[0])[:, None]
        if self.at_most is not None:
            found &= (spots.strengths <= _bounds(self.at_most)[1])[:, None]
        if self.up is not None:
            named = np.zeros(len(RANKS), np.bool_)
            named[_ranks_named(self.up)] = True
            found &= named[spots.up_ranks]
        if self.matching is not None:
            found &= spots.matching == self.matching
        if self.over is not None:
            highest = (spots.cards >> 2).max(axis=1)
            found &= (highest[:, None] > spots.up_ranks) == self.over
        return found


class StrategyFile(Frozen, frozen=True, kw_only=True):
    """A strategy as its file describes it."""

    name: str
    says: str = ""
    """A description with the source."""
    otherwise: Bet
    rules: tuple[Rule, ...]

    def __call__(self, spots: Spots) -> NDArray[np.uint8]:
        """Decide every point by the first rule that applies."""
        found = np.full((CLASSES, UP_CARDS), BETS[self.otherwise], np.uint8)
        for rule in reversed(self.rules):
            found[rule.fits(spots)] = BETS[rule.bet]
        return found


def read_strategy(path: Path) -> StrategyFile:
    """Return the strategy of a file, or raise an error that says what is wrong with it."""
    found = convert(parse(file_text(path), str(path)), StrategyFile, str(path))
    for rule in found.rules:
        for text in (rule.at_least, rule.at_most):
            if text is not None:
                _bounds(text)
        if rule.up is not None:
            _ranks_named(rule.up)
    return found


def _bounds(text: str) -> tuple[int, int]:
    """Return the weakest and the strongest hand that a text such as ``pair T J`` describes."""
    words = text.replace("_", " ").split()
    names = {tuple(category.text.split("_")): category for category in Category}
    for size in range(len(words), 0, -1):
        category = names.get(tuple(word.lower() for word in words[:size]))
        if category is not None:
            ranks = tuple(_rank(word, text) for word in words[size:])
            break
    else:
        raise StrategyError(f"{text!r} is not a hand. Write a category and its ranks, such as 'pair T J'.")
    found = [
        hand.strength
        for hand in hands_by_strength()
        if hand.category is category and hand.ranks[: len(ranks)] == ranks
    ]
    if not found:
        raise StrategyError(f"No hand is {text!r}. Write the deciding ranks first, such as 'pair T J'.")
    return found[0], found[-1]


def _rank(word: str, text: str) -> int:
    if len(word) != 1 or word.upper() not in RANKS:
        raise StrategyError(f"{word!r} in {text!r} is not a rank of {RANKS}.")
    return RANKS.index(word.upper())


def _ranks_named(text: str) -> list[int]:
    """Return the ranks that a text such as ``2-9 J`` names."""
    found: list[int] = []
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        low, high = _rank(first, text), _rank(last if dash else first, text)
        if low > high:
            raise StrategyError(f"{word!r} in {text!r} goes down. Write the lower rank first.")
        found += range(low, high + 1)
    if not found:
        raise StrategyError("A rule's up cards cannot be empty. Name at least one rank, such as 'A'.")
    return found

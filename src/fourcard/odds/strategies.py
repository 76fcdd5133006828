"""Strategies: what to do at every decision point, by optimal play, a published strategy or a file.

A strategy file holds ordered rules, of which the first that matches decides. A rule limits the hand
(``at_least``, ``at_most``: ``"pair T"``, ``"pair T J"`` with a jack or better as side card, ``"two pair"``),
names up cards (``up = "2-9 J"``), or tests whether the hand holds the up card's rank (``matching``) or a
higher card (``over``).
"""

import json
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec
import numpy as np
from msgspec import to_builtins
from numpy.typing import NDArray

from fourcard.cards import DECK_SIZE, RANKS
from fourcard.hands import Category
from fourcard.odds.decision_values import BaseTerms, base_terms
from fourcard.odds.hand_kinds import hand_kinds, hands_by_strength, kind_of_strength
from fourcard.odds.paytable_lookup import is_file
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.state_counts import CLASSES, COMPLETIONS, UP_CARDS, StateTable
from fourcard.odds.states_cache import all_states
from fourcard.refusals import BadInputError
from fourcard.rules.cited import FrozenData
from fourcard.rules.game import Game
from fourcard.rules.loading import convert_document, file_text, parse_toml
from fourcard.settlers.wager_settler import odds_by_row

Decisions = NDArray[np.uint8]
"""The Play wager in Antes, 0 for a fold, by class and up card."""


class DecisionsError(BadInputError):
    """A strategy's decisions have the wrong shape, or include one that the game does not allow."""


class DecisionPoints(msgspec.Struct, frozen=True, dict=True):
    """All decision points: the player's hands, one per suit class, with every up card."""

    states: StateTable
    terms: BaseTerms

    @property
    def cards(self) -> NDArray[np.uint8]:
        """Return the five cards of each class in ascending order, one row per class."""
        return self.states.cards

    @property
    def strengths(self) -> NDArray[np.uint16]:
        """Return the strength of each class's best four cards."""
        return self.states.strengths

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """Return the index of each class's kind of hand."""
        return kind_of_strength()[self.strengths]

    @cached_property
    def up_cards(self) -> NDArray[np.uint8]:
        """Return the up cards of each class in ascending order, one row per class."""
        free = np.ones((CLASSES, DECK_SIZE), np.bool_)
        free[np.arange(CLASSES)[:, None], self.cards] = False
        return np.nonzero(free)[1].reshape(CLASSES, UP_CARDS).astype(np.uint8)

    @cached_property
    def up_ranks(self) -> NDArray[np.uint8]:
        """Return the ranks of the up cards."""
        return (self.up_cards >> 2).astype(np.uint8)

    @cached_property
    def ranks_held(self) -> NDArray[np.uint16]:
        """Return the ranks that each class holds, as bits."""
        bits: NDArray[np.uint16] = np.bitwise_or.reduce(np.uint16(1) << (self.cards >> 2), axis=1)
        return bits.astype(np.uint16)

    @cached_property
    def matching(self) -> NDArray[np.bool_]:
        """Return whether the hand holds a card of the up card's rank, by class and up card."""
        held: NDArray[np.bool_] = (self.ranks_held[:, None] >> self.up_ranks & 1).astype(np.bool_)
        return held

    @cached_property
    def hands_beaten(self) -> NDArray[np.uint32]:
        """Return the number of the dealer's hands that the player wins against, by class and up card."""
        counts = self.states.counts
        return counts[:, :, 0] + counts[:, :, 1] if self.terms.ties_win else counts[:, :, 0]


Strategy = Callable[[DecisionPoints], NDArray[np.uint8]]
"""A function that returns its decisions for all points at once, or one column for every up card."""


def checked_decisions(strategy: Strategy, spots: DecisionPoints) -> Decisions:
    """Return a strategy's decision at every point, or refuse decisions that the game does not allow."""
    decisions = np.asarray(strategy(spots))
    try:
        found = np.broadcast_to(decisions, (CLASSES, UP_CARDS))
    except ValueError:
        raise DecisionsError(
            f"A strategy must return decisions for {CLASSES:,} classes and {UP_CARDS} up cards."
        ) from None
    allowed = sorted({0, *spots.terms.multiples})
    foreign = decisions[~np.logical_or.reduce([decisions == each for each in allowed])]
    if foreign.size:
        raise DecisionsError(f"A Play wager of {foreign.min()} Antes is not among {allowed}.")
    return np.ascontiguousarray(found, np.uint8)


Bet = Literal["fold", "1x", "2x", "3x"]
BETS: dict[Bet, int] = {"fold": 0, "1x": 1, "2x": 2, "3x": 3}


class StrategyError(BadInputError):
    """An invalid strategy file or an unknown strategy name."""


class StrategyRule(FrozenData, frozen=True, kw_only=True, omit_defaults=True):
    """One rule: a decision and the conditions under which it applies; those that it lacks are left out."""

    bet: Bet
    at_least: str | None = None
    at_most: str | None = None
    up: str | None = None
    matching: bool | None = None
    """Whether the hand holds a card of the up card's rank."""
    over: bool | None = None
    """Whether the hand holds a card above the up card's rank."""
    says: str = ""
    """The rule in words."""

    def fits(self, spots: DecisionPoints) -> NDArray[np.bool_]:
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


class StrategyFile(FrozenData, frozen=True, kw_only=True):
    """A strategy as its file describes it."""

    name: str
    says: str = ""
    """A description with the source."""
    otherwise: Bet
    rules: tuple[StrategyRule, ...]

    def __call__(self, spots: DecisionPoints) -> NDArray[np.uint8]:
        """Decide every point by the first rule that applies."""
        found = np.full((CLASSES, UP_CARDS), BETS[self.otherwise], np.uint8)
        for rule in reversed(self.rules):
            found[rule.fits(spots)] = BETS[rule.bet]
        return found


def read_strategy(path: Path) -> StrategyFile:
    """Return the strategy of a file, or raise an error that says what is wrong with it."""
    found = convert_document(parse_toml(file_text(path), str(path)), StrategyFile, str(path))
    for rule in found.rules:
        for text in (rule.at_least, rule.at_most):
            if text is not None:
                _bounds(text)
        if rule.up is not None:
            _ranks_named(rule.up)
    return found


def strategy_text(strategy: StrategyFile) -> str:
    """Return a strategy as the text of its file."""
    head = {"name": strategy.name, "says": strategy.says, "otherwise": strategy.otherwise}
    tables = [f"\n[[rules]]\n{_toml_lines(to_builtins(rule))}" for rule in strategy.rules]
    return _toml_lines(head) + ("".join(tables) or "rules = []\n")


def _toml_lines(values: Mapping[str, str | bool]) -> str:
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())


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


OPTIMAL, BLIND = "optimal", "blind"
PUBLISHED_FOLDER = Path(__file__).parent / "published_strategies"
DESCRIPTIONS = {
    OPTIMAL: "The best decision in every state, counted exactly.",
    BLIND: "The best decision for each hand without looking at the up card.",
}


def optimal(spots: DecisionPoints) -> Decisions:
    """Take the decision of the highest value at every point; the smaller wager if several are equal."""
    return _best_by_wins(spots.terms, spots.kinds[:, None], spots.hands_beaten, COMPLETIONS)


def blind(spots: DecisionPoints) -> Decisions:
    """Take the decision of the highest value averaged over all up cards."""
    wins = spots.hands_beaten.sum(axis=1, dtype=np.int64)
    return _best_by_wins(spots.terms, spots.kinds, wins, COMPLETIONS * UP_CARDS)[:, None]


def _best_by_wins(
    terms: BaseTerms, held: NDArray[np.uint8], wins: NDArray[np.uint32] | NDArray[np.int64], of: int
) -> Decisions:
    least, most = np.array([terms.thresholds(kind, of) for kind in hand_kinds()], np.int64).T
    bets = np.array([0, terms.least, terms.most], np.uint8)
    found: Decisions = np.where(wins > most[held], bets[2], np.where(wins > least[held], bets[1], bets[0]))
    return found


@cache
def published_strategies() -> Mapping[str, StrategyFile]:
    """Return the published strategies, by name."""
    found = {path.stem: read_strategy(path) for path in sorted(PUBLISHED_FOLDER.glob("*.toml"))}
    return MappingProxyType(found)


def strategy_names() -> tuple[str, ...]:
    """Return the names of the built-in strategies."""
    return OPTIMAL, *published_strategies(), BLIND


def find_strategy(name: str) -> Strategy:
    """Return a strategy by its name or from a file."""
    if name == OPTIMAL:
        return optimal
    if name == BLIND:
        return blind
    if name in published_strategies():
        return published_strategies()[name]
    if is_file(name):
        return read_strategy(Path(name))
    raise StrategyError(
        f"{name!r} is not a strategy. Choose {', '.join(strategy_names())}, or name a TOML file."
    )


def display_name(name: str) -> str:
    """Return a strategy's display name; for a file, the name that it contains."""
    chosen = find_strategy(name)
    return chosen.name if isinstance(chosen, StrategyFile) else name


def describe(name: str) -> str:
    """Return a one-sentence description of a strategy."""
    chosen = find_strategy(name)
    return chosen.says if isinstance(chosen, StrategyFile) else DESCRIPTIONS[name]


def base_terms_of(game: Game) -> BaseTerms:
    """Return the base terms of a game, with its Automatic Bonus if it has one."""
    table = game.tables.get("automatic_bonus")
    return base_terms(game.rulebook, {} if table is None else odds_by_row(table))


def decision_points(terms: BaseTerms, step: ProgressCallback = no_progress) -> DecisionPoints:
    """Return all decision points under the given terms; solves the game first if it is not cached."""
    return DecisionPoints(all_states(step), terms)


def decisions(strategy: str, game: Game, step: ProgressCallback = no_progress) -> Decisions:
    """Return the decisions of a strategy at every point of a game."""
    chosen = find_strategy(strategy)
    return checked_decisions(chosen, decision_points(base_terms_of(game), step))

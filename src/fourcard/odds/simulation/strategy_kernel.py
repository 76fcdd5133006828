"""Strategy kernel: looks up the Play wager of each hand and up card, as a multiple of the Ante.

A strategy is an array of multiples by suit class and up card. Most hands are played the same with any up
card; where all hands of one strength are, the strength alone decides, without a look-up in the large array.
"""

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK_SIZE, SUITS
from fourcard.hands import PLAYER_CARDS
from fourcard.odds.evaluator import best_of_five
from fourcard.odds.hand_kinds import hands_by_strength
from fourcard.odds.kernels import inline_kernel, kernel
from fourcard.odds.simulation.dealing import Deals
from fourcard.odds.state_counts import UP_CARDS
from fourcard.odds.suit_isomorphism import Binomials, binomials, suit_classes
from fourcard.refusals import BadInputError

MAX_PLAY = 3
NEEDS_LOOKUP = 255
"""Marks a strength whose hands are not all played alike."""
CODE_BITS = 8
SUIT_BITS = 2
RANK_BITS = 0xFC
Decisions = NDArray[np.uint8]


class StrategyTables(NamedTuple):
    """A strategy as look-up tables for the kernel."""

    by_strength: NDArray[np.uint8]
    """By strength: the multiple that every hand plays, or ASK."""
    hands: NDArray[np.uint32]
    """By hand index: the suit class in the high bits, and two low bits per suit for its new name."""
    decisions: Decisions
    """The multiple by suit class and up card, flattened."""
    choose: Binomials


def strategy_tables(decisions: Decisions) -> StrategyTables:
    """Return the look-up tables of a strategy."""
    classes = suit_classes(PLAYER_CARDS)
    if decisions.shape != (len(classes.cards), UP_CARDS) or decisions.dtype != np.uint8:
        raise BadInputError("A strategy must be an array of unsigned bytes by suit class and up card.")
    if int(decisions.max()) > MAX_PLAY:
        raise BadInputError(f"A strategy plays at most {MAX_PLAY} times the Ante.")
    strengths = best_of_five(classes.cards)
    least = np.full(len(hands_by_strength()), NEEDS_LOOKUP, np.uint8)
    most = np.zeros(len(least), np.uint8)
    np.minimum.at(least, strengths, decisions.min(axis=1))
    np.maximum.at(most, strengths, decisions.max(axis=1))
    by_strength = np.where(least == most, least, np.uint8(NEEDS_LOOKUP))
    return StrategyTables(by_strength, _hand_classes(), decisions.ravel(), binomials())


@cache
def _hand_classes() -> NDArray[np.uint32]:
    found = np.zeros(comb(DECK_SIZE, PLAYER_CARDS), np.uint32)
    _write_hand_classes(
        suit_classes(PLAYER_CARDS).of_set,
        found,
        np.arange(PLAYER_CARDS, dtype=np.int64),
        np.zeros(len(SUITS), np.int64),
    )
    return found


@kernel
def _write_hand_classes(
    of_set: NDArray[np.uint32], found: NDArray[np.uint32], hand: NDArray[np.int64], held: NDArray[np.int64]
) -> None:
    """Write class and canonical suits of every hand; the suit with the highest ranks comes first."""
    for place in range(len(of_set)):
        held[:] = 0
        for i in range(PLAYER_CARDS):
            held[hand[i] & 3] |= 1 << (hand[i] >> 2)
        code = 0
        for suit in range(len(held)):
            for other in range(len(held)):
                if held[other] > held[suit] or (held[other] == held[suit] and other < suit):
                    code += 1 << SUIT_BITS * suit
        found[place] = of_set[place] << CODE_BITS | code
        i = 0
        while i + 1 < PLAYER_CARDS and hand[i] + 1 == hand[i + 1]:
            hand[i] = i
            i += 1
        hand[i] += 1


@inline_kernel
def _in_order(a: np.uint8, b: np.uint8) -> tuple[np.uint8, np.uint8]:
    return min(a, b), max(a, b)


@inline_kernel
def _hand_index(choose: Binomials, hands: NDArray[np.uint8], row: np.uint32) -> np.uint32:
    """Sort a hand and return its index among all hands."""
    a, b = _in_order(hands[row, 0], hands[row, 1])
    c, d = _in_order(hands[row, 2], hands[row, 3])
    a, c = _in_order(a, c)
    b, d = _in_order(b, d)
    b, c = _in_order(b, c)
    e = hands[row, 4]
    d, e = _in_order(d, e)
    c, d = _in_order(c, d)
    b, c = _in_order(b, c)
    a, b = _in_order(a, b)
    place: np.uint32 = choose[a, 1] + choose[b, 2] + choose[c, 3] + choose[d, 4] + choose[e, 5]
    return place


@inline_kernel
def _rename_card(card: np.uint8, known: np.uint32) -> np.uint32:
    renamed: np.uint32 = (card & RANK_BITS) | (known >> (card & 3) * SUIT_BITS & 3)
    return renamed


@kernel
def decide(
    strategy: StrategyTables,
    strengths: NDArray[np.uint16],
    deals: Deals,
    plays: NDArray[np.uint8],
    pending: NDArray[np.uint32],
    rounds: int,
    seats: int,
) -> None:
    """Write every position's multiple; 0 is a fold.

    Each memory look-up is done for many hands in one loop, so that the look-ups overlap.
    """
    rows, found = pending[0], pending[1]
    count = np.uint64(0)
    for position in range(rounds * seats):
        row = np.uint64(position)
        plays[row] = strategy.by_strength[strengths[row]]
        rows[count] = row
        count += np.uint64(plays[row] == NEEDS_LOOKUP)
    for i in range(count):
        found[i] = _hand_index(strategy.choose, deals.players, rows[i])
    for i in range(count):
        found[i] = strategy.hands[found[i]]
    for i in range(count):
        known = found[i]
        up = _rename_card(deals.dealer[rows[i] // np.uint64(seats), 0], known)
        column = up
        for card in range(PLAYER_CARDS):
            column -= np.uint32(_rename_card(deals.players[rows[i], card], known) < up)
        found[i] = (known >> CODE_BITS) * np.uint64(UP_CARDS) + column
    for i in range(count):
        plays[rows[i]] = strategy.decisions[found[i]]

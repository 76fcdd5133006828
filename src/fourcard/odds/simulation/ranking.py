"""Ranking of dealt rounds, in one pass over many rounds for each sort of hand."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.bonus_hands import FiveCardCategory
from fourcard.odds.evaluator import five_category, five_strength, six_category, six_strength
from fourcard.odds.kernels import inlined, kernel
from fourcard.odds.lowering import Column, Lowered, Switch
from fourcard.odds.ranking_tables import BonusTables, RankingTables, bonus_tables, ranking_tables
from fourcard.odds.simulation.dealing import DEALER, HAND, Cards, Deals

ANTE, PLAY, BONUS = int(Column.ANTE), int(Column.PLAY), int(Column.AUTOMATIC_BONUS)
ACES_UP, BAD_BEAT, SIX_CARD = int(Column.ACES_UP), int(Column.BAD_BEAT), int(Column.SIX_CARD)
COVER_ALL, PROGRESSIVE, ENVY = int(Column.COVER_ALL), int(Column.PROGRESSIVE), int(Column.ENVY)
FIVE_PROGRESSIVE, FIVE_ENVY = int(Switch.FIVE_CARD_PROGRESSIVE), int(Switch.FIVE_CARD_ENVY)
DEALER_COVERS, DEALER_ENVIED = int(Switch.DEALER_COVERS), int(Switch.DEALER_ENVIED)
ROYAL = int(FiveCardCategory.ROYAL_FLUSH)


class Evaluators(NamedTuple):
    """The evaluator tables of one game."""

    four: RankingTables
    five: BonusTables
    six: BonusTables
    """For the Six Card Bonus, in which 5-4-3-2-A is a straight or not (R28)."""


class Ranks(NamedTuple):
    """The ranks of the hands of several rounds."""

    players: NDArray[np.uint16]
    """By position: the strength of its best four cards."""
    dealers: NDArray[np.uint16]
    fives: NDArray[np.uint8]
    """By position: the category of its five cards, if a wager needs it."""
    sixes: NDArray[np.uint8]
    """By position: the category of the best five with the bonus card, if a wager needs it."""
    dealer_fives: NDArray[np.uint8]
    hand: Cards
    """Work space."""


def evaluators(game: Lowered) -> Evaluators:
    """Return the evaluator tables of one game; tables that no wager needs are empty."""
    fives = game.switches[Switch.FIVE_CARD_PROGRESSIVE] or game.switches[Switch.FIVE_CARD_ENVY]
    low_ace = bool(game.switches[Switch.LOW_ACE])
    return Evaluators(
        ranking_tables(),
        bonus_tables(low_ace=True) if fives else _empty_tables(),
        bonus_tables(low_ace=low_ace) if game.made[Column.SIX_CARD] else _empty_tables(),
    )


def _empty_tables() -> BonusTables:
    """Return empty tables of the right types."""
    rows, values = np.zeros(0, np.uint32), np.zeros(0, np.uint16)
    return BonusTables(np.zeros(0, np.uint64), rows, values, rows, values, values)


def room_for_ranks(rounds: int, seats: int) -> Ranks:
    """Return buffers for a number of rounds."""
    return Ranks(
        players=np.zeros(rounds * seats, np.uint16),
        dealers=np.zeros(rounds, np.uint16),
        fives=np.zeros(rounds * seats, np.uint8),
        sixes=np.zeros(rounds * seats, np.uint8),
        dealer_fives=np.zeros(rounds, np.uint8),
        hand=np.zeros((1, DEALER), np.uint8),
    )


@inlined
def _sum_of(numbers: NDArray[np.uint64], hands: Cards, row: np.uint64) -> np.uint64:
    total = np.uint64(0)
    for i in range(hands.shape[1]):
        total += numbers[hands[row, i]]
    return total


@kernel
def rank(game: Lowered, tables: Evaluators, deals: Deals, ranks: Ranks, rounds: int, seats: int) -> None:
    """Rank every hand that a wager of the game needs."""
    positions = rounds * seats
    for row in range(positions):
        total = _sum_of(tables.four.numbers, deals.players, np.uint64(row))
        ranks.players[row] = five_strength(tables.four, total, deals.players, row)
    for row in range(rounds):
        total = _sum_of(tables.four.numbers, deals.dealer, np.uint64(row))
        ranks.dealers[row] = six_strength(tables.four, total, deals.dealer, row)
    five_envy = game.made[ENVY] and game.switches[FIVE_ENVY]
    if five_envy or (game.made[PROGRESSIVE] and game.switches[FIVE_PROGRESSIVE]):
        for row in range(positions):
            total = _sum_of(tables.five.numbers, deals.players, np.uint64(row))
            ranks.fives[row] = five_category(tables.five, total, deals.players, row)
    if five_envy and game.switches[DEALER_ENVIED]:
        for row in range(rounds):
            total = _sum_of(tables.five.numbers, deals.dealer, np.uint64(row))
            ranks.dealer_fives[row] = min(six_category(tables.five, total, deals.dealer, row), ROYAL)
    if game.made[SIX_CARD]:
        for row in range(positions):
            _rank_with_bonus(tables.six, deals, ranks, np.uint64(row), row // seats)


@inlined
def _rank_with_bonus(tables: BonusTables, deals: Deals, ranks: Ranks, row: np.uint64, turn: int) -> None:
    for i in range(HAND):
        ranks.hand[0, i] = deals.players[row, i]
    ranks.hand[0, HAND] = deals.bonus[turn]
    total = _sum_of(tables.numbers, ranks.hand, np.uint64(0))
    ranks.sixes[row] = six_category(tables, total, ranks.hand, 0)

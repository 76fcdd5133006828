"""Winning hands: deals simulated rounds and finds every hand that a progressive pays.

The rounds of a block depend only on the seed and the block number, as in every simulation here.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.bonus_hands import FIVE
from fourcard.odds.deals import five_card_kinds
from fourcard.odds.evaluator import five_category, five_strength
from fourcard.odds.kernels import kernel
from fourcard.odds.ranking_tables import BonusTables, RankingTables, bonus_tables, ranking_tables
from fourcard.odds.rows import hands_by_strength, row_of
from fourcard.odds.simulation.chance import generator
from fourcard.odds.simulation.dealing import Deals, Shoe, deal, room_for_deals, shoe_of
from fourcard.rules.nodes import Paytable
from fourcard.wagers.wager import odds_by_row

BLOCK = 1 << 16
"""Rounds per random generator."""
BATCH = 1024
"""Hands dealt at a time."""
PURPOSE = 2
"""Generator purpose for jackpot simulation; rounds and sessions use other numbers."""
NO_ROW = 255


class Judge(NamedTuple):
    """Look-up tables that give the paytable row of a hand."""

    four: RankingTables
    five: BonusTables
    five_cards: bool
    """Whether all five cards are ranked (R8), or the best four of them (R49)."""
    rows: NDArray[np.uint8]
    """By five-card category, or by strength of the best four: the index of the row, or NO_ROW."""


class Hits(msgspec.Struct, frozen=True):
    """The winning hands of a block, in deal order."""

    rounds: NDArray[np.int64]
    """Counted from 0 over the whole simulation."""
    seats: NDArray[np.int64]
    rows: NDArray[np.uint8]


def judge_of(table: Paytable) -> Judge:
    """Return the look-up tables for a paytable."""
    pays, five_cards = odds_by_row(table), table.cards == FIVE
    kinds = five_card_kinds() if five_cards else tuple(hand.rows for hand in hands_by_strength())
    places: dict[str | None, int] = {row: place for place, row in enumerate(pays)}
    rows = [places.get(row_of(pays, kind), NO_ROW) for kind in kinds]
    return Judge(ranking_tables(), bonus_tables(), five_cards, np.array(rows, np.uint8))


def prepare(judge: Judge, seats: int) -> None:
    """Compile the kernel before the clock starts."""
    _find_winners(judge, shoe_of(generator(0, PURPOSE, 0)), room_for_deals(1, seats), *_buffers(0), 0, seats)


def hits_by_block(judge: Judge, rounds: int, seats: int, seed: int) -> Iterator[tuple[int, Hits]]:
    """Yield, block by block, the number of rounds dealt and the winning hands."""
    deals = room_for_deals(max(1, BATCH // seats), seats)
    hands, rows = _buffers(min(BLOCK, rounds) * seats)
    for block, first in enumerate(range(0, rounds, BLOCK)):
        size = min(BLOCK, rounds - first)
        shoe = shoe_of(generator(seed, PURPOSE, block))
        count = _find_winners(judge, shoe, deals, hands, rows, size, seats)
        found = hands[:count]
        yield size, Hits(first + found // seats, found % seats, rows[:count])


def _buffers(hands: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return buffers for the winners among the given number of hands."""
    return np.zeros(hands, np.int64), np.zeros(hands, np.uint8)


@kernel
def _find_winners(
    judge: Judge,
    shoe: Shoe,
    deals: Deals,
    hands: NDArray[np.int64],
    rows: NDArray[np.uint8],
    rounds: int,
    seats: int,
) -> int:
    """Deal rounds, store every hand that wins a row, and return how many there are."""
    cards, batch, count = deals.players, len(deals.bonus), 0
    numbers = judge.five.numbers if judge.five_cards else judge.four.numbers
    for first in range(0, rounds, batch):
        some = min(batch, rounds - first)
        deal(shoe, deals, some, seats)
        for hand in range(some * seats):
            total = np.uint64(0)
            for place in range(cards.shape[1]):
                total += numbers[cards[hand, place]]
            if judge.five_cards:
                row = judge.rows[five_category(judge.five, total, cards, hand)]
            else:
                row = judge.rows[five_strength(judge.four, total, cards, hand)]
            if row != NO_ROW:
                hands[count] = first * seats + hand
                rows[count] = row
                count += 1
    return count

"""Dealing: a deck shuffled as far as cards are needed, the same for every strategy and choice of wagers.

The order of a deal is each position's five cards from position 1 on, the dealer's up card, the dealer's five
others, the bonus card. Every hand takes one random word, so that the same seed deals the same cards whatever
is wagered on them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK
from fourcard.odds.kernels import inlined, kernel
from fourcard.odds.simulation.chance import DROPPED, KEPT, KEPT_MASK, Words, drawn, too_low

Cards = NDArray[np.uint8]
HAND = 5
DEALER = 6
DEALERS_WORD = DEALER + 1
"""The dealer's six cards and the bonus card come out of one word."""


class Deals(NamedTuple):
    """The cards of several rounds."""

    players: Cards
    """Five cards a row; the positions of a round follow each other."""
    dealer: Cards
    """Six cards a row, the up card first."""
    bonus: Cards


class Shoe(NamedTuple):
    """What one block of rounds is dealt from."""

    state: Words
    deck: Cards
    too_low: Words
    """By hand, the dealer's last: the least remainder of a word that is kept."""


def room_for(rounds: int, seats: int) -> Deals:
    """Return arrays for the cards of so many rounds."""
    return Deals(
        np.zeros((rounds * seats, HAND), np.uint8),
        np.zeros((rounds, DEALER), np.uint8),
        np.zeros(rounds, np.uint8),
    )


def shoe_of(state: Words, seats: int) -> Shoe:
    """Return a new deck and the generator that shuffles it."""
    least = [too_low(HAND * seat, HAND) for seat in range(seats)] + [too_low(HAND * seats, DEALERS_WORD)]
    return Shoe(state, np.array(DECK, np.uint8), np.array(least, np.uint64))


@inlined
def _next_card(deck: Cards, place: int, rest: np.uint64) -> np.uint64:
    """Move a random one of the cards not yet out to its place and return what is left of the word."""
    spread = rest * np.uint64(deck.shape[0] - place)
    found = place + np.int64(spread >> KEPT)
    card = deck[found]
    deck[found] = deck[place]
    deck[place] = card
    return spread & KEPT_MASK


@kernel
def deal(shoe: Shoe, deals: Deals, rounds: int, seats: int) -> None:
    """Deal so many rounds of so many positions; a hand whose word is thrown away is dealt once more."""
    deck = shoe.deck
    a, b, c, d = shoe.state[0], shoe.state[1], shoe.state[2], shoe.state[3]
    for turn in range(rounds):
        place = 0
        for seat in range(seats):
            kept = False
            while not kept:
                word, a, b, c, d = drawn(a, b, c, d)
                rest = word >> DROPPED
                for i in range(HAND):
                    rest = _next_card(deck, place + i, rest)
                kept = rest >= shoe.too_low[seat]
            for i in range(HAND):
                deals.players[turn * seats + seat, i] = deck[place + i]
            place += HAND
        kept = False
        while not kept:
            word, a, b, c, d = drawn(a, b, c, d)
            rest = word >> DROPPED
            for i in range(DEALERS_WORD):
                rest = _next_card(deck, place + i, rest)
            kept = rest >= shoe.too_low[seats]
        for i in range(DEALER):
            deals.dealer[turn, i] = deck[place + i]
        deals.bonus[turn] = deck[place + DEALER]
    shoe.state[0], shoe.state[1], shoe.state[2], shoe.state[3] = a, b, c, d

"""Dealing: a partial shuffle of the deck, independent of strategy and wagers.

A deal is, in order: the five cards of each position from position 1, the dealer's up card, the dealer's five
other cards, and the bonus card. One random word draws four cards: sixteen bits each, times the number of
cards left. A word that would favour some cards is discarded, so every deal is equally likely.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK, DECK_SIZE
from fourcard.odds.kernels import inlined, kernel
from fourcard.odds.simulation.chance import Words, drawn

Cards = NDArray[np.uint8]
HAND = 5
DEALER = 6
SHARE_BITS = 16
SHARE = np.uint64(SHARE_BITS)
SHARE_MASK = np.uint64((1 << SHARE_BITS) - 1)
SMALL = np.uint64((1 << 32) - 1)
"""Masks a small number, so that the faster multiplication is used."""
WHOLE_DECK = np.uint64(DECK_SIZE)
ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


class Deals(NamedTuple):
    """The cards of several rounds."""

    players: Cards
    """Five cards per row; the positions of a round are consecutive."""
    dealer: Cards
    """Six cards per row, the up card first."""
    bonus: Cards


class Shoe(NamedTuple):
    """The deck and generator of one block of rounds."""

    state: Words
    deck: Cards
    too_low: Words
    """By number of cards already dealt: a draw with a lower remainder is discarded."""


def room_for_deals(rounds: int, seats: int) -> Deals:
    """Return buffers for the cards of a number of rounds."""
    players, dealer = np.zeros((rounds * seats, HAND), np.uint8), np.zeros((rounds, DEALER), np.uint8)
    return Deals(players, dealer, np.zeros(rounds, np.uint8))


def shoe_of(state: Words) -> Shoe:
    """Return a new deck with its generator state."""
    least = [(1 << SHARE_BITS) % (DECK_SIZE - out) for out in range(DECK_SIZE)]
    return Shoe(state, np.array(DECK, np.uint8), np.array(least, np.uint64))


@inlined
def _draw_to(shoe: Shoe, place: np.uint64, share: np.uint64) -> bool:
    """Move a random undealt card to its place, and return whether the draw is unbiased."""
    spread = (share & SHARE_MASK) * ((WHOLE_DECK - place) & SMALL)
    found = (spread >> SHARE) + place
    card = shoe.deck[found]
    shoe.deck[found] = shoe.deck[place]
    shoe.deck[place] = card
    return bool((spread & SHARE_MASK) >= shoe.too_low[place])


@kernel
def deal(shoe: Shoe, deals: Deals, rounds: int, seats: int) -> None:
    """Deal a number of rounds with a number of seats."""
    deck, players, dealer = shoe.deck, deals.players, deals.dealer
    a, b, c, d = shoe.state[0], shoe.state[1], shoe.state[2], shoe.state[3]
    needed = np.uint64(HAND * seats + DEALER + 1)
    for turn in range(rounds):
        place = np.uint64(0)
        while place < needed:
            word, a, b, c, d = drawn(a, b, c, d)
            first, second = _draw_to(shoe, place, word), _draw_to(shoe, place + ONE, word >> SHARE)
            third = _draw_to(shoe, place + TWO, word >> SHARE * TWO)
            fourth = _draw_to(shoe, place + THREE, word >> SHARE * THREE)
            if first & second & third & fourth:
                place += FOUR
        out = np.uint64(0)
        for row in range(turn * seats, turn * seats + seats):
            for i in range(HAND):
                players[np.uint64(row), i] = deck[out]
                out += ONE
        for i in range(DEALER):
            dealer[np.uint64(turn), i] = deck[out]
            out += ONE
        deals.bonus[np.uint64(turn)] = deck[out]
    shoe.state[0], shoe.state[1], shoe.state[2], shoe.state[3] = a, b, c, d

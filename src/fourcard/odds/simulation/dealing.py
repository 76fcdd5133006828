"""Dealing: a deck shuffled as far as cards are needed, the same for every strategy and choice of wagers.

A deal is, in order: the five cards of each position from position 1 on, the dealer's up card, the dealer's
five others, the bonus card. One random word moves four cards to their places: sixteen bits each, times the
number of cards that are left; a word that would favour some cards is thrown away, so that every deal is
exactly as likely as any other.
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
"""Says that a number is small, so that the quicker multiplication is taken."""
WHOLE_DECK = np.uint64(DECK_SIZE)
ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


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
    """By cards already out: a share that leaves a lower remainder is thrown away."""


def room_for_deals(rounds: int, seats: int) -> Deals:
    """Return arrays for the cards of so many rounds."""
    players, dealer = np.zeros((rounds * seats, HAND), np.uint8), np.zeros((rounds, DEALER), np.uint8)
    return Deals(players, dealer, np.zeros(rounds, np.uint8))


def shoe_of(state: Words) -> Shoe:
    """Return a new deck and the generator that shuffles it."""
    least = [(1 << SHARE_BITS) % (DECK_SIZE - out) for out in range(DECK_SIZE)]
    return Shoe(state, np.array(DECK, np.uint8), np.array(least, np.uint64))


@inlined
def _moved(shoe: Shoe, place: np.uint64, share: np.uint64) -> bool:
    """Move a random one of the cards not yet out to its place, and say whether the share may be kept."""
    spread = (share & SHARE_MASK) * ((WHOLE_DECK - place) & SMALL)
    found = (spread >> SHARE) + place
    card = shoe.deck[found]
    shoe.deck[found] = shoe.deck[place]
    shoe.deck[place] = card
    return bool((spread & SHARE_MASK) >= shoe.too_low[place])


@kernel
def deal(shoe: Shoe, deals: Deals, rounds: int, seats: int) -> None:
    """Deal so many rounds of so many positions."""
    deck, players, dealer = shoe.deck, deals.players, deals.dealer
    a, b, c, d = shoe.state[0], shoe.state[1], shoe.state[2], shoe.state[3]
    needed = np.uint64(HAND * seats + DEALER + 1)
    for turn in range(rounds):
        place = np.uint64(0)
        while place < needed:
            word, a, b, c, d = drawn(a, b, c, d)
            first, second = _moved(shoe, place, word), _moved(shoe, place + ONE, word >> SHARE)
            third = _moved(shoe, place + TWO, word >> SHARE * TWO)
            fourth = _moved(shoe, place + THREE, word >> SHARE * THREE)
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

"""Random dealing: xoshiro256++ generators, and unbiased deals that do not depend on strategy or wagers.

A block's generator depends only on the seed, the purpose and the block number (by splitmix64), so it does
not matter which thread plays which block. A deal is, in order: the five cards of each position from position
1, the dealer's up card, the dealer's five other cards, and the bonus card. One random word draws four cards:
sixteen bits each, times the number of cards left. A word that would favour some cards is discarded, so every
deal is equally likely.
"""

import secrets
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourcard.cards import DECK, DECK_SIZE
from fourcard.hands import DEALER_CARDS, PLAYER_CARDS
from fourcard.odds.kernels import inline_kernel, kernel
from fourcard.refusals import BadInputError

Words = NDArray[np.uint64]
WORD = 64
ALL_BITS = (1 << WORD) - 1
SPLITMIX_INCREMENT = 0x9E3779B97F4A7C15
"""The increment of splitmix64: 2^64 divided by the golden ratio."""
RANDOM_SEED_BITS = 32
"""A generated seed is short enough to be read aloud and typed."""


def seed_or_random(seed: int | None) -> int:
    """Return the given seed after a range check, or by default one from the operating system."""
    if seed is None:
        return secrets.randbits(RANDOM_SEED_BITS)
    if not 0 <= seed <= ALL_BITS:
        raise BadInputError(f"The seed must be a whole number from 0 to {ALL_BITS}, not {seed}.")
    return seed


def splitmix64(word: int) -> int:
    """Return the splitmix64 hash of a word."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & ALL_BITS
    word = (word ^ word >> 27) * 0x94D049BB133111EB & ALL_BITS
    return word ^ word >> 31


def generator_state(seed: int, purpose: int, block: int) -> Words:
    """Return the initial generator state of one block."""
    key = splitmix64(seed)
    for part in (purpose, block):
        key = splitmix64(key + SPLITMIX_INCREMENT * (part + 1) & ALL_BITS)
    return np.array(
        [splitmix64(key + SPLITMIX_INCREMENT * turn & ALL_BITS) for turn in range(1, 5)], np.uint64
    )


@inline_kernel
def _rotate(word: np.uint64, by: np.uint64) -> np.uint64:
    return (word << by) | (word >> (np.uint64(WORD) - by))


@inline_kernel
def next_word(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the next word of xoshiro256++ and the new state."""
    word = _rotate(a + d, np.uint64(23)) + a
    shifted = b << np.uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    return word, a, b, c, _rotate(d, np.uint64(45))


Cards = NDArray[np.uint8]
SHARE_BITS = 16
SHARE = np.uint64(SHARE_BITS)
SHARE_MASK = np.uint64((1 << SHARE_BITS) - 1)
SMALL_MASK = np.uint64((1 << 32) - 1)
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


def deal_buffers(rounds: int, seats: int) -> Deals:
    """Return buffers for the cards of a number of rounds."""
    players, dealer = (
        np.zeros((rounds * seats, PLAYER_CARDS), np.uint8),
        np.zeros((rounds, DEALER_CARDS), np.uint8),
    )
    return Deals(players, dealer, np.zeros(rounds, np.uint8))


def new_shoe(state: Words) -> Shoe:
    """Return a new deck with its generator state."""
    least = [(1 << SHARE_BITS) % (DECK_SIZE - out) for out in range(DECK_SIZE)]
    return Shoe(state, np.array(DECK, np.uint8), np.array(least, np.uint64))


@inline_kernel
def _draw_to(shoe: Shoe, place: np.uint64, share: np.uint64) -> bool:
    """Move a random undealt card to its place, and return whether the draw is unbiased."""
    spread = (share & SHARE_MASK) * ((WHOLE_DECK - place) & SMALL_MASK)
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
    needed = np.uint64(PLAYER_CARDS * seats + DEALER_CARDS + 1)
    for turn in range(rounds):
        place = np.uint64(0)
        while place < needed:
            word, a, b, c, d = next_word(a, b, c, d)
            first, second = _draw_to(shoe, place, word), _draw_to(shoe, place + ONE, word >> SHARE)
            third = _draw_to(shoe, place + TWO, word >> SHARE * TWO)
            fourth = _draw_to(shoe, place + THREE, word >> SHARE * THREE)
            if first & second & third & fourth:
                place += FOUR
        out = np.uint64(0)
        for row in range(turn * seats, turn * seats + seats):
            for i in range(PLAYER_CARDS):
                players[np.uint64(row), i] = deck[out]
                out += ONE
        for i in range(DEALER_CARDS):
            dealer[np.uint64(turn), i] = deck[out]
            out += ONE
        deals.bonus[np.uint64(turn)] = deck[out]
    shoe.state[0], shoe.state[1], shoe.state[2], shoe.state[3] = a, b, c, d

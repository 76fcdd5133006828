"""Shuffle algorithm: a secret committed to in advance, the players' seeds, and the resulting deck order.

Nothing here is random. The same secret and seeds always give the same order. The fairness page of the
documents describes it so that anybody can implement it again.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count
from struct import Struct

from fourcard.cards import DECK, DECK_SIZE
from fourcard.house.commands import is_name
from fourcard.refusals import BadInputError

ALGORITHM = "fourcard-shuffle-1"
SECRET_BYTES = 32
"""As long as the hash, so nobody can find a secret by trying."""
MAX_SEED_LENGTH = 64
DRAW_RANGE = 1 << 32
"""The number of different values of a draw."""
HASH_BLOCK_BYTES = 64
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""HMAC's inner and outer pad of each key byte."""
BLOCK_NUMBERS = Struct(">8I")
"""A block of the stream as big-endian numbers."""
Seed = tuple[str, str]
"""A player's id and the text that the player chose."""


class FairnessError(BadInputError):
    """Invalid input for a shuffle; the message is one sentence."""


def commitment_of(secret: bytes) -> str:
    """Return the published commitment of a secret: its SHA-256, in hexadecimal.

    Only the secret is hashed, so any tool can check it. It need not name table and number, because a
    commitment is published under both, and 32 random bytes have no second secret with the same hash.
    """
    return sha256(_checked_secret(secret)).hexdigest()


def order_of(secret: bytes, table: str, number: int, seeds: Sequence[Seed]) -> tuple[int, ...]:
    """Return the deck order, top card first, of a table's shuffle."""
    return shuffle_deck(DECK, numbers_in(raw_bytes(secret, table, number, seeds)))


def raw_bytes(secret: bytes, table: str, number: int, seeds: Sequence[Seed]) -> Iterator[bytes]:
    """Return the endless random stream of a shuffle, in blocks of 32 bytes.

    Each block is the HMAC-SHA256 of the shuffle's message, a newline and the block number.
    """
    return _blocks(_checked_secret(secret), message_of(table, number, seeds) + b"\n")


def _blocks(secret: bytes, message: bytes) -> Iterator[bytes]:
    """Yield the HMAC-SHA256 of a message and each number; the common prefix is hashed only once."""
    key = secret.ljust(HASH_BLOCK_BYTES, b"\0")
    inner, outer = sha256(key.translate(INNER) + message), sha256(key.translate(OUTER))
    for number in count():
        told, block = inner.copy(), outer.copy()
        told.update(b"%d" % number)
        block.update(told.digest())
        yield block.digest()


def message_of(table: str, number: int, seeds: Sequence[Seed]) -> bytes:
    """Return the message of a shuffle, one line each: algorithm, table, number, and the seeds by player."""
    if not is_name(table):
        raise FairnessError(f"'{table}' is not a valid table name.")
    if number < 0:
        raise FairnessError(f"A shuffle's number is 0 or more, not {number}.")
    for player, seed in seeds:
        if not is_name(player):
            raise FairnessError(f"'{player}' is not a valid player name.")
        if not is_seed(seed):
            raise FairnessError(f"The seed of {player} is not 1 to {MAX_SEED_LENGTH} plain characters.")
    if len({player for player, _ in seeds}) < len(seeds):
        raise FairnessError("A player has more than one seed.")
    lines = [ALGORITHM, table, str(number), *(f"{player} {seed}" for player, seed in sorted(seeds))]
    return "\n".join(lines).encode()


def numbers_in(blocks: Iterable[bytes]) -> Iterator[int]:
    """Return the numbers from 0 to 2**32 - 1 that a stream of blocks holds."""
    return chain.from_iterable(map(BLOCK_NUMBERS.unpack, blocks))


def fair_bound(choices: int) -> int:
    """Return the largest multiple of ``choices`` up to 2**32; numbers below it are unbiased."""
    return DRAW_RANGE - DRAW_RANGE % choices


FAIR_BOUNDS = (0, *(fair_bound(choices) for choices in range(1, DECK_SIZE + 1)))


def shuffle_deck(deck: Sequence[int], numbers: Iterator[int]) -> tuple[int, ...]:
    """Return a deck after a Fisher-Yates shuffle from the last card to the first.

    A number at or above the bound is skipped, because it would favour low positions.
    """
    cards = list(deck)
    for place in range(len(cards) - 1, 0, -1):
        choices = place + 1
        number = next(numbers)
        while number >= FAIR_BOUNDS[choices]:
            number = next(numbers)
        chosen = number % choices
        cards[place], cards[chosen] = cards[chosen], cards[place]
    return tuple(cards)


def is_seed(text: str) -> bool:
    """Say whether a text is a valid seed: 1 to 64 printable ASCII characters, no space at either end."""
    plain = text.isascii() and text.isprintable()
    return plain and 1 <= len(text) <= MAX_SEED_LENGTH and text == text.strip()


def _checked_secret(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise FairnessError(f"A secret has {SECRET_BYTES} bytes, not {len(secret)}.")
    return secret

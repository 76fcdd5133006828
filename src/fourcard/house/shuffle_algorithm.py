"""Shuffle algorithm: a secret committed to in advance, the players' seeds, and the resulting deck order.

Nothing here is random. The same secret, seeds and round always give the same order. The fairness page of the
documents describes it so that anybody can implement it again.

Shuffles of the first algorithm, which journals of 0.1 hold, have no round and no withheld seeds. Their seeds
were known to the house before its commitment, so they prove only that the house kept to its commitment.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, count
from struct import Struct

import msgspec

from fourcard.cards import DECK, DECK_SIZE
from fourcard.house.commands import is_name
from fourcard.refusals import BadInputError

ALGORITHM = "fourcard-shuffle-2"
FIRST_ALGORITHM = "fourcard-shuffle-1"
SEED_HASH_LABEL = "fourcard-seed"
"""The first line of what the hash of a seed covers."""
SECRET_BYTES = 32
"""As long as the hash, so nobody can find a secret by trying."""
MIN_SEED_LENGTH = 16
"""A shorter seed could be found from its hash by trying."""
MAX_SEED_LENGTH = 64
DRAW_RANGE = 1 << 32
"""The number of different values of a draw."""
HASH_BLOCK_BYTES = 64
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""HMAC's inner and outer pad of each key byte."""
BLOCK_NUMBERS = Struct(">8I")
"""A block of the stream as big-endian numbers."""
Seed = tuple[str, str]
"""A player's id and the text that the player chose, or the hash of a seed that was withheld."""
SEED_HASH = re.compile(r"[0-9a-f]{64}")


class FairnessError(BadInputError):
    """Invalid input for a shuffle; the message is one sentence."""


def commitment_of(secret: bytes) -> str:
    """Return the published commitment of a secret: its SHA-256, in hexadecimal.

    Only the secret is hashed, so any tool can check it. It need not name table and number, because a
    commitment is published under both, and 32 random bytes have no second secret with the same hash.
    """
    return sha256(_checked_secret(secret)).hexdigest()


def seed_hash(table: str, number: int, player: str, seed: str) -> str:
    """Return the hash by which a player commits to a seed for one shuffle: the SHA-256 of five lines."""
    lines = (SEED_HASH_LABEL, table, str(number), player, seed)
    return sha256("\n".join(lines).encode()).hexdigest()


class ShuffleInput(msgspec.Struct, frozen=True):
    """What the order of a deck depends on besides the secret."""

    table: str
    number: int
    """The number of the shuffle at its table."""
    seeds: tuple[Seed, ...] = ()
    round: int | None = None
    """The number of the round; None means the first algorithm."""
    withheld: tuple[Seed, ...] = ()
    """Players who did not reveal their seed in time, each with its hash."""


def order_of(secret: bytes, shuffle: ShuffleInput) -> tuple[int, ...]:
    """Return the deck order, top card first, that a secret gives a shuffle."""
    return shuffle_deck(DECK, numbers_in(raw_bytes(secret, shuffle)))


def raw_bytes(secret: bytes, shuffle: ShuffleInput) -> Iterator[bytes]:
    """Return the endless random stream of a shuffle, in blocks of 32 bytes.

    Each block is the HMAC-SHA256 of the shuffle's message, a newline and the block number.
    """
    return _blocks(_checked_secret(secret), message_of(shuffle) + b"\n")


def _blocks(secret: bytes, message: bytes) -> Iterator[bytes]:
    """Yield the HMAC-SHA256 of a message and each number; the common prefix is hashed only once."""
    key = secret.ljust(HASH_BLOCK_BYTES, b"\0")
    inner, outer = sha256(key.translate(INNER) + message), sha256(key.translate(OUTER))
    for number in count():
        told, block = inner.copy(), outer.copy()
        told.update(b"%d" % number)
        block.update(told.digest())
        yield block.digest()


def message_of(shuffle: ShuffleInput) -> bytes:
    """Return the message of a shuffle, one line each: algorithm, table, number, round, and seeds by player.

    The first algorithm has no round, no word before a seed, and no withheld seeds.
    """
    table, number, seeds = shuffle.table, shuffle.number, shuffle.seeds
    if not is_name(table):
        raise FairnessError(f"'{table}' is not a valid table name.")
    if number < 0:
        raise FairnessError(f"A shuffle's number is 0 or more, not {number}.")
    _check_seeds(seeds, shuffle.withheld, 1 if shuffle.round is None else MIN_SEED_LENGTH)
    if shuffle.round is None:
        told = (f"{player} {seed}" for player, seed in sorted(seeds))
        return "\n".join([FIRST_ALGORITHM, table, str(number), *told]).encode()
    if shuffle.round < 1:
        raise FairnessError(f"A round's number is 1 or more, not {shuffle.round}.")
    said = [(player, "seed", seed) for player, seed in seeds]
    said += [(player, "withheld", hash_) for player, hash_ in shuffle.withheld]
    told = (f"{word} {player} {text}" for player, word, text in sorted(said))
    return "\n".join([ALGORITHM, table, str(number), str(shuffle.round), *told]).encode()


def _check_seeds(seeds: Sequence[Seed], withheld: Sequence[Seed], least: int) -> None:
    """Refuse seeds that no shuffle can use."""
    for player, _ in (*seeds, *withheld):
        if not is_name(player):
            raise FairnessError(f"'{player}' is not a valid player name.")
    for player, seed in seeds:
        if not is_seed(seed, least):
            raise FairnessError(f"The seed of {player} is not {least} to {MAX_SEED_LENGTH} plain characters.")
    if any(not is_seed_hash(hash_) for _, hash_ in withheld):
        raise FairnessError("The hash of a withheld seed is not 64 hexadecimal digits.")
    if len({player for player, _ in (*seeds, *withheld)}) < len(seeds) + len(withheld):
        raise FairnessError("A player has more than one seed.")


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


def is_seed(text: str, least: int = 1) -> bool:
    """Say whether a text is a valid seed: ``least`` to 64 printable ASCII characters, trimmed."""
    plain = text.isascii() and text.isprintable()
    return plain and least <= len(text) <= MAX_SEED_LENGTH and text == text.strip()


def is_seed_hash(text: str) -> bool:
    """Say whether a text is the hash of a seed: 64 hexadecimal digits."""
    return SEED_HASH.fullmatch(text) is not None


def _checked_secret(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise FairnessError(f"A secret has {SECRET_BYTES} bytes, not {len(secret)}.")
    return secret

"""Cards: an int from 0 to 51, its two characters, and the deck of 52.

A card is ``4 * rank + suit``: rank 0 is the two and 12 the ace (MA-3a.1, MD-06A.0, IA-RANK-1.1); suits are
club, diamond, heart and spade (MA-1-SUIT, IA-DEF-8). Suits never decide a hand (MA-3a.2, MD-06B,
IA-RANK-1.2); their order serves only to list cards the same way every time: s, h, d, c.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fourcard.refusals import BadInputError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
DECK_SIZE = len(RANKS) * len(SUITS)
DECK = tuple(range(DECK_SIZE))
"""One ordinary deck in its order (SM-INT-1, WA-INT-1, IA-CARD-1.1)."""
DECK_SET = frozenset(DECK)
_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)
_BY_TEXT = {text: card for card, text in enumerate(_TEXTS)}


if TYPE_CHECKING:
    CardInput = int
    CardsInput = tuple[int, ...]
else:
    CardInput = int | str
    CardsInput = tuple[CardInput, ...] | str
"""Cards as input: numbers or text; the receiver keeps the numbers."""


class CardsError(BadInputError):
    """Input that is not a set of distinct cards."""


class UnknownCardError(CardsError):
    """Text that does not name a card."""


class RepeatedCardError(CardsError):
    """The same card appears twice."""


class CardCountError(CardsError):
    """Too few or too many cards."""


def rank_of(card: int) -> int:
    """Return 0 for a two up to 12 for an ace."""
    return card >> 2


def suit_of(card: int) -> int:
    """Return the index of the card's suit in ``SUITS``."""
    return card & 3


def card_text(card: int) -> str:
    """Return the two characters of a card, such as ``Td``."""
    return _TEXTS[card]


def cards_text(cards: Iterable[int]) -> str:
    """Return cards as text in their order, such as ``As Td 2c``."""
    return " ".join([_TEXTS[card] for card in cards])


def parse_card(text: str) -> int:
    """Return the card that two characters name, or raise."""
    card = _BY_TEXT.get(text[:1].upper() + text[1:].lower())
    if card is None:
        raise UnknownCardError(
            f"{text!r} is not a card; write a rank of {RANKS} and a suit of {SUITS}, such as As or Td."
        )
    return card


def parse_cards(text: str, counts: Iterable[int] | None = None) -> tuple[int, ...]:
    """Return the distinct cards of a text like ``As Ah Kd``, if their number is in ``counts``."""
    return distinct(cards_named(text), counts)


def cards_named(text: str) -> tuple[int, ...]:
    """Return the cards that a text names, duplicates included."""
    try:
        return tuple([_BY_TEXT[word] for word in text.split()])
    except KeyError:
        return tuple(parse_card(word) for word in text.replace(",", " ").split())


def card_number(card: int | str) -> int:
    """Return the number of a card given as a number or as two characters."""
    return parse_card(card) if isinstance(card, str) else card


def card_numbers(cards: Iterable[int | str] | str) -> tuple[int, ...]:
    """Return the numbers of cards given one by one or as one text such as ``As Td``."""
    if isinstance(cards, str):
        return cards_named(cards)
    return tuple([parse_card(card) if isinstance(card, str) else card for card in cards])


def distinct(cards: Iterable[int], counts: Iterable[int] | None = None) -> tuple[int, ...]:
    """Return the cards as a tuple; raise if one is invalid or repeated, or if their number is not allowed."""
    found = tuple(cards)
    if len(set(found)) < len(found) or not DECK_SET.issuperset(found):
        raise _card_error(found)
    if counts is not None and len(found) not in (allowed := tuple(counts)):
        wanted = " or ".join(map(str, allowed))
        given = "1 card was" if len(found) == 1 else f"{len(found)} cards were"
        raise CardCountError(f"{given} given where {wanted} are needed.")
    return found


def _card_error(cards: tuple[int, ...]) -> CardsError:
    """Return the error for the first invalid or repeated card."""
    for index, card in enumerate(cards):
        if card not in DECK_SET:
            return UnknownCardError(f"{card} is not a card; a card is a number from 0 to {DECK_SIZE - 1}.")
        if card in cards[:index]:
            return RepeatedCardError(f"The card {card_text(card)} appears more than once.")
    raise AssertionError("the cards are distinct")

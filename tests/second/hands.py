"""Second hand ranking: slow and simple; it tries every choice of cards and takes the best."""

from collections.abc import Sequence
from itertools import combinations

import msgspec

RANKS = "23456789TJQKA"
SUITS = "shdc"
SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
ACE = 14
FOUR_CARD_ORDER = (  # MA-3b.0, IA-RANK-2.0: low to high
    "high_card",
    "pair",
    "two_pair",
    "straight",
    "flush",
    "three_of_a_kind",
    "straight_flush",
    "four_of_a_kind",
)
FIVE_CARD_ORDER = (  # MD-06F, R8: low to high
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)


class SecondHand(msgspec.Struct, frozen=True):
    """A category, a strength that compares with other hands of its size, and the cards that play."""

    category: str
    strength: tuple[int, ...]
    cards: tuple[str, ...]


def cards_of(text: str) -> list[str]:
    """Return the cards of a text such as "As Td 2c"."""
    return text.split()


def rank_of(card: str) -> int:
    """Return the rank of a card, 2 to 14, aces high."""
    return RANKS.index(card[0]) + 2


def _suit_place(card: str) -> int:
    return SUITS.index(card[1])


def _one_suit(cards: Sequence[str]) -> bool:
    return len({card[1] for card in cards}) == 1


def _run(cards: Sequence[str], low_ace: bool = True) -> list[str] | None:
    """Return a straight in descending order, a low ace last; no wrap-around (R23)."""
    falling = sorted(cards, key=rank_of, reverse=True)
    ranks = [rank_of(card) for card in falling]
    if ranks == list(range(ranks[0], ranks[0] - len(ranks), -1)):
        return falling
    if low_ace and ranks == [ACE, *range(len(ranks), 1, -1)]:
        return [*falling[1:], falling[0]]
    return None


def _by_importance(cards: Sequence[str]) -> list[str]:
    """List larger groups first, then higher ranks, then suits s, h, d, c."""
    ranks = [rank_of(card) for card in cards]
    return sorted(cards, key=lambda card: (-ranks.count(rank_of(card)), -rank_of(card), _suit_place(card)))


def _counts(cards: Sequence[str]) -> list[int]:
    ranks = [rank_of(card) for card in cards]
    return sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)


def _four_card_category(cards: Sequence[str]) -> str:
    run, suited, counts = _run(cards), _one_suit(cards), _counts(cards)
    if counts == [4]:
        return "four_of_a_kind"
    if run and suited:
        return "straight_flush"
    if counts == [3, 1]:
        return "three_of_a_kind"
    if suited:
        return "flush"
    if run:
        return "straight"
    return {(2, 2): "two_pair", (2, 1, 1): "pair"}.get(tuple(counts), "high_card")


def four_card_hand(cards: Sequence[str]) -> SecondHand:
    """Rank exactly four cards: category, then rank within it, then kickers (R20); suits are equal."""
    category = _four_card_category(cards)
    played = (_run(cards) if "straight" in category else None) or _by_importance(cards)
    ranks = [rank_of(card) for card in played]
    if ranks[0] < ACE and ranks[-1] == ACE and "straight" in category:
        ranks[-1] = 1
    return SecondHand(category, (FOUR_CARD_ORDER.index(category), *ranks), tuple(played))


def best_four(cards: Sequence[str]) -> SecondHand:
    """Return the best four of the cards; among equals the one whose suits come first in s, h, d, c."""
    hands = [four_card_hand(choice) for choice in combinations(cards, 4)]
    strongest = max(hand.strength for hand in hands)
    equals = [hand for hand in hands if hand.strength == strongest]
    return min(equals, key=lambda hand: [_suit_place(card) for card in hand.cards])


def _five_card_category(cards: Sequence[str], low_ace: bool) -> str:
    run, suited, counts = _run(cards, low_ace), _one_suit(cards), tuple(_counts(cards))
    if run and suited:
        return "royal_flush" if [card[0] for card in run] == list("AKQJT") else "straight_flush"
    if suited:
        return "flush"
    if run:
        return "straight"
    grouped = {
        (4, 1): "four_of_a_kind",
        (3, 2): "full_house",
        (3, 1, 1): "three_of_a_kind",
        (2, 2, 1): "two_pair",
        (2, 1, 1, 1): "pair",
    }
    return grouped.get(counts, "high_card")


def best_five(cards: Sequence[str], low_ace: bool = True) -> str:
    """Name the best five of five or six cards; low_ace says whether 5-4-3-2-A is a straight (R28)."""
    categories = [_five_card_category(choice, low_ace) for choice in combinations(cards, 5)]
    return max(categories, key=FIVE_CARD_ORDER.index)


def super_royal(cards: Sequence[str]) -> str | None:
    """Return the suit of six cards that are A-K-Q-J-10-9 of one suit, otherwise None (MD-06F8)."""
    if _one_suit(cards) and {card[0] for card in cards} == set("AKQJT9"):
        return SUIT_NAMES[cards[0][1]]
    return None


def rows_four(hand: SecondHand) -> list[str]:
    """List the rows of a four-card paytable that could pay a hand, the most specific first."""
    aces = hand.cards[0][0] == hand.cards[1][0] == "A"
    if hand.category == "four_of_a_kind" and aces:
        return ["four_aces", "four_of_a_kind"]
    if hand.category == "pair" and aces:
        return ["pair_of_aces", "pair"]
    return [hand.category]


def rows_cover_all(hand: SecondHand) -> list[str]:
    """List the rows of the Cover All matrix for a hand: its royal flush is suited A-K-Q-J (R25)."""
    royal = hand.category == "straight_flush" and hand.cards[0][0] == "A"
    return ["royal_flush"] if royal else rows_four(hand)

"""Cards for the kit's rounds: named hands, and what else is dealt, the same for the same id for ever.

Suits are exchanged and cards mixed by the round's id, so that no two rounds look alike. Hands are judged by
the slow second ranking of the tests, never by the engine.
"""

from collections.abc import Callable, Sequence
from random import Random

from tests.second.hands import (
    FOUR_CARD_ORDER,
    RANKS,
    SUITS,
    best_five,
    best_four,
    rows_cover_all,
    rows_four,
)

Fits = Callable[[Sequence[str]], bool]
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
FIVE_CARDS, SIX_CARDS = 5, 6
MAX_TRIES = 20_000
WEAK = ("high_card", "pair")

FOUR_CARD_HANDS: dict[str, tuple[str, ...]] = {
    "four_aces": ("As Ah Ad Ac",),
    "four_of_a_kind": ("9s 9h 9d 9c", "2s 2h 2d 2c", "Ks Kh Kd Kc"),
    "royal_flush": ("As Ks Qs Js",),
    "straight_flush": ("8s 7s 6s 5s", "4s 3s 2s As", "Ks Qs Js Ts", "6s 5s 4s 3s 2s"),
    "three_of_a_kind": ("As Ah Ad", "7s 7h 7d", "2s 2h 2d", "Ks Kh Kd 4s 4h"),
    "flush": ("As Ks 9s 4s", "7s 5s 3s 2s", "Qs Ts 8s 6s 3s"),
    "straight": ("As Kh Qd Jc", "4s 3h 2d Ac", "9s 8h 7d 6c", "Ts 9h 8d 7c 6s"),
    "two_pair": ("As Ah 2d 2c", "3s 3h 2d 2c", "Qs Qh Jd Jc"),
    "pair_of_aces": ("As Ah",),
}
"""Cards that make each row of a four-card table; what is missing to a whole hand changes nothing."""
FIVE_CARD_HANDS: dict[str, tuple[str, ...]] = {
    "royal_flush": ("As Ks Qs Js Ts",),
    "straight_flush": ("9s 8s 7s 6s 5s", "5s 4s 3s 2s As", "Ks Qs Js Ts 9s"),
    "four_of_a_kind": ("As Ah Ad Ac", "6s 6h 6d 6c"),
    "full_house": ("As Ah Ad Ks Kh", "3s 3h 3d 2s 2h"),
    "flush": ("As Ks Qs Js 9s", "7s 5s 4s 3s 2s"),
    "straight": ("As Kh Qd Jc Ts", "5s 4h 3d 2c As", "Ts 9h 8d 7c 6s"),
    "three_of_a_kind": ("As Ah Ad", "2s 2h 2d"),
}
JUST_BELOW: dict[str, str] = {
    "pair_of_aces": "Ks Kh Ad Qc 9s",
    "two_pair": "As Ah Kd Qc 9s",
    "flush": "As Kh Qd Jc 9s",
    "three_of_a_kind": "As Ks Qs Ts 9d",
    "straight_flush": "As Ah Ad Kc Qs",
    "four_of_a_kind": "As Ks Qs Js 9d",
}
"""The best hand that is under a four-card row: a strong one that must lose."""
FIVE_JUST_BELOW = {"three_of_a_kind": "As Ah Kd Kc Qs", "straight_flush": "As Ah Ad Ac Ks"}


class KitDeal:
    """The cards of one round; every card is given once."""

    def __init__(self, key: str, *, suits: str | None = None) -> None:
        """Begin with a whole deck; suits may be kept where a round is about one."""
        self.chance = Random(key)
        mixed = suits or "".join(self.mixed(SUITS))
        self.suit = dict(zip(SUITS, mixed, strict=True))
        self.used: set[str] = set()

    def mixed(self, items: Sequence[str]) -> list[str]:
        """Return items in an order that only the key decides."""
        return sorted(items, key=lambda _: self.chance.random())

    def pick(self, items: Sequence[str]) -> str:
        """Return one of some items."""
        return items[int(self.chance.random() * len(items))]

    def named(self, text: str) -> list[str]:
        """Take named cards, their suits exchanged, out of the deck."""
        cards = [card[0] + self.suit[card[1]] for card in text.split()]
        if len({*cards}) < len(cards) or self.used & {*cards}:
            raise ValueError(f"{text} is not left in the deck")
        self.used |= {*cards}
        return cards

    def completed(self, cards: Sequence[str], size: int, fits: Fits) -> str:
        """Add cards until the hand is whole and fits, and mix it."""
        missing = size - len(cards)
        for _ in range(MAX_TRIES):
            rest = self.mixed([card for card in DECK if card not in self.used])[:missing]
            if fits([*cards, *rest]):
                self.used |= {*rest}
                return " ".join(self.mixed([*cards, *rest]))
        raise ValueError(f"no hand of {size} with {' '.join(cards)} fits")

    def hand(self, text: str, size: int = FIVE_CARDS, fits: Fits | None = None) -> str:
        """Return a whole hand around named cards, by default one whose best four are no better than they."""
        cards = self.named(text)
        return self.completed(cards, size, fits or best_is(cards))

    def dealer(self, fits: Fits | None = None) -> str:
        """Return the dealer's six."""
        return self.completed([], SIX_CARDS, fits or anything)

    def weak(self, size: int = FIVE_CARDS) -> str:
        """Return a hand that wins nothing but perhaps the contest: no pair of aces and no better."""
        return self.completed([], size, weak)


def anything(cards: Sequence[str]) -> bool:
    """Let every hand fit."""
    return bool(cards)


def weak(cards: Sequence[str]) -> bool:
    """Let hands under a pair of aces fit."""
    best = best_four(cards)
    return best.category in WEAK and "pair_of_aces" not in rows_four(best)


def weak_with(bonus_card: str) -> Fits:
    """Let weak hands fit that the bonus card does not help to three of a kind or better."""
    return lambda cards: weak(cards) and best_five([*cards, bonus_card]) in (*WEAK, "two_pair")


def best_is(named: Sequence[str]) -> Fits:
    """Let hands fit whose best four are worth what the named cards alone are."""
    if len(named) < 4:
        return lambda cards: _row(cards) == _row_of_few(named)
    strength = best_four(named).strength
    return lambda cards: best_four(cards).strength == strength


def same_kind(named: Sequence[str]) -> Fits:
    """Let hands fit that are of the category of four or more named cards."""
    category = best_four(named).category
    return lambda cards: best_four(cards).category == category


def wins(row: str, *, cover_all: bool = False) -> Fits:
    """Let hands fit whose most special row in a four-card table is this one."""
    rows = rows_cover_all if cover_all else rows_four
    return lambda cards: rows(best_four(cards))[0] == row


def wins_five(row: str) -> Fits:
    """Let five or six cards fit whose best five are of this category."""
    return lambda cards: best_five(cards) == row


def below(hand: str, least: str = "high_card") -> Fits:
    """Let hands fit that the given one beats, of one category or better."""
    strength, floor = best_four(hand.split()).strength, FOUR_CARD_ORDER.index(least)
    return lambda cards: floor <= best_four(cards).strength[0] and best_four(cards).strength < strength


def above(hand: str) -> Fits:
    """Let hands fit that beat the given one."""
    strength = best_four(hand.split()).strength
    return lambda cards: best_four(cards).strength > strength


def _row(cards: Sequence[str]) -> str:
    return rows_four(best_four(cards))[0]


def _row_of_few(named: Sequence[str]) -> str:
    """Name what two or three cards of one rank are."""
    if len(named) == 3:
        return "three_of_a_kind"
    return "pair_of_aces" if named[0][0] == "A" else "pair"

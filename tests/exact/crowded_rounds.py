"""Random rounds with several straight flushes: with one meter, with Super Royals, and with Cover All."""

from random import Random
from typing import Any

from tests.second.hands import RANKS, SUITS

Line = dict[str, Any]
ROYAL = "AKQJT"


def crowded_round(chance: Random, number: int) -> Line:
    """Return a round of Maryland's table C in which two to four seats hold a five-card straight flush."""
    runs = [*[ROYAL] * 6, *(RANKS[start : start + 5] for start in range(8))]
    suits = chance.sample(SUITS, chance.randint(2, 4))
    hands = [[rank + suit for rank in chance.choice(runs)] for suit in suits]
    dealt = {card for hand in hands for card in hand}
    rest = [rank + suit for rank in RANKS for suit in SUITS if rank + suit not in dealt]
    bonus = chance.choice([card for card in rest if card[0] == "9"] or rest)
    rest.remove(bonus)
    if chance.random() < 0.7:
        chance.shuffle(rest)
    hands += [[rest.pop() for _ in range(5)] for _ in range(chance.randint(0, 7 - len(hands)))]
    chance.shuffle(hands)
    seats = enumerate(hands, chance.randint(1, 8 - len(hands)))
    return {
        "id": f"crowded-{number}",
        "rulebook": "maryland",
        "options": {
            "aces_up": "A",
            "six_card": chance.choice("AB"),
            "progressive": "C",
            "envy": chance.choice(("C", "C-royal")),
            "fixed_awards": chance.choice(("tray", "meter")),
        },
        "settings": {"part_share_from": chance.choice(("meter", "tray"))},
        "seats": [_seat(chance, *each) for each in seats],
        "dealer": " ".join(rest.pop() for _ in range(6)),
        "bonus_card": bonus,
        "meter": chance.choice((0, 9, 10, 99_999, chance.randint(1, 9_999_999))),
        "reset": chance.choice((0, 1, 1_000_000, chance.randint(1, 5_000_000))),
    }


def covered_round(chance: Random, number: int) -> Line:
    """Return such a round in Massachusetts with Cover All, with varying highest hands."""
    dealt = crowded_round(chance, number)
    seats = dealt["seats"][:6]
    for seat in seats:
        seat.pop("left", None)
        stakes = {"ante": 1_000, "aces_up": 500, "cover_all": 100}
        seat["wagers"] = {
            name: stake for name, stake in stakes.items() if name == "ante" or chance.random() < 0.7
        }
    return {
        "id": f"covered-{number}",
        "rulebook": "massachusetts",
        "options": {
            "aces_up": "I",
            "cover_all": "matrix",
            "routine": chance.choice(("by-player", "by-procedure")),
        },
        "seats": seats,
        "dealer": dealt["dealer"],
    }


def _seat(chance: Random, position: int, hand: list[str]) -> Line:
    cards = " ".join(chance.sample(hand, len(hand)))
    wagers = {"ante": 1_000, "aces_up": 500, "six_card": 100, "progressive": chance.choice((100, 500))}
    seat = {"position": position, "cards": cards, "wagers": wagers, "play": chance.choice((0, 1_000, 3_000))}
    return seat | ({"left": True} if chance.random() < 0.1 else {})

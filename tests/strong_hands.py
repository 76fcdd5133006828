"""Decks that deal rare hands: what pays an award of the meter, Envy, a Super Royal, a bonus or a bad beat."""

from collections.abc import Iterable
from random import Random

from fourcard.cards import DECK
from fourcard.dealing import BONUS, plan, stacked
from fourcard.rules.game import Game
from fourcard.rules.procedures import DealingMethod
from fourcard.wagers.showdown import DEALER

ACE, ROYAL_LOW, NINE = 12, 8, 7
JACKPOTS = ("four_aces", "royal_flush", "straight_flush_of_five")
PATTERNS = (
    "four_of_a_kind",
    "straight_flush",
    "full_house",
    "three_of_a_kind",
    "flush",
    "straight",
    "two_pair",
    "pair_of_aces",
)


def _card(rank: int, suit: int) -> int:
    return 4 * rank + suit


def _alike(chance: Random, *groups: tuple[int, int]) -> list[int]:
    """Return so many cards of each rank."""
    return [_card(rank, suit) for rank, many in groups for suit in chance.sample(range(4), many)]


def pattern(chance: Random, name: str) -> list[int]:
    """Return the cards that make a hand what it is, of any ranks and suits."""
    suit, one, two = chance.randrange(4), *chance.sample(range(13), 2)
    low = chance.randrange(9)
    alike = {
        "four_aces": ((ACE, 4),),
        "four_of_a_kind": ((one, 4),),
        "full_house": ((one, 3), (two, 2)),
        "three_of_a_kind": ((one, 3),),
        "two_pair": ((one, 2), (two, 2)),
        "pair_of_aces": ((ACE, 2),),
    }
    if name in alike:
        return _alike(chance, *alike[name])
    if name == "straight":
        return [_card(low + more, chance.randrange(4)) for more in range(4)]
    ranks = {
        "royal_flush": range(ROYAL_LOW, ACE + 1),
        "straight_flush_of_five": range(low, low + 5),
        "straight_flush": range(low, low + 4),
    }
    return [_card(rank, suit) for rank in ranks.get(name, chance.sample(range(13), 4))]


def strong_hands(chance: Random, places: Iterable[int], *, bonus: bool) -> dict[int, list[int]]:
    """Return hands for some of the places and the dealer, no card twice; now and then a Super Royal's six."""
    known: dict[int, list[int]] = {}
    for place in [*places, DEALER]:
        names = chance.choice((PATTERNS, JACKPOTS))
        wanted = pattern(chance, chance.choice(names)) if chance.random() < 0.7 else []
        if not {card for cards in known.values() for card in cards} & {*wanted}:
            known[place] = wanted
    royal = next((cards for cards in known.values() if cards[:1] and len({*cards}) == 5), [])
    ninth = _card(NINE, royal[0] % 4) if royal else 0
    if bonus and royal and not any(ninth in cards for cards in known.values()):
        known[BONUS] = [ninth]
    return known


def strong_deck(
    game: Game, seats: Iterable[int], chance: Random, method: DealingMethod | None = None
) -> tuple[int, ...]:
    """Return a deck that deals such hands to these positions, the other cards in any order."""
    deal = plan(game, seats, method)
    known = strong_hands(chance, seats, bonus=any(move.to == BONUS for move in deal.moves))
    used = {card for cards in known.values() for card in cards}
    rest = [card for card in DECK if card not in used]
    chance.shuffle(rest)
    return stacked(deal, known, rest)

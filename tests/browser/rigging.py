"""A seed with which a player is dealt a wanted hand, found by somebody who knows the house's secret.

Nothing is changed in the house: a test reads the secret of the next shuffle out of the file, which nobody
outside can, and looks for a seed whose shuffle deals the hand. The proof of the round holds all the same.
"""

import sqlite3
from collections.abc import Callable, Collection, Sequence
from itertools import count
from pathlib import Path

from fourcard.cards import parse_card, rank_of, suit_of
from fourcard.dealing import plan
from fourcard.house.fairness import order_of
from fourcard.house.outcome import table_stream
from fourcard.rules.game import Game

ACE = rank_of(parse_card("As"))
Wanted = Callable[[Sequence[int]], bool]


def next_secret(database: Path, table: str) -> tuple[int, bytes]:
    """Return the number and the secret of a table's shuffle that has not been made yet."""
    asked = "SELECT number, secret FROM secrets WHERE stream = ? ORDER BY number DESC LIMIT 1"
    house = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        number, secret = house.execute(asked, (table_stream(table),)).fetchone()
    finally:
        house.close()
    return number, secret


def lucky_seed(
    database: Path, table: str, game: Game, player: str, positions: Collection[int], own: int, wanted: Wanted
) -> str:
    """Return a seed of a player's with which a wanted hand comes to a position out of the next shuffle."""
    number, secret = next_secret(database, table)
    places = places_of(game, positions, own)
    for attempt in count():
        seed = f"lucky {attempt}"
        order = order_of(secret, table, number, ((player, seed),))
        if wanted([order[place] for place in places]):
            return seed
    raise AssertionError


def is_straight_flush(cards: Sequence[int]) -> bool:
    """Say whether a hand wins a tenth of the meter: a royal flush, which wins all of it, is another hand."""
    ranks = {rank_of(card) for card in cards}
    in_sequence = max(ranks) - min(ranks) == len(cards) - 1
    return in_sequence and max(ranks) != ACE and len({suit_of(card) for card in cards}) == 1


def places_of(game: Game, positions: Collection[int], own: int) -> list[int]:
    """Return where in the deck the cards lie that a position is dealt."""
    places, dealt = list[int](), 0
    for move in plan(game, positions).moves:
        if move.name == "deal":
            places += range(dealt, dealt + move.count) if move.to == own else ()
            dealt += move.count
    return places

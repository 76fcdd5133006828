"""The physical deck of a table whose cards are keyed in: it mostly deals rare hands."""

from random import Random

from fourcard.cards import DECK
from fourcard.round.delivering import upcoming
from fourcard.round.state import RoundState
from fourcard.table.state import TableState
from tests.strong_hands import strong_deck


class KeyedCards:
    """A deck for every round, made when it is known who is dealt in."""

    def __init__(self, chance: Random) -> None:
        """Begin without a deck."""
        self.chance = chance
        self._deck: tuple[int, tuple[int, ...], list[int]] = (-1, (), [])

    def next(self, state: TableState, under_way: RoundState) -> tuple[int, ...]:
        """Return the next cards."""
        dealt_in = under_way.dealt_in
        if self._deck[:2] != (state.number, dealt_in):
            order = list(DECK)
            self.chance.shuffle(order)
            if self.chance.random() < 0.75 and dealt_in:
                order = [*strong_deck(state.game, dealt_in, self.chance, state.method)]
            self._deck = (state.number, dealt_in, order)
        left = [card for card in self._deck[2] if card not in under_way.seen]
        return tuple(left[: upcoming(under_way).count])

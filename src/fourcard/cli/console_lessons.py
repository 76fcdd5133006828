"""Practice decks: stacked games in which every row of a paytable wins, far more often than by chance."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from random import Random

import msgspec

from fourcard.bonus_hands import rank_five
from fourcard.cards import DECK
from fourcard.errors import BadInputError
from fourcard.hands import best_hand
from fourcard.money import Odds, OddsKind
from fourcard.rules.game import Game
from fourcard.wagers.showdown import DEALER
from fourcard.wagers.wager import highest, odds_by_row

HAND, DEALERS, RANKS, ACE = 5, 6, 13, 12
ENOUGH = 10_000
"""The most draws to make a wanted hand."""


class Lesson(msgspec.Struct, frozen=True):
    """One practice game: the cards of each position, the dealer's at 0, and the positions with a chip."""

    hands: Mapping[int, Sequence[int]]
    chips: frozenset[int]


class Lessons:
    """Makes practice games for one paytable and some positions."""

    def __init__(self, game: Game, seats: Sequence[int], chance: Random) -> None:
        """Take the game, the occupied positions, and a random generator."""
        table = game.tables["progressive"]
        self.pays: dict[str, Odds] = odds_by_row(table)
        self.judged = table.cards
        """The number of cards in a hand of the paytable."""
        self.seats, self.chance = tuple(seats), chance

    def games(self) -> Iterator[Lesson]:
        """Yield games without end: first every kind in order of difficulty, then in random order."""
        kinds = self.kinds()
        while True:
            yield from map(self.lesson, kinds)
            self.chance.shuffle(kinds)

    def kinds(self) -> list[tuple[str, ...]]:
        """Return the kinds of games, each as the rows that win in it."""
        meter = [row for row, odds in self.pays.items() if odds.kind is OddsKind.METER]
        fixed = [row for row in self.pays if row not in meter]
        whole = [row for row in meter if self.pays[row].value == 1]
        alone = [(row,) for row in (*fixed[-1:], *fixed[:1], *(row for row in meter if row not in whole))]
        two = [(whole[0], fixed[0]) if whole and fixed else (*self.pays,)[:2]]
        return [*dict.fromkeys([*alone[:1], (), *alone[1:], *two, *((row,) for row in whole)])]

    def lesson(self, rows: Sequence[str]) -> Lesson:
        """Return a game in which these rows win; one position never has a chip."""
        places = self.chance.sample(self.seats, len(self.seats))
        idle, *others = places
        used, hands = set[int](), dict[int, tuple[int, ...]]()
        for place, row in zip(others, rows, strict=False):
            hands[place] = self._drawn(row, used)
        tempting = [*self.pays][-1] if not rows else None
        for place in (idle, *others[len(rows) :], DEALER):
            hands[place] = self._drawn(tempting if place == idle else None, used, place)
        return Lesson(hands, frozenset(others))

    def _drawn(self, row: str | None, used: set[int], place: int = 1) -> tuple[int, ...]:
        """Draw a hand that wins exactly this row, or no row, from the remaining cards."""
        size = DEALERS if place == DEALER else HAND
        for _ in range(ENOUGH):
            made = self._made(row) if row is not None else []
            left = [card for card in DECK if card not in used and card not in made]
            cards = (*made, *self.chance.sample(left, size - len(made)))
            fits = len({*cards}) == size and used.isdisjoint(cards)
            if fits and (place == DEALER or self._row(cards) == row):
                used.update(cards)
                return cards
        hand = "no award" if row is None else row.replace("_", " ")
        raise BadInputError(f"No hand for {hand} can be dealt with this paytable, so it cannot be practised.")

    def _row(self, cards: Sequence[int]) -> str | None:
        """Return the row that cards win."""
        rows = rank_five(cards).rows if self.judged == HAND else best_hand(cards).rows
        return highest(self.pays, rows)

    def _made(self, row: str) -> list[int]:
        """Return cards that probably make a row; the caller checks them."""
        one, two = self.chance.sample(range(ACE), 2)
        top = RANKS - self.judged
        low = top if row == "royal_flush" else self.chance.randrange(top + 1)
        if row.endswith(("straight", "straight_flush", "royal_flush")):
            return self._run(low, suited=row != "straight")
        if row == "flush":
            suit = self.chance.randrange(4)
            return [4 * rank + suit for rank in self.chance.sample(range(RANKS), self.judged)]
        groups = {
            "four_aces": ((ACE, 4),),
            "four_of_a_kind": ((one, 4),),
            "full_house": ((one, 3), (two, 2)),
            "three_of_a_kind": ((one, 3),),
            "two_pair": ((one, 2), (two, 2)),
            "pair_of_aces": ((ACE, 2),),
        }
        return [*chain.from_iterable(self._alike(*group) for group in groups.get(row, ((one, 2),)))]

    def _alike(self, rank: int, many: int) -> list[int]:
        return [4 * rank + suit for suit in self.chance.sample(range(4), many)]

    def _run(self, low: int, *, suited: bool) -> list[int]:
        suit = self.chance.randrange(4)
        ranks = range(low, low + self.judged)
        return [4 * rank + (suit if suited else self.chance.randrange(4)) for rank in ranks]

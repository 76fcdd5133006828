"""The state of a table: its decks, seats, devices and the round under way."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from fourcard.cards import DECK, DECK_SET, DECK_SIZE
from fourcard.round.commands import HandSide
from fourcard.round.rules import DueStep, RoundRules
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.rules.nodes import holds
from fourcard.rules.procedures import DealingMethod, Mixing, Spread, StepName
from fourcard.table.commands import Device

TablePhase = Literal["closed", "open", "idle"]


class Deck(msgspec.Struct, frozen=True, gc=False):
    """One deck: its backs, how long it has served, its order where known, and what must be done with it."""

    back: str
    since: int
    agenda: tuple[DueStep, ...] = ()
    order: tuple[int, ...] | None = DECK
    """The cards that are not on the table, top first; None where nobody knows their order."""
    left: int = DECK_SIZE
    """How many cards are not on the table."""
    mixed: Mixing | None = None
    cut: bool = False
    removed: bool = False
    in_shuffler: bool = False


class TableState(msgspec.Struct, frozen=True, gc=False):
    """Everything that is known of a table."""

    game: Game
    rules: RoundRules
    phase: TablePhase = "closed"
    decks: tuple[Deck, ...] = ()
    active: int = 0
    """The deck of the round under way, or of the next."""
    seats: Mapping[int, str] = {}
    round: RoundState | None = None
    finished: RoundState | None = None
    """The last round, whose rack can still be looked into."""
    number: int = 0
    since_count: int = 0
    """Rounds since the stub was last counted."""
    by_hand: bool = False
    """Whether the cards are shuffled by hand for the time being."""
    failures: int = 0
    failed: tuple[Device, ...] = ()
    """Devices that failed and have not been seen to."""
    away: tuple[Device, ...] = ()
    """Devices that were removed, covered or marked, and may not be used."""
    shoe_side: HandSide = "left"
    hand: HandSide | None = None
    """The hand that holds the deck in this round."""
    spread: Spread | None = None
    last_hand: bool = False
    """Whether the table closes after the round under way, or was closed so and stays closed (P36)."""
    at: int = 0

    @property
    def method(self) -> DealingMethod:
        """Return how cards are dealt at present."""
        return self.rules.method

    @property
    def shuffler_works(self) -> bool:
        """Say whether a shuffler stands there to be used."""
        return self.game.submission.shuffler is not None and "shuffler" not in self.away

    @property
    def agenda(self) -> tuple[DueStep, ...]:
        """Return what must be done before the round at hand: with its deck, then with the one that rests."""
        own = self.decks[self.active].agenda if self.decks else ()
        return own if own or self.round is not None else self._agenda_of_resting_deck()

    def _agenda_of_resting_deck(self) -> tuple[DueStep, ...]:
        """Return what a deck goes through before the shuffler takes it beside the one in play (MA-2b3)."""
        rule = self.game.rulebook.shuffling.shuffled_while_other_in_play
        if len(self.decks) < 2 or not holds(rule) or not self.shuffler_works or self.by_hand:
            return ()
        return tuple(due for due in self.decks[1 - self.active].agenda if due[0] in self.before_shuffle)

    @property
    def before_shuffle(self) -> frozenset[StepName]:
        """Return the steps that cards go through before they are shuffled: new ones, and those spread."""
        book = self.game.rulebook
        idle = () if book.idle is None else (*book.idle.steps, *book.idle.arrival)
        return frozenset((*book.opening.steps, *idle))


def is_deck(cards: Sequence[int]) -> bool:
    """Say whether cards are a whole deck, each once."""
    return len(cards) == DECK_SIZE and set(cards) == DECK_SET


def table_of(game: Game) -> TableState:
    """Return a closed table for a game."""
    by_hand = game.submission.shuffler is None
    return TableState(game, RoundRules(game, by_hand=by_hand))

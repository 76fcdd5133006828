"""The state of a table: its decks, seats, devices and the round under way."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from fourcard.cards import DECK, DECK_SET, DECK_SIZE
from fourcard.round.commands import HandSide
from fourcard.round.rules import DueStep, RoundRules
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.rules.procedures import DealingMethod, Mixing, Spread

TablePhase = Literal["closed", "open", "idle"]


class Deck(msgspec.Struct, frozen=True):
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


class TableState(msgspec.Struct, frozen=True):
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
    shuffler_works: bool = False
    by_hand: bool = False
    """Whether the cards are shuffled by hand for the time being."""
    failures: int = 0
    failed_device: bool = False
    """Whether a failed device still stands there unseen to."""
    device_away: bool = False
    """Whether the device was removed, covered or marked, and no other method chosen yet."""
    shoe_side: HandSide = "left"
    hand: HandSide | None = None
    """The hand that holds the deck in this round."""
    spread: Spread | None = None
    arriving: bool = False
    at: int = 0

    @property
    def method(self) -> DealingMethod:
        """Return how cards are dealt at present."""
        return self.rules.method

    @property
    def agenda(self) -> tuple[DueStep, ...]:
        """Return what must be done with the deck of the round at hand."""
        return self.decks[self.active].agenda if self.decks else ()


def is_deck(cards: Sequence[int]) -> bool:
    """Say whether cards are a whole deck, each once."""
    return len(cards) == DECK_SIZE and set(cards) == DECK_SET


def table_of(game: Game) -> TableState:
    """Return a closed table for a game."""
    return TableState(game, RoundRules(game), shuffler_works=game.submission.shuffler is not None)

"""State of a table: its decks, seats, devices and current round."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from fourcard.cards import DECK, DECK_SET, DECK_SIZE
from fourcard.round.commands import HandSide
from fourcard.round.state import CitedStep, RoundRules, RoundState
from fourcard.rules.cited import is_set
from fourcard.rules.game import Game
from fourcard.rules.procedures import DealingMethod, Mixing, Spread, StepName
from fourcard.rules.submission import ShufflerChoice
from fourcard.table.commands import Device

TablePhase = Literal["closed", "open", "idle"]


class Deck(msgspec.Struct, frozen=True, gc=False):
    """State of one deck: its back, when it arrived, its order if known, and its open preparation steps."""

    back: str
    since: int
    agenda: tuple[CitedStep, ...] = ()
    order: tuple[int, ...] | None = DECK
    """The cards that are still in the deck, top first; None if their order is unknown or not drawn yet."""
    left: int = DECK_SIZE
    """How many cards are still in the deck."""
    mixed: Mixing | None = None
    cut: bool = False
    removed: bool = False
    in_shuffler: bool = False
    cuts: tuple[int, ...] = ()
    """The depths of the cuts since the shuffle, while the order is None."""


class TableState(msgspec.Struct, frozen=True, gc=False):
    """The complete state of a table."""

    game: Game
    rules: RoundRules
    phase: TablePhase = "closed"
    decks: tuple[Deck, ...] = ()
    active: int = 0
    """The number of the deck of the current round, or of the next one."""
    seats: Mapping[int, str] = {}
    round: RoundState | None = None
    last_round: RoundState | None = None
    """The last round, whose discard rack can still be inspected."""
    round_number: int = 0
    """The number of the current round, or of the last one."""
    since_count: int = 0
    """Rounds since the last stub count."""
    by_hand: bool = False
    """Whether the cards are shuffled by hand for now."""
    failures: int = 0
    failed: tuple[Device, ...] = ()
    """Devices that failed and have not been taken care of."""
    away: tuple[Device, ...] = ()
    """Devices out of use: removed, covered or marked."""
    shoe_side: HandSide = "left"
    hand: HandSide | None = None
    """The hand in which the dealer holds the deck in this round."""
    spread: Spread | None = None
    last_hand: bool = False
    """Whether the last hand was called: the table closes after the current round and stays closed (P36)."""
    at: int = 0

    @property
    def method(self) -> DealingMethod:
        """Return the current dealing method."""
        return self.rules.method

    @property
    def shuffler_works(self) -> bool:
        """Say whether the table has a shuffler that is in use."""
        return self.game.submission.shuffler is not None and "shuffler" not in self.away

    @property
    def machine(self) -> ShufflerChoice | None:
        """Return the shuffler that now shuffles the cards, or None while they are shuffled by hand."""
        return self.game.submission.shuffler if self.shuffler_works and not self.by_hand else None

    @property
    def agenda(self) -> tuple[CitedStep, ...]:
        """Return the open preparation steps: of the active deck, then of the resting one."""
        own = self.decks[self.active].agenda if self.decks else ()
        return own if own or self.round is not None else self._agenda_of_resting_deck()

    def _agenda_of_resting_deck(self) -> tuple[CitedStep, ...]:
        """Return the resting deck's steps before it can be shuffled beside the one in play (MA-2b3)."""
        rule = self.game.rulebook.shuffling.shuffled_while_other_in_play
        if len(self.decks) < 2 or not is_set(rule) or self.machine is None:
            return ()
        return tuple(due for due in self.decks[1 - self.active].agenda if due[0] in self.before_shuffle)

    @property
    def before_shuffle(self) -> frozenset[StepName]:
        """Return the steps before a shuffle: the inspection of new cards, and of spread cards."""
        rulebook = self.game.rulebook
        idle = () if rulebook.idle is None else (*rulebook.idle.steps, *rulebook.idle.arrival)
        return frozenset((*rulebook.opening.steps, *idle))


def is_full_deck(cards: Sequence[int]) -> bool:
    """Say whether cards are a complete deck, each card once."""
    return len(cards) == DECK_SIZE and set(cards) == DECK_SET


def new_table(game: Game) -> TableState:
    """Return a new, closed table for a game, whose shuffler deals Cover All from the start (R101)."""
    by_hand = game.submission.shuffler is None
    return TableState(game, RoundRules(game, by_hand=by_hand))

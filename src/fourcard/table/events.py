"""What happened at a table besides its rounds."""

from collections.abc import Sequence

from fourcard.refusals import Refusal
from fourcard.round.commands import HandSide
from fourcard.round.events import Event, RoundEvent
from fourcard.rules.procedures import DealingMethod, Mixing, Spread, StepName
from fourcard.table.commands import Device


class TableOpened(Event, frozen=True, tag="table_opened"):
    """Decks arrived at the table."""

    decks: tuple[str, ...]
    preshuffled: bool
    shoe_side: HandSide
    at: int
    orders: tuple[tuple[int, ...], ...] = ()


class DeckBrought(Event, frozen=True, tag="deck_brought"):
    """A deck took the place of another."""

    deck: int
    back: str
    preshuffled: bool
    at: int
    order: tuple[int, ...] | None = None


class StepPrepared(Event, frozen=True, tag="step_prepared"):
    """A step of preparation was done."""

    deck: int
    step: StepName
    clauses: tuple[str, ...]
    order: tuple[int, ...] | None = None
    depth: int | None = None
    count: int | None = None
    hand: HandSide | None = None
    mixed: Mixing | None = None
    """How the cards are mixed, where this step ended the shuffle."""


class DeckRemoved(Event, frozen=True, tag="deck_removed"):
    """A deck left the table."""

    deck: int
    clauses: tuple[str, ...]


class DeckPutInShuffler(Event, frozen=True, tag="deck_put_in_shuffler"):
    """The cards of the last round left the rack for the shuffler while the other deck serves."""

    deck: int
    clauses: tuple[str, ...]


class RecutOrdered(Event, frozen=True, tag="recut_ordered"):
    """The cards are to be cut again."""

    deck: int
    by: str
    clauses: tuple[str, ...]


class ShuffleOrdered(Event, frozen=True, tag="shuffle_ordered"):
    """The cards are to be shuffled again."""

    deck: int
    by: str
    clauses: tuple[str, ...]


class RoundBegan(Event, frozen=True, tag="round_began"):
    """A round is open for wagers."""

    number: int
    deck: int
    count_due: bool
    at: int


class DeviceFailed(Event, frozen=True, tag="device_failed"):
    """A device failed; the cards are shuffled again."""

    device: Device
    clauses: tuple[str, ...]
    deck: int | None = None
    """The deck that the shuffler has while the other is in play; the one of the next round unless told."""


class SwapOrdered(Event, frozen=True, tag="swap_ordered"):
    """The machine is to be swapped for its backup."""

    clauses: tuple[str, ...]


class MethodSwitched(Event, frozen=True, tag="method_switched"):
    """Cards are dealt in another way from now on."""

    method: DealingMethod
    by_hand: bool
    clauses: tuple[str, ...]


class DeviceSeenTo(Event, frozen=True, tag="device_seen_to"):
    """A failed device was removed, covered or marked."""

    step: StepName
    clauses: tuple[str, ...]
    device: Device


class DeviceReturned(Event, frozen=True, tag="device_returned"):
    """A device came back into use."""

    device: Device


class WentIdle(Event, frozen=True, tag="went_idle"):
    """The cards are to be spread while nobody plays."""

    spread: Spread
    clauses: tuple[str, ...]


class PlayerArrived(Event, frozen=True, tag="player_arrived"):
    """The first player came to an idle table."""

    clauses: tuple[str, ...]


class LastHandCalled(Event, frozen=True, tag="last_hand_called"):
    """The table closes after the round under way."""


class TableClosed(Event, frozen=True, tag="table_closed"):
    """The table is closed."""

    at: int


TableEvent = (
    TableOpened
    | DeckBrought
    | StepPrepared
    | DeckRemoved
    | DeckPutInShuffler
    | RecutOrdered
    | ShuffleOrdered
    | RoundBegan
    | DeviceFailed
    | DeviceSeenTo
    | DeviceReturned
    | SwapOrdered
    | MethodSwitched
    | WentIdle
    | PlayerArrived
    | LastHandCalled
    | TableClosed
    | RoundEvent
)
Decided = Refusal | Sequence[TableEvent]
"""What a command leads to: what happened, or why it may not be."""

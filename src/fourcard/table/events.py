"""Events of a table: decks, preparation, devices, opening and closing, and new rounds."""

from collections.abc import Sequence

from fourcard.refusals import Refusal
from fourcard.round.commands import HandSide
from fourcard.round.events import Event, RoundEvent
from fourcard.rules.procedures import DealingMethod, Mixing, Spread, StepName
from fourcard.table.commands import Device


class TableOpened(Event, frozen=True, tag="table_opened"):
    """The table was opened with these decks."""

    decks: tuple[str, ...]
    preshuffled: bool
    shoe_side: HandSide
    at: int
    orders: tuple[tuple[int, ...], ...] = ()


class DeckBrought(Event, frozen=True, tag="deck_brought"):
    """A deck was replaced by another."""

    deck: int
    back: str
    preshuffled: bool
    at: int
    order: tuple[int, ...] | None = None


class StepPrepared(Event, frozen=True, tag="step_prepared"):
    """A preparation step was performed."""

    deck: int
    step: StepName
    clauses: tuple[str, ...]
    order: tuple[int, ...] | None = None
    depth: int | None = None
    count: int | None = None
    hand: HandSide | None = None
    mixed: Mixing | None = None
    """How the cards were shuffled, where this step ended the shuffle."""


class DeckOrdered(Event, frozen=True, tag="deck_ordered"):
    """A shuffled deck got its order as its first card is drawn; the cuts since the shuffle count too."""

    deck: int
    order: tuple[int, ...]
    """The shuffled deck before the cuts, top card first."""


class DeckRemoved(Event, frozen=True, tag="deck_removed"):
    """A deck was removed from the table."""

    deck: int
    clauses: tuple[str, ...]


class DeckPutInShuffler(Event, frozen=True, tag="deck_put_in_shuffler"):
    """The resting deck was put into the shuffler while the other deck is in play."""

    deck: int
    clauses: tuple[str, ...]


class RecutOrdered(Event, frozen=True, tag="recut_ordered"):
    """Another cut was ordered."""

    deck: int
    by: str
    clauses: tuple[str, ...]


class ShuffleOrdered(Event, frozen=True, tag="shuffle_ordered"):
    """Another shuffle was ordered."""

    deck: int
    by: str
    clauses: tuple[str, ...]


class RoundBegan(Event, frozen=True, tag="round_began"):
    """A round was opened for wagers."""

    number: int
    deck: int
    count_due: bool
    at: int


class DeviceFailed(Event, frozen=True, tag="device_failed"):
    """A device failed; the cards must be shuffled again."""

    device: Device
    clauses: tuple[str, ...]
    deck: int | None = None
    """The deck in the shuffler while the other is in play; default: the deck of the next round."""


class SwapOrdered(Event, frozen=True, tag="swap_ordered"):
    """A swap of the machine for its backup was ordered."""

    clauses: tuple[str, ...]


class MethodSwitched(Event, frozen=True, tag="method_switched"):
    """The method of dealing and shuffling was changed."""

    method: DealingMethod
    by_hand: bool
    clauses: tuple[str, ...]


class DeviceSeenTo(Event, frozen=True, tag="device_seen_to"):
    """A device was taken out of use: removed, covered or marked."""

    step: StepName
    clauses: tuple[str, ...]
    device: Device


class DeviceReturned(Event, frozen=True, tag="device_returned"):
    """A device was brought back into use."""

    device: Device


class WentIdle(Event, frozen=True, tag="went_idle"):
    """The table went idle, and its cards are spread."""

    spread: Spread
    clauses: tuple[str, ...]


class PlayerArrived(Event, frozen=True, tag="player_arrived"):
    """The first player arrived at an idle table."""

    clauses: tuple[str, ...]


class LastHandCalled(Event, frozen=True, tag="last_hand_called"):
    """The last hand was called: the table closes after the current round."""


class TableClosed(Event, frozen=True, tag="table_closed"):
    """The table was closed."""

    at: int


TableEvent = (
    TableOpened
    | DeckBrought
    | StepPrepared
    | DeckOrdered
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
TableEventsOrRefusal = Refusal | Sequence[TableEvent]
"""The result of deciding a command: its events, or the refusal."""

"""What people ask of a table besides its rounds."""

from typing import Literal

from fourcard.cards import CardsInput
from fourcard.round.commands import CardCommand, Command, HandSide, RoundCommand
from fourcard.rules.procedures import DealingMethod, Spread, StepName

Device = Literal["shuffler", "shoe"]


class OpenTable(CardCommand, frozen=True, tag="open_table"):
    """Open the table with decks of certain backs."""

    decks: tuple[str, ...]
    preshuffled: bool = False
    orders: tuple[CardsInput, ...] = ()
    """The order of each preshuffled deck, where somebody knows it."""
    shoe_side: HandSide = "left"
    """On which side of the dealer a dealing shoe stands."""


class BringDeck(CardCommand, frozen=True, tag="bring_deck"):
    """Bring a deck in place of one that was removed, or that has served its time."""

    back: str
    preshuffled: bool = False
    order: CardsInput | None = None
    """The order of a preshuffled deck, where somebody knows it."""
    deck: int | None = None
    """Which of two decks it replaces, the one of the next round unless told."""


class Prepare(CardCommand, frozen=True, tag="prepare"):
    """Do the next step that makes a deck ready: opening, shuffle, cut, loading, or seeing to a device."""

    step: StepName
    deck: int | None = None
    order: CardsInput | None = None
    """The new order of the cards, where a shuffle ends and somebody knows it."""
    depth: int | None = None
    """How many cards are cut."""
    count: int | None = None
    """How many cards a shuffler counted, or how often the deck was stripped."""
    hand: HandSide | None = None


class OrderRecut(Command, frozen=True, tag="order_recut"):
    """Have the cards cut again."""


class OrderShuffle(Command, frozen=True, tag="order_shuffle"):
    """Have the cards shuffled again."""


class BeginRound(Command, frozen=True, tag="begin_round"):
    """Open a round for wagers."""

    count_stub: bool = False
    """Whether the stub is counted although no count is due."""


class ReportFailure(Command, frozen=True, tag="report_failure"):
    """Say that a shuffler or automated shoe jammed, stopped or did not finish."""

    device: Device


class BringDevice(Command, frozen=True, tag="bring_device"):
    """Bring a device that was out of play back into use."""

    device: Device


class SwapMachine(Command, frozen=True, tag="swap_machine"):
    """Put the backup machine in place of one that keeps failing."""


class SwitchMethod(Command, frozen=True, tag="switch_method"):
    """Shuffle and deal in another way from now on, the device having been seen to."""

    method: DealingMethod
    shuffle_by_hand: bool = False


class GoIdle(Command, frozen=True, tag="go_idle"):
    """Spread the cards of a table without players."""

    spread: Spread


class CloseTable(Command, frozen=True, tag="close_table"):
    """Close the table."""


class LastHand(Command, frozen=True, tag="last_hand"):
    """Close the table after the round under way, or at once where there is none (P36)."""


TableCommand = (
    OpenTable
    | BringDeck
    | Prepare
    | OrderRecut
    | OrderShuffle
    | BeginRound
    | ReportFailure
    | BringDevice
    | SwapMachine
    | SwitchMethod
    | GoIdle
    | CloseTable
    | LastHand
    | RoundCommand
)

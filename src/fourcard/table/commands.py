"""Commands of a table: opening and closing, decks, preparation, devices, and new rounds."""

from typing import Literal

from fourcard.cards import CardsInput
from fourcard.round.commands import CardCommand, Command, HandSide, RoundCommand
from fourcard.rules.procedures import DealingMethod, Spread, StepName
from fourcard.rules.submission import LocalDecision

Device = Literal["shuffler", "shoe"]


class OpenTable(CardCommand, frozen=True, tag="open_table"):
    """Open the table with decks, each named by its back."""

    decks: tuple[str, ...]
    preshuffled: bool = False
    orders: tuple[CardsInput, ...] = ()
    """The order of each preshuffled deck, where known."""
    shoe_side: HandSide = "left"
    """The side of the dealer on which the dealing shoe stands."""


class BringDeck(CardCommand, frozen=True, tag="bring_deck"):
    """Replace a deck that was removed or is too old."""

    back: str
    preshuffled: bool = False
    order: CardsInput | None = None
    """The order of a preshuffled deck, where known."""
    deck: int | None = None
    """The deck that it replaces; default: the deck of the next round."""


class Prepare(CardCommand, frozen=True, tag="prepare"):
    """Perform the next preparation step: opening, shuffle, cut, loading, or care of a failed device."""

    step: StepName
    deck: int | None = None
    order: CardsInput | None = None
    """The new order of the cards at the end of a shuffle, where known."""
    depth: int | None = None
    """How many cards are cut."""
    count: int | None = None
    """The cards that a shuffler counted, or the number of strips."""
    hand: HandSide | None = None


class OrderRecut(Command, frozen=True, tag="order_recut"):
    """Order another cut."""


class OrderShuffle(Command, frozen=True, tag="order_shuffle"):
    """Order another shuffle."""


class BeginRound(Command, frozen=True, tag="begin_round"):
    """Open a round for wagers."""

    count_stub: bool = False
    """Whether to count the stub even if no count is due."""


class ReportFailure(Command, frozen=True, tag="report_failure"):
    """Report that a shuffler or automated shoe jammed, stopped or did not finish."""

    device: Device
    decision: LocalDecision | None = None
    """What a supervisor decides, where the house follows a local procedure."""


class BringDevice(Command, frozen=True, tag="bring_device"):
    """Bring a device back into use."""

    device: Device


class SwapMachine(Command, frozen=True, tag="swap_machine"):
    """Replace a machine that keeps failing by its backup."""


class SwitchMethod(Command, frozen=True, tag="switch_method"):
    """Change the method of dealing and shuffling, after a failed device was taken care of."""

    method: DealingMethod
    shuffle_by_hand: bool = False


class GoIdle(Command, frozen=True, tag="go_idle"):
    """Declare the table idle and spread its cards; a player asks for how they lie."""

    spread: Spread


class CloseTable(Command, frozen=True, tag="close_table"):
    """Close the table."""


class LastHand(Command, frozen=True, tag="last_hand"):
    """Close the table after the current round, or at once between rounds (P36)."""


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

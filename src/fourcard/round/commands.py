"""What people ask of a round: imperative, frozen, each with who asks, when, and a key of its own.

Chance, time and the price of an award arrive in here; the round itself knows none of them.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from fourcard.cards import CardInput, CardsInput, card_number, card_numbers
from fourcard.dealing import MoveName
from fourcard.meter import Payment
from fourcard.rules.nodes import WagerName
from fourcard.rules.procedures import Instrument, IrregularityKind, StepName
from fourcard.script import Doing

ActorRole = Literal["player", "dealer", "floorperson", "supervisor", "casino-supervisor", "executive"]
"""Who acts, in the order of authority; a dealer enters what players without a screen do."""
HandSide = Literal["left", "right"]
Motion = StepName | MoveName | Doing
"""Everything that a dealer's hands do one after the other."""


class Command(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    gc=False,
    tag_field="kind",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The envelope of every command."""

    by: str = ""
    role: ActorRole = "dealer"
    at: int = 0
    """Milliseconds since the epoch."""
    key: str = ""


class CardCommand(Command, frozen=True):
    """A command with cards in it, given as numbers or as text, and kept as numbers."""

    def __post_init__(self) -> None:
        """Replace text by the numbers of its cards, or refuse what names no card."""
        for name, numbers in CARD_FIELDS.items():
            given = getattr(self, name, None)
            if given is not None:
                msgspec.structs.force_setattr(self, name, numbers(given))


CARD_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "card": card_number,
    "cards": card_numbers,
    "order": card_numbers,
    "orders": lambda given: tuple(map(card_numbers, given)),
}
"""The fields of commands that hold cards, and how each is read."""


class CallOff(Command, frozen=True, tag="call_off"):
    """Call a round off of which no card has been dealt."""


class TakeSeat(Command, frozen=True, tag="take_seat"):
    """Sit down at a position."""

    position: int
    player: str


class LeaveSeat(Command, frozen=True, tag="leave_seat"):
    """Get up."""

    position: int


class PlaceWager(Command, frozen=True, tag="place_wager"):
    """Put a wager on its spot, or change one that lies there."""

    position: int
    wager: WagerName
    amount: int
    instrument: Instrument = "chip"
    against: Literal["house", "player"] = "house"
    accepted: bool = True
    """Whether the progressive system registered the chip on its sensor."""


class WithdrawWager(Command, frozen=True, tag="withdraw_wager"):
    """Take a wager back while that is still allowed."""

    position: int
    wager: WagerName


class Perform(Command, frozen=True, tag="perform"):
    """Do the next thing that a procedure orders, to a position or, at 0, to none."""

    step: Motion
    position: int = 0
    count: int | None = None
    """How many, where the step is a count or has a number."""
    hand: HandSide | None = None
    exposed: bool = False
    """Whether cards were shown that lie face down by right."""


class Deal(CardCommand, frozen=True, tag="deal"):
    """Deal or deliver what comes next in the plan."""

    cards: CardsInput = ()
    drawn_with: HandSide | None = None


class JudgeCount(Command, frozen=True, tag="judge_count"):
    """Say what lies behind a wrong count: the stub again, and the size of every hand, the dealer's at 0."""

    stub: int | None
    hands: Mapping[int, int | None]
    """Nothing stands for what nobody has counted yet, as in a list of what may be done; it is refused."""


class Play(Command, frozen=True, tag="play"):
    """Stay in against the dealer."""

    position: int
    amount: int


class Fold(Command, frozen=True, tag="fold"):
    """Give the Ante up."""

    position: int


class SetHand(CardCommand, frozen=True, tag="set_hand"):
    """Present four cards as one's hand, where players set their own (R27)."""

    position: int
    cards: CardsInput


class PayAward(Command, frozen=True, tag="pay_award"):
    """Pay an award that waited for its price."""

    position: int
    payment: Payment
    before: int
    """What the meter showed at the award's turn, in cents."""
    after: int


class CompleteDocument(Command, frozen=True, tag="complete_document"):
    """Say that the payout of a position is documented."""

    position: int


class CorrectPayment(Command, frozen=True, tag="correct_payment"):
    """Make good a payment that was handed over wrongly."""

    position: int
    wager: WagerName
    handed: int
    """What was really handed over."""
    reason: str


class TreatAsAbandoned(Command, frozen=True, tag="treat_as_abandoned"):
    """Treat the wagers of a player who left as lost (R36)."""

    position: int


class ReportIrregularity(CardCommand, frozen=True, tag="report_irregularity"):
    """Say that something went wrong."""

    irregularity: IrregularityKind
    position: int = 0
    card: CardInput | None = None
    place: int = 0
    """How deep among the next cards a face-up one lies."""
    count: int | None = None


RoundCommand = (
    CallOff
    | TakeSeat
    | LeaveSeat
    | PlaceWager
    | WithdrawWager
    | Perform
    | Deal
    | JudgeCount
    | Play
    | Fold
    | SetHand
    | PayAward
    | CompleteDocument
    | CorrectPayment
    | TreatAsAbandoned
    | ReportIrregularity
)

"""Commands of a round: frozen structs, each with its actor, time and idempotency key.

Cards, time and the amount of a meter award arrive in commands; the round reads no clock and draws no card.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

import msgspec

from fourcard.cards import CardInput, CardsInput, card_number, card_numbers
from fourcard.dealer_script import DealerActionName
from fourcard.dealing import DealMoveName
from fourcard.meter import Payment
from fourcard.rules.procedures import IrregularityKind, StepName
from fourcard.wagers import Instrument, WagerName

ActorRole = Literal["player", "dealer", "floorperson", "supervisor", "casino-supervisor", "executive"]
"""The roles of actors, by rising authority; a dealer enters the actions of players without a screen."""
HandSide = Literal["left", "right"]
DealerStep = StepName | DealMoveName | DealerActionName
"""Every step that a dealer performs: of procedures, of the deal and of the settlement."""


class Command(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    gc=False,
    tag_field="kind",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """Base of all commands: who acts, in which role, when, and the idempotency key."""

    by: str = ""
    role: ActorRole = "dealer"
    at: int = 0
    """Milliseconds since the epoch."""
    key: str = ""


class CardCommand(Command, frozen=True):
    """Base of commands with cards: accepts card numbers or text, and stores numbers."""

    def __post_init__(self) -> None:
        """Convert card text to card numbers; reject invalid cards."""
        for name, numbers in _card_fields(type(self)):
            cards = getattr(self, name)
            if cards is not None:
                msgspec.structs.force_setattr(self, name, numbers(cards))


CARD_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "card": card_number,
    "cards": card_numbers,
    "order": card_numbers,
    "orders": lambda decks: tuple(map(card_numbers, decks)),
}
"""The command fields that hold cards, and the converter of each."""


@cache
def _card_fields(command: type[CardCommand]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    return tuple((name, CARD_FIELDS[name]) for name in command.__struct_fields__ if name in CARD_FIELDS)


class CallOff(Command, frozen=True, tag="call_off"):
    """Call off a round before its first card is dealt."""


class TakeSeat(Command, frozen=True, tag="take_seat"):
    """Sit down at a position."""

    position: int
    player: str


class LeaveSeat(Command, frozen=True, tag="leave_seat"):
    """Leave a position."""

    position: int


class PlaceWager(Command, frozen=True, tag="place_wager"):
    """Place a wager on its betting spot, or change its amount."""

    position: int
    wager: WagerName
    amount: int
    instrument: Instrument = "chip"
    against: Literal["house", "player"] = "house"
    accepted: bool = True
    """Whether the progressive system registered the chip on the sensor."""


class PlaceWagers(Command, frozen=True, tag="place_wagers"):
    """Place several wagers of a position with chips, or change their amounts: all of them or none."""

    position: int
    wagers: dict[WagerName, int]
    """The amounts in cents."""


class WithdrawWager(Command, frozen=True, tag="withdraw_wager"):
    """Withdraw a wager while that is still allowed."""

    position: int
    wager: WagerName


class Perform(Command, frozen=True, tag="perform"):
    """Perform the next step of a procedure at a position; position 0 means none."""

    step: DealerStep
    position: int = 0
    count: int | None = None
    """The number that was counted, for steps that need one."""
    hand: HandSide | None = None
    exposed: bool = False
    """Whether the dealer showed cards that must stay face down."""


class Deal(CardCommand, frozen=True, tag="deal"):
    """Deal the next card or stack of the deal plan."""

    cards: CardsInput = ()
    drawn_with: HandSide | None = None


class JudgeCount(Command, frozen=True, tag="judge_count"):
    """Explain a wrong stub count: the stub counted again, and the size of every hand (0: the dealer)."""

    stub: int | None
    hands: Mapping[int, int | None]
    """None means not counted yet, as in lists of legal commands; such a command is refused."""


class Play(Command, frozen=True, tag="play"):
    """Make the Play wager."""

    position: int
    amount: int


class Fold(Command, frozen=True, tag="fold"):
    """Fold and forfeit the Ante."""

    position: int


class SetHand(CardCommand, frozen=True, tag="set_hand"):
    """Set a four-card hand, where players set their own (R27)."""

    position: int
    cards: CardsInput


class PayAward(Command, frozen=True, tag="pay_award"):
    """Pay the progressive award that waits, with its amount."""

    position: int
    payment: Payment
    before: int
    """The meter's display at the award's turn, in cents."""
    after: int
    """The meter's display after the payment, in cents."""


class ConfirmAward(Command, frozen=True, tag="confirm_award"):
    """Confirm a large award as the second person, so that it is paid (R61)."""

    position: int


class CompleteDocument(Command, frozen=True, tag="complete_document"):
    """Report that the payout of a position is documented."""

    position: int


class CorrectPayment(Command, frozen=True, tag="correct_payment"):
    """Correct a payment of which the wrong amount was handed over."""

    position: int
    wager: WagerName
    handed: int
    """The cents that were actually handed over."""
    reason: str


class TreatAsAbandoned(Command, frozen=True, tag="treat_as_abandoned"):
    """Treat the wagers of a player who left as lost (R36)."""

    position: int


class ReportIrregularity(CardCommand, frozen=True, tag="report_irregularity"):
    """Report an irregularity."""

    irregularity: IrregularityKind
    position: int = 0
    card: CardInput | None = None
    place: int = 0
    """How many cards lie above the face-up card in the deck."""
    count: int | None = None


RoundCommand = (
    CallOff
    | TakeSeat
    | LeaveSeat
    | PlaceWager
    | PlaceWagers
    | WithdrawWager
    | Perform
    | Deal
    | JudgeCount
    | Play
    | Fold
    | SetHand
    | PayAward
    | ConfirmAward
    | CompleteDocument
    | CorrectPayment
    | TreatAsAbandoned
    | ReportIrregularity
)

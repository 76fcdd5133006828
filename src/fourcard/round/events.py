"""What happened in a round: past tense, frozen, enough to rebuild every state without deciding anew."""

import msgspec

from fourcard.meter import Payment
from fourcard.refusals import Refusal
from fourcard.round.commands import HandSide, Motion
from fourcard.rules.nodes import WagerName
from fourcard.rules.procedures import Consequence, IrregularityKind
from fourcard.script import Deed, Doing
from fourcard.wagers.wager import Step

Stake = tuple[int, int]
"""A position and its cents."""
DRAWN: tuple[IrregularityKind, ...] = (
    "one_face_up_card",
    "more_face_up_cards",
    "card_drawn_in_error",
    "wrong_number_of_cards",
)
"""What goes wrong with the next card off the deck: be it the first, bets are closed by it."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="kind", omit_defaults=True):
    """Something that happened, with a name that stays when code moves."""


class SeatTaken(Event, frozen=True, tag="seat_taken"):
    """A player sat down."""

    position: int
    player: str


class SeatLeft(Event, frozen=True, tag="seat_left"):
    """A player got up."""

    position: int
    player: str


class WagerPlaced(Event, frozen=True, tag="wager_placed"):
    """A wager lies on its spot; one that lay there before was changed."""

    position: int
    wager: WagerName
    amount: int
    before: int = 0
    accepted: bool = True


class WagerWithdrawn(Event, frozen=True, tag="wager_withdrawn"):
    """A wager was taken back in time."""

    position: int
    wager: WagerName
    amount: int


class StepDone(Event, frozen=True, tag="step_done"):
    """A dealer's hands did what was due."""

    step: Motion
    clauses: tuple[str, ...]
    position: int = 0
    count: int | None = None
    hand: HandSide | None = None


class BetsClosed(Event, frozen=True, tag="bets_closed"):
    """No wager is taken any more but Play."""

    clauses: tuple[str, ...]


class ProgressiveLocked(Event, frozen=True, tag="progressive_locked"):
    """The progressive wagers stand; a chip that was not registered goes back (R99)."""

    stakes: tuple[Stake, ...]
    returned: tuple[Stake, ...] = ()
    clauses: tuple[str, ...] = ()
    """Why chips went back."""


class ChipsDiffered(Event, frozen=True, tag="chips_differed"):
    """The chips were not as many as the accepted wagers, and a floorperson was called (R65)."""

    chips: int
    accepted: int
    clauses: tuple[str, ...]


class CardsDealt(Event, frozen=True, tag="cards_dealt"):
    """Cards came off the deck to a place, the last ones face up if so planned."""

    to: int
    cards: tuple[int, ...]
    clauses: tuple[str, ...]
    up: int = 0


class UpCardTurned(Event, frozen=True, tag="up_card_turned"):
    """A card of a stack became the dealer's up card."""

    card: int
    clauses: tuple[str, ...]


class CardsDiscarded(Event, frozen=True, tag="cards_discarded"):
    """Cards of the extra stack went into the rack unseen."""

    cards: tuple[int, ...]
    clauses: tuple[str, ...]


class CountFoundWrong(Event, frozen=True, tag="count_found_wrong"):
    """The stub had another number of cards than it must."""

    count: int
    expected: int
    clauses: tuple[str, ...]


class CountJudged(Event, frozen=True, tag="count_judged"):
    """What lay behind a wrong count was found out."""

    misdealt: bool
    total: int
    clauses: tuple[str, ...]


class OddsDisplayed(Event, frozen=True, tag="odds_displayed"):
    """The Cover All odds for the hands dealt are shown (MA-12e.2)."""

    players: int
    odds: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]


class DecisionsAwaited(Event, frozen=True, tag="decisions_awaited"):
    """The stub is away, and players are to look at their cards and decide."""


class PlayMade(Event, frozen=True, tag="play_made"):
    """A player stays in."""

    position: int
    amount: int


class HandFolded(Event, frozen=True, tag="hand_folded"):
    """A player gave the Ante up."""

    position: int


class PlayerAsked(Event, frozen=True, tag="player_asked"):
    """Cards lay on the Play spot without chips, and the dealer asked whether that is a fold."""

    position: int
    clauses: tuple[str, ...]


class HandSet(Event, frozen=True, tag="hand_set"):
    """A player presented a hand; what could have been set is recorded where it was better."""

    position: int
    cards: tuple[int, ...]
    could_have: tuple[int, ...] = ()


class SeatAbandoned(Event, frozen=True, tag="seat_abandoned"):
    """The wagers of a player who left are lost."""

    position: int
    clauses: tuple[str, ...]


class ShowdownReached(Event, frozen=True, tag="showdown_reached"):
    """Everybody has decided."""


class ActPerformed(Event, frozen=True, tag="act_performed"):
    """The dealer did one act of settling: money that moved, cards that were handled."""

    act: Doing
    position: int
    steps: tuple[Step, ...] = ()
    deeds: tuple[Deed, ...] = ()


class WagersSettled(Event, frozen=True, tag="wagers_settled"):
    """Money of an act moved before an award interrupted it."""

    steps: tuple[Step, ...]


class AwardAwaited(Event, frozen=True, tag="award_awaited"):
    """An award waits: for its price, or only to be confirmed (R61)."""

    step: Step


class AwardPaid(Event, frozen=True, tag="award_paid"):
    """An award of the meter was paid."""

    position: int
    steps: tuple[Step, ...]
    payment: Payment
    before: int
    after: int
    documented: bool
    """Whether nothing else keeps the cards on the table."""


class DocumentCompleted(Event, frozen=True, tag="document_completed"):
    """A payout is documented, and its cards may go."""

    position: int


class PaymentCorrected(Event, frozen=True, tag="payment_corrected"):
    """Another amount than was due had been handed over, and the difference was made good."""

    position: int
    wager: WagerName
    due: int
    handed: int
    reason: str
    by: str


class IrregularityNoted(Event, frozen=True, tag="irregularity_noted"):
    """Something went wrong, and this follows from it."""

    irregularity: IrregularityKind
    consequences: tuple[Consequence, ...]
    clauses: tuple[str, ...]
    position: int = 0
    card: int | None = None


class FaceUpCardDiscarded(Event, frozen=True, tag="face_up_card_discarded"):
    """A card that lay face up in the deck is not used."""

    card: int
    clauses: tuple[str, ...]


class RoundVoided(Event, frozen=True, tag="round_voided"):
    """Every hand is dead, every wager goes back, every payment is reversed."""

    clauses: tuple[str, ...]
    consequences: tuple[Consequence, ...]
    returned: tuple[tuple[int, WagerName, int], ...]
    reversed: tuple[Step, ...] = ()
    contributions: tuple[Stake, ...] = ()
    """The progressive stakes whose contributions to the meter are taken back (R66)."""


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """All remaining wagers are settled and every card is in the rack."""

    nets: tuple[Stake, ...]


RoundEvent = (
    SeatTaken
    | SeatLeft
    | WagerPlaced
    | WagerWithdrawn
    | StepDone
    | BetsClosed
    | ProgressiveLocked
    | ChipsDiffered
    | CardsDealt
    | UpCardTurned
    | CardsDiscarded
    | CountFoundWrong
    | CountJudged
    | OddsDisplayed
    | DecisionsAwaited
    | PlayMade
    | HandFolded
    | PlayerAsked
    | HandSet
    | SeatAbandoned
    | ShowdownReached
    | ActPerformed
    | WagersSettled
    | AwardAwaited
    | AwardPaid
    | DocumentCompleted
    | PaymentCorrected
    | IrregularityNoted
    | FaceUpCardDiscarded
    | RoundVoided
    | RoundEnded
)
Decided = Refusal | list[RoundEvent]
"""What a command leads to: what happened, or why it may not be."""

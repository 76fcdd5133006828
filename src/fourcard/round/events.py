"""Events of a round: frozen structs that rebuild every state without deciding again."""

import msgspec

from fourcard.dealer_script import DealerAction, DealerActionName
from fourcard.meter import Payment
from fourcard.refusals import Refusal
from fourcard.round.commands import DealerStep, HandSide
from fourcard.rules.procedures import Consequence, IrregularityKind
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.wagers import WagerName

Stake = tuple[int, int]
"""A position and its amount in cents."""
DRAWING_IRREGULARITIES: tuple[IrregularityKind, ...] = (
    "one_face_up_card",
    "more_face_up_cards",
    "card_drawn_in_error",
    "wrong_number_of_cards",
)
"""Irregularities of drawing a card; one that happens at the first card closes betting."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="kind", omit_defaults=True):
    """Base of all events; the tag is stored and never changes."""


class SeatTaken(Event, frozen=True, tag="seat_taken"):
    """A player sat down."""

    position: int
    player: str


class SeatLeft(Event, frozen=True, tag="seat_left"):
    """A player left a position."""

    position: int
    player: str


class WagerPlaced(Event, frozen=True, tag="wager_placed"):
    """A wager was placed, or changed from ``before`` cents."""

    position: int
    wager: WagerName
    amount: int
    before: int = 0
    accepted: bool = True


class WagerWithdrawn(Event, frozen=True, tag="wager_withdrawn"):
    """A wager was withdrawn in time."""

    position: int
    wager: WagerName
    amount: int


class StepDone(Event, frozen=True, tag="step_done"):
    """The dealer performed a step of a procedure or of the deal."""

    step: DealerStep
    clauses: tuple[str, ...]
    position: int = 0
    count: int | None = None
    hand: HandSide | None = None


class BetsClosed(Event, frozen=True, tag="bets_closed"):
    """Betting closed: only Play wagers are taken from now on."""

    clauses: tuple[str, ...]


class ProgressiveLocked(Event, frozen=True, tag="progressive_locked"):
    """The progressive wagers were locked in; chips that were not registered were returned (R99)."""

    stakes: tuple[Stake, ...]
    returned: tuple[Stake, ...] = ()
    clauses: tuple[str, ...] = ()
    """Why chips were returned."""


class ProgressiveBooked(Event, frozen=True, tag="progressive_booked"):
    """The chips of the locked stakes went from the layout into the tray (R104)."""

    stakes: tuple[Stake, ...]


class ChipsDiffered(Event, frozen=True, tag="chips_differed"):
    """The number of chips and of accepted wagers differed, and a floorperson was called (R65)."""

    chips: int
    accepted: int
    clauses: tuple[str, ...]


class CardsDealt(Event, frozen=True, tag="cards_dealt"):
    """Cards were dealt to a place, the last ``up`` of them face up."""

    to: int
    cards: tuple[int, ...]
    clauses: tuple[str, ...]
    up: int = 0


class UpCardTurned(Event, frozen=True, tag="up_card_turned"):
    """A card was turned up as the dealer's up card."""

    card: int
    clauses: tuple[str, ...]


class CardsDiscarded(Event, frozen=True, tag="cards_discarded"):
    """Cards of the extra stack were put into the discard rack face down."""

    cards: tuple[int, ...]
    clauses: tuple[str, ...]


class CountFoundWrong(Event, frozen=True, tag="count_found_wrong"):
    """The stub count was wrong."""

    count: int
    expected: int
    clauses: tuple[str, ...]


class CountJudged(Event, frozen=True, tag="count_judged"):
    """The cause of a wrong stub count was judged."""

    misdealt: bool
    total: int
    clauses: tuple[str, ...]


class OddsDisplayed(Event, frozen=True, tag="odds_displayed"):
    """The Cover All odds for the number of hands dealt were displayed (MA-12e.2)."""

    players: int
    odds: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]


class DecisionsAwaited(Event, frozen=True, tag="decisions_awaited"):
    """The stub was put away; players look at their cards and decide next."""


class PlayMade(Event, frozen=True, tag="play_made"):
    """A player made the Play wager."""

    position: int
    amount: int


class HandFolded(Event, frozen=True, tag="hand_folded"):
    """A player folded and forfeits the Ante."""

    position: int


class PlayerAsked(Event, frozen=True, tag="player_asked"):
    """Cards lay on the Play spot without chips, and the dealer asked whether the player folds."""

    position: int
    clauses: tuple[str, ...]


class HandSet(Event, frozen=True, tag="hand_set"):
    """A player set a hand; ``could_have`` is the better hand that was missed."""

    position: int
    cards: tuple[int, ...]
    could_have: tuple[int, ...] = ()


class SeatAbandoned(Event, frozen=True, tag="seat_abandoned"):
    """The wagers of a player who left are treated as lost."""

    position: int
    clauses: tuple[str, ...]


class ShowdownReached(Event, frozen=True, tag="showdown_reached"):
    """The last player decided, and the settlement begins."""


class ActPerformed(Event, frozen=True, tag="act_performed", rename={"actions": "deeds"}):
    """The dealer performed one act of the settlement: money moved, cards handled."""

    act: DealerActionName
    position: int
    steps: tuple[SettlementStep, ...] = ()
    actions: tuple[DealerAction, ...] = ()


class WagersSettled(Event, frozen=True, tag="wagers_settled"):
    """The money of an act moved up to the award that interrupts it."""

    steps: tuple[SettlementStep, ...]


class AwardAwaited(Event, frozen=True, tag="award_awaited"):
    """An award waits for its amount, or only for its confirmation (R61)."""

    step: SettlementStep
    by: str = ""
    """Who would have paid it, where a second person confirms it at the table."""


class AwardConfirmed(Event, frozen=True, tag="award_confirmed"):
    """A second person confirmed a large award, and it was paid (R61)."""

    step: SettlementStep
    by: str


class AwardPaid(Event, frozen=True, tag="award_paid"):
    """A progressive award was paid."""

    position: int
    steps: tuple[SettlementStep, ...]
    payment: Payment
    before: int
    after: int
    documented: bool
    """Whether the cards may go; False while the payout must still be documented."""


class DocumentCompleted(Event, frozen=True, tag="document_completed"):
    """A payout was documented, and its cards may go."""

    position: int


class PaymentCorrected(Event, frozen=True, tag="payment_corrected"):
    """A wrong amount had been handed over, and the difference was corrected."""

    position: int
    wager: WagerName
    due: int
    handed: int
    reason: str
    by: str


class IrregularityNoted(Event, frozen=True, tag="irregularity_noted"):
    """An irregularity was reported, with its consequences."""

    irregularity: IrregularityKind
    consequences: tuple[Consequence, ...]
    clauses: tuple[str, ...]
    position: int = 0
    card: int | None = None


class FaceUpCardDiscarded(Event, frozen=True, tag="face_up_card_discarded"):
    """A card found face up in the deck was discarded."""

    card: int
    clauses: tuple[str, ...]


class RoundVoided(Event, frozen=True, tag="round_voided"):
    """The round is void: every wager is returned and every payment is reversed."""

    clauses: tuple[str, ...]
    consequences: tuple[Consequence, ...]
    returned: tuple[tuple[int, WagerName, int], ...]
    reversed: tuple[SettlementStep, ...] = ()
    contributions: tuple[Stake, ...] = ()
    """The progressive stakes whose meter contributions are reversed (R66)."""


class RoundEnded(Event, frozen=True, tag="round_ended"):
    """The round ended: all wagers are settled and all cards are in the discard rack."""

    nets: tuple[Stake, ...]


RoundEvent = (
    SeatTaken
    | SeatLeft
    | WagerPlaced
    | WagerWithdrawn
    | StepDone
    | BetsClosed
    | ProgressiveLocked
    | ProgressiveBooked
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
    | AwardConfirmed
    | AwardPaid
    | DocumentCompleted
    | PaymentCorrected
    | IrregularityNoted
    | FaceUpCardDiscarded
    | RoundVoided
    | RoundEnded
)
RoundEventsOrRefusal = Refusal | list[RoundEvent]
"""The result of deciding a command: its events, or the refusal."""

"""Irregularities: check a report and apply the consequences that the rulebook gives it."""

from collections.abc import Iterator

from fourcard.cards import DECK_SET, card_text
from fourcard.dealing import BONUS, EXTRA
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import ReportIrregularity
from fourcard.round.decide_deal import close_bets, ready_refusal, upcoming_move
from fourcard.round.decide_wagers import turn_refusal, void_event
from fourcard.round.events import (
    DRAWING_IRREGULARITIES,
    FaceUpCardDiscarded,
    IrregularityNoted,
    PlayerAsked,
    RoundEvent,
    RoundEventsOrRefusal,
)
from fourcard.round.preconditions import PHASE_PHRASES, count_text, expected_hand_sizes, step_text
from fourcard.round.state import RoundPhase, RoundState
from fourcard.rules.cited import clauses_of
from fourcard.rules.procedures import Consequences, IrregularityKind
from fourcard.settlers.showdown import DEALER

FACE_UP_KINDS: tuple[IrregularityKind, ...] = ("one_face_up_card", "more_face_up_cards")
KINDS_WITH_CARD: tuple[IrregularityKind, ...] = (*FACE_UP_KINDS, "dealer_card_exposed", "player_card_exposed")
KINDS_WITH_POSITION: tuple[IrregularityKind, ...] = (
    "wrong_number_of_cards",
    "player_card_exposed",
    "cards_on_play_without_chips",
)


def report_irregularity(state: RoundState, command: ReportIrregularity) -> RoundEventsOrRefusal:
    """Report an irregularity and apply its consequences; anybody but a player may report one."""
    kind = _irregularity_kind(state, command)
    phase = _phase_of_report(state, kind)
    row = state.rules.irregularity(kind, phase)
    if command.role == "player":
        return refuse(Code.NOT_YOUR_DUTY, what="report an irregularity", who="dealer or floor", role="player")
    if row is None or phase not in row.during:
        figures = {"rulebook": state.rules.game.rulebook.id, "kind": step_text(kind)}
        return refuse(Code.NOT_DESCRIBED, () if row is None else clauses_of(row), **figures)
    refusal = _foreign_field_refusal(command, row) or _untrue_refusal(state, command, row)
    if refusal is not None:
        return refusal
    noted = IrregularityNoted(kind, row.value, clauses_of(row), command.position, command.card)
    closing = close_bets(state) if kind in DRAWING_IRREGULARITIES else []
    return [*closing, noted, *_consequence_events(state, command, row)]


def _phase_of_report(state: RoundState, kind: IrregularityKind) -> RoundPhase:
    """Return the phase that applies; the first card can go wrong as soon as it is due."""
    drawn = state.betting_stage == "first-card" or (
        kind in DRAWING_IRREGULARITIES and ready_refusal(state) is None
    )
    return "dealing" if state.phase == "betting" and drawn else state.phase


def _consequence_events(
    state: RoundState, command: ReportIrregularity, row: Consequences
) -> Iterator[RoundEvent]:
    """Yield the event of the consequence: the void, the discarded card, or the dealer's question."""
    if "void" in row.value or ("void-if-dealt" in row.value and state.betting_stage == "first-card"):
        yield void_event(state, clauses_of(row), row.value)
    elif "discard-card" in row.value and command.card is not None:
        yield FaceUpCardDiscarded(command.card, clauses_of(row))
    elif "ask" in row.value:
        yield PlayerAsked(command.position, clauses_of(row))


def _irregularity_kind(state: RoundState, command: ReportIrregularity) -> IrregularityKind:
    """Return the kind; a second face-up card is ``more_face_up_cards`` where the rulebook has it (MD-13B)."""
    if command.irregularity not in FACE_UP_KINDS:
        return command.irregularity
    several = bool(state.discarded) or command.irregularity == "more_face_up_cards"
    described = "more_face_up_cards" in state.rules.game.rulebook.irregularities
    return "more_face_up_cards" if several and described else "one_face_up_card"


def _untrue_refusal(state: RoundState, command: ReportIrregularity, row: Consequences) -> Refusal | None:
    """Refuse a report that is not true: a right number of cards, the up card, cards that are not there."""
    kind = command.irregularity
    if kind in FACE_UP_KINDS:
        return _face_up_refusal(state, command, row)
    if kind == "wrong_number_of_cards":
        return _number_refusal(state, command, row)
    if kind == "dealer_card_exposed":
        return _exposure_refusal(state, command, row)
    if kind == "cards_on_play_without_chips":
        return turn_refusal(state, command, command.position)
    if kind == "player_card_exposed":
        place = state.positions.get(command.position)
        return _exposed_card_refusal(state, command, row, lying=place is not None and bool(place.cards))
    return None


def _foreign_field_refusal(command: ReportIrregularity, row: Consequences) -> Refusal | None:
    """Refuse fields that do not belong to this kind of irregularity, so that none is recorded."""
    kind = command.irregularity
    foreign = {
        "card": command.card is not None and kind not in KINDS_WITH_CARD,
        "count": command.count is not None and kind != "wrong_number_of_cards",
        "place": command.place != 0 and kind not in FACE_UP_KINDS,
        "position": command.position != 0 and kind not in KINDS_WITH_POSITION,
    }
    for name, is_foreign in foreign.items():
        if is_foreign:
            return refuse(Code.FIGURE_FOREIGN, clauses_of(row), figure=name, kind=step_text(kind))
    return None


def _face_up_refusal(state: RoundState, command: ReportIrregularity, row: Consequences) -> Refusal | None:
    """Accept a face-up card only among the next cards; in a stack, any of its cards (R74)."""
    count = upcoming_move(state).count
    if not 0 <= command.place < count:
        return refuse(Code.FACE_UP_UNFIT, (*clauses_of(row), "R74"), count=count)
    if command.card not in DECK_SET:
        return refuse(Code.CARD_UNKNOWN, whose="the deck", reason="the card found face up must be named")
    if command.card in state.dealt_cards:
        return refuse(Code.CARD_SEEN, card=card_text(command.card))
    return None


def _number_refusal(state: RoundState, command: ReportIrregularity, row: Consequences) -> Refusal | None:
    """Refuse a right number: the cards that the hand has by the plan, or has after the next move."""
    count, hand = command.count, _hand_in_report(state, command.position)
    if hand is None:
        return refuse(Code.CARDS_ABSENT, clauses_of(row), where=_where(command.position))
    if count is None or count < 0:
        figures = {
            "step": "a wrong number",
            "wanted": "a hand and its number of cards",
            "count": count_text(count),
        }
        return refuse(Code.NUMBER_UNFIT, clauses_of(row), **figures)
    whose, size = hand
    right = (size, size + _next_cards_for(state, command.position))
    return refuse(Code.NOTHING_WRONG, clauses_of(row), whose=whose, count=count) if count in right else None


def _next_cards_for(state: RoundState, position: int) -> int:
    """Return how many cards the next move deals to a position."""
    if state.phase not in ("betting", "dealing"):
        return 0
    move = upcoming_move(state)
    return move.count if move.name == "deal" and move.to == position else 0


def _hand_in_report(state: RoundState, position: int) -> tuple[str, int] | None:
    """Return whose hand a report means, and the hand's right size by now."""
    if position == EXTRA and state.extra:
        return "the extra stack", len(state.extra)
    if position == BONUS and state.bonus:
        return "the bonus box", len(state.bonus)
    whose = "the dealer" if position == DEALER else f"position {position}"
    right = expected_hand_sizes(state).get(position)
    return None if right is None else (whose, right)


def _where(position: int) -> str:
    """Return where the cards of a report would lie."""
    stacks = {DEALER: "before the dealer", EXTRA: "in the extra stack", BONUS: "in the bonus box"}
    return stacks.get(position, f"at position {position}")


def _exposure_refusal(state: RoundState, command: ReportIrregularity, row: Consequences) -> Refusal | None:
    """Refuse the up card (R73), and cards that the dealer has revealed in the settlement."""
    if command.card is not None and command.card == state.up_card:
        return refuse(Code.UP_CARD_EXEMPT, (*clauses_of(row), "R73"))
    if state.dealer_shown:
        return refuse(
            Code.NOT_NOW, clauses_of(row), what="dealer card exposed", phase=PHASE_PHRASES[state.phase]
        )
    return _exposed_card_refusal(state, command, row, lying=bool(state.dealer))


def _exposed_card_refusal(
    state: RoundState, command: ReportIrregularity, row: Consequences, *, lying: bool
) -> Refusal | None:
    """Accept any card that does not lie open, so that a refusal never reveals a hidden card."""
    places = state.positions.values()
    open_cards = {
        state.up_card,
        *state.discarded,
        *(state.dealer if state.dealer_shown else ()),
        *(state.bonus if state.bonus_shown else ()),
        *(card for place in places if place.face_up for card in place.cards),
    }
    hidden = command.card in DECK_SET and command.card not in open_cards
    return None if lying and hidden else _card_not_there_refusal(state, row)


def _card_not_there_refusal(state: RoundState, row: Consequences) -> Refusal:
    figures = {"rulebook": state.rules.game.rulebook.id, "kind": "no such card lies there"}
    return refuse(Code.NOT_DESCRIBED, clauses_of(row), **figures)

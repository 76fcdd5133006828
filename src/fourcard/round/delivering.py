"""The deal: each move of the deal plan deals cards, turns the up card, or discards cards."""

from fourcard.cards import CardsError, card_text, distinct
from fourcard.dealing import Move
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import dealer_refusal, phase_refusal, told, words
from fourcard.round.commands import Deal, Perform
from fourcard.round.due import before_cards, next_move
from fourcard.round.events import (
    BetsClosed,
    CardsDealt,
    CardsDiscarded,
    Decided,
    RoundEvent,
    StepDone,
    UpCardTurned,
)
from fourcard.round.state import RoundState
from fourcard.rules.limits import positions_refusal
from fourcard.rules.nodes import cite
from fourcard.wagers.showdown import DEALER


def deal(state: RoundState, command: Deal) -> Decided:
    """Deal the next cards of the plan; the first card closes betting if it is still open (R17, R95)."""
    rules = state.rules.dealing
    refusal = (
        dealer_refusal(state, command)
        or phase_refusal(state, command, ("betting", "dealing"), rules.start)
        or ready_refusal(state)
    )
    if refusal is not None:
        return refusal
    move = upcoming(state)
    refusal = _move_refusal(move) or cards_refusal(state, command.cards, move.count)
    if refusal is not None:
        return refusal
    closing: list[RoundEvent] = []
    if state.moment == "betting":
        closing = [BetsClosed(cite(state.rules.game.rulebook.wagers.ante.closes))]
    return [*closing, CardsDealt(move.to, command.cards, move.clauses, move.up)]


def upcoming(state: RoundState) -> Move:
    """Return the next move of the deal; while betting is open, the first move of the plan."""
    return state.rules.plan(state.dealt_in).moves[0] if state.phase == "betting" else next_move(state)


def ready_refusal(state: RoundState) -> Refusal | None:
    """Refuse the first card until every step before it is done."""
    if state.phase != "betting":
        return None
    refusal = dealt_in_refusal(state)
    if refusal is not None:
        return refusal
    for step, clauses in before_cards(state):
        if step == "count_chips" and state.chips_differ is not None:
            chips, accepted = state.chips_differ
            return refuse(Code.CHIPS_DIFFER, (*clauses, "R65"), chips=chips, accepted=accepted)
        return refuse(Code.OUT_OF_ORDER, clauses, step="deal", due=words(step))
    return None


def dealt_in_refusal(state: RoundState) -> Refusal | None:
    """Refuse a deal without wagers, or with one player at positions that cannot be held together (MD-07F)."""
    if not state.dealt_in:
        return refuse(Code.NOBODY_WAGERED, cite(state.rules.dealing.dealt_in))
    by_player: dict[str, list[int]] = {}
    for position in state.dealt_in:
        by_player.setdefault(state.places[position].player, []).append(position)
    several = (positions for positions in by_player.values() if len(positions) > 1)
    refusals = (positions_refusal(state.rules.game, positions) for positions in several)
    return next((refusal for refusal in refusals if refusal is not None), None)


def _move_refusal(move: Move) -> Refusal | None:
    if move.name == "deal":
        return None
    return refuse(Code.OUT_OF_ORDER, move.clauses, step="deal", due=words(move.name))


def cards_refusal(state: RoundState, cards: tuple[int, ...], wanted: int) -> Refusal | None:
    """Refuse the wrong number of cards, unknown cards, and cards that are already on the table."""
    if len(cards) != wanted:
        return refuse(Code.CARDS_UNFIT, count=len(cards), wanted=wanted)
    try:
        distinct(cards)
    except CardsError as error:
        return refuse(Code.CARD_UNKNOWN, whose="the deck", reason=str(error).removesuffix("."))
    for card in cards:
        if state.out >> card & 1:
            return refuse(Code.CARD_SEEN, card=card_text(card))
    return None


def move_done(state: RoundState, command: Perform) -> Decided:
    """Perform a move that deals no cards: verify a hand, spread, turn up a card, discard."""
    move = next_move(state)
    if move.name == "deal":
        return refuse(Code.STEP_DONE_BY, step="deal")
    if move.name == "verify_hand":
        return _verify_hand(command, move)
    if move.name == "turn_up_card":
        stack = state.dealer if move.to == DEALER else state.extra
        return [UpCardTurned(stack[move.place], move.clauses)]
    if move.name == "discard_extra_cards":
        return [CardsDiscarded(state.extra, move.clauses)]
    return [StepDone(move.name, move.clauses, move.to)]


def _verify_hand(command: Perform, move: Move) -> Decided:
    """Count a hand, which must have the right number of cards."""
    if command.count != move.count:
        figures = {
            "step": words(move.name),
            "wanted": "the number of cards that lie there",
            "count": told(command.count),
        }
        return refuse(Code.NUMBER_UNFIT, move.clauses, **figures)
    return [StepDone(move.name, move.clauses, move.to, count=command.count)]

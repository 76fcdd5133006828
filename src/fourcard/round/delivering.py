"""Dealing by the plan: each move takes its cards off the deck, turns one up, or puts cards away."""

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
    """Deal what comes next; the first card closes the bets that nothing closed before (R17, R95)."""
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
    """Return the next move, the first of the plan while wagers are still open."""
    return state.rules.plan(state.dealt_in).moves[0] if state.phase == "betting" else next_move(state)


def ready_refusal(state: RoundState) -> Refusal | None:
    """Hold the first card back until everything before it is done."""
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
    """Refuse to go on where nobody wagered, or one player's positions may not be held together (MD-07F)."""
    if not state.dealt_in:
        return refuse(Code.NOBODY_WAGERED, cite(state.rules.dealing.dealt_in))
    held: dict[str, list[int]] = {}
    for position in state.dealt_in:
        held.setdefault(state.places[position].player, []).append(position)
    several = (positions for positions in held.values() if len(positions) > 1)
    found = (positions_refusal(state.rules.game, positions) for positions in several)
    return next((each for each in found if each is not None), None)


def _move_refusal(move: Move) -> Refusal | None:
    if move.name == "deal":
        return None
    return refuse(Code.OUT_OF_ORDER, move.clauses, step="deal", due=words(move.name))


def cards_refusal(state: RoundState, cards: tuple[int, ...], wanted: int) -> Refusal | None:
    """Refuse cards that are too few, too many, unknown, or on the table already."""
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
    """Do a move that is no dealing: verify, spread, turn up, discard."""
    move = next_move(state)
    if move.name == "deal":
        return refuse(Code.STEP_DONE_BY, step="deal")
    if move.name == "verify_hand":
        return _verified(command, move)
    if move.name == "turn_up_card":
        stack = state.dealer if move.to == DEALER else state.extra
        return [UpCardTurned(stack[move.place], move.clauses)]
    if move.name == "discard_extra_cards":
        return [CardsDiscarded(state.extra, move.clauses)]
    return [StepDone(move.name, move.clauses, move.to)]


def _verified(command: Perform, move: Move) -> Decided:
    """Spread cards and count them."""
    if command.count != move.count:
        figures = {
            "step": words(move.name),
            "wanted": "the number of cards that lie there",
            "count": told(command.count),
        }
        return refuse(Code.NUMBER_UNFIT, move.clauses, **figures)
    return [StepDone(move.name, move.clauses, move.to, count=command.count)]

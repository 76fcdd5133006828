"""Opening, idling and closing a table, and replacing its decks."""

from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import words
from fourcard.rules.nodes import cite, holds
from fourcard.table.agenda import waived_by_device
from fourcard.table.commands import BringDeck, CloseTable, GoIdle, LastHand, OpenTable
from fourcard.table.events import Decided, DeckBrought, LastHandCalled, TableClosed, TableOpened, WentIdle
from fourcard.table.state import TableState, is_deck


def open_table(state: TableState, command: OpenTable) -> Decided:
    """Open a closed table with the number of decks that the submission names."""
    if state.phase != "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="open already")
    rules, wanted = state.game.rulebook.shuffling, state.game.submission.dealing.decks
    if len(command.decks) != wanted:
        return refuse(Code.DECKS_UNFIT, cite(rules.decks), count=len(command.decks), wanted=wanted)
    if command.orders and len(command.orders) != wanted:
        return refuse(Code.ORDER_UNFIT, cite(rules.waived_for_preshuffled))
    if len(set(map(_colour, command.decks))) < len(command.decks) and holds(rules.backs_differ):
        return refuse(Code.BACKS_ALIKE, cite(rules.backs_differ))
    refusal = _preshuffled_refusal(state, command.orders, preshuffled=command.preshuffled)
    if refusal is not None:
        return refusal
    return [TableOpened(command.decks, command.preshuffled, command.shoe_side, command.at, command.orders)]


def _colour(back: str) -> str:
    """Return a back's colour for comparison, without case and outer spaces."""
    return back.strip().casefold()


def _preshuffled_refusal(
    state: TableState, orders: tuple[tuple[int, ...], ...], *, preshuffled: bool
) -> Refusal | None:
    """Refuse preshuffled cards where the rulebook has none, and an invalid order."""
    rule = state.game.rulebook.shuffling.waived_for_preshuffled
    if preshuffled and not rule.value:
        return refuse(Code.PRESHUFFLED_REFUSED, cite(rule))
    if any(not is_deck(order) for order in orders) or (orders and not preshuffled):
        return refuse(Code.ORDER_UNFIT, cite(rule))
    return None


def bring_deck(state: TableState, command: BringDeck) -> Decided:
    """Replace a deck, between rounds or while it is not in play."""
    number = state.active if command.deck is None else command.deck
    if state.phase != "open":
        return refuse(Code.TABLE_NOT_OPEN, phase=state.phase)
    if not 0 <= number < len(state.decks):
        return refuse(Code.DECK_UNKNOWN, deck=number)
    rules = state.game.rulebook.shuffling
    if state.round is not None and number == state.active and not state.decks[number].removed:
        return refuse(Code.ROUND_UNDER_WAY)
    others = [_colour(deck.back) for n, deck in enumerate(state.decks) if n != number]
    if _colour(command.back) in others and holds(rules.backs_differ):
        return refuse(Code.BACKS_ALIKE, cite(rules.backs_differ))
    orders = () if command.order is None else (command.order,)
    refusal = _preshuffled_refusal(state, orders, preshuffled=command.preshuffled)
    return refusal or [DeckBrought(number, command.back, command.preshuffled, command.at, command.order)]


def go_idle(state: TableState, command: GoIdle) -> Decided:
    """Spread the cards of a table without players (MA-5e.1, MD-05F2)."""
    if state.phase != "open":
        return refuse(Code.TABLE_NOT_OPEN, phase=state.phase)
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY)
    if state.seats:
        return refuse(Code.PLAYERS_SEATED)
    if state.decks[state.active].removed:
        return refuse(Code.DECK_UNPREPARED, due="bring a deck")
    return _spread_idle(state, command)


def _spread_idle(state: TableState, command: GoIdle) -> Decided:
    """Spread the cards the usual way, or as a player requests where the rulebook allows it."""
    idle = state.game.rulebook.idle
    undone = next((due for due in state.agenda if due[0] in ("inspect_cards", "verify_inspection")), None)
    if undone is not None:
        return refuse(Code.STEP_NOT_DUE, undone[1], step="spread idle cards", due=words(undone[0]))
    if idle is None or waived_by_device(state, "idle-spread"):
        clauses = cite(state.game.rulebook.shuffling.reshuffling_waives)
        return refuse(Code.NOT_DESCRIBED, clauses, rulebook=state.game.rulebook.id, kind="an idle spread")
    player = command.role == "player"
    requested = (idle.on_request.value,) if idle.on_request is not None else ()
    if command.spread not in (requested if player else idle.spread.value):
        clauses, spread = cite(idle.spread, idle.on_request), command.spread.replace("-", " ")
        return refuse(Code.IDLE_REFUSED, clauses, spread=spread)
    return [WentIdle(command.spread, cite(idle.spread))]


def close_table(state: TableState, command: CloseTable) -> Decided:
    """Close the table between rounds."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed already")
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY)
    return [TableClosed(command.at)]


def last_hand(state: TableState, command: LastHand) -> Decided:
    """Close the table after the current round, or at once between rounds (P36)."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, ("P36",), phase="closed already")
    if state.last_hand:
        return refuse(Code.LAST_HAND_CALLED, ("P36",))
    called = LastHandCalled()
    return [called] if state.round is not None else [called, TableClosed(command.at)]

"""Table decisions: turn a command into events or a refusal; a round's commands go on to the round."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import dealer_refusal, named, words
from fourcard.round.commands import (
    CorrectPayment,
    Deal,
    LeaveSeat,
    ReportIrregularity,
    RoundCommand,
    TakeSeat,
)
from fourcard.round.decide import decide as decide_round
from fourcard.round.delivering import upcoming
from fourcard.round.events import RoundEnded, RoundVoided
from fourcard.round.state import RoundState, begin
from fourcard.round.trouble import FACE_UP
from fourcard.rules.nodes import cite, holds
from fourcard.table.agenda import MIXING, mixing
from fourcard.table.commands import (
    BeginRound,
    BringDeck,
    BringDevice,
    CloseTable,
    GoIdle,
    LastHand,
    OpenTable,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwapMachine,
    SwitchMethod,
    TableCommand,
)
from fourcard.table.devices import bring_device, report_failure, see_to_device, swap_machine, switch_method
from fourcard.table.events import (
    Decided,
    DeckPutInShuffler,
    PlayerArrived,
    RoundBegan,
    TableClosed,
    TableEvent,
)
from fourcard.table.opening import bring_deck, close_table, go_idle, last_hand, open_table
from fourcard.table.preparing import order_recut, order_shuffle, prepare
from fourcard.table.state import TableState

Decider = Callable[[TableState, Any], Decided]
HOUR = 3_600_000
STAFF_ONLY = (
    OpenTable,
    BringDeck,
    BeginRound,
    ReportFailure,
    BringDevice,
    SwapMachine,
    SwitchMethod,
    CloseTable,
    LastHand,
)
ROUND_ENDS = (RoundEnded, RoundVoided)
DEVICE_STEPS = ("remove_device", "cover_device", "mark_device")


def decide(state: TableState, command: TableCommand) -> Decided:
    """Return the events of a command, or the refusal with its reason."""
    if command.at and command.at < state.at:
        return refuse(Code.TIME_BACKWARD)
    if command.role == "player" and isinstance(command, STAFF_ONLY):
        return refuse(Code.NOT_YOUR_DUTY, what=named(command), who="dealer or the floor", role="player")
    decider: Decider = _TABLE_COMMANDS.get(type(command), _decide_in_round)
    decided = decider(state, command)
    if not state.last_hand or isinstance(decided, Refusal):
        return decided
    round_over = any(isinstance(event, ROUND_ENDS) for event in decided)
    return [*decided, TableClosed(command.at)] if round_over else decided


def _prepare(state: TableState, command: Prepare) -> Decided:
    if command.step in DEVICE_STEPS:
        return see_to_device(state, command)
    return prepare(state, command)


def begin_round(state: TableState, command: BeginRound) -> Decided:
    """Open a round for wagers, if the active deck is ready and not too old."""
    if state.phase != "open":
        return refuse(Code.TABLE_NOT_OPEN, phase=state.phase)
    if state.round is not None:
        return refuse(Code.ROUND_UNDER_WAY)
    unshuffled = holds(state.rules.dealing.needs_shuffler) and mixing(state) == "by-hand"
    if unshuffled or (state.method == "automated" and "shoe" in state.away):
        return refuse(Code.DEVICE_AWAY, cite(state.game.rulebook.devices.before_other_method))
    refusal = _round_deck_refusal(state, command)
    if refusal is not None:
        return refusal
    every = None if _count_waived(state) else state.rules.dealing.counting.every
    due = every is not None and state.since_count + 1 >= every.value
    began = RoundBegan(state.number + 1, state.active, due or command.count_stub, command.at)
    return [*_put_other_deck_in_shuffler(state), began]


def _count_waived(state: TableState) -> bool:
    """Say whether a shuffler that counts the deck makes the stub count unnecessary."""
    rule, machine = state.rules.dealing.counting.waived_by_counting_shuffler, state.game.submission.shuffler
    return holds(rule) and machine is not None and machine.counts and mixing(state) == "by-machine"


def _round_deck_refusal(state: TableState, command: BeginRound) -> Refusal | None:
    """Refuse a deck that was removed, is too old, or is not ready (MD-03C1, MD-03C2)."""
    deck, rule = state.decks[state.active], state.rules.dealing.change_hours
    if deck.removed:
        return refuse(Code.DECK_UNPREPARED, due="bring a deck")
    if rule is not None and max(command.at, state.at) - deck.since >= rule.value * HOUR:
        return refuse(Code.DECK_TOO_OLD, cite(rule), hours=rule.value)
    if state.agenda:
        step, clauses = state.agenda[0]
        return refuse(Code.DECK_UNPREPARED, clauses, due=words(step))
    return None


def _put_other_deck_in_shuffler(state: TableState) -> list[TableEvent]:
    """Put the other deck into the shuffler: the discard rack holds cards of one deck at a time (MA-2b5)."""
    rules = state.game.rulebook.shuffling
    if len(state.decks) == 1 or mixing(state) == "by-hand":
        return []
    if rules.rack_holds_decks is None or rules.rack_holds_decks.value != 1:
        return []
    other = 1 - state.active
    deck = state.decks[other]
    ready = deck.agenda and deck.agenda[0][0] in MIXING
    if deck.in_shuffler or deck.removed or not ready:
        return []
    return [DeckPutInShuffler(other, cite(rules.rack_holds_decks, rules.shuffled_while_other_in_play))]


def _decide_in_round(state: TableState, command: RoundCommand) -> Decided:
    """Let the round decide; the table adds seats, deck cards and the last round where they are needed."""
    decider = _ROUND_COMMANDS.get(type(command))
    if decider is not None:
        return decider(state, command)
    return refuse(Code.NO_ROUND) if state.round is None else decide_round(state.round, command)


def _correct_payment(state: TableState, command: CorrectPayment) -> Decided:
    """Correct a payment of the current round, or of the last one."""
    paid = state.round or state.finished
    return refuse(Code.NO_ROUND) if paid is None else decide_round(paid, command)


def _report_irregularity(state: TableState, command: ReportIrregularity) -> Decided:
    """Let the round decide irregularities of cards; device failures have their own command."""
    if state.round is None:
        return refuse(Code.NO_ROUND)
    if command.irregularity in ("shuffler_failure", "shoe_failure"):
        return refuse(Code.STEP_DONE_BY, step="report failure")
    if command.irregularity in FACE_UP:
        return _report_face_up_card(state, state.round, command)
    return decide_round(state.round, command)


def _change_seat(state: TableState, command: TakeSeat | LeaveSeat) -> Decided:
    """Seat and unseat players, during a round only as the round allows."""
    if state.phase == "closed":
        return refuse(Code.TABLE_NOT_OPEN, phase="closed")
    between = state.round if state.round is not None else begin(state.rules, state.seats)
    outcome = decide_round(between, command)
    if isinstance(outcome, Refusal) or state.phase != "idle":
        return outcome
    idle = state.game.rulebook.idle
    return [*outcome, PlayerArrived(cite(*(() if idle is None else idle.arrival.values())))]


def _deal(state: TableState, command: Deal) -> Decided:
    """Deal the next cards from the deck; if its order is unknown, the dealer keys them in."""
    round_state = state.round
    if round_state is None:
        return refuse(Code.NO_ROUND)
    refusal = _deck_unready_refusal(state) or _drawing_hand_refusal(state, command)
    if refusal is not None:
        return refusal
    deck = state.decks[state.active]
    if deck.order is None:
        return decide_round(round_state, command)
    if command.cards:
        return refuse(Code.CARDS_KEYED)
    dealing = round_state.phase == "dealing" or (round_state.phase == "betting" and round_state.dealt_in)
    count = upcoming(round_state).count if dealing else 0
    return decide_round(round_state, replace(command, cards=deck.order[:count]))


def _deck_unready_refusal(state: TableState) -> Refusal | None:
    """Refuse a deck that was removed, or that still has preparation steps."""
    if state.decks[state.active].removed:
        return refuse(Code.DECK_UNPREPARED, due="bring a deck")
    if state.agenda:
        step, clauses = state.agenda[0]
        return refuse(Code.DECK_UNPREPARED, clauses, due=words(step))
    return None


def _drawing_hand_refusal(state: TableState, command: Deal) -> Refusal | None:
    """Refuse the wrong drawing hand: it must be the one next to the shoe, or the one without the deck."""
    used = command.drawn_with
    if used is None or state.method not in ("shoe", "hand"):
        return None
    right = used == state.shoe_side if state.method == "shoe" else used != state.hand
    clauses = cite(state.rules.dealing.drawing_hand)
    rule = state.rules.dealing.drawing_hand
    return None if right or not holds(rule) else refuse(Code.WRONG_HAND, clauses, hand=used)


def _report_face_up_card(state: TableState, round_state: RoundState, command: ReportIrregularity) -> Decided:
    """Take the face-up card from the deck; if its order is unknown, the dealer keys it in."""
    deck = state.decks[state.active]
    refusal = _deck_unready_refusal(state) or (
        dealer_refusal(round_state, command) if deck.order is None else None
    )
    if refusal is not None:
        return refusal
    if deck.order is None or not 0 <= command.place < len(deck.order):
        return decide_round(round_state, command)
    if command.card is not None:
        return refuse(Code.CARDS_KEYED)
    return decide_round(round_state, replace(command, card=deck.order[command.place]))


_TABLE_COMMANDS: dict[type, Decider] = {
    OpenTable: open_table,
    BringDeck: bring_deck,
    Prepare: _prepare,
    OrderRecut: order_recut,
    OrderShuffle: order_shuffle,
    BeginRound: begin_round,
    ReportFailure: report_failure,
    BringDevice: bring_device,
    SwapMachine: swap_machine,
    SwitchMethod: switch_method,
    GoIdle: go_idle,
    CloseTable: close_table,
    LastHand: last_hand,
}
_ROUND_COMMANDS: dict[type, Decider] = {
    TakeSeat: _change_seat,
    LeaveSeat: _change_seat,
    Deal: _deal,
    ReportIrregularity: _report_irregularity,
    CorrectPayment: _correct_payment,
}
"""Round commands that need the table's seats, deck or last round."""

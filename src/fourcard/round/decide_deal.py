"""The deal and the stub: moves of the deal plan, the stub count, and the judgement of a wrong count.

A progressive changes nothing of the deal once its chips are in (SM-PROG-7, WA-PROG-6, WA-NEX-6).
"""

from fourcard.cards import DECK_SIZE, CardsError, card_text, distinct
from fourcard.dealing import DealMove
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import Deal, JudgeCount, Perform
from fourcard.round.decide_wagers import void_event
from fourcard.round.events import (
    BetsClosed,
    CardsDealt,
    CardsDiscarded,
    CountFoundWrong,
    CountJudged,
    DecisionsAwaited,
    OddsDisplayed,
    RoundEvent,
    RoundEventsOrRefusal,
    StepDone,
    UpCardTurned,
)
from fourcard.round.preconditions import (
    count_text,
    dealer_refusal,
    duty_refusal,
    expected_hand_sizes,
    next_move,
    phase_refusal,
    step_text,
    steps_after_cards,
    steps_before_cards,
)
from fourcard.round.state import RoundState
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.limits import positions_refusal
from fourcard.settlers.showdown import DEALER
from fourcard.settlers.wager_settler import odds_by_row


def deal(state: RoundState, command: Deal) -> RoundEventsOrRefusal:
    """Deal the next cards of the plan."""
    rules = state.rules.dealing
    refusal = (
        dealer_refusal(state, command)
        or phase_refusal(state, command, ("betting", "dealing"), rules.start)
        or ready_refusal(state)
    )
    if refusal is not None:
        return refusal
    move = upcoming_move(state)
    refusal = _move_refusal(move) or cards_refusal(state, command.cards, move.count)
    if refusal is not None:
        return refusal
    return [*close_bets(state), CardsDealt(move.to, command.cards, move.clauses, move.up)]


def close_bets(state: RoundState) -> list[RoundEvent]:
    """Close the bets with the first card if they are still open (R17, R95)."""
    if state.betting_stage != "betting":
        return []
    return [BetsClosed(clauses_of(state.rules.game.rulebook.wagers.ante.closes))]


def upcoming_move(state: RoundState) -> DealMove:
    """Return the next move of the deal; while betting is open, the first move of the plan."""
    return state.rules.plan(state.dealt_in).moves[0] if state.phase == "betting" else next_move(state)


def ready_refusal(state: RoundState) -> Refusal | None:
    """Refuse the first card until every step before it is done."""
    if state.phase != "betting":
        return None
    refusal = dealt_in_refusal(state)
    if refusal is not None:
        return refusal
    for step, clauses in steps_before_cards(state):
        if step == "count_chips" and state.chips_differ is not None:
            chips, accepted = state.chips_differ
            return refuse(Code.CHIPS_DIFFER, (*clauses, "R65"), chips=chips, accepted=accepted)
        return refuse(Code.OUT_OF_ORDER, clauses, step="deal", due=step_text(step))
    return None


def dealt_in_refusal(state: RoundState) -> Refusal | None:
    """Refuse a deal without wagers, or with one player at positions that cannot be held together (MD-07F)."""
    if not state.dealt_in:
        return refuse(Code.NOBODY_WAGERED, clauses_of(state.rules.dealing.dealt_in))
    by_player: dict[str, list[int]] = {}
    for position in state.dealt_in:
        by_player.setdefault(state.positions[position].player, []).append(position)
    refusals = (positions_refusal(state.rules.game, positions) for positions in by_player.values())
    return next((refusal for refusal in refusals if refusal is not None), None)


def _move_refusal(move: DealMove) -> Refusal | None:
    if move.name == "deal":
        return None
    return refuse(Code.OUT_OF_ORDER, move.clauses, step="deal", due=step_text(move.name))


def cards_refusal(state: RoundState, cards: tuple[int, ...], wanted: int) -> Refusal | None:
    """Refuse the wrong number of cards, unknown cards, and cards that are already on the table."""
    if len(cards) != wanted:
        return refuse(Code.CARDS_UNFIT, count=len(cards), wanted=wanted)
    try:
        distinct(cards)
    except CardsError as error:
        return refuse(Code.CARD_UNKNOWN, whose="the deck", reason=str(error).removesuffix("."))
    for card in cards:
        if state.dealt_mask >> card & 1:
            return refuse(Code.CARD_SEEN, card=card_text(card))
    return None


def perform_move(state: RoundState) -> RoundEventsOrRefusal:
    """Perform a move that deals no cards: spread, turn up a card, discard."""
    move = next_move(state)
    if move.name == "deal":
        return refuse(Code.STEP_DONE_BY, step="deal")
    if move.name == "turn_up_card":
        stack = state.dealer if move.to == DEALER else state.extra
        return [UpCardTurned(stack[move.place], move.clauses)]
    if move.name == "discard_extra_cards":
        return [CardsDiscarded(state.extra, move.clauses)]
    return [StepDone(move.name, move.clauses, move.to)]


def perform_stub_step(state: RoundState, command: Perform) -> RoundEventsOrRefusal:
    """Perform the next step with the stub; the last one opens the players' decisions."""
    step, clauses = next(steps_after_cards(state))
    if command.exposed and not state.rules.dealing.stub_exposed.value:
        return refuse(Code.STUB_SHOWN, clauses_of(state.rules.dealing.stub_exposed))
    if step == "count_stub":
        return _count_stub(state, command, clauses)
    shown = _display_odds(state) if step == state.rules.odds_shown_at else []
    return [StepDone(step, clauses), *shown, *([DecisionsAwaited()] if _is_last_step(state) else ())]


def _display_odds(state: RoundState) -> list[RoundEvent]:
    """Display the Cover All odds once the hands are counted, if somebody made that wager (MA-12e.1)."""
    rules = state.rules.game.rulebook.wagers.cover_all
    wagered = any("cover_all" in place.wagers for place in state.positions.values())
    column = rules.column(len(state.dealt_in)) if rules is not None else None
    if rules is None or column is None or not wagered or not is_set(rules.odds_displayed):
        return []
    clauses = clauses_of(rules.odds_displayed, rules.counts_dealt, column)
    odds = tuple((row, str(each)) for row, each in odds_by_row(column).items())
    return [OddsDisplayed(len(state.dealt_in), odds, clauses)]


def _is_last_step(state: RoundState) -> bool:
    return len(list(steps_after_cards(state))) == 1


def _count_stub(state: RoundState, command: Perform, clauses: tuple[str, ...]) -> RoundEventsOrRefusal:
    """Compare a stub count with the cards that must be left of 52."""
    expected, counting = DECK_SIZE - state.dealt_mask.bit_count(), state.rules.dealing.counting
    if command.count is None or not 0 <= command.count <= DECK_SIZE:
        figures = {
            "step": step_text("count_stub"),
            "wanted": "the number of cards",
            "count": count_text(command.count),
        }
        return refuse(Code.NUMBER_UNFIT, clauses, **figures)
    cited = (*clauses, *clauses_of(counting.right))
    if command.count != expected or "continue" not in counting.right.value:
        return [CountFoundWrong(command.count, expected, clauses)]
    return [StepDone("count_stub", cited, count=command.count)]


def judge_count(state: RoundState, command: JudgeCount) -> RoundEventsOrRefusal:
    """Judge a wrong count: misdealt hands, a wrong deck, both or neither; and void the round if needed."""
    rule = state.rules.duty("judges_wrong_count")
    refusal = phase_refusal(state, command, ("stub",), rule) or duty_refusal(
        command, "judge a wrong count", rule, "dealer"
    )
    if refusal is not None:
        return refusal
    if state.wrong_count is None:
        return refuse(Code.COUNT_NOT_WRONG, clauses_of(rule))
    hands = expected_hand_sizes(state)
    counted = {position: size for position, size in command.hands.items() if size is not None}
    if counted.keys() != hands.keys() or command.stub is None or min(command.stub, *counted.values()) < 0:
        figures = {
            "step": "judge count",
            "wanted": f"the stub and the size of {len(hands)} hands",
            "count": f"{count_text(command.stub)} and {len(counted)}",
        }
        return refuse(Code.NUMBER_UNFIT, clauses_of(rule), **figures)
    return _judge(state, command.stub, counted)


def _judge(state: RoundState, stub: int, counted: dict[int, int]) -> list[RoundEvent]:
    counting, hands = state.rules.dealing.counting, expected_hand_sizes(state)
    misdealt = counted != hands
    elsewhere = state.dealt_mask.bit_count() - sum(hands.values())
    total = stub + sum(counted.values()) + elsewhere
    whole = (counting.right, counting.misdeal)
    row = (whole if total == DECK_SIZE else (counting.wrong_deck, counting.both))[misdealt]
    events: list[RoundEvent] = [CountJudged(misdealt, total, clauses_of(row))]
    if "continue" in row.value:
        events.append(StepDone("count_stub", clauses_of(row), count=stub))
    if "void" in row.value:
        events.append(void_event(state, clauses_of(row), row.value))
    return events

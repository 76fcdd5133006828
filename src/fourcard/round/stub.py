"""The stub: removed, counted where a count is due, and discarded face down; wrong counts are judged."""

from fourcard.cards import DECK_SIZE
from fourcard.refusals import Code, refuse
from fourcard.round.ask import duty_refusal, phase_refusal, told, words
from fourcard.round.commands import JudgeCount, Perform
from fourcard.round.due import after_cards, right_sizes
from fourcard.round.events import (
    CountFoundWrong,
    CountJudged,
    Decided,
    DecisionsAwaited,
    OddsDisplayed,
    RoundEvent,
    StepDone,
)
from fourcard.round.state import RoundState
from fourcard.round.voiding import voided
from fourcard.rules.nodes import cite, holds
from fourcard.wagers.wager import odds_by_row


def stub_step_done(state: RoundState, command: Perform) -> Decided:
    """Perform the next step with the stub; the last one opens the players' decisions."""
    step, clauses = next(after_cards(state))
    if command.exposed and not state.rules.dealing.stub_exposed.value:
        return refuse(Code.STUB_SHOWN, cite(state.rules.dealing.stub_exposed))
    if step == "count_stub":
        return _count_stub(state, command, clauses)
    done = StepDone(step, clauses)
    return [done, *_display_odds(state), DecisionsAwaited()] if _is_last_step(state) else [done]


def _display_odds(state: RoundState) -> list[RoundEvent]:
    """Display the Cover All odds once the hands are counted, if somebody made that wager (MA-12e.1)."""
    rules = state.rules.game.rulebook.wagers.cover_all
    wagered = any("cover_all" in place.wagers for place in state.places.values())
    column = rules.column(len(state.dealt_in)) if rules is not None else None
    if rules is None or column is None or not wagered or not holds(rules.odds_displayed):
        return []
    clauses = cite(rules.odds_displayed, rules.counts_dealt, column)
    odds = tuple((row, str(each)) for row, each in odds_by_row(column).items())
    return [OddsDisplayed(len(state.dealt_in), odds, clauses)]


def _is_last_step(state: RoundState) -> bool:
    return len(list(after_cards(state))) == 1


def _count_stub(state: RoundState, command: Perform, clauses: tuple[str, ...]) -> Decided:
    """Compare a stub count with the cards that must be left of 52."""
    expected, counting = DECK_SIZE - state.out.bit_count(), state.rules.dealing.counting
    if command.count is None or not 0 <= command.count <= DECK_SIZE:
        figures = {"step": words("count_stub"), "wanted": "the number of cards", "count": told(command.count)}
        return refuse(Code.NUMBER_UNFIT, clauses, **figures)
    cited = (*clauses, *cite(counting.right))
    if command.count != expected or "continue" not in counting.right.value:
        return [CountFoundWrong(command.count, expected, clauses)]
    return [StepDone("count_stub", cited, count=command.count)]


def judge_count(state: RoundState, command: JudgeCount) -> Decided:
    """Judge a wrong count: misdealt hands, a wrong deck, both or neither; and void the round if needed."""
    rule = state.rules.duty("judges_wrong_count")
    refusal = phase_refusal(state, command, ("stub",), rule) or duty_refusal(
        command, "judge a wrong count", rule, "dealer"
    )
    if refusal is not None:
        return refusal
    if state.wrong_count is None:
        return refuse(Code.COUNT_NOT_WRONG, cite(rule))
    hands = right_sizes(state)
    counted = {position: size for position, size in command.hands.items() if size is not None}
    if counted.keys() != hands.keys() or command.stub is None or min(command.stub, *counted.values()) < 0:
        figures = {
            "step": "judge count",
            "wanted": f"the stub and the size of {len(hands)} hands",
            "count": f"{told(command.stub)} and {len(counted)}",
        }
        return refuse(Code.NUMBER_UNFIT, cite(rule), **figures)
    return _judge(state, command.stub, counted)


def _judge(state: RoundState, stub: int, counted: dict[int, int]) -> list[RoundEvent]:
    counting, hands = state.rules.dealing.counting, right_sizes(state)
    misdealt = counted != hands
    elsewhere = state.out.bit_count() - sum(hands.values())
    total = stub + sum(counted.values()) + elsewhere
    whole = (counting.right, counting.misdeal)
    row = (whole if total == DECK_SIZE else (counting.wrong_deck, counting.both))[misdealt]
    events: list[RoundEvent] = [CountJudged(misdealt, total, cite(row))]
    if "continue" in row.value:
        events.append(StepDone("count_stub", cite(row), count=stub))
    if "void" in row.value:
        events.append(voided(state, cite(row), row.value))
    return events

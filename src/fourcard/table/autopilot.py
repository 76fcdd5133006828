"""Table autopilot: the next command of a dealer who follows the rules, with correct counts."""

from collections.abc import Callable, Sequence

from fourcard.cards import DECK_SIZE
from fourcard.refusals import Refusal
from fourcard.round.commands import (
    ActorRole,
    CompleteDocument,
    Deal,
    HandSide,
    JudgeCount,
    Perform,
)
from fourcard.round.preconditions import NextStep, next_move, next_step
from fourcard.round.state import RoundState
from fourcard.table.commands import Prepare, TableCommand
from fourcard.table.decide import decide
from fourcard.table.deck_preparation import cut_depth_step, ends_shuffle
from fourcard.table.local_meter import LocalMeter
from fourcard.table.state import TableState
from fourcard.wagers.showdown import DEALER

ShuffleFunction = Callable[[], Sequence[int]]
"""A function that returns the 52 cards in a new order."""


def next_preparation(state: TableState, shuffle: ShuffleFunction) -> Prepare:
    """Return the next preparation step, with the cut, count and hand that a dealer would use."""
    step = state.agenda[0][0]
    rulebook = state.game.rulebook
    depth = None
    if rulebook.cutting is not None and step == cut_depth_step(rulebook.cutting):
        depth = rulebook.cutting.about.value if rulebook.cutting.about is not None else DECK_SIZE // 2
    strips, machine = rulebook.shuffling.strips, state.game.submission.shuffler
    ends = ends_shuffle(state.agenda)
    counted = DECK_SIZE if ends and machine is not None and machine.counts else None
    hand: HandSide | None = "left" if step == "take_in_hand" else None
    role: ActorRole = "floorperson" if step == "verify_inspection" else "dealer"
    return Prepare(
        step=step,
        order=tuple(shuffle()) if ends else None,
        depth=depth,
        count=strips.value if strips is not None and step == "strip" else counted,
        hand=hand,
        role=role,
    )


def next_command(state: TableState, meters: LocalMeter) -> TableCommand | None:
    """Return the next command of the round, or None while players must act."""
    round_state = state.round
    if round_state is not None and round_state.awaited_step is not None:
        return meters.price_award(round_state)
    return next_round_command(state)


def next_round_command(state: TableState) -> TableCommand | None:
    """Return the next command of a round without a waiting award, or None while players must act."""
    round_state = state.round
    if round_state is None:
        return None
    if round_state.wrong_count is not None:
        return correct_judgement(state, round_state)
    expected = next_step(round_state)
    return None if expected is None else _command_for(state, round_state, expected)


def _command_for(state: TableState, round_state: RoundState, expected: NextStep) -> TableCommand:
    """Return the command for the next step; a payout that blocks it is documented first."""
    if expected.step == "deal":
        return Deal()
    recount = expected.step == "count_chips" and round_state.chips_differ is not None
    command = Perform(
        step=expected.step,
        position=expected.position,
        count=correct_count(state, round_state, expected),
        role="floorperson" if recount else "dealer",
    )
    if round_state.undocumented_positions and isinstance(decide(state, command), Refusal):
        return CompleteDocument(position=round_state.undocumented_positions[0], role="supervisor")
    return command


def correct_count(state: TableState, round_state: RoundState, expected: NextStep) -> int | None:
    """Return the correct count for a counting step, or None for other steps."""
    if expected.step == "count_chips":
        return len(round_state.locked_stakes or ())
    if expected.step == "count_stub":
        return state.decks[state.active].left
    return next_move(round_state).count if expected.step == "verify_hand" else None


def correct_judgement(state: TableState, round_state: RoundState) -> JudgeCount:
    """Return the correct judgement of a wrong stub count, in the role that judges."""
    sizes = {position: len(round_state.positions[position].cards) for position in round_state.dealt_in}
    rule = round_state.rules.duty("judges_wrong_count")
    judge: ActorRole = "supervisor" if rule is not None and "supervisor" in rule.value else "dealer"
    hands = {DEALER: len(round_state.dealer), **sizes}
    return JudgeCount(stub=state.decks[state.active].left, hands=hands, role=judge)

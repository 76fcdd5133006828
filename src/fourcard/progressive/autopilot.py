"""Console autopilot: the next motion of a crew that follows the rules, and its role."""

from fourcard.progressive.console import (
    ConsoleState,
    Press,
    PressHand,
    SelectSpot,
    SwipeCard,
    TurnKey,
    console_rules,
    is_game_under_way,
    motion_order,
)
from fourcard.round.commands import ActorRole
from fourcard.rules.rulebook import ConsoleMotion
from fourcard.table.state import TableState

MotionCommand = Press | PressHand | SelectSpot | SwipeCard | TurnKey


def next_motion(console: ConsoleState | None, table: TableState) -> MotionCommand | None:
    """Return the next motion on a table's console, or None while none is due or there is no console."""
    if console is None:
        return None
    if table.round is not None and table.round.awaited_win is not None:
        order = motion_order(console_rules(console, table.game))
        return _command_for(table, next(motion for motion in order if motion not in console.steps_done))
    if console.key == "jph":
        return TurnKey(to="run", role=_confirmer(table))
    if table.round is None and is_game_under_way(console, table):
        return Press(button=console_rules(console, table.game).ends.value)
    return None


def _confirmer(table: TableState) -> ActorRole:
    """Return a role that may confirm any win, whatever its amount."""
    return "supervisor" if table.rules.duty("confirms_large_jackpot") is None else "executive"


def _command_for(table: TableState, motion: ConsoleMotion) -> MotionCommand:
    assert table.round is not None
    step = table.round.awaited_win
    assert step is not None
    role = _confirmer(table)
    if motion == "select_spot":
        return SelectSpot(position=step.position)
    if motion == "press_hand":
        return PressHand(hand=step.row or step.hand)
    if motion == "swipe_card":
        return SwipeCard(role=role)
    if motion in ("turn_to_jph", "turn_to_run"):
        return TurnKey(to="jph" if motion == "turn_to_jph" else "run", role=role)
    return Press(button="j_pot" if motion == "press_j_pot" else "confirm", role=role)

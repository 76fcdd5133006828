"""Console autopilot: the next motion of a crew that follows the rules, and its role."""

from fourcard.progressive.commands import Press, PressHand, SelectSpot, SwipeCard, TurnKey
from fourcard.progressive.console import Console, cycle, in_game, rules_of
from fourcard.round.commands import ActorRole
from fourcard.rules.consoles import ConsoleMotion
from fourcard.table.state import TableState

Motion = Press | PressHand | SelectSpot | SwipeCard | TurnKey


def next_motion(console: Console, table: TableState) -> Motion | None:
    """Return the next motion on a console, or None while none is due."""
    if table.round is not None and table.round.awaiting is not None:
        order = cycle(rules_of(console, table.game))
        return _command_for(table, next(motion for motion in order if motion not in console.done))
    if console.key == "jph":
        return TurnKey(to="run", role=_confirmer(table))
    if table.round is None and in_game(console, table):
        return Press(button=rules_of(console, table.game).ends.value)
    return None


def _confirmer(table: TableState) -> ActorRole:
    """Return a role that may confirm any win, whatever its amount."""
    return "supervisor" if table.rules.duty("confirms_large_jackpot") is None else "executive"


def _command_for(table: TableState, motion: ConsoleMotion) -> Motion:
    assert table.round is not None
    step = table.round.awaiting
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

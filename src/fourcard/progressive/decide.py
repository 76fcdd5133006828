"""Console decisions: turn a press, a key, a card or a link report into events or a refusal.

One code serves both consoles: the rulebook says which buttons start and end a game, the order of the motions
of a win confirmation, and at which of them the win is logged and the meter adjusted.
"""

from collections.abc import Callable
from typing import Any

from fourcard.progressive.console import (
    ConsoleCommand,
    ConsoleEvent,
    ConsoleState,
    GameReset,
    KeyWithdrawn,
    LinkLost,
    LinkRestored,
    Press,
    PressHand,
    ReportLink,
    SelectSpot,
    SwipeCard,
    TurnKey,
    button_label,
    console_rules,
    is_game_under_way,
)
from fourcard.progressive.win_confirmation import MeterPort, perform_motion
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.round.commands import Perform, PlaceWager
from fourcard.round.events import WagerPlaced
from fourcard.round.preconditions import duty_refusal
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.procedures import StepName
from fourcard.rules.rulebook import ConsoleMotion
from fourcard.table.decide import decide as decide_game
from fourcard.table.events import TableEvent
from fourcard.table.state import TableState

MAX_REASON_LENGTH = 200


def reason_refusal(reason: str, clauses: tuple[str, ...]) -> Refusal | None:
    """Refuse a reason that is empty, too long or not printable."""
    if reason.strip() and len(reason) <= MAX_REASON_LENGTH and reason.isprintable():
        return None
    return refuse(Code.REASON_UNFIT, clauses, most=MAX_REASON_LENGTH)


def report_link(
    console: ConsoleState, table: TableState, command: ReportLink
) -> Refusal | list[ConsoleEvent | TableEvent]:
    """Report that the link is down or up; once it is down, chips on sensors lose their registration (R99)."""
    if command.role == "player":
        figures = {"what": "report the link", "who": "dealer or the floor", "role": "player"}
        return refuse(Code.NOT_YOUR_DUTY, ("P31",), **figures)
    if command.up == console.linked:
        return refuse(Code.LINK_SO_ALREADY, ("P31",), state="there" if console.linked else "lost")
    refusal = reason_refusal(command.reason, ("P31",))
    if refusal is not None:
        return refusal
    if command.up:
        return [LinkRestored(command.reason)]
    current_round = table.round
    lying = (
        current_round.positions.items()
        if current_round is not None and current_round.locked_stakes is None
        else ()
    )
    unregistered = [
        WagerPlaced(position, "progressive", amount, amount, accepted=False)
        for position, place in lying
        if (amount := place.wagers.get("progressive", 0))
    ]
    return [LinkLost(command.reason), *unregistered]


def progressive_wager_refusal(
    console: ConsoleState, table: TableState, command: PlaceWager, closed_reason: str
) -> Refusal | None:
    """Refuse a progressive wager while the link is down, and one on the sensor of another player."""
    if command.wager != "progressive":
        return None
    if problem := console.link_problem(closed_reason):
        return refuse(Code.LINK_DOWN, ("P31",), reason=problem)
    return _sensor_refusal(console, table, command)


def _sensor_refusal(console: ConsoleState, table: TableState, command: PlaceWager) -> Refusal | None:
    """Refuse a chip on another player's sensor where the rules forbid it (SM-PROG-5.3, MD-07E4a.2)."""
    own, current_round = console_rules(console, table.game).own_sensor, table.round
    place = None if current_round is None else current_round.positions.get(command.position)
    foreign = place is not None and command.role == "player" and place.player != command.by
    if is_set(own) and foreign:
        return refuse(Code.SENSOR_FOREIGN, clauses_of(own), position=command.position)
    return None


ConsoleOrTableEvent = ConsoleEvent | TableEvent
ConsoleEventsOrRefusal = Refusal | list[ConsoleOrTableEvent]
BUTTON_MOTIONS: dict[str, ConsoleMotion] = {"j_pot": "press_j_pot", "confirm": "press_confirm"}
COMMAND_MOTIONS: dict[type, ConsoleMotion] = {
    SelectSpot: "select_spot",
    PressHand: "press_hand",
    SwipeCard: "swipe_card",
}
START_BUTTONS, END_BUTTONS = ("coin_in", "start_game"), ("game_over", "end_game")


def decide(
    console: ConsoleState, table: TableState, command: ConsoleCommand, meter: MeterPort
) -> ConsoleEventsOrRefusal:
    """Return the events of a console command, or the refusal with its reason."""
    return _DECIDERS[type(command)](console, table, command, meter)


def _press(
    console: ConsoleState, table: TableState, command: Press, meter: MeterPort
) -> ConsoleEventsOrRefusal:
    rules = console_rules(console, table.game)
    if command.button in START_BUTTONS or command.button in END_BUTTONS:
        right = rules.starts if command.button in START_BUTTONS else rules.ends
        if command.button != right.value:
            return refuse(
                Code.BUTTON_ABSENT,
                clauses_of(right),
                button=button_label(command.button),
                known=button_label(right.value),
            )
        refusal = _dealer_refusal(command, clauses_of(right))
        if refusal is not None:
            return refusal
        return _start_game(table) if command.button in START_BUTTONS else _end_game(console, table)
    return perform_motion(console, table, (BUTTON_MOTIONS[command.button], command), meter)


def _start_game(table: TableState) -> ConsoleEventsOrRefusal:
    """Start the game: register the wagers and lock out later ones, by the round's own step (MD-02C2.2)."""
    current_round = table.round
    if current_round is None:
        return refuse(Code.NO_ROUND)
    step: StepName = "lock_out" if current_round.rules.locks_by_step else "announce_no_more_bets"
    decided = decide_game(table, Perform(step=step))
    return decided if isinstance(decided, Refusal) else [*decided]


def _end_game(console: ConsoleState, table: TableState) -> ConsoleEventsOrRefusal:
    """End the game once all action is settled, and reset the system."""
    ends = console_rules(console, table.game).ends
    if table.round is not None:
        return refuse(Code.GAME_UNDER_WAY, clauses_of(ends))
    if not is_game_under_way(console, table):
        return refuse(Code.GAME_OVER_ALREADY, clauses_of(ends))
    return [GameReset(table.round_number)]


def _perform_motion(
    console: ConsoleState, table: TableState, command: PressHand | SelectSpot | SwipeCard, meter: MeterPort
) -> ConsoleEventsOrRefusal:
    return perform_motion(console, table, (COMMAND_MOTIONS[type(command)], command), meter)


def _turn_key(
    console: ConsoleState, table: TableState, command: TurnKey, meter: MeterPort
) -> ConsoleEventsOrRefusal:
    """Turn the key, where there is one; turning it back from JPH without a logged win only withdraws it."""
    motion: ConsoleMotion = "turn_to_jph" if command.to == "jph" else "turn_to_run"
    cycle = console_rules(console, table.game).cycle
    if motion in cycle and command.to == console.key:
        return refuse(Code.KEY_THERE, clauses_of(cycle[motion]), to=button_label(command.to))
    if motion in cycle and command.to == "run" and console.unpaid_win is None:
        refusal = duty_refusal(command, "turn the key", table.rules.duty("validates_jackpot"), "supervisor")
        return refusal or [KeyWithdrawn(command.by)]
    return perform_motion(console, table, (motion, command), meter)


def _report_link(
    console: ConsoleState, table: TableState, command: ReportLink, _meter: MeterPort
) -> ConsoleEventsOrRefusal:
    return report_link(console, table, command)


def _dealer_refusal(command: Press, clauses: tuple[str, ...]) -> Refusal | None:
    if command.role == "dealer":
        return None
    figures = {"what": button_label(command.button), "who": "dealer", "role": command.role}
    return refuse(Code.NOT_YOUR_DUTY, clauses, **figures)


_DECIDERS: dict[type, Callable[[ConsoleState, TableState, Any, MeterPort], ConsoleEventsOrRefusal]] = {
    Press: _press,
    PressHand: _perform_motion,
    SelectSpot: _perform_motion,
    TurnKey: _turn_key,
    SwipeCard: _perform_motion,
    ReportLink: _report_link,
}

"""Console decisions: turn a press, a key or a card into events or a refusal, without changing the state.

One code serves both consoles: the rulebook says which buttons start and end a game, the order of the motions
of a win confirmation, and at which of them the win is logged and the meter adjusted.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from fourcard.progressive.commands import (
    ConsoleCommand,
    Press,
    PressHand,
    ReportLink,
    SelectSpot,
    SwipeCard,
    TurnKey,
)
from fourcard.progressive.console import Console, button_label, in_game, rules_of
from fourcard.progressive.events import ConsoleEvent, GameReset, KeyWithdrawn
from fourcard.progressive.jackpots import motion_done
from fourcard.progressive.link import report_link
from fourcard.refusals import Code, Refusal, refuse
from fourcard.round.ask import duty_refusal
from fourcard.round.commands import PayAward, Perform
from fourcard.round.state import RoundState
from fourcard.rules.consoles import ConsoleMotion
from fourcard.rules.nodes import cite
from fourcard.rules.procedures import StepName
from fourcard.table.decide import decide as decide_table
from fourcard.table.events import TableEvent
from fourcard.table.state import TableState

Happened = ConsoleEvent | TableEvent
Decided = Refusal | list[Happened]
BUTTONS: dict[str, ConsoleMotion] = {"j_pot": "press_j_pot", "confirm": "press_confirm"}
MOTIONS: dict[type, ConsoleMotion] = {
    SelectSpot: "select_spot",
    PressHand: "press_hand",
    SwipeCard: "swipe_card",
}
STARTING, ENDING = ("coin_in", "start_game"), ("game_over", "end_game")


class Meters(msgspec.Struct, frozen=True):
    """What a console needs from the meter that its table is linked to."""

    price: Callable[[RoundState], PayAward]
    """Returns the payment of the award that waits, after the wins that were logged before."""
    closed: str = ""
    """Why the link of the meter is closed; empty while it is open."""


def decide(console: Console, table: TableState, command: ConsoleCommand, meters: Meters) -> Decided:
    """Return the events of a console command, or the refusal with its reason."""
    return _DECIDERS[type(command)](console, table, command, meters)


def _press(console: Console, table: TableState, command: Press, meters: Meters) -> Decided:
    rules = rules_of(console, table.game)
    if command.button in STARTING or command.button in ENDING:
        right = rules.starts if command.button in STARTING else rules.ends
        if command.button != right.value:
            return refuse(
                Code.BUTTON_ABSENT,
                cite(right),
                button=button_label(command.button),
                known=button_label(right.value),
            )
        refusal = _dealer_refusal(command, cite(right))
        if refusal is not None:
            return refusal
        return _start_game(table) if command.button in STARTING else _end_game(console, table)
    return motion_done(console, table, (BUTTONS[command.button], command), meters.price, meters.closed)


def _start_game(table: TableState) -> Decided:
    """Start the game: register the wagers and lock out later ones, by the round's own step (MD-02C2.2)."""
    under_way = table.round
    if under_way is None:
        return refuse(Code.NO_ROUND)
    step: StepName = "lock_out" if under_way.rules.locks_by_step else "announce_no_more_bets"
    decided = decide_table(table, Perform(step=step))
    return decided if isinstance(decided, Refusal) else [*decided]


def _end_game(console: Console, table: TableState) -> Decided:
    """End the game once all action is settled, and reset the system."""
    ends = rules_of(console, table.game).ends
    if table.round is not None:
        return refuse(Code.GAME_UNDER_WAY, cite(ends))
    if console.key == "jph":
        return refuse(Code.KEY_AT_JPH, cite(rules_of(console, table.game).run_restores))
    if not in_game(console, table):
        return refuse(Code.GAME_OVER_ALREADY, cite(ends))
    return [GameReset(table.number)]


def _confirm(
    console: Console, table: TableState, command: PressHand | SelectSpot | SwipeCard, meters: Meters
) -> Decided:
    return motion_done(console, table, (MOTIONS[type(command)], command), meters.price, meters.closed)


def _turn_key(console: Console, table: TableState, command: TurnKey, meters: Meters) -> Decided:
    """Turn the key, where there is one; turning it back from JPH without a logged win only withdraws it."""
    motion: ConsoleMotion = "turn_to_jph" if command.to == "jph" else "turn_to_run"
    cycle = rules_of(console, table.game).cycle
    if motion in cycle and command.to == console.key:
        return refuse(Code.KEY_THERE, cite(cycle[motion]), to=button_label(command.to))
    if motion in cycle and command.to == "run" and console.logged is None:
        refusal = duty_refusal(command, "turn the key", table.rules.duty("validates_jackpot"), "supervisor")
        return refusal or [KeyWithdrawn(command.by)]
    return motion_done(console, table, (motion, command), meters.price, meters.closed)


def _report_link(console: Console, table: TableState, command: ReportLink, _meters: Meters) -> Decided:
    return report_link(console, table, command)


def _dealer_refusal(command: Press, clauses: tuple[str, ...]) -> Refusal | None:
    if command.role == "dealer":
        return None
    figures = {"what": button_label(command.button), "who": "dealer", "role": command.role}
    return refuse(Code.NOT_YOUR_DUTY, clauses, **figures)


_DECIDERS: dict[type, Callable[[Console, TableState, Any, Meters], Decided]] = {
    Press: _press,
    PressHand: _confirm,
    SelectSpot: _confirm,
    TurnKey: _turn_key,
    SwipeCard: _confirm,
    ReportLink: _report_link,
}

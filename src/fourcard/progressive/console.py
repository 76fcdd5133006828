"""Progressive console: its commands, events and state, and how events change the state."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from fourcard.meter import Payment
from fourcard.round.commands import Command
from fourcard.round.events import AwardPaid, Event, RoundVoided
from fourcard.rules.game import Game
from fourcard.rules.rulebook import ConsoleKind, ConsoleMotion, ConsoleRules, EndButton, StartButton
from fourcard.table.state import TableState

Button = StartButton | EndButton | Literal["j_pot", "confirm"]
KeyPosition = Literal["run", "jph"]


class Press(Command, frozen=True, tag="press"):
    """Press a button other than a hand: start or end of a game, J-POT, or CONFIRM."""

    button: Button


class PressHand(Command, frozen=True, tag="press_hand"):
    """Press the button of a winning hand, a row of the paytable; the same button again cancels it."""

    hand: str


class SelectSpot(Command, frozen=True, tag="select_spot"):
    """Select the winning player's spot on a touch console."""

    position: int


class TurnKey(Command, frozen=True, tag="turn_key"):
    """Turn the supervisor's key."""

    to: KeyPosition


class SwipeCard(Command, frozen=True, tag="swipe_card"):
    """Swipe a supervisor's or an executive's card; the command's role says which."""


class ReportLink(Command, frozen=True, tag="report_link"):
    """Report that the table's link to its meter is down, or up again."""

    up: bool
    reason: str = ""


ConsoleCommand = Press | PressHand | SelectSpot | TurnKey | SwipeCard | ReportLink


class MotionDone(Event, frozen=True, tag="motion_done"):
    """Somebody did the next motion of a win confirmation."""

    motion: ConsoleMotion
    position: int
    """The winner's position, or the selected spot."""
    by: str
    clauses: tuple[str, ...]


class KeyWithdrawn(Event, frozen=True, tag="key_withdrawn"):
    """The supervisor's key was turned back to Run before a win was logged."""

    by: str


class WinMarked(Event, frozen=True, tag="win_marked"):
    """A hand was marked as a winner, and its cards were verified."""

    position: int
    row: str
    by: str
    clauses: tuple[str, ...]


class WinUnmarked(Event, frozen=True, tag="win_unmarked"):
    """The same hand button was pressed again, which cancelled the mark."""

    position: int


class WinLogged(Event, frozen=True, tag="win_logged"):
    """A win was logged in the Game Manager; no button can undo it."""

    position: int
    row: str
    payment: Payment
    before: int
    """The meter's display in cents, after the wins that were logged before."""
    after: int
    player: str
    cards: tuple[int, ...]
    marked_by: str
    confirmed_by: str
    confirmed_as: str
    clauses: tuple[str, ...]


class GameReset(Event, frozen=True, tag="game_reset"):
    """The dealer ended the game, and the system is ready for the next one."""

    round: int


class LinkLost(Event, frozen=True, tag="link_lost"):
    """The table lost the link to its meter."""

    reason: str


class LinkRestored(Event, frozen=True, tag="link_restored"):
    """The table's link to its meter is up again."""

    reason: str


ConsoleEvent = (
    MotionDone | KeyWithdrawn | WinMarked | WinUnmarked | WinLogged | GameReset | LinkLost | LinkRestored
)


Light = Literal["off", "placed", "registered"]
DEFAULT_CONSOLE: ConsoleKind = "keypad"
"""The console of a submission that names none (P32)."""


class MarkedHand(msgspec.Struct, frozen=True, gc=False):
    """The winning hand that the dealer marked."""

    position: int
    row: str
    by: str


class UnpaidWin(msgspec.Struct, frozen=True, gc=False):
    """A logged win that is not paid yet."""

    position: int
    payment: Payment
    before: int
    after: int


class WinStaff(msgspec.Struct, frozen=True, gc=False):
    """The people who marked and confirmed a win."""

    marked_by: str
    confirmed_by: str


STORED_CONSOLE_FIELDS = {
    "last_ended_round": "reset",
    "steps_done": "done",
    "selected_spot": "spot",
    "unpaid_win": "logged",
    "displayed_award": "shown",
    "win_staff": "staff",
}
"""Names in stored snapshots where they differ."""


class ConsoleState(msgspec.Struct, frozen=True, gc=False, rename=STORED_CONSOLE_FIELDS):
    """State of a console, without that of its round."""

    kind: ConsoleKind = DEFAULT_CONSOLE
    last_ended_round: int = 0
    """The number of the last round after which the dealer ended the game."""
    steps_done: tuple[ConsoleMotion, ...] = ()
    """The motions done in the current win confirmation."""
    selected_spot: int = 0
    mark: MarkedHand | None = None
    unpaid_win: UnpaidWin | None = None
    displayed_award: int | None = None
    """The award on the monitor, shown from the logging of a win until the next motion."""
    linked: bool = True
    win_staff: Mapping[int, WinStaff] = {}
    """By position, who marked and confirmed the wins of the current game."""
    pressed_by: str = ""
    """Who pressed CONFIRM for the current winner."""

    def link_problem(self, closed_reason: str) -> str:
        """Return why the link to the meter is down, empty while it is up; the meter may close it."""
        return closed_reason or ("" if self.linked else "the table has lost it")

    @property
    def key(self) -> KeyPosition:
        """Return the position of the supervisor's key."""
        turned = "turn_to_jph" in self.steps_done and "turn_to_run" not in self.steps_done
        return "jph" if turned else "run"


def new_console(game: Game, number: int = 0) -> ConsoleState:
    """Return the new console of a table with a progressive (MD-02C.0)."""
    choice = game.submission.progressive
    kind = choice.console if choice is not None and choice.console is not None else DEFAULT_CONSOLE
    return ConsoleState(kind, number)


def console_rules(console: ConsoleState, game: Game) -> ConsoleRules:
    """Return the rulebook's rules for a console."""
    return game.rulebook.consoles[console.kind]


def motion_order(rules: ConsoleRules) -> tuple[ConsoleMotion, ...]:
    """Return the motions of a win confirmation, in order."""
    return tuple(sorted(rules.cycle, key=lambda motion: rules.cycle[motion].value))


def is_game_under_way(console: ConsoleState, table: TableState) -> bool:
    """Say whether a game is under way: wagers were locked in and the game was not ended since."""
    played = table.round or table.last_round
    return (
        played is not None
        and played.locked_stakes is not None
        and table.round_number > console.last_ended_round
    )


def sensor_lights(console: ConsoleState, table: TableState) -> dict[int, Light]:
    """Return the light of every position's sensor: off, placed or registered (R62)."""
    rules, played = console_rules(console, table.game), table.round or table.last_round
    by_position: dict[int, Light] = dict.fromkeys(
        range(1, table.game.submission.positions.at_table + 1), "off"
    )
    if played is None or (table.round is None and not is_game_under_way(console, table)):
        return by_position
    if played.locked_stakes is not None and rules.lights_registered.value:
        by_position |= {position: "registered" for position, _ in played.locked_stakes}
    elif played.locked_stakes is None and rules.lights_placed.value:
        by_position |= {p: "placed" for p, place in played.positions.items() if "progressive" in place.wagers}
    return by_position


def displayed_prize(console: ConsoleState, game: Game) -> int | None:
    """Return the prize in cents on the Game Manager's monitor (SM-PROG-9e.5, WA-PROG-8f.5, WA-NEX-8f.6)."""
    return console.displayed_award if console_rules(console, game).monitor.value else None


def button_label(button: str) -> str:
    """Return a button's name as it stands on the console: ``COIN IN``."""
    return button.replace("_", " ").upper()


def evolve_console(console: ConsoleState, event: object) -> ConsoleState:
    """Return the console after an event; events that do not concern it change nothing."""
    handler = _HANDLERS.get(type(event))
    return console if handler is None else handler(console, event)


def _on_motion_done(console: ConsoleState, event: MotionDone) -> ConsoleState:
    spot = event.position if event.motion == "select_spot" else console.selected_spot
    before = () if event.motion == "select_spot" else console.steps_done
    pressed = event.by if event.motion == "press_confirm" else console.pressed_by
    return replace(
        console,
        selected_spot=spot,
        steps_done=(*before, event.motion),
        displayed_award=None,
        pressed_by=pressed,
    )


def _on_key_withdrawn(console: ConsoleState, _event: KeyWithdrawn) -> ConsoleState:
    return replace(
        console, steps_done=tuple(motion for motion in console.steps_done if motion != "turn_to_jph")
    )


def _on_win_marked(console: ConsoleState, event: WinMarked) -> ConsoleState:
    return replace(console, mark=MarkedHand(event.position, event.row, event.by))


def _on_win_unmarked(console: ConsoleState, _event: WinUnmarked) -> ConsoleState:
    """Undo the hand button; a key that was already turned stays turned."""
    stays = ("select_spot", "turn_to_jph")
    return replace(
        console, mark=None, steps_done=tuple(motion for motion in console.steps_done if motion in stays)
    )


def _on_win_logged(console: ConsoleState, event: WinLogged) -> ConsoleState:
    logged = UnpaidWin(event.position, event.payment, event.before, event.after)
    staff = {**console.win_staff, event.position: WinStaff(event.marked_by, event.confirmed_by)}
    return replace(console, unpaid_win=logged, displayed_award=event.payment.amount, win_staff=staff)


def _clear_winner(console: ConsoleState, event: AwardPaid | RoundVoided) -> ConsoleState:
    """Clear the current winner; a key at JPH stays there until somebody turns it."""
    done: tuple[ConsoleMotion, ...] = ("turn_to_jph",) if console.key == "jph" else ()
    shown = console.displayed_award if isinstance(event, AwardPaid) else None
    return replace(
        console,
        steps_done=done,
        selected_spot=0,
        mark=None,
        unpaid_win=None,
        displayed_award=shown,
        pressed_by="",
    )


def _on_game_reset(console: ConsoleState, event: GameReset) -> ConsoleState:
    return ConsoleState(console.kind, event.round, linked=console.linked)


def _on_link_lost(console: ConsoleState, _event: LinkLost) -> ConsoleState:
    return replace(console, linked=False)


def _on_link_restored(console: ConsoleState, _event: LinkRestored) -> ConsoleState:
    return replace(console, linked=True)


_HANDLERS: dict[type, Any] = {
    MotionDone: _on_motion_done,
    KeyWithdrawn: _on_key_withdrawn,
    WinMarked: _on_win_marked,
    WinUnmarked: _on_win_unmarked,
    WinLogged: _on_win_logged,
    AwardPaid: _clear_winner,
    RoundVoided: _clear_winner,
    GameReset: _on_game_reset,
    LinkLost: _on_link_lost,
    LinkRestored: _on_link_restored,
}
EVENTS_CHANGING_CONSOLE = frozenset(_HANDLERS)
"""The types of events that change a console."""

"""Progressive console: its state, rules and lights, and the events that change it."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from fourcard.meter import Payment
from fourcard.progressive.commands import KeyPosition
from fourcard.progressive.events import (
    GameReset,
    KeyWithdrawn,
    LinkLost,
    LinkRestored,
    MotionDone,
    WinLogged,
    WinMarked,
    WinUnmarked,
)
from fourcard.round.events import AwardPaid, RoundVoided
from fourcard.rules.consoles import Console as ConsoleKind
from fourcard.rules.consoles import ConsoleMotion, ConsoleRules
from fourcard.rules.game import Game
from fourcard.table.state import TableState

Light = Literal["off", "placed", "registered"]
DEFAULT: ConsoleKind = "keypad"
"""The console of a submission that names none (P32)."""


class Mark(msgspec.Struct, frozen=True, gc=False):
    """The winning hand that the dealer marked."""

    position: int
    row: str
    by: str


class Logged(msgspec.Struct, frozen=True, gc=False):
    """A win that was logged before the meter is adjusted for its prize."""

    position: int
    payment: Payment
    before: int
    after: int


class Staff(msgspec.Struct, frozen=True, gc=False):
    """The people who marked and confirmed a win."""

    marked_by: str
    confirmed_by: str


class Console(msgspec.Struct, frozen=True, gc=False):
    """State of a console, without that of its round."""

    kind: ConsoleKind = DEFAULT
    reset: int = 0
    """The number of the last round after which the dealer ended the game."""
    done: tuple[ConsoleMotion, ...] = ()
    """The motions done in the current win confirmation."""
    spot: int = 0
    mark: Mark | None = None
    logged: Logged | None = None
    shown: int | None = None
    """The prize on the monitor, from the log of a win to the next motion."""
    linked: bool = True
    staff: Mapping[int, Staff] = {}
    """By position, who marked and confirmed the wins of the current game."""

    def link_problem(self, closed: str) -> str:
        """Return why the link to the meter is down, empty while it is up; the meter may be ``closed``."""
        return closed or ("" if self.linked else "the table has lost it")

    @property
    def key(self) -> KeyPosition:
        """Return the position of the supervisor's key."""
        turned = "turn_to_jph" in self.done and "turn_to_run" not in self.done
        return "jph" if turned else "run"


def console_of(game: Game, number: int = 0) -> Console:
    """Return the new console of a table with a progressive (MD-02C.0)."""
    choice = game.submission.progressive
    kind = choice.console if choice is not None and choice.console is not None else DEFAULT
    return Console(kind, number)


def rules_of(console: Console, game: Game) -> ConsoleRules:
    """Return the rulebook's rules for a console."""
    return game.rulebook.consoles[console.kind]


def cycle(rules: ConsoleRules) -> tuple[ConsoleMotion, ...]:
    """Return the motions of a win confirmation, in order."""
    return tuple(sorted(rules.cycle, key=lambda motion: rules.cycle[motion].value))


def in_game(console: Console, table: TableState) -> bool:
    """Say whether a game is under way: wagers were locked in and the game was not ended since."""
    played = table.round or table.finished
    return played is not None and played.stakes is not None and table.number > console.reset


def lights(console: Console, table: TableState) -> dict[int, Light]:
    """Return the light of every position's sensor: off, placed or registered (R62)."""
    rules, played = rules_of(console, table.game), table.round or table.finished
    by_position: dict[int, Light] = dict.fromkeys(
        range(1, table.game.submission.positions.at_table + 1), "off"
    )
    if played is None or (table.round is None and not in_game(console, table)):
        return by_position
    if played.stakes is not None and rules.lights_registered.value:
        by_position |= {position: "registered" for position, _ in played.stakes}
    elif played.stakes is None and rules.lights_placed.value:
        by_position |= {p: "placed" for p, place in played.places.items() if "progressive" in place.wagers}
    return by_position


def prize(console: Console, game: Game) -> int | None:
    """Return the prize in cents on the Game Manager's monitor, or None."""
    return console.shown if rules_of(console, game).monitor.value else None


def button_label(button: str) -> str:
    """Return a button's name as it stands on the console: ``COIN IN``."""
    return button.replace("_", " ").upper()


def evolve(console: Console, event: object) -> Console:
    """Return the console after an event; events that do not concern it change nothing."""
    handler = _HANDLERS.get(type(event))
    return console if handler is None else handler(console, event)


def _on_motion_done(console: Console, event: MotionDone) -> Console:
    spot = event.position if event.motion == "select_spot" else console.spot
    before = () if event.motion == "select_spot" else console.done
    return replace(console, spot=spot, done=(*before, event.motion), shown=None)


def _on_key_withdrawn(console: Console, _event: KeyWithdrawn) -> Console:
    return replace(console, done=tuple(motion for motion in console.done if motion != "turn_to_jph"))


def _on_win_marked(console: Console, event: WinMarked) -> Console:
    return replace(console, mark=Mark(event.position, event.row, event.by))


def _on_win_unmarked(console: Console, _event: WinUnmarked) -> Console:
    """Undo the hand button; a key that was already turned stays turned."""
    stays = ("select_spot", "turn_to_jph")
    return replace(console, mark=None, done=tuple(motion for motion in console.done if motion in stays))


def _on_win_logged(console: Console, event: WinLogged) -> Console:
    logged = Logged(event.position, event.payment, event.before, event.after)
    staff = {**console.staff, event.position: Staff(event.marked_by, event.confirmed_by)}
    return replace(console, logged=logged, shown=event.payment.amount, staff=staff)


def _clear_winner(console: Console, event: AwardPaid | RoundVoided) -> Console:
    """Clear the current winner; a key at JPH stays there until somebody turns it."""
    done: tuple[ConsoleMotion, ...] = ("turn_to_jph",) if console.key == "jph" else ()
    shown = console.shown if isinstance(event, AwardPaid) else None
    return replace(console, done=done, spot=0, mark=None, logged=None, shown=shown)


def _on_game_reset(console: Console, event: GameReset) -> Console:
    return Console(console.kind, event.round, linked=console.linked)


def _on_link_lost(console: Console, _event: LinkLost) -> Console:
    return replace(console, linked=False)


def _on_link_restored(console: Console, _event: LinkRestored) -> Console:
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
FOLLOWED = frozenset(_HANDLERS)
"""The types of events that change a console."""

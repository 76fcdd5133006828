"""A console's state: which motion of a winner's confirmation is due, what is marked, what is logged."""

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
"""The console where a submission names none (P32)."""


class Mark(msgspec.Struct, frozen=True, gc=False):
    """A hand that the dealer marked."""

    position: int
    row: str
    by: str


class Logged(msgspec.Struct, frozen=True, gc=False):
    """A win that is recorded and whose prize the meter has not been adjusted for."""

    position: int
    payment: Payment
    before: int
    after: int


class Staff(msgspec.Struct, frozen=True, gc=False):
    """Who marked a win and who confirmed it."""

    marked_by: str
    confirmed_by: str


class Console(msgspec.Struct, frozen=True, gc=False):
    """Everything that a console knows besides the round itself."""

    kind: ConsoleKind = DEFAULT
    reset: int = 0
    """The last round for which the system was reset."""
    done: tuple[ConsoleMotion, ...] = ()
    """The motions of the winner's confirmation under way."""
    spot: int = 0
    mark: Mark | None = None
    logged: Logged | None = None
    shown: int | None = None
    """The prize on the monitor, from the log of a win to the next motion on the console."""
    linked: bool = True
    staff: Mapping[int, Staff] = {}
    """By position, who saw to a win of the game under way."""

    @property
    def key(self) -> KeyPosition:
        """Return where the supervisor's key stands."""
        turned = "turn_to_jph" in self.done and "turn_to_run" not in self.done
        return "jph" if turned else "run"


def console_of(game: Game, number: int = 0) -> Console:
    """Return the console that a table with a progressive has from its setting up on (MD-02C.0)."""
    choice = game.submission.progressive
    kind = choice.console if choice is not None and choice.console is not None else DEFAULT
    return Console(kind, number)


def rules_of(console: Console, game: Game) -> ConsoleRules:
    """Return what the game's rulebook says of a console."""
    return game.rulebook.consoles[console.kind]


def cycle(rules: ConsoleRules) -> tuple[ConsoleMotion, ...]:
    """Return the motions of one winner's confirmation in their order."""
    return tuple(sorted(rules.cycle, key=lambda motion: rules.cycle[motion].value))


def in_game(console: Console, table: TableState) -> bool:
    """Say whether wagers are locked in, or were, and the system has not been reset since."""
    played = table.round or table.finished
    return played is not None and played.stakes is not None and table.number > console.reset


def lights(console: Console, table: TableState) -> dict[int, Light]:
    """Return the light of every position's sensor: two states, placed and registered (R62)."""
    rules, played = rules_of(console, table.game), table.round or table.finished
    found: dict[int, Light] = dict.fromkeys(range(1, table.game.submission.positions.at_table + 1), "off")
    if played is None or (table.round is None and not in_game(console, table)):
        return found
    if played.stakes is not None and rules.lights_registered.value:
        found |= {position: "registered" for position, _ in played.stakes}
    elif played.stakes is None and rules.lights_placed.value:
        found |= {p: "placed" for p, place in played.places.items() if "progressive" in place.wagers}
    return found


def prize(console: Console, game: Game) -> int | None:
    """Return the cents that the Game Manager's monitor shows as due, or None where nothing is."""
    return console.shown if rules_of(console, game).monitor.value else None


def evolve(console: Console, event: object) -> Console:
    """Return the console after an event of its own, or of the round; what does not concern it leaves it."""
    fold = _FOLDS.get(type(event))
    return console if fold is None else fold(console, event)


def _moved(console: Console, event: MotionDone) -> Console:
    spot = event.position if event.motion == "select_spot" else console.spot
    before = () if event.motion == "select_spot" else console.done
    return replace(console, spot=spot, done=(*before, event.motion), shown=None)


def _withdrawn(console: Console, _event: KeyWithdrawn) -> Console:
    return replace(console, done=tuple(motion for motion in console.done if motion != "turn_to_jph"))


def _marked(console: Console, event: WinMarked) -> Console:
    return replace(console, mark=Mark(event.position, event.row, event.by))


def _unmarked(console: Console, _event: WinUnmarked) -> Console:
    """Go back to before the hand button; a key that was turned already stays as it is."""
    kept = ("select_spot", "turn_to_jph")
    return replace(console, mark=None, done=tuple(motion for motion in console.done if motion in kept))


def _logged(console: Console, event: WinLogged) -> Console:
    logged = Logged(event.position, event.payment, event.before, event.after)
    staff = {**console.staff, event.position: Staff(event.marked_by, event.confirmed_by)}
    return replace(console, logged=logged, shown=event.payment.amount, staff=staff)


def _quiet(console: Console, event: AwardPaid | RoundVoided) -> Console:
    """Forget the winner that was seen to; a key that stands at JPH stays there until it is turned."""
    done: tuple[ConsoleMotion, ...] = ("turn_to_jph",) if console.key == "jph" else ()
    shown = console.shown if isinstance(event, AwardPaid) else None
    return replace(console, done=done, spot=0, mark=None, logged=None, shown=shown)


def _reset(console: Console, event: GameReset) -> Console:
    return Console(console.kind, event.round, linked=console.linked)


def _lost(console: Console, _event: LinkLost) -> Console:
    return replace(console, linked=False)


def _restored(console: Console, _event: LinkRestored) -> Console:
    return replace(console, linked=True)


_FOLDS: dict[type, Any] = {
    MotionDone: _moved,
    KeyWithdrawn: _withdrawn,
    WinMarked: _marked,
    WinUnmarked: _unmarked,
    WinLogged: _logged,
    AwardPaid: _quiet,
    RoundVoided: _quiet,
    GameReset: _reset,
    LinkLost: _lost,
    LinkRestored: _restored,
}
FOLLOWED = frozenset(_FOLDS)
"""What a console has to hear of."""

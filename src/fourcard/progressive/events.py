"""Events of a progressive console, stored in the table's stream."""

from fourcard.meter import Payment
from fourcard.round.events import Event
from fourcard.rules.consoles import ConsoleMotion


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

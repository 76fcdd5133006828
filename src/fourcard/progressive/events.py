"""What happened on a console: past tense, frozen, kept in the table's own stream."""

from fourcard.meter import Payment
from fourcard.round.events import Event
from fourcard.rules.consoles import ConsoleMotion


class MotionDone(Event, frozen=True, tag="motion_done"):
    """Somebody did the next motion of a winner's confirmation."""

    motion: ConsoleMotion
    position: int
    """The winner's position, or the spot that was selected."""
    by: str
    clauses: tuple[str, ...]


class KeyWithdrawn(Event, frozen=True, tag="key_withdrawn"):
    """The supervisor's key was turned back to Run, and nothing had been logged."""

    by: str


class WinMarked(Event, frozen=True, tag="win_marked"):
    """A hand was marked as a winner, and its cards were verified to be that hand."""

    position: int
    row: str
    by: str
    clauses: tuple[str, ...]


class WinUnmarked(Event, frozen=True, tag="win_unmarked"):
    """The same button was pressed again, and the mark is gone."""

    position: int


class WinLogged(Event, frozen=True, tag="win_logged"):
    """A win was recorded in the Game Manager: from here on no button undoes it."""

    position: int
    row: str
    payment: Payment
    before: int
    """What the meter showed, wins that were logged before taken off, in cents."""
    after: int
    player: str
    cards: tuple[int, ...]
    marked_by: str
    confirmed_by: str
    confirmed_as: str
    clauses: tuple[str, ...]


class GameReset(Event, frozen=True, tag="game_reset"):
    """The dealer ended the game, and the system is ready for the next hand."""

    round: int


class LinkLost(Event, frozen=True, tag="link_lost"):
    """The table lost the link to its meter."""

    reason: str


class LinkRestored(Event, frozen=True, tag="link_restored"):
    """The table has the link again."""

    reason: str


ConsoleEvent = (
    MotionDone | KeyWithdrawn | WinMarked | WinUnmarked | WinLogged | GameReset | LinkLost | LinkRestored
)

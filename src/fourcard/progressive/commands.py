"""What hands do on a console, and what is said of a table's link to its meter."""

from typing import Literal

from fourcard.round.commands import Command
from fourcard.rules.consoles import EndButton, StartButton

Button = StartButton | EndButton | Literal["j_pot", "confirm"]
KeyPosition = Literal["run", "jph"]


class Press(Command, frozen=True, tag="press"):
    """Press a button that is no hand: the one that starts or ends a game, J-pot, or confirm."""

    button: Button


class PressHand(Command, frozen=True, tag="press_hand"):
    """Press the button of a winning hand, by the row of the paytable; the same again cancels it."""

    hand: str


class SelectSpot(Command, frozen=True, tag="select_spot"):
    """Select the winning player's spot on a touch display."""

    position: int


class TurnKey(Command, frozen=True, tag="turn_key"):
    """Turn the supervisor's key."""

    to: KeyPosition


class SwipeCard(Command, frozen=True, tag="swipe_card"):
    """Swipe one's card, a supervisor's or an executive's by the role in which one acts."""


class ReportLink(Command, frozen=True, tag="report_link"):
    """Say that the table has lost the link to its meter, or has it back."""

    up: bool
    reason: str = ""


ConsoleCommand = Press | PressHand | SelectSpot | TurnKey | SwipeCard | ReportLink

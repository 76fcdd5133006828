"""Commands of a progressive console: buttons, spots, key and card, and the link to the meter."""

from typing import Literal

from fourcard.round.commands import Command
from fourcard.rules.consoles import EndButton, StartButton

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

"""Console phrases: the lines that drive a console, and the command of each."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from fourcard.house.meter_commands import ApproveAdjustment, ProposeBackOut, RejectAdjustment
from fourcard.progressive.commands import Press, PressHand, ReportLink, SelectSpot, SwipeCard, TurnKey
from fourcard.round.commands import CompleteDocument, Perform

if TYPE_CHECKING:
    from fourcard.house.actors import AnyCommand
    from fourcard.round.commands import Command

Made = Callable[[re.Match[str], Sequence[str]], "AnyCommand"]
"""Makes a command from the match of a line and the console's hand buttons."""
NUMBER = r"(?P<number>[0-9]{1,6})"
REASON = r"(?P<reason>\S.*)"


class Phrase(msgspec.Struct, frozen=True):
    """One line: how to write it, its pattern, what it does, and the command it makes."""

    usage: str
    shape: str
    tells: str
    make: Made


def hand_named(words: str, hands: Sequence[str]) -> str:
    """Return a hand button by its number or name; an unknown one as it was written."""
    if words.isdecimal() and 0 < int(words) <= len(hands):
        return hands[int(words) - 1]
    return _joined(words)


def _joined(words: str) -> str:
    """Return words joined by underscores: ``four_aces``."""
    return re.sub(r"[\s_-]+", "_", words.lower())


def _button(found: re.Match[str], _hands: Sequence[str]) -> "Command":
    return Press(button=_joined(found["button"]).replace("jpot", "j_pot"))  # type: ignore[arg-type]


CONSOLE = (
    Phrase("coin in", r"(?P<button>coin in)", "start a game on a keypad", _button),
    Phrase("start game", r"(?P<button>start game)", "start a game on a touch display", _button),
    Phrase(
        "spot N",
        rf"spot {NUMBER}",
        "select the winner's spot, on a touch display",
        lambda found, _: SelectSpot(position=int(found["number"])),
    ),
    Phrase(
        "hand NAME",
        r"hand (?P<hand>\S.*)",
        "press a hand button, by its name or number; the same again cancels",
        lambda found, hands: PressHand(hand=hand_named(found["hand"], hands)),
    ),
    Phrase(
        "key jph, key run",
        r"key (?:to )?(?P<to>jph|run)",
        "turn the supervisor's key",
        lambda found, _: TurnKey(to=found["to"].lower()),  # type: ignore[arg-type]
    ),
    Phrase("j-pot", r"(?P<button>j[ _-]?pot)", "log a win on a keypad", _button),
    Phrase("confirm", r"(?P<button>confirm)", "ask for a card, on a touch display", _button),
    Phrase("swipe", r"swipe(?: card)?", "swipe your own card", lambda _found, _hands: SwipeCard()),
    Phrase(
        "document N",
        rf"document {NUMBER}",
        "complete the document of a payout, which releases its cards",
        lambda found, _: CompleteDocument(position=int(found["number"])),
    ),
    Phrase("game over", r"(?P<button>game over)", "end the game on a keypad", _button),
    Phrase("end game", r"(?P<button>end game)", "end the game on a touch display", _button),
    Phrase(
        "link lost WHY, link back WHY",
        rf"link (?P<link>lost|back) {REASON}",
        "report that the table has lost the link to its meter, or has it again",
        lambda found, _: ReportLink(up=found["link"].lower() == "back", reason=found["reason"]),
    ),
)
"""The phrases for any console."""
PRACTICE = (
    Phrase(
        "chips N",
        rf"chips {NUMBER}",
        "count the progressive chips in front of the tray, in Maryland",
        lambda found, _: Perform(step="count_chips", count=int(found["number"])),
    ),
    Phrase(
        "back out N WHY",
        rf"back out {NUMBER} {REASON}",
        "propose to back win N out of the meter, in the Game Manager",
        lambda found, _: ProposeBackOut(win=int(found["number"]), reason=found["reason"]),
    ),
    Phrase(
        "approve N",
        rf"approve {NUMBER}",
        "approve the adjustment that somebody else proposed",
        lambda found, _: ApproveAdjustment(number=int(found["number"])),
    ),
    Phrase(
        "reject N WHY",
        rf"reject {NUMBER} {REASON}",
        "reject it",
        lambda found, _: RejectAdjustment(number=int(found["number"]), reason=found["reason"]),
    ),
)
"""More phrases for practice: the dealer's chip count and the Game Manager's adjustments."""


def command_in(text: str, phrases: Iterable[Phrase], hands: Sequence[str]) -> "AnyCommand | None":
    """Return the command of a line, or None."""
    line = " ".join(text.split())
    for phrase in phrases:
        found = re.fullmatch(phrase.shape, line, re.IGNORECASE)
        if found is not None:
            return phrase.make(found, hands)
    return None


def typed(command: "Command") -> str:
    """Return the line for a console command; N in it is a count."""
    if isinstance(command, Press):
        return {"j_pot": "j-pot"}.get(command.button, command.button.replace("_", " "))
    if isinstance(command, PressHand):
        return f"hand {command.hand.replace('_', ' ')}"
    if isinstance(command, TurnKey):
        return f"key {command.to}"
    if isinstance(command, Perform):
        return "chips N"
    return f"{_AT[type(command)]} {command.position}" if hasattr(command, "position") else "swipe"


_AT: dict[type, str] = {SelectSpot: "spot", CompleteDocument: "document"}

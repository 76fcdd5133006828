"""Console session: the phrases, commands and REPL of a table's progressive console."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from fourcard.house.auth.identity import Actor, AnyCommand, CommandT
from fourcard.house.command_service import CommandService
from fourcard.house.commands import ApproveAdjustment, HouseCommand, ProposeBackOut, RejectAdjustment
from fourcard.house.decision import meter_stream, table_stream
from fourcard.house.events import AdjustmentProposed, AdjustmentRejected, MeterAdjusted
from fourcard.house.meter_state import MeterState
from fourcard.house.route_command import CommandResult
from fourcard.house.table_state import HouseTable
from fourcard.money import dollars
from fourcard.narration import Sentence
from fourcard.progressive.console import (
    Button,
    ConsoleCommand,
    ConsoleState,
    KeyPosition,
    Press,
    PressHand,
    ReportLink,
    SelectSpot,
    SwipeCard,
    TurnKey,
)
from fourcard.progressive.console_view import ConsoleView, console_view
from fourcard.progressive.decide import END_BUTTONS, START_BUTTONS
from fourcard.progressive.decide import decide as decide_console
from fourcard.progressive.narrate import ConsoleNarrator
from fourcard.progressive.win_confirmation import MeterPort
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal, RefusedError, refuse
from fourcard.round.commands import Command, CompleteDocument, Perform
from fourcard.round.decide_settlement import price_award
from fourcard.round.preconditions import ROLES_BY_AUTHORITY
from fourcard.table.decide import decide as decide_game
from fourcard.table.state import TableState

MakeCommand = Callable[[re.Match[str], Sequence[str]], "AnyCommand"]
"""Makes a command from the match of a line and the console's hand buttons."""
NUMBER = r"(?P<number>[0-9]{1,6})"
REASON = r"(?P<reason>\S.*)"


class Phrase(msgspec.Struct, frozen=True):
    """One line: how to write it, its pattern, what it does, and the command it makes."""

    usage: str
    pattern: str
    meaning: str
    make: MakeCommand


def hand_named(words: str, hands: Sequence[str]) -> str:
    """Return a hand button by its number or name; an unknown one as it was written."""
    if words.isdecimal() and 0 < int(words) <= len(hands):
        return hands[int(words) - 1]
    return _joined(words)


def _joined(words: str) -> str:
    """Return words joined by underscores: ``four_aces``."""
    return re.sub(r"[\s_-]+", "_", words.lower())


def _button(found: re.Match[str], _hands: Sequence[str]) -> "Command":
    return Press(button=msgspec.convert(_joined(found["button"]).replace("jpot", "j_pot"), Button))


CONSOLE_PHRASES = (
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
        lambda found, _: TurnKey(to=msgspec.convert(found["to"].lower(), KeyPosition)),
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
PRACTICE_PHRASES = (
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


def parse_command(text: str, phrases: Iterable[Phrase], hands: Sequence[str]) -> "AnyCommand | None":
    """Return the command of a line, or None."""
    line = " ".join(text.split())
    for phrase in phrases:
        found = re.fullmatch(phrase.pattern, line, re.IGNORECASE)
        if found is not None:
            return phrase.make(found, hands)
    return None


def line_for(command: "Command") -> str:
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


RunCommand = Callable[[str, AnyCommand, Actor], CommandResult]


def _console_in(table: HouseTable) -> tuple[TableState, ConsoleState]:
    """Return a table's state and its console, or refuse one that is not there or has none."""
    if table.console is None:
        raise RefusedError(refuse(Code.NO_CONSOLE))
    return table.state, table.console


def picture_of(table: HouseTable, meter: MeterState) -> ConsoleView:
    """Return what the console of a table shows."""
    state, console = _console_in(table)
    return console_view(console, state, meter.displayed, meter.closed_reason)


class ConsoleSession:
    """The console of one table of a house and its meter, always current."""

    def __init__(self, service: CommandService, table: str, give: RunCommand) -> None:
        """Read a table by the command service, run commands by ``give``; refuse a table without console."""
        self.service, self.table, self._run = service, table, give
        self.current()

    def current(self) -> tuple[HouseTable, TableState, ConsoleState]:
        """Return the table, its state and its console as they are now."""
        table = self.service.table(self.table)
        return table, *_console_in(table)

    @property
    def meter(self) -> MeterState:
        """Return the meter as it is now."""
        name = self.current()[0].meter
        for error in self.service.catch_up([meter_stream(name)]).values():
            raise error
        return self.service.cache.meter(name)

    def picture(self) -> ConsoleView:
        """Return what the console shows."""
        return picture_of(self.current()[0], self.meter)

    def run(self, command: AnyCommand, actor: Actor) -> list[Sentence]:
        """Run a command and return its narration, or raise the refusal."""
        table, state, console = self.current()
        if isinstance(command, HouseCommand):
            answer = self._run(meter_stream(table.meter), command, actor)
            return [sentence for event in answer.events for sentence in self._narrate_adjustment(event)]
        stream = table_stream(self.table)
        seen = self.service.cache.heads[stream].sequence
        answer = self._run(stream, command, actor)
        if answer.first_sequence != seen + 1:
            return [Sentence("Done; somebody else changed the table in the meantime.")]
        return ConsoleNarrator(console, state).narrate(answer.events)

    def _narrate_adjustment(self, event: object) -> list[Sentence]:
        """Return the narration of an adjustment."""
        if isinstance(event, AdjustmentProposed):
            words = (
                f"Adjustment {event.number} is proposed by {event.by}: win {event.win} is to be backed out"
            )
            return [Sentence(f"{words} ({event.reason}). Somebody else must approve it.", ("P30",))]
        if isinstance(event, AdjustmentRejected):
            return [Sentence(f"Adjustment {event.number} is rejected ({event.reason}).", ("P30",))]
        assert isinstance(event, MeterAdjusted)
        shown = dollars(self.meter.displayed)
        words = f"Adjustment {event.number} is approved by {event.by}, and the meter shows {shown}."
        return [Sentence(words, ("P30",))]

    def refusal(self, command: Command, actor: Actor) -> Refusal | None:
        """Return why a command would be refused for a person, or None; nothing changes."""
        _, state, console = self.current()
        meter, given = self.meter, in_role(command, actor)
        if isinstance(given, ConsoleCommand):
            meters = MeterPort(
                lambda current_round: price_award(meter.amounts, current_round), meter.closed_reason
            )
            return _refused(decide_console(console, state, given, meters))
        assert isinstance(given, CompleteDocument | Perform)
        return _refused(decide_game(state, given))


def _refused(decided: object) -> Refusal | None:
    return decided if isinstance(decided, Refusal) else None


def in_role(command: CommandT, actor: Actor) -> CommandT:
    """Return a command with the person's role for it: dealer for a dealer's work, else the highest role."""
    held = [role for role in ROLES_BY_AUTHORITY if role in actor.roles]
    floor = [role for role in held if role != "dealer"]
    as_dealer = "dealer" in held and (_is_dealers(command) or not floor)
    role = "dealer" if as_dealer else floor[-1] if floor else actor.roles[0]
    return msgspec.structs.replace(command, by=actor.person, role=role)


def _is_dealers(command: AnyCommand) -> bool:
    if isinstance(command, Press):
        return command.button in (*START_BUTTONS, *END_BUTTONS)
    return isinstance(command, PressHand | SelectSpot | Perform)


ANOTHER_PERSON = (Code.NOT_YOUR_DUTY, Code.SAME_PERSON, Code.EXECUTIVE_NEEDED, Code.CHIPS_DIFFER)
"""Refusals that another person may avoid."""


class ConsolePeople(Protocol):
    """The people who can work at the console."""

    def called(self, word: str) -> Actor:
        """Return the person with a name or role, or refuse."""
        ...

    def known(self) -> Sequence[tuple[str, Actor]]:
        """Return the people at hand, each with a name or role."""
        ...


class ReplView(Protocol):
    """The view of a console REPL."""

    def say(self, sentence: str) -> None:
        """Print a note."""
        ...

    def tell(self, sentences: Sequence[Sentence]) -> None:
        """Print what happened."""
        ...

    def show(self, seen: ConsoleView) -> None:
        """Show the console."""
        ...

    def explain(self, phrases: Sequence[Phrase], hands: Sequence[str]) -> None:
        """Show the available phrases."""
        ...


class ConsoleRepl:
    """Reads lines and runs their commands, as one person after another."""

    def __init__(
        self,
        at: ConsoleSession,
        people: ConsolePeople,
        shown: ReplView,
        phrases: Sequence[Phrase],
        actor: Actor,
    ) -> None:
        """Begin as one person."""
        self.session, self.people, self.view, self.phrases, self.actor = at, people, shown, phrases, actor
        self._own = {"show": self._show, "help": self._help, "?": self._help, "hint": self._hint}

    def run_line(self, text: str) -> bool:
        """Run a line and return whether it was a console command; raise if it is refused."""
        words = text.split()
        if not words or words[0].startswith("#"):
            return False
        own = self._own.get(words[0].lower()) if len(words) == 1 else None
        if own is not None:
            own()
            return False
        if words[0].lower() == "as" and len(words) == 2:
            self.actor = self.people.called(words[1].lower())
            self.view.say(f"From now on {self.actor.person} acts ({roles_text(self.actor)}).")
            return False
        command = parse_command(text, self.phrases, self._hands())
        if command is None:
            raise BadInputError(f"'{' '.join(words)}' is not a command here; 'help' lists the commands.")
        self.view.tell(self.session.run(in_role(command, self.actor), self.actor))
        return True

    def _hands(self) -> Sequence[str]:
        return self.session.picture().hands

    def _show(self) -> None:
        self.view.show(self.session.picture())

    def _help(self) -> None:
        self.view.explain(self.phrases, self._hands())

    def _hint(self) -> None:
        """Print the next step, its clauses, and what to type for it as whom."""
        seen = self.session.picture()
        if seen.next is None:
            self.view.say("There is nothing to do on the console: the game continues without it.")
            return
        if seen.link_problem:
            lost = not self.session.current()[2].linked
            mends = "'link back WHY' reports it back" if lost else "the Game Manager opens it"
            self.view.say(f"The link is down, {seen.link_problem}: no win can be logged; {mends}.")
        due = seen.next
        words = f"Next, {due.who}: {due.what}. {self._instruction(due.command, seen.hands)}"
        self.view.tell([Sentence(words, due.clauses)])

    def _instruction(self, command: Command, hands: Sequence[str]) -> str:
        """Return what to type for the next step; some steps are done at the table."""
        line = line_for(command)
        counts = isinstance(command, Perform)
        is_said_here = counts and any(line == phrase.usage for phrase in self.phrases)
        if not is_said_here and parse_command(line, self.phrases, hands) is None:
            return "That is done at the table, not here."
        lines = "' and then '".join((*self._switch_person(command), line))
        return f"Type '{lines}'" + (", where N is the number you count." if counts else ".")

    def _switch_person(self, command: Command) -> list[str]:
        """Return the line that switches to a person who can do the next step, if this one cannot."""
        if self._can_do(command, self.actor):
            return []
        able = (word for word, actor in self.people.known() if self._can_do(command, actor))
        return [f"as {next(able, 'WHO')}"]

    def _can_do(self, command: Command, actor: Actor) -> bool:
        refusal = self.session.refusal(command, actor)
        return refusal is None or refusal.code not in ANOTHER_PERSON


def roles_text(actor: Actor) -> str:
    """Return a person's roles as text."""
    return " and ".join(actor.roles)

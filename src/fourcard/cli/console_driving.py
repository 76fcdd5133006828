"""A console in somebody's hands: lines in, sentences out, every command given by a person of the house."""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from fourcard.cli.console_language import Phrase, command_in, typed
from fourcard.errors import BadInputError
from fourcard.house.actors import Actor, AnyCommand, Given
from fourcard.house.commands import HouseCommand
from fourcard.house.desk import Desk
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_events import AdjustmentProposed, AdjustmentRejected, MeterAdjusted
from fourcard.house.outcome import meter_stream, table_stream
from fourcard.house.requests import Answer
from fourcard.house.table_book import TableBook
from fourcard.money import dollars
from fourcard.progressive.commands import ConsoleCommand, Press, PressHand, SelectSpot
from fourcard.progressive.console import Console
from fourcard.progressive.deciding import ENDING, STARTING, Meters, decide
from fourcard.progressive.picturing import Picture, picture
from fourcard.progressive.telling import ConsoleNarrator
from fourcard.refusals import Code, Refusal, RefusedError, refuse
from fourcard.round.ask import AUTHORITY
from fourcard.round.commands import Command, Perform
from fourcard.table.meters import award_at
from fourcard.table.state import TableState
from fourcard.wording import Sentence

Give = Callable[[str, AnyCommand, Actor], Answer]


def _console_in(book: TableBook) -> tuple[TableState, Console]:
    """Return a table's state and its console, or refuse one that is not there or has none."""
    if book.state is None:
        raise RefusedError(refuse(Code.NO_SUCH_TABLE, table=book.table))
    if book.console is None:
        raise RefusedError(refuse(Code.NO_CONSOLE))
    return book.state, book.console


def picture_of(book: TableBook, meter: MeterBook) -> Picture:
    """Return what somebody sees who looks at the console of a table."""
    state, console = _console_in(book)
    return picture(console, state, meter.displayed, meter.closed)


class AtConsole:
    """The console of one table of a house, and the meter behind it, as they are at this moment."""

    def __init__(self, desk: Desk, table: str, give: Give) -> None:
        """Look at a table through a desk and give commands by another door, or refuse one without console."""
        self.desk, self.table, self._give = desk, table, give
        self.look()

    def look(self) -> tuple[TableBook, TableState, Console]:
        """Return the table, its state and its console as they are now, whoever moved them."""
        book = self.desk.table(self.table)
        return book, *_console_in(book)

    @property
    def meter(self) -> MeterBook:
        """Return the meter as it is now."""
        name = self.look()[0].meter
        for error in self.desk.look_up([meter_stream(name)]).values():
            raise error
        return self.desk.library.meter(name)

    def picture(self) -> Picture:
        """Return what somebody sees who looks at the console."""
        return picture_of(self.look()[0], self.meter)

    def give(self, command: AnyCommand, actor: Actor) -> list[Sentence]:
        """Give a command, and return what came of it in words, or raise the refusal."""
        book, state, console = self.look()
        if isinstance(command, HouseCommand):
            answer = self._give(meter_stream(book.meter), command, actor)
            return [sentence for event in answer.events for sentence in self._of_meter(event)]
        stream = table_stream(self.table)
        seen = self.desk.library.heads[stream].sequence
        answer = self._give(stream, command, actor)
        if answer.first != seen + 1:
            return [Sentence("It is done; somebody else had moved the table meanwhile.")]
        return ConsoleNarrator(console, state).tell(answer.events)

    def _of_meter(self, event: object) -> list[Sentence]:
        """Return what an adjustment is in words."""
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

    def refusal(self, command: ConsoleCommand, actor: Actor) -> Refusal | None:
        """Return why a person may not do something on the console now, or None; nothing is changed."""
        _, state, console = self.look()
        meter = self.meter
        meters = Meters(lambda under_way: award_at(meter.meter, under_way), meter.closed)
        decided = decide(console, state, in_role(command, actor), meters)
        return decided if isinstance(decided, Refusal) else None


class People(Protocol):
    """Who can be at the console."""

    def called(self, word: str) -> Actor:
        """Return the person that a word means, or refuse it."""
        ...

    def known(self) -> Sequence[tuple[str, Actor]]:
        """Return those who are at hand, each with the word that calls them."""
        ...


class Shown(Protocol):
    """What a driver shows things on."""

    def say(self, sentence: str) -> None:
        """Say something."""
        ...

    def tell(self, sentences: Sequence[Sentence]) -> None:
        """Tell what happened."""
        ...

    def show(self, seen: Picture) -> None:
        """Show the console."""
        ...

    def explain(self, phrases: Sequence[Phrase], hands: Sequence[str]) -> None:
        """Show what can be said."""
        ...


class Driver:
    """Somebody who reads lines and does what they say, as one person after another."""

    def __init__(
        self, at: AtConsole, people: People, shown: Shown, phrases: Sequence[Phrase], actor: Actor
    ) -> None:
        """Begin as one person."""
        self.at, self.people, self.shown, self.phrases, self.actor = at, people, shown, phrases, actor
        self._own = {"show": self._show, "help": self._help, "?": self._help, "hint": self._hint}

    def line(self, text: str) -> bool:
        """Do what a line says, and say whether it was a motion; raise why it may not be."""
        words = text.split()
        if not words or words[0].startswith("#"):
            return False
        own = self._own.get(words[0].lower()) if len(words) == 1 else None
        if own is not None:
            own()
            return False
        if words[0].lower() == "as" and len(words) == 2:
            self.actor = self.people.called(words[1].lower())
            self.shown.say(f"From now on {self.actor.person} acts ({roles(self.actor)}).")
            return False
        command = command_in(text, self.phrases, self._hands())
        if command is None:
            raise BadInputError(f"'{' '.join(words)}' says nothing here; 'help' shows what can be said.")
        self.shown.tell(self.at.give(in_role(command, self.actor), self.actor))
        return True

    def _hands(self) -> Sequence[str]:
        return self.at.picture().hands

    def _show(self) -> None:
        self.shown.show(self.at.picture())

    def _help(self) -> None:
        self.shown.explain(self.phrases, self._hands())

    def _hint(self) -> None:
        """Tell what is due, by which clause, and what to type for it as whom."""
        seen = self.at.picture()
        if seen.next is None:
            self.shown.say("Nothing is due on the console: the game goes on without it.")
            return
        due = seen.next
        lines = [*self._as_whom(due.command), typed(due.command)]
        if seen.link:
            mends = (
                "the Game Manager opens it" if self.at.look()[2].linked else "'link back WHY' reports it back"
            )
            self.shown.say(f"The link is down, {seen.link}: no win can be logged; {mends}.")
        words = " and then ".join(f"'{line}'" for line in lines)
        self.shown.tell([Sentence(f"Next, {due.who}: {due.what}. Type {words}.", due.clauses)])

    def _as_whom(self, command: Command) -> list[str]:
        """Return the line that lets somebody act who may do what is due, where this person may not."""
        if not isinstance(command, ConsoleCommand):
            return []
        others = ((f"as {word}", actor) for word, actor in self.people.known())
        for line, actor in (("", self.actor), *others):
            if self.at.refusal(command, actor) is None:
                return [line] if line else []
        return []


def roles(actor: Actor) -> str:
    """Return what a person is employed as, as a person reads it."""
    return " and ".join(actor.roles)


def in_role(command: Given, actor: Actor) -> Given:
    """Return a command in the role in which a person gives it: dealer's work as dealer, else the highest."""
    held = [role for role in AUTHORITY if role in actor.roles]
    floor = [role for role in held if role != "dealer"]
    as_dealer = "dealer" in held and (_is_dealers(command) or not floor)
    role = "dealer" if as_dealer else floor[-1] if floor else actor.roles[0]
    return msgspec.structs.replace(command, by=actor.person, role=role)


def _is_dealers(command: AnyCommand) -> bool:
    if isinstance(command, Press):
        return command.button in (*STARTING, *ENDING)
    return isinstance(command, PressHand | SelectSpot | Perform)

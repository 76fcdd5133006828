"""Console REPL: reads lines, runs their commands as one person after another, prints sentences."""

from collections.abc import Sequence
from typing import Protocol

from fourcard.cli.console_at import AtConsole, in_role
from fourcard.cli.console_language import Phrase, command_in, typed
from fourcard.errors import BadInputError
from fourcard.house.actors import Actor
from fourcard.progressive.picturing import Picture
from fourcard.refusals import Code
from fourcard.round.commands import Command, Perform
from fourcard.wording import Sentence

OTHERS = (Code.NOT_YOUR_DUTY, Code.SAME_PERSON, Code.EXECUTIVE_NEEDED, Code.CHIPS_DIFFER)
"""Refusals that another person may avoid."""


class People(Protocol):
    """The people who can work at the console."""

    def called(self, word: str) -> Actor:
        """Return the person with a name or role, or refuse."""
        ...

    def known(self) -> Sequence[tuple[str, Actor]]:
        """Return the people at hand, each with a name or role."""
        ...


class Shown(Protocol):
    """The view of a console REPL."""

    def say(self, sentence: str) -> None:
        """Print a note."""
        ...

    def tell(self, sentences: Sequence[Sentence]) -> None:
        """Print what happened."""
        ...

    def show(self, seen: Picture) -> None:
        """Show the console."""
        ...

    def explain(self, phrases: Sequence[Phrase], hands: Sequence[str]) -> None:
        """Show the available phrases."""
        ...


class Driver:
    """Reads lines and runs their commands, as one person after another."""

    def __init__(
        self, at: AtConsole, people: People, shown: Shown, phrases: Sequence[Phrase], actor: Actor
    ) -> None:
        """Begin as one person."""
        self.at, self.people, self.shown, self.phrases, self.actor = at, people, shown, phrases, actor
        self._own = {"show": self._show, "help": self._help, "?": self._help, "hint": self._hint}

    def line(self, text: str) -> bool:
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
            self.shown.say(f"From now on {self.actor.person} acts ({roles(self.actor)}).")
            return False
        command = command_in(text, self.phrases, self._hands())
        if command is None:
            raise BadInputError(f"'{' '.join(words)}' is not a command here; 'help' lists the commands.")
        self.shown.tell(self.at.give(in_role(command, self.actor), self.actor))
        return True

    def _hands(self) -> Sequence[str]:
        return self.at.picture().hands

    def _show(self) -> None:
        self.shown.show(self.at.picture())

    def _help(self) -> None:
        self.shown.explain(self.phrases, self._hands())

    def _hint(self) -> None:
        """Print the next step, its clauses, and what to type for it as whom."""
        seen = self.at.picture()
        if seen.next is None:
            self.shown.say("There is nothing to do on the console: the game continues without it.")
            return
        if seen.link:
            lost = not self.at.look()[2].linked
            mends = "'link back WHY' reports it back" if lost else "the Game Manager opens it"
            self.shown.say(f"The link is down, {seen.link}: no win can be logged; {mends}.")
        due = seen.next
        words = f"Next, {due.who}: {due.what}. {self._how(due.command, seen.hands)}"
        self.shown.tell([Sentence(words, due.clauses)])

    def _how(self, command: Command, hands: Sequence[str]) -> str:
        """Return what to type for the next step; some steps are done at the table."""
        line = typed(command)
        counts = isinstance(command, Perform)
        is_said_here = counts and any(line == phrase.usage for phrase in self.phrases)
        if not is_said_here and command_in(line, self.phrases, hands) is None:
            return "That is done at the table, not here."
        lines = "' and then '".join((*self._as_whom(command), line))
        return f"Type '{lines}'" + (", where N is the number you count." if counts else ".")

    def _as_whom(self, command: Command) -> list[str]:
        """Return the line that switches to a person who can do the next step, if this one cannot."""
        if self._is_theirs(command, self.actor):
            return []
        able = (word for word, actor in self.people.known() if self._is_theirs(command, actor))
        return [f"as {next(able, 'WHO')}"]

    def _is_theirs(self, command: Command, actor: Actor) -> bool:
        refusal = self.at.refusal(command, actor)
        return refusal is None or refusal.code not in OTHERS


def roles(actor: Actor) -> str:
    """Return a person's roles as text."""
    return " and ".join(actor.roles)

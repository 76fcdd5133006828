"""Console playthroughs: a title, lines in the language of ``fourcard console``, and the output of each.

``python -m tests.playthroughs.console_script`` writes every file under ``consoles`` again from its input
lines, which begin with ``> ``, and its remarks, which begin with ``# ``. Two lines exist only here: ``table``
sets up a table, and ``deal`` says which hands the next game deals and where a progressive chip lies.
"""

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from fourcard.cards import parse_cards
from fourcard.cli.console_practice import (
    Lesson,
    PracticeStaff,
    PracticeTable,
    house_in_memory,
    practice_submission,
    to_toml,
)
from fourcard.cli.console_session import CONSOLE_PHRASES, PRACTICE_PHRASES, ConsoleRepl, Phrase
from fourcard.narration import Sentence
from fourcard.progressive.console_view import ConsoleView
from fourcard.refusals import RefusedError
from tests.playthroughs.story_files import ScriptError, line_of, line_of_refusal, rewrite, stories_in
from tests.playthroughs.table_sentences import PLACES, change_table

FOLDER = Path(__file__).parent / "consoles"
TABLE = re.compile(
    r"table (?P<example>[a-z-]+) (?P<kind>keypad|touch), players at (?P<seats>[1-7 ]+)"
    r"(?: with (?P<changes>.+))?"
)
DEAL = re.compile(r"deal (?P<hands>[^;]+(?:; [^;]+)*?)(?:; chips at (?P<chips>[1-7 ]+))?")
WIDTH = 8


class StoryScreen:
    """Records what a trainee would read, line by line, without colours."""

    def __init__(self) -> None:
        """Start without lines."""
        self.lines: list[str] = []

    def say(self, sentence: str) -> None:
        """Record a sentence."""
        self.lines.append(sentence)

    def tell(self, sentences: Sequence[Sentence]) -> None:
        """Record sentences with their clauses."""
        self.lines += map(line_of, sentences)

    def show(self, seen: ConsoleView) -> None:
        """Record the view of the console."""
        self.lines += (f"{label:<{WIDTH}} {text}" for label, text in seen.lines())

    def explain(self, phrases: Sequence[Phrase], hands: Sequence[str]) -> None:
        """Record the known phrases."""
        self.lines += (f"{each.usage}: {each.meaning}" for each in phrases)
        self.lines.append(f"hands: {', '.join(hands)}")


class ConsoleStory:
    """One console playthrough being run."""

    def __init__(self) -> None:
        """Start without a table."""
        self._table: PracticeTable | None = None
        self._driver: ConsoleRepl | None = None
        self.screen = StoryScreen()
        self.ended: set[tuple[str, str]] = set()
        """Rulebook and console of every game that ended."""

    @property
    def table(self) -> PracticeTable:
        """Return the table of the playthrough."""
        if self._table is None:
            raise ScriptError("there is no table yet")
        return self._table

    def narrate(self, line: str) -> list[str]:
        """Execute a line and the automatic steps after it, and return its output."""
        self.screen.lines = []
        if (found := TABLE.fullmatch(line)) is not None:
            self._set_up(found)
        elif (found := DEAL.fullmatch(line)) is not None:
            self.table.begin(_lesson(found))
        else:
            self._drive(line)
        for sentences in self.table.advance():
            self.screen.tell(sentences)
        self._balance()
        return self.screen.lines

    def _set_up(self, found: re.Match[str]) -> None:
        raw = tomllib.loads(practice_submission(found["example"], found["kind"]))  # type: ignore[arg-type]
        for place, value in change_table(found["changes"] or "").items():
            *path, last = place.split("__")
            part = raw
            for key in path:
                part = part.setdefault(key, {})
            part[last] = value
        seats, crew = tuple(map(int, found["seats"].split())), PracticeStaff()
        self._table = PracticeTable(house_in_memory(1), to_toml(raw), seats)
        self._driver = ConsoleRepl(
            self.table.at, crew, self.screen, (*CONSOLE_PHRASES, *PRACTICE_PHRASES), crew.called("dealer")
        )
        game = self.table.at.current()[1].game
        self.screen.say(f"{game.submission.name}: the {found['kind']} console by {game.rulebook.name}.")

    def _drive(self, line: str) -> None:
        if self._driver is None:
            raise ScriptError("there is no table yet")
        _, before, console = self.table.at.current()
        try:
            self._driver.run_line(line)
        except RefusedError as error:
            self.screen.say(line_of_refusal(error.refusal))
        if self.table.at.current()[2].last_ended_round > console.last_ended_round:
            self.ended.add((before.game.rulebook.id, console.kind))

    def _balance(self) -> None:
        """Check that every unit of the meter and every cent of the house is accounted for."""
        book = self.table.at.meter
        totals = book.totals
        came, held = (
            totals.seeded + totals.contributed + totals.adjusted,
            book.amounts.amount + book.amounts.reserve,
        )
        with self.table.service.store.reading() as reading:
            if held + totals.paid != came or sum(dict(reading.balances()).values()) != 0:
                raise ScriptError("money came from nowhere, or went there")


def _lesson(found: re.Match[str]) -> Lesson:
    """Return the lesson of ``1: As ..; dealer: ..; chips at 1 2``; by default everybody has a chip."""
    parts = dict(part.split(": ") for part in found["hands"].split("; "))
    hands = {PLACES[who] if who in PLACES else int(who): parse_cards(cards) for who, cards in parts.items()}
    chips = map(int, found["chips"].split()) if found["chips"] else (place for place in hands if place > 0)
    return Lesson(hands, frozenset(chips))


def stories() -> dict[str, Path]:
    """Return every playthrough by name."""
    return stories_in(FOLDER)


if __name__ == "__main__":
    sys.exit(rewrite(stories(), ConsoleStory))

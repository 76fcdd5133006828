"""Misuse playthroughs: scenarios of misuse, each run at one table of every rulebook.

``python -m tests.playthroughs.misuse_script`` writes every file under ``misuse`` again. Input lines are
sentences of table playthroughs, joined by ``, then``. A plain line prepares every table and must be accepted
there. After ``if allowed:`` tables may refuse it. ``show:`` records the answers to the last sentence, or the
refusal of an earlier one. ``what if:`` records them too, then goes on as before.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from fourcard.narration import Sentence
from fourcard.refusals import Refusal, RefusedError
from fourcard.rules.game import Game, InvalidSubmissionError
from fourcard.rules.loading import every_rulebook
from fourcard.table.commands import TableCommand
from fourcard.table.events import TableEvent
from fourcard.table.table_driver import Table
from tests.kit.support import EXAMPLES, game
from tests.playthroughs.story_files import ScriptError, line_of_refusal, rewrite, stories_in
from tests.playthroughs.table_script import ACTED, TableStory
from tests.playthroughs.table_sentences import change_table

FOLDER = Path(__file__).parent / "misuse"
LINE = re.compile(r"(?:(?P<manner>if allowed|show|what if): )?(?P<sentences>.+)")
TABLE = re.compile(r"table(?: with (?P<changes>.+))?")
SET = Sentence("The table is set.")
NOTHING = Sentence("Nothing happens.")
Said = tuple[Sentence, ...]


def _examples() -> Mapping[str, str]:
    """Return the example of every rulebook: the one with every wager, where there is one."""
    ids = dict.fromkeys(book.id for book in every_rulebook())
    return {
        each: name if (EXAMPLES / f"{name}.toml").exists() else each
        for each in ids
        for name in [f"{each}-everything"]
    }


TABLES = _examples()
"""The example of every rulebook."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of one table to a recorded line."""

    line: str
    rulebook: str
    said: Said
    """What is said, the refusal last."""
    refused: bool
    unchanged: bool
    """Whether the refused command left the table as it was."""


class WatchedTable(TableStory):
    """One table of a scenario; it watches that a refused command changes nothing."""

    def __init__(self) -> None:
        """Start with a table that nobody watches."""
        super().__init__()
        self.watched = False
        self.unchanged = True
        """Whether the last command that was refused while watched left the table as it was."""

    def command(self, sent: TableCommand) -> list[TableEvent]:
        """Execute a command; while watched, compare the table before and after a refusal."""
        if not self.watched:
            return super().command(sent)
        before = deepcopy(_changeable(self.table), _fixed(self))
        try:
            return super().command(sent)
        except RefusedError:
            self.unchanged = _changeable(self.table) == before
            raise

    def copy(self) -> "WatchedTable":
        """Return a table that goes its own way from here."""
        return deepcopy(self, _fixed(self))


def _changeable(table: Table) -> dict[str, object]:
    """Return all that a command can change at a table."""
    return {**vars(table.local_meter), "state": table.state, "events": len(table.events)}


def _fixed(story: WatchedTable) -> dict[int, object]:
    """Return what copies of a table share: the rules, the game and the events."""
    state = story.table.state
    parts: list[object] = [state.game, state.rules, state.rules.settler, *story.table.events]
    rounds = [each for each in (state.round, state.last_round) if each is not None]
    parts += [part for each in rounds for part in (each.rules, each.rules.settler, each.plan)]
    return {id(part): part for part in parts}


class MisuseStory:
    """One scenario of misuse being run at a table of every rulebook."""

    def __init__(self) -> None:
        """Start without tables."""
        self.tables: dict[str, WatchedTable] = {}
        self.answers: list[Answer] = []
        self.said: dict[str, list[Sentence]] = {each: [] for each in TABLES}
        """Everything that was said at the table of each rulebook, recorded or not."""

    def narrate(self, line: str) -> list[str]:
        """Execute a line at every table and return its output."""
        found = LINE.fullmatch(line)
        assert found is not None
        manner, sentences = found["manner"], found["sentences"].split(", then ")
        refusals = {each: self._run(line, each, manner, sentences) for each in TABLES}
        refused = [refusal for refusal in refusals.values() if refusal is not None]
        if manner is None and refused:
            raise ScriptError(f"it is refused: {refused[0].message}")
        if manner == "if allowed" and len(refused) == len(TABLES):
            raise ScriptError("no table allows it")
        if manner not in ("show", "what if"):
            return []
        return [*_side_by_side([each for each in self.answers if each.line == line][-len(TABLES) :])]

    def _run(self, line: str, rulebook: str, manner: str | None, sentences: Sequence[str]) -> Refusal | None:
        """Run the sentences of a line at one table, up to the first refusal."""
        if (made := TABLE.fullmatch(sentences[0])) is not None:
            return self._set_table(line, rulebook, made["changes"] or "")
        if rulebook not in self.tables:
            raise ScriptError("there is no table yet")
        story = self.tables[rulebook]
        if manner == "what if":
            story = story.copy()
        story.watched = manner in ("show", "what if")
        refusal: Refusal | None = None
        said: list[Sentence] = []
        for sentence in sentences:
            said, refusal = _act(story, sentence)
            self.said[rulebook] += said
            if refusal is not None:
                break
        self._note(line, rulebook, said, *([] if refusal is None else [refusal]), unchanged=story.unchanged)
        return refusal

    def _set_table(self, line: str, rulebook: str, changes: str) -> Refusal | None:
        """Set a new table; where its rulebook refuses the changes, set it without them."""
        story = WatchedTable()
        refusals: tuple[Refusal, ...] = ()
        try:
            made = example(rulebook, changes)
        except InvalidSubmissionError as error:
            made, refusals = example(rulebook), error.reasons
        story.set_table(made)
        self.tables[rulebook] = story
        self._note(line, rulebook, [] if refusals else [SET], *refusals, unchanged=True)
        return refusals[0] if refusals else None

    def _note(
        self, line: str, rulebook: str, said: list[Sentence], *refusals: Refusal, unchanged: bool
    ) -> None:
        """Note an answer."""
        refused = [Sentence(_message(each), each.clauses) for each in refusals]
        self.said[rulebook] += refused
        answered = (*said, *refused) or (NOTHING,)
        self.answers.append(Answer(line, rulebook, answered, bool(refusals), unchanged))


def _message(refusal: Refusal) -> str:
    return line_of_refusal(replace(refusal, clauses=()))


@cache
def example(rulebook: str, changes: str = "") -> Game:
    """Return the game of a rulebook's table, with some values changed."""
    return game(TABLES[rulebook], **change_table(changes))


def _act(story: WatchedTable, sentence: str) -> tuple[list[Sentence], Refusal | None]:
    """Execute a sentence at one table."""
    if sentence.startswith("deck "):
        story.decks.append(sentence.removeprefix("deck "))
        return [], None
    acted = ACTED.fullmatch(sentence)
    assert acted is not None
    return story.act(acted["sentence"], acted["who"] or "")


def _side_by_side(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield the answers, those in the same words together, with the clauses of each rulebook in its place."""
    groups: dict[tuple[str, ...], list[Answer]] = {}
    for answer in answers:
        groups.setdefault(tuple(each.text for each in answer.said), []).append(answer)
    for texts, group in groups.items():
        yield ", ".join(answer.rulebook for answer in group)
        for number, text in enumerate(texts):
            yield f"    {text}{_cited([answer.said[number].clauses for answer in group])}"


def _cited(clauses: Sequence[tuple[str, ...]]) -> str:
    """Return the clauses of each rulebook of a group; once, where they are the same."""
    if not any(clauses):
        return ""
    each = [" ".join(cited) or "-" for cited in clauses]
    return f"  [{' | '.join(each if len(set(each)) > 1 else each[:1])}]"


def stories() -> dict[str, Path]:
    """Return every scenario by name."""
    return stories_in(FOLDER)


if __name__ == "__main__":
    sys.exit(rewrite(stories(), MisuseStory))

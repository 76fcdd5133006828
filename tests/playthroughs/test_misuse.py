"""Scenarios of misuse, each with the answers of every rulebook side by side; review every change.

``python -m tests.playthroughs.misuse_script`` writes them again.
"""

from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from fourcard.narration import Sentence
from fourcard.refusal_codes import Code
from fourcard.rules.clauses import clauses, rulings
from fourcard.rules.loading import every_rulebook
from tests.playthroughs.misuse_script import TABLES, MisuseStory, example, stories
from tests.playthroughs.story_files import ScriptError, tell

STORIES = stories()
RECORDED = ("> show: ", "> what if: ")
SOURCES = {book.id: book.source for book in every_rulebook()}


@cache
def _told(name: str) -> tuple[str, MisuseStory]:
    story = MisuseStory()
    return tell(STORIES[name].read_text(encoding="utf-8"), story), story


def _recorded(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each recorded line of a file, and the rulebooks that answer it."""
    for block in text.split("\n\n"):
        asked, *answered = (line for line in block.splitlines() if not line.startswith("# "))
        if asked.startswith(RECORDED):
            heads = [line for line in answered if not line.startswith("    ")]
            yield asked, [rulebook for head in heads for rulebook in head.split(", ")]


def _foreign(rulebook: str, said: Iterable[Sentence]) -> list[str]:
    """Return the citations that are not the rulebook's own clauses, rulings or policies.

    The clauses of a paytable that a rulebook takes from another one (P5) are its own.
    """
    own = {each.id for each in clauses().values() if each.source == SOURCES[rulebook]} | {*rulings()}
    own |= {cited for table in example(rulebook).tables.values() for cited in table.clauses}
    return [each for sentence in said for each in sentence.clauses if each not in own]


@pytest.mark.parametrize("name", STORIES)
def test_a_scenario_is_told_as_it_was_written_down(name: str) -> None:
    told, _ = _told(name)
    assert told.splitlines() == STORIES[name].read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", STORIES)
def test_every_rulebook_answers_every_recorded_line(name: str) -> None:
    recorded = [*_recorded(STORIES[name].read_text(encoding="utf-8"))]
    assert recorded
    for line, answering in recorded:
        assert sorted(answering) == sorted(SOURCES), line


@pytest.mark.parametrize("name", STORIES)
def test_a_table_cites_its_own_rulebook_only(name: str) -> None:
    _, story = _told(name)
    assert not [each for rulebook, said in story.said.items() for each in _foreign(rulebook, said)]
    assert [*story.said] == [*TABLES]


@pytest.mark.parametrize("name", STORIES)
def test_what_is_refused_changes_nothing(name: str) -> None:
    _, story = _told(name)
    changed = [(each.rulebook, each.line) for each in story.answers if each.refused and not each.unchanged]
    assert not changed


def test_there_are_enough_scenarios_answers_and_citations_to_judge() -> None:
    assert len(STORIES) >= 50
    answers = [answer for name in STORIES for answer in _told(name)[1].answers]
    refused = [answer for answer in answers if answer.refused]
    assert len(refused) >= 1_500
    cited = [
        each
        for name in STORIES
        for said in _told(name)[1].said.values()
        for sentence in said
        for each in sentence.clauses
    ]
    assert len(cited) >= 9_000
    assert {clauses()[each].source for each in cited if each in clauses()} == set(SOURCES.values())


def test_the_scenarios_meet_many_different_refusals() -> None:
    texts = {answer.said[-1].text for name in STORIES for answer in _told(name)[1].answers if answer.refused}
    names = {text.split()[2].rstrip(":") for text in texts}
    assert names <= {code.name.lower() for code in Code}
    assert len(names) >= 60


def test_a_foreign_citation_is_found() -> None:
    said = [Sentence("A refusal.", ("MA-6d.1", "R95", "P8")), Sentence("Another one.", ("MD-07C", "MA-9"))]
    assert _foreign("massachusetts", said) == ["MD-07C", "MA-9"]


@pytest.mark.parametrize(
    ("sentences", "why"),
    [
        (("open",), "there is no table yet"),
        (("table", "open", "Ann sits at 9"), "it is refused: There is no position 9"),
        (("table", "if allowed: round"), "no table allows it"),
        (("table", "what if: dance"), "no such sentence is known"),
    ],
)
def test_a_line_that_cannot_be_is_pointed_out(sentences: tuple[str, ...], why: str) -> None:
    text = "A title\n" + "\n".join(f"> {sentence}" for sentence in sentences)
    with pytest.raises(ScriptError, match=why) as found:
        tell(text, MisuseStory())
    assert str(found.value).startswith(f"sentence {len(sentences)}, '> {sentences[-1]}': ")

"""Table playthroughs as text files, reviewed by a person; review every change.

``python -m tests.playthroughs.table_script`` writes them again.
"""

from functools import cache

import pytest

from fourcard.refusal_codes import Code
from fourcard.rules.clauses import is_address
from fourcard.rules.loading import every_rulebook
from tests.playthroughs.story_files import ScriptError, script, tell
from tests.playthroughs.table_script import TableStory, stories

STORIES = stories()


@cache
def _told(name: str) -> tuple[str, TableStory]:
    story = TableStory()
    return tell(STORIES[name].read_text(encoding="utf-8"), story), story


@pytest.mark.parametrize("name", STORIES)
def test_a_story_is_told_as_it_was_written_down(name: str) -> None:
    told, _ = _told(name)
    assert told.splitlines() == STORIES[name].read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", STORIES)
def test_no_cent_is_lost_in_a_story(name: str) -> None:
    _, story = _told(name)
    for state in (story.table.state.round, story.table.state.last_round):
        if state is not None:
            assert (
                sum(state.net_changes.values()) + state.tray_change + state.meter_change + state.layout == 0
            )
            assert (state.layout == 0) == (state.phase in ("over", "void", "betting"))


@pytest.mark.parametrize("name", STORIES)
def test_a_story_has_a_title_and_every_line_is_told_or_written_by_somebody(name: str) -> None:
    title, *rest = STORIES[name].read_text(encoding="utf-8").splitlines()
    assert title[0].isupper()
    assert not title.endswith(".")
    assert len(script("\n".join([title, *rest]))) >= 8
    for line in rest:
        if line.endswith("]"):
            cited = line[line.rindex("[") + 1 : -1].split()
            assert cited
            assert all(map(is_address, cited)), line


def test_every_dealing_method_of_every_edition_is_played_to_its_end() -> None:
    wanted = {
        (book.id, book.edition, method)
        for book in every_rulebook()
        for method, rules in book.dealing.items()
        if rules.allowed.value
    }
    assert set().union(*(_told(name)[1].played for name in STORIES)) == wanted


def test_everything_that_can_go_wrong_by_a_rulebook_goes_wrong_in_a_story() -> None:
    wanted = {(book.id, kind) for book in every_rulebook() for kind in book.irregularities}
    assert set().union(*(_told(name)[1].went_wrong for name in STORIES)) == wanted


def test_readers_see_many_different_refusals_with_their_clauses() -> None:
    refused = [
        line for name in STORIES for line in _told(name)[0].splitlines() if line.startswith("refused ")
    ]
    codes = {int(line.split()[1]) for line in refused}
    known = {int(code): code.name.lower() for code in Code}
    assert all(known[code] == _name_of(refused, code) for code in codes)
    assert len(codes) >= 30
    assert sum(line.endswith("]") for line in refused) >= len(refused) * 3 // 4


def _name_of(refused: list[str], code: int) -> str:
    return next(line.split()[2].rstrip(":") for line in refused if line.split()[1] == str(code))


@pytest.mark.parametrize(
    ("sentences", "why"),
    [
        (("dance",), "no such sentence is known"),
        (("open",), "there is no table yet"),
        (("table atlantis",), "No such file"),
        (("table massachusetts", "try open"), "it is not refused"),
        (("table massachusetts", "Ann sits at 1"), "it is refused: The table is closed."),
        (("table massachusetts", "open", "Ann sits at 1", "next 14", "next"), "the dealer has nothing to do"),
        (
            ("table massachusetts", "open", "Ann sits at 1", "deck 1: As Ah Kd 7c 2h; dealer: As", "ready"),
            "every card once",
        ),
        (
            ("table massachusetts", "open", "Ann sits at 1", "ready", "round", "1 bets ten"),
            "'ten' is not a wager",
        ),
        (
            ("table massachusetts", "open", "Ann sits at 1", "ready", "round", "1 bets $5 luck"),
            "there is no wager 'luck'",
        ),
        (("table massachusetts", "open", "report rain"), "there is no irregularity 'rain'"),
        (("table massachusetts", "open", "switch to magic"), "there is no dealing method 'magic'"),
    ],
)
def test_a_sentence_that_cannot_be_is_pointed_out(sentences: tuple[str, ...], why: str) -> None:
    text = "A title\n" + "\n".join(f"> {sentence}" for sentence in sentences)
    with pytest.raises(ScriptError, match=why) as found:
        tell(text, TableStory())
    assert str(found.value).startswith(f"sentence {len(sentences)}, '> {sentences[-1]}': ")

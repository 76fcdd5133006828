"""Console playthroughs as text files, reviewed by a person; review every change.

``python -m tests.playthroughs.console_script`` writes them again.
"""

from functools import cache
from typing import get_args

import pytest

from fourcard.refusal_codes import Code
from fourcard.rules.clauses import is_address
from fourcard.rules.loading import every_rulebook
from fourcard.rules.rulebook import ConsoleMotion
from tests.playthroughs.console_script import ConsoleStory, stories
from tests.playthroughs.story_files import ScriptError, script, tell

STORIES = stories()
LEAST_REFUSALS = 25


@cache
def _told(name: str) -> tuple[str, ConsoleStory]:
    story = ConsoleStory()
    return tell(STORIES[name].read_text(encoding="utf-8"), story), story


@pytest.mark.parametrize("name", STORIES)
def test_a_game_is_told_as_it_was_written_down(name: str) -> None:
    told, _ = _told(name)
    assert told.splitlines() == STORIES[name].read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", STORIES)
def test_a_game_has_a_title_and_cites_clauses_that_there_are(name: str) -> None:
    title, *rest = STORIES[name].read_text(encoding="utf-8").splitlines()
    assert title[0].isupper()
    assert not title.endswith(".")
    assert len(script("\n".join([title, *rest]))) >= 8
    for line in rest:
        if line.endswith("]"):
            cited = line[line.rindex("[") + 1 : -1].split()
            assert cited
            assert all(map(is_address, cited)), line


@pytest.mark.parametrize("name", STORIES)
def test_a_story_ends_with_its_game(name: str) -> None:
    picture = _told(name)[1].table.at.picture()
    assert (picture.next, picture.key in (None, "run"), picture.mark) == (None, True, None)


def test_every_console_of_every_rulebook_is_played_to_the_end_of_a_game() -> None:
    wanted = {(book.id, kind) for book in every_rulebook() for kind in book.consoles}
    assert set().union(*(_told(name)[1].ended for name in STORIES)) == wanted


def test_every_motion_that_there_is_on_a_console_is_done() -> None:
    lines = {line for name in STORIES for line in script(_told(name)[0])}
    typed = ("> spot ", "> hand ", "> key jph", "> j-pot", "> key run", "> confirm", "> swipe")
    assert len(typed) == len(get_args(ConsoleMotion))
    assert all(any(line.startswith(each) for line in lines) for each in typed)


def test_readers_see_most_refusals_of_a_console_with_their_clauses() -> None:
    refused = [
        line for name in STORIES for line in _told(name)[0].splitlines() if line.startswith("refused ")
    ]
    codes = {int(line.split()[1]) for line in refused}
    assert len(codes) >= LEAST_REFUSALS
    assert all(line.endswith("]") for line in refused)
    on_console = {int(code) for code in Code if Code.BUTTON_ABSENT <= code <= Code.LINK_SO_ALREADY}
    unseen = {Code.GAME_NOT_OVER}
    assert on_console - {*map(int, unseen)} <= codes


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("coin in",), "there is no table yet"),
        (("table atlantis keypad, players at 1",), "There is no file or example named 'atlantis'"),
        (("table shuffle-master-everything touch, players at 1",), "does not describe a touch console"),
        (("table washington-everything touch, players at 1", "dance"), "'dance' is not a command here"),
        (
            ("table washington-everything touch, players at 1", "as nobody"),
            "Nobody here has the name or role 'nobody'",
        ),
    ],
)
def test_a_line_that_cannot_be_is_pointed_out(lines: tuple[str, ...], why: str) -> None:
    text = "A title\n" + "\n".join(f"> {line}" for line in lines)
    with pytest.raises(ScriptError, match=why) as found:
        tell(text, ConsoleStory())
    assert str(found.value).startswith(f"sentence {len(lines)}, '> {lines[-1]}': ")

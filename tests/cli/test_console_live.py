"""`fourcard console TABLE`: the console of a real table, looked at by anybody and driven by who signs in."""

import io
import shutil
import sys
from contextlib import chdir
from copy import copy
from functools import partial
from getpass import GetPassWarning
from pathlib import Path
from warnings import warn

import pytest

from fourcard.cards import parse_cards
from fourcard.cli import house_connect
from fourcard.cli.console_practice import (
    PRACTICE_TABLE,
    STAFF_ROLES,
    Lesson,
    PracticeTable,
    practice_submission,
)
from fourcard.cli.console_session import ConsoleSession
from fourcard.house.auth.security import SECURITY
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import DismissStaff, InstallTable
from fourcard.house.decision import STAFF, meter_stream, table_stream
from fourcard.house.events import SignInIssued
from fourcard.house.house import key_beside, open_house
from fourcard.house.journal import SECURITY_CODEC
from fourcard.refusal_codes import Code
from fourcard.rules.rulebook import ConsoleKind
from tests.kit.commands import HOUSE_FILE, PASSWORD, Command, Done, Person, said
from tests.kit.houses import submission_text

ACES = Lesson(
    {
        1: parse_cards("As Ah Ad Ac 2c"),
        2: parse_cards("Ks Qh 6c 5d 2h"),
        0: parse_cards("5s 5h Jc Tc 9c 4d"),
    },
    frozenset((1, 2)),
)


def opened(kind: ConsoleKind) -> PracticeTable:
    """Make a house in the folder at hand, with passwords and a table that will deal ann four aces."""
    with open_house(HOUSE_FILE) as house:
        table = PracticeTable(house.service, practice_submission("washington-everything", kind), (1, 2))
        for person in STAFF_ROLES:
            assert house.sign_in.set_password("staff", person, PASSWORD) is None
        table.begin(ACES)
        assert [*table.advance()]
    return table


class LiveConsole:
    """A house with a table that takes wagers, and a command line beside it; one of them is open at a time."""

    def __init__(self, fourcard: Command, table: PracticeTable) -> None:
        """Take what runs commands, and the table."""
        self.fourcard, self.table = fourcard, table

    def go_on(self) -> None:
        """Let everything go by itself up to the next moment that asks for the console."""
        with open_house(HOUSE_FILE) as house:
            self.table.service, self.table.at = (
                house.service,
                ConsoleSession(house.service, PRACTICE_TABLE, house.service.do),
            )
            assert [*self.table.advance()]

    def console(self, *arguments: object) -> Done:
        """Run the command at the table."""
        return self.fourcard("console", PRACTICE_TABLE, *arguments)

    def do(self, person: str, *lines: str) -> Done:
        """Do some lines as somebody, in one command."""
        done = [each for line in lines for each in ("--do", line)]
        return self.console("--as", person, "--password-file", "password", *done)

    def to_mark(self) -> None:
        """Go on to the moment at which the win of position 1 is marked."""
        said(self.do("dana", "coin in"))
        self.go_on()
        said(self.do("dana", "hand four aces"))


@pytest.fixture
def empty(fourcard: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Work in an empty folder, with nobody at the keyboard."""
    assert not (folder / HOUSE_FILE).exists()
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return fourcard


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PracticeTable]:
    """Make a house with a keypad once, to be copied."""
    folder = tmp_path_factory.mktemp("keypad")
    with pytest.MonkeyPatch.context() as patch, chdir(folder):
        patch.setattr("fourcard.house.house.SignIn", partial(SignIn, terms=AuthPolicy(cost=TEST_COST)))
        return folder, opened("keypad")


@pytest.fixture
def floor(empty: Command, folder: Path, made: tuple[Path, PracticeTable]) -> LiveConsole:
    """Return a floor with a keypad."""
    place, table = made
    for name in (HOUSE_FILE, f"{HOUSE_FILE}.key"):
        shutil.copy(place / name, folder / name)
    return LiveConsole(empty, copy(table))


def test_anybody_on_the_machine_looks_at_a_console_without_a_password(floor: LiveConsole) -> None:
    text = said(floor.console())
    assert "keypad console · round 1 · betting" in text
    assert "next     the dealer: press COIN IN  [WA-PROG-5.1]" in text
    state = floor.console("--json").answer
    assert (state["console"], state["round"], state["phase"], state["meter"]) == (
        "keypad",
        1,
        "betting",
        500_000,
    )
    assert (state["key"], state["spot"], state["mark"], state["prize"], state["link"]) == (
        "run",
        *[None] * 3,
        "",
    )
    assert [each["light"] for each in state["sensors"]] == ["placed", "placed", *["off"] * 5]
    assert state["sensors"][0] == {"position": 1, "player": "ann", "light": "placed"}
    assert state["hands"] == ["four_aces", "four_of_a_kind", "straight_flush", "three_of_a_kind"]
    assert (state["next"]["clauses"], state["next"]["command"]["button"]) == (["WA-PROG-5.1"], "coin_in")


def test_a_console_with_cards_under_way_is_read_with_the_key_that_is_named(floor: LiveConsole) -> None:
    floor.to_mark()
    shown = floor.console("--json").answer
    key_beside(HOUSE_FILE).rename("elsewhere.key")
    assert floor.console("--key", "elsewhere.key", "--json").answer == shown
    assert shown["mark"] is not None
    assert floor.console("--json").answer["mark"] is None


def test_a_win_is_seen_to_one_command_at_a_time_by_two_people(floor: LiveConsole) -> None:
    locked = said(floor.do("dana", "coin in"))
    assert locked.splitlines()[0] == "The dealer locks the progressive wagers.  WA-PROG-5.1 WA-NEX-5.1"
    floor.go_on()
    assert "four aces is marked" in said(floor.do("dana", "hand 1"))
    assert "The key is turned to JPH by sue." in said(floor.do("sue", "key jph"))
    assert floor.console("--json").answer["key"] == "jph"
    logged = said(floor.do("sue", "j-pot"))
    assert "the win is logged, $5,000.40 for four aces" in logged
    assert floor.console("--json").answer["prize"] == 500_040
    assert "pay $5,000.40 from the meter" in said(floor.do("sue", "key run", "document 1"))
    floor.go_on()
    assert "GAME OVER is pressed" in said(floor.do("dana", "game over"))
    assert floor.console("--json").answer["next"] is None
    with open_house(HOUSE_FILE) as house:
        house.service.catch_up([meter_stream(PRACTICE_TABLE)])
        (win,) = house.service.cache.meter(PRACTICE_TABLE).last_wins
    assert (win.logged.marked_by, win.logged.confirmed_by, win.sign_adjusted) == ("dana", "sue", True)


def test_a_touch_display_is_driven_the_same_way(empty: Command) -> None:
    floor = LiveConsole(empty, opened("touch"))
    said(floor.do("dana", "start game"))
    floor.go_on()
    said(floor.do("dana", "spot 1", "hand four aces"))
    assert floor.console("--json").answer["spot"] == 1
    said(floor.do("sue", "confirm"))
    assert floor.do("sue", "swipe").sentence == (
        "A jackpot of $5,000.40 needs an executive's card, like every jackpot from $5,000 on."
        " [WA-NEX-8f.2 R64]"
    )
    swiped = " ".join(said(floor.do("eve", "swipe")).split())
    assert "marked by dana, CONFIRM pressed by sue, card swiped by eve." in swiped


def test_several_people_sign_in_for_lines_from_a_pipe(
    floor: LiveConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor.to_mark()
    lines = "# the floor comes\nas sue\n\nkey jph\nj-pot\nkey run\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    people = ("--as", "dana", "--password-file", "password", "--as", "sue", "--password-file", "password")
    told = said(floor.console(*people))
    assert "From now on sue acts (supervisor).\nThe key is turned to JPH by sue." in told
    assert "the cards stay until the payout is documented" in " ".join(told.split())
    assert floor.console("--json").answer["meter"] == 500_004


def test_lines_from_a_pipe_end_at_the_first_that_may_not_be(
    floor: LiveConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("hint\ngame over\ncoin in\n"))
    done = floor.console("--as", "dana", "--password-file", "password")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert done.err.startswith("fourcard: The round is not over.")
    assert "Type 'coin in'." in done.out
    assert floor.console("--json").answer["phase"] == "betting"


def test_without_a_line_the_console_is_shown(floor: LiveConsole) -> None:
    told = said(floor.console("--as", "dana", "--password-file", "password"))
    assert "next     the dealer: press COIN IN" in told
    state = floor.console("--as", "dana", "--password-file", "password", "--do", "coin in", "--json").answer
    assert [each["light"] for each in state["sensors"]][:2] == ["registered", "registered"]


def test_somebody_at_the_keyboard_hears_refusals_and_goes_on(
    floor: LiveConsole, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["dance", "game over", "coin in", "as sue", "as nobody", "show", "quit"])
    person = Person(capsys, lambda _question: next(typed))
    monkeypatch.setattr(person, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdin", person)
    asked = iter([PASSWORD, PASSWORD, "wrong password"])
    monkeypatch.setattr(house_connect, "getpass", lambda _prompt: next(asked))
    text = person.seen + said(floor.console("--as", "dana"))
    seen = person.seen + text
    assert "'dance' is not a command here" in seen
    assert "The round is not over. The game ends when all action is settled. WA-PROG-8h" in seen
    assert "From now on sue acts (supervisor)." in seen
    assert "The name or the password is wrong." in seen
    assert person.asked == [*["dana (dealer):"] * 4, *["sue (supervisor):"] * 3]
    assert PASSWORD not in seen


def test_the_link_is_reported_from_the_console(floor: LiveConsole) -> None:
    assert "lost the link to its meter (Port 4 is dark)" in said(floor.do("dana", "link lost Port 4 is dark"))
    assert floor.console("--json").answer["link"] == "the table has lost it"
    assert [each["light"] for each in floor.console("--json").answer["sensors"]] == ["off"] * 7
    assert "has the link to its meter again" in said(floor.do("sue", "link back Port 4 is lit"))


def test_what_is_practised_besides_is_not_of_the_console(floor: LiveConsole) -> None:
    for line in ("chips 2", "back out 1 it was fouled", "approve 1"):
        assert floor.do("eve", line).sentence == f"'{line}' is not a command here; 'help' lists the commands."


def test_every_sign_in_ends_with_the_command(floor: LiveConsole) -> None:
    said(floor.do("dana", "coin in"))
    assert floor.do("dana", "coin in").status == 2
    with open_house(HOUSE_FILE) as house, house.store.reading() as reading:
        events = [SECURITY_CODEC.decode(record) for record in reading.events(SECURITY)]
        assert [each.person for each in events if isinstance(each, SignInIssued)] == ["dana", "dana"]
        assert not house.service.security_state().tokens


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--do", "coin in"), "Sign in with --as PERSON to act."),
        (("--password-file", "password"), "Sign in with --as PERSON to act."),
        (
            ("--as", "dana", "--password-file", "password", "--password-file", "password"),
            "There are more password files than people who act.",
        ),
        (("--as", "dana", "--password-file", "none"), "none cannot be read: no such file or directory."),
        (("--as", "dana", "--password-file", "wrong"), "The name or the password is wrong."),
        (("--as", "nobody", "--password-file", "password"), "The name or the password is wrong."),
        (("--as", "console", "--password-file", "password"), "The name or the password is wrong."),
        (
            ("--as", "dana", "--password-file", "password", "--do", "dance"),
            "'dance' is not a command here; 'help' lists the commands.",
        ),
        (
            ("--as", "dana", "--password-file", "password", "--do", "as sue"),
            "A password cannot be typed here without showing it; use --password-file.",
        ),
        (("--as", "dana"), "A password cannot be typed here without showing it; use --password-file."),
        (("--key", "none.key", "--as", "dana", "--password-file", "password"), "none.key"),
    ],
)
def test_what_may_not_be_is_said_in_one_sentence(
    floor: LiveConsole,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    (folder / "wrong").write_text("not the password", encoding="utf-8")
    monkeypatch.setattr(house_connect, "getpass", lambda _: warn("it will be seen", GetPassWarning, 2))
    assert sentence in floor.console(*arguments).sentence


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("nowhere", "There is no table 'nowhere'"),
        ("TABLE", "There is no table 'TABLE'"),
        ("../t1", "There is no table '../t1'"),
        ("plain", Code.NO_CONSOLE.sentence),
    ],
)
@pytest.mark.parametrize("signed", [(), ("--as", "dana", "--password-file", "password")])
def test_a_table_that_is_not_there_or_has_no_console_is_refused(
    floor: LiveConsole, table: str, sentence: str, signed: tuple[str, ...]
) -> None:
    with open_house(HOUSE_FILE) as house:
        house.do(table_stream("plain"), InstallTable(submission=submission_text("massachusetts")), BOT_STAFF)
    assert sentence in floor.fourcard("console", table, *signed).sentence


def test_without_a_house_there_is_no_console(empty: Command, folder: Path) -> None:
    assert empty("console", "t1").sentence.endswith("fourcard.db does not exist.")
    told = empty("console", "t1", "--as", "dana", "--password-file", "password").sentence
    assert told == "There is no house in fourcard.db; make one with 'fourcard house new'."
    assert not (folder / HOUSE_FILE).exists()


def test_who_was_let_go_is_nobody_at_the_console(floor: LiveConsole) -> None:
    with open_house(HOUSE_FILE) as house:
        house.do(STAFF, DismissStaff(person="dana"), BOT_STAFF)
    assert "The name or the password is wrong." in floor.do("dana", "coin in").sentence


def test_who_marked_a_win_does_not_confirm_it_whatever_the_roles(floor: LiveConsole) -> None:
    said(floor.do("dale", "coin in"))
    floor.go_on()
    said(floor.do("dale", "hand four aces"))
    told = floor.do("dale", "key jph").sentence
    assert told == "'dale' marked this win, so somebody else must confirm it. [WA-PROG-8e WA-NEX-8e P29]"

"""The words of a console: every event in a sentence, every motion in a line, and what a picture shows."""

from typing import get_args

import pytest

from fourcard.cards import parse_cards
from fourcard.cli.console_practice import (
    Lesson,
    PracticeStaff,
    PracticeTable,
    house_in_memory,
    practice_submission,
)
from fourcard.cli.console_session import (
    CONSOLE_PHRASES,
    PRACTICE_PHRASES,
    ConsoleRepl,
    Phrase,
    in_role,
    line_for,
    parse_command,
)
from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import CloseLink
from fourcard.house.decision import meter_stream
from fourcard.meter import Payment
from fourcard.progressive import console as of_console
from fourcard.progressive.console import (
    ConsoleEvent,
    ConsoleState,
    Press,
    PressHand,
    ReportLink,
    SelectSpot,
    SwipeCard,
    TurnKey,
)
from fourcard.progressive.narrate import ConsoleNarrator
from fourcard.round.commands import Command, CompleteDocument, Perform
from fourcard.rules.clauses import is_address
from fourcard.rules.rulebook import ConsoleKind, ConsoleMotion
from tests.playthroughs.console_script import StoryScreen

HANDS = ("four_aces", "four_of_a_kind", "straight_flush", "three_of_a_kind")


def table(kind: ConsoleKind = "keypad", example: str = "washington-everything") -> PracticeTable:
    """Return a table at which ann has four aces, bob nothing, and wagers are placed."""
    at = PracticeTable(house_in_memory(1), practice_submission(example, kind), (1, 2))
    hands = {1: "As Ah Ad Ac 2c", 2: "Ks Qh 6c 5d 2h", 0: "5s 5h Jc Tc 9c 4d"}
    at.begin(Lesson({place: parse_cards(cards) for place, cards in hands.items()}, frozenset((1, 2))))
    assert [*at.advance()]
    return at


EVENTS: tuple[tuple[ConsoleEvent, str], ...] = (
    (of_console.MotionDone("turn_to_jph", 1, "", ("WA-PROG-8f.2",)), "The key is turned to JPH."),
    (of_console.KeyWithdrawn(""), "The key is turned back to Run, and nothing was logged."),
    (
        of_console.WinMarked(1, "four_aces", "", ("WA-PROG-8f.1",)),
        "Position 1 (ann): four aces is marked, and the cards match.",
    ),
    (
        of_console.WinUnmarked(1),
        "Position 1 (ann): the same button again cancels the mark.",
    ),
    (
        of_console.WinLogged(
            position=1,
            row="four_aces",
            payment=Payment(from_meter=500_040, whole_meter=True),
            before=500_040,
            after=500_000,
            player="ann",
            cards=(),
            marked_by="",
            confirmed_by="",
            confirmed_as="supervisor",
            clauses=("WA-PROG-8f.3",),
        ),
        (
            "Position 1 (ann): the win is logged, $5,000.40 for four aces at a meter of $5,000.40; "
            "marked by the dealer, confirmed by the floor."
        ),
    ),
    (
        of_console.GameReset(1),
        "GAME OVER is pressed: round 1 is over, and the system is ready for the next hand.",
    ),
    (
        of_console.LinkLost("no light"),
        "The table has lost the link to its meter (no light): no progressive wager is taken.",
    ),
    (of_console.LinkRestored("light"), "The table has the link to its meter again (light)."),
)


@pytest.mark.parametrize(("event", "sentence"), EVENTS, ids=lambda each: type(each).__name__)
def test_every_event_of_a_console_is_told_with_its_clauses(event: ConsoleEvent, sentence: str) -> None:
    _, state, console = table().at.current()
    first, *_ = ConsoleNarrator(console, state).narrate([event])
    assert first.text == sentence
    assert first.clauses
    assert all(map(is_address, first.clauses))


def test_no_event_of_a_console_is_left_without_words() -> None:
    assert {type(event) for event, _ in EVENTS} == {*get_args(ConsoleEvent)}


@pytest.mark.parametrize("motion", get_args(ConsoleMotion))
def test_every_motion_is_told_with_who_did_it(motion: ConsoleMotion) -> None:
    _, state, console = table().at.current()
    event = of_console.MotionDone(motion, 2, "zoe", ("P32",))
    (told,) = ConsoleNarrator(console, state).narrate([event])
    assert told.text.endswith(" by zoe.")
    assert told.clauses == ("P32",)


COMMANDS: tuple[Command, ...] = (
    *(
        Press(button=button)
        for button in ("coin_in", "start_game", "j_pot", "confirm", "game_over", "end_game")
    ),
    *(PressHand(hand=hand) for hand in HANDS),
    SelectSpot(position=7),
    TurnKey(to="jph"),
    TurnKey(to="run"),
    SwipeCard(),
    CompleteDocument(position=3),
)


@pytest.mark.parametrize("command", COMMANDS, ids=line_for)
def test_the_line_of_a_hint_means_what_is_due(command: Command) -> None:
    assert parse_command(line_for(command), (*CONSOLE_PHRASES, *PRACTICE_PHRASES), HANDS) == command


def test_the_line_of_a_count_leaves_the_number_to_who_counts() -> None:
    counted = Perform(step="count_chips", count=12)
    assert line_for(counted) == "chips N"
    assert parse_command("chips 12", PRACTICE_PHRASES, HANDS) == counted


@pytest.mark.parametrize(
    "line",
    [
        "",
        "coin",
        "coin in now",
        "spot",
        "spot x",
        "spot -1",
        "spot 1234567",
        "key",
        "key left",
        "hand",
        "link back",
    ],
)
def test_a_line_that_means_nothing_is_no_command(line: str) -> None:
    assert parse_command(line, (*CONSOLE_PHRASES, *PRACTICE_PHRASES), HANDS) is None


def test_a_reason_is_kept_as_it_was_written() -> None:
    assert parse_command("Link LOST  Port 4,  rack B", CONSOLE_PHRASES, HANDS) == ReportLink(
        up=False, reason="Port 4, rack B"
    )


@pytest.mark.parametrize(
    ("roles", "as_dealer", "as_floor"),
    [
        (("dealer",), "dealer", "dealer"),
        (("supervisor",), "supervisor", "supervisor"),
        (("dealer", "supervisor"), "dealer", "supervisor"),
        (("dealer", "floorperson", "executive"), "dealer", "executive"),
        (("auditor",), "auditor", "auditor"),
    ],
)
def test_a_person_of_several_roles_acts_in_the_one_that_fits(
    roles: tuple[str, ...], as_dealer: str, as_floor: str
) -> None:
    person = Actor("zoe", "staff", roles)  # type: ignore[arg-type]
    for command in (Press(button="coin_in"), Press(button="end_game"), PressHand(hand="flush")):
        assert (in_role(command, person).role, in_role(command, person).by) == (as_dealer, "zoe")
    for confirming in (Press(button="j_pot"), Press(button="confirm"), TurnKey(to="jph"), SwipeCard()):
        assert in_role(confirming, person).role == as_floor


def test_the_crew_of_a_practice_is_called_by_name_and_by_role() -> None:
    crew = PracticeStaff()
    assert [
        crew.called(word).person for word in ("dealer", "floorperson", "supervisor", "executive", "dale")
    ] == [
        *("dana", "finn", "sue", "eve", "dale"),
    ]


def test_a_picture_has_a_key_or_spots_and_says_why_the_link_is_down() -> None:
    keypad, touch = table("keypad"), table("touch")
    assert [label for label, _ in keypad.at.picture().lines()][1] == "key"
    assert [label for label, _ in touch.at.picture().lines()][1] == "spot"
    between = PracticeTable(house_in_memory(1), practice_submission("washington-everything", "keypad"), (1,))
    close = CloseLink(reason="the terms change", role="supervisor")
    between.service.do(meter_stream(between.at.current()[0].meter), close, BOT_STAFF)
    assert dict(between.at.picture().lines())["link"] == "down: the terms change"


def test_a_console_is_followed_from_any_moment_on() -> None:
    _, state, _ = table().at.current()
    narrator = ConsoleNarrator(ConsoleState(), state)
    narrator.narrate([of_console.LinkLost("no light"), of_console.GameReset(1)])
    assert (narrator.console.linked, narrator.console.last_ended_round) == (False, 1)


@pytest.mark.parametrize(
    ("phrases", "how"),
    [
        (CONSOLE_PHRASES, "That is done at the table, not here."),
        ((*CONSOLE_PHRASES, *PRACTICE_PHRASES), "Type 'chips N', where N is the number you count."),
    ],
)
def test_a_hint_asks_for_no_line_that_says_nothing(phrases: tuple[Phrase, ...], how: str) -> None:
    at, screen = table(example="maryland-everything"), StoryScreen()
    driver = ConsoleRepl(at.at, PracticeStaff(), screen, phrases, PracticeStaff().called("dealer"))
    driver.run_line("coin in")
    assert [*at.advance()]
    driver.run_line("hint")
    assert screen.lines[-1] == f"Next, the dealer: count the progressive chips. {how}  [MD-10A3b]"

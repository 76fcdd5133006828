"""What a person at the keyboard of `fourcard play` may answer: bad amounts, too little money, leaving."""

import io
import re
import sys

import pytest

from fourcard.refusal_codes import Code
from tests.kit.commands import Command, Play, by_word, in_turn, runner, visitor


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return what runs a command without anybody at the keyboard."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return runner(capsys, monkeypatch)


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Return what visits a table with somebody at the keyboard."""
    return visitor(capsys, monkeypatch)


def test_wagers_are_held_to_limits_and_to_the_money(play: Play) -> None:
    answers = in_turn("ten", "5", "301", "2.50", "$1,500", "-5", "1e3", "10", "0", "1x")
    visit = play(answers, "massachusetts", "--rounds", 1, "--seed", 3)
    assert visit.asked[:8] == ["Ante, in dollars [$10]:"] * 8
    for said in (
        "'ten' is not an amount; write it like 25, $1,000 or 2.50.",
        "$5 is below the posted minimum of $10 for the Ante wager. MA-6a1.2",
        "$301 is above the posted maximum of $300 for the Ante wager. MA-6a1.2",
        "$2.50 cannot be made with chips of $1. Use a positive multiple of $1. P7",
        "You have $1,000 left.",
        "'-5' is not an amount",
        "'1e3' is not an amount",
    ):
        assert said in visit.text, said
    assert len(visit.nets) == 1


def test_a_progressive_wager_is_one_of_the_stakes(play: Play) -> None:
    answers = in_turn("", "", "2", "5", "1x")
    visit = play(answers, "maryland-everything", "--rounds", 1, "--seed", 3)
    assert "Progressive $1 or $5. Play money." in visit.text
    assert Code.STAKE_NOT_TAKEN.sentence.format(amount="$2", known="$1 or $5") in visit.text
    assert "Progressive wagers locked in: $5 at position 2." in visit.text
    assert "meter $10,000" in visit.text


def test_a_wager_that_needs_another_is_not_asked_for_without_it(play: Play) -> None:
    visit = play(in_turn("0", "5"), "maryland-everything", "--rounds", 1, "--seed", 3)
    assert visit.asked[:3] == [
        "Ante, in dollars [$10]:",
        "Aces Up, in dollars [none]:",
        "Progressive, in dollars [none]:",
    ]


def test_who_places_nothing_is_asked_again(play: Play) -> None:
    visit = play(in_turn("0", "none", "no", "-", "", "", "f"), "massachusetts", "--rounds", 1, "--seed", 3)
    assert visit.text.count("Place an Ante or an Aces Up wager to be dealt in, or enter q to leave.") == 2
    assert visit.nets == [-1000]


def test_without_an_ante_nothing_is_decided(play: Play) -> None:
    visit = play(in_turn("0", "5"), "massachusetts", "--rounds", 1, "--seed", 3)
    assert len(visit.asked) == 2
    assert visit.nets in ([-500], [500])


def test_answers_that_are_no_decision_are_explained(play: Play) -> None:
    answers = in_turn("", "", "", "0", "maybe", "4x", "5", "40", "31", "2")
    visit = play(answers, "massachusetts", "--rounds", 1, "--seed", 3)
    hint = "Enter f to fold, or 1x, 2x, 3x or an amount such as $10 to play."
    assert visit.text.count(hint) == 4, "nothing, 0, maybe and 4x"
    assert Code.PLAY_TOO_SMALL.sentence.format(amount="$5", multiple="1", ante="$10") in visit.text
    assert Code.PLAY_TOO_LARGE.sentence.format(amount="$40", multiple="3", ante="$10") in visit.text
    assert Code.PLAY_TOO_LARGE.sentence.format(amount="$31", multiple="3", ante="$10") in visit.text
    assert "Position 2 (you) plays $20." in visit.text


def test_an_amount_between_the_multiples_can_be_played_where_the_rules_allow_it(play: Play) -> None:
    visit = play(in_turn("", "", "$15"), "massachusetts", "--rounds", 1, "--seed", 3)
    assert "Position 2 (you) plays $15." in visit.text


def test_catfish_bend_offers_whole_multiples_only(play: Play) -> None:
    visit = play(in_turn("", "", "$7", "3x"), "catfish-bend", "--rounds", 1, "--seed", 3)
    assert visit.asked[2] == "Fold, 1x, 2x or 3x:"
    assert "A Play wager of $7 is not a whole multiple of the Ante of $5." in visit.text
    assert "Position 2 (you) plays $15." in visit.text


@pytest.mark.parametrize(
    ("bankroll", "question"),
    [
        ("$19", None),
        ("$20", "Fold, 1x or an amount in dollars:"),
        ("$29", "Fold, 1x or an amount in dollars:"),
        ("$30", "Fold, 1x, 2x or an amount in dollars:"),
        ("$40", "Fold, 1x, 2x, 3x or an amount in dollars:"),
    ],
)
def test_only_what_the_money_covers_is_offered(play: Play, bankroll: str, question: str | None) -> None:
    answers = by_word(fold="3x" if bankroll == "$40" else "f")
    visit = play(answers, "massachusetts", "--rounds", 1, "--seed", 3, "--bankroll", bankroll)
    assert [each for each in visit.asked if each.startswith("Fold")] == ([question] if question else [])
    assert ("the hand is folded." in visit.text) == (question is None)


def test_a_play_over_the_money_is_refused_and_asked_again(play: Play) -> None:
    answers = in_turn("", "", "3x", "11", "1x")
    visit = play(answers, "massachusetts", "--rounds", 1, "--seed", 3, "--bankroll", "$20")
    assert visit.text.count("You have $10 left.") == 2
    assert "Position 2 (you) plays $10." in visit.text


def test_a_second_wager_has_only_what_the_first_left(play: Play) -> None:
    answers = in_turn("10", "11", "5", "f")
    visit = play(answers, "massachusetts", "--rounds", 1, "--seed", 3, "--bankroll", "$20")
    assert "You have $10 left." in visit.text
    assert visit.asked[2] == "Aces Up, in dollars [none]:"


def test_the_visit_ends_when_the_money_does(play: Play) -> None:
    visit = play(by_word(fold="f"), "shuffle-master", "--seed", 3, "--bankroll", "$12")
    assert "You have $2, but the smallest wager here is $5." in visit.text
    assert "You leave after 2 rounds with $2, down $10." in visit.text


def test_who_cannot_afford_the_least_ante_is_offered_none(play: Play) -> None:
    answers = in_turn("", "", "f", "", "5")
    visit = play(answers, "massachusetts", "--seed", 3, "--bankroll", "$15", "--rounds", 2)
    assert (
        visit.asked
        == [
            "Ante, in dollars [$10]:",
            "Aces Up, in dollars [none]:",
            "Fold, 1x, 2x, 3x or an amount in dollars:",
        ][:2]
        + visit.asked[2:]
    )
    assert "Ante, in dollars [none]:" in visit.asked


def test_who_comes_without_money_is_told_so(run: Command) -> None:
    done = run("play", "--bankroll", 0)
    assert (done.status, done.err) == (0, "")
    assert "You have $0, but the smallest wager here is $5." in done.out
    assert "You leave after 0 rounds with $0, even." in done.out


@pytest.mark.parametrize("last", [None, "q", "QUIT", "leave"])
def test_who_leaves_while_wagers_are_placed_takes_them_back(play: Play, last: str | None) -> None:
    visit = play(in_turn("25", last), "massachusetts", "--seed", 3)
    assert "Position 2 (you) withdraws Ante of $25." in visit.text
    assert "You leave after 0 rounds with $1,000, even." in visit.text


def test_wagers_that_need_others_are_taken_back_first(play: Play) -> None:
    visit = play(in_turn("25", "5", "1", "q"), "maryland-everything", "--seed", 3)
    taken = re.findall(r"withdraws (.+) of", visit.text)
    assert taken == ["Six Card Bonus", "Aces Up", "Ante"]


@pytest.mark.parametrize("last", [None, "q"])
def test_who_leaves_before_deciding_folds_and_the_round_still_ends(play: Play, last: str | None) -> None:
    visit = play(in_turn("25", "0", last), "massachusetts", "--seed", 3, "--coach", "after")
    assert "The hand is folded, and the round is played to its end." in visit.text
    assert "Position 2 (you): folded, take the Ante of $25." in visit.text
    assert "The dealer shows " in visit.text
    assert "You leave after 1 round with $975, down $25." in visit.text


def test_who_leaves_folds_every_hand_that_was_not_decided(play: Play) -> None:
    answers = in_turn("", "", "", "", "1x", "q")
    visit = play(answers, "massachusetts", "--at", 2, "--at", 3, "--seed", 3)
    assert visit.text.count("(you): folded") == 1
    assert visit.left == 100_000 + sum(visit.nets)
    visit = play(in_turn("", "", "", "", "q"), "massachusetts", "--at", 2, "--at", 3, "--seed", 3)
    assert visit.text.count("(you): folded") == 2
    assert visit.left == 98_000


def test_an_interrupt_leaves_the_table_as_q_does(play: Play) -> None:
    def interrupted(question: str) -> str:
        if question.startswith("Fold"):
            raise KeyboardInterrupt
        return ""

    visit = play(interrupted, "massachusetts", "--seed", 3)
    assert "You leave after 1 round with $990, down $10." in visit.text

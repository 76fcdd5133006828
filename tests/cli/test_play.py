"""`fourcard play`: whole visits by a person at the keyboard, under every example, with coach and without."""

import io
import re
import sys

import pytest

from fourcard.refusal_codes import Code
from tests.kit.commands import Command, Done, Play, by_word, cents, in_turn, least, runner, spelled, visitor
from tests.kit.support import EXAMPLES

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.toml"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return what runs a command without anybody at the keyboard."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return runner(capsys, monkeypatch)


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Return what visits a table with somebody at the keyboard."""
    return visitor(capsys, monkeypatch)


@pytest.mark.parametrize("coach", ["off", "before", "after"])
@pytest.mark.parametrize("name", NAMES)
def test_a_whole_visit_can_be_played_under_every_example(play: Play, name: str, coach: str) -> None:
    visit = play(least, name, "--rounds", 3, "--seed", 7, "--coach", coach)
    assert [line for line in visit.text.splitlines() if line.startswith("Round 3 · you have ")]
    assert "You leave after 3 rounds with $" in visit.text
    assert len(visit.nets) == 3
    assert visit.left == 100_000 + sum(visit.nets)
    assert sum(question.startswith("Fold, 1x") for question in visit.asked) == 3
    assert visit.text.count("Coach: ") == {"off": 0, "after": 4, "before": 7}[coach]
    assert visit.text.count(" on average.") >= (3 if coach == "before" else 0)


@pytest.mark.parametrize("name", NAMES)
def test_every_wager_that_is_offered_can_be_placed(play: Play, name: str) -> None:
    everything = by_word(aces="5", bad="1", six="1", cover="1", progressive="1", fold="3x")
    visit = play(everything, name, "--rounds", 4, "--seed", 11, "--bankroll", "$5,000")
    assert visit.left == 500_000 + sum(visit.nets)
    assert " again? Enter for yes, n to change:" in visit.asked[-2]
    offered = {question.partition(", in dollars [")[0] for question in visit.asked if " [" in question}
    again = next(question for question in visit.asked if "again?" in question)
    assert all(f"{wager} $" in again for wager in offered)


@pytest.mark.parametrize(
    ("name", "bonus"),
    [
        ("massachusetts", "standard"),
        ("maryland", "standard"),
        ("maryland-existing", "standard"),
        ("washington", "FCP-08"),
        ("shuffle-master", "FCP-04"),
        ("catfish-bend", "standard"),
    ],
)
def test_the_coach_says_what_the_advice_for_the_same_hand_says(
    play: Play, run: Command, name: str, bonus: str
) -> None:
    visit = play(least, name, "--rounds", 2, "--seed", 5, "--coach", "before", "--positions", 1)
    text = spelled(visit.text)
    hands = re.findall(r"Position 1 \(you\): ((?:\w\w ){4}\w\w), ", text)
    ups = re.findall(r"(?:The up card is (\w\w)\.|(\w\w) face up\.)", text)
    shown = re.findall(r"Coach: (fold -\$.+) on average\.", visit.text)
    ante = cents(re.findall(r"Ante \$([\d,.]+)\.", visit.text)[0])
    assert len(hands) == len(ups) == len(shown) == 2
    verdicts = re.findall(r"Coach: (that was the best decision|.+ was better)", visit.text)
    rulebook = re.sub("-existing", "", name)
    for hand, up, values, verdict in zip(hands, ups, shown, verdicts, strict=True):
        asked = run("advise", hand, "--up", "".join(up), "--rulebook", rulebook, "--bonus", bonus, "--json")
        answer = asked.answer
        assert values == ", ".join(f"{choice} {_money(ev * ante)}" for choice, ev in answer["ev"].items())
        right = answer["best"] == "1x"
        assert verdict == ("that was the best decision" if right else f"{answer['best']} was better")


def _money(cents: float) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def test_the_coach_adds_up_what_mistakes_cost(play: Play) -> None:
    visit = play(by_word(fold="f"), "massachusetts", "--rounds", 6, "--seed", 2, "--coach", "after")
    costs = re.findall(r"Coach: \dx was better; that cost \$([\d.]+) on average", visit.text)
    assert costs
    summary = re.search(r"Coach: (\d) of 6 decisions were best; cost \$([\d.]+)\.", visit.text)
    assert summary is not None
    assert int(summary[1]) == 6 - len(costs)
    assert abs(sum(map(cents, costs)) - cents(summary[2])) <= len(costs)


def test_the_same_seed_deals_the_same_visit(play: Play) -> None:
    first, again, other = (
        play(least, "maryland-everything", "--rounds", 3, "--seed", seed).text for seed in (1, 1, 2)
    )
    assert first == again != other


def test_without_a_seed_chance_deals(play: Play) -> None:
    first, second = (play(least, "--rounds", 2).text for _ in range(2))
    assert first != second


def test_two_positions_next_to_each_other_are_asked_one_after_the_other(play: Play) -> None:
    visit = play(least, "massachusetts", "--at", 3, "--at", 2, "--rounds", 2, "--seed", 4)
    assert "You sit at position 2 and 3; other players: Bea at 1." in visit.text
    assert visit.asked[:4] == [
        "Ante at 2, in dollars [$10]:",
        "Aces Up at 2, in dollars [none]:",
        "Ante at 3, in dollars [$10]:",
        "Aces Up at 3, in dollars [none]:",
    ]
    assert "Ante $10 at 3 again? Enter for yes, n to change:" in visit.asked
    assert sum(question.startswith("Fold") for question in visit.asked) == 4
    assert visit.left == 100_000 + sum(visit.nets)


def test_one_of_two_positions_may_sit_out(play: Play) -> None:
    answers = in_turn("", "", "0", "0", "1x")
    visit = play(answers, "massachusetts", "--at", 2, "--at", 3, "--rounds", 1, "--seed", 4)
    assert len(visit.nets) == 1
    assert "You leave after 1 round with $" in visit.text


def test_a_position_that_the_money_does_not_reach_sits_out(play: Play) -> None:
    answers = in_turn("10", "", "1x")
    visit = play(
        answers, "massachusetts", "--at", 2, "--at", 3, "--rounds", 1, "--seed", 4, "--bankroll", "$12"
    )
    assert "You have $2 left, so position 3 sits out." in visit.text
    assert "That leaves $2, too little for a Play wager of $10: you can only fold." in visit.text
    assert "You have $2 left and a Play wager costs $10: the hand is folded." in visit.text
    assert visit.left == 200


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--at", 0), Code.POSITION_UNKNOWN.sentence.format(position="0", most="7")),
        (("--at", 8), Code.POSITION_UNKNOWN.sentence.format(position="8", most="7")),
        (("--at", -1), Code.POSITION_UNKNOWN.sentence.format(position="-1", most="7")),
        (("--at", 1, "--at", 3), Code.POSITIONS_NOT_ADJACENT.sentence.format(positions="1 and 3")),
        (
            ("--at", 1, "--at", 2, "--at", 3),
            Code.TOO_MANY_POSITIONS.sentence.format(most="2 positions", count="3"),
        ),
        (
            ("maryland-existing", "--at", 1, "--at", 2),
            Code.TOO_MANY_POSITIONS.sentence.format(most="1 position", count="2"),
        ),
        (
            ("shuffle-master", "--at", 1, "--at", 2),
            Code.TOO_MANY_POSITIONS.sentence.format(most="1 position", count="2"),
        ),
        (
            ("massachusetts-everything", "--positions", 7),
            Code.TABLE_POSITIONS.sentence.format(most="6", count="7"),
        ),
        (("--positions", 8), Code.TABLE_POSITIONS.sentence.format(most="7", count="8")),
        (("--bankroll", "much"), "'much' is not an amount; write cents, or dollars like '$20,000'."),
        (("--bankroll", "-5"), "'-5' is not an amount from $0 to ten billion dollars."),
    ],
)
def test_what_may_not_be_is_said_in_one_sentence(
    run: Command, arguments: tuple[object, ...], sentence: str
) -> None:
    assert run("play", *arguments).sentence == sentence


@pytest.mark.parametrize(
    "arguments", [("--rounds", "0"), ("--positions", "0"), ("--coach", "loud"), ("--seed", "one")]
)
def test_an_option_that_is_none_is_refused(run: Command, arguments: tuple[str, str]) -> None:
    done: Done = run("play", *arguments)
    assert (done.status, done.out) == (2, "")
    assert arguments[0] in done.err


def test_an_example_that_there_is_not_is_refused_with_those_that_there_are(run: Command) -> None:
    sentence = run("play", "atlantis").sentence
    assert sentence.startswith("There is no file or example named 'atlantis'. Examples: ")
    assert all(name in sentence for name in NAMES)


def test_a_submission_of_ones_own_can_be_played(play: Play) -> None:
    visit = play(least, EXAMPLES / "washington.toml", "--rounds", 1, "--seed", 1)
    assert "Cascade Card Room: Four Card Poker by Washington" in visit.text


def test_the_last_wagers_can_be_changed(play: Play) -> None:
    answers = in_turn("", "5", "f", "n", "20", "0", "f", "yes", "f")
    visit = play(answers, "massachusetts", "--seed", 3, "--rounds", 3)
    assert visit.asked[3] == "Ante $10, Aces Up $5 again? Enter for yes, n to change:"
    assert visit.asked[7] == "Ante $20 again? Enter for yes, n to change:"
    assert visit.left == 100_000 + sum(visit.nets)


def test_last_wagers_that_the_money_no_longer_covers_are_not_offered(play: Play) -> None:
    answers = in_turn("15", "", "f", "", "", "f")
    visit = play(answers, "massachusetts", "--seed", 3, "--rounds", 2, "--bankroll", "$25")
    assert not any("again?" in question for question in visit.asked)
    assert visit.left == 0


def test_all_of_the_dealers_work_is_told_to_who_wants_to_hear_it(play: Play) -> None:
    short = play(least, "massachusetts", "--seed", 3, "--rounds", 1).text
    every = play(least, "massachusetts", "--seed", 3, "--rounds", 1, "--tell", "all").text
    for said in ("The floorperson verifies the inspection.", "The deck is cut.", "The stub is taken out."):
        assert said in every
        assert said not in short
    assert "Position 2 (you) puts $10 on Ante." in every


def test_the_cards_of_others_and_of_the_dealer_stay_hidden_until_they_are_shown(play: Play) -> None:
    def decide(question: str) -> str | None:
        return None if question.startswith("Fold") else ""

    visit = play(decide, "massachusetts", "--seed", 3, "--tell", "all")
    before = spelled(visit.text).partition("up ─")[0]
    seen = re.findall(r"(?<![-\w.])[2-9TJQKA][shdc](?![-\w])", before)
    assert seen == re.findall(r"([2-9TJQKA][shdc]) face up", before)
    assert len(seen) == 1


def test_the_bots_fill_the_table_and_no_more(play: Play) -> None:
    assert "other players: nobody." in play(least, "--positions", 1, "--rounds", 1, "--seed", 1).text
    full = play(least, "--positions", 7, "--at", 7, "--rounds", 1, "--seed", 1).text
    assert "other players: Bea at 1, Cal at 2, Dot at 3, Eli at 4, Fay at 5, Gus at 6." in full
    own = ("--at", 5, "--at", 6, "--at", 7, "--positions", 2)
    mine = play(least, "maryland-everything", *own, "--rounds", 1).text
    assert "You sit at position 5 and 6 and 7; other players: nobody." in mine

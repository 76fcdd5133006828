"""`fourcard play` where not everything is possible: positions apart, a low limit, or too little money."""

import re
from pathlib import Path

import pytest

from tests.kit.commands import Play, by_word, in_turn, least, visitor
from tests.kit.support import EXAMPLES, game_without_aces_up

APART = "One player's positions must be next to each other; 1 and 3 are not. MD-07F"
THREE = ("maryland-everything", "--at", 1, "--at", 2, "--at", 3, "--seed", 3)
TWO_PAIR = ("massachusetts", "--seed", 13, "--rounds", 1)
"""The player's two pair are worth a Play wager as large as can be."""


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Return what visits a table with somebody at the keyboard."""
    return visitor(capsys, monkeypatch)


def _card_room(folder: Path, legal: str, least: str) -> Path:
    """Write down a card room in which nobody may wager more than the legal limit at once."""
    text = (EXAMPLES / "washington.toml").read_text(encoding="utf-8")
    text = text.replace('"$300"', f'"{legal}"').replace('"$100"', f'"{legal}"').replace('"$5"', f'"{least}"')
    file = folder / "limited.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_wagers_at_positions_apart_are_taken_back_and_asked_for_again(play: Play) -> None:
    apart = ("10", "0", "0", "0", "0", "0", "10", "0")
    visit = play(in_turn(*apart, "", "", "0", "0", "", "1x", "1x"), *THREE, "--rounds", 1)
    assert visit.text.count(APART) == 1
    taken = re.findall(r"Position (\d) \(you\) withdraws (.+) of \$10\.", visit.text)
    assert taken == [("1", "Ante"), ("3", "Aces Up")]
    assert visit.asked[8:] == [
        "Ante $10 at 1 again? Enter for yes, n to change:",
        "Ante at 2, in dollars [$10]:",
        "Aces Up at 2, in dollars [none]:",
        "Progressive at 2, in dollars [none]:",
        "Aces Up $10 at 3 again? Enter for yes, n to change:",
        *["Fold, 1x, 2x, 3x or an amount in dollars:"] * 2,
    ]
    assert len(visit.nets) == 3
    assert visit.left == 100_000 + sum(visit.nets)


def test_one_of_two_positions_apart_can_be_given_up(play: Play) -> None:
    apart = ("10", "0", "0", "0", "0", "10", "0", "0")
    visit = play(in_turn(*apart, "y", "0", "0", "n", "0", "0", "f"), *THREE, "--rounds", 1)
    assert visit.text.count(APART) == 1
    assert visit.nets == [-1000]


def test_of_wagers_at_positions_apart_those_that_need_others_are_taken_back_first(play: Play) -> None:
    visit = play(in_turn("25", "5", "1", "1", "0", "0", "10", "0", "0"), *THREE)
    taken = re.findall(r"Position (\d) \(you\) withdraws (.+) of", visit.text)
    wagers = ("Progressive", "Six Card Bonus", "Aces Up", "Ante")
    assert taken == [*(("1", wager) for wager in wagers), ("3", "Ante")]
    assert "You leave after 0 rounds with $1,000, even." in visit.text


@pytest.mark.parametrize(
    ("legal", "least", "played"), [("$10", "$5", "$10"), ("$9", "$5", "$5"), ("$19", "$10", "$10")]
)
def test_a_bot_plays_the_most_that_the_legal_limit_allows(
    play: Play, tmp_path: Path, legal: str, least: str, played: str
) -> None:
    visit = play(by_word(fold="f"), _card_room(tmp_path, legal, least), "--seed", 1, "--rounds", 1)
    assert f"Position 3 (Cal) plays {played}." in visit.text


def test_a_bot_that_no_limit_binds_plays_three_times_the_ante(play: Play) -> None:
    visit = play(by_word(fold="f"), "washington", "--seed", 1, "--rounds", 1)
    assert "Position 3 (Cal) plays $15." in visit.text


VALUES = "fold -$10.00, 1x $4.76, 2x $7.14, 3x $9.52 on average. 3x is best."


@pytest.mark.parametrize(
    ("bankroll", "lacks", "needed"),
    [
        ("$19", " You need $1 more for 1x, $11 more for 2x, $21 more for 3x.", None),
        ("$20", " You need $10 more for 2x, $20 more for 3x.", " You needed $20 more for it."),
        ("$25", " You need $5 more for 2x, $15 more for 3x.", " You needed $15 more for it."),
        ("$30", " You need $10 more for 3x.", " You needed $10 more for it."),
        ("$39", " You need $1 more for 3x.", " You needed $1 more for it."),
        ("$40", "", ""),
    ],
)
def test_the_coach_names_the_best_of_the_game_and_what_money_lacks_for_it(
    play: Play, bankroll: str, lacks: str, needed: str | None
) -> None:
    visit = play(least, *TWO_PAIR, "--bankroll", bankroll, "--coach", "before")
    said = re.findall(r"Coach: (.+)", " ".join(visit.text.split()).replace("Coach: ", "\nCoach: "))
    assert said[0].startswith(VALUES + lacks)
    assert ("You need" in said[0]) == bool(lacks)
    if needed is None:
        assert "the hand is folded" in said[0]
        assert len(said) == 1, "what nobody was asked is not judged"
    else:
        assert said[1].startswith(f"3x was better; that cost $4.76 on average.{needed}")
        assert ("You needed" in said[1]) == bool(needed)


def test_the_largest_amount_that_the_money_covers_is_compared_with_the_best(play: Play) -> None:
    visit = play(by_word(fold="15"), *TWO_PAIR, "--bankroll", "$25", "--coach", "after")
    assert "Coach: 3x was better; that cost $3.57 on average. You needed $15 more for it." in visit.text
    assert "Coach: 0 of 1 decisions were best; cost $3.57." in visit.text


def test_the_coach_recommends_nothing_over_the_legal_limit(play: Play, tmp_path: Path) -> None:
    table = (_card_room(tmp_path, "$12", "$5"), "--seed", 4, "--rounds", 1)
    visit = play(least, *table, "--coach", "before")
    text = " ".join(visit.text.split())
    values = "fold -$5.00, 1x $5.23, 2x $7.84, $12 on Play $8.88 on average. $12 on Play is best."
    assert f"Coach: {values} The limits do not allow 3x $10.45." in text
    assert "Coach: $12 on Play was better; that cost $3.66 on average." in text
    poor = play(least, *table, "--coach", "before", "--bankroll", "$16")
    lacks = "You need $1 more for $12 on Play."
    assert f"Coach: {values} The limits do not allow 3x $10.45. {lacks}" in " ".join(poor.text.split())


@pytest.mark.parametrize("bankroll", ["$40", "$1,000"])
@pytest.mark.parametrize("seed", [1, 2, 4, 5, 13])
def test_who_does_what_the_coach_called_better_has_done_the_best(
    play: Play, seed: int, bankroll: str
) -> None:
    visited = ("--seed", seed, "--rounds", 1, "--bankroll", bankroll, "--coach", "after")
    found = re.search(r"Coach: (\S+)(?: on Play)? was better", play(least, *visited).text)
    advised = "1x" if found is None else found[1]
    assert "Coach: that was the best decision." in play(by_word(fold=advised), *visited).text


@pytest.mark.parametrize("name", ["catfish-bend", "maryland", "maryland-everything"])
def test_where_aces_up_is_not_offered_nobody_places_it(
    play: Play, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    made = game_without_aces_up(name)
    monkeypatch.setattr("fourcard.rules.game.resolve_game", lambda _submission: made)
    antes = iter(("0",))

    def answer(question: str) -> str:
        return next(antes, "") if question.startswith("Ante, ") else least(question)

    visit = play(answer, name, "--rounds", 2, "--seed", 3, "--tell", "all")
    assert "Place an Ante wager to be dealt in, or enter q to leave." in visit.text
    assert len(re.findall(r"\((?!you)\w+\) puts \$\d+ on Ante", visit.text)) == 4, "two bots play two rounds"
    assert "Aces Up" not in visit.text
    assert visit.left == 100_000 + sum(visit.nets)

"""Strategies of one's own: files whose first fitting rule decides, functions over arrays, and refusals."""

from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from fourcard.cards import parse_card, parse_cards
from fourcard.odds.base_game import base_game
from fourcard.odds.decision_values import BaseTerms
from fourcard.odds.states_cache import all_states
from fourcard.odds.strategies import (
    DecisionPoints,
    Decisions,
    DecisionsError,
    StrategyError,
    StrategyRule,
    base_terms_of,
    blind,
    checked_decisions,
    decisions,
    describe,
    find_strategy,
    optimal,
    read_strategy,
    strategy_names,
)
from fourcard.refusals import BadInputError
from tests.exact import independent_counts as by_hand
from tests.kit.support import game

TERMS = BaseTerms(ante=Fraction(1), play=Fraction(1), ties_win=True, least=1, most=3, bonus={})
FILE = 'name = "mine"\notherwise = "fold"\n'


@pytest.fixture(scope="module")
def spots() -> DecisionPoints:
    """Return every spot of the game without a bonus."""
    return DecisionPoints(all_states(), TERMS)


def written(folder: Path, *rules: str, otherwise: str = "fold") -> Path:
    """Return a file with a strategy of some rules, each the keys of one."""
    path = folder / "mine.toml"
    text = "".join(f"\n[[rules]]\n{rule}\n" for rule in rules) or "\nrules = []\n"
    path.write_text(f'name = "mine"\nsays = "A trial."\notherwise = "{otherwise}"\n{text}', encoding="utf-8")
    return path


def place(spots: DecisionPoints, hand: str, up: str) -> tuple[int, int]:
    """Return where a hand and an up card stand among all spots."""
    cards, card = by_hand.standing_for(parse_cards(hand), parse_card(up))
    row = int(np.flatnonzero((spots.cards == cards).all(axis=1))[0])
    return row, int(np.flatnonzero(spots.up_cards[row] == card)[0])


def bet(found: Decisions, spots: DecisionPoints, hand: str, up: str = "5d") -> int:
    """Return what was decided for one hand before one up card."""
    return int(found[place(spots, hand, up)])


def fitting(spots: DecisionPoints, rule: StrategyRule, *asked: tuple[str, str]) -> list[bool]:
    """Say which of some spots a rule is for."""
    fits = rule.fits(spots)
    return [bool(fits[place(spots, hand, up)]) for hand, up in asked]


def test_the_first_rule_that_fits_decides(tmp_path: Path, spots: DecisionPoints) -> None:
    rules = ('bet = "2x"\nat_least = "two pair"', 'bet = "3x"\nat_least = "pair T"', 'bet = "1x"\nup = "A"')
    found = checked_decisions(read_strategy(written(tmp_path, *rules)), spots)
    hands = {"Ks Kh 4d 4c 2s": 2, "Ts Th 4d 3c 2s": 3, "9s 9h 4d 3c 2s": 0, "Ks Qh 9d 4c 2s": 0}
    assert {hand: bet(found, spots, hand) for hand in hands} == hands
    assert bet(found, spots, "9s 9h 4d 3c 2s", "Ac") == 1
    turned = checked_decisions(read_strategy(written(tmp_path, *rules[::-1])), spots)
    assert bet(turned, spots, "Ks Kh 4d 4c 2s") == 3
    assert bet(turned, spots, "Ks Kh 4d 4c 2s", "Ac") == 1


def test_where_no_rule_fits_the_rest_is_decided_otherwise(tmp_path: Path, spots: DecisionPoints) -> None:
    for otherwise, wager in (("fold", 0), ("1x", 1), ("2x", 2), ("3x", 3)):
        found = checked_decisions(read_strategy(written(tmp_path, otherwise=otherwise)), spots)
        assert found.shape == (134_459, 47)
        assert (found == wager).all()


BOUNDS = [
    # A bound, and hands under it, at its weakest, at its strongest, and over it.
    ("pair T", "9s 9h Ad Kc 2s", "Ts Th 4d 3c 2s", "Ts Th Ad Kc Qs", "Js Jh 4d 3c 2s"),
    ("pair 3", "2s 2h Ad Kc Qs", "3s 3h 6d 4c 2s", "3s 3h Ad Kc Qs", "4s 4h 6d 3c 2s"),
    ("pair T J", "Ts Th 9d 8c 2s", "Ts Th Jd 3c 2s", "Ts Th Jd 9c 2s", "Ts Th Qd 4c 2s"),
    ("pair T J 9", "Ts Th Jd 8c 2s", "Ts Th Jd 9c 2s", "Ts Th Jd 9c 3s", "Ts Th Qd 4c 2s"),
    ("two pair", "As Ah Kd Qc 2s", "3s 3h 2d 2c 4s", "As Ah Kd Kc 2s", "As 2h 3d 4c 9s"),
    ("two_pair K", "Qs Qh Jd Jc 2s", "Ks Kh 2d 2c 4s", "Ks Kh Qd Qc 2s", "As Ah 2d 2c 4s"),
    ("straight", "As Ah Kd Kc 2s", "As 2h 3d 4c 9s", "As Kh Qd Jc 2s", "2s 3s 4s 6s Kh"),
    ("straight 4", "As Ah Kd Kc 2s", "As 2h 3d 4c 9s", "As 2h 3d 4c 8s", "5s 4h 3d 2c 8s"),
    ("flush", "As Kh Qd Jc 2s", "2s 3s 4s 6s Kh", "As Ks Qs Ts 2h", "2s 2h 2d 4c 3s"),
    ("three of a kind", "As Ks Qs Ts 2h", "2s 2h 2d 4c 3s", "As Ah Ad Kc Ks", "As 2s 3s 4s 9h"),
    ("straight flush A", "Ks Qs Js Ts 2h", "As Ks Qs Js 2h", "As Ks Qs Js 3h", "2s 2h 2d 2c 3s"),
    ("FOUR of a Kind a", "Ks Kh Kd Kc As", "As Ah Ad Ac 2s", "As Ah Ad Ac Ks", None),
    ("high card K", "Qs Jh Td 8c 2s", "Ks 6h 4d 3c 2s", "Ks Qh Jd 9c 2s", "As 7h 6d 3c 2s"),
]


@pytest.mark.parametrize(("bound", "under", "weakest", "strongest", "over"), BOUNDS)
def test_a_bound_holds_at_its_hands_and_on_one_side_of_them(
    bound: str, under: str, weakest: str, strongest: str, over: str | None, spots: DecisionPoints
) -> None:
    asked = [(hand, "7d") for hand in (under, weakest, strongest, over) if hand is not None]
    least, most = StrategyRule(bet="1x", at_least=bound), StrategyRule(bet="1x", at_most=bound)
    assert fitting(spots, least, *asked) == [False, True, True, True][: len(asked)]
    assert fitting(spots, most, *asked) == [True, True, True, False][: len(asked)]
    both = StrategyRule(bet="1x", at_least=bound, at_most=bound)
    assert fitting(spots, both, *asked) == [False, True, True, False][: len(asked)]


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("A", "A"),
        ("2-9", "23456789"),
        ("2-4 J", "234J"),
        ("k, a", "KA"),
        ("2-A", "23456789TJQKA"),
        ("T-T 3", "3T"),
    ],
)
def test_a_rule_may_name_up_cards(text: str, ranks: str, spots: DecisionPoints) -> None:
    hand = "8s 6h 4d 3c 2s"
    asked = [(hand, rank + "h" if rank != "6" else "6s") for rank in "23456789TJQKA"]
    found = fitting(spots, StrategyRule(bet="1x", up=text), *asked)
    assert "".join(up[0] for (_, up), fits in zip(asked, found, strict=True) if fits) == ranks


def test_a_rule_may_ask_whether_the_up_card_is_matched(spots: DecisionPoints) -> None:
    asked = [("Ks Qh 9d 4c 2s", up) for up in ("Kd", "4d", "2h", "Ad", "3c", "Jh")]
    expected = [True, True, True, False, False, False]
    assert fitting(spots, StrategyRule(bet="1x", matching=True), *asked) == expected
    assert fitting(spots, StrategyRule(bet="1x", matching=False), *asked) == [not each for each in expected]


def test_a_rule_may_ask_whether_a_higher_card_is_held(spots: DecisionPoints) -> None:
    asked = [("Qs Th 9d 4c 2s", up) for up in ("Jd", "Qd", "Kh", "Ad", "2c")]
    expected = [True, False, False, False, True]
    assert fitting(spots, StrategyRule(bet="1x", over=True), *asked) == expected
    assert fitting(spots, StrategyRule(bet="1x", over=False), *asked) == [not each for each in expected]


def test_all_that_a_rule_asks_must_hold(spots: DecisionPoints) -> None:
    rule = StrategyRule(bet="1x", at_least="pair T", at_most="pair Q", up="2-J", matching=False, over=True)
    asked = [
        ("Js Jh 4d 3c 2s", "Td"),
        ("9s 9h Ad 3c 2s", "Td"),
        ("Ks Kh 4d 3c 2s", "Td"),
        ("Js Jh Ad 3c 2s", "Qd"),
        ("Js Jh 4d 3c 2s", "4c"),
        ("Js Jh 4d 3c 2s", "Jd"),
    ]
    assert fitting(spots, rule, *asked) == [True, False, False, False, False, False]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ('at_least = "tens"', "'tens' is not a hand. Write a category and its ranks, such as 'pair T J'."),
        ('at_most = ""', "'' is not a hand. Write a category and its ranks, such as 'pair T J'."),
        ('at_least = "pair 1"', "'1' in 'pair 1' is not a rank of 23456789TJQKA."),
        ('at_least = "pair 10"', "'10' in 'pair 10' is not a rank of 23456789TJQKA."),
        (
            'at_least = "pair T T"',
            "No hand is 'pair T T'. Write the deciding ranks first, such as 'pair T J'.",
        ),
        (
            'at_least = "straight 3"',
            "No hand is 'straight 3'. Write the deciding ranks first, such as 'pair T J'.",
        ),
        ('up = "1"', "'1' in '1' is not a rank of 23456789TJQKA."),
        ('up = "9-2"', "'9-2' in '9-2' goes down. Write the lower rank first."),
        ('up = "-9"', "'' in '-9' is not a rank of 23456789TJQKA."),
        ('up = "2-4-6"', "'4-6' in '2-4-6' is not a rank of 23456789TJQKA."),
        ('up = ""', "A rule's up cards cannot be empty. Name at least one rank, such as 'A'."),
        ('up = ", "', "A rule's up cards cannot be empty. Name at least one rank, such as 'A'."),
    ],
)
def test_a_rule_that_says_nothing_is_refused_in_a_sentence(rule: str, sentence: str, tmp_path: Path) -> None:
    path = written(tmp_path, f'bet = "1x"\n{rule}')
    with pytest.raises(StrategyError) as refused:
        read_strategy(path)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (FILE + '[[rules]]\nbet = "4x"\n', "rules[0].bet: '4x' is not one of the values allowed here."),
        (FILE + '[[rules]]\nbet = "1x"\natleast = "pair T"\n', "unknown key 'atleast'"),
        (FILE + "[[rules]]\nbet = 1\n", "[0].bet: "),
        (FILE + '[[rules]]\nat_least = "pair T"\n', "the key 'bet' is missing."),
        (FILE + '[[rules]]\nbet = "1x"\nmatching = "yes"\n', "[0].matching: "),
        (FILE, "the key 'rules' is missing."),
        ('name = "mine"\nrules = []\n', "the key 'otherwise' is missing."),
        ('otherwise = "fold"\nrules = []\n', "the key 'name' is missing."),
        (FILE + 'rules = []\notherwise = "1x"\n', "cannot be read"),
        ("rules", "cannot be read"),
        ("", "is missing."),
    ],
)
def test_a_file_that_is_no_strategy_is_refused_in_a_sentence(text: str, part: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError) as refused:
        find_strategy(str(path))
    sentence = str(refused.value)
    assert part in sentence
    assert str(path) in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_a_file_that_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"none\.toml cannot be read: .*\.$"):
        find_strategy(str(tmp_path / "none.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BadInputError, match=r"cannot be read: .*\.$"):
        find_strategy(str(tmp_path / "folder.toml"))


def test_a_name_that_is_no_strategy_is_refused_in_a_sentence() -> None:
    sentence = (
        r"^'martingale' is not a strategy\. Choose optimal, basic, expert, blind, or name a TOML file\.$"
    )
    with pytest.raises(StrategyError, match=sentence):
        find_strategy("martingale")


def test_every_strategy_says_what_it_is(tmp_path: Path) -> None:
    assert all(describe(name).endswith(".") for name in strategy_names())
    assert describe(str(written(tmp_path))) == "A trial."
    assert find_strategy("optimal") is optimal
    assert find_strategy("blind") is blind


def test_a_function_over_arrays_is_a_strategy(spots: DecisionPoints) -> None:
    def chases_aces(where: DecisionPoints) -> NDArray[np.uint8]:
        holds_ace = where.cards.max(axis=1, keepdims=True) >= 48
        return np.where(holds_ace & (where.up_cards < 48), 3, 0).astype(np.uint8)

    found = checked_decisions(chases_aces, spots)
    assert bet(found, spots, "As Kh 9d 4c 2s", "5d") == 3
    assert bet(found, spots, "As Kh 9d 4c 2s", "Ad") == bet(found, spots, "Ks Qh 9d 4c 2s", "5d") == 0
    played = base_game(spots, chases_aces).decisions[3]
    by_aces = {aces: comb(4, aces) * comb(48, 5 - aces) for aces in range(1, 5)}
    assert played == sum(Fraction(n * (43 + aces), comb(52, 5) * 47) for aces, n in by_aces.items())


def test_one_decision_a_class_an_up_card_or_for_all_will_do(spots: DecisionPoints) -> None:
    assert (checked_decisions(lambda _: np.array(2, np.uint8), spots) == 2).all()
    by_class = checked_decisions(lambda where: (where.strengths > 2_000).astype(np.uint8)[:, None], spots)
    assert by_class.shape == (134_459, 47)
    assert (by_class == by_class[:, :1]).all()
    by_column = checked_decisions(lambda _: np.arange(47, dtype=np.uint8) % 4, spots)
    assert by_column[77].tolist() == [column % 4 for column in range(47)]
    assert by_column.dtype == np.uint8


@pytest.mark.parametrize(
    "shape", [(134_459,), (134_459, 46), (134_458, 47), (47, 134_459), (1, 134_459, 47), (0,)]
)
def test_decisions_of_another_shape_are_refused_in_a_sentence(
    shape: tuple[int, ...], spots: DecisionPoints
) -> None:
    with pytest.raises(
        DecisionsError, match=r"^A strategy must return decisions for 134,459 classes and 47 up cards\.$"
    ):
        checked_decisions(lambda _: np.zeros(shape, np.uint8), spots)


@pytest.mark.parametrize("wager", [4, 255])
def test_a_wager_that_the_game_does_not_allow_is_refused_in_a_sentence(
    wager: int, spots: DecisionPoints
) -> None:
    def once(where: DecisionPoints) -> NDArray[np.uint8]:
        found = np.zeros((len(where.cards), 47), np.uint8)
        found[77, 7] = wager
        return found

    sentence = rf"^A Play wager of {wager} Antes is not among \[0, 1, 2, 3\]\.$"
    with pytest.raises(DecisionsError, match=sentence):
        checked_decisions(once, spots)
    narrow = DecisionPoints(spots.states, BaseTerms(Fraction(1), Fraction(1), True, 1, 2, {}))
    with pytest.raises(DecisionsError, match=r"^A Play wager of 3 Antes is not among \[0, 1, 2\]\.$"):
        checked_decisions(find_strategy("basic"), narrow)


@pytest.mark.parametrize("wrong", [-1, 256, 259, 1.5])
def test_numbers_that_would_wrap_round_are_refused_too(wrong: float, spots: DecisionPoints) -> None:
    with pytest.raises(DecisionsError, match=rf"^A Play wager of {wrong} Antes is not among"):
        checked_decisions(lambda _: np.array(wrong), spots)


def test_a_games_own_terms_decide(spots: DecisionPoints) -> None:
    mine = game("maryland-everything")
    terms = base_terms_of(mine)
    assert terms.bonus_for(("three_of_a_kind",)) == 2
    assert terms.ante == terms.play == 1
    assert (terms.ties_win, terms.multiples) == (True, range(1, 4))
    assert np.array_equal(
        decisions("optimal", mine), checked_decisions(optimal, DecisionPoints(spots.states, terms))
    )
    assert np.array_equal(decisions("basic", mine), checked_decisions(find_strategy("basic"), spots))


def test_the_published_strategies_decide_as_published(spots: DecisionPoints) -> None:
    basic, expert = (checked_decisions(find_strategy(name), spots) for name in ("basic", "expert"))
    tens, kings = "Ts Th 6d 4c 2s", "Ks Kh 6d 4c 2s"
    assert [bet(basic, spots, tens, up) for up in ("9d", "Td", "Ac")] == [3, 3, 3]
    assert [bet(expert, spots, tens, up) for up in ("9d", "Td", "Ac")] == [3, 1, 1]
    assert bet(expert, spots, "Ts Th Jd 4c 2s", "Td") == 3
    assert [bet(expert, spots, kings, up) for up in ("Ac", "Qd")] == [1, 3]
    assert bet(expert, spots, "Ks Kh Ad 4c 2s", "Ac") == 3
    twos = "2s 2h Ad Kc Qs"
    assert [bet(basic, spots, twos, up) for up in ("2d", "3d")] == [0, 0]
    assert [bet(expert, spots, twos, up) for up in ("2d", "3d")] == [1, 0]
    assert [bet(expert, spots, "9s 9h 6d 4c 2s", up) for up in ("2d", "3d")] == [3, 1]

"""The fast evaluator against the readable reference, on every hand.

Every set of five and of six cards is ranked by the fast evaluator and, without any argument from symmetry,
by ``independent_counts``, which takes the best of all subsets. The reference is evaluated once for each suit
class; other tests prove that it does not depend on the names of the suits. Of the classes of six cards it
evaluates one of eight in each test run, and in `make thorough` all of them.
"""

from collections import Counter
from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fourcard.bonus_hands import FiveCardCategory, rows_of_six
from fourcard.cards import DECK_SIZE, SUIT_NAMES, parse_cards
from fourcard.hands import best_hand, best_of
from fourcard.odds.evaluator import HandsError, best_five_of_six, best_of_five, best_of_six
from tests.exact import independent_counts as by_hand
from tests.kit.support import WHOLE
from tests.second.hands import FIVE_CARD_ORDER

FIVE_CLASSES = 134_459
SIX_CLASSES = 962_988
EVERY = 1 if WHOLE else 8
"""The reference evaluates one of this many classes of six cards."""
SUPER_ROYAL = 10
SAMPLE = 100_000
Ranked = Callable[[Any], NDArray[Any]]
WHEEL = 0b1_0000_0000_1111
SUPER_ROYAL_RANKS = 0b1_1111_1000_0000


@pytest.fixture(scope="module")
def columns() -> np.random.Generator:
    """Return the random generator that shuffles columns: a hand's cards can be in any order."""
    return np.random.default_rng(4)


def out_of_order(sets: by_hand.Sets, chance: np.random.Generator) -> by_hand.Sets:
    """Return sets with their columns shuffled, as a contiguous array."""
    return np.ascontiguousarray(sets[:, chance.permutation(sets.shape[1])])


def one_of_every(first: NDArray[np.bool_], before: int) -> NDArray[np.bool_]:
    """Return which classes the reference evaluates, where so many classes came before."""
    number = np.cumsum(first) - 1 + before
    found: NDArray[np.bool_] = first & (number % EVERY == 0)
    return found


def test_the_best_four_of_every_five_cards_are_what_both_other_evaluators_say(
    columns: np.random.Generator,
) -> None:
    fives = by_hand.every(5)
    fast = best_of_five(out_of_order(fives, columns))
    assert len(fast) == comb(52, 5)
    assert np.array_equal(fast, by_hand.five_strengths())
    first = by_hand.first_of_their_kind(by_hand.suit_masks(fives))
    reference = [best_hand(five).strength for five in fives[first].tolist()]
    assert len(reference) == FIVE_CLASSES
    assert fast[first].tolist() == reference


def test_the_best_four_of_every_six_cards_are_what_both_other_evaluators_say(
    columns: np.random.Generator,
) -> None:
    seen = classes = 0
    for six in by_hand.sixes():
        fast = best_of_six(out_of_order(six.cards, columns))
        assert np.array_equal(fast, six.best(by_hand.five_strengths()))
        first = by_hand.first_of_their_kind(six.held)
        some = one_of_every(first, classes)
        reference = [best_of(each).strength for each in six.cards[some, ::-1].tolist()]
        assert fast[some].tolist() == reference
        seen, classes = seen + len(fast), classes + int(first.sum())
    assert (seen, classes) == (comb(52, 6), SIX_CLASSES)


def bonus_codes(six: by_hand.Sixes, categories: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the best category of each set, a Super Royal as ten and its suit."""
    found = np.array(six.best(categories), np.uint8)
    which, suit = np.nonzero(six.held == SUPER_ROYAL_RANKS)
    found[which] = SUPER_ROYAL + suit
    return found


ROWS = (*FIVE_CARD_ORDER, *(f"super_royal_{suit}" for suit in SUIT_NAMES))


def reference_rows(sets: by_hand.Sets, *, low_ace: bool = True) -> list[str]:
    """Return the highest row that the reference gives each set."""
    return [rows_of_six(cards, low_ace=low_ace)[0] for cards in sets.tolist()]


def rows(codes: NDArray[np.uint8]) -> list[str]:
    """Return the row that each code stands for."""
    return [ROWS[code] for code in codes.tolist()]


def test_the_best_five_of_every_six_cards_are_what_both_other_evaluators_say(
    columns: np.random.Generator,
) -> None:
    """Where no 5-4-3-2-A is held the policy on it can change nothing, so the reference is asked once.

    Every class that holds one is evaluated by the reference.
    """
    seen, classes, changed = 0, 0, Counter[tuple[int, int]]()
    for six in by_hand.sixes():
        cards = out_of_order(six.cards, columns)
        fast, strict = best_five_of_six(cards), best_five_of_six(cards, low_ace=False)
        assert np.array_equal(fast, bonus_codes(six, by_hand.five_categories()))
        assert np.array_equal(strict, bonus_codes(six, by_hand.five_categories(low_ace=False)))
        wheel = (six.held[:, 0] | six.held[:, 1] | six.held[:, 2] | six.held[:, 3]) & WHEEL == WHEEL
        assert np.array_equal(fast[~wheel], strict[~wheel])
        changed.update(zip(fast[fast != strict].tolist(), strict[fast != strict].tolist(), strict=True))
        first = by_hand.first_of_their_kind(six.held)
        low = first & wheel
        some = one_of_every(first, classes) | low
        assert rows(fast[some]) == reference_rows(six.cards[some])
        assert rows(strict[low]) == reference_rows(six.cards[low], low_ace=False)
        seen, classes = seen + len(fast), classes + int(first.sum())
    assert (seen, classes) == (comb(52, 6), SIX_CLASSES)
    straight, flush = FiveCardCategory.STRAIGHT, FiveCardCategory.FLUSH
    assert {(straight, FiveCardCategory.HIGH_CARD), (straight, FiveCardCategory.PAIR)} < set(changed)
    assert changed[FiveCardCategory.STRAIGHT_FLUSH, flush] > 0


@pytest.mark.parametrize("suit", range(4))
def test_a_super_royal_is_ten_and_its_suit_and_its_neighbours_are_not(suit: int) -> None:
    royal = [4 * rank + suit for rank in range(12, 6, -1)]
    names = [f"super_royal_{SUIT_NAMES[suit]}", "royal_flush"]
    assert list(rows_of_six(royal)) == names
    ten_to_five = [4 * rank + suit for rank in range(11, 5, -1)]
    other_nine = [*royal[:5], royal[5] ^ 1]
    eight = [*royal[:5], royal[5] - 4]
    found = best_five_of_six(np.array([royal, royal[::-1], other_nine, eight, ten_to_five], np.uint8))
    assert found.tolist() == [SUPER_ROYAL + suit] * 2 + [9, 9, 8]


def test_each_hand_may_have_its_own_order() -> None:
    chance = np.random.default_rng(5)
    for size, ranked in ((5, best_of_five), (6, best_of_six), (6, best_five_of_six)):
        hands = by_hand.dealt(size, SAMPLE, size)
        assert np.array_equal(ranked(hands), ranked(np.sort(hands, axis=1)))
        assert np.array_equal(ranked(hands), ranked(chance.permuted(hands, axis=1)))


def test_renaming_the_suits_of_all_hands_changes_no_strength() -> None:
    fives, turned = by_hand.every(5), np.array([1, 2, 3, 0], np.uint8)
    swapped = np.array([1, 0, 2, 3], np.uint8)
    for becomes in (turned, swapped):
        renamed = fives & 0xFC | becomes[fives & 3]
        assert np.array_equal(best_of_five(renamed), by_hand.five_strengths())


def test_rows_and_columns_of_a_larger_array_are_ranked_like_a_copy() -> None:
    deals = by_hand.dealt(6, 1_000, 11)
    player, dealer = deals[:, :5], deals[::2, 5:]
    assert not player.flags.c_contiguous
    assert np.array_equal(best_of_five(player), best_of_five(player.copy()))
    assert np.array_equal(best_of_six(dealer), best_of_six(dealer.copy()))
    assert np.array_equal(best_five_of_six(dealer), best_five_of_six(dealer.copy()))


def test_no_hands_have_no_strengths() -> None:
    assert best_of_five(np.zeros((0, 5), np.uint8)).tolist() == []
    assert best_of_six(np.zeros((0, 6), np.uint8)).tolist() == []
    assert best_five_of_six(np.zeros((0, 6), np.uint8)).tolist() == []


def test_a_hand_known_by_heart_has_its_strength() -> None:
    hands = [parse_cards("As Ah Ad Ac 2c"), parse_cards("2c 3d 4h 6s 7c"), parse_cards("Ks Qs Js As 2c")]
    found = best_of_five(np.array(hands, np.uint8)).tolist()
    assert found[0] == 2534
    assert found[1] == best_hand(parse_cards("7c 6s 4h 3d")).strength
    assert found[2] == best_hand(parse_cards("As Ks Qs Js")).strength == 2534 - 13


@pytest.mark.parametrize(("rank", "size"), [(best_of_five, 5), (best_of_six, 6), (best_five_of_six, 6)])
def test_lists_and_any_integer_array_are_ranked_like_unsigned_bytes(rank: Ranked, size: int) -> None:
    hands = by_hand.dealt(3, 200, size)
    expected = rank(hands)
    given = [hands.tolist(), tuple(map(tuple, hands.tolist())), hands.view(np.int8), hands.astype(">u2")]
    for same in (*given, *(hands.astype(kind) for kind in (np.int16, np.int32, np.int64, np.uint64))):
        assert np.array_equal(rank(same), expected)
    assert rank([]).tolist() == rank(np.zeros((0, size), np.int64)).tolist() == []


@pytest.mark.parametrize(("rank", "size"), [(best_of_five, 5), (best_of_six, 6), (best_five_of_six, 6)])
def test_hands_of_another_form_are_refused_in_a_sentence(rank: Ranked, size: int) -> None:
    good = by_hand.every(size, 7)
    sentence = (
        f"Hands must be rows of {size} card numbers: a list of hands, or an integer array of {size} columns."
    )
    uneven = [[*range(size)], [*range(size - 1)]]
    texts = [["As", "Ah", "Kd", "7c", "2h", "3c"][:size]]
    for bad in (
        good[:, 1:], good[0], good[:, :, None], good.astype(np.float64), good.astype(np.bool_),
        good[0].tolist(), uneven, texts, [[*range(size - 1), 10**30]], [[1.5] * size], "2c3d4h", None,
    ):  # fmt: skip
        with pytest.raises(HandsError) as caught:
            rank(bad)
        assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("card", "kind"),
    [(-1, np.int8), (DECK_SIZE, np.int8), (-1, np.int64), (257, np.int64), (257, np.uint16), (-256, list)],
)
def test_no_number_wraps_round_into_a_card(card: int, kind: Any) -> None:
    hands = by_hand.every(6)[-3:].astype(np.int64)
    hands[1, 2] = card
    given = hands.tolist() if kind is list else hands.astype(kind)
    with pytest.raises(HandsError, match=rf"^{card} is not a card; a card is a number from 0 to 51\.$"):
        best_of_six(given)


@pytest.mark.parametrize("card", [DECK_SIZE, 255])
def test_a_number_past_the_deck_is_refused_in_a_sentence(card: int) -> None:
    for size, ranked in ((5, best_of_five), (6, best_of_six), (6, best_five_of_six)):
        hands = by_hand.every(size)[-3:].copy()
        assert hands.max() == DECK_SIZE - 1
        assert len(ranked(hands)) == 3
        hands[1, 2] = card
        with pytest.raises(HandsError, match=rf"^{card} is not a card; a card is a number from 0 to 51\.$"):
            ranked(hands)


@pytest.mark.parametrize(("rank", "size"), [(best_of_five, 5), (best_of_six, 6), (best_five_of_six, 6)])
def test_a_repeated_card_is_refused_wherever_it_stands(rank: Ranked, size: int) -> None:
    for first in range(size):
        for second in range(first + 1, size):
            hands = np.array([[*range(10, 10 + size)], [*range(20, 20 + size)]], np.uint8)
            rank(hands)
            hands[1, second] = hands[1, first]
            with pytest.raises(HandsError, match=r"^The card \w\w appears more than once in hand 1\.$"):
                rank(hands)
    with pytest.raises(HandsError, match="The card As appears more than once in hand 0"):
        rank(np.full((1, size), 51, np.uint8))

"""What holds of every hand and every amount, whatever the cards: laws that Hypothesis tries to break."""

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from fourcard.bonus_hands import best_five
from fourcard.cards import DECK, SUITS, cards_text, parse_cards, rank_of, suit_of
from fourcard.hands import Hand, best_hand
from fourcard.money import Rounding, dollars, parse_dollars


def dealt(least: int, most: int) -> st.SearchStrategy[list[int]]:
    """Draw so many different cards, often of few ranks or few suits so that combinations are common."""
    decks = (DECK, DECK[:24], DECK[-24:], DECK[-20:] + DECK[:12], DECK[3::4] + DECK[2::4])
    return st.sampled_from(decks).flatmap(
        lambda deck: st.lists(st.sampled_from(deck), min_size=least, max_size=most, unique=True)
    )


def played(cards: tuple[int, ...]) -> list[int]:
    """Return the ranks of a hand as it shows them, with an ace after a two counted low."""
    ranks = [rank_of(card) for card in cards]
    return [*ranks[:-1], -1] if ranks[-2:] == [0, 12] and len(set(ranks)) == len(ranks) else ranks


HANDS = dealt(4, 6)
AMOUNTS = st.fractions(min_value=0, max_value=10**12) | st.integers(0, 10**9).map(lambda n: Fraction(n, 2))


@given(HANDS, st.data())
def test_the_order_in_which_cards_came_changes_nothing(cards: list[int], data: st.DataObject) -> None:
    shuffled = best_hand(data.draw(st.permutations(cards)))
    assert (shuffled, shuffled.cards) == (best_hand(cards), best_hand(cards).cards)


@given(HANDS, st.permutations(range(len(SUITS))))
def test_relabelling_the_suits_never_changes_the_strength(cards: list[int], suits: list[int]) -> None:
    relabelled = [4 * rank_of(card) + suits[suit_of(card)] for card in cards]
    assert best_hand(relabelled) == best_hand(cards)
    assert best_hand(relabelled).strength == best_hand(cards).strength


@given(dealt(5, 6))
def test_another_card_never_lowers_the_strength(cards: list[int]) -> None:
    fewer = best_hand(cards[:-1])
    assert best_hand(cards) >= fewer
    assert best_hand(cards).strength >= fewer.strength


@given(HANDS)
def test_the_best_four_of_the_cards_are_a_hand_of_the_same_strength(cards: list[int]) -> None:
    hand = best_hand(cards)
    again = best_hand(hand.cards)
    assert (again, again.cards) == (hand, hand.cards)
    assert set(hand.cards) <= set(cards)


@given(HANDS, HANDS, HANDS)
def test_hands_stand_in_one_total_order_which_is_that_of_their_strengths(
    first: list[int], second: list[int], third: list[int]
) -> None:
    one, other = best_hand(first), best_hand(second)
    assert [one < other, one == other, one > other].count(True) == 1
    assert (one < other, one <= other) == (one.strength < other.strength, one.strength <= other.strength)
    assert (one == other) == (one.strength == other.strength)
    low, middle, high = sorted((one, other, best_hand(third)))
    assert low.strength <= middle.strength <= high.strength
    assert low <= high


@given(HANDS, HANDS)
def test_hands_tie_exactly_when_category_and_deciding_ranks_are_alike(
    first: list[int], second: list[int]
) -> None:
    one, other = best_hand(first), best_hand(second)
    assert (one == other) == ((one.category, one.ranks) == (other.category, other.ranks))
    twin = Hand(one.category, one.ranks, other.cards)
    assert one == twin
    assert hash(one) == hash(twin)


@given(HANDS, HANDS)
def test_hands_of_one_category_compare_by_their_ranks_in_the_order_shown(
    first: list[int], second: list[int]
) -> None:
    one, other = best_hand(first), best_hand(second)
    if one.category is other.category:
        assert (one < other) == (played(one.cards) < played(other.cards))
        assert (one == other) == (played(one.cards) == played(other.cards))


@given(dealt(5, 6), dealt(5, 6))
def test_five_card_hands_of_one_category_compare_by_their_ranks_in_the_order_shown(
    first: list[int], second: list[int]
) -> None:
    one, other = best_five(first), best_five(second)
    if one.category is other.category:
        assert (one < other) == (played(one.cards) < played(other.cards))
        assert (one == other) == (played(one.cards) == played(other.cards))


@given(dealt(6, 6))
def test_the_best_five_of_six_are_the_best_of_every_five(cards: list[int]) -> None:
    hand = best_five(cards)
    every = [best_five(five) for five in combinations(cards, 5)]
    assert all(hand >= each for each in every)
    assert hand in every
    assert set(hand.cards) <= set(cards)


@given(dealt(5, 6), st.permutations(range(len(SUITS))), st.data())
def test_neither_order_nor_suit_labels_change_a_five_card_hand(
    cards: list[int], suits: list[int], data: st.DataObject
) -> None:
    relabelled = [4 * rank_of(card) + suits[suit_of(card)] for card in data.draw(st.permutations(cards))]
    assert best_five(relabelled) == best_five(cards)


@given(AMOUNTS)
def test_every_rounding_lies_within_a_cent_between_down_and_up(amount: Fraction) -> None:
    down, up = Rounding.DOWN.whole(amount), Rounding.UP.whole(amount)
    assert down <= amount <= up
    assert amount - down < 1
    assert up - amount < 1
    for rounding in (Rounding.HALF_UP, Rounding.HALF_EVEN):
        assert rounding.whole(amount) in (down, up)
        assert abs(rounding.whole(amount) - amount) <= Fraction(1, 2)


@given(AMOUNTS, AMOUNTS)
def test_a_larger_amount_never_rounds_to_less(first: Fraction, second: Fraction) -> None:
    low, high = sorted((first, second))
    assert all(rounding.whole(low) <= rounding.whole(high) for rounding in Rounding)


@given(st.integers(0, 10**15))
def test_cents_survive_being_written_as_dollars(cents: int) -> None:
    assert parse_dollars(dollars(cents)) == cents


@given(st.lists(st.sampled_from(DECK), unique=True), st.sampled_from([" ", ",", ", "]))
def test_cards_survive_being_written_as_text(cards: list[int], separator: str) -> None:
    text = cards_text(cards).replace(" ", separator)
    assert parse_cards(text) == parse_cards(text.lower()) == tuple(cards)

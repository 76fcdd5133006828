"""Cards as numbers and as text, and the one sentence in which each wrong set of cards is refused."""

from collections.abc import Iterable

import pytest

from fourcard.cards import (
    DECK,
    DECK_SIZE,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUITS,
    CardCountError,
    CardsError,
    RepeatedCardError,
    UnknownCardError,
    card_text,
    cards_text,
    distinct,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from fourcard.hands import best_hand, rank_four

NOT_A_CARD = "is not a card; write a rank of 23456789TJQKA and a suit of cdhs, such as As or Td."


def refusal(expected: type[CardsError], text: str, counts: Iterable[int] | None = None) -> str:
    """Return the message with which a text is refused, which must be of the expected kind."""
    with pytest.raises(CardsError) as caught:
        parse_cards(text, counts)
    assert type(caught.value) is expected
    return str(caught.value)


def test_the_deck_is_every_rank_in_every_suit_once() -> None:
    assert {(rank_of(card), suit_of(card)) for card in DECK} == {(r, s) for r in range(13) for s in range(4)}
    assert len(DECK) == DECK_SIZE == 52
    assert {card_text(card) for card in DECK} == {rank + suit for rank in RANKS for suit in SUITS}


@pytest.mark.parametrize(
    ("text", "card", "rank", "suit"),
    [
        ("2c", 0, "two", "clubs"),
        ("2s", 3, "two", "spades"),
        ("3c", 4, "three", "clubs"),
        ("Td", 33, "ten", "diamonds"),
        ("Ah", 50, "ace", "hearts"),
        ("As", 51, "ace", "spades"),
    ],
)
def test_a_card_is_four_times_its_rank_plus_its_suit(text: str, card: int, rank: str, suit: str) -> None:
    assert parse_card(text) == card
    assert card_text(card) == text
    assert (RANK_NAMES[rank_of(card)], SUIT_NAMES[suit_of(card)]) == (rank, suit)


def test_every_card_reads_back_from_its_text_in_any_case() -> None:
    for card in DECK:
        text = card_text(card)
        assert {parse_card(each) for each in (text, text.upper(), text.lower(), text.swapcase())} == {card}


@pytest.mark.parametrize(
    "text", ["As Kd 2c", "as KD 2C", "As,Kd,2c", "As, Kd, 2c", "  As\tKd\n2c ", ",As,,Kd 2c,"]
)
def test_cards_are_read_in_the_order_given_with_spaces_or_commas_between(text: str) -> None:
    assert parse_cards(text) == (51, 45, 0)
    assert cards_text(parse_cards(text)) == "As Kd 2c"


def test_no_cards_are_an_empty_text_both_ways() -> None:
    assert parse_cards("") == ()
    assert cards_text(()) == ""


@pytest.mark.parametrize(
    "word", ["A", "s", "1s", "10s", "0c", "Ax", "sA", "Asd", "A♠", "AsKd", "Joker", "51"]
)
def test_a_word_that_names_no_card_is_refused(word: str) -> None:
    assert refusal(UnknownCardError, f"Kd {word} 2c") == f"{word!r} {NOT_A_CARD}"


@pytest.mark.parametrize("word", ["", " ", "As ", " As", "A s"])
def test_one_card_is_two_characters_and_nothing_else(word: str) -> None:
    with pytest.raises(UnknownCardError) as caught:
        parse_card(word)
    assert str(caught.value) == f"{word!r} {NOT_A_CARD}"


@pytest.mark.parametrize("number", [-1, 52, 1000])
def test_a_number_outside_the_deck_is_refused(number: int) -> None:
    with pytest.raises(UnknownCardError) as caught:
        distinct((0, number))
    assert str(caught.value) == f"{number} is not a card; a card is a number from 0 to 51."


def test_the_numbers_at_both_ends_of_the_deck_are_cards() -> None:
    assert distinct((0, 51)) == (0, 51)


@pytest.mark.parametrize("text", ["As As", "Kd As as", "As Kd 2c AS"])
def test_a_repeated_card_is_refused(text: str) -> None:
    assert refusal(RepeatedCardError, text) == "The card As appears more than once."


@pytest.mark.parametrize(
    ("text", "counts", "message"),
    [
        ("As Kd Qc", (4,), "3 cards were given where 4 are needed."),
        ("As Kd Qc Jh 2s", (4,), "5 cards were given where 4 are needed."),
        ("As Kd Qc Jh", (5, 6), "4 cards were given where 5 or 6 are needed."),
        ("", range(4, 7), "0 cards were given where 4 or 5 or 6 are needed."),
        ("As Kd Qc Jh 2s 3s 4s", range(4, 7), "7 cards were given where 4 or 5 or 6 are needed."),
    ],
)
def test_a_wrong_number_of_cards_is_refused(text: str, counts: Iterable[int], message: str) -> None:
    assert refusal(CardCountError, text, counts) == message


@pytest.mark.parametrize("text", ["As Kd Qc Jh", "As Kd Qc Jh 2s", "As Kd Qc Jh 2s 3s"])
def test_every_allowed_number_of_cards_is_taken_even_from_counts_that_can_be_read_only_once(
    text: str,
) -> None:
    assert cards_text(parse_cards(text, iter((4, 5, 6)))) == text


def test_a_hand_is_refused_fewer_than_four_cards_more_than_six_or_one_twice() -> None:
    for wrong in (parse_cards("As Kd Qc"), parse_cards("As Kd Qc Jh 2s 3s 4s")):
        with pytest.raises(CardCountError):
            best_hand(wrong)
    with pytest.raises(CardCountError, match=r"^5 cards were given where 4 are needed\.$"):
        rank_four(parse_cards("As Kd Qc Jh 2s"))
    with pytest.raises(RepeatedCardError, match=r"^The card As appears more than once\.$"):
        best_hand((51, 51, 0, 1))


def test_every_refusal_is_a_value_error_so_that_callers_need_no_other() -> None:
    for kind in (UnknownCardError, RepeatedCardError, CardCountError):
        assert issubclass(kind, CardsError)
        assert issubclass(kind, ValueError)

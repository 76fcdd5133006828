"""Money: awards as they are printed, what they pay to the cent, and everything that is not an amount."""

from fractions import Fraction

import pytest

from fourcard.money import (
    MoneyError,
    Odds,
    OddsKind,
    Rounding,
    dollars,
    parse_dollars,
    parse_share,
    share_text,
)
from fourcard.rules.clauses import clauses, settings
from fourcard.rules.loading import rulebook

DOWN, UP, HALF_UP, HALF_EVEN = Rounding.DOWN, Rounding.UP, Rounding.HALF_UP, Rounding.HALF_EVEN
HAIR = Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("3 to 2", OddsKind.TO, Fraction(3, 2)),
        ("1 to 1", OddsKind.TO, Fraction(1)),
        ("1,000 to 1", OddsKind.TO, Fraction(1000)),
        ("300 for 1", OddsKind.FOR, Fraction(300)),
        ("1,000,000 for 1", OddsKind.FOR, Fraction(1_000_000)),
        ("100% of meter", OddsKind.METER, Fraction(1)),
        ("12.5% of meter", OddsKind.METER, Fraction(1, 8)),
        ("$100", OddsKind.FIXED, Fraction(10_000)),
        ("$1,000,000", OddsKind.FIXED, Fraction(100_000_000)),
        ("$0.01", OddsKind.FIXED, Fraction(1)),
    ],
)
def test_an_award_means_what_its_text_says(text: str, kind: OddsKind, value: Fraction) -> None:
    award = Odds(text)
    assert (award.kind, award.value) == (kind, value)
    assert award == text


@pytest.mark.parametrize(
    "text",
    [
        "", "0", "5", "0 to 1", "5 to 0", "0 for 1", "1:1", "3/2", "-3 to 2", "3 to -2", "1.5 to 1", "3 to",
        "to 1", "3 TO 2", "3  to 2", "3 to 2 ", " 3 to 2", "3 to 2\n", "3to2", "three to two", "3 of 2",
        "1,00 to 1", "1,0000 to 1", "1000,000 to 1", ",100 to 1", "100, to 1", "5 to 1,00", "3 to 2 to 1",
        "101% of meter", "100.01% of meter", "100% of the meter", "999% of meter",
        "0% of meter", "-1% of meter", "100 % of meter", "% of meter", "100%", "of meter", "1000% of meter",
        "$0", "$0.00", "$1,00", "$1,0000", "$-1", "-$1", "$", "$1.5", "$1.005", "$.50", "100$", "$1 to 1",
    ],
)  # fmt: skip
def test_a_malformed_award_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(MoneyError) as caught:
        Odds(text)
    wanted = "is not an award; write it like '3 to 2', '300 for 1', '100% of meter' or '$100'."
    assert str(caught.value) == f"{text!r} {wanted}"


@pytest.mark.parametrize(
    ("text", "stake", "meter", "cents"),
    [
        ("3 to 2", 500, 0, 750),
        ("25 to 1", 500, 999, 12_500),
        ("300 for 1", 100, 999, 30_000),
        ("100% of meter", 100, 512_345, 512_345),
        ("10% of meter", 500, 512_340, 51_234),
        ("10% of meter", 500, 0, 0),
        ("$100", 1, 999, 10_000),
        ("$100", 500, 0, 10_000),
    ],
)
def test_an_award_pays_by_stake_meter_or_amount_as_it_is_quoted(
    text: str, stake: int, meter: int, cents: int
) -> None:
    assert {Odds(text).pays(stake, rounding, meter) for rounding in Rounding} == {cents}


def test_part_of_a_cent_in_an_award_goes_where_the_named_rounding_sends_it() -> None:
    half = {rounding: Odds("3 to 2").pays(501, rounding) for rounding in Rounding}
    assert half == {DOWN: 751, UP: 752, HALF_UP: 752, HALF_EVEN: 752}
    tenth = {rounding: Odds("10% of meter").pays(100, rounding, 1_001) for rounding in Rounding}
    assert tenth == {DOWN: 100, UP: 101, HALF_UP: 100, HALF_EVEN: 100}


@pytest.mark.parametrize(
    ("amount", "down", "up", "half_up", "half_even"),
    [
        (Fraction(0), 0, 0, 0, 0),
        (Fraction(7), 7, 7, 7, 7),
        (7 + HAIR, 7, 8, 7, 7),
        (8 - HAIR, 7, 8, 8, 8),
        (Fraction(13, 2) - HAIR, 6, 7, 6, 6),
        (Fraction(13, 2), 6, 7, 7, 6),
        (Fraction(13, 2) + HAIR, 6, 7, 7, 7),
        (Fraction(15, 2) - HAIR, 7, 8, 7, 7),
        (Fraction(15, 2), 7, 8, 8, 8),
        (Fraction(15, 2) + HAIR, 7, 8, 8, 8),
    ],
)
def test_each_rounding_at_just_under_and_just_over_a_whole_and_half_a_cent(
    amount: Fraction, down: int, up: int, half_up: int, half_even: int
) -> None:
    found = [rounding.whole(amount) for rounding in (DOWN, UP, HALF_UP, HALF_EVEN)]
    assert found == [down, up, half_up, half_even]
    assert {type(cents) for cents in found} == {int}


@pytest.mark.parametrize("rounding", list(Rounding))
def test_an_amount_below_zero_is_never_rounded(rounding: Rounding) -> None:
    with pytest.raises(MoneyError, match=r"^Only amounts of zero or more are rounded, not -1/2\.$"):
        rounding.whole(Fraction(-1, 2))


def test_three_to_two_on_an_odd_number_of_cents_drops_the_half_cent_unless_the_house_says_otherwise() -> None:
    ruling, setting = settings()["rounding"]
    assert (ruling, set(setting.values)) == ("R33", set(Rounding))
    award = rulebook("washington").wagers.automatic_bonus.paytables["FCP-08"].pays["three_of_a_kind"]
    assert award == "3 to 2"
    by_default = Rounding(str(setting.default))
    assert [award.pays(stake, by_default) for stake in (1, 2, 3, 500, 501)] == [1, 3, 4, 750, 751]
    assert award.pays(501, UP) == 752


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("3 to 2", "3 to 2", True),
        ("6 to 4", "3 to 2", True),
        ("3 to 2", "1 to 1", True),
        ("1 to 1", "3 to 2", False),
        ("299 for 1", "300 for 1", False),
        ("301 for 1", "300 for 1", True),
        ("300 for 1", "2 to 1", False),
        ("300 to 1", "2 for 1", False),
        ("100% of meter", "99.9% of meter", True),
        ("99.9% of meter", "100% of meter", False),
        ("$100", "$99.99", True),
        ("$99.99", "$100", False),
        ("$100", "1 to 1", False),
    ],
)
def test_an_award_is_at_least_another_only_when_quoted_alike_and_no_smaller(
    one: str, other: str, answer: bool
) -> None:
    assert Odds(one).at_least(Odds(other)) is answer


@pytest.mark.parametrize(
    ("clause", "book"),
    [
        pytest.param("MA-13a1.2", "massachusetts", marks=pytest.mark.part("MA-13a1.2")),
        pytest.param("SM-PROG-3.1", "shuffle-master", marks=pytest.mark.part("SM-PROG-3.1")),
        pytest.param("SM-END-R", "shuffle-master", marks=pytest.mark.part("SM-END-R")),
        pytest.param("WA-PAY-R", "washington", marks=pytest.mark.part("WA-PAY-R")),
    ],
)
def test_no_award_of_a_progressive_table_returns_the_stake_as_well(clause: str, book: str) -> None:
    assert clauses()[clause].params in ("basis=for-1", "stake_returned=false")
    progressive = rulebook(book).wagers.progressive
    assert progressive
    assert len(progressive.paytables) == 2
    for table in progressive.paytables.values():
        assert len(table.pays) == 4
        for award in table.pays.values():
            assert award.endswith((" for 1", " of meter"))


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "$0"),
        (1, "$0.01"),
        (10, "$0.10"),
        (99, "$0.99"),
        (100, "$1"),
        (250, "$2.50"),
        (99_999, "$999.99"),
        (100_000, "$1,000"),
        (123_456_789, "$1,234,567.89"),
    ],
)
def test_cents_and_dollars_are_written_and_read_back_the_same(cents: int, text: str) -> None:
    assert dollars(cents) == text
    assert parse_dollars(text) == cents


def test_dollars_may_be_read_without_commas_and_with_cents_of_zero() -> None:
    assert parse_dollars("$1000") == parse_dollars("$1,000.00") == parse_dollars("$1000.00") == 100_000


def test_an_amount_lost_is_written_with_its_sign_before_the_dollar() -> None:
    assert (dollars(-250), dollars(-100_000)) == ("-$2.50", "-$1,000")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "$",
        "$1,00",
        "$1,0000",
        "$12,34",
        "1,000",
        "$-1",
        "-$1",
        "$1.5",
        "$1.005",
        "$ 1",
        "$1 ",
        "$1e3",
    ],
)
def test_a_malformed_amount_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(MoneyError) as caught:
        parse_dollars(text)
    assert str(caught.value) == f"{text!r} is not an amount; write it like '$1,000' or '$2.50'."


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("0%", "0"),
        ("1%", "1/100"),
        ("12.5%", "1/8"),
        ("0.25%", "1/400"),
        ("99.9%", "999/1000"),
        ("100%", "1"),
    ],
)
def test_a_share_is_an_exact_fraction(text: str, share: str) -> None:
    assert parse_share(text) == Fraction(share)


@pytest.mark.parametrize(
    "text", ["", "%", "5", "0.5", "100.1%", "101%", "1000%", "-1%", ".5%", "5.%", "5 %", "5%%"]
)
def test_a_malformed_share_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(MoneyError) as caught:
        parse_share(text)
    assert str(caught.value) == f"{text!r} is not a share; write one from '0%' to '100%', such as '12.5%'."


def test_a_share_of_the_meter_cannot_be_paid_without_the_meter() -> None:
    with pytest.raises(MoneyError, match="needs the amount of the meter"):
        Odds("100% of meter").pays(100, Rounding.DOWN)


def test_a_share_is_written_exactly() -> None:
    for text in ("0%", "12.5%", "100%", "69.99%"):
        assert share_text(parse_share(text)) == text
    assert share_text(Fraction(1, 3)) == "100/3%"


@pytest.mark.parametrize("odds", ["1 to 1", "3 to 2", "300 for 1", "$100", "100% of meter"])
def test_a_stake_is_never_negative(odds: str) -> None:
    assert Odds(odds).pays(0, Rounding.DOWN, 500) >= 0
    with pytest.raises(MoneyError):
        Odds(odds).pays(-1, Rounding.DOWN, 500)

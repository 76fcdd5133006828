"""The progressive's arithmetic, at every boundary and to the ten-thousandth of a cent."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from fourcard.meter import (
    UNITS_PER_CENT,
    Contribution,
    Meter,
    Payment,
    contribute,
    pay_meter_award,
    price_meter_award,
)
from fourcard.money import MoneyError, Odds
from fourcard.refusals import RefusedError
from tests.kit.awards import CENT, FOUR_OF_A_KIND, TENTH, WHOLE, cents

# What a meter is.


def test_a_new_meter_has_no_reserve_no_seed_and_was_never_won() -> None:
    assert UNITS_PER_CENT == CENT
    assert Meter(amount=5) == Meter(
        amount=5, reserve=0, reset_amount=None, whole_meter_wins=0, reversed_wins=()
    )
    assert Payment() == Payment(
        from_meter=0,
        from_tray=0,
        meter_to_tray=0,
        whole_meter=False,
        reset_units=0,
        reserve_units=0,
        shortfall=0,
        wins_before=0,
    )


@pytest.mark.parametrize(
    "record", [Meter(amount=1), Contribution(to_meter=1, to_reserve=2, to_house=3, wins_before=4), Payment()]
)
def test_records_are_never_changed_and_always_name_their_amounts(record: msgspec.Struct) -> None:
    for name in record.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(record, name, 5)
    with pytest.raises(TypeError):
        type(record)(*msgspec.structs.astuple(record))


@pytest.mark.parametrize("name", ["amount", "reserve", "reset_amount", "whole_meter_wins"])
def test_nothing_of_a_meter_can_be_below_zero(name: str) -> None:
    least: dict[str, Any] = {"amount": 0, "reserve": 0, "reset_amount": 0, "whole_meter_wins": 0}
    assert getattr(Meter(**least), name) == 0
    assert getattr(Meter(**least | {name: 1}), name) == 1
    with pytest.raises(MoneyError, match=r"^A meter, its reserve and its seed can never be below zero\.$"):
        Meter(**least | {name: -1})
    with pytest.raises(MoneyError):
        msgspec.structs.replace(Meter(**least), **{name: -1})


@pytest.mark.parametrize(
    ("units", "shown"), [(0, 0), (1, 0), (9_999, 0), (10_000, 1), (10_001, 1), (19_999, 1), (20_000, 2)]
)
def test_a_meter_shows_whole_cents_and_pays_no_more_than_it_shows(units: int, shown: int) -> None:
    """The fraction stays in the meter, unseen, when all that it shows is won."""
    meter = Meter(amount=units, reset_amount=7)
    assert meter.whole_cents == shown
    after, payment = pay_meter_award(meter, WHOLE, 100, "meter")
    assert payment.amount == shown
    assert after.amount == units - shown * CENT + 7 * CENT


@pytest.mark.parametrize(
    ("amount", "units", "share"),
    [(9, 9_999, 0), (10, 0, 1), (19, 9_999, 1), (99, 9_999, 9), (100, 0, 10), (1_234_567, 8_900, 123_456)],
)
def test_a_tenth_is_taken_of_the_cents_shown_and_is_whole_cents(amount: int, units: int, share: int) -> None:
    meter = cents(amount, units)
    assert price_meter_award(meter, TENTH, 100) == share
    after, payment = pay_meter_award(meter, TENTH, 100, "meter")
    assert payment == Payment(from_meter=share)
    assert after == cents(amount - share, units)


# What an award costs.


@pytest.mark.parametrize("stake", [100, 500])
def test_a_share_is_the_same_whatever_the_stake_and_so_much_for_1_is_not(stake: int) -> None:
    meter = cents(2_000_000)
    assert price_meter_award(meter, WHOLE, stake) == 2_000_000
    assert price_meter_award(meter, Odds("12.5% of meter"), stake) == 250_000
    assert price_meter_award(meter, FOUR_OF_A_KIND, stake) == 300 * stake


@pytest.mark.parametrize(("odds", "stake", "due"), [("3 for 2", 101, 151), ("3 for 2", 102, 153)])
def test_part_of_a_cent_is_not_paid(odds: str, stake: int, due: int) -> None:
    assert price_meter_award(cents(0), Odds(odds), stake) == due


# Contributions.


@pytest.mark.parametrize(
    ("stake", "rate", "to_meter"),
    [
        (100, Fraction(1, 8), 125_000),  # 12.5 cents of $1
        (1, Fraction(1, 8), 1_250),
        (1, Fraction(1, 10_000), 1),  # one unit
        (1, Fraction(1, 10_001), 0),  # just under one
        (100, Fraction(1, 3), 333_333),
        (100, Fraction(2, 3), 666_666),
        (500, Fraction(1, 3), 1_666_666),
        (100, Fraction(0), 0),
        (100, Fraction(1), 1_000_000),
        (0, Fraction(1), 0),
    ],
)
def test_a_contribution_is_exact_to_a_ten_thousandth_of_a_cent(
    stake: int, rate: Fraction, to_meter: int
) -> None:
    """What is under a unit is dropped, and is the house's like the rest of the stake."""
    after, moved = contribute(cents(7, 3, reset_amount=5, whole_meter_wins=2), stake, rate)
    assert after == cents(7, 3 + to_meter, reset_amount=5, whole_meter_wins=2)
    assert moved == Contribution(
        to_meter=to_meter, to_reserve=0, to_house=stake * CENT - to_meter, wins_before=2
    )


def test_a_reserve_grows_beside_the_meter_and_each_share_is_cut_off_by_itself() -> None:
    before = Meter(amount=10, reserve=20, reset_amount=5, whole_meter_wins=1)
    after, moved = contribute(before, 100, Fraction(2, 3), Fraction(1, 6))
    assert after == Meter(amount=10 + 666_666, reserve=20 + 166_666, reset_amount=5, whole_meter_wins=1)
    assert moved == Contribution(to_meter=666_666, to_reserve=166_666, to_house=166_668, wins_before=1)


def test_meter_and_reserve_may_share_the_whole_stake_and_no_unit_more() -> None:
    after, moved = contribute(cents(0), 100, Fraction(7, 8), Fraction(1, 8))
    assert (after.amount, after.reserve, moved.to_house) == (875_000, 125_000, 0)
    with pytest.raises(MoneyError):
        contribute(cents(0), 100, Fraction(7, 8), Fraction(1, 8) + Fraction(1, 10**9))


@pytest.mark.parametrize(
    ("stake", "rate", "reserve_rate"),
    [
        (-1, Fraction(0), Fraction(0)),
        (100, Fraction(-1, 10**9), Fraction(0)),
        (100, Fraction(0), Fraction(-1, 10**9)),
        (100, Fraction(1, 2), Fraction(-1, 10**9)),
        (100, Fraction(1) + Fraction(1, 10**9), Fraction(0)),
        (100, Fraction(0), Fraction(1) + Fraction(1, 10**9)),
    ],
)
def test_stake_and_shares_are_not_negative_nor_more_than_the_stake(
    stake: int, rate: Fraction, reserve_rate: Fraction
) -> None:
    sentence = r"^A stake and its shares cannot be negative, nor the shares more than the stake\.$"
    with pytest.raises(MoneyError, match=sentence):
        contribute(cents(0), stake, rate, reserve_rate)


# The whole meter.


def test_the_whole_meter_comes_out_of_the_meter_which_is_seeded_anew() -> None:
    after, payment = pay_meter_award(
        cents(2_000_000, 77, reset_amount=500_000, whole_meter_wins=3), WHOLE, 100, "meter"
    )
    assert after == cents(500_000, 77, reset_amount=500_000, whole_meter_wins=4)
    assert payment == Payment(
        from_meter=2_000_000, whole_meter=True, reset_units=500_000 * CENT, wins_before=3
    )
    assert payment.amount == 2_000_000


@pytest.mark.parametrize("seed", [0, 500])
def test_the_whole_meter_is_never_paid_from_the_tray(seed: int) -> None:
    after, payment = pay_meter_award(cents(2_000, reset_amount=seed), WHOLE, 100, "tray")
    assert (after, payment) == pay_meter_award(cents(2_000, reset_amount=seed), WHOLE, 100, "meter")
    assert (payment.from_meter, payment.from_tray) == (2_000, 0)


def test_the_reserve_is_added_to_the_seed_after_the_whole_meter_is_won() -> None:
    after, payment = pay_meter_award(cents(2_000, 1, reset_amount=500, reserve=123_456), WHOLE, 100, "meter")
    assert after == cents(500, 1 + 123_456, reset_amount=500, reserve=0, whole_meter_wins=1)
    assert payment == Payment(
        from_meter=2_000, whole_meter=True, reset_units=500 * CENT + 123_456, reserve_units=123_456
    )


def test_a_second_winner_is_paid_what_the_meter_started_with_anew() -> None:
    first_after, first = pay_meter_award(
        cents(2_000_000, reset_amount=500_000, reserve=250 * CENT), WHOLE, 100, "meter"
    )
    second_after, second = pay_meter_award(first_after, WHOLE, 500, "meter")
    assert (first.amount, second.amount) == (2_000_000, 500_250)
    assert second_after == cents(500_000, reset_amount=500_000, whole_meter_wins=2)
    third_after, third = pay_meter_award(second_after, TENTH, 100, "meter")
    assert (third.amount, third_after) == (50_000, cents(450_000, reset_amount=500_000, whole_meter_wins=2))


def test_the_whole_meter_needs_a_seed_which_may_be_nothing() -> None:
    with pytest.raises(RefusedError) as refused:
        pay_meter_award(cents(1_000), WHOLE, 100, "meter")
    refusal = refused.value.refusal
    assert (refusal.name, refusal.clauses) == ("reset_not_given", ("R58",))
    after, payment = pay_meter_award(cents(1_000, reset_amount=0), WHOLE, 100, "meter")
    assert (after, payment.amount, payment.reset_units) == (
        cents(0, reset_amount=0, whole_meter_wins=1),
        1_000,
        0,
    )


def test_less_than_the_whole_meter_needs_no_seed_and_wins_it_from_nobody() -> None:
    after, payment = pay_meter_award(cents(10_000, whole_meter_wins=4), Odds("99.99% of meter"), 100, "meter")
    assert after == cents(1, whole_meter_wins=4)
    assert payment == Payment(from_meter=9_999, wins_before=4)


# Parts of the meter and fixed awards, from tray or meter.


def test_a_part_of_the_meter_lowers_it_whatever_hands_it_over() -> None:
    meter = cents(2_000_000, 5, reset_amount=9, reserve=8, whole_meter_wins=2)
    lower = cents(1_800_000, 5, reset_amount=9, reserve=8, whole_meter_wins=2)
    from_meter = (lower, Payment(from_meter=200_000, wins_before=2))
    from_tray = (lower, Payment(from_tray=200_000, meter_to_tray=200_000, wins_before=2))
    assert pay_meter_award(meter, TENTH, 500, "meter") == from_meter
    assert pay_meter_award(meter, TENTH, 500, "tray") == from_tray
    assert from_meter[1].amount == from_tray[1].amount == 200_000


def test_a_fixed_award_from_the_tray_leaves_the_meter_alone() -> None:
    meter = cents(5, 5, reset_amount=9, reserve=8, whole_meter_wins=2)
    after, payment = pay_meter_award(meter, FOUR_OF_A_KIND, 100, "tray")
    assert after == meter
    assert payment == Payment(from_tray=30_000, wins_before=2)


@pytest.mark.parametrize(
    ("held", "from_meter", "short"),
    [
        (30_001, 30_000, 0),
        (30_000, 30_000, 0),
        (29_999, 29_999, 1),
        (1, 1, 29_999),
        (0, 0, 30_000),
    ],
)
@pytest.mark.parametrize("units", [0, 9_999])
def test_a_fixed_award_takes_the_meter_to_zero_and_the_rest_from_the_tray(
    held: int, from_meter: int, short: int, units: int
) -> None:
    """What the tray had to add is told as a shortfall, so that somebody hears of it."""
    after, payment = pay_meter_award(
        cents(held, units, reset_amount=9, reserve=8, whole_meter_wins=2), FOUR_OF_A_KIND, 100, "meter"
    )
    assert after == cents(held - from_meter, units, reset_amount=9, reserve=8, whole_meter_wins=2)
    assert payment == Payment(from_meter=from_meter, from_tray=short, shortfall=short, wins_before=2)
    assert payment.amount == 30_000

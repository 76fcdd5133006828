"""The progressive's arithmetic, at every boundary and to the ten-thousandth of a cent."""

from fractions import Fraction

import msgspec
import pytest

from fourcard.meter import (
    UNITS_PER_CENT,
    Contribution,
    Meter,
    Payment,
    contribute,
    pay,
    price,
    reverse_contribution,
    reverse_payment,
)
from fourcard.money import MoneyError, Odds
from fourcard.refusals import RefusedError
from fourcard.rules.rulebook import AwardSource

CENT = 10_000
"""The units of one cent, written out here a second time."""
WHOLE, TENTH, FOUR_OF_A_KIND = Odds("100% of meter"), Odds("10% of meter"), Odds("300 for 1")


def cents(amount: int, units: int = 0, undone: tuple[int, ...] = (), **more: int) -> Meter:
    """Return a meter of so many cents, and units on top of them."""
    return Meter(amount=amount * CENT + units, undone=undone, **more)


# What a meter is.


def test_a_new_meter_has_no_reserve_no_seed_and_was_never_won() -> None:
    assert UNITS_PER_CENT == CENT
    assert Meter(amount=5) == Meter(amount=5, reserve=0, seed=None, taken=0, undone=())
    assert Payment() == Payment(
        from_meter=0,
        from_tray=0,
        meter_to_tray=0,
        whole=False,
        seeded=0,
        from_reserve=0,
        shortfall=0,
        taken=0,
    )


@pytest.mark.parametrize(
    "record", [Meter(amount=1), Contribution(to_meter=1, to_reserve=2, to_house=3, taken=4), Payment()]
)
def test_records_are_never_changed_and_always_name_their_amounts(record: msgspec.Struct) -> None:
    for name in record.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(record, name, 5)
    with pytest.raises(TypeError):
        type(record)(*msgspec.structs.astuple(record))


@pytest.mark.parametrize("name", ["amount", "reserve", "seed", "taken"])
def test_nothing_of_a_meter_can_be_below_zero(name: str) -> None:
    least = {"amount": 0, "reserve": 0, "seed": 0, "taken": 0}
    assert getattr(Meter(**least), name) == 0
    assert getattr(Meter(**least | {name: 1}), name) == 1
    with pytest.raises(MoneyError, match=r"^A meter, its reserve and its seed can never be below zero\.$"):
        Meter(**least | {name: -1})
    with pytest.raises(MoneyError):
        msgspec.structs.replace(Meter(**least), **{name: -1})


@pytest.mark.clause("R97")
@pytest.mark.parametrize(
    ("units", "shown"), [(0, 0), (1, 0), (9_999, 0), (10_000, 1), (10_001, 1), (19_999, 1), (20_000, 2)]
)
def test_a_meter_shows_whole_cents_and_pays_no_more_than_it_shows(units: int, shown: int) -> None:
    """The fraction stays in the meter, unseen, when all that it shows is won."""
    meter = Meter(amount=units, seed=7)
    assert meter.displayed == shown
    after, payment = pay(meter, WHOLE, 100, "meter")
    assert payment.amount == shown
    assert after.amount == units - shown * CENT + 7 * CENT


@pytest.mark.clause("R97")
@pytest.mark.parametrize(
    ("amount", "units", "share"),
    [(9, 9_999, 0), (10, 0, 1), (19, 9_999, 1), (99, 9_999, 9), (100, 0, 10), (1_234_567, 8_900, 123_456)],
)
def test_a_tenth_is_taken_of_the_cents_shown_and_is_whole_cents(amount: int, units: int, share: int) -> None:
    meter = cents(amount, units)
    assert price(meter, TENTH, 100) == share
    after, payment = pay(meter, TENTH, 100, "meter")
    assert payment == Payment(from_meter=share)
    assert after == cents(amount - share, units)


# What an award costs.


@pytest.mark.parametrize("stake", [100, 500])
def test_a_share_is_the_same_whatever_the_stake_and_so_much_for_1_is_not(stake: int) -> None:
    meter = cents(2_000_000)
    assert price(meter, WHOLE, stake) == 2_000_000
    assert price(meter, Odds("12.5% of meter"), stake) == 250_000
    assert price(meter, FOUR_OF_A_KIND, stake) == 300 * stake


@pytest.mark.parametrize(("odds", "stake", "due"), [("3 for 2", 101, 151), ("3 for 2", 102, 153)])
def test_part_of_a_cent_is_not_paid(odds: str, stake: int, due: int) -> None:
    assert price(cents(0), Odds(odds), stake) == due


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
    after, moved = contribute(cents(7, 3, seed=5, taken=2), stake, rate)
    assert after == cents(7, 3 + to_meter, seed=5, taken=2)
    assert moved == Contribution(to_meter=to_meter, to_reserve=0, to_house=stake * CENT - to_meter, taken=2)


def test_a_reserve_grows_beside_the_meter_and_each_share_is_cut_off_by_itself() -> None:
    before = Meter(amount=10, reserve=20, seed=5, taken=1)
    after, moved = contribute(before, 100, Fraction(2, 3), Fraction(1, 6))
    assert after == Meter(amount=10 + 666_666, reserve=20 + 166_666, seed=5, taken=1)
    assert moved == Contribution(to_meter=666_666, to_reserve=166_666, to_house=166_668, taken=1)


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


@pytest.mark.clause("SM-PROG-4.1", "WA-PROG-3.1", "WA-NEX-3.1")
def test_the_whole_meter_comes_out_of_the_meter_which_is_seeded_anew() -> None:
    after, payment = pay(cents(2_000_000, 77, seed=500_000, taken=3), WHOLE, 100, "meter")
    assert after == cents(500_000, 77, seed=500_000, taken=4)
    assert payment == Payment(from_meter=2_000_000, whole=True, seeded=500_000 * CENT, taken=3)
    assert payment.amount == 2_000_000


@pytest.mark.parametrize("seed", [None, 500])
def test_the_whole_meter_is_never_paid_from_the_tray(seed: int | None) -> None:
    with pytest.raises(RefusedError) as refused:
        pay(Meter(amount=CENT, seed=seed), WHOLE, 100, "tray")
    refusal = refused.value.refusal
    assert (refusal.name, refusal.clauses) == ("whole_meter_from_tray", ("MD-11D10di",))


@pytest.mark.clause("WA-REC-7")
def test_the_reserve_is_added_to_the_seed_after_the_whole_meter_is_won() -> None:
    after, payment = pay(cents(2_000, 1, seed=500, reserve=123_456), WHOLE, 100, "meter")
    assert after == cents(500, 1 + 123_456, seed=500, reserve=0, taken=1)
    assert payment == Payment(from_meter=2_000, whole=True, seeded=500 * CENT + 123_456, from_reserve=123_456)


@pytest.mark.clause("R58")
def test_a_second_winner_is_paid_what_the_meter_started_with_anew() -> None:
    first_after, first = pay(cents(2_000_000, seed=500_000, reserve=250 * CENT), WHOLE, 100, "meter")
    second_after, second = pay(first_after, WHOLE, 500, "meter")
    assert (first.amount, second.amount) == (2_000_000, 500_250)
    assert second_after == cents(500_000, seed=500_000, taken=2)
    third_after, third = pay(second_after, TENTH, 100, "meter")
    assert (third.amount, third_after) == (50_000, cents(450_000, seed=500_000, taken=2))


def test_the_whole_meter_needs_a_seed_which_may_be_nothing() -> None:
    with pytest.raises(RefusedError) as refused:
        pay(cents(1_000), WHOLE, 100, "meter")
    refusal = refused.value.refusal
    assert (refusal.name, refusal.clauses) == ("reset_not_given", ("R58",))
    after, payment = pay(cents(1_000, seed=0), WHOLE, 100, "meter")
    assert (after, payment.amount, payment.seeded) == (cents(0, seed=0, taken=1), 1_000, 0)


def test_less_than_the_whole_meter_needs_no_seed_and_wins_it_from_nobody() -> None:
    after, payment = pay(cents(10_000, taken=4), Odds("99.99% of meter"), 100, "meter")
    assert after == cents(1, taken=4)
    assert payment == Payment(from_meter=9_999, taken=4)


# Parts of the meter and fixed awards, from tray or meter.


@pytest.mark.clause("R60")
def test_a_part_of_the_meter_lowers_it_whatever_hands_it_over() -> None:
    meter = cents(2_000_000, 5, seed=9, reserve=8, taken=2)
    lower = cents(1_800_000, 5, seed=9, reserve=8, taken=2)
    from_meter = (lower, Payment(from_meter=200_000, taken=2))
    from_tray = (lower, Payment(from_tray=200_000, meter_to_tray=200_000, taken=2))
    assert pay(meter, TENTH, 500, "meter") == from_meter
    assert pay(meter, TENTH, 500, "tray") == from_tray
    assert from_meter[1].amount == from_tray[1].amount == 200_000


def test_a_fixed_award_from_the_tray_leaves_the_meter_alone() -> None:
    meter = cents(5, 5, seed=9, reserve=8, taken=2)
    after, payment = pay(meter, FOUR_OF_A_KIND, 100, "tray")
    assert after == meter
    assert payment == Payment(from_tray=30_000, taken=2)


@pytest.mark.clause("R59", "WA-REC-3")
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
    after, payment = pay(cents(held, units, seed=9, reserve=8, taken=2), FOUR_OF_A_KIND, 100, "meter")
    assert after == cents(held - from_meter, units, seed=9, reserve=8, taken=2)
    assert payment == Payment(from_meter=from_meter, from_tray=short, shortfall=short, taken=2)
    assert payment.amount == 30_000


# Taking back.


@pytest.mark.part("R66")
def test_a_contribution_is_taken_back_from_meter_and_reserve() -> None:
    before = Meter(amount=10, reserve=20, seed=5, taken=1)
    grown, moved = contribute(before, 100, Fraction(2, 3), Fraction(1, 6))
    assert reverse_contribution(grown, moved) == (before, 0)


@pytest.mark.part("R66")
@pytest.mark.parametrize(
    ("taken", "undone", "left_alone"),
    [
        (1, (), False),
        (1, (0,), False),
        (2, (), True),
        (2, (0,), True),
        (2, (1,), False),
        (2, (0, 1), False),
        (2, (1, 0), False),
        (3, (), True),
        (3, (1,), True),
        (3, (2,), True),
        (3, (2, 1), False),
    ],
)
def test_a_contribution_stays_in_a_meter_that_was_won_meanwhile(
    taken: int, undone: tuple[int, ...], left_alone: bool
) -> None:
    """The house bears it, and the new seed is left alone; a win that was taken back is none."""
    moved = Contribution(to_meter=70, to_reserve=30, to_house=0, taken=1)
    meter = Meter(amount=1_000, reserve=500, seed=5, taken=taken, undone=undone)
    lower = Meter(amount=930, reserve=470, seed=5, taken=taken, undone=undone)
    assert reverse_contribution(meter, moved) == ((meter, 100) if left_alone else (lower, 0))


@pytest.mark.parametrize(
    ("amount", "reserve", "after", "borne"),
    [
        (71, 31, (1, 1), 0),
        (70, 30, (0, 0), 0),
        (69, 30, (0, 0), 1),
        (70, 29, (0, 0), 1),
        (0, 31, (0, 1), 70),
        (71, 0, (1, 0), 30),
        (0, 0, (0, 0), 100),
    ],
)
def test_what_meter_or_reserve_no_longer_has_the_house_bears(
    amount: int, reserve: int, after: tuple[int, int], borne: int
) -> None:
    moved = Contribution(to_meter=70, to_reserve=30, to_house=900, taken=0)
    lower, rest = reverse_contribution(Meter(amount=amount, reserve=reserve, seed=5), moved)
    assert (lower, rest) == (Meter(amount=after[0], reserve=after[1], seed=5), borne)


@pytest.mark.parametrize(
    ("odds", "source"),
    [
        (WHOLE, "meter"),
        (TENTH, "meter"),
        (TENTH, "tray"),
        (FOUR_OF_A_KIND, "meter"),
        (FOUR_OF_A_KIND, "tray"),
    ],
)
@pytest.mark.parametrize("held", [10_000, 50_000])
def test_an_award_taken_back_leaves_the_meter_as_it_was(odds: Odds, source: AwardSource, held: int) -> None:
    """What the tray added because the meter ran dry goes back to the tray; a win is noted as taken back."""
    before = cents(held, 7, seed=500, reserve=CENT + 1, taken=3, undone=(1,))
    after, payment = pay(before, odds, 100, source)
    won = {"taken": 4, "undone": (1, 3)} if odds == WHOLE else {}
    assert reverse_payment(after, payment) == (msgspec.structs.replace(before, **won), 0)


def test_a_part_taken_back_returns_once_even_after_the_meter_was_won() -> None:
    tray, meter = Payment(from_tray=40, meter_to_tray=40, taken=1), Payment(from_meter=40, taken=1)
    for payment in (tray, meter):
        for taken in (1, 2, 3):
            assert reverse_payment(cents(60, taken=taken), payment) == (cents(100, taken=taken), 0)


def test_the_whole_meter_taken_back_takes_its_seed_along_and_returns_the_reserve() -> None:
    payment = Payment(from_meter=2_000, whole=True, seeded=505 * CENT, from_reserve=5 * CENT, taken=3)
    later = cents(600, seed=500, reserve=11, taken=4)
    back = cents(2_000 + 600 - 505, seed=500, reserve=5 * CENT + 11, taken=4, undone=(3,))
    assert reverse_payment(later, payment) == (back, 0)


@pytest.mark.parametrize(
    ("taken", "undone", "stays"),
    [
        (4, (), False),
        (4, (2,), False),
        (5, (), True),
        (5, (2,), True),
        (5, (4,), False),
        (6, (4,), True),
        (6, (5,), True),
        (6, (5, 4), False),
    ],
)
def test_the_start_after_a_later_win_is_anothers_and_stays(
    taken: int, undone: tuple[int, ...], stays: bool
) -> None:
    """It stays while the later win stands; once that is taken back too the start is nobody's any more."""
    payment = Payment(from_meter=2_000, whole=True, seeded=505 * CENT, from_reserve=5 * CENT, taken=3)
    later = cents(600, seed=500, reserve=11, taken=taken, undone=undone)
    known = {"seed": 500, "taken": taken, "undone": (*undone, 3)}
    kept, gone = cents(2_600, reserve=11, **known), cents(2_095, reserve=5 * CENT + 11, **known)
    assert reverse_payment(later, payment) == ((kept if stays else gone), 0)


@pytest.mark.parametrize(
    ("held", "after", "borne"), [(406, 1, 0), (405, 0, 0), (404, 0, CENT), (0, 0, 405 * CENT)]
)
def test_a_seed_that_has_been_paid_out_meanwhile_the_house_bears(held: int, after: int, borne: int) -> None:
    payment = Payment(from_meter=100, whole=True, seeded=505 * CENT, taken=0)
    back = cents(after, seed=500, taken=1, undone=(0,))
    assert reverse_payment(cents(held, seed=500, taken=1), payment) == (back, borne)


# Rounds of several tables that are void one over the other.

SHARES = {"rate": Fraction(2, 3), "reserve_rate": Fraction(1, 6)}
BEFORE = cents(20_000, 7, seed=500, reserve=123_456, taken=2)
"""A meter that was won twice before, with a fraction of a cent and something in reserve."""


def taken_back(meter: Meter, *moved: Contribution | Payment) -> Meter:
    """Take back what void rounds did, one after the other, none of it at the house's cost."""
    for each in moved:
        reverse = reverse_payment if isinstance(each, Payment) else reverse_contribution
        meter, borne = reverse(meter, each)  # type: ignore[operator]
        assert borne == 0, each
    return meter


@pytest.mark.part("R66")
@pytest.mark.parametrize("order", [("x", "x2"), ("x2", "x")])
def test_a_contribution_goes_back_once_when_a_win_after_it_was_taken_back(order: tuple[str, str]) -> None:
    """Table X puts in, table Y wins the meter, X2 puts into the new one, Y's round is void, then theirs."""
    meter, x = contribute(BEFORE, 100, **SHARES)
    meter, y = pay(meter, WHOLE, 100, "meter")
    meter, x2 = contribute(meter, 500, **SHARES)
    assert (x.taken, y.taken, x2.taken, meter.taken) == (2, 2, 3, 3)
    parts = {"x": x, "x2": x2}
    back = taken_back(meter, y, *(parts[name] for name in order))
    assert back == msgspec.structs.replace(BEFORE, taken=3, undone=(2,))


@pytest.mark.part("R66")
def test_a_contribution_of_a_start_that_was_taken_back_is_no_part_of_a_later_one() -> None:
    """A meter that is won again after a win was taken back keeps both contributions, and the house bears."""
    meter, x = contribute(BEFORE, 100, **SHARES)
    meter, y = pay(meter, WHOLE, 100, "meter")
    meter, x2 = contribute(meter, 500, **SHARES)
    meter, later = pay(taken_back(meter, y), WHOLE, 100, "meter")
    for part in (x, x2):
        assert reverse_contribution(meter, part) == (meter, part.to_meter + part.to_reserve)
    back = taken_back(meter, later, x, x2)
    assert back == msgspec.structs.replace(BEFORE, taken=4, undone=(2, 3))


@pytest.mark.part("R66")
@pytest.mark.parametrize("first_to_go", ["earlier", "later"])
def test_wins_one_after_the_other_are_taken_back_in_either_order(first_to_go: str) -> None:
    """The later one first leaves the meter as it was.

    The earlier one first leaves its start in the meter, which had become another's (P30): every
    contribution goes back all the same, and nobody is paid out of what is not there.
    """
    meter, before_both = contribute(BEFORE, 100, **SHARES)
    meter, earlier = pay(meter, WHOLE, 100, "meter")
    meter, between = contribute(meter, 500, **SHARES)
    meter, later = pay(meter, WHOLE, 500, "meter")
    meter, after_both = contribute(meter, 100, **SHARES)
    wins = (earlier, later) if first_to_go == "earlier" else (later, earlier)
    back = taken_back(meter, *wins, before_both, between, after_both)
    undone = (2, 3) if first_to_go == "earlier" else (3, 2)
    left, reserve = (earlier.seeded, earlier.from_reserve) if first_to_go == "earlier" else (0, 0)
    expected = {"amount": BEFORE.amount + left, "reserve": BEFORE.reserve + before_both.to_reserve - reserve}
    assert back == msgspec.structs.replace(BEFORE, taken=4, undone=undone, **expected)

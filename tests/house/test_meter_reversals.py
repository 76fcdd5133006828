"""What void rounds take back from a meter: once each, whatever happened to it meanwhile (R66)."""

from fractions import Fraction
from itertools import permutations

import msgspec
import pytest

from fourcard.house.events import AwardLogged, RoundReversed, SignAdjusted
from fourcard.house.meter_state import MeterState, evolve
from fourcard.meter import (
    Contribution,
    Meter,
    Payment,
    contribute,
    pay_meter_award,
    reverse_contribution,
    reverse_payment,
)
from fourcard.money import Odds
from fourcard.rules.rulebook import AwardSource
from tests.kit.awards import CENT, FOUR_OF_A_KIND, TENTH, WHOLE, cents


@pytest.mark.part("R66")
def test_a_contribution_is_taken_back_from_meter_and_reserve() -> None:
    before = Meter(amount=10, reserve=20, reset_amount=5, whole_meter_wins=1)
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
    moved = Contribution(to_meter=70, to_reserve=30, to_house=0, wins_before=1)
    meter = Meter(amount=1_000, reserve=500, reset_amount=5, whole_meter_wins=taken, reversed_wins=undone)
    lower = Meter(amount=930, reserve=470, reset_amount=5, whole_meter_wins=taken, reversed_wins=undone)
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
    moved = Contribution(to_meter=70, to_reserve=30, to_house=900, wins_before=0)
    lower, rest = reverse_contribution(Meter(amount=amount, reserve=reserve, reset_amount=5), moved)
    assert (lower, rest) == (Meter(amount=after[0], reserve=after[1], reset_amount=5), borne)


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
    before = cents(held, 7, reset_amount=500, reserve=CENT + 1, whole_meter_wins=3, reversed_wins=(1,))
    after, payment = pay_meter_award(before, odds, 100, source)
    won = {"whole_meter_wins": 4, "reversed_wins": (1, 3)} if odds == WHOLE else {}
    assert reverse_payment(after, payment) == (msgspec.structs.replace(before, **won), 0)


def test_a_part_taken_back_returns_once_even_after_the_meter_was_won() -> None:
    tray, meter = (
        Payment(from_tray=40, meter_to_tray=40, wins_before=1),
        Payment(from_meter=40, wins_before=1),
    )
    for payment in (tray, meter):
        for taken in (1, 2, 3):
            assert reverse_payment(cents(60, whole_meter_wins=taken), payment) == (
                cents(100, whole_meter_wins=taken),
                0,
            )


def test_the_whole_meter_taken_back_takes_its_seed_along_and_returns_the_reserve() -> None:
    payment = Payment(
        from_meter=2_000, whole_meter=True, reset_units=505 * CENT, reserve_units=5 * CENT, wins_before=3
    )
    later = cents(600, reset_amount=500, reserve=11, whole_meter_wins=4)
    back = cents(
        2_000 + 600 - 505, reset_amount=500, reserve=5 * CENT + 11, whole_meter_wins=4, reversed_wins=(3,)
    )
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
    payment = Payment(
        from_meter=2_000, whole_meter=True, reset_units=505 * CENT, reserve_units=5 * CENT, wins_before=3
    )
    later = cents(600, reset_amount=500, reserve=11, whole_meter_wins=taken, reversed_wins=undone)
    amount, reserve = (2_600, 11) if stays else (2_600 - 505, 5 * CENT + 11)
    back = cents(
        amount, reversed_wins=(*undone, 3), reset_amount=500, reserve=reserve, whole_meter_wins=taken
    )
    assert reverse_payment(later, payment) == (back, 0)


@pytest.mark.parametrize(
    ("held", "after", "borne"), [(406, 1, 0), (405, 0, 0), (404, 0, CENT), (0, 0, 405 * CENT)]
)
def test_a_seed_that_has_been_paid_out_meanwhile_the_house_bears(held: int, after: int, borne: int) -> None:
    payment = Payment(from_meter=100, whole_meter=True, reset_units=505 * CENT, wins_before=0)
    back = cents(after, reset_amount=500, whole_meter_wins=1, reversed_wins=(0,))
    assert reverse_payment(cents(held, reset_amount=500, whole_meter_wins=1), payment) == (back, borne)


# Rounds of several tables that are void one over the other.

SHARES = {"rate": Fraction(2, 3), "reserve_rate": Fraction(1, 6)}
BEFORE = cents(20_000, 7, reset_amount=500, reserve=123_456, whole_meter_wins=2)
"""A meter that was won twice before, with a fraction of a cent and something in reserve."""


def taken_back(meter: Meter, *moved: Contribution | Payment) -> Meter:
    """Take back what void rounds did, one after the other, none of it at the house's cost."""
    for each in moved:
        if isinstance(each, Payment):
            meter, borne = reverse_payment(meter, each)
        else:
            meter, borne = reverse_contribution(meter, each)
        assert borne == 0, each
    return meter


@pytest.mark.part("R66")
@pytest.mark.parametrize("order", [("x", "x2"), ("x2", "x")])
def test_a_contribution_goes_back_once_when_a_win_after_it_was_taken_back(order: tuple[str, str]) -> None:
    """Table X puts in, table Y wins the meter, X2 puts into the new one, Y's round is void, then theirs."""
    meter, x = contribute(BEFORE, 100, **SHARES)
    meter, y = pay_meter_award(meter, WHOLE, 100, "meter")
    meter, x2 = contribute(meter, 500, **SHARES)
    assert (x.wins_before, y.wins_before, x2.wins_before, meter.whole_meter_wins) == (2, 2, 3, 3)
    parts = {"x": x, "x2": x2}
    back = taken_back(meter, y, *(parts[name] for name in order))
    assert back == msgspec.structs.replace(BEFORE, whole_meter_wins=3, reversed_wins=(2,))


@pytest.mark.part("R66")
def test_a_contribution_of_a_start_that_was_taken_back_is_no_part_of_a_later_one() -> None:
    """A meter that is won again after a win was taken back keeps both contributions, and the house bears."""
    meter, x = contribute(BEFORE, 100, **SHARES)
    meter, y = pay_meter_award(meter, WHOLE, 100, "meter")
    meter, x2 = contribute(meter, 500, **SHARES)
    meter, later = pay_meter_award(taken_back(meter, y), WHOLE, 100, "meter")
    for part in (x, x2):
        assert reverse_contribution(meter, part) == (meter, part.to_meter + part.to_reserve)
    back = taken_back(meter, later, x, x2)
    assert back == msgspec.structs.replace(BEFORE, whole_meter_wins=4, reversed_wins=(2, 3))


def won_twice() -> tuple[Meter, tuple[Payment, Payment], tuple[Contribution, ...]]:
    """Return a meter that was won twice, both wins, and what came in before, between and after them."""
    meter, first = contribute(BEFORE, 100, **SHARES)
    meter, earlier = pay_meter_award(meter, WHOLE, 100, "meter")
    meter, second = contribute(meter, 500, **SHARES)
    meter, later = pay_meter_award(meter, WHOLE, 500, "meter")
    meter, third = contribute(meter, 100, **SHARES)
    return meter, (earlier, later), (first, second, third)


@pytest.mark.part("R66")
@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_two_wins_taken_back_the_later_first_leave_every_contribution_to_go_back(
    order: tuple[int, ...],
) -> None:
    meter, (earlier, later), parts = won_twice()
    back = taken_back(meter, later, earlier, *(parts[each] for each in order))
    assert back == msgspec.structs.replace(BEFORE, whole_meter_wins=4, reversed_wins=(3, 2))


@pytest.mark.part("P30")
def test_of_two_wins_taken_back_the_earlier_first_its_start_stays_in_the_meter() -> None:
    """It had become the later winner's when the earlier win was taken back, and came back with that one."""
    meter, (earlier, later), parts = won_twice()
    back = taken_back(meter, earlier, later)
    came = sum(part.to_meter for part in parts)
    reserved = sum(part.to_reserve for part in parts[1:])
    amount = BEFORE.amount + came + earlier.reset_units
    assert back == Meter(
        amount=amount, reserve=reserved, reset_amount=500, whole_meter_wins=4, reversed_wins=(2, 3)
    )


def test_a_void_round_takes_its_own_owed_prizes_back_and_no_others() -> None:
    """Consoles of today pay a logged win before anything else can happen; older houses may hold one."""
    won = [
        AwardLogged(
            table=table, round=1, number=number, position=1, row="four_of_a_kind", player=table, cards=(),
            payment=Payment(from_meter=30, wins_before=0), before=100, after=70,
            marked_by="dan", confirmed_by="sue", confirmed_as="supervisor", at=number,
        )
        for number, table in enumerate(("one", "two", "one"), 1)
    ]  # fmt: skip
    meter = MeterState("m", cents(500))
    for event in won:
        meter, _ = evolve(meter, event)
    assert (meter.owed, meter.displayed) == (90 * CENT, 500)
    back = RoundReversed(
        table="one", round=1, returned=0, amount=470 * CENT, reserve=0, undone=(), absorbed=0
    )
    voided, postings = evolve(meter, back)
    assert [(move.giver, move.taker, move.units) for move in postings] == [("prizes/m", "meter/m", 60 * CENT)]
    assert (voided.unpaid_wins, voided.owed) == ((won[1],), 30 * CENT)
    assert evolve(voided, msgspec.structs.replace(back, round=2))[1] == []
    adjusted, _ = evolve(meter, SignAdjusted(table="two", round=1, payment=won[1].payment, number=2))
    assert (adjusted.unpaid_wins, adjusted.displayed) == ((won[0], won[2]), 440)

"""What holds of every meter: each unit can be followed, and nothing falls below zero."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fourcard.meter import (
    Contribution,
    Meter,
    Payment,
    contribute,
    pay_meter_award,
    price_meter_award,
    reverse_contribution,
    reverse_payment,
)
from fourcard.money import Odds
from fourcard.rules.rulebook import AwardSource

CENT = 10_000
SOURCES: tuple[AwardSource, ...] = ("tray", "meter")
NEVER = ("100% of meter", "tray")


def met(taken: int, undone: tuple[int, ...] = ()) -> st.SearchStrategy[Meter]:
    """Return meters that were won so often, of which these wins, and perhaps more, were taken back."""
    left = [win for win in range(taken) if win not in undone]
    more = st.lists(st.sampled_from(left), unique=True) if left else st.just([])
    return st.builds(
        Meter,
        amount=st.integers(0, 10**6) | st.integers(0, 10**12),
        reserve=st.integers(0, 10**9),
        reset_amount=st.integers(0, 10**7),
        whole_meter_wins=st.just(taken),
        reversed_wins=more.map(lambda wins: (*undone, *wins)),
    )


METERS = st.integers(0, 3).flatmap(met)
STAKES = st.sampled_from((100, 500)) | st.integers(0, 10**6)
ODDS = ("100% of meter", "10% of meter", "33.3% of meter", "9 for 1", "300 for 1", "3 for 2")
AWARDS = st.sampled_from(
    [(Odds(odds), source) for odds in ODDS for source in SOURCES if (odds, source) != NEVER]
)
"""What is won, and what hands it over; the tray never hands over the whole meter."""
SHARES = st.tuples(st.fractions(0, 1), st.fractions(0, 1)).map(
    lambda pair: (pair[0], pair[1] * (1 - pair[0]))
)


@given(METERS, STAKES, SHARES)
def test_every_unit_of_a_stake_goes_somewhere_and_comes_back(
    meter: Meter, stake: int, shares: tuple[Fraction, Fraction]
) -> None:
    after, moved = contribute(meter, stake, *shares)
    assert moved.to_meter + moved.to_reserve + moved.to_house == stake * CENT
    assert min(moved.to_meter, moved.to_reserve, moved.to_house) >= 0
    assert 0 <= stake * CENT * shares[0] - moved.to_meter < 1
    assert 0 <= stake * CENT * shares[1] - moved.to_reserve < 1
    assert after.amount - meter.amount == moved.to_meter
    assert after.reserve - meter.reserve == moved.to_reserve
    assert reverse_contribution(after, moved) == (meter, 0)


@given(METERS, STAKES, AWARDS)
def test_every_unit_of_an_award_is_accounted_for(
    meter: Meter, stake: int, award: tuple[Odds, AwardSource]
) -> None:
    after, payment = pay_meter_award(meter, award[0], stake, award[1])
    given_up = (payment.from_meter + payment.meter_to_tray) * CENT
    assert after.amount == meter.amount - given_up + payment.reset_units
    assert after.reserve == meter.reserve - payment.reserve_units
    assert given_up <= meter.amount
    assert payment.amount == price_meter_award(meter, award[0], stake)
    assert payment.shortfall <= payment.from_tray
    assert (after.whole_meter_wins, after.reversed_wins) == (
        meter.whole_meter_wins + payment.whole_meter,
        meter.reversed_wins,
    )
    undone = (*meter.reversed_wins, meter.whole_meter_wins) if payment.whole_meter else meter.reversed_wins
    assert reverse_payment(after, payment) == (
        replace(meter, whole_meter_wins=after.whole_meter_wins, reversed_wins=undone),
        0,
    )


@given(st.data(), METERS, STAKES, AWARDS, SHARES)
def test_taking_back_from_any_later_meter_conserves_every_unit(
    data: st.DataObject,
    meter: Meter,
    stake: int,
    award: tuple[Odds, AwardSource],
    shares: tuple[Fraction, Fraction],
) -> None:
    _, moved = contribute(meter, stake, *shares)
    _, payment = pay_meter_award(meter, award[0], stake, award[1])
    wins_since = data.draw(st.integers(int(payment.whole_meter), 3))
    later = data.draw(met(meter.whole_meter_wins + wins_since, meter.reversed_wins))
    lower, borne = reverse_contribution(later, moved)
    assert later.amount + later.reserve - lower.amount - lower.reserve + borne == (
        moved.to_meter + moved.to_reserve
    )
    assert borne >= 0
    back, missing = reverse_payment(later, payment)
    standing = {*range(payment.wins_before + 1, later.whole_meter_wins)} - {*later.reversed_wins}
    start_goes = payment.whole_meter and not standing
    returned = (payment.from_meter + payment.meter_to_tray) * CENT
    assert back.amount - later.amount == returned - (payment.reset_units - missing if start_goes else 0)
    assert back.reserve - later.reserve == (payment.reserve_units if start_goes else 0)
    assert missing >= 0
    assert (back.whole_meter_wins, back.reversed_wins) == (
        later.whole_meter_wins,
        (*later.reversed_wins, payment.wins_before) if payment.whole_meter else later.reversed_wins,
    )


Moved = Contribution | Payment
WHOLE = Odds("100% of meter")


def played(meter: Meter, happens: list[int], shares: tuple[Fraction, Fraction]) -> tuple[Meter, list[Moved]]:
    """Let stakes come in, and the whole meter be won where a stake is 0."""
    moved: list[Moved] = []
    for stake in happens:
        each: Moved
        meter, each = (
            contribute(meter, stake, *shares) if stake else pay_meter_award(meter, WHOLE, 100, "meter")
        )
        moved.append(each)
    return meter, moved


HAPPENS = st.lists(st.sampled_from((0, 0, 100, 500)), max_size=6)


def take_back(meter: Meter, each: Moved) -> tuple[Meter, int]:
    """Take back a stake or a win."""
    if isinstance(each, Payment):
        return reverse_payment(meter, each)
    return reverse_contribution(meter, each)


@given(st.data(), METERS, HAPPENS, SHARES)
def test_stakes_go_back_once_in_any_order_after_wins_were_taken_back_the_last_first(
    data: st.DataObject, meter: Meter, happens: list[int], shares: tuple[Fraction, Fraction]
) -> None:
    after, moved = played(meter, happens, shares)
    wins = [each for each in moved if isinstance(each, Payment)]
    stakes = [each for each in moved if not isinstance(each, Payment)]
    order: list[Moved] = [*reversed(wins), *data.draw(st.permutations(stakes))]
    for each in order:
        after, borne = take_back(after, each)
        assert borne == 0
    assert (after.amount, after.reserve, after.reset_amount) == (
        meter.amount,
        meter.reserve,
        meter.reset_amount,
    )
    assert (after.whole_meter_wins, {*after.reversed_wins}) == (
        meter.whole_meter_wins + len(wins),
        {*meter.reversed_wins, *(win.wins_before for win in wins)},
    )


@given(st.data(), METERS, HAPPENS, SHARES)
def test_whatever_is_taken_back_in_whichever_order_the_house_loses_only_what_it_bears_and_starts_that_stay(
    data: st.DataObject, meter: Meter, happens: list[int], shares: tuple[Fraction, Fraction]
) -> None:
    after, moved = played(meter, happens, shares)
    lost = 0
    for each in data.draw(st.permutations(moved)):
        stays = isinstance(each, Payment) and after.won_since(each.wins_before + 1)
        after, borne = take_back(after, each)
        lost += borne
        if isinstance(each, Payment) and stays:
            lost += each.reset_units - each.reserve_units
    assert after.amount + after.reserve == meter.amount + meter.reserve + lost

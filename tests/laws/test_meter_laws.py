"""What holds of every meter: each unit can be followed, and nothing falls below zero."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fourcard.meter import Meter, contribute, pay, price, reverse_contribution, reverse_payment
from fourcard.money import Odds
from fourcard.rules.rulebook import AwardSource

CENT = 10_000
SOURCES: tuple[AwardSource, ...] = ("tray", "meter")
NEVER = ("100% of meter", "tray")
METERS = st.builds(
    Meter,
    amount=st.integers(0, 10**6) | st.integers(0, 10**12),
    reserve=st.integers(0, 10**9),
    seed=st.integers(0, 10**7),
    taken=st.integers(0, 3),
)
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
    after, payment = pay(meter, award[0], stake, award[1])
    given_up = (payment.from_meter + payment.meter_to_tray) * CENT
    assert after.amount == meter.amount - given_up + payment.seeded
    assert after.reserve == meter.reserve - payment.from_reserve
    assert given_up <= meter.amount
    assert payment.amount == price(meter, award[0], stake)
    assert payment.shortfall <= payment.from_tray
    assert after.taken == meter.taken + payment.whole
    assert reverse_payment(after, payment) == (meter, 0)


@given(METERS, METERS, STAKES, AWARDS, SHARES)
def test_taking_back_from_any_later_meter_conserves_every_unit(
    meter: Meter,
    later: Meter,
    stake: int,
    award: tuple[Odds, AwardSource],
    shares: tuple[Fraction, Fraction],
) -> None:
    _, moved = contribute(meter, stake, *shares)
    lower, borne = reverse_contribution(later, moved)
    assert later.amount + later.reserve - lower.amount - lower.reserve + borne == (
        moved.to_meter + moved.to_reserve
    )
    assert borne >= 0
    _, payment = pay(meter, award[0], stake, award[1])
    back, missing = reverse_payment(later, payment)
    undone = payment.whole and later.taken == payment.taken + 1
    returned = (payment.from_meter + payment.meter_to_tray) * CENT
    assert back.amount - later.amount == returned - (payment.seeded - missing if undone else 0)
    assert back.reserve - later.reserve == (payment.from_reserve if undone else 0)
    assert missing >= 0

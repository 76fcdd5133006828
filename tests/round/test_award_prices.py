"""The price of an award: its amount, where it comes from, and what the meter shows afterwards."""

import pytest
from msgspec.structs import replace

from fourcard.meter import Payment
from fourcard.money import Odds, dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError
from fourcard.round.commands import PayAward
from fourcard.round.events import AwardAwaited, AwardPaid
from fourcard.table.decide import decide
from fourcard.table.table_driver import Table
from tests.kit.awards import ACES, AWARD, awaiting, finished, maryland, settling, told
from tests.kit.deals import laid
from tests.kit.support import game
from tests.kit.tables import bet, current_round, refused, stack, until


@pytest.mark.clause("MD-12D1c", "MD-12D4")
@pytest.mark.parametrize(
    ("payment", "before", "sentence"),
    [
        (Payment(from_meter=100011), 1000125, "The award must be $1,000.12, not $1,000.11."),
        (Payment(from_meter=100013), 1000125, "The award must be $1,000.12, not $1,000.13."),
        (Payment(from_meter=100012), 1000135, "The award must be $1,000.13, not $1,000.12."),
        (
            Payment(from_meter=100112, from_tray=-100),
            1000125,
            "The award must be in no part below $0, not -$1.",
        ),
        (
            Payment(from_meter=-1, from_tray=100013),
            1000125,
            "The award must be in no part below $0, not -$0.01.",
        ),
        (Payment(), -200, "The award must be in no part below $0, not -$2."),
    ],
)
def test_an_award_is_refused_at_another_price(payment: Payment, before: int, sentence: str) -> None:
    at = maryland()
    right = awaiting(at)
    wrong = replace(right, payment=payment, before=before)
    assert told(refused(at, wrong)) == ("award_unfit", sentence, AWARD)


@pytest.mark.clause("MD-11D10di", "R60")
def test_a_part_of_the_meter_may_come_out_of_the_tray_and_the_whole_may_not() -> None:
    at = maryland(settings__part_share_from="tray")
    part = awaiting(at)
    assert part.payment == Payment(from_tray=100012, meter_to_tray=100012)
    paid = at.do(part)[0]
    assert isinstance(paid, AwardPaid)
    assert paid.documented
    assert current_round(at).undocumented_positions == ()
    whole = awaiting(at)
    from_tray = replace(whole, payment=Payment(from_meter=900112, from_tray=1))
    assert told(refused(at, from_tray)) == (
        "whole_meter_from_tray",
        Code.WHOLE_METER_FROM_TRAY.sentence,
        AWARD,
    )


@pytest.mark.clause("MD-12D1c", "MD-12D4")
def test_a_price_says_whether_it_was_the_whole_meter() -> None:
    at = maryland()
    part = awaiting(at)
    all_of_it = replace(part, payment=replace(part.payment, whole_meter=True))
    sentence = "The award must be a part of the meter, not $1,000.12."
    assert told(refused(at, all_of_it)) == ("award_unfit", sentence, AWARD)
    at.do(part)
    whole = awaiting(at)
    not_all = replace(whole, payment=replace(whole.payment, whole_meter=False))
    sentence = "The award must be the whole meter, not $9,001.13."
    assert told(refused(at, not_all)) == ("award_unfit", sentence, AWARD)


@pytest.mark.clause("R60")
def test_the_meter_makes_the_tray_whole_that_paid_a_part_of_it() -> None:
    at = maryland(settings__part_share_from="tray")
    at.do(awaiting(at))
    state = current_round(at)
    assert (state.net_changes[2], state.tray_change, state.meter_change) == (183912, -239000, -100012)


@pytest.mark.clause("MD-11D10di", "R59")
def test_an_award_of_just_the_stake_out_of_the_meter_is_not_the_whole_meter() -> None:
    made = game("maryland-everything", progressive__fixed_awards="meter")
    printed = made.tables["progressive"]
    even = replace(printed, pays={**printed.pays, "four_of_a_kind": Odds("1 for 1")})
    at = Table(replace(made, tables={**made.tables, "progressive": even}))
    at.seat(1, "p1")
    at.begin()
    laid(at, stack(at.game, {1: ACES}, (1,)))
    bet(at, {"ante": 2500, "progressive": 500})
    until(at, "settling")
    price = awaiting(at)
    assert price.payment == Payment(from_meter=500)
    assert isinstance(at.do(price)[0], AwardPaid)


PART = "$1,000.12 from the meter"


@pytest.mark.clause("MD-11D10di", "MD-12D1c")
@pytest.mark.parametrize(
    ("payment", "sentence"),
    [
        (
            Payment(from_meter=1, from_tray=100011),
            f"{PART}, not $0.01 from the meter, $1,000.11 from the tray",
        ),
        (
            Payment(from_tray=100012, meter_to_tray=100012),
            f"{PART}, not $1,000.12 from the tray, $1,000.12 from the meter to the tray",
        ),
        (
            Payment(from_meter=100012, meter_to_tray=400000),
            f"{PART}, not $1,000.12 from the meter, $4,000 from the meter to the tray",
        ),
        (Payment(from_meter=100012, reset_units=10**6), f"{PART}, not {PART}, $1 to reseed the meter"),
        (Payment(from_meter=100012, shortfall=5), f"{PART}, not {PART}, $0.05 short"),
        (Payment(from_meter=100012, meter_to_tray=-1), "in no part below $0, not -$0.01"),
        (Payment(from_meter=100012, reset_units=-1), "in no part below $0, not -$0.01"),
    ],
)
def test_an_award_comes_from_where_it_must_and_leaves_what_it_must(payment: Payment, sentence: str) -> None:
    at = maryland()
    right = awaiting(at)
    assert told(refused(at, replace(right, payment=payment)))[1] == f"The award must be {sentence}."


@pytest.mark.clause("MD-12D4", "MD-12D1c")
def test_what_the_meter_shows_afterwards_is_what_the_award_left_or_put_in() -> None:
    at = maryland()
    part = awaiting(at)
    for after in (900112, 900114):
        sentence = f"followed by $9,001.13 on the meter, not followed by {dollars(after)} on the meter."
        assert told(refused(at, replace(part, after=after)))[1] == f"The award must be {sentence}"
    assert refused(at, replace(part, after=-1)).message.startswith("The award must be in no part below $0")
    at.do(part)
    whole = awaiting(at)
    for after, right in ((1000024, False), (1000025, True), (1000026, True), (1000027, False)):
        outcome = decide(at.state, replace(whole, after=after))
        assert isinstance(outcome, Refusal) is not right
    less_than_the_reserve = replace(whole.payment, reset_units=200_000)
    assert "seeded at $0 or more" in refused(at, replace(whole, payment=less_than_the_reserve)).message
    no_more_than_the_reserve = replace(whole.payment, reset_units=whole.payment.reserve_units)
    only_reserve = replace(whole, payment=no_more_than_the_reserve, after=25)
    assert not isinstance(decide(at.state, only_reserve), Refusal)


def test_a_table_pays_what_its_own_meter_gives_and_nothing_else() -> None:
    at = maryland()
    at.do(awaiting(at))
    whole = awaiting(at)
    larger = replace(whole.payment, reset_units=whole.payment.reset_units + 10**10)
    strange = replace(whole, payment=larger, after=whole.after + 10**6)
    empty = replace(whole, payment=replace(whole.payment, from_meter=0), before=0)
    for command in (strange, empty):
        assert not isinstance(decide(at.state, command), Refusal)
        refusal = at.may(command)
        assert refusal is not None
        assert refusal.name == "award_unfit"
        assert f"at a meter of {dollars(whole.before)} that then shows" in refusal.message
        with pytest.raises(RefusedError):
            at.do(command)
    assert at.may(whole) is None


THREES = "9s 9h 9d Kc 2h"
FIXED = 900
"""What three of a kind pays for $1 by the manufacturer's paytable 1."""


def fixed() -> Table:
    """Return a table where a fixed award out of the tray is due."""
    wagers = {"ante": 2500, "progressive": 100}
    return settling("shuffle-master-everything", {1: THREES}, wagers, settings__confirm="every_win")


@pytest.mark.part("R61")
def test_a_fixed_award_waits_to_be_confirmed_and_then_comes_out_of_the_tray() -> None:
    at = fixed()
    award = awaiting(at)
    shown = at.local_meter.meter.whole_cents
    assert award == PayAward(position=1, payment=Payment(from_tray=FIXED), before=shown, after=shown)
    state = current_round(at)
    paid = at.do(award)[0]
    assert isinstance(paid, AwardPaid)
    assert [(s.wager, s.action, s.amount, s.source) for s in paid.steps] == [
        ("progressive", "pay", FIXED, "tray")
    ]
    assert paid.documented
    after = current_round(at)
    assert (after.net_changes[1] - state.net_changes[1], after.tray_change - state.tray_change) == (
        FIXED,
        -FIXED,
    )
    assert (after.meter_change, at.local_meter.meter.whole_cents, after.undocumented_positions) == (
        state.meter_change,
        shown,
        (),
    )


@pytest.mark.clause("SM-PROG-3-P1", "SM-PROG-9b")
@pytest.mark.parametrize(
    ("payment", "sentence"),
    [
        (Payment(from_tray=FIXED - 1), "$9 from the tray, not $8.99 from the tray"),
        (Payment(from_tray=FIXED + 1), "$9 from the tray, not $9.01 from the tray"),
        (Payment(from_meter=FIXED), "$9 from the tray, not $9 from the meter"),
        (Payment(), "$9 from the tray, not nothing"),
        (
            Payment(from_tray=FIXED, meter_to_tray=FIXED),
            "$9 from the tray, not $9 from the tray, $9 from the meter to the tray",
        ),
        (Payment(from_tray=FIXED, shortfall=1), "$9 from the tray, not $9 from the tray, $0.01 short"),
        (Payment(from_tray=FIXED, wins_before=-1), "in no part below $0, not -$0.01"),
        (Payment(from_tray=-1), "in no part below $0, not -$0.01"),
    ],
)
def test_a_fixed_award_is_refused_in_other_parts(payment: Payment, sentence: str) -> None:
    at = fixed()
    award = awaiting(at)
    refusal = refused(at, replace(award, payment=payment))
    assert (refusal.name, refusal.message) == ("award_unfit", f"The award must be {sentence}.")


@pytest.mark.clause("SM-PROG-3-P1", "SM-PROG-9b")
def test_a_fixed_award_out_of_the_tray_leaves_the_meter_as_it_is() -> None:
    at = fixed()
    award = awaiting(at)
    shown = dollars(award.before)
    for after in (award.before - 1, award.before + 1):
        sentence = f"followed by {shown} on the meter, not followed by {dollars(after)} on the meter"
        assert refused(at, replace(award, after=after)).message == f"The award must be {sentence}."
    below = replace(award, before=-1, after=-1)
    assert refused(at, below).message == "The award must be in no part below $0, not -$0.01."


@pytest.mark.part("R61")
def test_where_only_awards_of_the_meter_are_confirmed_a_fixed_one_is_paid_at_once() -> None:
    at = settling(
        "shuffle-master-everything",
        {1: THREES},
        {"ante": 2500, "progressive": 100},
    )
    over = finished(at)
    assert not [event for event in at.events if isinstance(event, AwardAwaited | AwardPaid)]
    assert over.net_changes == finished(fixed()).net_changes

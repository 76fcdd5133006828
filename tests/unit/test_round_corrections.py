"""Payments that were handed over wrongly: what is corrected, by whom and when."""

import pytest
from msgspec.structs import replace

from fourcard.refusals import Code
from fourcard.round.commands import ActorRole, CorrectPayment
from fourcard.round.decide import decide as decide_round
from fourcard.round.events import (
    PaymentCorrected,
)
from fourcard.table.session import Table
from tests.awards import awaiting, finished, maryland, told
from tests.table import bet, finish, refused, table, under_way


def correction(handed: int, **changes: object) -> CorrectPayment:
    """Return the correction of an Ante's payment at position 2."""
    right = CorrectPayment(
        position=2, wager="ante", handed=handed, reason="one chip too many", role="supervisor", by="Ada"
    )
    return replace(right, **changes)


def paid_up() -> Table:
    """Return a table where the Ante of position 2 has been paid, and the other one not."""
    at = maryland()
    awaiting(at)
    return at


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (
            correction(2600, position=1),
            ("payment_absent", "Nothing has been settled on the Ante wager of position 1.", ()),
        ),
        (
            correction(2600, wager="bad_beat"),
            ("payment_absent", "Nothing has been settled on the Bad Beat Bonus wager of position 2.", ()),
        ),
        (
            correction(2500),
            ("payment_right", Code.PAYMENT_RIGHT.sentence.format(amount="$25"), ()),
        ),
        (correction(-1), ("award_unfit", "The award must be $25, not -$0.01.", ())),
        (correction(2600, reason=" "), ("reason_missing", Code.REASON_MISSING.sentence, ())),
        (
            correction(2600, role="floorperson"),
            ("not_your_duty", "'correct a payment' is for the supervisor, not for the floorperson.", ()),
        ),
    ],
)
def test_a_correction_is_refused(command: CorrectPayment, refusal: tuple[str, str, tuple[str, ...]]) -> None:
    assert told(refused(paid_up(), command)) == refusal


@pytest.mark.parametrize("role", ["supervisor", "casino-supervisor", "executive"])
@pytest.mark.parametrize("handed", [0, 1, 2499, 2501])
def test_a_correction_records_what_was_due_and_what_was_handed_over(handed: int, role: ActorRole) -> None:
    at = paid_up()
    before = under_way(at)
    events = at.do(correction(handed, role=role))
    assert events == [PaymentCorrected(2, "ante", 2500, handed, "one chip too many", "Ada")]
    assert under_way(at) == before


def test_a_payment_is_corrected_while_the_round_is_settled_or_over_and_not_before() -> None:
    at = table("maryland-everything")
    assert told(refused(at, correction(2600))) == (
        "not_now",
        Code.NOT_NOW.sentence.format(what="correct payment", phase="open for wagers"),
        (),
    )
    over = finished(maryland())
    assert decide_round(over, correction(2600)) == [
        PaymentCorrected(2, "ante", 2500, 2600, "one chip too many", "Ada")
    ]


def test_a_lost_wager_that_was_paid_by_mistake_is_corrected() -> None:
    at = table("maryland", (1,), seed=3)
    bet(at, {"ante": 2500})
    finish(at, 0)
    right = correction(2500, position=1)
    assert at.do(right) == [PaymentCorrected(1, "ante", 0, 2500, "one chip too many", "Ada")]
    assert refused(at, replace(right, handed=0)).name == "payment_right"
    assert refused(at, replace(right, handed=10**12 + 1)).name == "award_unfit"

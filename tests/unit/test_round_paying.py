"""Awards of the meter, documents and corrections: what is refused and in which words, and what moves."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from fourcard.meter import Payment
from fourcard.refusals import Refusal
from fourcard.round.commands import ActorRole, CompleteDocument, CorrectPayment, PayAward, Perform
from fourcard.round.decide import decide as decide_round
from fourcard.round.events import (
    ActPerformed,
    AwardAwaited,
    AwardPaid,
    DocumentCompleted,
    PaymentCorrected,
    RoundEnded,
    WagersSettled,
)
from fourcard.round.state import RoundState
from fourcard.rules.nodes import WagerName
from fourcard.table.session import Table
from tests.support import game
from tests.table import bet, refused, stack, table, under_way, until

ROYAL, STRAIGHT_FLUSH, ACES = "Ts Js Qs Ks As", "9h Th Jh Qh Kh", "As Ah Ad Ac 2c"
AWARD = ("MD-12D1c", "R8", "MD-11D9", "MD-12D4")
MARYLAND: dict[WagerName, int] = {"ante": 2500, "aces_up": 500, "six_card": 100, "progressive": 500}


def settling(
    name: str, hands: Mapping[int, str], wagers: Mapping[WagerName, int], **changes: object
) -> Table:
    """Return a table where everybody has these wagers and has decided to play."""
    made = game(name, **changes)
    at = Table(made, lambda: stack(made, hands, hands))
    for position in hands:
        at.seat(position, f"p{position}")
    at.begin()
    bet(at, wagers)
    until(at, "settling")
    return at


def awaiting(at: Table) -> PayAward:
    """Let the dealer go on until an award waits for its price, and return the right price."""
    while under_way(at).awaiting is None:
        act = at.next_act()
        assert act is not None
        at.do(act)
    price = at.next_act()
    assert isinstance(price, PayAward)
    return price


def maryland() -> Table:
    """Return a table of $10,001.25 where a straight flush has a tenth and a royal flush then the rest."""
    return settling("maryland-everything", {1: ROYAL, 2: STRAIGHT_FLUSH}, MARYLAND)


def finished(at: Table) -> RoundState:
    """Let the dealer settle everything, and return the round."""
    at.finish(lambda _spot: 1)
    assert at.state.finished is not None
    return at.state.finished


def told(refusal: object) -> tuple[str, str, tuple[str, ...]]:
    """Return a refusal as its name, its sentence and its clauses."""
    assert isinstance(refusal, Refusal), refusal
    return refusal.name, refusal.message, refusal.clauses


def test_awards_come_out_of_the_meter_one_after_the_other_and_stakes_into_the_tray() -> None:
    at = maryland()
    first = awaiting(at)
    assert first == PayAward(position=2, payment=Payment(from_meter=100012), before=1000125, after=900113)
    state = under_way(at)
    assert (state.pockets, state.tray, state.meter, state.due) == (
        {1: -6100, 2: 83900},
        -89000,
        0,
        6,
    )
    paid, act = at.do(first)
    assert isinstance(paid, AwardPaid)
    assert (paid.position, paid.payment, paid.before, paid.after, paid.documented) == (
        2,
        Payment(from_meter=100012),
        1000125,
        900113,
        False,
    )
    assert [(s.wager, s.action, s.amount, s.source) for s in paid.steps] == [
        ("progressive", "pay", 100012, "meter")
    ]
    assert isinstance(act, ActPerformed)
    assert (act.act, act.position, act.steps) == ("settle", 2, ())
    state = under_way(at)
    assert (state.pockets[2], state.tray, state.meter) == (183912, -89000, -100012)
    assert (state.due, state.awaiting, state.undocumented) == (0, None, (2,))
    second = awaiting(at)
    assert second == PayAward(
        position=1,
        payment=Payment(from_meter=900113, whole=True, seeded=10_000_250_000, from_reserve=250_000),
        before=900113,
        after=1000025,
    )
    over = finished(at)
    assert (over.pockets, over.tray, over.meter) == ({1: 1219613, 2: 689512}, -909000, -1000125)
    ended = next(event for event in at.events if isinstance(event, RoundEnded))
    assert ended.nets == ((1, 1219613), (2, 689512))
    assert over.undocumented == ()


def test_the_rest_of_an_act_follows_the_award_that_interrupted_it() -> None:
    order = ["progressive", "play", "ante", "automatic_bonus", "aces_up", "envy", "cover_all"]
    at = settling(
        "massachusetts-everything",
        {1: ACES},
        {"ante": 2500, "aces_up": 500, "progressive": 100},
        settlement__order=order,
    )
    price = awaiting(at)
    assert price == PayAward(
        position=1,
        payment=Payment(from_meter=500020, whole=True, seeded=5_000_050_000, from_reserve=50_000),
        before=500020,
        after=500005,
    )
    assert under_way(at).due == 0
    paid, act = at.do(price)
    assert isinstance(paid, AwardPaid)
    assert isinstance(act, ActPerformed)
    assert [(step.wager, step.amount) for step in act.steps] == [
        ("play", 2500),
        ("ante", 2500),
        ("automatic_bonus", 62500),
        ("aces_up", 30000),
    ]
    over = finished(at)
    assert (over.pockets, over.tray, over.meter) == ({1: 597420}, -97400, -500020)


def test_an_award_that_comes_after_others_interrupts_the_act_where_it_stands() -> None:
    at = maryland()
    awaiting(at)
    *_, moved, awaited = at.events
    assert isinstance(moved, WagersSettled)
    assert [(step.wager, step.action, step.amount) for step in moved.steps] == [
        ("ante", "pay", 2500),
        ("play", "pay", 2500),
        ("automatic_bonus", "pay", 50000),
        ("aces_up", "pay", 15000),
        ("six_card", "pay", 20000),
        ("progressive", "take", 500),
    ]
    assert isinstance(awaited, AwardAwaited)
    assert (awaited.step.position, awaited.step.wager, awaited.step.amount) == (2, "progressive", 0)


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


def test_a_part_of_the_meter_may_come_out_of_the_tray_and_the_whole_may_not() -> None:
    at = maryland()
    part = replace(awaiting(at), payment=Payment(from_tray=100012, meter_to_tray=100012))
    paid = at.do(part)[0]
    assert isinstance(paid, AwardPaid)
    assert paid.documented
    assert under_way(at).undocumented == ()
    whole = awaiting(at)
    from_tray = replace(whole, payment=Payment(from_meter=900112, from_tray=1))
    assert told(refused(at, from_tray)) == (
        "whole_meter_from_tray",
        "The whole meter may not be paid from the tray.",
        AWARD,
    )


def test_a_price_says_whether_it_was_the_whole_meter() -> None:
    at = maryland()
    part = awaiting(at)
    all_of_it = replace(part, payment=replace(part.payment, whole=True))
    sentence = "The award must be a part of the meter, not $1,000.12."
    assert told(refused(at, all_of_it)) == ("award_unfit", sentence, AWARD)
    at.do(part)
    whole = awaiting(at)
    not_all = replace(whole, payment=replace(whole.payment, whole=False))
    sentence = "The award must be the whole meter, not $9,001.13."
    assert told(refused(at, not_all)) == ("award_unfit", sentence, AWARD)


def test_the_meter_makes_the_tray_whole_that_paid_a_part_of_it() -> None:
    at = maryland()
    part = replace(awaiting(at), payment=Payment(from_tray=100012, meter_to_tray=100012))
    at.do(part)
    state = under_way(at)
    assert (state.pockets[2], state.tray, state.meter) == (183912, -89000, -100012)


def test_a_single_cent_of_the_meter_keeps_the_cards_until_it_is_documented() -> None:
    at = maryland()
    cent = replace(awaiting(at), payment=Payment(from_meter=1, from_tray=100011))
    assert at.may(cent) is None
    at.do(cent)
    assert under_way(at).undocumented == (2,)


def test_an_award_is_paid_by_the_dealer_and_only_where_one_waits() -> None:
    at = maryland()
    early = PayAward(position=2, payment=Payment(from_meter=100012), before=1000125, after=900113)
    assert told(refused(at, early)) == (
        "no_award_awaited",
        "No award of the meter waits to be paid at position 2.",
        (),
    )
    right = awaiting(at)
    assert told(refused(at, replace(right, position=1))) == (
        "no_award_awaited",
        "No award of the meter waits to be paid at position 1.",
        (),
    )
    assert told(refused(at, replace(right, role="supervisor"))) == (
        "not_your_duty",
        "'pay award' is for the dealer, not for the supervisor.",
        ("MD-11A2",),
    )
    assert told(refused(at, Perform(step="rack_hand", position=2))) == (
        "award_awaited",
        "The award of position 2 must be paid first.",
        AWARD,
    )


def test_the_cards_of_a_payout_stay_until_the_floor_documents_it() -> None:
    at = maryland()
    at.do(awaiting(at))
    rack = Perform(step="rack_hand", position=2)
    assert told(refused(at, rack)) == (
        "document_incomplete",
        "The cards of position 2 stay until the payout is documented.",
        ("MD-11D10dii",),
    )
    assert told(refused(at, CompleteDocument(position=2))) == (
        "not_your_duty",
        "'complete the document' is for the floorperson or above, not for the dealer.",
        ("MD-11D10c",),
    )
    assert told(refused(at, CompleteDocument(position=1, role="supervisor"))) == (
        "document_unasked",
        "Nothing of position 1 waits to be documented.",
        ("MD-11D10dii",),
    )
    assert at.do(CompleteDocument(position=2, role="floorperson")) == [DocumentCompleted(2)]
    assert under_way(at).undocumented == ()
    assert at.may(rack) is None


def test_a_document_is_the_supervisors_where_nothing_else_is_said() -> None:
    at = settling("massachusetts-everything", {1: ACES}, {"ante": 2500, "progressive": 100})
    at.do(awaiting(at))
    assert told(refused(at, CompleteDocument(position=1, role="floorperson"))) == (
        "not_your_duty",
        "'complete the document' is for the supervisor, not for the floorperson.",
        (),
    )


def test_no_document_is_asked_for_where_there_is_no_progressive() -> None:
    at = table("catfish-bend")
    assert told(refused(at, CompleteDocument(position=1, role="executive"))) == (
        "document_unasked",
        "Nothing of position 1 waits to be documented.",
        (),
    )


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
            ("payment_absent", "Nothing was paid on the Ante wager of position 1.", ()),
        ),
        (
            correction(2600, wager="bad_beat"),
            ("payment_absent", "Nothing was paid on the Bad Beat Bonus wager of position 2.", ()),
        ),
        (
            correction(2500),
            ("payment_right", "$25 is what was due, so that there is nothing to correct.", ()),
        ),
        (correction(-1), ("award_unfit", "The award must be $25, not -$0.01.", ())),
        (correction(2600, reason=" "), ("reason_missing", "A correction needs its reason.", ())),
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
        "'correct payment' cannot be while the round is open for wagers.",
        (),
    )
    over = finished(maryland())
    assert decide_round(over, correction(2600)) == [
        PaymentCorrected(2, "ante", 2500, 2600, "one chip too many", "Ada")
    ]

"""Awards of the meter, their documents, and corrected payments."""

import pytest
from msgspec.structs import replace

from fourcard.meter import Payment
from fourcard.refusal_codes import Code
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
from fourcard.table.table_driver import Table
from tests.kit.awards import ACES, AWARD, awaiting, finished, maryland, settling, told
from tests.kit.tables import bet, current_round, finish, refused, table


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
        pytest.param(
            correction(2600, wager="progressive"),
            ("award_awaited", Code.AWARD_AWAITED.sentence.format(position="2"), AWARD),
            marks=pytest.mark.clause("MD-12D1c", "MD-12D4"),
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
@pytest.mark.parametrize("handed", [0, 1, 2499, 2501, 10**12])
def test_a_correction_records_what_was_due_and_what_was_handed_over(handed: int, role: ActorRole) -> None:
    at = paid_up()
    before = current_round(at)
    events = at.do(correction(handed, role=role))
    assert events == [PaymentCorrected(2, "ante", 2500, handed, "one chip too many", "Ada")]
    assert current_round(at) == before


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


@pytest.mark.clause("MD-12D4", "R58")
def test_awards_come_out_of_the_meter_one_after_the_other_and_stakes_into_the_tray() -> None:
    at = maryland()
    first = awaiting(at)
    assert first == PayAward(position=2, payment=Payment(from_meter=100012), before=1000125, after=900113)
    state = current_round(at)
    assert (state.net_changes, state.tray_change, state.meter_change, state.settled_in_turn) == (
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
    assert (act.act, act.position) == ("settle", 2)
    assert [(s.position, s.wager, s.amount, s.holder) for s in act.steps] == [(1, "envy", 150000, 2)]
    state = current_round(at)
    assert (state.net_changes[2], state.tray_change, state.meter_change) == (183912, -239000, -100012)
    assert (state.settled_in_turn, state.awaited_step, state.undocumented_positions) == (0, None, (2,))
    second = awaiting(at)
    assert second == PayAward(
        position=1,
        payment=Payment(
            from_meter=900113, whole_meter=True, reset_units=10_000_250_000, reserve_units=250_000
        ),
        before=900113,
        after=1000025,
    )
    over = finished(at)
    assert (over.net_changes, over.tray_change, over.meter_change) == (
        {1: 1219613, 2: 689512},
        -909000,
        -1000125,
    )
    ended = next(event for event in at.events if isinstance(event, RoundEnded))
    assert ended.nets == ((1, 1219613), (2, 689512))
    assert over.undocumented_positions == ()


@pytest.mark.clause("MA-13a4", "R58")
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
        payment=Payment(from_meter=500020, whole_meter=True, reset_units=5_000_050_000, reserve_units=50_000),
        before=500020,
        after=500005,
    )
    assert current_round(at).settled_in_turn == 0
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
    assert (over.net_changes, over.tray_change, over.meter_change) == ({1: 597420}, -97400, -500020)


@pytest.mark.clause("R58")
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


@pytest.mark.clause("MD-11A2", "MD-12D4")
def test_an_award_is_paid_by_the_dealer_and_only_where_one_waits() -> None:
    at = maryland()
    early = PayAward(position=2, payment=Payment(from_meter=100012), before=1000125, after=900113)
    assert told(refused(at, early)) == (
        "no_award_awaited",
        Code.NO_AWARD_AWAITED.sentence.format(position="2"),
        (),
    )
    right = awaiting(at)
    assert told(refused(at, replace(right, position=1))) == (
        "no_award_awaited",
        Code.NO_AWARD_AWAITED.sentence.format(position="1"),
        (),
    )
    assert told(refused(at, replace(right, role="supervisor"))) == (
        "not_your_duty",
        "'pay award' is for the dealer, not for the supervisor.",
        ("MD-11A2",),
    )
    assert told(refused(at, Perform(step="rack_hand", position=2))) == (
        "award_awaited",
        Code.AWARD_AWAITED.sentence.format(position="2"),
        AWARD,
    )


@pytest.mark.clause("MD-11D10dii", "MD-11D10c")
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
        Code.DOCUMENT_UNASKED.sentence.format(position="1"),
        ("MD-11D10dii",),
    )
    assert at.do(CompleteDocument(position=2, role="floorperson")) == [DocumentCompleted(2)]
    assert current_round(at).undocumented_positions == ()
    assert at.may(rack) is None


@pytest.mark.parametrize(
    ("example", "too_low", "who", "least", "clauses"),
    [
        ("massachusetts-everything", "dealer", "floorperson or above", "floorperson", ("P29",)),
        ("shuffle-master-everything", "floorperson", "supervisor", "supervisor", ("SM-PROG-9d",)),
    ],
)
def test_a_document_is_for_whom_the_rulebook_names(
    example: str, too_low: ActorRole, who: str, least: ActorRole, clauses: tuple[str, ...]
) -> None:
    at = settling(example, {1: ACES}, {"ante": 2500, "progressive": 100})
    at.do(awaiting(at))
    assert told(refused(at, CompleteDocument(position=1, role=too_low))) == (
        "not_your_duty",
        f"'complete the document' is for the {who}, not for the {too_low}.",
        clauses,
    )
    assert at.do(CompleteDocument(position=1, role=least)) == [DocumentCompleted(1)]


def test_a_document_is_the_supervisors_where_nothing_else_is_said() -> None:
    assert told(refused(table("catfish-bend"), CompleteDocument(position=1, role="floorperson"))) == (
        "not_your_duty",
        "'complete the document' is for the supervisor, not for the floorperson.",
        (),
    )


def test_no_document_is_asked_for_where_there_is_no_progressive() -> None:
    at = table("catfish-bend")
    assert told(refused(at, CompleteDocument(position=1, role="executive"))) == (
        "document_unasked",
        Code.DOCUMENT_UNASKED.sentence.format(position="1"),
        (),
    )

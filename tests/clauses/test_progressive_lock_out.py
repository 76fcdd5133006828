"""Before the first card the progressive is locked and its chips are taken; after a meter award cards stay."""

from typing import Any

import pytest

from fourcard.round.commands import CompleteDocument, Deal, Perform, PlaceWager, Play, WithdrawWager
from fourcard.round.events import (
    AwardPaid,
    BetsClosed,
    CardsDealt,
    ChipsDiffered,
    DocumentCompleted,
    ProgressiveLocked,
    StepDone,
)
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.view import Viewer
from fourcard.table.table_driver import Table
from fourcard.table.view import table_view
from tests.kit.deals import act, laid, table_with_hands
from tests.kit.support import by_clause, game, game_under
from tests.kit.tables import ANTE, bet, current_round, finish, refused, stack, table, table_of, until

MARYLAND = ("announce_no_more_bets", "lock_out", "collect_chips", "count_chips", "put_chips_in_tray")
KEYPAD = ("lock_out", "collect_chips")
NO_SIX_CARD: dict[str, Any] = {
    "wagers__six_card": None,
    "limits__posted__six_card": None,
    "dealing__dealer_first": None,
    "dealing__stack": None,
}
SHOE = {**NO_SIX_CARD, "dealing__method": "shoe"}
HAND = {**NO_SIX_CARD, "dealing__method": "hand"}
MANUAL: dict[str, Any] = {"dealing__method": "manual", "dealing__stack": None}
PADS: dict[str, Any] = {
    "progressive__console": "keypad",
    "progressive__components": {
        "Game Manager": "v6.6 Build 520",
        "Aquarius Controller": "v6.5.6SP",
        "Coin Spot": "v6.0",
        "ViPS": "v1.2.0",
    },
}


def with_chips(example: str, positions: tuple[int, ...] = (1, 3), **changes: Any) -> Table:
    """Return a table with Antes at three positions and progressive chips at some of them."""
    at = table(example, **changes)
    bet(at, ANTE)
    bet(at, {"progressive": 100}, positions)
    return at


def done(step: Any, count: int | None = None) -> Perform:
    """Return a step, with the right number of chips where it is their count."""
    return Perform(step=step, count=2 if step == "count_chips" and count is None else count)


ORDER = [
    ("maryland-everything", SHOE, MARYLAND, ("MD-08C.0", "MD-08C1", "MD-08C2a", "MD-08C2b", "MD-08C2c")),
    ("maryland-everything", HAND, MARYLAND, ("MD-09A3a", "MD-09A3b", "MD-09A4a", "MD-09A4b", "MD-09A4c")),
    ("maryland-everything", {}, MARYLAND, ("MD-10A2a", "MD-10A2b", "MD-10A3a", "MD-10A3b", "MD-10A3c")),
    ("shuffle-master-everything", {}, KEYPAD, ("SM-PROG-6.1", "SM-PROG-6.3")),
    ("washington-everything", PADS, KEYPAD, ("WA-PROG-5.1", "WA-PROG-5.3")),
    ("washington-everything", {**PADS, **MANUAL}, KEYPAD, ("WA-PROG-5.1", "WA-PROG-5.3")),
    ("washington-everything", {}, KEYPAD, ("WA-NEX-5.1", "WA-NEX-5.3")),
    ("washington-everything", MANUAL, KEYPAD, ("WA-NEX-5.1", "WA-NEX-5.3")),
]
ROWS = [
    pytest.param(clause, *row[:3], marks=pytest.mark.part(clause), id=f"{clause}-{number}")
    for number, row in enumerate(ORDER)
    for clause in row[3]
]


@pytest.mark.parametrize(("clause", "example", "changes", "steps"), ROWS)
def test_the_progressive_is_locked_and_its_chips_are_put_away_before_any_card(
    clause: str, example: str, changes: Any, steps: tuple[str, ...]
) -> None:
    at = with_chips(example, **changes)
    cited: list[str] = []
    for number, step in enumerate(steps):
        assert refused(at, Deal()).name == "out_of_order"
        for other in {*MARYLAND, *steps} - {step}:
            assert refused(at, done(other)).name == "out_of_order", (step, other)
        told = at.do(done(step))
        assert isinstance(told[0], StepDone)
        cited += told[0].clauses
        locked = [event for event in told if isinstance(event, ProgressiveLocked)]
        assert len(locked) == (step == "lock_out")
        assert current_round(at).locked_stakes == (
            ((1, 100), (3, 100)) if number >= steps.index("lock_out") else None
        )
    assert clause in cited
    assert current_round(at).tray_change == 200
    assert "progressive" not in current_round(at).positions[1].on_layout
    assert any(isinstance(event, CardsDealt) for event in at.do(Deal()))


@pytest.mark.parametrize(
    ("clause", "example", "changes"),
    [
        pytest.param(clause, row[0], row[1], marks=pytest.mark.part(clause), id=f"{clause}-{number}")
        for number, row in enumerate(ORDER)
        for clause in row[3]
        if clause in ("MD-08C1", "MD-09A3b", "MD-10A2b", "SM-PROG-6.1", "WA-PROG-5.1", "WA-NEX-5.1")
    ],
)
def test_no_wager_comes_in_or_goes_back_once_the_progressive_is_locked(
    clause: str, example: str, changes: Any
) -> None:
    at = with_chips(example, **changes)
    late = PlaceWager(position=2, wager="progressive", amount=100)
    back = WithdrawWager(position=1, wager="progressive")
    before = at.local_meter.meter.amount
    while current_round(at).locked_stakes is None:
        assert at.local_meter.meter.amount == before
        act(at)
    assert any(isinstance(event, ProgressiveLocked) for event in at.events), clause
    assert at.local_meter.meter.amount > before
    for command in (late, back, PlaceWager(position=2, wager="ante", amount=5_000)):
        assert refused(at, command).name == "betting_closed"
    finish(at)


SKIPPED = [
    ("maryland-everything", SHOE, ("announce_no_more_bets", "lock_out")),
    ("maryland-everything", HAND, ("announce_no_more_bets", "lock_out")),
    ("maryland-everything", {}, ("announce_no_more_bets", "lock_out")),
    ("shuffle-master-everything", {}, ("lock_out",)),
    ("washington-everything", {}, ("lock_out",)),
    ("maryland", {}, ("announce_no_more_bets",)),
    ("shuffle-master", {}, ()),
    ("washington", {}, ()),
]


@pytest.mark.parametrize(("example", "changes", "steps"), SKIPPED)
@pytest.mark.part("MD-08C2.0")
def test_chips_are_collected_where_some_lie_and_the_lock_is_for_a_progressive_that_is_offered(
    example: str, changes: Any, steps: tuple[str, ...]
) -> None:
    at = table(example, **changes)
    bet(at, ANTE)
    for step in steps:
        at.do(done(step))
    assert any(isinstance(event, CardsDealt) for event in at.do(Deal()))


# The chips are as many as the system accepted, or no card is dealt.

COUNTS = [(SHOE, ("MD-08C2b", "R65")), (HAND, ("MD-09A4b",)), ({}, ("MD-10A3b",))]


@pytest.mark.parametrize(
    ("clause", "changes"),
    [
        pytest.param(each, changes, marks=getattr(pytest.mark, "clause" if each == "R65" else "part")(each))
        for changes, clauses in COUNTS
        for each in clauses
    ],
)
@pytest.mark.parametrize("chips", [0, 1, 3])
def test_chips_that_differ_from_the_accepted_wagers_block_the_deal_and_call_the_floor(
    clause: str, changes: Any, chips: int
) -> None:
    at = with_chips("maryland-everything", **changes)
    for step in MARYLAND[:3]:
        at.do(done(step))
    for count in (None, -1):
        assert refused(at, Perform(step="count_chips", count=count)).name == "number_unfit"
    for role in ("dealer", "floorperson"):
        (differed,) = at.do(Perform(step="count_chips", count=chips, role=role))
        assert isinstance(differed, ChipsDiffered)
        assert (differed.chips, differed.accepted) == (chips, 2)
        assert {clause, "R65"} <= set(differed.clauses)
        blocked = refused(at, Deal())
        assert (blocked.name, {clause, "R65"} <= set(blocked.clauses)) == ("chips_differ", True)
        assert refused(at, done("put_chips_in_tray")).name == "out_of_order"
        assert refused(at, done("count_chips", 2)).name == "chips_differ"
    at.do(Perform(step="count_chips", count=2, role="floorperson"))
    at.do(done("put_chips_in_tray"))
    assert any(isinstance(event, CardsDealt) for event in at.do(Deal()))


# A chip that the system did not register is not a wager: players check that themselves.

ACES = {1: "As Ah Ad Ac 2c", 2: "Ks Qh 8c 7d 2d", 3: "9s 9h 3d 6c 2h", 0: "5s 5h Jd Tc 9c 4d"}
LUCKY: dict[str, Any] = {
    "wagers__progressive": "A",
    "progressive__envy": "A",
    "progressive__seed": "$5,000",
    "progressive__reset": "$5,000",
}


def _chip(position: int, *, accepted: bool) -> PlaceWager:
    return PlaceWager(position=position, wager="progressive", amount=100, accepted=accepted)


@pytest.mark.clause("MD-07E4b", "R99")
def test_a_chip_that_was_not_registered_goes_back_and_wins_nothing() -> None:
    at = table_with_hands("maryland-everything", ACES, **LUCKY)
    bet(at, ANTE)
    at.do(_chip(1, accepted=False))
    at.do(_chip(2, accepted=True))
    state = current_round(at)
    assert (state.positions[1].unregistered, "progressive" in state.positions[1].wagers) == (100, False)
    assert state.layout == 3 * 2_500 + 200
    meter = at.local_meter.meter.amount
    at.do(done("announce_no_more_bets"))
    told = at.do(done("lock_out"))
    assert told[-1] == ProgressiveLocked(((2, 100),), ((1, 100),), ("MD-07E4b", "R99"))
    assert at.local_meter.meter.amount - meter == 12_5000
    assert current_round(at).nets[1] == 0
    ended = finish(at)
    assert not any(isinstance(event, AwardPaid) for event in at.events)
    assert ended.nets[1] == 2_500 + 2_500 + 25 * 2_500


@pytest.mark.clause("MD-07E4b")
def test_who_sees_in_time_that_the_chip_did_not_register_lays_it_again() -> None:
    at = table_with_hands("maryland-everything", ACES, **LUCKY)
    bet(at, ANTE)
    at.do(_chip(1, accepted=False))
    at.do(_chip(1, accepted=True))
    assert (
        current_round(at).positions[1].unregistered,
        current_round(at).positions[1].on_layout["progressive"],
    ) == (
        0,
        100,
    )
    finish(at)
    (paid,) = [event for event in at.events if isinstance(event, AwardPaid)]
    assert (paid.position, paid.payment.amount) == (1, 500_012)


@pytest.mark.clause("R99")
@pytest.mark.parametrize(
    "example", ["massachusetts-everything", "shuffle-master-everything", "washington-everything"]
)
def test_elsewhere_too_a_chip_that_was_not_registered_goes_back(example: str) -> None:
    at = table(example)
    bet(at, ANTE)
    at.do(_chip(1, accepted=False))
    at.do(_chip(3, accepted=True))
    told = act(at)
    assert [type(each) for each in told] == [StepDone, BetsClosed, ProgressiveLocked]
    assert told[-1] == ProgressiveLocked(((3, 100),), ((1, 100),), ("R99",))
    assert current_round(at).nets[1] == 0
    at = table(example)
    bet(at, ANTE)
    at.do(_chip(3, accepted=True))
    assert act(at)[-1] == ProgressiveLocked(((3, 100),))
    plain = table(example.removesuffix("-everything"))
    bet(plain, ANTE)
    until(plain, "dealing")
    assert not any(isinstance(event, ProgressiveLocked) for event in plain.events)


# The regular deal is the house's own, once the progressive chips are in.


@pytest.mark.parametrize(
    ("clause", "example", "changes"),
    by_clause(
        ("SM-PROG-7", "shuffle-master-everything", {}),
        ("WA-PROG-6", "washington-everything", PADS),
        ("WA-NEX-6", "washington-everything", {}),
    ),
)
def test_the_deal_after_the_progressive_chips_is_the_regular_one(
    clause: str, example: str, changes: Any
) -> None:
    at, plain = with_chips(example, **changes), with_chips(example, positions=(), **changes)
    assert refused(at, Deal()).name == "out_of_order", clause
    at.do(done("lock_out"))
    assert refused(at, Deal()).name == "out_of_order"
    at.do(done("collect_chips"))
    plain.do(done("lock_out"))
    while current_round(plain).phase in ("betting", "dealing"):
        left, right = act(at), act(plain)
        assert [each for each in left if not isinstance(each, BetsClosed)] == right
    assert current_round(at).phase == "stub"
    recipients = [event.to for event in plain.events if isinstance(event, CardsDealt)]
    assert recipients == [1, 2, 3, 0, -1]


# The cards of a meter award stay on the table until the payout is documented.

ROYAL = {1: "As Ks Qs Js Ts", 2: "Kh Qh 8c 7d 2d", 3: "9s 9h 3d 6c 2h", 0: "5s 5h Jd Tc 9c 4d"}
DOCUMENTED = by_clause(
    ("MD-11D10dii", "maryland-everything", ROYAL, ("player", "dealer"), "floorperson"),
    ("P23", "massachusetts-everything", ACES, ("player", "dealer"), "floorperson"),
    ("P23", "shuffle-master-everything", ACES, ("player", "dealer", "floorperson"), "supervisor"),
    ("P23", "washington-everything", ACES, ("player", "dealer", "floorperson"), "supervisor"),
)


def _played(at: Table, chips: tuple[int, ...] = (1, 2, 3)) -> None:
    """Lay progressive chips and let everybody play."""
    bet(at, ANTE)
    bet(at, {"progressive": 100}, chips)
    while current_round(at).phase != "settling":
        if at.next_command() is None:
            at.do(Play(position=positions_to_decide(current_round(at))[0], amount=2_500))
        else:
            act(at)


@pytest.mark.parametrize(("clause", "example", "hands", "others", "who"), DOCUMENTED)
def test_the_cards_of_a_meter_award_stay_until_it_is_documented(
    clause: str, example: str, hands: Any, others: tuple[str, ...], who: Any
) -> None:
    at = table_with_hands(example, hands)
    _played(at, chips=(1,))
    early = CompleteDocument(position=1, role=who)
    assert refused(at, early).name == "document_unasked"
    told = set[tuple[str, str | None]]()
    while not isinstance(at.next_command(), CompleteDocument):
        seen = table_view(at.state, Viewer("dealer")).round
        assert seen is not None
        told |= {(seen.due.step, seen.due.kept)} if seen.due is not None else set()
        act(at)
    picked_up = {("rack_hand", "hold_for_document")} if clause == "P23" and who == "supervisor" else set()
    assert {due for due in told if due[0] == "rack_hand"} == {("rack_hand", None), *picked_up}
    state = current_round(at)
    assert (state.undocumented_positions, state.positions[1].racked) == ((1,), False)
    rack = _racking(at)
    refusal = refused(at, rack)
    assert (refusal.name, refusal.clauses) == ("document_incomplete", (clause,))
    for role in others:
        assert refused(at, CompleteDocument(position=1, role=role, by="p1")).name == "not_your_duty"  # type: ignore[arg-type]
    at.do(early)
    at.do(rack)
    assert finish(at).phase == "over"


@pytest.mark.clause("P23", "MD-11D10dii", "R58")
@pytest.mark.parametrize("example", ["massachusetts-everything", "maryland-everything"])
def test_a_rulebook_may_let_the_cards_go_before_the_document(example: str) -> None:
    hands = ROYAL if example.startswith("maryland") else ACES
    at = table_of(game_under(game(example), wagers__progressive__cards_stay_until_documented=False))
    laid(at, stack(at.game, hands, at.state.seats))
    _played(at, chips=(1,))
    ended = finish(at)
    assert [event.documented for event in at.events if isinstance(event, AwardPaid)] == [True]
    assert (ended.phase, ended.undocumented_positions) == ("over", ())


def _racking(at: Table) -> Perform:
    turn = current_round(at).dealer_turn
    return Perform(step=turn.act, position=turn.position)


FLUSH = {1: "9c 8c 7c 6c 5c", 2: "Kh Qh 8s 7d 2d", 3: "9s 9h 3d 6d 2h", 0: "5s 5h Jd Tc 4c 4d"}
QUADS = {**FLUSH, 1: "8c 8d 8h 8s 5c", 2: "Kh Qh 7s 7d 2d"}


@pytest.mark.clause("MD-11D10dii")
@pytest.mark.parametrize(
    ("hands", "changes", "documents"),
    [
        (FLUSH, {"settings__part_share_from": "meter"}, 1),
        (FLUSH, {"settings__part_share_from": "tray"}, 0),
        (QUADS, {"progressive__fixed_awards": "meter"}, 1),
        (QUADS, {"progressive__fixed_awards": "tray"}, 0),
    ],
)
def test_cards_of_an_award_that_the_tray_pays_need_no_document(
    hands: Any, changes: Any, documents: int
) -> None:
    at = table_with_hands("maryland-everything", hands, **changes)
    _played(at)
    assert 1 in dict(finish(at).rack)
    assert sum(isinstance(event, DocumentCompleted) for event in at.events) == documents

"""The shuffle, the cut and the recut: when they are due, in which steps, how deep and by whom."""

from itertools import pairwise
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.refusal_codes import Code
from fourcard.round.commands import ActorRole, Deal, Perform, ReportIrregularity
from fourcard.rules.procedures import StepName
from fourcard.table.commands import (
    BeginRound,
    GoIdle,
    OpenTable,
    OrderRecut,
    OrderShuffle,
    Prepare,
    ReportFailure,
)
from fourcard.table.events import RecutOrdered, StepPrepared
from fourcard.table.table_driver import Table, fair_shuffle
from tests.kit.decks import (
    SHUFFLER,
    begin,
    closed,
    doing,
    due,
    in_this_order,
    opened,
    play,
    prompt,
    ready,
    under_rule,
    until,
)
from tests.kit.support import by_clause, game
from tests.kit.tables import ANTE, bet, finish, refused, seeded
from tests.kit.tables import until as round_until

SHOE: dict[str, Any] = {"dealing": {"method": "shoe"}, "shuffler": None}
MANUAL: dict[str, Any] = {"dealing": {"method": "manual"}, "shuffler": None}
MACHINE: dict[str, Any] = {"shuffler": SHUFFLER}
MA_CUT: list[StepName] = ["lay_cover_card", "cut", "place_rest_on_top", "rack_cover_card"]
MD_CUT: list[StepName] = ["insert_cover_card", "cut"]
IA_SHUFFLE: list[StepName] = ["riffle_first", "riffle_second", "strip", "riffle_third"]
IA_CUT: list[StepName] = ["lay_cover_card", "cut", "place_rest_on_top"]
ROLES: tuple[ActorRole, ...] = get_args(ActorRole)


@pytest.mark.parametrize(
    ("clause", "example", "changes", "wanted"),
    by_clause(
        ("MA-5a.2", "massachusetts", {}, ["shuffle_by_hand", "square_stack", *MA_CUT, "put_in_shoe"]),
        ("MA-5a.2", "massachusetts", MACHINE, ["shuffle_by_machine", "square_stack", "put_in_shoe"]),
        ("MD-05A2", "maryland", SHOE, ["shuffle_by_hand", "square_stack", *MD_CUT, "put_in_shoe"]),
        ("MD-05A2", "maryland", {}, ["shuffle_by_machine", "square_stack", "take_in_hand"]),
        ("IA-SHUF-C", "catfish-bend", MANUAL, [*IA_SHUFFLE, *IA_CUT]),
        ("IA-SHUF-D", "catfish-bend", MANUAL, [*IA_SHUFFLE, *IA_CUT]),
        ("P18", "washington", MANUAL, ["shuffle_by_hand", "square_stack", "cut", "place_rest_on_top"]),
        ("P18", "washington", {}, ["shuffle_by_machine"]),
        ("P18", "shuffle-master", {}, ["shuffle_by_machine"]),
    ),
)
def test_cards_are_shuffled_after_every_round(
    clause: str, example: str, changes: dict[str, Any], wanted: list[str]
) -> None:
    at = opened(example, **changes)
    for _ in range(3):
        play(at)
        assert due(at) == wanted, clause
        assert refused(at, BeginRound()).code is Code.DECK_UNPREPARED
        assert at.state.decks[0].left == 52


def test_a_preshuffled_deck_is_shuffled_after_its_first_round() -> None:
    at = closed("massachusetts")
    at.do(OpenTable(decks=("red",), preshuffled=True, orders=(tuple(seeded(5)()),)))
    play(at)
    assert due(at) == ["shuffle_by_hand", "square_stack", *MA_CUT, "put_in_shoe"]


@pytest.mark.parametrize(
    ("clause", "example", "changes", "wanted"),
    by_clause(
        ("MA-5a.4", "massachusetts", {}, ["shuffle_by_hand", "square_stack", "lay_cover_card"]),
        ("MA-5a.4", "massachusetts", MACHINE, ["shuffle_by_machine", "square_stack", "put_in_shoe"]),
        ("MA-5a.5", "massachusetts", {}, ["shuffle_by_hand", "square_stack", "lay_cover_card"]),
        ("MA-5a.5", "massachusetts", MACHINE, ["shuffle_by_machine", "square_stack", "put_in_shoe"]),
        ("MD-05A.0", "maryland", SHOE, ["shuffle_by_hand", "square_stack", "insert_cover_card"]),
        ("MD-05A.0", "maryland", {}, ["shuffle_by_machine", "square_stack", "take_in_hand"]),
        ("MD-05C.0", "maryland", SHOE, ["shuffle_by_hand", "square_stack", "insert_cover_card"]),
        ("MD-05C.0", "maryland", {}, ["shuffle_by_machine", "square_stack", "take_in_hand"]),
        ("P18", "washington", MANUAL, ["shuffle_by_hand", "square_stack", "cut", "place_rest_on_top"]),
        ("SM-DEAL-0.2", "shuffle-master", {}, ["shuffle_by_machine"]),
        ("WA-DEAL-0.2", "washington", {}, ["shuffle_by_machine"]),
        ("IA-AUTO-1", "catfish-bend", {}, ["put_in_shuffler", "press_shuffle"]),
        ("IA-AUTO-2", "catfish-bend", {}, ["put_in_shuffler", "press_shuffle"]),
        ("IA-SHUF-1", "catfish-bend", MANUAL, ["riffle_first", "riffle_second"]),
        ("IA-SHUF-2", "catfish-bend", MANUAL, ["riffle_first", "riffle_second", "strip"]),
        ("IA-SHUF-3", "catfish-bend", MANUAL, ["riffle_second", "strip", "riffle_third"]),
        ("IA-SHUF-4", "catfish-bend", MANUAL, ["strip", "riffle_third", "lay_cover_card"]),
        ("MA-5c1i", "massachusetts", {}, ["square_stack", "lay_cover_card", "cut"]),
        ("MA-5c1ii", "massachusetts", {}, ["lay_cover_card", "cut", "place_rest_on_top"]),
        ("MA-5c1", "massachusetts", {}, ["lay_cover_card", "cut", "place_rest_on_top"]),
        ("MA-5c1iii", "massachusetts", {}, ["cut", "place_rest_on_top", "rack_cover_card"]),
        ("MA-5c1iv", "massachusetts", {}, ["place_rest_on_top", "rack_cover_card", "put_in_shoe"]),
        ("MA-5c2", "massachusetts", {}, ["cut", "place_rest_on_top", "rack_cover_card", "put_in_shoe"]),
        ("MD-05D.0", "maryland", SHOE, ["square_stack", "insert_cover_card", "cut"]),
        ("MD-05D1", "maryland", SHOE, ["insert_cover_card", "cut", "put_in_shoe"]),
        ("MD-05D2", "maryland", SHOE, ["cut", "put_in_shoe"]),
        ("IA-SHUF-5.1", "catfish-bend", MANUAL, ["riffle_third", "lay_cover_card", "cut"]),
        ("IA-SHUF-5.2", "catfish-bend", MANUAL, ["lay_cover_card", "cut", "place_rest_on_top"]),
        ("IA-SHUF-5.3", "catfish-bend", MANUAL, ["cut", "place_rest_on_top"]),
    ),
)
def test_shuffle_and_cut_go_step_by_step(
    clause: str, example: str, changes: dict[str, Any], wanted: list[StepName]
) -> None:
    at = opened(example, **changes)
    in_this_order(at, wanted)
    assert all(clause not in clauses for _, clauses in at.state.agenda)


@pytest.mark.parametrize(
    ("clause", "example", "step", "told"),
    by_clause(
        ("MA-5a.5", "massachusetts", "square_stack", "a single stack"),
        ("MD-05C.0", "maryland", "square_stack", "a single stack"),
        ("MA-5c1", "massachusetts", "cut", "with one hand"),
        ("MA-5c1iv", "massachusetts", "rack_cover_card", "cover card out and put it into the discard rack"),
        ("IA-SHUF-1", "catfish-bend", "riffle_first", "bottom third on top, square the deck and riffle"),
        ("IA-SHUF-2", "catfish-bend", "riffle_second", "bottom third on top, square, riffle"),
        ("IA-SHUF-4", "catfish-bend", "riffle_third", "bottom third on top, square, riffle"),
        ("IA-SHUF-5.2", "catfish-bend", "cut", "with one hand"),
        ("IA-SHUF-5.3", "catfish-bend", "place_rest_on_top", "Put the rest of the deck on top"),
    ),
)
def test_the_dealer_is_told_how_a_step_is_done(clause: str, example: str, step: StepName, told: str) -> None:
    at = opened(example, **(MANUAL if example == "catfish-bend" else SHOE))
    until(at, step)
    assert clause in at.state.agenda[0][1]
    assert told in prompt(at)


def test_catfish_bend_riffles_twice_strips_five_times_riffles_and_cuts() -> None:
    at = opened("catfish-bend", **MANUAL)
    assert due(at) == [*IA_SHUFFLE, *IA_CUT]


@pytest.mark.clause("IA-SHUF-4", "IA-AUTO-2")
@pytest.mark.parametrize(
    ("changes", "last"),
    [(MANUAL, "riffle_third"), ({"dealing__decks": 1, "shuffler__counts": True}, "press_shuffle")],
)
def test_cards_lie_in_a_new_order_after_the_last_step_of_the_shuffle(
    changes: dict[str, Any], last: str
) -> None:
    at, mixed = opened("catfish-bend", **changes), []
    while due(at) and due(at)[0] != "lay_cover_card":
        proper = doing(at)
        if proper.step != last:
            assert refused(at, replace(proper, order=DECK)).code is Code.ORDER_UNFIT
        done = at.do(replace(proper, count=52) if proper.step == last else proper)[0]
        assert isinstance(done, StepPrepared)
        mixed += [done.step] if done.mixed is not None else []
    assert mixed == [last]


@pytest.mark.clause("IA-SHUF-3")
def test_the_deck_is_stripped_five_times() -> None:
    at = opened("catfish-bend", **MANUAL)
    until(at, "strip")
    for count in (None, 4, 6):
        refusal = refused(at, Prepare(step="strip", count=count))
        assert (refusal.code, refusal.clauses) == (Code.NUMBER_UNFIT, ("IA-SHUF-3",))
    at.do(Prepare(step="strip", count=5))


@pytest.mark.clause("MA-5a.4", "MD-05A.0")
@pytest.mark.parametrize(
    ("example", "changes"), [("massachusetts", {}), ("massachusetts", MACHINE), ("maryland", {})]
)
def test_a_shuffle_leaves_the_cards_in_a_new_order_each_of_them_once(
    example: str, changes: dict[str, Any]
) -> None:
    at = opened(example, **changes)
    until(at, "shuffle_by_machine" if at.game.submission.shuffler else "shuffle_by_hand")
    proper = doing(at)
    for order in (DECK[:51], (*DECK[:51], 0), (*DECK, 0), ()):
        assert refused(at, replace(proper, order=order)).code is Code.ORDER_UNFIT
    at.do(proper)
    assert at.state.decks[0].order == proper.order
    early = replace(doing(at), order=proper.order)
    assert refused(at, early).code is Code.ORDER_UNFIT


def test_the_built_in_shuffle_mixes_at_random() -> None:
    """Each card falls on each place about as often, and neighbours are parted; a fair shuffle passes surely.

    The bounds lie eight standard deviations from what chance expects.
    """
    shuffles = 2600
    counts = [[0] * 52 for _ in range(52)]
    neighbours = 0
    for _ in range(shuffles):
        order = fair_shuffle()
        assert sorted(order) == list(DECK)
        for place, card in enumerate(order):
            counts[card][place] += 1
        neighbours += sum(after == card + 1 for card, after in pairwise(order))
    expected = shuffles / 52
    chi_square = sum((count - expected) ** 2 / expected for row in counts for count in row)
    assert 2601 - 8 * 72 < chi_square < 2601 + 8 * 72
    assert 2550 - 8 * 51 < neighbours < 2550 + 8 * 51


@pytest.mark.clause("MA-5a.4")
def test_a_table_by_itself_shuffles_anew_for_every_round() -> None:
    at, orders = Table(game("massachusetts")), []
    at.seat(1, "p1")
    for _ in range(3):
        at.begin()
        orders.append(at.state.decks[0].order)
        bet(at, ANTE)
        finish(at)
    assert len({DECK, *orders}) == 4


@pytest.mark.parametrize(
    ("example", "shoe", "cut"),
    [
        pytest.param("massachusetts", {}, MA_CUT, marks=pytest.mark.clause("MA-5b1", "MA-5b2", "R79")),
        pytest.param("maryland", SHOE, MD_CUT, marks=pytest.mark.clause("MD-05C1", "MD-05C2", "R81")),
    ],
)
def test_cards_are_cut_that_no_machine_has_shuffled(
    example: str, shoe: dict[str, Any], cut: list[str]
) -> None:
    by_hand, by_machine = opened(example, **shoe), opened(example, **{**shoe, **MACHINE})
    preshuffled = closed(example, **shoe)
    preshuffled.do(OpenTable(decks=("red",), preshuffled=True, orders=(DECK,)))
    assert ready(by_hand)[-len(cut) - 2 :] == ["square_stack", *cut, "put_in_shoe"]
    assert ready(by_machine)[-3:] == ["shuffle_by_machine", "square_stack", "put_in_shoe"]
    assert ready(preshuffled) == [*cut, "put_in_shoe"]
    for at in (by_hand, by_machine, preshuffled):
        begin(at)
        bet(at, ANTE)
        round_until(at, "deciding")


CUTS = by_clause(
    ("MA-5c1ii", "massachusetts", {}, 10, 51),
    ("R37", "massachusetts", {}, 10, 51),
    ("R37", "massachusetts", {"settings__cut_most": 42}, 10, 42),
    ("MD-05D.0", "maryland", SHOE, 10, 51),
    ("R37", "maryland", SHOE, 10, 51),
    ("R37", "maryland", {**SHOE, "settings__cut_most": 42}, 10, 42),
    ("IA-SHUF-5.2", "catfish-bend", MANUAL, 20, 32),
    ("P17", "catfish-bend", MANUAL, 20, 32),
    ("P18", "washington", MANUAL, 10, 51),
)


@pytest.mark.parametrize(("clause", "example", "changes", "least", "most"), CUTS)
def test_a_cut_has_its_bounds(
    clause: str, example: str, changes: dict[str, Any], least: int, most: int
) -> None:
    step: StepName = "insert_cover_card" if example == "maryland" else "cut"
    for depth in (least, 26, most):
        at = opened(example, **changes)
        until(at, step)
        order = at.state.decks[0].order
        assert order is not None
        for unfit in (None, 0, least - 1, most + 1, 52):
            refusal = refused(at, Prepare(step=step, depth=unfit))
            assert refusal.code is Code.CUT_UNFIT
            assert clause in refusal.clauses
        at.do(Prepare(step=step, depth=depth))
        assert at.state.decks[0].order == (*order[depth:], *order[:depth])


@pytest.mark.parametrize(
    ("clause", "example", "changes", "step"),
    by_clause(
        ("MA-5c1iii", "massachusetts", {}, "cut"),
        ("MA-5c2", "massachusetts", {}, "cut"),
        ("MD-05D1", "maryland", SHOE, "insert_cover_card"),
        ("IA-SHUF-5.3", "catfish-bend", MANUAL, "cut"),
        ("P18", "washington", MANUAL, "cut"),
    ),
)
def test_the_cards_below_the_cut_are_dealt_first(
    clause: str, example: str, changes: dict[str, Any], step: StepName
) -> None:
    at = opened(example, **changes)
    at.seat(1, "p1")
    until(at, step)
    order = at.state.decks[0].order
    assert order is not None
    at.do(Prepare(step=step, depth=23))
    begin(at)
    bet(at, ANTE)
    dealt = round_until(at, "deciding")
    assert sorted(dealt.dealt_cards) == sorted(order[23:34]), clause
    assert dealt.positions[1].cards[0] == order[23]


@pytest.mark.clause("IA-SHUF-5.4")
def test_the_dealer_aims_for_the_middle() -> None:
    at = opened("catfish-bend", **MANUAL)
    until(at, "cut")
    assert at.next_preparation().depth == 26


@pytest.mark.parametrize(
    ("clause", "example", "changes", "step"),
    by_clause(
        ("MA-5c1", "massachusetts", {}, "cut"),
        ("MD-05D.0", "maryland", SHOE, "insert_cover_card"),
        ("IA-SHUF-6", "catfish-bend", MANUAL, "cut"),
    ),
)
def test_the_dealer_cuts_and_nobody_else(
    clause: str, example: str, changes: dict[str, Any], step: StepName
) -> None:
    at = opened(example, **changes)
    until(at, step)
    for role in ROLES:
        if role != "dealer":
            refusal = refused(at, Prepare(step=step, depth=26, role=role))
            assert (refusal.code, refusal.clauses) == (Code.NOT_YOUR_DUTY, (clause,))
    at.do(Prepare(step=step, depth=26))


RECUTS = by_clause(
    ("MA-5d", "massachusetts", {}, ("casino-supervisor", "executive"), MA_CUT),
    ("MD-05E", "maryland", SHOE, ("floorperson", "supervisor", "casino-supervisor", "executive"), MD_CUT),
)


@pytest.mark.parametrize(("clause", "example", "changes", "may", "cut"), RECUTS)
def test_a_recut_can_be_ordered_after_the_cut_and_before_the_first_card(
    clause: str, example: str, changes: dict[str, Any], may: tuple[ActorRole, ...], cut: list[StepName]
) -> None:
    at = opened(example, **changes)
    order = OrderRecut(role=may[0])
    until(at, cut[0])
    assert refused(at, order).code is Code.RECUT_LATE
    begin(at)
    bet(at, ANTE)
    for role in ROLES:
        if role not in may:
            refusal = refused(at, OrderRecut(role=role))
            assert (refusal.code, refusal.clauses) == (Code.NOT_YOUR_DUTY, (clause,))
        else:
            assert at.may(OrderRecut(role=role)) is None
    at.do(order)
    assert due(at) == [*cut, "put_in_shoe"]
    assert refused(at, order).code is Code.RECUT_LATE
    assert refused(at, Deal()).code is Code.DECK_UNPREPARED
    ready(at)
    round_until(at, "dealing")
    assert refused(at, order).code is Code.RECUT_LATE
    finish(at)
    assert refused(at, order).code is Code.RECUT_LATE
    assert due(at)[0] == "shuffle_by_hand"
    ready(at)
    at.do(GoIdle(spread="face-down"))
    ready(at)
    for other in (at, closed(example, **changes)):
        assert refused(other, order).code is Code.RECUT_LATE


@pytest.mark.parametrize("clause", by_clause(("R109",), ("P42",)))
@pytest.mark.parametrize("example", ["catfish-bend", "washington"])
def test_a_supervisor_may_order_a_recut_where_the_source_describes_none(clause: str, example: str) -> None:
    at = opened(example, dealing={"method": "manual"}, shuffler=None)
    early = OrderRecut(role="supervisor")
    assert (refused(at, early).code, refused(at, early).clauses) == (Code.RECUT_LATE, ("P42",)), clause
    begin(at)
    bet(at, ANTE)
    for role in ROLES:
        refusal = at.may(OrderRecut(role=role))
        if role in ("player", "dealer", "floorperson"):
            assert refusal is not None
            assert (refusal.code, refusal.clauses) == (Code.NOT_YOUR_DUTY, ("P42",))
        else:
            assert refusal is None
    assert at.do(OrderRecut(role="supervisor", by="Sue")) == [RecutOrdered(0, "Sue", ("P42",))]
    assert "cut" in due(at)
    ready(at)
    round_until(at, "dealing")
    assert refused(at, early).code is Code.RECUT_LATE


@pytest.mark.clause("MD-05A3", "MD-05E")
def test_a_floorperson_or_above_may_have_the_cards_shuffled_before_the_first_card() -> None:
    at = opened("maryland", **SHOE)
    begin(at)
    for role in ROLES:
        refusal = at.may(OrderShuffle(role=role))
        if role in ("player", "dealer"):
            assert refusal is not None
            assert (refusal.code, refusal.clauses) == (Code.NOT_YOUR_DUTY, ("MD-05A3",))
        else:
            assert refusal is None
    at.do(OrderShuffle(role="floorperson"))
    assert due(at) == ["shuffle_by_hand", "square_stack", *MD_CUT, "put_in_shoe"]
    bet(at, ANTE)
    assert refused(at, Deal()).code is Code.DECK_UNPREPARED
    assert refused(at, OrderRecut(role="floorperson")).code is Code.RECUT_LATE
    ready(at)
    round_until(at, "dealing")
    assert refused(at, OrderShuffle(role="floorperson")).code is Code.SHUFFLE_LATE
    finish(at)
    at.do(OrderShuffle(role="supervisor"))
    ready(at)
    at.do(GoIdle(spread="face-down"))
    ready(at)
    for other in (at, closed("maryland", **SHOE)):
        refusal = refused(other, OrderShuffle(role="floorperson"))
        assert (refusal.code, refusal.clauses) == (Code.SHUFFLE_LATE, ("MD-05A3",))
    assert refused(opened("massachusetts"), OrderShuffle(role="executive")).code is Code.NOT_DESCRIBED


@pytest.mark.parametrize(
    ("clause", "example", "changes"),
    by_clause(("MA-5a.4", "massachusetts", MACHINE), ("MD-05A.0", "maryland", {})),
)
def test_no_card_leaves_a_deck_that_is_being_shuffled(
    clause: str, example: str, changes: dict[str, Any]
) -> None:
    at = opened(example, **changes)
    begin(at)
    bet(at, ANTE)
    at.do(Perform(step="announce_no_more_bets"))
    found = ReportIrregularity(irregularity="one_face_up_card")
    assert at.may(Deal()) is at.may(found) is None
    at.do(ReportFailure(device="shuffler"))
    for command in (Deal(), found):
        refusal = refused(at, command)
        assert (refusal.code, refusal.clauses) == (Code.DECK_UNPREPARED, (clause,))


@pytest.mark.clause("MA-5a.2", "MD-05A2")
@pytest.mark.parametrize(("example", "changes"), [("massachusetts", {}), ("maryland", SHOE)])
def test_where_no_shuffle_follows_a_round_the_deck_is_only_loaded_again(
    example: str, changes: dict[str, Any]
) -> None:
    at = under_rule(example, "shuffling.every_round", value=False, **changes)
    at.open()
    play(at)
    assert (due(at), at.state.decks[0].order) == (["put_in_shoe"], DECK)

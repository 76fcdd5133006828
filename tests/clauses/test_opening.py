"""Opening a table: inspection, spread, wash and stack of each deck, and decks that come in preshuffled."""

from typing import Any

import pytest

from fourcard.cards import DECK
from fourcard.refusal_codes import Code
from fourcard.round.commands import ActorRole
from fourcard.rules.procedures import StepName
from fourcard.table.commands import BeginRound, BringDeck, GoIdle, OpenTable, OrderShuffle, Prepare
from tests.kit.decks import (
    ENDS,
    SHUFFLER,
    begin,
    closed,
    due,
    in_this_order,
    opened,
    play,
    prompt,
    ready,
    under_rule,
    until,
)
from tests.kit.support import by_clause
from tests.kit.tables import refused, seeded

OPENING: list[StepName] = [
    "inspect_cards",
    "verify_inspection",
    "spread_face_up",
    "show_first_player",
    "turn_face_down",
    "wash",
    "stack",
]
SHOE = {"dealing": {"method": "shoe"}, "shuffler": None}
"""Maryland dealt from a shoe without a shuffler."""
TWO_DECKS = ("massachusetts-everything", "maryland-everything")


@pytest.mark.parametrize(
    ("clause", "example", "wanted"),
    by_clause(
        ("MA-4b.1", "massachusetts", ["inspect_cards", "verify_inspection", "spread_face_up"]),
        ("MA-4b.2", "massachusetts", ["verify_inspection", "spread_face_up", "show_first_player"]),
        ("MA-4b.3", "massachusetts", ["verify_inspection", "spread_face_up", "show_first_player"]),
        ("MA-4c.1", "massachusetts", ["spread_face_up", "show_first_player", "turn_face_down", "wash"]),
        ("MA-4c.2", "massachusetts", ["turn_face_down", "wash", "stack", "shuffle_by_hand"]),
        ("MA-4c.3", "massachusetts", ["wash", "stack", "shuffle_by_hand"]),
        ("MD-04A.1", "maryland", ["inspect_cards", "verify_inspection"]),
        ("MD-04A.2", "maryland", ["inspect_cards", "verify_inspection", "spread_face_up"]),
        ("MD-04B", "maryland", ["verify_inspection", "spread_face_up", "show_first_player"]),
        ("MD-04C.0", "maryland", ["spread_face_up", "show_first_player", "turn_face_down"]),
        ("MD-04C1", "maryland", ["show_first_player", "turn_face_down", "wash"]),
        ("MD-04C2", "maryland", ["turn_face_down", "wash", "stack"]),
        ("MD-04C3", "maryland", ["wash", "stack", "shuffle_by_machine"]),
        ("MD-04D", "maryland", ["stack", "shuffle_by_machine"]),
    ),
)
def test_a_deck_that_arrives_goes_through_every_step_in_its_order(
    clause: str, example: str, wanted: list[StepName]
) -> None:
    at = opened(example)
    in_this_order(at, wanted)
    assert due(opened(example))[:7] == OPENING, clause


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-4b.3", "massachusetts"), ("MD-04B", "maryland"))
)
def test_the_dealer_is_told_to_spread_the_cards_by_suit_and_in_sequence(clause: str, example: str) -> None:
    at = opened(example)
    until(at, "spread_face_up")
    assert clause in at.state.agenda[0][1]
    assert prompt(at) == "Spread the cards face up, by suit and in sequence."


@pytest.mark.parametrize(
    ("clause", "example", "step", "who"),
    by_clause(
        ("MA-4b.1", "massachusetts", "inspect_cards", ["dealer"]),
        ("MA-4b.1", "massachusetts", "verify_inspection", ["floorperson"]),
        ("MD-04A.1", "maryland", "inspect_cards", ["dealer"]),
        ("MD-04A.2", "maryland", "verify_inspection", ["floorperson"]),
        ("MA-4c.2", "massachusetts", "wash", ["dealer"]),
        ("MD-04C2", "maryland", "wash", ["dealer"]),
    ),
)
def test_the_dealer_inspects_and_a_floorperson_verifies(
    clause: str, example: str, step: StepName, who: list[ActorRole]
) -> None:
    at = opened(example)
    until(at, step)
    others: list[ActorRole] = ["player", "floorperson" if who == ["dealer"] else "dealer"]
    for role in others:
        refusal = refused(at, Prepare(step=step, role=role))
        assert refusal.code is Code.NOT_YOUR_DUTY
        assert clause in refusal.clauses
    at.do(Prepare(step=step, role=who[0]))
    assert due(at)[0] != step


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-4c.1", "massachusetts"),
        ("MD-04C.0", "maryland"),
        ("MA-5a.1", "massachusetts"),
        ("MD-05A1", "maryland"),
        ("MD-05A.0", "maryland"),
        ("P18", "shuffle-master"),
        ("P18", "washington"),
        ("P18", "catfish-bend"),
    ),
)
def test_no_round_begins_before_the_last_step_is_done(clause: str, example: str) -> None:
    at = opened(example)
    at.seat(1, "p1")
    shuffles = 0
    while due(at):
        shuffles += due(at)[0] in ENDS
        assert refused(at, BeginRound()).code is Code.DECK_UNPREPARED, clause
        at.do(at.next_preparation())
    assert shuffles == 1
    at.do(BeginRound())


@pytest.mark.parametrize(("clause", "example"), by_clause(("MA-4d", TWO_DECKS[0]), ("MD-04E", TWO_DECKS[1])))
def test_each_of_two_decks_goes_through_every_step_by_itself(clause: str, example: str) -> None:
    at = opened(example)
    wanted: list[StepName] = [*OPENING, "shuffle_by_machine"]
    for deck in (1, 0):
        in_this_order(at, wanted, deck)
        assert due(at, deck) == ["square_stack"], clause
    other = opened(example)
    ready(other, 0)
    assert due(other, 1)[:8] == wanted
    together = under_rule(example, "opening.per_deck", value=False)
    together.open()
    assert (due(together, 0)[:8], due(together, 1)) == (wanted, ["shuffle_by_machine", "square_stack"])


PRESHUFFLED = by_clause(
    ("MA-4a", "massachusetts", {}, ["lay_cover_card", "cut", "place_rest_on_top", "rack_cover_card"]),
    ("MA-5a.1", "massachusetts", {}, ["lay_cover_card", "cut", "place_rest_on_top", "rack_cover_card"]),
    ("R79", "massachusetts", {}, ["lay_cover_card", "cut", "place_rest_on_top", "rack_cover_card"]),
    ("MD-04F", "maryland", SHOE, ["insert_cover_card", "cut"]),
    ("MD-05A.1", "maryland", SHOE, ["insert_cover_card", "cut"]),
    ("R81", "maryland", SHOE, ["insert_cover_card", "cut"]),
)


@pytest.mark.parametrize(("clause", "example", "changes", "cut"), PRESHUFFLED)
def test_a_preshuffled_deck_is_neither_inspected_nor_shuffled_but_cut(
    clause: str, example: str, changes: dict[str, Any], cut: list[str]
) -> None:
    order = tuple(seeded(7)())
    at = closed(example, **changes)
    at.do(OpenTable(decks=("red",), preshuffled=True, orders=(order,)))
    assert due(at) == [*cut, "put_in_shoe"], clause
    begin(at)
    assert at.state.decks[0].order == (*order[26:], *order[:26])
    brought = opened(example, **changes)
    assert ready(brought)[:7] == OPENING
    brought.do(BringDeck(back="blue", preshuffled=True, order=order))
    assert due(brought) == [*cut, "put_in_shoe"]
    inspected = under_rule(example, "opening.preshuffled_exempt", value=False, **changes)
    inspected.do(OpenTable(decks=("red",), preshuffled=True))
    assert due(inspected) == [*OPENING, *cut, "put_in_shoe"]


@pytest.mark.parametrize(
    ("clause", "example", "changes", "cut"),
    by_clause(
        ("MA-5a.1", "massachusetts", {}, ["lay_cover_card", "cut", "place_rest_on_top", "rack_cover_card"]),
        ("MD-05A1", "maryland", SHOE, ["insert_cover_card", "cut"]),
    ),
)
def test_a_deck_is_shuffled_before_play_unless_the_rulebook_demands_no_shuffle(
    clause: str, example: str, changes: dict[str, Any], cut: list[str]
) -> None:
    at = under_rule(example, "shuffling.before_play", value=False, **changes)
    at.open()
    assert due(at) == [*OPENING, *cut, "put_in_shoe"], clause
    play(at)
    assert due(at) == ["shuffle_by_hand", "square_stack", *cut, "put_in_shoe"]
    assert due(opened(example, **changes)) == [*OPENING, *due(at)]


@pytest.mark.clause("MA-5a.1", "MD-05A.1")
@pytest.mark.parametrize(
    ("example", "changes"),
    [("massachusetts", {}), ("maryland", SHOE), ("massachusetts", {"shuffler": SHUFFLER})],
)
def test_the_order_of_a_preshuffled_deck_is_told_whole_or_not_at_all(
    example: str, changes: dict[str, Any]
) -> None:
    at = closed(example, **changes)
    at.do(OpenTable(decks=("red",), preshuffled=True))
    assert at.state.decks[0].order is None
    refusal = refused(closed(example, **changes), OpenTable(decks=("red",), orders=(DECK,)))
    assert refusal.code is Code.ORDER_UNFIT
    shown = OpenTable(decks=("red",), preshuffled=True, orders=(DECK[:51],))
    assert refused(closed(example, **changes), shown).code is Code.ORDER_UNFIT
    for brought in (BringDeck(back="blue", order=DECK), BringDeck(back="blue", preshuffled=True, order=())):
        assert refused(at, brought).code is Code.ORDER_UNFIT
    for orders in ((DECK,), (DECK, DECK, DECK)):
        several = OpenTable(decks=("red", "blue"), preshuffled=True, orders=orders)
        assert refused(closed("massachusetts-everything"), several).code is Code.ORDER_UNFIT


@pytest.mark.clause("P18")
@pytest.mark.parametrize("example", ["shuffle-master", "washington", "catfish-bend"])
def test_no_deck_comes_in_preshuffled_where_no_source_knows_such_decks(example: str) -> None:
    decks = ("red", "blue")[: 2 if example == "catfish-bend" else 1]
    at = closed(example)
    assert refused(at, OpenTable(decks=decks, preshuffled=True)).code is Code.PRESHUFFLED_REFUSED
    at.open()
    assert refused(at, BringDeck(back="green", preshuffled=True)).code is Code.PRESHUFFLED_REFUSED
    assert closed("massachusetts").may(OpenTable(decks=("red",), preshuffled=True)) is None


def test_an_order_to_shuffle_leaves_the_inspection_due() -> None:
    at = opened("maryland")
    until(at, "verify_inspection")
    at.do(OrderShuffle(role="floorperson"))
    assert due(at)[:6] == OPENING[1:]


@pytest.mark.parametrize(
    ("clause", "example", "step"),
    by_clause(
        ("MA-4b.1", "massachusetts", "inspect_cards"),
        ("MA-4b.1", "massachusetts", "verify_inspection"),
        ("MD-04A.1", "maryland", "inspect_cards"),
        ("MD-04A.2", "maryland", "verify_inspection"),
    ),
)
def test_cards_are_inspected_before_they_are_spread_at_an_idle_table(
    clause: str, example: str, step: StepName
) -> None:
    at, idle = opened(example), GoIdle(spread="face-down")
    until(at, step)
    refusal = refused(at, idle)
    assert (refusal.code, refusal.clauses) == (Code.STEP_NOT_DUE, (clause,))
    until(at, "spread_face_up")
    assert at.may(idle) is None

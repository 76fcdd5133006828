"""What goes wrong with the very first card, when nothing lies on the table yet."""

from typing import Any

import pytest

from fourcard.round.commands import CallOff, Deal
from fourcard.round.events import BetsClosed, IrregularityNoted
from fourcard.table.commands import BeginRound, OrderShuffle, ReportFailure
from fourcard.table.table_driver import Table
from tests.kit.deals import SHUFFLER, WAYS, order, report, unknown, voided
from tests.kit.support import by_clause
from tests.kit.tables import BOTH, bet, current_round, finish, refused, table

SHUFFLER_FAILS = ReportFailure(device="shuffler")
MACHINE: dict[str, Any] = {"shuffler": SHUFFLER}


def first_card_due(example: str, **changes: Any) -> Table:
    """Return a table where everything before the first card is done."""
    at = table(example, **changes)
    bet(at)
    while not isinstance(act := at.next_command(), Deal):
        assert act is not None
        at.do(act)
    return at


def is_shuffled_anew(at: Table, number: int) -> None:
    """See that the round is over and that its deck waits to be shuffled."""
    assert at.state.round is None
    deck = at.state.decks[number]
    assert any("shuffle" in step or "riffle" in step for step, _ in deck.agenda)


@pytest.mark.parametrize("clause", by_clause(("IA-IRR-2",), ("IA-SHUF-C",)))
@pytest.mark.parametrize("way", ["IA auto", "IA manual"])
def test_a_first_card_that_was_seen_is_not_dealt_again_unshuffled(clause: str, way: str) -> None:
    example, changes = WAYS[way]
    at = first_card_due(example, **changes)
    number, before = at.state.active, order(at)
    assert voided(at.do(report("one_face_up_card"))).clauses == ("IA-IRR-2", "R69"), clause
    is_shuffled_anew(at, number)
    if number == at.state.active:
        assert refused(at, BeginRound()).name == "deck_unprepared"
    at.begin()
    assert order(at) != before


FIRST_HAND = by_clause(
    ("MA-14c", "massachusetts", ("MA-14c", "R69")),
    ("SM-IRR-1", "shuffle-master", ("SM-IRR-1", "R69")),
    ("MD-13D", "maryland", ("MD-13D",)),
    ("WA-IRR-1", "washington", ("WA-IRR-1", "R69")),
    ("IA-IRR-1", "catfish-bend", ("IA-IRR-1", "R69")),
)


@pytest.mark.parametrize(("clause", "example", "clauses"), FIRST_HAND)
def test_what_is_dealt_first_can_be_of_the_wrong_number(
    clause: str, example: str, clauses: tuple[str, ...]
) -> None:
    at = first_card_due(example)
    unknown(at)
    number, right = at.state.active, current_round(at).rules.plan((1, 2, 3)).moves[0]
    for count in (0, right.count):
        same = report("wrong_number_of_cards", position=right.to, count=count)
        assert refused(at, same).name == "nothing_wrong", clause
    told = at.do(report("wrong_number_of_cards", position=right.to, count=right.count + 1))
    assert voided(told).clauses == clauses
    assert voided(told).returned == tuple((p, *each) for p in (1, 2, 3) for each in BOTH.items())
    is_shuffled_anew(at, number)


def test_a_number_is_judged_by_what_lies_there_or_comes_next() -> None:
    at = first_card_due("shuffle-master")
    at.do(Deal())
    for position, count in ((1, 5), (2, 0), (2, 5), (3, 0)):
        same = report("wrong_number_of_cards", position=position, count=count)
        assert refused(at, same).name == "nothing_wrong"
    for position, count in ((1, 4), (1, 6), (2, 4), (2, 6), (3, 5)):
        assert at.may(report("wrong_number_of_cards", position=position, count=count)) is None


@pytest.mark.clause("P19")
@pytest.mark.parametrize("example", ["shuffle-master", "washington", "catfish-bend"])
def test_a_machine_that_dies_after_the_first_card_was_drawn_in_error_voids_the_round(example: str) -> None:
    at = first_card_due(example)
    number = at.state.active
    closing, noted = at.do(report("card_drawn_in_error"))[-2:]
    assert isinstance(closing, BetsClosed) or current_round(at).betting_stage == "first-card"
    assert isinstance(noted, IrregularityNoted)
    assert refused(at, CallOff(role="floorperson")).name == "not_now"
    assert "void-if-dealt" in voided(at.do(SHUFFLER_FAILS)).consequences
    is_shuffled_anew(at, number)


@pytest.mark.parametrize(
    ("clause", "example", "ordered"),
    by_clause(
        ("MD-13F", "maryland", SHUFFLER_FAILS),
        ("MD-05A3", "maryland", OrderShuffle(role="floorperson")),
        ("MA-14e", "massachusetts", SHUFFLER_FAILS),
    ),
)
def test_cards_ordered_to_be_shuffled_again_before_the_first_one_are_made_ready_by_the_dealer(
    clause: str, example: str, ordered: Any
) -> None:
    at = table(example, **MACHINE)
    bet(at)
    at.do(ordered)
    assert at.state.agenda, clause
    assert refused(at, Deal()).name == "deck_unprepared"
    assert finish(at).phase == "over"


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-14b", "massachusetts"), ("MD-13C", "maryland"))
)
def test_a_first_card_drawn_in_error_is_used_though_the_shuffler_fails(clause: str, example: str) -> None:
    at = first_card_due(example, **MACHINE)
    top = order(at)[0]
    at.do(report("card_drawn_in_error"))
    assert refused(at, SHUFFLER_FAILS).name == "not_described", clause
    at.do(Deal())
    assert current_round(at).positions[1].cards[0] == top


@pytest.mark.parametrize(
    ("clause", "example", "clauses"),
    by_clause(
        ("MA-14a.2", "massachusetts", ("MA-14a.2", "R69")),
        ("MD-13B", "maryland", ("MD-13B",)),
        ("P19", "shuffle-master", ("P19",)),
        ("P19", "washington", ("P19",)),
    ),
)
def test_several_cards_face_up_at_once_void_the_round_without_a_first(
    clause: str, example: str, clauses: tuple[str, ...]
) -> None:
    at = first_card_due(example)
    number = at.state.active
    told = at.do(report("more_face_up_cards"))
    noted = next(event for event in told if isinstance(event, IrregularityNoted))
    assert noted.irregularity == "more_face_up_cards", clause
    assert voided(told).clauses == clauses
    is_shuffled_anew(at, number)

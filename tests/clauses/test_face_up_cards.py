"""Cards that lie face up in shoe, deck or stack: the first is discarded, a second voids the round."""

from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.refusal_codes import Code
from fourcard.round.commands import Deal, Perform, PlaceWager, WithdrawWager
from fourcard.round.events import BetsClosed, CardsDealt, FaceUpCardDiscarded, IrregularityNoted
from fourcard.table.commands import BeginRound
from fourcard.table.table_driver import Table
from tests.kit.deals import act, order, report, unknown, voided
from tests.kit.refusal_situations import keyed
from tests.kit.support import by_clause, game
from tests.kit.tables import BOTH, bet, current_round, finish, refused, seeded, table, until

FOUND = report("one_face_up_card")
BACK = tuple((p, wager, amount) for p in (1, 2, 3) for wager, amount in BOTH.items())
MANUAL = {"dealing__method": "manual", "dealing__stack": None}


def about_to_deal(example: str, **changes: Any) -> Table:
    """Return a table with wagers, the first card of the round being due."""
    at = table(example, **changes)
    bet(at)
    while current_round(at).phase == "betting":
        if type(at.next_command()).__name__ == "Deal":
            return at
        act(at)
    raise AssertionError


ONE = by_clause(
    ("MA-14a.1", "massachusetts", {}),
    ("MA-14a.1", "massachusetts-everything", {}),
    ("MD-13A", "maryland", {}),
    ("MD-13A", "maryland-everything", {}),
    ("P19", "shuffle-master", {}),
    ("P19", "shuffle-master-everything", {}),
    ("P19", "washington", {}),
    ("P19", "washington-everything", MANUAL),
)


@pytest.mark.parametrize(("clause", "example", "changes"), ONE)
@pytest.mark.parametrize("moves", [0, 1, 3])
def test_one_card_found_face_up_goes_to_the_rack_and_the_deal_goes_on_without_it(
    clause: str, example: str, changes: Any, moves: int
) -> None:
    at = about_to_deal(example, **changes)
    whole, start = order(at), len(at.events)
    for _ in range(moves):
        act(at)
    before, out = order(at), current_round(at).dealt_cards
    *_, noted, gone = at.do(FOUND)
    assert isinstance(noted, IrregularityNoted)
    assert (noted.irregularity, noted.consequences) == ("one_face_up_card", ("discard-card",))
    assert gone == FaceUpCardDiscarded(before[0], (clause,))
    assert order(at) == before[1:]
    state = until(at, "stub")
    assert state.discarded == (before[0],)
    dealt = [c for event in at.events[start:] if isinstance(event, CardsDealt) for c in event.cards]
    assert before[0] not in dealt
    assert dealt == [c for c in whole if c != before[0]][: len(dealt)]
    assert out < state.dealt_cards
    assert all(len(place.cards) == 5 for place in state.positions.values())
    assert (len(state.dealer), at.state.decks[at.state.active].left) == (6, 52 - len(dealt) - 1)
    assert finish(at).phase == "over"


@pytest.mark.parametrize(("clause", "example", "changes"), ONE)
def test_a_card_is_found_face_up_only_while_cards_are_being_dealt(
    clause: str, example: str, changes: Any
) -> None:
    at = table(example, **changes)
    assert refused(at, FOUND).name == "not_described"
    bet(at)
    if type(at.next_command()).__name__ != "Deal":
        refusal = refused(at, FOUND)
        assert (refusal.name, refusal.clauses) == ("not_described", (clause,))
    for phase in ("stub", "deciding", "settling"):
        until(at, phase)
        refusal = refused(at, FOUND)
        assert (refusal.name, refusal.clauses) == ("not_described", (clause,))


@pytest.mark.clause("MA-14a.1", "MA-10a.3")
def test_only_the_dealer_enters_a_card_found_face_up_and_anybody_on_duty_reports_it() -> None:
    at = keyed("massachusetts")
    entered = report("one_face_up_card", card=5)
    refusal = refused(at, replace(entered, role="floorperson"))
    assert (refusal.code, refusal.clauses) == (Code.NOT_YOUR_DUTY, ("MA-10a.3",))
    assert at.do(entered)[-1] == FaceUpCardDiscarded(5, ("MA-14a.1",))
    at = about_to_deal("massachusetts")
    found = replace(FOUND, role="floorperson")
    for place in (-1, 52):
        assert refused(at, replace(found, place=place)).code is Code.FACE_UP_UNFIT
    first = order(at)[0]
    assert at.do(found)[-1] == FaceUpCardDiscarded(first, ("MA-14a.1",))


MORE = by_clause(
    ("MA-14a.2", "massachusetts", ("void", "reshuffle"), ("MA-14a.2", "R69")),
    ("MD-13B", "maryland", ("void", "return-wagers", "reshuffle"), ("MD-13B",)),
    ("P19", "shuffle-master", ("void", "return-wagers", "reshuffle"), ("P19",)),
    ("P19", "washington", ("void", "return-wagers", "reshuffle"), ("P19",)),
)


@pytest.mark.parametrize(("clause", "example", "consequences", "clauses"), MORE)
@pytest.mark.parametrize("between", [None, 0, 2])
def test_a_second_card_found_face_up_in_the_same_deal_voids_the_round(
    clause: str, example: str, consequences: Any, clauses: Any, between: int | None
) -> None:
    """Two may also be reported at once."""
    at = about_to_deal(example)
    if between is not None:
        at.do(FOUND)
    for _ in range(between or 0):
        act(at)
    told = at.do(report("more_face_up_cards") if between is None else FOUND)
    noted = next(event for event in told if isinstance(event, IrregularityNoted))
    assert (noted.irregularity, noted.clauses) == ("more_face_up_cards", (clause,))
    void = voided(told)
    assert (void.consequences, void.clauses, void.returned) == (consequences, clauses, BACK)
    assert not any(isinstance(event, FaceUpCardDiscarded) for event in told)
    ended = at.state.last_round
    assert ended is not None
    assert (ended.phase, set(ended.nets.values())) == ("void", {0})
    assert any("shuffle" in step or "riffle" in step for step, _ in at.state.agenda)
    at.begin()
    bet(at)
    until(at, "dealing")
    assert any(isinstance(event, FaceUpCardDiscarded) for event in at.do(FOUND))
    assert current_round(at).phase == "dealing"


@pytest.mark.clause("IA-IRR-2")
@pytest.mark.parametrize("moves", [0, 2])
def test_at_catfish_bend_the_first_card_that_lies_open_voids_the_round(moves: int) -> None:
    at = about_to_deal("catfish-bend")
    for _ in range(moves):
        act(at)
    several = report("more_face_up_cards")
    assert at.may(several) is None
    void = voided(at.do(FOUND if moves else several))
    assert (void.consequences, void.clauses, void.returned) == (("void",), ("IA-IRR-2", "R69"), BACK)


STACKS = by_clause(("MA-14a.1", "massachusetts-everything"), ("MD-13A", "maryland-everything"))


@pytest.mark.parametrize(("clause", "example"), STACKS)
@pytest.mark.clause("R74")
@pytest.mark.parametrize("place", range(5))
def test_a_face_up_card_anywhere_in_a_machines_stack_is_replaced_from_the_next_card(
    clause: str, example: str, place: int
) -> None:
    at = about_to_deal(example)
    while not _deals_to(at, 2):
        act(at)
    before = order(at)
    *_, gone = at.do(report("one_face_up_card", place=place))
    assert gone == FaceUpCardDiscarded(before[place], (clause,))
    act(at)
    assert current_round(at).positions[2].cards == (*before[:place], *before[place + 1 : 6])
    assert order(at) == before[6:]
    assert finish(at).phase == "over"


def _deals_to(at: Table, position: int) -> bool:
    plan, move = current_round(at).plan, current_round(at).move_index
    return plan is not None and (plan.moves[move].name, plan.moves[move].to) == ("deal", position)


@pytest.mark.clause("R74")
def test_a_face_up_card_lies_among_those_that_come_next() -> None:
    at = about_to_deal("massachusetts-everything")
    for place in (-1, 5):
        refusal = refused(at, report("one_face_up_card", place=place))
        assert (refusal.code, refusal.clauses) == (Code.FACE_UP_UNFIT, ("MA-14a.1", "R74"))
    at = about_to_deal("massachusetts")
    assert refused(at, report("one_face_up_card", place=1)).name == "face_up_unfit"
    act(at)
    for foreign in (current_round(at).positions[1].cards[0], order(at)[1], 52):
        assert refused(at, report("one_face_up_card", card=foreign)).name == "cards_keyed"


@pytest.mark.clause("MA-14a.1")
def test_a_face_up_card_of_a_deck_that_nobody_knows_must_be_named() -> None:
    at = about_to_deal("massachusetts")
    unknown(at)
    at.do(Deal(cards=(0,)))
    for foreign, name in ((0, "card_seen"), (52, "card_unknown"), (None, "card_unknown")):
        assert refused(at, report("one_face_up_card", card=foreign)).name == name
    at.do(report("one_face_up_card", card=7))
    assert current_round(at).discarded == (7,)
    assert refused(at, Deal(cards=(7,))).name == "card_seen"
    at.do(Deal(cards=(8,)))


@pytest.mark.clause("R95", "P19")
def test_a_first_card_that_lies_open_closes_the_bets_that_nothing_closed_before() -> None:
    for drawn in (FOUND, report("card_drawn_in_error")):
        at = about_to_deal("shuffle-master")
        closed, noted, *_ = at.do(drawn)
        assert (isinstance(closed, BetsClosed), isinstance(noted, IrregularityNoted)) == (True, True)
        for late in (
            PlaceWager(position=1, wager="ante", amount=5_000),
            WithdrawWager(position=1, wager="aces_up"),
        ):
            assert refused(at, late).name == "betting_closed"
        assert finish(at).phase == "over"


@pytest.mark.clause("MA-14a.1", "MA-7e-a")
def test_a_count_of_the_stub_knows_of_the_card_in_the_rack() -> None:
    for count, name in ((35, "StepDone"), (36, "CountFoundWrong")):
        at = Table(game("massachusetts"), seeded(3))
        at.seat(1, "p1")
        at.seat(2, "p2")
        while at.state.agenda:
            at.do(at.next_preparation())
        at.do(BeginRound(count_stub=True))
        bet(at)
        until(at, "dealing")
        at.do(FOUND)
        until(at, "stub")
        act(at)
        (told,) = at.do(Perform(step="count_stub", count=count))
        assert type(told).__name__ == name

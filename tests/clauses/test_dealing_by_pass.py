"""Cards dealt one at a time round the table: from a shoe, from the hand, manually."""

import pytest

from fourcard.refusal_codes import Code
from fourcard.round.commands import Deal, HandSide, Perform, PlaceWager
from fourcard.round.events import CardsDealt
from fourcard.rules.procedures import StepName
from fourcard.table.commands import BeginRound, OpenTable, Prepare
from fourcard.table.events import StepPrepared
from fourcard.table.table_driver import Table
from tests.kit.deals import cited, closed, dealt_round, motions, opened, preparation, prompted
from tests.kit.decks import begin, prompt, under_rule
from tests.kit.support import by_clause, game
from tests.kit.tables import current_round, refused, seeded

SERVED = [1, 3, 5, 0]
"""The positions that wagered, in the order in which they are served, and the dealer."""


def players_cards(way: str) -> dict[int, tuple[int, ...]]:
    """Return what each position holds after the deal."""
    return {p: place.cards for p, place in current_round(dealt_round(way).at).positions.items()}


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-7c.1", "MA shoe"),
        ("MA-8c.1", "MA hand"),
        ("MD-08E.0", "MD shoe"),
        ("MD-09B3.1", "MD hand"),
        ("IA-MAN-1.1", "IA manual"),
        ("WA-DEAL-2.2", "WA manual"),
        ("P18", "WA manual"),
    ),
)
def test_cards_go_one_at_a_time_clockwise_from_the_dealers_left(clause: str, way: str) -> None:
    done = dealt_round(way)
    deals = [event for event in done.events if isinstance(event, CardsDealt)]
    assert [event.to for event in deals[:20]] == SERVED * 5
    assert [len(event.cards) for event in deals[:19]] == [1] * 19
    order = [card for event in deals for card in event.cards]
    assert order == list(done.deck[:21])
    assert current_round(done.at).positions[3].cards == tuple(done.deck[n] for n in (1, 5, 9, 13, 17))
    assert clause in cited(deals)


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-7c.2", "MA shoe"),
        ("MA-8c.2", "MA hand"),
        ("MD-08E.0", "MD shoe"),
        ("MD-09B3.1", "MD hand"),
        ("IA-MAN-1.1", "IA manual"),
        ("WA-DEAL-2.1", "WA manual"),
    ),
)
def test_an_ante_or_aces_up_is_dealt_in_and_nobody_else(clause: str, way: str) -> None:
    held = players_cards(way)
    assert [position for position, cards in held.items() if cards] == [1, 3, 5]
    at = closed(way)
    preparation(at)
    at.do(BeginRound())
    nobody = refused(at, Deal())
    assert nobody.code == Code.NOBODY_WAGERED
    assert clause in nobody.clauses


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-7c.3", "MA shoe"),
        ("MA-7c.4", "MA shoe"),
        ("MA-8c.2", "MA hand"),
        ("MA-8c.3", "MA hand"),
        ("MD-08E.1", "MD shoe"),
        ("MD-08E1", "MD shoe"),
        ("MD-09B3.2", "MD hand"),
        ("MD-09B4", "MD hand"),
        ("IA-MAN-1.2", "IA manual"),
        ("WA-DEAL-2.1", "WA manual"),
    ),
)
def test_players_end_with_five_cards_face_down_and_the_dealer_with_six(clause: str, way: str) -> None:
    done = dealt_round(way)
    state = current_round(done.at)
    assert [len(state.positions[p].cards) for p in (1, 3, 5)] == [5, 5, 5]
    assert len(state.dealer) == 6
    to_players = [event for event in done.events if isinstance(event, CardsDealt) and event.to > 0]
    assert [event.up for event in to_players] == [0] * 15
    assert not any(place.face_up for place in state.positions.values())
    assert clause in cited(done.events)


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-7c.5", "MA shoe"),
        ("MA-8c.4", "MA hand"),
        ("R16", "MA hand"),
        ("MD-08E1", "MD shoe"),
        ("MD-08E2", "MD shoe"),
        ("MD-09B4", "MD hand"),
        ("MD-09B5", "MD hand"),
        ("IA-MAN-1.2", "IA manual"),
        ("IA-MAN-2", "IA manual"),
        ("WA-DEAL-2.3", "WA manual"),
        ("P18", "WA manual"),
    ),
)
def test_the_dealers_first_five_cards_are_face_down_and_the_sixth_is_face_up(clause: str, way: str) -> None:
    done = dealt_round(way)
    state = current_round(done.at)
    own = [event for event in done.events if isinstance(event, CardsDealt) and event.to == 0]
    facing = [up for event in own for up in ["down"] * (len(event.cards) - event.up) + ["up"] * event.up]
    assert facing == ["down"] * 5 + ["up"]
    assert state.dealer == tuple(done.deck[n] for n in (3, 7, 11, 15, 19, 20))
    assert state.up_card == done.deck[20]
    assert clause in cited(own)


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(("MA-7c.6", "MA shoe"), ("MA-8c.5", "MA hand"), ("MD-08E3", "MD shoe"), ("MD-09B6", "MD hand")),
)
def test_the_dealers_fifth_and_sixth_cards_come_off_one_after_the_other(clause: str, way: str) -> None:
    done = dealt_round(way)
    assert motions(done.events)[-2:] == [("deal", 5, 1, 0), ("deal", 0, 2, 1)]
    assert current_round(done.at).dealer[4:] == done.deck[19:21]
    assert clause in cited(done.events[-1:])


@pytest.mark.parametrize(("clause", "way"), by_clause(("IA-MAN-2", "IA manual"), ("P18", "WA manual")))
def test_the_up_card_is_dealt_by_itself_after_everybody_has_five(clause: str, way: str) -> None:
    done = dealt_round(way)
    assert motions(done.events)[-2:] == [("deal", 0, 1, 0), ("deal", 0, 1, 1)]
    assert clause in cited(done.events[-1:])


@pytest.mark.parametrize(("clause", "way"), by_clause(("MA-7b.2", "MA shoe"), ("MD-08D", "MD shoe")))
@pytest.mark.parametrize(("side", "wrong"), [("left", "right"), ("right", "left")])
def test_cards_are_drawn_with_the_hand_next_to_the_shoe(
    clause: str, way: str, side: HandSide, wrong: HandSide
) -> None:
    at = with_shoe_at(way, side)
    told = refused(at, Deal(drawn_with=wrong))
    assert told.code == Code.WRONG_HAND
    assert clause in told.clauses
    while current_round(at).phase == "dealing":
        at.do(Deal(drawn_with=side))
    assert len(current_round(at).dealer) == 6


@pytest.mark.clause("MD-08D")
def test_any_hand_draws_where_the_rulebook_names_none() -> None:
    at = under_rule("maryland", "dealing.shoe.drawing_hand", value=False, dealing={"method": "shoe"})
    at.open()
    begin(at)
    at.do(PlaceWager(position=1, wager="ante", amount=2500))
    at.do(Perform(step="announce_no_more_bets"))
    for hand in ("left", "right"):
        assert at.may(Deal(drawn_with=hand)) is None


def with_shoe_at(way: str, side: HandSide) -> Table:
    """Return a table whose shoe stands on one side of the dealer, one card dealt."""
    made = Table(closed(way).game, seeded(3))
    made.do(OpenTable(decks=("red",), shoe_side=side))
    made.seat(1, "p1")
    made.begin()
    made.do(PlaceWager(position=1, wager="ante", amount=2500))
    while prompted(made)[0] != "deal":
        command = made.next_command()
        assert command is not None
        made.do(command)
    made.do(Deal(drawn_with=side))
    return made


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-8b2i", "MA hand"),
        ("MA-8b3.2", "MA hand"),
        ("R16", "MA hand"),
        ("MD-09A2a", "MD hand"),
        ("MD-09B1", "MD hand"),
        ("MD-09B2", "MD hand"),
    ),
)
@pytest.mark.parametrize(("holds", "free"), [("left", "right"), ("right", "left")])
def test_the_hand_that_took_the_deck_holds_it_all_round_and_the_other_draws_the_top_card(
    clause: str, way: str, holds: HandSide, free: HandSide
) -> None:
    at = closed(way)
    while at.state.agenda:
        step = at.state.agenda[0][0]
        at.do(Prepare(step=step, hand=holds) if step == "take_in_hand" else at.next_preparation())
    at.do(BeginRound())
    at.do(PlaceWager(position=1, wager="ante", amount=2500))
    at.do(at.next_command() or Deal())
    while current_round(at).phase != "stub":
        told = refused(at, Deal(drawn_with=holds))
        assert told.code == Code.WRONG_HAND
        assert clause == "R16" or clause in told.clauses
        top = (at.state.decks[0].order or ())[0]
        event = at.do(Deal(drawn_with=free))[-1]
        assert isinstance(event, CardsDealt)
        assert event.cards[0] == top
        assert event.up == (current_round(at).phase == "stub"), "only the dealer's sixth card is face up"


LOADING = {
    "MA shoe": ["shuffle_by_hand", "square_stack", "lay_cover_card", "cut", "place_rest_on_top",
                "rack_cover_card", "put_in_shoe"],
    "MA hand": ["shuffle_by_machine", "square_stack", "take_in_hand"],
    "MD shoe": ["insert_cover_card", "cut", "put_in_shoe"],
    "MD hand": ["take_in_hand"],
}  # fmt: skip
LOADING_PROMPTS = {
    "put_in_shoe": "Put the deck into the dealing shoe.",
    "take_in_hand": "Take the deck in one hand and hold it over the chip tray.",
}


@pytest.mark.parametrize(
    ("clause", "way", "step"),
    by_clause(
        ("MA-7a.3", "MA shoe", "put_in_shoe"),
        ("MA-8b2", "MA hand", "take_in_hand"),
        ("MA-8b2ii", "MA hand", "take_in_hand"),
        ("MD-08B", "MD shoe", "put_in_shoe"),
        ("MD-09A2", "MD hand", "take_in_hand"),
        ("MD-09A2b", "MD hand", "take_in_hand"),
    ),
)
def test_the_stacked_deck_is_loaded_after_shuffle_and_cut_and_before_the_round(
    clause: str, way: str, step: StepName
) -> None:
    at = closed(way)
    while at.state.agenda[0][0] != step:
        assert refused(at, Prepare(step=step)).code == Code.STEP_NOT_DUE
        at.do(at.next_preparation())
    assert clause in at.state.agenda[0][1]
    assert prompt(at) == LOADING_PROMPTS[step]
    early = refused(at, BeginRound())
    assert early.code == Code.DECK_UNPREPARED
    assert clause in early.clauses
    done = at.do(at.next_preparation())
    assert isinstance(done[0], StepPrepared)
    assert (done[0].step, clause in done[0].clauses) == (step, True)
    assert not at.state.agenda
    steps = [event.step for event in at.events if isinstance(event, StepPrepared)]
    assert steps[-len(LOADING[way]) :] == LOADING[way]
    at.do(BeginRound())


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-7a.3", "massachusetts"), ("MD-08B", "maryland"))
)
def test_a_shuffler_may_load_the_shoe_in_the_dealers_place(clause: str, example: str) -> None:
    machine = {"maker": "Shuffle Master", "model": "Deck Mate", "direct_load": True}
    at = Table(game(example, dealing__method="shoe", shuffler=machine), seeded(1))
    at.seat(1, "p1")
    assert "put_in_shoe" not in [step for step, _ in preparation(at)], clause
    at.do(BeginRound())


@pytest.mark.parametrize(("clause", "way"), by_clause(("MA-8b2", "MA hand"), ("MD-09A2", "MD hand")))
def test_the_dealer_says_which_hand_takes_the_deck(clause: str, way: str) -> None:
    at = closed(way)
    while at.state.agenda[0][0] != "take_in_hand":
        at.do(at.next_preparation())
    neither = refused(at, Prepare(step="take_in_hand"))
    assert neither.code == Code.NUMBER_UNFIT
    assert clause in neither.clauses
    at.do(Prepare(step="take_in_hand", hand="right"))
    assert at.state.hand == "right"


@pytest.mark.parametrize(
    ("clause", "way", "then"),
    by_clause(
        ("MA-7b.1", "MA shoe", "deal"),
        ("MA-8b3.1", "MA hand", "deal"),
        ("MD-08C.0", "MD shoe", "deal"),
        ("MD-08C.0", "MD old shoe", "lock_out"),
        ("MD-09A3a", "MD hand", "deal"),
        ("MD-09A3a", "MD old hand", "lock_out"),
    ),
)
def test_no_more_bets_is_announced_before_the_first_card(clause: str, way: str, then: str) -> None:
    at = opened(way)
    assert prompted(at) == ("announce_no_more_bets", (clause,))
    early = refused(at, Deal())
    assert (early.code, early.clauses) == (Code.OUT_OF_ORDER, (clause,))
    raised = PlaceWager(position=1, wager="ante", amount=3000)
    at.do(raised)
    command = at.next_command()
    assert command is not None
    at.do(command)
    assert refused(at, raised).code == Code.BETTING_CLOSED
    assert prompted(at)[0] == then

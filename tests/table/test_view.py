"""What each viewer sees: whole views at the moments of a round, and of the table around it."""

import pytest
from msgspec.structs import replace

from fourcard.round.commands import Fold, Play
from fourcard.round.state import RoundState
from fourcard.round.view import MoneyMovement, NextStepView, RoundView, Viewer, can_see, round_view
from fourcard.table.commands import Prepare
from fourcard.table.table_driver import Table
from fourcard.table.view import DeckView, TableView, table_view
from tests.kit.support import game
from tests.kit.tables import (
    advance,
    bet,
    current_round,
    decision,
    new_position_view,
    new_round_view,
    seeded,
    stack,
    table,
)

HANDS = {1: "As Ah 7s 7c 2h", 2: "Kh Qs 6d 4c 3d", 0: "Qd Qc 8c 5h 2c 9h"}
ANN, BOB, CAT = Viewer("seat", "Ann"), Viewer("seat", "Bob"), Viewer("seat", "Cat")
DEALER, FLOOR, SURVEILLANCE = Viewer("dealer"), Viewer("floor"), Viewer("surveillance")
EVERYBODY = (ANN, BOB, CAT, DEALER, FLOOR, SURVEILLANCE)
HIDDEN = ("??",) * 5
ANNS, BOBS = ("As", "Ah", "7s", "7c", "2h"), ("Kh", "Qs", "6d", "4c", "3d")
DEALERS = ("Qd", "Qc", "8c", "5h", "2c", "9h")
ANNS_HAND = "two pair, aces and sevens"
BOBS_HAND = "high card, king, queen, six and four"


ANNS_PLACE = replace(
    new_position_view(1, "Ann"), wagers={"ante": 2500, "aces_up": 500}, lying={"ante": 2500, "aces_up": 500}
)
BOBS_PLACE = replace(
    new_position_view(2, "Bob"),
    wagers={"ante": 2500, "progressive": 100},
    lying={"ante": 2500, "progressive": 100},
)
EMPTY = new_round_view(
    (new_position_view(1, "Ann"), new_position_view(2, "Bob"), new_position_view(3, "Cat")),
    "announce_no_more_bets",
    "MA-9b2",
)
DEALT = (replace(ANNS_PLACE, cards=HIDDEN), replace(BOBS_PLACE, cards=HIDDEN), new_position_view(3, "Cat"))
STUB = replace(
    EMPTY,
    phase="stub",
    bets_open=False,
    places=DEALT,
    dealer=(*HIDDEN, "9h"),
    up="9h",
    burned=4,
    due=NextStepView("press_green_button", 0, ("MA-12e.1", "R102")),
)
BLUE = DeckView("blue", 52, in_shuffler=True, removed=False, due=("shuffle_by_machine", "square_stack"))


@pytest.fixture
def at() -> Table:
    """Return a table of the high-limit room with a known deck: Ann wins, Bob folds, Cat only watches."""
    made = game("massachusetts-everything")
    cards = stack(made, HANDS, (1, 2))
    opened = Table(made, lambda: cards)
    for position, player in ((3, "Cat"), (1, "Ann"), (2, "Bob")):
        opened.seat(position, player)
    opened.begin()
    return opened


def wagered(at: Table) -> Table:
    """Put the wagers of Ann and Bob down."""
    bet(at, {"ante": 2500, "aces_up": 500}, (1,))
    bet(at, {"ante": 2500, "progressive": 100}, (2,))
    return at


def decided(at: Table) -> Table:
    """Let Ann play three times her Ante and Bob fold."""
    advance(wagered(at))
    at.do(Play(position=1, amount=7500))
    at.do(Fold(position=2))
    return at


def act(at: Table, times: int = 1) -> RoundState:
    """Let the dealer act some times."""
    for _ in range(times):
        command = at.next_command()
        assert command is not None
        at.do(command)
    found = at.round
    assert found is not None
    return found


def seen_by_all(state: RoundState) -> RoundView:
    """Return what a round looks like to everybody, which must be the same."""
    views = [round_view(state, viewer) for viewer in EVERYBODY]
    assert all(each == views[0] for each in views)
    return views[0]


def test_while_wagers_are_taken_everybody_sees_them_lie(at: Table) -> None:
    assert seen_by_all(current_round(at)) == EMPTY
    wagered(at)
    assert seen_by_all(current_round(at)) == replace(
        EMPTY, places=(ANNS_PLACE, BOBS_PLACE, new_position_view(3, "Cat"))
    )


def test_after_no_more_bets_a_progressive_stake_lies_until_it_is_settled(at: Table) -> None:
    wagered(at)
    assert seen_by_all(act(at)) == replace(
        EMPTY,
        bets_open=False,
        places=(ANNS_PLACE, BOBS_PLACE, new_position_view(3, "Cat")),
        due=NextStepView("deal", 0, ("MA-9c.1", "MA-9c.2")),
    )


def test_cards_that_are_being_dealt_lie_face_down_for_everybody(at: Table) -> None:
    wagered(at)
    one_hand = (DEALT[0], BOBS_PLACE, new_position_view(3, "Cat"))
    dealing = replace(EMPTY, phase="dealing", bets_open=False, places=DEALT, dealer=HIDDEN)
    clauses = ("MA-9c.1", "MA-9c.2", "MA-9a.1", "R80", "MA-9c.3", "MA-9c.4")
    assert seen_by_all(act(at, 2)) == replace(
        dealing, places=one_hand, dealer=(), due=NextStepView("deal", 2, clauses)
    )
    assert seen_by_all(act(at, 3)) == replace(
        dealing, extra=5, due=NextStepView("spread_extra_stack", -1, ("MA-9c.5",))
    )
    assert seen_by_all(act(at, 2)) == replace(
        dealing,
        dealer=(*HIDDEN, "9h"),
        up="9h",
        extra=4,
        due=NextStepView("discard_extra_cards", -1, ("MA-9c.7",)),
    )


def test_nobody_looks_before_the_stub_is_away_and_then_each_at_the_own_cards(at: Table) -> None:
    wagered(at)
    assert seen_by_all(act(at, 8)) == STUB
    assert seen_by_all(act(at, 3)) == replace(
        STUB, phase="deciding", due=NextStepView("let_players_look", 0, ("MA-10a.1",))
    )
    state = act(at)
    deciding = replace(STUB, phase="deciding", due=None, deciding=1)
    anns = (replace(ANNS_PLACE, cards=ANNS, hand=ANNS_HAND), DEALT[1], DEALT[2])
    bobs = (DEALT[0], replace(BOBS_PLACE, cards=BOBS, hand=BOBS_HAND), DEALT[2])
    assert round_view(state, ANN) == replace(deciding, places=anns)
    assert round_view(state, BOB) == replace(deciding, places=bobs)
    assert [round_view(state, viewer) for viewer in (CAT, DEALER, FLOOR, SURVEILLANCE)] == [deciding] * 4


def test_a_name_alone_does_not_show_cards_to_one_who_does_not_sit_there(at: Table) -> None:
    state = act(wagered(at), 12)
    anns = state.positions[1]
    assert can_see(state, anns, ANN)
    assert not can_see(state, anns, BOB)
    assert not any(can_see(state, anns, Viewer(kind, "Ann")) for kind in ("dealer", "floor", "surveillance"))
    assert not can_see(replace(state, players_looked=False), anns, ANN)


def moved(position: int, wager: str, action: str, amount: int, source: str, *rest: object) -> MoneyMovement:
    """Return a movement of money."""
    return MoneyMovement(position, wager, action, amount, source, *rest)  # type: ignore[arg-type]


FOLDED = (
    moved(2, "ante", "take", 2500, "player", ("MA-10b.2",), None, None, None),
    moved(2, "progressive", "take", 100, "player", ("R48",), None, None, None),
)
FOLDED_OWN = tuple(replace(each, hand="high_card") for each in FOLDED)
AU_CLAUSES = ("MA-11a3.2", "MA-1-AU.3", "MA-11a3.1")
WON = (
    moved(1, "play", "pay", 7500, "tray", ("MA-11a1.1",), "two_pair", None, "1 to 1"),
    moved(1, "ante", "pay", 2500, "tray", ("MA-11a1.1",), "two_pair", None, "1 to 1"),
    moved(1, "aces_up", "pay", 1000, "tray", AU_CLAUSES, "two_pair", "two_pair", "2 to 1"),
)
STANDING: dict[str, int] = {"ante": 2500, "aces_up": 500, "play": 7500}
PLAYED = replace(ANNS_PLACE, wagers=dict(STANDING), lying=dict(STANDING), cards=HIDDEN, decision="play")
GONE = replace(BOBS_PLACE, lying={}, cards=HIDDEN, decision="fold", net=-2600)


def test_a_folded_hand_is_taken_and_mucked_unseen_by_all_but_its_player(at: Table) -> None:
    state = act(decided(at))
    settling = replace(
        STUB,
        phase="settling",
        places=(PLAYED, GONE, DEALT[2]),
        due=NextStepView("muck_hands", 0, ("MA-10c.2", "R3")),
        moved=FOLDED,
    )
    for viewer in (CAT, DEALER, FLOOR, SURVEILLANCE):
        assert round_view(state, viewer) == settling
    own = replace(
        settling, places=(PLAYED, replace(GONE, cards=BOBS, hand=BOBS_HAND), DEALT[2]), moved=FOLDED_OWN
    )
    assert round_view(state, BOB) == own
    state = act(at)
    assert round_view(state, DEALER) == replace(
        settling,
        places=(PLAYED, replace(GONE, racked=True), DEALT[2]),
        due=NextStepView("reveal_dealer", 0, ("MA-10d.1",)),
        racked=(2,),
    )
    state = act(at)
    assert round_view(state, DEALER).dealer == DEALERS
    assert round_view(state, DEALER).places[0] == PLAYED


OVER = replace(
    STUB,
    phase="over",
    places=(
        replace(PLAYED, lying={}, cards=ANNS, hand=ANNS_HAND, racked=True, net=11000),
        replace(GONE, racked=True),
        DEALT[2],
    ),
    dealer=DEALERS,
    dealer_hand="pair of queens, nine and eight",
    due=None,
    moved=(*FOLDED, *WON),
    racked=(2, 1, 0),
)
"""What a bystander sees of the finished round."""


def test_when_the_round_is_over_the_floor_and_surveillance_look_into_the_rack(at: Table) -> None:
    advance(decided(at))
    state = at.state.last_round
    assert state is not None
    for viewer in (ANN, CAT, DEALER):
        assert round_view(state, viewer) == OVER
    for viewer in (FLOOR, SURVEILLANCE):
        assert round_view(state, viewer) == replace(OVER, rack=(BOBS, ANNS, DEALERS))
    winner, folded, watcher = OVER.places
    assert round_view(state, BOB) == replace(
        OVER, places=(winner, replace(folded, cards=BOBS, hand=BOBS_HAND), watcher), moved=(*FOLDED_OWN, *WON)
    )


@pytest.mark.parametrize("viewer", [DEALER, FLOOR])
def test_a_table_shows_decks_by_their_backs_and_the_round_as_the_viewer_sees_it(
    at: Table, viewer: Viewer
) -> None:
    red = DeckView("red", None, in_shuffler=False, removed=False, due=())
    expected = TableView(
        phase="open",
        game=at.game.hash,
        decks=(red, BLUE),
        active=0,
        seats={1: "Ann", 2: "Bob", 3: "Cat"},
        number=1,
        method="automated",
        failed=(),
        away=(),
        round=EMPTY,
        last=None,
    )
    assert table_view(at.state, viewer) == expected
    act(wagered(at), 3)
    assert table_view(at.state, viewer).decks[0] == red
    advance(at)
    at.do(Play(position=1, amount=7500))
    at.do(Fold(position=2))
    advance(at)
    again = replace(red, left=52, due=("shuffle_by_machine", "square_stack"))
    rack = (BOBS, ANNS, DEALERS) if viewer is FLOOR else None
    assert table_view(at.state, viewer) == replace(
        expected, decks=(again, BLUE), active=1, round=None, last=replace(OVER, rack=rack)
    )


def test_a_closed_table_shows_no_decks_and_nobody() -> None:
    closed = Table(game("massachusetts"))
    assert table_view(closed.state, DEALER) == TableView(
        phase="closed",
        game=closed.game.hash,
        decks=(),
        active=0,
        seats={},
        number=0,
        method="shoe",
        failed=(),
        away=(),
        round=None,
        last=None,
    )


def test_a_deck_in_the_shuffler_and_a_deck_that_was_removed_are_told_apart() -> None:
    at = table("catfish-bend", (1,))
    decks = table_view(at.state, DEALER).decks
    assert decks == (
        DeckView("red", None, in_shuffler=False, removed=False, due=()),
        DeckView("blue", 52, in_shuffler=True, removed=False, due=("put_in_shuffler", "press_shuffle")),
    )
    bad = Table(game("massachusetts-everything"))
    bad.seat(1, "Ann")
    while bad.state.agenda[0][0] != "shuffle_by_machine":
        bad.do(bad.next_preparation())
    bad.do(Prepare(step="shuffle_by_machine", count=51))
    red = DeckView("red", 52, in_shuffler=False, removed=True, due=())
    seen = table_view(bad.state, DEALER).decks
    assert (seen[0], seen[1].due[0], seen[1].in_shuffler) == (red, "inspect_cards", False)


def test_whatever_is_due_a_dealer_is_prompted_for_it() -> None:
    prompts: set[str] = set()
    for name in ("massachusetts-everything", "maryland", "washington-everything", "catfish-bend"):
        at = Table(game(name), seeded(1))
        at.seat(1, "p1")
        while at.state.agenda:
            prompts |= set(table_view(at.state, Viewer("dealer")).decks[0].prompts)
            at.do(at.next_preparation())
        at.begin()
        bet(at)
        while at.state.round is not None:
            seen = round_view(at.state.round, Viewer("dealer")).due
            prompts |= set() if seen is None else {seen.prompt}
            command = at.next_command()
            at.do(decision(at) if command is None else command)
    assert {"Wash the cards thoroughly.", "Announce: no more bets.", "Pay the winning wagers."} <= prompts
    assert len(prompts) > 30

"""Decisions: players look, are asked in turn, play or fold; who may touch cards; forfeits afterwards."""

import pytest

from fourcard.cards import parse_cards
from fourcard.round.commands import Deal, Fold, Perform, PlaceWager, Play, SetHand
from fourcard.round.events import HandSet, ShowdownReached, StepDone
from fourcard.round.preconditions import next_step, positions_to_decide
from fourcard.round.view import FACE_DOWN, RoundView, Viewer
from fourcard.table.narrate import TableNarrator
from fourcard.table.table_driver import Table
from fourcard.table.view import table_view
from tests.kit.deals import act, table_with_hands
from tests.kit.support import by_clause
from tests.kit.tables import ANTE, BOTH, advance, bet, current_round, finish, refused, table, until

LOOK, LOOK_AND_LAY = Perform(step="let_players_look"), Perform(step="look_and_lay_face_down")
"""Only Maryland says that the cards then lie face down."""
SEATS = (1, 2, 3, 4, 5)


def asked(example: str) -> Table:
    """Return a table at which all but position 3, who has only Aces Up, have an Ante, and all have looked."""
    at = table(example, seats=(5, 3, 1, 4, 2))
    bet(at, ANTE, (4, 2, 1))
    bet(at, BOTH, (5,))
    bet(at, {"aces_up": 500}, (3,))
    advance(at)
    return at


LOOKING = by_clause(
    ("MA-10a.1", "massachusetts"),
    ("SM-W1-4", "shuffle-master"),
    ("MD-11A.0", "maryland"),
    ("WA-W1-4", "washington"),
    ("IA-COMP-1.1", "catfish-bend"),
    ("IA-INT-4", "catfish-bend"),
)


@pytest.mark.parametrize(("clause", "example"), LOOKING)
def test_players_look_at_their_cards_when_the_deal_is_complete_and_then_decide(
    clause: str, example: str
) -> None:
    at, look = table(example), LOOK_AND_LAY if example == "maryland" else LOOK
    bet(at, ANTE)
    for phase in ("betting", "dealing", "stub"):
        until(at, phase)
        assert refused(at, look).name == "out_of_order", phase
        assert refused(at, Play(position=1, amount=2_500)).name == "not_now"
        assert refused(at, Fold(position=1)).name == "not_now"
    until(at, "deciding")
    for decision in (Play(position=1, amount=2_500), Fold(position=1)):
        refusal = refused(at, decision)
        assert refusal.name == "out_of_order"
        assert refusal.message == f"'decide' is not due now. Next step: '{look.step.replace('_', ' ')}'."
    assert all(len(place.cards) == 5 for place in current_round(at).positions.values())
    (looked,) = at.do(look)
    assert isinstance(looked, StepDone)
    assert clause in looked.clauses or clause == "IA-INT-4"
    assert refused(at, look).name == "not_now"
    at.do(Play(position=1, amount=2_500))
    at.do(Fold(position=2))
    assert [current_round(at).positions[p].play_amount for p in (1, 2, 3)] == [2_500, 0, None]


ORDER = by_clause(
    ("MA-10b.1", "massachusetts"),
    ("P21", "shuffle-master"),
    ("MD-11B.0", "maryland"),
    ("P21", "washington"),
    ("IA-COMP-2.4", "catfish-bend"),
)


@pytest.mark.parametrize(("clause", "example"), ORDER)
def test_players_are_asked_clockwise_from_the_dealers_left(clause: str, example: str) -> None:
    at = asked(example)
    turns: list[int] = []
    for position in (1, 2, 4, 5):
        for later in {2, 4, 5} - {*turns, position}:
            for early in (Play(position=later, amount=2_500), Fold(position=later)):
                refusal = refused(at, early)
                assert (refusal.name, clause in refusal.clauses) == ("asked_later", True)
        at.do(Fold(position=position) if position == 2 else Play(position=position, amount=2_500))
        turns.append(position)
        for again in (Play(position=position, amount=2_500), Fold(position=position)):
            assert refused(at, again).name in ("no_decision", "not_now")
    assert current_round(at).phase == "settling"


ONLY_ANTES = by_clause(
    ("MA-10b.2", "massachusetts"),
    ("SM-W1-4", "shuffle-master"),
    ("MD-11B.0", "maryland"),
    ("WA-W1-4", "washington"),
    ("IA-INT-4", "catfish-bend"),
)


@pytest.mark.parametrize(("clause", "example"), ONLY_ANTES)
def test_only_players_with_an_ante_are_asked_and_each_plays_or_forfeits_it(clause: str, example: str) -> None:
    at = asked(example)
    assert positions_to_decide(current_round(at)) == (1, 2, 4, 5)
    for wrong in (Play(position=3, amount=500), Fold(position=3)):
        refusal = refused(at, wrong)
        assert (refusal.name, clause in refusal.clauses) == ("no_decision", True)
    at.do(Fold(position=1))
    at.do(Play(position=2, amount=7_500))
    at.do(Fold(position=4))
    *_, last = at.do(Fold(position=5))
    assert isinstance(last, ShowdownReached)
    finish(at)
    assert at.state.last_round is not None
    nets = at.state.last_round.nets
    assert (nets[1], nets[4]) == (-2_500, -2_500)


@pytest.mark.clause("MA-10b.2", "IA-INT-4", "MD-11B.0")
def test_nobody_is_asked_where_nobody_has_an_ante() -> None:
    for example in ("massachusetts", "catfish-bend", "maryland"):
        at = table(example)
        bet(at, {"aces_up": 500})
        until(at, "settling")
        assert refused(at, Play(position=1, amount=500)).name == "not_now"
        assert finish(at).phase == "over"


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-6d.3", "massachusetts"), ("IA-WAG-6", "catfish-bend"))
)
def test_a_play_wager_is_made_in_the_decision_step_and_at_no_other_time(clause: str, example: str) -> None:
    at = table(example)
    bet(at, ANTE)
    laid_early = PlaceWager(position=1, wager="play", amount=2_500)
    for phase in ("betting", "dealing", "stub", "deciding"):
        until(at, phase)
        assert refused(at, laid_early).name == ("step_done_by" if phase == "deciding" else "not_now"), clause
        assert refused(at, Play(position=1, amount=2_500)).name in ("not_now", "out_of_order")
    advance(at)
    assert refused(at, laid_early).name == "step_done_by"
    at.do(Play(position=1, amount=2_500))
    assert current_round(at).positions[1].on_layout == {"ante": 2_500, "play": 2_500}
    at.do(Play(position=2, amount=2_500))
    at.do(Fold(position=3))
    for position in (1, 3):
        assert refused(at, Play(position=position, amount=5_000)).name == "not_now"
        assert refused(at, Fold(position=position)).name == "not_now"


# Forfeited wagers wait until everybody has decided; then they are collected first of all.

FORFEITS = by_clause(
    ("MA-10c.1", "massachusetts", "reveal_dealer"),
    ("SM-DEAL-4.1", "shuffle-master", "announce_dealer"),
    ("MD-11D1.1", "maryland", "reveal_dealer"),
    ("WA-DEAL-4.1", "washington", "announce_dealer"),
    ("IA-COMP-2.5", "catfish-bend", "reveal_dealer"),
)


@pytest.mark.parametrize(("clause", "example", "showing"), FORFEITS)
def test_forfeited_wagers_are_collected_when_everybody_has_decided(
    clause: str, example: str, showing: str
) -> None:
    at = asked(example)
    collect = Perform(step="collect_forfeits")
    for decision in (Fold(position=1), Fold(position=2), Play(position=4, amount=2_500)):
        at.do(decision)
        state = current_round(at)
        assert (state.tray_change, state.steps, state.rack) == (0, (), ())
        assert (state.positions[1].on_layout, state.positions[2].on_layout) == (ANTE, ANTE)
        assert refused(at, collect).name == "not_now", clause
    at.do(Fold(position=5))
    assert current_round(at).tray_change == 0
    assert refused(at, Perform(step="muck_hands")).name == "out_of_order"
    at.do(collect)
    state = current_round(at)
    assert state.tray_change == 3 * 2_500
    assert {p: dict(state.positions[p].on_layout) for p in SEATS} == {
        1: {},
        2: {},
        3: {"aces_up": 500},
        4: {"ante": 2_500, "play": 2_500},
        5: {"aces_up": 500},
    }
    assert state.rack == ()
    at.do(Perform(step="muck_hands"))
    assert [position for position, _ in current_round(at).rack] == [2, 1]
    assert [current_round(at).positions[p].racked for p in SEATS] == [True, True, False, False, False]
    expected = next_step(current_round(at))
    assert expected is not None
    assert expected.step == showing


# Hands off: only the dealer and the owner touch a player's cards.

TOUCH = by_clause(
    ("MA-10a.3", "massachusetts"),
    ("MD-11A2", "maryland"),
    ("IA-COMP-1.3", "catfish-bend"),
)


@pytest.mark.parametrize(("clause", "example"), TOUCH)
def test_only_the_dealer_and_the_owner_touch_the_cards_of_a_player(clause: str, example: str) -> None:
    at = table(example)
    bet(at, ANTE)
    until(at, "dealing")
    for role in ("player", "floorperson", "supervisor", "executive"):
        refusal = refused(at, Deal(role=role, by="p1"))
        assert (refusal.name, refusal.clauses) == ("not_your_duty", (clause,))
    advance(at)
    for decision in (Play(position=1, amount=2_500, by="p2", role="player"), _fold(1, "p2", "player")):
        refusal = refused(at, decision)
        assert (refusal.name, refusal.clauses) == ("not_your_position", (clause,))
    for role in ("floorperson", "supervisor", "casino-supervisor", "executive"):
        refusal = refused(at, _fold(1, "p1", role))
        assert (refusal.name, refusal.clauses) == ("not_your_duty", (clause,))
    at.do(Play(position=1, amount=2_500, by="p1", role="player"))
    at.do(Fold(position=2, by="d1", role="dealer"))
    at.do(_fold(3, "p3", "player"))
    for role in ("player", "floorperson", "supervisor", "executive"):
        refusal = refused(at, _collect(role))
        assert (refusal.name, refusal.clauses) == ("not_your_duty", (clause,))
    assert finish(at).phase == "over"


def _fold(position: int, by: str, role: str) -> Fold:
    return Fold(position=position, by=by, role=role)  # type: ignore[arg-type]


def _collect(role: str) -> Perform:
    return Perform(step="collect_forfeits", role=role, by="p1")  # type: ignore[arg-type]


OWN_HAND = by_clause(("MA-10a.2", "massachusetts"), ("MD-11A1", "maryland"))


@pytest.mark.parametrize(("clause", "example"), OWN_HAND)
def test_nobody_but_the_player_answers_for_the_players_hand(clause: str, example: str) -> None:
    at = table(example)
    bet(at, ANTE)
    advance(at)
    assert at.next_command() is None, clause
    for by in ("p2", "p3", "", "stranger"):
        for amount in (2_500, 7_500):
            foreign = Play(position=1, amount=amount, by=by, role="player")
            assert refused(at, foreign).name == "not_your_position"
        assert refused(at, _fold(1, by, "player")).name == "not_your_position"
    assert refused(at, Perform(step="reveal_dealer")).name == "not_now"
    assert positions_to_decide(current_round(at)) == (1, 2, 3)
    at.do(_fold(1, "p1", "player"))
    assert positions_to_decide(current_round(at)) == (2, 3)


@pytest.mark.parametrize("clause", by_clause(("MD-11A3",), ("MD-11B.0",)))
@pytest.mark.parametrize("example", ["maryland", "maryland-existing"])
def test_in_maryland_the_five_cards_lie_face_down_before_the_dealer_when_the_player_is_asked(
    clause: str, example: str
) -> None:
    """The dealer is told to see to it, it is recorded, and nobody decides before; then no card moves."""
    at = table(example)
    bet(at)
    until(at, "deciding")
    for early in (Play(position=1, amount=2_500), Fold(position=1), LOOK):
        refusal = refused(at, early)
        assert (refusal.name, clause in refusal.clauses) == ("out_of_order", True)
    due = _round_seen(at, Viewer("dealer")).due
    assert due is not None
    assert (due.step, clause in due.clauses) == ("look_and_lay_face_down", True)
    assert due.prompt == "Let the players look at their cards and lay them face down."
    narrator = TableNarrator(at.state)
    (looked,) = at.do(LOOK_AND_LAY)
    assert isinstance(looked, StepDone)
    (told,) = narrator.narrate([looked])
    assert told.text == "The players look at their cards and lay them face down."
    assert clause in told.clauses
    seen = {p: place.cards for p, place in current_round(at).positions.items()}
    for position in (1, 2, 3):
        for viewer in (Viewer("dealer"), Viewer("onlooker"), Viewer("seat", f"p{position % 3 + 1}")):
            (place,) = [each for each in _round_seen(at, viewer).places if each.position == position]
            assert place.cards == (FACE_DOWN,) * 5
        assert refused(at, Perform(step="rack_hand", position=position)).name == "not_now"
        at.do(Play(position=position, amount=2_500))
    while at.state.round is not None:
        assert {p: place.cards for p, place in current_round(at).positions.items()} == seen
        act(at)
    assert at.state.last_round is not None
    assert {p: set(cards) for p, cards in at.state.last_round.rack if p} == {p: {*c} for p, c in seen.items()}


def _round_seen(at: Table, viewer: Viewer) -> RoundView:
    """Return the round as somebody sees it."""
    seen = table_view(at.state, viewer).round
    assert seen is not None
    return seen


# At Catfish Bend a house may let players set their own hands (R27).

SETTING = {1: "As Ah 8d 7c 3c", 2: "Qs Qh 8c 7d 2d", 3: "Js Jh 9d 6c 2h", 0: "Ks Kh Jd Tc 9c 4d"}
LOW = parse_cards("Ah 8d 7c 3c")


@pytest.mark.clause("R27", "IA-COMP-1.2")
def test_a_hand_that_its_player_sets_plays_and_what_could_have_been_set_is_recorded() -> None:
    at = table_with_hands("catfish-bend", SETTING, settings__player_sets_hand=True)
    bet(at)
    low = SetHand(position=1, cards=LOW)
    for phase in ("betting", "dealing", "stub"):
        until(at, phase)
        assert refused(at, low).name == "not_now"
    until(at, "deciding")
    assert refused(at, low).name == "out_of_order"
    advance(at)
    for text in ("As Ah 8d", "As Ah 8d 7c 3c", "As Ah 8d Kd", "As Ah Qs Qh"):
        assert refused(at, SetHand(position=1, cards=parse_cards(text))).name == "presented_foreign"
    assert refused(at, SetHand(position=1, cards=LOW, by="p2", role="player")).name == "not_your_position"
    (set_low,) = at.do(SetHand(position=1, cards=LOW, by="p1", role="player"))
    assert isinstance(set_low, HandSet)
    assert set(set_low.could_have) == set(parse_cards("As Ah 8d 7c"))
    (set_best,) = at.do(SetHand(position=2, cards=parse_cards("7d 8c Qh Qs")))
    assert isinstance(set_best, HandSet)
    assert set_best.could_have == ()
    assert finish(at).nets == {1: -4_500, 2: -5_500, 3: -5_500}
    late = table_with_hands("catfish-bend", SETTING, settings__player_sets_hand=True)
    bet(late)
    until(late, "settling")
    late.do(low)
    assert finish(late).nets == {1: -4_500, 2: -5_500, 3: -5_500}


@pytest.mark.clause("R27")
def test_by_default_and_elsewhere_the_best_four_play_and_no_hand_is_presented() -> None:
    at = table_with_hands("catfish-bend", SETTING)
    bet(at)
    advance(at)
    refusal = refused(at, SetHand(position=1, cards=LOW))
    assert (refusal.name, "R27" in refusal.clauses) == ("presented_unasked", True)
    assert finish(at).nets == {1: 5_500, 2: -5_500, 3: -5_500}
    for example in ("massachusetts", "shuffle-master", "maryland", "washington"):
        at = table_with_hands(example, SETTING)
        bet(at)
        advance(at)
        assert refused(at, SetHand(position=1, cards=LOW)).name == "presented_unasked"

"""Cards dispensed in stacks by an automated shoe or shuffler: order, up card, what is laid aside."""

import pytest

from fourcard.cards import card_text
from fourcard.dealing import BONUS, deal_plan
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import Deal, Perform, PlaceWager, ReportIrregularity
from fourcard.round.events import CardsDealt, CardsDiscarded, RoundVoided, StepDone, UpCardTurned
from fourcard.rules.game import InvalidSubmissionError
from fourcard.table.commands import BeginRound
from fourcard.table.decide import decide
from fourcard.table.table_driver import Table
from tests.kit.deals import (
    WAYS,
    Motion,
    cited,
    closed,
    deal_out,
    dealt_round,
    motions,
    opened,
    perform,
    preparation,
    prepare,
    prompted,
)
from tests.kit.decks import prompt
from tests.kit.support import by_clause, findings, former_game, game, names
from tests.kit.tables import bet, current_round, refused, seeded

PLAYERS: list[Motion] = [("deal", 1, 5, 0), ("deal", 3, 5, 0), ("deal", 5, 5, 0)]
OWN: list[Motion] = [("deal", 0, 5, 0), ("deal", -1, 5, 0)]
SPREAD: Motion = ("spread", -1, 5, 0)
TURN: Motion = ("turn up", 0, 1, 1)
REST: Motion = ("discard", -1, 4, 0)
SIX: list[Motion] = [("deal", 0, 6, 0), TURN]
VERIFIED: list[Motion] = [
    motion for p in (1, 3, 5) for motion in (("deal", p, 5, 0), ("verify", p, 5, 0))
]  # fmt: skip
DEALS: dict[str, list[Motion]] = {
    "MA auto": [*PLAYERS, *OWN, SPREAD, TURN, REST],
    "SM auto": [*PLAYERS, *OWN, TURN, REST],
    "MD auto": [*SIX, *PLAYERS],
    "MD bonus": [("deal", -2, 1, 0), *SIX, *PLAYERS],
    "MD old": [*PLAYERS, *OWN, SPREAD, TURN, REST],
    "WA auto": [*PLAYERS, *OWN, TURN, REST],
    "IA auto": [*VERIFIED, *OWN, TURN, ("verify", -1, 4, 0), REST],
}
"""Every motion of a deal to positions 1, 3 and 5; 0 is the dealer, -1 the extra stack, -2 the bonus box."""


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-9c.1", "MA auto"),
        ("MA-9c.2", "MA auto"),
        ("R80", "MA auto"),
        ("MA-9c.3", "MA auto"),
        ("MA-9c.4", "MA auto"),
        ("MA-9c.6", "MA auto"),
        ("MA-9c.7", "MA auto"),
        ("SM-DEAL-2.1", "SM auto"),
        ("SM-DEAL-2.2", "SM auto"),
        ("SM-DEAL-2.3", "SM auto"),
        ("SM-DEAL-2a.1", "SM auto"),
        ("SM-DEAL-2a.2", "SM auto"),
        ("SM-DEAL-2a.3", "SM auto"),
        ("MD-10B1", "MD bonus"),
        ("MD-10B2.1", "MD bonus"),
        ("MD-10B2.2", "MD bonus"),
        ("MD-10B3", "MD bonus"),
        ("MD-10B4", "MD bonus"),
        ("R15", "MD bonus"),
        ("MD-10B-old1", "MD old"),
        ("MD-10B-old2", "MD old"),
        ("MD-10B-old3", "MD old"),
        ("MD-10B-old4", "MD old"),
        ("MD-10B-old5", "MD old"),
        ("MD-10B-old6", "MD old"),
        ("WA-DEAL-2.1", "WA auto"),
        ("WA-DEAL-2.2", "WA auto"),
        ("WA-DEAL-2.3", "WA auto"),
        ("WA-DEAL-2a.1", "WA auto"),
        ("WA-DEAL-2a.2", "WA auto"),
        ("WA-DEAL-2a.3", "WA auto"),
        ("IA-AUTO-5.1", "IA auto"),
        ("IA-AUTO-6.1", "IA auto"),
        ("IA-AUTO-6.2", "IA auto"),
        ("IA-AUTO-7.1", "IA auto"),
        ("IA-AUTO-7.2", "IA auto"),
        ("IA-AUTO-7.3", "IA auto"),
        ("IA-AUTO-7.4", "IA auto"),
    ),
)
def test_a_deal_in_stacks_makes_these_motions_in_this_order(clause: str, way: str) -> None:
    done = dealt_round(way)
    assert motions(done.events) == DEALS[way]
    assert clause in cited(done.events)


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-9c.1", "MA auto"),
        ("SM-DEAL-2.1", "SM auto"),
        ("MD-10B3", "MD auto"),
        ("MD-10B-old1", "MD old"),
        ("WA-DEAL-2.1", "WA auto"),
        ("IA-AUTO-6.1", "IA auto"),
    ),
)
def test_a_stack_goes_to_who_wagered_an_ante_or_aces_up_and_to_nobody_else(clause: str, way: str) -> None:
    state = current_round(dealt_round(way).at)
    assert [position for position, place in state.positions.items() if place.cards] == [1, 3, 5]
    at = closed(way)
    preparation(at)
    at.do(BeginRound())
    nobody = refused(at, Deal())
    assert (nobody.code, clause in nobody.clauses) == (Code.NOBODY_WAGERED, True)


@pytest.mark.parametrize(
    ("clause", "way", "up"),
    by_clause(
        ("MA-9c.6", "MA auto", 24),
        ("SM-DEAL-2a.2", "SM auto", 20),
        ("MD-10B2.2", "MD auto", 5),
        ("MD-10B2.2", "MD bonus", 6),
        ("MD-10B-old5", "MD old", 24),
        ("WA-DEAL-2a.2", "WA auto", 20),
        ("IA-AUTO-7.3", "IA auto", 20),
    ),
)
def test_the_up_card_is_the_one_that_lies_at_this_place_of_the_deck(clause: str, way: str, up: int) -> None:
    done = dealt_round(way)
    state = current_round(done.at)
    assert state.up_card == done.deck[up]
    assert state.dealer.count(done.deck[up]) == 1
    assert len(state.dealer) == 6
    turned = [event for event in done.events if isinstance(event, UpCardTurned)]
    assert [(event.card, clause in event.clauses) for event in turned] == [(done.deck[up], True)]


@pytest.mark.clause("R78")
@pytest.mark.parametrize("end", ["as_printed", "top", "bottom"])
@pytest.mark.parametrize(
    "name", ["massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend"]
)
def test_a_house_cannot_choose_the_end_of_the_stack_that_is_turned_up(name: str, end: str) -> None:
    found = [each for each in findings(name, settings={"up_card_end": end}) if each.level == "error"]
    assert [each.where for each in found] == ["settings.up_card_end"]
    assert names(found) == ["setting_unknown"]


@pytest.mark.parametrize(
    ("way", "end", "up"),
    [
        ("MA auto", "as_printed", 24),
        ("MA auto", "top", 20),
        ("MA auto", "bottom", 24),
        ("SM auto", "as_printed", 20),
        ("SM auto", "bottom", 24),
        ("MD bonus", "top", 1),
        ("MD old", "top", 20),
        ("WA auto", "bottom", 24),
        ("IA auto", "bottom", 24),
    ],
)
def test_a_stored_game_that_chose_the_end_deals_as_before(way: str, end: str, up: int) -> None:
    opened_way, changes = WAYS[way]
    made = Table(former_game(game(opened_way, **changes), up_card_end=end), seeded(7))
    for position in (1, 3, 5):
        made.seat(position, f"p{position}")
    made.begin()
    bet(made, {"ante": 2500}, (1, 3, 5))
    done = deal_out(made)
    assert current_round(done.at).up_card == done.deck[up]
    turned = [event for event in done.events if isinstance(event, UpCardTurned)]
    assert [event.clauses == ("R78",) for event in turned] == [end != "as_printed"]


@pytest.mark.parametrize(
    ("clause", "way", "four"),
    by_clause(
        ("MA-9c.7", "MA auto", (20, 21, 22, 23)),
        ("SM-DEAL-2a.3", "SM auto", (21, 22, 23, 24)),
        ("MD-10B-old6", "MD old", (20, 21, 22, 23)),
        ("WA-DEAL-2a.3", "WA auto", (21, 22, 23, 24)),
        ("IA-AUTO-7.4", "IA auto", (21, 22, 23, 24)),
    ),
)
def test_the_other_four_cards_of_the_extra_stack_are_discarded_unseen(
    clause: str, way: str, four: tuple[int, ...]
) -> None:
    done = dealt_round(way)
    state = current_round(done.at)
    assert state.burned == tuple(done.deck[n] for n in four)
    assert state.extra == ()
    discarded = [event for event in done.events if isinstance(event, CardsDiscarded)]
    assert [clause in event.clauses for event in discarded] == [True]
    told = [move for move in deal_plan(done.at.game, (1, 3, 5)).moves if move.name == "discard_extra_cards"]
    assert [(move.to, move.count, move.up) for move in told] == [(-1, 4, 0)]


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-9c.2", "MA auto"),
        ("MA-9c.3", "MA auto"),
        ("MA-9c.6", "MA auto"),
        ("R80", "MA auto"),
        ("SM-DEAL-2.1", "SM auto"),
        ("SM-DEAL-2.3", "SM auto"),
        ("MD-10E", "MD auto"),
        ("MD-10E", "MD bonus"),
        ("MD-10E", "MD old"),
        ("MD-10B2.2", "MD auto"),
        ("MD-10B-old5", "MD old"),
        ("WA-DEAL-2.1", "WA auto"),
        ("WA-DEAL-2.3", "WA auto"),
        ("IA-AUTO-6.1", "IA auto"),
        ("IA-AUTO-7.1", "IA auto"),
        ("IA-AUTO-7.3", "IA auto"),
    ),
)
@pytest.mark.parametrize(("position", "right"), [(3, 5), (0, 6)])
def test_five_cards_for_a_player_and_six_for_the_dealer_are_the_right_number(
    clause: str, way: str, position: int, right: int
) -> None:
    at = dealt_round(way).at
    state = current_round(at)
    assert len(state.dealer if position == 0 else state.positions[position].cards) == right, clause
    wrong = ReportIrregularity(irregularity="wrong_number_of_cards", position=position, count=right)
    assert refused(at, wrong).code == Code.NOTHING_WRONG
    for count in (right - 1, right + 1):
        other = dealt_round(way).at
        found = other.do(
            ReportIrregularity(irregularity="wrong_number_of_cards", position=position, count=count)
        )
        assert isinstance(found[-1], RoundVoided)


@pytest.mark.parametrize(("clause", "way"), by_clause(("MA-9c.5", "MA auto"), ("MD-10B-old4", "MD old")))
def test_the_extra_stack_is_spread_face_down_before_its_card_is_turned(clause: str, way: str) -> None:
    at = opened(way)
    while prompted(at)[0] != "spread_extra_stack":
        at.do(at.next_command() or Deal())
    assert prompted(at) == ("spread_extra_stack", (clause,))
    assert prompt(at) == "Spread the extra stack face down, its bottom card to the far left."
    early = refused(at, Perform(step="turn_up_card", position=-1))
    assert (early.code, early.clauses) == (Code.OUT_OF_ORDER, (clause,))
    done = at.do(Perform(step="spread_extra_stack", position=-1))
    assert done == [StepDone("spread_extra_stack", (clause,), -1)]
    assert current_round(at).up_card is None
    assert prompted(at)[0] == "turn_up_card"


@pytest.mark.parametrize("clause", by_clause(("MD-10B1",), ("R15",)))
def test_the_first_card_goes_unexposed_to_the_bonus_box_where_the_bonus_is_offered(clause: str) -> None:
    done = dealt_round("MD bonus")
    state = current_round(done.at)
    assert state.bonus == done.deck[:1]
    assert not state.bonus_shown
    first = next(event for event in done.events if isinstance(event, CardsDealt))
    assert (first.to, first.up, clause in first.clauses) == (BONUS, 0, True)


@pytest.mark.clause("R15")
def test_without_the_bonus_its_card_is_dealt_only_if_a_house_says_so() -> None:
    assert current_round(dealt_round("MD auto").at).bonus == ()
    always = dealt_round("MD auto", settings__bonus_card="always")
    assert motions(always.events) == DEALS["MD bonus"]
    assert current_round(always.at).bonus == always.deck[:1]


@pytest.mark.clause("MD-10H")
def test_a_reshuffling_shoe_may_dispense_the_dealers_cards_before_the_players() -> None:
    done = dealt_round("MD old", dealing__dealer_first=True, shuffler__reshuffles=True)
    assert motions(done.events) == [*OWN, SPREAD, TURN, REST, *PLAYERS]
    with pytest.raises(InvalidSubmissionError):
        game("maryland-existing", dealing__dealer_first=True, shuffler__reshuffles=False)


@pytest.mark.parametrize(
    ("clause", "way", "before"),
    by_clause(
        ("MA-9b1", "MA auto", "rack_cover_card"),
        ("MD-10A1", "MD auto", "shuffle_by_machine"),
        ("MD-10A1", "MD bonus", "shuffle_by_machine"),
    ),
)
def test_the_cards_are_put_in_the_machine_after_shuffle_and_cut(clause: str, way: str, before: str) -> None:
    at = closed(way)
    while at.state.agenda[0][0] != "put_in_machine":
        at.do(at.next_preparation())
    early = refused(at, BeginRound())
    assert (early.code, early.clauses) == (Code.DECK_UNPREPARED, (clause,))
    steps = [step for step, _ in preparation(closed(way))]
    own = steps[: steps.index("put_in_machine") + 1]
    assert own[-1] == "put_in_machine"
    assert own.index(before) < own.index("put_in_machine")
    done = at.do(prepare("put_in_machine"))
    assert clause in cited(done)
    assert not at.state.decks[at.state.active].agenda
    at.begin()


@pytest.mark.parametrize(
    ("clause", "step"), by_clause(("IA-AUTO-1", "put_in_shuffler"), ("IA-AUTO-2", "press_shuffle"))
)
def test_the_deck_goes_into_the_shuffler_and_the_button_starts_the_shuffle(clause: str, step: str) -> None:
    at = closed("IA auto")
    steps = preparation(at)
    names = [name for name, _ in steps]
    place = names.index("put_in_shuffler")
    assert names[place : place + 2] == ["put_in_shuffler", "press_shuffle"]
    assert (step, (clause,)) in steps
    again = closed("IA auto")
    while again.state.agenda[0][0] != "put_in_shuffler":
        again.do(again.next_preparation())
    early = refused(again, prepare("press_shuffle"))
    assert (early.code, early.clauses) == (Code.STEP_NOT_DUE, ("IA-AUTO-1",))
    again.do(again.next_preparation())
    assert refused(again, prepare("put_in_shuffler")).clauses == ("IA-AUTO-2",)


@pytest.mark.parametrize(
    ("clause", "way", "then"),
    by_clause(
        ("MA-9b2", "MA auto", "deal"), ("MD-10A2a", "MD auto", "deal"), ("MD-10A2a", "MD old", "lock_out")
    ),
)
def test_no_more_bets_is_announced_before_the_machine_dispenses(clause: str, way: str, then: str) -> None:
    at = opened(way)
    assert prompted(at) == ("announce_no_more_bets", (clause,))
    early = refused(at, Deal())
    assert (early.code, early.clauses) == (Code.OUT_OF_ORDER, (clause,))
    raised = PlaceWager(position=1, wager="ante", amount=3000)
    at.do(raised)
    perform(at, "announce_no_more_bets")
    assert refused(at, raised).code == Code.BETTING_CLOSED
    assert prompted(at)[0] == then


def is_void(at: Table, count: Perform) -> bool:
    """Say whether a count makes a round void, without giving it."""
    found = decide(at.state, count)
    return not isinstance(found, Refusal) and isinstance(found[-1], RoundVoided)


@pytest.mark.parametrize("clause", by_clause(("IA-AUTO-5.1",), ("IA-AUTO-5.2",), ("IA-AUTO-6.2",)))
def test_each_hand_is_taken_out_and_counted_before_the_next_one_comes(clause: str) -> None:
    at = opened("IA auto")
    for position in (1, 3, 5):
        event = at.do(Deal())[-1]
        assert isinstance(event, CardsDealt)
        assert (event.to, len(event.cards), event.up) == (position, 5, 0)
        waiting = refused(at, Deal())
        assert waiting.code == Code.OUT_OF_ORDER
        for count in (-1, None):
            wrong = refused(at, Perform(step="verify_hand", position=position, count=count))
            assert wrong.code == Code.NUMBER_UNFIT
        for count in (4, 6):
            assert is_void(at, Perform(step="verify_hand", position=position, count=count))
        told = prompted(at)
        seen = at.do(Perform(step="verify_hand", position=position, count=5))
        assert {"IA-AUTO-5.2", "IA-AUTO-6.2"} <= set(told[1]) & cited(seen)
        assert clause in cited([event, *seen])
    assert prompted(at)[0] == "deal"


@pytest.mark.clause("IA-AUTO-7.4")
def test_four_cards_are_counted_before_they_are_discarded() -> None:
    at = opened("IA auto")
    while prompted(at)[0] != "turn_up_card":
        at.do(at.next_command() or Deal())
    at.do(Perform(step="turn_up_card", position=-1))
    assert prompted(at) == ("verify_hand", ("IA-AUTO-7.4",))
    assert refused(at, Perform(step="discard_extra_cards", position=-1)).code == Code.OUT_OF_ORDER
    for count in (3, 5):
        assert is_void(at, Perform(step="verify_hand", position=-1, count=count))
    at.do(Perform(step="verify_hand", position=-1, count=4))
    gone = at.do(Perform(step="discard_extra_cards", position=-1))
    assert isinstance(gone[0], CardsDiscarded)
    assert len({card_text(card) for card in gone[0].cards}) == 4

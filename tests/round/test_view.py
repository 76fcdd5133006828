"""What a round looks like where something went wrong or an award waits."""

import pytest
from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.dealing import BONUS
from fourcard.round.commands import Fold, Play, ReportIrregularity, TreatAsAbandoned
from fourcard.round.view import IrregularityView, MoneyMovement, NextStepView, RoundView, Viewer, round_view
from fourcard.table.table_driver import Table
from tests.kit.support import by_clause, game
from tests.kit.tables import (
    advance,
    bet,
    current_round,
    new_position_view,
    new_round_view,
    stack,
    table,
    until,
)


def act(at: Table) -> None:
    """Let the dealer act."""
    command = at.next_command()
    assert command is not None
    at.do(command)


def noted(made: Table) -> RoundView:
    """Return the view of a table's round by somebody who sees no cards."""
    assert made.round is not None
    return round_view(made.round, Viewer("seat", "Cat"))


def test_a_void_round_shows_its_notes_the_discarded_card_and_the_clauses_that_made_it_void() -> None:
    at = Table(game("massachusetts"), lambda: DECK)
    at.seat(1, "Ann")
    at.seat(2, "Bob")
    at.begin()
    bet(at, {"ante": 2500})
    until(at, "dealing")
    at.do(ReportIrregularity(irregularity="one_face_up_card", place=0))
    ante = {"wagers": {"ante": 2500}, "lying": {"ante": 2500}}
    note = IrregularityView("one_face_up_card", ("discard-card",), ("MA-14a.1",), 0, "8s")
    ann = replace(new_position_view(1, "Ann"), cards=("??",), **ante)
    bob = replace(new_position_view(2, "Bob"), **ante)
    dealing = replace(
        new_round_view((), "deal"),
        phase="dealing",
        bets_open=False,
        places=(ann, bob),
        discarded=("8s",),
        due=NextStepView("deal", 2, ("MA-7c.1", "MA-7c.3", "MA-7c.4")),
        notes=(note,),
    )
    assert noted(at) == dealing
    at.do(ReportIrregularity(irregularity="more_face_up_cards", place=0))
    second = IrregularityView("more_face_up_cards", ("void", "reshuffle"), ("MA-14a.2",), 0, "9c")
    assert noted(at) == replace(
        dealing,
        phase="void",
        places=(replace(ann, lying={}), replace(bob, lying={})),
        due=None,
        notes=(note, second),
        void=("MA-14a.2", "R69"),
    )


def test_a_player_who_was_asked_and_one_who_was_given_up_are_marked() -> None:
    at = table("maryland-everything", (1, 2))
    bet(at, {"ante": 2500})
    advance(at)
    at.do(ReportIrregularity(irregularity="cards_on_play_without_chips", position=1))
    asked = noted(at)
    assert [(each.asked, each.abandoned) for each in asked.places] == [(True, False), (False, False)]
    assert asked.notes == (IrregularityView("cards_on_play_without_chips", ("ask",), ("P20",), 1, None),)
    assert asked.deciding == 1
    at.do(TreatAsAbandoned(position=2, role="supervisor"))
    assert [(each.asked, each.abandoned) for each in noted(at).places] == [(True, False), (False, True)]


def test_the_bonus_card_lies_face_down_until_it_is_turned() -> None:
    made = game("maryland-everything")
    cards = stack(made, {BONUS: "7d"}, (1,))
    at = Table(made, lambda: cards)
    at.seat(1, "Ann")
    at.begin()
    bet(at, {"ante": 2500, "aces_up": 500, "six_card": 500})
    advance(at)
    assert noted(at).bonus == ("??",)
    at.do(Play(position=1, amount=2500))
    while noted(at).bonus == ("??",):
        act(at)
    assert noted(at).bonus == ("7d",)
    assert noted(at).phase == "settling"


def test_an_award_that_waits_and_a_payout_without_its_document_are_seen() -> None:
    changes = {"progressive__seed": "$5,000", "progressive__reset": "$5,000"}
    made = game("maryland-existing", wagers__progressive="A", progressive__envy="A", **changes)
    cards = stack(made, {1: "As Ah Ad Ac 2h", 2: "Jh Td 6s 4c 3d", 0: "Ks Kh 5d 9c 3h 4s"}, (1, 2))
    at = Table(made, lambda: cards)
    at.seat(1, "Ann")
    at.seat(2, "Bob")
    at.begin()
    bet(at, {"ante": 1000, "progressive": 100})
    advance(at)
    at.do(Play(position=1, amount=3000))
    at.do(Fold(position=2))
    while current_round(at).awaited_step is None:
        act(at)
    waits = noted(at)
    assert (waits.award_awaited, waits.undocumented, waits.due) == (1, (), None)
    assert waits.places[0].net == 28900
    act(at)
    paid = noted(at)
    assert (paid.award_awaited, paid.undocumented) == (None, (1,))
    assert paid.due == NextStepView("rack_hand", 1, ("MD-11D11a",))
    assert paid.places[0].net == 528930
    clauses = ("MD-12D1a", "MD-11D9", "MD-12D4")
    award = MoneyMovement(
        1, "progressive", "pay", 500030, "meter", clauses, "four_of_a_kind", "four_aces", "100% of meter"
    )
    assert paid.moved[-2] == award
    assert (paid.moved[-1].wager, paid.moved[-1].position) == ("envy", 2)


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("SM-PROG-10b.1", "shuffle-master-everything"),
        ("WA-PROG-9b.1", "washington-everything"),
        ("WA-NEX-9b.1", "washington-everything"),
    ),
)
def test_the_dealer_is_told_to_leave_a_hand_that_wins_envy_for_others(clause: str, example: str) -> None:
    made = game(example)
    cards = stack(made, {1: "As Ah Ad Ac 2h", 2: "Jh Td 6s 4c 3d", 0: "Ks Kh 5d 9c 3h 4s"}, (1, 2))
    at = Table(made, lambda: cards)
    for position in (1, 2):
        at.seat(position, f"p{position}")
    at.begin()
    bet(at, {"ante": 1500, "progressive": 100})
    until(at, "settling")
    told = {}
    while at.state.round is not None:
        due = noted(at).due
        if due is not None and due.step == "rack_hand":
            told[due.position] = (due.prompt, clause in due.clauses)
        act(at)
    assert told == {
        1: ("Leave the player's cards face up: others win Envy by them.", True),
        2: ("Put the player's cards into the discard rack.", False),
    }

"""Aces Up under every rulebook: what it pays, whatever the dealer holds, and after a fold."""

import pytest

from tests.kit.settle_rounds import (
    ACES,
    JACKS,
    KINGS,
    QUAD_KINGS,
    QUADS,
    STRAIGHT_FLUSH,
    TRIPS,
    net,
    order,
    seat,
    settled,
)
from tests.kit.support import by_clause


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-1-AU.3", "massachusetts"),
        ("MA-11a3.1", "massachusetts"),
        ("SM-W2-2", "shuffle-master"),
        ("MD-01B1.2", "maryland"),
        ("MD-11D6", "maryland"),
        ("WA-W2-2", "washington"),
        ("IA-INT-12", "catfish-bend"),
        ("IA-DEF-3.2", "catfish-bend"),
        ("IA-PAY-2.1", "catfish-bend"),
    ),
)
def test_aces_up_pays_by_its_table_whether_or_not_the_dealer_is_beaten(clause: str, rulebook: str) -> None:
    lowest = seat("As Ah 8d 7c 3c", ante=1000, play=1000, aces_up=500)
    under = seat("Qs Qh 8d 7c 3c", ante=1000, play=1000, aces_up=500)
    for dealer in (KINGS, QUAD_KINGS):
        answer = settled(rulebook, lowest, dealer=dealer)
        assert answer.seats[0].net["aces_up"] == 500
        (paid,) = [step for step in answer.steps if step.wager == "aces_up"]
        assert clause in paid.clauses
        assert (paid.row, paid.odds) == ("pair_of_aces", "1 to 1")
        assert settled(rulebook, under, dealer=dealer).seats[0].net["aces_up"] == -500


def test_aces_up_pays_only_the_highest_row_of_a_hand() -> None:
    rows = {ACES: 1, "As Ah 8d 8c 3c": 2, TRIPS: 9, STRAIGHT_FLUSH: 40, QUADS: 50, "As Ah Ad Ac 3c": 50}
    for cards, times in rows.items():
        assert net("massachusetts", seat(cards, aces_up=100)) == {"aces_up": 100 * times}


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-10b.4", "massachusetts"),
        ("SM-DEAL-3.2", "shuffle-master"),
        ("MD-11C1", "maryland"),
        ("WA-DEAL-3.2", "washington"),
        ("IA-COMP-2.3", "catfish-bend"),
        ("R1", "catfish-bend"),
    ),
)
def test_a_folded_pair_of_aces_still_wins_aces_up(clause: str, rulebook: str) -> None:
    answer = settled(rulebook, seat(ACES, ante=1000, play=0, aces_up=500), dealer=KINGS)
    assert (answer.seats[0].net["ante"], answer.seats[0].net["aces_up"]) == (-1000, 500)
    (paid,) = [step for step in answer.steps if step.wager == "aces_up"]
    assert clause in paid.clauses
    lost = settled(rulebook, seat(JACKS, ante=1000, play=0, aces_up=500), dealer=KINGS)
    assert (lost.seats[0].net["ante"], lost.seats[0].net["aces_up"]) == (-1000, -500)


@pytest.mark.clause("IA-COMP-4.1")
def test_a_folded_hand_with_aces_up_is_settled_in_its_turn_from_the_dealers_right() -> None:
    folded = seat(ACES, 2, ante=1000, play=0, aces_up=500)
    right, left = seat(JACKS.replace("3c", "3d"), 3, aces_up=100), seat("Qs Qd 8c 6c 3s", 1, aces_up=100)
    right["cards"] = "Js Jh 8s 6d 3d"
    answer = settled("catfish-bend", left, folded, right, dealer=KINGS.replace("5d", "5h"))
    assert order(answer) == ["2 take ante", "3 take aces_up", "2 pay aces_up", "1 take aces_up"]

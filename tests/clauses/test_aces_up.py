"""Aces Up under every rulebook: what it pays, whatever the dealer holds, and after a fold."""

import pytest

from fourcard.rules.limits import BETTING_MOMENTS, BettingMoment, deadline_refusal
from fourcard.wagers import WagerName
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
from tests.kit.support import by_clause, game

EVERYTHING = {
    "massachusetts": "massachusetts-everything",
    "shuffle-master": "shuffle-master-everything",
    "maryland": "maryland-everything",
    "washington": "washington-everything",
    "catfish-bend": "catfish-bend",
}


@pytest.mark.parametrize("rulebook", ["massachusetts", "maryland"])
def test_the_progressive_closes_with_the_ante_and_play_has_its_own_time(rulebook: str) -> None:
    assert _taken(EVERYTHING[rulebook], "progressive") == ["betting"]
    assert _taken(EVERYTHING[rulebook], "play") == [*BETTING_MOMENTS]


def _taken(example: str, name: WagerName) -> list[BettingMoment]:
    return [moment for moment in BETTING_MOMENTS if deadline_refusal(game(example), name, moment) is None]


@pytest.mark.parametrize(
    ("clause", "rulebook", "wager", "taken"),
    by_clause(
        ("MA-1-AU.1", "massachusetts", "aces_up", ["betting"]),
        ("MA-6d.1", "massachusetts", "aces_up", ["betting"]),
        ("MA-6d.1", "massachusetts", "ante", ["betting"]),
        ("MA-1-ANTE", "massachusetts", "ante", ["betting"]),
        ("MA-12a", "massachusetts", "cover_all", ["betting"]),
        ("MD-01B1.1", "maryland", "aces_up", ["betting"]),
        ("MD-07C", "maryland", "aces_up", ["betting"]),
        ("MD-07C", "maryland", "ante", ["betting"]),
        ("MD-07E5a.2", "maryland", "six_card", ["betting"]),
        ("IA-DEF-3.1", "catfish-bend", "aces_up", ["betting", "no-more-bets"]),
        ("IA-DEF-1", "catfish-bend", "ante", ["betting", "no-more-bets"]),
        ("SM-BB-5", "shuffle-master", "bad_beat", ["betting"]),
        ("WA-BB-3", "washington", "bad_beat", ["betting"]),
    ),
)
def test_a_wager_is_taken_until_bets_close(
    clause: str, rulebook: str, wager: WagerName, taken: list[BettingMoment]
) -> None:
    assert _taken(EVERYTHING[rulebook], wager) == taken
    if rulebook != "catfish-bend":
        without = game(
            EVERYTHING[rulebook], wagers__progressive=None, progressive=None, settlement__order=None
        )
        early = deadline_refusal(without, wager, "no-more-bets")
        assert (early is None) == (rulebook in ("shuffle-master", "washington"))
    refusal = deadline_refusal(game(EVERYTHING[rulebook]), wager, "first-card")
    assert refusal is not None
    assert refusal.name == "betting_closed"
    assert clause in refusal.clauses


@pytest.mark.clause("R95")
@pytest.mark.parametrize("rulebook", ["shuffle-master", "washington"])
@pytest.mark.parametrize("wager", ["ante", "aces_up", "bad_beat", "progressive"])
def test_bets_close_at_the_lock_out_of_the_progressive_or_else_at_the_first_card(
    rulebook: str, wager: WagerName
) -> None:
    assert _taken(f"{rulebook}-everything", wager) == ["betting"]
    without = game(f"{rulebook}-everything", wagers__progressive=None, progressive=None)
    if wager != "progressive":
        assert deadline_refusal(without, wager, "no-more-bets") is None
        refusal = deadline_refusal(without, wager, "first-card")
        assert refusal is not None
        assert refusal.message.endswith("the first card is out.")


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

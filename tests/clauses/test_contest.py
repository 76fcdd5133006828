"""Ante, Play and the Automatic Bonus: the contest with the dealer under every rulebook."""

import pytest

from tests.kit.deals import table_with_hands
from tests.kit.settle_rounds import (
    ACES,
    JACKS,
    KINGS,
    NOTHING,
    QUAD_KINGS,
    QUADS,
    STRAIGHT_FLUSH,
    TRIP_KINGS,
    TRIPS,
    WEAK,
    net,
    seat,
    settled,
)
from tests.kit.support import by_clause
from tests.kit.tables import bet, finish

BOOKS = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-11a1.1", "massachusetts"),
        ("SM-W1-9", "shuffle-master"),
        ("MD-12A", "maryland"),
        ("WA-W1-9", "washington"),
        ("IA-PAY-1.2", "catfish-bend"),
        ("IA-INT-5", "catfish-bend"),
    ),
)
def test_a_higher_hand_wins_even_money_on_ante_and_play(clause: str, rulebook: str) -> None:
    assert net(rulebook, seat(ACES, ante=1000, play=3000), dealer=KINGS) == {"ante": 1000, "play": 3000}
    steps = settled(rulebook, seat(ACES, ante=1000, play=1000), dealer=KINGS).steps
    assert all(clause in step.clauses for step in steps if not clause.startswith("IA-INT"))
    assert {(step.amount, step.source, step.odds) for step in steps} == {(1000, "tray", "1 to 1")}


TIES = {
    "high_card": ("Ac Qd 9h 7s 2c", "Ad Qh 9s 7c 3d 2h"),
    "pair": ("Ac Ad 9h 7s 2c", "As Ah 9s 7c 3d 2h"),
    "two_pair": ("Ac Ad 9h 9s 2c", "As Ah 9d 9c 3d 2h"),
    "straight": ("9c 8d 7h 6s 2c", "9d 8h 7s 6c 2d 2h"),
    "flush": ("Kc Jc 9c 4c 2d", "Kd Jd 9d 4d 2h 3s"),
    "straight_flush": ("9c 8c 7c 6c 2d", "9d 8d 7d 6d 2h 3s"),
}
"""The six categories in which two hands of one deck can be equal; three or four of a kind cannot."""


@pytest.mark.parametrize("hand", TIES)
@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-11a1.2", "massachusetts"),
        ("SM-W1-6", "shuffle-master"),
        ("MD-11D4cii.1", "maryland"),
        ("WA-W1-6", "washington"),
        ("IA-INT-7", "catfish-bend"),
        ("IA-RANK-3.3", "catfish-bend"),
        ("IA-PAY-1.2", "catfish-bend"),
    ),
)
def test_a_tie_is_paid_as_a_win(clause: str, rulebook: str, hand: str) -> None:
    cards, dealer = TIES[hand]
    answer = settled(rulebook, seat(cards, ante=1000, play=2000), dealer=dealer)
    assert (answer.seats[0].hand, answer.dealer.hand) == (hand, hand)
    assert (answer.seats[0].net["ante"], answer.seats[0].net["play"]) == (1000, 2000)
    contest = [step for step in answer.steps if step.wager in ("ante", "play")]
    assert all(clause in step.clauses for step in contest) or clause == "IA-PAY-1.2"


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-10d.3", "massachusetts"),
        ("SM-W1-10", "shuffle-master"),
        ("MD-11D4ci", "maryland"),
        ("WA-W1-10", "washington"),
        ("IA-PAY-1.3", "catfish-bend"),
    ),
)
def test_a_lower_hand_loses_ante_and_play(clause: str, rulebook: str) -> None:
    answer = settled(rulebook, seat(JACKS, ante=1000, play=3000), dealer=KINGS)
    assert {name: amount for name, amount in answer.seats[0].net.items() if amount} == {
        "ante": -1000,
        "play": -3000,
    }
    assert all(step.source == "player" for step in answer.steps)
    governing = ("MA-10e1ii", "MA-10e2ii") if clause == "MA-10d.3" else (clause,)
    assert all(step.clauses == governing for step in answer.steps)


@pytest.mark.clause("R7")
def test_losing_wagers_are_taken_once_by_the_routine_chosen() -> None:
    for routine in ("by-procedure", "by-player"):
        loser = seat(JACKS, ante=1000, play=3000, aces_up=500)
        answer = settled("massachusetts", loser, dealer=KINGS, routine=routine)
        assert sorted(step.wager for step in answer.steps) == ["aces_up", "ante", "play"]
        assert {step.action for step in answer.steps} == {"take"}


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-10b.2", "massachusetts"),
        ("SM-W1-8", "shuffle-master"),
        ("SM-DEAL-3.1", "shuffle-master"),
        ("MD-11B2", "maryland"),
        ("WA-W1-8", "washington"),
        ("WA-DEAL-3.1", "washington"),
        ("IA-PAY-1.1", "catfish-bend"),
        ("IA-COMP-2.2", "catfish-bend"),
    ),
)
def test_a_fold_loses_the_ante_even_holding_the_best_hand(clause: str, rulebook: str) -> None:
    answer = settled(rulebook, seat(QUADS, ante=1000, play=0))
    assert {name: amount for name, amount in answer.seats[0].net.items() if amount} == {"ante": -1000}
    assert [clause in step.clauses for step in answer.steps] == [True]


FOUR_AGAINST_FOUR = {
    "the fourth card decides": ("2c As 7c Ah 8d", "4h 5d Ac 6c Ad 8h", "As Ah 8d 7c", "Ad Ac 8h 6c", 1),
    "it decides for the dealer": ("6s As 7c Ah 8d", "2h 3d Ac 6c Ad 9h", "As Ah 8d 7c", "Ad Ac 9h 6c", -1),
    "no full house of five": ("2c 2d Ks Kh Kd", "4s 5d Ac 7h Ad Ah", "Ks Kh Kd 2c 2d", "Ah Ad Ac 7h", -1),
    "no straight of five": ("9s 8h 7d 6c Ks", "Td 9c 8s 7h 2d 3c", "9s 8h 7d 6c", "Td 9c 8s 7h", -1),
    "no higher fifth card": ("2c As 7c Ah 8d", "6s 3h Ac 7d Ad 8h", "As Ah 8d 7c", "Ad Ac 8h 7d", 1),
}
"""What the player and the dealer hold, the best four of each, and who wins; a tie is the player's."""


@pytest.mark.parametrize("case", FOUR_AGAINST_FOUR)
@pytest.mark.parametrize(
    ("clause", "rulebook"), by_clause(("SM-W1-1", "shuffle-master"), ("WA-W1-1", "washington"))
)
def test_the_best_four_cards_of_each_decide(clause: str, rulebook: str, case: str) -> None:
    cards, dealer, four, dealers_four, sign = FOUR_AGAINST_FOUR[case]
    answer = settled(rulebook, seat(cards, ante=1000, play=3000), dealer=dealer)
    assert set(str(answer.seats[0].best).split()) <= set(four.split())
    assert set(str(answer.dealer.best).split()) == set(dealers_four.split())
    won = answer.seats[0].net
    assert (won["ante"], won["play"]) == (1000 * sign, 3000 * sign), clause
    at = table_with_hands(rulebook, {1: cards, 0: dealer}, (1,))
    bet(at, {"ante": 1000})
    contest = {step.wager: step.action for step in finish(at).steps if step.wager in ("ante", "play")}
    assert contest == dict.fromkeys(("ante", "play"), "pay" if sign > 0 else "take")


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(("SM-W1-2", "shuffle-master"), ("WA-W1-2", "washington"), ("IA-INT-6", "catfish-bend")),
)
def test_the_dealer_qualifies_with_any_hand(clause: str, rulebook: str) -> None:
    winner = seat(NOTHING, ante=1000, play=3000)
    assert net(rulebook, winner, dealer=WEAK) == {"ante": 1000, "play": 3000}, clause
    loser = seat("9c 7s 5s 3d 2c", ante=1000, play=3000)
    assert net(rulebook, loser, dealer=WEAK) == {"ante": -1000, "play": -3000}


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-11a2.1", "massachusetts"),
        ("SM-W1-13", "shuffle-master"),
        ("MD-12B.1", "maryland"),
        ("MD-11D4cii.2", "maryland"),
        ("R2", "maryland"),
        ("WA-W1-13", "washington"),
        ("IA-INT-3", "catfish-bend"),
        ("IA-DEF-5.1", "catfish-bend"),
        ("IA-DEF-5.3", "catfish-bend"),
        ("IA-PAY-3.1", "catfish-bend"),
    ),
)
def test_the_bonus_is_paid_to_who_played_win_or_lose(clause: str, rulebook: str) -> None:
    won = {"ante": 1000, "play": 2000}
    lost = {"ante": -1000, "play": -2000}
    for cards, pays in ((TRIPS, 2), (STRAIGHT_FLUSH, 20), (QUADS, 25)):
        played = seat(cards, ante=1000, play=2000)
        assert net(rulebook, played, dealer=WEAK) == {**won, "automatic_bonus": pays * 1000}, clause
        assert net(rulebook, played, dealer=QUAD_KINGS) == {**lost, "automatic_bonus": pays * 1000}
    under = seat("Jh Jd 7c 7d 3c", ante=1000, play=2000)
    assert net(rulebook, under, dealer=TRIP_KINGS) == lost


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("R32", "shuffle-master"),
        ("R32", "washington"),
        ("MA-11a2.1", "massachusetts"),
        ("MD-12B.1", "maryland"),
        ("IA-DEF-5.1", "catfish-bend"),
    ),
)
def test_no_bonus_without_a_play_wager(clause: str, rulebook: str) -> None:
    assert net(rulebook, seat(QUADS, ante=1000, play=0)) == {"ante": -1000}, clause
    assert net(rulebook, seat(QUADS, aces_up=1000)) == {"aces_up": 50_000}


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(("SM-W1-11", "shuffle-master"), ("WA-W1-11", "washington"), ("IA-DEF-5.2", "catfish-bend")),
)
def test_the_bonus_is_computed_on_the_ante_alone(clause: str, rulebook: str) -> None:
    for play in (1000, 2000, 3000):
        assert net(rulebook, seat(TRIPS, ante=1000, play=play))["automatic_bonus"] == 2000, clause


@pytest.mark.clause("R33")
def test_three_to_two_is_exact_and_what_is_under_a_cent_follows_the_rounding() -> None:
    for rounding, paid in (("down", 1501), ("up", 1502), ("half_up", 1502), ("half_even", 1502)):
        numbers = {"aces_up": "FCP-08", "automatic_bonus": "FCP-08", "rounding": rounding}
        assert net("washington", seat(TRIPS, ante=1001, play=1001), **numbers)["automatic_bonus"] == paid
    numbers = {"aces_up": "FCP-08", "automatic_bonus": "FCP-08"}
    assert net("washington", seat(TRIPS, ante=1003, play=1003), **numbers)["automatic_bonus"] == 1504


@pytest.mark.clause("R98")
def test_the_bonus_of_washington_follows_the_number_of_aces_up() -> None:
    table = {"aces_up": "FCP-08", "automatic_bonus": None}
    assert net("washington", seat(TRIPS, ante=1000, play=1000), **table)["automatic_bonus"] == 1500
    alone = {"aces_up": None, "automatic_bonus": None}
    assert "automatic_bonus" not in net("washington", seat(TRIPS, ante=1000, play=1000), **alone)


@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_hand_is_told_with_its_cards_in_order_of_importance(rulebook: str) -> None:
    answer = settled(rulebook, seat("2c As 3d 4h Qc", ante=100, play=100), dealer=KINGS)
    assert (answer.seats[0].hand, answer.seats[0].best) == ("straight", "4h 3d 2c As")

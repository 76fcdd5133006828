"""The Bad Beat Bonus of the manufacturer and of Washington."""

import pytest

from tests.kit.settle_rounds import (
    ACES,
    KINGS,
    QUAD_KINGS,
    QUADS,
    STRAIGHT_FLUSH,
    TRIP_KINGS,
    TRIPS,
    net,
    order,
    refused,
    seat,
    settled,
)
from tests.kit.support import by_clause

TWO_PAIR = "Js Jh 8d 8c 3c"
DEALER_TWO_PAIR = "Kc Kd 9h 9s 4s 2d"
BEATEN = {
    "two_pair": (TWO_PAIR, 4),
    "straight": ("Js Th 9d 8c 3c", 15),
    "flush": ("Js 9s 7s 3s 2h", 25),
    "three_of_a_kind": (TRIPS, 100),
    "straight_flush": (STRAIGHT_FLUSH, 10_000),
    "four_of_a_kind": (QUADS, 25_000),
}


def _bad_beat(rulebook: str, cards: str, dealer: str, **more: object) -> int:
    wagered = seat(cards, ante=1000, play=1000, bad_beat=100)
    return settled(rulebook, wagered, dealer=dealer, **more).seats[0].net["bad_beat"]


@pytest.mark.parametrize("hand", BEATEN)
@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-BB-3a", "shuffle-master"),
        ("SM-BB-3.0", "shuffle-master"),
        ("WA-BB-2a", "washington"),
        ("WA-BB-2.0", "washington"),
    ),
)
def test_it_wins_when_the_player_is_beaten_holding_two_pair_or_better(
    clause: str, rulebook: str, hand: str
) -> None:
    cards, odds = BEATEN[hand]
    assert _bad_beat(rulebook, cards, QUAD_KINGS) == odds * 100, clause
    assert _bad_beat(rulebook, ACES, DEALER_TWO_PAIR) == -100


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-BB-3b", "shuffle-master"),
        ("SM-BB-3.0", "shuffle-master"),
        ("WA-BB-2b", "washington"),
        ("WA-BB-2.0", "washington"),
    ),
)
def test_it_wins_when_the_player_beats_two_pair_or_better(clause: str, rulebook: str) -> None:
    dealers = {
        "Kc Kd 9h 9s 4s 2d": 4,
        "9h 8s 7d 6h 2d 2h": 15,
        "Kd 9d 5d 2d 4h 7h": 25,
        TRIP_KINGS: 100,
        "9d 8d 7d 6d 2h Kc": 10_000,
    }
    for dealer, odds in dealers.items():
        assert _bad_beat(rulebook, "As Ah Ad Ac 3c", dealer) == odds * 100, clause
    assert _bad_beat(rulebook, "As Ah Ad Ac 3c", QUAD_KINGS) == 25_000 * 100
    assert _bad_beat(rulebook, "As Ah Ad Ac 3c", KINGS) == -100


@pytest.mark.clause("SM-BB-3c")
def test_the_odds_follow_the_hand_that_was_beaten() -> None:
    assert _bad_beat("shuffle-master", QUADS, DEALER_TWO_PAIR) == 4 * 100
    assert _bad_beat("shuffle-master", TWO_PAIR, QUAD_KINGS) == 4 * 100
    assert _bad_beat("shuffle-master", TRIPS, TRIP_KINGS) == 100 * 100
    (paid,) = [
        step
        for step in settled(
            "shuffle-master", seat(QUADS, ante=100, play=100, bad_beat=100), dealer=DEALER_TWO_PAIR
        ).steps
        if step.wager == "bad_beat"
    ]
    assert (paid.hand, paid.row, paid.odds) == ("two_pair", "two_pair", "4 to 1")
    assert paid.clauses == ("SM-BB-4", "SM-BB-3a", "SM-BB-3b")


@pytest.mark.clause("R40")
@pytest.mark.parametrize("rulebook", ["shuffle-master", "washington"])
def test_a_tie_beats_nobody_unless_the_setting_says_so(rulebook: str) -> None:
    cards, dealer = "9c 8d 7h 6s 2c", "9d 8h 7s 6c 2d 2h"
    assert _bad_beat(rulebook, cards, dealer) == -100
    assert _bad_beat(rulebook, cards, dealer, settings={"bad_beat_tie": "wins"}) == 15 * 100
    tied = settled(rulebook, seat(cards, ante=1000, play=1000, bad_beat=100), dealer=dealer)
    assert "R40" in next(step.clauses for step in tied.steps if step.wager == "bad_beat")


@pytest.mark.clause("R39")
@pytest.mark.parametrize("rulebook", ["shuffle-master", "washington"])
def test_a_fold_loses_it_before_the_showdown(rulebook: str) -> None:
    folded = seat(TRIPS, ante=1000, play=0, bad_beat=100)
    answer = settled(rulebook, folded, dealer=TRIP_KINGS)
    assert answer.seats[0].net["bad_beat"] == -100
    assert order(answer) == ["1 take ante", "1 take bad_beat"]
    assert answer.steps[1].clauses == ("R39",)


@pytest.mark.clause("R41")
@pytest.mark.parametrize(
    ("clause", "rulebook"), by_clause(("SM-BB-5", "shuffle-master"), ("WA-BB-3", "washington"))
)
def test_it_stands_only_beside_an_ante(clause: str, rulebook: str) -> None:
    told = refused(rulebook, seat(ACES, aces_up=100, bad_beat=100))
    assert (told["name"], told["position"]) == ("prerequisite_missing", 1)
    assert clause in told["clauses"]


@pytest.mark.parametrize(
    ("clause", "rulebook"), by_clause(("SM-BB-6", "shuffle-master"), ("WA-BB-4", "washington"))
)
def test_beside_it_the_game_goes_on_as_ever(clause: str, rulebook: str) -> None:
    for dealer in (KINGS, QUAD_KINGS):
        plain = seat(TRIPS, 2, ante=1000, play=2000, aces_up=500)
        more = seat(TRIPS, 2, ante=1000, play=2000, aces_up=500, bad_beat=100)
        without, with_it = settled(rulebook, plain, dealer=dealer), settled(rulebook, more, dealer=dealer)
        assert [step for step in with_it.steps if step.wager != "bad_beat"] == list(without.steps), clause
        assert {**with_it.seats[0].net, "bad_beat": 0} == without.seats[0].net


@pytest.mark.clause("R42")
@pytest.mark.parametrize("rulebook", ["shuffle-master", "washington"])
def test_it_is_settled_after_aces_up_or_before_it_by_policy(rulebook: str) -> None:
    wagered = seat(TRIPS, ante=1000, play=1000, aces_up=500, bad_beat=100, progressive=100)
    usual = ["play", "ante", "automatic_bonus", "aces_up", "bad_beat", "progressive"]
    answer = settled(rulebook, wagered, dealer=TRIP_KINGS)
    assert list(dict.fromkeys(step.wager for step in answer.steps)) == usual
    early = settled(rulebook, wagered, dealer=TRIP_KINGS, settings={"bad_beat_settled": "before_aces_up"})
    usual[3:5] = ["bad_beat", "aces_up"]
    assert list(dict.fromkeys(step.wager for step in early.steps)) == usual


def test_an_own_bad_beat_table_pays_as_submitted() -> None:
    own = {
        "four_of_a_kind": "9 to 1",
        "straight_flush": "8 to 1",
        "three_of_a_kind": "7 to 1",
        "flush": "6 to 1",
        "straight": "5 to 1",
        "two_pair": "4 to 3",
    }
    assert net(
        "shuffle-master", seat(TWO_PAIR, ante=100, play=100, bad_beat=100), dealer=TRIP_KINGS, bad_beat=own
    ) == {
        "ante": -100,
        "play": -100,
        "bad_beat": 133,
    }

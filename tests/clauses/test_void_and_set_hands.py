"""Void rounds give everything back; and at Catfish Bend a house may let players set their own hands."""

import pytest

from tests.kit.settle_rounds import ACES, KINGS, QUADS, net, refused, seat, settled
from tests.kit.support import by_clause

METER = {"meter": 500_000, "reset": 500_000}


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-14c", "massachusetts"),
        ("SM-IRR-1", "shuffle-master"),
        ("WA-IRR-1", "washington"),
        ("IA-IRR-1", "catfish-bend"),
    ),
)
@pytest.mark.clause("R69")
def test_a_void_round_gives_back_every_wager_forfeited_ones_too(clause: str, rulebook: str) -> None:
    folded, played = seat(ACES, 1, ante=100, play=0, aces_up=500), seat(QUADS, 2, ante=100, play=300)
    folded["cards"] = "As Ah 8d 7c 2c"
    answer = settled(rulebook, folded, played, void=clause)
    assert (answer.steps, answer.void) == ((), clause)
    assert all(set(each.net.values()) == {0} for each in answer.seats)
    back = {(each.position, each.wager): each.amount for each in answer.returned}
    assert back == {(1, "ante"): 100, (1, "aces_up"): 500, (2, "ante"): 100, (2, "play"): 300}
    assert {each.clauses for each in answer.returned} == {(clause, "R69")}


@pytest.mark.parametrize("clause", by_clause(("MD-13B",), ("MD-13D",), ("MD-13E",), ("MD-13G",)))
def test_maryland_says_itself_that_wagers_go_back(clause: str) -> None:
    answer = settled("maryland", seat(QUADS, ante=100, play=300), void=clause)
    assert {each.clauses for each in answer.returned} == {(clause,)}
    assert set(answer.seats[0].net.values()) == {0}


@pytest.mark.part("R66")
def test_a_void_round_returns_the_progressive_stake() -> None:
    answer = settled("maryland", seat(QUADS, ante=100, play=300, progressive=500), void="MD-13D", **METER)
    (stake,) = [each for each in answer.returned if each.wager == "progressive"]
    assert (stake.amount, stake.clauses, answer.meter) == (500, ("MD-13D", "R66"), 500_000)


@pytest.mark.part("R72")
def test_an_exposed_card_voids_where_the_house_says_so() -> None:
    wagered = seat(QUADS, ante=100, play=300)
    assert settled("washington", wagered, void="R72").void == "R72"
    play_on = {"dealer_card_exposed": "play_on", "player_card_exposed": "play_on"}
    assert refused("washington", wagered, void="R72", settings=play_on)["name"] == "void_unknown"
    assert refused("maryland", wagered, void="R72")["name"] == "void_unknown"


SETS = {"settings": {"player_sets_hand": True}}


@pytest.mark.clause("R27", "IA-COMP-1.2")
def test_a_hand_that_a_player_sets_plays_as_it_is_and_a_better_one_is_recorded() -> None:
    low = seat(ACES, ante=100, play=100, aces_up=100, presented="Ah 8d 7c 3c")
    answer = settled("catfish-bend", low, dealer=KINGS, **SETS)
    assert (answer.seats[0].hand, answer.seats[0].best) == ("high_card", "Ah 8d 7c 3c")
    assert (answer.seats[0].net["ante"], answer.seats[0].net["aces_up"]) == (-100, 100)
    assert answer.seats[0].could_have_set == "As Ah 8d 7c"
    right = {**low, "presented": "7c 8d Ah As"}
    best = settled("catfish-bend", right, dealer=KINGS, **SETS).seats[0]
    assert (best.net["ante"], best.could_have_set) == (100, None)
    assert net("catfish-bend", seat(ACES, ante=100, play=100), dealer=KINGS, **SETS) == {
        "ante": 100,
        "play": 100,
    }


@pytest.mark.parametrize("presented", ["As Ah 8d", "As Ah 8d 7c 3c", "As Ah 8d Kd", "As As 8d 7c"])
def test_a_hand_presented_is_four_of_ones_own_cards(presented: str) -> None:
    told = refused("catfish-bend", seat(ACES, aces_up=100, presented=presented), dealer=KINGS, **SETS)
    assert (told["name"], told["position"]) == ("presented_foreign", 1)


def test_elsewhere_and_by_default_the_best_four_are_taken() -> None:
    for rulebook in ("catfish-bend", "maryland"):
        told = refused(rulebook, seat(ACES, aces_up=100, presented="As Ah 8d 7c"), dealer=KINGS)
        assert told["name"] == "presented_unasked"

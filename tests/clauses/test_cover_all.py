"""Massachusetts' Cover All: the highest hand at the table, by the number of hands dealt."""

import json
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from fourcard.settle_files.explain import explain_round
from fourcard.settle_files.reader import read_round
from fourcard.settling import Settler
from tests.kit.settle_rounds import (
    ACES,
    QUADS,
    STRAIGHT_FLUSH,
    TRIP_KINGS,
    TRIPS,
    WEAK,
    acts,
    line,
    order,
    performed,
    refused,
    seat,
    settled,
)
from tests.kit.support import game_under

OTHERS = ["Qs Th 8c 6c 3d", "Qh Tc 8h 6d 3s", "Qd Ts 6h 5c 3h", "Qc 9s 5h 4c 2h", "Ks 9c 7d 4d 2c"]
"""Five hands of nothing, with which a table is filled."""


def _table(cards: str, players: int, **wagers: Any) -> list[dict[str, Any]]:
    """Return a table at which the first player wagers on Cover All and the others hold nothing."""
    first = seat(cards, 1, **{"ante": 100, "play": 100, "cover_all": 100, **wagers})
    return [first, *(seat(OTHERS[n], n + 2, ante=100, play=100) for n in range(players - 1))]


def _cover_all(*seats: dict[str, Any], **more: Any) -> int:
    return settled("massachusetts", *seats, **more).seats[0].net["cover_all"]


@pytest.mark.clause("MA-12b")
def test_it_wins_when_the_best_hand_of_the_table_is_three_of_a_kind_or_better_whoever_holds_it() -> None:
    assert _cover_all(*_table(TRIPS, 1)) == 800
    assert _cover_all(seat(ACES, ante=100, play=100, cover_all=100), dealer=TRIP_KINGS) == 800
    mine, other = seat(ACES, ante=100, play=100, cover_all=100), seat("Js Jh Jd 9c 2c", 2, ante=100, play=100)
    assert _cover_all(mine, other) == 600
    assert _cover_all(seat("Js Jh 8d 8c 3c", ante=100, play=100, cover_all=100)) == -100
    assert _cover_all(seat("As 9s 8s 3s Jh", ante=100, play=100, cover_all=100)) == -100


COLUMNS = {1: (8, 70, 90), 2: (6, 50, 80), 3: (5, 30, 60), 4: (4, 30, 50), 5: (4, 15, 30), 6: (3, 20, 35)}


@pytest.mark.clause("MA-12c", "MA-12e.1", "R5")
@pytest.mark.parametrize("players", COLUMNS)
def test_the_column_follows_the_positions_dealt_in_and_stays_when_some_fold(players: int) -> None:
    for cards, odds in zip((TRIPS, STRAIGHT_FLUSH, QUADS), COLUMNS[players], strict=True):
        seats = _table(cards, players)
        assert _cover_all(*seats, dealer="Ad Kh 9h 5d 4s 2d") == odds * 100
        for folding in seats[1:]:
            folding["play"] = 0
        assert _cover_all(*seats, dealer="Ad Kh 9h 5d 4s 2d") == odds * 100


@pytest.mark.clause("MA-12e.2")
def test_the_odds_in_force_are_shown_when_the_hands_are_counted() -> None:
    def told(*seats: dict[str, Any]) -> str:
        return explain_round(read_round(json.dumps(line("massachusetts", *seats)))).sentences[0].text

    assert told(*_table(TRIPS, 3)) == (
        "3 positions are dealt in; Cover All pays four aces 150 to 1, royal flush 90 to 1, "
        "four of a kind 60 to 1, straight flush 30 to 1, three of a kind 5 to 1."
    )
    assert "Cover All" not in told(seat(TRIPS, ante=100, play=100))
    played = read_round(json.dumps(line("massachusetts", *_table(TRIPS, 3))))
    hidden = Settler(game_under(played.game, wagers__cover_all__odds_displayed=False))
    assert "are dealt in" not in explain_round(replace(played, settler=hidden)).sentences[0].text


@pytest.mark.clause("MA-12g")
def test_only_the_highest_hand_of_the_table_pays() -> None:
    mine = seat(STRAIGHT_FLUSH, ante=100, play=100, cover_all=100)
    answer = settled("massachusetts", mine, dealer=TRIP_KINGS)
    assert answer.seats[0].net["cover_all"] == 70 * 100
    assert [step.row for step in answer.steps if step.wager == "cover_all"] == ["straight_flush"]


@pytest.mark.clause("R25")
def test_a_royal_flush_is_higher_than_four_of_a_kind_but_not_than_four_aces() -> None:
    royal = seat("As Ks Qs Js 3c", 1, ante=100, play=100, cover_all=100)
    quads = seat("9s 9h 9d 9c 3d", 2, ante=100, play=100)
    assert _cover_all(royal, quads, dealer="Td 8h 7h 5d 4s 2d") == 100 * 100
    aces = seat("As Ah Ad Ac 3c", 1, ante=100, play=100, cover_all=100)
    royal_of_three = seat("Kh Qh Jh Th 3d", 2, ante=100, play=100)
    assert _cover_all(aces, royal_of_three, dealer="9d 8h 7h 5d 4s 2d") == 200 * 100


@pytest.mark.clause("R43")
def test_a_folded_hand_counts_only_if_aces_up_keeps_it() -> None:
    mine = seat(ACES, 1, ante=100, play=100, cover_all=100)
    trips = "Js Jh Jd 9c 2c"
    assert _cover_all(mine, seat(trips, 2, ante=100, play=0)) == -100
    assert _cover_all(mine, seat(trips, 2, ante=100, play=0, aces_up=100)) == 600
    live = {"progressive_on_fold": "live"}
    kept_for_the_meter = seat(trips, 2, ante=100, play=0, progressive=100)
    assert _cover_all(mine, kept_for_the_meter, settings=live, meter=500_000) == -100
    by_the_meter = {"wagers__cover_all__folded_hands_of": ("progressive",)}
    for settings, counts in (({}, False), (live, True)):
        done = performed(
            "massachusetts", mine, kept_for_the_meter, rules=by_the_meter, settings=settings, meter=500_000
        )
        assert ("1 pay cover_all" in acts(done)) is counts


@pytest.mark.clause("R44")
def test_folding_does_not_lose_it() -> None:
    folded = seat(ACES, ante=100, play=0, cover_all=100)
    assert _cover_all(folded, dealer=TRIP_KINGS) == 800
    assert _cover_all(folded) == -100


@pytest.mark.clause("R45")
def test_it_stands_beside_an_ante_or_aces_up_or_alone_by_policy() -> None:
    assert refused("massachusetts", seat(ACES, cover_all=100))["name"] == "prerequisite_missing"
    assert _cover_all(seat(TRIPS, aces_up=100, cover_all=100)) == 800
    assert _cover_all(seat(TRIPS, cover_all=100), settings={"cover_all_requires": "nothing"}) == 800


@pytest.mark.clause("R46")
def test_seven_players_have_no_column() -> None:
    seats = [*_table(TRIPS, 6), seat("Ac 9d 8s 4h 2s", 7, ante=100, play=100)]
    told = refused("massachusetts", *seats, dealer="Ad Kh 9h 5d 4s 2d")
    assert told["name"] == "cover_all_column_missing"
    assert "R46" in told["clauses"]
    seats[0]["wagers"].pop("cover_all")
    assert settled("massachusetts", *seats, dealer="Ad Kh 9h 5d 4s 2d").seats[0].net["ante"] == 100


@pytest.mark.clause("MA-12j")
@pytest.mark.parametrize("routine", ["by-procedure", "by-player"])
def test_it_is_settled_after_all_other_wagers_of_all_players(routine: str) -> None:
    one = seat(ACES, 1, ante=100, play=100, cover_all=100, aces_up=100)
    two = seat("Qs Qd 8c 6c 3d", 2, ante=100, play=100, cover_all=100, progressive=100)
    done = order(settled("massachusetts", one, two, routine=routine))
    assert done[-2:] == ["2 take cover_all", "1 take cover_all"]
    assert not any("cover_all" in step for step in done[:-2])


def _exposures(*seats: dict[str, Any], dealer: str = WEAK, **more: Any) -> list[str]:
    done = acts(performed("massachusetts", *seats, dealer=dealer, **more))
    return [each for each in done if "exposed" in each or "rack_hand" in each or "take cover" in each]


@pytest.mark.clause("R6", "MA-12h-a")
def test_a_straight_or_better_is_left_exposed_and_a_lower_hand_is_not() -> None:
    mine = seat("As Ad 8s 8c Jh", 1, ante=100, play=100, cover_all=100)
    assert _exposures(mine) == ["1 rack_hand", "1 take cover_all"]
    exposed, racked = (
        ["1 leave_exposed", "1 take cover_all", "1 rack_hand"],
        ["1 rack_hand", "1 take cover_all"],
    )
    below_and_above = {"4s 3d 2c Ah 9c": racked, "9s 8d 7c 6s 2c": racked, "As 9s 8s 3s Jd": exposed}
    for straight_or_flush, beside_the_dealers_flush in below_and_above.items():
        mine["cards"] = straight_or_flush
        assert _exposures(mine, dealer="Ks Jh Ts 5s 5d 2h") == exposed
        lowest_that_pays = {"wagers__cover_all__exposed_from": UNSET}
        assert _exposures(mine, dealer="Ks Jh Ts 5s 5d 2h", rules=lowest_that_pays) == racked
        assert _exposures(mine, dealer="Kh Qh Th 5h Td 5c") == beside_the_dealers_flush
    mine["cards"] = TRIPS
    assert _exposures(mine) == ["1 leave_exposed", "1 rack_hand"]
    assert _exposures(mine, dealer=TRIP_KINGS) == ["1 rack_hand"]
    del mine["wagers"]["cover_all"]
    assert _exposures(mine) == ["1 rack_hand"]


@pytest.mark.clause("MA-12i")
def test_a_higher_hand_takes_the_place_of_the_one_exposed() -> None:
    trips = seat("9s 9c 9d 6c 3d", 3, ante=100, play=100)
    quads = seat(QUADS, 2, ante=100, play=100)
    flush = seat("8s 7s 6s 5s Kd", 1, ante=100, play=100, cover_all=100)
    assert _exposures(trips, quads, flush) == [
        "3 leave_exposed",
        "2 leave_exposed",
        "3 remove_exposed",
        "1 rack_hand",
        "2 rack_hand",
    ]


@pytest.mark.clause("MA-12i")
def test_among_hands_of_one_row_the_stronger_is_the_higher() -> None:
    nines, queens = "9s 9c 9d 6c 3d", "Qs Qc Qd 7c 3h"
    mine = seat("As Kh 8c 7d 2c", 1, ante=100, play=100, cover_all=100)
    seats = [seat(nines, 3, ante=100, play=100), seat(queens, 2, ante=100, play=100), mine]
    assert _exposures(*seats)[:3] == ["3 leave_exposed", "2 leave_exposed", "3 remove_exposed"]
    assert settled("massachusetts", *seats).steps[-1].holder == 2
    equal = [seat("9s 8c 7d 6c 2h", 3, ante=100, play=100), seat("9c 8d 7c 6s 3h", 2, ante=100, play=100)]
    assert _exposures(*equal, {**mine, "cards": "As Kh Jc 4c 2c"})[:2] == ["3 leave_exposed", "2 rack_hand"]
    lower = [seat(nines, 3, ante=100, play=100), mine]
    kings = "Kc Kd Ks Td 4s 2d"
    assert _exposures(*lower, dealer=kings)[0] == "3 rack_hand"
    assert settled("massachusetts", *lower, dealer=kings).steps[-1].holder == 0


@pytest.mark.clause("MA-12h")
@pytest.mark.parametrize("routine", ["by-procedure", "by-player"])
def test_but_for_the_exposed_hand_the_houses_procedure_stays_as_it_is(routine: str) -> None:
    def done(**wagers: int) -> list[str]:
        first = seat(ACES, 1, ante=100, play=100, aces_up=100, **wagers)
        second = seat("Qs Qd 8c 6c 3d", 2, ante=100, play=100)
        return acts(performed("massachusetts", first, second, routine=routine))

    changed = [each for each in done(cover_all=100) if "cover_all" not in each and "display" not in each]
    assert changed == done()

"""Settling under laws that no rulebook prints: each value of the data is heeded, not only the printed one."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from fourcard.meter import Meter
from fourcard.refusal_codes import Code
from fourcard.refusals import PositionRefusedError, RefusedError
from fourcard.rules.game import Game
from fourcard.settle_files.reader import read_round
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.settling import Settlement, Settler, default_routine, wager_order
from tests.kit.settle_rounds import ACES, KINGS, QUAD_ACES, QUADS, TRIP_KINGS, TRIPS, line, seat
from tests.kit.support import game_under

NOTHING = "Qs Th 8c 6c 3d"
NINES = "9s 9c 9d 9h 3h"
CLEAR = "Td 8h 7h 5d 4s 2d"


def _settled(place: str, value: object, rulebook: str, *seats: dict[str, Any], **more: Any) -> Settlement:
    """Settle a round under a rulebook of which one value is another."""
    return _settled_under({place: value}, rulebook, *seats, **more)


def _settled_under(
    rules: Mapping[str, object], rulebook: str, *seats: dict[str, Any], **more: Any
) -> Settlement:
    """Settle a round under a rulebook of which some values are others."""
    played = read_round(json.dumps(line(rulebook, *seats, **more)))
    assert played.showdown is not None
    changed = game_under(played.game, **{place.replace(".", "__"): rules[place] for place in rules})
    settler, shown = Settler(changed), played.showdown
    return settler.settle(settler.showdown(shown.seats, shown.dealer, shown.bonus_card), played.meter)


def _steps(settled: Settlement) -> list[str]:
    return [f"{step.position} {step.action} {step.wager} {step.amount}" for step in settled.steps]


def test_a_tie_that_does_not_win_loses_and_a_wager_not_taken_stays() -> None:
    tie = {"dealer": "9d 8h 7s 6c 2d 2h"}
    player = seat("9c 8d 7h 6s 2c", ante=100, play=200)
    assert _steps(_settled("wagers.ante.ties_win", False, "catfish-bend", player, **tie)) == [
        "1 take play 200",
        "1 take ante 100",
    ]
    higher = seat("9c 8d 7h 6s 2c", ante=100, play=200)
    won = _settled("wagers.ante.ties_win", False, "catfish-bend", higher, dealer="9d 8h 7s 5c 2d 3h")
    assert _steps(won) == ["1 pay play 200", "1 pay ante 100"]
    beaten = seat("Js Jh 8d 7c 3c", ante=100, play=200)
    left = _settled("wagers.ante.taken_when_beaten", False, "catfish-bend", beaten, dealer=KINGS)
    assert _steps(left) == ["1 take play 200"]


@pytest.mark.parametrize("wager", ["aces_up", "automatic_bonus"])
def test_a_wager_that_heeds_the_dealer_is_lost_to_a_higher_hand(wager: str) -> None:
    place = f"wagers.{wager}.regardless_of_dealer"
    player = seat(TRIPS, ante=100, play=100, aces_up=100)
    settled = _settled(place, False, "maryland", player, dealer=TRIP_KINGS)
    paid = [step.wager for step in settled.steps if step.action == "pay"]
    assert paid == ["automatic_bonus" if wager == "aces_up" else "aces_up"]
    higher = _settled(place, False, "maryland", player, dealer=KINGS)
    assert wager in [step.wager for step in higher.steps if step.action == "pay"]
    tied = seat("8s 7s 6s 5s Jd", ante=100, play=100, aces_up=100)
    equal = _settled(place, False, "maryland", tied, dealer="8h 7h 6h 5h 2d 2c")
    assert wager in [step.wager for step in equal.steps if step.action == "pay"]


def test_a_fold_may_cost_any_wager() -> None:
    folded = seat(ACES, ante=100, play=0, aces_up=100, cover_all=100)
    lost = _settled("wagers.aces_up.on_fold", "lost", "massachusetts", folded, dealer=TRIP_KINGS)
    assert _steps(lost) == ["1 take ante 100", "1 take aces_up 100", "1 pay cover_all 800"]
    cover_all = _settled("wagers.cover_all.on_fold", "lost", "massachusetts", folded, dealer=TRIP_KINGS)
    assert _steps(cover_all) == ["1 take ante 100", "1 take cover_all 100", "1 pay aces_up 100"]


def _envy(place: str, value: object, *seats: dict[str, Any], **more: Any) -> list[str]:
    settled = _settled(f"wagers.envy.{place}", value, "massachusetts", *seats, **{"dealer": CLEAR, **more})
    return [f"{s.position} from {s.holder} {s.amount}" for s in settled.steps if s.wager == "envy"]


def test_envy_heeds_each_of_its_rules() -> None:
    bettor = seat(NOTHING, 1, ante=100, play=100, progressive=500)
    other = seat("Kd Qh 8s 6s 2c", 2, ante=100, play=100)
    quads, nines = seat(QUADS, 3, ante=100, play=100), seat(NINES, 4, ante=100, play=100)
    assert _envy("several", True, bettor, quads, nines) == ["1 from 4 5000", "1 from 3 5000"]
    assert _envy("several", False, bettor, quads, nines) == ["1 from 4 5000"]
    assert (
        _envy("bettors_only", False, bettor, other, quads)
        == [
            "3 from 3 1000",
            "2 from 3 1000",
            "1 from 3 5000",
        ][1:]
    )
    assert _envy("dealer_hand", True, bettor, dealer="Kc Kd Kh Ks 9h 2d") == ["1 from 0 5000"]
    assert _envy("folded_hands", True, bettor, {**quads, "play": 0}) == ["1 from 3 5000"]
    gone = [{**bettor, "position": 2}, seat(QUADS, 3, ante=100, play=100, left=True)]
    rules = {"wagers.envy.folded_hands": True, "wagers.envy.paid_in_holders_turn": False}
    counted = _settled_under(rules, "maryland", *gone, dealer=CLEAR)
    assert [step.wager for step in counted.steps if step.position == 2] == ["ante", "play", "progressive"]
    assert _envy("on_fold", "lost", {**bettor, "play": 0}, quads) == []
    mine = [{**bettor, "player": "me", "position": 2}, {**quads, "player": "me"}]
    assert _envy("own_hands", False, *mine) == []
    assert _envy("own_hands", True, *mine) == ["2 from 3 5000"]


@pytest.mark.parametrize(
    ("schedule", "dealer", "row"),
    [
        ("C", "Ac Ad Ah Ks 9h 2d", None),
        ("C", "Ac Ad Ah As 9h 2d", "four_aces"),
        ("C-royal", "Ac Kc Qc Jc 9h 2d", None),
        ("C-royal", "Ac Kc Qc Jc Tc 2d", "royal_flush"),
    ],
)
def test_the_dealers_hand_wins_envy_after_every_position_where_the_rulebook_says_so(
    schedule: str, dealer: str, row: str | None
) -> None:
    """A schedule of five-card hands judges the best five of the dealer's six."""
    place, link = "wagers.envy.dealer_hand", {"progressive": "C", "envy": schedule}
    bettor = seat("Qs Kh 8d 6c 3s", 1, ante=100, play=0, progressive=100)
    settled = _settled(place, True, "maryland", bettor, dealer=dealer, **link)
    assert [step.wager for step in settled.steps] == ["ante", "progressive"] + ["envy"] * (row is not None)
    assert row is None or (settled.steps[-1].holder, settled.steps[-1].row) == (0, row)


def test_envy_and_cover_all_may_be_settled_in_their_turn() -> None:
    wagers = {"ante": 100, "play": 100, "progressive": 100, "cover_all": 100}
    seats = [seat(QUADS, 1, **wagers), seat(NOTHING, 2, **wagers)]
    envy = _steps(_settled("settlement.envy_last", False, "massachusetts", *seats, dealer=CLEAR))
    assert envy.index("2 pay envy 1000") < envy.index("1 pay ante 100")
    assert envy[-2:] == ["2 pay cover_all 8000", "1 pay cover_all 8000"]
    cover_all = _steps(_settled("settlement.cover_all_last", False, "massachusetts", *seats, dealer=CLEAR))
    assert cover_all.index("2 pay cover_all 8000") < cover_all.index("1 pay ante 100")
    assert cover_all[-1] == "2 pay envy 1000"


def test_cover_all_may_count_only_hands_that_remain_and_leave_the_dealers_out() -> None:
    mine = seat(TRIPS, 1, ante=100, play=100, cover_all=100)
    folded = seat(NOTHING, 2, ante=100, play=0)
    counted = _settled("wagers.cover_all.counts_dealt", False, "massachusetts", mine, folded, dealer=CLEAR)
    assert "1 pay cover_all 800" in _steps(counted)
    lower = seat(ACES, 1, ante=100, play=100, cover_all=100)
    without = _settled("wagers.cover_all.dealer_hand", False, "massachusetts", lower, dealer=TRIP_KINGS)
    assert "1 take cover_all 100" in _steps(without)
    assert without.steps[-1].hand == "pair"
    alone = seat(ACES, 1, ante=100, play=0, cover_all=100)
    nobody = _settled("wagers.cover_all.dealer_hand", False, "massachusetts", alone, dealer=TRIP_KINGS)
    assert nobody.steps[-1].hand == "three_of_a_kind"


def test_settling_may_begin_on_the_dealers_left() -> None:
    seats = [seat(ACES, 1, aces_up=100), seat(NOTHING, 4, ante=100, play=0), seat(NINES, 2, aces_up=100)]
    settled = _settled("settlement.start", "dealer-left", "massachusetts", *seats, dealer="Kc Kd 7h 5d 4s 2d")
    assert [step.position for step in settled.steps] == [4, 1, 2]


def test_the_net_of_a_position_is_its_pays_less_its_takes() -> None:
    played = read_round(
        json.dumps(line("washington", seat(TRIPS, 2, ante=100, play=300, progressive=200), meter=1, reset=1))
    )
    assert played.showdown is not None
    settled = played.settler.settle(played.showdown, played.meter)
    assert {name: amount for name, amount in settled.nets([2])[2].items() if amount} == {
        "ante": 100,
        "play": 300,
        "automatic_bonus": 200,
        "progressive": 1600,
    }
    assert set(settled.nets([2, 3])[3].values()) == {0}
    assert len(settled.nets([2])[2]) == 9


def _game(rulebook: str, **more: Any) -> Game:
    return read_round(json.dumps(line(rulebook, seat(ACES, aces_up=100), **more))).game


def test_a_round_that_names_no_routine_is_settled_by_player_or_as_first_described() -> None:
    routines = {name: default_routine(_game(name)) for name in ("massachusetts", "maryland", "washington")}
    assert routines == {"massachusetts": "by-player", "maryland": "by-player", "washington": "lay-and-pay"}
    assert Settler(_game("washington", routine="pick-and-pay")).routine == "pick-and-pay"


def test_the_order_of_wagers_is_the_houses_the_settings_or_the_rulebooks() -> None:
    printed = ("play", "ante", "automatic_bonus", "aces_up", "bad_beat", "progressive", "envy")
    assert wager_order(_game("washington")) == printed
    early = _game("washington", settings={"bad_beat_settled": "before_aces_up"})
    assert wager_order(early)[3:5] == ("bad_beat", "aces_up")
    house = tuple(sorted(printed, key=lambda name: (name == "envy", name)))
    assert wager_order(_game("washington", order=house)) == house


def test_an_award_of_the_meter_needs_a_meter_that_can_start_anew() -> None:
    played = read_round(json.dumps(line("maryland", seat(QUAD_ACES, 5, ante=100, play=100, progressive=100))))
    assert played.showdown is not None
    for meter, code in ((None, Code.METER_NOT_GIVEN), (Meter(amount=5), Code.RESET_NOT_GIVEN)):
        with pytest.raises(PositionRefusedError) as caught:
            played.settler.settle(played.showdown, meter)
        assert (caught.value.position, caught.value.refusal.code) == (5, code)
        assert caught.value.refusal.clauses
        assert isinstance(caught.value, RefusedError)


def test_a_step_says_everything_about_an_award() -> None:
    seats = [seat(NOTHING, 1, ante=100, play=0, cover_all=100), seat(QUADS, 3, ante=100, play=100)]
    played = read_round(json.dumps(line("massachusetts", *seats, dealer=CLEAR, rounding="up")))
    assert played.showdown is not None
    assert played.settler.settle(played.showdown).steps[-1] == SettlementStep(
        position=1,
        wager="cover_all",
        action="pay",
        amount=8000,
        source="tray",
        hand="four_of_a_kind",
        clauses=("MA-12k-3", "MA-12b"),
        row="four_of_a_kind",
        odds="80 to 1",
        holder=3,
    )

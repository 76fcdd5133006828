"""Edge cases of the progressive and of Envy, with every amount computed by hand."""

import pytest

from tests.exact.handwritten_rounds import KING_HIGH, nets, paid, seat, settled


@pytest.mark.parametrize(("setting", "progressive"), [("lost", -100), ("live", 29_900)])
def test_a_folded_progressive_is_lost_unless_the_house_lets_it_live(setting: str, progressive: int) -> None:
    """Four kings at $1 are worth 300 for 1 (R48); the right to Envy, $5 for a straight flush, is kept."""
    answer = settled(
        "massachusetts",
        {"progressive": "A"},
        "Qc Jd 8c 5h 3d 2c",
        seat(3, "Ks Kh Kd Kc 2s", 0, ante=1_000, progressive=100),
        seat(5, "9h 8s 7s 6s 5s", 1_000, ante=1_000),
        settings={"progressive_on_fold": setting},
        meter=500_000,
    )
    assert nets(answer)[3] == {"ante": -1_000, "progressive": progressive, "envy": 500}


def test_envy_is_for_another_persons_hand_and_by_the_receivers_own_stake() -> None:
    """One player has four eights and a blank, another a straight flush; table A, $1 and $5."""
    answer = settled(
        "massachusetts",
        {"progressive": "A"},
        "Ks Qs Jd 5c 3d 2c",
        seat(1, "8s 8h 8d 8c 2s", 1_000, ante=1_000, progressive=100) | {"player": "p1"},
        seat(2, "Ah Qd 9c 6s 3h", 1_000, ante=1_000, progressive=500) | {"player": "p1"},
        seat(3, "7h 6h 5h 4h Kd", 1_000, ante=1_000, progressive=500) | {"player": "p2"},
        meter=500_000,
    )
    won = {"ante": 1_000, "play": 1_000}
    assert nets(answer) == {
        1: won | {"automatic_bonus": 25_000, "progressive": 30_000 - 100, "envy": 500},
        2: won | {"progressive": -500, "envy": 2_500},
        3: won | {"automatic_bonus": 20_000, "progressive": 50_000 - 500, "envy": 5_000},
    }
    assert paid(answer, "envy") == [(3, 5_000, "tray"), (2, 2_500, "tray"), (1, 500, "tray")]
    assert answer["meter"] == 500_000


@pytest.mark.clause("R57")
@pytest.mark.parametrize(("stake", "other"), [(100, 500), (500, 100)])
def test_the_whole_meter_is_the_same_for_one_dollar_as_for_five(stake: int, other: int) -> None:
    """Four aces take all; three sevens get 9 for 1 on their own stake, and Envy of 100 times it."""
    answer = settled(
        "massachusetts",
        {"progressive": "A"},
        "Qc Js 9h 5h 4d 2c",
        seat(5, "As Ah Ad Ac 2s", 1_000, ante=1_000, progressive=stake),
        seat(2, "7s 7h 7d Kc 3h", 1_000, ante=1_000, progressive=other),
        meter=2_345_678,
        reset=500_000,
    )
    assert nets(answer)[5]["progressive"] == 2_345_678 - stake
    assert (nets(answer)[2]["progressive"], nets(answer)[2]["envy"]) == (8 * other, 100 * other)
    assert answer["meter"] == 500_000


TWO_STRAIGHT_FLUSHES = (
    seat(6, "9s 8s 7s 6s 5s", 1_000, ante=1_000, progressive=500),
    seat(2, "Th 9h 8h 7h 6h", 1_000, ante=1_000, progressive=100),
)


@pytest.mark.clause("R60")
@pytest.mark.parametrize("source", ["meter", "tray"])
def test_a_second_tenth_is_a_tenth_of_what_the_first_left(source: str) -> None:
    """10% of 1,234,567 is 123,456 whole cents, which leaves 1,111,111; whatever hands it over."""
    options, settings = {"progressive": "C", "envy": "C"}, {"part_share_from": source}
    answer = settled(
        "maryland", options, KING_HIGH, *TWO_STRAIGHT_FLUSHES, settings=settings, meter=1_234_567
    )
    assert paid(answer, "progressive") == [(6, 123_456, source), (2, 111_111, source)]
    won = {"ante": 1_000, "play": 1_000, "automatic_bonus": 20_000}
    assert nets(answer) == {6: won | {"progressive": 122_956}, 2: won | {"progressive": 111_011}}
    assert answer["meter"] == 1_000_000


def test_envy_by_the_other_reading_of_schedule_c_is_for_straight_flushes_of_five() -> None:
    options = {"progressive": "C", "envy": "C-royal"}
    answer = settled("maryland", options, KING_HIGH, *TWO_STRAIGHT_FLUSHES, meter=1_234_567)
    assert paid(answer, "envy") == [(2, 30_000, "tray"), (6, 150_000, "tray")]


@pytest.mark.clause("R58", "MD-12D4")
def test_a_second_winner_of_the_whole_meter_gets_the_reset() -> None:
    """Royals at 6 and 3, then a tenth of the restarted meter, in whole cents."""
    answer = settled(
        "maryland",
        {"progressive": "C"},
        "Kd Qc Jc 5h 3d 2c",
        seat(1, "9d 8d 7d 6d 5d", 1_000, ante=1_000, progressive=100),
        seat(3, "Ah Kh Qh Jh Th", 1_000, ante=1_000, progressive=500),
        seat(6, "As Ks Qs Js Ts", 1_000, ante=1_000, progressive=100),
        meter=5_000_001,
        reset=1_000_005,
    )
    assert paid(answer, "progressive") == [
        (6, 5_000_001, "meter"),
        (3, 1_000_005, "meter"),
        (1, 100_000, "meter"),
    ]
    progressive = {position: net["progressive"] for position, net in nets(answer).items()}
    assert progressive == {6: 4_999_901, 3: 999_505, 1: 99_900}
    assert answer["meter"] == 900_005
    assert answer["meter_moves"] == [
        {"position": 6, "before": 5_000_001, "paid": 5_000_001, "after": 1_000_005, "reset": 1_000_005},
        {"position": 3, "before": 1_000_005, "paid": 1_000_005, "after": 1_000_005, "reset": 1_000_005},
        {"position": 1, "before": 1_000_005, "paid": 100_000, "after": 900_005},
    ]


DRY = (
    (35_000, [(4, 5_000, "meter"), (4, 5_000, "tray"), (2, 4_500, "tray")], [5_000, 4_500]),
    (39_999, [(4, 9_999, "meter"), (4, 1, "tray"), (2, 4_500, "tray")], [1, 4_500]),
    (40_000, [(4, 10_000, "meter"), (2, 4_500, "tray")], [4_500]),
    (40_001, [(4, 10_000, "meter"), (2, 1, "meter"), (2, 4_499, "tray")], [4_499]),
)
"""The meter, who is paid what after $300 for four of a kind, and what the tray had to add."""


@pytest.mark.clause("R59")
@pytest.mark.parametrize(("meter", "then", "shortfalls"), DRY)
def test_a_meter_that_runs_dry_pays_what_it_has_and_the_tray_the_rest(
    meter: int, then: list[tuple[int, int, str]], shortfalls: list[int]
) -> None:
    """Four of a kind $300, straight flush $100, and at $5 three of a kind $45: all out of the meter."""
    answer = settled(
        "massachusetts",
        {"progressive": "A", "fixed_awards": "meter"},
        "Kd Qc Td 6s 3d 2c",
        seat(7, "8s 8h 8d 8c 2s", 1_000, ante=1_000, progressive=100),
        seat(4, "7h 6h 5h 4h Ks", 1_000, ante=1_000, progressive=100),
        seat(2, "Js Jh Jd 3h 2d", 1_000, ante=1_000, progressive=500),
        meter=meter,
    )
    won = {"ante": 1_000, "play": 1_000}
    assert nets(answer) == {
        7: won | {"automatic_bonus": 25_000, "progressive": 29_900, "envy": 500},
        4: won | {"automatic_bonus": 20_000, "progressive": 9_900, "envy": 1_000},
        2: won | {"automatic_bonus": 2_000, "progressive": 4_000, "envy": 5_000 + 2_500},
    }
    assert paid(answer, "progressive") == [(7, 30_000, "meter"), *then]
    assert [move["shortfall"] for move in answer["meter_moves"] if "shortfall" in move] == shortfalls
    assert answer["meter"] == 0

"""Edge cases of the rules, with every amount computed by hand.

Each is a whole line as a laboratory sends it. The second settlement settles every one of them too.
"""

import json

import pytest

from fourcard import Seat, Standing, best_hand, parse_cards, read_round
from tests.exact.handwritten_rounds import KING_HIGH, nets, seat, settled
from tests.exact.settlement_comparison import Line, answered

BONUS: dict[str, Line] = {
    "massachusetts": {},
    "shuffle-master": {"automatic_bonus": "FCP-01", "bad_beat": "BBB-01"},
    "maryland": {},
    "washington": {"automatic_bonus": "FCP-01", "bad_beat": "BBB-01"},
    "catfish-bend": {},
}
"""The options of a plain game: the bonus pays 25, 20 and 2 to 1 everywhere."""
WITH_BAD_BEAT = ("shuffle-master", "washington")
TIES = (
    ("high_card", "As Kd 9h 7c 2s", "Ad Kh 9c 7s 3d 2h", 0),
    ("pair", "Qs Qh Ad 8c 3s", "Qd Qc As 8h 4d 2c", 0),
    ("two_pair", "Ks Kh 5s 5h 2d", "Kd Kc 5d 5c 3s 2h", 0),
    ("straight", "9s 8h 7d 6c 2s", "9h 8d 7c 6s Kd 2h", 0),
    ("straight", "4s 3h 2d Ac Ks", "4h 3d 2c As Kd 9c", 0),
    ("flush", "As Js 8s 4s 2h", "Ah Jh 8h 4h Kd 9c", 0),
    ("straight_flush", "7s 6s 5s 4s Kd", "7h 6h 5h 4h Kc 2d", 20_000),
)
"""The player's five cards, the dealer's six, and the bonus on an Ante of $10."""


@pytest.mark.parametrize("rulebook", BONUS)
@pytest.mark.parametrize(("hand", "cards", "dealer", "bonus"), TIES)
def test_in_a_tie_ante_and_play_win(rulebook: str, hand: str, cards: str, dealer: str, bonus: int) -> None:
    """In every category that one deck can tie in; no hand is beaten, so the Bad Beat is lost (R40)."""
    side = {"bad_beat": 100} if rulebook in WITH_BAD_BEAT else {}
    answer = settled(rulebook, BONUS[rulebook], dealer, seat(1, cards, 3_000, ante=1_000, **side))
    won = {"ante": 1_000, "play": 3_000, "automatic_bonus": bonus, "bad_beat": -100 if side else 0}
    assert nets(answer)[1] == {wager: net for wager, net in won.items() if net}
    assert (answer["seats"][0]["hand"], answer["dealer"]["hand"]) == (hand, hand)


@pytest.mark.parametrize("rulebook", BONUS)
@pytest.mark.parametrize(
    ("hand", "cards", "bonus"),
    [("three_of_a_kind", "9s 9h 9d As Kc", 2_000), ("four_of_a_kind", "9s 9h 9d 9c As", 25_000)],
)
def test_a_tie_that_one_deck_cannot_deal_would_be_won_too(
    rulebook: str, hand: str, cards: str, bonus: int
) -> None:
    """Three or four of a kind of one rank: the line is refused; with a second deck the player would win."""
    line: Line = {"rulebook": rulebook, "options": BONUS[rulebook], "dealer": f"{cards} 2d"}
    line["seats"] = [seat(1, cards, 3_000, ante=1_000)]
    assert answered(line)["refused"]["name"] == "card_repeated"
    settler = read_round(json.dumps({**line, "dealer": "Qd Jc Ts 5h 3d 2c"})).settler
    dealt = parse_cards(cards)
    tied = Seat(1, "p1", dealt, best_hand(dealt), {"ante": 1_000, "play": 3_000}, Standing.LIVE)
    showdown = settler.showdown([tied], (*dealt, *parse_cards("2d")), None)
    assert tied.hand == showdown.dealer_hand
    assert tied.hand.category.text == hand
    found = {wager: net for wager, net in settler.settle(showdown).nets([1])[1].items() if net}
    assert found == {"ante": 1_000, "play": 3_000, "automatic_bonus": bonus}


BEATEN = (
    ("9s 9h 9d As Kc", "Ts Th Td 5c 3h 2s", 2_000, 10_000),  # 2 to 1 on $10; 100 to 1 on $1
    ("6s 5s 4s 3s Kd", "8s 8h 8d 8c 2d 4h", 20_000, 1_000_000),  # 20 to 1; 10,000 to 1
    ("8s 8h 8d 8c Kd", "9s 9h 9d 9c 2d 4h", 25_000, 2_500_000),  # 25 to 1; 25,000 to 1
)


@pytest.mark.parametrize("rulebook", BONUS)
@pytest.mark.parametrize(("cards", "dealer", "bonus", "bad_beat"), BEATEN)
def test_a_beaten_hand_keeps_its_bonus(
    rulebook: str, cards: str, dealer: str, bonus: int, bad_beat: int
) -> None:
    """Ante and Play are lost, the Automatic Bonus is paid, and the Bad Beat on the player's own hand."""
    side = {"bad_beat": 100} if rulebook in WITH_BAD_BEAT else {}
    answer = settled(rulebook, BONUS[rulebook], dealer, seat(1, cards, 2_000, ante=1_000, **side))
    lost = {"ante": -1_000, "play": -2_000, "automatic_bonus": bonus}
    assert nets(answer)[1] == lost | ({"bad_beat": bad_beat} if side else {})


EVERYTHING = {"aces_up": "A", "six_card": "A", "progressive": "A"}


@pytest.mark.parametrize("rulebook", WITH_BAD_BEAT)
@pytest.mark.parametrize(
    ("dealer", "bad_beat"),
    [
        ("8s 8h 8d 8c 2d 4h", 2_500_000),
        ("6s 5s 4s 3s Kd 2d", 1_000_000),
        ("Ts Th Td 5c 3h 2d", 10_000),
        ("As Js 8s 4s 2h 3c", 2_500),
        ("8s 7h 6d 5c 2d Kh", 1_500),
        ("Ks Kh 5d 5c 3s 2h", 400),
        ("As Ah Kd 7c 5h 2c", -100),
    ],
)
def test_a_dealers_strong_hand_that_is_beaten_pays_the_bad_beat(
    rulebook: str, dealer: str, bad_beat: int
) -> None:
    """Four nines beat everything; the odds are those of the dealer's hand, from two pair up."""
    nines = seat(1, "9s 9h 9d 9c Qd", 2_000, ante=1_000, bad_beat=100)
    answer = settled(rulebook, BONUS[rulebook], dealer, nines)
    won = {"ante": 1_000, "play": 2_000, "automatic_bonus": 25_000}
    assert nets(answer)[1] == won | {"bad_beat": bad_beat}


def test_a_winner_folded_in_maryland_wins_its_own_wagers_and_no_other() -> None:
    """Four kings: Aces Up 50 to 1 and Six Card 50 to 1 live; Ante, progressive and others' Envy are gone."""
    answer = settled(
        "maryland",
        EVERYTHING,
        "Qc Js 8h 5h 3d 2c",
        seat(1, "Ah Qd 9c 6s 3h", 1_000, ante=1_000, progressive=500),
        seat(2, "Ks Kh Kd Kc 2s", 0, ante=1_000, aces_up=500, six_card=100, progressive=100),
        bonus_card="Td",
        meter=500_000,
    )
    assert nets(answer) == {
        1: {"ante": 1_000, "play": 1_000, "progressive": -500},
        2: {"ante": -1_000, "aces_up": 25_000, "six_card": 5_000, "progressive": -100},
    }
    assert answer["meter"] == 500_000
    first = [(step["position"], step["wager"], step["action"]) for step in answer["steps"][:2]]
    assert first == [(2, "ante", "take"), (2, "progressive", "take")]


def test_who_leaves_in_maryland_loses_all_and_wins_no_envy() -> None:
    """The same four kings, left behind, while another holds a straight flush."""
    answer = settled(
        "maryland",
        EVERYTHING,
        "Qc Js 8h 5h 3d 2c",
        seat(1, "9h 8s 7s 6s 5s", 1_000, ante=1_000, progressive=500),
        seat(2, "Ks Kh Kd Kc 2s", None, ante=1_000, aces_up=500, six_card=100, progressive=100)
        | {"left": True},
        bonus_card="Td",
        meter=500_000,
    )
    assert nets(answer) == {
        1: {"ante": 1_000, "play": 1_000, "automatic_bonus": 20_000, "progressive": 49_500},
        2: {"ante": -1_000, "aces_up": -500, "six_card": -100, "progressive": -100},
    }


@pytest.mark.clause("R93")
@pytest.mark.parametrize("stake", [100, 500])
@pytest.mark.parametrize("play", [0, 1_000])
@pytest.mark.parametrize(
    ("table", "cards", "nine", "prize"),
    [
        ("A", "Ad Kd Qd Jd Td", "9d", 100_000_000),
        ("A", "As Ks Qs Js Ts", "9s", 10_000_000),
        ("B", "Ad Kd Qd Jd Td", "9d", 10_000_000),
        ("B", "As Ks Qs Js Ts", "9s", 10_000_000),
    ],
)
def test_a_super_royal_wins_its_amount_whatever_the_stake(
    table: str, cards: str, nine: str, prize: int, play: int, stake: int
) -> None:
    """A million dollars in diamonds by table A, else a hundred thousand; after a fold too."""
    options = {"aces_up": "A", "six_card": table}
    royal = seat(4, cards, play, ante=1_000, aces_up=500, six_card=stake)
    answer = settled("maryland", options, "Kc Qc Jh 5h 3d 2c", royal, bonus_card=nine)
    won = {"ante": 1_000, "play": 1_000, "automatic_bonus": 20_000} if play else {"ante": -1_000}
    assert nets(answer)[4] == won | {"aces_up": 15_000, "six_card": prize}
    other = settled("maryland", options, "Kc Qc Jh 5h 3d 2c", royal, bonus_card="9c")
    assert nets(other)[4]["six_card"] == 1_000 * stake


@pytest.mark.clause("R25")
def test_cover_all_pays_a_royal_flush_that_four_of_a_kind_beat() -> None:
    """The dealer's four nines win the contest, yet stand below the royal in the column for one player."""
    royal = seat(1, "As Ks Qs Js 3d", 1_000, ante=1_000, cover_all=100)
    answer = settled("massachusetts", {"cover_all": "matrix"}, "9s 9h 9d 9c 4c 2h", royal)
    lost = {"ante": -1_000, "play": -1_000}
    assert nets(answer)[1] == lost | {"automatic_bonus": 20_000, "cover_all": 12_500}


@pytest.mark.parametrize(("play", "cover_all"), [(1_000, 10_000), (0, 8_000)])
def test_cover_all_pays_the_royal_flush_before_the_quads_unless_it_is_mucked(
    play: int, cover_all: int
) -> None:
    """Two players: a royal flush is worth 100 to 1; folded without Aces Up it leaves the quads, 80 to 1."""
    answer = settled(
        "massachusetts",
        {"cover_all": "matrix"},
        "Qc Jd 8h 5h 4d 2c",
        seat(1, "As Ks Qs Js 3d", play, ante=1_000, cover_all=100),
        seat(2, "9s 9h 9d 9c 2h", 1_000, ante=1_000, cover_all=100),
    )
    assert [net["cover_all"] for net in nets(answer).values()] == [cover_all, cover_all]


@pytest.mark.clause("R33")
@pytest.mark.parametrize(
    ("ante", "down", "up", "half_up", "half_even"),
    [(1, 1, 2, 2, 2), (2, 3, 3, 3, 3), (3, 4, 5, 5, 4), (101, 151, 152, 152, 152), (103, 154, 155, 155, 154)],
)
def test_three_to_two_on_an_odd_ante_is_rounded_as_the_house_says(
    ante: int, down: int, up: int, half_up: int, half_even: int
) -> None:
    """FCP-08 pays three of a kind 3 to 2: 1.5, 3, 4.5, 151.5 and 154.5 cents."""
    trips = seat(1, "9s 9h 9d As Kc", ante, ante=ante)
    expected = {"down": down, "up": up, "half_up": half_up, "half_even": half_even}
    for rounding, bonus in expected.items():
        options = {"automatic_bonus": "FCP-08", "rounding": rounding}
        won = {"ante": ante, "play": ante, "automatic_bonus": bonus}
        assert nets(settled("washington", options, KING_HIGH, trips))[1] == won
    unsaid = settled("washington", {"automatic_bonus": "FCP-08"}, KING_HIGH, trips)
    assert nets(unsaid)[1]["automatic_bonus"] == down


SEVEN = {
    1: "As Ah Kd 9c 4h",
    2: "Ks Kh 7d 5c 2h",
    3: "Qs Qh Jd Jc 3h",
    4: "Ts 9s 8d 7c 2d",
    5: "8s 6s 4s 3s Kc",
    6: "5s 5h 5d Qc 2s",
    7: "9h 8h 7h 6h Ad",
}
"""A pair of aces, of kings, two pair, a straight, a flush, three of a kind, a straight flush."""
ACES_UP = {
    "massachusetts": ("I", (1, -1, 2, 4, 6, 9, 40), {"progressive": "A"}),
    "shuffle-master": ("FCP-01", (1, -1, 2, 4, 6, 9, 40), {"progressive": "1", "bad_beat": "BBB-01"}),
    "maryland": ("A", (1, -1, 2, 4, 6, 9, 30), {"progressive": "A"}),
    "washington": ("FCP-01", (1, -1, 2, 4, 6, 9, 40), {"progressive": "1", "bad_beat": "BBB-01"}),
    "catfish-bend": ("standard", (1, -1, 2, 5, 6, 7, 30), {}),
}


@pytest.mark.parametrize("rulebook", ACES_UP)
def test_when_all_seven_fold_only_aces_up_is_left(rulebook: str) -> None:
    table, odds, side = ACES_UP[rulebook]
    stakes = {"ante": 1_000, "aces_up": 500, **dict.fromkeys(side, 100)}
    seats = [seat(position, cards, 0, **stakes) for position, cards in SEVEN.items()]
    more = {"meter": 500_000} if side else {}
    answer = settled(rulebook, {"aces_up": table, **side}, "Tc Th 6c 4d 3c 2c", *seats, **more)
    lost = {"ante": -1_000, **dict.fromkeys(side, -100)}
    expected = {place: lost | {"aces_up": 500 * each} for place, each in enumerate(odds, 1)}
    assert nets(answer) == expected
    gone = len(lost) * 7
    assert [step["action"] for step in answer["steps"][:gone]] == ["take"] * gone
    from_right = [step["position"] for step in answer["steps"][:gone]]
    assert from_right == sorted(from_right, reverse=True)
    assert [step["wager"] for step in answer["steps"][gone:]] == ["aces_up"] * 7
    assert answer["meter"] == (500_000 if side else None)


@pytest.mark.parametrize(("aces_up", "cover_all"), [({}, 300), ({"aces_up": 500}, 2_000)])
def test_when_all_fold_cover_all_sees_the_dealer_and_the_hands_that_are_kept(
    aces_up: dict[str, int], cover_all: int
) -> None:
    """Six players: the dealer's three tens pay 3 to 1; a straight flush kept for Aces Up pays 20 to 1."""
    seats = [seat(each, SEVEN[each], 0, ante=1_000, cover_all=100) for each in range(1, 6)]
    seats.append(seat(7, SEVEN[7], 0, ante=1_000, cover_all=100, **aces_up))
    options = {"aces_up": "I", "cover_all": "matrix"}
    answer = settled("massachusetts", options, "Tc Th Td Jh 4d 3c", *seats)
    assert [net["cover_all"] for net in nets(answer).values()] == [cover_all] * 6

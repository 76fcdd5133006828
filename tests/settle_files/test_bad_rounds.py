"""Rounds that a rulebook does not allow: each gets its refusal, its clauses and its position, at the edge."""

import pytest

from tests.kit.settle_lines import (
    GONE,
    HANDS,
    Line,
    labelled,
    line_of,
    outcome,
    refused,
    seat,
    with_seats,
    with_wagers,
)

MOST = 10**12
PLAY_CLAUSES = {
    "massachusetts": ["MA-1-PLAY.2", "MA-10b.3"],
    "shuffle-master": ["SM-W1-5", "SM-W3-4", "SM-DEAL-3.1"],
    "maryland": ["MD-07E1", "MD-11B1"],
    "washington": ["WA-W1-5", "WA-W3-4", "WA-DEAL-3.1"],
    "catfish-bend": ["IA-DEF-4", "IA-WAG-2a.2", "IA-COMP-2.1"],
}
OFFERED_BY = {
    "massachusetts": ["MA-11a2.1", "MA-6a2.1", "MA-12a", "MA-13a.0"],
    "shuffle-master": ["SM-W1-11", "SM-DEAL-1.2", "SM-BB-2", "SM-PROG-1"],
    "maryland": ["MD-12B.2", "MD-07E2", "MD-07E5.0", "MD-07E4.0"],
    "washington": ["WA-W1-11", "WA-DEAL-1.2", "WA-BB-1", "WA-INT-3", "WA-PROG-1", "WA-NEX-1"],
    "catfish-bend": ["IA-DEF-5.1", "IA-INT-8"],
}
RULEBOOKS = tuple(PLAY_CLAUSES)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_round_that_all_others_are_made_from_is_settled(rulebook: str) -> None:
    assert outcome(line_of(rulebook)) is None


@pytest.mark.parametrize(
    ("rulebook", "wager"),
    [
        ("massachusetts", "six_card"),
        ("massachusetts", "bad_beat"),
        ("shuffle-master", "six_card"),
        ("shuffle-master", "cover_all"),
        ("maryland", "bad_beat"),
        ("maryland", "cover_all"),
        ("washington", "six_card"),
        ("washington", "cover_all"),
        ("catfish-bend", "bad_beat"),
        ("catfish-bend", "six_card"),
        ("catfish-bend", "cover_all"),
        ("catfish-bend", "progressive"),
    ],
)
def test_a_wager_that_the_rulebook_does_not_have_is_not_offered(rulebook: str, wager: str) -> None:
    line = with_wagers(rulebook, {"ante": 1000, "aces_up": 500, wager: 100}, 1000)
    assert outcome(line) == ("wager_not_offered", OFFERED_BY[rulebook], 1)


@pytest.mark.parametrize(
    ("rulebook", "wager"),
    [
        (rulebook, wager)
        for rulebook in RULEBOOKS
        for wager in line_of(rulebook)["seats"][0]["wagers"]
        if wager != "ante"
    ],
)
def test_a_wager_whose_option_is_missing_is_not_offered(rulebook: str, wager: str) -> None:
    line = line_of(rulebook, **{f"options__{wager}": GONE})
    name, clauses, position = outcome(line) or ("settled", [], None)
    assert (name, sorted(clauses), position) == ("wager_not_offered", sorted(OFFERED_BY[rulebook]), 1)


@pytest.mark.parametrize(
    ("rulebook", "wagers", "clauses"),
    labelled(
        ("MA cover", "massachusetts", {"cover_all": 100}, ["R45"]),
        ("MA progressive", "massachusetts", {"progressive": 100}, ["R68"]),
        ("SM progressive", "shuffle-master", {"progressive": 100}, ["SM-PROG-5.1", "R94"]),
        ("SM bad beat", "shuffle-master", {"aces_up": 100, "bad_beat": 100}, ["R41", "SM-BB-5"]),
        ("MD progressive", "maryland", {"progressive": 100}, ["MD-07E4a.1"]),
        ("MD six, no ante", "maryland", {"aces_up": 100, "six_card": 100}, ["MD-07E5a.1", "R11"]),
        ("MD six, no aces up", "maryland", {"ante": 100, "six_card": 100}, ["MD-07E5a.1", "R11"]),
        ("WA progressive", "washington", {"progressive": 100}, ["WA-PROG-4.1", "WA-NEX-4.1", "R94"]),
        ("WA bad beat", "washington", {"aces_up": 100, "bad_beat": 100}, ["R41", "WA-BB-3"]),
    ),
)
def test_a_wager_needs_its_prerequisite(rulebook: str, wagers: dict[str, int], clauses: list[str]) -> None:
    line = with_wagers(rulebook, wagers, 0 if "ante" in wagers else GONE)
    assert outcome(line) == ("prerequisite_missing", clauses, 1)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_ante_needs_a_decision_and_a_decision_an_ante(rulebook: str) -> None:
    clauses = PLAY_CLAUSES[rulebook]
    for nothing in (GONE, None):
        assert outcome(with_wagers(rulebook, {"ante": 1000}, nothing)) == ("decision_missing", clauses, 1)
        assert outcome(with_wagers(rulebook, {"aces_up": 500}, nothing)) is None
    for play in (0, 1000):
        line = with_wagers(rulebook, {"aces_up": 500}, play)
        assert outcome(line) == ("decision_without_ante", clauses, 1)
    assert outcome(with_wagers(rulebook, {"ante": 1000}, 0)) is None


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_play_is_one_to_three_antes(rulebook: str) -> None:
    clauses = PLAY_CLAUSES[rulebook]
    for play, name in (
        (-1000, "play_too_small"),
        (1, "play_too_small"),
        (999, "play_too_small"),
        (1000, None),
        (3000, None),
        (3001, "play_too_large"),
    ):
        expected = None if name is None else (name, clauses, 1)
        assert outcome(with_wagers(rulebook, {"ante": 1000}, play)) == expected


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_only_catfish_bend_wants_whole_multiples(rulebook: str) -> None:
    refusal = ("play_not_a_multiple", PLAY_CLAUSES["catfish-bend"], 1)
    for play in (1001, 1500, 1999, 2001, 2999):
        expected = refusal if rulebook == "catfish-bend" else None
        assert outcome(with_wagers(rulebook, {"ante": 1000}, play)) == expected
    assert outcome(with_wagers(rulebook, {"ante": 1000}, 2000)) is None


def test_a_play_is_whole_chips() -> None:
    refusal = ("wager_not_in_chips", ["P7"], 1)
    for play, expected in ((1499, refusal), (1500, None), (1501, refusal), (0, None)):
        assert outcome(with_wagers("maryland", {"ante": 1000}, play, options__chip=500)) == expected


@pytest.mark.parametrize("name", ["ante", "aces_up", "progressive", "six_card"])
def test_a_wager_is_more_than_nothing_and_no_slip_of_the_pen(name: str) -> None:
    for amount, refusal in (
        (-1, "wager_not_positive"),
        (0, "wager_not_positive"),
        (MOST + 1, "wager_too_large"),
    ):
        line = line_of("maryland", **{f"seats__0__wagers__{name}": amount})
        assert outcome(line) == (refusal, [], 1)
    assert outcome(with_wagers("maryland", {"ante": 1}, 1)) is None
    assert outcome(with_wagers("maryland", {"ante": MOST}, 3 * MOST)) is None


def test_a_seat_has_some_wager_and_a_round_some_seat() -> None:
    assert outcome(with_wagers("maryland", {})) == ("no_wager", [], 1)
    assert outcome(line_of("maryland", seats=[])) == ("seats_missing", [], None)


def test_the_six_card_bonus_needs_the_bonus_card() -> None:
    for nothing in (GONE, None):
        assert outcome(line_of("maryland", bonus_card=nothing)) == ("bonus_card_missing", ["MD-07E5.1"], 1)
    without = line_of("maryland", bonus_card=GONE, seats__0__wagers__six_card=GONE)
    assert outcome(without) is None


@pytest.mark.parametrize(
    ("rulebook", "clauses", "taken", "not_taken"),
    [
        ("massachusetts", ["R55"], (100, 500), (99, 101, 200, 499, 501, 1000)),
        ("maryland", ["R55"], (100, 500), (99, 101, 200, 499, 501, 1000)),
        ("shuffle-master", ["SM-PROG-3.12"], (100, 200, 500), (1, 99, 101, 150)),
        ("washington", ["R100"], (100, 200, 500), (1, 99, 101, 150)),
    ],
)
def test_progressive_stakes_are_those_of_the_rulebook(
    rulebook: str, clauses: list[str], taken: tuple[int, ...], not_taken: tuple[int, ...]
) -> None:
    def placed(stake: int) -> Line:
        return with_wagers(rulebook, {"ante": 1000, "progressive": stake}, 1000)

    assert [outcome(placed(stake)) for stake in taken] == [None] * len(taken)
    for stake in not_taken:
        assert outcome(placed(stake)) == ("stake_not_taken", clauses, 1)


@pytest.mark.parametrize("rulebook", ["massachusetts", "shuffle-master", "maryland", "washington"])
def test_one_denomination_is_a_setting(rulebook: str) -> None:
    def stakes(one: int, other: int) -> tuple[Line, Line]:
        places = ((1, one), (2, other))
        first, second = (seat(place, wagers={"ante": 1000, "progressive": stake}) for place, stake in places)
        return first, second

    single = {"settings": {"one_denomination": True}}
    assert outcome(with_seats(rulebook, *stakes(100, 500))) is None
    assert outcome(with_seats(rulebook, *stakes(500, 500), **single)) is None
    refusal = ("stakes_more_than_one", ["R57"], None)
    assert outcome(with_seats(rulebook, *stakes(100, 500), **single)) == refusal


@pytest.mark.parametrize(
    ("rulebook", "name", "clauses"),
    [
        ("massachusetts", "ante", ["MA-6a1.2"]),
        ("massachusetts", "aces_up", ["MA-6a2.2"]),
        ("massachusetts", "cover_all", ["P8"]),
        ("shuffle-master", "bad_beat", ["P8"]),
        ("maryland", "six_card", ["P8"]),
    ],
)
def test_posted_limits_bind_where_given(rulebook: str, name: str, clauses: list[str]) -> None:
    posted = {"options__limits": {"posted": {name: {"least": 500, "most": 700}}}}
    for amount, refusal in (
        (499, ("wager_below_least", clauses, 1)),
        (500, None),
        (700, None),
        (701, ("wager_above_most", clauses, 1)),
    ):
        wagers = {"ante": 600, "aces_up": 600, name: amount}
        assert outcome(with_wagers(rulebook, wagers, 0, **posted)) == refusal
        assert outcome(with_wagers(rulebook, wagers, 0)) is None


def test_posted_limits_do_not_bind_the_play() -> None:
    posted = {"options__limits": {"posted": {"ante": {"least": 500, "most": 700}}}}
    assert outcome(with_wagers("massachusetts", {"ante": 700}, 2100, **posted)) is None


@pytest.mark.parametrize(
    ("wagers", "clauses"),
    labelled(
        ("ante", {"ante": 3000}, ["R31"]),
        ("aces up", {"ante": 100, "aces_up": 3000}, ["R31"]),
        ("bad beat", {"ante": 100, "bad_beat": 3000}, ["WA-BB-LIM"]),
        ("progressive", {"ante": 100, "progressive": 3000}, ["WA-PROG-LIM", "WA-NEX-LIM"]),
    ),
)
def test_the_legal_limit_binds_every_wager_of_washington(wagers: dict[str, int], clauses: list[str]) -> None:
    for legal, refusal in ((2999, ("wager_above_legal_limit", clauses, 1)), (3000, None), (3001, None)):
        limits = {"legal": legal}
        assert outcome(with_wagers("washington", wagers, 0, options__limits=limits)) == refusal


def test_the_legal_limit_binds_the_play_of_washington_and_nothing_elsewhere() -> None:
    for legal, refusal in ((2999, ("wager_above_legal_limit", ["R30"], 1)), (3000, None)):
        changes: Line = {"options__limits": {"legal": legal}}
        assert outcome(with_wagers("washington", {"ante": 1000}, 3000, **changes)) == refusal
        assert outcome(with_wagers("massachusetts", {"ante": 1000}, 3000, **changes)) is None


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_positions_are_one_to_seven_each_given_once(rulebook: str) -> None:
    clauses = ["MD-02A1"] if rulebook == "maryland" else ["R38"]
    for position in (-1, 0, 8, 10**30):
        line = line_of(rulebook, seats__0__position=position)
        assert outcome(line) == ("position_unknown", clauses, position)
    for position in (1, 7):
        assert outcome(line_of(rulebook, seats__0__position=position)) is None
    twice = with_seats(rulebook, seat(2), seat(3), seat(2, cards=HANDS[0]))
    assert outcome(twice) == ("position_repeated", [], 2)


@pytest.mark.parametrize(
    ("rulebook", "positions", "refusal"),
    [
        ("massachusetts", (1, 2), None),
        ("massachusetts", (1, 3), ("positions_not_adjacent", ["MA-6e"])),
        ("massachusetts", (1, 7), ("positions_not_adjacent", ["MA-6e"])),
        ("massachusetts", (1, 2, 3), ("too_many_positions", ["MA-6e"])),
        ("catfish-bend", (7, 6), None),
        ("catfish-bend", (5, 7), ("positions_not_adjacent", ["IA-WAG-7"])),
        ("catfish-bend", (5, 6, 7), ("too_many_positions", ["IA-WAG-7"])),
        ("maryland", (3, 4, 5), None),
        ("maryland", (3, 5), ("positions_not_adjacent", ["MD-07F"])),
        ("maryland", (1, 2, 4), ("positions_not_adjacent", ["MD-07F"])),
        ("shuffle-master", (1, 3, 7), None),
        ("washington", (1, 3, 7), None),
    ],
)
def test_positions_of_one_player_are_held_to_the_rulebook(
    rulebook: str, positions: tuple[int, ...], refusal: tuple[str, list[str]] | None
) -> None:
    one = with_seats(rulebook, *(seat(position, player="p") for position in positions))
    assert outcome(one) == (None if refusal is None else (*refusal, None))
    several = with_seats(rulebook, *(seat(position, player=f"p{position}") for position in positions))
    assert outcome(several) is None
    nameless = with_seats(rulebook, *(seat(position) for position in positions))
    assert outcome(nameless) is None


def test_a_player_is_the_same_person_whether_the_name_is_a_number_or_its_text() -> None:
    line = with_seats("massachusetts", seat(1, player=7), seat(3, player="7"))
    assert outcome(line) == ("positions_not_adjacent", ["MA-6e"], None)


def test_cover_all_has_no_column_for_seven_players() -> None:
    seats = [seat(position, wagers={"ante": 1000, "cover_all": 100}) for position in range(1, 8)]
    refusal = ("cover_all_column_missing", ["MA-12k.0", "R46"], None)
    assert outcome(with_seats("massachusetts", *seats)) == refusal
    assert outcome(with_seats("massachusetts", *seats[:6])) is None
    without = [seat(position) for position in range(1, 8)]
    assert outcome(with_seats("massachusetts", *without)) is None


@pytest.mark.parametrize(
    ("changes", "position", "word"),
    labelled(
        ("player 4", {"seats__0__cards": "As Ah Kd 7c"}, 1, "4 cards given, 5 needed"),
        ("player 6", {"seats__0__cards": "As Ah Kd 7c 2h 2s"}, 1, "6 cards given, 5 needed"),
        ("player 0", {"seats__0__cards": ""}, 1, "0 cards given, 5 needed"),
        ("player none", {"seats__0__cards": GONE}, 1, "0 cards given, 5 needed"),
        ("dealer 5", {"dealer": "Ks Kh 5d 9c 3h"}, None, "5 cards given, 6 needed"),
        ("dealer 7", {"dealer": "Ks Kh 5d 9c 3h 4s 6s"}, None, "7 cards given, 6 needed"),
        ("dealer none", {"dealer": GONE}, None, "0 cards given, 6 needed"),
        ("bonus 0", {"bonus_card": ""}, None, "0 cards given, 1 needed"),
        ("bonus 2", {"bonus_card": "9d 9h"}, None, "2 cards given, 1 needed"),
    ),
)
def test_every_hand_has_its_number_of_cards(changes: Line, position: int | None, word: str) -> None:
    line = line_of("maryland", **changes)
    assert outcome(line) == ("card_count", [], position)
    assert word in refused(line)["message"]


@pytest.mark.parametrize(
    ("changes", "position", "card"),
    labelled(
        ("within a hand", {"seats__0__cards": "As As Kd 7c 2h"}, 1, "As"),
        ("with the dealer", {"dealer": "Ks Kh 5d 9c 3h 2h"}, None, "2h"),
        ("within the dealer's", {"dealer": "Ks Ks 5d 9c 3h 4s"}, None, "Ks"),
        ("bonus card and player", {"bonus_card": "Kd"}, None, "Kd"),
        ("bonus card and dealer", {"bonus_card": "9c"}, None, "9c"),
        ("between players", {"seats": [seat(1), seat(2, cards="2s 2d 2c 5c As")]}, None, "As"),
        ("otherwise written", {"seats__0__cards": "As,aS KD 7c 2h"}, 1, "As"),
    ),
)
def test_no_card_is_dealt_twice(changes: Line, position: int | None, card: str) -> None:
    line = line_of("maryland", **changes)
    assert outcome(line) == ("card_repeated", [], position)
    assert f"The card {card} " in refused(line)["message"]


@pytest.mark.parametrize("card", ["1h", "10h", "Ax", "A", "Ahh", "٣h", "\x1b[31m", "Joker"])
def test_what_is_no_card_is_named_with_its_holder(card: str) -> None:
    for changes, position, whose in (
        ({"seats__0__cards": f"As Ah Kd 7c {card}"}, 1, "position 1:"),
        ({"dealer": f"Ks Kh 5d 9c 3h {card}"}, None, "the dealer:"),
        ({"bonus_card": card}, None, "the bonus card:"),
    ):
        line = line_of("maryland", **changes)
        assert outcome(line) == ("card_unknown", [], position)
        assert refused(line)["message"].startswith(f"{whose} {card!r} is not a card")

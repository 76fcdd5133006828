"""Rounds whose meter, leaving or voiding is wrong, and those that may be odd because they are void."""

import pytest

from fourcard.rules.clauses import clauses
from tests.kit.settle_lines import (
    FOUR_ACES,
    FOUR_EIGHTS,
    GONE,
    Line,
    labelled,
    line_of,
    outcome,
    told,
    with_wagers,
)
from tests.second.tables import voiding_clauses

MOST = 10**12
METER_CLAUSES = {
    "massachusetts": ["MA-13a1-A", "R68", "MA-13a4"],
    "shuffle-master": ["SM-PROG-3-P1", "SM-END-P1", "SM-PROG-2", "SM-PROG-9a"],
    "maryland": ["MD-12D1a", "MD-11D9", "MD-12D4"],
    "washington": ["WA-PAY-P1", "WA-PROG-2", "WA-NEX-2", "WA-PROG-8a", "WA-NEX-8a"],
}
VOIDS = {
    "massachusetts": "MA-14c",
    "shuffle-master": "SM-IRR-1",
    "maryland": "MD-13D",
    "washington": "WA-IRR-1",
    "catfish-bend": "IA-IRR-1",
}


def jackpot(rulebook: str, cards: str = FOUR_ACES, **changes: object) -> Line:
    """Return a round whose one hand wins a progressive award."""
    bonus = {"bonus_card": GONE} if rulebook == "maryland" else {}
    line = with_wagers(rulebook, {"ante": 1000, "progressive": 100}, 1000, **bonus, **changes)
    line["seats"][0]["cards"] = cards
    return line


@pytest.mark.parametrize("rulebook", METER_CLAUSES)
def test_a_share_of_the_meter_needs_the_meter_and_the_whole_of_it_a_reset(rulebook: str) -> None:
    refusal = ("meter_not_given", METER_CLAUSES[rulebook], 1)
    for nothing in (GONE, None):
        assert outcome(jackpot(rulebook, meter=nothing)) == refusal
        name, _, position = outcome(jackpot(rulebook, reset=nothing)) or ("settled", [], None)
        assert (name, position) == ("reset_not_given", 1)
    for amount in (0, 1, MOST):
        assert outcome(jackpot(rulebook, meter=amount, reset=amount)) is None


@pytest.mark.parametrize("rulebook", METER_CLAUSES)
def test_a_fixed_award_from_the_tray_needs_no_meter(rulebook: str) -> None:
    assert outcome(jackpot(rulebook, FOUR_EIGHTS, meter=GONE, reset=GONE)) is None


def test_a_fixed_award_from_the_meter_needs_the_meter_but_no_reset() -> None:
    paid_from = {"options__fixed_awards": "meter"}
    refusal = ("meter_not_given", ["MD-12D1a", "MD-11D9", "P3"], 1)
    assert outcome(jackpot("maryland", FOUR_EIGHTS, meter=GONE, **paid_from)) == refusal
    assert outcome(jackpot("maryland", FOUR_EIGHTS, reset=GONE, **paid_from)) is None


def test_a_part_of_the_meter_needs_the_meter_but_no_reset() -> None:
    table, cards = {"options__progressive": "C"}, "Qs Js Ts 9s 8s"
    refusal = ("meter_not_given", ["MD-12D1c", "R8", "MD-11D9", "MD-12D4"], 1)
    assert outcome(jackpot("maryland", cards, meter=GONE, **table)) == refusal
    assert outcome(jackpot("maryland", cards, reset=GONE, **table)) is None


@pytest.mark.parametrize("rulebook", VOIDS)
@pytest.mark.parametrize("name", ["meter", "reset"])
def test_meter_and_reset_are_nothing_or_more_and_no_slip_of_the_pen(rulebook: str, name: str) -> None:
    for amount in (-1, MOST + 1, 10**30):
        assert outcome(line_of(rulebook, **{name: amount})) == ("value_unfit", [], None)
    for amount in (0, MOST):
        assert outcome(line_of(rulebook, **{name: amount})) is None


@pytest.mark.parametrize(
    ("rulebook", "clauses"),
    [
        ("massachusetts", ["MA-6c.2"]),
        ("shuffle-master", ["P11"]),
        ("washington", ["P11"]),
        ("catfish-bend", ["IA-WAG-4.2"]),
    ],
)
def test_leaving_costs_no_wagers_outside_maryland(rulebook: str, clauses: list[str]) -> None:
    assert outcome(line_of(rulebook, seats__0__left=True)) == ("leaving", clauses, 1)
    assert outcome(line_of(rulebook, seats__0__left=False)) is None


def test_who_left_in_maryland_need_not_have_decided_but_may_not_have_decided_wrongly() -> None:
    assert outcome(line_of("maryland", seats__0__left=True, seats__0__play=GONE)) is None
    wrong = line_of("maryland", seats__0__left=True, seats__0__play=999)
    assert outcome(wrong) == ("play_too_small", ["MD-07E1", "MD-11B1"], 1)


@pytest.mark.parametrize("rulebook", VOIDS)
def test_every_clause_that_voids_is_taken_and_no_other_of_its_source(rulebook: str) -> None:
    voids = voiding_clauses(rulebook)
    assert VOIDS[rulebook] in voids
    for clause in voids:
        assert outcome(line_of(rulebook, void=clause)) is None
    source = clauses()[VOIDS[rulebook]].source
    others = [each.id for each in clauses().values() if each.source == source and each.id not in voids]
    taken = [clause for clause in others if outcome(line_of(rulebook, void=clause)) is None]
    assert taken == (["IA-MAN-4.3"] if rulebook == "catfish-bend" else [])  # by its ruling, R71


@pytest.mark.parametrize("rulebook", VOIDS)
def test_a_void_round_names_a_clause_of_its_own_rulebook(rulebook: str) -> None:
    foreign = [clause for other, clause in VOIDS.items() if other != rulebook]
    for clause in (*foreign, "", "XX-1", "R69", "P11", VOIDS[rulebook].lower()):
        assert outcome(line_of(rulebook, void=clause)) == ("void_unknown", [], None)


@pytest.mark.parametrize(
    "changes",
    labelled(
        ("short hand", {"seats__0__cards": "As Ah"}),
        ("long hand", {"seats__0__cards": "As Ah Kd 7c 2h 2s"}),
        ("no cards at all", {"seats__0__cards": GONE, "dealer": GONE}),
        ("card dealt twice", {"dealer": "As Kh 5d 9c 3h 4s"}),
        ("no decision", {"seats__0__play": GONE}),
    ),
)
@pytest.mark.parametrize("rulebook", VOIDS)
def test_a_void_round_may_be_unfinished_or_misdealt(rulebook: str, changes: Line) -> None:
    line = line_of(rulebook, void=VOIDS[rulebook], **changes)
    answer = told(line)
    assert set(answer["seats"][0]["net"].values()) == {0}
    wagers = line["seats"][0]["wagers"] | {"play": line["seats"][0].get("play", 0)}
    given_back = {each["wager"]: each["amount"] for each in answer["returned"]}
    assert given_back == {name: amount for name, amount in wagers.items() if amount}
    assert all(VOIDS[rulebook] in each["clauses"] for each in answer["returned"])


def test_a_void_round_without_its_bonus_card_is_taken() -> None:
    assert outcome(line_of("maryland", void="MD-13D", bonus_card=GONE)) is None


@pytest.mark.parametrize(
    ("changes", "name", "position"),
    labelled(
        ("no card", {"seats__0__cards": "As Zz"}, "card_unknown", 1),
        ("no wager", {"seats__0__wagers": {}, "seats__0__play": GONE}, "no_wager", 1),
        ("play too large", {"seats__0__play": 3001}, "play_too_large", 1),
        ("no such position", {"seats__0__position": 8}, "position_unknown", 8),
        ("stake not taken", {"seats__0__wagers__progressive": 200}, "stake_not_taken", 1),
        ("negative meter", {"meter": -1}, "value_unfit", None),
        ("no seats", {"seats": []}, "seats_missing", None),
    ),
)
def test_a_void_round_is_else_held_to_the_rules(changes: Line, name: str, position: int | None) -> None:
    refusal = outcome(line_of("maryland", void="MD-13D", **changes))
    assert refusal is not None
    assert (refusal[0], refusal[2]) == (name, position)

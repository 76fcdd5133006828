"""The progressive wager and its meter: what each table pays, out of what, and in which turn."""

import pytest

import fourcard
from fourcard.rules.paytables import paytable
from fourcard.wagers import WagerName
from tests.kit.awards import CENT, finished, settling
from tests.kit.settle_rounds import (
    ACES,
    KINGS,
    QUAD_ACES,
    QUAD_KINGS,
    QUADS,
    STRAIGHT_FLUSH,
    TRIPS,
    net,
    order,
    refused,
    seat,
    settled,
)
from tests.kit.support import by_clause

METER = {"meter": 2_000_000, "reset": 500_000}
LINKED = ("massachusetts", "shuffle-master", "maryland", "washington")
DEALER = "Td 9h 7h 5d 4s 2d"


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-2", "shuffle-master"),
        ("R49", "shuffle-master"),
        ("WA-PROG-2", "washington"),
        ("WA-NEX-2", "washington"),
        ("MD-11D9", "maryland"),
        ("R68", "massachusetts"),
    ),
)
def test_the_best_four_of_five_cards_decide_whatever_the_dealer_holds(clause: str, rulebook: str) -> None:
    for dealer in (DEALER, QUAD_KINGS):
        wagered = seat(TRIPS, ante=1000, play=1000, progressive=100)
        answer = settled(rulebook, wagered, dealer=dealer, **METER)
        assert answer.seats[0].net["progressive"] == 800
        paid = [step for step in answer.steps if step.wager == "progressive" and step.action == "pay"]
        assert clause in paid[0].clauses or clause == "R49"
    under = seat("Js Jh 8d 8c 3c", ante=1000, play=1000, progressive=100)
    assert settled(rulebook, under, **METER).seats[0].net["progressive"] == -100


@pytest.mark.parametrize(
    ("clause", "rulebook"), by_clause(("MA-13a2", "massachusetts"), ("MD-12D2", "maryland"))
)
def test_only_the_highest_hand_is_paid(clause: str, rulebook: str) -> None:
    for cards, gross in ((QUADS, 30_000), (STRAIGHT_FLUSH, 10_000), (TRIPS, 900), (QUAD_ACES, 2_000_000)):
        answer = settled(rulebook, seat(cards, ante=1000, play=1000, progressive=100), **METER)
        paid = [step.amount for step in answer.steps if step.wager == "progressive" and step.action == "pay"]
        assert paid == [gross], clause


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-13a1.2", "massachusetts"),
        ("SM-PROG-3.1", "shuffle-master"),
        ("SM-END-R", "shuffle-master"),
        ("P14", "maryland"),
        ("WA-PAY-R", "washington"),
    ),
)
def test_an_award_is_everything_that_comes_back(clause: str, rulebook: str) -> None:
    for cards, gross in ((TRIPS, 900), (QUADS, 30_000), (QUAD_ACES, 2_000_000)):
        answer = settled(rulebook, seat(cards, ante=1000, play=1000, progressive=100), **METER)
        taken, paid = (step for step in answer.steps if step.wager == "progressive")
        assert (taken.action, taken.amount, paid.action, paid.amount) == ("take", 100, "pay", gross)
        assert clause in taken.clauses
        assert answer.seats[0].net["progressive"] == gross - 100


@pytest.mark.clause("R8")
def test_table_c_judges_all_five_cards() -> None:
    printed = {
        "royal_flush": "100% of meter",
        "straight_flush": "10% of meter",
        "four_of_a_kind": "300 for 1",
        "full_house": "50 for 1",
        "flush": "40 for 1",
        "straight": "30 for 1",
        "three_of_a_kind": "9 for 1",
    }
    table = paytable(fourcard.rulebook("maryland"), "progressive", "C")
    assert [*table.pays.items()] == [*printed.items()]

    def award(cards: str) -> int:
        wagered = seat(cards, ante=1000, play=1000, progressive=100)
        answer = settled("maryland", wagered, progressive="C", dealer="Td 9h 7h 5d 4s 2h", **METER)
        return answer.seats[0].net["progressive"] + 100

    assert award("As Ks Qs Js Ts") == 2_000_000
    assert award("9s 8s 7s 6s 5s") == 200_000
    assert award("5c 4c 3c 2c Ac") == 200_000
    assert award("Js Jh Jd Jc 3c") == 30_000
    assert award("Js Jh Jd 3c 3d") == 5_000
    assert award("As Js 8s 6s 3s") == 4_000
    assert award("9s 8c 7s 6c 5c") == 3_000
    assert award("As 2c 3s 4c 5c") == 3_000
    assert award(TRIPS) == 900
    assert award(STRAIGHT_FLUSH) == 0
    assert award("As Ks Qs Js 3c") == 0


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(("SM-PROG-5.2", "shuffle-master"), ("WA-PROG-4.2", "washington"), ("WA-NEX-4.2", "washington")),
)
def test_each_side_wager_is_optional(clause: str, rulebook: str) -> None:
    every: dict[WagerName, int] = {"aces_up": 500, "bad_beat": 100, "progressive": 100}
    whole = settled(rulebook, seat(TRIPS, ante=1000, play=1000, **every), **METER).seats[0].net
    for left_out in every:
        some = {name: amount for name, amount in every.items() if name != left_out}
        part = settled(rulebook, seat(TRIPS, ante=1000, play=1000, **some), **METER).seats[0].net
        assert part == {**whole, left_out: 0}, clause


@pytest.mark.clause("MD-11C3.1")
def test_a_fold_loses_the_progressive_in_maryland() -> None:
    folded = seat(QUADS, ante=1000, play=0, progressive=100)
    answer = settled("maryland", folded, **METER)
    assert answer.seats[0].net["progressive"] == -100
    assert order(answer) == ["1 take ante", "1 take progressive"]
    assert answer.steps[1].clauses == ("MD-11C3.1",)
    assert refused("maryland", folded, settings={"progressive_on_fold": "live"})["name"] == "setting_closed"


@pytest.mark.clause("R48")
@pytest.mark.parametrize("rulebook", ["massachusetts", "shuffle-master", "washington"])
def test_elsewhere_a_fold_loses_it_by_policy_and_the_right_to_envy_stays(rulebook: str) -> None:
    folded = seat(QUADS, 1, ante=1000, play=0, progressive=100)
    winner = seat("9s 9c 9d 9h 3d", 2, ante=1000, play=1000)
    dealer = "Td 8h 7h 5d 4s 2d"
    lost = settled(rulebook, folded, winner, dealer=dealer, **METER)
    assert (lost.seats[0].net["progressive"], lost.seats[0].net["envy"]) == (-100, 1000)
    assert "R48" in next(step.clauses for step in lost.steps if step.wager == "progressive")
    live = settled(rulebook, folded, winner, dealer=dealer, settings={"progressive_on_fold": "live"}, **METER)
    assert (live.seats[0].net["progressive"], live.seats[0].net["ante"]) == (29_900, -1000)
    assert "R48" in next(step.clauses for step in live.steps if step.wager == "progressive" and step.row)


@pytest.mark.parametrize("clause", by_clause(("MD-11D8",)))
def test_the_progressive_comes_after_the_six_card_bonus(clause: str) -> None:
    wagered = seat(TRIPS, ante=1000, play=1000, aces_up=500, six_card=100, progressive=100)
    done = order(settled("maryland", wagered, bonus_card="Jc", **METER))
    assert done[-3:] == ["1 pay six_card", "1 take progressive", "1 pay progressive"], clause
    existing = seat(TRIPS, ante=1000, play=1000, aces_up=500, progressive=100)
    done = order(settled("maryland", existing, edition="existing", **METER))
    assert done[-3:] == ["1 pay aces_up", "1 take progressive", "1 pay progressive"]


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-9a", "shuffle-master"),
        ("WA-PROG-8a", "washington"),
        ("WA-NEX-8a", "washington"),
        ("MA-13a4", "massachusetts"),
        ("MD-12D4", "maryland"),
    ),
)
def test_the_whole_meter_comes_from_the_meter_and_at_what_it_shows(clause: str, rulebook: str) -> None:
    answer = settled(rulebook, seat(QUAD_ACES, ante=1000, play=1000, progressive=100), **METER)
    (paid,) = [step for step in answer.steps if step.wager == "progressive" and step.action == "pay"]
    assert (paid.amount, paid.source) == (2_000_000, "meter")
    assert clause in paid.clauses
    assert answer.seats[0].net["progressive"] == 1_999_900
    unknown = refused(rulebook, seat(QUAD_ACES, ante=1000, play=1000, progressive=100), reset=500_000)
    assert (unknown["name"], clause in unknown["clauses"]) == ("meter_not_given", True)


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-4.1", "shuffle-master"),
        ("WA-PROG-3.1", "washington"),
        ("WA-NEX-3.1", "washington"),
        ("R58", "massachusetts"),
    ),
)
def test_the_meter_is_reseeded_when_the_whole_of_it_is_won(clause: str, rulebook: str) -> None:
    won = settled(rulebook, seat(QUAD_ACES, ante=1000, play=1000, progressive=100), **METER)
    assert (won.meter, won.meter_moves[0].reset) == (500_000, 500_000), clause
    kept = settled(rulebook, seat(QUADS, ante=1000, play=1000, progressive=100), **METER)
    assert kept.meter == 2_000_000
    without = refused(rulebook, seat(QUAD_ACES, ante=1000, play=1000, progressive=100), meter=2_000_000)
    assert without["name"] == "reset_not_given"


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-APP-A.1", "shuffle-master"), ("WA-PROG-8c.1", "washington"), ("WA-NEX-8c.1", "washington")
    ),
)
def test_several_meter_winners_are_paid_from_the_dealers_right(clause: str, rulebook: str) -> None:
    del clause
    one = seat("Js Jh Jd Jc 3c", 1, ante=100, play=100, progressive=100)
    two = seat("As Ah Ad Ac 3d", 2, ante=100, play=100, progressive=100)
    source = {"fixed_awards": "meter"} if rulebook == "washington" else {}
    answer = settled(rulebook, one, two, **METER, **source)
    paid = [
        (step.position, step.amount)
        for step in answer.steps
        if step.wager == "progressive" and step.action == "pay"
    ]
    assert paid == [(2, 2_000_000), (1, 30_000)]
    left = settled(rulebook, {**one, "position": 6}, two, **METER, **source)
    paid = [
        (step.position, step.amount)
        for step in left.steps
        if step.wager == "progressive" and step.action == "pay"
    ]
    assert paid[0] == (6, 30_000)
    assert paid[1] == (2, 1_970_000 if source else 2_000_000)


@pytest.mark.parametrize("clause", by_clause(("WA-PROG-8c.2",), ("WA-NEX-8c.2",)))
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("settlement", [(3, 30_000), (2, 30_000), (1, 1_940_000)]),
        ("dealer-left", [(1, 2_000_000), (2, 30_000), (3, 30_000)]),
        ("highest-hand", [(1, 2_000_000), (3, 30_000), (2, 30_000)]),
    ],
)
@pytest.mark.parametrize("routine", ["lay-and-pay", "pick-and-pay"])
def test_internal_controls_replace_the_order_of_meter_winners(
    clause: str, order: str, expected: list[tuple[int, int]], routine: str
) -> None:
    hands = ("As Ah Ad Ac 3d", "8s 8h 8d 8c 3c", "Js Jh Jd Jc 3s")
    seats = [seat(cards, n, ante=100, play=100, progressive=100) for n, cards in enumerate(hands, 1)]
    answer = settled("washington", *seats, fixed_awards="meter", winner_order=order, routine=routine, **METER)
    paid = [step for step in answer.steps if step.source == "meter"]
    assert [(step.position, step.amount) for step in paid] == expected
    assert all((clause in step.clauses) == (order != "settlement") for step in paid)
    two = settled(
        "washington", *seats[1:], fixed_awards="meter", winner_order=order, routine=routine, **METER
    )
    first = 2 if order == "dealer-left" else 3
    assert next(step.position for step in two.steps if step.source == "meter") == first
    alone = settled(
        "washington", *seats[::2], dealer="8s 8h 8d 8c 3c 4d", winner_order=order, routine=routine, **METER
    )
    assert not any(clause in step.clauses for step in alone.steps)


@pytest.mark.parametrize(("clause", "rulebook"), by_clause(("MD-12D4", "maryland"), ("R58", "maryland")))
def test_the_second_winner_is_paid_at_the_meter_as_it_then_stands(clause: str, rulebook: str) -> None:
    first = seat("As Ks Qs Js Ts", 6, ante=100, play=100, progressive=100)
    second = seat("Ah Kh Qh Jh Th", 3, ante=100, play=100, progressive=500)
    third = seat("9c 8c 7c 6c 5c", 1, ante=100, play=100, progressive=100)
    answer = settled(rulebook, third, second, first, progressive="C", dealer="Kd 9h 7d 5d 4s 2h", **METER)
    paid = [(s.position, s.amount) for s in answer.steps if s.wager == "progressive" and s.action == "pay"]
    assert paid == [(6, 2_000_000), (3, 500_000), (1, 50_000)], clause
    assert answer.meter == 450_000
    assert [(move.before, move.after) for move in answer.meter_moves] == [
        (2_000_000, 500_000),
        (500_000, 500_000),
        (500_000, 450_000),
    ]


@pytest.mark.parametrize("clause", by_clause(("MA-13a4",)))
def test_in_massachusetts_a_meter_winner_waits_for_the_turn_of_the_routine(clause: str) -> None:
    for routine in ("by-procedure", "by-player"):
        two = seat("Js Jh Jd Jc 3c", 2, ante=100, play=100, progressive=500)
        one = seat("As Ah Ad Ac 3d", 1, ante=100, play=100, progressive=100)
        link = {"fixed_awards": "meter", "routine": routine, **METER}
        answer = settled("massachusetts", one, two, **link)
        paid = [s for s in answer.steps if s.wager == "progressive" and s.action == "pay"]
        assert [(s.position, s.amount) for s in paid] == [(2, 150_000), (1, 1_850_000)], clause


@pytest.mark.clause("R57")
def test_a_share_is_that_share_whatever_the_stake_and_fixed_awards_follow_the_stake() -> None:
    for stake in (100, 500):
        whole = settled("maryland", seat(QUAD_ACES, ante=100, play=100, progressive=stake), **METER)
        assert whole.seats[0].net["progressive"] == 2_000_000 - stake
        fixed = settled("maryland", seat(QUADS, ante=100, play=100, progressive=stake), **METER)
        assert fixed.seats[0].net["progressive"] == 299 * stake
    small, large = (
        seat(QUADS, 1, ante=100, play=100, progressive=100),
        seat("9s 9c 8d 7c 3d", 2, aces_up=100, progressive=500),
    )
    together = settled("maryland", small, large, dealer="Td 8h 7h 5d 4s 2d", **METER)
    assert [each.net["progressive"] for each in together.seats] == [29_900, -500]
    told = refused(
        "maryland", small, large, dealer="Td 8h 7h 5d 4s 2d", settings={"one_denomination": True}, **METER
    )
    assert told["name"] == "stakes_more_than_one"


@pytest.mark.clause("R59", "WA-REC-3")
@pytest.mark.parametrize("rulebook", ["massachusetts", "maryland", "washington"])
def test_fixed_awards_empty_the_meter_and_the_tray_pays_the_rest(rulebook: str) -> None:
    wagered = seat(QUADS, ante=100, play=100, progressive=100)
    for meter, steps, left in (
        (30_001, [("meter", 30_000)], 1),
        (30_000, [("meter", 30_000)], 0),
        (29_999, [("meter", 29_999), ("tray", 1)], 0),
        (0, [("tray", 30_000)], 0),
    ):
        answer = settled(rulebook, wagered, meter=meter, fixed_awards="meter")
        paid = [s for s in answer.steps if s.wager == "progressive" and s.action == "pay"]
        assert [(s.source, s.amount) for s in paid] == steps
        assert answer.meter == left
        assert answer.seats[0].net["progressive"] == 29_900
        assert answer.meter_moves[0].shortfall == 30_000 - min(meter, 30_000)
        assert ("R59" in paid[-1].clauses) is (meter < 30_000)
    assert settled(rulebook, wagered, fixed_awards="tray").meter is None


@pytest.mark.clause("R60")
def test_a_part_of_the_meter_lowers_it_whatever_hands_it_over() -> None:
    wagered = seat("9s 8s 7s 6s 5s", ante=100, play=100, progressive=100)
    for source in ("meter", "tray"):
        link = {"progressive": "C", "settings": {"part_share_from": source}, "meter": 100_009}
        answer = settled("maryland", wagered, dealer="Kd Kh 7d 5d 4s 2h", **link)
        (paid,) = [s for s in answer.steps if s.wager == "progressive" and s.action == "pay"]
        assert (paid.source, paid.amount, answer.meter) == (source, 10_000, 90_009)
        dry = settled("maryland", wagered, dealer="Kd Kh 7d 5d 4s 2h", **{**link, "meter": 9})
        (nothing,) = [s for s in dry.steps if s.wager == "progressive" and s.action == "pay"]
        assert (nothing.amount, dry.meter) == (0, 9)
        royal = seat("As Ks Qs Js Ts", ante=100, play=100, progressive=100)
        whole = settled("maryland", royal, dealer="Kd Kh 7d 5d 4s 2h", reset=500, **link)
        (all_of_it,) = [s for s in whole.steps if s.wager == "progressive" and s.action == "pay"]
        assert (all_of_it.source, all_of_it.amount, whole.meter) == ("meter", 100_009, 500)


@pytest.mark.clause("R97")
def test_a_share_pays_whole_cents_down_whatever_the_rounding() -> None:
    wagered = seat("9s 8s 7s 6s 5s", ante=100, play=100, progressive=100)
    for rounding in ("down", "up"):
        link = {"progressive": "C", "rounding": rounding, "meter": 99_999}
        answer = settled("maryland", wagered, dealer="Kd Kh 7d 5d 4s 2h", **link)
        assert (answer.seats[0].net["progressive"], answer.meter) == (9_999 - 100, 90_000)


@pytest.mark.clause("R94")
@pytest.mark.parametrize("rulebook", LINKED)
def test_it_stands_beside_an_ante_or_aces_up(rulebook: str) -> None:
    assert net(rulebook, seat(ACES, aces_up=100, progressive=100), **METER) == {
        "aces_up": 100,
        "progressive": -100,
    }
    assert refused(rulebook, seat(ACES, progressive=100), **METER)["name"] == "prerequisite_missing"


@pytest.mark.parametrize("rulebook", LINKED)
def test_a_meter_is_needed_only_where_an_award_touches_it(rulebook: str) -> None:
    assert net(rulebook, seat(TRIPS, ante=100, play=100, progressive=100), dealer=KINGS)["progressive"] == 800
    told = refused(rulebook, seat(QUAD_ACES, ante=100, play=100, progressive=100), reset=500_000)
    assert told["name"] == "meter_not_given"


@pytest.mark.clause("WA-REC-7")
def test_after_the_whole_meter_is_won_it_starts_with_the_seed_and_the_reserve() -> None:
    """$5,000 each time; a tenth of every $1 stake waits in the reserve until a jackpot takes it along."""
    terms: dict[str, object] = {"progressive__rate": "25%", "progressive__reserve": "10%"}
    at = settling("washington-everything", {1: QUAD_ACES}, {"ante": 2500, "progressive": 100}, **terms)
    before = at.local_meter.meter
    assert (before.whole_cents, before.reserve) == (500_025, 10 * CENT)
    finished(at)
    after = at.local_meter.meter
    assert (after.whole_cents, after.reserve) == (500_010, 0)

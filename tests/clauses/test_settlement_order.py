"""Who is settled when: direction, routine, the order of wagers, and what the dealer does with the cards."""

from typing import Any

import pytest

from fourcard.cards import parse_cards
from fourcard.dealer_script import DealerAction, rack_order
from fourcard.settlers.wager_settler import SettlementStep
from tests.kit.settle_rounds import ACES, KINGS, acts, order, performed, refused, seat, settled
from tests.kit.support import by_clause

QUEENS = "Qs Qd 8c 6c 3d"
FOLDED = "Jh Tc 8h 6d 3s"
BOOKS = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")
WINNER = {"ante": 100, "play": 100, "aces_up": 100}


def _two(winner: int = 1, loser: int = 2) -> list[dict[str, Any]]:
    return [seat(ACES, winner, **WINNER), seat(QUEENS, loser, **WINNER)]


def _acts(rulebook: str, *seats: dict[str, Any], **more: Any) -> list[str]:
    return acts(performed(rulebook, *(seats or _two()), dealer=KINGS, **more))


@pytest.mark.parametrize(
    ("clause", "rulebook", "routine"),
    by_clause(
        ("MA-10d.2", "massachusetts", "by-player"),
        ("MA-10e1", "massachusetts", "by-procedure"),
        ("MA-10e2", "massachusetts", "by-player"),
        ("SM-DEAL-6.1", "shuffle-master", "lay-and-pay"),
        ("SM-APP-A.1", "shuffle-master", "pick-and-pay"),
        ("MD-11D4.0", "maryland", "by-player"),
        ("WA-DEAL-6.1", "washington", "lay-and-pay"),
        ("WA-PROG-8c.1", "washington", "pick-and-pay"),
        ("WA-NEX-8c.1", "washington", "pick-and-pay"),
        ("IA-COMP-4.1", "catfish-bend", "by-player"),
        ("IA-COMP-5.3", "catfish-bend", "by-player"),
    ),
)
def test_settling_goes_counterclockwise_from_the_dealers_right(
    clause: str, rulebook: str, routine: str
) -> None:
    del clause
    cards = {2: ACES, 5: QUEENS, 7: FOLDED, 3: "As Kh 9c 7d 2c"}
    cards[3] = "Ad Kh 9c 7d 2c"
    seats = [seat(cards[place], place, aces_up=100) for place in (2, 7, 3, 5)]
    answer = settled(rulebook, *seats, dealer=KINGS, routine=routine)
    assert [each.position for each in answer.seats] == [2, 7, 3, 5]
    taken = [step.position for step in answer.steps if step.action == "take"]
    assert taken == [7, 5, 3]
    revealed = [each for each in _acts(rulebook, *seats, routine=routine) if "reveal_hand" in each]
    assert revealed == ["7 reveal_hand", "5 reveal_hand", "3 reveal_hand", "2 reveal_hand"]


@pytest.mark.parametrize(
    ("clause", "step"),
    by_clause(
        ("MA-10e1", "take"),
        ("MA-10e1i", "reveal_hand"),
        ("MA-10e1ii", "take"),
        ("MA-10e1iii", "pay"),
        ("MA-10e1iv", "rack_hand"),
    ),
)
def test_by_procedure_each_step_is_done_for_all_before_the_next(clause: str, step: str) -> None:
    done = _acts("massachusetts", routine="by-procedure")
    assert done == [
        "0 reveal_dealer",
        "2 reveal_hand",
        "1 reveal_hand",
        "2 take ante",
        "2 take play",
        "2 take aces_up",
        "1 pay ante",
        "1 pay play",
        "1 pay aces_up",
        "2 rack_hand",
        "1 rack_hand",
        "0 rack_dealer",
    ]
    assert any(step in each for each in done)
    _cites(clause, step, "massachusetts", routine="by-procedure")


@pytest.mark.parametrize(
    ("clause", "step"),
    by_clause(
        ("MA-10e2", "take"),
        ("MA-10e2i", "reveal_hand"),
        ("MA-10e2ii", "take"),
        ("MA-10e2ii", "pay"),
        ("MA-10e2iii", "rack_hand"),
    ),
)
def test_by_player_every_step_is_finished_for_one_before_the_next(clause: str, step: str) -> None:
    done = _acts("massachusetts", routine="by-player")
    assert done == [
        "0 reveal_dealer",
        "2 reveal_hand",
        "2 take ante",
        "2 take play",
        "2 take aces_up",
        "2 rack_hand",
        "1 reveal_hand",
        "1 pay ante",
        "1 pay play",
        "1 pay aces_up",
        "1 rack_hand",
        "0 rack_dealer",
    ]
    _cites(clause, step, "massachusetts", routine="by-player")
    mixed = seat("Js Jh Jd 7c 3c", 1, ante=100, play=100, progressive=100, aces_up=100)
    lost = seat(QUEENS, 2, ante=100, play=0, aces_up=100)
    steps = order(settled("massachusetts", mixed, lost, dealer=KINGS, meter=500_000, routine="by-player"))
    assert steps.index("1 take progressive") < steps.index("1 pay ante")


def _cites(clause: str, act: str, rulebook: str, **more: Any) -> None:
    """Assert that a deed cites the clause, unless the act is one of money, which its steps tell."""
    deeds = [
        d
        for d in performed(rulebook, *_two(), dealer=KINGS, **more)
        if isinstance(d, DealerAction) and d.act == act
    ]
    assert act in ("take", "pay") or all(clause in deed.clauses for deed in deeds)


@pytest.mark.parametrize(
    ("clause", "rulebook"), by_clause(("MA-10e.2", "massachusetts"), ("IA-COMP-5.4", "catfish-bend"))
)
def test_the_dealers_cards_go_to_the_rack_last(clause: str, rulebook: str) -> None:
    done = performed(rulebook, *_two(), dealer=KINGS)
    last = done[-1]
    assert isinstance(last, DealerAction)
    assert (last.act, last.position, last.cards) == ("rack_dealer", 0, parse_cards(KINGS))
    assert clause in last.clauses


@pytest.mark.parametrize(
    ("clause", "rulebook"), by_clause(("MA-10f", "massachusetts"), ("MD-11D11b", "maryland"))
)
def test_from_the_rack_every_hand_can_be_rebuilt(clause: str, rulebook: str) -> None:
    del clause
    folded = seat(FOLDED, 3, ante=100, play=0)
    done = performed(rulebook, *_two(), folded, dealer=KINGS)
    assert rack_order(done) == (
        (3, parse_cards(FOLDED)),
        (2, parse_cards(QUEENS)),
        (1, parse_cards(ACES)),
        (0, parse_cards(KINGS)),
    )


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-10d.1", "massachusetts"),
        ("MD-11D2", "maryland"),
        ("MD-11D3", "maryland"),
        ("IA-COMP-3.1", "catfish-bend"),
    ),
)
def test_the_dealer_reveals_six_cards_before_any_hand_is_settled_and_takes_the_best_four(
    clause: str, rulebook: str
) -> None:
    done = performed(rulebook, *_two(), dealer=KINGS)
    first = done[0]
    assert isinstance(first, DealerAction)
    assert (first.act, first.cards) == ("reveal_dealer", parse_cards(KINGS))
    assert clause in first.clauses or clause == "MD-11D3"
    after_a_fold = _acts(rulebook, *_two(), seat(FOLDED, 3, ante=100, play=0))
    assert after_a_fold[:3] == ["3 take ante", "3 muck_hand", "0 reveal_dealer"]
    best = settled(rulebook, *_two(), dealer="Kc Kd 9h 9s 4s 2d").dealer
    assert (best.hand, best.best) == ("two_pair", "Kd Kc 9s 9h")


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-DEAL-5.1", "shuffle-master"), ("WA-DEAL-5.1", "washington"), ("IA-COMP-3.1", "catfish-bend")
    ),
)
def test_the_dealer_sorts_and_announces_the_best_four(clause: str, rulebook: str) -> None:
    done = performed(rulebook, *_two(), dealer="2d Kd 9h Kc 4s 5d")
    (announced,) = [deed for deed in done if isinstance(deed, DealerAction) and deed.act == "announce_dealer"]
    order = _acts(rulebook, *_two(), seat(FOLDED, 3, ante=100, play=0))
    assert order.index("3 muck_hand") < order.index("0 announce_dealer")
    assert order.index("0 announce_dealer") + 1 == order.index("0 lay_unused_behind")
    assert announced.cards == parse_cards("Kd Kc 9h 5d")
    assert clause in announced.clauses
    assert acts(done).index("0 announce_dealer") < acts(done).index("2 reveal_hand")


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-DEAL-5.2", "shuffle-master"), ("WA-DEAL-5.2", "washington"), ("IA-COMP-3.2", "catfish-bend")
    ),
)
def test_the_two_cards_not_used_go_behind_the_hand(clause: str, rulebook: str) -> None:
    done = performed(rulebook, *_two(), dealer="2d Kd 9h Kc 4s 5d")
    (behind,) = [deed for deed in done if isinstance(deed, DealerAction) and deed.act == "lay_unused_behind"]
    assert sorted(behind.cards) == sorted(parse_cards("4s 2d"))
    assert clause in behind.clauses
    assert acts(done).index("0 lay_unused_behind") == acts(done).index("0 announce_dealer") + 1


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-DEAL-6.2", "shuffle-master"), ("WA-DEAL-6.2", "washington"), ("IA-COMP-4.2", "catfish-bend")
    ),
)
def test_each_hand_is_brought_into_the_work_area_and_turned_up(clause: str, rulebook: str) -> None:
    done = performed(rulebook, *_two(), dealer=KINGS)
    words = acts(done)
    for place in (1, 2):
        assert words.index(f"{place} bring_hand") + 1 == words.index(f"{place} reveal_hand")
    brought = [d for d in done if isinstance(d, DealerAction) and d.act in ("bring_hand", "reveal_hand")]
    assert len(brought) == 4
    assert all(clause in deed.clauses for deed in brought)
    if rulebook != "catfish-bend":
        picked = _acts(rulebook, routine="pick-and-pay")
        for place in (1, 2):
            shown = picked.index(f"{place} reveal_hand")
            assert picked[shown - 1 : shown + 2 : 2] == [f"{place} bring_hand", f"{place} rack_hand"]


@pytest.mark.parametrize("clause", by_clause(("MD-11D4a",), ("MD-11D4b",)))
def test_in_maryland_five_cards_are_turned_up_and_the_dealer_selects_four(clause: str) -> None:
    done = performed("maryland", *_two(), dealer=KINGS)
    deeds = {(deed.act, deed.position): deed for deed in done if isinstance(deed, DealerAction)}
    assert deeds["reveal_hand", 1].cards == parse_cards(ACES)
    assert deeds["choose_hand", 1].cards == parse_cards("As Ah 8d 7c")
    words = acts(done)
    assert words.index("1 reveal_hand") + 1 == words.index("1 choose_hand")
    assert clause in deeds["reveal_hand", 1].clauses + deeds["choose_hand", 1].clauses


@pytest.mark.parametrize("clause", by_clause(("MD-11D5",), ("MD-11D4ci",)))
def test_in_maryland_ante_and_play_come_first_and_then_aces_up(clause: str) -> None:
    done = _acts("maryland")
    assert done[3:6] == ["2 take ante", "2 take play", "2 take aces_up"], clause
    beaten_trips = seat("Js Jh Jd 7c 3c", ante=100, play=100, aces_up=100)
    for edition in ("existing", "proposed"):
        steps = order(settled("maryland", beaten_trips, dealer="Kc Kd Kh 9h 4s 2d", edition=edition))
        assert steps == ["1 take ante", "1 take play", "1 pay automatic_bonus", "1 pay aces_up"]


@pytest.mark.parametrize("clause", by_clause(("MD-11D11a",)))
def test_in_maryland_the_cards_are_removed_when_a_players_wagers_are_settled(clause: str) -> None:
    done = performed("maryland", *_two(), dealer=KINGS)
    words = acts(done)
    assert words.index("2 take aces_up") + 1 == words.index("2 rack_hand")
    assert words.index("2 rack_hand") + 1 == words.index("1 reveal_hand")
    assert all(clause in d.clauses for d in done if isinstance(d, DealerAction) and d.act == "rack_hand")


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-DEAL-6.3", "shuffle-master"),
        ("SM-PROG-8", "shuffle-master"),
        ("P13", "shuffle-master"),
        ("WA-DEAL-6.3", "washington"),
        ("WA-PROG-7", "washington"),
        ("WA-NEX-7", "washington"),
        ("P13", "washington"),
    ),
)
def test_the_manufacturer_settles_play_ante_and_aces_up_and_the_rest_with_them(
    clause: str, rulebook: str
) -> None:
    at_two = [each for each in _acts(rulebook) if each.startswith("2 ")]
    taken = [f"2 take {name}" for name in ("play", "ante", "aces_up")]
    assert at_two == ["2 bring_hand", "2 reveal_hand", *taken, "2 rack_hand"], clause
    wagers = {"ante": 100, "play": 100, "aces_up": 100, "bad_beat": 100, "progressive": 100}
    trips, queens = seat("Js Jh Jd 7c 3c", 1, **wagers), seat(QUEENS, 2, **wagers)
    done = order(settled(rulebook, trips, queens, dealer=KINGS, meter=500_000, reset=500_000))
    assert done == [
        *(f"2 take {name}" for name in ("play", "ante", "aces_up", "bad_beat", "progressive")),
        *(f"1 pay {name}" for name in ("play", "ante", "automatic_bonus", "aces_up")),
        "1 take bad_beat",
        "1 take progressive",
        "1 pay progressive",
    ]


@pytest.mark.clause("WA-DEAL-6.5")
def test_washington_lets_the_house_choose_the_order() -> None:
    offered = ["aces_up", "ante", "automatic_bonus", "play", "bad_beat", "progressive", "envy"]
    done = order(settled("washington", *_two(), dealer=KINGS, order=offered))
    assert done[:3] == ["2 take aces_up", "2 take ante", "2 take play"]
    assert refused("shuffle-master", *_two(), dealer=KINGS, order=offered)["name"] == "house_order"
    assert refused("washington", *_two(), dealer=KINGS, order=offered[1:])["name"] == "house_order_incomplete"


@pytest.mark.clause("P2")
def test_massachusetts_follows_the_order_of_its_odds_unless_the_house_submits_another() -> None:
    trips = seat("Js Jh Jd 7c 3c", ante=100, play=100, aces_up=100, cover_all=100, progressive=100)
    envied = seat("9s 9c 9d 9h 3h", 2, aces_up=100)
    link = {"dealer": "Kc Kd 8h 5d 4s 2d", "meter": 500_000}
    done = settled("massachusetts", trips, envied, **link)
    paid = [step.wager for step in done.steps if step.position == 1 and step.action == "pay"]
    assert paid == ["ante", "play", "automatic_bonus", "aces_up", "progressive", "envy", "cover_all"]
    house = ["aces_up", "progressive", "play", "automatic_bonus", "ante", "cover_all", "envy"]
    done = settled("massachusetts", trips, envied, order=house, **link)
    assert [step.wager for step in done.steps if step.position == 1 and step.action == "pay"] == house


@pytest.mark.parametrize("clause", by_clause(("IA-COMP-5.1",), ("IA-COMP-5.2",)))
def test_catfish_bend_takes_first_and_pays_then_from_the_furthest_bet_inward(clause: str) -> None:
    beaten_trips = seat("Js Jh Jd 7c 3c", ante=100, play=100, aces_up=100)
    lost = order(settled("catfish-bend", beaten_trips, dealer="Kc Kd Kh 9h 4s 2d"))
    assert lost == ["1 take play", "1 take ante", "1 pay automatic_bonus", "1 pay aces_up"], clause
    won = order(settled("catfish-bend", beaten_trips, dealer=KINGS))
    assert won == ["1 pay play", "1 pay automatic_bonus", "1 pay ante", "1 pay aces_up"]
    mixed = seat("Qs Qd 8c 6c 3d", ante=100, play=100, aces_up=100)
    assert order(settled("catfish-bend", mixed)) == ["1 take aces_up", "1 pay play", "1 pay ante"]
    at_one = [each for each in acts(performed("catfish-bend", mixed)) if each.startswith("1 ")]
    assert at_one[1:3] == ["1 reveal_hand", "1 take aces_up"]
    assert at_one[-2:] == ["1 pay ante", "1 rack_hand"]


@pytest.mark.parametrize("clause", by_clause(("IA-COMP-5.3",)))
def test_catfish_bend_finishes_a_player_before_the_next_to_the_left(clause: str) -> None:
    done = performed("catfish-bend", *_two(), dealer=KINGS)
    words = acts(done)
    assert words.index("2 rack_hand") + 1 == words.index("1 bring_hand")
    assert words.index("2 take aces_up") + 1 == words.index("2 rack_hand")
    last_paid = max(number for number, each in enumerate(words) if each.startswith("1 pay "))
    assert words[last_paid + 1] == "1 rack_hand"
    assert all(clause in d.clauses for d in done if isinstance(d, DealerAction) and d.act == "rack_hand")


@pytest.mark.clause("P12")
@pytest.mark.parametrize("rulebook", ["shuffle-master", "washington"])
def test_pick_and_pay_racks_a_hand_before_paying_and_lay_and_pay_after(rulebook: str) -> None:
    for routine, racked_first in (("lay-and-pay", False), ("pick-and-pay", True)):
        done = _acts(rulebook, routine=routine)
        assert (done.index("2 rack_hand") < done.index("2 take play")) is racked_first
        assert done.index("2 reveal_hand") < done.index("2 rack_hand")
        assert done[-1] == "0 rack_dealer"
    same = [
        settled(rulebook, *_two(), dealer=KINGS, routine=r).steps for r in ("lay-and-pay", "pick-and-pay")
    ]
    assert same[0] == same[1]
    assert _acts("maryland")[-1] == "0 rack_dealer"


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("MA-10c.1", "massachusetts"),
        ("MA-10c.2", "massachusetts"),
        ("SM-DEAL-4.1", "shuffle-master"),
        ("SM-DEAL-4.2", "shuffle-master"),
        ("MD-11D1.1", "maryland"),
        ("MD-11D1.2", "maryland"),
        ("WA-DEAL-4.1", "washington"),
        ("WA-DEAL-4.2", "washington"),
        ("IA-COMP-2.5", "catfish-bend"),
    ),
)
def test_forfeited_wagers_and_cards_are_collected_before_the_dealers_hand_is_shown(
    clause: str, rulebook: str
) -> None:
    folded = seat(FOLDED, 3, ante=100, play=0)
    done = performed(rulebook, *_two(), folded, dealer=KINGS)
    assert isinstance(done[0], SettlementStep)
    assert acts(done)[:2] == ["3 take ante", "3 muck_hand"]
    mucked = done[1]
    assert isinstance(mucked, DealerAction)
    cards = {"MA-10c.1": "MA-10c.2", "MD-11D1.1": "MD-11D1.2"}
    assert cards.get(clause, clause.replace("-4.1", "-4.2")) in mucked.clauses
    assert sum("reveal_hand" in each for each in acts(done)) == 2


@pytest.mark.clause("R3")
@pytest.mark.parametrize("rulebook", BOOKS)
def test_folded_cards_stay_while_a_wager_that_they_decide_lives(rulebook: str) -> None:
    kept = seat(FOLDED, 3, ante=100, play=0, aces_up=100)
    done = _acts(rulebook, *_two(), kept)
    assert "3 muck_hand" not in done
    assert done.index("3 reveal_hand") < done.index("3 take aces_up")
    kept["cards"] = "As Ad 8h 6d 3s"
    alone = {**kept, "wagers": {"aces_up": 100}, "play": None}
    cited = [settled(rulebook, each, dealer=KINGS).steps[-1].clauses for each in (kept, alone)]
    assert cited[0] != cited[1], "a wager without an Ante is not folded"


@pytest.mark.clause("P23")
@pytest.mark.parametrize("rulebook", ["shuffle-master", "washington"])
def test_cards_that_go_before_the_payment_stay_for_an_award_of_the_meter(rulebook: str) -> None:
    aces = seat("As Ah Ad Ac 3c", 2, ante=100, play=100, progressive=100)
    trips = seat("Js Jh Jd 7c 2c", 1, ante=100, play=100)
    link = {"dealer": KINGS, "meter": 500_000, "reset": 500_000}
    paid = ["pay play", "pay ante", "pay automatic_bonus", "take progressive", "pay progressive"]

    def after_the_hand(routine: str, **rules: object) -> list[str]:
        done = performed(rulebook, aces, trips, routine=routine, rules=rules, **link)
        held = [each for each in done if isinstance(each, DealerAction) and each.act == "hold_for_document"]
        assert all((each.position, each.clauses) == (2, ("P23",)) for each in held)
        at_two = [each.removeprefix("2 ") for each in acts(done) if each.startswith("2 ")]
        return at_two[at_two.index("reveal_hand") + 1 :]

    assert after_the_hand("lay-and-pay") == [*paid, "rack_hand"]
    assert after_the_hand("pick-and-pay") == ["hold_for_document", *paid, "rack_hand"]
    silent = after_the_hand("pick-and-pay", wagers__progressive__cards_stay_until_documented=False)
    assert silent == ["rack_hand", *paid]


@pytest.mark.clause("P43", "MA-12j")
def test_envy_and_cover_all_come_after_the_last_position() -> None:
    for routine in ("by-procedure", "by-player"):
        wagers = {"ante": 100, "play": 100, "cover_all": 100, "progressive": 100}
        quads, queens = seat("Js Jh Jd Jc 3c", 2, **wagers), seat(QUEENS, 1, **wagers)
        done = order(settled("massachusetts", quads, queens, dealer=KINGS, routine=routine))
        assert done[-3:] == ["1 pay envy", "2 pay cover_all", "1 pay cover_all"]

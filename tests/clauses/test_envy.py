"""Envy: who receives it, for whose hand, how often, and when."""

from itertools import product
from typing import Any

import pytest

from fourcard.dealer_script import DealerAction
from fourcard.house.commands import HireStaff
from fourcard.house.decision import STAFF
from fourcard.settlers.wager_settler import SettlementStep
from tests.kit.awards import awaiting, settling
from tests.kit.consoles import FOUR_EIGHTS, PEOPLE, TABLE_A, WA_KEYPAD, WA_TOUCH, ConsoleSetup
from tests.kit.houses import TestHouse
from tests.kit.managed_house import ManagedTable
from tests.kit.settle_rounds import QUADS, TRIPS, acts, order, performed, refused, seat, settled
from tests.kit.support import by_clause
from tests.kit.tables import current_round

DEALER = "Td 8h 7h 5d 4s 2d"
LINKED = ("massachusetts", "shuffle-master", "maryland", "washington")
NOTHING = "Qs Th 8c 6c 3d"
NINES = "9s 9c 9d 9h 3h"
METER: dict[str, Any] = {"meter": 2_000_000, "reset": 500_000}


def _envy(rulebook: str, *seats: dict[str, Any], **more: Any) -> list[int]:
    answer = settled(rulebook, *seats, **{"dealer": DEALER, **METER, **more})
    return [each.net["envy"] for each in answer.seats]


def _bettor(cards: str, position: int, stake: int = 100, **more: Any) -> dict[str, Any]:
    return seat(cards, position, ante=100, **{"play": 100, **more}, progressive=stake)


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-10a.1", "shuffle-master"),
        ("SM-PROG-10a.2", "shuffle-master"),
        ("MD-01B2", "maryland"),
        ("MD-11D10ei", "maryland"),
        ("WA-PROG-9a.1", "washington"),
        ("WA-PROG-9a.2", "washington"),
        ("WA-NEX-9a.1", "washington"),
        ("WA-NEX-9a.2", "washington"),
        ("R50", "massachusetts"),
    ),
)
def test_a_progressive_bettor_gets_envy_for_anothers_hand_whether_or_not_he_bet(
    clause: str, rulebook: str
) -> None:
    bettor, other = _bettor(NOTHING, 1), seat("Kd Qh 8s 6s 2c", 2, ante=100, play=100)
    for holder in (_bettor(QUADS, 3), seat(QUADS, 3, ante=100, play=100), seat(QUADS, 3, aces_up=100)):
        assert _envy(rulebook, bettor, other, holder) == [1000, 0, 0]
    answer = settled(rulebook, bettor, _bettor(QUADS, 3), dealer=DEALER, **METER)
    (paid,) = [step for step in answer.steps if step.wager == "envy"]
    assert (paid.position, paid.holder, paid.row, paid.odds) == (1, 3, "four_of_a_kind", "$10")
    assert clause in paid.clauses
    assert _envy(rulebook, bettor, _bettor(TRIPS, 3)) == [0, 0]


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-10a.3", "shuffle-master"),
        ("MD-11D10eiii", "maryland"),
        ("WA-PROG-9a.3", "washington"),
        ("WA-NEX-9a.3", "washington"),
        ("R52", "massachusetts"),
        ("R52", "shuffle-master"),
        ("R52", "washington"),
    ),
)
def test_nobody_envies_his_own_hand_at_either_of_his_positions(clause: str, rulebook: str) -> None:
    assert _envy(rulebook, _bettor(QUADS, 1)) == [0], clause
    mine = [_bettor(QUADS, 1, player="me"), _bettor(NOTHING, 2, player="me")]
    assert _envy(rulebook, *mine) == [0, 0]
    assert _envy(rulebook, *mine, _bettor("Kd Qh 8s 6s 2c", 4, player="you")) == [0, 0, 1000]
    both = [*mine, _bettor(NINES, 4, player="you")]
    assert _envy(rulebook, *both) == [1000, 1000, 1000]


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-10a.4", "shuffle-master"),
        ("MD-11D10eiii", "maryland"),
        ("WA-PROG-9a.4", "washington"),
        ("WA-NEX-9a.4", "washington"),
        ("R68", "massachusetts"),
    ),
)
def test_the_dealers_hand_wins_envy_for_nobody(clause: str, rulebook: str) -> None:
    assert _envy(rulebook, _bettor(NOTHING, 1), dealer="Kc Kd Kh Ks 9h 2d") == [0], clause


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-10c.2", "shuffle-master"),
        ("MD-11D10eii", "maryland"),
        ("WA-PROG-9c.2", "washington"),
        ("WA-NEX-9c.2", "washington"),
        ("R53", "massachusetts"),
        ("R53", "shuffle-master"),
        ("R53", "washington"),
    ),
)
def test_each_hand_of_another_person_wins_an_envy_of_its_own(clause: str, rulebook: str) -> None:
    bettor = _bettor(NOTHING, 1)
    hands = [_bettor(QUADS, 2), _bettor(NINES, 3), seat("8s 7s 6s 5s Kd", 4, ante=100, play=100)]
    assert _envy(rulebook, bettor, *hands, dealer="Ad Kh 7h 5d 4s 2d") == [2500, 1500, 1500, 0], clause
    of_one_person = [{**hands[0], "player": "you"}, {**hands[1], "player": "you"}]
    assert _envy(rulebook, bettor, *of_one_person, dealer="Ad Kh 7h 5d 4s 2d") == [2000, 0, 0]


@pytest.mark.parametrize("clause", by_clause(("MD-11C3.2",)))
def test_a_fold_keeps_the_right_to_envy(clause: str) -> None:
    folded = _bettor(NOTHING, 1, play=0)
    answer = settled("maryland", folded, _bettor(QUADS, 3), dealer=DEALER, **METER)
    assert (answer.seats[0].net["envy"], answer.seats[0].net["progressive"]) == (1000, -100), clause


@pytest.mark.clause("R51")
@pytest.mark.parametrize("rulebook", LINKED)
def test_a_folded_hand_wins_envy_for_nobody_even_if_its_cards_are_kept(rulebook: str) -> None:
    assert _envy(rulebook, _bettor(NOTHING, 1), seat(QUADS, 3, ante=100, play=0)) == [0, 0]
    assert _envy(rulebook, _bettor(NOTHING, 1), seat(QUADS, 3, ante=100, play=0, aces_up=100)) == [0, 0]


@pytest.mark.clause("MD-07B2", "P15")
def test_who_left_loses_every_wager_and_the_right_to_envy() -> None:
    left = seat(QUADS, 1, ante=100, play=300, aces_up=100, six_card=100, progressive=100, left=True)
    answer = settled("maryland", left, _bettor(NINES, 2), bonus_card="Kh", dealer=DEALER, **METER)
    lost = {"ante": -100, "play": -300, "aces_up": -100, "six_card": -100, "progressive": -100}
    assert {name: amount for name, amount in answer.seats[0].net.items() if amount} == lost
    assert answer.seats[1].net["envy"] == 0
    assert all(step.clauses == ("MD-07B2",) for step in answer.steps if step.position == 1)
    for rulebook in ("massachusetts", "shuffle-master", "washington", "catfish-bend"):
        assert refused(rulebook, seat(QUADS, ante=100, play=100, left=True))["name"] == "leaving"


def _last_steps(at: ManagedTable) -> tuple[SettlementStep, ...]:
    """Return the payments of a table's last round."""
    assert at.table.last_round is not None
    return at.table.last_round.steps


@pytest.mark.parametrize(
    ("clause", "setup"), by_clause(("WA-PROG-9a.5", WA_KEYPAD), ("WA-NEX-9a.5", WA_TOUCH))
)
def test_envy_stays_at_the_table_of_the_hand(clause: str, setup: ConsoleSetup) -> None:
    """Two tables share a meter, both with a round under way; the hand at one wins envy there alone."""
    desk = TestHouse()
    desk.staff()
    for each in PEOPLE:
        desk.do(STAFF, HireStaff(person=each.person, name=each.person.title(), roles=each.roles))
    here, there = (ManagedTable(desk, name, "link", setup.text) for name in ("here", "there"))
    there.deal({})
    here.deal({1: FOUR_EIGHTS})
    for at in (here, there):
        at.finish("executive")
    envy = {
        at.name: [(step.position, step.amount) for step in _last_steps(at) if step.wager == "envy"]
        for at in (here, there)
    }
    assert envy == {"here": [(2, 1000)], "there": []}, clause


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-10c.1", "shuffle-master"),
        ("WA-PROG-9c.1", "washington"),
        ("WA-NEX-9c.1", "washington"),
        ("P43", "massachusetts"),
    ),
)
def test_envy_is_paid_when_every_position_has_been_settled(clause: str, rulebook: str) -> None:
    del clause
    done = order(
        settled(
            rulebook,
            _bettor(NOTHING, 3),
            _bettor(QUADS, 1),
            _bettor("Kd Qh 8s 6s 2c", 2),
            dealer=DEALER,
            **METER,
        )
    )
    assert done[-2:] == ["3 pay envy", "2 pay envy"]
    assert not any("envy" in step for step in done[:-2])


@pytest.mark.clause("R54", "MD-11D10ei")
def test_in_maryland_envy_is_paid_in_the_turn_of_the_hand_that_wins_it() -> None:
    quads = seat(QUADS, 2, ante=100, play=100)
    for holder in (quads, _bettor(QUADS, 2)):
        done = order(
            settled(
                "maryland", _bettor(NOTHING, 3), holder, _bettor("Kd Qh 8s 6s 2c", 1), dealer=DEALER, **METER
            )
        )
        turn = done.index("3 pay envy")
        assert done[turn : turn + 2] == ["3 pay envy", "1 pay envy"]
        assert {step[0] for step in done[:turn]} == {"3", "2"}
        assert all(step[0] == "1" for step in done[turn + 2 :])
        assert len(done) > turn + 2


@pytest.mark.clause("R54")
def test_in_maryland_envy_waits_until_the_holders_own_win_is_confirmed() -> None:
    at = settling(
        "maryland-everything",
        {2: "8s 8h 8d 8c 3c", 1: "Ks Qh 6c 5d 2h"},
        {"ante": 2500, "aces_up": 500, "progressive": 100},
        **TABLE_A,
    )
    award = awaiting(at)
    assert current_round(at).awaited_win is not None
    paid = [step.wager for step in current_round(at).steps if step.position == 1]
    assert "envy" not in paid
    events = at.do(award)
    envied = [step for event in events for step in getattr(event, "steps", ()) if step.wager == "envy"]
    assert [(step.position, step.holder) for step in envied] == [(1, 2)]


@pytest.mark.clause("R96")
def test_envy_is_paid_from_the_tray_even_where_the_meter_pays_fixed_awards() -> None:
    answer = settled(
        "washington", _bettor(NOTHING, 1), _bettor(QUADS, 2), dealer=DEALER, fixed_awards="meter", **METER
    )
    (paid,) = [step for step in answer.steps if step.wager == "envy"]
    assert (paid.source, answer.meter) == ("tray", 1_970_000)


@pytest.mark.parametrize(
    ("clause", "rulebook", "table", "by_stake"),
    by_clause(
        ("MA-13a5", "massachusetts", "A", {100: 1000, 500: 5000}),
        ("MA-13a5", "massachusetts", "B", {100: 2500, 500: 12_500}),
        ("MD-12D-2.1", "maryland", "A", {100: 1000, 500: 5000}),
        ("R55", "maryland", "A", {100: 1000, 500: 5000}),
        ("SM-PROG-3.12", "shuffle-master", "1", {100: 1000, 300: 3000, 700: 7000}),
        ("R100", "washington", "1", {100: 1000, 300: 3000, 700: 7000}),
    ),
)
def test_envy_follows_the_receivers_own_stake_and_not_that_of_the_hand(
    clause: str, rulebook: str, table: str, by_stake: dict[int, int]
) -> None:
    for holders, (stake, envy) in product(by_stake, by_stake.items()):
        bettor, holder = _bettor(NOTHING, 1, stake), _bettor(QUADS, 5, holders)
        assert _envy(rulebook, bettor, holder, progressive=table) == [envy, 0], clause


@pytest.mark.parametrize(
    ("clause", "table", "winning", "losing"),
    by_clause(
        ("MD-01B3", "A", "8s 7s 6s 5s Kd", TRIPS),
        ("MD-01B3", "B", QUADS, "8s 7s 6s 5s Kd"),
    ),
)
def test_the_lowest_hand_that_wins_envy_depends_on_the_paytable(
    clause: str, table: str, winning: str, losing: str
) -> None:
    for cards, wins in ((winning, True), (losing, False)):
        answer = settled(
            "maryland",
            _bettor(NOTHING, 1),
            _bettor(cards, 2),
            dealer="Ad Kh 7h 5d 4s 2d",
            progressive=table,
            **METER,
        )
        assert (answer.seats[0].net["envy"] > 0) is wins, clause


@pytest.mark.clause("R9")
def test_schedule_c_is_literal_by_default_and_five_card_by_choice() -> None:
    bettor, quads = _bettor(NOTHING, 1), _bettor(QUADS, 2)
    flush = _bettor("9s 8s 7s 6s 5s", 2)
    clear = "Kd Kh 7h 5d 4h 2d"
    assert _envy("maryland", bettor, quads, progressive="C")[0] == 30_000
    assert _envy("maryland", bettor, flush, progressive="C", dealer=clear)[0] == 0
    assert _envy("maryland", bettor, quads, progressive="C", envy="C-royal")[0] == 0
    for stake, amount in ((100, 30_000), (500, 150_000)):
        bettor = _bettor(NOTHING, 1, stake)
        assert _envy("maryland", bettor, flush, progressive="C", envy="C-royal", dealer=clear)[0] == amount


def _acts_with(rulebook: str, *seats: dict[str, Any]) -> list[str]:
    return acts(performed(rulebook, *seats, dealer=DEALER, **METER))


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-10b.1", "shuffle-master"),
        ("WA-PROG-9b.1", "washington"),
        ("WA-NEX-9b.1", "washington"),
    ),
)
def test_a_hand_that_wins_envy_for_others_stays_face_up(clause: str, rulebook: str) -> None:
    done = performed(rulebook, _bettor(NOTHING, 1), _bettor(QUADS, 2), dealer=DEALER, **METER)
    (left,) = [deed for deed in done if isinstance(deed, DealerAction) and deed.act == "leave_face_up"]
    assert left.position == 2
    assert clause in left.clauses
    words = acts(done)
    assert words.index("2 leave_face_up") < words.index("1 reveal_hand")
    assert words.index("1 pay envy") < words.index("2 rack_hand")
    assert "2 leave_face_up" not in _acts_with(rulebook, _bettor(QUADS, 2))


@pytest.mark.parametrize(
    ("clause", "rulebook"),
    by_clause(
        ("SM-PROG-10b.2", "shuffle-master"),
        ("WA-PROG-9b.2", "washington"),
        ("WA-NEX-9b.2", "washington"),
    ),
)
def test_every_other_hand_is_locked_up_before_the_next_player(clause: str, rulebook: str) -> None:
    done = performed(rulebook, _bettor(NOTHING, 1), _bettor("Kd Qh 8s 6s 2c", 2), dealer=DEALER, **METER)
    words = acts(done)
    assert words.index("2 rack_hand") + 1 == words.index("1 bring_hand")
    racked = [deed for deed in done if isinstance(deed, DealerAction) and deed.act == "rack_hand"]
    assert all(clause in deed.clauses for deed in racked)

"""What a round is and what its layout says; and a player who left, whose wagers are lost only by decision."""

import pytest

from fourcard.house.audit.table_replay import settlement_faults
from fourcard.round.commands import Deal, Fold, LeaveSeat, Perform, Play, TreatAsAbandoned
from fourcard.round.events import ActPerformed, CardsDealt, RoundEnded, SeatAbandoned, WagerPlaced
from fourcard.rules.game import InvalidSubmissionError
from fourcard.rules.posted_sign import posted_sign
from fourcard.table.commands import BeginRound
from fourcard.table.table_driver import Table
from tests.kit.awards import AWARD, awaiting, maryland
from tests.kit.deals import table_with_hands
from tests.kit.support import by_clause, findings, game, names
from tests.kit.tables import advance, bet, finish, refused, table, until

BOOKS = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")
HANDS = {1: "3s 3h 8d 7c 2c", 2: "Ks Qh 8c 7d 2d", 3: "As Ah 9d 6c 2h", 0: "5s 5h Jd Tc 9c 4d"}
"""A pair of threes, king high and a pair of aces against a pair of fives."""


# A player who left: never by itself, and only where rulebook and house say so.


@pytest.mark.clause("R36")
@pytest.mark.part("MD-07B2")
def test_wagers_of_who_left_are_lost_only_when_a_supervisor_says_so() -> None:
    at = table_with_hands("maryland-everything", HANDS)
    bet(at)
    gone = TreatAsAbandoned(position=3, role="supervisor")
    assert refused(at, gone).name == "not_now"
    until(at, "dealing")
    assert refused(at, gone).name == "cards_absent", "no cards have come to position 3"
    advance(at)
    assert refused(at, LeaveSeat(position=3)).name == "must_stay"
    for role in ("player", "dealer", "floorperson"):
        acting = TreatAsAbandoned(position=3, role=role, by="p3")
        assert refused(at, acting).name == "not_your_duty"
    (left,) = at.do(gone)
    assert getattr(left, "clauses", ()) == ("MD-07B2", "R36")
    assert refused(at, gone).name == "no_decision"
    at.do(Play(position=1, amount=2_500))
    at.do(Play(position=2, amount=2_500))
    assert finish(at).nets == {1: -5_500, 2: -5_500, 3: -3_000}


def before_step(at: Table, step: str) -> None:
    """Continue until the dealer is about to perform a step of the settlement; position 3 comes first."""
    while not (isinstance(act := at.next_command(), Perform) and act.step == step):
        assert act is not None
        at.do(act)


@pytest.mark.clause("R108")
@pytest.mark.part("MD-07B2")
@pytest.mark.parametrize(
    "step", ["collect_forfeits", "reveal_dealer", "reveal_hand", "choose_hand", "settle"]
)
def test_who_leaves_in_the_settlement_loses_the_wagers_until_the_position_is_settled(step: str) -> None:
    at = table_with_hands("maryland-everything", HANDS)
    bet(at)
    until(at, "deciding")
    for position in (1, 2, 3):
        advance(at)
        at.do(Fold(position=2) if position == 2 else Play(position=position, amount=2_500))
    gone = TreatAsAbandoned(position=3, role="supervisor")
    until(at, "settling")
    before_step(at, step)
    assert [type(event) for event in at.do(gone)] == [SeatAbandoned]
    assert refused(at, gone).name == "no_decision"
    ended = finish(at)
    assert ended.nets == {1: -5_500, 2: -3_000, 3: -5_500}
    lost = [(each.wager, each.amount) for each in ended.steps if each.position == 3]
    assert sorted(lost) == [("aces_up", 500), ("ante", 2_500), ("play", 2_500)]
    assert sorted(position for position, _ in ended.rack if position) == [1, 2, 3]
    event = RoundEnded(tuple(ended.nets.items()))
    assert list(settlement_faults(ended, event, ())) == []


@pytest.mark.clause("R108")
def test_who_folded_and_leaves_when_the_forfeits_are_collected_loses_what_still_lies_there() -> None:
    at = table_with_hands("maryland-everything", HANDS)
    bet(at, {"ante": 2_500})
    bet(at, {"aces_up": 500}, (2, 3))
    until(at, "deciding")
    for position in (1, 2, 3):
        advance(at)
        at.do(Play(position=3, amount=2_500) if position == 3 else Fold(position=position))
    before_step(at, "reveal_dealer")
    refusal = refused(at, TreatAsAbandoned(position=1, role="supervisor"))
    assert (refusal.name, refusal.clauses) == ("wagers_settled", ("MD-07B2", "R108"))
    at.do(TreatAsAbandoned(position=2, role="supervisor"))
    ended = finish(at)
    lost = [(each.wager, each.amount) for each in ended.steps if each.position == 2]
    assert (lost, ended.nets[2]) == ([("ante", 2_500), ("aces_up", 500)], -3_000)
    assert sorted(position for position, _ in ended.rack if position) == [1, 2, 3]


@pytest.mark.clause("R108")
def test_nobody_is_abandoned_while_an_award_waits() -> None:
    at = maryland()
    awaiting(at)
    refusal = refused(at, TreatAsAbandoned(position=1, role="supervisor"))
    assert (refusal.name, refusal.clauses) == ("award_awaited", AWARD)


@pytest.mark.clause("R108")
def test_wagers_that_are_settled_are_not_lost_by_leaving() -> None:
    at = table_with_hands("maryland-everything", HANDS)
    bet(at)
    until(at, "settling")
    before_step(at, "rack_hand")
    refusal = refused(at, TreatAsAbandoned(position=3, role="supervisor"))
    assert (refusal.name, refusal.clauses) == ("wagers_settled", ("MD-07B2", "R108"))
    assert at.may(TreatAsAbandoned(position=1, role="supervisor")) is None
    assert at.may(TreatAsAbandoned(position=2, role="supervisor")) is None


@pytest.mark.clause("R36")
def test_nothing_is_lost_by_leaving_where_the_house_or_the_rulebook_does_not_say_so() -> None:
    for example in BOOKS:
        at = table(example)
        bet(at)
        advance(at)
        refusal = refused(at, TreatAsAbandoned(position=3, role="supervisor"))
        assert (refusal.name, "R36" in refusal.clauses) == ("leaving", True)
    with pytest.raises(InvalidSubmissionError):
        game("massachusetts", leaving_may_lose_wagers=True)


# What a round is, and what its layout says.


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-1-ROUND", "massachusetts"), ("IA-DEF-6", "catfish-bend"))
)
def test_a_round_runs_from_the_wagers_through_the_deal_to_the_settlement_of_all(
    clause: str, example: str
) -> None:
    at = table(example)
    start = len(at.events)
    assert refused(at, Deal()).name in ("out_of_order", "nobody_wagered"), clause
    bet(at)
    phases: list[str] = ["betting", "dealing", "stub", "deciding", "settling"]
    for phase in phases:
        assert until(at, phase).layout > 0
        assert refused(at, BeginRound()).name == "round_under_way"
    finish(at)
    told = at.events[start:]
    kinds = [
        next(n for n, each in enumerate(told) if isinstance(each, kind))
        for kind in (WagerPlaced, CardsDealt, ActPerformed, RoundEnded)
    ]
    assert kinds == sorted(kinds)
    assert at.state.last_round is not None
    assert (at.state.last_round.phase, at.state.last_round.layout) == ("over", 0)
    assert isinstance(told[-1], RoundEnded)
    assert sum(at.state.last_round.nets.values()) == -at.state.last_round.tray_change


@pytest.mark.clause("MD-02B5.1")
def test_a_maryland_layout_carries_the_odds_of_every_wager_offered() -> None:
    assert names(findings("maryland-everything", layout__odds="layout")) == []
    assert names(findings("maryland-everything", layout__odds="nowhere")) == ["odds_not_shown"]
    panels = {panel.wager: panel for panel in posted_sign(game("maryland-everything"))}
    assert set(panels) == {"ante", "automatic_bonus", "aces_up", "six_card", "progressive", "envy"}
    assert all(cells and all(cells.values()) for panel in panels.values() for cells in panel.pays.values())
    assert panels["automatic_bonus"].pays["four of a kind"] == {"pays": "25 to 1"}
    assert [panel.wager for panel in posted_sign(game("maryland"))] == ["ante", "automatic_bonus", "aces_up"]

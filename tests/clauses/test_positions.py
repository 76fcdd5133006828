"""Betting positions: how many a table has, how many one player may hold, and which."""

import pytest

from fourcard.round.commands import TakeSeat
from tests.kit.support import by_clause, citing, findings, names
from tests.kit.tables import ANTE, bet, finish, refused, table


def take(position: int, player: str = "p3") -> TakeSeat:
    """Return the command with which a player, here the one at position 3, takes a position."""
    return TakeSeat(position=position, player=player)


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("R38", "massachusetts"),
        ("R38", "shuffle-master"),
        ("R38", "washington"),
        ("R38", "catfish-bend"),
        ("MD-02A1", "maryland"),
        ("MD-02A1", "maryland-existing"),
    ),
)
def test_a_table_has_seven_positions_at_most(clause: str, example: str) -> None:
    assert names(findings(example, positions__at_table=7)) == []
    assert citing(findings(example, positions__at_table=8), clause) == ["table_positions"]
    at = table(example, (3,), positions__at_table=7)
    for position in (0, 8):
        refusal = refused(at, take(position, "anybody"))
        assert (refusal.name, clause in refusal.clauses) == ("position_unknown", True)
    for position in (1, 7):
        at.do(take(position, f"p{position}"))


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-6e", "massachusetts"), ("IA-WAG-7", "catfish-bend"))
)
def test_one_player_may_hold_two_adjacent_positions(clause: str, example: str) -> None:
    for count in (1, 2):
        assert names(findings(example, positions__per_player=count)) == []
    for count in (0, 3):
        assert citing(findings(example, positions__per_player=count), clause) == ["positions_per_player"]
    assert citing(findings(example, positions__adjacent=False), clause) == ["positions_must_adjoin"]
    at = table(example, (3,), positions__per_player=2)
    for apart in (1, 5):
        refusal = refused(at, take(apart))
        assert (refusal.name, clause in refusal.clauses) == ("positions_not_adjacent", True)
    at.do(take(4))
    for third in (2, 5):
        refusal = refused(at, take(third))
        assert (refusal.name, clause in refusal.clauses) == ("too_many_positions", True)
    bet(at, ANTE)
    assert set(finish(at).nets) == {3, 4}


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-DEAL-1.4", "shuffle-master"), ("WA-DEAL-1.4", "washington"))
)
def test_one_player_may_hold_several_positions_wherever_they_are(clause: str, example: str) -> None:
    for count in (1, 2, 7):
        assert names(findings(example, positions__per_player=count)) == []
    assert citing(findings(example, positions__per_player=8), clause) == ["positions_per_player"]
    at = table(example, (3,), positions__per_player=3)
    for position in (1, 7):
        at.do(take(position))
    refusal = refused(at, take(4))
    assert (refusal.name, clause in refusal.clauses) == ("too_many_positions", True)
    bet(at, ANTE)
    assert set(finish(at).nets) == {1, 3, 7}
    own_rule = table(example, (3,), positions__per_player=2, positions__adjacent=True)
    assert refused(own_rule, take(1)).name == "positions_not_adjacent"


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MD-07F", "maryland"), ("MD-07F", "maryland-existing"))
)
def test_in_maryland_the_number_of_adjacent_boxes_is_declared(clause: str, example: str) -> None:
    assert citing(findings(example, positions__per_player=None), clause) == ["positions_per_player_missing"]
    assert names(findings(example, positions__per_player=7)) == []
    assert citing(findings(example, positions__adjacent=False), clause) == ["positions_must_adjoin"]
    at = table(example, (3,), positions__per_player=3)
    for position in (1, 5):
        refusal = refused(at, take(position))
        assert (refusal.name, clause in refusal.clauses) == ("positions_not_adjacent", True)
    at.do(take(2))
    at.do(take(4))
    for position in (1, 5):
        refusal = refused(at, take(position))
        assert (refusal.name, clause in refusal.clauses) == ("too_many_positions", True)


@pytest.mark.clause("P1")
def test_a_player_holds_one_position_unless_the_submission_says_more() -> None:
    at = table("massachusetts", (3,), positions__per_player=None)
    refusal = refused(at, take(4))
    assert (refusal.name, refusal.clauses) == ("too_many_positions", ("P1",))


@pytest.mark.clause("R46")
@pytest.mark.clause("MA-12k.0")
def test_cover_all_has_no_column_for_seven_players() -> None:
    assert names(findings("massachusetts-everything", positions__at_table=6)) == []
    refused = findings("massachusetts-everything", positions__at_table=7)
    assert citing(refused, "R46") == ["cover_all_column_missing"]
    without = findings(
        "massachusetts-everything",
        positions__at_table=7,
        wagers__cover_all=None,
        limits__posted__cover_all=None,
        settlement__order=None,
    )
    assert names(without) == []

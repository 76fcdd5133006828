"""Betting positions: how many a table has, how many one player may hold, and which."""

import pytest

from fourcard.rules.limits import positions_refusal
from tests.kit.support import by_clause, citing, findings, game, names


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
    refusal = positions_refusal(game(example, positions__at_table=7), (8,))
    assert refusal is not None
    assert (refusal.name, clause in refusal.clauses) == ("position_unknown", True)
    assert positions_refusal(game(example), (7,)) is None
    assert positions_refusal(game(example), (0,)) is not None


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-6e", "massachusetts"), ("IA-WAG-7", "catfish-bend"))
)
def test_one_player_may_hold_two_adjacent_positions(clause: str, example: str) -> None:
    for count in (1, 2):
        assert names(findings(example, positions__per_player=count)) == []
    for count in (0, 3):
        assert citing(findings(example, positions__per_player=count), clause) == ["positions_per_player"]
    assert citing(findings(example, positions__adjacent=False), clause) == ["positions_must_adjoin"]
    table = game(example)
    assert positions_refusal(table, (3, 4)) is None
    for held, name in (((3, 5), "positions_not_adjacent"), ((3, 4, 5), "too_many_positions")):
        refusal = positions_refusal(table, held)
        assert refusal is not None
        assert (refusal.name, clause in refusal.clauses) == (name, True)


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-DEAL-1.4", "shuffle-master"), ("WA-DEAL-1.4", "washington"))
)
def test_one_player_may_hold_several_positions_wherever_they_are(clause: str, example: str) -> None:
    for count in (1, 2, 7):
        assert names(findings(example, positions__per_player=count)) == []
    assert citing(findings(example, positions__per_player=8), clause) == ["positions_per_player"]
    assert positions_refusal(game(example, positions__per_player=3), (1, 4, 7)) is None
    own_rule = game(example, positions__per_player=2, positions__adjacent=True)
    assert positions_refusal(own_rule, (1, 3)) is not None


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MD-07F", "maryland"), ("MD-07F", "maryland-existing"))
)
def test_in_maryland_the_number_of_adjacent_boxes_is_declared(clause: str, example: str) -> None:
    assert citing(findings(example, positions__per_player=None), clause) == ["positions_per_player_missing"]
    assert names(findings(example, positions__per_player=7)) == []
    assert citing(findings(example, positions__adjacent=False), clause) == ["positions_must_adjoin"]
    assert positions_refusal(game(example, positions__per_player=3), (2, 3, 4)) is None
    refusal = positions_refusal(game(example, positions__per_player=3), (2, 4))
    assert refusal is not None
    assert clause in refusal.clauses


@pytest.mark.clause("P1")
def test_a_player_holds_one_position_unless_the_submission_says_more() -> None:
    table = game("massachusetts", positions__per_player=None)
    assert positions_refusal(table, (3,)) is None
    refusal = positions_refusal(table, (3, 4))
    assert refusal is not None
    assert (refusal.name, refusal.clauses) == ("too_many_positions", ("P1",))


@pytest.mark.clause("R46")
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

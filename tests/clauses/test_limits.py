"""Amounts: posted limits, the legal limit, chips, and the Play wager's multiples of the Ante."""

from typing import Any

import pytest

from fourcard.refusals import Refusal
from fourcard.rules.limits import play_refusal, prerequisite_refusal, stake_refusal, wager_refusal
from fourcard.wagers import WagerName
from tests.kit.support import by_clause, citing, findings, game, names


def name_of(refusal: Refusal | None) -> str | None:
    """Return a refusal's name, or None."""
    return refusal.name if refusal is not None else None


POSTED = by_clause(
    ("MA-6a1.2", "massachusetts", "ante", 1_000, 30_000),
    ("MA-6a2.2", "massachusetts", "aces_up", 500, 10_000),
    ("SM-W3-3", "shuffle-master", "ante", 500, 10_000),
    ("SM-W3-3", "shuffle-master", "aces_up", 500, 5_000),
    ("SM-DEAL-1.0", "shuffle-master", "ante", 500, 10_000),
    ("SM-DEAL-1.0", "shuffle-master", "aces_up", 500, 5_000),
    ("WA-W3-3", "washington", "ante", 500, 10_000),
    ("WA-W3-3", "washington", "aces_up", 200, 10_000),
    ("WA-DEAL-1.0", "washington", "ante", 500, 10_000),
    ("WA-DEAL-1.0", "washington", "aces_up", 200, 10_000),
    ("IA-WAG-1", "catfish-bend", "ante", 500, 20_000),
    ("IA-WAG-1", "catfish-bend", "aces_up", 200, 5_000),
    ("IA-WAG-2a.1", "catfish-bend", "ante", 500, 20_000),
    ("IA-WAG-2b", "catfish-bend", "aces_up", 200, 5_000),
)


@pytest.mark.parametrize(("clause", "example", "wager", "least", "most"), POSTED)
def test_a_wager_lies_within_the_posted_limits(
    clause: str, example: str, wager: Any, least: int, most: int
) -> None:
    table = game(example)
    for amount in (least, least + 100, most):
        assert wager_refusal(table, wager, amount) is None
    for amount, name in ((least - 100, "wager_below_least"), (most + 100, "wager_above_most")):
        refusal = wager_refusal(table, wager, amount)
        assert refusal is not None
        assert (refusal.name, clause in refusal.clauses) == (name, True)


@pytest.mark.parametrize(("clause", "example", "wager", "least", "most"), POSTED)
def test_the_limits_must_be_posted(clause: str, example: str, wager: str, least: int, most: int) -> None:
    assert citing(findings(example, **{f"limits__posted__{wager}": None}), clause) == ["limits_missing"]
    equal = {"least": "$50", "most": "$50"}
    assert names(findings(example, **{f"limits__posted__{wager}": equal})) == []
    inverted = {"least": "$51", "most": "$50"}
    assert citing(findings(example, **{f"limits__posted__{wager}": inverted}), clause) == ["limits_inverted"]
    nothing = {"least": "$0", "most": "$50"}
    assert citing(findings(example, **{f"limits__posted__{wager}": nothing}), clause) == ["limits_inverted"]
    assert least < most


@pytest.mark.clause("P8")
def test_limits_of_other_wagers_are_posted_where_given_and_only_for_wagers_offered() -> None:
    table = game("massachusetts-everything")
    assert wager_refusal(table, "cover_all", 2_500) is None
    assert name_of(wager_refusal(table, "cover_all", 2_600)) == "wager_above_most"
    without = game("massachusetts-everything", limits__posted__cover_all=None)
    assert wager_refusal(without, "cover_all", 999_900) is None
    stray = findings("massachusetts", limits__posted__cover_all={"least": "$1", "most": "$5"})
    assert citing(stray, "P8") == ["limits_without_wager"]


@pytest.mark.clause("P7")
def test_wagers_and_limits_are_whole_chips() -> None:
    table = game("massachusetts", chip="$5")
    assert wager_refusal(table, "ante", 1_500) is None
    assert name_of(wager_refusal(table, "ante", 1_501)) == "wager_not_in_chips"
    assert name_of(wager_refusal(table, "ante", 0)) == "wager_not_in_chips"
    assert play_refusal(table, 1_000, 1_500) is None
    assert name_of(play_refusal(table, 1_000, 1_600)) == "wager_not_in_chips"
    odd = findings("massachusetts", chip="$3")
    assert "limits_not_in_chips" in citing(odd, "P7")
    small = findings("massachusetts-everything", chip="$5", limits__posted__cover_all=None)
    assert citing(small, "P7") == ["wager_not_in_chips"]


def test_a_play_wager_needs_an_ante() -> None:
    for name in ("massachusetts", "catfish-bend"):
        for ante in (0, -100):
            assert name_of(play_refusal(game(name), ante, 0)) == "prerequisite_missing"


def test_a_wager_that_is_not_offered_is_refused_with_what_is() -> None:
    refusal = wager_refusal(game("massachusetts"), "cover_all", 500)
    assert refusal is not None
    assert (refusal.name, "MA-6a2.1" in refusal.clauses) == ("wager_not_offered", True)
    assert name_of(stake_refusal(game("massachusetts"), 100)) == "wager_not_offered"


PLAY = by_clause(
    ("MA-1-PLAY.2", "massachusetts"),
    ("MA-10b.3", "massachusetts"),
    ("SM-W1-5", "shuffle-master"),
    ("SM-W3-4", "shuffle-master"),
    ("SM-DEAL-3.1", "shuffle-master"),
    ("MD-07E1", "maryland"),
    ("MD-11B1", "maryland"),
    ("WA-W1-5", "washington"),
    ("WA-W3-4", "washington"),
    ("WA-DEAL-3.1", "washington"),
    ("IA-DEF-4", "catfish-bend"),
    ("IA-WAG-2a.2", "catfish-bend"),
    ("IA-COMP-2.1", "catfish-bend"),
)


@pytest.mark.parametrize(("clause", "example"), PLAY)
def test_a_play_wager_is_one_to_three_antes(clause: str, example: str) -> None:
    table, ante = game(example), 2_000
    for play in (ante, 2 * ante, 3 * ante):
        assert play_refusal(table, ante, play) is None
    for play, name in (
        (ante - 100, "play_too_small"),
        (0, "play_too_small"),
        (3 * ante + 100, "play_too_large"),
    ):
        refusal = play_refusal(table, ante, play)
        assert name_of(refusal) == name
        assert refusal is not None
        assert clause in refusal.clauses


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-1-PLAY.2", "massachusetts"),
        ("SM-W1-5", "shuffle-master"),
        ("MD-07E1", "maryland"),
        ("MD-11B1", "maryland"),
        ("WA-W1-5", "washington"),
        ("R29", "massachusetts"),
    ),
)
def test_a_play_wager_may_be_any_chips_between(clause: str, example: str) -> None:
    for play in (2_100, 3_000, 5_900):
        assert play_refusal(game(example), 2_000, play) is None, clause


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("IA-DEF-4", "catfish-bend"),
        ("IA-WAG-2a.2", "catfish-bend"),
        ("IA-COMP-2.1", "catfish-bend"),
        ("R29", "catfish-bend"),
    ),
)
def test_at_catfish_bend_a_play_wager_is_exactly_one_two_or_three_antes(clause: str, example: str) -> None:
    for play in (2_100, 3_000, 3_900, 5_900):
        refusal = play_refusal(game(example), 2_000, play)
        assert refusal is not None
        assert refusal.name == "play_not_a_multiple"
        assert clause == "R29" or clause in refusal.clauses
    assert play_refusal(game(example), 2_000, 4_000) is None


@pytest.mark.parametrize(
    ("clause", "example", "most"),
    by_clause(
        ("SM-W3-4", "shuffle-master", 10_000),
        ("WA-W3-4", "washington", 10_000),
        ("R30", "massachusetts", 30_000),
        ("R30", "maryland", 30_000),
        ("R30", "catfish-bend", 20_000),
    ),
)
def test_the_posted_maximum_does_not_bind_the_play_wager(clause: str, example: str, most: int) -> None:
    assert play_refusal(game(example), most, 3 * most) is None, clause


@pytest.mark.clause("R30")
def test_in_washington_the_legal_limit_caps_the_play_wager() -> None:
    table = game("washington", limits__legal="$250")
    assert play_refusal(table, 10_000, 25_000) is None
    refusal = play_refusal(table, 10_000, 25_100)
    assert refusal is not None
    assert (refusal.name, refusal.clauses) == ("wager_above_legal_limit", ("R30",))


@pytest.mark.parametrize(
    ("clause", "wager"),
    by_clause(("R31", "ante"), ("R31", "aces_up"), ("WA-BB-LIM", "bad_beat")),
)
def test_in_washington_no_posted_maximum_exceeds_the_legal_limit(clause: str, wager: str) -> None:
    example = "washington-everything"
    at = {f"limits__posted__{wager}": {"least": "$1", "most": "$500"}}
    assert names(findings(example, **at)) == []
    over = {f"limits__posted__{wager}": {"least": "$1", "most": "$501"}}
    assert citing(findings(example, **over), clause) == ["posted_over_legal"]
    unposted = game(example, limits__posted__bad_beat=None)
    assert wager_refusal(unposted, "bad_beat", 50_000) is None
    refusal = wager_refusal(unposted, "bad_beat", 50_100)
    assert refusal is not None
    assert (refusal.name, refusal.clauses) == ("wager_above_legal_limit", ("WA-BB-LIM",))


@pytest.mark.parametrize(("clause", "console"), by_clause(("WA-PROG-LIM", "keypad"), ("WA-NEX-LIM", "touch")))
def test_in_washington_no_progressive_stake_exceeds_the_legal_limit(clause: str, console: str) -> None:
    changes: dict[str, object] = {"progressive__console": console, "progressive__seed": "$5,000"}
    at = findings("washington-everything", progressive__stakes=["$500"], **changes)
    assert "posted_over_legal" not in names(at)
    over = findings("washington-everything", progressive__stakes=["$501"], **changes)
    assert "posted_over_legal" in citing(over, clause)


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("R31", "washington"),
        ("WA-BB-LIM", "washington-everything"),
        ("WA-PROG-LIM", "washington-everything"),
        ("WA-NEX-LIM", "washington-everything"),
    ),
)
def test_the_legal_limit_of_washington_has_no_default(clause: str, example: str) -> None:
    assert citing(findings(example, limits__legal=None), clause) == ["legal_limit_missing"]


@pytest.mark.parametrize(
    ("clause", "example", "wager"),
    by_clause(
        ("R45", "massachusetts-everything", "cover_all"),
        ("R68", "massachusetts-everything", "progressive"),
        ("SM-PROG-5.1", "shuffle-master-everything", "progressive"),
        ("MD-07E4a.1", "maryland-everything", "progressive"),
        ("WA-PROG-4.1", "washington-everything", "progressive"),
        ("WA-NEX-4.1", "washington-everything", "progressive"),
        ("R94", "shuffle-master-everything", "progressive"),
        ("R94", "washington-everything", "progressive"),
    ),
)
def test_a_side_wager_needs_an_ante_or_an_aces_up(clause: str, example: str, wager: Any) -> None:
    table = game(example)
    enough: tuple[tuple[WagerName, ...], ...] = (("ante",), ("aces_up",), ("ante", "aces_up"))
    for placed in enough:
        assert prerequisite_refusal(table, wager, placed) is None
    refusal = prerequisite_refusal(table, wager, ())
    assert refusal is not None
    assert (refusal.name, clause in refusal.clauses) == ("prerequisite_missing", True)


@pytest.mark.parametrize(
    ("clause", "example", "wager", "needed"),
    by_clause(
        ("R41", "shuffle-master-everything", "bad_beat", ("ante",)),
        ("R41", "washington-everything", "bad_beat", ("ante",)),
        ("SM-BB-5", "shuffle-master-everything", "bad_beat", ("ante",)),
        ("WA-BB-3", "washington-everything", "bad_beat", ("ante",)),
        ("MD-07E5a.1", "maryland-everything", "six_card", ("ante", "aces_up")),
        ("R11", "maryland-everything", "six_card", ("ante", "aces_up")),
    ),
)
def test_a_side_wager_needs_every_wager_it_names(
    clause: str, example: str, wager: Any, needed: tuple[Any, ...]
) -> None:
    table = game(example)
    assert prerequisite_refusal(table, wager, needed) is None
    for missing in needed:
        both: tuple[WagerName, ...] = ("ante", "aces_up")
        refusal = prerequisite_refusal(table, wager, [other for other in both if other != missing])
        assert refusal is not None
        assert (refusal.name, clause in refusal.clauses) == ("prerequisite_missing", True)


@pytest.mark.clause("R45")
def test_a_policy_lets_cover_all_stand_alone() -> None:
    table = game("massachusetts-everything", settings={"cover_all_requires": "nothing"})
    assert prerequisite_refusal(table, "cover_all", ()) is None

"""Amounts: posted limits, the legal limit, chips, and the Play wager's multiples of the Ante."""

from typing import Any

import pytest

from fourcard.refusals import Refusal
from fourcard.round.commands import PlaceWager, Play, WithdrawWager
from fourcard.table.table_driver import Table
from fourcard.wagers import WagerName
from tests.kit.support import by_clause, citing, findings, game, game_under, names
from tests.kit.tables import advance, bet, current_round, refused, table, table_of, until


def wager(name: WagerName, amount: int) -> PlaceWager:
    """Return the command that places a wager at the first position."""
    return PlaceWager(position=1, wager=name, amount=amount)


def asked(example: str, ante: int = 2_000, **changes: Any) -> Table:
    """Return a table where the player at the first position has this Ante and is asked to play."""
    at = table(example, (1,), **changes)
    bet(at, {"ante": ante})
    advance(at)
    return at


def told(refusal: Refusal, clause: str) -> tuple[str, bool]:
    """Return a refusal's name, and whether it cites a clause."""
    return refusal.name, clause in refusal.clauses


def play(amount: int) -> Play:
    """Return the command that makes a Play wager at the first position."""
    return Play(position=1, amount=amount)


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


@pytest.mark.parametrize(("clause", "example", "name", "least", "most"), POSTED)
def test_a_wager_lies_within_the_posted_limits(
    clause: str, example: str, name: WagerName, least: int, most: int
) -> None:
    at = table(example, (1,))
    for amount, refusal in ((least - 100, "wager_below_least"), (most + 100, "wager_above_most")):
        assert told(refused(at, wager(name, amount)), clause) == (refusal, True)
    for amount in (least, least + 100, most):
        at.do(wager(name, amount))
        assert current_round(at).positions[1].wagers == {name: amount}


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
    at = table("massachusetts-everything", (1,))
    bet(at, {"ante": 2_500, "cover_all": 2_500})
    assert refused(at, wager("cover_all", 2_600)).name == "wager_above_most"
    without = table("massachusetts-everything", (1,), limits__posted__cover_all=None, limits__legal="$100")
    bet(without, {"ante": 2_500, "cover_all": 999_900})
    stray = findings("massachusetts", limits__posted__cover_all={"least": "$1", "most": "$5"})
    assert citing(stray, "P8") == ["limits_without_wager"]


@pytest.mark.clause("P7")
def test_wagers_and_limits_are_whole_chips() -> None:
    at = asked("massachusetts", 1_500, chip="$5")
    assert refused(at, play(1_600)).name == "wager_not_in_chips"
    at.do(play(2_000))
    at = table("massachusetts", (1,), chip="$5")
    for amount in (1_499, 1_501, 0):
        assert told(refused(at, wager("ante", amount)), "P7") == ("wager_not_in_chips", True)
    odd = findings("massachusetts", chip="$3")
    assert "limits_not_in_chips" in citing(odd, "P7")
    small = findings("massachusetts-everything", chip="$5", limits__posted__cover_all=None)
    assert citing(small, "P7") == ["wager_not_in_chips"]


def test_a_wager_that_is_not_offered_is_refused_with_what_is() -> None:
    at = table("massachusetts", (1,))
    assert told(refused(at, wager("cover_all", 500)), "MA-6a2.1") == ("wager_not_offered", True)
    assert refused(at, wager("progressive", 100)).name == "wager_not_offered"


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
    at = asked(example)
    for amount, name in (
        (0, "play_too_small"),
        (1_900, "play_too_small"),
        (6_100, "play_too_large"),
        (8_000, "play_too_large"),
    ):
        assert told(refused(at, play(amount)), clause) == (name, True)
    assert [at.may(play(amount)) for amount in (2_000, 4_000, 6_000)] == [None] * 3
    at.do(play(6_000))
    assert current_round(at).positions[1].play_amount == 6_000


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
    at = asked(example)
    assert [at.may(play(amount)) for amount in (2_100, 3_000, 5_900)] == [None] * 3
    at.do(play(5_900))
    assert current_round(at).positions[1].play_amount == 5_900, clause


@pytest.mark.parametrize("clause", by_clause(("IA-DEF-4",), ("IA-WAG-2a.2",), ("IA-COMP-2.1",), ("R29",)))
def test_at_catfish_bend_a_play_wager_is_exactly_one_two_or_three_antes(clause: str) -> None:
    at = asked("catfish-bend")
    for amount in (2_100, 3_000, 3_900, 4_100, 5_900):
        refusal = refused(at, play(amount))
        assert refusal.name == "play_not_a_multiple"
        assert clause == "R29" or clause in refusal.clauses


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
    at = asked(example, most)
    at.do(play(3 * most))
    assert current_round(at).positions[1].play_amount == 3 * most, clause


@pytest.mark.clause("R30")
def test_in_washington_the_legal_limit_caps_the_play_wager() -> None:
    at = asked("washington", 10_000, limits__legal="$250")
    refusal = refused(at, play(25_100))
    assert (refusal.name, refusal.clauses) == ("wager_above_legal_limit", ("R30",))
    at.do(play(25_000))
    elsewhere = asked("massachusetts", 10_000, limits__legal="$250")
    assert elsewhere.may(play(25_100)) is None


@pytest.mark.clause("R30")
def test_the_posted_maximum_binds_the_play_wager_where_a_rulebook_says_so() -> None:
    at = table_of(game_under(game("massachusetts"), wagers__play__posted_maximum_binds=True), (1,))
    bet(at, {"ante": 30_000})
    advance(at)
    refusal = refused(at, play(30_100))
    assert (refusal.name, refusal.clauses) == ("wager_above_most", ("R30",))
    at.do(play(30_000))


@pytest.mark.parametrize(
    ("clause", "name"),
    by_clause(("R31", "ante"), ("R31", "aces_up"), ("WA-BB-LIM", "bad_beat")),
)
def test_in_washington_no_posted_maximum_exceeds_the_legal_limit(clause: str, name: str) -> None:
    example = "washington-everything"
    at = {f"limits__posted__{name}": {"least": "$1", "most": "$500"}}
    assert names(findings(example, **at)) == []
    over = {f"limits__posted__{name}": {"least": "$1", "most": "$501"}}
    assert citing(findings(example, **over), clause) == ["posted_over_legal"]


@pytest.mark.clause("WA-BB-LIM")
def test_in_washington_no_bad_beat_wager_exceeds_the_legal_limit() -> None:
    at = table("washington-everything", (1,), limits__posted__bad_beat=None)
    bet(at, {"ante": 2_500})
    for amount in (50_100, 99_900):
        refusal = refused(at, wager("bad_beat", amount))
        assert (refusal.name, refusal.clauses) == ("wager_above_legal_limit", ("WA-BB-LIM",))
    for amount in (49_900, 50_000):
        at.do(wager("bad_beat", amount))


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
    ("clause", "example", "name"),
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
def test_a_side_wager_needs_an_ante_or_an_aces_up(clause: str, example: str, name: WagerName) -> None:
    at = table(example, (1,))
    side, others = wager(name, 100), (wager("ante", 2_500), wager("aces_up", 500))
    assert told(refused(at, side), clause) == ("prerequisite_missing", True)
    for needed, other in (others, others[::-1]):
        at.do(needed)
        at.do(side)
        taken_back = WithdrawWager(position=1, wager=needed.wager)
        assert told(refused(at, taken_back), clause) == ("prerequisite_missing", True)
        at.do(other)
        at.do(taken_back)
        at.do(WithdrawWager(position=1, wager=name))
        at.do(WithdrawWager(position=1, wager=other.wager))


@pytest.mark.parametrize(
    ("clause", "example", "name", "needed"),
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
    clause: str, example: str, name: WagerName, needed: tuple[WagerName, ...]
) -> None:
    amounts: dict[WagerName, int] = {"ante": 2_500, "aces_up": 500}
    for missing in needed:
        at = table(example, (1,))
        bet(at, {other: amount for other, amount in amounts.items() if other != missing})
        assert told(refused(at, wager(name, 100)), clause) == ("prerequisite_missing", True)
        at.do(wager(missing, amounts[missing]))
        at.do(wager(name, 100))
        for other in needed:
            taken_back = WithdrawWager(position=1, wager=other)
            assert told(refused(at, taken_back), clause) == ("prerequisite_missing", True)


@pytest.mark.clause("R45")
def test_a_policy_lets_cover_all_stand_alone() -> None:
    at = table("massachusetts-everything", (1,), settings={"cover_all_requires": "nothing"})
    at.do(wager("cover_all", 100))
    assert current_round(at).positions[1].wagers == {"cover_all": 100}
    assert len(until(at, "stub").positions[1].cards) == 5
    at = table("massachusetts-everything", (1,), settings={"cover_all_requires": "nothing"})
    assert told(refused(at, wager("progressive", 100)), "R68") == ("prerequisite_missing", True)

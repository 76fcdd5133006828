"""Wrong counts of the stub: who judges them, and what a misdeal, a wrong deck or both lead to."""

from collections.abc import Mapping

import pytest

from fourcard.refusal_codes import Code
from fourcard.round.commands import ActorRole, JudgeCount, Perform
from fourcard.round.events import CountJudged, RoundVoided, StepDone
from fourcard.table.commands import BeginRound, BringDeck
from fourcard.table.events import TableEvent
from fourcard.table.table_driver import Table
from tests.kit.deals import dealt_round, preparation, prompted
from tests.kit.support import by_clause
from tests.kit.tables import current_round, refused

STUB = {"MA auto": 27, "SM auto": 27, "MD bonus": 30, "MD old": 27, "WA auto": 27, "IA auto": 27}
"""What is left of 52 cards after three players and the dealer, 31 where not said otherwise."""
RIGHT = {1: 5, 3: 5, 5: 5, 0: 6}
MISDEALS = [{5: 4}, {5: 6}, {0: 5}, {0: 7}]
"""Hands of the wrong size: a player with more or less than five, the dealer with more or less than six."""
VOID = ("void",)
RESHUFFLE = ("void", "reshuffle")
RETURN = ("void", "return-wagers")
RETURN_AND_RESHUFFLE = ("void", "return-wagers", "reshuffle")
REMOVE = ("void", "remove-deck")
RETURN_AND_REMOVE = ("void", "return-wagers", "remove-deck")
WAGERS = ((1, "ante", 2500), (3, "aces_up", 500), (5, "ante", 2500), (5, "aces_up", 500))


def judge_of(way: str) -> ActorRole:
    """Return who judges: the supervisor at Catfish Bend's manual deal, elsewhere the dealer."""
    return "supervisor" if way.startswith("IA") else "dealer"


def found_wrong(way: str) -> Table:
    """Return a table whose stub was counted one card short."""
    at = dealt_round(way, count=True).at
    while prompted(at)[0] != "count_stub":
        at.do(Perform(step=prompted(at)[0]))  # type: ignore[arg-type]
    at.do(Perform(step="count_stub", count=STUB.get(way, 31) - 1))
    return at


def judged(
    way: str, missing: int = 0, hands: Mapping[int, int] | None = None
) -> tuple[Table, list[TableEvent]]:
    """Judge a wrong count: what is missing of 52 cards, negative for more, and hands of another size."""
    at = found_wrong(way)
    sizes = {**RIGHT, **(hands or {})}
    stub = STUB.get(way, 31) + sum(RIGHT.values()) - sum(sizes.values()) - missing
    return at, at.do(JudgeCount(stub=stub, hands=sizes, role=judge_of(way)))


def check_void(
    at: Table, events: list[TableEvent], consequences: tuple[str, ...], clauses: tuple[str, ...]
) -> None:
    """See that a round is void, every wager returned, and the deck removed or shuffled as it must be."""
    void = events[-1]
    assert isinstance(void, RoundVoided)
    assert (void.consequences, void.returned) == (consequences, WAGERS)
    assert void.clauses == (*clauses, *(() if "return-wagers" in consequences else ("R69",)))
    finished = at.state.last_round
    assert finished is not None
    assert at.state.round is None
    assert (finished.phase, finished.layout, finished.tray_change) == ("void", 0, 0)
    assert set(finished.nets.values()) == {0}
    removed = "remove-deck" in consequences
    assert [deck.removed for deck in at.state.decks].count(True) == removed
    assert bool(at.state.decks[0].agenda) == (not removed), "cards that stay are shuffled again"


@pytest.mark.parametrize("hands", MISDEALS)
@pytest.mark.parametrize(
    ("clause", "way", "consequences", "clauses"),
    by_clause(
        ("MA-7e-b.1", "MA shoe", RESHUFFLE, ("MA-7e-b.2", "MA-7e-b.1")),
        ("MA-7e-b.2", "MA shoe", RESHUFFLE, ("MA-7e-b.2", "MA-7e-b.1")),
        ("MA-7e-b.1", "MA hand", RESHUFFLE, ("MA-7e-b.2", "MA-7e-b.1")),
        ("MA-7e-b.2", "MA hand", RESHUFFLE, ("MA-7e-b.2", "MA-7e-b.1")),
        ("MA-7e-b.1", "MA auto", RESHUFFLE, ("MA-7e-b.2", "MA-7e-b.1")),
        ("MA-7e-b.2", "MA auto", RESHUFFLE, ("MA-7e-b.2", "MA-7e-b.1")),
        ("P19", "SM auto", RETURN_AND_RESHUFFLE, ("P19",)),
        ("MD-08H2", "MD shoe", RETURN, ("MD-08H3", "MD-08H2")),
        ("MD-08H3", "MD shoe", RETURN, ("MD-08H3", "MD-08H2")),
        ("MD-09E", "MD hand", RETURN, ("MD-09F", "MD-09E")),
        ("MD-09F", "MD hand", RETURN, ("MD-09F", "MD-09E")),
        ("MD-10E", "MD auto", RETURN, ("MD-10F", "MD-10E", "R13")),
        ("MD-10F", "MD auto", RETURN, ("MD-10F", "MD-10E", "R13")),
        ("MD-10F", "MD bonus", RETURN, ("MD-10F", "MD-10E", "R13")),
        ("R12", "MD auto", RETURN, ("MD-10F", "MD-10E", "R13")),
        ("R13", "MD auto", RETURN, ("MD-10F", "MD-10E", "R13")),
        ("P19", "WA auto", RETURN_AND_RESHUFFLE, ("P19",)),
        ("P19", "WA manual", RETURN_AND_RESHUFFLE, ("P19",)),
        ("P19", "IA auto", RETURN_AND_RESHUFFLE, ("P19",)),
        ("IA-MAN-4.2", "IA manual", VOID, ("IA-MAN-4.2",)),
    ),
)
def test_a_misdeal_of_a_whole_deck_voids_every_hand(
    clause: str, way: str, consequences: tuple[str, ...], clauses: tuple[str, ...], hands: dict[int, int]
) -> None:
    at, events = judged(way, hands=hands)
    assert events[0] == CountJudged(True, 52, clauses), clause
    check_void(at, events, consequences, clauses)


@pytest.mark.parametrize("missing", [1, -1])
@pytest.mark.parametrize(
    ("clause", "way", "consequences", "clauses"),
    by_clause(
        ("MA-7e-b.3", "MA shoe", REMOVE, ("MA-7e-b.3",)),
        ("MA-7e-b.3", "MA hand", REMOVE, ("MA-7e-b.3",)),
        ("MA-7e-b.3", "MA auto", REMOVE, ("MA-7e-b.3",)),
        ("P19", "SM auto", RETURN_AND_REMOVE, ("P19",)),
        ("MD-08H4", "MD shoe", RETURN_AND_REMOVE, ("MD-08H4",)),
        ("MD-09G", "MD hand", RETURN_AND_REMOVE, ("MD-09G",)),
        ("MD-10G", "MD auto", RETURN_AND_REMOVE, ("MD-10G", "R13")),
        ("MD-10G", "MD bonus", RETURN_AND_REMOVE, ("MD-10G", "R13")),
        ("R12", "MD auto", RETURN_AND_REMOVE, ("MD-10G", "R13")),
        ("R13", "MD auto", RETURN_AND_REMOVE, ("MD-10G", "R13")),
        ("P19", "WA auto", RETURN_AND_REMOVE, ("P19",)),
        ("P19", "WA manual", RETURN_AND_REMOVE, ("P19",)),
        ("P19", "IA auto", RETURN_AND_REMOVE, ("P19",)),
        ("R71", "IA manual", REMOVE, ("R71",)),
    ),
)
def test_a_wrong_deck_without_a_misdeal_voids_every_hand_and_leaves_the_table(
    clause: str, way: str, consequences: tuple[str, ...], clauses: tuple[str, ...], missing: int
) -> None:
    at, events = judged(way, missing)
    assert events[0] == CountJudged(False, 52 - missing, clauses), clause
    check_void(at, events, consequences, clauses)


@pytest.mark.parametrize(("missing", "hands"), [(1, {3: 4}), (-1, {3: 6}), (2, {0: 5}), (1, {1: 6, 0: 7})])
@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("R70", "MA shoe"),
        ("R70", "MA hand"),
        ("R70", "MA auto"),
        ("P19", "SM auto"),
        ("R70", "MD shoe"),
        ("R70", "MD hand"),
        ("R70", "MD auto"),
        ("R70", "MD bonus"),
        ("P19", "WA auto"),
        ("P19", "WA manual"),
        ("P19", "IA auto"),
        ("R70", "IA manual"),
    ),
)
def test_a_misdeal_of_a_wrong_deck_voids_every_hand_and_the_deck_leaves_the_table(
    clause: str, way: str, missing: int, hands: dict[int, int]
) -> None:
    at, events = judged(way, missing, hands)
    assert events[0] == CountJudged(True, 52 - missing, (clause,))
    check_void(at, events, RETURN_AND_REMOVE, (clause,))


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-7e-a", "MA shoe"),
        ("MA-7e-a", "MA hand"),
        ("MA-7e-a", "MA auto"),
        ("P19", "SM auto"),
        ("MD-08H1", "MD shoe"),
        ("MD-09D", "MD hand"),
        ("MD-10D", "MD auto"),
        ("P19", "WA auto"),
        ("P19", "WA manual"),
        ("P19", "IA auto"),
        ("IA-MAN-3.2", "IA manual"),
        ("IA-MAN-4.3", "IA manual"),
    ),
)
def test_a_count_that_is_right_after_all_leaves_the_hands_standing(clause: str, way: str) -> None:
    at, events = judged(way)
    stub = STUB.get(way, 31)
    assert isinstance(events[-1], StepDone)
    assert (events[-1].step, events[-1].count, clause in events[-1].clauses) == ("count_stub", stub, True)
    at.do(Perform(step="discard_stub"))
    assert current_round(at).phase == "deciding"
    assert current_round(at).voided is None


@pytest.mark.parametrize(
    ("clause", "way", "judge", "others"),
    by_clause(
        ("MA-7e-b.1", "MA shoe", "dealer", ("player", "floorperson", "supervisor")),
        ("MD-08H2", "MD shoe", "dealer", ("player", "floorperson", "supervisor")),
        ("MD-09E", "MD hand", "dealer", ("player", "floorperson", "supervisor")),
        ("MD-10E", "MD auto", "dealer", ("player", "floorperson", "supervisor")),
        ("IA-MAN-4.1", "IA manual", "supervisor", ("player", "dealer", "floorperson")),
    ),
)
def test_a_wrong_count_is_judged_by_whom_the_rulebook_names(
    clause: str, way: str, judge: ActorRole, others: tuple[ActorRole, ...]
) -> None:
    at = found_wrong(way)
    waiting = refused(at, Perform(step="count_stub", count=31))
    assert (waiting.code, clause in waiting.clauses) == (Code.COUNT_UNJUDGED, True)
    for role in others:
        refusal = refused(at, JudgeCount(stub=31, hands=RIGHT, role=role))
        assert (refusal.code, clause in refusal.clauses) == (Code.NOT_YOUR_DUTY, True)
    at.do(JudgeCount(stub=31, hands=RIGHT, role=judge))
    assert current_round(at).wrong_count is None


@pytest.mark.clause("R71")
def test_the_replaced_deck_goes_through_everything_before_play_goes_on() -> None:
    at, _ = judged("IA manual", missing=1)
    assert "bring a deck" in refused(at, BeginRound()).message
    at.do(BringDeck(back="green"))
    assert preparation(at)
    at.do(BeginRound())


@pytest.mark.clause("MA-7e-b.1")
@pytest.mark.parametrize(
    ("stub", "hands"),
    [
        (31, {1: 5, 3: 5, 5: 5}),
        (31, {1: 5, 3: 5, 0: 6}),
        (31, {**RIGHT, 2: 5}),
        (31, {**RIGHT, 3: -1}),
        (-1, RIGHT),
    ],
)
def test_a_judgement_names_the_size_of_every_hand(stub: int, hands: dict[int, int]) -> None:
    at = found_wrong("MA shoe")
    assert refused(at, JudgeCount(stub=stub, hands=hands)).code == Code.NUMBER_UNFIT


@pytest.mark.clause("MA-7e-b.1")
def test_nothing_is_judged_that_was_not_found_wrong() -> None:
    at = dealt_round("MA shoe", count=True).at
    assert refused(at, JudgeCount(stub=31, hands=RIGHT)).code == Code.COUNT_NOT_WRONG

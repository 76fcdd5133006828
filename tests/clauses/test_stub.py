"""The stub: taken out, counted when a count is due, put away unseen; and shufflers that count for it."""

import pytest
from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.refusal_codes import Code
from fourcard.round.commands import JudgeCount, Perform, PlaceWager
from fourcard.round.events import CountFoundWrong, StepDone
from fourcard.table.commands import BeginRound, Prepare, SwitchMethod
from fourcard.table.events import DeckRemoved, RoundBegan
from fourcard.table.table_driver import Table
from tests.kit.deals import SHUFFLER, closed, dealt_round, opened, preparation, prompted, voided
from tests.kit.support import by_clause
from tests.kit.tables import bet, current_round, finish, refused, seeded, until

COUNTING = {**SHUFFLER, "counts": True}
SHOE = ["remove_stub", "count_stub", "discard_stub"]
HAND = ["count_stub", "discard_stub"]
GREEN = ["press_green_button", "count_stub", "discard_stub"]
BY_STEP = by_clause(
    ("MA-7d", "MA shoe", SHOE, "remove_stub"),
    ("MA-7d", "MA shoe", SHOE, "discard_stub"),
    ("MA-7e.2", "MA shoe", SHOE, "count_stub"),
    ("MA-8e", "MA hand", HAND, "count_stub"),
    ("MA-8d", "MA hand", HAND, "discard_stub"),
    ("MA-9d", "MA auto", SHOE, "remove_stub"),
    ("MA-9e", "MA auto", SHOE, "count_stub"),
    ("MA-9d", "MA auto", SHOE, "discard_stub"),
    ("SM-DEAL-2a.3", "SM auto", GREEN, "press_green_button"),
    ("P19", "SM auto", GREEN, "count_stub"),
    ("P16", "SM auto", GREEN, "discard_stub"),
    ("MD-08F1", "MD shoe", SHOE, "remove_stub"),
    ("MD-08H.0", "MD shoe", SHOE, "count_stub"),
    ("MD-08F2", "MD shoe", SHOE, "discard_stub"),
    ("MD-09C2", "MD hand", HAND, "count_stub"),
    ("MD-09B7", "MD hand", HAND, "discard_stub"),
    ("MD-10C1", "MD auto", SHOE, "remove_stub"),
    ("MD-10E", "MD auto", SHOE, "count_stub"),
    ("R12", "MD bonus", SHOE, "count_stub"),
    ("MD-10C2", "MD bonus", SHOE, "discard_stub"),
    ("WA-DEAL-2a.3", "WA auto", GREEN, "press_green_button"),
    ("P19", "WA auto", GREEN, "count_stub"),
    ("P16", "WA auto", GREEN, "discard_stub"),
    ("P19", "WA manual", HAND, "count_stub"),
    ("P16", "WA manual", HAND, "discard_stub"),
    ("IA-AUTO-8.1", "IA auto", GREEN, "press_green_button"),
    ("P19", "IA auto", GREEN, "count_stub"),
    ("IA-AUTO-8.2", "IA auto", GREEN, "discard_stub"),
    ("IA-MAN-3.1", "IA manual", HAND, "count_stub"),
    ("IA-MAN-3.2", "IA manual", HAND, "discard_stub"),
)


@pytest.mark.parametrize(("clause", "way", "steps", "own"), BY_STEP)
def test_after_the_last_card_the_stub_goes_through_these_steps_and_no_others(
    clause: str, way: str, steps: list[str], own: str
) -> None:
    at = dealt_round(way, count=True).at
    left = at.state.decks[at.state.active].left
    for step in steps:
        told, clauses = prompted(at)
        assert told == step
        assert step != own or clause in clauses
        for other in {*SHOE, *GREEN, "let_players_look"} - {step}:
            assert refused(at, Perform(step=other)).code == Code.OUT_OF_ORDER  # type: ignore[arg-type]
        done = at.do(Perform(step=step, count=left if step == "count_stub" else None))  # type: ignore[arg-type]
        assert isinstance(done[0], StepDone)
        assert (done[0].step, set(clauses) <= set(done[0].clauses)) == (step, True)
    assert current_round(at).phase == "deciding"


@pytest.mark.parametrize(
    ("clause", "way", "steps"),
    by_clause(
        ("MA-7d", "MA shoe", ["remove_stub", "discard_stub"]),
        ("MA-8d", "MA hand", ["discard_stub"]),
        ("MA-9d", "MA auto", ["remove_stub", "discard_stub"]),
        ("SM-DEAL-2a.3", "SM auto", ["press_green_button", "discard_stub"]),
        ("MD-08F1", "MD shoe", ["remove_stub", "discard_stub"]),
        ("MD-08F2", "MD shoe", ["remove_stub", "discard_stub"]),
        ("MD-09B7", "MD hand", ["discard_stub"]),
        ("MD-10C1", "MD auto", ["remove_stub", "discard_stub"]),
        ("MD-10C2", "MD bonus", ["remove_stub", "discard_stub"]),
        ("R12", "MD auto", ["remove_stub", "discard_stub"]),
        ("WA-DEAL-2a.3", "WA auto", ["press_green_button", "discard_stub"]),
        ("IA-AUTO-8.1", "IA auto", ["press_green_button", "discard_stub"]),
        ("IA-AUTO-8.2", "IA auto", ["press_green_button", "discard_stub"]),
    ),
)
def test_unless_a_count_is_due_the_stub_is_put_away_uncounted(
    clause: str, way: str, steps: list[str]
) -> None:
    at = dealt_round(way).at
    done = []
    while current_round(at).phase == "stub":
        done.append(prompted(at)[0])
        at.do(Perform(step=prompted(at)[0]))  # type: ignore[arg-type]
    assert done == steps, clause
    assert current_round(at).phase == "deciding"


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-7d", "MA shoe"),
        ("MA-7e.2", "MA shoe"),
        ("MA-8d", "MA hand"),
        ("MA-9d", "MA auto"),
        ("P16", "SM auto"),
        ("MD-08F2", "MD shoe"),
        ("MD-08H.0", "MD shoe"),
        ("MD-09B7", "MD hand"),
        ("MD-09C2", "MD hand"),
        ("MD-10C2", "MD auto"),
        ("P16", "WA auto"),
        ("P16", "WA manual"),
        ("IA-AUTO-8.2", "IA auto"),
        ("P16", "IA manual"),
    ),
)
def test_no_card_of_the_stub_is_shown_while_it_is_counted_and_put_away(clause: str, way: str) -> None:
    at = dealt_round(way, count=True).at
    left = at.state.decks[at.state.active].left
    shown = {}
    while current_round(at).phase == "stub":
        step, clauses = prompted(at)
        refusal = refused(at, Perform(step=step, count=left, exposed=True))  # type: ignore[arg-type]
        assert refusal.code == Code.STUB_SHOWN
        shown[step] = {*clauses, *refusal.clauses}
        at.do(Perform(step=step, count=left if step == "count_stub" else None))  # type: ignore[arg-type]
    assert clause in shown["count_stub"] | shown["discard_stub"]


@pytest.mark.clause("MA-7d", "MA-7e-a")
def test_a_rulebook_may_let_the_stub_be_seen_and_play_end_with_a_right_count() -> None:
    made = closed("MA shoe").game
    rules = made.rulebook.dealing["shoe"]
    right = replace(rules.counting.right, value=("void", "reshuffle"))
    other = replace(
        rules,
        stub_exposed=replace(rules.stub_exposed, value=True),
        counting=replace(rules.counting, right=right),
    )
    at = Table(replace(made, rulebook=replace(made.rulebook, dealing={"shoe": other})), seeded(7))
    at.seat(1, "p1")
    preparation(at)
    at.do(BeginRound(count_stub=True))
    bet(at)
    until(at, "stub")
    at.do(Perform(step="remove_stub", exposed=True))
    assert isinstance(at.do(Perform(step="count_stub", count=41, exposed=True))[0], CountFoundWrong)
    void = voided(at.do(JudgeCount(stub=41, hands={0: 6, 1: 5})))
    assert (void.consequences, void.clauses) == (("void", "reshuffle"), ("MA-7e-a", "R69"))


def counts_due(at: Table, rounds: int, asked: tuple[int, ...] = ()) -> list[int]:
    """Play rounds, and return those whose stub was counted; in some a count is asked for."""
    for number in range(1, rounds + 1):
        while at.state.agenda:
            at.do(at.next_preparation())
        at.do(BeginRound(count_stub=number in asked))
        at.do(PlaceWager(position=1, wager="ante", amount=2500))
        finish(at)
    found, number = [], 0
    for event in at.events:
        number = event.number if isinstance(event, RoundBegan) else number
        found += [number] if isinstance(event, StepDone) and event.step == "count_stub" else []
    return found


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-7e.1", "MA shoe"),
        ("MA-8e", "MA hand"),
        ("MA-9e", "MA auto"),
        ("MD-08G", "MD shoe"),
        ("MD-09C1", "MD hand"),
        ("MD-10D-old", "MD old"),
    ),
)
def test_the_stub_is_counted_at_least_once_in_every_five_rounds(clause: str, way: str) -> None:
    assert counts_due(closed(way), 4) == [], clause
    assert counts_due(closed(way), 5) == [5]
    assert counts_due(closed(way), 6) == [5]
    assert counts_due(closed(way), 13, asked=(2, 11)) == [2, 7, 11]
    assert counts_due(closed(way), 16, asked=(11,)) == [5, 10, 11, 16]


@pytest.mark.clause("MA-7e.1")
def test_a_round_that_is_due_for_a_count_cannot_go_on_without_one() -> None:
    at = closed("MA shoe")
    counts_due(at, 4)
    preparation(at)
    at.do(BeginRound())
    at.do(PlaceWager(position=1, wager="ante", amount=2500))
    while current_round(at).phase != "stub":
        command = at.next_command()
        assert command is not None
        at.do(command)
    at.do(Perform(step="remove_stub"))
    early = refused(at, Perform(step="discard_stub"))
    assert (early.code, early.clauses) == (Code.OUT_OF_ORDER, ("MA-7e.2",))


@pytest.mark.clause("IA-MAN-3.1")
def test_a_manual_deal_has_its_stub_counted_every_round() -> None:
    assert counts_due(closed("IA manual"), 7) == [1, 2, 3, 4, 5, 6, 7]
    assert counts_due(closed("IA manual", shuffler=COUNTING), 3) == [1, 2, 3]
    assert counts_due(closed("IA auto"), 6) == []


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(("R12", "MD auto"), ("P19", "SM auto"), ("P19", "WA auto"), ("P19", "WA manual")),
)
def test_where_no_source_asks_for_it_the_stub_is_counted_only_on_request(clause: str, way: str) -> None:
    plain: dict[str, object] = {"shuffler": SHUFFLER} if way == "MD auto" else {}
    assert counts_due(closed(way, **plain), 11) == [], clause
    assert counts_due(closed(way, **plain), 8, asked=(3,)) == [3]


@pytest.mark.parametrize(
    ("clause", "way"),
    by_clause(
        ("MA-7f.1", "MA shoe"),
        ("MA-7f.1", "MA hand"),
        ("MA-7f.1", "MA auto"),
        ("MD-08G", "MD shoe"),
        ("MD-09C1", "MD hand"),
        ("MD-10D-old", "MD old"),
    ),
)
def test_a_shuffler_that_counts_the_deck_makes_the_count_unnecessary(clause: str, way: str) -> None:
    assert counts_due(closed(way, shuffler=COUNTING), 11) == [], clause
    assert counts_due(closed(way, shuffler=SHUFFLER), 6) == [5]


@pytest.mark.parametrize(
    ("clause", "way", "before"),
    by_clause(("MA-7f.1", "MA shoe", (Prepare(step="remove_device"),)), ("MD-08G", "MD shoe", ())),
)
def test_the_duty_to_count_comes_back_while_the_cards_are_shuffled_by_hand(
    clause: str, way: str, before: tuple[Prepare, ...]
) -> None:
    at = closed(way, shuffler=COUNTING)
    assert counts_due(at, 5) == [], clause
    for command in before:
        at.do(command)
    at.do(SwitchMethod(method="shoe", shuffle_by_hand=True))
    assert counts_due(at, 1) == [6]


@pytest.mark.parametrize(("counted", "removed"), [(51, True), (52, False), (53, True)])
@pytest.mark.clause("MA-7f.2")
def test_a_deck_that_the_counting_shuffler_finds_wrong_leaves_the_table(counted: int, removed: bool) -> None:
    at = closed("MA shoe", shuffler=COUNTING)
    while at.state.agenda[0][0] != "shuffle_by_machine":
        at.do(at.next_preparation())
    uncounted = refused(at, Prepare(step="shuffle_by_machine", order=DECK[::-1]))
    assert (uncounted.name, uncounted.clauses) == ("number_unfit", ("MA-7f.2",))
    found = at.do(Prepare(step="shuffle_by_machine", order=DECK[::-1], count=counted))
    assert (DeckRemoved(0, ("MA-7f.2",)) in found) == removed
    assert at.state.decks[0].removed == removed
    if removed:
        refusal = refused(at, BeginRound())
        assert "bring a deck" in refusal.message
    else:
        preparation(at)
        at.do(BeginRound())


@pytest.mark.parametrize(
    ("clause", "way", "left"),
    by_clause(
        ("MA-7e-a", "MA shoe", 31),
        ("MA-7e-a", "MA hand", 31),
        ("MA-7e-a", "MA auto", 27),
        ("MA-8e", "MA hand", 31),
        ("MA-9e", "MA auto", 27),
        ("P19", "SM auto", 27),
        ("MD-08H1", "MD shoe", 31),
        ("MD-09D", "MD hand", 31),
        ("MD-10D", "MD auto", 31),
        ("MD-10D", "MD bonus", 30),
        ("MD-10D", "MD old", 27),
        ("R12", "MD auto", 31),
        ("P19", "WA auto", 27),
        ("P19", "WA manual", 31),
        ("P19", "IA auto", 27),
        ("IA-MAN-3.1", "IA manual", 31),
        ("IA-MAN-3.2", "IA manual", 31),
    ),
)
def test_a_stub_that_makes_52_is_put_away_and_play_goes_on(clause: str, way: str, left: int) -> None:
    at = dealt_round(way, count=True).at
    while prompted(at)[0] != "count_stub":
        at.do(Perform(step=prompted(at)[0]))  # type: ignore[arg-type]
    for none in (None, -1, 53):
        assert refused(at, Perform(step="count_stub", count=none)).code == Code.NUMBER_UNFIT
    for wrong in (left - 1, left + 1):
        other = dealt_round(way, count=True).at
        while prompted(other)[0] != "count_stub":
            other.do(Perform(step=prompted(other)[0]))  # type: ignore[arg-type]
        found = other.do(Perform(step="count_stub", count=wrong))[0]
        assert isinstance(found, CountFoundWrong)
        assert (found.count, found.expected) == (wrong, left)
    done = at.do(Perform(step="count_stub", count=left))
    assert isinstance(done[0], StepDone)
    assert (done[0].count, clause in done[0].clauses) == (left, True)
    at.do(Perform(step="discard_stub"))
    assert current_round(at).phase == "deciding"


def test_only_one_count_of_a_round_is_made() -> None:
    at = opened("MA shoe", count=True)
    assert current_round(at).count_due
    finish(at)
    assert sum(isinstance(event, StepDone) and event.step == "count_stub" for event in at.events) == 1

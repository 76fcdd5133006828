"""Shufflers and automated shoes that fail: reshuffle, void, guide, backup machine, and another method."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.refusal_codes import Code
from fourcard.round.commands import Deal, Perform
from fourcard.round.events import IrregularityNoted, RoundVoided
from fourcard.rules.procedures import DealingMethod, StepName
from fourcard.table.commands import (
    BeginRound,
    CloseTable,
    OrderShuffle,
    Prepare,
    ReportFailure,
    SwapMachine,
    SwitchMethod,
)
from fourcard.table.events import DeviceFailed, MethodSwitched, TableEvent
from fourcard.table.table_driver import Table
from tests.kit.decks import (
    SHUFFLER,
    begin,
    closed,
    doing,
    due,
    in_this_order,
    opened,
    play,
    ready,
    under_rule,
    until,
)
from tests.kit.support import by_clause, former_game, game
from tests.kit.tables import ANTE, bet, current_round, decision, finish, refused, seeded
from tests.kit.tables import until as round_until

SHUFFLER_FAILS, SHOE_FAILS = ReportFailure(device="shuffler"), ReportFailure(device="shoe")
MACHINE: dict[str, Any] = {"shuffler": SHUFFLER}
SHUFFLED: list[StepName] = ["shuffle_by_machine", "square_stack"]
SWAP: list[StepName] = [
    "switch_off",
    "unplug",
    "put_backup_in_place",
    "connect",
    "switch_on",
    "call_manufacturer",
    "resume_play",
]
IA_BY_HAND = ["riffle_first", "riffle_second", "strip", "riffle_third"]
IA_CUT = ["lay_cover_card", "cut", "place_rest_on_top"]


def noted(events: Sequence[TableEvent]) -> tuple[str, ...]:
    """Return what an irregularity led to."""
    return next(event.consequences for event in events if isinstance(event, IrregularityNoted))


def voids(events: Sequence[TableEvent]) -> list[RoundVoided]:
    """Return the voided rounds among events."""
    return [event for event in events if isinstance(event, RoundVoided)]


@pytest.mark.parametrize(
    ("clause", "example", "changes", "load"),
    by_clause(
        ("MA-14e", "massachusetts", MACHINE, "put_in_shoe"),
        ("MD-13F", "maryland", {}, "take_in_hand"),
    ),
)
def test_cards_are_shuffled_again_where_the_shuffler_fails(
    clause: str, example: str, changes: dict[str, Any], load: str
) -> None:
    at = opened(example, **changes)
    until(at, "square_stack")
    failed = at.do(SHUFFLER_FAILS)
    assert failed == [DeviceFailed("shuffler", (clause,))]
    assert due(at) == [*SHUFFLED, load]
    begin(at)
    bet(at, ANTE)
    events = at.do(SHUFFLER_FAILS)
    assert (noted(events), voids(events)) == (("reshuffle",), [])
    assert due(at) == [*SHUFFLED, load]
    assert refused(at, Deal()).code is Code.DECK_UNPREPARED
    ready(at)
    assert current_round(at).positions[1].wagers == ANTE
    round_until(at, "deciding")
    refusal = refused(at, SHUFFLER_FAILS)
    assert (refusal.code, refusal.clauses) == (Code.NOT_DESCRIBED, (clause,))


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(("MA-14e", "massachusetts-everything"), ("MD-13F", "maryland-everything")),
)
def test_the_deck_in_the_shuffler_is_shuffled_again_while_the_other_plays_on(
    clause: str, example: str
) -> None:
    at = opened(example)
    play(at)
    begin(at)
    bet(at, ANTE)
    round_until(at, "deciding")
    ready(at, 0)
    assert at.do(SHUFFLER_FAILS) == [DeviceFailed("shuffler", (clause,), 0)]
    assert (due(at, 0), due(at, 1)) == (SHUFFLED, [])
    finish(at)
    assert due(at) == SHUFFLED


@pytest.mark.parametrize(
    ("clause", "example", "outcome", "cited"),
    by_clause(
        ("MA-14f", "massachusetts-everything", ("void", "reshuffle-all"), ("MA-14f", "R69")),
        ("MD-13G", "maryland-existing", ("void", "return-wagers", "reshuffle-all"), ("MD-13G",)),
    ),
)
def test_an_automated_shoe_that_fails_makes_the_round_void_and_all_cards_are_shuffled(
    clause: str, example: str, outcome: tuple[str, ...], cited: tuple[str, ...]
) -> None:
    at = opened(example, dealing__decks=1)
    at.seat(1, "p1")
    at.seat(2, "p2")
    begin(at)
    bet(at, ANTE)
    round_until(at, "dealing")
    events = at.do(SHOE_FAILS)
    (voided,) = voids(events)
    assert isinstance(events[0], DeviceFailed)
    assert events[0].clauses == (clause,)
    assert (noted(events), voided.consequences) == (outcome, outcome)
    assert (voided.clauses, voided.returned) == (cited, ((1, "ante", 2500), (2, "ante", 2500)))
    assert (at.state.round, at.state.decks[0].left, due(at)[:2]) == (None, 52, SHUFFLED)
    begin(at)
    bet(at, ANTE)
    round_until(at, "deciding")
    assert refused(at, SHOE_FAILS).code is Code.NOT_DESCRIBED


@pytest.mark.clause("MA-14f", "MD-13G")
def test_only_an_automated_shoe_that_is_in_use_can_fail() -> None:
    for example in ("massachusetts", "maryland"):
        assert refused(opened(example), SHOE_FAILS).code is Code.DEVICE_ABSENT
    assert refused(opened("massachusetts"), SHUFFLER_FAILS).code is Code.DEVICE_ABSENT
    at = opened("maryland-existing")
    ready(at)
    at.do(SHOE_FAILS)
    assert due(at)[:2] == SHUFFLED
    for failure in (SHOE_FAILS, SHUFFLER_FAILS):
        refusal = refused(closed("massachusetts-everything"), failure)
        assert refusal.code is Code.TABLE_NOT_OPEN


@pytest.mark.clause("MD-13F")
def test_a_shuffler_that_fails_while_it_shuffles_the_deck_in_play_leaves_the_other_deck_alone() -> None:
    at = opened("maryland-everything")
    begin(at)
    bet(at, ANTE)
    other = due(at, 1)
    at.do(OrderShuffle(role="floorperson"))
    failed, about = at.do(SHUFFLER_FAILS)
    assert failed == DeviceFailed("shuffler", ("MD-13F",))
    assert about == IrregularityNoted("shuffler_failure", ("reshuffle",), ("MD-13F",))
    assert (due(at, 0), due(at, 1)) == (SHUFFLED, other)


@pytest.mark.clause("MA-14e", "MA-14f")
def test_a_failure_concerns_no_deck_outside_the_device() -> None:
    at = opened("massachusetts-everything")
    for number in (0, 1):
        ready(at, number)
    at.do(SHUFFLER_FAILS)
    assert (due(at, 0), due(at, 1)) == (SHUFFLED, [])
    play(at)
    begin(at)
    ready(at, 0)
    bet(at, ANTE)
    at.do(SHOE_FAILS)
    assert (due(at, 0), due(at, 1)) == ([], SHUFFLED)


@pytest.mark.clause("MA-14g")
def test_staff_take_a_device_out_of_use_between_rounds() -> None:
    remove = Prepare(step="remove_device")
    assert refused(closed("massachusetts-everything"), remove).code is Code.TABLE_NOT_OPEN
    at = opened("massachusetts-everything")
    ready(at)
    refusal = refused(at, replace(remove, role="player"))
    assert (refusal.code, refusal.clauses) == (Code.NOT_YOUR_DUTY, ("MA-14g",))
    assert at.may(replace(remove, role="floorperson")) is None
    begin(at)
    refusal = refused(at, remove)
    assert (refusal.code, refusal.clauses) == (Code.ROUND_UNDER_WAY, ("MA-14g",))


@pytest.mark.clause("MA-14g")
@pytest.mark.parametrize("fails", [True, False])
@pytest.mark.parametrize(
    ("example", "method", "by_hand"),
    [
        ("massachusetts-everything", "shoe", False),
        ("massachusetts-everything", "shoe", True),
        ("massachusetts", "shoe", True),
    ],
)
def test_a_device_is_removed_before_another_method_is_used_in_massachusetts(
    example: str, method: DealingMethod, by_hand: bool, fails: bool
) -> None:
    at = opened(example, **({} if example.endswith("everything") else MACHINE))
    ready(at)
    switch = SwitchMethod(method=method, shuffle_by_hand=by_hand)
    if fails:
        at.do(SHUFFLER_FAILS)
    refusal = refused(at, switch)
    assert (refusal.code, refusal.clauses) == (Code.DEVICE_BLOCKS, ("MA-14g",))
    for step in ("cover_device", "mark_device"):
        assert refused(at, Prepare(step=step)).code is Code.STEP_NOT_DUE
    leaving = {"shuffler"} if by_hand or fails else set()
    leaving |= {"shoe"} if example.endswith("everything") else set()
    for left in range(len(leaving), 0, -1):
        assert refused(at, switch).code is Code.DEVICE_BLOCKS, left
        at.do(Prepare(step="remove_device"))
    assert set(at.state.away) == leaving
    at.do(switch)
    mixed_by_hand = "shuffler" in leaving
    assert due(at)[0] == ("shuffle_by_hand" if mixed_by_hand else "shuffle_by_machine")
    assert (at.state.method, "cut" in due(at)) == (method, mixed_by_hand)
    play(at)
    assert at.state.round_number == 1


@pytest.mark.clause("MD-13H1", "MD-13H2")
@pytest.mark.parametrize("method", ["shoe", "automated"])
def test_a_failed_device_is_covered_or_marked_before_another_method_is_used_in_maryland(
    method: DealingMethod,
) -> None:
    seen_to: list[StepName] = ["cover_device", "mark_device"]
    for step in seen_to:
        at = opened("maryland")
        ready(at)
        switch = SwitchMethod(method=method, shuffle_by_hand=True)
        assert refused(at, Prepare(step=step)).code is Code.NOTHING_DUE
        at.do(SHUFFLER_FAILS)
        refusal = refused(at, switch)
        assert (refusal.code, refusal.clauses) == (Code.DEVICE_BLOCKS, ("MD-13H1", "MD-13H2"))
        assert refused(at, Prepare(step="remove_device")).code is Code.STEP_NOT_DUE
        at.do(Prepare(step=step))
        at.do(switch)
        assert due(at)[:3] == ["shuffle_by_hand", "square_stack", "insert_cover_card"]
        begin(at)
        assert refused(at, switch).code is Code.ROUND_UNDER_WAY
        assert refused(closed("maryland"), switch).code is Code.TABLE_NOT_OPEN


@pytest.mark.parametrize(
    ("clause", "example", "changes"),
    by_clause(("MA-8b1", "massachusetts", MACHINE), ("MD-09A1", "maryland", {})),
)
def test_dealing_from_the_hand_needs_a_shuffler_that_works(
    clause: str, example: str, changes: dict[str, Any]
) -> None:
    at = opened(example, **changes)
    ready(at)
    refusal = refused(at, SwitchMethod(method="hand", shuffle_by_hand=True))
    assert (refusal.code, refusal.clauses) == (Code.METHOD_REFUSED, (clause,))


@pytest.mark.clause("MA-8a", "MA-8b1", "MA-9a.1")
def test_a_method_that_a_rulebook_does_not_allow_is_refused() -> None:
    allowed = ("MA-7a.3", "MA-8a", "MA-9a.1")
    at = under_rule("massachusetts", "dealing.hand.allowed", value=False, **MACHINE)
    at.open()
    for method in ("hand", "manual"):
        refusal = refused(at, SwitchMethod(method=method))
        assert (refusal.code, refusal.clauses) == (Code.METHOD_REFUSED, allowed)
    assert opened("massachusetts", **MACHINE).may(SwitchMethod(method="hand")) is None


@pytest.mark.clause("MA-7a.3", "IA-AUTO-1")
def test_cards_are_shuffled_by_hand_only_where_the_rulebook_and_the_machine_let_the_dealer() -> None:
    by_machine = under_rule("massachusetts", "shuffling.by_hand", {}, **MACHINE)
    by_machine.open()
    refusal = refused(by_machine, SwitchMethod(method="shoe", shuffle_by_hand=True))
    assert (refusal.code, refusal.clauses) == (Code.METHOD_REFUSED, ("MA-7a.3",))
    dealt = opened("catfish-bend", dealing__decks=1)
    refusal = refused(dealt, SwitchMethod(method="automated", shuffle_by_hand=True))
    assert (refusal.code, refusal.clauses) == (Code.METHOD_REFUSED, ("IA-AUTO-1",))


@pytest.mark.clause("IA-IRR-3.2")
def test_after_a_failure_only_the_method_that_the_rulebook_names_is_used() -> None:
    at = under_rule("catfish-bend", "devices.fallback", "automated")
    at.open()
    at.do(SHUFFLER_FAILS)
    refusal = refused(at, SwitchMethod(method="manual", shuffle_by_hand=True))
    assert (refusal.code, refusal.clauses) == (Code.METHOD_REFUSED, ("IA-IRR-3.2",))


def test_a_change_of_method_leaves_the_inspection_due() -> None:
    at = opened("maryland")
    until(at, "verify_inspection")
    at.do(SwitchMethod(method="shoe", shuffle_by_hand=True))
    assert due(at)[:2] == ["verify_inspection", "spread_face_up"]
    at.do(SwitchMethod(method="shoe"))
    at.do(SHUFFLER_FAILS)
    assert due(at)[:2] == ["verify_inspection", "spread_face_up"]


# Catfish Bend: void if cards were dealt, and by hand from then on.


@pytest.mark.clause("IA-IRR-3.1", "R75")
def test_a_shuffler_that_fails_voids_the_round_only_if_a_card_was_dealt() -> None:
    outcome = ("void-if-dealt", "reshuffle")
    at = opened("catfish-bend", dealing__decks=1)
    begin(at)
    bet(at, ANTE)
    events = at.do(SHUFFLER_FAILS)
    assert (noted(events), voids(events)) == (outcome, [])
    assert due(at) == ["put_in_shuffler", "press_shuffle"]
    ready(at)
    round_until(at, "dealing")
    events = at.do(SHUFFLER_FAILS)
    (voided,) = voids(events)
    assert (noted(events), voided.returned) == (outcome, ((1, "ante", 2500),))
    assert voided.clauses == ("IA-IRR-3.1", "R75", "R69")
    assert (at.state.round, at.state.decks[0].left) == (None, 52)
    assert due(at) == ["put_in_shuffler", "press_shuffle"]
    assert at.do(SHUFFLER_FAILS) == [DeviceFailed("shuffler", ("IA-IRR-3.1", "R75"))]


@pytest.mark.clause("IA-IRR-3.1")
@pytest.mark.parametrize("phase", ["dealing", "stub", "deciding", "settling"])
def test_the_cards_inside_a_failed_shuffler_are_shuffled_again_too(phase: str) -> None:
    at = opened("catfish-bend", settings__shuffler_void="any")
    begin(at)
    bet(at, ANTE)
    round_until(at, phase)
    resting = 1 - at.state.active
    ready(at, resting)
    assert (at.state.decks[resting].in_shuffler, due(at, resting)) == (True, [])
    assert len(voids(at.do(SHUFFLER_FAILS))) == 1
    for number in (0, 1):
        assert due(at, number)[:2] == ["put_in_shuffler", "press_shuffle"]
    assert refused(at, BeginRound()).code is Code.DECK_UNPREPARED


@pytest.mark.clause("R75")
@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("step", ["press_green_button", "discard_stub", "let_players_look", "reveal_hand"])
def test_once_the_machine_has_ejected_the_stub_its_failure_concerns_no_hand(step: str, decks: int) -> None:
    at = opened("catfish-bend", dealing__decks=decks)
    begin(at)
    bet(at, ANTE)
    before_step(at, step)
    events = at.do(SHUFFLER_FAILS)
    if step == "press_green_button":
        assert len(voids(events)) == 1
        return
    resting = 1 - at.state.active if decks == 2 else None
    assert events == [DeviceFailed("shuffler", ("IA-IRR-3.1", "R75"), resting)]
    if resting is not None:
        assert due(at, resting) == ["put_in_shuffler", "press_shuffle"]
    assert finish(at).phase == "over"
    assert due(at)[-1:] == ["press_shuffle"]


def before_step(at: Table, step: str) -> None:
    """Continue until the dealer is about to perform a step; everybody plays 1x."""
    while True:
        command = at.next_command()
        if isinstance(command, Perform) and command.step == step:
            return
        at.do(decision(at) if command is None else command)


@pytest.mark.clause("R75")
def test_a_shuffler_from_which_no_card_is_dealt_concerns_no_hand() -> None:
    at = opened("catfish-bend", dealing={"method": "manual"})
    begin(at)
    bet(at, ANTE)
    failed, about = at.do(SHUFFLER_FAILS)
    assert failed == DeviceFailed("shuffler", ("IA-IRR-3.1", "R75"))
    assert about == IrregularityNoted("shuffler_failure", ("void-if-dealt", "reshuffle"), failed.clauses)
    ready(at)
    round_until(at, "dealing")
    assert at.do(SHUFFLER_FAILS) == [failed]
    assert finish(at).phase == "over"


@pytest.mark.clause("R75")
@pytest.mark.parametrize("phase", ["dealing", "stub", "deciding", "settling"])
def test_a_house_may_void_the_round_whenever_its_shuffler_fails(phase: str) -> None:
    literal = game("catfish-bend", settings__shuffler_void="any")
    stored = former_game(game("catfish-bend"), shuffler_void=None)
    for made in (literal, stored):
        at = Table(made, seeded(7))
        at.seat(1, "p1")
        at.begin()
        bet(at, ANTE)
        round_until(at, phase)
        assert len(voids(at.do(SHUFFLER_FAILS))) == 1


@pytest.mark.clause("IA-IRR-3.2", "IA-SHUF-B")
@pytest.mark.parametrize("decks", [1, 2])
def test_a_game_without_its_shuffler_is_shuffled_and_dealt_by_hand(decks: int) -> None:
    at = opened("catfish-bend", dealing__decks=decks)
    ready(at)
    at.do(SHUFFLER_FAILS)
    assert refused(at, SwitchMethod(method="manual", role="player")).code is Code.NOT_YOUR_DUTY
    (switched,) = at.do(SwitchMethod(method="manual", shuffle_by_hand=True))
    assert switched == MethodSwitched("manual", True, ("IA-SHUF-B", "IA-IRR-3.2"))
    for _ in range(2):
        assert ready(at) == [*IA_BY_HAND, *IA_CUT]
        play(at)
    assert refused(at, SHUFFLER_FAILS).code is Code.DEVICE_ABSENT
    assert at.do(SwitchMethod(method="automated")) == [MethodSwitched("automated", False, ("IA-AUTO-1",))]
    assert due(at) == ["put_in_shuffler", "press_shuffle"]


# The manufacturer and Washington: the guide, then the backup.


@pytest.mark.parametrize(("clause", "example"), by_clause(("P19", "shuffle-master"), ("P19", "washington")))
def test_where_the_source_is_silent_a_failure_voids_what_was_dealt(clause: str, example: str) -> None:
    at = opened(example)
    begin(at)
    bet(at, ANTE)
    events = at.do(SHUFFLER_FAILS)
    assert (noted(events), voids(events)) == (("void-if-dealt", "reshuffle"), []), clause
    ready(at)
    round_until(at, "dealing")
    events = at.do(SHUFFLER_FAILS)
    (voided,) = voids(events)
    assert (noted(events), voided.clauses) == (("void-if-dealt", "reshuffle"), (clause, "R69"))
    assert due(at) == ["consult_guide", "shuffle_by_machine"]


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-IRR-2.1", "shuffle-master"), ("WA-IRR-2.1", "washington"))
)
@pytest.mark.parametrize("phase", ["stub", "deciding", "settling"])
def test_a_machine_that_fails_after_the_deal_is_seen_to_after_the_round(
    clause: str, example: str, phase: str
) -> None:
    at = opened(example)
    begin(at)
    bet(at, ANTE)
    round_until(at, phase)
    assert [type(event) for event in at.do(SHUFFLER_FAILS)] == [DeviceFailed]
    assert due(at) == []
    finish(at)
    assert at.state.decks[0].agenda[0] == ("consult_guide", (clause,))
    assert due(at) == ["consult_guide", "shuffle_by_machine"]


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-IRR-2.1", "shuffle-master"), ("WA-IRR-2.1", "washington"))
)
def test_the_guide_is_consulted_before_cards_are_shuffled_again(clause: str, example: str) -> None:
    at = opened(example)
    ready(at)
    at.do(SHUFFLER_FAILS)
    assert at.state.agenda[0] == ("consult_guide", (clause,))
    assert refused(at, Prepare(step="consult_guide", role="player")).code is Code.NOT_YOUR_DUTY
    assert at.may(Prepare(step="consult_guide", role="supervisor")) is None
    in_this_order(at, ["consult_guide", "shuffle_by_machine"])
    play(at)
    assert due(at) == ["shuffle_by_machine"]


def failing(example: str, times: int) -> Table:
    """Return a table whose shuffler has failed so many times, the cards being ready again."""
    at = opened(example)
    ready(at)
    for _ in range(times):
        at.do(SHUFFLER_FAILS)
        ready(at)
    return at


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-IRR-2.2", "shuffle-master"), ("WA-IRR-2.2", "washington"))
)
def test_a_machine_that_failed_more_than_once_is_swapped(clause: str, example: str) -> None:
    other = refused(opened("maryland"), SwapMachine())
    assert (other.code, other.clauses) == (Code.NOT_DESCRIBED, ())
    for times in (0, 1):
        refusal = refused(failing(example, times), SwapMachine())
        assert (refusal.code, refusal.clauses) == (Code.SWAP_EARLY, (clause,))
    for times in (2, 3):
        at = failing(example, times)
        assert refused(at, SwapMachine(role="player")).code is Code.NOT_YOUR_DUTY
        at.do(SwapMachine(role="floorperson"))
        assert due(at) == [*SWAP, "shuffle_by_machine"]
        assert refused(at, SwapMachine()).code is Code.SWAP_EARLY
    under = failing(example, 2)
    begin(under)
    assert refused(under, SwapMachine()).code is Code.ROUND_UNDER_WAY
    shut = failing(example, 2)
    shut.do(CloseTable())
    assert refused(shut, SwapMachine()).code is Code.TABLE_NOT_OPEN


@pytest.mark.parametrize(
    ("clause", "example", "step"),
    by_clause(
        *((f"SM-IRR-2.2.{number}", "shuffle-master", step) for number, step in enumerate(SWAP, 1)),
        *((f"WA-IRR-2.2.{number}", "washington", step) for number, step in enumerate(SWAP, 1)),
    ),
)
def test_a_machine_is_swapped_step_by_step(clause: str, example: str, step: StepName) -> None:
    at = failing(example, 2)
    at.seat(1, "p1")
    at.do(SwapMachine())
    until(at, step)
    assert at.state.agenda[0] == (step, (clause,))
    assert at.may(Prepare(step=step, role="supervisor")) is None
    assert refused(at, Prepare(step=step, role="player")).code is Code.NOT_YOUR_DUTY
    assert refused(at, BeginRound()).code is Code.DECK_UNPREPARED
    other = failing(example, 2)
    other.do(SwapMachine())
    in_this_order(other, [*SWAP, "shuffle_by_machine"])
    at.do(doing(at))
    assert due(at) == [*SWAP[SWAP.index(step) + 1 :], "shuffle_by_machine"]


def test_no_other_rulebook_swaps_machines_and_a_closed_table_has_none_that_fail() -> None:
    assert refused(opened("maryland"), SwapMachine()).code is Code.NOT_DESCRIBED
    assert refused(closed("maryland"), SHUFFLER_FAILS).code is Code.TABLE_NOT_OPEN
    assert refused(closed("maryland"), SwitchMethod(method="shoe")).code is Code.TABLE_NOT_OPEN
    told = ReportFailure(device="shuffler", role="player")
    assert refused(opened("maryland"), told).code is Code.NOT_YOUR_DUTY


# A local procedure: a supervisor decides, among what the house lists.

LOCAL: dict[str, Any] = {"shuffler__failure": "local", "shuffler__local_procedure": ["void", "play-on"]}


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("SM-IRR-2.3", "shuffle-master"), ("WA-IRR-3", "washington"), ("MA-14e", "massachusetts-everything")
    ),
)
def test_by_a_local_procedure_a_supervisor_decides_what_a_failed_shuffler_means(
    clause: str, example: str
) -> None:
    def failed(decision: Any, role: Any = "supervisor") -> ReportFailure:
        return ReportFailure(device="shuffler", decision=decision, role=role)

    for phase in ("dealing", "stub", "deciding", "settling"):
        at = opened(example, **LOCAL)
        begin(at)
        bet(at, ANTE)
        round_until(at, phase)
        assert refused(at, failed("void", "player")).code is Code.NOT_YOUR_DUTY
        for role in ("dealer", "floorperson"):
            low_rank = refused(at, failed("void", role))
            assert (low_rank.code, low_rank.clauses) == (Code.NOT_YOUR_DUTY, (clause,))
        undecided = refused(at, failed(None))
        assert (undecided.code, undecided.clauses) == (Code.LOCAL_DECISION, (clause,))
        other = opened(example, **LOCAL | {"shuffler__local_procedure": ["void"]})
        assert refused(other, failed("play-on")).code is Code.LOCAL_DECISION
        resting = 1 - at.state.active if len(at.state.decks) == 2 else None
        assert at.do(failed("play-on")) == [
            DeviceFailed("shuffler", (clause,), resting),
            IrregularityNoted("shuffler_failure", ("continue",), (clause,)),
        ]
        event = at.do(failed("void", "executive"))[-1]
        assert isinstance(event, RoundVoided)
        assert event.clauses == (clause, "R69")
        assert at.state.round is None
    at = opened(example, **LOCAL)
    begin(at)
    assert at.do(failed("void")) == [DeviceFailed("shuffler", (clause,))]
    assert at.state.round is not None


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("P19", "washington"), ("MA-14e", "massachusetts-everything"))
)
def test_where_the_rulebook_is_followed_nobody_decides(clause: str, example: str) -> None:
    at = opened(example)
    refusal = refused(at, ReportFailure(device="shuffler", decision="void", role="supervisor"))
    assert (refusal.code, refusal.clauses) == (Code.FIGURE_FOREIGN, (clause,))


@pytest.mark.clause("MA-14f")
def test_a_local_procedure_for_the_shuffler_says_nothing_about_the_shoe() -> None:
    at = opened("massachusetts-everything", **LOCAL)
    begin(at)
    bet(at, ANTE)
    assert [event.clauses for event in voids(at.do(SHOE_FAILS))] == [("MA-14f", "R69")]

"""A dealer who goes by the book: what is done next, and what an honest count finds."""

from collections.abc import Callable, Sequence

from fourcard.cards import DECK_SIZE
from fourcard.refusals import Refusal
from fourcard.round.commands import (
    ActorRole,
    CompleteDocument,
    Deal,
    HandSide,
    JudgeCount,
    Perform,
)
from fourcard.round.due import Due, due, next_move
from fourcard.round.state import RoundState
from fourcard.table.agenda import ends_mixing
from fourcard.table.commands import Prepare, TableCommand
from fourcard.table.decide import decide
from fourcard.table.meters import MeterBesideTable
from fourcard.table.preparing import cut_step
from fourcard.table.state import TableState
from fourcard.wagers.showdown import DEALER

Shuffle = Callable[[], Sequence[int]]
"""Returns the 52 cards in a new order."""


def preparation(state: TableState, shuffle: Shuffle) -> Prepare:
    """Return the step that makes the next deck ready, with what a dealer would do in it."""
    step = state.agenda[0][0]
    book = state.game.rulebook
    depth = None
    if book.cutting is not None and step == cut_step(book.cutting):
        depth = book.cutting.about.value if book.cutting.about is not None else DECK_SIZE // 2
    strips, machine = book.shuffling.strips, state.game.submission.shuffler
    ends = ends_mixing(state.agenda)
    counted = DECK_SIZE if ends and machine is not None and machine.counts else None
    hand: HandSide | None = "left" if step == "take_in_hand" else None
    role: ActorRole = "floorperson" if step == "verify_inspection" else "dealer"
    return Prepare(
        step=step,
        order=tuple(shuffle()) if ends else None,
        depth=depth,
        count=strips.value if strips is not None and step == "strip" else counted,
        hand=hand,
        role=role,
    )


def next_act(state: TableState, meters: MeterBesideTable) -> TableCommand | None:
    """Return what is done next in the round, or None while players are to act."""
    under_way = state.round
    if under_way is not None and under_way.awaiting is not None:
        return meters.price(under_way)
    return act_due(state)


def act_due(state: TableState) -> TableCommand | None:
    """Return what is done next in a round in which no award waits, or None while players are to act."""
    under_way = state.round
    if under_way is None:
        return None
    if under_way.wrong_count is not None:
        return judgement(state, under_way)
    expected = due(under_way)
    return None if expected is None else _performed(state, under_way, expected)


def _performed(state: TableState, under_way: RoundState, expected: Due) -> TableCommand:
    """Return the act that is due; a payout that keeps it waiting is documented first."""
    if expected.step == "deal":
        return Deal()
    again = expected.step == "count_chips" and under_way.chips_differ is not None
    act = Perform(
        step=expected.step,
        position=expected.position,
        count=counted(state, under_way, expected),
        role="floorperson" if again else "dealer",
    )
    if under_way.undocumented and isinstance(decide(state, act), Refusal):
        return CompleteDocument(position=under_way.undocumented[0], role="supervisor")
    return act


def counted(state: TableState, under_way: RoundState, expected: Due) -> int | None:
    """Return what an honest count finds."""
    if expected.step == "count_chips":
        return len(under_way.stakes or ())
    if expected.step == "count_stub":
        return state.decks[state.active].left
    return next_move(under_way).count if expected.step == "verify_hand" else None


def judgement(state: TableState, under_way: RoundState) -> JudgeCount:
    """Return what an honest look at the stub and every hand finds, by whoever judges."""
    sizes = {position: len(under_way.places[position].cards) for position in under_way.dealt_in}
    rule = under_way.rules.duty("judges_wrong_count")
    judge: ActorRole = "supervisor" if rule is not None and "supervisor" in rule.value else "dealer"
    hands = {DEALER: len(under_way.dealer), **sizes}
    return JudgeCount(stub=state.decks[state.active].left, hands=hands, role=judge)

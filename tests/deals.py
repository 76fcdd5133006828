"""Deals as the tests follow them: the ways of dealing, a table dealt out, and each motion of the hands."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fourcard.round.commands import Perform
from fourcard.round.due import due
from fourcard.round.events import CardsDealt, CardsDiscarded, StepDone, UpCardTurned
from fourcard.table.commands import BeginRound, Prepare
from fourcard.table.events import TableEvent
from fourcard.table.session import Table
from tests.support import game
from tests.table import bet, seeded, under_way

SHUFFLER = {"maker": "Shuffle Master", "model": "Deck Mate"}
WAYS: dict[str, tuple[str, dict[str, object]]] = {
    "MA shoe": ("massachusetts", {}),
    "MA hand": ("massachusetts", {"dealing__method": "hand", "shuffler": SHUFFLER}),
    "MA auto": ("massachusetts", {"dealing__method": "automated"}),
    "SM auto": ("shuffle-master", {}),
    "MD shoe": ("maryland", {"dealing__method": "shoe", "shuffler": None}),
    "MD hand": ("maryland", {"shuffler": SHUFFLER}),
    "MD auto": ("maryland", {"dealing__method": "automated"}),
    "MD bonus": ("maryland-everything", {"shuffler__direct_load": False}),
    "MD old": ("maryland-existing", {}),
    "MD old shoe": ("maryland-existing", {"dealing": {"method": "shoe"}}),
    "MD old hand": ("maryland-existing", {"dealing": {"method": "hand"}}),
    "WA auto": ("washington", {}),
    "WA manual": ("washington", {"dealing": {"method": "manual"}, "shuffler": None}),
    "IA auto": ("catfish-bend", {}),
    "IA manual": ("catfish-bend", {"dealing": {"method": "manual"}, "shuffler": None}),
}
"""Every way of dealing of every rulebook; the old ways are those of Maryland's existing edition."""
Motion = tuple[str, int, int, int]
"""What was done, where, with how many cards, and how many of them face up."""


class Dealt(NamedTuple):
    """A table after the last card, the deck as it lay before the first, and what happened in between."""

    at: Table
    deck: tuple[int, ...]
    events: list[TableEvent]


def closed(way: str, **changes: object) -> Table:
    """Return a table of a way of dealing, with decks and players, nothing done to the cards yet."""
    example, own = WAYS[way]
    made = Table(game(example, **{**own, **changes}), seeded(7))
    for position in (1, 2, 3, 5):
        made.seat(position, f"p{position}")
    return made


def opened(way: str, *, count: bool = False, **changes: object) -> Table:
    """Return a table with a round open: an Ante at 1, nothing at 2, Aces Up alone at 3, both at 5."""
    made = closed(way, **changes)
    while made.state.agenda:
        made.do(made.preparation())
    made.do(BeginRound(count_stub=count))
    bet(made, {"ante": 2500}, (1, 5))
    bet(made, {"aces_up": 500}, (3, 5))
    return made


def dealt(way: str, *, count: bool = False, **changes: object) -> Dealt:
    """Deal a round out, up to the stub."""
    return deal_out(opened(way, count=count, **changes))


def deal_out(at: Table) -> Dealt:
    """Deal the round under way out, up to the stub."""
    deck = at.state.decks[at.state.active].order
    assert deck is not None
    events: list[TableEvent] = []
    while under_way(at).phase in ("betting", "dealing"):
        command = at.next_act()
        assert command is not None
        events += at.do(command)
    return Dealt(at, deck, events)


def motions(events: Sequence[TableEvent]) -> list[Motion]:
    """Return what was done with cards, in order: dealt, verified, spread, turned up, discarded."""
    return [motion for event in events for motion in _motion(event)]


def _motion(event: TableEvent) -> Iterable[Motion]:
    if isinstance(event, CardsDealt):
        yield "deal", event.to, len(event.cards), event.up
    elif isinstance(event, UpCardTurned):
        yield "turn up", 0, 1, 1
    elif isinstance(event, CardsDiscarded):
        yield "discard", -1, len(event.cards), 0
    elif isinstance(event, StepDone) and event.step == "verify_hand":
        yield "verify", event.position, event.count or 0, 0
    elif isinstance(event, StepDone) and event.step == "spread_extra_stack":
        yield "spread", event.position, 5, 0


def cited(events: Iterable[TableEvent]) -> set[str]:
    """Return every clause that events cite."""
    return {clause for event in events for clause in getattr(event, "clauses", ())}


def prompted(at: Table) -> tuple[str, tuple[str, ...]]:
    """Return the step that the dealer of a round is told to do next, and the clauses that order it."""
    expected = due(under_way(at))
    assert expected is not None
    return expected.step, expected.clauses


def preparation(at: Table) -> list[tuple[str, tuple[str, ...]]]:
    """Make the cards ready, and return the steps that were prompted with their clauses."""
    done = []
    while at.state.agenda:
        done.append(at.state.agenda[0])
        at.do(at.preparation())
    return [(str(step), clauses) for step, clauses in done]


def perform(at: Table, step: str, count: int | None = None) -> list[TableEvent]:
    """Do a step of the round."""
    return at.do(Perform(step=step, count=count))  # type: ignore[arg-type]


def prepare(step: str) -> Prepare:
    """Return the command for a step before the round."""
    return Prepare(step=step)  # type: ignore[arg-type]

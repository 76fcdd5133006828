"""Deals: the dealing methods, tables with chosen hands, and every motion of the dealer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from fourcard.round.commands import Perform, ReportIrregularity
from fourcard.round.events import CardsDealt, CardsDiscarded, RoundVoided, StepDone, UpCardTurned
from fourcard.round.preconditions import next_step
from fourcard.table.commands import BeginRound, Prepare
from fourcard.table.events import TableEvent
from fourcard.table.table_driver import Table
from tests.kit.support import game
from tests.kit.tables import bet, current_round, seeded, stack, table

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
        made.do(made.next_preparation())
    made.do(BeginRound(count_stub=count))
    bet(made, {"ante": 2500}, (1, 5))
    bet(made, {"aces_up": 500}, (3, 5))
    return made


def dealt_round(way: str, *, count: bool = False, **changes: object) -> Dealt:
    """Deal a round out, up to the stub."""
    return deal_out(opened(way, count=count, **changes))


def deal_out(at: Table) -> Dealt:
    """Deal the round under way out, up to the stub."""
    deck = at.state.decks[at.state.active].order
    assert deck is not None
    events: list[TableEvent] = []
    while current_round(at).phase in ("betting", "dealing"):
        command = at.next_command()
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
    expected = next_step(current_round(at))
    assert expected is not None
    return expected.step, expected.clauses


def preparation(at: Table) -> list[tuple[str, tuple[str, ...]]]:
    """Make the cards ready, and return the steps that were prompted with their clauses."""
    done = []
    while at.state.agenda:
        done.append(at.state.agenda[0])
        at.do(at.next_preparation())
    return [(str(step), clauses) for step, clauses in done]


def perform(at: Table, step: str, count: int | None = None) -> list[TableEvent]:
    """Do a step of the round."""
    return at.do(Perform(step=step, count=count))  # type: ignore[arg-type]


def prepare(step: str) -> Prepare:
    """Return the command for a step before the round."""
    return Prepare(step=step)  # type: ignore[arg-type]


def laid(at: Table, order: Sequence[int]) -> None:
    """Put the cards of the deck in play in an order."""
    number = at.state.active
    deck = replace(at.state.decks[number], order=tuple(order))
    decks = tuple(deck if n == number else each for n, each in enumerate(at.state.decks))
    at.state = replace(at.state, decks=decks)


def unknown(at: Table) -> None:
    """Let nobody know the order of the deck in play, as where a physical deck is dealt."""
    number = at.state.active
    deck = replace(at.state.decks[number], order=None)
    at.state = replace(
        at.state, decks=tuple(deck if n == number else d for n, d in enumerate(at.state.decks))
    )


def order(at: Table) -> tuple[int, ...]:
    """Return the cards of the deck in play, top first."""
    cards = at.state.decks[at.state.active].order
    assert cards is not None
    return cards


def table_with_hands(
    name: str, hands: Mapping[int, str], seats: Iterable[int] = (1, 2, 3), **changes: Any
) -> Table:
    """Return a table open for wagers that will deal these hands if every seat wagers."""
    at = table(name, seats, **changes)
    laid(at, stack(at.game, hands, seats))
    return at


def report(kind: Any, **figures: Any) -> ReportIrregularity:
    """Return the report of an irregularity."""
    return ReportIrregularity(irregularity=kind, **figures)


def voided(events: Sequence[TableEvent]) -> RoundVoided:
    """Return the void among events, which must be there once."""
    (found,) = [event for event in events if isinstance(event, RoundVoided)]
    return found


def act(at: Table) -> list[TableEvent]:
    """Let the dealer do the one thing that is due."""
    command = at.next_command()
    assert command is not None
    return at.do(command)


def until_dealer_has_cards(at: Table) -> None:
    """Deal until the first of the dealer's own cards lies there."""
    while not current_round(at).dealer:
        act(at)

"""Tables at which certain hands will be dealt, and what goes wrong at them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from fourcard.round.commands import ReportIrregularity
from fourcard.round.events import RoundVoided
from fourcard.table.events import TableEvent
from fourcard.table.session import Table
from tests.table import stack, table, under_way


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


def dealt(name: str, hands: Mapping[int, str], seats: Iterable[int] = (1, 2, 3), **changes: Any) -> Table:
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
    command = at.next_act()
    assert command is not None
    return at.do(command)


def until_dealer_has_cards(at: Table) -> None:
    """Deal until the first of the dealer's own cards lies there."""
    while not under_way(at).dealer:
        act(at)

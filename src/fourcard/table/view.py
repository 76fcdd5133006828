"""Table view: what one viewer may see of a table: decks, seats, devices and rounds."""

from typing import Any

import msgspec

from fourcard.round.prompts import PROMPTS
from fourcard.round.state import RoundState
from fourcard.round.view import RoundView, Viewer, ViewPath, private_round_values, round_view
from fourcard.table.commands import Device
from fourcard.table.state import TablePhase, TableState


class DeckView(msgspec.Struct, frozen=True):
    """A deck as everybody sees it, without its cards."""

    back: str
    left: int | None
    """How many cards it holds; None during its round, because the stub may have to be counted."""
    in_shuffler: bool
    removed: bool
    due: tuple[str, ...]
    """Its open preparation steps, in order."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """Return the dealer's prompts for the steps."""
        return tuple(PROMPTS[step] for step in self.due)


class TableView(msgspec.Struct, frozen=True):
    """A table as one viewer sees it."""

    phase: TablePhase
    game: str
    """The hash of the game."""
    decks: tuple[DeckView, ...]
    active: int
    seats: dict[int, str]
    number: int
    method: str
    failed: tuple[Device, ...]
    """Devices that failed and have not been taken care of."""
    away: tuple[Device, ...]
    """Devices out of use."""
    round: RoundView | None
    last: RoundView | None
    last_hand: bool = False
    """Whether the last hand was called: the table closes after the current round (P36)."""


KnownTable = tuple[TableState, TableView]
"""An earlier state of a table with a viewer's view of it."""


def table_view(state: TableState, viewer: Viewer, known: KnownTable | None = None) -> TableView:
    """Return what a viewer may see of a table now; decks never show cards.

    Parts that did not change are taken from a view that the same viewer had before.
    """
    round_before = last_before = None
    if known is not None:
        before, view = known
        round_before, last_before = (before.round, view.round), (before.last_round, view.last)
    return TableView(
        phase=state.phase,
        game=state.game.hash,
        decks=tuple(
            DeckView(
                deck.back,
                None if state.round is not None and number == state.active else deck.left,
                deck.in_shuffler,
                deck.removed,
                tuple(step for step, _ in deck.agenda),
            )
            for number, deck in enumerate(state.decks)
        ),
        active=state.active,
        seats=dict(state.seats),
        number=state.round_number,
        method=state.method,
        failed=state.failed,
        away=state.away,
        last_hand=state.last_hand,
        round=_round_view(state.round, viewer, round_before),
        last=_round_view(state.last_round, viewer, last_before),
    )


def _round_view(
    state: RoundState | None, viewer: Viewer, known: tuple[RoundState | None, RoundView | None] | None
) -> RoundView | None:
    """Return the view of a round, from an earlier view of a round as far as it did not change."""
    if state is None:
        return None
    before, view = known or (None, None)
    if before is None or view is None:
        return round_view(state, viewer)
    return view if before is state else round_view(state, viewer, (before, view))


def private_table_values(state: TableState, viewer: Viewer, view: TableView) -> dict[ViewPath, Any]:
    """Return what a viewer sees of a table beyond an onlooker's view of it, by the path in that view."""
    rounds = (("round", state.round, view.round), ("last", state.last_round, view.last))
    return {
        (name, *path): value
        for name, each, shown in rounds
        if each is not None and shown is not None
        for path, value in private_round_values(each, viewer).items()
    }

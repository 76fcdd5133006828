"""A table as one viewer may see it: decks by their backs, seats, and the round as that viewer sees it."""

import msgspec

from fourcard.round.view import RoundView, Viewer, view
from fourcard.round.words import PROMPTS
from fourcard.table.commands import Device
from fourcard.table.state import TablePhase, TableState


class DeckView(msgspec.Struct, frozen=True):
    """A deck from outside."""

    back: str
    left: int | None
    """How many cards it holds; None while a round is dealt from it, since the stub may be counted."""
    in_shuffler: bool
    removed: bool
    due: tuple[str, ...]
    """What must be done with it, in order."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """Return the steps as the dealer is told to do them."""
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
    """Devices that failed and have not been seen to."""
    away: tuple[Device, ...]
    """Devices that are out of play."""
    round: RoundView | None
    last: RoundView | None
    last_hand: bool = False
    """Whether the table closes after the round under way, or was closed so (P36)."""


def table_view(state: TableState, viewer: Viewer) -> TableView:
    """Return the table as a viewer may see it now; no deck shows a card."""
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
        number=state.number,
        method=state.method,
        failed=state.failed,
        away=state.away,
        last_hand=state.last_hand,
        round=None if state.round is None else view(state.round, viewer),
        last=None if state.finished is None else view(state.finished, viewer),
    )

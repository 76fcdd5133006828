"""Win documents: the table's record of a win, with game, stake, hand and paperwork."""

from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.house.outcome import table_stream
from fourcard.house.records import Recorded
from fourcard.house.reports.progressive.streams import Progress, told
from fourcard.house.store.contract import Reading, StoreError
from fourcard.progressive.events import WinLogged
from fourcard.round.events import AwardAwaited, AwardPaid, DocumentCompleted, ProgressiveLocked
from fourcard.table.events import RoundBegan
from fourcard.wagers.wager import Step

KINDS = (
    "round_began",
    "progressive_locked",
    "award_awaited",
    "win_logged",
    "award_paid",
    "document_completed",
)


class Papers(msgspec.Struct, frozen=True, kw_only=True):
    """The record of one win in its table's stream."""

    game: str
    """The hash of the game that was pinned."""
    stake: int
    step: Step
    """The awaited award: hand, odds and clauses."""
    win: WinLogged
    sequence: int
    hash: str
    document_required: bool = False
    """Whether a document was required at the payment."""
    completed_at: int | None = None
    completed_by: str = ""
    completed_as: str = ""


def papers_of(
    reading: Reading, table: str, number: int, position: int, progress: Progress | None = None
) -> Papers:
    """Return the table's record of the win of one position in one round."""
    reader = _WinReader(number, position)
    for record, event in told(reading, [table_stream(table)], KINDS, progress):
        if isinstance(event, RoundBegan):
            if reader.found is not None:
                break
            reader.in_round = event.number == number
        elif reader.in_round:
            reader.add(record, event)
    if reader.found is None:
        place = f"position {position} in round {number} of table '{table}'"
        raise StoreError(f"The journal has no win of {place}; run an audit.")
    return reader.found


class _WinReader:
    """Reads one round, and collects what concerns one position."""

    def __init__(self, number: int, position: int) -> None:
        self.number, self.position = number, position
        self.in_round = False
        self.found: Papers | None = None
        self._stake = 0
        self._step: Step | None = None

    def add(self, record: Recorded, event: Any) -> None:
        """Add one event of the round."""
        if isinstance(event, ProgressiveLocked):
            self._stake = dict(event.stakes).get(self.position, 0)
        elif isinstance(event, AwardAwaited):
            self._step = event.step
        elif event.position == self.position:
            self._add_position_event(record, event)

    def _add_position_event(self, record: Recorded, event: Any) -> None:
        if isinstance(event, WinLogged):
            assert self._step is not None
            self.found = Papers(
                game=record.game,
                stake=self._stake,
                step=self._step,
                win=event,
                sequence=record.sequence,
                hash=record.hash.hex(),
            )
        elif isinstance(event, AwardPaid) and self.found is not None:
            self.found = replace(self.found, document_required=not event.documented)
        elif isinstance(event, DocumentCompleted) and self.found is not None:
            done = {"completed_at": record.at, "completed_by": record.by, "completed_as": record.role}
            self.found = replace(self.found, **done)

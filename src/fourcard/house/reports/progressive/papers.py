"""A win as its table tells it: the game, the stake, the hand, and what became of its document."""

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
    """What a table's own stream says of one win."""

    game: str
    """The hash of the game that was pinned."""
    stake: int
    step: Step
    """The award that waited: its hand, its odds and its clauses."""
    win: WinLogged
    sequence: int
    hash: str
    asked: bool = False
    """Whether a document was asked for when it was paid."""
    completed_at: int | None = None
    completed_by: str = ""
    completed_as: str = ""


def papers_of(
    reading: Reading, table: str, number: int, position: int, progress: Progress | None = None
) -> Papers:
    """Return what a table says of the win of one position in one of its rounds."""
    following = _Following(number, position)
    for record, event in told(reading, [table_stream(table)], KINDS, progress):
        if isinstance(event, RoundBegan):
            if following.found is not None:
                break
            following.under_way = event.number == number
        elif following.under_way:
            following.hear(record, event)
    if following.found is None:
        place = f"position {position} in round {number} of table '{table}'"
        raise StoreError(f"The journal tells of no win of {place}; run an audit.")
    return following.found


class _Following:
    """Follows one round, and keeps what concerns one position."""

    def __init__(self, number: int, position: int) -> None:
        self.number, self.position = number, position
        self.under_way = False
        self.found: Papers | None = None
        self._stake = 0
        self._step: Step | None = None

    def hear(self, record: Recorded, event: Any) -> None:
        """Take in what one event of the round says."""
        if isinstance(event, ProgressiveLocked):
            self._stake = dict(event.stakes).get(self.position, 0)
        elif isinstance(event, AwardAwaited):
            self._step = event.step
        elif event.position == self.position:
            self._of_position(record, event)

    def _of_position(self, record: Recorded, event: Any) -> None:
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
            self.found = replace(self.found, asked=not event.documented)
        elif isinstance(event, DocumentCompleted) and self.found is not None:
            done = {"completed_at": record.at, "completed_by": record.by, "completed_as": record.role}
            self.found = replace(self.found, **done)

"""Replaying a table: each command decided anew, shuffles, deals and settlements checked, chips paired."""

from typing import Any

from fourcard.cards import DECK_SET
from fourcard.house.auditing.books import AuditBooks
from fourcard.house.auditing.case import Case
from fourcard.house.auditing.counterparts import PAIRED, Counterparts
from fourcard.house.auditing.deciding import Happened, verdict
from fourcard.house.auditing.replaying import Replay
from fourcard.house.auditing.settlements import faults
from fourcard.house.auditing.shuffles import Shuffles
from fourcard.house.events import TableInstalled, TableRestored
from fourcard.house.postings import Move
from fourcard.house.records import Recorded
from fourcard.house.table_book import AnyTable, TableBook, UninstalledTable
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded, RoundEnded, RoundVoided
from fourcard.table.events import RoundBegan

OF_CARDS = frozenset((CardsDealt, FaceUpCardDiscarded))
ENDING = frozenset((RoundEnded, RoundVoided))
OF_PLAYERS = ("chips/", "layout/")
"""Accounts that can never be overdrawn."""


class TableReplay(Replay):
    """Rebuilds a table."""

    book: AnyTable

    def __init__(self, case: Case, stream: str) -> None:
        """Begin before the table was set up."""
        super().__init__(case, stream)
        self._others = Counterparts(case)
        self._shuffles = Shuffles(case, self.name, stream)
        self._doubtful = False
        """Whether something was wrong in the round under way, so that the rest of it proves nothing."""
        self._blind = False
        """Whether the table cannot be replayed at all, for want of its game."""
        self._left: set[str] = set()
        """Accounts of the layout that were not empty after the last round."""

    def command(self, happened: list[Happened]) -> None:
        """Replay the events of one command, having decided it anew."""
        self.case.tally["commands"] += 1
        self.case.authored(happened[0][0])
        self._look_ahead(happened)
        if self._blind:
            for record, _ in happened:
                self.case.ledger.accept(record)
            return
        if not self._doubtful:
            self._decide(happened)
        for record, event in happened:
            self.event(record, event)
        self._shuffles.after(self.book, happened[-1][0])

    def _look_ahead(self, happened: list[Happened]) -> None:
        """See whether a round begins, or the table cannot be replayed for want of its game."""
        for record, event in happened:
            kind = type(event)
            if kind is RoundBegan:
                self._doubtful = False
            elif kind is TableInstalled:
                self._doubtful, self._blind = False, not self.case.games.has(event.game)
                if self._blind:
                    sentence = f"Nothing that follows can be replayed: game {event.game} is lost."
                    self.case.note(record, "game", sentence)
        uninstalled = isinstance(self.book, UninstalledTable)
        if uninstalled and not self._blind and type(happened[0][1]) is not TableInstalled:
            self._blind = True
            sentence = "Nothing that follows can be replayed: the table was never set up."
            self.case.note(happened[0][0], "rules", sentence)

    def _decide(self, happened: list[Happened]) -> None:
        """Decide a command anew; once something is wrong in a round, the rest of it proves nothing."""
        books, record = AuditBooks(self.case, self.book), happened[0][0]
        try:
            found = verdict(books, self.book, happened)
        except Exception:  # noqa: BLE001  an altered event may break anything; that is to be told
            found = record, "rules", "It cannot be decided anew: the state before it does not allow it."
        if found is not None:
            self.case.note(*found)
            self._doubtful = True

    def event(self, record: Recorded, event: Any) -> None:
        """Replay one event."""
        kind = type(event)
        if kind in OF_CARDS and not _are_cards(event):
            self.case.note(record, "deal", "There are no such cards.")
            self._doubtful = True
            return
        if isinstance(event, TableRestored) and event.restore not in self.case.restores:
            self.case.note(record, "inserted", f"The house records no restore {event.restore}.")
        self._shuffles.before(self.book, record, event)
        if kind in PAIRED:
            self._others.look(self.book, record, event)
        moved = self.fold(record, event, quietly=self._doubtful)
        if moved is None:
            self._doubtful = True
            return
        if moved:
            self._overdrawn(record, moved)
        if kind in ENDING:
            self._finished(record, event)

    @property
    def game(self) -> str:
        """Return the game that is pinned now."""
        return self.book.game

    def _overdrawn(self, record: Recorded, moved: list[Move]) -> None:
        for move in moved:
            if self.book.held.get(move.giver, 0) < 0 and move.giver.startswith(OF_PLAYERS):
                self.case.note(record, "overdrawn", f"More is taken from {move.giver} than it holds.")

    def _finished(self, record: Recorded, event: RoundEnded | RoundVoided) -> None:
        """Settle a round anew."""
        self.case.tally["rounds"] += 1
        self.case.tally["settlements"] += isinstance(event, RoundEnded)
        over = self.book.state.finished if isinstance(self.book, TableBook) else None
        try:
            found = [] if over is None else [*faults(over, event, self._others.awards)]
        except Exception:  # noqa: BLE001  altered cards may break anything; that is to be told
            found = [("settlement", "It cannot be settled anew: its cards or its wagers are none.")]
        for what, sentence in found:
            self.case.note(record, what, sentence)
        left = {name for name, units in self.book.held.items() if units and name.startswith("layout/")}
        for name in sorted(left - self._left):
            self.case.note(record, "settlement", f"The round is over, and {name} is not empty.")
        self._left = left

    def end(self) -> None:
        """Hold what is left against what is kept."""
        if self._blind:
            self.case.forget(self.stream, self.name)
            return
        super().end()
        self._shuffles.end()


def _are_cards(event: CardsDealt | FaceUpCardDiscarded) -> bool:
    cards = event.cards if isinstance(event, CardsDealt) else (event.card,)
    return DECK_SET.issuperset(cards)

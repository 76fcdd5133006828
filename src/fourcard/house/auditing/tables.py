"""Table replay: decides every command again, and checks shuffles, deals, settlements and chips."""

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
"""Prefixes of accounts that can never be overdrawn."""


class TableReplay(Replay):
    """Rebuilds the state of a table."""

    book: AnyTable

    def __init__(self, context: Case, stream: str) -> None:
        """Start before the table is installed."""
        super().__init__(context, stream)
        self._counterparts = Counterparts(context)
        self._shuffles = Shuffles(context, self.name, stream)
        self._faulty = False
        """Whether something was wrong in the current round, so that the rest of it proves nothing."""
        self._unreplayable = False
        """Whether the table cannot be replayed at all, because its game is missing."""
        self._left: set[str] = set()
        """Layout accounts that were not empty after the last round."""

    def command(self, happened: list[Happened]) -> None:
        """Decide a command again, then replay its events."""
        self.context.tally["commands"] += 1
        self.context.authored(happened[0][0])
        self._look_ahead(happened)
        if self._unreplayable:
            for record, _ in happened:
                self.context.ledger.accept(record)
            return
        if not self._faulty:
            self._decide(happened)
        for record, event in happened:
            self.event(record, event)
        self._shuffles.after(self.book, happened[-1][0])

    def _look_ahead(self, happened: list[Happened]) -> None:
        """Check whether a round begins, or the table cannot be replayed because its game is missing."""
        for record, event in happened:
            kind = type(event)
            if kind is RoundBegan:
                self._faulty = False
            elif kind is TableInstalled:
                self._faulty, self._unreplayable = False, not self.context.games.has(event.game)
                if self._unreplayable:
                    sentence = f"Nothing that follows can be replayed: game {event.game} is missing."
                    self.context.note(record, "game", sentence)
        uninstalled = isinstance(self.book, UninstalledTable)
        if uninstalled and not self._unreplayable and type(happened[0][1]) is not TableInstalled:
            self._unreplayable = True
            sentence = "Nothing that follows can be replayed: the table was never installed."
            self.context.note(happened[0][0], "rules", sentence)

    def _decide(self, happened: list[Happened]) -> None:
        """Decide a command again; after a fault, the rest of the round proves nothing."""
        books, record = AuditBooks(self.context, self.book), happened[0][0]
        try:
            found = verdict(books, self.book, happened)
        except Exception:  # noqa: BLE001  an altered event can break anything; report it
            found = record, "rules", "It cannot be decided again: the state before it does not allow it."
        if found is not None:
            self.context.note(*found)
            self._faulty = True

    def event(self, record: Recorded, event: Any) -> None:
        """Replay one event."""
        kind = type(event)
        if kind in OF_CARDS and not _are_cards(event):
            self.context.note(record, "deal", "It names cards that do not exist.")
            self._faulty = True
            return
        if isinstance(event, TableRestored) and event.restore not in self.context.restores:
            self.context.note(record, "inserted", f"The house records no restore {event.restore}.")
        self._shuffles.before(self.book, record, event)
        if kind in PAIRED:
            self._counterparts.look(self.book, record, event)
        moved = self.fold(record, event, quietly=self._faulty)
        if moved is None:
            self._faulty = True
            return
        if moved:
            self._check_overdrawn(record, moved)
        if kind in ENDING:
            self._check_settlement(record, event)

    @property
    def game(self) -> str:
        """Return the hash of the pinned game."""
        return self.book.game

    def _check_overdrawn(self, record: Recorded, moved: list[Move]) -> None:
        for move in moved:
            if self.book.held.get(move.giver, 0) < 0 and move.giver.startswith(OF_PLAYERS):
                self.context.note(record, "overdrawn", f"The account {move.giver} is overdrawn.")

    def _check_settlement(self, record: Recorded, event: RoundEnded | RoundVoided) -> None:
        """Settle a finished round again."""
        self.context.tally["rounds"] += 1
        self.context.tally["settlements"] += isinstance(event, RoundEnded)
        over = self.book.state.finished if isinstance(self.book, TableBook) else None
        try:
            found = [] if over is None else [*faults(over, event, self._counterparts.awards)]
        except Exception:  # noqa: BLE001  altered cards can break anything; report it
            found = [("settlement", "It cannot be settled again: its cards or its wagers are invalid.")]
        for what, sentence in found:
            self.context.note(record, what, sentence)
        left = {name for name, units in self.book.held.items() if units and name.startswith("layout/")}
        for name in sorted(left - self._left):
            self.context.note(record, "settlement", f"The round is over, but {name} is not empty.")
        self._left = left

    def end(self) -> None:
        """Compare the final state with the stored secrets and snapshot."""
        if self._unreplayable:
            self.context.forget(self.stream, self.name)
            return
        super().end()
        self._shuffles.end()


def _are_cards(event: CardsDealt | FaceUpCardDiscarded) -> bool:
    cards = event.cards if isinstance(event, CardsDealt) else (event.card,)
    return DECK_SET.issuperset(cards)

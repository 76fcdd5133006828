"""Replaying a table: each command decided anew, shuffles, deals and settlements checked, chips paired."""

from typing import Any

from fourcard.cards import DECK_SET
from fourcard.house.auditing.case import Case
from fourcard.house.auditing.deciding import Happened, verdict
from fourcard.house.auditing.pairs import Waiting
from fourcard.house.auditing.replaying import Replay
from fourcard.house.auditing.settlements import faults
from fourcard.house.auditing.shuffles import Shuffles
from fourcard.house.events import (
    AwardTaken,
    BoughtIn,
    CashedOut,
    ChipsBought,
    ChipsReturned,
    TableInstalled,
)
from fourcard.house.meter_book import MeterBook, stakes_added, taken_back
from fourcard.house.outcome import meter_stream, player_stream
from fourcard.house.player_book import PlayerBook
from fourcard.house.postings import Move
from fourcard.house.records import Recorded
from fourcard.house.staff import StaffState
from fourcard.house.table_book import TableBook
from fourcard.meter import Meter
from fourcard.round.events import (
    AwardPaid,
    CardsDealt,
    FaceUpCardDiscarded,
    ProgressiveLocked,
    RoundEnded,
    RoundVoided,
)
from fourcard.rules.game import Game
from fourcard.rules.options import MOST_CENTS
from fourcard.table.events import RoundBegan

OF_CARDS = frozenset((CardsDealt, FaceUpCardDiscarded))
ENDING = frozenset((RoundEnded, RoundVoided))
PAIRED = frozenset((BoughtIn, CashedOut, ProgressiveLocked, AwardPaid, RoundVoided))
"""What another stream tells too."""
OF_PLAYERS = ("chips/", "layout/")
"""Accounts that can never be overdrawn."""


class TableReplay(Replay):
    """Rebuilds a table."""

    book: TableBook

    def __init__(self, case: Case, stream: str) -> None:
        """Begin before the table was set up."""
        super().__init__(case, stream)
        self._shuffles = Shuffles(case, self.name, stream)
        self._doubtful = False
        """Whether something was wrong in the round under way, so that the rest of it proves nothing."""
        self._blind = False
        """Whether the table cannot be replayed at all, for want of its game."""
        self._awards: list[Meter] = []
        """The meter at the turn of each award of the round under way."""

    def command(self, happened: list[Happened]) -> None:
        """Replay the events of one command, having decided it anew."""
        self.case.tally["commands"] += 1
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
        """See whether a round begins, or the table's game is lost."""
        for record, event in happened:
            if isinstance(event, RoundBegan):
                self._doubtful, self._awards = False, []
            elif isinstance(event, TableInstalled):
                self._doubtful, self._blind = False, False
                if not self.case.games.has(event.game):
                    self._blind = True
                    self.case.note(
                        record, "game", f"Nothing that follows can be replayed: game {event.game} is lost."
                    )

    def _decide(self, happened: list[Happened]) -> None:
        books = AuditBooks(self.case, self.book)
        fault = "It cannot be decided anew: the state before it does not allow it."
        record = happened[0][0]
        found = self._try(record, "rules", fault, lambda: verdict(books, self.book, happened))
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
        self._shuffles.before(self.book, record, event)
        if kind in PAIRED:
            self._pair(record, event)
        moved = self.fold(record, event)
        if moved is None:
            self._doubtful = True
            return
        if moved:
            self._overdrawn(record, moved)
        if record.game != self.book.game:
            self.case.note(record, "game", f"It names game {record.game}; the table's is {self.book.game}.")
        if kind in ENDING:
            self._finished(record, event)

    def _pair(self, record: Recorded, event: Any) -> None:
        """Find what a meter or an account says of the same."""
        if isinstance(event, BoughtIn):
            bought = ChipsBought(self.name, event.cents)
            self._of_player(record, event.player, "chips_bought", bought)
        elif isinstance(event, CashedOut):
            returned = ChipsReturned(self.name, event.cents)
            self._of_player(record, event.player, "chips_returned", returned)
        elif self.book.meter and self.book.state is not None:
            self._of_meter(record, event, self.book.state.number)

    def _of_player(self, record: Recorded, player: str, kind: str, right: object) -> None:
        sign = kind, record.at
        self.case.pairs.match(player_stream(player), self.name, record, sign, lambda _: right)

    def _of_meter(self, record: Recorded, event: Any, number: int) -> None:
        stream, match = meter_stream(self.book.meter), self.case.pairs.match
        if isinstance(event, ProgressiveLocked) and event.stakes:
            sign = "stakes_added", number
            match(
                stream,
                self.name,
                record,
                sign,
                lambda w: stakes_added(before(w), self.name, number, event.stakes),
            )
        elif isinstance(event, AwardPaid):
            taken = AwardTaken(self.name, number, event.payment)
            found = match(stream, self.name, record, ("award_taken", number), lambda _: taken)
            self._awards.append(before(found).meter)
        elif isinstance(event, RoundVoided) and (event.contributions or self._awards):
            sign = "round_taken_back", number
            match(stream, self.name, record, sign, lambda w: taken_back(before(w), self.name, number))

    def _overdrawn(self, record: Recorded, moved: list[Move]) -> None:
        for move in moved:
            if self.book.held.get(move.giver, 0) < 0 and move.giver.startswith(OF_PLAYERS):
                self.case.note(record, "overdrawn", f"More is taken from {move.giver} than it holds.")

    def _finished(self, record: Recorded, event: RoundEnded | RoundVoided) -> None:
        """Settle a round anew."""
        state, tally = self.book.state, self.case.tally
        tally["rounds"] += 1
        tally["settlements"] += isinstance(event, RoundEnded)
        assert state is not None
        assert state.finished is not None
        try:
            found = [*faults(state.finished, event, self._awards)]
        except Exception:  # noqa: BLE001  altered cards may break anything; that is to be told
            found = [("settlement", "It cannot be settled anew: its cards or wagers are none.")]
        for what, sentence in found:
            self.case.note(record, what, sentence)
        left = [name for name, units in self.book.held.items() if units and name.startswith("layout/")]
        if left:
            self.case.note(record, "settlement", f"The round is over, and {', '.join(left)} is not empty.")

    def end(self) -> None:
        """Hold what is left against what is kept."""
        super().end()
        if self._blind:
            self.case.pairs.forget(self.name)
            self.case.secrets = {
                key: each for key, each in self.case.secrets.items() if key[0] != self.stream
            }
        else:
            self._shuffles.end()


def _are_cards(event: CardsDealt | FaceUpCardDiscarded) -> bool:
    cards = event.cards if isinstance(event, CardsDealt) else (event.card,)
    return DECK_SET.issuperset(cards)

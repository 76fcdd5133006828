"""Cross-stream counterparts: the account or meter event that a table's event must have."""

from functools import partial
from typing import Any

from fourcard.house.auditing.books import before
from fourcard.house.auditing.case import Case
from fourcard.house.auditing.pairs import Waiting
from fourcard.house.events import BoughtIn, CashedOut, ChipsBought, ChipsReturned, TableInstalled
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_events import AwardLogged, StakesAdded, TableLinked, TableUnlinked
from fourcard.house.meter_follow import award_logged, award_taken, stakes_added, taken_back, terms
from fourcard.house.outcome import meter_stream, player_stream
from fourcard.house.records import Recorded
from fourcard.house.table_book import AnyTable, TableBook
from fourcard.meter import Meter
from fourcard.progressive.events import WinLogged
from fourcard.round.events import AwardPaid, ProgressiveLocked, RoundVoided, Stake
from fourcard.table.events import RoundBegan

PAIRED = frozenset(
    (TableInstalled, BoughtIn, CashedOut, RoundBegan, ProgressiveLocked, WinLogged, AwardPaid, RoundVoided)
)
"""Events that may have a counterpart in another stream, and the start of a round."""


class Counterparts:
    """Checks the counterparts of one table's events."""

    def __init__(self, context: Case) -> None:
        """Start before the first round."""
        self._context, self._pairs = context, context.pairs
        self.awards: list[Meter] = []
        """The meter before each award of the current round."""

    def look(self, book: AnyTable, record: Recorded, event: Any) -> None:
        """Check the counterpart of an event, given the table before it."""
        if isinstance(event, RoundBegan):
            self.awards = []
        elif isinstance(event, BoughtIn):
            self._chip_events(book, record, event, "chips_bought", ChipsBought(book.table, event.cents))
        elif isinstance(event, CashedOut):
            self._chip_events(book, record, event, "chips_returned", ChipsReturned(book.table, event.cents))
        elif isinstance(event, TableInstalled):
            self._link_events(book, record, event)
        elif book.meter and isinstance(book, TableBook):
            self._meter_event(book, record, event, book.state.number)

    def _chip_events(
        self, book: AnyTable, record: Recorded, event: BoughtIn | CashedOut, kind: str, right: object
    ) -> None:
        account, sign = player_stream(event.player), (kind, record.at)
        self._pairs.match(account, book.table, record, sign, lambda _: right)

    def _link_events(self, book: AnyTable, record: Recorded, event: TableInstalled) -> None:
        """Check the link events of the meters when a table is installed."""
        table, match = book.table, self._pairs.match
        if book.meter and book.meter != event.meter:
            sign = "table_unlinked", record.at
            match(meter_stream(book.meter), table, record, sign, lambda _: TableUnlinked(table))
        if event.meter and event.meter != book.meter:
            sign = "table_linked", record.at
            match(meter_stream(event.meter), table, record, sign, lambda _: TableLinked(table))

    def _meter_event(self, book: TableBook, record: Recorded, event: Any, number: int) -> None:
        stream, table, match = meter_stream(book.meter), book.table, self._pairs.match
        if isinstance(event, ProgressiveLocked) and event.stakes:
            sign, stakes = ("stakes_added", number), event.stakes
            added = partial(_stakes, table, number, stakes)
            self._check_terms(book, record, before(match(stream, table, record, sign, added)))
        elif isinstance(event, WinLogged):
            sign, at = ("award_logged", number), record.at
            right = partial(_logged, table, number, event, at)
            self.awards.append(before(match(stream, table, record, sign, right)).meter)
        elif isinstance(event, AwardPaid):
            sign = "award_taken", number
            match(stream, table, record, sign, lambda w: award_taken(before(w), table, number, event))
        elif isinstance(event, RoundVoided) and (event.contributions or self.awards):
            sign = "round_taken_back", number
            match(stream, table, record, sign, lambda w: taken_back(before(w), table, number))

    def _check_terms(self, book: TableBook, record: Recorded, meter: MeterBook) -> None:
        """Report stakes of a table whose progressive terms differ from its meter's."""
        games = self._context.games
        if not games.has(meter.terms):
            return
        if terms(book.state.game) != terms(games.game(meter.terms)):
            self._context.note(record, "meter", "The table's progressive terms are not those of its meter.")


def _stakes(table: str, number: int, stakes: tuple[Stake, ...], found: Waiting) -> StakesAdded:
    return stakes_added(before(found), table, number, stakes)


def _logged(table: str, number: int, win: WinLogged, at: int, found: Waiting) -> AwardLogged:
    return award_logged(before(found), table, number, win, at)

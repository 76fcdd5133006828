"""What a table's event must have beside it in another stream: in an account, or in a meter."""

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
"""What another stream may tell too, and what a round begins with."""


class Counterparts:
    """Finds the counterparts of one table's events."""

    def __init__(self, case: Case) -> None:
        """Begin before the first round."""
        self._case, self._pairs = case, case.pairs
        self.awards: list[Meter] = []
        """The meter at the turn of each award of the round under way."""

    def look(self, book: AnyTable, record: Recorded, event: Any) -> None:
        """Find what a meter or an account says of the same, with the table as it was before."""
        if isinstance(event, RoundBegan):
            self.awards = []
        elif isinstance(event, BoughtIn):
            self._chips(book, record, event, "chips_bought", ChipsBought(book.table, event.cents))
        elif isinstance(event, CashedOut):
            self._chips(book, record, event, "chips_returned", ChipsReturned(book.table, event.cents))
        elif isinstance(event, TableInstalled):
            self._links(book, record, event)
        elif book.meter and isinstance(book, TableBook):
            self._of_meter(book, record, event, book.state.number)

    def _chips(
        self, book: AnyTable, record: Recorded, event: BoughtIn | CashedOut, kind: str, right: object
    ) -> None:
        account, sign = player_stream(event.player), (kind, record.at)
        self._pairs.match(account, book.table, record, sign, lambda _: right)

    def _links(self, book: AnyTable, record: Recorded, event: TableInstalled) -> None:
        """Find what the meters heard of a table that was set up."""
        table, match = book.table, self._pairs.match
        if book.meter and book.meter != event.meter:
            sign = "table_unlinked", record.at
            match(meter_stream(book.meter), table, record, sign, lambda _: TableUnlinked(table))
        if event.meter and event.meter != book.meter:
            sign = "table_linked", record.at
            match(meter_stream(event.meter), table, record, sign, lambda _: TableLinked(table))

    def _of_meter(self, book: TableBook, record: Recorded, event: Any, number: int) -> None:
        stream, table, match = meter_stream(book.meter), book.table, self._pairs.match
        if isinstance(event, ProgressiveLocked) and event.stakes:
            sign, stakes = ("stakes_added", number), event.stakes
            added = partial(_stakes, table, number, stakes)
            self._hold_terms(book, record, before(match(stream, table, record, sign, added)))
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

    def _hold_terms(self, book: TableBook, record: Recorded, meter: MeterBook) -> None:
        """Note stakes of a table that plays by other terms than its meter."""
        games = self._case.games
        if not games.has(meter.terms):
            return
        if terms(book.state.game) != terms(games.game(meter.terms)):
            self._case.note(record, "meter", "The table plays by other terms than its meter.")


def _stakes(table: str, number: int, stakes: tuple[Stake, ...], found: Waiting) -> StakesAdded:
    return stakes_added(before(found), table, number, stakes)


def _logged(table: str, number: int, win: WinLogged, at: int, found: Waiting) -> AwardLogged:
    return award_logged(before(found), table, number, win, at)

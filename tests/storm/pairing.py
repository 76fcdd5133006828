"""Streams under watch together: what one says of another, the other says too, in the same commit."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from fourcard.house.events import BoughtIn, CashedOut, ChipsBought, ChipsReturned, TableInstalled
from fourcard.house.meter_events import (
    AwardLogged,
    AwardTaken,
    RoundTakenBack,
    StakesAdded,
    TableLinked,
    TableUnlinked,
)
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from fourcard.meter import UNITS_PER_CENT
from fourcard.progressive.events import WinLogged
from fourcard.round.events import AwardPaid, ProgressiveLocked, RoundVoided
from tests.storm.tally import Tally, demand
from tests.storm.witness import News, Seen


class PairingWatch:
    """Counts what tables say of accounts and meters against what those say of tables."""

    def __init__(self, tally: Tally) -> None:
        """Begin with nothing open."""
        self.tally = tally
        self.open: Counter[tuple[Any, ...]] = Counter()
        self.touched: set[tuple[str, int]] = set()
        """Rounds that brought something to a meter or took something from it."""

    def saw(self, seen: Seen) -> None:
        """Count an event on its side."""
        name = seen.record.stream.partition("/")[2]
        if isinstance(seen.after, TableBook):
            for said in (*self._said_by_table(name, seen.after, seen.event), *_links(name, seen)):
                self.open[said] += 1
        else:
            for said in _said_of_table(name, seen.event):
                self.open[said] -= 1

    def _said_by_table(self, table: str, book: TableBook, event: object) -> list[tuple[Any, ...]]:
        if isinstance(event, BoughtIn):
            return [("bought", table, event.player, event.cents)]
        if isinstance(event, CashedOut):
            return [("cashed", table, event.player, event.cents)]
        return self._said_of_meter(table, book, event) if book.meter else []

    def _said_of_meter(self, table: str, book: TableBook, event: object) -> list[tuple[Any, ...]]:
        place = (book.meter, table, book.state.number)
        if isinstance(event, ProgressiveLocked) and event.stakes:
            self.touched.add((table, book.state.number))
            return [("stakes", *place, tuple(stake for _, stake in event.stakes))]
        if isinstance(event, WinLogged):
            return [("win", *place, _told(event))]
        if isinstance(event, AwardPaid):
            self.touched.add((table, book.state.number))
            return [("award", *place, event.payment)]
        if isinstance(event, RoundVoided) and (table, book.state.number) in self.touched:
            return [("void", *place)]
        return []

    def rest(self, _reading: Reading, _news: News) -> None:
        """Find that nothing was said by one side only."""
        halves = {said: count for said, count in self.open.items() if count}
        demand(not halves, "one stream has what another lacks", halves)
        self.tally.checked["pairs of events in two streams"] += len(self.open)
        self.open.clear()


def _said_of_table(name: str, event: object) -> list[tuple[Any, ...]]:
    says = _SAYINGS.get(type(event))
    return [] if says is None else [says(name, event)]


def _stakes(name: str, event: StakesAdded) -> tuple[Any, ...]:
    whole = [part.to_meter + part.to_reserve + part.to_house for part in event.parts]
    return "stakes", name, event.table, event.round, tuple(each // UNITS_PER_CENT for each in whole)


def _links(table: str, seen: Seen) -> list[tuple[Any, ...]]:
    """Return what a table that is set up says of the meters that it had and has."""
    if not isinstance(seen.event, TableInstalled):
        return []
    before = seen.before.meter if isinstance(seen.before, TableBook) else ""
    after = seen.event.meter
    told = (("unlinked", before, table), ("linked", after, table))
    return [each for each in told if each[1] and before != after]


def _told(win: WinLogged | AwardLogged) -> tuple[Any, ...]:
    """Return what a table and its meter must say alike of a win."""
    amounts = win.payment, win.before, win.after
    people = win.player, win.marked_by, win.confirmed_by, win.confirmed_as
    return win.position, win.row, *amounts, *people, win.cards


_SAYINGS: dict[type, Callable[[str, Any], tuple[Any, ...]]] = {
    ChipsBought: lambda name, event: ("bought", event.table, name, event.cents),
    ChipsReturned: lambda name, event: ("cashed", event.table, name, event.cents),
    StakesAdded: _stakes,
    AwardLogged: lambda name, event: ("win", name, event.table, event.round, _told(event)),
    AwardTaken: lambda name, event: ("award", name, event.table, event.round, event.payment),
    RoundTakenBack: lambda name, event: ("void", name, event.table, event.round),
    TableLinked: lambda name, event: ("linked", name, event.table),
    TableUnlinked: lambda name, event: ("unlinked", name, event.table),
}
"""What accounts and meters say of tables."""

"""Meters under watch: each is reckoned a second time, from its events alone, to the unit."""

from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_events import (
    AdjustmentProposed,
    AdjustmentRejected,
    AwardLogged,
    AwardTaken,
    LinkClosed,
    LinkOpened,
    MeterAdjusted,
    MeterStarted,
    RoundTakenBack,
    StakesAdded,
    TermsChanged,
)
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from fourcard.round.events import ProgressiveLocked
from tests.storm.reckoning import Reckoning
from tests.storm.tally import Tally, demand
from tests.storm.witness import News, Seen, Witness


class MetersWatch:
    """Reckons every meter, and holds desk, journal and ledger to it."""

    def __init__(self, witness: Witness, tally: Tally) -> None:
        """Begin without a meter."""
        self.witness, self.tally = witness, tally
        self.meters: dict[str, Reckoning] = {}
        self.locked: dict[tuple[str, str], int] = {}
        """By meter and table, the cents that were locked in at the table."""

    def saw(self, seen: Seen) -> None:
        """Reckon with an event of a meter; of a table, note what was locked in for its meter."""
        event, book = seen.event, seen.after
        if isinstance(book, TableBook) and isinstance(event, ProgressiveLocked) and book.meter:
            place = (book.meter, book.table)
            self.locked[place] = self.locked.get(place, 0) + sum(stake for _, stake in event.stakes)
        elif isinstance(book, MeterBook):
            known = self.meters.setdefault(book.name, Reckoning(book.name, self.tally))
            self._reckon(known, seen)

    def _reckon(self, known: Reckoning, seen: Seen) -> None:
        event, by = seen.event, seen.record.by
        if isinstance(event, MeterStarted):
            known.started(event)
        elif isinstance(event, StakesAdded):
            known.stakes(event)
        elif isinstance(event, AwardLogged):
            known.logged(event, by)
        elif isinstance(event, AwardTaken):
            known.taken(event)
        elif isinstance(event, RoundTakenBack):
            known.taken_back(event)
        elif isinstance(event, AdjustmentProposed | AdjustmentRejected | MeterAdjusted):
            known.adjusting(event, by)
        elif isinstance(event, LinkClosed | LinkOpened | TermsChanged):
            known.link(event)

    def rest(self, reading: Reading, news: News) -> None:
        """Find every meter that moved where it must be, in the books of the desk and in the ledger."""
        balances = reading.balances()
        for name, known in self.meters.items():
            for account, units in known.accounts().items():
                demand(balances.get(account, 0) == units, "the ledger has another meter", account, units)
            self.tally.checked["meters equal to the ledger"] += 1
            if f"meter/{name}" in news:
                known.compare(self.witness.meter(name))
                self._look_at_stakes(known)

    def _look_at_stakes(self, known: Reckoning) -> None:
        """Find no stake lost and none added twice: what a table locked in is what the meter heard of."""
        mine = {
            table: cents for (meter, table), cents in self.locked.items() if meter == known.name and cents
        }
        demand(mine == known.wagered, "stakes were lost or doubled", known.name, mine, known.wagered)
        self.tally.checked["stakes added as they were locked in"] += 1

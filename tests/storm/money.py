"""Money under watch: conserved, never owed by a player, and the same in ledger, journal and round."""

from collections.abc import Mapping

from fourcard.house import accounts
from fourcard.house.events import BoughtIn, CashedOut, TrayCredited, TrayFilled
from fourcard.house.meter_book import MeterBook
from fourcard.house.player_book import PlayerBook
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from fourcard.meter import UNITS_PER_CENT
from fourcard.round.state import RoundState
from fourcard.table.events import RoundBegan, TableClosed
from tests.storm.tally import BrokenError, Tally, demand
from tests.storm.witness import News, Seen, Witness

OWED_BY_NOBODY = ("player/", "chips/", "layout/", "drop/", "meter/", "reserve/", "prizes/")
"""Accounts that never fall below nothing."""


class MoneyWatch:
    """Follows every account by the events alone, and finds the same in the store and in each round."""

    def __init__(self, witness: Witness, tally: Tally) -> None:
        """Begin with no money anywhere."""
        self.witness, self.tally = witness, tally
        self.ledger: dict[str, int] = {}
        self._moved: set[str] = set()
        """Accounts that the news moved."""
        self.tables: dict[str, dict[str, int]] = {}
        """By table, what its events moved into every account."""
        self.began: dict[str, dict[str, int]] = {}
        """By table, the same when its last round began, and what moved besides since then."""

    def saw(self, seen: Seen) -> None:
        """Move what an event moved."""
        books = [self.ledger]
        if isinstance(seen.after, TableBook):
            books.append(self.tables.setdefault(seen.after.table, {}))
        for move in seen.moved:
            demand(move.units > 0, "a movement of nothing", move)
            for units in books:
                _add(units, move.giver, -move.units)
                _add(units, move.taker, move.units)
            self._moved |= {move.giver, move.taker}
        if isinstance(seen.after, TableBook):
            self._follow(seen.after, seen.event)

    def _follow(self, book: TableBook, event: object) -> None:
        """Keep what the accounts of a table would hold if the round had not been."""
        if isinstance(event, RoundBegan):
            self.began[book.table] = dict(self.tables[book.table])
            return
        if isinstance(event, TableClosed):
            self.began.pop(book.table, None)
        base, names = self.began.get(book.table), book.names
        if base is None:
            return
        if isinstance(event, BoughtIn):
            _add(base, names.chips(event.player), event.cents * UNITS_PER_CENT)
            _add(base, names.tray, -event.cents * UNITS_PER_CENT)
        elif isinstance(event, CashedOut):
            _add(base, names.chips(event.player), -event.cents * UNITS_PER_CENT)
        elif isinstance(event, TrayFilled):
            _add(base, names.tray, event.cents * UNITS_PER_CENT)
        elif isinstance(event, TrayCredited):
            _add(base, names.tray, -event.cents * UNITS_PER_CENT)

    def rest(self, reading: Reading, news: News) -> None:
        """Compare the store's balances with the events', and each state that moved with both."""
        balances = reading.balances()
        mine = {account: units for account, units in self.ledger.items() if units}
        if balances != mine:
            raise BrokenError(f"the ledger is not the journal's: {difference(balances, mine)}")
        demand(sum(balances.values()) == 0, "money came from nowhere", sum(balances.values()))
        for account in self._moved:
            units = balances.get(account, 0)
            demand(units >= 0 or not account.startswith(OWED_BY_NOBODY), "an account owes", account, units)
        self.tally.checked["balances conserved and as the journal says"] += 1
        for stream in news:
            book = self.witness.books.get(stream)
            if isinstance(book, TableBook):
                self._look_at_table(book)
            elif isinstance(book, PlayerBook):
                self._equal(accounts.player(book.player), book.cents * UNITS_PER_CENT)
            elif isinstance(book, MeterBook):
                self._equal(accounts.meter(book.name), book.meter.amount)
                self._equal(accounts.reserve(book.name), book.meter.reserve)
                self._equal(accounts.prizes(book.name), book.owed)
        self._moved.clear()

    def _equal(self, account: str, units: int) -> None:
        held = self.ledger.get(account, 0)
        demand(held == units, "a state holds another amount than the ledger", account, held, units)
        self.tally.checked["accounts equal to their state"] += 1

    def _look_at_table(self, book: TableBook) -> None:
        """Find on the layout, in pockets and tray what the game itself says of the round."""
        state = book.state
        for account in self._moved:
            if account in book.names.own:
                self._equal(account, book.held.get(account, 0))
        lying = sum(units for account, units in book.held.items() if account.startswith("layout/"))
        under_way = 0 if state.round is None else state.round.layout * UNITS_PER_CENT
        demand(lying == under_way, "the layout holds another amount", book.table, lying, under_way)
        last = state.round or state.finished
        if last is not None and book.table in self.began:
            self._look_at_round(book, last, self.began[book.table])

    def _look_at_round(self, book: TableBook, last: RoundState, base: Mapping[str, int]) -> None:
        """Find that chips, tray and meter changed by what the round says, however it was posted.

        What the meter pays comes out of the prizes that are owed, and goes back to the meter if it is void.
        """
        names, moved = book.names, self.tables[book.table]
        gained: dict[tuple[str, ...], int] = {
            (names.tray,): last.tray,
            (names.meter, names.prizes): last.meter,
        }
        for position, place in last.places.items():
            pocket = (names.chips(place.player),)
            gained[pocket] = gained.get(pocket, 0) + last.pockets.get(position, 0)
        for account, cents in gained.items():
            wanted = sum(base.get(each, 0) for each in account) + cents * UNITS_PER_CENT
            found = sum(moved.get(each, 0) for each in account)
            demand(found == wanted, "a round moved another amount", account, found, wanted)
        self.tally.checked["rounds equal to their postings"] += 1


def _add(units: dict[str, int], account: str, more: int) -> None:
    units[account] = units.get(account, 0) + more


def difference(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return where two balances differ."""
    names = sorted({*one, *other})
    pairs = {name: (one.get(name, 0), other.get(name, 0)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

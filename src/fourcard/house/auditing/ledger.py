"""Ledger check: compares every stored transfer with the one that the events lead to, and every balance."""

from collections.abc import Iterator, Mapping, Sequence

from fourcard.house.accounts import Transfer
from fourcard.house.auditing.report import Findings, Kind, Place, moment
from fourcard.house.postings import Move
from fourcard.house.records import Recorded
from fourcard.meter import UNITS_PER_CENT

IN_PARTS = ("meter/", "reserve/", "link/")
"""Accounts that may hold fractions of a cent."""
Key = tuple[str, int, int]


class Ledger:
    """Reads the stored transfers in stream order, alongside the events that they come from."""

    def __init__(self, stored: Iterator[Transfer], findings: Findings) -> None:
        """Start before the first transfer."""
        self.findings = findings
        self.balances: dict[str, int] = {}
        """The balance of every account by the events alone, in units."""
        self.count = 0
        self._stored = stored
        self._next = next(stored, None)

    def post(self, record: Recorded, moves: Sequence[Move]) -> None:
        """Post the transfers of an event, and compare the stored ones with them."""
        balances, stream, sequence = self.balances, record.stream, record.sequence
        for number, move in enumerate(moves):
            giver, taker, units = move.giver, move.taker, move.units
            balances[giver] = balances.get(giver, 0) - units
            balances[taker] = balances.get(taker, 0) + units
            stored = self._next
            right = Transfer(stream, sequence, number, giver, taker, units, move.what, move.wager, record.at)
            if stored == right:
                self._next = next(self._stored, None)
            else:
                self._report_difference(right)
        self.count += len(moves)

    def accept(self, record: Recorded) -> None:
        """Accept the stored transfers of an event that could not be replayed."""
        self._report_inserted_before((record.stream, record.sequence, 0))
        while self._next is not None and _key(self._next)[:2] == (record.stream, record.sequence):
            for account, units in (
                (self._next.giver, -self._next.amount),
                (self._next.taker, self._next.amount),
            ):
                self.balances[account] = self.balances.get(account, 0) + units
            self._next = next(self._stored, None)

    def end(self) -> None:
        """Report the remaining transfers, which no event leads to."""
        while self._next is not None:
            self._report_inserted()

    def _report_difference(self, right: Transfer) -> None:
        """Report whether a transfer is missing or altered, or others were inserted before it."""
        self._report_inserted_before(_key(right))
        stored = self._next
        if stored is None or _key(stored) != _key(right):
            self._note(right, "missing", f"The journal moves {_describe(right)}; the ledger does not.")
            return
        if stored != right:
            self._note(
                right, "altered", f"The ledger moves {_describe(stored)}; the journal {_describe(right)}."
            )
        self._next = next(self._stored, None)

    def _report_inserted_before(self, key: Key) -> None:
        while self._next is not None and _key(self._next) < key:
            self._report_inserted()

    def _report_inserted(self) -> None:
        assert self._next is not None
        self._note(self._next, "inserted", f"No event moves {_describe(self._next)}.")
        self._next = next(self._stored, None)

    def _note(self, transfer: Transfer, what: Kind, sentence: str) -> None:
        self.findings.add(Place("transfers", *_key(transfer)), what, sentence)

    def hold(self, stored: Mapping[str, int]) -> None:
        """Compare every balance with the sum of its transfers, and the total with zero."""
        right = {account: units for account, units in self.balances.items() if units}
        for account in sorted({*right, *stored}):
            place = Place("balances", account)
            actual, expected = stored.get(account), right.get(account, 0)
            if actual is None:
                self.findings.add(place, "missing", f"It must hold {_units(expected)}, but it is missing.")
            elif actual != expected:
                what: Kind = "altered" if account in self.balances else "inserted"
                sentence = f"It holds {_units(actual)}; its transfers add up to {_units(expected)}."
                self.findings.add(place, what, sentence)
            if actual is not None and actual % UNITS_PER_CENT and not account.startswith(IN_PARTS):
                self.findings.add(place, "fraction", f"It holds {_units(actual)}, which is not a whole cent.")
        total = sum(stored.values())
        if total:
            place = Place("balances", "all accounts")
            self.findings.add(place, "altered", f"The sum of all accounts is {_units(total)}, not zero.")


def _key(transfer: Transfer) -> Key:
    return transfer.stream, transfer.sequence, transfer.number


def _describe(transfer: Transfer) -> str:
    each = transfer
    wager = f" for {each.wager}" if each.wager else ""
    return f"{_units(each.amount)} from {each.giver} to {each.taker} ({each.what}{wager}), {moment(each.at)}"


def _units(units: int) -> str:
    """Format an amount in dollars, with fractions of a cent where there are any."""
    cents, part = divmod(abs(units), UNITS_PER_CENT)
    text = f"{'-' if units < 0 else ''}${cents // 100:,}.{cents % 100:02}"
    return f"{text}{part:04}" if part else text

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

    def __init__(self, kept: Iterator[Transfer], findings: Findings) -> None:
        """Start before the first transfer."""
        self.findings = findings
        self.balances: dict[str, int] = {}
        """The balance of every account by the events alone, in units."""
        self.count = 0
        self._kept = kept
        self._next = next(kept, None)

    def post(self, record: Recorded, moves: Sequence[Move]) -> None:
        """Post the transfers of an event, and compare the stored ones with them."""
        balances, stream, sequence = self.balances, record.stream, record.sequence
        for number, move in enumerate(moves):
            giver, taker, units, what, wager = move
            balances[giver] = balances.get(giver, 0) - units
            balances[taker] = balances.get(taker, 0) + units
            kept = self._next
            right = Transfer(stream, sequence, number, giver, taker, units, what, wager, record.at)
            if kept == right:
                self._next = next(self._kept, None)
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
            self._next = next(self._kept, None)

    def end(self) -> None:
        """Report the remaining transfers, which no event leads to."""
        while self._next is not None:
            self._report_inserted()

    def _report_difference(self, right: Transfer) -> None:
        """Report whether a transfer is missing or altered, or others were inserted before it."""
        self._report_inserted_before(_key(right))
        kept = self._next
        if kept is None or _key(kept) != _key(right):
            self._note(right, "missing", f"The journal moves {_describe(right)}; the ledger does not.")
            return
        if kept != right:
            self._note(
                right, "altered", f"The ledger moves {_describe(kept)}; the journal {_describe(right)}."
            )
        self._next = next(self._kept, None)

    def _report_inserted_before(self, key: Key) -> None:
        while self._next is not None and _key(self._next) < key:
            self._report_inserted()

    def _report_inserted(self) -> None:
        assert self._next is not None
        self._note(self._next, "inserted", f"No event moves {_describe(self._next)}.")
        self._next = next(self._kept, None)

    def _note(self, transfer: Transfer, what: Kind, sentence: str) -> None:
        self.findings.add(Place("transfers", *_key(transfer)), what, sentence)

    def hold(self, kept: Mapping[str, int]) -> None:
        """Compare every balance with the sum of its transfers, and the total with zero."""
        right = {account: units for account, units in self.balances.items() if units}
        for account in sorted({*right, *kept}):
            place = Place("balances", account)
            has, must = kept.get(account), right.get(account, 0)
            if has is None:
                self.findings.add(place, "missing", f"It must hold {_units(must)}, but it is missing.")
            elif has != must:
                what: Kind = "altered" if account in self.balances else "inserted"
                sentence = f"It holds {_units(has)}; its transfers add up to {_units(must)}."
                self.findings.add(place, what, sentence)
            if has is not None and has % UNITS_PER_CENT and not account.startswith(IN_PARTS):
                self.findings.add(place, "fraction", f"It holds {_units(has)}, which is not a whole cent.")
        total = sum(kept.values())
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

"""The ledger: every movement that the events lead to against the one that is kept, and every balance."""

from collections.abc import Iterator, Mapping, Sequence

from fourcard.house.accounts import Transfer
from fourcard.house.auditing.report import Findings, Kind, Place, moment
from fourcard.house.postings import Move
from fourcard.house.records import Recorded
from fourcard.meter import UNITS_PER_CENT

IN_PARTS = ("meter/", "reserve/", "link/")
"""Accounts that hold parts of a cent."""
Key = tuple[str, int, int]


class Ledger:
    """Goes through the kept movements in the order of streams, beside the events that they follow from."""

    def __init__(self, kept: Iterator[Transfer], findings: Findings) -> None:
        """Begin before the first movement."""
        self.findings = findings
        self.balances: dict[str, int] = {}
        """What every account holds by the events alone, in units."""
        self.count = 0
        self._kept = kept
        self._next = next(kept, None)

    def post(self, record: Recorded, moved: Sequence[Move]) -> None:
        """Post what an event moved, and hold the kept movements against it."""
        balances, stream, sequence = self.balances, record.stream, record.sequence
        for number, move in enumerate(moved):
            giver, taker, units = move.giver, move.taker, move.units
            balances[giver] = balances.get(giver, 0) - units
            balances[taker] = balances.get(taker, 0) + units
            kept = self._next
            right = Transfer(stream, sequence, number, giver, taker, units, move.what, move.wager, record.at)
            if kept == right:
                self._next = next(self._kept, None)
            else:
                self._differs(right)
        self.count += len(moved)

    def accept(self, record: Recorded) -> None:
        """Take the kept movements of an event as they are, because it could not be replayed."""
        self._inserted_before((record.stream, record.sequence, 0))
        while self._next is not None and _key(self._next)[:2] == (record.stream, record.sequence):
            for account, units in (
                (self._next.giver, -self._next.amount),
                (self._next.taker, self._next.amount),
            ):
                self.balances[account] = self.balances.get(account, 0) + units
            self._next = next(self._kept, None)

    def end(self) -> None:
        """Note what is left: movements that no event leads to."""
        while self._next is not None:
            self._inserted()

    def _differs(self, right: Transfer) -> None:
        """Find out whether a movement is missing or altered, or others were put in before it."""
        self._inserted_before(_key(right))
        kept = self._next
        if kept is None or _key(kept) != _key(right):
            self._note(right, "missing", f"The journal moves {_told(right)}; the ledger does not.")
            return
        if kept != right:
            self._note(right, "altered", f"The ledger moves {_told(kept)}; the journal {_told(right)}.")
        self._next = next(self._kept, None)

    def _inserted_before(self, key: Key) -> None:
        while self._next is not None and _key(self._next) < key:
            self._inserted()

    def _inserted(self) -> None:
        assert self._next is not None
        self._note(self._next, "inserted", f"No event moves {_told(self._next)}.")
        self._next = next(self._kept, None)

    def _note(self, transfer: Transfer, what: Kind, sentence: str) -> None:
        self.findings.add(Place("transfers", *_key(transfer)), what, sentence)

    def hold(self, kept: Mapping[str, int]) -> None:
        """Hold every balance against the sum of its movements, and all of them against each other."""
        right = {account: units for account, units in self.balances.items() if units}
        for account in sorted({*right, *kept}):
            place = Place("balances", account)
            has, must = kept.get(account), right.get(account, 0)
            if has is None:
                self.findings.add(place, "missing", f"It must hold {_units(must)}, and is not there.")
            elif has != must:
                what: Kind = "altered" if account in self.balances else "inserted"
                sentence = f"It holds {_units(has)}; its movements come to {_units(must)}."
                self.findings.add(place, what, sentence)
            if has is not None and has % UNITS_PER_CENT and not account.startswith(IN_PARTS):
                self.findings.add(place, "fraction", f"It holds {_units(has)}, which is no whole cent.")
        total = sum(kept.values())
        if total:
            place = Place("balances", "all accounts")
            self.findings.add(place, "altered", f"All together they hold {_units(total)}, not nothing.")


def _key(transfer: Transfer) -> Key:
    return transfer.stream, transfer.sequence, transfer.number


def _told(transfer: Transfer) -> str:
    each = transfer
    wager = f" for {each.wager}" if each.wager else ""
    return f"{_units(each.amount)} from {each.giver} to {each.taker} ({each.what}{wager}), {moment(each.at)}"


def _units(units: int) -> str:
    """Return an amount in dollars, with parts of a cent where there are some."""
    cents, part = divmod(abs(units), UNITS_PER_CENT)
    told = f"{'-' if units < 0 else ''}${cents // 100:,}.{cents % 100:02}"
    return f"{told}{part:04}" if part else told

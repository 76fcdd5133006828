"""Every meter as it is now: what it shows and holds, what went in and out, and whether the law holds."""

import msgspec

from fourcard.house import accounts
from fourcard.house.library import Library
from fourcard.house.meter_book import MeterBook, Win
from fourcard.house.meter_events import AdjustmentProposed
from fourcard.house.outcome import meter_stream
from fourcard.house.ports import SystemEntropy
from fourcard.house.reports.progressive.streams import meters_named
from fourcard.house.reports.progressive.wins import award_row
from fourcard.house.store.contract import Reading
from fourcard.rules.game import Game


class MeterRow(msgspec.Struct, frozen=True):
    """One row of a meter's paytable, and how often it was won."""

    row: str
    odds: str
    hits: int


class MeterTold(msgspec.Struct, frozen=True):
    """One meter at one moment, beside what the ledger says of it."""

    book: MeterBook
    game: Game
    """The game whose terms it follows."""
    in_ledger: int
    """Units that the ledger has in the accounts of the meter and its reserve."""

    @property
    def held(self) -> int:
        """Return the units in meter and reserve."""
        return self.book.meter.amount + self.book.meter.reserve

    @property
    def holds(self) -> bool:
        """Say whether what is held and paid is what was seeded, contributed and adjusted."""
        totals = self.book.totals
        return self.held + totals.paid == totals.seeded + totals.contributed + totals.adjusted

    @property
    def agrees(self) -> bool:
        """Say whether the ledger has as much in it."""
        return self.held == self.in_ledger

    @property
    def rows(self) -> tuple[MeterRow, ...]:
        """Return the rows of the paytable, the best first."""
        pays = self.game.tables["progressive"].pays
        return tuple(MeterRow(row, str(odds), self.book.hits.get(row, 0)) for row, odds in pays.items())

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it: cents, or units of a ten-thousandth of a cent."""
        book, totals = self.book, self.book.totals
        return {
            "meter": book.name,
            "displayed_cents": book.displayed,
            "meter_units": book.meter.amount,
            "reserve_units": book.meter.reserve,
            "owed_units": book.owed,
            "wagered_cents": totals.wagered,
            "contributed_units": totals.contributed,
            "paid_units": totals.paid,
            "seeded_units": totals.seeded,
            "adjusted_units": totals.adjusted,
            "borne_units": book.borne,
            "won_cents": totals.won,
            "shortfall_cents": totals.shortfall,
            "hits": book.count,
            "times_taken": book.meter.taken,
            "link": "closed" if book.closed else "open",
            "closed": book.closed,
            "tables": list(book.tables),
            "holds": self.holds,
            "in_ledger_units": self.in_ledger,
            "agrees": self.agrees,
        }

    def details(self) -> dict[str, object]:
        """Return everything of it as scripts read it."""
        book, submission = self.book, self.game.submission
        choice = submission.progressive
        return {
            **self.answer(),
            "rate": str(book.rate),
            "reserve_rate": str(book.reserve_rate),
            "reset_cents": book.meter.seed,
            "submission": submission.name,
            "rulebook": self.game.rulebook.id,
            "edition": self.game.rulebook.edition,
            "game": book.terms,
            "fixed_awards": choice.fixed_awards if choice is not None else None,
            "executive_threshold_cents": choice.executive_threshold if choice is not None else None,
            "rows": [msgspec.to_builtins(row) for row in self.rows],
            "last": [_win(win) for win in reversed(book.last)],
            "logged": [win.number for win in book.logged],
            "proposals": [_proposal(each) for each in book.proposals.values()],
        }


def _win(win: Win) -> dict[str, object]:
    return {**award_row(win.logged), "adjusted": win.adjusted, "backed_out": win.backed_out}


def _proposal(proposal: AdjustmentProposed) -> dict[str, object]:
    told: dict[str, object] = msgspec.to_builtins(proposal)
    return {"amount_cents" if name == "cents" else name: each for name, each in told.items()}


def meters_now(reading: Reading, only: str | None = None) -> tuple[MeterTold, ...]:
    """Return every meter of a house, or the one asked for, by name."""
    library = Library(SystemEntropy())
    library.look(reading)
    names = meters_named(reading, only)
    heads, balances = reading.streams([*map(meter_stream, names)]), reading.balances()
    found = list[MeterTold]()
    for name in names:
        library.bring(meter_stream(name), heads[meter_stream(name)])
        book = library.meter(name)
        kept = sum(balances.get(each, 0) for each in (accounts.meter(name), accounts.reserve(name)))
        found.append(MeterTold(book, library.game(book.terms), kept))
    return tuple(found)

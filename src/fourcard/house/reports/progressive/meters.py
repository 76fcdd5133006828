"""Meter status: display, amounts, totals, and whether meter and ledger agree, for every meter."""

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
    """One row of a meter's paytable, and how often it was hit."""

    row: str
    odds: str
    hits: int


class MeterTold(msgspec.Struct, frozen=True):
    """The status of one meter, with its amount in the ledger."""

    book: MeterBook
    game: Game
    """The game whose terms apply."""
    in_ledger: int
    """Units in the ledger accounts of the meter and its reserve."""

    @property
    def held(self) -> int:
        """Return the units in meter and reserve."""
        return self.book.meter.amount + self.book.meter.reserve

    @property
    def holds(self) -> bool:
        """Return whether held plus paid equals seeded plus contributed plus adjusted."""
        totals = self.book.totals
        return self.held + totals.paid == totals.seeded + totals.contributed + totals.adjusted

    @property
    def agrees(self) -> bool:
        """Return whether meter and ledger agree."""
        return self.held == self.in_ledger

    @property
    def rows(self) -> tuple[MeterRow, ...]:
        """Return the rows of the paytable, the best first."""
        pays = self.game.tables["progressive"].pays
        return tuple(MeterRow(row, str(odds), self.book.hits.get(row, 0)) for row, odds in pays.items())

    def answer(self) -> dict[str, object]:
        """Return it as JSON data, in cents or units (1/10,000 cent)."""
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
        """Return all details as JSON data."""
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
            "last": [_win_row(win) for win in reversed(book.last)],
            "logged": [win.number for win in book.logged],
            "proposals": [_proposal_row(each) for each in book.proposals.values()],
        }


def _win_row(win: Win) -> dict[str, object]:
    return {**award_row(win.logged), "adjusted": win.adjusted, "backed_out": win.backed_out}


def _proposal_row(proposal: AdjustmentProposed) -> dict[str, object]:
    row: dict[str, object] = msgspec.to_builtins(proposal)
    return {"amount_cents" if name == "cents" else name: each for name, each in row.items()}


def meters_now(reading: Reading, only: str | None = None) -> tuple[MeterTold, ...]:
    """Return every meter of a house by name, or one of them."""
    library = Library(SystemEntropy())
    library.look(reading)
    names = meters_named(reading, only)
    heads, balances = reading.streams([*map(meter_stream, names)]), reading.balances()
    found = list[MeterTold]()
    for name in names:
        library.bring(meter_stream(name), heads[meter_stream(name)])
        book = library.meter(name)
        in_ledger = sum(balances.get(each, 0) for each in (accounts.meter(name), accounts.reserve(name)))
        found.append(MeterTold(book, library.game(book.terms), in_ledger))
    return tuple(found)

"""Odds index: every wager with its printed paytables, every strategy, every bonus table."""

from collections.abc import Iterator
from functools import cache

import msgspec

from fourcard.odds.cover_all import BOOK, MATRIX
from fourcard.odds.printed import ROWS, books, envy_schedules, every_printed
from fourcard.odds.question import TABLES, USED_BY
from fourcard.odds.strategies import names, says
from fourcard.rules.loading import rulebook
from fourcard.rules.nodes import WAGER_LABELS, Paytable, WagerName
from fourcard.rules.paytables import tables_of
from fourcard.rules.rulebook import Rulebook
from fourcard.server.reading.odds_asked import MOST_PLAYERS

ODDS_WAGERS: tuple[WagerName, ...] = (*TABLES, "envy", "cover_all")


class PrintedTable(msgspec.Struct, frozen=True):
    """A paytable that a rulebook prints, or takes from another rulebook."""

    rulebook: str
    paytable: str
    column: str
    """The stake for Envy, or the number of players for Cover All; else empty."""
    pays: dict[str, str]
    clauses: tuple[str, ...]


class WagerIndex(msgspec.Struct, frozen=True):
    """One wager, the parameters of its odds, and its paytables."""

    wager: str
    label: str
    options: tuple[str, ...]
    """Names of the other parameters that apply."""
    rows: tuple[str, ...]
    """Rows of a custom paytable; empty if it cannot have one."""
    tables: tuple[PrintedTable, ...]


class BookIndex(msgspec.Struct, frozen=True):
    """A rulebook."""

    id: str
    name: str
    edition: str
    bonuses: tuple[str, ...]
    """Ids of its Automatic Bonus tables."""


class NamedStrategy(msgspec.Struct, frozen=True):
    """A built-in strategy."""

    name: str
    says: str


class OddsIndex(msgspec.Struct, frozen=True):
    """Everything that can be requested."""

    wagers: tuple[WagerIndex, ...]
    strategies: tuple[NamedStrategy, ...]
    bonuses: tuple[str, ...]
    """Ids of all Automatic Bonus tables, and 'none'."""
    rulebooks: tuple[BookIndex, ...]


@cache
def odds_index() -> OddsIndex:
    """Return the index; it never changes while a process runs."""
    bonuses = dict.fromkeys(each.id for each in every_printed("automatic_bonus"))
    return OddsIndex(
        tuple(map(_wager, ODDS_WAGERS)),
        tuple(NamedStrategy(name, says(name)) for name in names()),
        (*bonuses, "none"),
        tuple(
            BookIndex(book.id, book.name, book.edition, tuple(tables_of(book, "automatic_bonus")))
            for book in books()
        ),
    )


def _wager(name: WagerName) -> WagerIndex:
    label = "Ante, Play and Automatic Bonus" if name == "ante" else WAGER_LABELS[name]
    options = tuple(option for option, wagers in USED_BY.items() if name in wagers)
    rows = () if name == "envy" else ROWS[TABLES.get(name, "cover_all")]
    return WagerIndex(name, label, options, tuple(map(str, rows)), tuple(_tables(name)))


def _tables(name: WagerName) -> Iterator[PrintedTable]:
    """Yield the paytables of a wager by rulebook, including borrowed ones."""
    if name == "envy":
        yield from _schedules()
    elif name == "cover_all":
        yield from _columns()
    else:
        for book in books():
            for id_, table in tables_of(book, TABLES[name]).items():
                yield _printed(book, id_, table)


def _schedules() -> Iterator[PrintedTable]:
    for book in books():
        for id_ in envy_schedules(book):
            assert book.wagers.envy is not None
            for stake, table in book.wagers.envy.paytables[id_].items():
                yield _printed(book, id_, table, stake)


def _columns() -> Iterator[PrintedTable]:
    book = rulebook(BOOK)
    assert book.wagers.cover_all is not None
    for players in range(1, MOST_PLAYERS + 1):
        column = book.wagers.cover_all.column(players)
        if column is not None:
            yield _printed(book, MATRIX, column, str(players))


def _printed(book: Rulebook, id_: str, table: Paytable, column: str = "") -> PrintedTable:
    pays = {str(row): str(odds) for row, odds in table.pays.items()}
    return PrintedTable(book.id, id_, column, pays, table.clauses)

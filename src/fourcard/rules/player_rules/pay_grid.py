"""Pay grid: the paytables of one wager side by side, tables that pay alike in one column."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from fourcard.bonus_hands import FIVE
from fourcard.rules.cited import Paytable
from fourcard.rules.paytables import paytables_of, selectable_tables
from fourcard.rules.player_rules.facts import label_of
from fourcard.rules.rulebook import CoverAllWager, EnvyWager, Rulebook, Wager
from fourcard.wagers import SPECIFICATIONS, WagerName


class PayRow(msgspec.Struct, frozen=True):
    """One hand of a paytable."""

    row: str
    label: str


class PayColumn(msgspec.Struct, frozen=True):
    """One paytable, or several that pay alike."""

    ids: tuple[str, ...]
    heading: str
    pays: dict[str, str]
    """The printed text by row, such as ``25 to 1``; rows that it does not pay are missing."""
    clauses: tuple[str, ...]


class PayGrid(msgspec.Struct, frozen=True):
    """What a wager pays, by hand and paytable, where all its tables judge equally many cards."""

    cards: int
    rows: tuple[PayRow, ...]
    columns: tuple[PayColumn, ...]


def pay_grids(rulebook: Rulebook, name: WagerName) -> tuple[PayGrid, ...]:
    """Return the paytables of a wager, one grid for each number of cards that they judge."""
    tables = tuple(_tables(rulebook, name))
    sizes = dict.fromkeys(table.cards for *_, table in tables)
    return tuple(_grid(name, size, [each for each in tables if each[2].cards == size]) for size in sizes)


def _grid(name: WagerName, cards: int, listed: Sequence[tuple[str, str, Paytable]]) -> PayGrid:
    found: dict[tuple[tuple[str, str], ...], list[tuple[str, str, Paytable]]] = {}
    for table_id, heading, table in listed:
        key = tuple((row, str(odds)) for row, odds in table.pays.items())
        found.setdefault(key, []).append((table_id, heading, table))
    return PayGrid(
        cards=cards,
        rows=tuple(PayRow(row, label_of(row)) for row in _rows(name, cards, found)),
        columns=tuple(
            PayColumn(
                ids=tuple(table_id for table_id, _, _ in tables),
                heading=", ".join(heading for _, heading, _ in tables),
                pays=dict(key),
                clauses=tuple(dict.fromkeys(clause for *_, table in tables for clause in table.clauses)),
            )
            for key, tables in found.items()
        ),
    )


def _tables(rulebook: Rulebook, name: WagerName) -> Iterator[tuple[str, str, Paytable]]:
    """Yield the id, heading and content of every table that an operator may use."""
    rules = rulebook.wager(name)
    if isinstance(rules, CoverAllWager):
        for hands, table in sorted(rules.columns.items(), key=lambda each: int(each[0])):
            players = int(hands) - rules.dealer_counts.value
            yield hands, f"{players} player{'s' * (players > 1)}", table
    elif isinstance(rules, EnvyWager):
        for schedule, by_stake in rules.paytables.items():
            for stake, table in by_stake.items():
                yield f"{schedule}/{stake}", f"{schedule}, {stake} bet", table
    elif isinstance(rules, Wager):
        printed = paytables_of(rulebook, name)
        for table_id in selectable_tables(rulebook, name):
            yield table_id, "pays" if len(printed) == 1 else table_id, printed[table_id]


def _rows(name: WagerName, cards: int, found: Iterable[tuple[tuple[str, str], ...]]) -> tuple[str, ...]:
    """Return every row that any of the tables pays, the best hand first."""
    paid = dict.fromkeys(row for key in found for row, _ in key)
    own = SPECIFICATIONS[name]
    known = own if own.rows or own.pays_on is None else SPECIFICATIONS[own.pays_on]
    order = [*(known.rows_of_five if cards == FIVE else ()), *known.rows]
    return tuple(sorted(paid, key=lambda row: order.index(row) if row in order else len(order)))

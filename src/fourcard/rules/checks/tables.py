"""Checks on the wagers offered and the tables they pay by."""

from collections.abc import Iterator

from fourcard.money import OddsKind
from fourcard.refusals import Code
from fourcard.rules.checks.finding import Case, Finding, error, listed, ruled
from fourcard.rules.nodes import TABLE_WAGERS, WAGER_LABELS, RowName, TableWager, cite
from fourcard.rules.paytables import ROWS, selectable, tables_of
from fourcard.rules.rulebook import Wager
from fourcard.rules.submission import OwnTable

DEFAULT_TABLE = "standard"


def check_tables(case: Case) -> Iterator[Finding]:
    """Yield what is wrong with the wagers that a submission offers and their tables."""
    for name in TABLE_WAGERS:
        wager = case.rulebook.wager(name)
        choice = case.submission.wagers.get(name)
        if not isinstance(wager, Wager):
            if choice is not None:
                yield _not_described(case, name)
        elif choice is None:
            if wager.offered.value == "always" and DEFAULT_TABLE not in selectable(case.rulebook, name):
                label = WAGER_LABELS[name]
                yield error(Code.WAGER_TABLE_MISSING, f"wagers.{name}", wager.offered, wager=label)
        elif isinstance(choice, str):
            yield from _printed(case, name, wager, choice)
        else:
            yield from _own(case, name, wager, choice)
    yield from _numbers(case)


def _not_described(case: Case, name: TableWager) -> Finding:
    """Refuse a wager that the rulebook does not describe, citing the clauses that list its wagers."""
    book = case.rulebook
    several = len(book.editions) > 1
    return ruled(
        "error",
        Code.WAGER_NOT_DESCRIBED,
        f"wagers.{name}",
        ("R10", *book.offers_by) if several else book.offers_by,
        rulebook=book.id,
        wager=WAGER_LABELS[name],
        edition=f" in its {book.edition} edition" if several else "",
    )


def _printed(case: Case, name: TableWager, wager: Wager, table_id: str) -> Iterator[Finding]:
    known = selectable(case.rulebook, name)
    if table_id in known:
        return
    where, label = f"wagers.{name}", WAGER_LABELS[name]
    table = tables_of(case.rulebook, name).get(table_id)
    if table is not None and table.odds_only:
        clauses = ("R10", *table.clauses)
        yield ruled("error", Code.TABLE_ODDS_ONLY, where, clauses, wager=label, table=table_id)
    else:
        cited = wager.choices or wager.own_tables or wager.offered
        yield error(Code.TABLE_UNKNOWN, where, cited, wager=label, table=table_id, known=listed(known))


def _own(case: Case, name: TableWager, wager: Wager, table: OwnTable) -> Iterator[Finding]:
    where, label = f"wagers.{name}", WAGER_LABELS[name]
    if wager.own_tables is None or wager.own_tables.value == "never":
        cited = wager.own_tables or wager.choices or wager.offered
        yield error(
            Code.OWN_TABLE_NOT_ALLOWED,
            where,
            cited,
            wager=label,
            known=listed(selectable(case.rulebook, name)),
        )
        return
    if not table:
        yield error(Code.OWN_TABLE_EMPTY, where, wager.own_tables, wager=label)
        return
    for row, odds in table.items():
        if row not in _rows_from(name, wager):
            lowest = wager.lowest or wager.own_tables
            yield error(Code.OWN_TABLE_ROW_FOREIGN, f"{where}.{row}", lowest, wager=label, row=row)
        elif odds.kind is not OddsKind.TO:
            figures = {"wager": label, "row": row, "text": odds}
            yield error(Code.OWN_TABLE_KIND, f"{where}.{row}", wager.own_tables, **figures)
    missing = [row for row in _rows_from(name, wager) if row not in table] if wager.lowest is not None else []
    for row in missing:
        yield error(Code.OWN_TABLE_ROW_MISSING, where, wager.lowest, wager=label, row=_words(row))
    if not missing and wager.own_tables.value == "floors":
        yield from _floors(case, name, wager, table)


def _rows_from(name: TableWager, wager: Wager) -> tuple[RowName, ...]:
    """Return the rows that a table of this wager may have, down to the lowest hand that wins."""
    rows = ROWS.get(name, ())
    if wager.lowest is None:
        return rows
    return rows[: [str(row) for row in rows].index(wager.lowest.value) + 1]


def _floors(case: Case, name: TableWager, wager: Wager, table: OwnTable) -> Iterator[Finding]:
    """Refuse a table that pays less than every single printed one (R34)."""
    shortfalls: dict[str, list[str]] = {}
    for table_id in selectable(case.rulebook, name):
        printed = tables_of(case.rulebook, name)[table_id].pays
        shortfalls[table_id] = [
            f"{_words(row)} pays {odds}"
            for row, odds in printed.items()
            if row not in table or not table[row].at_least(odds)
        ]
    nearest = min(shortfalls, key=lambda table_id: len(shortfalls[table_id]))
    if shortfalls[nearest]:
        yield ruled(
            "error",
            Code.OWN_TABLE_UNDER_FLOOR,
            f"wagers.{name}",
            (*cite(wager.own_tables), "R34"),
            wager=WAGER_LABELS[name],
            table=nearest,
            rows=" and ".join(shortfalls[nearest]),
        )


def _numbers(case: Case) -> Iterator[Finding]:
    """Check that tables printed in pairs have the same number (R98)."""
    for name in TABLE_WAGERS:
        wager = case.rulebook.wager(name)
        if not isinstance(wager, Wager) or wager.same_number_as is None:
            continue
        other = wager.same_number_as.value
        table, number = case.submission.wagers.get(name), case.submission.wagers.get(other)
        if isinstance(table, str) and isinstance(number, str) and table != number:
            yield error(
                Code.TABLE_NUMBERS_DIFFER,
                f"wagers.{name}",
                wager.same_number_as,
                wager=WAGER_LABELS[name],
                table=table,
                other=WAGER_LABELS[other],
                number=number,
            )


def _words(row: str) -> str:
    return row.replace("_", " ")

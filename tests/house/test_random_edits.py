"""Random single edits of every table and column: each is found, or the report names it as not excluded."""

import os
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Column, Table, delete, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from fourcard.house.store import schema
from fourcard.house.store.interface import StoreError
from tests.kit.audited_houses import Forger, original

EDITS = 2_000 if os.environ.get("FOURCARD_WHOLE") else 40
NAMED = {
    "delete snapshots": "snapshots",
    "delete balances": "balances of zero",
    "copy hour_totals.hour": "totals of an hour",
    "copy hour_totals.stream": "totals of an hour",
    "copy earlier_totals.hour": "totals of an hour",
    "copy earlier_totals.stream": "totals of an hour",
}
"""Edits that the audit cannot always find, and words of the sentence that says so."""
SCHEMA = (
    "CREATE TRIGGER gift AFTER INSERT ON transfers BEGIN UPDATE balances SET amount = amount + 1; END",
    "CREATE TRIGGER quiet BEFORE INSERT ON commits BEGIN SELECT RAISE(IGNORE); END",
    "DROP TRIGGER balances_not_overdrawn_update",
    "DROP TRIGGER balances_not_overdrawn_insert",
    "DROP INDEX events_by_key",
    "DROP INDEX rounds_by_time",
    "CREATE INDEX other ON balances (amount)",
    "CREATE TABLE other (name TEXT)",
    "CREATE VIEW other AS SELECT * FROM credentials",
    "ALTER TABLE balances ADD COLUMN other TEXT",
    "ALTER TABLE player_rounds RENAME TO other",
    "ALTER TABLE commits DROP COLUMN previous",
    "UPDATE alembic_version SET version_num = '0004'",
)
"""Edits of the schema and of its version."""
SEEN: Counter[str] = Counter()


def other(value: Any, chance: Random) -> Any:
    """Return something else of the same type."""
    if isinstance(value, bytes):
        if not value or chance.random() < 0.2:
            return value + b"\0"
        place = chance.randrange(len(value))
        return value[:place] + bytes((value[place] ^ 1 << chance.randrange(8),)) + value[place + 1 :]
    if isinstance(value, int):
        return chance.choice((value + 1, value - 1, 0 if value else 7, value + 1_000_000))
    if value is None:
        return 1
    return chance.choice((f"{value}x", value[:-1] if value else "y"))


def edit(forger: Forger, table: Table, chance: Random) -> str:
    """Change one value of a row, delete the row, or copy it under another key; return what was done."""
    (count,) = forger.run(select(func.count()).select_from(table))[0]
    row = forger.run(select(table).offset(chance.randrange(count)).limit(1))[0]
    values = dict(zip((column.name for column in table.c), row, strict=True))
    here = [column == values[column.name] for column in table.primary_key]
    kind = chance.choice(("change", "change", "change", "delete", "copy"))
    column: Column[Any] = chance.choice(list(table.c))
    if kind == "delete":
        forger.run(delete(table).where(*here))
    elif kind == "copy":
        column = chance.choice(list(table.primary_key))
        forger.run(insert(table).values(**{**values, column.name: other(values[column.name], chance)}))
    else:
        forger.run(update(table).where(*here).values({column.name: other(values[column.name], chance)}))
    return f"{kind} {table.name}.{column.name}" if kind != "delete" else f"delete {table.name}"


def outcome(forger: Forger, tables: list[Table], number: int, chance: Random) -> str:
    """Make one edit, and return what became of it; one that nobody notices must be named by the audit."""
    try:
        if number % (len(tables) + 1):
            what = edit(forger, tables[number % (len(tables) + 1) - 1], chance)
        else:
            what = chance.choice(SCHEMA)
            forger.run(text(what))
        report = forger.audit(resign=False)
    except IntegrityError:
        return "refused by the database"
    except StoreError:
        return "refused by the program"
    if not report.clean:
        return "found"
    assert what in NAMED, what
    assert any(NAMED[what] in each for each in report.cannot_exclude), what
    return f"named: {what}"


EMPTY = frozenset(("segments", "segment_parts", "segment_players"))
"""Tables without rows in that house; test_tampering edits them in a house of several days."""


@pytest.mark.parametrize("part", range(4))
def test_a_random_edit_is_found_or_named(part: int, tmp_path: Path) -> None:
    chance = Random(f"edits {part}")
    tables = [table for table in schema.metadata.tables.values() if table.name not in EMPTY]
    for number in range(EDITS // 4):
        folder = tmp_path / str(number)
        folder.mkdir()
        forger = original().forger(folder)
        SEEN[outcome(forger, tables, number, chance)] += 1
        forger.engine.dispose()
        (folder / "house.db").unlink()


def test_the_edits_were_many_and_most_were_found() -> None:
    print(*SEEN.items(), sep="\n")
    named = sum(count for what, count in SEEN.items() if what.startswith("named"))
    assert SEEN.total() in (0, EDITS)
    assert named <= SEEN.total() // 5

"""Random single edits of every table and column: each is found, or the report names it as not excluded."""

import os
import tempfile
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Column, LargeBinary, Table, delete, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from fourcard.house.segments import MIN_KEEP_DAYS, DayCloser
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import StoreError
from tests.kit.audited_houses import KEY, Forger, next_day, original, three_days

EDITS = 2_000 if os.environ.get("FOURCARD_WHOLE") else 40
NAMED = {
    "delete snapshots": "snapshots",
    "delete segments": "list of the newest closed day",
    "delete balances": "balances of zero",
    "change balances.account": "balances of zero",
    "copy balances.account": "balances of zero",
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
TABLES: tuple[Table | None, ...] = (*schema.metadata.tables.values(), None)
"""What is edited in turn: each table, and then the schema."""
SEEN: Counter[str] = Counter()


def other(value: Any, column: Column[Any], chance: Random) -> Any:
    """Return something else of the same type."""
    if isinstance(value, bytes):
        if not value or chance.random() < 0.2:
            return value + b"\0"
        place = chance.randrange(len(value))
        return value[:place] + bytes((value[place] ^ 1 << chance.randrange(8),)) + value[place + 1 :]
    if isinstance(value, int):
        return chance.choice((value + 1, value - 1, 0 if value else 7, value + 1_000_000))
    if value is None:
        return b"x" if isinstance(column.type, LargeBinary) else 1
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
        forger.run(
            insert(table).values(**{**values, column.name: other(values[column.name], column, chance)})
        )
    else:
        forger.run(
            update(table).where(*here).values({column.name: other(values[column.name], column, chance)})
        )
    return f"{kind} {table.name}.{column.name}" if kind != "delete" else f"delete {table.name}"


def outcome(forger: Forger, table: Table | None, chance: Random) -> str:
    """Make one edit, and return what became of it; one that nobody notices must be named by the audit."""
    try:
        if table is not None:
            what = edit(forger, table, chance)
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


CLOSED = frozenset(("segments", "segment_parts", "segment_players"))
"""Tables in which only a house that has closed days has rows."""


@cache
def with_closed_days() -> bytes:
    """Return the file of a house that has closed a day."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "house.db"
        with closing(open_store(file)) as store:
            made = three_days(store)
            next_day(made)
            closer = DayCloser(store, KEY.signer(made.house.name), made.clock.now, keep_days=MIN_KEEP_DAYS)
            assert [*closer.close_due()]
        return file.read_bytes()


@pytest.mark.parametrize("part", range(4))
def test_a_random_edit_is_found_or_named(part: int, tmp_path: Path) -> None:
    chance, file = Random(f"edits {part}"), tmp_path / "house.db"
    for number in range(part, EDITS, 4):
        table = TABLES[number % len(TABLES)]
        if table is not None and table.name in CLOSED:
            file.write_bytes(with_closed_days())
            forger = Forger(str(file))
        else:
            forger = original().forger(tmp_path)
        SEEN[outcome(forger, table, chance)] += 1
        forger.engine.dispose()


def test_the_edits_were_many_and_most_were_found() -> None:
    print(*SEEN.items(), sep="\n")
    named = sum(count for what, count in SEEN.items() if what.startswith("named"))
    assert SEEN.total() in (0, EDITS)
    assert named <= SEEN.total() // 5

"""From an empty or an older database to this program's version, and no further."""

import sqlite3
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text

from fourcard.house import rebuild
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from fourcard.house.store.interface import Store, StoreError
from fourcard.house.store.schema import metadata
from tests.contract.records import contents, fill, finished
from tests.kit.audited_houses import SNAPSHOT_EVERY, original
from tests.kit.postgres import Server

VERSION = "SELECT version_num FROM alembic_version"
NEWEST = schema.SCHEMA_VERSIONS[-1]
NEXT = f"{int(NEWEST) + 1:04}"
STEP = f'''"""A step for a test."""

from alembic import op

revision = "{NEXT}"
down_revision = "{NEWEST}"


def upgrade() -> None:
    op.execute("CREATE TABLE added (name TEXT)")
    op.execute("INSERT INTO added SELECT name FROM streams ORDER BY name")
'''


def execute(address: str, statement: str) -> list[tuple[object, ...]]:
    """Run a statement behind the store's back."""
    plain = address.replace("postgresql://", "postgresql+psycopg://")
    engine = create_engine(plain if "://" in plain else f"sqlite:///{plain}")
    with engine.begin() as connection:
        result = connection.execute(text(statement))
        rows = [tuple(row) for row in result] if result.returns_rows else []
    engine.dispose()
    return rows


def house(address: str) -> dict[str, object]:
    """Make a house, and return what is in it."""
    store = open_store(address)
    with store.writing() as writing:
        fill(writing)
    held = contents(store)
    store.close()
    return held


@pytest.fixture
def step(tmp_path: Path) -> Path:
    """Return the file of one more step, beside a copy of those there are."""
    scripts = tmp_path / "50%_migrations"
    for path in schema.MIGRATION_SCRIPTS.rglob("*.py"):
        copy = scripts / path.relative_to(schema.MIGRATION_SCRIPTS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text())
    added = scripts / "versions" / f"v{NEXT}_test.py"
    added.write_text(STEP)
    return added


def update(step: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this program be one version newer from now on."""
    monkeypatch.setattr(schema, "MIGRATION_SCRIPTS", step.parents[1])
    monkeypatch.setattr(schema, "SCHEMA_VERSIONS", (*schema.SCHEMA_VERSIONS, NEXT))


def test_the_steps_lead_to_the_schema_that_the_code_uses(new_address: str) -> None:
    open_store(new_address).close()
    plain = new_address.replace("postgresql://", "postgresql+psycopg://")
    engine = create_engine(plain if "://" in plain else f"sqlite:///{plain}")
    with engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
    engine.dispose()


def test_the_steps_and_the_schema_agree_to_the_letter_in_sqlite(tmp_path: Path) -> None:
    open_store(tmp_path / "stepped.db").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'direct.db'}")
    metadata.create_all(engine)
    engine.dispose()

    def statements(name: str) -> set[str]:
        with sqlite3.connect(tmp_path / name) as connection:
            rows = connection.execute(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'trigger'"
            ).fetchall()
        connection.close()
        return {
            " ".join(sql.split())
            for (sql,) in rows
            if not any(name in sql for name in ("alembic_version", "sqlite_sequence"))
        }

    assert statements("stepped.db") == statements("direct.db")
    assert len(statements("direct.db")) > 12


def test_the_newest_step_is_the_version_that_the_code_knows() -> None:
    steps = sorted(path.stem[1:5] for path in (schema.MIGRATION_SCRIPTS / "versions").glob("v*.py"))
    assert tuple(steps) == schema.SCHEMA_VERSIONS


def test_a_house_opens_again_as_it_was(address: str) -> None:
    before = house(address)
    store = open_store(address)
    assert contents(store) == before
    store.close()


def test_an_older_database_is_brought_up_with_everything_in_it(
    new_address: str, step: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = house(new_address)
    update(step, monkeypatch)
    with pytest.raises(StoreError, match=f"has version {NEWEST}, older than this program's {NEXT}"):
        open_store(new_address, writing=False)
    for _ in range(2):
        store = open_store(new_address)
        assert contents(store) == before
        store.close()
    assert execute(new_address, VERSION) == [(NEXT,)]
    assert execute(new_address, "SELECT name FROM added") == [("player/p0",), ("player/p1",), ("table/t1",)]
    open_store(new_address, writing=False).close()


UNSIGNED = (
    ("TRIGGER balances_not_overdrawn_insert", "TRIGGER balances_not_overdrawn_update"),
    ("TRIGGER balances_not_overdrawn ON balances", "FUNCTION refuse_overdrawn", "SEQUENCE commit_numbers"),
)
"""What houses without signed commits lack, in SQLite and in PostgreSQL."""
DERIVED = ("snapshots", "hour_totals", "earlier_totals", "rounds", "player_rounds")


def rows_of(address: str) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of the data that a journal leads to; a migration has no key to sign snapshots."""
    columns = {"snapshots": "stream, sequence, body, earlier_hash"}
    return {
        name: sorted(execute(address, f"SELECT {columns.get(name, '*')} FROM {name}")) for name in DERIVED
    }


def test_an_older_house_gets_the_rows_that_its_writer_would_have_kept(
    new_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bring a house back to the tables of 0002, and open it."""
    monkeypatch.setattr(rebuild, "SNAPSHOT_EVERY", SNAPSHOT_EVERY)
    store = open_store(new_address)
    copy_house(original().memory, store)
    store.close()
    kept = rows_of(new_address)
    assert all(len(rows) > 2 for rows in kept.values())
    for name in (*DERIVED, "segments", "segment_parts", "segment_players", "commits"):
        execute(new_address, f"DROP TABLE {name}")
    execute(new_address, "ALTER TABLE streams DROP COLUMN commit_id")
    for what in UNSIGNED[new_address.partition(":")[0] == "postgresql"]:
        execute(new_address, f"DROP {what}")
    raw = "BLOB" if "://" not in new_address else "BYTEA"
    execute(
        new_address, f"CREATE TABLE snapshots (stream TEXT PRIMARY KEY, sequence BIGINT NOT NULL, body {raw})"
    )
    people = {
        "tokens": "hash, kind, person, issued, ends, revoked",
        "security_log": "id, at, by, what, reason, repeated",
    }
    for name, columns in people.items():
        execute(new_address, f"CREATE TABLE {name} ({columns.replace(',', ' TEXT,')} TEXT)")
    execute(new_address, "UPDATE alembic_version SET version_num = '0002'")
    with pytest.raises(StoreError, match="open it to write"):
        open_store(new_address, writing=False)
    open_store(new_address).close()
    assert rows_of(new_address) == kept


def test_an_empty_database_takes_every_step(
    new_address: str, step: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update(step, monkeypatch)
    open_store(new_address).close()
    assert execute(new_address, VERSION) == [(NEXT,)]


def test_a_step_that_fails_half_way_leaves_the_older_database(
    new_address: str, step: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = house(new_address)
    step.write_text(f'{STEP}    op.execute("INSERT INTO nowhere VALUES (1)")\n')
    with monkeypatch.context() as newer:
        update(step, newer)
        with pytest.raises(StoreError):
            open_store(new_address)
    assert execute(new_address, VERSION) == [(NEWEST,)]
    store = open_store(new_address)
    assert contents(store) == before
    store.close()
    step.write_text(STEP)
    update(step, monkeypatch)
    open_store(new_address).close()
    assert execute(new_address, VERSION) == [(NEXT,)]


@pytest.mark.parametrize("writing", [True, False])
def test_a_newer_database_is_refused_and_left_alone(new_address: str, *, writing: bool) -> None:
    house(new_address)
    execute(new_address, "UPDATE alembic_version SET version_num = '0099'")
    with pytest.raises(StoreError, match="has version 0099, which this program does not know") as caught:
        open_store(new_address, writing=writing)
    assert str(caught.value).endswith(f"it knows up to {schema.SCHEMA_VERSIONS[-1]}.")
    assert execute(new_address, VERSION) == [("0099",)]


def test_a_database_without_its_version_is_not_one_of_a_house(new_address: str) -> None:
    house(new_address)
    execute(new_address, "DELETE FROM alembic_version")
    with pytest.raises(StoreError, match="is a database, but not of a house"):
        open_store(new_address)


def test_what_is_slow_to_import_is_imported_only_where_it_is_needed(postgres: Server, tmp_path: Path) -> None:
    file, database = str(tmp_path / "house.db"), postgres.fresh()
    assert finished("modules", file) == ["['alembic']"]
    assert finished("modules", file) == ["[]"]
    open_store(database).close()
    assert finished("modules", database) == ["['psycopg']"]


def test_many_may_open_an_empty_database_at_once(postgres: Server) -> None:
    address, stores = postgres.fresh(), list[Store]()
    threads = [threading.Thread(target=lambda: stores.append(open_store(address))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(stores) == 4
    for store in stores:
        assert not any(contents(store).values())
        store.close()

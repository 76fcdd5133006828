"""The audit finds every table, trigger or other object that a database lacks, has besides, or has altered."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from sqlalchemy import make_url

from fourcard.house.audit.auditor import audit
from fourcard.house.audit.report import FindingKind
from fourcard.house.audit.schema_check import difference
from fourcard.house.store.address import is_postgres, open_store
from fourcard.house.store.memory import MemoryStore
from fourcard.house.store.schema_objects import SCHEMA_FILES, Dialect, expected_objects
from tests.kit.audited_houses import Forger, Founded, told
from tests.kit.postgres import Server
from tools.schema import FOLDER, file_text, objects_of

Found = Mapping[str, FindingKind]


def small_house(address: str) -> None:
    """Open a house with staff and a player."""
    store = open_store(address)
    made = Founded(store)
    made.staff()
    made.register("ann")
    store.close()


@pytest.fixture(scope="module")
def house_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the file of a small house."""
    file = tmp_path_factory.mktemp("house") / "house.db"
    small_house(str(file))
    return file.read_bytes()


@pytest.fixture
def in_file(house_file: bytes, tmp_path: Path) -> Forger:
    """Return somebody who can write to a copy of the file."""
    file = tmp_path / "house.db"
    file.write_bytes(house_file)
    return Forger(str(file))


@pytest.fixture(scope="module")
def house_database(postgres: Server) -> str:
    """Return the name of a database with a small house."""
    address = postgres.fresh()
    small_house(address)
    return str(make_url(address).database)


@pytest.fixture
def in_server(postgres: Server, house_database: str) -> Forger:
    """Return somebody who can write to a copy of the database."""
    return Forger(postgres.fresh(house_database))


@pytest.fixture(params=["in_file", "in_server"])
def forger(request: pytest.FixtureRequest) -> Forger:
    """Return somebody who can write to a house in each kind of database."""
    found: Forger = request.getfixturevalue(request.param)
    return found


def run(forger: Forger, statements: Iterable[str]) -> None:
    """Run statements on one connection."""
    with forger.engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def findings(forger: Forger, *statements: str) -> Found:
    """Run statements, and return what an audit finds in the schema; else only passwords may be unreadable."""
    run(forger, statements)
    report = forger.audit(resign=False)
    found = [each for each in report.findings if each.place.kept == "schema"]
    others = {(each.place.kept, each.what) for each in report.findings if each not in found}
    assert others <= {("passwords", "unreadable")}, told(report)
    names = {str(each.place): each.what for each in found}
    assert len(names) == len(found), told(report)
    known = expected_objects(dialect_of(forger.address))
    assert report.counts.schema_objects == len({*known, *names})
    return names


def dialect_of(address: str) -> Dialect:
    """Return the kind of database at an address."""
    return "postgres" if is_postgres(address) else "sqlite"


def test_the_files_are_what_the_migrations_make(new_address: str) -> None:
    dialect = dialect_of(new_address)
    assert (FOLDER / SCHEMA_FILES[dialect]).read_text(encoding="utf-8") == file_text(objects_of(new_address))
    assert len(expected_objects(dialect)) > 30


def test_a_house_has_no_finding_and_memory_no_schema(forger: Forger) -> None:
    assert findings(forger) == {}
    Founded(memory := MemoryStore()).staff()
    assert audit(memory).counts.schema_objects == 0


OVERDRAWN = "balances_not_overdrawn"
MINT = "UPDATE balances SET amount = amount + 100"
MINT_TRIGGER = f"CREATE TRIGGER mint AFTER INSERT ON events BEGIN {MINT}; END"
VIEW_TRIGGER = "CREATE TRIGGER mine INSTEAD OF DELETE ON totals BEGIN SELECT 1; END"
OTHER_TRIGGER = f"CREATE TRIGGER {OVERDRAWN}_update AFTER UPDATE ON balances BEGIN SELECT 1; END"
VIEW = "CREATE VIEW totals AS SELECT * FROM balances"
DROP_INDEX = "DROP INDEX events_by_key"
COMMON: dict[str, tuple[tuple[str, ...], Found]] = {
    "table": (("CREATE TABLE mine (a INTEGER)",), {"table mine": "inserted"}),
    "view": ((VIEW,), {"view totals": "inserted"}),
    "index": (("CREATE INDEX mine ON balances (amount)",), {"index mine": "inserted"}),
    "dropped index": ((DROP_INDEX,), {"index events_by_key": "missing"}),
    "index that is not unique": (
        (DROP_INDEX, "CREATE INDEX events_by_key ON events (key, stream) WHERE key <> ''"),
        {"index events_by_key": "altered"},
    ),
    "index of fewer rows": (
        (DROP_INDEX, "CREATE UNIQUE INDEX events_by_key ON events (key, stream) WHERE key > 'a'"),
        {"index events_by_key": "altered"},
    ),
    "column": (("ALTER TABLE balances ADD COLUMN note TEXT",), {"table balances": "altered"}),
    "renamed column": (
        ("ALTER TABLE credentials RENAME COLUMN password TO word",),
        {"table credentials": "altered"},
    ),
}


@pytest.mark.parametrize("change", COMMON)
def test_a_changed_object_is_found(forger: Forger, change: str) -> None:
    statements, names = COMMON[change]
    assert findings(forger, *statements) == names


IN_FILE: dict[str, tuple[tuple[str, ...], Found]] = {
    "trigger": ((MINT_TRIGGER,), {"trigger mint": "inserted"}),
    "trigger of a view": ((VIEW, VIEW_TRIGGER), {"view totals": "inserted", "trigger mine": "inserted"}),
    "dropped trigger": ((f"DROP TRIGGER {OVERDRAWN}_insert",), {f"trigger {OVERDRAWN}_insert": "missing"}),
    "replaced trigger": (
        (f"DROP TRIGGER {OVERDRAWN}_update", OTHER_TRIGGER),
        {f"trigger {OVERDRAWN}_update": "altered"},
    ),
    "virtual table": (
        ("CREATE VIRTUAL TABLE mine USING rtree(id, low, high)",),
        {f"table mine{part}": "inserted" for part in ("", "_node", "_parent", "_rowid")},
    ),
    "dropped table": (
        ("DROP TABLE credentials",),
        {"table credentials": "missing"},
    ),
}


@pytest.mark.parametrize("change", IN_FILE)
def test_a_changed_object_of_a_file_is_found(in_file: Forger, change: str) -> None:
    statements, names = IN_FILE[change]
    assert findings(in_file, *statements) == names


WRITABLE = "PRAGMA writable_schema = ON"


def edit(name: str, old: str, new: str) -> str:
    """Return the statement that edits the stored definition of an object."""
    old, new = (each.replace("'", "''") for each in (old, new))
    return f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}') WHERE name = '{name}'"


EDITS = {
    "condition": ("trigger", f"{OVERDRAWN}_insert", "< 0", "< -99"),
    "text": ("trigger", f"{OVERDRAWN}_insert", "'player/%'", "'player/ %'"),
    "not null": ("table", "balances", "amount INTEGER NOT NULL", "amount INTEGER"),
    "type": ("table", "games", "body BLOB", "body ANY"),
    "strict": ("table", "games", "STRICT", ""),
    "default": ("table", "streams", "DEFAULT '0'", "DEFAULT '1'"),
    "check": ("table", "games", "body BLOB", "body BLOB CHECK (1)"),
    "collation": ("table", "balances", "account TEXT", "account TEXT COLLATE NOCASE"),
    "key": ("table", "player_rounds", "(player, at, stream, number)", "(player, stream, at, number)"),
}


@pytest.mark.parametrize("change", EDITS)
def test_an_edited_catalog_of_a_file_is_found(in_file: Forger, change: str) -> None:
    kind, name, old, new = EDITS[change]
    assert findings(in_file, WRITABLE, edit(name, old, new)) == {f"{kind} {name}": "altered"}


def insert_trigger(table: str, sql: str) -> str:
    """Return the statement that stores a trigger without running its statement."""
    return f"INSERT INTO sqlite_master VALUES ('trigger', 'mint', '{table}', 0, {sql})"


ROWS: dict[str, tuple[str, Found]] = {
    "trigger": (insert_trigger("events", f"'{MINT_TRIGGER}'"), {"trigger mint": "inserted"}),
    "trigger that is not text": (
        insert_trigger("events", f"CAST('{MINT_TRIGGER} -- ' || x'ff' AS TEXT)"),
        {"trigger mint": "inserted"},
    ),
    "deleted trigger": (
        f"DELETE FROM sqlite_master WHERE name = '{OVERDRAWN}_insert'",
        {f"trigger {OVERDRAWN}_insert": "missing"},
    ),
}


@pytest.mark.parametrize("change", ROWS)
def test_a_row_of_the_catalog_of_a_file_that_was_touched_is_found(in_file: Forger, change: str) -> None:
    statement, names = ROWS[change]
    assert findings(in_file, WRITABLE, statement) == names


def test_statistics_and_the_layout_of_a_statement_make_no_difference(in_file: Forger) -> None:
    spread = edit(f"{OVERDRAWN}_insert", " AFTER INSERT ", " AFTER\n\t\tINSERT  ")
    assert findings(in_file, "ANALYZE", WRITABLE, spread) == {}


ON = f"trigger {OVERDRAWN} on balances"
MINT_FUNCTION = f"RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {MINT}; RETURN NEW; END $$"
ALWAYS = f"TRIGGER {OVERDRAWN} AFTER INSERT ON balances EXECUTE FUNCTION refuse_overdrawn()"
IN_SERVER: dict[str, tuple[tuple[str, ...], Found]] = {
    "trigger": (
        (
            f"CREATE FUNCTION mint() {MINT_FUNCTION}",
            "CREATE TRIGGER mint AFTER INSERT ON events EXECUTE FUNCTION mint()",
        ),
        {"function mint()": "inserted", "trigger mint on events": "inserted"},
    ),
    "dropped trigger": ((f"DROP TRIGGER {OVERDRAWN} ON balances",), {ON: "missing"}),
    "replaced trigger": ((f"CREATE OR REPLACE {ALWAYS}",), {ON: "altered"}),
    "disabled trigger": ((f"ALTER TABLE balances DISABLE TRIGGER {OVERDRAWN}",), {ON: "altered"}),
    "disabled triggers": (("ALTER TABLE balances DISABLE TRIGGER ALL",), {ON: "altered"}),
    "replica trigger": ((f"ALTER TABLE balances ENABLE REPLICA TRIGGER {OVERDRAWN}",), {ON: "altered"}),
    "hidden trigger": (
        ("UPDATE pg_class SET relhastriggers = false WHERE relname = 'balances'",),
        {ON: "altered"},
    ),
    "function": (
        (f"CREATE OR REPLACE FUNCTION refuse_overdrawn() {MINT_FUNCTION}",),
        {"function refuse_overdrawn()": "altered"},
    ),
    "setting of a function": (
        ("ALTER FUNCTION refuse_overdrawn() SET search_path = mine",),
        {"function refuse_overdrawn()": "altered"},
    ),
    "overload": (
        ("CREATE FUNCTION lower(bigint) RETURNS bigint LANGUAGE sql RETURN $1 - 1",),
        {"function lower(bigint)": "inserted"},
    ),
    "aggregate": (
        ("CREATE AGGREGATE total(bigint) (sfunc = int8pl, stype = bigint)",),
        {"function total(bigint)": "inserted"},
    ),
    "default": (
        ("ALTER TABLE streams ALTER COLUMN commit_id SET DEFAULT 1",),
        {"table streams": "altered"},
    ),
    "not null": (
        ("ALTER TABLE balances ALTER COLUMN amount DROP NOT NULL",),
        {"table balances": "altered"},
    ),
    "type": (
        ("ALTER TABLE credentials ALTER COLUMN password TYPE varchar(200)",),
        {"table credentials": "altered"},
    ),
    "collation": (
        ('ALTER TABLE credentials ALTER COLUMN password TYPE text COLLATE "POSIX"',),
        {"table credentials": "altered"},
    ),
    "unlogged": (("ALTER TABLE credentials SET UNLOGGED",), {"table credentials": "altered"}),
    "dropped table": (
        ("DROP TABLE credentials",),
        {
            "table credentials": "missing",
            "index credentials_pkey": "missing",
            "constraint credentials_pkey on credentials": "missing",
        },
    ),
    "materialized view": (
        ("CREATE MATERIALIZED VIEW totals AS SELECT 1",),
        {"materialized view totals": "inserted"},
    ),
    "index that is not used": (
        ("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'events_by_key'::regclass",),
        {"index events_by_key": "altered"},
    ),
    "check": (
        ("ALTER TABLE balances ADD CONSTRAINT few CHECK (amount < 100) NOT VALID",),
        {"constraint few on balances": "inserted"},
    ),
    "dropped key": (
        ("ALTER TABLE games DROP CONSTRAINT games_pkey",),
        {"constraint games_pkey on games": "missing", "index games_pkey": "missing"},
    ),
    "sequence": (("CREATE SEQUENCE mine",), {"sequence mine": "inserted"}),
    "altered sequence": (
        ("ALTER SEQUENCE commit_numbers INCREMENT 2",),
        {"sequence commit_numbers": "altered"},
    ),
    "rule": (
        ("CREATE RULE mine AS ON INSERT TO credentials DO INSTEAD NOTHING",),
        {"rule mine on credentials": "inserted"},
    ),
    "policy": (
        ("CREATE POLICY mine ON balances USING (amount < 0)",),
        {"policy mine on balances": "inserted"},
    ),
    "row level security": (
        ("ALTER TABLE balances ENABLE ROW LEVEL SECURITY",),
        {"table balances": "altered"},
    ),
    "child table of another schema": (
        ("CREATE SCHEMA other", "CREATE TABLE other.more () INHERITS (balances)"),
        {"child table other.more of balances": "inserted"},
    ),
    "enumeration": (("CREATE TYPE mine AS ENUM ('a')",), {"type public.mine": "inserted"}),
    "row type": (("CREATE TYPE mine AS (a bigint)",), {"type public.mine": "inserted"}),
    "operator": (
        ("CREATE OPERATOR === (function = int8eq, leftarg = bigint, rightarg = bigint)",),
        {"operator public.===(bigint,bigint)": "inserted"},
    ),
    "setting of a role": (
        ("CREATE ROLE dealer", "ALTER ROLE dealer SET session_replication_role = replica"),
        {"setting session_replication_role of dealer": "inserted"},
    ),
}


@pytest.mark.parametrize("change", IN_SERVER)
def test_a_changed_object_of_a_server_is_found(in_server: Forger, change: str) -> None:
    statements, names = IN_SERVER[change]
    try:
        assert findings(in_server, *statements) == names
    finally:
        run(in_server, ["DROP ROLE IF EXISTS dealer"])


def test_a_setting_of_a_database_that_disables_triggers_is_found(in_server: Forger) -> None:
    assert findings(in_server, set_for_database(in_server, "session_replication_role = replica")) == {
        "setting session_replication_role": "altered",
        "setting session_replication_role of all": "inserted",
    }


def set_for_database(forger: Forger, setting: str) -> str:
    """Return the statement that sets something for every connection to a database."""
    return f'ALTER DATABASE "{make_url(forger.address).database}" SET {setting}'


def test_a_table_that_hides_another_is_found(in_server: Forger) -> None:
    """Put a schema before that of the house, with a copy of a table in it."""
    copy = "CREATE TABLE evil.credentials (LIKE credentials INCLUDING ALL)"
    assert findings(in_server, "CREATE SCHEMA evil", copy) == {}
    assert findings(in_server, set_for_database(in_server, "search_path = evil, public")) == {
        "table public.credentials": "inserted",
        "index public.credentials_pkey": "inserted",
        "constraint credentials_pkey on public.credentials": "inserted",
    }


def test_names_that_are_looked_up_before_those_of_the_system_are_found(in_server: Forger) -> None:
    names = findings(in_server, set_for_database(in_server, "search_path = public, pg_catalog"))
    assert names == {"setting search_path": "altered"}


def test_schema_owner_and_rights_of_a_server_make_no_difference(postgres: Server) -> None:
    """Keep a house in a schema of its own, beside tables of others."""
    address = postgres.fresh()
    run(Forger(address), ["CREATE SCHEMA casino", "CREATE TABLE credentials (a bigint)", "CREATE ROLE clerk"])
    path = f"{address}{'&' if '?' in address else '?'}options=-csearch_path%3Dcasino"
    small_house(path)
    given = (
        "GRANT SELECT ON balances TO clerk",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA casino GRANT SELECT ON TABLES TO clerk",
        "ALTER TABLE balances OWNER TO clerk",
        "ANALYZE",
    )
    assert findings(Forger(path), *given) == {}


def test_a_finding_tells_what_differs(forger: Forger) -> None:
    run(forger, ["CREATE TABLE mine (a INTEGER)", "ALTER TABLE balances ADD COLUMN note TEXT"])
    altered, inserted = forger.audit(resign=False).findings
    assert "NOT NULL" in altered.sentence
    assert "note" in altered.sentence.partition("in place of")[0]
    assert "a integer" in inserted.sentence.lower()


def test_a_difference_is_told_with_the_words_around_it() -> None:
    assert difference("a b c d NOT NULL, e f g h", "a b c d e f g h") == (
        "b c d NOT NULL, e f g",
        "b c d e f g",
    )
    assert difference("a b", "a b c") == ("a b", "a b c")
    assert difference("a a", "a a a") == ("a a", "a a a")

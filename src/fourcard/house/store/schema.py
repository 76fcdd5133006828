"""Database schema: the tables, the same in SQLite and PostgreSQL, and their versions."""

from pathlib import Path
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TextClause,
    inspect,
    text,
)
from sqlalchemy.dialects.postgresql import TEXT as POSTGRES_TEXT

from fourcard.house.store.interface import StoreError, WriteTransaction

metadata = MetaData()

_words = Text().with_variant(POSTGRES_TEXT(collation="C"), "postgresql")
_number = BigInteger().with_variant(Integer(), "sqlite")


def _word(name: str, *, key: bool = False) -> Column[str]:
    return Column(name, _words, primary_key=key, nullable=False)


def _whole(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, _number, primary_key=key, nullable=False, autoincrement=False)


def _raw(name: str) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=False)


def _optional(name: str) -> Column[bytes | None]:
    return Column(name, LargeBinary, nullable=True)


def _table(name: str, *columns: Column[Any], long: bool = False) -> Table:
    # A strict table refuses a number of more than 64 bits; another table would round it. Rows are stored in
    # key order, except long ones, because too few fit on a page. Rows of the journal and the ledger stay
    # in the order of writing, so a commit for many streams touches few pages.
    return Table(name, metadata, *columns, sqlite_strict=True, sqlite_with_rowid=long)


streams = _table(
    "streams",
    _word("name", key=True),
    _whole("sequence"),
    _raw("hash"),
    Column("commit_id", _number, nullable=False, server_default="0"),
)
commits = _table(
    "commits", _whole("id", key=True), _whole("previous"), _raw("heads"), _raw("digest"), _raw("signature"),
    long=True,
)  # fmt: skip

events = _table(
    "events",
    _word("stream", key=True),
    _whole("sequence", key=True),
    _whole("command"),
    _word("kind"),
    _whole("version"),
    _whole("at"),
    _word("by"),
    _word("role"),
    _word("key"),
    _word("digest"),
    _word("game"),
    _raw("body"),
    _raw("hash"),
    _optional("command_body"),
    long=True,
)
_keyed = text("key <> ''")
Index(
    "events_by_key",
    events.c.key,
    events.c.stream,
    unique=True,
    sqlite_where=_keyed,
    postgresql_where=_keyed,
)

transfers = _table(
    "transfers",
    _word("stream", key=True),
    _whole("sequence", key=True),
    _whole("number", key=True),
    _word("giver"),
    _word("taker"),
    _whole("amount"),
    _word("what"),
    _word("wager"),
    _whole("at"),
    long=True,
)


def of_players(side: str) -> TextClause:
    """Return the filter for transfers of players' accounts, which statements search among millions."""
    return text(f"{side} >= 'player/' AND {side} < 'player0'")


for _side in ("giver", "taker"):
    Index(
        f"transfers_by_{_side}",
        transfers.c[_side],
        sqlite_where=of_players(_side),
        postgresql_where=of_players(_side),
    )

# Closed days: a part takes the place of rows of the journal and the ledger.
segments = _table("segments", _whole("day", key=True), _whole("at"), _raw("manifest"), long=True)
segment_parts = _table(
    "segment_parts",
    _word("stream", key=True),
    _whole("last", key=True),
    _whole("first"),
    _whole("day"),
    _whole("records"),
    _whole("transfers"),
    _whole("last_transfer"),
    _raw("earlier_hash"),
    _raw("hash"),
    _raw("body"),
    long=True,
)
Index("segment_parts_by_day", segment_parts.c.day, segment_parts.c.stream, segment_parts.c.last)
segment_players = _table(
    "segment_players", _word("account", key=True), _word("stream", key=True), _whole("last", key=True)
)
Index("segment_players_by_part", segment_players.c.stream, segment_players.c.last)

balances = _table("balances", _word("account", key=True), _whole("amount"))
games = _table("games", _word("hash", key=True), _raw("body"), long=True)
secrets = _table("secrets", _word("stream", key=True), _whole("number", key=True), _raw("secret"))
snapshots = _table(
    "snapshots", _word("stream", key=True), _whole("sequence", key=True), _raw("body"), _raw("earlier_hash"),
    _raw("signature"), long=True,
)  # fmt: skip

# The hours of all tables lie side by side, so that a commit for many tables touches few pages.
hour_totals = _table("hour_totals", _whole("hour", key=True), _word("stream", key=True), _raw("body"))
earlier_totals = _table("earlier_totals", _word("stream", key=True), _whole("hour", key=True), _raw("body"))

rounds = _table(
    "rounds",
    _word("stream", key=True),
    _whole("number", key=True),
    _whole("at"),
    _whole("sequence"),
    _word("game"),
    Column("shuffle", _number, nullable=True),
    _raw("body"),
    long=True,
)
Index("rounds_by_time", rounds.c.at, rounds.c.stream, rounds.c.number)
player_rounds = _table(
    "player_rounds",
    _word("player", key=True),
    _whole("at", key=True),
    _word("stream", key=True),
    _whole("number", key=True),
)
DERIVED_TABLES = (snapshots, hour_totals, earlier_totals, rounds, player_rounds)
"""What the journal leads to."""
credentials = _table("credentials", _word("kind", key=True), _word("person", key=True), _word("password"))


SCHEMA_VERSIONS = ("0001", "0002", "0003", "0004", "0005")
"""Versions that this program can migrate, the oldest first; the last one is its own."""
MIGRATION_SCRIPTS = Path(__file__).parent / "migrations"
_VERSION_TABLE = "alembic_version"


def schema_version_of(connection: Connection, name: str) -> str | None:
    """Return the version of a database, or ``None`` if it is empty."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    found = (
        connection.exec_driver_sql(f"SELECT version_num FROM {_VERSION_TABLE}").scalars()
        if _VERSION_TABLE in tables
        else ()
    )
    versions = list(found)
    if len(versions) != 1:
        raise StoreError(f"{name} is a database, but not of a house.")
    return str(versions[0])


def refuse_unknown_version(version: str | None, name: str) -> None:
    """Refuse a database with an unknown version, usually of a newer program."""
    if version is not None and version not in SCHEMA_VERSIONS:
        raise StoreError(
            f"{name} has version {version}, which this program does not know; "
            f"it knows up to {SCHEMA_VERSIONS[-1]}."
        )


def refuse_old_version(version: str | None, name: str) -> None:
    """Refuse to read a database that needs a migration first."""
    refuse_unknown_version(version, name)
    if version is None:
        raise StoreError(f"{name} is empty: no house has been opened there yet.")
    if version != SCHEMA_VERSIONS[-1]:
        raise StoreError(
            f"{name} has version {version}, older than this program's {SCHEMA_VERSIONS[-1]}; "
            "open it to write."
        )


def is_current(version: str | None, name: str) -> bool:
    """Return whether no migration is needed; refuse an unknown version."""
    refuse_unknown_version(version, name)
    return version == SCHEMA_VERSIONS[-1]


def migrate(connection: Connection, transaction: WriteTransaction) -> None:
    """Run all missing migrations in the connection's transaction, which some use to read and write rows."""
    # Alembic is slow to import and rarely needed.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection, "transaction": transaction})
    config.set_main_option("script_location", str(MIGRATION_SCRIPTS).replace("%", "%%"))
    command.upgrade(config, "head")

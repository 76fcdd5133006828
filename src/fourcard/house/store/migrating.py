"""Migrations: the schema version of a database, and the steps up to this program's version."""

from pathlib import Path

from sqlalchemy import Connection, inspect

from fourcard.house.store.contract import StoreError

VERSIONS = ("0001",)
"""Versions that this program can migrate, the oldest first; the last one is its own."""
SCRIPTS = Path(__file__).parent / "migrations"
_TABLE = "alembic_version"


def version_of(connection: Connection, name: str) -> str | None:
    """Return the version of a database, or ``None`` if it is empty."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    found = (
        connection.exec_driver_sql(f"SELECT version_num FROM {_TABLE}").scalars() if _TABLE in tables else ()
    )
    versions = list(found)
    if len(versions) != 1:
        raise StoreError(f"{name} is a database, but not of a house.")
    return str(versions[0])


def refuse_unknown(version: str | None, name: str) -> None:
    """Refuse a database with an unknown version, usually of a newer program."""
    if version is not None and version not in VERSIONS:
        raise StoreError(
            f"{name} has version {version}, which this program does not know; it knows up to {VERSIONS[-1]}."
        )


def refuse_unready(version: str | None, name: str) -> None:
    """Refuse to read a database that needs a migration first."""
    refuse_unknown(version, name)
    if version is None:
        raise StoreError(f"{name} is empty: no house has been opened there yet.")
    if version != VERSIONS[-1]:
        raise StoreError(
            f"{name} has version {version}, older than this program's {VERSIONS[-1]}; open it to write."
        )


def is_ready(version: str | None, name: str) -> bool:
    """Return whether no migration is needed; refuse an unknown version."""
    refuse_unknown(version, name)
    return version == VERSIONS[-1]


def bring_up(connection: Connection) -> None:
    """Run all missing migrations in the connection's transaction."""
    # Alembic is slow to import and rarely needed.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    command.upgrade(config, "head")

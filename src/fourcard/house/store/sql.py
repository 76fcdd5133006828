"""Opening a house's database by its address."""

from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from fourcard.house.store.contract import StoreError
from fourcard.house.store.sql_store import SqlStore

_SQLITE = "sqlite:///"
_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


def open_store(url: str | Path, *, writing: bool = True) -> SqlStore:
    """Open a file by its path, or a database by its address; for reading only, nothing is made or changed."""
    scheme, separator, rest = str(url).partition("://")
    if not separator:
        return _sqlite(Path(url), writing=writing)
    if scheme == "sqlite" and len(rest) > 1:
        return _sqlite(Path(rest[1:]), writing=writing)
    if scheme in _POSTGRES:
        return _postgres(str(url), writing=writing)
    raise StoreError(
        f"A store of the kind {scheme}:// is not known; give a file or postgresql://host/database."
    )


def _sqlite(path: Path, *, writing: bool) -> SqlStore:
    from fourcard.house.store.sqlite import open_sqlite  # noqa: PLC0415

    return open_sqlite(path, writing=writing)


def _postgres(address: str, *, writing: bool) -> SqlStore:
    # The driver takes long to import, and a house in a file does not need it.
    from fourcard.house.store.postgres import open_postgres  # noqa: PLC0415

    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError(
            "The address of the database cannot be read; it goes like postgresql://user:password@host:5432/database."
        ) from None
    return open_postgres(url, writing=writing)

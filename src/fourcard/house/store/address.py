"""Store address: opens the store that a path or URL names; drivers are imported only when needed."""

import os
from pathlib import Path

from fourcard.house.store.interface import Store, StoreError
from fourcard.refusals import BadInputError

OWNER_ONLY = 0o600


def sqlite_path_of(url: str) -> Path | None:
    """Return the SQLite file of an address, or None for a server."""
    path = url.removeprefix("sqlite:///")
    return None if "://" in path else Path(path).expanduser()


def create_private_file(file: Path | None) -> None:
    """Create an empty file for its owner alone, because it will hold secrets; an existing file stays."""
    if file is None or file.exists():
        return
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    except OSError as error:
        raise BadInputError(
            f"{file} cannot be created: {(error.strerror or 'it is closed').lower()}."
        ) from None


_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


def is_postgres(url: str | Path) -> bool:
    """Return whether an address names a PostgreSQL database."""
    scheme, separator, _ = str(url).partition("://")
    return bool(separator) and scheme in _POSTGRES


def open_store(url: str | Path, *, writing: bool = True) -> Store:
    """Open a file by its path, or a database by its URL; reading creates and changes nothing."""
    store = _open(str(url), writing=writing)
    store.address = str(url)
    return store


def _open(url: str, *, writing: bool) -> Store:
    scheme, separator, rest = url.partition("://")
    if not separator:
        return _sqlite(Path(url), writing=writing)
    if scheme == "sqlite" and len(rest) > 1:
        return _sqlite(Path(rest[1:]), writing=writing)
    if is_postgres(url):
        return _postgres(url, writing=writing)
    raise StoreError(f"{scheme}:// is an unknown kind of store; give a file or postgresql://host/database.")


def _sqlite(path: Path, *, writing: bool) -> Store:
    from fourcard.house.store.sqlite import open_sqlite  # noqa: PLC0415

    return open_sqlite(path, writing=writing)


def _postgres(address: str, *, writing: bool) -> Store:
    from fourcard.house.store.postgres import open_postgres  # noqa: PLC0415

    return open_postgres(address, writing=writing)

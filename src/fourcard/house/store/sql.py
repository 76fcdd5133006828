"""Store address: opens the store that a path or URL names; drivers are imported only when needed."""

from pathlib import Path

from fourcard.house.store.contract import Store, StoreError

_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")


def open_store(url: str | Path, *, writing: bool = True) -> Store:
    """Open a file by its path, or a database by its URL; reading creates and changes nothing."""
    scheme, separator, rest = str(url).partition("://")
    if not separator:
        return _sqlite(Path(url), writing=writing)
    if scheme == "sqlite" and len(rest) > 1:
        return _sqlite(Path(rest[1:]), writing=writing)
    if scheme in _POSTGRES:
        return _postgres(str(url), writing=writing)
    raise StoreError(f"{scheme}:// is an unknown kind of store; give a file or postgresql://host/database.")


def _sqlite(path: Path, *, writing: bool) -> Store:
    from fourcard.house.store.sqlite import open_sqlite  # noqa: PLC0415

    return open_sqlite(path, writing=writing)


def _postgres(address: str, *, writing: bool) -> Store:
    from fourcard.house.store.postgres import open_postgres  # noqa: PLC0415

    return open_postgres(address, writing=writing)

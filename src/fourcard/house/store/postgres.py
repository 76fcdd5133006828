"""PostgreSQL store: any number of writing processes, which lock streams in one fixed order."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from fourcard.house.store.contract import StoreError
from fourcard.house.store.failures import speak
from fourcard.house.store.migrating import bring_up, is_ready, refuse_unready, version_of
from fourcard.house.store.postgres_failures import tell_postgres
from fourcard.house.store.postgres_session import PostgresSession
from fourcard.house.store.sql_store import SqlStore

_LIMITS = {"lock_timeout": "10s", "statement_timeout": "60s", "idle_in_transaction_session_timeout": "600s"}
_CONNECTING: Mapping[str, Any] = {
    "application_name": "fourcard",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    "options": " ".join(f"-c {name}={value}" for name, value in _LIMITS.items()),
}
"""Every wait has a time limit, here and at the server."""
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(1718580594)"


def open_postgres(address: str, *, writing: bool) -> SqlStore:
    """Open a database; for writing, create or migrate its tables."""
    url = _url(address)
    name = _name(url)
    engine = _engine(url, name)
    try:
        _prepare(engine, name, writing=writing)
    except BaseException:
        engine.dispose()
        raise
    known: set[str] = set()
    reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    sessions = partial(PostgresSession, name=name, known=known)
    return SqlStore(name, sessions, reader, engine if writing else None)


def _prepare(engine: Engine, name: str, *, writing: bool) -> None:
    with engine.connect() as connection:
        version = version_of(connection, name)
    if not writing:
        refuse_unready(version, name)
    elif not is_ready(version, name):
        with engine.begin() as connection:
            connection.exec_driver_sql(_ONE_AT_A_TIME)
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            if not is_ready(version_of(connection, name), name):
                bring_up(connection)


def _url(address: str) -> URL:
    try:
        return make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError(
            "The database address is invalid; write it like postgresql://user:password@host/database."
        ) from None


def _name(url: URL) -> str:
    """Return the display name of the database, without user and password."""
    host = url.host or url.query.get("host") or "this machine"
    place = host if isinstance(host, str) else ", ".join(host)
    called = f" {name}" if (name := url.database or url.username) else ""
    return f"PostgreSQL database{called} at {place}{f':{url.port}' if url.port else ''}"


def _engine(url: URL, name: str) -> Engine:
    """Return an engine that detects a broken connection before it is used again."""
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_pre_ping=True,
        pool_timeout=10,
        max_overflow=15,
        isolation_level="READ COMMITTED",
        hide_parameters=True,
        connect_args={key: value for key, value in _CONNECTING.items() if key not in url.query},
    )
    speak(engine, name, tell_postgres)
    return engine

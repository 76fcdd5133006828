"""The three stores, each new for every test; PostgreSQL is a real server, started once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fourcard.house.store.address import open_store
from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from tests.kit.postgres import Server, server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Return a running PostgreSQL server."""
    with server(durable=False) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def new_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database of each kind in which nothing was ever made."""
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    running: Server = request.getfixturevalue("postgres")
    return running.fresh()


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database of each kind without rows."""
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    running: Server = request.getfixturevalue("postgres")
    return running.emptied()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Return an empty store of each kind."""
    opened = made(request, request.param, tmp_path)
    yield opened
    opened.close()


def made(request: pytest.FixtureRequest, kind: str, folder: Path) -> Store:
    """Return an empty store of a kind."""
    if kind == "memory":
        return MemoryStore()
    if kind == "sqlite":
        return open_store(folder / "house.db")
    running: Server = request.getfixturevalue("postgres")
    return open_store(running.emptied())

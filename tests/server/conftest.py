"""PostgreSQL server for the tests with several processes, started once."""

from collections.abc import Iterator

import pytest

from tests.kit.postgres import Server, server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Return a running PostgreSQL server; a test that stops it starts it again."""
    with server(durable=False) as running:
        yield running

"""A served house closes days by itself, killed or not, and its routes answer as before."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from fourcard.house.audit.auditor import audit
from fourcard.house.house import open_founded
from fourcard.house.store.address import open_store
from fourcard.odds.states_cache import all_states
from tests.api.api_client import AUDITOR, read_house
from tests.kit.audited_houses import three_days, told
from tests.kit.houses import player
from tests.kit.waiting import wait_until
from tests.server.processes import ServeProcess

OWN = ("/api/rounds", "/api/rounds/one/1", "/api/rounds/one/3", "/api/results")
SERVED = ("--house", "--no-deal", "--keep-days", "2", "--database")
OF_HOUSE = ("/api/house/results", "/api/rounds/one/2")


def answers(path: Path) -> list[Any]:
    """Return what a player and an auditor are answered."""
    with open_founded(str(path)) as house, read_house(house) as reader:
        own = [reader.ask(each, player("ann")) for each in OWN]
        return own + [reader.ask(each, AUDITOR) for each in OF_HOUSE]


def count(path: Path, table: str) -> int:
    """Return how many rows a table has."""
    with closing(sqlite3.connect(path)) as house:
        return int(house.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_a_served_house_closes_its_days(tmp_path: Path) -> None:
    """Kill it while it closes three days of long ago, and let it end the work at its next start."""
    path = tmp_path / "house.db"
    all_states()  # results have more expected values once the game is solved
    with closing(open_store(path)) as store:
        three_days(store)
    path.with_name("house.db.key").write_text(bytes(range(32)).hex())
    before, rows = answers(path), count(path, "transfers")
    server = ServeProcess(tmp_path / "log", *SERVED, str(path))
    server.start()
    wait_until(lambda: count(path, "segment_parts") > 0)
    server.kill()
    with closing(open_store(path, writing=False)) as store:
        assert audit(store).clean, told(audit(store))
    server.start()
    wait_until(lambda: count(path, "segments") == 3)
    server.listen()
    assert server.stop() == 0
    assert "Closed 2026-01-03" in server.output()
    assert count(path, "transfers") < rows / 10
    assert answers(path) == before
    with closing(open_store(path, writing=False)) as store:
        assert audit(store).clean, told(audit(store))

"""Long histories: the first answers of reports and lists as the journal grows, through a real server."""

import shutil
import time
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.table import Table

from bench.measurement import fourcard_command, free_port, running_server, seconds, table_of
from bench.rounds import GAMES, MANY_TABLES, AutoplayTables, event_count
from bench.setup_house import AUDITOR
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import HireStaff
from fourcard.house.decision import STAFF
from fourcard.house.house import House, key_beside, open_house
from fourcard.house.route_command import Request

HISTORY_EVENTS = (100_000, 400_000, 1_000_000)
LIMITS = {"/api/house/results": 0.05, "/api/rounds": 0.1}
"""The paths that are measured, and the seconds that each may take."""


def history() -> Table:
    """Measure results and rounds at several sizes of one house; the figures must not grow with it."""
    told = [f"{path}: {limit * 1000:.0f} ms" for path, limit in LIMITS.items()]
    figures = table_of(
        f"milliseconds by length of the journal, {MANY_TABLES} tables; limits: {', '.join(told)}",
        "events",
        *(f"{path}, {which}" for path in LIMITS for which in ("first", "median")),
    )
    with TemporaryDirectory() as folder:
        file = Path(folder) / "long.db"
        house = open_house(str(file))
        floor = AutoplayTables(house.store, GAMES[0], MANY_TABLES)
        hired = HireStaff(person=AUDITOR, name=AUDITOR, roles=(AUDITOR,))
        floor.service.execute([Request(STAFF, hired, BOT_STAFF)])
        token = house.sign_in.issue_by_link("staff", AUDITOR)
        for size in HISTORY_EVENTS:
            while event_count(house.store) < size:
                floor.play(1)
            copy = copy_house(house, file, file.with_name(f"copy{size}.db"))
            times = (f"{each * 1000:.0f}" for each in _answer_times(copy, token))
            figures.add_row(f"{event_count(house.store):,}", *times)
        floor.group_commit.close()
        house.close()
    return figures


def copy_house(house: House, file: Path, copy: Path) -> Path:
    """Copy a house's file with its key while nobody writes to it; the copy goes on by itself."""
    with house.store.writing() as writing:
        writing.rewrite_head(STAFF)
        for name in ("", "-wal"):
            shutil.copy(f"{file}{name}", f"{copy}{name}")
    shutil.copy(key_beside(str(file)), key_beside(str(copy)))
    return copy


def _answer_times(file: Path, token: str) -> list[float]:
    """Return the times of the first and of the median answer of each path, from a server of its own."""
    port, log = free_port(), file.with_name("server.log")
    command = fourcard_command("serve", "--house", "--no-deal", "--database", file, "--port", port)
    with running_server(command, port, log) as server:
        server.await_solver()
        return [
            taken
            for path in LIMITS
            for taken in (answer_seconds(port, path, token), _median(port, path, token))
        ]


def _median(port: int, path: str, token: str) -> float:
    return seconds(lambda: answer_seconds(port, path, token))


def answer_seconds(port: int, path: str, token: str) -> float:
    """Return the seconds until a path has answered with status 200."""
    begin, connection = time.perf_counter(), HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        body = answer.read()
    finally:
        connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} answers {answer.status}: {body[:200]!r}")
    return time.perf_counter() - begin

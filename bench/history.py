"""Long histories: reports and lists through a real server, audits and backups, as the journal grows."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.table import Table

from bench.measurement import fourcard_command, free_port, running_server, seconds, table_of
from bench.rounds import GAMES, MANY_TABLES, AutoplayTables, event_count
from bench.setup_house import AUDITOR
from fourcard.house.audit.auditor import AuditResult, audit_from
from fourcard.house.audit.checkpoint import write_checkpoint
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import HireStaff
from fourcard.house.decision import STAFF
from fourcard.house.house import House, key_beside, open_house
from fourcard.house.route_command import Request
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house

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
        "full audit",
        "events after it",
        "audit of these",
        "backup",
        "backup from the one before",
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
            copy = copy_house_files(house, file, file.with_name(f"copy{size}.db"))
            times = (f"{each * 1000:.0f}" for each in _answer_times(copy, token))
            events = f"{event_count(house.store):,}"
            with closing(open_store(copy.with_suffix(".backup"))) as backup:
                full = _time(lambda: copy_house(house.store, backup))
                audits = [*_audit_times(house, floor)]
                later = _time(lambda: copy_house(house.store, backup, onto_earlier=True))
            figures.add_row(events, *times, *audits, full, later)
        floor.group_commit.close()
        house.close()
    return figures


def _audit_times(house: House, floor: AutoplayTables) -> Iterator[str]:
    """Audit everything, play one round at each table, and audit these from the checkpoint."""
    before, done = event_count(house.store), list[AuditResult]()
    yield _time(lambda: done.append(audit_from(house.store, None)))
    if done[0].checkpoint is None:
        raise RuntimeError(f"The audit found {done[0].report.findings[:3]}")
    file = write_checkpoint(done[0].checkpoint, house.key.signer(house.name), house.clock.now())
    floor.play(1)
    yield f"{event_count(house.store) - before:,}"
    yield _time(lambda: done.append(audit_from(house.store, file)))
    if not done[1].report.clean or done[1].report.start.at is None:
        raise RuntimeError(f"The audit found {done[1].report.findings[:3]} {done[1].report.start.reason}")


def _time(work: Callable[[], object]) -> str:
    """Return the seconds that some work takes, and those of the processor."""
    wall, own = time.perf_counter(), time.process_time()
    work()
    return f"{time.perf_counter() - wall:.1f} s, {time.process_time() - own:.1f} s CPU"


def copy_house_files(house: House, file: Path, copy: Path) -> Path:
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

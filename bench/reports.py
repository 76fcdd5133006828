"""Reports beside play: how long heavy reports take as the journal grows, and what players notice of them."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from rich.table import Table

from bench.history import answer_seconds, copy_house_files
from bench.live_players import LiveLoad, LiveResult
from bench.live_rounds import EVERY, play_seats
from bench.measurement import (
    ServerProcess,
    fourcard_command,
    free_port,
    running_server,
    seconds,
    table_of,
)
from bench.rounds import event_count
from bench.setup_house import AUDITOR, SeatedPlayer, play_until, set_up_house
from fourcard.house.house import House, open_house

SEATS = 50
SIZES = (100_000, 400_000)
WARM, SPAN = 5.0, 20.0
RUNS = 3
PATHS = (
    "/api/house/results",
    "/api/house/wins",
    "/api/house/meters",
    "/api/house/balance",
    "/api/house/tables",
    "/api/rounds",
    "/api/rounds/export?table=t0",
    "/api/par/maryland?format=pdf",
)
"""Reports that are measured alone."""
LOOPS = (
    ("/api/house/results", "/api/house/wins", "/api/house/meters", "/api/house/tables"),
    ("/api/rounds/export?table=t0",),
)
"""Reports that are requested again and again beside play, each group in turn."""


def reports() -> Table:
    """Measure each report alone, and the latency of acts without and beside a loop of all of them."""
    figures = table_of(
        f"reports at several lengths of one journal; {SEATS} live seats, one action per seat every {EVERY} s",
        "what",
        *(f"{size:,} events" for size in SIZES),
    )
    with TemporaryDirectory() as folder:
        columns = list[dict[str, str]]()
        file = Path(folder) / "house.db"
        seats = set_up_house(file, SEATS)
        with open_house(str(file)) as house:
            token = house.sign_in.issue_by_link("staff", AUDITOR)
            for size in SIZES:
                play_until(house, SEATS, size)
                columns.append(_column(house, file, seats, token))
    for row in zip(*(column.items() for column in columns), strict=True):
        figures.add_row(row[0][0], *(figure for _, figure in row))
    return figures


def _column(house: House, file: Path, seats: list[SeatedPlayer], token: str) -> dict[str, str]:
    """Return the figures of one size, by label."""
    events = event_count(house.store)
    copies = (file.with_name(f"{name}{events}.db") for name in ("alone", "beside"))
    alone, beside = (copy_house_files(house, file, copy) for copy in copies)
    found = {"events": f"{events:,}"}
    found["anchor, ms"] = f"{seconds(lambda: _anchor(alone), RUNS) * 1000:.0f}"
    with _serving(alone) as (port, process):
        for path in PATHS:
            first = answer_seconds(port, path, token)
            again = seconds(partial(answer_seconds, port, path, token), RUNS)
            found[f"{path}, first and median ms"] = f"{first * 1000:.0f}, {again * 1000:.0f}"
        quiet, used = play_seats(process, LiveLoad((port,), tuple(seats), EVERY, WARM, SPAN))
        found |= _latencies("alone", quiet)
        found["server alone, of one core"] = f"{used.cpu / quiet.span:.0%}"
    with _serving(beside) as (port, process), _looping(beside, port, token) as asked:
        busy, used = play_seats(process, LiveLoad((port,), tuple(seats), EVERY, WARM, SPAN))
        found |= _latencies("beside reports", busy)
        found["server beside reports, of one core"] = f"{used.cpu / busy.span:.0%}"
        found["reports answered"] = f"{len(asked)}"
    return found


def _latencies(when: str, noted: LiveResult) -> dict[str, str]:
    return {
        f"acts {when}, p50 ms": f"{noted.answered.p50 * 1000:.1f}",
        f"acts {when}, p99 ms": f"{noted.answered.p99 * 1000:.1f}",
    }


@contextmanager
def _serving(file: Path) -> Iterator[tuple[int, ServerProcess]]:
    """Run a server of a house that deals without pauses."""
    port = free_port()
    command = fourcard_command("serve", "--house", "--database", file, "--port", port, "--pace", 0)
    with running_server(command, port, file.with_suffix(".log")) as process:
        process.await_solver()
        yield port, process


@contextmanager
def _looping(file: Path, port: int, token: str) -> Iterator[list[float]]:
    """Request every report and take an anchor, again and again; yields the times of the answers."""
    over, times = Event(), list[float]()

    def loop(*requests: Callable[[], float]) -> None:
        for request in cycle(requests):
            if over.is_set():
                return
            times.append(request())

    groups = [[partial(answer_seconds, port, path, token) for path in paths] for paths in LOOPS]
    threads = [Thread(target=loop, args=each) for each in (*groups, [partial(_anchor, file)])]
    for thread in threads:
        thread.start()
    try:
        yield times
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _anchor(file: Path) -> float:
    """Take an anchor, and return the seconds."""
    begin = time.perf_counter()
    subprocess.run(
        fourcard_command("house", "anchor", "--database", file), check=True, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - begin

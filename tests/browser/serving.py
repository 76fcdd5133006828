"""The real `fourcard serve` for the tests, on a port of its own, stopped politely or not at all politely."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

LINK = re.compile(r"http://127\.0\.0\.1:\d+/enter/\S+")
PATIENCE = 120.0
"""Seconds in which a server must have printed its links; it takes about two on a machine at rest."""


class Served:
    """A house in a folder, served for as long as a test wants."""

    def __init__(self, folder: Path, *options: str) -> None:
        """Choose a port; `start` starts."""
        self.folder, self.options, self.port = folder, options, _free_port()
        self.player = self.staff = ""
        self.log = folder / "serve.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Return where the house is reached."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        """Return the house's file."""
        return self.folder / "house.db"

    def start(self) -> None:
        """Serve, and wait for the two links."""
        command = [str(Path(sys.executable).parent / "fourcard"), "serve"]
        command += ["--database", str(self.database), "--port", str(self.port), *self.options]
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("FOURCARD_DATABASE")
        }
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        self.player, self.staff = self._links()

    def _links(self) -> tuple[str, str]:
        assert self._process is not None
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            match LINK.findall(self.said()):
                case [player, staff, *_]:
                    return player, staff
            time.sleep(0.02)
        raise AssertionError(f"fourcard serve printed no two links:\n{self.said()}")

    def said(self) -> str:
        """Return all that the server printed since its last start."""
        return self.log.read_text(encoding="utf-8")

    def stop(self) -> int:
        """Ask the server to end, and return its exit status."""
        return self._ended_by(signal.SIGTERM)

    def kill(self) -> None:
        """End the server in the middle of whatever it does."""
        self._ended_by(signal.SIGKILL)

    def _ended_by(self, sent: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(sent)
        return process.wait(timeout=PATIENCE)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port

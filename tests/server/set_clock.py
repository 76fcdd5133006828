"""Runs a command on a machine whose clock is set: by so many milliseconds as a file says at any time."""

import sys
import time
from pathlib import Path

from fourcard.cli.main import main

_true_time = time.time_ns


def run(offset: Path, arguments: list[str]) -> None:
    """Run `fourcard` with a clock that a file moves; the time since the machine's start stays as it is."""
    time.time_ns = lambda: _true_time() + int(offset.read_text(encoding="ascii") or 0) * 1_000_000
    sys.argv = arguments
    main()


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2:])

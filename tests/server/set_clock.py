"""Runs a command with a shifted clock: a file holds the shift in milliseconds."""

import sys
import time
from pathlib import Path

from fourcard.cli.main import main

_true_time = time.time_ns


def run(offset: Path, arguments: list[str]) -> None:
    """Run `fourcard` with a clock shifted by a file; the monotonic clock stays unchanged."""
    time.time_ns = lambda: _true_time() + int(offset.read_text(encoding="ascii") or 0) * 1_000_000
    sys.argv = arguments
    main()


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2:])

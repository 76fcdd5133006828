"""Running the children of the tests."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def started(act: str, address: str) -> subprocess.Popen[str]:
    """Start a child."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.contract.children", act, address],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(act: str, address: str, status: int = 0) -> list[str]:
    """Run a child to its end, and return the lines that it said."""
    child = started(act, address)
    said, errors = child.communicate(timeout=60)
    assert child.returncode == status, errors
    return said.splitlines()

"""How long the tests wait for what another thread, process or machine does."""

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds until a wait fails. Most take under two on an idle machine, and a busy one is far slower."""


def wait_until(condition: Callable[[], bool], reason: Callable[[], object] = str) -> None:
    """Wait until a condition holds; fail with a reason when patience ends."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, reason()
        time.sleep(0.02)

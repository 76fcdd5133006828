"""How long the tests wait for what another thread or process does."""

import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds for an answer or an event, also on a busy machine."""
PROCESS_PATIENCE = 120.0
"""Seconds for a process to start, to do its work or to end; an idle machine needs about two."""


def wait_until(
    condition: Callable[[], bool], reason: Callable[[], object] = str, patience: float = PATIENCE
) -> None:
    """Wait until a condition holds; fail with a reason when patience ends."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, reason()
        time.sleep(0.02)

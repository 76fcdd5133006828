"""A whole storm: house after house, until all rounds are played or something did not hold."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from fourcard.house import house, writing
from tests.storm.failure import Failure, failure
from tests.storm.plan import Plan
from tests.storm.stores import Ground
from tests.storm.storm import Storm
from tests.storm.tally import Tally

SNAPSHOT_EVERY = 50
"""Snapshots come twenty times as often as in a real house, so that most restarts go by one."""
Told = Callable[[str], None]
"""Is told now and then how far a storm has come."""


def brave(plan: Plan, place: Ground, tally: Tally, told: Told) -> Failure | None:
    """Play every house of a storm, and return what broke if something did."""
    with unusual():
        for number, rounds in plan.houses():
            found = _house(plan, number, rounds, place, tally, told)
            if found is not None:
                return found
    return None


def _house(plan: Plan, number: int, rounds: int, place: Ground, tally: Tally, told: Told) -> Failure | None:
    storm = Storm(f"{plan.seed}/{number}", plan.tables, place.opening(), Tally())
    try:
        storm.run(rounds, lambda: told(f"house {number}: {storm.rounds:,} rounds, {storm.step:,} steps"))
    except Exception as error:  # noqa: BLE001  whatever went wrong is what the storm is for
        commands = (each.told() for group in storm.last for each in group)
        return failure(f"house {number}, step {storm.step}", error, plan.again(number), commands)
    else:
        tally.digests.append(storm.digest())
        return None
    finally:
        tally.add(storm.tally)
        storm.close()


@contextmanager
def unusual() -> Iterator[None]:
    """Take snapshots often, spare the slow passwords of nobody, and keep the log quiet about lost notes."""
    log = logging.getLogger("fourcard.security")
    before, log.disabled = log.disabled, True
    try:
        snapshots = patch.object(writing, "SNAPSHOT_EVERY", SNAPSHOT_EVERY)
        with snapshots, patch.object(house, "SignIn", lambda *_told: None):
            yield
    finally:
        log.disabled = before

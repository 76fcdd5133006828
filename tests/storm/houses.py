"""A whole storm: house after house, until all rounds are played or something did not hold."""

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

from fourcard.house import writing
from tests.storm.plan import Plan
from tests.storm.storm import Storm
from tests.storm.stores import Ground
from tests.storm.tally import BrokenError, Tally

SNAPSHOT_EVERY = 100
"""Snapshots come ten times as often as in a real house, so that most restarts go by one."""
Told = Callable[[int, Storm], None]


@dataclass(frozen=True, slots=True)
class Failure:
    """What did not hold, where, and how to see it again."""

    house: int
    step: int
    what: str
    again: str
    commands: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Yield it as a person reads it."""
        yield f"house {self.house}, step {self.step}: {self.what}"
        yield "the last commands:"
        yield from (f"  {command}" for command in self.commands)
        yield f"replay: {self.again}"


def brave(plan: Plan, place: Ground, tally: Tally, told: Told) -> Failure | None:
    """Play every house of a storm, and return what broke if something did."""
    with unusual():
        for number, rounds in plan.houses():
            failure = _house(plan, number, rounds, place, tally, told)
            if failure is not None:
                return failure
    return None


def _house(plan: Plan, number: int, rounds: int, place: Ground, tally: Tally, told: Told) -> Failure | None:
    storm = Storm(f"{plan.seed}/{number}", plan.tables, place.opening(), Tally())
    try:
        storm.run(rounds, lambda: told(number, storm))
    except Exception as error:  # noqa: BLE001  whatever went wrong is what the storm is for
        what = str(error) if isinstance(error, BrokenError) else traceback.format_exc()
        commands = tuple(each.told() for group in storm.last for each in group)
        return Failure(number, storm.step, what, plan.again(number), commands)
    finally:
        tally.add(storm.tally)
        storm.close()
    return None


@contextmanager
def unusual() -> Iterator[None]:
    """Take snapshots often, and keep the log quiet about notes that the storm keeps from being stored."""
    log = logging.getLogger("fourcard.security")
    before, log.disabled = log.disabled, True
    try:
        with patch.object(writing, "SNAPSHOT_EVERY", SNAPSHOT_EVERY):
            yield
    finally:
        log.disabled = before

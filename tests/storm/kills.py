"""Killed processes: afterwards the journal holds what was answered, once, and nothing by half."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

from fourcard.house.clock_entropy import SystemClock, SystemEntropy
from fourcard.house.house import House
from fourcard.house.store.address import open_store
from tests.storm.checks import watched
from tests.storm.child import KEY
from tests.storm.counts import Tally, demand
from tests.storm.failure import Failure, failure
from tests.storm.kill_log import Recall
from tests.storm.process import Process
from tests.storm.setup import Plan, beginning
from tests.storm.stores import Ground
from tests.storm.storm import Told, look_at_all, look_at_states
from tests.storm.summary import caught, winning

MOST_AT_ONCE = 3


def fell(plan: Plan, place: Ground, tally: Tally, told: Told) -> Failure | None:
    """Kill as many processes as a plan says, and return what broke if something did."""
    for processes, kills in _shares(plan):
        word = f"{plan.seed}/{processes.count} at once{', apart' if processes.apart else ''}"
        try:
            with tempfile.TemporaryDirectory(prefix="fourcard-kills-") as folder:
                house = Kills(place.address(), Path(folder), word, plan.tables, processes, tally)
                house.run(kills, lambda number: told(f"kill {number:,} of {kills:,}"))  # noqa: B023
        except Exception as error:  # noqa: BLE001  whatever went wrong is what the storm is for
            return failure(f"kill {tally.seen['kills']}", error, plan.kills_again())
    return None


def _shares(plan: Plan) -> list[tuple["Processes", int]]:
    """Return which processes there are at once, and how many kills come to them.

    On PostgreSQL half of the kills come to one, and the others to two at the same tables and to three that
    have tables of their own, linked to the same meters.
    """
    if plan.store != "postgres" or plan.tables < MOST_AT_ONCE:
        return [(Processes(), plan.kills)]
    together = plan.kills // 4
    apart = (plan.kills - together) // 3
    counts = {
        Processes(): plan.kills - together - apart,
        Processes(2): together,
        Processes(MOST_AT_ONCE, apart=True): apart,
    }
    return [(processes, kills) for processes, kills in counts.items() if kills]


WHOLE_EVERY = 25
"""Kills after which everything is audited; in between, states and news are looked at."""


@dataclass(frozen=True, slots=True)
class Processes:
    """How many processes there are at once, and whether each has tables of its own."""

    count: int = 1
    apart: bool = False

    def share(self, number: int, tables: int) -> list[str]:
        """Return the tables of one process: all of them, or every so many."""
        names = [f"t{table}" for table in range(tables)]
        return names[number :: self.count] if self.apart else names


class Kills:
    """A house on a database whose processes are killed."""

    def __init__(
        self, address: str, folder: Path, seed: str, tables: int, processes: Processes, tally: Tally
    ) -> None:
        """Set the house up."""
        self.address, self.seed, self.tables, self.tally = address, seed, tables, tally
        self.chance, self.numbers = Random(seed), count(1)
        self.witness = watched(tally)
        self.logs = [folder / f"process-{number}.log" for number in range(processes.count)]
        self.shares = [processes.share(number, tables) for number in range(processes.count)]
        alone = processes.count == 1
        self.recalls = [Recall(log, self.witness, tally, alone=alone) for log in self.logs]
        self.running: list[Process] = []
        house = House(open_store(address), KEY, SystemClock(), SystemEntropy())
        for request in beginning(self.chance, tables):
            house.service.do(request.stream, request.command, request.actor)
        house.close()

    def run(self, kills: int, told: Callable[[int], None] = lambda _: None) -> None:
        """Kill so many processes, look at everything after each, and let the last ones finish."""
        try:
            self.running = [self._start(place) for place in range(len(self.logs))]
            for number in range(1, kills + 1):
                self._kill()
                if number % WHOLE_EVERY == 0:
                    self._rest()
                told(number)
            self._finish()
        finally:
            for process in self.running:
                process.stop()

    def _start(self, place: int, *, finish: bool = False) -> Process:
        seed = f"{self.seed}/c{next(self.numbers)}"
        return Process(self.address, self.logs[place], seed, self.shares[place], finish=finish)

    def _kill(self) -> None:
        """Kill one of the processes, look, and start another one in its place."""
        place = self.chance.randrange(len(self.running))
        self.running[place].kill(self.chance)
        self.tally.seen["kills"] += 1
        self.look()
        caught(self.witness, self.tally, "kills")
        for motion in winning(self.recalls[place].unanswered()):
            self.tally.seen[f"kills while asking to {motion}"] += 1
        self.running[place] = self._start(place)

    def _rest(self) -> None:
        """Kill all processes, so that nothing moves, and look at the whole house."""
        for process in self.running:
            process.stop()
        self.look(whole=True)
        self.running = [self._start(place) for place in range(len(self.logs))]

    def _finish(self) -> None:
        """Let one process after the other end what is under way, and find nothing under way."""
        for process in self.running:
            process.stop()
        self.look(whole=True)
        for place in range(len(self.logs)):
            self.running = [self._start(place, finish=True)]
            self.running[0].wait()
        self.running = []
        self.look(whole=True)
        for name in (f"t{number}" for number in range(self.tables)):
            state = self.witness.table(name).state
            demand(state.round is None, "a round did not go on to its end", name)
        for recall in self.recalls:
            demand(not recall.missing(), "answers are gone", recall.missing()[:5])

    def look(self, *, whole: bool = False) -> None:
        """Read on, hold what processes were told against it, and find a fresh desk standing there too."""
        for recall in self.recalls:
            recall.collect()
        store = open_store(self.address, writing=False)
        try:
            with store.reading() as reading:
                self.witness.look(reading)
                for recall in self.recalls:
                    recall.catch_up(reading)
            if whole:
                look_at_all(store, self.witness, self.tally)
            elif len(self.logs) == 1:
                look_at_states(store, self.witness)
        finally:
            store.close()

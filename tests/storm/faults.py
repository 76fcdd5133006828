"""Fault injector: a store that fails at any point, a clock that jumps."""

from random import Random

from fourcard.house.clock_entropy import SimulatedClock
from fourcard.house.store.interface import ConcurrentChangeError, Store
from tests.kit.faulty_store import WRITES, FaultyStore
from tests.storm.counts import Counts

SIGN_IN = frozenset(("put_credential", "put_token", "revoke_tokens"))
"""What only people who sign in write, of whom the storm has none."""
CLOSING = frozenset(("add_segment", "add_segment_part"))
"""What closing a day writes, which a storm is too short for."""
COPYING = frozenset(("copy_records", "copy_commits"))
"""What a backup writes, of which the storm makes none."""
UNREACHED = SIGN_IN | CLOSING | COPYING
READS = ("view", "streams", "snapshot", "events", "game")
"""What a desk reads when it has just been opened."""
POINTS = (
    "begin",
    "lock_exclusive",
    "find_by_key",
    "secret",
    *READS,
    *(f"{write}:{side}" for write in sorted(WRITES - UNREACHED) for side in ("before", "after")),
    "commit:before",
    "commit:after",
)
COMMITTED = "commit:after"
"""The one point where everything is kept and only the answer is lost."""
SECOND, HOUR = 1_000, 3_600_000
STEPS = (0, 0, 1, 1, 40, 700, 5 * SECOND)
JUMPS = (-40 * 24 * HOUR, -HOUR, -1, HOUR, 5 * HOUR, 30 * HOUR, 400 * 24 * HOUR)


class FaultInjector:
    """Decides at every point whether the store fails there, by the storm's own chance."""

    def __init__(self, store: Store, chance: Random, counts: Counts, clock: SimulatedClock) -> None:
        """Take the store that will be made to fail."""
        self.chance, self.counts, self.clock = chance, counts, clock
        self.attach(store)
        self.fired: list[str] = []
        """Where the store failed since the step began."""
        self._named: set[str] = set()
        self._next: list[str] = []
        self._countdown = self._taken = 0

    def attach(self, store: Store) -> None:
        """Make a store fail, or the same one opened again."""
        self.store = FaultyStore(store, self._fails)

    def plan_read_fault(self) -> None:
        """Prepare a failure at something that a desk reads when it knows nothing yet."""
        self._named.add(self.chance.choice(READS))

    def begin_step(self, calm: bool) -> None:
        """Begin a step: let time pass, and now and then prepare a failure."""
        self.fired = []
        self._countdown = self._taken = 0
        self.clock.at += self.chance.choice(STEPS)
        if self.chance.random() < 0.004:
            self.clock.at = max(1, self.clock.at + self.chance.choice(JUMPS))
            self.counts.seen["clock jumps"] += 1
        if calm:
            return
        if self.chance.random() < 0.02:
            self._named.add(self._next_point())
        if self.chance.random() < 0.02:
            self._countdown = self.chance.randrange(1, 25)
        elif self.chance.random() < 0.001:
            self._taken = self.chance.randrange(1, 7)

    def _next_point(self) -> str:
        """Return each point once, in a random order, before any comes again."""
        if not self._next:
            self._next = self.chance.sample(POINTS, len(POINTS))
        return self._next.pop()

    def _fails(self, point: str) -> bool:
        """Say whether the store fails here: by name, by number, or because another writer was first."""
        self._countdown -= 1
        if self._taken and point == "append:before":
            self._taken -= 1
            self._record("another writer")
            raise ConcurrentChangeError("Another writer was first, as the storm has it.")
        if point not in self._named and self._countdown != 0:
            return False
        self._named.discard(point)
        self._record(point)
        return True

    def _record(self, what: str) -> None:
        self.fired.append(what)
        self.counts.seen[f"fault at {what}"] += 1
        self.counts.seen["faults"] += 1

"""Lease plan: which table leases a process takes, gives back or hands to another worker.

A table's lease belongs where its viewers are, so that its commands, its dealer and its pushes run in one
process; tables without viewers are shared equally. A lease with viewers stays where it is, unless its process
holds more than its share and a worker that takes over the viewers too holds less.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Set

import msgspec

MOVED_AT_ONCE = 10
"""Tables with viewers that a process hands over in one step; their viewers connect again."""


class LeaseHolders(msgspec.Struct, frozen=True):
    """Who holds which lease, and who has viewers of which table; processes by their number."""

    processes: frozenset[int]
    holders: Mapping[str, int]
    viewers: Mapping[str, Set[int]]

    def viewed_elsewhere(self, table: str, process: int) -> bool:
        """Say whether another process has viewers of a table."""
        return bool(self.viewers.get(table, frozenset()) - {process})


class LeasePlan(msgspec.Struct, frozen=True):
    """What a process does next about its leases."""

    take: tuple[str, ...]
    """Leases to try, in this order."""
    take_most: int
    """How many of these to take."""
    give: tuple[str, ...]
    """Leases to give back."""
    move: tuple[str, ...]
    """Tables whose viewers here go to another worker."""


def plan_leases(
    process: int,
    wanted: Set[str],
    leases: Set[str],
    viewed: Set[str],
    found: LeaseHolders,
    reaches: Callable[[int], bool],
) -> LeasePlan:
    """Return what a process does about its leases; `viewed` are tables with viewers in this process.

    Viewers go only to a process that `reaches` accepts: a proxy would send them back from any other.
    """
    share = math.ceil(len(wanted) / max(1, len(found.processes)))
    followed = {table for table in leases - viewed if found.viewed_elsewhere(table, process)}
    kept = leases - followed
    excess = max(0, len(kept) - share)
    unviewed = sorted(kept - viewed)[:excess]
    spare = min(excess - len(unviewed), MOVED_AT_ONCE, _free_places(process, share, found, reaches))
    moved = sorted(kept & viewed)[:spare]
    free = wanted - leases - found.holders.keys()
    own = sorted(free & viewed)
    others = [table for table in free - viewed if not found.viewed_elsewhere(table, process)]
    return LeasePlan(
        take=(*own, *others),
        take_most=max(len(own), share - len(kept)),
        give=(*sorted(followed), *unviewed, *moved),
        move=(*moved, *_strays(viewed - leases, found, reaches)),
    )


def _free_places(process: int, share: int, found: LeaseHolders, reaches: Callable[[int], bool]) -> int:
    """Return how many more leases the workers can hold that take over viewers."""
    held = Counter(found.holders.values())
    return sum(max(0, share - held[each]) for each in found.processes - {process} if reaches(each))


def _strays(viewed: Set[str], found: LeaseHolders, reaches: Callable[[int], bool]) -> list[str]:
    """Return tables whose other viewers are at the worker that holds the lease, where these belong too."""
    holders = {table: found.holders[table] for table in viewed if table in found.holders}
    return sorted(
        table
        for table, holder in holders.items()
        if holder in found.viewers.get(table, ()) and reaches(holder)
    )[:MOVED_AT_ONCE]

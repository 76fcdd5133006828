"""Counts of a storm: what it saw, what it checked, and the failure that it found."""

import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.kit.invariants import BrokenError


class Counts:
    """Counts what happened and what was checked, by name."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.seen: Counter[str] = Counter()
        self.checked: Counter[str] = Counter()
        self.digests: list[str] = []
        """Of each house, one hash over its whole journal."""

    def add(self, other: "Counts") -> None:
        """Add another count to this one."""
        self.seen.update(other.seen)
        self.checked.update(other.checked)
        self.digests += other.digests

    def lines(self) -> Iterator[str]:
        """Yield the summary, one thing a line."""
        yield "seen:"
        yield from (f"  {name:<52} {count:>12,}" for name, count in sorted(self.seen.items()))
        yield "checked:"
        yield from (f"  {name:<52} {count:>12,}" for name, count in sorted(self.checked.items()))
        yield from (f"journal of house {number}: {digest}" for number, digest in enumerate(self.digests))


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure, as a person needs it."""

    where: str
    what: str
    again: str
    commands: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield it line by line."""
        yield f"{self.where}: {self.what}"
        if self.commands:
            yield "the last commands:"
            yield from (f"  {command}" for command in self.commands)
        yield f"replay: {self.again}"


def describe_failure(where: str, error: Exception, again: str, commands: Iterable[str] = ()) -> Failure:
    """Return what an error tells: a sentence where something was looked at, and a trace where not."""
    what = str(error) if isinstance(error, BrokenError) else "".join(traceback.format_exception(error))
    return Failure(where, what, again, tuple(commands))

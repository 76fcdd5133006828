"""What a storm has seen and how often it looked, and the sentence of a storm that found something."""

from collections import Counter
from collections.abc import Iterator


class BrokenError(AssertionError):
    """Something that must always hold did not."""


def demand(held: bool, what: str, *seen: object) -> None:
    """Stop the storm unless something holds; what was seen instead comes after it."""
    if not held:
        raise BrokenError(f"{what}: {' | '.join(map(repr, seen))}" if seen else what)


class Tally:
    """Counts what happened and what was checked, by name."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.seen: Counter[str] = Counter()
        self.checked: Counter[str] = Counter()
        self.digests: list[str] = []
        """Of each house, one hash over its whole journal."""

    def add(self, other: "Tally") -> None:
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

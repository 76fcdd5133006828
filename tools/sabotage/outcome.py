"""Outcome of sabotage: for each clause how many alterations of data and code were tried, and how many caught."""

from collections import Counter


class ClauseCounts:
    """The alterations tried and caught, by clause."""

    def __init__(self) -> None:
        """Start with none."""
        self.tried, self.caught = Counter[str](), Counter[str]()

    def add(self, clause: str, *, caught: bool) -> None:
        """Count one alteration."""
        self.tried[clause] += 1
        self.caught[clause] += caught

"""Enforcement points: the places of the code where a rule is enforced or an outcome is chosen.

A point is known by its module, its function, what an alteration changes, and the expression.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

Change = Literal["removed", "never", "always", "inverted", "dropped", "shifted", "swapped"]
"""What an alteration does: it leaves a check out, never refuses, always accepts, takes a branch the other
way, leaves out a part of a condition, moves a boundary by one, or swaps an operation for its opposite."""


class Point(msgspec.Struct, frozen=True):
    """One place of the code and how it is altered."""

    module: str
    function: str
    change: Change
    text: str
    cited: tuple[str, ...]
    """What looks like an id in the function."""
    cited_around: tuple[str, ...]
    """What looks like an id in the docstrings of its class and module."""
    guard: int | None = None
    """The number of the condition that this is a part of."""

    @property
    def place(self) -> str:
        """Return the module without the name of the package."""
        return self.module.removeprefix("fourcard.")

    def __str__(self) -> str:
        """Return the point's name."""
        return f"{self.place}.{self.function} | {self.change} | {self.text}"


def numbered(points: Iterable[Point]) -> list[Point]:
    """Return the points, those of one name told apart by a number."""
    seen, found = Counter[str](), list[Point]()
    for point in points:
        name = str(point)
        seen[name] += 1
        again = seen[name] > 1
        found.append(msgspec.structs.replace(point, text=f"{point.text} #{seen[name]}") if again else point)
    return found

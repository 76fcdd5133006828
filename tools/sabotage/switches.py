"""Switches: what instrumented code asks at each point, to alter one point or record what reaches it."""

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeVar

from fourcard.refusals import RefusedError

Value = TypeVar("Value")
NONE = -1
INNER = ("step", "steps", "events", "event", "actions", "pending_steps", "settled")
"""Fields of events and decisions whose parts cite clauses too."""


class Reached:
    """What one or more tests reached: the tests of each point, and the clauses that left it."""

    def __init__(self) -> None:
        """Start with nothing reached."""
        self.tests: defaultdict[int, set[str]] = defaultdict(set)
        self.refused_with: defaultdict[int, set[str]] = defaultdict(set)
        """The clauses of the refusals of the point itself."""
        self.left_with: defaultdict[int, set[str]] = defaultdict(set)
        """The clauses of what the point's function, or the first one around it that cites any, returned."""

    def add(self, other: "Reached") -> None:
        """Add what other tests reached."""
        for mine, more in (
            (self.tests, other.tests),
            (self.refused_with, other.refused_with),
            (self.left_with, other.left_with),
        ):
            for number, found in more.items():
                mine[number] |= found


class Switches:
    """One switch for each point; at most one is turned."""

    def __init__(self) -> None:
        """Start with no switch turned and nothing recorded."""
        self.turned = NONE
        self.reached: Reached | None = None
        self.test = ""
        self.trail: list[int] = []

    def start(self, test: str) -> None:
        """Start a recorded test."""
        self.test = test
        self.trail.clear()

    def _note(self, number: int) -> None:
        if self.reached is not None:
            self.reached.tests[number].add(self.test)
            self.trail.append(number)

    # What the code asks

    def turns(self, number: int) -> bool:
        """Say whether a point is the altered one."""
        self._note(number)
        return self.turned == number

    def never(self, number: int, condition: object) -> object:
        """Return a condition, or false."""
        self._note(number)
        return self.turned != number and condition

    def always(self, number: int, condition: object) -> object:
        """Return a condition, or true."""
        self._note(number)
        return self.turned == number or condition

    def inverted(self, number: int, condition: object) -> object:
        """Return a condition, or its opposite."""
        self._note(number)
        return not condition if self.turned == number else condition

    # What leaves a point

    def mark(self) -> int:
        """Return where a function begins in the trail."""
        return len(self.trail)

    def left(self, number: int, value: Value) -> Value:
        """Note the refusal that left a point."""
        if self.reached is not None and value is not None:
            self.reached.refused_with[number].update(clauses_in(value))
        return value

    def leaves(self, mark: int, value: Value) -> Value:
        """Note what a function returned or yielded, for the points that it reached."""
        if self.reached is not None and len(self.trail) > mark:
            found = [*clauses_in(value)]
            if found:
                for number in dict.fromkeys(self.trail[mark:]):
                    self.reached.left_with[number].update(found)
                del self.trail[mark:]
        return value


def clauses_in(value: object, depth: int = 3) -> Iterator[str]:
    """Yield the clauses that a refusal, an event, a step, or a collection of them cites."""
    if isinstance(value, RefusedError):
        value = value.refusal
    if isinstance(value, list | tuple):
        for each in value if depth else ():
            yield from clauses_in(each, depth - 1)
        return
    cited = getattr(value, "clauses", None)
    if isinstance(cited, tuple):
        yield from (each for each in cited if isinstance(each, str))
    for name in INNER if depth else ():
        inner = getattr(value, name, None)
        if inner is not None:
            yield from clauses_in(inner, depth - 1)


SWITCHES = Switches()

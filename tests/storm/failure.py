"""What did not hold in a storm, where, and how to see it again."""

import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.storm.counts import BrokenError


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


def failure(where: str, error: Exception, again: str, commands: Iterable[str] = ()) -> Failure:
    """Return what an error tells: a sentence where something was looked at, and a trace where not."""
    what = str(error) if isinstance(error, BrokenError) else "".join(traceback.format_exception(error))
    return Failure(where, what, again, tuple(commands))

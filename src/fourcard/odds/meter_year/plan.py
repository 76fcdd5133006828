"""Jackpot plan: tables on one meter, players at each, rounds per hour, hours and days."""

import msgspec

from fourcard.errors import BadInputError

MOST_WAGERS = 10**9
LIMITS = {
    "tables": ("tables", 1_000),
    "players": ("players at a table", 7),
    "rounds_per_hour": ("rounds an hour", 1_000),
    "hours": ("hours a day", 24),
    "days": ("days", 36_525),
}
"""The description and the maximum of each field of a plan."""


def several(number: int, what: str) -> str:
    """Return a number with its noun in singular or plural: ``1 table``, ``8 tables``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


class Plan(msgspec.Struct, frozen=True):
    """A number of tables that play at the same pace, their rounds taken in turn."""

    tables: int = 8
    players: int = 4
    rounds_per_hour: int = 50
    hours: int = 16
    days: int = 365

    def __post_init__(self) -> None:
        """Refuse figures out of range and plans that would take hours."""
        for name, (words, most) in LIMITS.items():
            if not 1 <= (value := getattr(self, name)) <= most:
                raise BadInputError(f"The number of {words} must be from 1 to {most:,}, not {value:,}.")
        if self.wagers > MOST_WAGERS:
            raise BadInputError(
                f"That makes {self.wagers:,} wagers; the maximum is {MOST_WAGERS:,}. Reduce the plan."
            )

    @property
    def rounds_per_day(self) -> int:
        """Return the rounds of all tables per day."""
        return self.tables * self.rounds_per_hour * self.hours

    @property
    def rounds(self) -> int:
        """Return the rounds of all tables together."""
        return self.rounds_per_day * self.days

    @property
    def wagers(self) -> int:
        """Return the number of progressive wagers: one at every position of every round."""
        return self.rounds * self.players

    def answer(self) -> dict[str, int]:
        """Return the plan as JSON data."""
        return {
            **{name: getattr(self, name) for name in LIMITS},
            "rounds": self.rounds,
            "wagers": self.wagers,
        }

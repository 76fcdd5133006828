"""How much is played: tables on one meter, players at each, rounds, hours and days."""

from dataclasses import dataclass

from fourcard.errors import BadInputError

MOST_WAGERS = 10**9
LIMITS = {
    "tables": ("tables", 1_000),
    "players": ("players at a table", 7),
    "rounds_per_hour": ("rounds an hour", 1_000),
    "hours": ("hours a day", 24),
    "days": ("days", 36_525),
}
"""What each part of a plan is called, and the most that it may be."""


def several(number: int, what: str) -> str:
    """Return a number of things as a person says it: ``1 table``, ``8 tables``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Plan:
    """So many tables that play at the same pace, one round after the other, table by table."""

    tables: int = 8
    players: int = 4
    rounds_per_hour: int = 50
    hours: int = 16
    days: int = 365

    def __post_init__(self) -> None:
        """Refuse what no casino plays, and what would take hours."""
        for name, (words, most) in LIMITS.items():
            if not 1 <= (given := getattr(self, name)) <= most:
                raise BadInputError(f"The number of {words} must be from 1 to {most:,}, not {given:,}.")
        if self.wagers > MOST_WAGERS:
            raise BadInputError(f"That makes {self.wagers:,} wagers; {MOST_WAGERS:,} at most are played.")

    @property
    def rounds_per_day(self) -> int:
        """Return the rounds of all tables in a day."""
        return self.tables * self.rounds_per_hour * self.hours

    @property
    def rounds(self) -> int:
        """Return the rounds of all tables together."""
        return self.rounds_per_day * self.days

    @property
    def wagers(self) -> int:
        """Return the progressive wagers: one at every position of every round."""
        return self.rounds * self.players

    def answer(self) -> dict[str, int]:
        """Return the plan as scripts read it."""
        return {
            **{name: getattr(self, name) for name in LIMITS},
            "rounds": self.rounds,
            "wagers": self.wagers,
        }

"""What a storm is told: everything else follows from its seed."""

from dataclasses import dataclass
from typing import Literal

StoreKind = Literal["memory", "sqlite", "postgres"]
ROUNDS_OF_A_HOUSE = 2_000
"""After so many rounds the storm goes on in a new house, so that memory and audits stay bounded."""
TABLES = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """One storm."""

    seed: str
    rounds: int = ROUNDS_OF_A_HOUSE
    store: StoreKind = "memory"
    tables: int = TABLES
    kills: int = 0
    house: int | None = None
    """Only this house of the storm, to replay a failure."""

    def houses(self) -> list[tuple[int, int]]:
        """Return the houses with the rounds of each."""
        full, rest = divmod(self.rounds, ROUNDS_OF_A_HOUSE)
        sizes = [ROUNDS_OF_A_HOUSE] * full + ([rest] if rest else [])
        return [each for each in enumerate(sizes) if self.house in (None, each[0])]

    def again(self, house: int) -> str:
        """Return the command line that plays one house of this storm once more."""
        told = f"--seed {self.seed} --rounds {self.rounds} --store {self.store} --tables {self.tables}"
        return f"python -m tests.storm {told} --house {house}"

    def kills_again(self) -> str:
        """Return the command line that kills at the same moments, though no kill is like another."""
        told = f"--seed {self.seed} --rounds 0 --store {self.store} --tables {self.tables}"
        return f"python -m tests.storm {told} --kills {self.kills}"

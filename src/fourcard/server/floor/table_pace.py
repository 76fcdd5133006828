"""Table pace: how fast a table shows what its dealer does, so that the slowest player there can follow."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Literal

Speed = Literal["normal", "fast", "instant"]
SPEED_FACTORS: Mapping[Speed, float] = {"normal": 1.0, "fast": 1 / 3, "instant": 0.0}
"""The share of the house's pauses that a player of each speed wants."""
DEFAULT_SPEED: Speed = "normal"


class TablePace:
    """Pace of one table; the event loop's thread changes it, and any thread reads it.

    Only players with a live connection count: nobody else sees the pauses.
    """

    def __init__(self, factor: float) -> None:
        """Take the house's own factor of every pause; 0 means no pauses for anybody."""
        self.house_factor = factor
        self._speeds: Mapping[str, Speed] = {}
        """The speed of each connected player."""
        self._skipping: frozenset[str] = frozenset()
        """Connected players who want no pause until the table next waits for a person."""

    def factor(self, playing: AbstractSet[str]) -> float:
        """Return the factor of every pause while these people play: that of the slowest of them."""
        speeds, connected = self._speeds, playing & self._speeds.keys()
        if not connected:
            return self.house_factor
        if connected <= self._skipping:
            return 0.0
        return self.house_factor * max(SPEED_FACTORS[speeds[player]] for player in connected)

    def connect(self, player: str) -> None:
        """Count a player who has connected; another connection of the same player changes nothing."""
        self._speeds = {player: DEFAULT_SPEED, **self._speeds}

    def disconnect(self, player: str) -> None:
        """Forget a player whose last connection has ended."""
        self._speeds = {each: speed for each, speed in self._speeds.items() if each != player}
        self._skipping -= {player}

    def choose(self, player: str, speed: Speed) -> None:
        """Note the speed that a connected player wants."""
        self._speeds = {**self._speeds, player: speed}

    @property
    def skips(self) -> bool:
        """Say whether anybody wants no pause now."""
        return bool(self._skipping)

    def skip(self, player: str) -> None:
        """Note that a player wants no pause until the table next waits for a person."""
        self._skipping |= {player}

    def end_skip(self) -> None:
        """Forget who wanted no pause, because the table waits for a person."""
        self._skipping = frozenset()

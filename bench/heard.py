"""Live messages: the fields of a live table's messages that a simulated player needs in order to act."""

import msgspec


class Place(msgspec.Struct, frozen=True):
    """A position in a round."""

    position: int
    wagers: dict[str, int]


class Round(msgspec.Struct, frozen=True):
    """The fields of a round that players need."""

    bets_open: bool
    deciding: int | None
    places: tuple[Place, ...]


class View(msgspec.Struct, frozen=True):
    """The fields of a table that players need."""

    number: int
    round: Round | None


class May(msgspec.Struct, frozen=True):
    """One allowed command of the player."""

    kind: str
    position: int = 0
    wager: str = ""
    amount: int = 0


class Plays(msgspec.Struct, frozen=True):
    """The smallest allowed Play wager."""

    least: int


class Chances(msgspec.Struct, frozen=True):
    """All allowed commands of the player."""

    may: tuple[May, ...] = ()
    plays: dict[int, Plays] = {}


class Heard(msgspec.Struct, frozen=True):
    """A message of any kind."""

    kind: str
    key: str = ""
    sequence: int = 0
    view: View | None = None
    chances: Chances = Chances()

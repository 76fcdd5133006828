"""What a player must read of the messages of a live table in order to act; the rest is passed over."""

import msgspec


class Place(msgspec.Struct, frozen=True):
    """A position in a round."""

    position: int
    wagers: dict[str, int]


class Round(msgspec.Struct, frozen=True):
    """A round, as far as players must know it to act."""

    bets_open: bool
    deciding: int | None
    places: tuple[Place, ...]


class View(msgspec.Struct, frozen=True):
    """A table, as far as players must know it."""

    number: int
    round: Round | None


class May(msgspec.Struct, frozen=True):
    """Something that the player may do."""

    kind: str
    position: int = 0
    wager: str = ""
    amount: int = 0


class Plays(msgspec.Struct, frozen=True):
    """The least Play wager."""

    least: int


class Chances(msgspec.Struct, frozen=True):
    """All that the player may do."""

    may: tuple[May, ...] = ()
    plays: dict[int, Plays] = {}


class Heard(msgspec.Struct, frozen=True):
    """A message of any kind."""

    kind: str
    key: str = ""
    sequence: int = 0
    view: View | None = None
    chances: Chances = Chances()

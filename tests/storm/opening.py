"""How a house in the storm begins: its staff, its players with money, and tables of many games."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from fourcard.house.commands import HireStaff, HouseCommand, InstallTable, RegisterPlayer
from fourcard.house.outcome import STAFF as STAFF_STREAM
from fourcard.house.outcome import player_stream, table_stream
from fourcard.house.requests import Request
from fourcard.rules.examples import examples
from tests.storm.people import FOUNDER, PLAYERS, STAFF

PAIRED = 4
"""How many of the first tables share a meter with another one."""
Installed = tuple[str, InstallTable]


def beginning(chance: Random, tables: int) -> Iterator[Request]:
    """Yield what sets a house up, in order, each with a key."""
    wanted: list[tuple[str, HouseCommand]] = []
    for person, roles in STAFF.items():
        wanted += [(STAFF_STREAM, HireStaff(person=person, name=person.title(), roles=roles))]
    wanted += [(player_stream(name), RegisterPlayer(name=name.title())) for name in PLAYERS]
    wanted += [(table_stream(name), each) for name, each in arrangement(chance, tables)]
    for number, (stream, command) in enumerate(wanted):
        keyed = replace(command, key=f"begin-{number}")
        yield Request(stream, keyed, FOUNDER)  # type: ignore[arg-type]


def arrangement(chance: Random, count: int) -> list[Installed]:
    """Return tables of many games; two pairs share a meter each, one table with cards that are keyed in."""
    names = [*examples()]
    linked = [name for name in names if name.endswith("-everything")]
    chance.shuffle(names)
    chance.shuffle(linked)
    pairs = [linked[0], linked[0], linked[1], linked[1]]
    chosen = [*pairs, *names, *chance.choices(names, k=count)][:count]
    return [(f"t{number}", _first(name, number, chance)) for number, name in enumerate(chosen)]


def _first(name: str, number: int, chance: Random) -> InstallTable:
    """Return the command for one of the first tables: the pairs have one table of either sort."""
    command = install(name, chance)
    if number >= PAIRED:
        return command
    return replace(command, meter=f"link-{name}", cards="keyed" if number % 2 else "built-in")


def install(name: str, chance: Random) -> InstallTable:
    """Return the command that sets up a table of an example's game."""
    linked = name.endswith("-everything") and chance.random() < 0.8
    return InstallTable(
        submission=examples()[name].read_text(encoding="utf-8"),
        cards="keyed" if chance.random() < 0.5 else "built-in",
        meter=f"link-{name}" if linked else "",
    )

"""How a house in the storm begins: its staff, its players with money, and tables of many games."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from fourcard.house.commands import HireStaff, HouseCommand, InstallTable, RegisterPlayer
from fourcard.house.desk import Request
from fourcard.house.outcome import STAFF as STAFF_STREAM
from fourcard.house.outcome import player_stream, table_stream
from fourcard.rules.examples import examples
from tests.storm.people import FOUNDER, PLAYERS, STAFF

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
    """Return tables of many games: some of the same game share a meter, some have their cards keyed in."""
    names = [*examples()]
    linked = [name for name in names if name.endswith("-everything")]
    chance.shuffle(names)
    chance.shuffle(linked)
    chosen = [linked[0], linked[0], linked[1], linked[1], *names][:count]
    chosen += [chance.choice(names) for _ in range(count - len(chosen))]
    return [(f"t{number}", install(name, chance)) for number, name in enumerate(chosen)]


def install(name: str, chance: Random) -> InstallTable:
    """Return the command that sets up a table of an example's game."""
    linked = name.endswith("-everything") and chance.random() < 0.8
    return InstallTable(
        submission=examples()[name].read_text(encoding="utf-8"),
        cards="keyed" if chance.random() < 0.4 else "built-in",
        meter=f"link-{name}" if linked else "",
    )

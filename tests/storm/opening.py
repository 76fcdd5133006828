"""How a house in the storm begins: its staff, its players with money, and tables of many games."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from fourcard.house.commands import CardSource, HireStaff, HouseCommand, InstallTable, RegisterPlayer
from fourcard.house.outcome import STAFF as STAFF_STREAM
from fourcard.house.outcome import player_stream, table_stream
from fourcard.house.requests import Request
from fourcard.rules.examples import examples
from tests.storm.games import families, meter_of, plain
from tests.storm.people import FOUNDER, PLAYERS, STAFF

LINKED = 3
"""How many tables share each of the first two meters."""
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
    """Return tables of many games; the first six are linked to two meters, most with cards keyed in."""
    names = [*families()]
    chance.shuffle(names)
    chosen = [install(name, chance) for name in names[:2] for _ in range(LINKED)]
    chosen = [replace(each, cards="keyed" if n % LINKED else "built-in") for n, each in enumerate(chosen)]
    chosen += [anything(chance) for _ in range(count)]
    return [(f"t{number}", each) for number, each in enumerate(chosen[:count])]


def anything(chance: Random) -> InstallTable:
    """Return the command that sets up a table of any game, linked to others more often than not."""
    if chance.random() < 0.5:
        return install(chance.choice([*families()]), chance)
    return InstallTable(submission=plain(chance.choice([*examples()])), cards=_cards(chance))


def install(family: str, chance: Random) -> InstallTable:
    """Return the command that links a table to the meter of a family."""
    text = chance.choice(families()[family])
    return InstallTable(submission=text, cards=_cards(chance), meter=meter_of(family))


def _cards(chance: Random) -> CardSource:
    return "keyed" if chance.random() < 0.6 else "built-in"

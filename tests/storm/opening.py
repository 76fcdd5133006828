"""How a house in the storm begins: its staff, its players with money, and tables of many games."""

from collections.abc import Iterator
from random import Random

from fourcard.house.commands import Deposit, HireStaff, HouseCommand, InstallTable, RegisterPlayer
from fourcard.house.desk import Request
from fourcard.house.outcome import STAFF as STAFF_STREAM
from fourcard.house.outcome import player_stream, table_stream
from fourcard.rules.examples import examples
from tests.storm.people import FOUNDER, PLAYERS, STAFF

PURSE = 5_000_00
Installed = tuple[str, InstallTable]


def beginning(chance: Random, tables: int) -> Iterator[Request]:
    """Yield what sets a house up, in order, each with a key."""
    wanted: list[tuple[str, HouseCommand]] = []
    for person, roles in STAFF.items():
        wanted.append((STAFF_STREAM, HireStaff(person=person, name=person.title(), roles=roles)))
    for name in PLAYERS:
        wanted.append((player_stream(name), RegisterPlayer(name=name.title())))
    wanted += [(table_stream(name), each) for name, each in arrangement(chance, tables)]
    for number, (stream, command) in enumerate(wanted):
        yield Request(stream, _keyed(command, f"begin-{number}"), FOUNDER)  # type: ignore[arg-type]


def _keyed(command: HouseCommand, key: str) -> HouseCommand:
    from msgspec.structs import replace

    return replace(command, key=key)


def deposits() -> list[Deposit]:
    """Return what players bring."""
    return [Deposit(cents=PURSE, role="supervisor") for _ in PLAYERS]


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

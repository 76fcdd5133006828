"""House setup: a SQLite house with open tables of every example game and a player in every seat.

The setup runs through the command service in a few commits. Afterwards every player connects over the
network with a session token.
"""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import msgspec

from fourcard.house.actors import CONSOLE, Actor
from fourcard.house.commands import Deposit, HireStaff, InstallTable, RegisterPlayer, StaffRole
from fourcard.house.house import House, open_house
from fourcard.house.outcome import STAFF, player_stream, table_stream
from fourcard.house.rehearsal import CREW, FLOOR, Rehearsal
from fourcard.house.requests import Answer, Request
from fourcard.rules.examples import examples
from fourcard.rules.submission import read_submission
from fourcard.server.floor.deeds import DEALER

CONSOLE_ROLES: tuple[StaffRole, ...] = ("supervisor", "administrator")
MONEY = 10**8
MANY = 500
"""Commands that share a commit."""


class Seat(msgspec.Struct, frozen=True):
    """A seated player with a session token."""

    table: str
    position: int
    player: str
    token: str


def found(path: Path, seats: int) -> list[Seat]:
    """Create a house with a number of taken seats, at as many tables as needed."""
    with open_house(str(path)) as house:
        staff = (Actor(CONSOLE, "staff", CONSOLE_ROLES), DEALER, CREW, FLOOR)
        hires = [HireStaff(person=who.person, name=who.person, roles=who.roles) for who in staff]
        _execute(house, [Request(STAFF, hire, staff[0]) for hire in hires])
        tables = list(_tables(seats))
        _execute(house, [request for name, bots in tables for request in _install_requests(name, bots)])
        _seat(house, [bots for _, bots in tables])
        return [
            Seat(bots.table, position, player, house.sign_in.admit("player", player))
            for _, bots in tables
            for position, player in bots.players.items()
        ]


def _tables(seats: int) -> Iterator[tuple[str, Rehearsal]]:
    """Yield tables of every example game in turn, with a player at each position."""
    games = {name: read_submission(path).positions.at_table for name, path in examples().items()}
    left = seats
    for number, (name, positions) in enumerate(cycle(games.items())):
        taken = min(left, positions)
        players = {position: f"p{number}-{position}" for position in range(1, taken + 1)}
        yield name, Rehearsal(f"t{number}", players, Random(number))
        left -= taken
        if not left:
            return


def _install_requests(game: str, bots: Rehearsal) -> Iterator[Request]:
    text = examples()[game].read_text(encoding="utf-8")
    yield Request(table_stream(bots.table), InstallTable(submission=text), CREW)
    for player in bots.players.values():
        yield Request(player_stream(player), RegisterPlayer(name=player), CREW)
        yield Request(player_stream(player), Deposit(cents=MONEY, role="supervisor"), CREW)


def _seat(house: House, tables: list[Rehearsal]) -> None:
    """Open the tables, and let every player buy chips and take a seat."""
    while waiting := [bots for bots in tables if not _is_full(house, bots)]:
        _execute(house, [bots.next(house.desk.table(bots.table)) for bots in waiting])


def _is_full(house: House, bots: Rehearsal) -> bool:
    return len(house.desk.table(bots.table).state.seats) == len(bots.players)


def _execute(house: House, requests: list[Request]) -> None:
    for place in range(0, len(requests), MANY):
        for reply in house.desk.execute(requests[place : place + MANY]):
            if not isinstance(reply, Answer):
                raise TypeError(f"a setup command was refused: {reply}")

"""House setup: a house with open tables of every example game and a player in every seat.

The setup runs through the command service in a few commits. Afterwards every player connects over the
network with a session token.
"""

import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import msgspec

from bench.rounds import event_count
from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF, HOUSE_DEALER_ACTOR, TableBots
from fourcard.house.commands import Deposit, HireStaff, InstallTable, RegisterPlayer, StaffRole
from fourcard.house.decision import STAFF, player_stream, table_stream
from fourcard.house.house import House, open_house
from fourcard.house.route_command import CommandResult, Request
from fourcard.rules.submission import examples, read_submission
from fourcard.table.bots import varied_bots

CONSOLE_ROLES: tuple[StaffRole, ...] = ("supervisor", "administrator")
AUDITOR: StaffRole = "auditor"
"""A member of staff who reads reports, and the role."""
MONEY = 10**8
COMMANDS_PER_COMMIT = 500
"""Commands that share a commit."""
BATCHES = 200
"""Commits between two looks at the length of the journal."""


class SeatedPlayer(msgspec.Struct, frozen=True):
    """A seated player with a session token."""

    table: str
    position: int
    player: str
    token: str


def set_up_house(database: Path | str, seats: int, key: Path | None = None) -> list[SeatedPlayer]:
    """Create a house with a number of taken seats, at as many tables as needed."""
    with open_house(str(database), key) as house:
        console, auditor = Actor(CONSOLE, "staff", CONSOLE_ROLES), Actor(AUDITOR, "staff", (AUDITOR,))
        staff = (console, HOUSE_DEALER_ACTOR, BOT_STAFF, BOT_FLOORPERSON, auditor)
        hires = [HireStaff(person=who.person, name=who.person, roles=who.roles) for who in staff]
        _execute(house, [Request(STAFF, hire, staff[0]) for hire in hires])
        tables = list(_tables(seats))
        _execute(house, [request for name, bots in tables for request in _install_requests(name, bots)])
        _seat_players(house, [bots for _, bots in tables])
        return [
            SeatedPlayer(bots.table, position, player, house.sign_in.issue_by_link("player", player))
            for _, bots in tables
            for position, player in bots.players.items()
        ]


def play_until(house: House, seats: int, events: int) -> None:
    """Let bots play at the tables of such a house until its journal has a number of events."""
    keys = f"{time.time_ns():x}"
    tables = [
        TableBots(bots.table, bots.players, bots.policy, keys, in_runs=True) for _, bots in _tables(seats)
    ]
    for bots in tables:
        house.service.table(bots.table)
    while event_count(house.store) < events:
        for _ in range(BATCHES):
            _execute(house, [bots.next(house.service.cache.table(bots.table)) for bots in tables])


def _tables(seats: int) -> Iterator[tuple[str, TableBots]]:
    """Yield tables of every example game in turn, with a player at each position."""
    games = {name: read_submission(path).positions.at_table for name, path in examples().items()}
    left = seats
    for number, (name, positions) in enumerate(cycle(games.items())):
        taken = min(left, positions)
        players = {position: f"p{number}-{position}" for position in range(1, taken + 1)}
        yield name, TableBots(f"t{number}", players, varied_bots(number))
        left -= taken
        if not left:
            return


def _install_requests(game: str, bots: TableBots) -> Iterator[Request]:
    text = examples()[game].read_text(encoding="utf-8")
    yield Request(table_stream(bots.table), InstallTable(submission=text), BOT_STAFF)
    for player in bots.players.values():
        yield Request(player_stream(player), RegisterPlayer(name=player), BOT_STAFF)
        yield Request(player_stream(player), Deposit(cents=MONEY, role="supervisor"), BOT_STAFF)


def _seat_players(house: House, tables: list[TableBots]) -> None:
    """Open the tables, and let every player buy chips and take a seat."""
    while waiting := [bots for bots in tables if not _is_full(house, bots)]:
        _execute(house, [bots.next(house.service.table(bots.table)) for bots in waiting])


def _is_full(house: House, bots: TableBots) -> bool:
    return len(house.service.table(bots.table).state.seats) == len(bots.players)


def _execute(house: House, requests: list[Request]) -> None:
    for place in range(0, len(requests), COMMANDS_PER_COMMIT):
        for reply in house.service.execute(requests[place : place + COMMANDS_PER_COMMIT]):
            if not isinstance(reply, CommandResult):
                raise TypeError(f"a setup command was refused: {reply}")

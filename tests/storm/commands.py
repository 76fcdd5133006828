"""Command generator: what everybody sends at one moment, proper or not, for the first time or again."""

from random import Random
from typing import Any, cast, get_args

from msgspec.structs import replace

from fourcard.house.auth.identity import Actor
from fourcard.house.commands import ActingRole, Deposit
from fourcard.house.decision import meter_stream
from fourcard.house.route_command import Request
from fourcard.progressive.console import ConsoleCommand
from fourcard.table.commands import TableCommand
from tests.laws.wild_commands import COMMANDS, near, wild
from tests.storm.clients import ClientModel, Sort, StormCommand
from tests.storm.house_commands import CYCLE, house_command, is_quiet, meter_command
from tests.storm.observer import Observer
from tests.storm.setup import PLAYERS, Roster, all_staff, current_actor, player
from tests.storm.table_commands import StormTable, console_error, is_console_busy, marker, owner, stream_of

MAX_LATE = 40
ODD_KEYS = ("x" * 100, "x" * 101, "a\0b", "two\nlines", "é", "a key")
KINDS: tuple[type, ...] = (*COMMANDS, *get_args(ConsoleCommand))
"""What anybody may try at a table."""
SHARES: tuple[tuple[float, Sort], ...] = (
    (0.80, "proper"), (0.86, "near"), (0.92, "seldom"), (0.94, "astray"), (0.965, "wild"), (0.98, "barred"),
    (1.0, "house"),
)  # fmt: skip
"""How often somebody at a table behaves how, one share upon the other."""
STAFF_ROLES: tuple[ActingRole, ...] = (
    "dealer", "floorperson", "supervisor", "casino-supervisor", "executive", "auditor", "administrator",
)  # fmt: skip


class CommandGenerator:
    """Makes batches of commands from what the journal shows."""

    def __init__(
        self, observer: Observer, clients: ClientModel, tables: list[StormTable], chance: Random, keys: str
    ) -> None:
        """Take the tables, and a word that the keys begin with."""
        self.observer, self.clients, self.tables = observer, clients, tables
        self.chance, self.keys = chance, keys
        self.number, self.roster = 0, Roster()
        self.batches = chance.randrange(CYCLE)
        self._late: list[StormCommand] = []
        """Commands that somebody thought of and that have not been sent yet."""

    def next_batch(self, now: int) -> list[StormCommand]:
        """Return what is sent at once."""
        chance = self.chance
        self.batches += 1
        tables = chance.sample(self.tables, chance.randrange(1, len(self.tables) + 1))
        for table in tables:
            table.restrained = is_quiet(self.observer.table(table.name).meter, self.batches)
        batch = [self._table_command(table, now) for table in tables]
        if chance.random() < 0.25:
            batch.append(self._repeat(batch))
        if chance.random() < 0.1:
            batch.append(self._house_command())
        if chance.random() < 0.08:
            batch.append(self._meter_command())
        if len(self._late) > chance.randrange(1, MAX_LATE):
            batch.append(self._late.pop(chance.randrange(len(self._late))))
        if self.clients.unanswered and chance.random() < 0.7:
            batch += self._retries()
        if chance.random() < 0.2:
            chance.shuffle(batch)
        return [self._with_current_roles(each) for each in batch]

    def _with_current_roles(self, each: StormCommand) -> StormCommand:
        """Let a person come as what the person is now, whatever it was when the command was first given."""
        request = each.request
        actor = current_actor(request.actor, self.observer.staff())
        return each if actor == request.actor else StormCommand(replace(request, actor=actor), each.sort)

    def proper_batch(self, tables: list[StormTable], now: int) -> list[StormCommand]:
        """Return what is proper at some tables, and everything of which the answer was lost."""
        proper = [self._request(table, table.proper(self.observer, now), "proper") for table in tables]
        return [self._with_current_roles(each) for each in (*self._retries(all_of_them=True), *proper)]

    def _retries(self, *, all_of_them: bool = False) -> list[StormCommand]:
        unanswered = self.clients.unanswered
        count = len(unanswered) if all_of_them else self.chance.randrange(1, len(unanswered) + 1)
        again, self.clients.unanswered = unanswered[:count], unanswered[count:]
        return [StormCommand(each.request, "retried") for each in again]

    def _table_command(self, table: StormTable, now: int) -> StormCommand:
        """Return what somebody does at a table, proper four times out of five."""
        draw, is_busy = self.chance.random(), is_console_busy(self.observer.table(table.name))
        sort = next(sort for share, sort in SHARES if draw < share)
        if sort == "barred":
            return self._barred_command(table, now)
        if sort == "house":
            return self._house_command(table)
        if sort == "proper" and is_busy and self.chance.random() < 0.2:
            sort = "astray"
        if sort == "proper" and self.chance.random() < 0.02:
            self._late.append(self._request(table, table.proper(self.observer, now), "late"))
        made = self._request(table, self._command_of_sort(table, sort, now), sort)
        return self._with_odd_key(made) if sort == "wild" else made

    def _command_of_sort(self, table: StormTable, sort: Sort, now: int) -> Any:
        """Return what a sort of behaviour does at a table."""
        if sort == "seldom":
            return table.seldom(self.observer)
        if sort == "astray":
            return console_error(self.observer.table(table.name), self.chance)
        if sort == "wild":
            return wild(self.chance, self.chance.choice(KINDS))
        command = table.proper(self.observer, now)
        return near(cast("TableCommand", command), self.chance) if sort == "near" else command

    def _request(self, table: StormTable, command: Any, sort: Sort) -> StormCommand:
        """Let somebody who may give a command, where there is somebody."""
        book = self.observer.table(table.name)
        actor = self._actor(command, owner(book, command), but=marker(book, command))
        return StormCommand(Request(stream_of(table.name, command), self._with_key(command), actor), sort)

    def _actor(self, command: Any, who: str = "", but: str = "") -> Actor:
        """Return the player for a player's own act as often as not, or one of the staff in its role."""
        role, staff = command.role, self.observer.staff()
        named = staff.actor(command.by)
        if named is not None:
            return named
        own = who in PLAYERS and role in ("player", "dealer") and not isinstance(command, Deposit)
        if own and (role == "player" or (self.chance.random() < 0.5 and hasattr(command, "player"))):
            return player(who)
        if role == "player":
            return player(self.chance.choice(PLAYERS))
        return self.roster.pick(staff, role, self.chance, but)

    def _with_key(self, command: Any) -> Any:
        """Give a command its own key; one in twenty has none."""
        self.number += 1
        keyless = self.chance.random() < 0.05
        return replace(command, key="" if keyless else f"{self.keys}-{self.number}")

    def _with_odd_key(self, each: StormCommand) -> StormCommand:
        """Give a command now and then a key that is none, or that others use too."""
        if self.chance.random() > 0.1:
            return each
        request = each.request
        command = replace(request.command, key=self.chance.choice(ODD_KEYS))
        return StormCommand(replace(request, command=command), each.sort)

    def _barred_command(self, table: StormTable, now: int) -> StormCommand:
        """Return a proper command by the wrong person, or in the wrong role."""
        command = table.proper(self.observer, now)
        people = [*all_staff(self.observer.staff()), player(self.chance.choice(PLAYERS))]
        if self.chance.random() < 0.5:
            command = replace(command, role=self.chance.choice(STAFF_ROLES))
        stream = stream_of(table.name, command)
        return StormCommand(Request(stream, self._with_key(command), self.chance.choice(people)), "barred")

    def _house_command(self, table: StormTable | None = None) -> StormCommand:
        chosen = table or self.chance.choice(self.tables)
        stream, command = house_command(self.observer, chosen.name, self.chance)
        actor = player(command.by or "p1") if command.role == "player" else self._actor(command)
        return StormCommand(Request(stream, self._with_key(command), actor), "house")

    def _meter_command(self) -> StormCommand:
        """Return a command to one of the meters."""
        name = self.chance.choice(self.observer.meters() or ["none"])
        command = meter_command(self.observer, name, self.chance, closing=is_quiet(name, self.batches))
        return StormCommand(
            Request(meter_stream(name), self._with_key(command), self._actor(command)), "manager"
        )

    def _repeat(self, batch: list[StormCommand]) -> StormCommand:
        """Repeat a request of this batch or a much older one, now and then with another body."""
        chance = self.chance
        keyed = [each for each in batch if each.request.command.key]
        old = chance.choice(self.clients.past) if self.clients.past else None
        chosen = chance.choice(keyed) if keyed and (old is None or chance.random() < 0.4) else old
        if chosen is None:
            return batch[0]
        if chance.random() < 0.75:
            return StormCommand(chosen.request, "again")
        request = chosen.request
        if chance.random() < 0.2:
            other_stream = f"table/{chance.choice(self.tables).name}"
            return StormCommand(replace(request, stream=other_stream), "elsewhere")
        other = (
            wild(chance, chance.choice(KINDS))
            if request.stream.startswith("table/")
            else replace(request.command, role="auditor")
        )
        other = replace(other, key=request.command.key)
        return StormCommand(Request(request.stream, other, request.actor), "reused")

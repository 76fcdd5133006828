"""The crowd: what all people in the house ask at one moment, proper or not, for the first time or again."""

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
from tests.storm.clients import Clients
from tests.storm.commands import Asked, Sort
from tests.storm.console_errors import astray, busy
from tests.storm.house_commands import CYCLE, besides, managed, quiet
from tests.storm.observer import Witness
from tests.storm.setup import PLAYERS, Roster, everybody, player, signed_in
from tests.storm.table_commands import StormTable, marker, owner, stream_of

MOST_LATE = 40
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


class Crowd:
    """Makes groups of requests out of what the journal shows."""

    def __init__(
        self, witness: Witness, clients: Clients, floors: list[StormTable], chance: Random, keys: str
    ) -> None:
        """Take the tables, and a word that the keys begin with."""
        self.witness, self.clients, self.floors = witness, clients, floors
        self.chance, self.keys = chance, keys
        self.number, self.roster = 0, Roster()
        self.groups = chance.randrange(CYCLE)
        self._late: list[Asked] = []
        """Commands that somebody thought of and that have not been sent yet."""

    def group(self, now: int) -> list[Asked]:
        """Return what is asked at once."""
        chance = self.chance
        self.groups += 1
        floors = chance.sample(self.floors, chance.randrange(1, len(self.floors) + 1))
        for floor in floors:
            floor.restrained = quiet(self.witness.table(floor.name).meter, self.groups)
        asked = [self._at(floor, now) for floor in floors]
        if chance.random() < 0.25:
            asked.append(self._again(asked))
        if chance.random() < 0.1:
            asked.append(self._besides())
        if chance.random() < 0.08:
            asked.append(self._managed())
        if len(self._late) > chance.randrange(1, MOST_LATE):
            asked.append(self._late.pop(chance.randrange(len(self._late))))
        if self.clients.unknown and chance.random() < 0.7:
            asked += self._retries()
        if chance.random() < 0.2:
            chance.shuffle(asked)
        return [self._signed_in(each) for each in asked]

    def _signed_in(self, asked: Asked) -> Asked:
        """Let a person come as what the person is now, whatever it was when the command was first given."""
        request = asked.request
        actor = signed_in(request.actor, self.witness.staff())
        return asked if actor == request.actor else Asked(replace(request, actor=actor), asked.sort)

    def proper(self, floors: list[StormTable], now: int) -> list[Asked]:
        """Return what is proper at some tables, and everything of which the answer was lost."""
        tables = [self._asked(floor, floor.proper(self.witness, now), "proper") for floor in floors]
        return [self._signed_in(each) for each in (*self._retries(all_of_them=True), *tables)]

    def _retries(self, *, all_of_them: bool = False) -> list[Asked]:
        unknown = self.clients.unknown
        count = len(unknown) if all_of_them else self.chance.randrange(1, len(unknown) + 1)
        again, self.clients.unknown = unknown[:count], unknown[count:]
        return [Asked(each.request, "retried") for each in again]

    def _at(self, floor: StormTable, now: int) -> Asked:
        """Return what somebody does at a table, proper four times out of five."""
        draw, busy_now = self.chance.random(), busy(self.witness.table(floor.name))
        sort = next(sort for share, sort in SHARES if draw < share)
        if sort == "barred":
            return self._barred(floor, now)
        if sort == "house":
            return self._besides(floor)
        if sort == "proper" and busy_now and self.chance.random() < 0.2:
            sort = "astray"
        if sort == "proper" and self.chance.random() < 0.02:
            self._late.append(self._asked(floor, floor.proper(self.witness, now), "late"))
        asked = self._asked(floor, self._wanted(floor, sort, now), sort)
        return self._oddly_keyed(asked) if sort == "wild" else asked

    def _wanted(self, floor: StormTable, sort: Sort, now: int) -> Any:
        """Return what a sort of behaviour does at a table."""
        if sort == "seldom":
            return floor.seldom(self.witness)
        if sort == "astray":
            return astray(self.witness.table(floor.name), self.chance)
        if sort == "wild":
            return wild(self.chance, self.chance.choice(KINDS))
        wanted = floor.proper(self.witness, now)
        return near(cast("TableCommand", wanted), self.chance) if sort == "near" else wanted

    def _asked(self, floor: StormTable, wanted: Any, sort: Sort) -> Asked:
        """Let somebody who may give a command, where there is somebody."""
        book = self.witness.table(floor.name)
        actor = self._actor(wanted, owner(book, wanted), but=marker(book, wanted))
        return Asked(Request(stream_of(floor.name, wanted), self._keyed(wanted), actor), sort)

    def _actor(self, wanted: Any, who: str = "", but: str = "") -> Actor:
        """Return the player for a player's own act as often as not, or one of the staff in its role."""
        role, staff = wanted.role, self.witness.staff()
        named = staff.actor(wanted.by)
        if named is not None:
            return named
        own = who in PLAYERS and role in ("player", "dealer") and not isinstance(wanted, Deposit)
        if own and (role == "player" or (self.chance.random() < 0.5 and hasattr(wanted, "player"))):
            return player(who)
        if role == "player":
            return player(self.chance.choice(PLAYERS))
        return self.roster.somebody(staff, role, self.chance, but)

    def _keyed(self, wanted: Any) -> Any:
        """Give a command its own key; one in twenty has none."""
        self.number += 1
        keyless = self.chance.random() < 0.05
        return replace(wanted, key="" if keyless else f"{self.keys}-{self.number}")

    def _oddly_keyed(self, asked: Asked) -> Asked:
        """Give a command now and then a key that is none, or that others use too."""
        if self.chance.random() > 0.1:
            return asked
        request = asked.request
        command = replace(request.command, key=self.chance.choice(ODD_KEYS))
        return Asked(replace(request, command=command), asked.sort)

    def _barred(self, floor: StormTable, now: int) -> Asked:
        """Return a proper command by the wrong person, or in the wrong role."""
        wanted = floor.proper(self.witness, now)
        people = [*everybody(self.witness.staff()), player(self.chance.choice(PLAYERS))]
        if self.chance.random() < 0.5:
            wanted = replace(wanted, role=self.chance.choice(STAFF_ROLES))
        stream = stream_of(floor.name, wanted)
        return Asked(Request(stream, self._keyed(wanted), self.chance.choice(people)), "barred")

    def _besides(self, floor: StormTable | None = None) -> Asked:
        table = (floor or self.chance.choice(self.floors)).name
        stream, wanted = besides(self.witness, table, self.chance)
        actor = player(wanted.by or "p1") if wanted.role == "player" else self._actor(wanted)
        return Asked(Request(stream, self._keyed(wanted), actor), "house")

    def _managed(self) -> Asked:
        """Return what somebody asks of one of the meters."""
        name = self.chance.choice(self.witness.meters() or ["none"])
        wanted = managed(self.witness, name, self.chance, closing=quiet(name, self.groups))
        return Asked(Request(meter_stream(name), self._keyed(wanted), self._actor(wanted)), "manager")

    def _again(self, asked: list[Asked]) -> Asked:
        """Repeat a request of this group or a much older one, now and then with another body."""
        chance = self.chance
        keyed = [each for each in asked if each.request.command.key]
        old = chance.choice(self.clients.past) if self.clients.past else None
        chosen = chance.choice(keyed) if keyed and (old is None or chance.random() < 0.4) else old
        if chosen is None:
            return asked[0]
        if chance.random() < 0.75:
            return Asked(chosen.request, "again")
        request = chosen.request
        if chance.random() < 0.2:
            other_stream = f"table/{chance.choice(self.floors).name}"
            return Asked(replace(request, stream=other_stream), "elsewhere")
        other = (
            wild(chance, chance.choice(KINDS))
            if request.stream.startswith("table/")
            else replace(request.command, role="auditor")
        )
        other = replace(other, key=request.command.key)
        return Asked(Request(request.stream, other, request.actor), "reused")

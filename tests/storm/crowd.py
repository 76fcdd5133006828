"""The crowd: what all people in the house ask at one moment, proper or not, for the first time or again."""

from random import Random
from typing import Any, cast

from msgspec.structs import replace

from fourcard.house.actors import Actor
from fourcard.house.commands import ActingRole, Deposit
from fourcard.house.requests import Request
from fourcard.table.commands import TableCommand
from tests.laws.wild_commands import near, wild
from tests.storm.asked import Asked, Sort
from tests.storm.besides import besides
from tests.storm.clients import Clients
from tests.storm.floor import Floor, owner, stream_of
from tests.storm.people import PLAYERS, Roster, everybody, player, signed_in
from tests.storm.witness import Witness

MOST_LATE = 40
ODD_KEYS = ("x" * 100, "x" * 101, "a\0b", "two\nlines", "é", "a key")
STAFF_ROLES: tuple[ActingRole, ...] = (
    "dealer", "floorperson", "supervisor", "casino-supervisor", "executive", "auditor", "administrator",
)  # fmt: skip


class Crowd:
    """Makes groups of requests out of what the journal shows."""

    def __init__(
        self, witness: Witness, clients: Clients, floors: list[Floor], chance: Random, keys: str
    ) -> None:
        """Take the tables, and a word that the keys begin with."""
        self.witness, self.clients, self.floors = witness, clients, floors
        self.chance, self.keys = chance, keys
        self.number, self.roster = 0, Roster()
        self._late: list[Asked] = []
        """Commands that somebody thought of and that have not been sent yet."""

    def group(self, now: int) -> list[Asked]:
        """Return what is asked at once."""
        chance = self.chance
        floors = chance.sample(self.floors, chance.randrange(1, len(self.floors) + 1))
        asked = [self._at(floor, now) for floor in floors]
        if chance.random() < 0.25:
            asked.append(self._again(asked))
        if chance.random() < 0.1:
            asked.append(self._besides())
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

    def proper(self, floors: list[Floor], now: int) -> list[Asked]:
        """Return what is proper at some tables, and everything of which the answer was lost."""
        tables = [self._asked(floor, floor.proper(self.witness, now), "proper") for floor in floors]
        return [self._signed_in(each) for each in (*self._retries(all_of_them=True), *tables)]

    def _retries(self, *, all_of_them: bool = False) -> list[Asked]:
        unknown = self.clients.unknown
        count = len(unknown) if all_of_them else self.chance.randrange(1, len(unknown) + 1)
        again, self.clients.unknown = unknown[:count], unknown[count:]
        return [Asked(each.request, "retried") for each in again]

    def _at(self, floor: Floor, now: int) -> Asked:
        """Return what somebody does at a table, proper four times out of five."""
        chance, sort = self.chance, self.chance.random()
        if sort < 0.80:
            if chance.random() < 0.02:
                self._late.append(self._asked(floor, floor.proper(self.witness, now), "late"))
            return self._asked(floor, floor.proper(self.witness, now), "proper")
        if sort < 0.86:
            return self._asked(
                floor, near(cast("TableCommand", floor.proper(self.witness, now)), chance), "near"
            )
        if sort < 0.93:
            return self._asked(floor, floor.seldom(self.witness), "seldom")
        if sort < 0.96:
            return self._oddly_keyed(self._asked(floor, wild(chance), "wild"))
        if sort < 0.98:
            return self._barred(floor, now)
        return self._besides(floor)

    def _asked(self, floor: Floor, wanted: Any, sort: Sort) -> Asked:
        """Let somebody who may give a command, where there is somebody."""
        book = self.witness.table(floor.name)
        who = owner(book, wanted)
        stream = stream_of(floor.name, wanted)
        actor = self._actor(wanted, who)
        return Asked(Request(stream, self._keyed(wanted), actor), sort)

    def _actor(self, wanted: Any, who: str) -> Actor:
        """Return the player for a player's own act as often as not, or one of the staff in its role."""
        role = wanted.role
        own = who in PLAYERS and role in ("player", "dealer") and not isinstance(wanted, Deposit)
        if own and (role == "player" or (self.chance.random() < 0.5 and hasattr(wanted, "player"))):
            return player(who)
        if role == "player":
            return player(self.chance.choice(PLAYERS))
        return self.roster.somebody(self.witness.staff(), role, self.chance)

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

    def _barred(self, floor: Floor, now: int) -> Asked:
        """Return a proper command by the wrong person, or in the wrong role."""
        wanted = floor.proper(self.witness, now)
        people = [*everybody(self.witness.staff()), player(self.chance.choice(PLAYERS))]
        if self.chance.random() < 0.5:
            wanted = replace(wanted, role=self.chance.choice(STAFF_ROLES))
        stream = stream_of(floor.name, wanted)
        return Asked(Request(stream, self._keyed(wanted), self.chance.choice(people)), "barred")

    def _besides(self, floor: Floor | None = None) -> Asked:
        table = (floor or self.chance.choice(self.floors)).name
        stream, wanted = besides(self.witness, table, self.chance)
        actor = player(wanted.by or "p1") if wanted.role == "player" else None
        actor = actor or self.roster.somebody(self.witness.staff(), wanted.role, self.chance)
        return Asked(Request(stream, self._keyed(wanted), actor), "house")

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
            wild(chance) if request.stream.startswith("table/") else replace(request.command, role="auditor")
        )
        other = replace(other, key=request.command.key)
        return Asked(Request(request.stream, other, request.actor), "reused")

"""Storm set-up: the plan, the stores, the people, the games, and how a house begins."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal

from msgspec.structs import replace

from fourcard.house.auth.identity import Actor
from fourcard.house.auth.permissions import acting_roles
from fourcard.house.auth.staff import StaffState
from fourcard.house.commands import (
    ActingRole,
    CardSource,
    HireStaff,
    HouseCommand,
    InstallTable,
    RegisterPlayer,
    StaffRole,
)
from fourcard.house.decide_meter import meter_terms
from fourcard.house.decision import STAFF as STAFF_STREAM
from fourcard.house.decision import game_of_submission, player_stream, table_stream
from fourcard.house.route_command import Request
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from fourcard.refusals import Refusal
from fourcard.rules.game import Game
from fourcard.rules.submission import examples
from tests.kit.postgres import Server, server

StoreKind = Literal["memory", "sqlite", "postgres"]
ROUNDS_OF_A_HOUSE = 2_000
"""After so many rounds the storm goes on in a new house, so that memory and audits stay bounded."""
TABLES = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """One storm."""

    seed: str
    rounds: int = ROUNDS_OF_A_HOUSE
    store: StoreKind = "memory"
    tables: int = TABLES
    kills: int = 0
    house: int | None = None
    """Only this house of the storm, to replay a failure."""

    def houses(self) -> list[tuple[int, int]]:
        """Return the houses with the rounds of each."""
        full, rest = divmod(self.rounds, ROUNDS_OF_A_HOUSE)
        sizes = [ROUNDS_OF_A_HOUSE] * full + ([rest] if rest else [])
        return [each for each in enumerate(sizes) if self.house in (None, each[0])]

    def replay_command(self, house: int) -> str:
        """Return the command line that plays one house of this storm once more."""
        options = f"--seed {self.seed} --rounds {self.rounds} --store {self.store} --tables {self.tables}"
        return f"python -m tests.storm {options} --house {house}"

    def replay_kills_command(self) -> str:
        """Return the command line that kills at the same moments, though no kill is like another."""
        options = f"--seed {self.seed} --rounds 0 --store {self.store} --tables {self.tables}"
        return f"python -m tests.storm {options} --kills {self.kills}"


FOUNDER = Actor("ada", "staff", ("administrator",))
STAFF: dict[str, tuple[StaffRole, ...]] = {
    "ada": ("administrator",),
    "dora": ("dealer",),
    "dan": ("dealer", "supervisor"),
    "duke": ("dealer", "floorperson"),
    "flo": ("floorperson",),
    "sue": ("supervisor",),
    "sam": ("supervisor", "dealer"),
    "eve": ("executive",),
    "rex": ("executive", "dealer"),
    "otto": ("auditor",),
    "adam": ("administrator", "executive"),
}
"""Those who stay; others come and go. Whoever deals and ranks higher too may mark a win or confirm it, but
never both."""
PLAYERS = tuple(f"p{number}" for number in range(1, 21))


def player(name: str) -> Actor:
    """Return a player as one who gives commands."""
    return Actor(name, "player")


def all_staff(staff: StaffState) -> list[Actor]:
    """Return all who work here now."""
    found = (staff.actor(person) for person in staff.people)
    return [actor for actor in found if actor is not None]


class Roster:
    """Who may act in each role, worked out again only when the staff has changed."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._staff = StaffState()
        self._able: dict[ActingRole, list[Actor]] = {}

    def pick(self, staff: StaffState, role: ActingRole, chance: Random, but: str = "") -> Actor:
        """Return one of the staff who may act in a role, but not a certain person."""
        if staff is not self._staff:
            self._staff, self._able = staff, {}
        if role not in self._able:
            self._able[role] = [actor for actor in all_staff(staff) if role in acting_roles(actor)]
        return chance.choice([actor for actor in self._able[role] if actor.person != but])


def current_actor(actor: Actor, staff: StaffState) -> Actor:
    """Return a person as a sign-in of this moment has it: somebody who was let go has no role left.

    Before anybody is hired, the founder keeps the role, to give the first command again.
    """
    if actor.kind == "player" or not staff.people:
        return actor
    return staff.actor(actor.person) or Actor(actor.person, "staff")


CONSOLE, TRAY, METER = "[progressive]\n", 'fixed_awards = "tray"', 'fixed_awards = "meter"'
NEXUS = """"Nexus Command Game Manager" = "v1.3.2"
"Nexus Command Table Controller Software" = "v2.0.0"
"ViPS" = "v1.2.0"
"""
KEYPAD = """"Game Manager" = "v6.6 Build 520"
"Aquarius Controller" = "v6.5.6SP"
"Coin Spot" = "v6.0"
"CHAM2+" = "v1.66P$"
"ViPS" = "v1.2.0"
"""
RATES = {'rate = "20%"': '"19%"', 'rate = "25%"': '"24%"', 'rate = "12.5%"': '"13%"', 'rate = "15%"': '"16%"'}
"""By the rate of an example, another that its rulebook allows too."""
EVERY_WIN = '\n[settings]\nconfirm = "every_win"\n'


def example_text(name: str) -> str:
    """Return the text of an example."""
    return examples()[name].read_text(encoding="utf-8")


@cache
def families() -> dict[str, tuple[str, ...]]:
    """Return by name the submissions that may share a meter: same terms, but other consoles and settings."""
    washington, manufacturer = (
        example_text("washington-everything"),
        example_text("shuffle-master-everything"),
    )
    maryland, existing = example_text("maryland-everything"), example_text("maryland-existing")
    massachusetts = example_text("massachusetts-everything")
    tray_hands_over = maryland.replace("[settings]\n", '[settings]\npart_share_from = "tray"\n')
    return {
        "washington": (washington, _with_keypad(washington + EVERY_WIN), washington + EVERY_WIN),
        "washington-meter": (_paid_by_meter(washington), _with_keypad(_paid_by_meter(washington))),
        "shuffle-master": (manufacturer, manufacturer + EVERY_WIN),
        "maryland": (maryland, _with_touch(maryland), tray_hands_over, _with_touch(tray_hands_over)),
        "maryland-meter": (_paid_by_meter(maryland), _with_touch(_paid_by_meter(maryland))),
        "maryland-existing": (existing, _with_touch(existing)),
        "massachusetts": (massachusetts + EVERY_WIN, _with_touch(massachusetts)),
        "massachusetts-meter": (_paid_by_meter(massachusetts), _with_touch(_paid_by_meter(massachusetts))),
    }


def _with_keypad(text: str) -> str:
    return text.replace('console = "touch"', 'console = "keypad"').replace(NEXUS, KEYPAD)


def _with_touch(text: str) -> str:
    return text.replace(CONSOLE, f'{CONSOLE}console = "touch"\n')


def _paid_by_meter(text: str) -> str:
    return text.replace(TRAY, METER)


def with_other_rate(text: str) -> str:
    """Return a submission with another rate, whose meter would follow other terms."""
    before = next(each for each in RATES if f"\n{each}" in text)
    return text.replace(f"\n{before}", f"\nrate = {RATES[before]}")


def meter_of(family: str) -> str:
    """Return the meter that tables of a family are linked to."""
    return f"link-{family}"


@cache
def _submissions_by_game() -> dict[str, tuple[str, ...]]:
    """Return by the hash of a game every submission of the storm with the terms of its meter."""
    texts = [
        each for texts in families().values() for text in texts for each in (text, with_other_rate(text))
    ]
    games = {text: _game(text) for text in texts}
    return {
        game.hash: tuple(text for text, other in games.items() if meter_terms(other) == meter_terms(game))
        for game in games.values()
    }


def _game(text: str) -> Game:
    game = game_of_submission(text)
    assert not isinstance(game, Refusal), game
    return game


def submission_for_terms(game: str, chance: Random) -> str | None:
    """Return a submission with the same terms as a game by its hash, where it is one of a family."""
    known = _submissions_by_game().get(game)
    return None if known is None else chance.choice(known)


def same_terms(one: str, other: str) -> bool:
    """Say whether two games, by their hashes, follow the same terms; of a strange one nothing is said."""
    known = _submissions_by_game()
    return one not in known or other not in known or known[one] == known[other]


LINKED = 3
"""How many tables share each of the first two meters."""
Installed = tuple[str, InstallTable]


def setup_requests(chance: Random, tables: int) -> Iterator[Request]:
    """Yield what sets a house up, in order, each with a key."""
    commands: list[tuple[str, HouseCommand]] = []
    for person, roles in STAFF.items():
        commands += [(STAFF_STREAM, HireStaff(person=person, name=person.title(), roles=roles))]
    commands += [(player_stream(name), RegisterPlayer(name=name.title())) for name in PLAYERS]
    commands += [(table_stream(name), each) for name, each in table_setups(chance, tables)]
    for number, (stream, command) in enumerate(commands):
        keyed = replace(command, key=f"begin-{number}")
        yield Request(stream, keyed, FOUNDER)  # type: ignore[arg-type]


def table_setups(chance: Random, count: int) -> list[Installed]:
    """Return tables of many games; the first six are linked to two meters, most with cards keyed in."""
    names = [*families()]
    chance.shuffle(names)
    chosen = [linked_table(name, chance) for name in names[:2] for _ in range(LINKED)]
    chosen = [replace(each, cards="keyed" if n % LINKED else "built-in") for n, each in enumerate(chosen)]
    chosen += [random_table(chance) for _ in range(count)]
    return [(f"t{number}", each) for number, each in enumerate(chosen[:count])]


def random_table(chance: Random) -> InstallTable:
    """Return the command that sets up a table of any game, linked to others more often than not."""
    if chance.random() < 0.5:
        return linked_table(chance.choice([*families()]), chance)
    return InstallTable(submission=example_text(chance.choice([*examples()])), cards=_cards(chance))


def linked_table(family: str, chance: Random) -> InstallTable:
    """Return the command that links a table to the meter of a family."""
    text = chance.choice(families()[family])
    return InstallTable(submission=text, cards=_cards(chance), meter=meter_of(family))


def _cards(chance: Random) -> CardSource:
    return "keyed" if chance.random() < 0.6 else "built-in"


OpenStore = Callable[[], Store]
"""Opens the store of one house, again and again."""


class StoreFactory:
    """Gives every house a place of its own."""

    def __init__(self, kind: StoreKind, folder: Path, running: Server | None) -> None:
        """Take a folder for files, and a server where there is one."""
        self.kind, self.folder, self.running = kind, folder, running
        self._count = 0

    def address(self) -> str:
        """Return the address of a new, empty database."""
        self._count += 1
        if self.running is not None:
            return self.running.fresh()
        return str(self.folder / f"house-{self._count}.db")

    def opener(self) -> OpenStore:
        """Return what opens the store of a new house."""
        if self.kind == "memory":
            store = MemoryStore()
            return lambda: store
        address = self.address()
        return lambda: open_store(address)


@contextmanager
def store_factory(kind: StoreKind) -> Iterator[StoreFactory]:
    """Prepare for houses of one kind, and clear everything away afterwards."""
    with tempfile.TemporaryDirectory(prefix="fourcard-storm-") as folder:
        if kind == "postgres":
            with server(durable=False) as running:  # processes are killed, never the machine
                yield StoreFactory(kind, Path(folder), running)
        else:
            yield StoreFactory(kind, Path(folder), None)

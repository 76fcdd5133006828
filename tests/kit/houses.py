"""Houses with staff, tables and players who are ready to play."""

from collections.abc import Callable, Iterable, Sequence
from typing import get_args

import msgspec
from msgspec.structs import replace

from fourcard.house.auth.identity import Actor, AnyCommand, with_author
from fourcard.house.auth.permissions import acting_roles, permission_refusal
from fourcard.house.auth.security import SECURITY
from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF, TableBots
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.command_service import CommandService
from fourcard.house.commands import (
    ActingRole,
    BuyIn,
    CommitSeed,
    CountTray,
    Deposit,
    FillTray,
    HireStaff,
    InstallTable,
    RegisterPlayer,
    RevealSeed,
    StaffRole,
)
from fourcard.house.decide_shuffle import missing_seeds
from fourcard.house.decision import STAFF, game_of_submission, player_stream, table_stream
from fourcard.house.journal import pack_events, salt_of, unpack_events
from fourcard.house.route_command import CommandResult
from fourcard.house.shuffle_algorithm import seed_hash
from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from fourcard.house.store.sealing import KEY_BYTES, StoreKey
from fourcard.house.table_state import HouseTable
from fourcard.refusals import Refusal, RefusedError
from fourcard.round.commands import TakeSeat
from fourcard.rules.game import Game
from fourcard.rules.submission import examples
from fourcard.table.autopilot import open_command, with_cards
from fourcard.table.bots import Strategy, varied_bots

MONEY = 10_000_000
STACK = 500_000
FLOAT = 5_000_000
SEED_HASH = "a" * 64
"""The hash of a seed, where nobody reveals it."""


def submission_text(name: str) -> str:
    """Return the text of an example submission."""
    return examples()[name].read_text(encoding="utf-8")


def player(name: str) -> Actor:
    """Return a player who signed in."""
    return Actor(name, "player")


TEST_KEY = StoreKey(bytes(range(KEY_BYTES)))
"""What seals the secrets of a house without a key file."""


class TestHouse:
    """A desk over a store, with a clock that stands and chance that repeats."""

    __test__ = False

    def __init__(self, store: Store | None = None, seed: int = 1) -> None:
        """Begin with an empty store in memory, unless one is given."""
        self.store = store or MemoryStore()
        self.store.key = self.store.key or TEST_KEY
        self.clock, self.entropy = SimulatedClock(), SeededEntropy(seed)
        self.service = CommandService(self.store, self.clock, self.entropy)
        self.seeds: dict[tuple[str, int, str], str] = {}
        """By table, shuffle and player, the seeds that players have drawn."""
        self.drawing: frozenset[str] = frozenset()
        """Players who draw a seed for every shuffle, as those with a page do."""

    def restart(self) -> None:
        """Forget everything that is not in the store, as a crash does."""
        self.service = CommandService(self.store, self.clock, self.entropy)

    def do(self, stream: str, command: object, actor: Actor = BOT_STAFF) -> CommandResult:
        """Do a command."""
        return self.service.do(stream, command, actor)  # type: ignore[arg-type]

    def at(self, table: str, command: object, actor: Actor = BOT_STAFF) -> CommandResult:
        """Do a command at a table."""
        return self.do(table_stream(table), command, actor)

    def refused(self, stream: str, command: object, actor: Actor = BOT_STAFF) -> Refusal:
        """Return the refusal of a command, which must leave every stream as it was."""
        before = self.heads()
        try:
            answer = self.do(stream, command, actor)
        except RefusedError as error:
            assert self.heads() == before
            return error.refusal
        raise AssertionError(answer)

    def heads(self) -> dict[str, int]:
        """Return the sequence of every stream that has events, without the security log."""
        with self.store.reading() as reading:
            found = reading.streams()
        return {name: head.sequence for name, head in found.items() if head.sequence and name != SECURITY}

    def balances(self) -> dict[str, int]:
        """Return what every account holds, in units."""
        with self.store.reading() as reading:
            return dict(reading.balances())

    def house_table(self, table: str) -> HouseTable:
        """Return a table as the desk knows it."""
        known = self.service.cache.states.get(table_stream(table))
        return known if isinstance(known, HouseTable) else self.service.table(table)

    def staff(self) -> None:
        """Take the crew on, and who confirms its wins."""
        self.do(STAFF, HireStaff(person="crew", name="Crew", roles=BOT_STAFF.roles))
        self.do(STAFF, HireStaff(person="floor", name="Floor", roles=BOT_FLOORPERSON.roles))

    def install(self, table: str, example: str = "massachusetts", **choices: str) -> None:
        """Set a table up for an example's game."""
        self.at(table, InstallTable(submission=submission_text(example), **choices))  # type: ignore[arg-type]

    def register(self, *names: str, money: int = MONEY) -> None:
        """Open accounts with money in them."""
        for name in names:
            self.do(player_stream(name), RegisterPlayer(name=name.title()))
            if money:
                self.do(player_stream(name), Deposit(cents=money, role="supervisor"))

    def open(self, table: str, float_: int = FLOAT) -> None:
        """Fill and count the tray, and open the table."""
        book = self.house_table(table)
        self.at(table, FillTray(cents=float_, slip="F1", role="supervisor"))
        tray = self.house_table(table).cents(book.accounts.tray)
        self.at(table, CountTray(occasion="opening", cents=tray, role="floorperson"))
        self.at(table, open_command(book.state.game))

    def seat(self, table: str, players: Sequence[str], chips: int = STACK) -> None:
        """Sell chips to players and seat them from position 1 on."""
        for position, name in enumerate(players, 1):
            self.at(table, BuyIn(player=name, cents=chips), player(name))
            self.at(table, TakeSeat(position=position, player=name), player(name))

    def rehearsal(self, table: str, players: Iterable[str], seed: int = 1, keys: str = "k") -> TableBots:
        """Return bots for a table, at positions from 1 on."""
        return TableBots(table, dict(enumerate(players, 1)), varied_bots(seed), keys)

    def play(self, bots: TableBots, rounds: int = 1) -> None:
        """Let bots play whole rounds."""
        wanted = self.house_table(bots.table).state.round_number + rounds
        while not (self.number(bots.table) >= wanted and self.between(bots.table)):
            self.step(bots)

    def step(self, bots: TableBots) -> CommandResult:
        """Let somebody do the next thing; seeds come first."""
        self.send_seeds(bots.table)
        request = bots.next(self.house_table(bots.table))
        return self.do(request.stream, request.command, request.actor)

    def commit_seed(self, table: str, name: str, seed: str = "") -> str:
        """Let a player draw a seed for the next shuffle and send its hash, as a page does."""
        number = self.house_table(table).shuffle_number
        drawn = self.seeds[table, number, name] = seed or self.entropy.draw(16).hex()
        command = CommitSeed(player=name, shuffle=number, hash=seed_hash(table, number, name, drawn))
        self.at(table, command, player(name))
        return drawn

    def send_seeds(self, table: str) -> None:
        """Let players commit to seeds, and reveal those that were called, as their pages do."""
        book = self.house_table(table)
        if book.seeds_called_at is None:
            for name in sorted(self.drawing & {*book.state.seats.values()} - book.seed_hashes.keys()):
                self.commit_seed(table, name)
        if book.seeds_called_at is not None:
            for name in missing_seeds(book):
                seed = self.seeds[table, book.shuffle_number, name]
                self.at(table, RevealSeed(player=name, shuffle=book.shuffle_number, seed=seed), player(name))

    def number(self, table: str) -> int:
        """Return the number of the last round."""
        return self.house_table(table).state.round_number

    def between(self, table: str) -> bool:
        """Say whether no round is under way."""
        return self.house_table(table).state.round is None


def house_with(
    example: str = "massachusetts", players: Sequence[str] = ("ann", "bob"), **choices: str
) -> TestHouse:
    """Return a house with one open table, ``main``, and players seated at it with chips."""
    made = TestHouse()
    made.staff()
    made.register(*players)
    made.install("main", example, **choices)
    made.open("main")
    made.seat("main", players)
    return made


def play_keyed(
    house: TestHouse,
    table: str,
    players: Sequence[str],
    cards: Sequence[int],
    keys: str = "keyed",
    seed: int = 1,
    until: Callable[[CommandResult], bool] = lambda _answer: False,
    strategy: Strategy | None = None,
) -> None:
    """Play a round whose cards a dealer keys in, as they come off a physical deck, or a part of it."""
    bots = house.rehearsal(table, players, seed, keys)
    bots.policy = replace(bots.policy, strategy=strategy or bots.policy.strategy)
    begun = False
    while not (begun and house.between(table)):
        request = bots.next(house.house_table(table))
        command = with_cards(house.house_table(table).state, request.command, cards)
        if until(house.do(request.stream, command, request.actor)):
            return
        begun = begun or not house.between(table)


def shuffled_seldom(text: str) -> Game:
    """Return the game of a submission by a rulebook that lets a deck be dealt twice without a shuffle."""
    game = game_of_submission(text)
    assert isinstance(game, Game)
    rules = game.rulebook.shuffling
    rare = replace(rules, every_round=replace(rules.every_round, value=False))
    return replace(game, rulebook=replace(game.rulebook, shuffling=rare))


def break_event(house: TestHouse, stream: str, kind: str, changes: dict[str, object]) -> None:
    """Change the last event of a kind in the store, as somebody with the file at hand can."""
    kept = house.store._kept  # type: ignore[attr-defined]
    with house.store.reading() as reading:
        records = kept.records[stream] = [*reading.records(stream)]
    place = max(n for n, each in enumerate(records) if kind in {event.kind for event in unpack_events(each)})
    events = unpack_events(records[place])
    number = max(n for n, each in enumerate(events) if each.kind == kind)
    plain = {**msgspec.json.decode(events[number].body), **changes}
    events[number] = replace(events[number], body=msgspec.json.encode(plain))
    broken = records[place] = replace(records[place], body=pack_events(events, salt_of(records[place])).body)
    if broken.key:
        kept.keys[stream, broken.key] = broken


ANN, BEN = Actor("ann", "player"), Actor("ben", "player")
ROLES: tuple[ActingRole, ...] = tuple(role for part in get_args(ActingRole) for role in get_args(part))
STAFF_ROLES: tuple[StaffRole, ...] = get_args(StaffRole)


def staff(*roles: StaffRole, person: str = "sam") -> Actor:
    """Return a member of staff."""
    return Actor(person, "staff", roles)


def refusal_of(actor: Actor, command: AnyCommand) -> Refusal | None:
    """Return what the gate says to a command as this person gives it."""
    return permission_refusal(actor, with_author(actor, command))


def code_of(actor: Actor, command: AnyCommand) -> str:
    """Return the name of the gate's refusal, or nothing."""
    return refusal.name if (refusal := refusal_of(actor, command)) is not None else ""


def holder(role: ActingRole) -> Actor:
    """Return the lowest person who acts in a role."""
    if role == "player":
        return ANN
    return next(staff(each) for each in STAFF_ROLES if role in acting_roles(staff(each)))

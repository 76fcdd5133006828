"""Houses for the audit: one in which everything happens once, and a forger who changes stored data."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, get_args
from unittest.mock import patch

import msgspec
from msgspec.structs import replace
from sqlalchemy import Engine, Row, bindparam, create_engine, delete, insert, select, update
from sqlalchemy.event import listen
from sqlalchemy.pool import NullPool

from fourcard.house import unit_of_work
from fourcard.house.audit.auditor import audit
from fourcard.house.audit.report import AuditReport, FindingKind
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF
from fourcard.house.commands import BuyIn, CashOut, CollectDrop, CountTray, Deposit, PersonKind, Withdraw
from fourcard.house.decision import player_stream
from fourcard.house.head_signatures import Anchor, HouseKey
from fourcard.house.house import House
from fourcard.house.journal import (
    COMMANDS,
    GENESIS,
    RECORD_KIND,
    JournalRecord,
    StreamHead,
    chain_hash,
    events_after,
    pack_events,
    salt_of,
    unpack_events,
)
from fourcard.house.reports.formats import DAY
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from fourcard.house.store.commits import NO_COMMIT, signed_commit
from fourcard.house.store.compression import record_of_row, row_of_record
from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from fourcard.house.store.sealing import StoreKey, open_records
from fourcard.round.commands import CallOff, ReportIrregularity
from fourcard.table.bots import basic_strategy
from fourcard.table.commands import BringDeck, CloseTable
from tests.kit.decks import strong_deck
from tests.kit.houses import TEST_KEY, TestHouse, play_keyed, player

KEY = HouseKey(bytes(range(32)))
PLAYERS = ("ann", "bob", "cid")
AWARDED = (9, 10, 11)
"""Seeds of decks that win awards of the meter."""
FIRST_DAY = 20454
"""The first of January 2026, where the clock of a test begins."""
SNAPSHOT_EVERY = 60
"""Snapshots come often, so that a small house has some."""


PEOPLE: tuple[tuple[PersonKind, str], ...] = (("staff", BOT_STAFF.person), ("player", PLAYERS[0]))
"""Who can sign in."""


class Founded(TestHouse):
    """A house with a key, whose clock goes on with every command."""

    def __init__(self, store: Store, seed: int = 1) -> None:
        """Found it."""
        super().__init__(store, seed)
        self.house = House(store, KEY, self.clock, self.entropy)

    def do(self, stream: str, command: object, *actors: Any) -> Any:
        """Do a command, a second after the one before."""
        self.clock.at += 1_000
        return super().do(stream, command, *actors)

    def sign(self) -> None:
        """Sign the heads."""
        self.clock.at += 1_000
        self.house.sign()

    def anchor(self) -> Anchor:
        """Return an anchor of this moment."""
        self.clock.at += 1_000
        return self.house.anchor()


def small_house(store: Store) -> tuple[Founded, Anchor]:
    """Return a house in which everything happened once, signed in its middle, and an anchor of its end.

    Table ``one`` is dealt from the house's own shuffles and has a meter, ``two`` is plain, the cards of
    ``three`` are keyed in and win awards of the meter of ``one``.
    """
    made = Founded(store)
    with patch.object(unit_of_work, "SNAPSHOT_EVERY", SNAPSHOT_EVERY):
        made.staff()
        made.register(*PLAYERS)
        sign_in(made)
        made.install("one", "maryland-everything")
        made.install("two", "massachusetts")
        made.install("three", "maryland-everything", cards="keyed", meter="one")
        for table in ("one", "two", "three"):
            made.open(table)
            made.seat(table, PLAYERS)
        made.drawing = frozenset(("ann", "bob"))
        play(made, "one", 2)
        play(made, "two", 2)
        made.sign()
        play(made, "two", 1)
        play_strong(made, "three")
        play(made, "one", 1)
        void(made, "one")
        made.at("two", CashOut(player="bob", cents=1_000), player("bob"))
        made.do(player_stream("bob"), Withdraw(cents=500, role="supervisor"))
    return made, made.anchor()


def sign_in(made: Founded) -> None:
    """Give two people passwords, and let them sign in twice and out once."""
    door = SignIn(made.service, made.service.security, AuthPolicy(cost=TEST_COST))
    for kind, person in PEOPLE:
        assert door.set_password(kind, person, f"the word of {person}") is None
        tokens = [door.sign_in(kind, person, f"the word of {person}") for _ in range(2)]
        assert door.revoke(str(tokens[0]))


def three_days(store: Store) -> Founded:
    """Return a house in which people played on three days; it stands on the third."""
    made = Founded(store)
    made.staff()
    made.register(*PLAYERS)
    made.install("one", "maryland-everything")
    made.open("one")
    made.seat("one", PLAYERS)
    for day in range(3):
        if day:
            next_day(made)
        play(made, "one", 1)
        deposit = Deposit(cents=500, role="supervisor", key=f"deposit {made.clock.at}")
        made.do(player_stream("ann"), deposit)
        made.sign()
    return made


def next_day(made: Founded) -> None:
    """Go on a day later, with a new deck at the table."""
    made.clock.at += DAY
    state = made.house_table("one").state
    deck = BringDeck(back=state.decks[state.active].back, deck=state.active, role="floorperson")
    made.at("one", deck, BOT_FLOORPERSON)


def play(made: TestHouse, table: str, rounds: int) -> None:
    """Let bots play."""
    made.play(made.rehearsal(table, PLAYERS, seed=rounds, keys=f"k{made.number(table)}"), rounds)


def play_strong(made: TestHouse, table: str, seeds: Iterable[int] = AWARDED) -> None:
    """Play rounds with keyed cards that win awards of the meter."""
    for seed in seeds:
        state = made.house_table(table).state
        order = strong_deck(state.game, state.seats, Random(seed), state.method)
        play_keyed(made, table, PLAYERS, order, f"strong{seed}", seed=seed, strategy=basic_strategy)


def void(made: TestHouse, table: str) -> None:
    """Begin a round, deal it, and find a hand with a wrong number of cards."""
    bots = made.rehearsal(table, PLAYERS, seed=99, keys=f"void{made.number(table)}")
    while (current_round := made.house_table(table).state.round) is None or current_round.phase != "deciding":
        made.step(bots)
    made.at(table, ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=7))


def call_off(made: TestHouse, table: str) -> None:
    """Begin a round, and call it off with wagers on the layout."""
    bots = made.rehearsal(table, PLAYERS, seed=98, keys=f"off{made.number(table)}")
    while (current_round := made.house_table(table).state.round) is None or not any(
        place.wagers for place in current_round.positions.values()
    ):
        made.step(bots)
    made.at(table, CallOff(role="floorperson"))


def close(made: TestHouse, table: str) -> None:
    """Close a table, and count what is there, a dollar less than there should be."""
    made.at(table, CloseTable(role="floorperson"))
    book = made.house_table(table)
    tray, drop = book.cents(book.accounts.tray), book.cents(book.accounts.drop)
    made.at(table, CountTray(occasion="closing", cents=tray - 100, role="floorperson"))
    made.at(table, CollectDrop(cents=drop, role="supervisor"))


def buy(made: TestHouse, table: str, name: str, cents: int) -> None:
    """Sell chips to a player."""
    made.at(table, BuyIn(player=name, cents=cents), player(name))


class Original:
    """A house as it really was, to be copied and forged."""

    def __init__(self) -> None:
        """Play a small house, and keep it as a file would be."""
        self.memory = MemoryStore()
        self.made, self.anchor = small_house(self.memory)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "house.db"
            store = open_store(file)
            copy_house(self.memory, store)
            store.close()
            self._file = file.read_bytes()

    def forger(self, folder: Path) -> "Forger":
        """Return somebody who can write to a copy of it in a folder."""
        file = folder / "house.db"
        file.write_bytes(self._file)
        return Forger(str(file))


@cache
def original() -> Original:
    """Return the house that every forger starts from."""
    return Original()


Place = tuple[str, str, int | None]
"""Where something is kept, of which stream or account, and the event."""


class Forger:
    """Somebody who can write to the database."""

    def __init__(self, address: str, key: StoreKey = TEST_KEY) -> None:
        """Connect to a SQLite file, or to an address."""
        self.address, self.key = address, key
        url = address if "://" in address else f"sqlite:///{address}"
        url = url.replace("postgresql://", "postgresql+psycopg://")
        self.engine: Engine = create_engine(url, poolclass=NullPool)
        if self.engine.dialect.name == "sqlite":
            listen(self.engine, "connect", _hurry)

    def resign(self) -> None:
        """Sign every stream as it is now, as only somebody with the key of the house can."""
        rows = self.run(select(schema.streams))
        heads = {row.name: StreamHead(row.sequence, row.hash) for row in rows if row.sequence}
        commit = signed_commit(self.key, 1, NO_COMMIT, heads)
        self.run(delete(schema.commits))
        self.run(insert(schema.commits).values(**msgspec.structs.asdict(commit)))
        self.run(update(schema.streams).values(commit_id=1))

    def audit(self, anchor: Anchor | None = None, *, resign: bool = True) -> AuditReport:
        """Return what an audit finds now, by default after everything was signed again."""
        if resign:
            self.resign()
        store = open_store(self.address, writing=False)
        store.key = self.key
        try:
            return audit(store, anchor)
        finally:
            store.close()

    def run(self, statement: Any) -> list[Row[Any]]:
        """Run a statement, whatever it is."""
        with self.engine.begin() as connection:
            result = connection.execute(statement)
            return list(result) if result.returns_rows else []

    def records(self, stream: str) -> list[JournalRecord]:
        """Return the stored records of a stream."""
        events, secrets = schema.events, schema.secrets
        rows = self.run(select(events).where(events.c.stream == stream).order_by(events.c.sequence))
        sealed = {
            row.number: row.secret for row in self.run(select(secrets).where(secrets.c.stream == stream))
        }

        @cache
        def secret(stream: str, number: int) -> bytes | None:
            return self.key.open(stream, number, sealed[number]) if number in sealed else None

        return [*open_records([record_of_row(tuple(row)) for row in rows], secret)]

    def record(self, stream: str, sequence: int) -> JournalRecord:
        """Return the stored record that holds an event."""
        return next(each for each in self.records(stream) if sequence <= each.sequence)

    def events(self, stream: str) -> list[JournalRecord]:
        """Return the events of a stream."""
        return [*events_after(self.records(stream), 0)]

    def event(self, stream: str, sequence: int) -> JournalRecord:
        """Return one event."""
        return next(each for each in self.events(stream) if each.sequence == sequence)

    def find(self, stream: str, kind: str, number: int = 0) -> int:
        """Return the sequence of the first event of a kind in a stream, or of a later one."""
        return [each.sequence for each in self.events(stream) if each.kind == kind][number]

    def change(self, stream: str, sequence: int, /, **fields: Any) -> None:
        """Change an event's body or command, or the columns of the record that holds it."""
        stored = self.record(stream, sequence)
        inside = {name: fields.pop(name) for name in ("body", "command") if name in fields}
        if stored.kind == RECORD_KIND and inside:
            events = unpack_events(stored)
            place = next(place for place, each in enumerate(events) if each.sequence == sequence)
            events[place] = replace(events[place], **inside)
            inside = {"body": pack_events(events, salt_of(stored)).body}
        self.put(stored, **inside, **fields)

    def put(self, stored: JournalRecord, /, **fields: Any) -> None:
        """Store a record again with some fields changed."""
        events = schema.events
        row = row_of_record(replace(stored, **fields))
        column_of = dict(zip(JournalRecord.__struct_fields__, zip(events.c, row, strict=True), strict=True))
        here = (events.c.stream == stored.stream, events.c.sequence == stored.sequence)
        whole = {**fields, **dict.fromkeys(("kind", "version", "body"))}  # a sealed row becomes an open one
        self.run(update(events).where(*here).values(dict(column_of[name] for name in whole)))

    def edit(self, stream: str, sequence: int, /, **fields: Any) -> None:
        """Change fields of an event's body, and nothing else."""
        plain = {**self.body(stream, sequence), **fields}
        self.change(stream, sequence, body=msgspec.json.encode(plain))

    def body(self, stream: str, sequence: int) -> dict[str, Any]:
        """Return the body of an event as plain data."""
        found: dict[str, Any] = msgspec.json.decode(self.event(stream, sequence).body)
        return found

    def drop(self, stream: str, first: int, last: int | None = None) -> None:
        """Delete the records that hold some events."""
        events, last = schema.events, last or first
        held = [each for each in self.records(stream) if each.first_sequence <= last]
        ends = [each.sequence for each in held if each.sequence >= first]
        self.run(delete(events).where(events.c.stream == stream, events.c.sequence.in_(ends)))

    def add(self, record: JournalRecord) -> None:
        """Insert an event, or a stored record."""
        self.run(insert(schema.events).values(row_of_record(record)))

    def groups(self, stream: str) -> list[list[JournalRecord]]:
        """Return the events of each record of a stream."""
        return [unpack_events(each) for each in self.records(stream)]

    def rewrite(self, stream: str, groups: Iterable[Sequence[JournalRecord]]) -> None:
        """Write a stream again, one record for each group of events, numbered and chained as they come."""
        self.run(delete(schema.events).where(schema.events.c.stream == stream))
        last = 0
        for group in groups:
            self.add(replace(pack_events(group), sequence=last + len(group), command_sequence=last + 1))
            last += len(group)
        self.rechain(stream)

    def take_out(self, stream: str, sequence: int) -> None:
        """Leave one event out of its record, and write the stream again."""
        groups = ([each for each in group if each.sequence != sequence] for group in self.groups(stream))
        self.rewrite(stream, [group for group in groups if group])

    def write_in_rows(self, stream: str, sequence: int, **fields: Any) -> None:
        """Store the events of a record in a row each, as 0.1 did, one of them with other fields."""
        game = self.body(stream, 1)["game"]
        rows = [replace(each, game=game) for each in unpack_events(self.record(stream, sequence))]
        self.drop(stream, sequence)
        for row in rows:
            self.add(replace(row, **fields) if row.sequence == sequence else row)
        self.rechain(stream)

    def rechain(self, stream: str) -> None:
        """Work the hashes of a stream out again, and move its head to its end."""
        hashes, before = dict[int, bytes](), GENESIS
        for record in self.records(stream):
            before = hashes[record.sequence] = chain_hash(before, record)
        events = schema.events
        here = (events.c.stream == stream, events.c.sequence == bindparam("place"))
        rows = [{"place": sequence, "hash": hash_} for sequence, hash_ in hashes.items()]
        with self.engine.begin() as connection:
            connection.execute(update(events).where(*here), rows)
        self.move(stream, sequence=max(hashes), hash=before)

    def move(self, stream: str, **columns: Any) -> None:
        """Change a head."""
        self.run(update(schema.streams).where(schema.streams.c.name == stream).values(**columns))

    def renumber(self, stream: str) -> None:
        """Close the gaps of a stream, and chain it again."""
        last = 0
        for record in self.records(stream):
            moved = record.first_sequence - last - 1
            if moved:
                first, end = record.command_sequence - moved, record.sequence - moved
                self.put(record, sequence=end, command_sequence=first)
            last = record.sequence - moved
        self.rechain(stream)


def stored_commands(store: Store) -> Counter[str]:
    """Return how many commands of each kind a journal holds."""
    with store.reading() as reading:
        records = chain.from_iterable(map(reading.events, reading.journal_streams()))
        return Counter(msgspec.json.decode(each.command)["kind"] for each in records if each.command)


ALL_COMMANDS = {
    str(command.__struct_config__.tag) for commands in COMMANDS.values() for command in get_args(commands)
} - {"pay_award"}
"""Every kind of command that a house takes; awards are priced by the house itself."""
SELDOM_STORMED = {"change_roles", "choose_seed", "confirm_clock", "enter_reading", "go_idle", "set_hand"}
"""Commands that a storm gives seldom or never; a test of the audit gives them."""


def _hurry(connection: Any, _record: object) -> None:
    """Let a forger's file be written without waiting for the disk."""
    connection.execute("PRAGMA synchronous = OFF")


def holds(report: AuditReport, place: Place, what: FindingKind) -> None:
    """Demand a finding of a kind at a place; where no sequence is told, any will do."""
    kept, name, sequence = place
    at = [each for each in report.findings if (each.place.kept, each.place.name) == (kept, name)]
    exact = [each for each in at if sequence is None or each.place.sequence == sequence]
    assert any(each.what == what for each in exact), f"nothing {what} at {place} in:\n{told(report)}"


def told(report: AuditReport) -> str:
    """Return all findings as text, for a test that fails."""
    return "\n".join(f"{each.place}: {each.what}: {each.sentence}" for each in report.findings) or "nothing"

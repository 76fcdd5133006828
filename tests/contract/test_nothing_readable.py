"""Nothing that is not shown yet is readable: all that is stored and logged is searched while rounds run.

That is every value of the database, its files and write-ahead log, a backup, a copy that PostgreSQL streams
to a replica, and the log of a served house. `make thorough` plays 200 rounds in each database.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from unittest.mock import patch

import psycopg
import pytest
from sqlalchemy import insert

from fourcard.house import unit_of_work
from fourcard.house.decision import table_stream
from fourcard.house.events import SecretRevealed
from fourcard.house.house import use_key
from fourcard.house.journal import RECORD_KIND, SEALED_KIND, TABLE_CODEC, JournalRecord
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from fourcard.house.store.compression import compress_body
from fourcard.house.store.interface import Store, key_of
from fourcard.house.store.sealing import shuffle_of
from fourcard.round.state import RoundState
from fourcard.table.events import DeckOrdered
from tests.kit.audited_houses import PLAYERS, Forger, Founded
from tests.kit.captured_log import logged
from tests.kit.content_search import (
    ContentSearch,
    card_pieces,
    file_contents,
    order_pieces,
    record_piece,
    secret_pieces,
    stored_values,
)
from tests.kit.postgres import Server, server
from tests.kit.support import WHOLE
from tests.kit.waiting import PATIENCE
from tests.server.processes import ConnectedPlayer, ServeProcess, create_hosted_house

TABLE = "one"
ROUNDS = 200 if WHOLE else 2
FILES_EVERY, COPY_EVERY = (5, 40) if WHOLE else (1, 2)
"""Rounds after which the files are searched, and after which a copy is made."""
SNAPSHOT_EVERY = 40
SHORTEST_HAND = 5


def unrevealed_secrets(store: Store) -> list[bytes]:
    """Return the secrets of a store that its journal has not revealed."""
    with store.reading() as reading:
        opened = [key_of(reading).open(*place, sealed) for place, sealed in reading.secrets().items()]
    return [secret for secret in opened if secret is not None]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """Return a server of its own, whose files hold nothing of other tests."""
    with server(durable=False) as running:
        yield running


def hand_pieces(current_round: RoundState) -> set[bytes]:
    """Return the hands of a round under way."""
    hands = [current_round.dealer, *(place.cards for place in current_round.positions.values())]
    return set[bytes]().union(*(card_pieces(each) for each in hands if len(each) >= SHORTEST_HAND))


class SearchedHouse(Founded):
    """A house with bots at a table, whose hidden things are searched as they play."""

    def __init__(self, store: Store, address: str, copies: Path) -> None:
        """Found it, and open the table."""
        super().__init__(store)
        self.address, self.copies = address, copies
        self.search, self.found, self.hidden_ever = ContentSearch(), set[bytes](), set[bytes]()
        self.sealed_pieces = defaultdict[int | None, set[bytes]](set)
        """By shuffle, what its records would be like if they were not sealed."""
        self.sealed = 0
        """Commands after which the order of a deck was hidden."""
        self.staff()
        self.register(*PLAYERS)
        self.install(TABLE, "massachusetts")
        self.open(TABLE)
        self.seat(TABLE, PLAYERS)
        self.drawing = frozenset(PLAYERS)

    def hidden(self) -> set[bytes]:
        """Return what nobody may find: unrevealed secrets, the order of the deck in play, and its records."""
        pieces = set[bytes]().union(*map(secret_pieces, unrevealed_secrets(self.store)))
        book = self.house_table(TABLE)
        order = None if book.shuffle_in_play is None else book.state.decks[book.state.active].order
        if order is not None:
            pieces |= order_pieces(order) | self.sealed_pieces[book.shuffle_in_play]
            pieces |= set() if book.state.round is None else hand_pieces(book.state.round)
        self.hidden_ever |= pieces
        return pieces

    def search_values(self, address: str = "") -> None:
        """Search every value of the database, or of a copy."""
        self.found |= self.search.find(self.hidden(), stored_values(address or self.address, self.search))

    def search_files(self, folder: Path) -> None:
        """Search the files in a folder."""
        self.found |= self.search.find(self.hidden(), file_contents(folder))

    def search_backup(self, name: str) -> None:
        """Search a backup."""
        folder = self.copies / f"backup-{name}"
        folder.mkdir()
        with closing(open_store(folder / "house.db")) as copy:
            copy_house(self.store, copy)
        self.search_values(str(folder / "house.db"))
        self.search_files(folder)

    def play_searched(self, number: int, dealt: Callable[[], None]) -> None:
        """Play a round, search at some of its steps, and do more once its last hand is dealt."""
        bots = self.rehearsal(TABLE, PLAYERS, seed=number, keys=f"r{number}")
        began, steps, every = self.number(TABLE), 0, 4 if number < 20 else 10
        waiting = True
        while self.number(TABLE) == began or not self.between(TABLE):
            self.step(bots)
            steps += 1
            if self.house_table(TABLE).shuffle_in_play is not None:
                self._check_sealed()
            if steps % every == 0:
                self.search_values()
            current_round = self.house_table(TABLE).state.round
            if waiting and current_round is not None and len(current_round.dealer) >= SHORTEST_HAND:
                dealt()
                waiting = False
        self.search_values()

    def _check_sealed(self) -> None:
        """Check that the last record is sealed, and remember what it would be like if it were not."""
        stream, shuffle = table_stream(TABLE), self.house_table(TABLE).shuffle_in_play
        with self.store.reading() as reading:
            after = reading.streams()[stream].sequence - 1
            (last,) = reading.stored_records(stream, after)
            (opened,) = reading.records(stream, after)
        assert (last.kind, shuffle_of(last), opened.kind) == (SEALED_KIND, shuffle, RECORD_KIND)
        self.sealed_pieces[shuffle].add(record_piece(opened))
        self.sealed += 1

    def play_all(self, search_files: Callable[[], None], search_copy: Callable[[str], None]) -> None:
        """Play all rounds and search everything; nothing hidden is found, and nothing is in the log."""

        def dealt() -> None:
            if number % FILES_EVERY == 0:
                search_files()
            if number % COPY_EVERY == 0:
                search_copy(str(number))

        with logged(logging.DEBUG) as log, patch.object(unit_of_work, "SNAPSHOT_EVERY", SNAPSHOT_EVERY):
            for number in range(1, ROUNDS + 1):
                self.play_searched(number, dealt)
        assert self.found == set()
        assert self.search.find(self.hidden_ever, [log.getvalue().encode()]) == set()
        assert self.sealed > 5 * ROUNDS
        assert len(self.hidden_ever) > 400 * ROUNDS
        search = self.search
        print(
            f"{ROUNDS} rounds, {search.searches:,} searches for {search.pieces:,} pieces "
            f"({len(self.hidden_ever):,} different) in {search.bytes:,} bytes"
        )


def test_nothing_hidden_is_readable_in_a_file_its_log_or_a_backup(tmp_path: Path) -> None:
    folder, copies = tmp_path / "data", tmp_path / "copies"
    folder.mkdir()
    copies.mkdir()
    with closing(open_store(folder / "house.db")) as store:
        house = SearchedHouse(store, str(folder / "house.db"), copies)
        house.play_all(lambda: house.search_files(folder), house.search_backup)


def test_nothing_hidden_is_readable_in_a_server_or_what_a_replica_gets(
    postgres: Server, tmp_path: Path
) -> None:
    address = postgres.fresh()
    with closing(open_store(address)) as store:
        house = SearchedHouse(store, address, tmp_path)
        house.search_files(postgres.data)

        def search_files() -> None:
            postgres.checkpoint()
            house.search_files(postgres.data)

        def search_replica(name: str) -> None:
            postgres.copy_to(tmp_path / name)
            house.search_files(tmp_path / name)
            house.search_backup(name)

        house.play_all(search_files, search_replica)


SECRET = bytes(range(200, 232))
ORDER = tuple(range(51, -1, -1))
NUMBERS, RAW = ",".join(map(str, ORDER)).encode(), bytes(ORDER)


def test_the_search_finds_what_is_written_in_plain_text(postgres: Server, tmp_path: Path) -> None:
    address = postgres.fresh()
    open_store(address).close()
    search, forger = ContentSearch(), Forger(address)
    record = JournalRecord("", 1, 1, RECORD_KIND, 1, 0, "", "", "", "", "", b"[%b]" % NUMBERS)
    pieces = secret_pieces(SECRET) | card_pieces(ORDER[:6]) | {RAW[:8], record_piece(record)}
    assert search.find(pieces, [*stored_values(address, search), *file_contents(postgres.data)]) == set()
    forger.run(insert(schema.secrets).values(stream="table/one", number=1, secret=SECRET))
    forger.run(insert(schema.games).values(hash=SECRET.hex(), body=compress_body(record.body)))
    forger.run(insert(schema.earlier_totals).values(stream="one", hour=1, body=RAW))
    halves = (SECRET[:16], SECRET[16:])
    plain = {*halves, *(each.hex().encode() for each in halves), RAW[:8], record_piece(record)}
    assert search.find(pieces, stored_values(address, search)) == {*plain, NUMBERS[:17]}
    assert search.find(pieces, file_contents(postgres.data)) >= plain
    postgres.copy_to(tmp_path / "copy")
    assert search.find(pieces, file_contents(tmp_path / "copy" / "base")) >= plain
    assert card_pieces((51, 0)) == {b"51,0", b"51, 0", b"As 2c", b'"As", "2c"', b'As","2c', b"As2c"}
    assert len(order_pieces(ORDER)) == len(ORDER) * 7


async def play_served(player: ConnectedPlayer, address: str, told: Callable[[], bool]) -> None:
    """Play rounds, then let the database refuse to store secrets, until the house tells of it.

    The database tells its own log the whole row that it refuses.
    """
    life = asyncio.ensure_future(player.live())
    try:
        await player.until(lambda: player.round > 2)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("ALTER TABLE secrets ADD CONSTRAINT refused CHECK (number < 0) NOT VALID")
        async with asyncio.timeout(PATIENCE):
            while not told():
                await asyncio.sleep(0.05)
    finally:
        life.cancel()
        with suppress(asyncio.CancelledError):
            await life


def all_pieces(address: str, key: Path) -> set[bytes]:
    """Return all secrets and orders of decks that a house has ever had."""
    with closing(open_store(address, writing=False)) as store:
        use_key(store, key)
        pieces = set[bytes]().union(*map(secret_pieces, unrevealed_secrets(store)))
        with store.reading() as reading:
            events = [TABLE_CODEC.decode(each) for each in reading.events(table_stream("main"))]
    for event in events:
        if isinstance(event, SecretRevealed):
            pieces |= secret_pieces(bytes.fromhex(event.secret))
        elif isinstance(event, DeckOrdered):
            pieces |= order_pieces(event.order)
    return pieces


def test_nothing_hidden_is_in_the_log_of_a_served_house_or_of_its_database(
    postgres: Server, tmp_path: Path
) -> None:
    address, key = postgres.fresh(), tmp_path / "house.key"
    token = create_hosted_house(address, key, "massachusetts", ("ann",))["ann"]
    server = ServeProcess(tmp_path / "log", "--house", "-d", address, "--key", str(key), "--pace", "0")
    player = ConnectedPlayer("ann", token, [server.address], "main", 1)
    server.start()
    try:
        server.listen()
        asyncio.run(play_served(player, address, lambda: "refused" in server.output()))
    finally:
        server.stop()
    logs, pieces = [(postgres.data / "log").read_bytes(), server.log.read_bytes()], all_pieces(address, key)
    assert b"Failing row contains (table/main" in logs[0]
    assert len(pieces) > 500
    assert ContentSearch().find(pieces, logs) == set()

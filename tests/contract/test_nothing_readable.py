"""Nothing that is not shown yet is readable: database, log and backup are searched while rounds run."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import select

from fourcard.house.decision import table_stream
from fourcard.house.journal import SEALED_KIND
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from fourcard.house.store.compression import record_of_row
from fourcard.house.store.interface import Store, key_of
from tests.kit.audited_houses import PLAYERS, Forger, Founded
from tests.kit.houses import TestHouse
from tests.kit.postgres import Server

ROUNDS = 200 if os.environ.get("FOURCARD_WHOLE") else 4
RUN = 6
"""Cards in a row of a deck whose order must not be found."""


def hidden(made: TestHouse, table: str) -> list[bytes]:
    """Return what nobody may find: unrevealed secrets, and pieces of the order of the deck in play."""
    with made.store.reading() as reading:
        key = key_of(reading)
        opened = [key.open(*place, sealed) for place, sealed in reading.secrets().items()]
    secrets = [each for each in opened if each is not None]
    state = made.house_table(table)
    order = state.state.decks[state.state.active].order if state.shuffle_in_play else None
    cards = [] if order is None else [",".join(map(str, order[n : n + RUN])) for n in range(len(order) - RUN)]
    return [*secrets, *(each.hex().encode() for each in secrets), *(each.encode() for each in cards)]


def seen(address: str) -> Iterator[bytes]:
    """Yield what a reader of a database without the key finds: every value, and bodies decompressed."""
    forger = Forger(address)
    for table in schema.metadata.tables.values():
        for row in forger.run(select(table)):
            yield from (each if isinstance(each, bytes) else str(each).encode() for each in row)
            if table is schema.events:
                yield record_of_row(tuple(row)).body
    forger.engine.dispose()


def files(folder: Path) -> Iterator[bytes]:
    """Yield the content of the files of a database, its log included."""
    yield from (path.read_bytes() for path in folder.rglob("*") if path.is_file())


def search(made: TestHouse, table: str, address: str, folder: Path) -> None:
    """Search the database as it is, and its files."""
    pieces = hidden(made, table)
    assert len(pieces) > 1
    found = [piece for content in (*seen(address), *files(folder)) for piece in pieces if piece in content]
    assert found == []


def play_and_search(store: Store, address: str, folder: Path, copies: Path) -> None:
    """Play rounds; search in each before the deal, after every fourth command, and in a backup."""
    made, table = Founded(store), "one"
    made.staff()
    made.register(*PLAYERS)
    made.install(table, "massachusetts")
    made.open(table)
    made.seat(table, PLAYERS)
    made.drawing = frozenset(PLAYERS)
    sealed = 0
    for number in range(ROUNDS):
        bots = made.rehearsal(table, PLAYERS, seed=number, keys=f"r{number}")
        steps, begun = 0, False
        while not (begun and made.between(table)):
            made.step(bots)
            begun, steps = begun or not made.between(table), steps + 1
            if steps % 4 == 0 and number < 20:
                search(made, table, address, folder)
            if made.house_table(table).shuffle_in_play:
                with store.reading() as reading:
                    *_, last = reading.stored_records(table_stream(table))
                assert last.kind == SEALED_KIND
                sealed += 1
                if sealed % 50 == 5:
                    backup = copies / f"backup-{number}-{steps}.db"
                    with closing(open_store(backup)) as copy:
                        copy_house(store, copy)
                    pieces = hidden(made, table)
                    content = [*seen(str(backup)), backup.read_bytes()]
                    assert not [piece for piece in pieces if any(piece in each for each in content)]
        search(made, table, address, folder)
    assert sealed > 5 * ROUNDS


def test_nothing_hidden_is_readable_in_a_file_its_log_or_a_backup(tmp_path: Path) -> None:
    folder, copies = tmp_path / "data", tmp_path / "copies"
    folder.mkdir()
    copies.mkdir()
    with closing(open_store(folder / "house.db")) as store:
        play_and_search(store, str(folder / "house.db"), folder, copies)


def test_nothing_hidden_is_readable_in_a_server_or_what_a_replica_gets(
    postgres: Server, tmp_path: Path
) -> None:
    address = postgres.fresh()
    with closing(open_store(address)) as store:
        play_and_search(store, address, tmp_path / "none", tmp_path)

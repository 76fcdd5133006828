"""What is kept beside the journal is held to it: ledger, balances, games, secrets and snapshots."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Table, delete, insert, select, update

from fourcard.house.auditing.report import Kind
from fourcard.house.store import schema
from fourcard.house.store.copying import copy_house
from fourcard.house.store.sql import open_store
from tests.audited import original
from tests.forging import Forger, Place, holds
from tests.postgres import server

Forgery = Callable[[Forger], tuple[Place, Kind]]
ONE, TWO, THREE, METER = "table/one", "table/two", "table/three", "meter/one"


@pytest.fixture
def forger(tmp_path: Path) -> Forger:
    """Return somebody who can write to a house."""
    return original().forger(tmp_path)


def first(forger: Forger, table: Table, **where: Any) -> dict[str, Any]:
    """Return the first row of a table with these values, by its key."""
    conditions = [table.c[name] == value for name, value in where.items()]
    row = forger.run(select(table).where(*conditions).order_by(*table.primary_key).limit(1))[0]
    return dict(row._mapping)


def put(forger: Forger, table: Table, row: dict[str, Any], **changes: Any) -> None:
    """Change a row."""
    conditions = [column == row[column.name] for column in table.primary_key]
    forger.run(update(table).where(*conditions).values(**changes))


def remove(forger: Forger, table: Table, row: dict[str, Any]) -> None:
    """Delete a row."""
    forger.run(delete(table).where(*(column == row[column.name] for column in table.primary_key)))


# The ledger.


@pytest.mark.parametrize(
    ("column", "value"),
    [("amount", 1), ("giver", "cage"), ("taker", "cage"), ("what", "gift"), ("wager", "envy"), ("at", 1)],
)
def test_a_changed_transfer_is_found(forger: Forger, column: str, value: object) -> None:
    row = first(forger, schema.transfers, stream=ONE, what="stake")
    put(forger, schema.transfers, row, **{column: value})
    report = forger.audit()
    holds(report, ("transfers", ONE, row["sequence"]), "altered")
    assert [each.what for each in report.findings] == ["altered"]


def test_a_deleted_transfer_is_found(forger: Forger) -> None:
    row = first(forger, schema.transfers, stream=TWO, what="take")
    remove(forger, schema.transfers, row)
    report = forger.audit()
    holds(report, ("transfers", TWO, row["sequence"]), "missing")
    assert report.findings[0].place.number == row["number"]


@pytest.mark.parametrize(
    "place", [(ONE, 40, 7), (TWO, 9_999, 0), ("player/ann", 1, 0), ("table/ghost", 1, 0), ("a", 1, 0)]
)
def test_an_inserted_transfer_is_found(forger: Forger, place: tuple[str, int, int]) -> None:
    row = first(forger, schema.transfers, stream=ONE)
    keys = dict(zip(("stream", "sequence", "number"), place, strict=True))
    forger.run(insert(schema.transfers).values(**{**row, **keys}))
    holds(forger.audit(), ("transfers", place[0], place[1]), "inserted")


def test_a_transfer_moved_to_another_event_is_found(forger: Forger) -> None:
    row = first(forger, schema.transfers, stream=ONE, what="buy_in")
    put(forger, schema.transfers, row, sequence=row["sequence"] + 1)
    report = forger.audit()
    holds(report, ("transfers", ONE, row["sequence"]), "missing")
    holds(report, ("transfers", ONE, row["sequence"] + 1), "inserted")


def change_a_balance(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.balances, account="player/ann")
    put(forger, schema.balances, row, amount=row["amount"] + 10_000)
    return ("balances", "player/ann", None), "altered"


def unbalance_the_books(forger: Forger) -> tuple[Place, Kind]:
    change_a_balance(forger)
    return ("balances", "all accounts", None), "altered"


def hold_part_of_a_cent(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.balances, account="player/ann")
    put(forger, schema.balances, row, amount=row["amount"] + 1)
    return ("balances", "player/ann", None), "fraction"


def delete_a_balance(forger: Forger) -> tuple[Place, Kind]:
    remove(forger, schema.balances, {"account": "tray/one"})
    return ("balances", "tray/one", None), "missing"


def insert_a_balance(forger: Forger) -> tuple[Place, Kind]:
    forger.run(insert(schema.balances).values(account="pocket/eve", amount=10_000))
    return ("balances", "pocket/eve", None), "inserted"


# Games, secrets, snapshots.


def change_a_game(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.games)
    plain = msgspec.json.decode(row["body"])
    plain["submission"]["name"] = "another"
    put(forger, schema.games, row, body=msgspec.json.encode(plain))
    return ("games", row["hash"], None), "altered"


def spoil_a_game(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.games)
    put(forger, schema.games, row, body=b"{}")
    return ("games", row["hash"], None), "unreadable"


def delete_a_game(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.games)
    remove(forger, schema.games, row)
    return ("games", row["hash"], None), "missing"


def lose_the_game_of_a_table(forger: Forger) -> tuple[Place, Kind]:
    remove(forger, schema.games, {"hash": forger.events(TWO)[0].game})
    return ("events", TWO, 1), "game"


def rename_a_game(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.games)
    forger.run(insert(schema.games).values(hash="00" * 32, body=row["body"]))
    return ("games", "00" * 32, None), "altered"


def change_a_secret(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.secrets, stream=ONE)
    put(forger, schema.secrets, row, secret=bytes(32))
    return ("secrets", ONE, row["number"]), "altered"


def shorten_a_secret(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.secrets, stream=ONE)
    put(forger, schema.secrets, row, secret=b"short")
    return ("secrets", ONE, row["number"]), "altered"


def delete_a_secret(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.secrets, stream=TWO)
    remove(forger, schema.secrets, row)
    return ("secrets", TWO, row["number"]), "missing"


def insert_a_secret(forger: Forger) -> tuple[Place, Kind]:
    forger.run(insert(schema.secrets).values(stream=ONE, number=1, secret=bytes(32)))
    return ("secrets", ONE, 1), "inserted"


def change_a_snapshot(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.snapshots, stream=ONE)
    plain = msgspec.json.decode(row["body"])
    plain["held"]["tray/one"] += 10_000
    put(forger, schema.snapshots, row, body=msgspec.json.encode(plain))
    return ("snapshots", ONE, None), "altered"


def change_the_form_of_a_snapshot(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.snapshots, stream=ONE)
    plain = msgspec.json.decode(row["body"])
    put(forger, schema.snapshots, row, body=msgspec.json.encode({**plain, "format": 99}))
    return ("snapshots", ONE, None), "altered"


def spoil_a_snapshot(forger: Forger) -> tuple[Place, Kind]:
    put(forger, schema.snapshots, first(forger, schema.snapshots, stream=ONE), body=b"\xff")
    return ("snapshots", ONE, None), "unreadable"


def date_a_snapshot_otherwise(forger: Forger) -> tuple[Place, Kind]:
    row = first(forger, schema.snapshots, stream=ONE)
    put(forger, schema.snapshots, row, sequence=row["sequence"] + 1)
    return ("snapshots", ONE, None), "inserted"


def date_a_snapshot_after_the_end(forger: Forger) -> tuple[Place, Kind]:
    put(forger, schema.snapshots, first(forger, schema.snapshots, stream=ONE), sequence=10_000)
    return ("snapshots", ONE, None), "inserted"


def insert_a_snapshot(forger: Forger) -> tuple[Place, Kind]:
    forger.run(insert(schema.snapshots).values(stream="player/ann", sequence=2, body=b"{}"))
    return ("snapshots", "player/ann", None), "inserted"


def insert_a_snapshot_of_nothing(forger: Forger) -> tuple[Place, Kind]:
    forger.run(insert(schema.snapshots).values(stream="table/ghost", sequence=2, body=b"{}"))
    return ("snapshots", "table/ghost", None), "inserted"


BESIDE = (
    change_a_balance, unbalance_the_books, hold_part_of_a_cent, delete_a_balance, insert_a_balance,
    change_a_game, spoil_a_game, delete_a_game, lose_the_game_of_a_table, rename_a_game, change_a_secret,
    shorten_a_secret, delete_a_secret, insert_a_secret, change_a_snapshot, change_the_form_of_a_snapshot,
    spoil_a_snapshot, date_a_snapshot_otherwise, date_a_snapshot_after_the_end, insert_a_snapshot,
    insert_a_snapshot_of_nothing,
)  # fmt: skip


@pytest.mark.parametrize("forgery", BESIDE)
def test_what_is_kept_beside_the_journal_is_held_to_it(forger: Forger, forgery: Forgery) -> None:
    place, what = forgery(forger)
    holds(forger.audit(), place, what)


ON_A_SERVER = (change_a_balance, change_a_game, change_a_secret, change_a_snapshot)


def test_a_server_is_audited_as_a_file_is() -> None:
    """Forge on a real PostgreSQL: nothing is found before, and everything afterwards."""
    with server(durable=False) as running:
        address = running.emptied()
        store = open_store(address)
        copy_house(original().memory, store)
        store.close()
        forger = Forger(address)
        assert forger.audit(original().anchor).clean
        sequence = forger.find(TWO, "wager_placed")
        forger.edit(TWO, sequence, amount=1)
        places = [forgery(forger) for forgery in ON_A_SERVER]
        row = first(forger, schema.transfers, stream=ONE, what="stake")
        remove(forger, schema.transfers, row)
        report = forger.audit(original().anchor)
        for place, what in places:
            holds(report, place, what)
        holds(report, ("events", TWO, sequence), "altered")
        holds(report, ("transfers", ONE, row["sequence"]), "missing")

"""Attacks of somebody who can write to the database and has no key: on money, balances and signatures."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from fourcard.house.journal import JournalRecord, chain_hash, pack_events, unpack_events
from fourcard.house.store.compression import record_of_row, row_of_record
from fourcard.meter import UNITS_PER_CENT
from tests.kit.commands import HOUSE_FILE, Command, Done, said

BOB = "player/bob"
COLUMNS = ", ".join("?" * len(JournalRecord.__struct_fields__))
NUMBER, AMOUNT = 2, 5
"""Columns of a transfer."""


@pytest.fixture
def database(house: Command, folder: Path) -> Path:
    """Return the file of a closed house in which bob and zoe have 100 dollars each."""
    for name in ("bob", "zoe"):
        said(house("register", name))
        said(house("deposit", name, "$100"))
    return folder / HOUSE_FILE


def rewrite(database: Path, change: Callable[[list[JournalRecord]], list[JournalRecord]]) -> None:
    """Write bob's stream again as a forger would: rows, hashes, head, ledger and balances fit each other."""
    with closing(sqlite3.connect(database)) as file, file:
        rows = file.execute("SELECT * FROM events WHERE stream = ? ORDER BY sequence", (BOB,)).fetchall()
        before, records = bytes(32), change([record_of_row(row) for row in rows])
        file.execute("DELETE FROM events WHERE stream = ?", (BOB,))
        for record in records:
            before = chain_hash(before, record)
            file.execute(
                f"INSERT INTO events VALUES ({COLUMNS})", row_of_record(replace(record, hash=before))
            )
        head = (records[-1].sequence, before, BOB)
        file.execute("UPDATE streams SET sequence = ?, hash = ? WHERE name = ?", head)
        post(file, records)


def post(file: sqlite3.Connection, records: list[JournalRecord]) -> None:
    """Write the transfers of bob's deposits again, and what they change in the balances."""
    rows = file.execute("SELECT * FROM transfers WHERE stream = ?", (BOB,)).fetchall()
    deposits = {each.sequence: each for record in records for each in unpack_events(record)}
    moved = sum(row[AMOUNT] for row in rows)
    file.execute("DELETE FROM transfers WHERE stream = ?", (BOB,))
    for sequence, event in deposits.items():
        cents = msgspec.json.decode(event.body).get("cents")
        if cents is not None:
            row = (BOB, sequence, *rows[0][NUMBER:AMOUNT], cents * UNITS_PER_CENT, *rows[0][AMOUNT + 1 : -1])
            file.execute("INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, event.at))
            moved -= cents * UNITS_PER_CENT
    giver, taker = rows[0][NUMBER + 1 : AMOUNT]
    file.execute("UPDATE balances SET amount = amount + ? WHERE account = ?", (moved, giver))
    file.execute("UPDATE balances SET amount = amount - ? WHERE account = ?", (moved, taker))


def larger(record: JournalRecord, cents: int) -> JournalRecord:
    """Return a deposit of another amount."""
    events = unpack_events(record)
    plain = {**msgspec.json.decode(events[0].body), "cents": cents}
    return replace(record, body=pack_events([replace(events[0], body=msgspec.json.encode(plain))]).body)


def back_dated(records: list[JournalRecord]) -> list[JournalRecord]:
    """Add a deposit of a million dollars, dated like the first event."""
    first, last = records[0], records[-1]
    added = larger(last, 100_000_000)
    sequence = last.sequence + 1
    return [*records, replace(added, sequence=sequence, command_sequence=sequence, at=first.at, key="old")]


def edited(records: list[JournalRecord]) -> list[JournalRecord]:
    """Make the deposit a million dollars."""
    return [*records[:-1], larger(records[-1], 100_000_000)]


def refused(done: Done) -> str:
    """Return the last line of a command that did nothing; the watermark may have told more before it."""
    assert (done.status, done.out) == (2, "")
    return done.err.splitlines()[-1]


@pytest.mark.parametrize("change", [back_dated, edited])
def test_money_that_the_house_did_not_sign_is_not_paid_and_the_others_go_on(
    database: Path, house: Command, fourcard: Command, change: Callable[..., list[JournalRecord]]
) -> None:
    rewrite(database, change)
    with closing(sqlite3.connect(database)) as file:
        held = file.execute("SELECT amount FROM balances WHERE account = ?", (BOB,)).fetchone()
    assert held[0] >= 100_000_000 * UNITS_PER_CENT
    told = refused(house("withdraw", "bob", "$5000"))
    assert told.startswith(f"fourcard: The journal of {BOB} ")
    assert told.endswith("; run an audit.")
    assert "zoe" in said(house("withdraw", "zoe", "$50"))
    log = house("security", "--json").answer
    assert (f"journal of {BOB}", "stopped") in {(each["what"], each["reason"]) for each in log}
    found = fourcard("audit", "-d", database, "--json")
    assert found.status == 1
    places = [each["place"] for each in msgspec.json.decode(found.out)["findings"]]
    assert any(place.get("name") == BOB for place in places)


def test_a_head_can_name_no_commit_of_another_stream(database: Path, house: Command) -> None:
    rewrite(database, edited)
    with closing(sqlite3.connect(database)) as file, file:
        file.execute("UPDATE streams SET commit_id = (SELECT max(id) FROM commits) WHERE name = ?", (BOB,))
    assert "not signed" in refused(house("withdraw", "bob", "$5000"))


def test_signatures_that_are_gone_are_not_made_again(database: Path, house: Command) -> None:
    rewrite(database, edited)
    with closing(sqlite3.connect(database)) as file, file:
        file.execute("DELETE FROM commits")
        file.execute("UPDATE streams SET commit_id = 0")
    assert "has lost the signatures of its commits" in refused(house("withdraw", "bob", "$5000"))


def test_a_false_signature_stops_the_streams_that_it_covers(database: Path, house: Command) -> None:
    with closing(sqlite3.connect(database)) as file, file:
        (number,) = file.execute("SELECT commit_id FROM streams WHERE name = ?", (BOB,)).fetchone()
        file.execute("UPDATE commits SET signature = zeroblob(64) WHERE id = ?", (number,))
    assert "whose signature is not the house's" in house("withdraw", "bob", "$1").sentence
    assert "zoe" in said(house("withdraw", "zoe", "$50"))


def test_the_database_refuses_to_overdraw_an_account(database: Path, house: Command) -> None:
    with closing(sqlite3.connect(database)) as file, file:
        file.execute("UPDATE balances SET amount = 0 WHERE account = ?", (BOB,))
        with pytest.raises(sqlite3.IntegrityError, match="overdrawn"):
            file.execute("UPDATE balances SET amount = -1 WHERE account = ?", (BOB,))
    assert "would overdraw an account" in house("withdraw", "bob", "$50").sentence
    assert "zoe" in said(house("withdraw", "zoe", "$50"))

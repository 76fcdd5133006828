"""Whatever is changed in the journal of a house, the audit finds it and names its place.

A forger who can write to the database is found by the hashes, or by the signatures where the hashes were
worked out anew.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import delete, insert

from fourcard.house.auditing.audit import audit
from fourcard.house.auditing.report import Kind
from fourcard.house.outcome import HOUSE
from fourcard.house.records import Recorded, link
from fourcard.house.signing import HouseKey
from fourcard.house.store import schema
from tests.audited import original
from tests.forging import Forger, Place, holds, told

Forgery = Callable[[Forger], tuple[Place, Kind]]
ONE, TWO, THREE, METER = "table/one", "table/two", "table/three", "meter/one"
OTHER_KEY = HouseKey(bytes(32))


@pytest.fixture
def forger(tmp_path: Path) -> Forger:
    """Return somebody who can write to a house."""
    return original().forger(tmp_path)


def test_nothing_is_found_in_the_original(forger: Forger) -> None:
    anchor = original().anchor
    for report in (audit(original().memory), forger.audit(), forger.audit(anchor)):
        assert report.clean, told(report)


CHANGES: dict[str, Callable[[Recorded], object]] = {
    "command": lambda record: record.command - 1,
    "kind": lambda _: "seat_left",
    "version": lambda _: 2,
    "at": lambda record: record.at + 1,
    "by": lambda _: "eve",
    "role": lambda _: "executive",
    "key": lambda _: "another key",
    "digest": lambda _: "ab" * 32,
    "game": lambda _: "cd" * 32,
    "body": lambda record: record.body.replace(b'"position":2', b'"position":3'),
    "hash": lambda _: bytes(32),
}


def test_every_column_is_changed_here() -> None:
    """See that no column of the journal was forgotten."""
    assert {*CHANGES, "stream", "sequence"} == {column.name for column in schema.events.c}


@pytest.mark.parametrize("column", CHANGES)
@pytest.mark.parametrize("number", [0, -1])
def test_a_changed_column_is_found(forger: Forger, column: str, number: int) -> None:
    sequence = forger.find(TWO, "wager_placed", number)
    record = forger.event(TWO, sequence)
    forger.change(TWO, sequence, **{column: CHANGES[column](record)})
    if column == "body":
        forger.edit(TWO, sequence, amount=1)
    holds(forger.audit(), ("events", TWO, sequence), "unreadable" if column == "version" else "altered")


@pytest.mark.parametrize("column", CHANGES)
def test_a_changed_column_in_a_rewritten_chain_is_found_by_the_signature(forger: Forger, column: str) -> None:
    """Name the place that was signed, and from where on the stream was rewritten."""
    signed = next(head[1] for head in forger.body(HOUSE, 2)["heads"] if head[0] == TWO)
    sequence = forger.find(TWO, "wager_placed")
    record = forger.event(TWO, sequence)
    forger.change(TWO, sequence, **{column: CHANGES[column](record)})
    if column == "hash":
        forger.edit(TWO, sequence, amount=1)
    elif column == "body":
        forger.edit(TWO, sequence, amount=2)
    forger.rechain(TWO)
    holds(forger.audit(), ("events", TWO, signed), "altered")


def delete_first(forger: Forger) -> tuple[Place, Kind]:
    forger.drop(ONE, 1)
    return ("events", ONE, 1), "missing"


def delete_middle(forger: Forger) -> tuple[Place, Kind]:
    forger.drop(ONE, 40)
    return ("events", ONE, 40), "missing"


def delete_several(forger: Forger) -> tuple[Place, Kind]:
    forger.drop(TWO, 30, 60)
    return ("events", TWO, 30), "missing"


def delete_last(forger: Forger) -> tuple[Place, Kind]:
    last = len(forger.events(ONE))
    forger.drop(ONE, last)
    return ("events", ONE, last), "missing"


def insert_at_the_end(forger: Forger) -> tuple[Place, Kind]:
    last = forger.events("player/ann")[-1]
    forged = replace(last, sequence=last.sequence + 1, command=last.sequence + 1, key="", digest="")
    forger.add(replace(forged, hash=link(last.hash, forged)))
    return ("events", "player/ann", last.sequence + 1), "inserted"


def insert_before_the_beginning(forger: Forger) -> tuple[Place, Kind]:
    forger.add(replace(forger.events("staff")[0], sequence=0, key=""))
    return ("events", "staff", 0), "inserted"


def insert_in_the_middle(forger: Forger) -> tuple[Place, Kind]:
    """Move everything after a deposit by one, and let the deposit be made twice."""
    records = forger.events("player/ann")
    for record in reversed(records[2:]):
        forger.change(
            "player/ann", record.sequence, sequence=record.sequence + 1, command=record.sequence + 1
        )
    forger.add(replace(records[1], sequence=3, command=3, key="", digest=""))
    return ("events", "player/ann", 3), "altered"


def insert_a_stream(forger: Forger) -> tuple[Place, Kind]:
    record = replace(forger.events("staff")[0], stream="vault")
    forger.add(replace(record, hash=link(bytes(32), record)))
    return ("events", "vault", None), "inserted"


def swap_two(forger: Forger) -> tuple[Place, Kind]:
    for old, new in ((50, -1), (51, 50), (-1, 51)):
        forger.change(ONE, old, sequence=new)
    return ("events", ONE, 51), "altered"


def move_to_another_stream(forger: Forger) -> tuple[Place, Kind]:
    forger.change("player/ann", 2, stream="player/zoe")
    return ("events", "player/ann", 2), "missing"


def change_sequence(forger: Forger) -> tuple[Place, Kind]:
    forger.change(ONE, 45, sequence=10_000)
    return ("events", ONE, 10_000), "inserted"


def repeat_a_key(forger: Forger) -> tuple[Place, Kind]:
    """Give two commands one key, which only a database without its index can hold."""
    with forger.engine.begin() as connection:
        connection.exec_driver_sql("DROP INDEX events_by_key")
    keyed = [each for each in forger.events(TWO) if each.key]
    forger.change(TWO, keyed[5].sequence, key=keyed[1].key)
    forger.rechain(TWO)
    return ("events", TWO, keyed[5].sequence), "repeated"


def unreadable_body(forger: Forger) -> tuple[Place, Kind]:
    forger.change(ONE, 33, body=b"\xff{")
    return ("events", ONE, 33), "unreadable"


def text_that_is_none(forger: Forger) -> tuple[Place, Kind]:
    """Write bytes that are no text, at which the database itself breaks off; the other streams are read."""
    with forger.engine.begin() as connection:
        statement = f"UPDATE events SET role = CAST(x'ff' AS TEXT) WHERE stream = '{ONE}' AND sequence = 33"
        connection.exec_driver_sql(statement)
    return ("events", ONE, None), "unreadable"


def unknown_kind(forger: Forger) -> tuple[Place, Kind]:
    forger.edit(ONE, 33, kind="miracle_worked")
    return ("events", ONE, 33), "unreadable"


ROWS = (
    delete_first, delete_middle, delete_several, delete_last, insert_at_the_end, insert_before_the_beginning,
    insert_in_the_middle, insert_a_stream, swap_two, move_to_another_stream, change_sequence, repeat_a_key,
    unreadable_body, unknown_kind, text_that_is_none,
)  # fmt: skip


@pytest.mark.parametrize("forgery", ROWS)
def test_a_row_that_was_touched_is_found(forger: Forger, forgery: Forgery) -> None:
    place, what = forgery(forger)
    holds(forger.audit(), place, what)


@pytest.mark.parametrize("stream", [ONE, METER, "player/ann", "staff", HOUSE])
def test_a_deleted_stream_is_found(forger: Forger, stream: str) -> None:
    forger.drop(stream, 1, 10_000)
    holds(forger.audit(), ("events", stream, None), "missing")


@pytest.mark.parametrize("stream", [ONE, METER, "player/ann", "staff"])
def test_a_stream_deleted_with_its_head_is_found_by_the_signature(forger: Forger, stream: str) -> None:
    forger.drop(stream, 1, 10_000)
    forger.run(delete(schema.streams).where(schema.streams.c.name == stream))
    holds(forger.audit(), ("events", stream, None), "missing")


def test_a_tail_cut_off_with_its_head_moved_back_is_found_by_the_signature(forger: Forger) -> None:
    forger.drop(TWO, 50, 10_000)
    forger.rechain(TWO)
    holds(forger.audit(), ("events", TWO, 50), "missing")


def test_a_tail_that_was_never_signed_is_found_by_an_anchor(
    forger: Forger,
) -> None:
    last = len(forger.events("player/bob"))
    forger.drop("player/bob", last)
    forger.rechain("player/bob")
    holds(forger.audit(original().anchor), ("events", "player/bob", last), "missing")


# The table of heads.


def move_a_head_on(forger: Forger) -> tuple[Place, Kind]:
    last = len(forger.events(ONE))
    forger.move(ONE, sequence=last + 3)
    return ("events", ONE, last + 1), "missing"


def move_a_head_back(forger: Forger) -> tuple[Place, Kind]:
    forger.move(ONE, sequence=100)
    return ("events", ONE, 101), "inserted"


def give_a_head_another_hash(forger: Forger) -> tuple[Place, Kind]:
    forger.move(ONE, hash=bytes(32))
    return ("streams", ONE, None), "altered"


def delete_a_head(forger: Forger) -> tuple[Place, Kind]:
    forger.run(delete(schema.streams).where(schema.streams.c.name == ONE))
    return ("streams", ONE, None), "missing"


def insert_a_head(forger: Forger) -> tuple[Place, Kind]:
    forger.run(insert(schema.streams).values(name="table/ghost", sequence=9, hash=bytes(32)))
    return ("events", "table/ghost", None), "missing"


HEADS = (move_a_head_on, move_a_head_back, give_a_head_another_hash, delete_a_head, insert_a_head)


@pytest.mark.parametrize("forgery", HEADS)
def test_a_head_that_was_touched_is_found(forger: Forger, forgery: Forgery) -> None:
    place, what = forgery(forger)
    holds(forger.audit(), place, what)

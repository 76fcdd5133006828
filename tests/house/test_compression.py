"""Compression of records: every body comes back, in any thread; whatever else is stored harms nobody."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fourcard.house.journal import RECORD_KIND, JournalRecord, chain_hash
from fourcard.house.store.compression import NEWEST, record_of_row, row_of_record
from tests.kit.houses import house_with

BODY = JournalRecord.__struct_fields__.index("body")
EMPTY = JournalRecord("table/main", 1, 1, RECORD_KIND, 1, 0, "ann", "player", "", "", "", b"", bytes(32))


def stored(body: bytes) -> bytes:
    """Return a body as a database holds it."""
    return bytes(row_of_record(replace(EMPTY, body=body))[BODY])


def read(body: bytes, kind: str = RECORD_KIND) -> bytes:
    """Return the body of a record that a database holds."""
    row = [*row_of_record(replace(EMPTY, kind=kind))]
    row[BODY] = body
    return record_of_row(row).body


@pytest.fixture(scope="module")
def bodies() -> list[bytes]:
    """Return the bodies of a played table."""
    house = house_with()
    house.play(house.rehearsal("main", ("ann", "bob")), 2)
    with house.store.reading() as reading:
        return [each.body for each in reading.records("table/main")]


@given(st.binary(max_size=2000))
def test_every_body_comes_back(body: bytes) -> None:
    assert stored(body)[0] == NEWEST
    assert read(stored(body)) == body


def test_short_records_shrink_to_a_fraction(bodies: list[bytes]) -> None:
    assert sum(map(len, map(stored, bodies))) * 3 < sum(map(len, bodies))


def test_a_row_of_one_event_stays_as_it_is() -> None:
    row = replace(EMPTY, kind="seed_chosen", body=stored(b"[]"))
    assert row_of_record(row)[BODY] == row.body
    assert record_of_row(row_of_record(row)) == row


@given(st.binary(max_size=200))
def test_anything_that_is_stored_can_be_looked_at(body: bytes) -> None:
    assert isinstance(read(body), bytes)
    assert isinstance(read(bytes((NEWEST,)) + body), bytes)


def test_a_flipped_bit_changes_the_hash_or_nothing(bodies: list[bytes]) -> None:
    body = max(bodies, key=len)
    written, right = stored(body), chain_hash(bytes(32), replace(EMPTY, body=body))
    for place in range(len(written)):
        for bit in range(8):
            flipped = written[:place] + bytes((written[place] ^ (1 << bit),)) + written[place + 1 :]
            found = read(flipped)
            assert (chain_hash(bytes(32), replace(EMPTY, body=found)) == right) == (found == body)


def test_threads_compress_without_disturbing_each_other(bodies: list[bytes]) -> None:
    wrong = list[bytes]()

    def work() -> None:
        for _ in range(20):
            wrong.extend(body for body in bodies if read(stored(body)) != body)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong

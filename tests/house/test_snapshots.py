"""Snapshots: a start from one is a start from the whole journal, and a bad one is passed over."""

from unittest.mock import patch

import msgspec
import pytest

from fourcard.house import state_cache, unit_of_work
from fourcard.house.decision import meter_stream, table_stream
from fourcard.house.journal import StreamHead
from fourcard.house.state_cache import SNAPSHOT_FORMAT, CommitsLostError, decode_meter, decode_table
from fourcard.house.store.interface import Snapshot
from tests.kit.houses import TestHouse, house_with

PLAYERS = ("ann", "bob", "cal")
MAIN = table_stream("main")


@pytest.mark.parametrize("example", ["massachusetts-everything", "maryland-everything", "catfish-bend"])
def test_a_start_from_a_snapshot_is_a_start_from_the_whole_journal(example: str) -> None:
    house = house_with(example, PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    with patch.object(unit_of_work, "SNAPSHOT_EVERY", 60):
        for number in range(900):
            house.step(bots)
            if number % 230 < 3:
                before = house.house_table("main")
                house.restart()
                assert house.house_table("main") == before
    with house.store.reading() as reading:
        kept = reading.snapshot(MAIN)
        last = reading.streams()[MAIN].sequence
    assert kept is not None
    assert 300 < kept.sequence < last
    bare = _without_snapshots(house)
    assert bare.house_table("main") == house.house_table("main")


def _without_snapshots(house: TestHouse) -> TestHouse:
    with house.store.writing() as transaction:
        for kept in [*transaction.snapshots(MAIN)]:
            transaction.keep_snapshot(Snapshot(MAIN, kept.sequence, b"{}"))
    return TestHouse(house.store)


def test_who_is_far_behind_reads_on_from_a_snapshot_and_notices_a_rolled_back_journal() -> None:
    house = house_with("massachusetts-everything", PLAYERS)
    behind, astray = TestHouse(house.store), TestHouse(house.store)
    for other in (behind, astray):
        other.service.table("main")
    known = behind.service.cache.heads[MAIN]
    bots = house.rehearsal("main", PLAYERS)
    with patch.object(unit_of_work, "SNAPSHOT_EVERY", 60), patch.object(state_cache, "FAR_BEHIND", 100):
        house.play(bots, 3)
        assert behind.service.table("main") == house.house_table("main")
        assert behind.service.cache.snapshots[MAIN] > known.sequence
        astray.service.cache.heads[MAIN] = StreamHead(known.sequence, b"another event")
        with pytest.raises(CommitsLostError):
            astray.service.table("main")


def test_a_meter_starts_from_its_snapshot() -> None:
    house = house_with("washington-everything", PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    with patch.object(unit_of_work, "SNAPSHOT_EVERY", 3):
        house.play(bots, 8)
    with house.store.reading() as reading:
        kept = reading.snapshot(meter_stream("main"))
    assert kept is not None
    before = house.service.cache.meter("main")
    house.restart()
    house.play(bots)
    assert house.service.cache.meter("main").amounts.amount >= before.amounts.amount


@pytest.mark.parametrize("body", [b"", b"{", b"{}", b'{"format": 1}', b"\xff\xfe"])
def test_a_snapshot_that_cannot_be_read_is_passed_over(body: bytes) -> None:
    assert decode_meter(body) is None
    assert decode_table(body, lambda _hash: pytest.fail("no game is asked for")) is None


@pytest.mark.parametrize("other", [SNAPSHOT_FORMAT - 1, SNAPSHOT_FORMAT + 1])
def test_a_snapshot_of_another_format_is_passed_over(other: int) -> None:
    house = house_with("washington-everything", PLAYERS)
    bots = house.rehearsal("main", PLAYERS)
    with patch.object(unit_of_work, "SNAPSHOT_EVERY", 3):
        house.play(bots, 4)
    with house.store.reading() as reading:
        table, meter = reading.snapshot(MAIN), reading.snapshot(meter_stream("main"))
    assert table is not None
    assert meter is not None
    library = house.service.cache
    assert decode_table(table.body, library.game) is not None
    assert decode_meter(meter.body) is not None
    assert decode_table(_reformatted(table.body, other), library.game) is None
    assert decode_meter(_reformatted(meter.body, other)) is None


def _reformatted(body: bytes, other: int) -> bytes:
    return msgspec.json.encode({**msgspec.json.decode(body), "format": other})

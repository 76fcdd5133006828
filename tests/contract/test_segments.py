"""Closed days: compressed, signed, and read as before; nothing is lost wherever a closing stops."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import delete, select, update

from fourcard.house import segments
from fourcard.house.audit.auditor import audit, audit_from
from fourcard.house.audit.checkpoint import write_checkpoint
from fourcard.house.audit.report import FindingKind
from fourcard.house.commands import Deposit
from fourcard.house.decision import player_stream, table_stream
from fourcard.house.head_signatures import HouseKey
from fourcard.house.ledger import player_account
from fourcard.house.reports.formats import DAY, day_name
from fourcard.house.reports.statements import statement as statement_of
from fourcard.house.segments import FORMAT, ClosedDay, DayCloser, SegmentFacts
from fourcard.house.signed_files import sign_header
from fourcard.house.store import schema, segment_parts
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from fourcard.house.store.interface import PartContent, Segment, SegmentPart, Store, StoreError
from fourcard.house.store.memory import MemoryStore
from fourcard.house.store.segment_parts import decode_part, encode_part
from fourcard.house.store.sqlite import copy_sqlite_file
from fourcard.refusals import BadInputError
from tests.contract.records import contents
from tests.kit.audited_houses import (
    FIRST_DAY,
    KEY,
    Forger,
    Founded,
    Place,
    holds,
    next_day,
    play,
    three_days,
    told,
)
from tests.kit.faulty_store import FaultyStore
from tests.kit.postgres import Server

KEEP = 3
TABLE = table_stream("one")


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment_parts, "MAX_RECORDS", 7)
    monkeypatch.setattr(segments, "BATCH_RECORDS", 20)


def closer(made: Founded, store: Store | None = None, *, keep: int = KEEP) -> DayCloser:
    """Return what closes the days of a house."""
    return DayCloser(store or made.store, KEY.signer(made.house.name), made.clock.now, keep_days=keep)


def close(made: Founded, store: Store | None = None) -> list[ClosedDay]:
    """Close every day that is due."""
    return [*closer(made, store).close_due()]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Return a house of three days, and its time."""
    path = tmp_path_factory.mktemp("played") / "house.db"
    with closing(open_store(path)) as store:
        return path, three_days(store).clock.at


@pytest.fixture
def made(played: tuple[Path, int], tmp_path: Path) -> Iterator[Founded]:
    """Return a copy of the house of three days, which goes on."""
    copy_sqlite_file(played[0], tmp_path / "house.db")
    with closing(open_store(tmp_path / "house.db")) as store:
        founded = Founded(store, seed=2)
        founded.clock.at = played[1]
        yield founded


def logical(store: Store) -> dict[str, object]:
    """Return all that a store holds, wherever it lies."""
    return {name: held for name, held in contents(store).items() if not name.startswith("segment")}


def row_count(store: Store) -> int:
    """Return how many records are stored as rows."""
    with store.reading() as reading:
        return sum(
            sum(1 for _ in reading.records(stream, reading.segment_head(stream).sequence))
            for stream in reading.oldest_rows()
        )


def test_a_closed_day_reads_as_before_on_every_store(store: Store) -> None:
    made = three_days(store)
    first = audit_from(store, None)
    assert first.checkpoint is not None, told(first.report)
    file = write_checkpoint(first.checkpoint, KEY.signer(made.house.name), made.clock.now())
    with store.reading() as reading:
        statement = statement_of(reading, "ann")
        accounts = {name: [*reading.transfers(name)] for name in (player_account("ann"), "cage")}
    before, rows = logical(store), row_count(store)
    made.clock.at += KEEP * DAY
    assert [each.day for each in close(made)] == [day_name(FIRST_DAY), day_name(FIRST_DAY + 1)]
    assert row_count(store) < rows / 2
    assert logical(store) == before
    made.restart()
    with store.reading() as reading:
        assert statement_of(reading, "ann") == statement
        assert {name: [*reading.transfers(name)] for name in accounts} == accounts
    next_day(made)
    play(made, "one", 1)
    made.sign()
    for report in (audit(store), audit_from(store, file).report, audit_from(store, file, full=True).report):
        assert report.clean, told(report)
        assert report.counts.segments == 2
    assert audit_from(store, file).report.start.at is not None


def test_a_day_is_closed_when_its_days_have_passed_and_not_before(made: Founded) -> None:
    end = (FIRST_DAY + 1) * DAY
    made.clock.at = end + KEEP * DAY - 1
    assert close(made) == []
    made.clock.at += 1
    (closed,) = close(made)
    assert closed.day == day_name(FIRST_DAY)
    assert close(made) == []
    with made.store.reading() as reading:
        parts = [*reading.segment_parts(FIRST_DAY)]
        assert all(each.at < end for part in parts for each in decode_part(part).records)
        assert all(at >= end for at in reading.oldest_rows().values())


def test_at_least_two_days_stay(made: Founded) -> None:
    with pytest.raises(BadInputError, match="at least 2 days"):
        closer(made, keep=1)
    closer(made, keep=2)


def test_keys_of_days_that_stay_are_remembered(made: Founded) -> None:
    """Repeat a command of a day that stays, then use the key of a closed one again."""
    old, late = (Deposit(cents=7, role="supervisor", key=key) for key in ("old", "late"))
    made.do(player_stream("bob"), old)
    made.clock.at += DAY
    made.do(player_stream("bob"), late)
    made.clock.at += KEEP * DAY
    assert len(close(made)) == 3
    assert made.do(player_stream("bob"), late).repeated
    forgotten = not made.do(player_stream("bob"), old).repeated
    assert forgotten
    assert audit(made.store).clean, told(audit(made.store))


def test_late_events_after_the_clock_was_set_back_are_closed_with_the_next_day(made: Founded) -> None:
    made.clock.at += (KEEP + 1) * DAY
    assert len(close(made)) == 3
    made.clock.at -= (KEEP + 2) * DAY
    made.do(player_stream("bob"), Deposit(cents=7, role="supervisor"))
    made.clock.at += (KEEP + 2) * DAY
    before = logical(made.store)
    assert close(made) == []
    made.clock.at += DAY
    assert len(close(made)) == 1
    assert logical(made.store) == before
    assert audit(made.store).clean, told(audit(made.store))


POINTS = ("view", "add_segment_part:after", "add_segment:before", "commit:before", "commit:after")


@pytest.mark.parametrize("point", POINTS)
def test_a_closing_that_failed_anywhere_goes_on(point: str, made: Founded) -> None:
    store, failures = made.store, 0
    made.clock.at = (FIRST_DAY + 1 + KEEP) * DAY
    before = logical(store)
    for number in range(1, 100):
        faulty = FaultyStore(store, _fails_at(point, number))
        with suppress(StoreError):
            close(made, faulty)
        if not faulty.failed:
            break
        failures += 1
        assert logical(store) == before
    assert failures > 0
    assert [each.day for each in segments_of(store)] == [FIRST_DAY]
    assert audit(store).clean, told(audit(store))


def _fails_at(point: str, number: int) -> Callable[[str], bool]:
    passed = 0

    def plan(name: str) -> bool:
        nonlocal passed
        passed += name == point
        return name == point and passed == number

    return plan


def segments_of(store: Store) -> list[Segment]:
    """Return the segments of a house."""
    with store.reading() as reading:
        return [*reading.segments()]


def test_a_closing_that_is_stopped_goes_on_later(made: Founded) -> None:
    made.clock.at += (KEEP + 1) * DAY
    stopped = closer(made)
    assert [*stopped.close_due(lambda _day, _done: stopped._stopped.set())] == []
    with made.store.reading() as reading:
        assert 1 < len([*reading.segment_parts(FIRST_DAY)]) < 20
        assert reading.last_segment() is None
    assert audit(made.store).clean
    assert len(close(made)) == 3
    assert audit(made.store).clean


def test_a_damaged_stream_is_not_closed(made: Founded, tmp_path: Path) -> None:
    """An altered row must stay where an audit finds it."""
    Forger(str(tmp_path / "house.db")).edit(TABLE, 20, kind="round_voided")
    made.clock.at += KEEP * DAY
    with pytest.raises(StoreError, match=r"table/one cannot be closed.*run an audit"):
        close(made)
    holds(audit(made.store), ("events", TABLE, None), "altered")


def test_two_processes_close_a_day_together(postgres: Server) -> None:
    address = postgres.emptied()
    with closing(open_store(address)) as one, closing(open_store(address)) as two:
        made = three_days(one)
        made.clock.at += (KEEP + 1) * DAY
        before, barrier = logical(one), threading.Barrier(2)

        def run(store: Store) -> None:
            barrier.wait()
            close(made, store)

        threads = [threading.Thread(target=run, args=(each,)) for each in (one, two)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        close(made, two)
        assert logical(one) == before
        assert len(segments_of(one)) == 3
        assert audit(two).clean, told(audit(two))


@pytest.mark.parametrize("kinds", [("memory", "postgres"), ("postgres", "sqlite"), ("sqlite", "memory")])
def test_a_backup_takes_segments_once(kinds: tuple[str, str], postgres: Server, tmp_path: Path) -> None:
    """Copy before, during and after closing, onto the earlier copy and into a new one."""
    open_one: dict[str, Callable[[], Store]] = {
        "memory": MemoryStore,
        "sqlite": lambda: open_store(tmp_path / "house.db"),
        "postgres": lambda: open_store(postgres.emptied()),
    }
    with closing(open_one[kinds[0]]()) as store, closing(open_one[kinds[1]]()) as copy:
        made = three_days(store)
        copy_house(store, copy)
        made.clock.at += (KEEP + 1) * DAY
        for _ in closer(made).close_due():
            copy_house(store, copy, onto_earlier=True)
            assert contents(copy) == contents(store)
        next_day(made)
        play(made, "one", 1)
        said = list[tuple[str, int]]()
        copied = copy_house(store, copy, lambda *each: said.append(each), onto_earlier=True)
        assert "records of closed days" not in dict(said)
        assert copied.segments == 3
        assert contents(copy) == contents(store)
        assert audit(copy).clean, told(audit(copy))
        again = MemoryStore()
        assert copy_house(copy, again) == copied
        assert contents(again) == contents(store)


@pytest.fixture(scope="module")
def closed_house(played: tuple[Path, int], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a house with two closed days and a third that is not."""
    path = tmp_path_factory.mktemp("closed") / "house.db"
    copy_sqlite_file(played[0], path)
    with closing(open_store(path)) as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment_parts, "MAX_RECORDS", 7)
        made = Founded(store)
        made.clock.at = played[1] + KEEP * DAY
        assert len(close(made)) == 2
    return path


PARTS, SEGMENTS = schema.segment_parts, schema.segments
HERE = (PARTS.c.stream == TABLE, PARTS.c.first == 1)


def first_part(forger: Forger) -> SegmentPart:
    """Return the first part of the table."""
    (row,) = forger.run(select(PARTS).where(*HERE))
    return SegmentPart(**row._mapping)


def flip_a_bit(forger: Forger) -> None:
    body = bytearray(first_part(forger).body)
    body[len(body) // 2] ^= 1
    forger.run(update(PARTS).where(*HERE).values(body=bytes(body)))


def cut_a_part_short(forger: Forger) -> None:
    forger.run(update(PARTS).where(*HERE).values(body=first_part(forger).body[:-3]))


def swap_two_parts(forger: Forger) -> None:
    one, two = forger.run(select(PARTS).where(PARTS.c.stream == TABLE).order_by(PARTS.c.last).limit(2))
    for row, other in ((one, two), (two, one)):
        forger.run(update(PARTS).where(*HERE[:1], PARTS.c.last == row.last).values(body=other.body))


def drop_a_part(forger: Forger) -> None:
    forger.run(delete(PARTS).where(*HERE))


def write_another_content(forger: Forger) -> None:
    """Change an amount in a part, and compress it again as the program does."""
    part = first_part(forger)
    content = decode_part(part)
    changed = [replace(each, units=each.units + 1) for each in content.transfers]
    other = PartContent(content.records, tuple(changed))
    assert other != content
    body = encode_part(part.day, part.earlier_hash, other).body
    forger.run(update(PARTS).where(*HERE).values(body=body))


def move_a_part_to_another_day(forger: Forger) -> None:
    forger.run(update(PARTS).where(*HERE).values(day=FIRST_DAY + 1))


def miscount(forger: Forger) -> None:
    forger.run(update(PARTS).where(*HERE).values(records=PARTS.c.records + 1))


def hide_a_player(forger: Forger) -> None:
    forger.run(delete(schema.segment_players).where(schema.segment_players.c.account == "player/ann"))


def drop_the_list(forger: Forger) -> None:
    forger.run(delete(SEGMENTS).where(SEGMENTS.c.day == FIRST_DAY))


def alter_the_list(forger: Forger) -> None:
    (row,) = forger.run(select(SEGMENTS).where(SEGMENTS.c.day == FIRST_DAY))
    manifest = row.manifest.replace(b'"at":', b'"at":1')
    forger.run(update(SEGMENTS).where(SEGMENTS.c.day == FIRST_DAY).values(manifest=manifest))


def sign_with_another_key(forger: Forger) -> None:
    (row,) = forger.run(select(SEGMENTS).where(SEGMENTS.c.day == FIRST_DAY))
    header = msgspec.json.decode(row.manifest)
    facts = msgspec.convert(header["facts"], SegmentFacts)
    signer = HouseKey(bytes(32)).signer(header["house"])
    manifest = sign_header(signer, FORMAT, row.at, facts, header["digest"])
    forger.run(update(SEGMENTS).where(SEGMENTS.c.day == FIRST_DAY).values(manifest=manifest))


def use_the_list_of_another_day(forger: Forger) -> None:
    one, _two = forger.run(select(SEGMENTS).order_by(SEGMENTS.c.day))
    forger.run(update(SEGMENTS).where(SEGMENTS.c.day == FIRST_DAY + 1).values(manifest=one.manifest))


def put_the_rows_back(forger: Forger) -> None:
    for record in decode_part(first_part(forger)).records[:1]:
        forger.add(record)


DAY_ONE, DAY_TWO = ("segments", day_name(FIRST_DAY), None), ("segments", day_name(FIRST_DAY + 1), None)
TAMPERED = [
    (flip_a_bit, DAY_ONE, "altered"),
    (cut_a_part_short, ("events", TABLE, None), "unreadable"),
    (cut_a_part_short, DAY_ONE, "unreadable"),
    (swap_two_parts, DAY_ONE, "altered"),
    (swap_two_parts, ("events", TABLE, None), "inserted"),
    (drop_a_part, DAY_ONE, "missing"),
    (drop_a_part, ("events", TABLE, 1), "missing"),
    (write_another_content, DAY_ONE, "altered"),
    (move_a_part_to_another_day, DAY_ONE, "missing"),
    (move_a_part_to_another_day, DAY_TWO, "inserted"),
    (miscount, DAY_ONE, "altered"),
    (hide_a_player, DAY_ONE, "altered"),
    (drop_the_list, DAY_ONE, "missing"),
    (drop_the_list, DAY_TWO, "missing"),
    (alter_the_list, DAY_ONE, "signature"),
    (alter_the_list, DAY_TWO, "missing"),
    (sign_with_another_key, DAY_ONE, "signature"),
    (use_the_list_of_another_day, DAY_TWO, "altered"),
    (put_the_rows_back, ("events", TABLE, None), "inserted"),
]


@pytest.mark.parametrize(("tamper", "place", "what"), TAMPERED)
def test_an_altered_segment_is_found(
    tamper: Callable[[Forger], None], place: Place, what: FindingKind, closed_house: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "house.db"
    copy_sqlite_file(closed_house, copy)
    forger = Forger(str(copy))
    tamper(forger)
    holds(forger.audit(), place, what)


def test_a_checkpoint_notices_another_segment(closed_house: Path, tmp_path: Path) -> None:
    copy = tmp_path / "house.db"
    copy_sqlite_file(closed_house, copy)
    with closing(open_store(copy)) as store:
        first = audit_from(store, None)
        assert first.checkpoint is not None
        file = write_checkpoint(first.checkpoint, KEY.signer(first.report.house), 1)
        assert audit_from(store, file).report.counts.segments == 0
    use_the_list_of_another_day(Forger(str(copy)))
    with closing(open_store(copy)) as store:
        report = audit_from(store, file).report
    holds(report, ("checkpoint", "", None), "checkpoint")
    holds(report, DAY_TWO, "altered")

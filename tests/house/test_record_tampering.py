"""Tampering with records of several commands: whatever is changed inside one, or in how it is stored."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import select, update
from zstandard import FORMAT_ZSTD1_MAGICLESS, ZstdCompressionParameters, ZstdCompressor

from fourcard.house.audit.report import AuditReport, FindingKind
from fourcard.house.autopilot import TableBots
from fourcard.house.decision import HOUSE, table_stream
from fourcard.house.journal import JournalRecord
from fourcard.house.route_command import CommandResult, Request
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.compression import DICTIONARIES, MAX_BODY, NEWEST
from fourcard.house.table_state import HouseTable
from tests.kit.audited_houses import PLAYERS, Forger, Founded, holds, told

TABLE = "main"
MAIN = table_stream(TABLE)
ROUNDS = 2


class WholeRun:
    """An autopilot of bots, players and staff, until the round is over."""

    def __init__(self, bots: TableBots) -> None:
        """Take the bots of a table."""
        self._bots, self._begun = bots, False

    def next(self, table: HouseTable, now: int) -> Request | None:
        """Return the next request, or None after the end of a round."""
        over = self._begun and table.state.round is None
        self._begun = table.state.round is not None
        return None if over else self._bots.choose(table, now, "")

    def note(self, record: JournalRecord, event: Any, table: HouseTable) -> None:
        """Need nothing of the events."""


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a house with two rounds, each of them one record, signed after each."""
    path = tmp_path_factory.mktemp("runs") / "house.db"
    store = open_store(str(path))
    made = Founded(store)
    made.staff()
    made.register(*PLAYERS)
    made.install(TABLE, "maryland-everything")
    made.open(TABLE)
    made.seat(TABLE, PLAYERS)
    bots = made.rehearsal(TABLE, PLAYERS, keys="run")
    for _ in range(ROUNDS):
        request = bots.next(made.house_table(TABLE))
        (reply,) = made.service.execute([replace(request, then=lambda: WholeRun(bots))])
        assert isinstance(reply, CommandResult)
        made.sign()
    store.close()
    return path


@pytest.fixture
def forger(honest: Path, tmp_path: Path) -> Forger:
    """Return somebody with a copy of it."""
    copy = tmp_path / "house.db"
    shutil.copy(honest, copy)
    return Forger(str(copy))


def unsign(forger: Forger) -> None:
    """Leave nothing signed, so that only the rules are left."""
    forger.drop(HOUSE, 2, 1 + ROUNDS)
    forger.rechain(HOUSE)


def run_of(forger: Forger) -> JournalRecord:
    """Return the last record, which holds a whole round."""
    return forger.records(MAIN)[-1]


def rewrite_run(forger: Forger, events: list[JournalRecord]) -> None:
    """Write the stream again with other events in its last record."""
    forger.rewrite(MAIN, [*forger.groups(MAIN)[:-1], events])


def test_the_honest_house_is_clean_and_its_rounds_are_records(forger: Forger) -> None:
    report = forger.audit()
    assert report.clean, told(report)
    events = forger.groups(MAIN)[-1]
    assert len({each.command_sequence for each in events}) > 20
    assert len({each.by for each in events}) == 1 + len(PLAYERS)
    unsign(forger)
    assert forger.audit().clean


def place_in(events: list[JournalRecord], kind: str) -> int:
    """Return the place of the last event of a kind."""
    return max(place for place, each in enumerate(events) if each.kind == kind)


Forgery = Callable[[Forger], tuple[int, FindingKind]]
"""Changes the last record, and returns the sequence and the kind of what must be found."""


def move_an_event_to_the_next_command(forger: Forger) -> tuple[int, FindingKind]:
    events = forger.groups(MAIN)[-1]
    place = place_in(events, "showdown_reached")
    first, following = events[place].command_sequence, events[place + 1]
    envelope = {name: getattr(following, name) for name in ("by", "role", "command_sequence", "command")}
    events[place] = replace(events[place], **envelope)
    events[place + 1] = replace(following, command=None)
    rewrite_run(forger, events)
    return first, "rules"


def move_an_event_to_the_command_before(forger: Forger) -> tuple[int, FindingKind]:
    events = forger.groups(MAIN)[-1]
    place = [n for n, each in enumerate(events) if each.kind == "cards_dealt"][1]
    before = events[place - 1]
    envelope = {"by": before.by, "role": before.role, "command_sequence": before.command_sequence}
    events[place] = replace(events[place], command=None, **envelope)
    rewrite_run(forger, events)
    return events[place].sequence, "deal"


def tear_an_event_out_of_its_command(forger: Forger) -> tuple[int, FindingKind]:
    events = forger.groups(MAIN)[-1]
    place = place_in(events, "showdown_reached")
    events[place] = replace(events[place], command_sequence=events[place].sequence)
    rewrite_run(forger, events)
    return events[place].command_sequence - 1, "rules"


def leave_a_command_out(forger: Forger) -> tuple[int, FindingKind]:
    events = forger.groups(MAIN)[-1]
    place = place_in(events, "play_made")
    events[place] = replace(events[place], command=None)
    rewrite_run(forger, events)
    return events[place].sequence, "missing"


def replace_a_command(forger: Forger) -> tuple[int, FindingKind]:
    sequence = forger.find(MAIN, "step_done", -1)
    forger.change(MAIN, sequence, command=b'{"kind":"begin_round"}')
    forger.rechain(MAIN)
    return sequence, "rules"


def spoil_a_command(forger: Forger) -> tuple[int, FindingKind]:
    sequence = forger.find(MAIN, "step_done", -1)
    forger.change(MAIN, sequence, command=b'{"kind":"miracle"}')
    forger.rechain(MAIN)
    return sequence, "unreadable"


def swap_two_authors(forger: Forger) -> tuple[int, FindingKind]:
    events = forger.groups(MAIN)[-1]
    wagers = [each for each in events if each.kind == "wager_placed"]
    ann = next(each.command_sequence for each in wagers if each.by == "ann")
    bob = next(each.command_sequence for each in wagers if each.by == "bob")
    other = {ann: "bob", bob: "ann"}
    rewrite_run(forger, [replace(each, by=other.get(each.command_sequence, each.by)) for each in events])
    return ann, "rules"


def act_as_a_stranger(forger: Forger) -> tuple[int, FindingKind]:
    events = forger.groups(MAIN)[-1]
    wager = next(each.command_sequence for each in events if each.kind == "wager_placed")
    rewrite_run(
        forger, [replace(each, by="eve") if each.command_sequence == wager else each for each in events]
    )
    return wager, "author"


def swap_two_commands(forger: Forger) -> tuple[int, FindingKind]:
    events = forger.groups(MAIN)[-1]
    first, second = [place for place, each in enumerate(events) if each.kind == "cards_dealt"][1:3]
    sequence = events[first].sequence
    events[first], events[second] = events[second], events[first]
    rewrite_run(forger, events)
    return sequence, "deal"


INSIDE = (
    move_an_event_to_the_next_command, move_an_event_to_the_command_before, tear_an_event_out_of_its_command,
    leave_a_command_out, replace_a_command, spoil_a_command, swap_two_authors, act_as_a_stranger,
    swap_two_commands,
)  # fmt: skip


@pytest.mark.parametrize("forgery", INSIDE)
def test_what_is_changed_inside_a_record_is_found_by_the_rules(forger: Forger, forgery: Forgery) -> None:
    """Find it although every hash fits and nothing is signed."""
    unsign(forger)
    sequence, what = forgery(forger)
    holds(forger.audit(), ("events", MAIN, sequence), what)


@pytest.mark.parametrize("forgery", INSIDE)
def test_what_is_changed_inside_a_record_does_not_match_its_hash(forger: Forger, forgery: Forgery) -> None:
    record, before = run_of(forger), forger.records(MAIN)[-2]
    forgery(forger)
    forger.put(run_of(forger), hash=record.hash)
    assert forger.records(MAIN)[-2] == before
    forger.move(MAIN, hash=record.hash)
    holds(forger.audit(), ("events", MAIN, record.sequence), "altered")


def split_in_two(forger: Forger) -> int:
    """Store a round as two records, and say where it was signed."""
    *groups, events = forger.groups(MAIN)
    middle = next(place for place, each in enumerate(events) if each.kind == "wager_placed")
    forger.rewrite(MAIN, [*groups, events[:middle], events[middle:]])
    return events[-1].sequence


def join_two(forger: Forger) -> int:
    """Store both rounds as one record, so that nothing ends any more where the first was signed."""
    *groups, first, second = forger.groups(MAIN)
    forger.rewrite(MAIN, [*groups, [*first, *second]])
    return second[-1].sequence


def write_in_rows(forger: Forger) -> int:
    """Store a round in a row for each event, as 0.1 did."""
    last = run_of(forger).sequence
    forger.write_in_rows(MAIN, last)
    return last


@pytest.mark.parametrize("forge", [split_in_two, join_two, write_in_rows])
def test_a_record_in_another_form_with_the_chain_rewritten_is_found_by_the_signature(
    forger: Forger, forge: Callable[[Forger], int]
) -> None:
    sequence = forge(forger)
    holds(forger.audit(), ("events", MAIN, sequence), "altered")


@pytest.mark.parametrize("forge", [split_in_two, write_in_rows])
def test_a_record_in_another_form_says_the_same(forger: Forger, forge: Callable[[Forger], int]) -> None:
    unsign(forger)
    forge(forger)
    report = forger.audit()
    assert report.clean, told(report)


def test_a_signature_inside_a_record_is_not_passed_over(forger: Forger) -> None:
    """Join the records around a signature, and leave that signature alone."""
    signed = forger.groups(MAIN)[-2][-1].sequence
    forger.drop(HOUSE, 1 + ROUNDS)
    forger.rechain(HOUSE)
    last = join_two(forger)
    report = forger.audit()
    holds(report, ("events", MAIN, last), "altered")
    assert f"has signed event {signed}, inside this record" in told(report)


Parts = list[list[msgspec.Raw]]
"""The commands of a record, each with its parts as they are written."""


def raw(text: bytes) -> msgspec.Raw:
    """Return JSON that is written as it is."""
    return msgspec.Raw(text)


def add_an_empty_command(parts: Parts) -> None:
    parts.append([raw(b"[]"), raw(b'{"kind":"fold"}')])


def add_a_part(parts: Parts) -> None:
    parts[-1] += [raw(b"null")] * (4 - len(parts[-1])) + [raw(b'"hidden"')]


def leave_an_event_out(parts: Parts) -> None:
    del parts[-2]


def repeat_a_command(parts: Parts) -> None:
    parts.append(parts[-1])


def hold_another_record(parts: Parts) -> None:
    parts[-1][0] = raw(b'[{"kind":"commands"}]')


def hold_no_kind(parts: Parts) -> None:
    parts[-1][0] = raw(b"[{}]")


def nest_without_end(parts: Parts) -> None:
    parts[-1][1] = raw(b"[" * 100_000 + b"]" * 100_000)


def count_versions_wrongly(parts: Parts) -> None:
    parts[-1] = [*parts[-1][:2], raw(b"null"), raw(b"[1,1,1,1,1,1]")]


def name_half_an_author(parts: Parts) -> None:
    parts[-1] = [*parts[-1][:2], raw(b'["crew"]')]


def leave_everything_out(parts: Parts) -> None:
    parts.clear()


UNREADABLE = (
    add_an_empty_command, add_a_part, leave_an_event_out, repeat_a_command, hold_another_record, hold_no_kind,
    nest_without_end, count_versions_wrongly, name_half_an_author, leave_everything_out,
)  # fmt: skip


def change_parts(forger: Forger, forge: Callable[[Parts], None]) -> AuditReport:
    """Change how the last record is written, chain the stream again, and audit."""
    unsign(forger)
    record = run_of(forger)
    parts = msgspec.json.decode(record.body, type=Parts)
    forge(parts)
    forger.put(record, body=msgspec.json.encode(parts))
    forger.rechain(MAIN)
    return forger.audit()


def goes_on(forger: Forger, report: AuditReport) -> None:
    """Demand that everything but the last record was audited, and that its money was accepted."""
    *_, before, last = forger.records(MAIN)
    assert report.counts.rounds == ROUNDS - 1
    assert report.counts.events == sum(len(forger.events(each)) for each in OTHERS) + before.sequence
    assert not [each for each in report.findings if each.place.kept in ("transfers", "balances")]
    found = {each.place for each in report.findings if each.place.kept == "events"}
    assert {each.sequence for each in found if each.name == MAIN} == {last.sequence}


OTHERS = (HOUSE, "staff", f"meter/{TABLE}", *(f"player/{name}" for name in PLAYERS))


@pytest.mark.parametrize("forge", UNREADABLE)
def test_a_record_that_cannot_be_read_is_found_and_the_audit_goes_on(
    forger: Forger, forge: Callable[[Parts], None]
) -> None:
    report = change_parts(forger, forge)
    holds(report, ("events", MAIN, run_of(forger).sequence), "unreadable")
    goes_on(forger, report)


def name_the_author_again(parts: Parts) -> None:
    parts[0] = [*parts[0][:2], raw(b'["crew","dealer"]')]


def name_every_version(parts: Parts) -> None:
    events = msgspec.json.decode(parts[-1][0], type=list[msgspec.Raw])
    author = parts[-1][2] if len(parts[-1]) > 2 else raw(b"null")
    parts[-1] = [*parts[-1][:2], author, raw(msgspec.json.encode([1] * len(events)))]


def write_spaces(parts: Parts) -> None:
    parts[-1][0] = raw(bytes(parts[-1][0]).replace(b"[{", b"[ {", 1))


@pytest.mark.parametrize("forge", [name_the_author_again, name_every_version, write_spaces])
def test_a_record_that_is_written_in_another_way_is_found(
    forger: Forger, forge: Callable[[Parts], None]
) -> None:
    holds(change_parts(forger, forge), ("events", MAIN, run_of(forger).sequence), "envelope")


def test_the_author_of_a_record_cannot_differ_from_that_of_its_first_command(forger: Forger) -> None:
    """Hide another author behind the true one, which only the first command names."""
    assert (run_of(forger).by, run_of(forger).role) == ("crew", "dealer")
    forger.put(run_of(forger), by="eve")
    holds(change_parts(forger, name_the_author_again), ("events", MAIN, run_of(forger).sequence), "envelope")


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ({"digest": "ab" * 32}, "envelope"),
        ({"command": b'{"kind":"fold"}'}, "envelope"),
        ({"command": b""}, "envelope"),
        ({"game": "cd" * 32}, "game"),
        ({"key": ""}, None),
        ({"version": 2}, "unreadable"),
        ({"version": 0}, "unreadable"),
    ],
)
def test_a_column_that_must_be_empty_is_found(
    forger: Forger, columns: dict[str, Any], what: FindingKind | None
) -> None:
    unsign(forger)
    forger.put(run_of(forger), **columns)
    forger.rechain(MAIN)
    report = forger.audit()
    if what is None:
        assert report.clean
    else:
        holds(report, ("events", MAIN, run_of(forger).sequence), what)


@pytest.mark.parametrize("moved", [-1, 1, -(10**6)])
def test_another_first_sequence_of_a_record_is_found(forger: Forger, moved: int) -> None:
    unsign(forger)
    record = run_of(forger)
    forger.put(record, command_sequence=record.command_sequence + moved)
    forger.rechain(MAIN)
    report = forger.audit()
    holds(report, ("events", MAIN, record.sequence), "unreadable")
    missing = ("events", MAIN, record.command_sequence)
    holds(report, missing if moved > 0 else ("events", MAIN, record.sequence), _gap(moved))


def _gap(moved: int) -> FindingKind:
    return "missing" if moved > 0 else "inserted"


# How a body is stored.


def stored_body(forger: Forger, record: JournalRecord) -> bytes:
    """Return the body of a record as the database holds it."""
    table = schema.events.c
    here = (table.stream == record.stream, table.sequence == record.sequence)
    return bytes(forger.run(select(table.body).where(*here))[0][0])


def store_body(forger: Forger, record: JournalRecord, body: bytes) -> None:
    """Write the body of a record into the database as it is."""
    table = schema.events
    here = (table.c.stream == record.stream, table.c.sequence == record.sequence)
    forger.run(update(table).where(*here).values(body=body))


def compressed(body: bytes, *, sized: bool = True) -> bytes:
    """Return a body compressed without a dictionary, with its size or without."""
    parameters = ZstdCompressionParameters(format=FORMAT_ZSTD1_MAGICLESS, write_content_size=sized)
    return bytes((NEWEST,)) + ZstdCompressor(compression_params=parameters).compress(body)


STORED: dict[str, Callable[[bytes], bytes]] = {
    "another dictionary": lambda body: bytes((NEWEST + 1,)) + body[1:],
    "no dictionary": lambda body: b"\0" + body[1:],
    "the last number of a dictionary": lambda body: b"\xff" + body[1:],
    "nothing": lambda _: b"",
    "a number alone": lambda body: body[:1],
    "a half": lambda body: body[: len(body) // 2],
    "something after the end": lambda body: body + b"more",
    "a second frame": lambda body: body + body[1:],
    "text": lambda _: b"no record at all",
    "no size": lambda _: compressed(b"[]", sized=False),
    "a size without end": lambda body: body[:1] + b"\xe0" + (2**45).to_bytes(8, "little") + body[4:],
    "more than the memory should hold": lambda _: compressed(bytes(MAX_BODY + 1)),
}


@pytest.mark.parametrize("how", STORED)
def test_a_body_that_cannot_be_decompressed_is_unreadable_and_the_audit_goes_on(
    forger: Forger, how: str
) -> None:
    record = run_of(forger)
    store_body(forger, record, STORED[how](stored_body(forger, record)))
    report = forger.audit()
    holds(report, ("events", MAIN, record.sequence), "unreadable")
    holds(report, ("events", MAIN, record.sequence), "altered")
    goes_on(forger, report)


def test_a_flipped_byte_is_found(forger: Forger) -> None:
    record = run_of(forger)
    stored = stored_body(forger, record)
    for place in (0, 1, 5, len(stored) // 2, len(stored) - 1):
        store_body(forger, record, stored[:place] + bytes((stored[place] ^ 0x40,)) + stored[place + 1 :])
        holds(forger.audit(), ("events", MAIN, record.sequence), "altered")
    store_body(forger, record, stored)
    assert forger.audit().clean


def test_the_money_before_a_record_that_cannot_be_read_is_compared(forger: Forger) -> None:
    """Spoil the record after one that moves money, which must not count as inserted."""
    bought = forger.find(MAIN, "bought_in")
    store_body(forger, forger.record(MAIN, bought + 1), b"")
    report = forger.audit()
    holds(report, ("events", MAIN, bought + 1), "unreadable")
    places = [each.place for each in report.findings if each.place.kept == "transfers"]
    assert bought not in [each.sequence for each in places], told(report)


def test_every_dictionary_stays() -> None:
    assert DICTIONARIES == {1: "journal-1.zdict"}

"""Tampering: whatever is changed in the stored data of a house, the audit finds it and names its place."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import Table, delete, insert, select, update

from fourcard.house.audit.auditor import audit
from fourcard.house.audit.report import FindingKind
from fourcard.house.auth.security import SECURITY
from fourcard.house.commands import ApproveAdjustment, CloseLink, OpenLink, ProposeAdjustment
from fourcard.house.decision import HOUSE
from fourcard.house.events import HeadsSigned, SignedHead
from fourcard.house.head_signatures import HouseKey
from fourcard.house.journal import (
    GENESIS,
    HOUSE_CODEC,
    JournalRecord,
    StreamHead,
    chain_hash,
    events_after,
    pack_events,
    salt_of,
    unpack_events,
)
from fourcard.house.running_totals import TABLE_FIGURES, WAGER_FIGURES
from fourcard.house.shuffle_algorithm import seed_hash
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from fourcard.house.store.commits import NO_COMMIT, Commit, signed_commit
from fourcard.house.store.interface import ReadTransaction, Store
from fourcard.round.commands import CompleteDocument
from tests.kit.audited_houses import KEY, Forger, Founded, Place, holds, original, told
from tests.kit.consoles import SM, ConsoleTable
from tests.kit.houses import TEST_KEY
from tests.kit.postgres import server

Forgery = Callable[[Forger], tuple[Place, FindingKind]]
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


CHANGES: dict[str, Callable[[JournalRecord], object]] = {
    "command_sequence": lambda record: record.command_sequence - 1,
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
    "command": lambda _: b'{"kind":"place_wager","amount":700}',
}


def test_every_column_is_changed_here() -> None:
    """See that no column of the journal was forgotten."""
    assert {*CHANGES, "stream", "sequence"} == {*JournalRecord.__struct_fields__}


def alone(forger: Forger, stream: str, kind: str, number: int = 0) -> JournalRecord:
    """Return a record that holds nothing but one event of a kind."""
    places = [group[0].sequence for group in forger.groups(stream) if [each.kind for each in group] == [kind]]
    return forger.record(stream, places[number])


@pytest.mark.parametrize("column", CHANGES)
@pytest.mark.parametrize("number", [0, -1])
def test_a_changed_column_is_found(forger: Forger, column: str, number: int) -> None:
    record = alone(forger, TWO, "wager_placed", number)
    forger.put(record, **{column: CHANGES[column](record)})
    if column == "body":
        forger.edit(TWO, record.sequence, amount=1)
    what: FindingKind = "unreadable" if column == "version" else "altered"
    holds(forger.audit(), ("events", TWO, record.sequence), what)


OF_SEVERAL: dict[str, FindingKind] = {"version": "unreadable", "kind": "unreadable"}
"""What is found where a column of a record with several events was changed, if it is not 'altered'."""


@pytest.mark.parametrize("column", CHANGES)
def test_a_changed_column_of_a_record_with_several_events_is_found(forger: Forger, column: str) -> None:
    record = forger.record(TWO, forger.find(TWO, "wager_placed"))
    assert record.first_sequence < record.sequence
    forger.put(record, **{column: CHANGES[column](record)})
    if column == "body":
        forger.edit(TWO, record.sequence, amount=1)
    holds(forger.audit(), ("events", TWO, record.sequence), OF_SEVERAL.get(column, "altered"))


@pytest.mark.parametrize("column", CHANGES)
def test_a_changed_column_in_a_rewritten_chain_is_found_by_the_signature(forger: Forger, column: str) -> None:
    """Name the place that was signed, and from where on the stream was rewritten."""
    signed = next(head[1] for head in forger.body(HOUSE, 2)["heads"] if head[0] == TWO)
    sequence = forger.find(TWO, "wager_placed")
    record = forger.record(TWO, sequence)
    forger.put(record, **{column: CHANGES[column](record)})
    if column == "hash":
        forger.edit(TWO, sequence, amount=1)
    elif column == "body":
        forger.edit(TWO, sequence, amount=2)
    forger.rechain(TWO)
    holds(forger.audit(), ("events", TWO, signed), "altered")


def delete_first(forger: Forger) -> tuple[Place, FindingKind]:
    forger.drop(ONE, 1)
    return ("events", ONE, 1), "missing"


def delete_middle(forger: Forger) -> tuple[Place, FindingKind]:
    records = forger.records(ONE)[20:]
    sequence = next(each.sequence for each in records if each.first_sequence == each.sequence)
    forger.drop(ONE, sequence)
    return ("events", ONE, sequence), "missing"


def delete_several(forger: Forger) -> tuple[Place, FindingKind]:
    forger.drop(TWO, 31, 60)
    return ("events", TWO, 31), "missing"


def delete_last(forger: Forger) -> tuple[Place, FindingKind]:
    last = forger.records(ONE)[-1]
    forger.drop(ONE, last.sequence)
    return ("events", ONE, last.first_sequence), "missing"


def insert_at_the_end(forger: Forger) -> tuple[Place, FindingKind]:
    last = forger.records("player/ann")[-1]
    forged = replace(last, sequence=last.sequence + 1, command_sequence=last.sequence + 1, key="")
    forger.add(replace(forged, hash=chain_hash(last.hash, forged)))
    return ("events", "player/ann", last.sequence + 1), "inserted"


def insert_before_the_beginning(forger: Forger) -> tuple[Place, FindingKind]:
    forger.add(replace(forger.records("staff")[0], sequence=0, command_sequence=0, key=""))
    return ("events", "staff", 0), "inserted"


def insert_in_the_middle(forger: Forger) -> tuple[Place, FindingKind]:
    """Move everything after a deposit by one, and let the deposit be made twice."""
    records = forger.records("player/ann")
    for record in reversed(records[2:]):
        forger.put(record, sequence=record.sequence + 1, command_sequence=record.sequence + 1)
    forger.add(replace(records[1], sequence=3, command_sequence=3, key=""))
    return ("events", "player/ann", 3), "altered"


def insert_a_stream(forger: Forger) -> tuple[Place, FindingKind]:
    record = replace(forger.records("staff")[0], stream="vault")
    forger.add(replace(record, hash=chain_hash(bytes(32), record)))
    return ("events", "vault", None), "inserted"


def swap_two(forger: Forger) -> tuple[Place, FindingKind]:
    for old, new in ((50, -1), (51, 50), (-1, 51)):
        forger.change(ONE, old, sequence=new, command_sequence=new)
    return ("events", ONE, 51), "altered"


def move_to_another_stream(forger: Forger) -> tuple[Place, FindingKind]:
    forger.change("player/ann", 2, stream="player/zoe")
    return ("events", "player/ann", 2), "missing"


def change_sequence(forger: Forger) -> tuple[Place, FindingKind]:
    forger.change(ONE, 45, sequence=10_000)
    return ("events", ONE, 10_000), "inserted"


def repeat_a_key(forger: Forger) -> tuple[Place, FindingKind]:
    """Give two commands one key, which only a database without its index can hold."""
    with forger.engine.begin() as connection:
        connection.exec_driver_sql("DROP INDEX events_by_key")
    keyed = [each for each in forger.events(TWO) if each.key]
    forger.change(TWO, keyed[5].sequence, key=keyed[1].key)
    forger.rechain(TWO)
    return ("events", TWO, keyed[5].sequence), "repeated"


def unreadable_body(forger: Forger) -> tuple[Place, FindingKind]:
    forger.change(ONE, 33, body=b"\xff{")
    return ("events", ONE, forger.record(ONE, 33).sequence), "unreadable"


def text_that_is_none(forger: Forger) -> tuple[Place, FindingKind]:
    """Write bytes that are no text, at which the database itself breaks off; the other streams are read."""
    place = f"stream = '{ONE}' AND sequence = {forger.record(ONE, 33).sequence}"
    with forger.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE events SET role = CAST(x'ff' AS TEXT) WHERE {place}")
    return ("events", ONE, None), "unreadable"


def unknown_kind(forger: Forger) -> tuple[Place, FindingKind]:
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


def move_a_head_on(forger: Forger) -> tuple[Place, FindingKind]:
    last = len(forger.events(ONE))
    forger.move(ONE, sequence=last + 3)
    return ("events", ONE, last + 1), "missing"


def move_a_head_back(forger: Forger) -> tuple[Place, FindingKind]:
    forger.move(ONE, sequence=100)
    return ("events", ONE, forger.record(ONE, 101).sequence), "inserted"


def give_a_head_another_hash(forger: Forger) -> tuple[Place, FindingKind]:
    forger.move(ONE, hash=bytes(32))
    return ("streams", ONE, None), "altered"


def delete_a_head(forger: Forger) -> tuple[Place, FindingKind]:
    forger.run(delete(schema.streams).where(schema.streams.c.name == ONE))
    return ("streams", ONE, None), "missing"


def insert_a_head(forger: Forger) -> tuple[Place, FindingKind]:
    forger.run(insert(schema.streams).values(name="table/ghost", sequence=9, hash=bytes(32)))
    return ("events", "table/ghost", None), "missing"


HEADS = (move_a_head_on, move_a_head_back, give_a_head_another_hash, delete_a_head, insert_a_head)


@pytest.mark.parametrize("forgery", HEADS)
def test_a_head_that_was_touched_is_found(forger: Forger, forgery: Forgery) -> None:
    place, what = forgery(forger)
    holds(forger.audit(), place, what)


RANDOM_CHANGES = 30
"""How many for each seed."""
COLUMNS = ("at", "by", "role", "command_sequence", "game", "key", "digest")
UNSEEN = {
    ("player_registered", "name"),
    ("staff_hired", "name"),
    ("staff_hired", "roles"),
    ("tray_filled", "slip"),
    ("tray_credited", "slip"),
}
"""What no rule can tell from the truth."""
UNSEEN_COLUMNS = {"at", "key"}
SEEN: Counter[str] = Counter()
JsonPath = tuple[str | int, ...]


class Rewritten:
    """A store some of whose streams were written again."""

    def __init__(self, store: Store, streams: Mapping[str, list[JournalRecord]]) -> None:
        """Take the records of streams as the forger wants them, the hashes still to be worked out."""
        self.name, self.address, self.store = store.name, store.address, store
        self.key = store.key
        self.streams = {stream: _chained(records) for stream, records in streams.items()}

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Open a view."""
        with self.store.reading() as reading:
            yield _View(reading, self.streams)

    def writing(self) -> Any:
        """Refuse: an audit writes nothing."""
        raise AssertionError("an audit opened a transaction")

    def close(self) -> None:
        """Let go of nothing."""


class _View:
    def __init__(self, reading: ReadTransaction, streams: Mapping[str, list[JournalRecord]]) -> None:
        self._reading, self._streams = reading, streams

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reading, name)

    def records(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        yield from self._streams.get(stream) or self._reading.records(stream, after)

    def events(self, stream: str, after: int = 0) -> Iterator[JournalRecord]:
        yield from events_after(self.records(stream, after), after)

    def commits(self, after: int = 0) -> list[Commit]:
        return [signed_commit(TEST_KEY, 1, NO_COMMIT, self.streams())] if after < 1 else []

    def head_commits(self) -> dict[str, int]:
        return dict.fromkeys(self.streams(), 1)

    def streams(self) -> dict[str, StreamHead]:
        moved = {name: StreamHead(each[-1].sequence, each[-1].hash) for name, each in self._streams.items()}
        return {**self._reading.streams(), **moved}


def _chained(records: list[JournalRecord]) -> list[JournalRecord]:
    before, chained = GENESIS, list[JournalRecord]()
    for record in records:
        before = chain_hash(before, record)
        chained.append(replace(record, hash=before))
    return chained


def _places(value: object, path: JsonPath = ()) -> Iterator[JsonPath]:
    """Yield the place of everything in plain data that can be changed."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if path and path != ("kind",) and not isinstance(value, dict):
        yield path
    for key, each in inside:
        yield from _places(each, (*path, key))


def _other(value: Any, chance: Random) -> Any:
    """Return something else in place of a value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice((value + 1, value - 1, -value, 0, 2 * value + 1, 10**9, 10**15))
    if isinstance(value, str):
        return chance.choice((f"{value}x", "", "zz"))
    if len(value) > 1 and chance.random() < 0.5:
        return [*value[1:], value[0]]
    return value[1:] if value and chance.random() < 0.5 else value * 2


def _changed(record: JournalRecord, place: int, chance: Random) -> tuple[JournalRecord, str]:
    """Return a record with one thing changed in it or in one of its events, and what that is."""
    events = unpack_events(record)
    plain = msgspec.json.decode(events[place].body)
    places = [*_places(plain)]
    if not places or chance.random() < 0.2:
        column = chance.choice(COLUMNS)
        return replace(record, **{column: _other(getattr(record, column), chance)}), column
    path = chance.choice(places)
    inner = plain
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = _other(inner[path[-1]], chance)
    events[place] = replace(events[place], body=msgspec.json.encode(plain))
    return replace(record, body=pack_events(events, salt_of(record)).body), str(path[0])


@pytest.mark.parametrize("seed", range(4))
def test_a_change_at_random_is_found(seed: int) -> None:
    """Change what follows from rules; who signed in follows from none, and only signatures protect it."""
    chance, store = Random(seed), original().memory
    with store.reading() as reading:
        journal = {stream: [*reading.records(stream)] for stream in reading.journal_streams()}
    unsigned = journal[HOUSE][:1]
    for _ in range(RANDOM_CHANGES):
        stream = chance.choice([each for each in journal if each not in (HOUSE, SECURITY)])
        records = [*journal[stream]]
        event = chance.choice([*events_after(records, 0)])
        number = next(number for number, each in enumerate(records) if event.sequence <= each.sequence)
        record = records[number]
        changed, what = _changed(record, event.sequence - record.first_sequence, chance)
        if changed == record:
            continue
        SEEN["changes"] += 1
        records[number] = changed
        if audit(Rewritten(store, {HOUSE: unsigned, stream: records})).clean:
            SEEN["unseen"] += 1
            assert what in UNSEEN_COLUMNS or (event.kind, what) in UNSEEN, (changed, record)


def test_enough_was_changed() -> None:
    if not SEEN:
        for seed in range(4):
            test_a_change_at_random_is_found(seed)
    assert SEEN["changes"] > 3 * RANDOM_CHANGES
    assert SEEN["unseen"] < SEEN["changes"] // 10


def rechained(forger: Forger, stream: str, sequence: int, **fields: Any) -> Place:
    """Change fields of an event and work the chain out again."""
    forger.edit(stream, sequence, **fields)
    forger.rechain(stream)
    return "events", stream, sequence


def swap_cards_of_a_shuffle(forger: Forger) -> tuple[Place, FindingKind]:
    drawn = forger.find(ONE, "shuffle_drawn", -2)
    order = forger.body(ONE, drawn + 1)["order"]
    order[0], order[51] = order[51], order[0]
    rechained(forger, ONE, drawn + 1, order=order)
    return ("events", ONE, drawn), "shuffle"


def deal_another_card(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "cards_dealt", -10)
    cards = forger.body(ONE, sequence)["cards"]
    cards[0] = (cards[0] + 1) % 52
    return rechained(forger, ONE, sequence, cards=cards), "deal"


def deal_a_keyed_card_twice(forger: Forger) -> tuple[Place, FindingKind]:
    first, second = forger.find(THREE, "cards_dealt", 0), forger.find(THREE, "cards_dealt", 1)
    cards = [forger.body(THREE, first)["cards"][0], *forger.body(THREE, second)["cards"][1:]]
    return rechained(forger, THREE, second, cards=cards), "deal"


def deal_a_card_that_is_none(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "cards_dealt", -1)
    cards = forger.body(ONE, sequence)["cards"]
    return rechained(forger, ONE, sequence, cards=[10**12, *cards[1:]]), "deal"


def key_another_card(forger: Forger) -> tuple[Place, FindingKind]:
    """Deal a winner another hand at a table whose cards are keyed in: the settlement tells."""
    sequences = [forger.find(THREE, "cards_dealt", number) for number in range(6)]
    out = {card for each in sequences for card in forger.body(THREE, each)["cards"]}
    ended, better = forger.find(THREE, "round_ended"), [card for card in range(51, -1, -1) if card not in out]
    for each in sequences:
        body = forger.body(THREE, each)
        if body["to"] == 0 and len(body["cards"]) >= 4:
            forger.edit(THREE, each, cards=[*better[: len(body["cards"])]])
    forger.rechain(THREE)
    return ("events", THREE, ended), "settlement"


def settled_event(forger: Forger, stream: str) -> tuple[int, dict[str, Any]]:
    """Return an event of a settlement with money in it."""
    for record in forger.events(stream):
        body = forger.body(stream, record.sequence) if record.kind == "act_performed" else {}
        if any(step["action"] == "take" for step in body.get("steps", ())):
            return record.sequence, body
    raise AssertionError


def change_a_settlement_step(forger: Forger) -> tuple[Place, FindingKind]:
    sequence, body = settled_event(forger, TWO)
    body["steps"][0]["amount"] -= 100
    return rechained(forger, TWO, sequence, steps=body["steps"]), "settlement"


def change_a_net(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(TWO, "round_ended", -1)
    nets = forger.body(TWO, sequence)["nets"]
    nets[0][1] += 100
    return rechained(forger, TWO, sequence, nets=nets), "settlement"


def change_a_wager(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(TWO, "wager_placed", -1)
    return rechained(forger, TWO, sequence, amount=10**9), "rules"


def change_who_played(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(TWO, "play_made", -1)
    forger.change(TWO, sequence, by="eve")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "rules"


def take_a_void_wager(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "round_voided")
    returned = forger.body(ONE, sequence)["returned"]
    return rechained(forger, ONE, sequence, returned=returned[1:]), "void"


def call_a_round_void(forger: Forger) -> tuple[Place, FindingKind]:
    """Leave the end of a round out."""
    sequence = forger.find(TWO, "round_ended", 1)
    forger.take_out(TWO, sequence)
    return ("events", TWO, sequence - 1), "settlement"


def raise_an_award(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(THREE, "award_paid")
    body = forger.body(THREE, sequence)
    source = next(name for name in ("from_meter", "from_tray") if body["payment"].get(name))
    body["payment"][source] += 100
    body["steps"][0]["amount"] += 100
    return rechained(forger, THREE, sequence, payment=body["payment"], steps=body["steps"]), "settlement"


def change_a_commitment(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "shuffle_committed", 1)
    rechained(forger, ONE, sequence, commitment="ee" * 32)
    return ("events", ONE, forger.find(ONE, "secret_revealed", 1)), "shuffle"


def skip_a_commitment(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "shuffle_committed", -1)
    shuffle = forger.body(ONE, sequence)["shuffle"]
    return rechained(forger, ONE, sequence, shuffle=shuffle + 1), "shuffle"


def change_a_revealed_secret(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "secret_revealed")
    return rechained(forger, ONE, sequence, secret="ff" * 32), "shuffle"


def hide_a_secret(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "secret_revealed", 1)
    forger.take_out(ONE, sequence)
    return ("events", ONE, sequence - 1), "shuffle"


def show_a_secret_early(forger: Forger) -> tuple[Place, FindingKind]:
    """Reveal a shuffle's secret as soon as its deck has its order."""
    revealed = forger.find(ONE, "secret_revealed", 1)
    early = forger.find(ONE, "shuffle_committed", 2)
    secret = forger.event(ONE, revealed)
    forger.take_out(ONE, revealed)
    groups = forger.groups(ONE)
    beside = next(group for group in groups if group[-1].sequence == early)
    beside.append(replace(secret, command_sequence=beside[-1].command_sequence))
    forger.rewrite(ONE, groups)
    return ("events", ONE, early + 1), "shuffle"


def change_the_commitment_of_a_seal(forger: Forger) -> tuple[Place, FindingKind]:
    rechained(forger, THREE, forger.find(THREE, "round_sealed"), commitment="ee" * 32)
    return ("events", THREE, forger.find(THREE, "secret_revealed")), "shuffle"


def skip_a_seal(forger: Forger) -> tuple[Place, FindingKind]:
    return rechained(forger, THREE, forger.find(THREE, "round_sealed", -1), number=9), "shuffle"


def never_open_a_seal(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(THREE, "secret_revealed", 1)
    forger.take_out(THREE, sequence)
    return ("events", THREE, sequence - 1), "shuffle"


def change_the_seeds(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "shuffle_drawn")
    return rechained(forger, ONE, sequence, seeds=[["bob", "pears"]]), "shuffle"


def go_back_to_the_first_algorithm(forger: Forger) -> tuple[Place, FindingKind]:
    """Commit to a shuffle whose order would be known before bets are closed."""
    sequence = forger.find(ONE, "shuffle_committed", 1)
    return rechained(forger, ONE, sequence, algorithm="fourcard-shuffle-1"), "shuffle"


def draw_by_the_first_algorithm(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "shuffle_drawn", 1)
    return rechained(forger, ONE, sequence, round=None), "shuffle"


def withhold_a_seed_that_was_revealed(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(ONE, "shuffle_drawn", 1)
    first, *others = forger.body(ONE, sequence)["seeds"]
    hash_ = seed_hash("one", forger.body(ONE, sequence)["shuffle"], *first)
    return rechained(forger, ONE, sequence, seeds=others, withheld=[[first[0], hash_]]), "shuffle"


def discard_a_shuffle_of_choice(forger: Forger) -> tuple[Place, FindingKind]:
    """Spend a secret whose seeds nobody called, to get another one."""
    committed = forger.event(ONE, forger.find(ONE, "shuffle_committed", -1))
    number = msgspec.json.decode(committed.body)["shuffle"]
    body = msgspec.json.encode({"kind": "seeds_discarded", "shuffle": number})
    discarded = replace(committed, kind="seeds_discarded", body=body)
    groups = forger.groups(ONE)
    group = next(each for each in groups if committed.sequence in {event.sequence for event in each})
    group.append(replace(discarded, command_sequence=group[-1].command_sequence))
    forger.rewrite(ONE, groups)
    return ("events", ONE, group[-2].sequence + 1), "shuffle"


def change_a_stake_of_the_meter(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(METER, "stakes_added")
    parts = forger.body(METER, sequence)["parts"]
    parts[0]["to_meter"] += 1
    parts[0]["to_house"] -= 1
    return rechained(forger, METER, sequence, parts=parts), "pair"


def leave_a_stake_out(forger: Forger) -> tuple[Place, FindingKind]:
    forger.drop(METER, forger.find(METER, "stakes_added", 1))
    forger.renumber(METER)
    return ("events", METER, None), "missing"


def tell_a_meter_twice(forger: Forger) -> tuple[Place, FindingKind]:
    last = forger.records(METER)[-1]
    stakes = forger.event(METER, forger.find(METER, "stakes_added", -1))
    forger.rewrite(METER, [*forger.groups(METER), [stakes]])
    return ("events", METER, last.sequence + 1), "inserted"


def change_an_award_of_the_meter(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(METER, "award_taken")
    payment = forger.body(METER, sequence)["payment"]
    return rechained(forger, METER, sequence, payment={**payment, "shortfall": 1}), "pair"


def take_back_more(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(METER, "round_taken_back")
    amount = forger.body(METER, sequence)["amount"]
    return rechained(forger, METER, sequence, amount=amount - 10_000), "pair"


def start_a_meter_higher(forger: Forger) -> tuple[Place, FindingKind]:
    units = forger.body(METER, 1)["units"]
    return rechained(forger, METER, 1, units=units + 10_000), "meter"


def buy_fewer_chips(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find("player/ann", "chips_bought")
    return rechained(forger, "player/ann", sequence, cents=1), "pair"


def buy_more_chips(forger: Forger) -> tuple[Place, FindingKind]:
    rechained(forger, TWO, forger.find(TWO, "bought_in"), cents=600_000)
    return ("events", "player/ann", forger.find("player/ann", "chips_bought", 1)), "pair"


def leave_a_purchase_out(forger: Forger) -> tuple[Place, FindingKind]:
    forger.drop("player/cid", forger.find("player/cid", "chips_bought"))
    forger.renumber("player/cid")
    return ("events", "player/cid", None), "missing"


def overdraw_an_account(forger: Forger) -> tuple[Place, FindingKind]:
    rechained(forger, "player/ann", forger.find("player/ann", "money_deposited"), cents=1_000)
    return ("events", "player/ann", forger.find("player/ann", "chips_bought")), "overdrawn"


def overdraw_chips(forger: Forger) -> tuple[Place, FindingKind]:
    rechained(forger, TWO, forger.find(TWO, "bought_in"), cents=100)
    return ("events", TWO, None), "overdrawn"


def withdraw_too_much(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find("player/bob", "money_withdrawn")
    return rechained(forger, "player/bob", sequence, cents=10**11), "rules"


def hire_nobody(forger: Forger) -> tuple[Place, FindingKind]:
    return rechained(forger, "staff", 1, roles=["dealer"]), "rules"


def act_as_a_stranger(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(TWO, "round_began", -1)
    forger.change(TWO, sequence, by="eve")
    forger.change(TWO, sequence - 1, by="eve")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "author"


def act_in_another_role(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find("player/cid", "money_deposited")
    forger.change("player/cid", sequence, role="auditor")
    forger.rechain("player/cid")
    return ("events", "player/cid", sequence), "author"


def hire_somebody_else(forger: Forger) -> tuple[Place, FindingKind]:
    rechained(forger, "staff", 1, person="eve")
    return ("events", ONE, 1), "author"


def name_a_game_elsewhere(forger: Forger) -> tuple[Place, FindingKind]:
    forger.change("player/ann", 2, game=forger.body(ONE, 1)["game"])
    forger.rechain("player/ann")
    return ("events", "player/ann", 2), "game"


def change_a_game_of_an_event(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(TWO, "seat_taken")
    forger.change(TWO, sequence, game=forger.body(ONE, 1)["game"])
    forger.rechain(TWO)
    return ("events", TWO, sequence), "game"


def change_a_game_of_a_row(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(TWO, "seat_taken")
    forger.write_in_rows(TWO, sequence, game=forger.body(ONE, 1)["game"])
    return ("events", TWO, sequence), "game"


def name_no_game_in_a_row(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(TWO, "seat_taken")
    forger.write_in_rows(TWO, sequence, game="")
    return ("events", TWO, sequence), "game"


def call_an_event_otherwise(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(TWO, "seat_taken")
    forger.write_in_rows(TWO, sequence, kind="seat_left")
    return ("events", TWO, sequence), "altered"


def call_a_record_otherwise(forger: Forger) -> tuple[Place, FindingKind]:
    record = forger.record(TWO, forger.find(TWO, "seat_taken"))
    forger.put(record, kind="seat_left")
    forger.rechain(TWO)
    return ("events", TWO, record.sequence), "unreadable"


def tear_a_command_apart(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = forger.find(TWO, "showdown_reached")
    forger.write_in_rows(TWO, sequence, by="eve")
    return ("events", TWO, sequence), "envelope"


def begin_a_stream_in_the_middle_of_a_command(forger: Forger) -> tuple[Place, FindingKind]:
    forger.write_in_rows(TWO, 1, command_sequence=0)
    return ("events", TWO, 1), "envelope"


def keyed(forger: Forger) -> int:
    """Return the first event of a command with a key, after others of its stream."""
    return next(each.sequence for each in forger.events(TWO) if each.key and each.sequence > 1)


def key_without_command(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = keyed(forger)
    forger.change(TWO, sequence, command=None)
    forger.rechain(TWO)
    return ("events", TWO, sequence), "envelope"


def command_left_out(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = keyed(forger)
    forger.change(TWO, sequence, command=None, key="")
    forger.rechain(TWO)
    return ("events", TWO, sequence), "missing"


def empty_command(forger: Forger) -> tuple[Place, FindingKind]:
    record = alone(forger, TWO, "wager_placed")
    forger.put(record, body=record.body.replace(b'{"kind":"place_wager"}', b""))
    forger.rechain(TWO)
    return ("events", TWO, record.sequence), "unreadable"


def empty_command_of_a_row(forger: Forger) -> tuple[Place, FindingKind]:
    sequence = alone(forger, TWO, "wager_placed").sequence
    forger.write_in_rows(TWO, sequence, command=b"")
    return ("events", TWO, sequence), "unreadable"


def commanded(stream: str, kind: str, command: bytes, what: FindingKind) -> Forgery:
    """Return a forgery of the command of an event."""

    def forge(forger: Forger) -> tuple[Place, FindingKind]:
        sequence = next(each.sequence for each in forger.events(stream) if is_first(each))
        forger.change(stream, sequence, command=command)
        forger.rechain(stream)
        return ("events", stream, sequence), what

    def is_first(event: JournalRecord) -> bool:
        single = b"place_wagers" not in (event.command or b"")
        return event.kind == kind and event.sequence == event.command_sequence and single

    return forge


FORGED_COMMANDS = (
    commanded(TWO, "wager_placed", b'{"kind":"place_wager","amount":1500}', "rules"),
    commanded(TWO, "wager_placed", b'{"kind":"place_wager","instrument":"cash"}', "rules"),
    commanded(TWO, "wager_placed", b'{"kind":"withdraw_wager"}', "rules"),
    commanded(TWO, "wager_placed", b'{"kind":"place_bet"}', "unreadable"),
    commanded(TWO, "wager_placed", b'{"kind":"place_wager","position":"one"}', "unreadable"),
    commanded(TWO, "wager_placed", b"[]", "unreadable"),
    empty_command,
    empty_command_of_a_row,
    commanded(TWO, "wager_placed", b'{"kind":"place_wagers","wagers":{"ante":1500}}', "rules"),
    commanded(TWO, "bought_in", b'{"kind":"buy_in","cents":1}', "rules"),
    commanded(TWO, "table_installed", b'{"kind":"install_table","submission":"name = 1"}', "rules"),
    commanded("player/bob", "money_deposited", b'{"kind":"deposit","cents":1}', "rules"),
    commanded("player/bob", "chips_bought", b'{"kind":"deposit"}', "envelope"),
    commanded("staff", "staff_hired", b'{"kind":"hire_staff","roles":["executive"]}', "rules"),
    commanded(METER, "stakes_added", b'{"kind":"open_link","reason":"none"}', "envelope"),
)


FORGERIES = (
    swap_cards_of_a_shuffle, deal_another_card, deal_a_keyed_card_twice, deal_a_card_that_is_none,
    key_another_card, change_a_settlement_step, change_a_net, change_a_wager, change_who_played,
    take_a_void_wager, call_a_round_void, raise_an_award, change_a_commitment, skip_a_commitment,
    change_a_revealed_secret, hide_a_secret, show_a_secret_early, change_the_seeds,
    go_back_to_the_first_algorithm, draw_by_the_first_algorithm, withhold_a_seed_that_was_revealed,
    discard_a_shuffle_of_choice, change_the_commitment_of_a_seal, skip_a_seal, never_open_a_seal,
    change_a_stake_of_the_meter, leave_a_stake_out, tell_a_meter_twice, change_an_award_of_the_meter,
    take_back_more, start_a_meter_higher, buy_fewer_chips, buy_more_chips, leave_a_purchase_out,
    overdraw_an_account, overdraw_chips, withdraw_too_much, hire_nobody, act_as_a_stranger,
    act_in_another_role, hire_somebody_else, name_a_game_elsewhere, change_a_game_of_an_event,
    change_a_game_of_a_row, name_no_game_in_a_row, call_an_event_otherwise, call_a_record_otherwise,
    tear_a_command_apart, begin_a_stream_in_the_middle_of_a_command, key_without_command,
    command_left_out, *FORGED_COMMANDS,
)  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_what_the_rules_do_not_allow_is_found(tmp_path: Path, forgery: Forgery) -> None:
    """Find it although every hash fits and nothing is signed."""
    forger = original().forger(tmp_path)
    forger.drop(HOUSE, 2)
    forger.rechain(HOUSE)
    place, what = forgery(forger)
    holds(forger.audit(), place, what)


TABLE, CONSOLE_METER = "table/main", "meter/main"


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a house with a jackpot that two people saw to, and a meter that was adjusted."""
    path = tmp_path_factory.mktemp("honest") / "house.db"
    store = open_store(str(path))
    at = ConsoleTable(SM, house=Founded(store))
    at.bet()
    at.to_award()
    at.mark()
    at.confirm()
    at.do(CompleteDocument(position=1, role="supervisor"))
    while at.table.round is not None:
        at.step()
    at.end()
    at.manage(ProposeAdjustment(cents=777, reason="a trial", role="supervisor"))
    at.manage(ApproveAdjustment(number=1, role="executive"))
    at.manage(CloseLink(reason="a trial", role="supervisor"))
    at.manage(OpenLink(reason="done", role="supervisor"))
    store.close()
    return path


@pytest.fixture
def console_forger(honest: Path, tmp_path: Path) -> Forger:
    """Return somebody with a copy of it."""
    copy = tmp_path / "house.db"
    shutil.copy(honest, copy)
    return Forger(str(copy))


def told_by(stream: str, kind: str, number: int = 0, **columns: Any) -> Callable[[Forger], int]:
    """Return a forgery of who did something, in the record and, where it is told there, in the event."""

    def forge(console_forger: Forger) -> int:
        sequence = console_forger.find(stream, kind, number)
        console_forger.change(stream, sequence, **columns)
        if "by" in columns and "by" in console_forger.body(stream, sequence):
            console_forger.edit(stream, sequence, by=columns["by"])
        console_forger.rechain(stream)
        return sequence

    return forge


def test_the_honest_house_is_clean(console_forger: Forger) -> None:
    assert console_forger.audit().findings == ()


@pytest.mark.parametrize(
    ("stream", "forge", "what"),
    [
        (CONSOLE_METER, told_by(CONSOLE_METER, "meter_adjusted", by="dora", role="dealer"), "author"),
        (CONSOLE_METER, told_by(CONSOLE_METER, "meter_adjusted", by="susan", role="supervisor"), "rules"),
        (CONSOLE_METER, told_by(CONSOLE_METER, "link_closed", by="dora", role="dealer"), "author"),
        (
            CONSOLE_METER,
            told_by(CONSOLE_METER, "adjustment_proposed", by="fred", role="floorperson"),
            "author",
        ),
        (TABLE, told_by(TABLE, "motion_done", 1, by="fred", role="floorperson"), "rules"),
        (TABLE, told_by(TABLE, "motion_done", 2, by="dora", role="dealer"), "rules"),
        (TABLE, told_by(TABLE, "game_reset", by="susan", role="supervisor"), "rules"),
    ],
)
def test_who_could_not_have_done_it_is_found(
    console_forger: Forger, stream: str, forge: Callable[[Forger], int], what: FindingKind
) -> None:
    sequence = forge(console_forger)
    holds(console_forger.audit(), ("events", stream, sequence), what)


@pytest.mark.parametrize(
    ("stream", "kind", "fields", "what"),
    [
        (CONSOLE_METER, "award_logged", {"marked_by": "nobody"}, "pair"),
        (CONSOLE_METER, "award_logged", {"number": 7}, "pair"),
        (CONSOLE_METER, "award_taken", {"number": 7}, "pair"),
        (CONSOLE_METER, "link_opened", {"reason": "x" * 201}, "rules"),
        (CONSOLE_METER, "meter_adjusted", {"amount": 1}, "rules"),
        (TABLE, "win_logged", {"before": 1}, "rules"),
        (TABLE, "win_logged", {"confirmed_by": "dora"}, "rules"),
    ],
)
def test_what_could_not_have_happened_is_found(
    console_forger: Forger, stream: str, kind: str, fields: dict[str, Any], what: FindingKind
) -> None:
    sequence = console_forger.find(stream, kind)
    console_forger.edit(stream, sequence, **fields)
    console_forger.rechain(stream)
    holds(console_forger.audit(), ("events", stream, sequence), what)


def change_a_signature(forger: Forger) -> tuple[Place, FindingKind]:
    forger.edit(HOUSE, 2, signature="00" * 64)
    forger.rechain(HOUSE)
    return ("events", HOUSE, 2), "signature"


def change_a_signed_head(forger: Forger) -> tuple[Place, FindingKind]:
    heads = forger.body(HOUSE, 2)["heads"]
    heads[0][1] -= 1
    forger.edit(HOUSE, 2, heads=heads)
    forger.rechain(HOUSE)
    return ("events", HOUSE, 2), "signature"


def change_the_moment_of_a_signature(forger: Forger) -> tuple[Place, FindingKind]:
    forger.change(HOUSE, 2, at=1)
    forger.rechain(HOUSE)
    return ("events", HOUSE, 2), "signature"


def change_the_key(forger: Forger) -> tuple[Place, FindingKind]:
    forger.edit(HOUSE, 1, public_key=OTHER_KEY.public)
    forger.rechain(HOUSE)
    return ("events", HOUSE, 2), "signature"


def found_it_twice(forger: Forger) -> tuple[Place, FindingKind]:
    founding = forger.records(HOUSE)[0]
    forger.add(replace(founding, sequence=3, command_sequence=3))
    forger.rechain(HOUSE)
    return ("events", HOUSE, 3), "inserted"


def never_found_it(forger: Forger) -> tuple[Place, FindingKind]:
    forger.drop(HOUSE, 1)
    forger.renumber(HOUSE)
    return ("events", HOUSE, 1), "missing"


SIGNED = (
    change_a_signature, change_a_signed_head, change_the_moment_of_a_signature, change_the_key,
    found_it_twice, never_found_it,
)  # fmt: skip


@pytest.mark.parametrize("forgery", SIGNED)
def test_a_signature_that_was_touched_is_found(forger: Forger, forgery: Forgery) -> None:
    place, what = forgery(forger)
    holds(forger.audit(), place, what)


def rewritten(forger: Forger) -> None:
    """Write another slip into the journal, which no rule speaks of, and leave no heads signed."""
    forger.edit(TWO, forger.find(TWO, "tray_filled"), slip="F9")
    forger.rechain(TWO)
    forger.drop(HOUSE, 2)
    forger.rechain(HOUSE)


def test_a_rewritten_chain_is_found_by_the_commits_or_because_they_are_gone(forger: Forger) -> None:
    rewritten(forger)
    slip = forger.find(TWO, "tray_filled")
    alone = forger.audit(resign=False)
    holds(alone, ("events", TWO, slip), "altered")
    holds(alone, ("events", HOUSE, 2), "missing")
    forger.run(delete(schema.commits))
    forger.run(update(schema.streams).values(commit_id=0))
    unsigned = forger.audit(resign=False)
    found = {(each.place.name, each.place.sequence, each.what) for each in unsigned.findings}
    assert found == {(row.name, 1, "signature") for row in forger.run(select(schema.streams))}
    assert f"{unsigned.counts.events - 1} events are unsigned" in unsigned.cannot_exclude[1]


def test_a_chain_whose_commits_were_signed_again_is_found_by_an_anchor_alone(forger: Forger) -> None:
    """Sign the rewritten streams again, as only the key can."""
    rewritten(forger)
    alone = forger.audit()
    assert alone.clean
    assert "rewritten" in alone.cannot_exclude[0]
    assert KEY.public in alone.cannot_exclude[0]
    assert "no event is unsigned" in alone.cannot_exclude[1]
    anchored = forger.audit(original().anchor)
    last = len(forger.events(TWO))
    holds(anchored, ("events", TWO, last), "altered")
    holds(anchored, ("events", HOUSE, 2), "missing")


def test_somebody_with_the_key_is_found_by_an_anchor_alone(forger: Forger) -> None:
    """Rewrite a stream and sign it again, as only the key can."""
    rewritten(forger)
    last = forger.events(TWO)[-1]
    signed = forger.events(HOUSE)[-1]
    heads = (SignedHead(TWO, last.sequence, last.hash.hex()),)
    house = forger.body(HOUSE, 1)["house"]
    event = HeadsSigned(heads, KEY.sign(house, signed.at, heads))
    body = HOUSE_CODEC.encode(event)
    forger.add(pack_events([replace(signed, sequence=2, command_sequence=2, body=body)]))
    forger.rechain(HOUSE)
    assert forger.audit().clean
    holds(forger.audit(original().anchor), ("events", TWO, last.sequence), "altered")


def test_an_anchor_of_another_house_is_refused(forger: Forger) -> None:
    anchor = original().anchor
    stranger = OTHER_KEY.anchor(anchor.house, anchor.at, {})
    report = forger.audit(stranger)
    holds(report, ("anchor", "", None), "anchor")
    assert "rewritten" in report.cannot_exclude[0]
    holds(forger.audit(KEY.anchor("elsewhere", anchor.at, {})), ("anchor", "", None), "anchor")


@pytest.mark.parametrize("part", ["heads", "at", "signature"])
def test_an_altered_anchor_proves_nothing(forger: Forger, part: str) -> None:
    anchor = original().anchor
    first, *others = anchor.heads
    changed = {
        "heads": (replace(first, sequence=first.sequence - 1), *others),
        "at": anchor.at + 1,
        "signature": "ab" * 64,
    }
    holds(forger.audit(replace(anchor, **{part: changed[part]})), ("anchor", "", None), "anchor")


def test_a_stream_that_only_the_anchor_knows_is_missing(forger: Forger) -> None:
    anchor = original().anchor
    known = {head.stream: StreamHead(head.sequence, bytes.fromhex(head.hash)) for head in anchor.heads}
    more = KEY.anchor(anchor.house, anchor.at, {**known, "table/gone": StreamHead(7, bytes(32))})
    holds(forger.audit(more), ("events", "table/gone", None), "missing")


def test_the_stream_of_signatures_is_held_against_the_anchor_though_nothing_of_it_is_left(
    forger: Forger,
) -> None:
    last = forger.events(HOUSE)[-1].sequence
    forger.run(delete(schema.events).where(schema.events.c.stream == HOUSE))
    forger.run(delete(schema.streams).where(schema.streams.c.name == HOUSE))
    report = forger.audit(original().anchor)
    holds(report, ("events", HOUSE, 1), "missing")
    assert f"the anchor has signed event {last}" in told(report)


def test_an_anchor_is_said_to_hold_only_what_nothing_was_found_in(forger: Forger) -> None:
    clean, held = forger.audit(original().anchor), "What the anchor covers is unchanged."
    assert held in clean.cannot_exclude[0]
    forger.edit(TWO, forger.find(TWO, "wager_placed"), amount=1)
    found = forger.audit(original().anchor)
    assert held not in found.cannot_exclude[0]
    assert "unchanged except for the findings" in found.cannot_exclude[0]


def test_an_anchor_says_how_much_is_newer(forger: Forger) -> None:
    anchor = original().anchor
    known = {
        head.stream: StreamHead(head.sequence, bytes.fromhex(head.hash))
        for head in anchor.heads
        if head.stream != "player/bob"
    }
    older = KEY.anchor(anchor.house, anchor.at, known)
    report = forger.audit(older)
    assert report.clean, told(report)
    assert f"{len(forger.events('player/bob'))} events are newer than the anchor" in report.cannot_exclude[0]


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


def change_a_balance(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.balances, account="player/ann")
    put(forger, schema.balances, row, amount=row["amount"] + 10_000)
    return ("balances", "player/ann", None), "altered"


def unbalance_the_books(forger: Forger) -> tuple[Place, FindingKind]:
    change_a_balance(forger)
    return ("balances", "all accounts", None), "altered"


def hold_part_of_a_cent(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.balances, account="player/ann")
    put(forger, schema.balances, row, amount=row["amount"] + 1)
    return ("balances", "player/ann", None), "fraction"


def delete_a_balance(forger: Forger) -> tuple[Place, FindingKind]:
    remove(forger, schema.balances, {"account": "tray/one"})
    return ("balances", "tray/one", None), "missing"


def insert_a_balance(forger: Forger) -> tuple[Place, FindingKind]:
    forger.run(insert(schema.balances).values(account="pocket/eve", amount=10_000))
    return ("balances", "pocket/eve", None), "inserted"


# Games, secrets, snapshots.


def change_a_game(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.games, hash=forger.body(TWO, 1)["game"])
    plain = msgspec.json.decode(row["body"])
    plain["submission"]["name"] = "another"
    put(forger, schema.games, row, body=msgspec.json.encode(plain))
    return ("games", row["hash"], None), "altered"


def spoil_a_game(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.games)
    put(forger, schema.games, row, body=b"{}")
    return ("games", row["hash"], None), "unreadable"


def delete_a_game(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.games)
    remove(forger, schema.games, row)
    return ("games", row["hash"], None), "missing"


def lose_the_game_of_a_table(forger: Forger) -> tuple[Place, FindingKind]:
    remove(forger, schema.games, {"hash": forger.body(TWO, 1)["game"]})
    return ("events", TWO, 1), "game"


def rename_a_game(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.games)
    forger.run(insert(schema.games).values(hash="00" * 32, body=row["body"]))
    return ("games", "00" * 32, None), "altered"


def change_a_secret(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.secrets, stream=ONE)
    put(forger, schema.secrets, row, secret=bytes(32))
    return ("secrets", ONE, row["number"]), "altered"


def shorten_a_secret(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.secrets, stream=ONE)
    put(forger, schema.secrets, row, secret=b"short")
    return ("secrets", ONE, row["number"]), "altered"


def delete_a_secret(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.secrets, stream=TWO)
    remove(forger, schema.secrets, row)
    return ("secrets", TWO, row["number"]), "missing"


def insert_a_secret(forger: Forger) -> tuple[Place, FindingKind]:
    forger.run(insert(schema.secrets).values(stream=ONE, number=1, secret=bytes(32)))
    return ("secrets", ONE, 1), "inserted"


def change_a_snapshot(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.snapshots, stream=ONE)
    plain = msgspec.json.decode(row["body"])
    plain["held"]["tray/one"] += 10_000
    put(forger, schema.snapshots, row, body=msgspec.json.encode(plain))
    return ("snapshots", ONE, None), "altered"


def change_the_form_of_a_snapshot(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.snapshots, stream=ONE)
    plain = msgspec.json.decode(row["body"])
    put(forger, schema.snapshots, row, body=msgspec.json.encode({**plain, "format": 99}))
    return ("snapshots", ONE, None), "altered"


def spoil_a_snapshot(forger: Forger) -> tuple[Place, FindingKind]:
    put(forger, schema.snapshots, first(forger, schema.snapshots, stream=ONE), body=b"\xff")
    return ("snapshots", ONE, None), "unreadable"


def date_a_snapshot_otherwise(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.snapshots, stream=ONE)
    put(forger, schema.snapshots, row, sequence=row["sequence"] + 1)
    return ("snapshots", ONE, None), "inserted"


def date_a_snapshot_after_the_end(forger: Forger) -> tuple[Place, FindingKind]:
    put(forger, schema.snapshots, first(forger, schema.snapshots, stream=ONE), sequence=10_000)
    return ("snapshots", ONE, None), "inserted"


def insert_a_snapshot(forger: Forger) -> tuple[Place, FindingKind]:
    forger.run(insert(schema.snapshots).values(("player/ann", 2, b"{}", b"", b"")))
    return ("snapshots", "player/ann", None), "inserted"


def insert_a_snapshot_of_nothing(forger: Forger) -> tuple[Place, FindingKind]:
    forger.run(insert(schema.snapshots).values(("table/ghost", 2, b"{}", b"", b"")))
    return ("snapshots", "table/ghost", None), "inserted"


# Running totals and the index of rounds.


def totals_row(forger: Forger, table: Table = schema.hour_totals) -> tuple[dict[str, Any], Any]:
    """Return the totals of a table's hour, and what they hold."""
    row = first(forger, table, stream=ONE)
    return row, msgspec.json.decode(row["body"])


def put_totals(forger: Forger, row: dict[str, Any], body: object) -> tuple[Place, FindingKind]:
    put(forger, schema.hour_totals, row, body=msgspec.json.encode(body))
    return ("totals", ONE, row["hour"]), "altered"


def change_a_figure(forger: Forger, place: int) -> tuple[Place, FindingKind]:
    row, body = totals_row(forger)
    body["dealers"]["crew"][0][place] += 100
    return put_totals(forger, row, body)


def change_a_figure_of_a_wager(forger: Forger, place: int) -> tuple[Place, FindingKind]:
    row, body = totals_row(forger)
    body["dealers"]["crew"][1]["ante"][place] += 100
    return put_totals(forger, row, body)


@pytest.mark.parametrize("place", range(len(TABLE_FIGURES)))
def test_each_total_of_a_table_is_counted_again(forger: Forger, place: int) -> None:
    where, what = change_a_figure(forger, place)
    report = forger.audit()
    holds(report, where, what)
    (found,) = (each for each in report.findings if each.place.kept == "totals")
    assert f"Its {TABLE_FIGURES[place]} of dealer 'crew' is" in found.sentence
    assert str(found.place).startswith("totals of table/one, 2026-01-01 00:00")


@pytest.mark.parametrize("place", range(len(WAGER_FIGURES)))
def test_each_total_of_a_wager_is_counted_again(forger: Forger, place: int) -> None:
    where, what = change_a_figure_of_a_wager(forger, place)
    report = forger.audit()
    holds(report, where, what)
    assert f"Its {WAGER_FIGURES[place]} of ante of dealer 'crew' is" in told(report)


def credit_another_dealer(forger: Forger) -> tuple[Place, FindingKind]:
    row, body = totals_row(forger)
    body["dealers"] = {"eve": body["dealers"].pop("crew"), **body["dealers"]}
    return put_totals(forger, row, body)


def name_another_last_dealer(forger: Forger) -> tuple[Place, FindingKind]:
    row, body = totals_row(forger)
    return put_totals(forger, row, {**body, "dealer": "eve"})


def change_a_count(forger: Forger) -> tuple[Place, FindingKind]:
    row, body = totals_row(forger)
    body["counts"][0][2] += 100
    return put_totals(forger, row, body)


def change_what_came_before(forger: Forger) -> tuple[Place, FindingKind]:
    row, body = totals_row(forger, schema.earlier_totals)
    body[0][0] += 100
    put(forger, schema.earlier_totals, row, body=msgspec.json.encode(body))
    return ("totals", ONE, row["hour"]), "altered"


def spoil_totals(forger: Forger) -> tuple[Place, FindingKind]:
    row, _ = totals_row(forger)
    put(forger, schema.hour_totals, row, body=b"{")
    return ("totals", ONE, row["hour"]), "unreadable"


def delete_totals(forger: Forger) -> tuple[Place, FindingKind]:
    row, _ = totals_row(forger)
    remove(forger, schema.hour_totals, row)
    return ("totals", ONE, row["hour"]), "missing"


def insert_totals(forger: Forger) -> tuple[Place, FindingKind]:
    hour = totals_row(forger)[0]["hour"] + 9
    for table in (schema.hour_totals, schema.earlier_totals):
        row, _ = totals_row(forger, table)
        forger.run(insert(table).values(**{**row, "hour": hour}))
    return ("totals", ONE, hour), "inserted"


def insert_totals_of_no_table(forger: Forger) -> tuple[Place, FindingKind]:
    for table in (schema.hour_totals, schema.earlier_totals):
        row, _ = totals_row(forger, table)
        forger.run(insert(table).values(**{**row, "stream": "table/ghost"}))
    return ("totals", "table/ghost", None), "inserted"


def change_a_round_of_the_index(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.rounds, stream=ONE)
    body = msgspec.json.decode(row["body"])
    body[-1][0][3] += 100
    put(forger, schema.rounds, row, body=msgspec.json.encode(body))
    return ("rounds", ONE, row["number"]), "altered"


def date_a_round_otherwise(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.rounds, stream=ONE)
    put(forger, schema.rounds, row, at=row["at"] + 1)
    return ("rounds", ONE, row["number"]), "altered"


def delete_a_round_of_the_index(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.rounds, stream=TWO)
    remove(forger, schema.rounds, row)
    return ("rounds", TWO, row["number"]), "missing"


def insert_a_round(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.rounds, stream=TWO)
    forger.run(insert(schema.rounds).values(**{**row, "number": 99}))
    return ("rounds", TWO, 99), "inserted"


def insert_a_round_of_no_table(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.rounds, stream=TWO)
    forger.run(insert(schema.rounds).values(**{**row, "stream": "table/ghost"}))
    return ("rounds", "table/ghost", row["number"]), "inserted"


def hide_a_round_from_a_player(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.player_rounds, stream=TWO, player="bob")
    remove(forger, schema.player_rounds, row)
    return ("rounds", TWO, row["number"]), "missing"


def show_a_round_to_another(forger: Forger) -> tuple[Place, FindingKind]:
    row = first(forger, schema.player_rounds, stream=TWO)
    forger.run(insert(schema.player_rounds).values(**{**row, "player": "eve"}))
    return ("rounds", TWO, row["number"]), "inserted"


INDEX = (
    credit_another_dealer, name_another_last_dealer, change_a_count, change_what_came_before, spoil_totals,
    delete_totals, insert_totals, insert_totals_of_no_table, change_a_round_of_the_index,
    date_a_round_otherwise, delete_a_round_of_the_index, insert_a_round, insert_a_round_of_no_table,
    hide_a_round_from_a_player, show_a_round_to_another,
)  # fmt: skip


@pytest.mark.parametrize("forgery", INDEX)
def test_totals_and_index_are_held_to_the_journal(forger: Forger, forgery: Forgery) -> None:
    place, what = forgery(forger)
    holds(forger.audit(), place, what)


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


ON_A_SERVER = (
    change_a_balance, change_a_game, change_a_secret, change_a_snapshot, change_a_count,
    change_a_round_of_the_index,
)  # fmt: skip


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
        holds(report, ("events", TWO, forger.record(TWO, sequence).sequence), "altered")
        holds(report, ("transfers", ONE, row["sequence"]), "missing")

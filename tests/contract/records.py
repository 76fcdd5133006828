"""Journal records for the tests of stores, and the child processes they start."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from fourcard.house.journal import GENESIS, JournalRecord, StreamHead, pack_events
from fourcard.house.journal import chain_hash as chained
from fourcard.house.ledger import Transfer
from fourcard.house.reports.formats import DAY
from fourcard.house.store.interface import (
    Credential,
    PartContent,
    PlayerRound,
    ReadTransaction,
    RoundQuery,
    RoundRow,
    Segment,
    Snapshot,
    Store,
    TableHour,
    WriteTransaction,
)
from fourcard.house.store.segment_parts import encode_part
from tests.kit.waiting import PATIENCE

AT = 1_767_225_600_000
GAME = "9f" * 32


def event(
    stream: str, sequence: int, key: str = "", body: bytes = b"{}", before: bytes = GENESIS
) -> JournalRecord:
    """Return an event that is chained to the hash before it."""
    bare = JournalRecord(
        stream=stream,
        sequence=sequence,
        command_sequence=sequence,
        kind="wager_placed",
        version=1,
        at=AT + sequence,
        by="p1",
        role="player",
        key=key,
        digest="ab" * 32 if key else "",
        game=GAME,
        body=body,
    )
    return msgspec.structs.replace(bare, hash=chained(before, bare))


def packed(
    stream: str, first: int, counts: Iterable[int], key: str = "", before: bytes = GENESIS, word: str = "w"
) -> JournalRecord:
    """Return a stored record of commands with so many events each, by different authors."""
    events, sequence = list[JournalRecord](), first
    for command, count in enumerate(counts):
        for number in range(count):
            kind, given = f"k{number}", b'{"kind":"c"}' if number == 0 else None
            body = msgspec.json.encode({"kind": kind, "word": word})
            author = (f"p{command % 3}{word}", "player")
            own = "" if events else key
            row = (stream, sequence + number, sequence, kind, 1, AT + first, *author, own, "", "", body)
            events.append(JournalRecord(*row, command=given))
        sequence += count
    bare = pack_events(events)
    return msgspec.structs.replace(bare, hash=chained(before, bare))


def run(
    stream: str, count: int, head: StreamHead | None = None, *, keyed: bool = False
) -> list[JournalRecord]:
    """Return so many events that follow a head."""
    at = head or StreamHead()
    events = list[JournalRecord]()
    for sequence in range(at.sequence + 1, at.sequence + count + 1):
        before = events[-1].hash if events else at.hash
        events.append(event(stream, sequence, f"{stream}-{sequence}" if keyed else "", before=before))
    return events


def transfer(stream: str, sequence: int, number: int = 0, amount: int = 10_000, **words: str) -> Transfer:
    """Return a movement of money."""
    giver, taker = words.get("giver", "cage"), words.get("taker", "player/p1")
    return Transfer(stream, sequence, number, giver, taker, amount, "buy_in", words.get("wager", ""), AT)


def add(store: Store, events: Iterable[JournalRecord], transfers: Iterable[Transfer] = ()) -> None:
    """Commit events and movements in one transaction."""
    with store.writing() as writing:
        writing.append(list(events))
        writing.post(list(transfers))


def fill(writing: WriteTransaction) -> None:
    """Write something of every kind."""
    writing.append(run("table/t1", 3, keyed=True) + run("player/p1", 2))
    writing.post([transfer("table/t1", 1), transfer("table/t1", 2, 1, 7, giver="cage", taker="meter/m1")])
    closed = PartContent(tuple(run("player/p0", 1)), (transfer("player/p0", 1, amount=1),))
    writing.add_segment_part(encode_part(AT // DAY, GENESIS, closed), closed)
    writing.add_segment(Segment(AT // DAY, AT, b"{}"))
    writing.keep_game(GAME, b'{"game": 1}')
    writing.keep_secrets({("table/t1", 4): b"\x00secret\xff"})
    writing.keep_snapshot(Snapshot("table/t1", 3, b"state"))
    writing.put_table_hours([TableHour("table/t1", AT // 3_600_000, b"{}", b"[]")])
    ended = RoundRow("table/t1", 1, AT + 3, 3, GAME, 4, b"[]")
    writing.add_rounds([ended], [PlayerRound("p1", AT + 3, "table/t1", 1)])
    writing.put_credential(Credential("staff", "ann", "$argon2id$1"))


def everything(reading: ReadTransaction) -> dict[str, object]:
    """Return all that a store holds, so that two can be compared."""
    return {
        "streams": dict(reading.streams()),
        "records": {stream: list(reading.records(stream)) for stream in reading.journal_streams()},
        "events": {stream: list(reading.events(stream)) for stream in reading.journal_streams()},
        "games": dict(reading.games()),
        "secrets": dict(reading.secrets()),
        "snapshots": list(reading.snapshots()),
        "table_hours": list(reading.table_hours()),
        "rounds": list(reading.rounds(RoundQuery())),
        "player_rounds": list(reading.player_rounds()),
        "transfers": list(reading.transfers()),
        "transfers_of": {
            stream: list(reading.transfers_of(stream, 1)) for stream in reading.journal_streams()
        },
        "stream_rows": dict(reading.stream_rows()),
        "segments": list(reading.segments()),
        "segment_parts": [part for day in reading.segment_days() for part in reading.segment_parts(day)],
        "balances": dict(reading.balances()),
        "credentials": list(reading.credentials()),
    }


def contents(store: Store) -> dict[str, object]:
    """Return all that a store holds, in a view of its own."""
    with store.reading() as reading:
        return everything(reading)


ROOT = Path(__file__).parents[2]


def started(act: str, address: str) -> subprocess.Popen[str]:
    """Start a child."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.contract.children", act, address],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(act: str, address: str, status: int = 0) -> list[str]:
    """Run a child to its end, and return the lines that it said."""
    child = started(act, address)
    said, errors = child.communicate(timeout=PATIENCE)
    assert child.returncode == status, errors
    return said.splitlines()

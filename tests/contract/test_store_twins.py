"""The stores as twins: whatever is done to them, right or wrong, all of them answer and keep the same."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from fourcard.house.commands import PersonKind
from fourcard.house.journal import JournalRecord, StreamHead
from fourcard.house.store.interface import (
    Credential,
    PlayerRound,
    RoundQuery,
    RoundRow,
    Snapshot,
    Store,
    StoreError,
    TableHour,
    WriteTransaction,
)
from tests.contract.conftest import made
from tests.contract.records import AT, contents, event, packed, transfer

STREAMS = ("table/t1", "table/t2", "player/é", "staff")
PEOPLE = ("ann", "bob", "øve")
KINDS: tuple[PersonKind, ...] = ("staff", "player")
Act = Callable[[WriteTransaction], object]


class LeftError(Exception):
    """A transaction that is given up on purpose."""


def leaving(_writing: WriteTransaction) -> None:
    """Give a transaction up."""
    raise LeftError


def appending(chance: Random, heads: dict[str, StreamHead]) -> Act:
    """Append a few events and records of several; sometimes one is out of order, or repeats a key."""
    events = list[JournalRecord]()
    for _ in range(chance.randint(1, 4)):
        stream = chance.choice(STREAMS)
        sequence = heads.get(stream, StreamHead()).sequence + 1 + (chance.random() < 0.03)
        key = chance.choice(["", f"key{chance.randint(0, 400)}"])
        if chance.random() < 0.5:
            events.append(event(stream, sequence, key, body=chance.randbytes(chance.randint(0, 60))))
        else:
            events.append(packed(stream, sequence, [chance.randint(1, 3) for _ in range(3)], key))
        heads[stream] = StreamHead(events[-1].sequence, events[-1].hash)
    return lambda writing: writing.append(events)


def posting(chance: Random) -> Act:
    """Post a few movements; sometimes one is there already."""
    rows = [
        transfer(
            chance.choice(STREAMS),
            chance.randint(1, 400),
            chance.randint(0, 3),
            chance.choice([1, 10_000, 2**53 + 1, 2**60]),
            giver=f"account/{chance.randint(0, 9)}",
            taker=f"account/{chance.randint(0, 9)}",
        )
        for _ in range(chance.randint(0, 5))
    ]
    return lambda writing: writing.post(rows)


def keeping(chance: Random) -> Act:
    """Do one of the smaller things."""
    stream, number, body = chance.choice(STREAMS), chance.randint(1, 6), chance.randbytes(9)
    kind, person = chance.choice(KINDS), chance.choice(PEOPLE)
    at = AT + chance.randint(0, 99)
    acts: list[Act] = [
        lambda writing: writing.keep_game(f"h{number}", body),
        lambda writing: writing.keep_secrets({(stream, number): body}),
        lambda writing: writing.forget_secrets([(stream, number)]),
        lambda writing: writing.keep_snapshot(Snapshot(stream, number, body)),
        lambda writing: writing.put_table_hours([TableHour(stream, number, body, b"before")]),
        lambda writing: writing.add_rounds(
            [RoundRow(stream, at - AT, at, number, "g", number if number % 2 else None, body)],
            [PlayerRound(person, at, stream, at - AT)],
        ),
        lambda writing: writing.put_credential(Credential(kind, person, body.hex())),
        lambda writing: writing.announce_sign_out(kind, person),
    ]
    return chance.choice(acts)


def asking(chance: Random) -> Act:
    """Read something in the middle of writing."""
    stream, account = chance.choice(STREAMS), f"account/{chance.randint(0, 9)}"
    keys = [(chance.choice(STREAMS), f"key{chance.randint(0, 400)}") for _ in range(20)]
    after = chance.randint(0, 50)
    acts: list[Act] = [
        lambda writing: dict(writing.lock_exclusive([stream, "new"])),
        lambda writing: list(writing.events(stream, after)),
        lambda writing: dict(writing.find_by_key(keys)),
        lambda writing: list(writing.transfers(account)),
        lambda writing: dict(writing.balances()),
        lambda writing: writing.snapshot(stream, after),
        lambda writing: writing.last_table_hour(stream),
        lambda writing: list(writing.rounds(RoundQuery(player="ann", newest_first=True, limit=3))),
        lambda writing: list(writing.rounds(RoundQuery(after=(AT + after, stream, 0)))),
    ]
    return chance.choice(acts)


def transaction(chance: Random, heads: dict[str, StreamHead]) -> list[Act]:
    """Return what is done in one transaction."""
    makers = (
        lambda: appending(chance, heads),
        lambda: posting(chance),
        lambda: keeping(chance),
        lambda: asking(chance),
    )
    return [chance.choice(makers)() for _ in range(chance.randint(1, 5))]


def outcome(store: Store, acts: list[Act]) -> list[object]:
    """Return what each act answered, and how the transaction ended."""
    answers = list[object]()
    try:
        with store.writing() as writing:
            answers += [act(writing) for act in acts]
    except (StoreError, LeftError) as error:
        answers.append(type(error))
    return answers


@pytest.mark.parametrize("seed", range(4))
def test_all_stores_answer_and_keep_the_same(
    request: pytest.FixtureRequest, tmp_path: Path, seed: int
) -> None:
    stores = [made(request, kind, tmp_path) for kind in ("memory", "sqlite", "postgres")]
    chance, kept, failed = Random(seed), 0, 0
    for step in range(120):
        with stores[0].reading() as reading:
            heads = dict(reading.streams())
        acts = transaction(chance, heads) + [leaving] * (chance.random() < 0.1)
        first, *others = [outcome(store, acts) for store in stores]
        assert others == [first, first], (seed, step)
        failed += isinstance(first[-1], type)
        kept += not isinstance(first[-1], type)
        if step % 10 == 9:
            assert contents(stores[1]) == contents(stores[0]) == contents(stores[2])
    assert kept > 50
    assert failed > 10
    for store in stores:
        store.close()


def test_a_head_that_is_written_again_changes_nothing(store: Store) -> None:
    with store.writing() as writing:
        writing.append([event("table/t1", sequence) for sequence in (1, 2, 3)])
    before = contents(store)
    with store.writing() as writing:
        writing.rewrite_head("table/t1")
        writing.rewrite_head("nowhere")
    assert contents(store) == before

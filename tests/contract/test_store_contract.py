"""What every store promises, tried on all of them."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, Engine
from sqlalchemy import event as engine_event

from fourcard.house.journal import GENESIS, JournalRecord, StreamHead, unpack_events
from fourcard.house.ledger import Transfer
from fourcard.house.reports.formats import DAY
from fourcard.house.store.interface import (
    ConcurrentChangeError,
    Credential,
    PartContent,
    PlayerRound,
    RoundQuery,
    RoundRow,
    RowCount,
    Segment,
    Snapshot,
    Store,
    StoreError,
    StreamRows,
    TableHour,
    WriteTransaction,
)
from fourcard.house.store.segment_parts import encode_part
from tests.contract.records import AT, GAME, add, contents, event, everything, fill, packed, run, transfer

ODD = "straße/Ω/牌/🂡/'\";--%s?:x"
LARGEST = 2**63 - 1


class BrokenOffError(Exception):
    """Raised by a test in the middle of a transaction."""


def refused(
    store: Store, act: Callable[[WriteTransaction], object], error: type[StoreError] = ConcurrentChangeError
) -> None:
    """Expect an act to be refused and to change nothing."""
    before = contents(store)
    with pytest.raises(error), store.writing() as writing:
        act(writing)
    assert contents(store) == before


def test_what_is_appended_is_read_back_to_the_byte(store: Store) -> None:
    events = [
        JournalRecord(
            ODD, 1, 1, "kind", 3, 2**62, ODD, "role", ODD, "digest", GAME, bytes(range(256)), b"\x00" * 32
        ),
        JournalRecord(ODD, 2, 1, "", 0, -5, "", "", "", "", "", b"", b""),
    ]
    add(store, events)
    with store.reading() as reading:
        assert list(reading.events(ODD)) == events
        assert reading.streams() == {ODD: StreamHead(2, b"")}
        assert list(reading.journal_streams()) == [ODD]


def test_events_are_read_after_a_sequence_and_from_one_stream_only(store: Store) -> None:
    events = run("table/t1", 10)
    add(store, events + run("table/t2", 5))
    with store.reading() as reading:
        assert list(reading.events("table/t1", 4)) == events[4:]
        assert list(reading.events("table/t1", 10)) == []
        assert list(reading.events("table/t1", 99)) == []
        assert list(reading.events("nowhere")) == []


@pytest.mark.parametrize("word", ["w", ODD, "ab" * 200_000])
def test_a_record_of_several_commands_is_read_back_to_the_byte(store: Store, word: str) -> None:
    first = packed("table/t1", 1, (1, 3, 2), ODD, word=word)
    second = packed("table/t1", 7, (4,), before=first.hash, word=word)
    add(store, [first, second, packed("table/t2", 1, (1,))])
    with store.reading() as reading:
        assert list(reading.records("table/t1")) == [first, second]
        assert list(reading.events("table/t1")) == [*unpack_events(first), *unpack_events(second)]
        assert reading.streams(["table/t1"]) == {"table/t1": StreamHead(10, second.hash)}
        assert reading.find_by_key([("table/t1", ODD)]) == {("table/t1", ODD): first}


def test_every_compressible_and_incompressible_body_is_read_back(store: Store) -> None:
    bodies = [b"", b"[", b"\0", b"\x01", b"\xff" * 9, bytes(range(256)) * 400, b" " * 1_000_000]
    records = [replace(packed("a", number, (1,)), body=body) for number, body in enumerate(bodies, 1)]
    add(store, records)
    with store.reading() as reading:
        assert list(reading.records("a")) == records


@pytest.mark.parametrize("after", range(11))
def test_events_are_read_after_the_middle_of_a_record(store: Store, after: int) -> None:
    first = packed("a", 1, (1, 3, 2))
    second = packed("a", 7, (4,), before=first.hash)
    add(store, [first, second])
    events = [*unpack_events(first), *unpack_events(second)]
    with store.reading() as reading:
        assert list(reading.events("a", after)) == events[after:]
        stored = [each for each in (first, second) if each.sequence > after]
        assert list(reading.records("a", after)) == stored


@pytest.mark.parametrize(
    ("first", "last"), [(1, 5), (2, 5), (3, 5), (5, 7), (4, 3), (4, 0), (0, 5), (-1, 5), (5, 4), (-5, -5)]
)
def test_only_a_record_that_comes_next_can_be_appended(store: Store, first: int, last: int) -> None:
    add(store, [packed("a", 1, (1, 2))])
    record = packed("a", 4, (2,))
    refused(store, lambda writing: writing.append([replace(record, command_sequence=first, sequence=last)]))
    add(store, [record])


def test_a_record_follows_the_end_of_the_one_before_it(store: Store) -> None:
    first = packed("a", 1, (3,))
    with store.writing() as writing:
        writing.append([first, packed("a", 4, (1, 1), before=first.hash)])
        assert writing.lock_exclusive(["a"])["a"].sequence == 5
        writing.append([event("a", 6)])
    refused(store, lambda writing: writing.append([packed("a", 7, (2,)), packed("a", 8, (2,))]))
    with store.reading() as reading:
        assert [each.sequence for each in reading.records("a")] == [3, 5, 6]
        assert [each.sequence for each in reading.events("a")] == [1, 2, 3, 4, 5, 6]


def test_a_key_of_a_record_is_taken_once_a_stream(store: Store) -> None:
    add(store, [packed("a", 1, (2,), "k")])
    refused(store, lambda writing: writing.append([packed("a", 3, (2,), "k")]))
    refused(store, lambda writing: writing.append([event("a", 3, "k")]))
    add(store, [packed("b", 1, (2,), "k")])


def test_many_events_are_read_in_order_page_after_page(store: Store) -> None:
    events = run("table/t1", 4500)
    add(store, events)
    with store.reading() as reading:
        assert list(reading.events("table/t1")) == events
        first, second = reading.events("table/t1"), reading.events("table/t1", 1)
        assert [(a.sequence, b.sequence) for a, b in islice(zip(first, second, strict=False), 3000)] == [
            (n, n + 1) for n in range(1, 3001)
        ]


def test_names_sort_by_their_bytes(store: Store) -> None:
    names = ["B", "a", "a/1", "aB", "z", "Ä", "é", "牌", "🂡"]
    for name in reversed(names):
        add(store, [event(name, 1)], [transfer(name, 1, giver=name, taker="cage")])
    with store.reading() as reading:
        assert list(reading.streams()) == list(reading.journal_streams()) == names
        some = [names[-1], "nothing/there", names[0]]
        assert reading.streams(some) == {each: reading.streams()[each] for each in (names[0], names[-1])}
        assert reading.streams([]) == {}
        assert [row.stream for row in reading.transfers()] == names
        assert list(reading.balances()) == sorted([*names, "cage"])


def test_a_new_stream_stands_at_the_beginning(store: Store) -> None:
    with store.writing() as writing:
        assert writing.lock_exclusive(["b", "a", "b"]) == {
            "a": StreamHead(0, GENESIS),
            "b": StreamHead(0, GENESIS),
        }
    with store.reading() as reading:
        assert reading.streams() == {}
        assert list(reading.journal_streams()) == []


def test_heads_move_with_events_within_a_transaction_and_after_it(store: Store) -> None:
    first, second, third = run("a", 3)
    with store.writing() as writing:
        writing.append([first])
        assert writing.lock_exclusive(["a"]) == {"a": StreamHead(1, first.hash)}
        writing.append([second])
        assert writing.streams() == {"a": StreamHead(2, second.hash)}
    with store.writing() as writing:
        assert writing.lock_exclusive(["a", "b"]) == {"a": StreamHead(2, second.hash), "b": StreamHead()}
        writing.append([third])
    with store.reading() as reading:
        assert reading.streams() == {"a": StreamHead(3, third.hash)}


@pytest.mark.parametrize("sequence", [0, 1, 2, 4, -1])
def test_only_the_next_sequence_can_be_appended(store: Store, sequence: int) -> None:
    add(store, run("a", 2))
    refused(store, lambda writing: writing.append([event("a", sequence)]))


def test_a_gap_or_a_repeat_within_one_call_is_refused(store: Store) -> None:
    refused(store, lambda writing: writing.append([event("a", 1), event("a", 3)]))
    refused(store, lambda writing: writing.append([event("a", 1), event("b", 1), event("a", 1)]))


def test_a_refusal_that_somebody_caught_still_leaves_nothing(store: Store) -> None:
    def act(writing: WriteTransaction) -> None:
        writing.append([event("b", 1)])
        with pytest.raises(ConcurrentChangeError):
            writing.append([event("a", 1, "k"), event("a", 2, "k")])

    refused(store, act, StoreError)


def test_a_command_is_found_by_its_stream_and_key(store: Store) -> None:
    events = [event("a", 1, "k1"), event("a", 2), event("a", 3, ODD), event("b", 1, "k1")]
    add(store, events)
    with store.reading() as reading:
        asked = [
            ("a", "k1"),
            ("a", ODD),
            ("b", "k1"),
            ("b", ODD),
            ("c", "k1"),
            ("a", ""),
            ("a", "k\0"),
            ("a", "k1"),
        ]
        assert reading.find_by_key(asked) == {
            ("a", "k1"): events[0],
            ("a", ODD): events[2],
            ("b", "k1"): events[3],
        }


def test_hundreds_of_keys_are_asked_at_once(store: Store) -> None:
    add(store, run("a", 600, keyed=True))
    with store.writing() as writing:
        found = writing.find_by_key([("a", f"a-{n}") for n in range(1, 1200)])
    assert sorted(found) == sorted(("a", f"a-{n}") for n in range(1, 601))


def test_a_key_is_taken_once_a_stream(store: Store) -> None:
    add(store, [event("a", 1, "k")])
    add(store, [event("b", 1, "k")])
    refused(store, lambda writing: writing.append([event("a", 2, "k")]))
    refused(store, lambda writing: writing.append([event("c", 1, "x"), event("c", 2, "x")]))


def test_a_character_that_not_every_database_can_hold_is_refused_by_all(store: Store) -> None:
    refused(store, lambda writing: writing.append([event("a", 1, "k\0")]), StoreError)
    refused(store, lambda writing: writing.append([event("a\0", 1)]), StoreError)
    refused(store, lambda writing: writing.post([transfer("a", 1, giver="x\0y")]), StoreError)


def test_anything_raised_leaves_nothing_of_any_kind(store: Store) -> None:
    def act(writing: WriteTransaction) -> None:
        fill(writing)
        assert all(everything(writing).values())
        raise BrokenOffError

    with pytest.raises(BrokenOffError), store.writing() as writing:
        act(writing)
    assert not any(contents(store).values())
    with store.writing() as writing:
        fill(writing)
    assert all(contents(store).values())


def test_a_transaction_reads_what_it_has_written(store: Store) -> None:
    add(store, run("table/t1", 1))
    following = event("table/t1", 2, "k")
    with store.writing() as writing:
        writing.append([following])
        writing.post([transfer("table/t1", 2, amount=5)])
        writing.post([transfer("table/t1", 2, 1, amount=6)])
        writing.keep_secrets({("table/t1", 1): b"s"})
        assert writing.find_by_key([("table/t1", "k")]) == {("table/t1", "k"): following}
        assert [row.sequence for row in writing.events("table/t1")] == [1, 2]
        assert list(writing.events("table/t1", 1)) == [following]
        assert writing.balances() == {"cage": -11, "player/p1": 11}
        assert writing.secret("table/t1", 1) == b"s"
        writing.forget_secrets([("table/t1", 1)])
        assert writing.secret("table/t1", 1) is None
        assert writing.secrets() == {}


def test_balances_are_the_sum_of_the_transfers(store: Store) -> None:
    accounts = [f"drop/t{n}" for n in range(7)]
    for sequence in range(1, 30):
        rows = [
            transfer(
                "a", sequence, n, sequence * 1000 + n, giver=accounts[n % 7], taker=accounts[(n * 3 + 1) % 7]
            )
            for n in range(9)
        ]
        add(store, [], rows)
    with store.reading() as reading:
        sums = dict.fromkeys(accounts, 0)
        for row in reading.transfers():
            sums[row.giver] -= row.units
            sums[row.taker] += row.units
        assert reading.balances() == {account: units for account, units in sums.items() if units}
        assert sum(reading.balances().values()) == 0
        mine = [row for row in reading.transfers() if accounts[0] in (row.giver, row.taker)]
        assert list(reading.transfers(accounts[0])) == mine
        assert mine


def test_an_account_that_comes_back_to_zero_is_left_out(store: Store) -> None:
    add(store, [], [transfer("a", 1, giver="x", taker="y")])
    add(store, [], [transfer("a", 2, giver="y", taker="x"), transfer("a", 2, 1, giver="x", taker="x")])
    with store.reading() as reading:
        assert reading.balances() == {}
        assert [row.sequence for row in reading.transfers("x")] == [1, 2, 2]


def test_transfers_come_by_stream_sequence_and_number(store: Store) -> None:
    rows = [
        Transfer(stream, n, number, "x", "y", 1, ODD, "ante", AT)
        for stream in "ab"
        for n in (1, 2, 10)
        for number in (0, 1)
    ]
    add(store, [], reversed(rows))
    with store.reading() as reading:
        assert list(reading.transfers()) == rows


def test_a_movement_is_posted_once(store: Store) -> None:
    add(store, [], [transfer("a", 1)])
    refused(store, lambda writing: writing.post([transfer("a", 2), transfer("a", 1)]))
    refused(store, lambda writing: writing.post([transfer("a", 3), transfer("a", 3)]))


def test_amounts_past_the_precision_of_floats_stay_exact(store: Store) -> None:
    add(store, [], [transfer("a", 1, amount=2**53 + 1, giver="x", taker="y")])
    add(store, [], [transfer("a", 2, amount=LARGEST - 2**53 - 1, giver="x", taker="y")])
    with store.reading() as reading:
        assert reading.balances() == {"x": -LARGEST, "y": LARGEST}
    refused(
        store, lambda writing: writing.post([transfer("a", 3, amount=2, giver="z", taker="y")]), StoreError
    )
    refused(store, lambda writing: writing.post([transfer("a", 3, amount=2**63)]), StoreError)


def test_games_are_kept_once(store: Store) -> None:
    with store.writing() as writing:
        writing.keep_game("h2", b"two")
        writing.keep_game("h1", b"one")
        writing.keep_game("h1", b"other")
    with store.writing() as writing:
        writing.keep_game("h2", b"other")
    with store.reading() as reading:
        assert list(reading.games().items()) == [("h1", b"one"), ("h2", b"two")]
        assert reading.game("h1") == b"one"
        assert reading.game("h3") is None


def test_secrets_are_kept_until_they_are_forgotten_and_never_replaced(store: Store) -> None:
    with store.writing() as writing:
        writing.keep_secrets({("a", 1): b"\x00\xff"})
        writing.keep_secrets({("a", 2): b""})
    refused(store, lambda writing: writing.keep_secrets({("a", 1): b"other"}))
    with store.writing() as writing:
        writing.forget_secrets([("a", 2)])
        writing.forget_secrets([("a", 3)])
    with store.reading() as reading:
        assert reading.secrets() == {("a", 1): b"\x00\xff"}
        assert reading.secret("a", 1) == b"\x00\xff"
        assert reading.secret("a", 2) is None


def test_snapshots_stay_and_the_newest_up_to_an_event_is_found(store: Store) -> None:
    old, new = Snapshot("b", 5, b"state"), Snapshot("b", 9, b"newer")
    for each in (Snapshot("b", 5, b"wrong"), new, old):
        with store.writing() as writing:
            writing.keep_snapshot(each)
    with store.writing() as writing:
        writing.keep_snapshot(Snapshot("a", 1, b"a"))
    with store.reading() as reading:
        assert reading.snapshot("b") == reading.snapshot("b", 9) == new
        assert reading.snapshot("b", 8) == old
        assert reading.snapshot("b", 4) is reading.snapshot("c") is None
        assert list(reading.snapshots()) == [Snapshot("a", 1, b"a"), old, new]
        assert list(reading.snapshots("b")) == [old, new]
        assert list(reading.snapshots("b", 5)) == [new]


def test_hours_of_tables_are_replaced_and_what_came_before_them_stays(store: Store) -> None:
    rows = [
        TableHour(stream, hour, b"1", b"before") for hour in (7, 5, 6) for stream in ("table/b", "table/a")
    ]
    add(store, run("table/a", 1))
    with store.writing() as writing:
        writing.put_table_hours(rows)
    with store.writing() as writing:
        writing.put_table_hours([TableHour("table/a", 6, b"2", b"")])
    changed = TableHour("table/a", 6, b"2", b"before")
    with store.reading() as reading:
        hours = [*reading.table_hours()]
        assert [(each.hour, each.stream) for each in hours] == sorted((row.hour, row.stream) for row in rows)
        assert hours[2] == changed
        assert [*reading.table_hours("table/a", 6)] == [changed, TableHour("table/a", 7, b"1", b"before")]
        assert [*reading.table_hours(since=6, until=7)] == [changed, TableHour("table/b", 6, b"1", b"before")]
        assert reading.last_table_hour("table/a") == TableHour("table/a", 7, b"1", b"before")
        assert reading.last_table_hour("table/c") is None
        assert [*reading.last_table_hours(7)] == [changed]
        assert [*reading.last_table_hours()] == [TableHour("table/a", 7, b"1", b"before")]
        assert [*reading.last_table_hours(5)] == []


def test_rounds_are_found_by_table_player_and_time(store: Store) -> None:
    rows = [
        RoundRow("table/a", 1, 10, 9, "g", 1, b"a1"),
        RoundRow("table/a", 2, 20, 19, "g", None, b"a2"),
        RoundRow("table/b", 1, 10, 5, "g", 4, b"b1"),
        RoundRow("table/b", 2, 15, 8, "g", 4, b"b2"),
        RoundRow("table/c", 1, 9, 5, "g", 4, b"before the clock was set back"),
        RoundRow("table/c", 2, 5, 8, "g", 4, b"after"),
    ]
    players = [PlayerRound("ann", row.at, row.stream, row.number) for row in rows[:3]]
    with store.writing() as writing:
        writing.add_rounds(rows, [*players, PlayerRound("bob", 15, "table/b", 2)])
    with pytest.raises(ConcurrentChangeError), store.writing() as writing:
        writing.add_rounds(rows[:1], ())
    a1, a2, b1, b2, c1, c2 = rows
    with store.reading() as reading:

        def found(**query: Any) -> list[RoundRow]:
            return [*reading.rounds(RoundQuery(**query))]

        assert found() == [c2, c1, a1, b1, b2, a2]
        assert found(stream="table/c") == [c1, c2]
        assert found(stream="table/c", newest_first=True, after=(5, "table/c", 2)) == [c1]
        assert found(newest_first=True, limit=2) == [a2, b2]
        assert found(player="ann") == [a1, b1, a2]
        assert found(player="ann", newest_first=True, after=(20, "table/a", 2)) == [b1, a1]
        assert found(player="ann", after=(10, "table/a", 1), limit=1) == [b1]
        assert found(player="ann", stream="table/b") == [b1]
        assert found(stream="table/b", newest_first=True) == [b2, b1]
        assert found(stream="table/b", after=(10, "table/b", 1)) == [b2]
        assert found(player="eve") == []
        assert reading.round("table/b", 2) == b2
        assert reading.round("table/d", 1) is None
        assert [each.player for each in reading.player_rounds()] == ["ann", "ann", "ann", "bob"]
        assert [each.player for each in reading.player_rounds(15)] == ["ann", "bob"]
        counted = reading.stream_rows()["table/b"]
        assert (counted.rounds, counted.players) == (RowCount(2, 2), RowCount(2, 2))


def test_rows_are_counted_by_stream(store: Store) -> None:
    with store.writing() as writing:
        fill(writing)
    with store.reading() as reading:
        counted, heads = reading.stream_rows(), reading.streams()
        assert [each.sequence for each in reading.transfers_of("table/t1", 1)] == [2]
        assert [each.sequence for each in reading.transfers_of("table/t1", 0)] == [1, 2]
    one = RowCount(1, 1)
    assert {*counted} == {"player/p0", "player/p1", "table/t1"}
    closed = StreamRows(records=one, transfers=one, hash=heads["player/p0"].hash)
    assert counted["player/p0"] == closed
    assert counted["table/t1"] == StreamRows(
        records=RowCount(3, 3),
        transfers=RowCount(2, 2),
        snapshots=RowCount(1, 3),
        hours=RowCount(1, AT // 3_600_000),
        rounds=one,
        players=one,
        hash=heads["table/t1"].hash,
    )
    assert counted["player/p1"] == StreamRows(records=RowCount(2, 2), hash=heads["player/p1"].hash)


def test_the_streams_of_a_family_are_found(store: Store) -> None:
    add(store, run("table/a", 1) + run("table", 1) + run("tables/b", 2) + run("player/table/", 1))
    with store.reading() as reading:
        assert {name: head.sequence for name, head in reading.streams_of("table").items()} == {"table/a": 1}
        assert [*reading.streams_of("meter")] == []


def test_credentials_are_kept_by_kind_and_person(store: Store) -> None:
    with store.writing() as writing:
        writing.put_credential(Credential("staff", ODD, "one"))
        writing.put_credential(Credential("player", ODD, "two"))
        writing.put_credential(Credential("staff", ODD, "three"))
    with store.reading() as reading:
        assert reading.credential("staff", ODD) == Credential("staff", ODD, "three")
        assert reading.credential("staff", "nobody") is None
        assert [row.password for row in reading.credentials()] == ["two", "three"]


@pytest.mark.parametrize("length", [1, 2, 255, 256, 257, 70_000])
def test_a_list_of_any_length_can_be_asked_for(store: Store, length: int) -> None:
    """The longest has more names than a statement may have parameters."""
    asked = [f"{number:05}" for number in range(length)]
    stored = sorted({asked[0], asked[length // 2], asked[-1]})
    add(store, [event(name, 1) for name in (*stored, "other")])
    with store.reading() as reading:
        assert [*reading.streams(asked)] == stored


def test_lists_of_many_lengths_need_few_statements(store: Store) -> None:
    """Each different statement would stay in memory at every connection."""
    texts = set[str]()

    def note(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        texts.add(statement)

    engine_event.listen(Engine, "before_cursor_execute", note)
    try:
        with store.reading() as reading:
            for length in range(1, 600):
                assert not reading.streams(map(str, range(length)))
    finally:
        engine_event.remove(Engine, "before_cursor_execute", note)
    assert len([text for text in texts if " IN (" in text]) <= 5


def test_calls_with_nothing_do_nothing(store: Store) -> None:
    with store.writing() as writing:
        assert writing.lock_exclusive([]) == {}
        assert writing.find_by_key([]) == {}
        writing.announce_sign_out("staff", "nobody")
        writing.append([])
        writing.post([])
        writing.forget_secrets([("a", 1)])
    assert not any(contents(store).values())


def test_a_view_is_of_one_moment_while_a_writer_commits(store: Store) -> None:
    with store.writing() as writing:
        fill(writing)
    before = contents(store)
    with store.reading() as reading:
        iterator = reading.events("table/t1")
        first = next(iterator)
        with store.writing() as writing:
            writing.append([event("table/t1", 4, "late"), event("new", 1)])
            writing.post([transfer("table/t1", 4), transfer("table/t1", 4, 1, giver="new", taker="cage")])
            rest = PartContent(tuple(run("player/p1", 2)), ())
            writing.add_segment_part(encode_part(AT // DAY + 1, GENESIS, rest), rest)
            writing.add_segment(Segment(AT // DAY + 1, AT, b"late"))
            writing.keep_game("late", b"late")
            writing.forget_secrets([("table/t1", 4)])
            writing.keep_snapshot(Snapshot("table/t1", 4, b"late"))
            writing.put_table_hours([TableHour("table/t1", AT // 3_600_000, b"late", b"")])
            late = RoundRow("table/t1", 2, AT, 4, GAME, None, b"late")
            writing.add_rounds([late], [PlayerRound("late", AT, "table/t1", 2)])
            writing.put_credential(Credential("staff", "ann", "late"))
        assert [first, *iterator] == before["events"]["table/t1"]  # type: ignore[index]
        assert everything(reading) == before
        assert reading.find_by_key([("table/t1", "late")]) == {}
    after = contents(store)
    assert all(after[kind] != before[kind] for kind in before)


def test_an_uncommitted_transaction_is_seen_by_nobody(store: Store) -> None:
    with store.writing() as writing:
        fill(writing)
        with store.reading() as reading:
            assert not any(everything(reading).values())
    with store.reading() as reading:
        assert all(everything(reading).values())


def test_an_answer_left_half_read_does_not_hold_the_moment(store: Store) -> None:
    add(store, run("a", 5000))
    with store.reading() as reading:
        left = reading.events("a")
        next(left)
    add(store, run("b", 1))
    with store.reading() as reading:
        assert list(reading.streams()) == ["a", "b"]
    del left

"""The journal: stable names and versions, older ones lifted on reading, a chain that anyone can follow."""

from hashlib import sha256
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fourcard.house.decision import table_stream
from fourcard.house.events import (
    HouseEvent,
    HouseTableEvent,
    MeterEvent,
    PlayerEvent,
    SeedChosen,
    StaffEvent,
    TableInstalled,
)
from fourcard.house.journal import (
    CODECS,
    GENESIS,
    RECORD_KIND,
    SEALED_KIND,
    TABLE_CODEC,
    EventCodec,
    JournalRecord,
    StreamHead,
    UnreadableEventError,
    codec_of,
    events_after,
    pack_events,
    unpack_events,
)
from fourcard.progressive.console import ConsoleEvent
from fourcard.table.events import TableEvent
from tests.kit.houses import house_with

MAIN = table_stream("main")
KINDS_OF_HOUSE = [
    "table_installed",
    "tray_counted",
    "tray_filled",
    "tray_credited",
    "drop_collected",
    "bought_in",
    "cashed_out",
    "shuffle_committed",
    "seed_chosen",
    "seed_committed",
    "seeds_called",
    "seed_revealed",
    "seeds_discarded",
    "shuffle_drawn",
    "round_sealed",
    "secret_revealed",
    "player_registered",
    "money_deposited",
    "money_withdrawn",
    "chips_bought",
    "chips_returned",
    "password_set",
    "staff_hired",
    "roles_changed",
    "staff_dismissed",
    "clock_confirmed",
    "motion_done",
    "installation_confirmed",
    "key_withdrawn",
    "win_marked",
    "win_unmarked",
    "win_logged",
    "game_reset",
    "link_lost",
    "link_restored",
    "meter_started",
    "table_linked",
    "table_unlinked",
    "stakes_added",
    "award_logged",
    "award_taken",
    "round_taken_back",
    "link_closed",
    "link_opened",
    "terms_changed",
    "adjustment_proposed",
    "adjustment_rejected",
    "meter_adjusted",
    "house_founded",
    "heads_signed",
    "house_restored",
    "key_rotated",
    "signing_began",
    "witness_added",
    "witness_removed",
    "table_restored",
    "meter_restored",
    "leave_asked",
    "leave_cancelled",
]
"""Written down apart from the code: a class that is renamed must not rename what journals hold."""


def record(kind: str, version: int, body: object) -> JournalRecord:
    """Return a record of a table."""
    return JournalRecord(MAIN, 1, 1, kind, version, 0, "", "", "", "", "", msgspec.json.encode(body))


def test_events_have_names_of_their_own_that_stay() -> None:
    unions: tuple[Any, ...] = (
        HouseTableEvent, ConsoleEvent, PlayerEvent, StaffEvent, MeterEvent, HouseEvent,
    )  # fmt: skip
    found = [event.__struct_config__.tag for union in unions for event in get_args(union)]
    assert sorted({*found}) == sorted(KINDS_OF_HOUSE)
    in_table = (*get_args(TableEvent), *get_args(HouseTableEvent), *get_args(ConsoleEvent))
    table = [event.__struct_config__.tag for event in in_table]
    assert len({*table}) == len(table)
    assert all(kind == kind.lower() and "." not in kind for kind in (*found, *table))


def test_an_older_version_is_lifted_on_reading() -> None:
    lifts = {
        ("seed_chosen", 1): lambda plain: {**plain, "seed": plain["word"]},
        ("seed_chosen", 2): lambda plain: {**plain, "player": plain["player"].lower()},
    }
    codec: EventCodec[Any] = EventCodec(TableEvent | HouseTableEvent, {"seed_chosen": 3}, lifts)
    oldest = record("seed_chosen", 1, {"kind": "seed_chosen", "player": "ANN", "word": "luck"})
    older = record("seed_chosen", 2, {"kind": "seed_chosen", "player": "ANN", "seed": "luck"})
    present = record("seed_chosen", 3, {"kind": "seed_chosen", "player": "ann", "seed": "luck"})
    expected = SeedChosen("ann", "luck")
    assert [codec.decode(each) for each in (oldest, older, present)] == [expected] * 3
    assert codec.kind_of(expected) == ("seed_chosen", 3)


@pytest.mark.parametrize("version", [0, 2, 99])
def test_a_version_that_is_not_known_is_refused_in_a_sentence(version: int) -> None:
    newer = record("seed_chosen", version, {"kind": "seed_chosen", "player": "ann", "seed": "s"})
    with pytest.raises(
        UnreadableEventError, match=rf"event 1 \(seed_chosen\).*version {version} is not known"
    ):
        TABLE_CODEC.decode(newer)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"kind": "nothing"}', b'{"kind": "seed_chosen"}'])
def test_a_body_that_cannot_be_read_is_refused_in_a_sentence(body: bytes) -> None:
    bad = JournalRecord(MAIN, 7, 7, "seed_chosen", 1, 0, "", "", "", "", "", body)
    with pytest.raises(UnreadableEventError, match="table/main, event 7"):
        TABLE_CODEC.decode(bad)


def test_a_stream_of_no_family_is_refused() -> None:
    assert {codec_of(name) for name in ("table/x", "meter/x", "player/x", "staff", "house", "security")} == {
        *CODECS.values()
    }
    with pytest.raises(UnreadableEventError, match="no family"):
        codec_of("kitchen/x")


def test_the_chain_is_what_the_page_says() -> None:
    """Recompute every hash with nothing but SHA-256 and JSON."""
    house = house_with()
    house.play(house.rehearsal("main", ("ann", "bob")), 2)
    looked = 0
    with house.store.reading() as reading:
        for stream, head in reading.streams().items():
            before, last = GENESIS, 0
            for each in reading.records(stream):
                assert (each.kind, each.command_sequence) == ("commands", last + 1)
                fields = (
                    each.stream, each.sequence, each.command_sequence, each.kind, each.version, each.at,
                    each.by, each.role, each.key, each.digest, each.game,
                )  # fmt: skip
                parts = (before, msgspec.json.encode(fields), each.command or b"", each.body)
                before = sha256(b"".join(parts)).digest()
                assert each.hash == before
                looked += each.sequence - last
                last = each.sequence
            assert head == StreamHead(last, before)
    assert looked > 100


def test_an_event_tells_who_did_it_in_which_role_and_under_which_game() -> None:
    house = house_with()
    house.play(house.rehearsal("main", ("ann", "bob")))
    with house.store.reading() as reading:
        records = [*reading.events(MAIN)]
    installed = TABLE_CODEC.decode(records[0])
    assert isinstance(installed, TableInstalled)
    assert installed.game == house.house_table("main").game_hash
    assert {each.game for each in records} == {""}
    placed = next(each for each in records if each.kind == "wager_placed")
    assert (placed.by, placed.role) == ("ann", "player")
    dealt = next(each for each in records if each.kind == "cards_dealt")
    assert (dealt.by, dealt.role) == ("crew", "dealer")


def test_only_the_first_event_of_a_command_bears_its_key() -> None:
    house = house_with()
    house.play(house.rehearsal("main", ("ann", "bob")))
    with house.store.reading() as reading:
        records = [*reading.events(MAIN)]
    for each in records:
        first = records[each.command_sequence - 1]
        assert first.command_sequence == first.sequence
        assert (each.key == "") or each is first
        assert (each.command is not None) == (each is first)
        assert each.digest == ""
    assert any(each.command_sequence < each.sequence for each in records)


WORDS = st.text(st.characters(codec="utf-8"), max_size=8)
PLAIN = st.dictionaries(WORDS, st.none() | st.integers(-(2**53), 2**53) | WORDS, max_size=3)
AUTHORS = st.tuples(WORDS, WORDS)


class PlainCommand(msgspec.Struct, frozen=True):
    """A command for a record: its body, its author, and the bodies and versions of its events."""

    command: bytes | None
    author: tuple[str, str]
    events: list[tuple[dict[str, Any], int]]


KINDS = WORDS.filter(lambda kind: kind not in (RECORD_KIND, SEALED_KIND))
BODIES = st.builds(lambda kind, plain: {**plain, "kind": kind}, KINDS, PLAIN)
COMMANDS = st.builds(
    PlainCommand,
    st.none() | PLAIN.map(msgspec.json.encode),
    st.sampled_from([("ann", "player"), ("crew", "dealer")]) | AUTHORS,
    st.lists(st.tuples(BODIES, st.sampled_from([1, 1, 1, 2, 7])), min_size=1, max_size=4),
)


def events_of(commands: list[PlainCommand], first: int, key: str) -> list[JournalRecord]:
    """Return the events of commands that were committed together."""
    events = list[JournalRecord]()
    for told in commands:
        began = first + len(events)
        for number, (body, version) in enumerate(told.events):
            command, own_key = (told.command, "" if events else key) if number == 0 else (None, "")
            event = JournalRecord(
                MAIN, began + number, began, body["kind"], version, 5, *told.author, own_key, "", "",
                msgspec.json.encode(body), command=command,
            )  # fmt: skip
            events.append(event)
    return events


@given(st.lists(COMMANDS, min_size=1, max_size=5), st.integers(1, 10**9), WORDS, st.binary(max_size=32))
def test_packed_events_are_unpacked_as_they_were(
    commands: list[PlainCommand], first: int, key: str, hash_: bytes
) -> None:
    events = events_of(commands, first, key)
    packed = replace(pack_events(events), hash=hash_)
    assert (packed.kind, packed.version, packed.first_sequence) == (RECORD_KIND, 1, first)
    assert (packed.sequence, packed.key) == (events[-1].sequence, key)
    assert (packed.digest, packed.game, packed.command) == ("", "", None)
    unpacked = unpack_events(packed)
    assert unpacked == [replace(each, hash=hash_) for each in events]
    assert replace(pack_events(unpacked), hash=hash_) == packed


@given(st.lists(COMMANDS, min_size=1, max_size=5), st.integers(0, 25))
def test_events_are_read_after_a_sequence_in_the_middle_of_a_record(
    commands: list[PlainCommand], after: int
) -> None:
    events = events_of(commands, 1, "")
    records = [pack_events(events), record("seed_chosen", 1, {"kind": "seed_chosen"})]
    assert [*events_after(records, after)] == [*events[after:], records[1]]


@given(st.lists(COMMANDS, min_size=1, max_size=3), st.integers(-2, 2).filter(bool))
def test_a_record_with_another_number_of_events_is_refused(commands: list[PlainCommand], wrong: int) -> None:
    packed = pack_events(events_of(commands, 10, ""))
    with pytest.raises(UnreadableEventError, match=r"it has \d+ events, not -?\d+"):
        unpack_events(replace(packed, command_sequence=packed.command_sequence + wrong))


def packed_body(body: bytes, version: int = 1) -> JournalRecord:
    """Return a stored record of one event with a body as it is written."""
    return JournalRecord(MAIN, 7, 7, RECORD_KIND, version, 0, "ann", "player", "", "", "", body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff",
        b"{}",
        b"[]",
        b"[[]]",
        b"[[[]]]",
        b"[[[],null]]",
        b'[[[{"kind":"a"}]]]',
        b'[[[{"kind":"a"},{"kind":"b"}],null]]',
        b'[[[{"kind":"a"}],null],[[],null]]',
        b'[[[{"kind":"a"}],null,null,[1],null]]',
        b'[[[{"kind":"a"}],null,null,[1,1]]]',
        b'[[[{"kind":"a"}],null,null,[]]]',
        b'[[[{"kind":"a"}],null,["ann"]]]',
        b'[[[{"kind":"a"}],null,"ann"]]',
        b'[[[{"kind":"commands"}],null]]',
        b"[[[{}],null]]",
        b"[[[7],null]]",
        b'[[[{"kind":"\xff"}],null]]',
        b'[[[{"kind":"a"}],null]] more',
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_a_record_that_cannot_be_unpacked_is_refused_in_a_sentence(body: bytes) -> None:
    with pytest.raises(UnreadableEventError, match=r"table/main, event 7 \(commands\) cannot be read: "):
        unpack_events(packed_body(body))


def test_what_a_record_leaves_out_is_that_of_the_record() -> None:
    (event,) = unpack_events(packed_body(b'[[[{"kind":"a"}],null]]'))
    assert event == JournalRecord(MAIN, 7, 7, "a", 1, 0, "ann", "player", "", "", "", b'{"kind":"a"}')
    (other,) = unpack_events(packed_body(b'[[[{"kind":"a"}],{"kind":"c"},["bob","dealer"],[3]]]'))
    assert (other.by, other.role, other.version, other.command) == ("bob", "dealer", 3, b'{"kind":"c"}')


@pytest.mark.parametrize("version", [0, 3])
def test_a_record_of_a_version_that_is_not_known_is_refused(version: int) -> None:
    with pytest.raises(UnreadableEventError, match=f"version {version} is not known"):
        unpack_events(packed_body(b'[[[{"kind":"a"}],null]]', version))


def test_a_record_of_one_event_in_its_row_stays_as_it_is() -> None:
    row = record("seed_chosen", 1, {"kind": "seed_chosen", "player": "ann", "seed": "s"})
    assert unpack_events(row) == [row]
    assert row.first_sequence == row.sequence

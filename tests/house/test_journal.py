"""The journal: stable names and versions, older ones lifted on reading, a chain that anyone can follow."""

from hashlib import sha256
from typing import Any, get_args

import msgspec
import pytest

from fourcard.house.decision import table_stream
from fourcard.house.events import HouseEvent, HouseTableEvent, MeterEvent, PlayerEvent, SeedChosen, StaffEvent
from fourcard.house.journal import (
    CODECS,
    GENESIS,
    TABLE_CODEC,
    EventCodec,
    JournalRecord,
    UnreadableEventError,
    codec_of,
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
    "shuffle_drawn",
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
    assert {codec_of(name) for name in ("table/x", "meter/x", "player/x", "staff", "house")} == {
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
            before = GENESIS
            for number, each in enumerate(reading.events(stream), 1):
                assert each.sequence == number
                fields = (
                    each.stream, each.sequence, each.command_sequence, each.kind, each.version, each.at,
                    each.by, each.role, each.key, each.digest, each.game,
                )  # fmt: skip
                parts = (before, msgspec.json.encode(fields), each.command or b"", each.body)
                before = sha256(b"".join(parts)).digest()
                assert each.hash == before
                looked += 1
            assert head.hash == before
    assert looked > 100


def test_an_event_tells_who_did_it_in_which_role_and_under_which_game() -> None:
    house = house_with()
    house.play(house.rehearsal("main", ("ann", "bob")))
    with house.store.reading() as reading:
        records = [*reading.events(MAIN)]
    assert {each.game for each in records} == {house.house_table("main").game_hash}
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

"""Rounds whose cards are keyed in: their records are sealed from the first card until the round is over."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fourcard.house import decide_shuffle
from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import WaitReason
from fourcard.house.commands import InstallTable
from fourcard.house.decision import Decision, table_stream
from fourcard.house.events import RoundSealed, SecretRevealed, SeedsDiscarded, ShuffleCommitted, ShuffleDrawn
from fourcard.house.finished_rounds import export_rounds
from fourcard.house.journal import SEALED_KIND, codec_of, unpack_events
from fourcard.house.recovery import RestoreEvidence, recover
from fourcard.house.route_command import CommandResult
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from fourcard.round.commands import Deal, ReportIrregularity
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded
from fourcard.server.floor.messages import TableContext, public_table
from fourcard.server.floor.projections import LiveSnapshot
from fourcard.table.autopilot import with_cards
from fourcard.table.commands import CloseTable
from tests.kit.audited_houses import PLAYERS, Founded, play, told
from tests.kit.houses import play_keyed, shuffled_seldom, submission_text

MAIN = table_stream("main")
CARDS = (*range(0, 52, 3), *range(1, 52, 3), *range(2, 52, 3))
CONTEXT = TableContext(0, WaitReason("players"), frozenset(), None)
OF_SECRETS = (RoundSealed, SecretRevealed, SeedsDiscarded, ShuffleCommitted, ShuffleDrawn)


def house_of(store: Store, cards: str = "keyed") -> Founded:
    """Return a founded house with an open table and players at it."""
    made = Founded(store)
    made.staff()
    made.register(*PLAYERS)
    made.install("main", "maryland", cards=cards)
    made.open("main")
    made.seat("main", PLAYERS)
    return made


def sequence_of_secrets(made: Founded, after: int = 0) -> list[tuple[type, int]]:
    """Return the events of the table that belong to secrets, with their numbers."""
    with made.store.reading() as reading:
        found: list[Any] = [codec_of(MAIN).decode(each) for each in reading.events(MAIN, after)]
    own = [each for each in found if isinstance(each, OF_SECRETS)]
    return [(type(each), each.number if isinstance(each, RoundSealed) else each.shuffle) for each in own]


def readable_cards(store: Store) -> int:
    """Return how many cards somebody with the database alone reads in the journal of the table."""
    with store.reading() as reading:
        plain = [each for each in reading.records(MAIN) if each.kind != SEALED_KIND]
    found = [codec_of(MAIN).decode(event) for each in plain for event in unpack_events(each)]
    cards = [each.cards if isinstance(each, CardsDealt) else () for each in found]
    return sum(map(len, cards)) + sum(isinstance(each, FaceUpCardDiscarded) for each in found)


def is_clean(store: Store) -> list[str]:
    """Find nothing, and return what the audit cannot exclude."""
    report = audit(store)
    assert report.clean, told(report)
    return list(report.cannot_exclude)


def test_nobody_reads_keyed_cards_in_the_database_before_the_round_is_over(tmp_path: Path) -> None:
    """Kill the house after every command of two rounds, and read the file without the key."""
    store = open_store(tmp_path / "house.db")
    made = house_of(store)
    stranger = open_store(tmp_path / "house.db", writing=False)
    stranger.key = None
    shown, hidden = 0, 0

    def look(_answer: CommandResult) -> bool:
        nonlocal hidden
        current_round = made.house_table("main").state.round
        if current_round is not None:
            assert readable_cards(stranger) == shown
            hidden += bool(current_round.dealt_mask)
        made.restart()
        return False

    for number in (1, 2):
        play_keyed(made, "main", PLAYERS, CARDS, keys=f"k{number}", until=look)
        before, shown = shown, readable_cards(stranger)
        assert shown >= before + 5 * len(PLAYERS) + 6
        assert not any("are sealed" in each for each in is_clean(stranger))
        assert sequence_of_secrets(made)[-2:] == [(RoundSealed, number), (SecretRevealed, number)]
    assert hidden > 20
    with stranger.reading() as reading:
        assert not reading.secrets()
    assert not any("proof" in line for line in export_rounds(stranger))
    stranger.close()
    store.close()


def deal_due(made: Founded, keys: str) -> None:
    """Play until the first card of a round is due."""
    bots = made.rehearsal("main", PLAYERS, keys=keys)
    while not isinstance((request := bots.next(made.house_table("main"))).command, Deal):
        command = with_cards(made.house_table("main").state, request.command, CARDS)
        made.do(request.stream, command, request.actor)


def test_a_card_found_face_up_before_the_deal_seals_the_round_and_a_void_opens_it() -> None:
    made = house_of(MemoryStore())
    deal_due(made, "k1")
    start = made.heads()[MAIN]
    made.at("main", ReportIrregularity(irregularity="one_face_up_card", card=CARDS[-1]))
    assert sequence_of_secrets(made, start) == [(RoundSealed, 1)]
    with made.store.reading() as reading:
        *_, last = reading.stored_records(MAIN)
    assert last.kind == SEALED_KIND
    made.at("main", ReportIrregularity(irregularity="more_face_up_cards", card=CARDS[-2]))
    assert made.between("main")
    assert sequence_of_secrets(made, start) == [(RoundSealed, 1), (SecretRevealed, 1)]
    is_clean(made.store)


def test_a_restore_in_the_middle_of_a_round_opens_it_and_commits_to_nothing() -> None:
    made = house_of(MemoryStore())
    deal_due(made, "k1")
    play_keyed(made, "main", PLAYERS, CARDS, keys="k2", until=lambda _answer: True)
    assert made.house_table("main").shuffle_in_play == 1
    with made.store.writing() as writing:
        recover(writing, RestoreEvidence("restore"), made.entropy, made.clock.at + 1_000)
    made.restart()
    made.clock.at += 1_000
    assert sequence_of_secrets(made) == [(RoundSealed, 1), (SecretRevealed, 1)]
    made.open("main")
    made.seat("main", PLAYERS)
    play_keyed(made, "main", PLAYERS, CARDS, keys="k3")
    assert sequence_of_secrets(made)[2:] == [(RoundSealed, 2), (SecretRevealed, 2)]
    is_clean(made.store)


def test_a_table_changes_between_shuffled_and_keyed_cards() -> None:
    """The open commitment is retired by the first keyed card, and shown to nobody at a keyed table."""
    made = house_of(MemoryStore(), cards="built-in")
    play(made, "main", 1)
    for cards in ("keyed", "built-in"):
        made.at("main", CloseTable(role="floorperson"))
        start, number = made.heads()[MAIN], made.house_table("main").shuffle_number
        made.at("main", InstallTable(submission=submission_text("maryland"), cards=cards))
        table = made.house_table("main")
        shown = public_table(LiveSnapshot(table, 0), CONTEXT).commitment
        made.open("main")
        made.seat("main", PLAYERS)
        if cards == "keyed":
            assert not shown
            play_keyed(made, "main", PLAYERS, CARDS, keys="keyed")
            assert sequence_of_secrets(made, start) == [
                (SeedsDiscarded, number),
                (RoundSealed, number + 1),
                (SecretRevealed, number),
                (SecretRevealed, number + 1),
            ]
        else:
            assert shown == table.commitment != ""
            made.play(made.rehearsal("main", PLAYERS, keys="again"))
            assert sequence_of_secrets(made, start)[:2] == [
                (ShuffleCommitted, number + 1),
                (ShuffleDrawn, number + 1),
            ]
    assert ["proof" in line for line in export_rounds(made.store)] == [True, False, True]
    is_clean(made.store)


def test_a_round_is_opened_although_its_deck_is_not_shuffled_again() -> None:
    with patch("fourcard.house.state_cache.game_of_submission", shuffled_seldom):
        made = house_of(MemoryStore())
    play_keyed(made, "main", PLAYERS, CARDS)
    assert sequence_of_secrets(made) == [(RoundSealed, 1), (SecretRevealed, 1)]
    is_clean(made.store)


def test_older_versions_sealed_no_keyed_cards_and_later_ones_must(monkeypatch: pytest.MonkeyPatch) -> None:
    made = house_of(MemoryStore())
    with monkeypatch.context() as older:
        older.setattr(decide_shuffle, "_with_seal", lambda _states, _table, decided: Decision(decided))
        play_keyed(made, "main", PLAYERS, CARDS, keys="k1")
        deal_due(made, "k2")
        play_keyed(made, "main", PLAYERS, CARDS, keys="k3", until=lambda _answer: True)
    assert not sequence_of_secrets(made)
    play_keyed(made, "main", PLAYERS, CARDS, keys="k4")
    assert sequence_of_secrets(made) == [(RoundSealed, 1), (SecretRevealed, 1)]
    is_clean(made.store)
    with monkeypatch.context() as older:
        older.setattr(decide_shuffle, "_with_seal", lambda _states, _table, decided: Decision(decided))
        play_keyed(made, "main", PLAYERS, CARDS, keys="k5")
    assert [finding.what for finding in audit(made.store).findings] == ["rules"]

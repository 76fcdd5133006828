"""The security log: one note a minute of the same, so many a minute of all, and nothing uncounted."""

import logging
from contextlib import AbstractContextManager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourcard.house.auth.identity import MAX_SHOWN_LENGTH
from fourcard.house.auth.security import SecurityNote, security_notes
from fourcard.house.auth.sign_in import (
    MAX_BY_ONE,
    MAX_PER_MINUTE,
    MAX_REASON_LENGTH,
    MAX_REPEATS_REMEMBERED,
    MINUTE,
    SecurityLog,
)
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.command_service import CommandService
from fourcard.house.store.interface import StoreError, WriteTransaction
from fourcard.house.store.memory import MemoryStore

START = SimulatedClock().at


class BrokenStore(MemoryStore):
    """A store that can be broken and mended."""

    broken = False

    def writing(self) -> AbstractContextManager[WriteTransaction]:  # type: ignore[override]
        """Open a transaction, or fail."""
        if self.broken:
            raise StoreError("The disk is full.")
        return super().writing()


class LoggedHouse:
    """A log with its store and clock."""

    def __init__(self, most: int = MAX_PER_MINUTE) -> None:
        """Begin empty."""
        self.store, self.clock = BrokenStore(), SimulatedClock()
        self.log = SecurityLog(CommandService(self.store, self.clock, SeededEntropy(1)), most)

    def note(
        self, by: str = "ann", what: str = "deal", reason: str = "not_permitted", *, at: int = 0
    ) -> None:
        """Note something at so many milliseconds from the start."""
        self.clock.at = START + at
        self.log.note(by, what, reason)

    def notes(self) -> list[tuple[int, str, int]]:
        """Return what is stored, the oldest first: when, who or what, and how many were left out."""
        with self.store.reading() as reading:
            kept = reversed(security_notes(reading, 100_000))
        return [(note.at - START, note.by or note.what, note.repeated) for note in kept]


def test_a_note_says_when_who_what_and_why() -> None:
    house = LoggedHouse()
    house.note()
    with house.store.reading() as reading:
        assert list(security_notes(reading)) == [SecurityNote(START, "ann", "deal", "not_permitted")]


def test_the_same_is_stored_once_a_minute_and_the_rest_is_counted() -> None:
    house = LoggedHouse()
    for at in (0, 1, MINUTE - 1, MINUTE, MINUTE + 1, 2 * MINUTE):
        house.note(at=at)
    assert house.notes() == [(0, "ann", 0), (MINUTE, "ann", 2), (2 * MINUTE, "ann", 1)]


@pytest.mark.parametrize("other", [("ben", "deal", "r"), ("ann", "fold", "r"), ("ann", "deal", "s")])
def test_another_person_command_or_reason_is_another_note(other: tuple[str, str, str]) -> None:
    house = LoggedHouse()
    house.note("ann", "deal", "r")
    house.note(*other)
    assert len(house.notes()) == 2


def test_all_together_so_many_are_stored_in_a_minute_with_one_summary_later() -> None:
    house = LoggedHouse(most=3)
    for number in range(10):
        house.note(f"p{number}", at=number)
    assert house.notes() == [(0, "p0", 0), (1, "p1", 0), (2, "p2", 0)]
    house.note("late", at=MINUTE)
    assert house.notes()[3:] == [(MINUTE, "security log", 7), (MINUTE, "late", 0)]
    house.note("later", at=2 * MINUTE)
    assert house.notes()[5:] == [(2 * MINUTE, "later", 0)]


def test_the_last_note_of_a_full_minute_is_stored_and_the_next_is_not() -> None:
    house = LoggedHouse()
    for number in range(MAX_PER_MINUTE + 1):
        house.note(f"p{number}")
    assert len(house.notes()) == MAX_PER_MINUTE
    house.log.flush()
    assert house.notes()[-1] == (0, "security log", 1)


def test_the_noise_of_some_does_not_hide_another() -> None:
    house = LoggedHouse()
    for number in range(MAX_BY_ONE * 3):
        for person in ("p1", "p2", "p3"):
            house.note(by=person, what=f"command {number}")
    house.note(by="root", what="staff sign-in", reason="failed")
    noted = [who for _, who, _ in house.notes()]
    assert [noted.count(person) for person in ("p1", "p2", "p3", "root")] == [MAX_BY_ONE] * 3 + [1]


def test_a_flush_stores_what_was_counted_once() -> None:
    house = LoggedHouse(most=1)
    for by in ("ann", "ann", "ann", "ben"):
        house.note(by)
    house.log.flush()
    house.log.flush()
    assert house.notes() == [(0, "ann", 0), (0, "security log", 3)]


def test_memory_is_bounded_and_what_is_forgotten_is_counted() -> None:
    house = LoggedHouse(most=MAX_REPEATS_REMEMBERED + 2)
    for number in (0, 0, *range(1, MAX_REPEATS_REMEMBERED)):
        house.note(f"p{number}")
    house.note("p0")
    assert len(house.notes()) == MAX_REPEATS_REMEMBERED
    house.note("one more")
    house.note("p0")
    assert house.notes()[-2:] == [(0, "one more", 0), (0, "p0", 0)]
    house.log.flush()
    assert house.notes()[-1] == (0, "security log", 2)


def test_texts_are_cut_and_printable() -> None:
    house = LoggedHouse()
    house.note("a\n\x1b[31m\ud800" + "b" * 999, "w" * 999, "r" * 999)
    with house.store.reading() as reading:
        (note,) = security_notes(reading)
    assert note.by == "a??[31m?" + "b" * (MAX_SHOWN_LENGTH - 8)
    assert (len(note.what), len(note.reason)) == (MAX_SHOWN_LENGTH, MAX_REASON_LENGTH)


def test_a_store_that_fails_hides_nothing_and_what_was_lost_is_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    house = LoggedHouse()
    house.store.broken = True
    with caplog.at_level(logging.ERROR, "fourcard.security"):
        house.note("ann")
    assert "could not be stored" in caplog.text
    house.note("ann", at=1)
    house.store.broken = False
    house.note("ben", at=MINUTE)
    assert house.notes() == [(MINUTE, "security log", 1), (MINUTE, "ben", 0)]
    house.note("ann", at=MINUTE + 1)
    assert house.notes()[-1] == (MINUTE + 1, "ann", 1)


def test_a_clock_that_is_set_back_neither_floods_nor_silences_the_log() -> None:
    house = LoggedHouse()
    house.note(at=0)
    house.note(at=1 - MINUTE)
    assert len(house.notes()) == 1
    house.note(at=-MINUTE)
    assert house.notes() == [(0, "ann", 0), (-MINUTE, "ann", 1)]


MOMENTS = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 90_000), st.booleans()), min_size=1, max_size=60
)


@given(MOMENTS)
def test_everything_that_was_noted_is_stored_or_counted(moments: list[tuple[str, int, bool]]) -> None:
    house, at = LoggedHouse(most=3), 0
    for by, step, broken in moments:
        at, house.store.broken = at + step // 3, broken
        logging.disable(logging.ERROR)
        house.note(by, at=at)
        logging.disable(logging.NOTSET)
    house.store.broken = False
    house.log.flush()
    stored = house.notes()
    own = [note for note in stored if note[1] != "security log"]
    assert len(own) + sum(repeated for _, _, repeated in stored) == len(moments)
    for begin, _, _ in own:
        assert len([one for one in own if begin <= one[0] < begin + MINUTE]) <= 2 * 3

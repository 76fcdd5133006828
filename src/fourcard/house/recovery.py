"""Recovery: makes a house safe that continues from an older state than players have seen (P38).

Players may know secrets of shuffles that this state has yet to use, and saw higher meters on the signs. So
every secret is retired and a new one committed to, rounds under way are void, tables are closed, sign-ins are
ended, and meters wait for a reading. All of it is one transaction with the event that records it.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from fourcard.house.at_table import meter_reactions
from fourcard.house.departures import release
from fourcard.house.events import CashedOut, HouseRestored, LostEvents, RestoreCause, TableRestored
from fourcard.house.gap import gap_of
from fourcard.house.journal import UnreadableEventError, codec_of, house_record
from fourcard.house.library import BrokenStreamError, Library
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_events import MeterRestored
from fourcard.house.outcome import HOUSE, Outcome, player_stream, table_stream
from fourcard.house.ports import Entropy
from fourcard.house.records import Head
from fourcard.house.shuffling import committed, revealed, spent
from fourcard.house.signing import Anchor
from fourcard.house.store.contract import Reading, SecurityNote, Writing
from fourcard.house.table_book import Games, TableBook
from fourcard.house.watermark import Seen, Watermark, marks_of
from fourcard.house.writing import Draft
from fourcard.round.events import RoundVoided
from fourcard.round.voiding import voided
from fourcard.table.events import TableClosed

RESTORED = "house_restored"
"""The kind of event that records a recovery."""
ID_BYTES = 8
FAMILIES = ("meter/", "player/", "table/")
"""The streams to lock, all at once and in order."""


class Evidence(msgspec.Struct, frozen=True):
    """Why a house recovers, and what is known of the lost state."""

    cause: RestoreCause
    seen: Seen | None = None
    anchors: tuple[Anchor, ...] = ()


def restores_of(reading: Reading) -> tuple[HouseRestored, ...]:
    """Return every recovery of a house."""
    records = (record for record in reading.events(HOUSE) if record.kind == RESTORED)
    return tuple(codec_of(HOUSE).decode(record) for record in records)


def restore_ids(reading: Reading) -> tuple[str, ...]:
    """Return the ids of all recoveries, the newest last."""
    return tuple(event.id for event in restores_of(reading))


def last_seen(reading: Reading, restore: int) -> dict[str, int]:
    """Return, by stream, the cents on meters and accounts before a restore, if known."""
    lost = (each for event in restores_of(reading) if event.restore == restore for each in event.lost)
    return {each.stream: each.seen for each in lost if each.seen is not None}


def close_restored(games: Games, book: TableBook, restore: int, at: int) -> Outcome:
    """Return how a table ends: the round void, everybody cashed out, and the table closed."""
    events: list[Any] = [TableRestored(restore)]
    if book.state.round is not None:
        events.append(voided(book.state.round, ("P38",), ("void", "return-wagers")))
    if book.state.phase != "closed":
        events.append(TableClosed(at))
    closed = release(games, book, Outcome(events))
    assert isinstance(closed, Outcome)
    return closed


def recover(writing: Writing, evidence: Evidence, entropy: Entropy, now: int) -> HouseRestored:
    """Make a house safe that continues from an older state; the caller commits the transaction."""
    return _Recovery(writing, entropy, now).run(evidence)


class _Recovery:
    """One recovery under way."""

    def __init__(self, writing: Writing, entropy: Entropy, now: int) -> None:
        self.writing, self.now = writing, now
        self.head = writing.heads([HOUSE])[HOUSE]
        self.library = Library(entropy)
        self.library.look(writing)
        self.draft = Draft(self.library, writing)
        self.restore, self.id = len(restore_ids(writing)) + 1, entropy.draw(ID_BYTES).hex()
        self.voided: list[tuple[str, int]] = []
        self.unreadable: list[str] = []

    def run(self, evidence: Evidence) -> HouseRestored:
        lost = gap_of(self.writing, evidence.seen, evidence.anchors)
        heads = self.writing.heads(name for name in self.writing.streams() if name.startswith(FAMILIES))
        self._read({name: head for name, head in heads.items() if not name.startswith("player/")})
        self._read({name: heads[name] for name in self._accounts() if name in heads})
        for stream in sorted(self.library.books):
            self._recover(stream, self.library.books[stream])
        self.draft.write()
        event = self._event(evidence.cause, lost)
        self.writing.append([house_record(self.head, event, self.now)])
        self.writing.note_security(SecurityNote(self.now, HOUSE, evidence.cause, _describe(event)))
        return event

    def _read(self, heads: Mapping[str, Head]) -> None:
        """Read streams; an unreadable stream takes no commands, so its secrets are never used."""
        for stream, head in heads.items():
            try:
                self.library.bring(stream, head)
            except (BrokenStreamError, UnreadableEventError):
                self.library.drop([stream])
                self.unreadable.append(stream)

    def _accounts(self) -> set[str]:
        """Return the accounts of everybody with chips at a table."""
        tables = [book for book in self.library.books.values() if isinstance(book, TableBook)]
        rounds = [book.state.round for book in tables if book.state.round is not None]
        holders = {player for book in tables for player in book.chip_holders}
        playing = {
            place.player for under_way in rounds for place in under_way.places.values() if place.player
        }
        return {*map(player_stream, holders | playing)}

    def _recover(self, stream: str, book: object) -> None:
        if isinstance(book, MeterBook):
            self.draft.begin_by_house(self.now)
            self.draft.add(stream, MeterRestored(self.restore))
        elif isinstance(book, TableBook):
            at = max(self.now, book.state.at)
            self.draft.begin_by_house(at)
            self._close(book, at)
            self._retire(book.table)

    def _close(self, book: TableBook, at: int) -> None:
        """Void the round under way, cash everybody out and close the table; the meter reverses its part."""
        closed = close_restored(self.library.game, book, self.restore, at)
        if any(stream not in self.library.books for stream, _ in closed.others):
            # Chips stay at the table if their account is unreadable.
            closed = Outcome([event for event in closed.events if not isinstance(event, CashedOut)])
        followed = (
            meter_reactions(self.library.meter(book.meter), book, closed.events, at) if book.meter else ()
        )
        for event in closed.events:
            self.draft.add(table_stream(book.table), event)
            if isinstance(event, RoundVoided):
                self.voided.append((book.table, book.state.number))
        for stream, event in (*closed.others, *followed):
            self.draft.add(stream, event)

    def _retire(self, table: str) -> None:
        """Reveal every secret of a table, including the unused one, and commit to a new one."""
        stream, book = table_stream(table), self.library.table(table)
        if not book.shuffle:
            return
        for number in (*spent(book), book.shuffle):
            self._reveal(book, number)
        commitment, secret = committed(self.library, book)
        self.draft.keep(Outcome([commitment], secrets=[secret]))
        self.draft.add(stream, commitment)

    def _reveal(self, book: TableBook, number: int) -> None:
        """Reveal a secret; a missing secret is never used either, and the audit reports it."""
        try:
            event = revealed(self.library, book, number)
        except BrokenStreamError:
            return
        self.draft.add(table_stream(book.table), event)
        self.draft.forget(table_stream(book.table), number)

    def _event(self, cause: RestoreCause, lost: tuple[LostEvents, ...]) -> HouseRestored:
        return HouseRestored(
            restore=self.restore,
            id=self.id,
            cause=cause,
            voided=tuple(self.voided),
            signed_out=_sign_everybody_out(self.writing, self.now),
            lost=lost,
            unreadable=tuple(self.unreadable),
        )


def _sign_everybody_out(writing: Writing, at: int) -> int:
    people = {(token.kind, token.person) for token in writing.tokens() if not token.revoked}
    return sum(writing.revoke_tokens(kind, person, max(at, 1)) for kind, person in sorted(people))


def _describe(event: HouseRestored) -> str:
    lost = sum(each.events for each in event.lost)
    rounds = f"{len(event.voided)} rounds void, {event.signed_out} sign-ins ended"
    return f"restore {event.restore}: {rounds}, {lost} events known to be lost"


def note_state(watermark: Watermark, reading: Reading, seen: Seen | None) -> None:
    """Bring a watermark up to the state of a database, by a few lines or as a whole."""
    ids, marks = restore_ids(reading), marks_of(reading)
    newest = ids[-1] if ids else ""
    if seen is None or seen.restore != newest:
        watermark.write(Seen(newest, marks))
        return
    watermark.add(
        mark
        for stream, mark in marks.items()
        if stream not in seen.marks or seen.marks[stream].sequence != mark.sequence
    )

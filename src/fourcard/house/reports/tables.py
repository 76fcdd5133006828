"""Table status: game, phase, seats, decks with their age, next stub count, tray and meter of every table."""

from collections.abc import Iterator

import msgspec

from fourcard.house.library import Library
from fourcard.house.outcome import meter_stream, table_stream
from fourcard.house.ports import SystemEntropy
from fourcard.house.reports.days import HOUR
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from fourcard.rules.nodes import cite
from fourcard.table.agenda import mixing
from fourcard.table.state import Deck, TableState


class DeckNow(msgspec.Struct, frozen=True):
    """A deck and how long it is in use."""

    back: str
    hours: int
    """Whole hours since it came to the table."""
    most_hours: int | None
    """After how many hours it must be changed; None where the rulebook has no limit."""
    clauses: tuple[str, ...]
    in_play: bool
    removed: bool

    @property
    def overdue(self) -> bool:
        """Return whether the deck must be changed before the next round."""
        return self.most_hours is not None and self.hours >= self.most_hours


class MeterNow(msgspec.Struct, frozen=True):
    """A progressive meter, in units."""

    name: str
    units: int
    reserve: int
    taken: int
    """How often the whole meter was won."""


class TableNow(msgspec.Struct, frozen=True, kw_only=True):
    """The status of one table."""

    table: str
    submission: str
    rulebook: str
    edition: str
    game: str
    cards: str
    phase: str
    round: int
    """The number of the current or last round."""
    in_round: str
    """The phase of the current round; empty between rounds."""
    seats: dict[int, str]
    decks: tuple[DeckNow, ...]
    count_in: int | None
    """In how many rounds the stub is counted, 1 for the next; None where no count is required."""
    count_clauses: tuple[str, ...]
    tray: int
    drop: int
    meter: MeterNow | None

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        decks = [{**msgspec.to_builtins(deck), "overdue": deck.overdue} for deck in self.decks]
        seats = {str(position): player for position, player in sorted(self.seats.items())}
        return {**msgspec.to_builtins(self), "decks": decks, "seats": seats}


def tables_now(reading: Reading, now: int) -> tuple[TableNow, ...]:
    """Return every installed table by name; deck ages are at the given time."""
    library = Library(SystemEntropy())
    library.look(reading)
    heads = reading.streams()
    found = list[TableNow]()
    for stream in sorted(each for each in heads if each.startswith(table_stream(""))):
        library.bring(stream, heads[stream])
        book = library.table(stream.partition("/")[2])
        if book.meter:
            linked = meter_stream(book.meter)
            library.bring(linked, heads[linked])
        found.append(_table(library, book, book.state, now))
    return tuple(found)


def _table(library: Library, book: TableBook, state: TableState, now: int) -> TableNow:
    names, submission, rulebook = book.names, state.game.submission, state.game.rulebook
    counting = state.rules.dealing.counting
    return TableNow(
        table=book.table,
        submission=submission.name,
        rulebook=rulebook.id,
        edition=rulebook.edition,
        game=state.game.hash,
        cards=book.cards,
        phase=state.phase,
        round=state.number,
        in_round=state.round.phase if state.round is not None else "",
        seats=dict(state.seats),
        decks=tuple(_decks(state, now)),
        count_in=_count_in(state),
        count_clauses=cite(counting.every, counting.waived_by_counting_shuffler),
        tray=book.cents(names.tray),
        drop=book.cents(names.drop),
        meter=_meter(library, book.meter) if book.meter else None,
    )


def _decks(state: TableState, now: int) -> Iterator[DeckNow]:
    rule = state.rules.dealing.change_hours
    most = None if rule is None else rule.value
    for number, deck in enumerate(state.decks if state.phase != "closed" else ()):
        yield DeckNow(deck.back, _hours(deck, now), most, cite(rule), number == state.active, deck.removed)


def _hours(deck: Deck, now: int) -> int:
    return max(0, now - deck.since) // HOUR


def _count_in(state: TableState) -> int | None:
    """Return in how many rounds the stub is counted; None where a shuffler counts the deck instead."""
    every = state.rules.dealing.counting.every
    if every is None or (state.game.stub_count_waived and mixing(state) == "by-machine"):
        return None
    return max(1, every.value - state.since_count)


def _meter(library: Library, name: str) -> MeterNow:
    meter = library.meter(name).meter
    return MeterNow(name, meter.amount, meter.reserve, meter.taken)

"""What each table is now: game, phase, seats, decks with their age, the next stub count, tray and meter."""

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
    """A deck and how long it has served."""

    back: str
    hours: int
    """Whole hours since it came to the table."""
    most_hours: int | None
    """After how many hours it must be changed, where the rulebook says so."""
    clauses: tuple[str, ...]
    in_play: bool
    removed: bool

    @property
    def overdue(self) -> bool:
        """Say whether it may not serve another round."""
        return self.most_hours is not None and self.hours >= self.most_hours


class MeterNow(msgspec.Struct, frozen=True):
    """A progressive meter, in units."""

    name: str
    units: int
    reserve: int
    taken: int
    """How often all of it has been won."""


class TableNow(msgspec.Struct, frozen=True, kw_only=True):
    """One table at one moment."""

    table: str
    submission: str
    rulebook: str
    edition: str
    game: str
    cards: str
    phase: str
    round: int
    """The number of the round under way, or of the last one."""
    in_round: str
    """In which phase the round under way is; empty between rounds."""
    seats: dict[int, str]
    decks: tuple[DeckNow, ...]
    count_in: int | None
    """In which round from now the stub is counted, 1 being the next; None where no count is a duty."""
    count_clauses: tuple[str, ...]
    tray: int
    drop: int
    meter: MeterNow | None

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it."""
        decks = [{**msgspec.to_builtins(deck), "overdue": deck.overdue} for deck in self.decks]
        seats = {str(position): player for position, player in sorted(self.seats.items())}
        return {**msgspec.to_builtins(self), "decks": decks, "seats": seats}


def tables_now(reading: Reading, now: int) -> tuple[TableNow, ...]:
    """Return every table that was installed, by name, with ages as of a moment."""
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
    """Return in which round the next count falls, none where a shuffler counts the deck instead."""
    every = state.rules.dealing.counting.every
    if every is None or (state.game.stub_count_waived and mixing(state) == "by-machine"):
        return None
    return max(1, every.value - state.since_count)


def _meter(library: Library, name: str) -> MeterNow:
    meter = library.meter(name).meter
    return MeterNow(name, meter.amount, meter.reserve, meter.taken)

"""House status: its identity, its staff, and the state of every table."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import asdict

from fourcard.answers import InCents, InUnits
from fourcard.house.auth.security import security_notes
from fourcard.house.auth.staff import StaffState
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import HOUSE, STAFF, StateReader
from fourcard.house.head_signatures import HouseIdentity, identity_of
from fourcard.house.reports.event_scan import table_names
from fourcard.house.reports.formats import format_time
from fourcard.house.running_totals import HOUR
from fourcard.house.state_cache import StateCache
from fourcard.house.store.interface import ReadTransaction
from fourcard.house.table_state import HouseTable
from fourcard.rules.cited import clauses_of
from fourcard.table.deck_preparation import shuffle_method
from fourcard.table.state import Deck, TableState


def house_identity(reading: ReadTransaction) -> HouseIdentity | None:
    """Return the name and the keys of a house, or None where there is none."""
    return identity_of(reading.records(HOUSE))


class StaffMember(msgspec.Struct, frozen=True):
    """A member of staff; a dismissed one has no roles."""

    person: str
    name: str
    roles: tuple[str, ...]
    password: bool
    """Whether the person has a password and can sign in."""


def current_staff(reading: ReadTransaction) -> StaffState:
    """Return the current staff."""
    head = reading.streams([STAFF]).get(STAFF)
    if head is None:
        return StaffState()
    cache = StateCache(SystemEntropy())
    cache.use_reader(reading)
    cache.catch_up(STAFF, head)
    return cache.staff()


def staff_members(reading: ReadTransaction) -> tuple[StaffMember, ...]:
    """Return everybody who works here or did before, by id."""
    known = sorted(current_staff(reading).people.items())
    return tuple(StaffMember(person, each.name, each.roles, each.password) for person, each in known)


class DeckStatus(msgspec.Struct, frozen=True):
    """A deck and how long it is in use."""

    back: str
    hours: int
    """Whole hours since it came to the table."""
    most_hours: int | None
    """After how many hours it must be changed; None where the rulebook has no limit."""
    clauses: tuple[str, ...]
    in_play: bool
    removed: bool

    overdue: bool
    """Whether the deck must be changed before the next round."""


class MeterBalance(msgspec.Struct, frozen=True):
    """A progressive meter, in units."""

    name: str
    units: InUnits
    reserve: InUnits
    taken: int
    """How often the whole meter was won."""


class TableStatus(msgspec.Struct, frozen=True, kw_only=True):
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
    seats: dict[str, str]
    """Players by position."""
    decks: tuple[DeckStatus, ...]
    count_in: int | None
    """In how many rounds the stub is counted, 1 for the next; None where no count is required."""
    count_clauses: tuple[str, ...]
    tray: InCents
    drop: InCents
    meter: MeterBalance | None


def table_statuses(reading: ReadTransaction, now: int) -> tuple[TableStatus, ...]:
    """Return every installed table by name; deck ages are at the given time."""
    cache = StateCache(SystemEntropy())
    cache.use_reader(reading)
    for family in ("meter", "table"):
        for stream, head in reading.streams_of(family).items():
            cache.catch_up(stream, head)
    return statuses_of(cache, table_names(reading), now)


def statuses_of(states: StateReader, names: Iterable[str], now: int) -> tuple[TableStatus, ...]:
    """Return the installed ones of some tables from states that are up to date."""
    tables = map(states.find_table, names)
    return tuple(
        _table_status(states, table, table.state, now) for table in tables if isinstance(table, HouseTable)
    )


def _table_status(cache: StateReader, table: HouseTable, state: TableState, now: int) -> TableStatus:
    names, submission, rulebook = table.accounts, state.game.submission, state.game.rulebook
    counting = state.rules.dealing.counting
    return TableStatus(
        table=table.name,
        submission=submission.name,
        rulebook=rulebook.id,
        edition=rulebook.edition,
        game=state.game.hash,
        cards=table.card_source,
        phase=state.phase,
        round=state.round_number,
        in_round=state.round.phase if state.round is not None else "",
        seats={str(position): player for position, player in sorted(state.seats.items())},
        decks=tuple(_deck_statuses(state, now)),
        count_in=_rounds_to_count(state),
        count_clauses=clauses_of(counting.every, counting.waived_by_counting_shuffler),
        tray=table.cents(names.tray),
        drop=table.cents(names.drop),
        meter=_meter_balance(cache, table.meter) if table.meter else None,
    )


def _deck_statuses(state: TableState, now: int) -> Iterator[DeckStatus]:
    rule = state.rules.dealing.change_hours
    most = None if rule is None else rule.value
    for number, deck in enumerate(state.decks if state.phase != "closed" else ()):
        hours, in_play = _hours(deck, now), number == state.active
        overdue = most is not None and hours >= most
        yield DeckStatus(deck.back, hours, most, clauses_of(rule), in_play, deck.removed, overdue)


def _hours(deck: Deck, now: int) -> int:
    return max(0, now - deck.since) // HOUR


def _rounds_to_count(state: TableState) -> int | None:
    """Return in how many rounds the stub is counted; None where a shuffler counts the deck instead."""
    every = state.rules.dealing.counting.every
    if every is None or (state.game.stub_count_waived and shuffle_method(state) == "by-machine"):
        return None
    return max(1, every.value - state.since_count)


def _meter_balance(cache: StateReader, name: str) -> MeterBalance:
    meter = cache.meter(name).amounts
    return MeterBalance(name, meter.amount, meter.reserve, meter.whole_meter_wins)


class SecurityEntry(msgspec.Struct, frozen=True):
    """A note of the security log."""

    at: int
    by: str
    what: str
    reason: str
    repeated: int
    """How often the same note was left out since the one before."""
    moment: str


def security_log(reading: ReadTransaction, last: int) -> list[SecurityEntry]:
    """Return refused actions and sign-ins, the newest first."""
    return [
        SecurityEntry(**asdict(note), moment=format_time(note.at)) for note in security_notes(reading, last)
    ]


class ClockReport(msgspec.Struct, frozen=True):
    """The house's timestamp and the machine's clock, in milliseconds."""

    stamped: int
    stamped_moment: str
    shown: int
    shown_moment: str
    ahead: int
    """How far the clock jumped, as a confirmation must state; 0 while the clock is trusted."""
    alert: str
    """What staff must know about the clock; empty if nothing."""


def clock_report(stamped: int, ahead: int, alert: str) -> ClockReport:
    """Return the time of the house and that of a clock which is ahead of it."""
    shown = stamped + ahead
    return ClockReport(stamped, format_time(stamped), shown, format_time(shown), ahead, alert)

"""House status: its identity, its staff, and the state of every table."""

from collections.abc import Iterator

import msgspec

from fourcard.house.auth.staff import StaffState
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import HOUSE, STAFF, meter_stream, table_stream
from fourcard.house.events import HouseFounded
from fourcard.house.journal import HOUSE_CODEC as CODEC
from fourcard.house.reports.formats import HOUR
from fourcard.house.state_cache import StateCache
from fourcard.house.store.interface import ReadTransaction
from fourcard.house.table_state import HouseTable
from fourcard.rules.cited import clauses_of
from fourcard.table.deck_preparation import shuffle_method
from fourcard.table.state import Deck, TableState


def founding_event(reading: ReadTransaction) -> HouseFounded | None:
    """Return the founding event of a house, or None where there is none."""
    for record in reading.events(HOUSE):
        event = CODEC.decode(record)
        return event if isinstance(event, HouseFounded) else None
    return None


class StaffMember(msgspec.Struct, frozen=True):
    """A member of staff; a dismissed one has no roles."""

    person: str
    name: str
    roles: tuple[str, ...]
    password: bool
    """Whether the person has a password and can sign in."""

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {**msgspec.to_builtins(self), "roles": list(self.roles)}


def current_staff(reading: ReadTransaction) -> StaffState:
    """Return the current staff."""
    head = reading.streams().get(STAFF)
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

    @property
    def overdue(self) -> bool:
        """Return whether the deck must be changed before the next round."""
        return self.most_hours is not None and self.hours >= self.most_hours


class MeterBalance(msgspec.Struct, frozen=True):
    """A progressive meter, in units."""

    name: str
    units: int
    reserve: int
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
    seats: dict[int, str]
    decks: tuple[DeckStatus, ...]
    count_in: int | None
    """In how many rounds the stub is counted, 1 for the next; None where no count is required."""
    count_clauses: tuple[str, ...]
    tray: int
    drop: int
    meter: MeterBalance | None

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        decks = [{**msgspec.to_builtins(deck), "overdue": deck.overdue} for deck in self.decks]
        seats = {str(position): player for position, player in sorted(self.seats.items())}
        return {**msgspec.to_builtins(self), "decks": decks, "seats": seats}


def table_statuses(reading: ReadTransaction, now: int) -> tuple[TableStatus, ...]:
    """Return every installed table by name; deck ages are at the given time."""
    cache = StateCache(SystemEntropy())
    cache.use_reader(reading)
    heads = reading.streams()
    found = list[TableStatus]()
    for stream in sorted(each for each in heads if each.startswith(table_stream(""))):
        cache.catch_up(stream, heads[stream])
        table = cache.table(stream.partition("/")[2])
        if table.meter:
            linked = meter_stream(table.meter)
            cache.catch_up(linked, heads[linked])
        found.append(_table_status(cache, table, table.state, now))
    return tuple(found)


def _table_status(cache: StateCache, table: HouseTable, state: TableState, now: int) -> TableStatus:
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
        seats=dict(state.seats),
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
        yield DeckStatus(
            deck.back, _hours(deck, now), most, clauses_of(rule), number == state.active, deck.removed
        )


def _hours(deck: Deck, now: int) -> int:
    return max(0, now - deck.since) // HOUR


def _rounds_to_count(state: TableState) -> int | None:
    """Return in how many rounds the stub is counted; None where a shuffler counts the deck instead."""
    every = state.rules.dealing.counting.every
    if every is None or (state.game.stub_count_waived and shuffle_method(state) == "by-machine"):
        return None
    return max(1, every.value - state.since_count)


def _meter_balance(cache: StateCache, name: str) -> MeterBalance:
    meter = cache.meter(name).amounts
    return MeterBalance(name, meter.amount, meter.reserve, meter.whole_meter_wins)

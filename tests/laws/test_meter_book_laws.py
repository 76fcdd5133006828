"""Laws of the house's meters: whatever tables and Game Manager do, in whatever order, these things hold.

First of a meter alone, event by event; then of a whole house, command by command, with restarts. What the
sequences showed is counted, and too little is a failure.
"""

from collections import Counter

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fourcard.house import accounts
from fourcard.house.auditing.audit import audit
from fourcard.house.journal import METERS
from fourcard.house.meter_book import MeterBook, evolve
from fourcard.house.meter_events import AwardLogged, MeterEvent
from fourcard.house.records import Recorded
from fourcard.house.snapshots import decode_meter, encode_meter
from tests.laws.meter_house import MeterHouse
from tests.laws.meter_reckoning import SMALLEST
from tests.laws.meter_terms import kinds
from tests.laws.meter_world import NAME, World

SEQUENCES = 150
OFTEN = settings(
    max_examples=SEQUENCES,
    derandomize=True,  # what must have been seen is then seen on every machine
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
)
NUMBERS = st.integers(0, 2**32 - 1)
ORDERS = st.lists(NUMBERS, min_size=40, max_size=120)


def test_every_unit_of_a_meter_is_accounted_for_at_every_moment() -> None:
    seen: Counter[str] = Counter()

    @OFTEN
    @given(st.sampled_from(sorted(kinds())), ORDERS)
    def law(kind: str, orders: list[int]) -> None:
        world = World(kinds()[kind], seen)
        for number in orders:
            world.obey(number)
            look(world)
        look_at_hits(world)

    law()
    print(seen)


def look(world: World) -> None:
    """Find nothing below zero, every unit accounted for, and the same in ledger and second reckoning."""
    book, meter, totals = world.book, world.book.meter, world.book.totals
    assert min(meter.amount, meter.reserve, book.owed, book.displayed, book.borne) >= 0
    assert meter.amount + meter.reserve + totals.paid == totals.seeded + totals.contributed + totals.adjusted
    ledger = world.ledger
    held = [ledger[name(NAME)] for name in (accounts.meter, accounts.reserve, accounts.prizes)]
    assert held == [meter.amount, meter.reserve, book.owed]
    assert sum(ledger.values()) == 0
    if not book.logged:
        assert book.displayed == meter.displayed
    second = world.second
    units = [value * SMALLEST for value in (second.amount, second.reserve, second.borne)]
    assert units == [meter.amount, meter.reserve, book.borne]


def look_at_hits(world: World) -> None:
    """Find every win counted once, in the order of its number, and priced at what the meter showed."""
    book, before = MeterBook(NAME), []
    for event in world.events:
        if isinstance(event, AwardLogged):
            assert event.before == book.meter.displayed
            before.append(event)
        book, _ = evolve(book, event)
    assert [win.number for win in before] == [*range(1, book.count + 1)]
    assert book.hits == Counter(win.row for win in before)
    assert book == world.book


def test_a_meter_is_the_same_from_its_journal_and_from_any_snapshot() -> None:
    seen: Counter[str] = Counter()

    @OFTEN
    @given(st.sampled_from(sorted(kinds())), ORDERS, NUMBERS)
    def law(kind: str, orders: list[int], place: int) -> None:
        world = World(kinds()[kind], seen)
        for number in orders:
            world.obey(number)
        books = [MeterBook(NAME)]
        for number, event in enumerate(world.events, 1):
            books.append(evolve(books[-1], read(number, event))[0])
        assert books[-1] == world.book
        begin = place % len(books)
        book = decode_meter(encode_meter(books[begin]))
        for event in world.events[begin:]:
            assert book is not None
            book, _ = evolve(book, event)
        assert book == world.book

    law()


def read(sequence: int, event: MeterEvent) -> MeterEvent:
    """Return an event as it is read back from the journal."""
    kind, version = METERS.kind_of(event)
    body = METERS.encode(event)
    record = Recorded(f"meter/{NAME}", sequence, sequence, kind, version, 0, "", "", "", "", "", body)
    return METERS.decode(record)


HOUSES = settings(OFTEN, max_examples=20)
SOME = st.lists(st.sampled_from(sorted(kinds())), min_size=1, max_size=2, unique=True)


def test_whole_house() -> None:
    seen: Counter[str] = Counter()

    @HOUSES
    @given(SOME, NUMBERS, ORDERS)
    def law(some: list[str], seed: int, orders: list[int]) -> None:
        made = MeterHouse([kinds()[kind] for kind in some], seed, seen)
        for number in orders:
            made.obey(number)
            look_at_house(made)
        made.finish()
        report = audit(made.house.store)
        assert report.clean, report.findings

    law()
    print(seen)


def look_at_house(made: MeterHouse) -> None:
    balances = made.house.balances()
    for name, second in made.second.items():
        book = made.meter(name)
        meter, totals = book.meter, book.totals
        assert min(meter.amount, meter.reserve, book.owed, book.displayed, book.borne) >= 0
        assert meter.amount + meter.reserve + totals.paid == totals.seeded + totals.contributed + totals.adjusted
        held = [balances.get(each(name), 0) for each in (accounts.meter, accounts.reserve, accounts.prizes)]
        assert held == [meter.amount, meter.reserve, book.owed]
        units = [value * SMALLEST for value in (second.amount, second.reserve, second.borne)]
        assert units == [meter.amount, meter.reserve, book.borne]
    assert sum(balances.values()) == 0

"""Laws of the house's meters: whatever tables and Game Manager do, in whatever order, these things hold.

First of a meter alone, event by event; then of a whole house, command by command, with restarts. What the
sequences showed is counted, and too little is a failure.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fourcard.house import unit_of_work
from fourcard.house.audit.auditor import audit
from fourcard.house.decision import meter_stream
from fourcard.house.events import AwardLogged, MeterEvent
from fourcard.house.journal import METER_CODEC, JournalRecord
from fourcard.house.meter_state import MeterState, evolve
from fourcard.house.state_cache import decode_meter, encode_meter
from tests.kit.audited_houses import told
from tests.kit.meter_oracle import MeterOracle
from tests.kit.support import WHOLE
from tests.laws.meter_house import MeterHouse, kinds
from tests.laws.meter_reports import look_at_reports
from tests.laws.meter_world import NAME, World

SEQUENCES = 200
HOUSES, RESTARTED = (20, 12) if WHOLE else (10, 12)
OFTEN = settings(
    max_examples=SEQUENCES,
    derandomize=True,  # what must have been seen is then seen on every machine
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
)
NUMBERS = st.integers(2**51, 2**51 + 2**32 - 1)
"""Larger than any constant of the code, which Hypothesis would draw: sequences do not depend on it then."""
ORDERS = st.lists(NUMBERS, min_size=40, max_size=120)
KINDS = st.sampled_from(sorted(kinds()))
SOME = st.lists(KINDS, min_size=1, max_size=2, unique=True)
SELDOM_SNAPPED, OFTEN_SNAPPED = 1_000, 9
"""Events between two snapshots of a stream."""
ALONE = {
    "ContributionsAdded": 8,
    "whole meter": 1,
    "award meter": 0.25,
    "award for": 5,
    "ran dry": 0.5,
    "share by tray": 0.05,
    "RoundReversed": 4,
    "void with a logged win": 1,
    "borne": 0.5,
    "MeterAdjusted": 1,
    "backed out": 0.25,
    "AdjustmentRejected": 0.05,
    "LinkClosed": 0.2,
    "LinkOpened": 0.2,
    "TermsChanged": 0.1,
    "TableUnlinked": 0.5,
    "refused win_unadjusted": 1,
    "refused adjustment_unfit": 0.5,
}
"""How often, at the least, something must have happened in a sequence of a meter alone, on the average."""
TOGETHER = {
    "WinLogged": 3,
    "whole meter": 0.5,
    "award for": 2,
    "award meter": 0.05,
    "ran dry": 0.25,
    "RoundVoided": 1,
    "MeterAdjusted": 1,
    "backed out": 0.25,
    "LinkLost": 0.5,
    "refused link_down": 0.5,
    "TermsChanged": 0.5,
    "refused table_other_terms": 0.5,
}
"""The same in a house."""


def seen_enough(seen: Counter[str], floors: Mapping[str, float], sequences: int) -> None:
    """Fail where something was seen too seldom."""
    thin = {sight: seen[sight] for sight, least in floors.items() if seen[sight] < least * sequences}
    assert not thin, f"seen too seldom: {thin}"


def look(book: MeterState, balances: Mapping[str, int], oracle: MeterOracle) -> None:
    """Find nothing below zero, every unit accounted for, and the same in ledger and oracle."""
    meter = book.amounts
    assert min(meter.amount, meter.reserve, book.owed, book.displayed, book.absorbed) >= 0
    assert book.unpaid_wins or book.displayed == meter.whole_cents
    oracle.compare(book)
    assert book.owed == oracle.owed
    assert {account: balances.get(account, 0) for account in oracle.accounts()} == oracle.accounts()


def test_every_unit_of_a_meter_is_accounted_for_and_every_win_counted_once() -> None:
    seen: Counter[str] = Counter()

    @OFTEN
    @given(KINDS, ORDERS)
    def law(kind: str, orders: list[int]) -> None:
        world = World(kinds()[kind], seen)
        for order in enumerate(orders):
            world.obey(*order)
            look(world.book, world.ledger, world.oracle)
            assert sum(world.ledger.values()) == 0
        look_at_wins(world)

    law()
    seen_enough(seen, ALONE, SEQUENCES)


def look_at_wins(world: World) -> None:
    """Find every win counted once, in the order of its number, and priced at what the meter was worth."""
    book, wins = MeterState(NAME), list[AwardLogged]()
    for event in world.events:
        if isinstance(event, AwardLogged):
            assert event.before == book.amounts.whole_cents
            wins.append(event)
        book, _ = evolve(book, event)
    assert [win.number for win in wins] == [*range(1, book.win_count + 1)]
    assert book.hits == Counter(win.row for win in wins)
    assert [win.logged for win in book.last_wins] == wins[-len(book.last_wins) :]


def test_a_meter_is_the_same_from_its_journal_and_from_any_snapshot() -> None:
    @OFTEN
    @given(KINDS, ORDERS, NUMBERS)
    def law(kind: str, orders: list[int], place: int) -> None:
        world = World(kinds()[kind], Counter())
        for order in enumerate(orders):
            world.obey(*order)
        books = [MeterState(NAME)]
        for sequence, event in enumerate(world.events, 1):
            books.append(evolve(books[-1], read(sequence, event))[0])
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
    kind, version = METER_CODEC.kind_of(event)
    names = ("", "", "", "", "")
    record = JournalRecord(
        meter_stream(NAME), sequence, sequence, kind, version, 0, *names, METER_CODEC.encode(event)
    )
    return METER_CODEC.decode(record)


def hold(
    houses: int, every: int, then: Callable[[MeterHouse, int], None], end: Callable[[MeterHouse], None]
) -> None:
    """Let houses be driven at random, look at every meter after every order, and at the end again."""
    seen: Counter[str] = Counter()

    @settings(OFTEN, max_examples=houses)
    @given(SOME, NUMBERS, ORDERS)
    def law(some: list[str], seed: int, orders: list[int]) -> None:
        with patch.object(unit_of_work, "SNAPSHOT_EVERY", every):
            made = MeterHouse([kinds()[kind] for kind in some], seed, seen)
            for place, number in enumerate(orders):
                made.obey(place, number)
                look_at_house(made)
                then(made, place + number)
            made.finish()
        look_at_house(made)
        end(made)

    law()
    seen_enough(seen, TOGETHER, houses)


def look_at_house(made: MeterHouse) -> None:
    """Look at every meter of a house, whose accounts balance."""
    balances = made.house.balances()
    for name, oracle in made.oracles.items():
        look(made.meter(name), balances, oracle)
    assert sum(balances.values()) == 0


def test_a_house_keeps_its_meters_to_the_unit_and_an_audit_finds_nothing() -> None:
    def audited(made: MeterHouse) -> None:
        report = audit(made.house.store)
        assert report.clean, told(report)

    hold(HOUSES, SELDOM_SNAPPED, lambda _made, _number: None, audited)


def test_a_restart_at_any_place_changes_no_meter_and_no_report() -> None:
    restarts: Counter[str] = Counter()

    def restarted(made: MeterHouse, number: int) -> None:
        if number % 6 == 0:
            made.restart()
            restarts["restarts"] += 1

    def reported(made: MeterHouse) -> None:
        made.restart()
        restarts["snapshots"] += look_at_reports(made)

    hold(RESTARTED, OFTEN_SNAPPED, restarted, reported)
    seen_enough(restarts, {"restarts": 6, "snapshots": 1}, RESTARTED)

"""What the reports of the progressive say of meters, held to the meters, with and without snapshots."""

from collections import Counter

from fourcard.house.decision import meter_stream
from fourcard.house.meter_state import MeterState
from fourcard.house.reports.alerts import alerts
from fourcard.house.reports.meters import SUMMED_TOTALS, GroupBy, Grouping, meter_statuses, totals_report
from fourcard.house.reports.wins import adjustments, wins
from fourcard.house.store.interface import ReadTransaction
from tests.laws.meter_house import MeterHouse

WAYS: tuple[GroupBy, ...] = ("table", "day", "meter")


def look_at_reports(made: MeterHouse) -> int:
    """Find the reports in agreement with the desk, and the same once snapshots are gone; return how many."""
    books = {name: made.meter(name) for name in made.kinds}
    with made.house.store.reading() as reading:
        snapshots = [each for each in reading.snapshots() if each.stream in map(meter_stream, books)]
        first = _reports(reading)
        _look(reading, books)
    made.house.store._kept.snapshots.rows.clear()  # type: ignore[attr-defined]
    with made.house.store.reading() as reading:
        assert not [*reading.snapshots()]
        assert _reports(reading) == first
    return len(snapshots)


def _reports(reading: ReadTransaction) -> list[object]:
    figures = [totals_report(reading, Grouping(by)) for by in WAYS]
    return [meter_statuses(reading), wins(reading), adjustments(reading), alerts(reading), figures]


def _look(reading: ReadTransaction, books: dict[str, MeterState]) -> None:
    """Find every meter told as the desk knows it, and every sum as the meters add it up."""
    told = {each.meter: each for each in meter_statuses(reading)}
    assert told.keys() == books.keys()
    for name, book in books.items():
        found, totals = told[name], book.totals
        assert (found.meter_units, found.reserve_units) == (book.amounts.amount, book.amounts.reserve)
        assert (found.displayed_cents, found.owed_units) == (book.displayed, book.owed)
        assert (found.hits, sum(row.hits for row in found.rows)) == (book.win_count, book.win_count)
        assert [win.number for win in found.last] == [win.logged.number for win in reversed(book.last_wins)]
        assert [each.number for each in found.unpaid] == [win.number for win in book.unpaid_wins]
        assert [each.number for each in found.proposals] == [*book.proposals]
        assert (found.tables, found.closed, found.game) == (book.tables, book.closed_reason, book.terms_game)
        assert (found.wagered_cents, found.won_cents) == (totals.wagered, totals.won)
        assert (found.contributed_units, found.paid_units) == (totals.contributed, totals.paid)
    assert all(each.holds and each.agrees for each in told.values())
    logged = wins(reading)
    assert Counter(win.meter for win in logged) == Counter(
        {n: b.win_count for n, b in books.items() if b.win_count}
    )
    assert sum(win.state == "logged" for win in logged) == sum(
        len(book.unpaid_wins) for book in books.values()
    )
    for by in WAYS:
        figures = totals_report(reading, Grouping(by))
        assert figures.holds
        assert figures.closing_units == sum(b.amounts.amount + b.amounts.reserve for b in books.values())
        for name in SUMMED_TOTALS:
            field = f"{name}_{'cents' if name in ('wagered', 'won', 'shortfall') else 'units'}"
            assert getattr(figures.total, field) == sum(getattr(b.totals, name) for b in books.values())

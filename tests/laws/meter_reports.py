"""What the reports of the progressive say of meters, held to the meters, with and without snapshots."""

from collections import Counter

from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import meter_stream
from fourcard.house.reports.progressive.adjustments import adjustments
from fourcard.house.reports.progressive.alerts import alerts
from fourcard.house.reports.progressive.figures import OF_TOTALS, By, Grouping, report
from fourcard.house.reports.progressive.meters import meters_now
from fourcard.house.reports.progressive.wins import wins
from fourcard.house.store.contract import Reading
from tests.laws.meter_house import MeterHouse

WAYS: tuple[By, ...] = ("table", "day", "meter")


def look_at_reports(made: MeterHouse) -> int:
    """Find the reports in agreement with the desk, and the same once snapshots are gone; return how many."""
    books = {name: made.meter(name) for name in made.kinds}
    with made.house.store.reading() as reading:
        snapshots = [each for each in reading.snapshots() if each.stream in map(meter_stream, books)]
        first = _reports(reading)
        _look(reading, books)
    made.house.store._kept.snapshots.rows.clear()  # type: ignore[attr-defined]
    with made.house.store.reading() as reading:
        assert not reading.snapshots()
        assert _reports(reading) == first
    return len(snapshots)


def _reports(reading: Reading) -> list[object]:
    figures = [report(reading, Grouping(by)) for by in WAYS]
    return [meters_now(reading), wins(reading), adjustments(reading), alerts(reading), figures]


def _look(reading: Reading, books: dict[str, MeterBook]) -> None:
    """Find every meter told as the desk knows it, and every sum as the meters add it up."""
    told = {each.book.name: each for each in meters_now(reading)}
    assert {name: each.book for name, each in told.items()} == books
    assert all(each.holds and each.agrees for each in told.values())
    logged = wins(reading)
    assert Counter(win.meter for win in logged) == Counter({n: b.count for n, b in books.items() if b.count})
    assert sum(win.state == "logged" for win in logged) == sum(len(book.logged) for book in books.values())
    for by in WAYS:
        figures = report(reading, Grouping(by))
        assert figures.holds
        assert figures.closing == sum(b.meter.amount + b.meter.reserve for b in books.values())
        for name in OF_TOTALS:
            assert getattr(figures.total, name) == sum(getattr(b.totals, name) for b in books.values())

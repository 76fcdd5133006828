"""Document blocks of the progressive only: figures by meter, by other players and in the long run."""

from collections.abc import Iterator

from fourcard.documents.blocks import Block, ChartImage, Charts, DataTable
from fourcard.money import dollars
from fourcard.odds.par.charts import meter_chart
from fourcard.odds.par.link import AVERAGE_WON, AtMeter, ByOthers
from fourcard.odds.par.meters import MeterSection
from fourcard.odds.par.wording import amount, name, number, percent

AVERAGE = "Average when won: at the submitted rate and reserve, if everybody stakes the same."


def by_meter(section: MeterSection) -> Iterator[Block]:
    """Yield the tables and the chart by meter."""
    most = section.by_others[-1].others
    full = () if not most else (f"With {most} others",)
    yield DataTable(
        title="House edge by meter",
        headers=("Meter", "Shows", "Alone", *full),
        rows=tuple(_at_meter(each, full=bool(most)) for each in section.meters),
        note=AVERAGE if any(each.name == AVERAGE_WON for each in section.meters) else "",
    )
    yield DataTable(
        title=f"By other players, meter at {dollars(section.start)}",
        headers=("Others", "House edge", "Std. dev.", "Volatility", "Break-even meter", "Long-run edge"),
        rows=tuple(_with_others(each) for each in section.by_others),
        note="Every other player may bring Envy. Long-run edge: over many jackpots, at the submitted rate.",
    )
    if section.line:
        dashed = f", dashed with {most} other players" if most else ""
        chart = ChartImage(
            svg=meter_chart(section),
            caption=f"House edge by meter: line alone{dashed}.",
            alt=f"A line from {percent(section.line[0].alone)} at an empty meter down to "
            f"{percent(section.line[-1].alone)}",
        )
        yield Charts(charts=(chart,))


def _at_meter(point: AtMeter, *, full: bool) -> tuple[str, ...]:
    edges = (percent(point.alone), percent(point.full)) if full else (percent(point.alone),)
    return name(point.name), amount(point.meter), *edges


def _with_others(each: ByOthers) -> tuple[str, ...]:
    from_meter = "none" if each.break_even is None else amount(each.break_even)
    long_run = "" if each.long_run is None else percent(each.long_run)
    deviation = each.standard_deviation
    return (
        str(each.others),
        percent(each.house_edge),
        number(deviation),
        number(each.volatility_index),
        from_meter,
        long_run,
    )

"""Document part of one PAR section."""

from collections.abc import Iterator

from fourcard.documents.blocks import Block, ChartImage, Charts, DataTable, DocumentPart, Facts, KeyFigures
from fourcard.money import dollars
from fourcard.odds.par.beside import Worst
from fourcard.odds.par.charts import band_chart, contribution_chart, decisions_chart
from fourcard.odds.par.measures import Award
from fourcard.odds.par.meters import MeterSection
from fourcard.odds.par.meters_page import by_meter
from fourcard.odds.par.section import Row, Section, Table
from fourcard.odds.par.wording import (
    chance,
    expected,
    fraction,
    name,
    number,
    one_in,
    ours_text,
    percent,
    units,
)
from fourcard.rules.nodes import WAGER_LABELS

MARK = " *"
BASE = "ante"


def section_part(section: Section) -> DocumentPart:
    """Return the document part of one wager."""
    report = section.report
    return DocumentPart(
        title=section.title,
        subtitle=f"Paytable {report.paytable} · {section.limits} · {' '.join(report.clauses)}",
        blocks=tuple(_blocks(section)),
    )


def _blocks(section: Section) -> Iterator[Block]:
    yield _figures(section)
    for table in section.tables:
        yield _table(section, table)
    if isinstance(section, MeterSection):
        yield from by_meter(section)
    yield Charts(charts=tuple(_charts(section)))
    yield _confidence(section)
    if section.published:
        yield _published(section)
    yield Facts(pairs=tuple(_facts(section)))
    if section.report.base is not None:
        yield _outcomes(section)


def _outcomes(section: Section) -> DataTable:
    """Return every outcome of the base game by decision, hand and result."""
    rows = tuple(
        (
            name(each.detail["decision"]),
            name(each.hand),
            each.detail["result"],
            each.detail.get("bonus", ""),
            units(each.net),
            f"{each.count:,}",
            chance(each.probability),
            percent(-each.contribution),
        )
        for each in section.report.outcomes
    )
    heads = ("Decision", "Hand", "Result", "Bonus", "Net", "Combinations", "Probability", "To house edge")
    return DataTable(title="Every outcome of a round", headers=heads, rows=rows, text_columns=4)


def _figures(section: Section) -> KeyFigures:
    unit, report = section.unit, section.report
    items = [
        ("House edge", percent(section.house_edge), f"of each {unit}"),
        ("Return", percent(section.returned), "of all that is wagered"),
        ("Hit frequency", percent(report.hit_frequency), f"one in {one_in(report.hit_frequency)}"),
        ("Standard deviation", number(section.standard_deviation), f"{unit}s a round"),
        ("Volatility index", number(section.volatility_index), "at 90% confidence"),
    ]
    if report.wager == BASE:
        risk = ("Element of risk", percent(section.element_of_risk), "of all that is wagered")
        items[1:2] = [risk, ("Average wager", number(section.average_wager), "Antes a round")]
    return KeyFigures(items=tuple(items))


def _table(section: Section, table: Table) -> DataTable:
    rows = [_row(section, row) for row in table.rows]
    added = sum(row.count for row in table.rows), table.of
    returned = sum(row.to_return for row in table.rows)
    edge = sum(row.to_edge for row in table.rows)
    share = sum((row.probability for row in table.rows), start=0 * table.rows[0].probability)
    total = ("Total", "", f"{added[0]:,}", chance(share), "", percent(returned), percent(edge))
    return DataTable(
        title=table.title,
        headers=("", "Pays", "Combinations", "Probability", "One in", "To return", "To house edge"),
        rows=(*rows, total),
        total=True,
        note=f"Of {table.of:,} combinations. {_table_note(section, table)}Clauses {' '.join(table.clauses)}.",
    )


def _table_note(section: Section, table: Table) -> str:
    if section.report.wager == BASE:
        told = "Pays: in Antes. To return: of all that is wagered; to house edge: of each Ante. "
        return told if table.whole else "Comes on top of the results above, won or lost. "
    return "" if table.whole else "On top of the wager's own awards, for each other player. "


def _row(section: Section, row: Row) -> tuple[str, ...]:
    pays = row.pays or ("" if section.report.wager != BASE else units(row.net))
    return (
        name(row.name),
        pays,
        f"{row.count:,}",
        chance(row.probability),
        one_in(row.probability),
        percent(row.to_return),
        percent(row.to_edge),
    )


def _charts(section: Section) -> Iterator[ChartImage]:
    table = section.tables[0]
    if section.report.base is not None:
        shares = [
            (f"{multiple}x" if multiple else "Fold", share)
            for multiple, share in section.report.base.decisions.items()
        ]
        yield ChartImage(
            svg=decisions_chart(shares),
            caption="Decisions taken.",
            alt="Bars: " + ", ".join(f"{text} {percent(share, 2)}" for text, share in shares),
        )
    else:
        yield ChartImage(
            svg=contribution_chart(table.rows),
            caption="Contribution of each hand to the return.",
            alt="Bars: "
            + ", ".join(f"{name(row.name)} {percent(row.to_return)}" for row in table.rows if row.back),
        )
    yield ChartImage(
        svg=band_chart(
            1 - section.house_edge, section.standard_deviation, section.least_return, section.unit
        ),
        caption="Actual return by rounds: 90% (dark) and 95% (light), expected (line), break-even (dashed).",
        alt=f"Bands that narrow around {percent(1 - section.house_edge)} from a thousand rounds on",
    )


def _confidence(section: Section) -> DataTable:
    rows = [
        (
            f"{band.rounds:,}" + ("" if band.reliable else MARK),
            percent(band.low90, 2),
            percent(band.high90, 2),
            percent(band.low95, 2),
            percent(band.high95, 2),
            "" if band.expected_hits is None else expected(band.expected_hits),
        )
        for band in section.bands
    ]
    return DataTable(
        title=f"Confidence band of the actual return of one {section.unit}",
        headers=("Rounds", "90% from", "to", "95% from", "to", "Rarest award expected"),
        rows=tuple(rows),
        note=_reliance(section),
    )


def _reliance(section: Section) -> str:
    rarest = section.rarest
    told = " ".join(filter(None, ("Normal approximation.", section.reliance)))
    if rarest is None:
        return told
    hands = " or ".join(name(hand).lower() for hand in rarest.hands)
    told += f" Rarest material award: {units(rarest.net)} {section.unit}s by {hands}, {_often(rarest)}."
    if all(band.reliable for band in section.bands):
        return told
    moved = ", or the meter will have moved" if any(band.meter_moved for band in section.bands) else ""
    return told + f"{MARK} Not reliable: that award is expected too seldom{moved}."


def _often(award: Award) -> str:
    return f"one in {one_in(award.probability)}"


def _published(section: Section) -> DataTable:
    rows: list[tuple[str, ...]] = []
    for figure in section.published:
        first = (name(figure.measure), figure.printed, figure.clause)
        ours = [(ours_text(each), each.basis) for each in figure.ours] or [("", "not comparable")]
        rows.append((*first, *ours[0]))
        rows += [("", "", "", *each) for each in ours[1:]]
    return DataTable(
        title="Figures that the sources print, and ours",
        headers=("Measure", "Printed", "Clause", "Counted here", "Basis"),
        rows=tuple(rows),
        text_columns=5,
        note="Printed figures are audited, not answers to be matched; their basis is often not stated (R91).",
    )


def _facts(section: Section) -> Iterator[tuple[str, str]]:
    report = section.report
    yield "House edge, exactly", fraction(section.house_edge)
    yield "Hit frequency, exactly", fraction(report.hit_frequency)
    yield "Variance", number(report.variance, 6)
    if report.base is not None:
        shares = report.base.results.items()
        yield "Results", ", ".join(f"{result} {percent(share)}" for result, share in shares)
    yield "Worst single round", bound_text(section.worst)
    yield "Assumed", " ".join(report.assumptions)
    yield "Clauses", " ".join(section.clauses)


def bound_text(worst: Worst) -> str:
    """Return the bound on the loss of a round as a sentence."""
    if worst.bound is None:
        names = ", ".join(WAGER_LABELS[each] for each in worst.without_maximum)
        return f"Without bound: no maximum is posted for {names}."
    parts = ", ".join(f"{WAGER_LABELS[each]} {dollars(cents)}" for each, cents in worst.by_wager.items())
    several = f" ({parts})" if len(worst.by_wager) > 1 else ""
    return f"At most {dollars(worst.bound)} to the whole table at the largest stakes{several}; a bound (P4)."

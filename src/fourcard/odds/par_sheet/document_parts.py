"""Document parts of a PAR sheet: one for each wager, with its tables and charts."""

from collections.abc import Iterator
from fractions import Fraction

from fourcard.answers import standard_error
from fourcard.documents.blocks import (
    Block,
    ChartImage,
    Charts,
    DataTable,
    DocumentPart,
    Facts,
    KeyFigures,
    Paragraphs,
)
from fourcard.money import dollars
from fourcard.odds.par_sheet.charts import band_chart, contribution_chart, decisions_chart, meter_chart
from fourcard.odds.par_sheet.formats import (
    format_amount,
    format_expected,
    format_fraction,
    format_net,
    format_number,
    format_one_in,
    format_our_figure,
    format_percent,
    format_probability,
    row_label,
)
from fourcard.odds.par_sheet.progressive_section import (
    AVERAGE_WON,
    EdgeAtMeter,
    EdgeByOthers,
    ProgressiveSection,
)
from fourcard.odds.par_sheet.section import MaterialAward, ParRow, ParSection, ParTable, WorstRound
from fourcard.odds.par_sheet.wager_sections import CoverAllColumn, CoverAllSection
from fourcard.wagers import WAGER_LABELS

AVERAGE_NOTE = "Average when won: at the submitted rate and reserve, if everybody stakes the same."


def meter_blocks(section: ProgressiveSection) -> Iterator[Block]:
    """Yield the tables and the chart by meter."""
    most = section.by_others[-1].others
    full = () if not most else (f"With {most} others",)
    yield DataTable(
        title="House edge by meter",
        headers=("Meter", "Shows", "Alone", *full),
        rows=tuple(_meter_row(each, full=bool(most)) for each in section.by_meter),
        note=AVERAGE_NOTE if any(each.name == AVERAGE_WON for each in section.by_meter) else "",
    )
    yield DataTable(
        title=f"By other players, meter at {dollars(section.meter)}",
        headers=("Others", "House edge", "Std. dev.", "Volatility", "Break-even meter", "Long-run edge"),
        rows=tuple(_others_row(each) for each in section.by_others),
        note="Every other player may bring Envy. Long-run edge: over many jackpots, at the submitted rate.",
    )
    if section.line:
        dashed = f", dashed with {most} other players" if most else ""
        chart = ChartImage(
            svg=meter_chart(section),
            caption=f"House edge by meter: line alone{dashed}.",
            alt=f"A line from {format_percent(section.line[0].house_edge_alone)} at an empty meter down to "
            f"{format_percent(section.line[-1].house_edge_alone)}",
        )
        yield Charts(charts=(chart,))


def _meter_row(point: EdgeAtMeter, *, full: bool) -> tuple[str, ...]:
    edges = (point.house_edge_alone, point.house_edge_full_table)[: 2 if full else 1]
    return row_label(point.name), format_amount(point.meter), *map(format_percent, edges)


def _others_row(each: EdgeByOthers) -> tuple[str, ...]:
    from_meter = "none" if each.break_even_meter is None else format_amount(each.break_even_meter)
    long_run = "" if each.long_run_house_edge is None else format_percent(each.long_run_house_edge)
    deviation = each.standard_deviation
    return (
        str(each.others),
        format_percent(each.house_edge),
        format_number(deviation),
        format_number(each.volatility_index),
        from_meter,
        long_run,
    )


UNRELIABLE_MARK = " *"
BASE_WAGER = "ante"


def section_part(section: ParSection) -> DocumentPart:
    """Return the document part of one wager."""
    cited = dict.fromkeys(clause for table in section.tables for clause in table.clauses)
    return DocumentPart(
        title=section.title,
        subtitle=f"Paytable {section.paytable} · {section.limits} · {' '.join(cited)}",
        blocks=tuple(_section_blocks(section)),
    )


def _section_blocks(section: ParSection) -> Iterator[Block]:
    yield _key_figures(section)
    for table in section.tables:
        yield _paytable(section, table)
    if isinstance(section, ProgressiveSection):
        yield from meter_blocks(section)
    yield Charts(charts=tuple(_section_charts(section)))
    yield _confidence_table(section)
    if section.published:
        yield _published_table(section)
    yield Facts(pairs=tuple(_section_facts(section)))
    if section.wager == BASE_WAGER:
        yield _outcome_table(section)


def _outcome_table(section: ParSection) -> DataTable:
    """Return every outcome of the base game by decision, hand and result."""
    rows = tuple(
        (
            row_label(each.decision or ""),
            row_label(each.hand),
            each.result or "",
            each.bonus or "",
            format_net(each.net),
            f"{each.count:,}",
            format_probability(each.probability),
            format_percent(-each.contribution),
        )
        for each in section.outcomes
    )
    heads = ("Decision", "Hand", "Result", "Bonus", "Net", "Combinations", "Probability", "To house edge")
    return DataTable(title="Every outcome of a round", headers=heads, rows=rows, text_columns=4)


def _key_figures(section: ParSection) -> KeyFigures:
    unit = section.unit
    items = [
        ("House edge", format_percent(section.house_edge), f"of each {unit}"),
        ("Return", format_percent(section.returned), "of all that is wagered"),
        (
            "Hit frequency",
            format_percent(section.hit_frequency),
            f"one in {format_one_in(section.hit_frequency)}",
        ),
        ("Standard deviation", format_number(section.standard_deviation), f"{unit}s a round"),
        ("Volatility index", format_number(section.volatility_index), "at 90% confidence"),
    ]
    if section.wager == BASE_WAGER:
        risk = ("Element of risk", format_percent(section.element_of_risk), "of all that is wagered")
        items[1:2] = [risk, ("Average wager", format_number(section.average_wager), "Antes a round")]
    return KeyFigures(items=tuple(items))


def _paytable(section: ParSection, table: ParTable) -> DataTable:
    rows = [_paytable_row(section, row) for row in table.rows]
    added = sum(row.count for row in table.rows), table.of
    returned = sum(row.contribution_to_return for row in table.rows)
    edge = sum(row.contribution_to_house_edge for row in table.rows)
    share = sum((row.probability for row in table.rows), start=0 * table.rows[0].probability)
    total = (
        "Total",
        "",
        f"{added[0]:,}",
        format_probability(share),
        "",
        format_percent(returned),
        format_percent(edge),
    )
    return DataTable(
        title=table.title,
        headers=("", "Pays", "Combinations", "Probability", "One in", "To return", "To house edge"),
        rows=(*rows, total),
        total=True,
        note=(
            f"Of {table.of:,} combinations. {_paytable_note(section, table)}"
            f"Clauses {' '.join(table.clauses)}."
        ),
    )


def _paytable_note(section: ParSection, table: ParTable) -> str:
    if section.wager == BASE_WAGER:
        told = "Pays: in Antes. To return: of all that is wagered; to house edge: of each Ante. "
        return told if table.whole else "Comes on top of the results above, won or lost. "
    return "" if table.whole else "On top of the wager's own awards, for each other player. "


def _paytable_row(section: ParSection, row: ParRow) -> tuple[str, ...]:
    pays = row.pays or ("" if section.wager != BASE_WAGER else format_net(row.net))
    return (
        row_label(row.row),
        pays,
        f"{row.count:,}",
        format_probability(row.probability),
        format_one_in(row.probability),
        format_percent(row.contribution_to_return),
        format_percent(row.contribution_to_house_edge),
    )


def _section_charts(section: ParSection) -> Iterator[ChartImage]:
    table = section.tables[0]
    if section.decisions:
        shares = [(row_label(decision), share) for decision, share in section.decisions.items()]
        yield ChartImage(
            svg=decisions_chart(shares),
            caption="Decisions taken.",
            alt="Bars: " + ", ".join(f"{text} {format_percent(share, 2)}" for text, share in shares),
        )
    else:
        yield ChartImage(
            svg=contribution_chart(table.rows),
            caption="Contribution of each hand to the return.",
            alt="Bars: "
            + ", ".join(
                f"{row_label(row.row)} {format_percent(row.contribution_to_return)}"
                for row in table.rows
                if row.comes_back
            ),
        )
    yield ChartImage(
        svg=band_chart(
            1 - section.house_edge, section.standard_deviation, section.minimum_return, section.unit
        ),
        caption="Actual return by rounds: 90% (dark) and 95% (light), expected (line), break-even (dashed).",
        alt=f"Bands that narrow around {format_percent(1 - section.house_edge)} from a thousand rounds on",
    )


def _confidence_table(section: ParSection) -> DataTable:
    rows = [
        (
            f"{band.rounds:,}" + ("" if band.reliable else UNRELIABLE_MARK),
            format_percent(band.at90.low, 2),
            format_percent(band.at90.high, 2),
            format_percent(band.at95.low, 2),
            format_percent(band.at95.high, 2),
            "" if band.expected_hits is None else format_expected(band.expected_hits),
        )
        for band in section.confidence.bands
    ]
    return DataTable(
        title=f"Confidence band of the actual return of one {section.unit}",
        headers=("Rounds", "90% from", "to", "95% from", "to", "Rarest award expected"),
        rows=tuple(rows),
        note=_confidence_note(section),
    )


def _confidence_note(section: ParSection) -> str:
    rarest = section.confidence.rarest_material_award
    told = " ".join(filter(None, ("Normal approximation.", section.band_note)))
    if rarest is None:
        return told
    hands = " or ".join(row_label(hand).lower() for hand in rarest.hands)
    award = f"{format_net(rarest.net)} {section.unit}s by {hands}"
    told += f" Rarest material award: {award}, {_frequency_text(rarest)}."
    if all(band.reliable for band in section.confidence.bands):
        return told
    moved = (
        ", or the meter will have moved" if any(band.meter_moved for band in section.confidence.bands) else ""
    )
    return told + f"{UNRELIABLE_MARK} Not reliable: that award is expected too seldom{moved}."


def _frequency_text(award: MaterialAward) -> str:
    return f"one in {format_one_in(award.probability)}"


def _published_table(section: ParSection) -> DataTable:
    rows: list[tuple[str, ...]] = []
    for figure in section.published:
        first = (row_label(figure.measure), figure.printed, figure.clause)
        ours = [(format_our_figure(each), each.basis) for each in figure.counted] or [("", "not comparable")]
        rows.append((*first, *ours[0]))
        rows += [("", "", "", *each) for each in ours[1:]]
    return DataTable(
        title="Figures that the sources print, and ours",
        headers=("Measure", "Printed", "Clause", "Counted here", "Basis"),
        rows=tuple(rows),
        text_columns=5,
        note="Printed figures are audited, not answers to be matched; their basis is often not stated (R91).",
    )


def _section_facts(section: ParSection) -> Iterator[tuple[str, str]]:
    yield "House edge, exactly", format_fraction(section.house_edge)
    yield "Hit frequency, exactly", format_fraction(section.hit_frequency)
    yield "Variance", format_number(section.variance, 6)
    if section.results:
        shares = section.results.items()
        yield "Results", ", ".join(f"{result} {format_percent(share)}" for result, share in shares)
    yield "Worst single round", bound_text(section.worst_round)
    yield "Assumed", " ".join(section.assumptions)
    yield "Clauses", " ".join(section.clauses)


def bound_text(worst: WorstRound) -> str:
    """Return the bound on the loss of a round as a sentence."""
    if worst.bound is None:
        names = ", ".join(WAGER_LABELS[each] for each in worst.without_maximum)
        return f"Without bound: no maximum is posted for {names}."
    parts = ", ".join(f"{WAGER_LABELS[each]} {dollars(cents)}" for each, cents in worst.by_wager.items())
    several = f" ({parts})" if len(worst.by_wager) > 1 else ""
    return f"At most {dollars(worst.bound)} to the whole table at the largest stakes{several}; a bound (P4)."


ESTIMATE_MARK = "≈ "


def cover_all_part(section: CoverAllSection) -> DocumentPart:
    """Return the document part of Cover All."""
    return DocumentPart(
        title="Cover All",
        subtitle=f"Paytable matrix · {section.limits} · estimated",
        blocks=tuple(_cover_all_blocks(section)),
    )


def cover_all_summary_rows(section: CoverAllSection) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the summary, marked as estimates."""
    for found in section.columns:
        yield (
            f"Cover All, {found.tables[0].title}",
            "matrix",
            ESTIMATE_MARK + format_percent(found.house_edge, 2),
            ESTIMATE_MARK + format_percent(found.returned, 2),
            ESTIMATE_MARK + format_percent(found.hit_frequency, 2),
            format_number(1 / found.hit_frequency, 2),
            format_number(found.standard_deviation, 2),
            format_number(found.volatility_index, 2),
        )


def _cover_all_blocks(section: CoverAllSection) -> Iterator[Block]:
    yield Paragraphs(lines=(section.estimated,))
    yield _cover_all_overview(section)
    yield from (_cover_all_column(column) for column in section.columns)
    yield _cover_all_confidence(section)
    yield Charts(charts=tuple(_cover_all_charts(section.columns[-1])))
    yield Facts(
        pairs=(
            ("Worst single round", bound_text(section.worst_round)),
            ("Clauses", " ".join(section.clauses)),
        )
    )


def _cover_all_overview(section: CoverAllSection) -> DataTable:
    heads = ("Players", "House edge", "± std. error", "Return", "Hit frequency", "Std. dev.", "Volatility")
    rows = tuple(
        (
            str(found.players),
            format_percent(found.house_edge, 2),
            format_percent(standard_error(found.house_edge), 2),
            format_percent(found.returned, 2),
            format_percent(found.hit_frequency, 2),
            format_number(found.standard_deviation, 2),
            format_number(found.volatility_index, 2),
            f"{found.rounds:,}",
        )
        for found in section.columns
    )
    return DataTable(title="By players dealt in", headers=(*heads, "Rounds"), rows=rows)


def _cover_all_column(column: CoverAllColumn) -> DataTable:
    rows = [
        (
            row_label(each.row),
            each.pays or "",
            f"{each.count:,}",
            format_probability(each.probability),
            format_probability(standard_error(each.probability)),
            format_one_in(each.probability),
            format_percent(each.contribution_to_return, 2),
            format_percent(each.contribution_to_house_edge, 2),
        )
        for each in column.tables[0].rows
    ]
    heads = ("", "Pays", "Rounds", "Probability", "± std. error", "One in", "To return", "To house edge")
    note = f"Of {column.rounds:,} simulated rounds. Clauses {' '.join(column.clauses)}."
    return DataTable(title=column.tables[0].title.capitalize(), headers=heads, rows=tuple(rows), note=note)


def _cover_all_confidence(section: CoverAllSection) -> DataTable:
    heads = tuple(f"{band.rounds:,}" for band in section.columns[0].confidence.bands)
    rows = tuple(
        (
            str(column.players),
            *(
                f"{format_percent(band.at95.low, 1)} to {format_percent(band.at95.high, 1)}"
                + ("" if band.reliable else UNRELIABLE_MARK)
                for band in column.confidence.bands
            ),
        )
        for column in section.columns
    )
    return DataTable(
        title="95% confidence band of the actual return of one stake, by players and rounds",
        headers=("Players", *heads),
        rows=rows,
        note=(
            f"Normal approximation.{UNRELIABLE_MARK} Not reliable: the rarest material award is expected "
            "too seldom."
        ),
    )


def _cover_all_charts(column: CoverAllColumn) -> Iterator[ChartImage]:
    (table,) = column.tables
    yield ChartImage(
        svg=contribution_chart(table.rows),
        caption=f"Contribution of each hand to the return, {table.title}.",
        alt="Bars: " + ", ".join(f"{row_label(each.row)}" for each in table.rows if each.pays),
    )
    yield ChartImage(
        svg=band_chart(column.returned, column.standard_deviation, Fraction(0), "stake"),
        caption=f"Actual return by rounds, {table.title}: 90% (dark), 95% (light).",
        alt=f"Bands that narrow around {format_percent(column.returned, 2)} from a thousand rounds on",
    )

"""Document part of Cover All: every figure by the number of players dealt in."""

from collections.abc import Iterator

from fourcard.documents.blocks import Block, ChartImage, Charts, DataTable, DocumentPart, Facts, Paragraphs
from fourcard.odds.par.charts import band_chart, contribution_chart
from fourcard.odds.par.cover_all import Column, CoverAllSection, error_of
from fourcard.odds.par.section_page import MARK, bound_text
from fourcard.odds.par.side import rows_of
from fourcard.odds.par.wording import chance, name, number, one_in, percent

ABOUT = "≈ "


def cover_all_part(section: CoverAllSection) -> DocumentPart:
    """Return the document part of Cover All."""
    return DocumentPart(
        title="Cover All",
        subtitle=f"Paytable matrix · {section.limits} · estimated",
        blocks=tuple(_blocks(section)),
    )


def summary_rows(section: CoverAllSection) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the summary, marked as estimates."""
    for column in section.columns:
        found = column.estimate
        yield (
            f"Cover All, {_players(found.players)}",
            "matrix",
            ABOUT + percent(found.house_edge, 2),
            ABOUT + percent(1 - found.house_edge, 2),
            ABOUT + percent(found.hit_frequency, 2),
            number(1 / found.hit_frequency, 2),
            number(found.standard_deviation, 2),
            number(column.volatility_index, 2),
        )


def _players(count: int) -> str:
    return f"{count} player{'s' * (count > 1)}"


def _blocks(section: CoverAllSection) -> Iterator[Block]:
    yield Paragraphs(lines=(section.how,))
    yield _overview(section)
    yield from (_column(column) for column in section.columns)
    yield _confidence(section)
    yield Charts(charts=tuple(_charts(section.columns[-1])))
    yield Facts(
        pairs=(("Worst single round", bound_text(section.worst)), ("Clauses", " ".join(section.clauses)))
    )


def _overview(section: CoverAllSection) -> DataTable:
    heads = ("Players", "House edge", "± std. error", "Return", "Hit frequency", "Std. dev.", "Volatility")
    rows = tuple(
        (
            str(found.players),
            percent(found.house_edge, 2),
            percent(found.standard_error, 2),
            percent(1 - found.house_edge, 2),
            percent(found.hit_frequency, 2),
            number(found.standard_deviation, 2),
            number(column.volatility_index, 2),
            f"{found.rounds:,}",
        )
        for column in section.columns
        for found in [column.estimate]
    )
    return DataTable(title="By players dealt in", headers=(*heads, "Rounds"), rows=rows)


def _column(column: Column) -> DataTable:
    found = column.distribution.outcomes
    rows = [
        (
            name(each.hand),
            each.pays or "",
            f"{each.count:,}",
            chance(each.probability),
            chance(error_of(each)),
            one_in(each.probability),
            percent(each.probability * (each.net + 1), 2),
            percent(-each.contribution, 2),
        )
        for each in found
    ]
    heads = ("", "Pays", "Rounds", "Probability", "± std. error", "One in", "To return", "To house edge")
    estimate = column.estimate
    note = f"Of {estimate.rounds:,} simulated rounds. Clauses {' '.join(estimate.clauses)}."
    return DataTable(
        title=_players(estimate.players).capitalize(), headers=heads, rows=tuple(rows), note=note
    )


def _confidence(section: CoverAllSection) -> DataTable:
    heads = tuple(f"{band.rounds:,}" for band in section.columns[0].bands)
    rows = tuple(
        (
            str(column.estimate.players),
            *(
                f"{percent(band.low95, 1)} to {percent(band.high95, 1)}" + ("" if band.reliable else MARK)
                for band in column.bands
            ),
        )
        for column in section.columns
    )
    return DataTable(
        title="95% confidence band of the actual return of one stake, by players and rounds",
        headers=("Players", *heads),
        rows=rows,
        note=f"Normal approximation.{MARK} Not reliable: the rarest material award is expected too seldom.",
    )


def _charts(column: Column) -> Iterator[ChartImage]:
    estimate, outcomes = column.estimate, tuple(column.distribution.outcomes)
    told = _players(estimate.players)
    yield ChartImage(
        svg=contribution_chart(rows_of(outcomes)),
        caption=f"Contribution of each hand to the return, {told}.",
        alt="Bars: " + ", ".join(f"{name(each.hand)}" for each in outcomes if each.pays),
    )
    returned = 1 + column.distribution.mean
    yield ChartImage(
        svg=band_chart(returned, estimate.standard_deviation, returned * 0, "stake"),
        caption=f"Actual return by rounds, {told}: 90% (dark), 95% (light).",
        alt=f"Bands that narrow around {percent(returned, 2)} from a thousand rounds on",
    )

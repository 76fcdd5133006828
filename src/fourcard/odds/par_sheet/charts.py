"""Charts of a PAR sheet as SVG: contributions, decisions, confidence bands, and the edge by meter."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from fourcard.documents.charts import (
    DASHES,
    LIGHT,
    SMALL,
    WIDTH,
    Drawing,
    bar_chart,
    document_svg,
    horizontal_rule,
    inline_data,
)
from fourcard.odds.par_sheet.formats import format_percent, row_label
from fourcard.odds.par_sheet.progressive_section import EdgeAtMeter, ProgressiveSection
from fourcard.odds.par_sheet.section import Z90, Z95, ParRow, band_at

if TYPE_CHECKING:
    import altair as alt

WIDE, LOW = 690, 175
HEIGHT = 165
DECADES = range(3, 8)
PER_DECADE = 10


def contribution_chart(rows: Sequence[ParRow]) -> str:
    """Return bars of each hand's contribution to the return."""
    bars: dict[str, Fraction] = defaultdict(Fraction)
    for row in rows:
        if row.comes_back:
            bars[row_label(row.row.split(",")[0])] += row.contribution_to_return
    return _bars(list(bars.items()), "contribution to the return, %")


def decisions_chart(shares: Sequence[tuple[str, Fraction]]) -> str:
    """Return bars of the frequency of each decision."""
    return _bars(shares, "share of all deals, %")


def _bars(shares: Sequence[tuple[str, Fraction]], title: str) -> str:
    return bar_chart(
        [(label, float(share) * 100, format_percent(share, 3)) for label, share in shares], title
    )


def band_chart(mean_return: Fraction, deviation: float, least: Fraction, unit: str) -> str:
    """Return the confidence bands of the actual return of a unit by rounds."""
    import altair as alt

    x = alt.X("rounds:Q", title="rounds", scale=alt.Scale(type="log"), axis=_powers_of_ten_axis())
    y = alt.Y("low:Q", title=f"return of one {unit}, %", scale=alt.Scale(zero=False))
    areas = [
        alt.Chart(inline_data(_band_points(mean_return, deviation, z, least)))
        .mark_area(opacity=LIGHT)
        .encode(x=x, y=y, y2="high:Q")
        for z in (Z95, Z90)
    ]
    expected = horizontal_rule(float(mean_return) * 100)
    return document_svg(alt.layer(*areas, horizontal_rule(100.0, DASHES), expected), WIDTH, HEIGHT)


def _band_points(mean: Fraction, deviation: float, z: float, least: Fraction) -> list[dict[str, float]]:
    steps = range(DECADES[0] * PER_DECADE, DECADES[-1] * PER_DECADE + 1)
    data = []
    for rounds in (10 ** (step / PER_DECADE) for step in steps):
        low, high = band_at(rounds, mean, deviation, z, least)
        data.append({"rounds": rounds, "low": low * 100, "high": high * 100})
    return data


def meter_chart(section: ProgressiveSection) -> str:
    """Return the house edge by meter, alone and at a full table, with named meter amounts."""
    import altair as alt

    most = section.by_others[-1].others
    lines = [_meter_line(section.line, "house_edge_alone", [1, 0])]
    if most:
        lines.append(_meter_line(section.line, "house_edge_full_table", DASHES))
    layers = [horizontal_rule(0.0), *lines, *(_labelled_point(each) for each in section.by_meter)]
    return document_svg(alt.layer(*layers), WIDE, LOW)


def _labelled_point(point: EdgeAtMeter) -> Drawing:
    """Return a point with its label: below the line where a full table breaks even, else above."""
    import altair as alt

    below = point.house_edge_full_table == 0 != point.house_edge_alone
    data = [{"meter": float(point.meter) / 100, "edge": 0 if below else float(point.house_edge_alone) * 100}]
    base = alt.Chart(inline_data(data)).encode(x=alt.X("meter:Q"), y=alt.Y("edge:Q"))
    placed: dict[str, Any] = (
        {"align": "right", "dx": -4, "dy": 10} if below else {"align": "left", "dx": 5, "dy": -8}
    )
    return base.mark_point(filled=True, size=34, opacity=1) + base.mark_text(
        **placed, fontSize=SMALL, text=point.name
    )


def _meter_line(ends: Sequence[EdgeAtMeter], which: str, dash: list[int]) -> Drawing:
    import altair as alt

    data = [{"meter": float(each.meter) / 100, "edge": float(getattr(each, which)) * 100} for each in ends]
    return (
        alt.Chart(inline_data(data))
        .mark_line(strokeWidth=1.3, strokeDash=dash)
        .encode(
            x=alt.X("meter:Q", title="meter", axis=alt.Axis(format="$,.0f", tickCount=6)),
            y=alt.Y("edge:Q", title="house edge, %"),
        )
    )


def _powers_of_ten_axis() -> "alt.Axis":
    import altair as alt

    label = "'10' + ['⁰','¹','²','³','⁴','⁵','⁶','⁷'][round(log(datum.value) / LN10)]"
    return alt.Axis(values=[10**power for power in DECADES], labelExpr=label, grid=False)

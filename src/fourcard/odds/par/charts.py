"""The charts of a PAR sheet as SVG: one ink in several strengths, so that they print in black and white.

The ink is ``currentColor``: black on paper, and whatever the text is on a screen. Nothing is told by hue.
"""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import altair as alt
import vl_convert

from fourcard.odds.par.link import AtMeter
from fourcard.odds.par.measures import Z90, Z95, band_at
from fourcard.odds.par.meters import MeterSection
from fourcard.odds.par.section import Row
from fourcard.odds.par.wording import name, percent

Drawing = Any
"""A chart of Altair, whose methods return what no type describes."""
INK = "currentColor"
FONT = "Libertinus Serif, Georgia, serif"
WIDTH, HEIGHT = 330, 165
WIDE, LOW = 690, 175
STEP, AXIS = 17, 42
"""The height of a bar with its gap, and of the axis below the bars."""
LIGHT, MIDDLE = 0.18, 0.38
DASHES = [4, 3]
SMALL, LARGE = 10.5, 11
DECADES = range(3, 8)
PER_DECADE = 10


def contribution_chart(rows: Sequence[Row]) -> str:
    """Return bars of what each hand adds to the return, however it is won, each with its figure."""
    bars: dict[str, Fraction] = defaultdict(Fraction)
    for row in rows:
        if row.back:
            bars[name(row.name.split(",")[0])] += row.to_return
    return _bars(list(bars.items()), "contribution to the return, %")


def decisions_chart(shares: Sequence[tuple[str, Fraction]]) -> str:
    """Return bars of how often each decision is taken."""
    return _bars(shares, "share of all deals, %")


def _bars(shares: Sequence[tuple[str, Fraction]], title: str) -> str:
    data = [{"row": row, "value": float(share) * 100, "text": percent(share, 3)} for row, share in shares]
    most = max(float(share) * 100 for _, share in shares)
    bars = alt.Chart(_data(data)).encode(
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=200)),
        x=alt.X("value:Q", title=title, scale=alt.Scale(domain=[0, most * 1.3]), axis=alt.Axis(tickCount=5)),
    )
    texts = bars.mark_text(align="left", dx=4, fontSize=SMALL).encode(text="text:N")
    return _svg(bars.mark_bar(opacity=MIDDLE, height=10) + texts, WIDTH, STEP * len(data) + AXIS)


def band_chart(mean_return: Fraction, deviation: float, least: Fraction, unit: str) -> str:
    """Return the funnel of the actual return of a unit by the number of rounds."""
    x = alt.X("rounds:Q", title="rounds", scale=alt.Scale(type="log"), axis=_powers())
    y = alt.Y("low:Q", title=f"return of one {unit}, %", scale=alt.Scale(zero=False))
    areas = [
        alt.Chart(_data(_funnel(mean_return, deviation, z, least)))
        .mark_area(opacity=LIGHT)
        .encode(x=x, y=y, y2="high:Q")
        for z in (Z95, Z90)
    ]
    expected = _rule(float(mean_return) * 100)
    return _svg(alt.layer(*areas, _rule(100.0, DASHES), expected), WIDTH, HEIGHT)


def _funnel(mean: Fraction, deviation: float, z: float, least: Fraction) -> list[dict[str, float]]:
    steps = range(DECADES[0] * PER_DECADE, DECADES[-1] * PER_DECADE + 1)
    data = []
    for rounds in (10 ** (step / PER_DECADE) for step in steps):
        low, high = band_at(rounds, mean, deviation, z, least)
        data.append({"rounds": rounds, "low": low * 100, "high": high * 100})
    return data


def meter_chart(section: MeterSection) -> str:
    """Return the house edge by meter, alone and at a full table, with the meters that matter marked."""
    most = section.by_others[-1].others
    lines = [_meter_line(section.line, "alone", [1, 0])]
    if most:
        lines.append(_meter_line(section.line, "full", DASHES))
    layers = [_rule(0.0), *lines, *(_mark(each) for each in section.meters)]
    return _svg(alt.layer(*layers), WIDE, LOW)


def _mark(point: AtMeter) -> Drawing:
    """Return a point with its name: below the line of a full table where that breaks even, else above."""
    below = point.full == 0 != point.alone
    data = [{"meter": float(point.meter) / 100, "edge": 0 if below else float(point.alone) * 100}]
    base = alt.Chart(_data(data)).encode(x=alt.X("meter:Q"), y=alt.Y("edge:Q"))
    placed: dict[str, Any] = (
        {"align": "right", "dx": -4, "dy": 10} if below else {"align": "left", "dx": 5, "dy": -8}
    )
    return base.mark_point(filled=True, size=34, opacity=1) + base.mark_text(
        **placed, fontSize=SMALL, text=point.name
    )


def _meter_line(ends: Sequence[AtMeter], which: str, dash: list[int]) -> Drawing:
    data = [{"meter": float(each.meter) / 100, "edge": float(getattr(each, which)) * 100} for each in ends]
    return (
        alt.Chart(_data(data))
        .mark_line(strokeWidth=1.3, strokeDash=dash)
        .encode(
            x=alt.X("meter:Q", title="meter", axis=alt.Axis(format="$,.0f", tickCount=6)),
            y=alt.Y("edge:Q", title="house edge, %"),
        )
    )


def _powers() -> alt.Axis:
    label = "'10' + ['⁰','¹','²','³','⁴','⁵','⁶','⁷'][round(log(datum.value) / LN10)]"
    return alt.Axis(values=[10**power for power in DECADES], labelExpr=label, grid=False)


def _rule(at: float, dash: list[int] | None = None) -> Drawing:
    mark = alt.Chart(_data([{"at": at}]))
    return mark.mark_rule(strokeWidth=1, strokeDash=dash or [1, 0]).encode(y=alt.Y("at:Q"))


def _data(values: list[dict[str, Any]]) -> alt.InlineData:
    return alt.InlineData(values=values)


def _svg(chart: Drawing, width: int, height: int) -> str:
    """Return a chart in the look of the sheet, so wide and high with its axes."""
    axis: dict[str, Any] = {f"{part}Color": INK for part in ("label", "title", "domain", "tick", "grid")}
    styled = (
        chart.properties(
            width=width, height=height, autosize=alt.AutoSizeParams(type="fit", contains="padding")
        )
        .configure(font=FONT, background="transparent", padding=2)
        .configure_axis(
            **axis, gridOpacity=0.15, labelFontSize=SMALL, titleFontSize=LARGE, titleFontWeight="normal"
        )
        .configure_view(stroke=None)
        .configure_mark(color=INK)
        .configure_text(color=INK)
        .configure_rule(color=INK)
    )
    return str(vl_convert.vegalite_to_svg(styled.to_dict()))

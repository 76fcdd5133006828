"""Charts: the look of charts inside documents, and charts as SVG, PNG or HTML files.

Charts inside documents use one ink in several strengths, so that they print in black and white. The ink is
``currentColor``: black on paper, and the colour of the text on a screen. Hue carries no meaning.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourcard.documents.files import save_file

if TYPE_CHECKING:
    import altair as alt

CHART_SUFFIXES = (".svg", ".png", ".html")
SCALE = 2.0
Drawing = Any
"""An Altair chart, whose methods have no useful types."""
INK = "currentColor"
FONT = "Libertinus Serif, Georgia, serif"
WIDTH = 330
BAR_STEP, AXIS_HEIGHT = 17, 42
"""The height of a bar with its gap, and of the axis below the bars."""
LIGHT, MIDDLE = 0.18, 0.38
DASHES = [4, 3]
SMALL, LARGE = 10.5, 11


def save_chart_file(chart: "alt.TopLevelMixin", path: Path) -> None:
    """Write a chart to a file in the format of its suffix; an HTML file loads nothing from outside."""
    import vl_convert

    spec = chart.to_json()
    if path.suffix.lower() == ".png":
        content = vl_convert.vegalite_to_png(spec, scale=SCALE)
    elif path.suffix.lower() == ".svg":
        content = vl_convert.vegalite_to_svg(spec).encode()
    else:
        content = vl_convert.vegalite_to_html(spec, bundle=True).encode()
    save_file(path, (content,))


def bar_chart(bars: Sequence[tuple[str, float, str]], title: str) -> str:
    """Return horizontal bars as SVG: label, length in percent, and the text beside the bar."""
    import altair as alt

    data = [{"row": row, "value": value, "text": text} for row, value, text in bars]
    longest = max(value for _, value, _ in bars)
    chart = alt.Chart(inline_data(data)).encode(
        y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=200)),
        x=alt.X(
            "value:Q", title=title, scale=alt.Scale(domain=[0, longest * 1.3]), axis=alt.Axis(tickCount=5)
        ),
    )
    texts = chart.mark_text(align="left", dx=4, fontSize=SMALL).encode(text="text:N")
    return document_svg(
        chart.mark_bar(opacity=MIDDLE, height=10) + texts, WIDTH, BAR_STEP * len(data) + AXIS_HEIGHT
    )


def horizontal_rule(at: float, dash: list[int] | None = None) -> Drawing:
    """Return a horizontal line across a chart."""
    import altair as alt

    chart = alt.Chart(inline_data([{"at": at}]))
    return chart.mark_rule(strokeWidth=1, strokeDash=dash or [1, 0]).encode(y=alt.Y("at:Q"))


def inline_data(values: list[dict[str, Any]]) -> "alt.InlineData":
    """Return rows as the data of a chart."""
    import altair as alt

    return alt.InlineData(values=values)


def document_svg(chart: Drawing, width: int, height: int) -> str:
    """Return a chart as SVG in the look of the documents; the size includes the axes."""
    import altair as alt
    import vl_convert

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

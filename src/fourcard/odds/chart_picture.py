"""Strategy chart picture: hands in rows, up cards in columns, one colour per decision."""

from typing import TYPE_CHECKING

from fourcard.cards import RANKS
from fourcard.odds.chart import Chart

if TYPE_CHECKING:
    import altair as alt

COLOURS = {"fold": "#c9ced6", "1x": "#f2b84b", "2x": "#8fb8de", "3x": "#3f8f6b"}
CELL = 42


def chart_picture(chart: Chart, subtitle: str) -> "alt.LayerChart":
    """Return the picture of a strategy chart; a star marks a cell with exceptions."""
    import altair as alt  # noqa: PLC0415  only pictures need it

    cells = [
        {
            "hand": cell.hand,
            "up": cell.up,
            "decision": cell.decision,
            "label": cell.decision.replace("fold", "F").replace("x", "") + ("*" if cell.mixed else ""),
            "share": float(cell.shares[cell.decision]),
        }
        for cell in chart.cells
    ]
    taken = {cell.decision for cell in chart.cells}
    used = {decision: colour for decision, colour in COLOURS.items() if decision in taken}
    hands = list(dict.fromkeys(cell.hand for cell in chart.cells))
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X(
            "up:N", sort=list(RANKS), title="dealer's up card", axis=alt.Axis(orient="top", labelAngle=0)
        ),
        y=alt.Y("hand:N", sort=hands, title=None),
    )
    tiles = base.mark_rect(stroke="white").encode(
        color=alt.Color(
            "decision:N",
            title="best decision",
            scale=alt.Scale(domain=list(used), range=list(used.values())),
        ),
        opacity=alt.Opacity("share:Q", scale=alt.Scale(domain=[0.5, 1], range=[0.55, 1]), legend=None),
    )
    words = base.mark_text(fontSize=14, fontWeight="bold").encode(text="label:N")
    picture: alt.LayerChart = alt.layer(
        tiles,
        words,
        width=CELL * len(RANKS),
        height=CELL * len(hands) * 0.75,
        title=alt.Title(
            "Four Card Poker: the best decision for each hand and up card",
            subtitle=[
                subtitle,
                "* some hands of the cell have another best decision; `fourcard strategy` lists them",
            ],
            anchor="start",
        ),
    ).configure_view(stroke=None)
    return picture

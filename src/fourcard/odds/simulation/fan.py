"""Bankroll chart: quantiles of the bankroll during sessions, as a picture and as text."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fourcard.documents.charts import save_picture
from fourcard.money import dollars
from fourcard.odds.simulation.sessions import Sessions

if TYPE_CHECKING:
    import altair as alt

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
LINES = 12
WIDTH = 60
OUTER, INNER, MIDDLE, START = "░", "▒", "█", "│"
COLOUR = "#1f5f8b"
CENTS = 100
BANDS = "bands: 5% to 95% and 25% to 75% of sessions"


def save_chart(sessions: Sessions, title: str, path: Path) -> None:
    """Write the chart to a file: SVG, PNG, or a self-contained HTML page."""
    save_picture(_draw(sessions, title), path)


def _draw(sessions: Sessions, title: str) -> "alt.LayerChart | alt.FacetChart":
    import altair as alt  # noqa: PLC0415  it takes longer to load than a short simulation

    rows = sessions.quantiles(SHARES) / CENTS
    names = ("p5", "p25", "p50", "p75", "p95")
    values = [
        {"round": mark, **dict(zip(names, column, strict=True))}
        for mark, column in zip(sessions.marks.tolist(), rows.T.tolist(), strict=True)
    ]
    rounds = alt.X("round:Q", title="rounds played")

    def band(low: str, high: str, opacity: float) -> alt.Chart:
        drawn: alt.Chart = alt.Chart().mark_area(color=COLOUR, opacity=opacity)
        return drawn.encode(rounds, alt.Y(f"{low}:Q", title="bankroll in dollars"), alt.Y2(high))

    middle = alt.Chart().mark_line(color=COLOUR).encode(rounds, alt.Y("p50:Q"))
    begun = alt.Chart().mark_rule(strokeDash=[4, 4]).encode(alt.YDatum(sessions.plan.bankroll / CENTS))
    words = alt.TitleParams(title, subtitle=[_subtitle(sessions), BANDS])
    layers = alt.layer(
        band("p5", "p95", 0.2), band("p25", "p75", 0.4), middle, begun, data=alt.InlineData(values=values)
    )
    return layers.properties(width=640, height=360, title=words)


def _subtitle(sessions: Sessions) -> str:
    plan = sessions.plan
    return (
        f"{plan.sessions:,} sessions of {plan.length:,} rounds with {dollars(plan.bankroll)}: "
        f"{sessions.risk_of_ruin:.2%} ruined, {sessions.ahead:.1%} ended ahead"
    )


def fan_lines(sessions: Sessions) -> Iterator[str]:
    """Yield the chart as lines of text, one for each of a few points of a session."""
    rows = sessions.quantiles(SHARES)
    low, high = float(rows.min()), max(float(rows.max()), float(rows.min()) + 1)

    def place(amount: float) -> int:
        return round((amount - low) / (high - low) * (WIDTH - 1))

    points = np.unique(np.linspace(0, len(sessions.marks) - 1, LINES).round().astype(int))
    widest = max(len("rounds"), len(f"{int(sessions.marks[-1]):,}"))
    least_shown, most_shown = dollars(round(low)), dollars(round(high))
    yield f"{'rounds':>{widest}}  {least_shown}{most_shown:>{WIDTH - len(least_shown)}}"
    for point in points:
        least, lower, median, upper, most = (place(amount) for amount in rows[:, point])
        cells = [" "] * WIDTH
        cells[place(sessions.plan.bankroll)] = START
        cells[least : most + 1] = OUTER * (most - least + 1)
        cells[lower : upper + 1] = INNER * (upper - lower + 1)
        cells[median] = MIDDLE
        yield f"{int(sessions.marks[point]):>{widest},}  {''.join(cells)}"

"""Jackpot chart: the meter over time, each win, and the expected average win."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from fourcard.documents.charts import save_picture
from fourcard.money import dollars, share_text
from fourcard.odds.meter_year.measured import Measured
from fourcard.odds.meter_year.plan import several

if TYPE_CHECKING:
    import altair as alt

METER, WON = "the meter", "won"
COLOURS = ("#1f5f8b", "#c8553d", "#2b2b2b")
WIDTH, HEIGHT = 900, 380
CENTS = 100
FEW, LARGE, SMALL = 60, 70, 24
"""Up to FEW wins the marks are large, above that small."""


def save_meter_picture(measured: Measured, title: str, path: Path) -> None:
    """Write the chart to a file: SVG, PNG, or a self-contained HTML page."""
    save_picture(meter_picture(measured, title), path)


def meter_picture(measured: Measured, title: str) -> "alt.LayerChart":
    """Return the chart of a run."""
    import altair as alt  # noqa: PLC0415  it takes longer to load than a year of rounds

    days = alt.X("day:Q", title="day", scale=alt.Scale(nice=False))
    amount = alt.Y("dollars:Q", title="the meter", axis=alt.Axis(format="$,.0f"), scale=alt.Scale(zero=True))
    shown = [METER, WON, *(str(row["what"]) for row in _expected_line(measured))]
    what = alt.Color(
        "what:N",
        title=None,
        scale=alt.Scale(domain=shown, range=[*COLOURS[: len(shown)]]),
        legend=alt.Legend(orient="bottom", labelLimit=WIDTH),
    )

    size = LARGE if len(measured.course.wins) <= FEW else SMALL
    grown = _chart(_path_points(measured)).mark_line(strokeWidth=1.2).encode(days, amount, what, order="at:Q")
    won = (
        _chart(_win_points(measured)).mark_point(filled=True, opacity=1, size=size).encode(days, amount, what)
    )
    expected = (
        _chart(_expected_line(measured)).mark_rule(strokeDash=[7, 4], strokeWidth=1.6).encode(amount, what)
    )
    picture: alt.LayerChart = alt.layer(
        grown,
        won,
        expected,
        width=WIDTH,
        height=HEIGHT,
        title=alt.Title(title, subtitle=_subtitle(measured), anchor="start"),
    ).configure_view(stroke=None)
    return picture


def _chart(rows: list[dict[str, object]]) -> "alt.Chart":
    import altair as alt  # noqa: PLC0415  as above

    return alt.Chart(alt.InlineData(values=rows))


def _path_points(measured: Measured) -> list[dict[str, object]]:
    """Return the points of the meter's path; points of one round stay in order."""
    return [
        {"at": at, "day": _day(measured, turn), "dollars": cents / CENTS, "what": METER}
        for at, (turn, cents) in enumerate(measured.course.path)
    ]


def _win_points(measured: Measured) -> list[dict[str, object]]:
    return [
        {"day": _day(measured, win.round), "dollars": win.amount / CENTS, "what": WON}
        for win in measured.course.wins
    ]


def _expected_line(measured: Measured) -> list[dict[str, object]]:
    expected = measured.average_win.long_run
    if expected is None:
        return []
    label = f"expected average win in the long run, {_whole_dollars(expected)}"
    return [{"dollars": float(expected) / CENTS, "what": label}]


def _day(measured: Measured, turn: int) -> float:
    return round(turn / measured.course.plan.rounds_per_day, 4)


def _subtitle(measured: Measured) -> list[str]:
    """Return two lines: the plan, and the wins."""
    course, plan, terms = measured.course, measured.course.plan, measured.course.linked.terms
    reserve = f" and {share_text(terms.reserve)} to the reserve" if terms.reserve else ""
    played = (
        f"{several(plan.wagers, 'wager')} of {dollars(course.linked.stake)} "
        f"at {several(plan.tables, 'table')} of {several(plan.players, 'player')} "
        f"in {several(plan.days, 'day')}: {share_text(terms.rate)} to the meter{reserve}, "
        f"reset to {dollars(terms.seed)}"
    )
    return [played, _wins_text(measured)]


def _wins_text(measured: Measured) -> str:
    wins, average = measured.wins, measured.average_win.average
    text = f"won {several(wins.count, 'time')} ({float(wins.expected):,.1f} expected)"
    return text if average is None else f"{text}, on average {_whole_dollars(average)}"


def _whole_dollars(cents: float | Fraction) -> str:
    return dollars(round(cents / CENTS) * CENTS)

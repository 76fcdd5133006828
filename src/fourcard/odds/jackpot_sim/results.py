"""Jackpot results: the counts and averages of a run, compared with their exact expectations, and a chart."""

from collections.abc import Collection
from fractions import Fraction
from functools import cached_property
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import asdict

from fourcard.answers import InCents, InWords
from fourcard.documents.charts import save_chart_file
from fourcard.fingerprints import fingerprint
from fourcard.meter import UNITS_PER_CENT
from fourcard.money import dollars, share_text
from fourcard.odds.jackpot_long_run import average_win_error, expected_average_from, is_whole_meter
from fourcard.odds.jackpot_sim.config import count_text
from fourcard.odds.jackpot_sim.run import JackpotRun, JackpotWin
from fourcard.odds.paytable_lookup import CUSTOM
from fourcard.odds.progressive import hit_covariance
from fourcard.rules.game import Game
from fourcard.rules.rulebook import AwardSource
from fourcard.settlers.wager_settler import odds_by_row

if TYPE_CHECKING:
    import altair as alt


class HitCount(msgspec.Struct, frozen=True, kw_only=True):
    """An observed count, compared with its expectation."""

    count: int
    expected: Fraction
    standard_error: float
    z: float | None
    """The deviation in standard errors; None if the standard error is zero."""


class RowHits(HitCount, frozen=True, kw_only=True):
    """The hits of one row of the paytable."""

    row: InWords
    pays: str


class AverageWin(msgspec.Struct, frozen=True):
    """The average meter in cents when it was won, compared with its expectation."""

    average: float | None
    standard_error: float | None
    """The standard error of the average over this number of wagers."""
    expected: float | None
    """The expectation over this number of wagers from this start."""
    expected_in_the_long_run: Fraction | None
    """The expectation over many wins, as ``fourcard odds progressive`` reports it."""
    z: float | None
    """The deviation from the expectation over this number of wagers, in standard errors."""


class ResetTerms(msgspec.Struct, frozen=True):
    """The shares of each stake, and the meter's first amount and reset in cents."""

    rate: Fraction
    reserve: Fraction
    seed: int
    reset: int
    fixed_awards: AwardSource


class MeterCourse(msgspec.Struct, frozen=True):
    """What the meter showed, in cents."""

    highest: InCents
    average: float
    final: InCents
    reserve: InCents


class PaidAwards(msgspec.Struct, frozen=True):
    """What was paid, in cents."""

    total: InCents
    from_meter: InCents
    from_tray: InCents
    shortfall: InCents
    """Paid from the tray because the meter was empty (R59)."""


class ConservationLaw(msgspec.Struct, frozen=True):
    """Both sides of the conservation law, in units of a ten-thousandth of a cent."""

    meter: int
    reserve: int
    paid_from_meter: int
    seeds: int
    contributions: int
    holds: bool
    units_per_cent: int


class JackpotReport(msgspec.Struct, frozen=True, kw_only=True):
    """A simulated progressive: its meter, hits and wins, with their expectations."""

    submission: str
    rulebook: str
    edition: str
    paytable: str
    tables: int
    players: int
    rounds_per_hour: int
    hours: int
    days: int
    rounds: int
    wagers: int
    stake: int
    seed: int
    seconds: float
    terms: ResetTerms
    contributions: int
    hits: tuple[RowHits, ...]
    wins: HitCount
    average_win: AverageWin
    meter: MeterCourse
    paid: PaidAwards
    law: ConservationLaw
    won: tuple[JackpotWin, ...]
    game: str
    fingerprint: str


class JackpotResults(msgspec.Struct, frozen=True, dict=True):
    """The figures of a run and their exact expectations."""

    run: JackpotRun

    @cached_property
    def hits(self) -> dict[str, RowHits]:
        """Return, for each row, how often it was hit."""
        pays = odds_by_row(self.run.config.table)
        return {
            row: RowHits(**asdict(self._count((row,))), row=row, pays=str(pays[row])) for row in self.run.hits
        }

    @cached_property
    def wins(self) -> HitCount:
        """Return the count of wins of the whole meter."""
        pays = odds_by_row(self.run.config.table)
        return self._count([row for row, odds in pays.items() if is_whole_meter(odds)])

    @cached_property
    def average_win(self) -> AverageWin:
        """Return the average meter when it was won."""
        course, cycle = self.run, self.run.config.cycle
        average = fmean(win.amount for win in course.wins) if course.wins else None
        error = average_win_error(cycle, course.plan.wagers)
        expected = expected_average_from(cycle, course.config.start, course.plan.wagers)
        z = (average - expected) / error if average is not None and expected is not None and error else None
        return AverageWin(average, error, expected, cycle.average_win, z)

    def _count(self, rows: Collection[str]) -> HitCount:
        """Return the count of hits of some rows; hands of one deck are not independent."""
        course, seats = self.run, self.run.plan.players
        chance = sum((course.config.cycle.chances[row] for row in rows), Fraction(0))
        together = hit_covariance(course.config.table, rows) if seats > 1 else Fraction(0)
        a_round = seats * chance * (1 - chance) + seats * (seats - 1) * together
        count, expected = sum(course.hits[row] for row in rows), chance * course.plan.wagers
        error = sqrt(course.plan.rounds * a_round)
        z = float(count - expected) / error if error else None
        return HitCount(count=count, expected=expected, standard_error=error, z=z)

    def report(self, game: Game) -> JackpotReport:
        """Return all figures of the simulated progressive of a game."""
        course, linked, plan = self.run, self.run.config, self.run.plan
        terms, paytable = linked.terms, game.submission.wagers["progressive"]
        return JackpotReport(
            submission=game.submission.name,
            rulebook=game.rulebook.id,
            edition=game.rulebook.edition,
            paytable=paytable if isinstance(paytable, str) else CUSTOM,
            **asdict(plan),
            rounds=plan.rounds,
            wagers=plan.wagers,
            stake=linked.stake,
            seed=course.seed,
            seconds=course.seconds,
            terms=ResetTerms(terms.rate, terms.reserve, linked.start, terms.seed, terms.fixed_awards),
            contributions=course.contributed // UNITS_PER_CENT,
            hits=tuple(self.hits.values()),
            wins=self.wins,
            average_win=self.average_win,
            meter=MeterCourse(
                course.highest // UNITS_PER_CENT,
                course.average_meter,
                course.meter.whole_cents,
                course.meter.reserve // UNITS_PER_CENT,
            ),
            paid=PaidAwards(
                course.from_meter + course.from_tray, course.from_meter, course.from_tray, course.shortfall
            ),
            law=self.conservation(),
            won=course.wins,
            game=game.hash,
            fingerprint=fingerprint(),
        )

    def conservation(self) -> ConservationLaw:
        """Return both sides of the conservation law."""
        course = self.run
        return ConservationLaw(
            course.meter.amount,
            course.meter.reserve,
            course.from_meter * UNITS_PER_CENT,
            course.seeded,
            course.contributed,
            course.conserved,
            UNITS_PER_CENT,
        )


METER, WON = "the meter", "won"
COLOURS = ("#1f5f8b", "#c8553d", "#2b2b2b")
WIDTH, HEIGHT = 900, 380
CENTS = 100
FEW_WINS, LARGE_MARK, SMALL_MARK = 60, 70, 24
"""Up to FEW wins the marks are large, above that small."""


def save_jackpot_chart(measured: JackpotResults, title: str, path: Path) -> None:
    """Write the chart to a file: SVG, PNG, or a self-contained HTML page."""
    save_chart_file(draw_jackpot_chart(measured, title), path)


def draw_jackpot_chart(measured: JackpotResults, title: str) -> "alt.LayerChart":
    """Return the chart of a run."""
    import altair as alt

    days = alt.X("day:Q", title="day", scale=alt.Scale(nice=False))
    amount = alt.Y("dollars:Q", title="the meter", axis=alt.Axis(format="$,.0f"), scale=alt.Scale(zero=True))
    shown = [METER, WON, *(str(row["what"]) for row in _expected_line(measured))]
    what = alt.Color(
        "what:N",
        title=None,
        scale=alt.Scale(domain=shown, range=[*COLOURS[: len(shown)]]),
        legend=alt.Legend(orient="bottom", labelLimit=WIDTH),
    )

    size = LARGE_MARK if len(measured.run.wins) <= FEW_WINS else SMALL_MARK
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
    import altair as alt

    return alt.Chart(alt.InlineData(values=rows))


def _path_points(measured: JackpotResults) -> list[dict[str, object]]:
    """Return the points of the meter's path; points of one round stay in order."""
    return [
        {"at": at, "day": _day(measured, turn), "dollars": cents / CENTS, "what": METER}
        for at, (turn, cents) in enumerate(measured.run.path)
    ]


def _win_points(measured: JackpotResults) -> list[dict[str, object]]:
    return [
        {"day": _day(measured, win.round), "dollars": win.amount / CENTS, "what": WON}
        for win in measured.run.wins
    ]


def _expected_line(measured: JackpotResults) -> list[dict[str, object]]:
    expected = measured.average_win.expected_in_the_long_run
    if expected is None:
        return []
    label = f"expected average win in the long run, {_whole_dollars(expected)}"
    return [{"dollars": float(expected) / CENTS, "what": label}]


def _day(measured: JackpotResults, turn: int) -> float:
    return round(turn / measured.run.plan.rounds_per_day, 4)


def _subtitle(measured: JackpotResults) -> list[str]:
    """Return two lines: the plan, and the wins."""
    course, plan, terms = measured.run, measured.run.plan, measured.run.config.terms
    reserve = f" and {share_text(terms.reserve)} to the reserve" if terms.reserve else ""
    played = (
        f"{count_text(plan.wagers, 'wager')} of {dollars(course.config.stake)} "
        f"at {count_text(plan.tables, 'table')} of {count_text(plan.players, 'player')} "
        f"in {count_text(plan.days, 'day')}: {share_text(terms.rate)} to the meter{reserve}, "
        f"reset to {dollars(terms.seed)}"
    )
    return [played, _wins_text(measured)]


def _wins_text(measured: JackpotResults) -> str:
    wins, average = measured.wins, measured.average_win.average
    text = f"won {count_text(wins.count, 'time')} ({float(wins.expected):,.1f} expected)"
    return text if average is None else f"{text}, on average {_whole_dollars(average)}"


def _whole_dollars(cents: float | Fraction) -> str:
    return dollars(round(cents / CENTS) * CENTS)

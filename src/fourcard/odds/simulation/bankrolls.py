"""Bankrolls: how a bankroll develops over many sessions, the risk of ruin, and a chart of both.

The player at position 1 starts each session with the same bankroll and plays until the session ends or the
bankroll no longer covers a whole round: every stake plus the largest Play wager of the strategy.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from fourcard.documents.charts import save_chart_file
from fourcard.money import dollars
from fourcard.odds.kernels import kernel
from fourcard.odds.simulation.dealing import Shoe, generator_state, new_shoe, seed_or_random
from fourcard.odds.simulation.kernel import KernelInputs, batch_buffers, play_rounds
from fourcard.odds.simulation.runner import available_threads
from fourcard.odds.simulation.strategy_kernel import Decisions
from fourcard.odds.simulation.table_setup import TableSetup
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    import altair as alt

SESSIONS_PURPOSE = 1
PER_BLOCK = 64
"""Sessions per random generator."""
HANDS_PER_BATCH = 8_192
"""Hands dealt at a time."""
RECORDED_POINTS = 100
"""The number of points in a session, after its start, at which the bankroll is recorded."""
MAX_SESSIONS = 1_000_000
MAX_LENGTH = 10_000_000
MAX_BANKROLL = 10**12
NOT_RUINED = 0
Amounts = NDArray[np.int64]


class BankrollPlan(msgspec.Struct, frozen=True):
    """The bankroll in cents, the rounds per session, and the number of sessions."""

    bankroll: int
    length: int
    sessions: int

    def __post_init__(self) -> None:
        """Refuse figures out of range."""
        limits = (
            ("bankroll", self.bankroll, MAX_BANKROLL),
            ("length of a session", self.length, MAX_LENGTH),
            ("number of sessions", self.sessions, MAX_SESSIONS),
        )
        for name, value, most in limits:
            if not 1 <= value <= most:
                raise BadInputError(f"The {name} must be from 1 to {most:,}, not {value:,}.")


class BankrollReport(msgspec.Struct, frozen=True):
    """How bankrolls developed over many sessions, in cents."""

    bankroll: int
    session: int
    """The rounds of a session."""
    sessions: int
    needed: int
    """The most that a round can cost; a player with less is ruined."""
    risk_of_ruin: float
    standard_error: float
    median_ruin: int | None
    """The round of the median ruin; None if no session was ruined."""
    ahead: float
    """The share of sessions that ended with more than they began with."""
    mean_end: float
    fan: dict[str, list[int]]
    """Bankrolls by quantile, at the rounds named first."""


class BankrollSessions(msgspec.Struct, frozen=True):
    """The bankrolls of many sessions."""

    plan: BankrollPlan
    needed: int
    """The most that a round can cost; a player with less is ruined."""
    marks: Amounts
    """The rounds after which bankrolls were recorded, the start first."""
    paths: Amounts
    """By session and mark, in cents."""
    ruined_after: Amounts
    """By session: the round after which it was ruined, or 0."""
    seed: int

    @property
    def risk_of_ruin(self) -> float:
        """Return the share of sessions that ended in ruin."""
        return float((self.ruined_after != NOT_RUINED).mean())

    @property
    def risk_error(self) -> float:
        """Return the standard error of the risk of ruin."""
        risk = self.risk_of_ruin
        return sqrt(risk * (1 - risk) / self.plan.sessions)

    @property
    def ahead(self) -> float:
        """Return the share of sessions that ended with more than the initial bankroll."""
        return float((self.paths[:, -1] > self.plan.bankroll).mean())

    def quantiles(self, shares: tuple[float, ...]) -> NDArray[np.float64]:
        """Return the quantiles of the bankrolls, by share and mark."""
        return np.asarray(np.quantile(self.paths, shares, axis=0), np.float64)

    def report(self) -> BankrollReport:
        """Return the figures of the sessions."""
        shares = (0.05, 0.25, 0.5, 0.75, 0.95)
        fan = np.rint(self.quantiles(shares)).astype(np.int64)
        ruined = self.ruined_after[self.ruined_after != NOT_RUINED]
        by_share = {f"{share:.0%}": row for share, row in zip(shares, fan.tolist(), strict=True)}
        return BankrollReport(
            self.plan.bankroll,
            self.plan.length,
            self.plan.sessions,
            self.needed,
            self.risk_of_ruin,
            self.risk_error,
            int(np.median(ruined)) if len(ruined) else None,
            self.ahead,
            float(self.paths[:, -1].mean()),
            {"rounds": self.marks.tolist(), **by_share},
        )


def required_bankroll(seating: TableSetup, decisions: Decisions, plan: BankrollPlan) -> int:
    """Return the most that a round can cost, or refuse a bankroll that does not cover it."""
    needed = sum(seating.stakes.values()) + int(decisions.max()) * seating.stakes.get("ante", 0)
    if plan.bankroll < needed:
        held, takes = dollars(plan.bankroll), dollars(needed)
        raise BadInputError(f"A bankroll of {held} does not cover one round, which can cost {takes}.")
    return needed


def simulate_sessions(
    seating: TableSetup,
    decisions: Decisions,
    plan: BankrollPlan,
    *,
    seed: int | None = None,
    threads: int | None = None,
    step: Callable[[float], None] | None = None,
) -> BankrollSessions:
    """Play sessions; the same seed gives the same sessions with any number of threads."""
    used_seed, table = seed_or_random(seed), seating.kernel_inputs(decisions)
    needed = required_bankroll(seating, decisions, plan)
    points = min(RECORDED_POINTS, plan.length)
    marks = np.array([plan.length * point // points for point in range(points + 1)], np.int64)
    paths = np.full((plan.sessions, len(marks)), plan.bankroll, np.int64)
    ruined = np.zeros(plan.sessions, np.int64)
    firsts = range(0, plan.sessions, PER_BLOCK)

    def play(first: int) -> None:
        block = slice(first, first + PER_BLOCK)
        shoe = new_shoe(generator_state(used_seed, SESSIONS_PURPOSE, first // PER_BLOCK))
        _play_block(table, shoe, needed, marks, paths[block], ruined[block])

    with ThreadPoolExecutor(threads or available_threads()) as pool:
        futures = [pool.submit(play, first) for first in firsts]
        try:
            for each in futures:
                each.result()
                if step is not None:
                    step(1 / len(firsts))
        finally:
            for each in futures:
                each.cancel()
    return BankrollSessions(plan, needed, marks, paths, ruined, used_seed)


def _play_block(
    table: KernelInputs, shoe: Shoe, needed: int, marks: Amounts, paths: Amounts, ruined: Amounts
) -> None:
    """Play some sessions: several short ones per batch, or a long one in pieces."""
    seats, length = len(table.game.antes), int(marks[-1])
    rounds = max(1, HANDS_PER_BATCH // seats)
    several, piece = max(1, rounds // length), min(length, rounds)
    room = batch_buffers(seats, several * piece)
    for first in range(0, len(paths), several):
        some, lost = paths[first : first + several], ruined[first : first + several]
        bankrolls = some[:, 0].copy()
        for begin in range(0, length, piece):
            size = min(piece, length - begin)
            play_rounds(table, shoe, room, size * len(some))
            _update_bankrolls(room.results.nets, bankrolls, marks, some, lost, needed, begin, size, seats)
            if lost.all():
                break


@kernel
def _update_bankrolls(
    nets: Amounts,
    bankrolls: Amounts,
    marks: Amounts,
    paths: Amounts,
    ruined: Amounts,
    needed: int,
    begin: int,
    size: int,
    seats: int,
) -> None:
    """Apply the results of position 1 to the bankrolls; the rounds of each session are consecutive."""
    for session in range(len(bankrolls)):
        bankroll, mark = bankrolls[session], 0
        while marks[mark] <= begin:
            mark += 1
        for turn in range(size):
            if ruined[session] == NOT_RUINED:
                row = np.uint64((session * size + turn) * seats)
                for column in range(nets.shape[1]):
                    bankroll += nets[row, column]
                if bankroll < needed and begin + turn + 1 < marks[len(marks) - 1]:
                    ruined[session] = begin + turn + 1
            if marks[mark] == begin + turn + 1:
                paths[session, mark] = bankroll
                mark += 1
        bankrolls[session] = bankroll
        if ruined[session] != NOT_RUINED:
            for later in range(mark, len(marks)):
                paths[session, later] = bankroll


SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
LINES = 12
WIDTH = 60
OUTER, INNER, MIDDLE, START = "░", "▒", "█", "│"
COLOUR = "#1f5f8b"
CENTS = 100
BANDS = "bands: 5% to 95% and 25% to 75% of sessions"


def save_bankroll_chart(sessions: BankrollSessions, title: str, path: Path) -> None:
    """Write the chart to a file: SVG, PNG, or a self-contained HTML page."""
    save_chart_file(_draw_bankroll_chart(sessions, title), path)


def _draw_bankroll_chart(sessions: BankrollSessions, title: str) -> "alt.LayerChart | alt.FacetChart":
    import altair as alt

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


def _subtitle(sessions: BankrollSessions) -> str:
    plan = sessions.plan
    return (
        f"{plan.sessions:,} sessions of {plan.length:,} rounds with {dollars(plan.bankroll)}: "
        f"{sessions.risk_of_ruin:.2%} ruined, {sessions.ahead:.1%} ended ahead"
    )


def bankroll_chart_lines(sessions: BankrollSessions) -> Iterator[str]:
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

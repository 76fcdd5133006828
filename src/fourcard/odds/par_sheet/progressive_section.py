"""PAR section of the progressive at one stake, with Envy: by meter, by other players, and in the long run."""

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from fourcard.money import OddsKind, dollars
from fourcard.odds.par_sheet.section import (
    FigureComparison,
    ParSection,
    compare_published,
    our_figure,
    par_row,
    par_table,
    section_figures,
    volatility_index,
    worst_round,
)
from fourcard.odds.par_sheet.wager_sections import outcome_rows
from fourcard.odds.paytable_lookup import paytable_ref
from fourcard.odds.progressive import MAX_OTHERS, ProgressiveOdds
from fourcard.odds.published_figures import published_for
from fourcard.odds.report import OddsReport, odds_report
from fourcard.rules.cited import Paytable, clauses_of
from fourcard.rules.game import Game
from fourcard.rules.submission import ProgressiveChoice
from fourcard.rules.worst_case_loss import WorstLoss

ALONE = 0
CHART_MARGIN = Fraction(5, 4)
"""How far beyond the break-even a chart goes."""
AVERAGE_WON = "average when won"


class EdgeAtMeter(msgspec.Struct, frozen=True):
    """The house edge at a meter amount, alone and at a full table."""

    name: str
    meter: Fraction
    """In cents."""
    house_edge_alone: Fraction
    house_edge_full_table: Fraction


class EdgeByOthers(msgspec.Struct, frozen=True):
    """The progressive with a number of other players, each of whose hands may pay Envy."""

    others: int
    house_edge: Fraction
    standard_deviation: float
    volatility_index: float
    break_even_meter: Fraction | None
    long_run_house_edge: Fraction | None


class ProgressiveStake(msgspec.Struct, frozen=True):
    """One progressive stake at one table: the inputs of its odds."""

    table: Paytable
    envy: Paytable | None
    stake: int
    most_others: int
    rate: Fraction | None
    """The share of each wager for meter and reserve; None where fixed awards come out of the meter too."""
    seed: int
    reset: int

    def at(self, meter: int, others: int) -> ProgressiveOdds:
        """Return the odds at a meter in cents with a number of other players."""
        return ProgressiveOdds(self.table, self.envy, self.stake, meter, others)

    def edge(self, meter: Fraction, others: int) -> Fraction:
        """Return the house edge at any fraction of a cent in the meter; it is linear in the meter."""
        low, high = (self.at(cents, others).house_edge for cents in (0, 1))
        return low + (high - low) * meter

    def point(self, name: str, meter: Fraction) -> EdgeAtMeter:
        """Return the named edges at a meter."""
        return EdgeAtMeter(name, meter, self.edge(meter, ALONE), self.edge(meter, self.most_others))

    def with_others(self, others: int) -> EdgeByOthers:
        """Return the figures with a number of other players, the meter at its reset."""
        found = self.at(self.reset, others)
        edge, deviation = found.house_edge, found.standard_deviation
        long_run = None if self.rate is None else found.long_run(self.rate, self.reset)
        return EdgeByOthers(
            others, edge, deviation, volatility_index(deviation), found.break_even_meter, long_run
        )

    @property
    def by_others(self) -> tuple[EdgeByOthers, ...]:
        """Return the figures for each number of other players that the table has room for."""
        return tuple(self.with_others(others) for others in range(self.most_others + 1))

    @property
    def average_top_award(self) -> Fraction | None:
        """Return the average meter when it is won; None where other awards come out of it too."""
        top = self.at(self.reset, ALONE).top
        shares = [odds for odds in self.table.pays.values() if odds.kind is OddsKind.METER]
        if top is None or self.rate is None or len(shares) > 1:
            return None
        return self.reset + self.rate * self.stake / top.probability

    @property
    def meters(self) -> tuple[EdgeAtMeter, ...]:
        """Return the named meter amounts, each once."""
        named: dict[Fraction, str] = {}
        for name, meter in self._named():
            if meter is not None and meter >= 0:
                named.setdefault(meter, name)
        return tuple(self.point(name, meter) for meter, name in named.items())

    def _named(self) -> Iterator[tuple[str, Fraction | None]]:
        yield "seed" if self.seed != self.reset else "seed and reset", Fraction(self.seed)
        yield "reset", Fraction(self.reset)
        yield AVERAGE_WON, self.average_top_award
        if self.most_others:
            full = self.at(self.reset, self.most_others)
            yield f"break-even with {self.most_others} others", full.break_even_meter
        yield "break-even alone", self.at(self.reset, ALONE).break_even_meter

    @property
    def line(self) -> tuple[EdgeAtMeter, ...]:
        """Return the ends of the line from an empty meter to beyond the break-even; empty without one."""
        alone = self.at(self.reset, ALONE).break_even_meter
        if alone is None or alone <= 0:
            return ()
        most = max(alone, Fraction(self.reset), self.average_top_award or Fraction(0)) * CHART_MARGIN
        return self.point("", Fraction(0)), self.point("", most)


class ProgressiveSection(ParSection, frozen=True, kw_only=True):
    """The section of the progressive at one stake."""

    meter: int
    """What the meter shows after a reset, in cents."""
    by_meter: tuple[EdgeAtMeter, ...]
    by_others: tuple[EdgeByOthers, ...]
    line: tuple[EdgeAtMeter, ...]
    """The ends of the line of house edge by meter, for the chart."""

    @property
    def band_note(self) -> str:
        """Return how to read the bands."""
        return (
            f"The meter is held at {dollars(self.meter)} throughout; rows are marked from when somebody is "
            "expected to have won a share of it: read the long-run figures instead."
        )


def progressive_sections(game: Game, loss: WorstLoss) -> Iterator[ParSection]:
    """Yield a section for each stake that the progressive accepts."""
    choice = game.submission.progressive
    if choice is None or "progressive" not in game.tables:
        return
    others = min(MAX_OTHERS, game.submission.positions.at_table - 1) if game.envy else ALONE
    for stake in choice.stakes:
        link = ProgressiveStake(
            game.tables["progressive"],
            game.envy_for(stake) if game.envy else None,
            int(stake),
            others,
            _contribution_rate(choice),
            int(choice.seed or 0),
            int(choice.reset or 0),
        )
        yield _progressive_section(game, loss, link)


def _contribution_rate(choice: ProgressiveChoice) -> Fraction | None:
    """Return the share for meter and reserve; None where fixed awards drain the meter (R59)."""
    if choice.rate is None or choice.fixed_awards == "meter":
        return None
    return choice.rate + choice.reserve


def _progressive_section(game: Game, loss: WorstLoss, link: ProgressiveStake) -> ProgressiveSection:
    found, chosen = link.at(link.reset, ALONE), paytable_ref(game, "progressive")
    by_others = link.by_others
    report = odds_report(
        "progressive",
        chosen.id,
        game.rulebook,
        found.own,
        house_edge=found.house_edge,
        variance=found.variance,
        published=published_for(chosen),
        assumptions=_assumptions(link),
        clauses=clauses_of(link.table, link.envy),
    )
    title = f"Progressive, meter at {dollars(link.reset)}"
    tables = [par_table(title, outcome_rows(report.outcomes), link.table.clauses)]
    if link.envy is not None:
        rows = (
            par_row(each.hand, each.pays, each.count, each.of, each.net, each.net)
            for each in found.envy_from_one.outcomes
            if each.pays is not None
        )
        tables.append(par_table("Envy, from each other player", rows, link.envy.clauses, whole=False))
    taken = (each.probability for each in report.outcomes if _is_meter_share(link.table, each.hand))
    return ProgressiveSection(
        **section_figures(
            report, tuple(tables), _published(report, link, by_others), jackpot=sum(taken, Fraction(0))
        ),
        title=f"Progressive at {dollars(link.stake)}",
        limits=f"stake {dollars(link.stake)} exactly",
        stake=link.stake,
        unit="stake",
        worst_round=worst_round(loss, "progressive", "envy"),
        meter=link.reset,
        by_meter=link.meters,
        by_others=by_others,
        line=link.line,
    )


def _is_meter_share(table: Paytable, hand: str) -> bool:
    return any(row == hand and odds.kind is OddsKind.METER for row, odds in table.pays.items())


def _assumptions(link: ProgressiveStake) -> tuple[str, ...]:
    assumptions = [
        f"The meter shows its reset of {dollars(link.reset)} and nobody else plays, except where stated.",
        "The stake is not returned with an award; nobody folds a paying hand.",
        "The meter is paid at its current amount, though another player may win it in the same round.",
    ]
    if link.rate is None:
        assumptions.append(
            "No long-run edge is given: fixed awards come out of the meter, which may run dry (R59)."
        )
    else:
        assumptions.append(
            "In the long run all that meter and reserve take in is paid out again, and every jackpot costs "
            f"the house the reset of {dollars(link.reset)}; everybody is taken to stake alike."
        )
    return tuple(assumptions)


def _published(
    report: OddsReport, link: ProgressiveStake, by_others: tuple[EdgeByOthers, ...]
) -> tuple[FigureComparison, ...]:
    """Return the printed figures beside ours on several bases, as the sources do not state theirs (R91)."""
    long_runs = [
        our_figure(f"in the long run, {_others_text(each.others)}", each.long_run_house_edge)
        for each in dict.fromkeys((by_others[0], by_others[-1]))
        if each.long_run_house_edge is not None
    ]
    top, average = link.at(link.reset, ALONE).top, link.average_top_award
    return compare_published(
        report,
        house_advantage=tuple(long_runs),
        hit_frequency=(our_figure("a row is paid", report.hit_frequency),),
        top_odds=() if top is None else (our_figure("the whole meter is won", top.probability, "chance"),),
        top_average=()
        if average is None
        else (our_figure("at the submitted rate and reset", average, "cents"),),
    )


def _others_text(number: int) -> str:
    return "alone" if number == ALONE else f"{number} other{'s' * (number > 1)}"

"""PAR section of the progressive at one stake, with Envy: by meter, by other players, and in the long run."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from fourcard.money import Odds, OddsKind, dollars
from fourcard.odds.par.beside import Ours, Published, published_beside, worst_of
from fourcard.odds.par.link import ALONE, AtMeter, ByOthers, Link
from fourcard.odds.par.measures import Band
from fourcard.odds.par.section import Row, Section, Table
from fourcard.odds.par.side import chosen_of, rows_of
from fourcard.odds.printed_figures import printed_of
from fourcard.odds.progressive import MOST_OTHERS
from fourcard.odds.report import Report
from fourcard.rules.exposure import WorstLoss
from fourcard.rules.game import Game
from fourcard.rules.nodes import Paytable, cite
from fourcard.rules.submission import ProgressiveChoice


class MeterSection(Section, frozen=True):
    """The section of the progressive at one stake."""

    start: int = 0
    """What the meter shows after a reset, in cents."""
    meters: tuple[AtMeter, ...] = ()
    by_others: tuple[ByOthers, ...] = ()
    table: Paytable | None = None
    line: tuple[AtMeter, ...] = ()
    """The ends of the line of house edge by meter, for the chart."""

    @property
    def bands(self) -> tuple[Band, ...]:
        """Return the bands for a meter at its reset, marked from when a jackpot is expected."""
        pays = {str(row): odds for row, odds in self.table.pays.items()} if self.table is not None else {}
        chances = [each.probability for each in self.report.outcomes if _is_share(pays.get(each.hand))]
        taken = sum(chances, Fraction(0))
        return tuple(replace(band, meter_moved=band.rounds * taken >= 1) for band in super().bands)

    @property
    def reliance(self) -> str:
        """Return how to read the bands."""
        return (
            f"The meter is held at {dollars(self.start)} throughout; rows are marked from when somebody is "
            "expected to have won a share of it: read the long-run figures instead."
        )

    def answer(self) -> dict[str, object]:
        """Return the section as JSON data."""
        return {
            **super().answer(),
            "meter": self.start,
            "by_meter": [each.answer() for each in self.meters],
            "by_others": [each.answer() for each in self.by_others],
        }


def progressive_sections(game: Game, loss: WorstLoss) -> Iterator[Section]:
    """Yield a section for each stake that the progressive accepts."""
    choice = game.submission.progressive
    if choice is None or "progressive" not in game.tables:
        return
    others = min(MOST_OTHERS, game.submission.positions.at_table - 1) if game.envy else ALONE
    for stake in choice.stakes:
        link = Link(
            game.tables["progressive"],
            game.envy_for(stake) if game.envy else None,
            int(stake),
            others,
            _rate(choice),
            int(choice.seed or 0),
            int(choice.reset or 0),
        )
        yield _section(game, loss, link)


def _rate(choice: ProgressiveChoice) -> Fraction | None:
    """Return the share for meter and reserve; None where fixed awards drain the meter (R59)."""
    if choice.rate is None or choice.fixed_awards == "meter":
        return None
    return choice.rate + choice.reserve


def _section(game: Game, loss: WorstLoss, link: Link) -> MeterSection:
    found, chosen = link.at(link.reset, ALONE), chosen_of(game, "progressive")
    by_others = link.by_others
    report = Report(
        "progressive",
        chosen.id,
        game.rulebook,
        cite(link.table, link.envy),
        found.own,
        found.house_edge,
        found.own.hit_frequency,
        found.variance,
        _assumptions(link),
        published=printed_of(chosen),
    )
    tables = [
        Table(f"Progressive, meter at {dollars(link.reset)}", rows_of(report.outcomes), link.table.clauses)
    ]
    if link.envy is not None:
        rows = tuple(
            Row(each.hand, each.pays, each.count, each.of, each.net, each.net)
            for each in found.envy_from_one.outcomes
            if each.pays is not None
        )
        tables.append(Table("Envy, from each other player", rows, link.envy.clauses, False))
    return MeterSection(
        title=f"Progressive at {dollars(link.stake)}",
        report=report,
        limits=f"stake {dollars(link.stake)} exactly",
        tables=tuple(tables),
        worst=worst_of(loss, "progressive", "envy"),
        stake=link.stake,
        published=_published(report, link, by_others),
        start=link.reset,
        meters=link.meters,
        by_others=by_others,
        table=link.table,
        line=link.line,
    )


def _is_share(odds: Odds | None) -> bool:
    return odds is not None and odds.kind is OddsKind.METER


def _assumptions(link: Link) -> tuple[str, ...]:
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


def _published(report: Report, link: Link, by_others: tuple[ByOthers, ...]) -> tuple[Published, ...]:
    """Return the printed figures beside ours on several bases, as the sources do not state theirs (R91)."""
    long_runs = [
        Ours(f"in the long run, {_others(each.others)}", each.long_run)
        for each in dict.fromkeys((by_others[0], by_others[-1]))
        if each.long_run is not None
    ]
    top, average = link.at(link.reset, ALONE).top, link.average_top_award
    return published_beside(
        report,
        house_advantage=tuple(long_runs),
        hit_frequency=(Ours("a row is paid", report.hit_frequency),),
        top_odds=() if top is None else (Ours("the whole meter is won", top.probability, "chance"),),
        top_average=() if average is None else (Ours("at the submitted rate and reset", average, "cents"),),
    )


def _others(number: int) -> str:
    return "alone" if number == ALONE else f"{number} other{'s' * (number > 1)}"

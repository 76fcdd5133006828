"""PAR section of the base game: Ante, Play and Automatic Bonus under the assumed strategy."""

from collections.abc import Iterator
from fractions import Fraction

from fourcard.odds.base_game import DEALS, RESULTS, BaseGame, base_game
from fourcard.odds.contest import FOLD, multiple_text
from fourcard.odds.figures import exact
from fourcard.odds.par.beside import Ours, Published, published_beside, worst_of
from fourcard.odds.par.section import Row, Section, Table
from fourcard.odds.par.side import chosen_of, posted
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.report import Report, ante_report
from fourcard.odds.strategies import spots_of, strategy_named
from fourcard.odds.tallying import BELOW, TIED
from fourcard.rules.exposure import WorstLoss
from fourcard.rules.game import Game
from fourcard.rules.nodes import cite

BASIC = "basic"
"""The manufacturer's own strategy, which its printed figures may assume."""


def base_section(game: Game, loss: WorstLoss, strategy: str, step: Step = no_progress) -> Section:
    """Return the section of the base game: results against the dealer, and the bonus."""
    bonus = chosen_of(game, "automatic_bonus") if "automatic_bonus" in game.tables else None
    report = ante_report(bonus, game.rulebook, strategy, step)
    assert report.base is not None, "the report of the base game holds it"
    found, rules = report.base, game.rulebook.wagers
    contest = cite(rules.ante.pays, rules.ante.ties_win, rules.play.pays, rules.play.least, rules.play.most)
    tables = [Table("Ante and Play, by decision and result", tuple(_contest_rows(found)), contest)]
    if bonus is not None:
        rows = tuple(_bonus_rows(found))
        tables.append(Table("Automatic Bonus, in every round not folded", rows, bonus.table.clauses, False))
    return Section(
        title="Base game",
        report=report,
        limits=posted(game, "ante"),
        tables=tuple(tables),
        worst=worst_of(loss, "ante", "play", "automatic_bonus"),
        unit="Ante",
        average_wager=found.average_wager,
        published=_published(report, found, strategy),
        details={
            "decisions": {multiple_text(each): exact(share) for each, share in found.decisions.items()},
            "results": {name: exact(share) for name, share in found.results.items()},
            "bonus_hit_frequency": exact(found.bonus_hit_frequency),
            "bonus_value": exact(found.bonus_value),
        },
    )


def _contest_rows(found: BaseGame) -> Iterator[Row]:
    """Yield every decision with each of its results, without the bonus."""
    terms, wagered = found.contest, found.average_wager
    for decision, counts in enumerate(found.tally.sum(axis=1).tolist()):
        if decision == FOLD:
            yield Row("fold", None, sum(counts), DEALS, Fraction(0), Fraction(-1), wagered)
            continue
        staked = Fraction(1 + decision)
        for result, count in enumerate(counts):
            won = result == BELOW or (result == TIED and terms.ties_win)
            net = terms.ante + decision * terms.play if won else -staked
            if count:
                name = f"{multiple_text(decision)}, {RESULTS[result]}"
                yield Row(name, f"{float(net):+g}", count, DEALS, staked + net, net, wagered)


def _bonus_rows(found: BaseGame) -> Iterator[Row]:
    """Yield the Automatic Bonus rows of hands that are not folded."""
    for row, share in found.bonus_shares.items():
        odds = found.contest.bonus[row]
        yield Row(row, str(odds), int(share * DEALS), DEALS, odds.value, odds.value, found.average_wager)


def _published(report: Report, found: BaseGame, strategy: str) -> tuple[Published, ...]:
    """Return the printed figures beside ours on several bases, as the sources do not state theirs (R91)."""
    if report.published is None:
        return ()
    edges = [
        Ours("of each Ante", found.house_edge),
        Ours("of all that is wagered", found.element_of_risk),
    ]
    if strategy != BASIC:
        basic = base_game(spots_of(found.contest), strategy_named(BASIC))
        edges.append(Ours("of all that is wagered, strategy basic", basic.element_of_risk))
    bonus = Ours("the Automatic Bonus is paid", found.bonus_hit_frequency)
    return published_beside(report, house_edge=tuple(edges), hit_frequency=(bonus,))

"""PAR sections of the base game, the side bets and Cover All, which is estimated by simulation."""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import msgspec

from fourcard.money import dollars
from fourcard.odds.base_game import BELOW, DEALS, RESULTS, TIED, BaseGame, base_game
from fourcard.odds.cover_all import CoverAllEstimate, cover_all, find_cover_all_paytable
from fourcard.odds.decision_values import FOLD, decision_name
from fourcard.odds.distribution import Distribution, WagerOutcome, exact_json
from fourcard.odds.par_sheet.section import (
    ConfidenceBand,
    FigureComparison,
    MaterialAward,
    OurFigure,
    ParRow,
    ParSection,
    ParTable,
    WorstRound,
    compare_published,
    confidence_bands,
    rarest_material_award,
    volatility_index,
    worst_round,
)
from fourcard.odds.paytable_lookup import CUSTOM, STANDARD, PaytableRef
from fourcard.odds.progress import ProgressCallback, no_progress, scale_progress
from fourcard.odds.report import OddsReport, aces_up_report, ante_report, bad_beat_report, six_card_report
from fourcard.odds.strategies import decision_points, find_strategy
from fourcard.rules.cited import LIMITED_WAGERS, WAGER_LABELS, TableWager, WagerName, clauses_of
from fourcard.rules.game import Game
from fourcard.rules.worst_case_loss import WorstLoss

ONE_DOLLAR = 100
BEATEN = {"player": "player beaten", "dealer": "dealer beaten", "tie": "tied"}


def paytable_ref(game: Game, wager: TableWager) -> PaytableRef:
    """Return the paytable of a wager in a game, under the id in its submission."""
    choice = game.submission.wagers.get(wager, STANDARD)
    return PaytableRef(
        wager, choice if isinstance(choice, str) else CUSTOM, game.tables[wager], game.rulebook
    )


def posted_limits(game: Game, wager: WagerName) -> str:
    """Return the posted limits of a wager as text."""
    limited = next((name for name in LIMITED_WAGERS if name == wager), None)
    found = game.submission.limits.posted.get(limited) if limited is not None else None
    return "no limits posted" if found is None else f"posted {dollars(found.least)} to {dollars(found.most)}"


def outcome_rows(outcomes: tuple[WagerOutcome, ...]) -> tuple[ParRow, ...]:
    """Return outcomes as rows of a table."""
    return tuple(
        ParRow(_outcome_name(each), each.pays, each.count, each.of, each.net + 1, each.net)
        for each in outcomes
    )


def _outcome_name(outcome: WagerOutcome) -> str:
    beaten = outcome.detail.get("beaten")
    return outcome.hand if beaten is None else f"{outcome.hand}, {BEATEN[beaten]}"


def side_sections(game: Game, loss: WorstLoss, step: ProgressCallback = no_progress) -> Iterator[ParSection]:
    """Yield the sections of the side bets that a game offers, in layout order."""
    if "aces_up" in game.tables:
        yield _side_section(game, loss, aces_up_report(paytable_ref(game, "aces_up")))
    if "bad_beat" in game.tables:
        tie_wins = game.settings.get("bad_beat_tie") == "wins"
        yield _side_section(
            game, loss, bad_beat_report(paytable_ref(game, "bad_beat"), tie_wins=tie_wins, step=step)
        )
    if "six_card" in game.tables:
        for stake in _six_card_stakes(game):
            yield _six_card_section(game, loss, stake)


def _six_card_stakes(game: Game) -> tuple[int, ...]:
    """Return the minimum and maximum stake: with a fixed prize the edge depends on the stake."""
    limits = game.submission.limits.posted.get("six_card")
    return (ONE_DOLLAR,) if limits is None else tuple(dict.fromkeys((limits.least, limits.most)))


def _six_card_section(game: Game, loss: WorstLoss, stake: int) -> ParSection:
    low_ace = game.settings.get("six_card_low_ace") is not False
    report = six_card_report(paytable_ref(game, "six_card"), stake, low_ace=low_ace)
    return _side_section(game, loss, report, stake)


def _side_section(game: Game, loss: WorstLoss, report: OddsReport, stake: int | None = None) -> ParSection:
    label = WAGER_LABELS[report.wager]
    return ParSection(
        title=label if stake is None else f"{label} at {dollars(stake)}",
        report=report,
        limits=posted_limits(game, report.wager),
        tables=(ParTable(label, outcome_rows(report.outcomes), report.clauses),),
        worst=worst_round(loss, report.wager),
        stake=stake,
        published=compare_published(
            report,
            house_edge=(OurFigure("of each stake", report.house_edge),),
            hit_frequency=(OurFigure("a row is paid", report.hit_frequency),),
        ),
    )


BASIC_STRATEGY = "basic"
"""The manufacturer's own strategy, which its printed figures may assume."""


def base_section(
    game: Game, loss: WorstLoss, strategy: str, step: ProgressCallback = no_progress
) -> ParSection:
    """Return the section of the base game: results against the dealer, and the bonus."""
    bonus = paytable_ref(game, "automatic_bonus") if "automatic_bonus" in game.tables else None
    report = ante_report(bonus, game.rulebook, strategy, step)
    assert report.base is not None, "the report of the base game holds it"
    found, rules = report.base, game.rulebook.wagers
    contest = clauses_of(
        rules.ante.pays, rules.ante.ties_win, rules.play.pays, rules.play.least, rules.play.most
    )
    tables = [ParTable("Ante and Play, by decision and result", tuple(_contest_rows(found)), contest)]
    if bonus is not None:
        rows = tuple(_bonus_rows(found))
        tables.append(
            ParTable("Automatic Bonus, in every round not folded", rows, bonus.table.clauses, False)
        )
    return ParSection(
        title="Base game",
        report=report,
        limits=posted_limits(game, "ante"),
        tables=tuple(tables),
        worst=worst_round(loss, "ante", "play", "automatic_bonus"),
        unit="Ante",
        average_wager=found.average_wager,
        published=_published_base_figures(report, found, strategy),
        details={
            "decisions": {decision_name(each): exact_json(share) for each, share in found.decisions.items()},
            "results": {name: exact_json(share) for name, share in found.results.items()},
            "bonus_hit_frequency": exact_json(found.bonus_hit_frequency),
            "bonus_value": exact_json(found.bonus_value),
        },
    )


def _contest_rows(found: BaseGame) -> Iterator[ParRow]:
    """Yield every decision with each of its results, without the bonus."""
    terms, wagered = found.terms, found.average_wager
    for decision, counts in enumerate(found.tally.sum(axis=1).tolist()):
        if decision == FOLD:
            yield ParRow("fold", None, sum(counts), DEALS, Fraction(0), Fraction(-1), wagered)
            continue
        staked = Fraction(1 + decision)
        for result, count in enumerate(counts):
            won = result == BELOW or (result == TIED and terms.ties_win)
            net = terms.ante + decision * terms.play if won else -staked
            if count:
                name = f"{decision_name(decision)}, {RESULTS[result]}"
                yield ParRow(name, f"{float(net):+g}", count, DEALS, staked + net, net, wagered)


def _bonus_rows(found: BaseGame) -> Iterator[ParRow]:
    """Yield the Automatic Bonus rows of hands that are not folded."""
    for row, share in found.bonus_shares.items():
        odds = found.terms.bonus[row]
        yield ParRow(row, str(odds), int(share * DEALS), DEALS, odds.value, odds.value, found.average_wager)


def _published_base_figures(
    report: OddsReport, found: BaseGame, strategy: str
) -> tuple[FigureComparison, ...]:
    """Return the printed figures beside ours on several bases, as the sources do not state theirs (R91)."""
    if report.published is None:
        return ()
    edges = [
        OurFigure("of each Ante", found.house_edge),
        OurFigure("of all that is wagered", found.element_of_risk),
    ]
    if strategy != BASIC_STRATEGY:
        basic = base_game(decision_points(found.terms), find_strategy(BASIC_STRATEGY))
        edges.append(OurFigure("of all that is wagered, strategy basic", basic.element_of_risk))
    bonus = OurFigure("the Automatic Bonus is paid", found.bonus_hit_frequency)
    return compare_published(report, house_edge=tuple(edges), hit_frequency=(bonus,))


class CoverAllColumn(msgspec.Struct, frozen=True):
    """The estimated odds for one number of players."""

    estimate: CoverAllEstimate

    @property
    def distribution(self) -> Distribution:
        """Return the distribution of the simulated rounds."""
        return self.estimate.distribution

    @property
    def volatility_index(self) -> float:
        """Return the volatility index of one round."""
        return volatility_index(self.estimate.standard_deviation)

    @property
    def rarest(self) -> MaterialAward | None:
        """Return the award that decides from when the bands are reliable."""
        return rarest_material_award(self.distribution)

    @property
    def bands(self) -> tuple[ConfidenceBand, ...]:
        """Return the confidence bands of the actual return of a stake."""
        found = self.distribution
        return confidence_bands(1 + found.mean, self.estimate.standard_deviation, self.rarest, Fraction(0))

    def answer(self) -> dict[str, object]:
        """Return the column as JSON data, with standard errors instead of fractions."""
        found = self.estimate
        return {
            **found.answer(),
            "return": {"value": 1 - found.house_edge, "standard_error": found.standard_error},
            "volatility_index": self.volatility_index,
            "tables": [{"rows": [_outcome_data(each) for each in self.distribution.outcomes]}],
            "confidence": {
                "rarest_material_award": None if self.rarest is None else self.rarest.answer(),
                "bands": [band.answer() for band in self.bands],
            },
        }


def _outcome_data(outcome: WagerOutcome) -> dict[str, object]:
    return {
        "row": outcome.hand,
        "pays": outcome.pays,
        "count": outcome.count,
        "of": outcome.of,
        "probability": {"value": float(outcome.probability), "standard_error": standard_error_of(outcome)},
        "contribution_to_return": {"value": float(outcome.probability * (outcome.net + 1))},
        "contribution_to_house_edge": {"value": float(-outcome.contribution)},
    }


def standard_error_of(outcome: WagerOutcome) -> float:
    """Return the standard error of an estimated probability."""
    share = float(outcome.probability)
    return sqrt(share * (1 - share) / outcome.of)


class CoverAllSection(msgspec.Struct, frozen=True):
    """The odds of Cover All for every number of players."""

    limits: str
    columns: tuple[CoverAllColumn, ...]
    worst: WorstRound

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return every clause of the columns."""
        return clauses_of(*(each.estimate.paytable.table for each in self.columns))

    @property
    def how(self) -> str:
        """Return how the figures are estimated."""
        seed, worst = self.columns[0].estimate.seed, self.standard_error
        return (
            "Cover All pays by the highest of all hands at the table, the dealer's included: too many hands "
            "of one deck to count. Its figures are estimated from simulated rounds, in which nobody folds a "
            f"paying hand, from seed {seed}; the standard error of a house edge is at most {worst:.2%}."
        )

    @property
    def standard_error(self) -> float:
        """Return the largest standard error of a house edge."""
        return max(each.estimate.standard_error for each in self.columns)

    def answer(self) -> dict[str, object]:
        """Return the section as JSON data."""
        return {
            "wager": "cover_all",
            "title": "Cover All",
            "paytable": "matrix",
            "limits": self.limits,
            "estimated": self.how,
            "columns": [column.answer() for column in self.columns],
            "worst_round": self.worst.answer(),
            "clauses": list(self.clauses),
        }


def cover_all_section(
    game: Game, loss: WorstLoss, precision: float, seed: int, step: ProgressCallback = no_progress
) -> CoverAllSection | None:
    """Return the section where a game offers Cover All; precision is the wanted standard error."""
    rules = game.rulebook.wagers.cover_all
    if rules is None or not game.offers("cover_all"):
        return None
    seats = range(1, game.submission.positions.at_table + 1)
    players = [each for each in seats if rules.column(each) is not None]
    each_step = scale_progress(step, 1 / len(players))
    columns = tuple(
        CoverAllColumn(
            cover_all(
                find_cover_all_paytable(each, None, game.rulebook), each, precision, seed, step=each_step
            )
        )
        for each in players
    )
    return CoverAllSection(posted_limits(game, "cover_all"), columns, worst_round(loss, "cover_all"))

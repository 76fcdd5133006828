"""PAR sections of the base game, the side bets and Cover All, which is estimated by simulation."""

from collections.abc import Iterator
from fractions import Fraction

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace

from fourcard.answers import Estimate, standard_error
from fourcard.money import dollars
from fourcard.odds.base_game import BELOW, DEALS, RESULTS, TIED, BaseGame, base_game
from fourcard.odds.cover_all import CoverAllEstimate, cover_all, estimated_share, find_cover_all_paytable
from fourcard.odds.decision_values import FOLD, decision_name
from fourcard.odds.distribution import WagerOutcome
from fourcard.odds.hand_kinds import hand_kinds
from fourcard.odds.par_sheet.section import (
    Confidence,
    FigureComparison,
    ParRow,
    ParSection,
    ParTable,
    WorstRound,
    compare_published,
    confidence,
    our_figure,
    par_row,
    par_table,
    rarest_material_award,
    section_figures,
    volatility_index,
    worst_round,
)
from fourcard.odds.paytable_lookup import paytable_ref
from fourcard.odds.progress import ProgressCallback, no_progress, scale_progress
from fourcard.odds.report import (
    OddsReport,
    base_report,
    cover_all_report,
    depends_on_stake,
    odds_in_game,
)
from fourcard.odds.strategies import base_terms_of, decision_points, display_name, find_strategy
from fourcard.refusals import BadInputError
from fourcard.rules.cited import clauses_of
from fourcard.rules.game import Game
from fourcard.rules.worst_case_loss import WorstLoss
from fourcard.settlers import wager_settlers
from fourcard.wagers import BASE_GAME, LIMITED_WAGERS, SIDE_WAGERS, WAGER_LABELS, WagerName

ONE_DOLLAR = 100
BEATEN = {"player": "player beaten", "dealer": "dealer beaten", "tie": "tied"}


def posted_limits(game: Game, wager: WagerName) -> str:
    """Return the posted limits of a wager as text."""
    found = game.submission.limits.posted.get(wager)
    return "no limits posted" if found is None else f"posted {dollars(found.least)} to {dollars(found.most)}"


def outcome_rows(outcomes: tuple[WagerOutcome, ...]) -> tuple[ParRow, ...]:
    """Return outcomes as rows of a table."""
    return tuple(
        par_row(_outcome_name(each), each.pays, each.count, each.of, each.net + 1, each.net)
        for each in outcomes
    )


def _outcome_name(outcome: WagerOutcome) -> str:
    beaten = outcome.beaten
    return outcome.hand if beaten is UNSET else f"{outcome.hand}, {BEATEN[beaten]}"


def side_sections(game: Game, loss: WorstLoss, step: ProgressCallback = no_progress) -> Iterator[ParSection]:
    """Yield the sections of the side bets with exact odds that a game offers, in layout order."""
    for name in (each for each in LIMITED_WAGERS if each != "ante" and each in game.tables):
        for stake in _stakes(game, name):
            report = odds_in_game(game, name, ONE_DOLLAR if stake is None else stake, step)
            yield _side_section(game, loss, report, stake)


def _stakes(game: Game, wager: WagerName) -> tuple[int | None, ...]:
    """Return the minimum and maximum stake where the odds depend on it, as with a fixed prize."""
    if not depends_on_stake(paytable_ref(game, wager).pays):
        return (None,)
    limits = game.submission.limits.posted.get(wager)
    return (ONE_DOLLAR,) if limits is None else tuple(dict.fromkeys((limits.least, limits.most)))


def _side_section(game: Game, loss: WorstLoss, report: OddsReport, stake: int | None = None) -> ParSection:
    label = WAGER_LABELS[report.wager]
    published = compare_published(
        report,
        house_edge=(our_figure("of each stake", report.house_edge),),
        hit_frequency=(our_figure("a row is paid", report.hit_frequency),),
    )
    tables = (par_table(label, outcome_rows(report.outcomes), report.clauses),)
    return ParSection(
        **section_figures(report, tables, published),
        title=label if stake is None else f"{label} at {dollars(stake)}",
        limits=posted_limits(game, report.wager),
        stake=stake,
        unit="stake",
        worst_round=worst_round(loss, report.wager),
    )


BASIC_STRATEGY = "basic"
"""The manufacturer's own strategy, which its printed figures may assume."""


def base_section(
    game: Game, loss: WorstLoss, strategy: str, step: ProgressCallback = no_progress
) -> ParSection:
    """Return the section of the base game: results against the dealer, and the bonus."""
    bonus = paytable_ref(game, "automatic_bonus") if "automatic_bonus" in game.tables else None
    found = base_game(decision_points(base_terms_of(game), step), find_strategy(strategy))
    _check_folds(game, found, strategy)
    report, rules = base_report(found, bonus, game.rulebook, strategy), game.rulebook.wagers
    contest = clauses_of(
        rules.ante.pays, rules.ante.ties_win, rules.play.pays, rules.play.least, rules.play.most
    )
    tables = [par_table("Ante and Play, by decision and result", _contest_rows(found), contest)]
    if bonus is not None:
        title = "Automatic Bonus, in every round not folded"
        tables.append(par_table(title, _bonus_rows(found), bonus.table.clauses, whole=False))
    published = _published_base_figures(report, found, strategy)
    return ParSection(
        **section_figures(report, tuple(tables), published, average_wager=found.average_wager),
        title="Base game",
        limits=posted_limits(game, "ante"),
        stake=None,
        unit="Ante",
        worst_round=worst_round(loss, *BASE_GAME),
    )


def _check_folds(game: Game, found: BaseGame, strategy: str) -> None:
    """Refuse a strategy that folds hands which side wagers pay; their odds assume that nobody does."""
    paid = [index for index, kind in enumerate(hand_kinds()) if kind[-1] not in ("high_card", "pair")]
    offered = [
        name
        for name, settler in wager_settlers(game).items()
        if name in SIDE_WAGERS
        and settler.specification.rows_won is None
        and not (settler.specification.own_hand and settler.lives_after_fold)
    ]
    if offered and found.tally[FOLD][paid].any():
        labels = ", ".join(WAGER_LABELS[name] for name in offered)
        raise BadInputError(
            f"The strategy {display_name(strategy)} folds two pair or better, but the odds of {labels} "
            "assume that nobody does; use `fourcard simulate` for it."
        )


def _contest_rows(found: BaseGame) -> Iterator[ParRow]:
    """Yield every decision with each of its results, without the bonus."""
    terms, wagered = found.terms, found.average_wager
    for decision, counts in enumerate(found.tally.sum(axis=1).tolist()):
        if decision == FOLD:
            yield par_row("fold", None, sum(counts), DEALS, Fraction(0), Fraction(-1), wagered)
            continue
        staked = Fraction(1 + decision)
        for result, count in enumerate(counts):
            won = result == BELOW or (result == TIED and terms.ties_win)
            net = terms.ante + decision * terms.play if won else -staked
            if count:
                name = f"{decision_name(decision)}, {RESULTS[result]}"
                yield par_row(name, f"{float(net):+g}", count, DEALS, staked + net, net, wagered)


def _bonus_rows(found: BaseGame) -> Iterator[ParRow]:
    """Yield the Automatic Bonus rows of hands that are not folded."""
    for row, share in found.bonus_shares.items():
        odds = found.terms.bonus[row]
        yield par_row(row, str(odds), int(share * DEALS), DEALS, odds.value, odds.value, found.average_wager)


def _published_base_figures(
    report: OddsReport, found: BaseGame, strategy: str
) -> tuple[FigureComparison, ...]:
    """Return the printed figures beside ours on several bases, as the sources do not state theirs (R91)."""
    if report.published is None:
        return ()
    edges = [
        our_figure("of each Ante", found.house_edge),
        our_figure("of all that is wagered", found.element_of_risk),
    ]
    if strategy != BASIC_STRATEGY:
        basic = base_game(decision_points(found.terms), find_strategy(BASIC_STRATEGY))
        edges.append(our_figure("of all that is wagered, strategy basic", basic.element_of_risk))
    bonus = our_figure("the Automatic Bonus is paid", found.bonus_hit_frequency)
    return compare_published(report, house_edge=tuple(edges), hit_frequency=(bonus,))


class CoverAllColumn(OddsReport, frozen=True, kw_only=True, rename={"returned": "return"}):
    """The estimated odds for one number of players."""

    players: int
    rounds: int
    returned: Fraction
    volatility_index: float
    tables: tuple[ParTable, ...]
    confidence: Confidence


def cover_all_column(estimate: CoverAllEstimate) -> CoverAllColumn:
    """Return the estimate for one number of players as a column of its section."""
    found, report = estimate.distribution, cover_all_report(estimate)
    edge, players = estimate.house_edge, estimate.players
    rarest = rarest_material_award(found)
    if rarest is not None:
        rarest = replace(rarest, probability=estimated_share(rarest.probability, estimate.rounds))
    title = f"{players} player{'s' * (players > 1)}"
    return CoverAllColumn(
        **asdict(report),
        returned=Estimate(1 - edge, edge.standard_error),
        volatility_index=volatility_index(report.standard_deviation),
        tables=(par_table(title, map(_estimated, outcome_rows(report.outcomes)), report.clauses),),
        confidence=confidence(1 - edge, report.standard_deviation, rarest, Fraction(0)),
    )


def _estimated(row: ParRow) -> ParRow:
    """Return a row of simulated rounds, whose frequency has a standard error."""
    chance = estimated_share(row.probability, row.of)
    error = chance.standard_error
    return replace(
        row,
        probability=chance,
        contribution_to_return=Estimate(row.contribution_to_return, error * abs(float(row.comes_back))),
        contribution_to_house_edge=Estimate(row.contribution_to_house_edge, error * abs(float(row.net))),
    )


class CoverAllSection(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of Cover All for every number of players."""

    wager: WagerName = "cover_all"
    title: str = "Cover All"
    paytable: str = "matrix"
    limits: str
    estimated: str
    """How the figures are estimated."""
    columns: tuple[CoverAllColumn, ...]
    worst_round: WorstRound
    clauses: tuple[str, ...]

    @property
    def standard_error(self) -> float:
        """Return the largest standard error of a house edge."""
        return max(standard_error(each.house_edge) for each in self.columns)


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
    estimates = [
        cover_all(find_cover_all_paytable(each, None, game.rulebook), each, precision, seed, step=each_step)
        for each in players
    ]
    worst = max(each.house_edge.standard_error for each in estimates)
    return CoverAllSection(
        limits=posted_limits(game, "cover_all"),
        estimated=(
            "Cover All pays by the highest of all hands at the table, the dealer's included: too many hands "
            "of one deck to count. Its figures are estimated from simulated rounds, in which nobody folds a "
            f"paying hand, from seed {estimates[0].seed}; the standard error of a house edge is at most "
            f"{worst:.2%}."
        ),
        columns=tuple(map(cover_all_column, estimates)),
        worst_round=worst_round(loss, "cover_all"),
        clauses=clauses_of(*(each.paytable.table for each in estimates)),
    )

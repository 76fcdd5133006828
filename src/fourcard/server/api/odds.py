"""Odds routes: exact odds of every wager and paytable, custom paytables, strategies, printed figures."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody, Parameter

from fourcard.house.house import House
from fourcard.money import MoneyError, Odds, OddsKind
from fourcard.odds.base_game import StrategyResult, base_game, strategy_results
from fourcard.odds.cover_all import MATRIX, cover_all, find_cover_all_paytable
from fourcard.odds.decision_values import BaseTerms
from fourcard.odds.jackpot_long_run import MeterTerms
from fourcard.odds.paytable_lookup import (
    NO_BONUS,
    CustomPaytable,
    PaytableRef,
    custom_paytable,
    default_rulebooks,
    envy_schedules,
    find_printed_paytable,
    parse_percent_or_fraction,
    printed_paytables,
)
from fourcard.odds.published_figures import PublishedAudit, audit_published_figures, published_audit
from fourcard.odds.report import (
    OddsQuery,
    OddsReport,
    cover_all_report,
    odds_of,
    paytable_wager,
    unused_option,
)
from fourcard.odds.simulation.runner import available_threads
from fourcard.odds.strategies import OPTIMAL, decision_points, describe, find_strategy, strategy_names
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, RefusedError, refuse
from fourcard.rules.checks.finding import join_or
from fourcard.rules.cited import Paytable
from fourcard.rules.loading import convert_document
from fourcard.rules.paytables import paytables_of
from fourcard.rules.rulebook import AwardSource, Rulebook
from fourcard.server.api.compute_cache import SingleFlightCache, Solver
from fourcard.server.api.game_lookup import contest_for, contest_key
from fourcard.server.api.params import (
    CentsParam,
    ListPage,
    NameParam,
    RulebookParam,
    check_known,
    rulebook_by_id,
)
from fourcard.server.api.report_process import Reports
from fourcard.server.api.round_index import Histories
from fourcard.server.error_handlers import error_responses
from fourcard.wagers import (
    ODDS_LABELS,
    ODDS_WAGERS,
    OPTION_WAGERS,
    SPECIFICATIONS,
    OddsOption,
    OddsWager,
    TableWager,
    WagerName,
)

MAX_PLAYERS = 6
SMALLEST_ERROR = 0.001
"""Smallest standard error of an estimate; finer ones take minutes."""
MAX_ROWS, MAX_ODDS_LENGTH = 24, 40
IN_REQUEST = "the request"
EXAMPLES = {
    OddsKind.TO: "3 to 2",
    OddsKind.FOR: "300 for 1",
    OddsKind.FIXED: "$100",
    OddsKind.METER: "100% of meter",
}
"""Example of a payout of each kind."""
ShareParam = Annotated[
    str | None,
    Parameter(max_length=40, description="A share, such as '14.5%' or '29/200'."),
]


class OddsParams(msgspec.Struct, frozen=True, kw_only=True):
    """All parameters of an odds request; each applies to some wagers."""

    rulebook: str | None
    paytable: str | None
    bonus: str | None
    strategy: str | None
    stake: int | None
    meter: int | None
    others: int | None
    envy: str | None
    tie_wins: bool | None
    players: int | None
    precision: float | None
    seed: int | None
    rate: str | None
    reserve: str | None
    fixed_awards: AwardSource | None


class OwnPaytable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A custom paytable: payouts such as '3 to 1' by row."""

    pays: dict[str, str]
    cards: Literal[4, 5] = 4
    """How many cards the progressive uses."""


def odds_params(
    rulebook: RulebookParam = None,
    paytable: Annotated[
        str | None, Parameter(max_length=40, description="The id of a printed table.")
    ] = None,
    bonus: Annotated[
        str | None, Parameter(max_length=40, description="ante: the bonus table, or 'none'.")
    ] = None,
    strategy: Annotated[str | None, Parameter(max_length=40, description="ante: a strategy by name.")] = None,
    stake: CentsParam = None,
    meter: CentsParam = None,
    others: Annotated[int | None, Parameter(ge=0, le=6, description="How many other players.")] = None,
    envy: NameParam = None,
    tie_wins: Annotated[bool | None, Parameter(description="bad_beat: whether a tie pays.")] = None,
    players: Annotated[
        int | None, Parameter(ge=1, le=6, description="cover_all: positions dealt in.")
    ] = None,
    precision: Annotated[
        float | None, Parameter(ge=SMALLEST_ERROR, le=1, description="cover_all: the wanted standard error.")
    ] = None,
    seed: Annotated[
        int | None,
        Parameter(ge=0, le=10**12, description="cover_all: random seed. progressive: meter seed in cents."),
    ] = None,
    rate: ShareParam = None,
    reserve: ShareParam = None,
    fixed_awards: Annotated[
        AwardSource | None, Parameter(description="progressive: what pays fixed awards.")
    ] = None,
) -> OddsParams:
    """Return the parameters of a request."""
    return OddsParams(
        rulebook=rulebook,
        paytable=paytable,
        bonus=bonus,
        strategy=strategy,
        stake=stake,
        meter=meter,
        others=others,
        envy=envy,
        tie_wins=tie_wins or None,
        players=players,
        precision=precision,
        seed=seed,
        rate=rate,
        reserve=reserve,
        fixed_awards=fixed_awards,
    )


def check_options(wager: OddsWager, query: OddsParams) -> None:
    """Refuse a parameter that does not apply to the wager, because it would be ignored."""
    options = {name: getattr(query, name) for name in OPTION_WAGERS}
    unused = unused_option(wager, options)
    if unused is not None:
        belongs = ", ".join(OPTION_WAGERS[unused])
        raise BadInputError(f"'{unused}' does not apply to the odds of {wager}; it applies to {belongs}.")
    if query.bonus is not None and query.paytable is not None:
        raise BadInputError("'bonus' and 'paytable' both name the Automatic Bonus table; give only one.")
    check_known("strategy", query.strategy, strategy_names())


def odds_query_for(wager: OddsWager, query: OddsParams, own: OwnPaytable | None) -> OddsQuery:
    """Return the query for a wager, with its paytable."""
    rulebook = rulebook_by_id(query.rulebook)
    table_id = query.paytable if query.bonus is None else query.bonus
    return OddsQuery(
        wager,
        rulebook,
        table_id if wager == "envy" or (wager == "ante" and table_id == NO_BONUS) else None,
        OPTIMAL if query.strategy is None else query.strategy,
        100 if query.stake is None else query.stake,
        query.meter,
        query.others,
        query.envy,
        bool(query.tie_wins),
        terms=_terms(query),
        custom=_table(wager, table_id, rulebook, own),
    )


def _table(
    wager: OddsWager, table_id: str | None, rulebook: Rulebook | None, own: OwnPaytable | None
) -> PaytableRef | None:
    """Return the paytable; None for Envy, which uses schedules, and for an Ante without bonus."""
    if wager == "envy" or (wager == "ante" and table_id == NO_BONUS and own is None):
        if own is not None:
            raise BadInputError("Envy uses printed schedules; it cannot have a custom paytable.")
        return None
    of = paytable_wager(wager)
    return (
        find_printed_paytable(of, table_id, rulebook)
        if own is None
        else custom_paytable(of, own_rows(of, own), IN_REQUEST, rulebook)
    )


def own_rows(wager: TableWager, own: OwnPaytable) -> CustomPaytable:
    """Return a custom paytable as rows and payouts, or refuse an invalid one."""
    if not own.pays:
        raise RefusedError(refuse(Code.PAYTABLE_EMPTY))
    if len(own.pays) > MAX_ROWS or any(
        len(text) > MAX_ODDS_LENGTH for pair in own.pays.items() for text in pair
    ):
        raise BadInputError(f"A paytable has at most {MAX_ROWS} rows, each with a payout such as '3 to 1'.")
    specification = SPECIFICATIONS[wager]
    for row, payout in own.pays.items():
        if row in (*specification.rows, *specification.rows_of_five) and not _is_payout(wager, payout):
            hand, forms = (
                row.replace("_", " ").capitalize(),
                join_or(EXAMPLES[kind] for kind in specification.awards),
            )
            raise RefusedError(refuse(Code.PAYOUT_UNREADABLE, row=hand, payout=payout, forms=forms))
    try:
        return convert_document({"pays": dict(own.pays), "cards": own.cards}, CustomPaytable, IN_REQUEST)
    except RefusedError as error:
        raise BadInputError(str(error)) from None


def _is_payout(wager: TableWager, text: str) -> bool:
    """Return whether a text is a payout that this wager can have."""
    try:
        return Odds(text).kind in SPECIFICATIONS[wager].awards
    except MoneyError:
        return False


def cover_all_paytable(query: OddsParams, own: OwnPaytable | None) -> tuple[PaytableRef, int]:
    """Return the Cover All column or a custom paytable, and the number of players."""
    rulebook, players = rulebook_by_id(query.rulebook), query.players or MAX_PLAYERS
    check_known("table of Cover All", query.paytable, (MATRIX,))
    printed = find_cover_all_paytable(players, MATRIX, rulebook)
    if own is None:
        return printed, players
    return custom_paytable("cover_all", own_rows("cover_all", own), IN_REQUEST, printed.rulebook), players


def _terms(query: OddsParams) -> MeterTerms | None:
    """Return how the meter moves, or None if no such parameter is given."""
    parameters = (query.rate, query.reserve, query.fixed_awards, query.seed)
    if all(each is None for each in parameters):
        return None
    if query.rate is None or query.seed is None:
        raise BadInputError("The meter needs both 'rate' and 'seed'; give both.")
    reserve = Fraction(0) if query.reserve is None else parse_percent_or_fraction(query.reserve)
    return MeterTerms(
        parse_percent_or_fraction(query.rate), reserve, query.seed, query.fixed_awards or "tray"
    )


class PrintedPaytable(msgspec.Struct, frozen=True):
    """A paytable that a rulebook prints, or takes from another rulebook."""

    rulebook: str
    paytable: str
    column: str
    """The stake for Envy, or the number of players for Cover All; else empty."""
    pays: dict[str, str]
    clauses: tuple[str, ...]


class WagerIndex(msgspec.Struct, frozen=True):
    """One wager, the parameters of its odds, and its paytables."""

    wager: str
    label: str
    options: tuple[str, ...]
    """Names of the other parameters that apply."""
    rows: tuple[str, ...]
    """Rows of a custom paytable; empty if it cannot have one."""
    rows_of_five: tuple[str, ...]
    """Rows of a custom paytable that ranks five cards, if it can."""
    tables: tuple[PrintedPaytable, ...]
    form: tuple[OddsOption, ...]
    """Form fields of the parameters that people change most."""


class RulebookIndex(msgspec.Struct, frozen=True):
    """A rulebook."""

    id: str
    name: str
    edition: str
    bonuses: tuple[str, ...]
    """Ids of its Automatic Bonus tables."""


class NamedStrategy(msgspec.Struct, frozen=True):
    """A built-in strategy."""

    name: str
    says: str


class OddsIndex(msgspec.Struct, frozen=True):
    """Everything that can be requested."""

    wagers: tuple[WagerIndex, ...]
    strategies: tuple[NamedStrategy, ...]
    bonuses: tuple[str, ...]
    """Ids of all Automatic Bonus tables, and 'none'."""
    rulebooks: tuple[RulebookIndex, ...]


@cache
def odds_index() -> OddsIndex:
    """Return the index; it never changes while a process runs."""
    bonuses = dict.fromkeys(each.id for each in printed_paytables("automatic_bonus"))
    return OddsIndex(
        tuple(each for each in map(_wager, ODDS_WAGERS) if each.tables),
        tuple(NamedStrategy(name, describe(name)) for name in strategy_names()),
        (*bonuses, "none"),
        tuple(
            RulebookIndex(
                rulebook.id, rulebook.name, rulebook.edition, tuple(paytables_of(rulebook, "automatic_bonus"))
            )
            for rulebook in default_rulebooks()
        ),
    )


def _wager(name: WagerName) -> WagerIndex:
    options = SPECIFICATIONS[name].odds_options
    return WagerIndex(
        name,
        ODDS_LABELS[name],
        tuple(each.name for each in options),
        SPECIFICATIONS["automatic_bonus" if name == "ante" else name].rows,
        SPECIFICATIONS[name].rows_of_five,
        tuple(_tables(name)),
        tuple(each for each in options if each.kind != "hidden"),
    )


def _tables(name: WagerName) -> Iterator[PrintedPaytable]:
    """Yield the paytables of a wager by rulebook, including borrowed ones."""
    if name == "envy":
        yield from _schedules()
    elif name == "cover_all":
        yield from _columns()
    else:
        for rulebook in default_rulebooks():
            for id_, table in paytables_of(rulebook, paytable_wager(name)).items():
                yield _printed(rulebook, id_, table)


def _schedules() -> Iterator[PrintedPaytable]:
    for rulebook in default_rulebooks():
        for id_ in envy_schedules(rulebook):
            assert rulebook.wagers.envy is not None
            for stake, table in rulebook.wagers.envy.paytables[id_].items():
                yield _printed(rulebook, id_, table, stake)


def _columns() -> Iterator[PrintedPaytable]:
    for rulebook in default_rulebooks():
        rules = rulebook.wagers.cover_all
        for players in range(1, MAX_PLAYERS + 1):
            column = None if rules is None else rules.column(players)
            if column is not None:
                yield _printed(rulebook, MATRIX, column, str(players))


def _printed(rulebook: Rulebook, id_: str, table: Paytable, column: str = "") -> PrintedPaytable:
    pays = {str(row): str(odds) for row, odds in table.pays.items()}
    return PrintedPaytable(rulebook.id, id_, column, pays, table.clauses)


TAGS = ["odds"]
ODDS_PARAMS = {"odds_query": Provide(odds_params, sync_to_thread=False)}
MAX_BLOCKS = 1_000
"""Most simulation blocks of an estimate: twice what any printed table needs at the finest precision."""
TOO_PRECISE = "This paytable varies too much for such a precise estimate; choose a larger 'precision'."
_odds: SingleFlightCache[OddsReport] = SingleFlightCache(256)
_estimates: SingleFlightCache[OddsReport] = SingleFlightCache(32)
_strategies: SingleFlightCache[tuple[StrategyResult, ...]] = SingleFlightCache(16)
_published: SingleFlightCache[PublishedAudit] = SingleFlightCache(1)


@get(
    "/api/odds",
    summary="Every wager with its printed paytables, every strategy",
    tags=TAGS,
    responses=error_responses(429),
    sync_to_thread=True,
)
def list_odds() -> OddsIndex:
    """Return every wager, paytable and strategy that can be requested."""
    return odds_index()


@get(
    "/api/odds/{wager:str}",
    summary="The odds of a wager",
    tags=TAGS,
    responses=error_responses(400, 404, 429, 503),
    dependencies=ODDS_PARAMS,
    sync_to_thread=True,
)
def show_odds(
    solver: NamedDependency[Solver],
    reports: NamedDependency[Reports],
    wager: FromPath[OddsWager],
    odds_query: NamedDependency[OddsParams],
) -> OddsReport:
    """Return the odds of `fourcard odds` for a wager with a printed table."""
    return _answer(solver, reports, wager, odds_query, None)


@post(
    "/api/odds/{wager:str}",
    summary="The odds of a wager with a custom paytable",
    tags=TAGS,
    responses=error_responses(400, 404, 413, 429, 503),
    status_code=200,
    dependencies=ODDS_PARAMS,
    sync_to_thread=True,
)
def count_odds(
    solver: NamedDependency[Solver],
    reports: NamedDependency[Reports],
    wager: FromPath[OddsWager],
    odds_query: NamedDependency[OddsParams],
    data: JSONBody[OwnPaytable],
) -> OddsReport:
    """Return the odds of a wager with a custom paytable; nothing is stored."""
    return _answer(solver, reports, wager, odds_query, data)


def _answer(
    solver: Solver, reports: Reports, wager: OddsWager, odds_query: OddsParams, own: OwnPaytable | None
) -> OddsReport:
    check_options(wager, odds_query)
    rows = None if own is None else (own.cards, tuple(own.pays.items()))
    key = wager, msgspec.structs.astuple(odds_query), rows
    if wager == "cover_all":
        return _estimates.get(key, lambda: reports.odds.run(estimate_cover_all, odds_query, own))
    if SPECIFICATIONS[wager].odds == "solved":
        solver.states()
    return _odds.get(key, lambda: reports.odds.run(compute_odds, wager, odds_query, own))


def compute_odds(
    _histories: Histories, wager: OddsWager, odds_query: OddsParams, own: OwnPaytable | None
) -> OddsReport:
    """Compute the odds of a wager."""
    return odds_of(odds_query_for(wager, odds_query, own))


def estimate_cover_all(_histories: Histories, odds_query: OddsParams, own: OwnPaytable | None) -> OddsReport:
    """Estimate the odds of Cover All by simulation."""
    chosen, players = cover_all_paytable(odds_query, own)
    precision, seed = odds_query.precision or 0.001, 1 if odds_query.seed is None else odds_query.seed
    threads = max(1, available_threads() - 1)
    return cover_all_report(
        cover_all(chosen, players, precision, seed, threads=threads, step=_BlockLimit().step)
    )


class _BlockLimit:
    """Stops an estimate that takes too long, because anyone may request one."""

    def __init__(self) -> None:
        self._blocks = 0

    def step(self, _share: float) -> None:
        """Count a block of rounds, or refuse to continue."""
        self._blocks += 1
        if self._blocks > MAX_BLOCKS:
            raise BadInputError(TOO_PRECISE)


@get(
    "/api/published",
    summary="Every printed figure next to ours",
    tags=TAGS,
    responses=error_responses(429, 503),
    sync_to_thread=True,
)
def list_published(solver: NamedDependency[Solver], reports: NamedDependency[Reports]) -> PublishedAudit:
    """Return every printed figure next to ours, as `fourcard published` does."""
    solver.states()
    return _published.get("", lambda: reports.odds.run(audit_published))


def audit_published(_histories: Histories) -> PublishedAudit:
    """Count every printed figure again."""
    return published_audit(audit_published_figures())


@get(
    "/api/strategies",
    summary="Strategies compared",
    tags=TAGS,
    responses=error_responses(400, 404, 429, 503),
    sync_to_thread=True,
)
def list_strategies(
    house: NamedDependency[House],
    solver: NamedDependency[Solver],
    reports: NamedDependency[Reports],
    bonus: NameParam = None,
    rulebook: RulebookParam = None,
) -> ListPage[StrategyResult]:
    """Return the result of every named strategy with a bonus table, best first."""
    contest = contest_for(house.store, None, bonus, rulebook).contest
    solver.states()
    found = _strategies.get(contest_key(contest), lambda: reports.odds.run(compare_strategies, contest))
    return ListPage(found, None)


def compare_strategies(_histories: Histories, contest: BaseTerms) -> tuple[StrategyResult, ...]:
    """Compute the result of every named strategy."""
    spots = decision_points(contest)
    games = {name: base_game(spots, find_strategy(name)) for name in strategy_names()}
    return strategy_results(games, describe)

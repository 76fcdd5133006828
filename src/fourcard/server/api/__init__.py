"""API routes that read or compute: coach, rounds, odds, rules and reports.

Handlers receive these dependencies by name: ``house``, ``solver``, ``histories``, ``reports``, ``actor`` (the
signed-in person, required) and ``visitor`` (the signed-in person or None).
"""

from typing import Any

from litestar import Router

from fourcard.server.api.coach import advise, coach, practice
from fourcard.server.api.compute_cache import Solver
from fourcard.server.api.data import DATA_ROUTES
from fourcard.server.api.decisions import list_decisions, list_skill, next_mistake
from fourcard.server.api.house import (
    report_balance,
    report_clock,
    report_meters,
    report_results,
    report_security,
    report_staff,
    report_tables,
    report_wins,
)
from fourcard.server.api.odds import count_odds, list_odds, list_published, list_strategies, show_odds
from fourcard.server.api.par_sheets import show_par
from fourcard.server.api.params import OPTIONAL_SIGN_IN, OPTIONAL_TABLE
from fourcard.server.api.report_process import reports_of
from fourcard.server.api.results import list_results
from fourcard.server.api.review import list_sessions, show_review, show_session
from fourcard.server.api.round_index import Histories
from fourcard.server.api.round_list import list_rounds
from fourcard.server.api.rounds import export_rounds, show_game, show_round
from fourcard.server.api.rules import list_clauses, list_differences, list_rulings, show_clause
from fourcard.server.api.strategy import list_cells, send_strategy, strategy
from fourcard.server.api.submissions import check, list_examples, show_example

__all__ = ["ROUTES", "Histories", "Solver", "reports_of"]

ROUTES: tuple[Any, ...] = (
    coach,
    Router(
        "/",
        route_handlers=[advise, strategy, practice],
        dependencies=OPTIONAL_TABLE,
        security=OPTIONAL_SIGN_IN,
    ),
    list_decisions,
    next_mistake,
    list_skill,
    list_cells,
    list_sessions,
    show_session,
    list_rounds,
    show_round,
    show_review,
    show_game,
    export_rounds,
    list_results,
    list_odds,
    show_odds,
    count_odds,
    list_published,
    list_strategies,
    show_par,
    list_clauses,
    show_clause,
    list_rulings,
    list_differences,
    list_examples,
    show_example,
    check,
    *DATA_ROUTES,
    send_strategy,
    report_tables,
    report_results,
    report_balance,
    report_meters,
    report_wins,
    report_staff,
    report_clock,
    report_security,
)

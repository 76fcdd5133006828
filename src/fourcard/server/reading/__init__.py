"""Everything that is read over the wire: the coach, history, odds, rules, and the reports of the house.

The application gives every handler what it asks for by name: ``house``, ``solver``, ``histories``, and for
what only somebody who has signed in may read, ``actor``, or ``visitor`` where that is not for all of it.
"""

from typing import Any

from litestar import Router

from fourcard.server.reading.coach import advise, coach, practice, strategy
from fourcard.server.reading.decisions import list_decisions
from fourcard.server.reading.histories import Histories
from fourcard.server.reading.house import (
    report_balance,
    report_clock,
    report_meters,
    report_results,
    report_security,
    report_staff,
    report_tables,
    report_wins,
)
from fourcard.server.reading.looking import SOMETIMES, TABLE
from fourcard.server.reading.odds import (
    count_odds,
    list_odds,
    list_published,
    list_strategies,
    show_odds,
)
from fourcard.server.reading.par import show_par
from fourcard.server.reading.results import list_results
from fourcard.server.reading.rounds import export_rounds, list_rounds, show_round
from fourcard.server.reading.rules import list_clauses, list_differences, list_rulings, show_clause
from fourcard.server.reading.solving import Solver
from fourcard.server.reading.submissions import check, list_examples, show_example

__all__ = ["ROUTES", "Histories", "Solver"]

ROUTES: tuple[Any, ...] = (
    coach,
    Router("/", route_handlers=[advise, strategy, practice], dependencies=TABLE, security=SOMETIMES),
    list_decisions,
    list_rounds,
    show_round,
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
    report_tables,
    report_results,
    report_balance,
    report_meters,
    report_wins,
    report_staff,
    report_clock,
    report_security,
)

"""Strategy grid: the best decision for each kind of hand and up card, with exceptions."""

import msgspec

from fourcard.cards import RANKS
from fourcard.odds.chart import Cell, Chart
from fourcard.odds.spots import Spots
from fourcard.server.reading.games import Meant, terms_of
from fourcard.server.reading.keeping import Kept
from fourcard.server.reading.solving import Solver


class GridRule(msgspec.Struct, frozen=True, rename={"condition": "if"}):
    """A visible condition, and what to do if it is the first that holds."""

    condition: str
    then: str


class GridCell(msgspec.Struct, frozen=True):
    """What to do with one kind of hand against one up card."""

    decision: str
    mixed: bool
    """Whether the best decision differs between hands of this cell."""
    rules: list[GridRule]
    missed: float
    """Share of hands for which the rules do not give the best decision."""


class Grid(msgspec.Struct, frozen=True):
    """The grid: rows are kinds of hand, strongest first; columns are up cards, from two up."""

    bonus: str | None
    """Id of the Automatic Bonus table; None without one."""
    pays: dict[str, str]
    """Payouts of the Automatic Bonus by row."""
    ups: list[str]
    hands: list[str]
    cells: list[list[GridCell]]


_grids: Kept[Grid] = Kept(8)


def grid_of(terms: Meant, solver: Solver) -> Grid:
    """Return the grid of base terms, if the game is solved."""
    states, contest = solver.states(), terms.contest
    key = terms.bonus, terms_of(contest)
    return _grids.get(key, lambda: _grid(terms.bonus, Chart(Spots(states, contest))))


def _grid(bonus: str | None, chart: Chart) -> Grid:
    cells, across = chart.cells, len(RANKS)
    rows = [[_cell(each) for each in cells[at : at + across]] for at in range(0, len(cells), across)]
    pays = {str(row): str(odds) for row, odds in chart.spots.contest.bonus.items()}
    return Grid(bonus, pays, list(RANKS), list(chart.rows), rows)


def _cell(cell: Cell) -> GridCell:
    rules = [GridRule(branch.text, branch.choice) for branch in cell.branches]
    return GridCell(cell.decision, cell.mixed, rules, float(cell.missed))

"""The strategy grid: the best decision for each kind of hand and up card, with what is excepted."""

import msgspec

from fourcard.cards import RANKS
from fourcard.odds.chart import Cell, Chart
from fourcard.odds.spots import Spots
from fourcard.server.reading.games import Meant, terms_of
from fourcard.server.reading.keeping import Kept
from fourcard.server.reading.solving import Solver


class GridRule(msgspec.Struct, frozen=True, rename={"condition": "if"}):
    """A condition that a player can see, and what to do where it holds and none before it did."""

    condition: str
    then: str


class GridCell(msgspec.Struct, frozen=True):
    """What to do with one kind of hand before one up card."""

    decision: str
    mixed: bool
    """Whether one decision does not serve every hand of the cell."""
    rules: list[GridRule]
    missed: float
    """The share of hands that are best played otherwise than the rules say."""


class Grid(msgspec.Struct, frozen=True):
    """The whole grid: one row a kind of hand, the strongest first, and one column an up card, from two on."""

    bonus: str | None
    """The id of the Automatic Bonus table; None where there is none."""
    pays: dict[str, str]
    """What the Automatic Bonus pays by row."""
    ups: list[str]
    hands: list[str]
    cells: list[list[GridCell]]


_grids: Kept[Grid] = Kept(8)


def grid_of(meant: Meant, solver: Solver) -> Grid:
    """Return the grid of a contest, once the game is solved."""
    states, contest = solver.states(), meant.contest
    key = meant.bonus, terms_of(contest)
    return _grids.get(key, lambda: _grid(meant.bonus, Chart(Spots(states, contest))))


def _grid(bonus: str | None, chart: Chart) -> Grid:
    cells, across = chart.cells, len(RANKS)
    rows = [[_cell(each) for each in cells[at : at + across]] for at in range(0, len(cells), across)]
    pays = {str(row): str(odds) for row, odds in chart.spots.contest.bonus.items()}
    return Grid(bonus, pays, list(RANKS), list(chart.rows), rows)


def _cell(cell: Cell) -> GridCell:
    rules = [GridRule(branch.text, branch.choice) for branch in cell.branches]
    return GridCell(cell.decision, cell.mixed, rules, float(cell.missed))

"""PAR section of Cover All: estimated by simulation, as the highest hand of the whole table decides."""

from fractions import Fraction
from math import sqrt

import msgspec

from fourcard.odds.cover_all import CoverAllEstimate, cover_all, cover_all_table
from fourcard.odds.figures import Distribution, Outcome
from fourcard.odds.par.beside import Worst, worst_of
from fourcard.odds.par.measures import Award, Band, bands, rarest_material, volatility_index
from fourcard.odds.par.side import posted
from fourcard.odds.progress import Step, no_progress, part_of
from fourcard.rules.exposure import WorstLoss
from fourcard.rules.game import Game
from fourcard.rules.nodes import cite


class Column(msgspec.Struct, frozen=True):
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
    def rarest(self) -> Award | None:
        """Return the award that decides from when the bands are reliable."""
        return rarest_material(self.distribution)

    @property
    def bands(self) -> tuple[Band, ...]:
        """Return the confidence bands of the actual return of a stake."""
        found = self.distribution
        return bands(1 + found.mean, self.estimate.standard_deviation, self.rarest, Fraction(0))

    def answer(self) -> dict[str, object]:
        """Return the column as JSON data, with standard errors instead of fractions."""
        found = self.estimate
        return {
            **found.answer(),
            "return": {"value": 1 - found.house_edge, "standard_error": found.standard_error},
            "volatility_index": self.volatility_index,
            "tables": [{"rows": [_row(each) for each in self.distribution.outcomes]}],
            "confidence": {
                "rarest_material_award": None if self.rarest is None else self.rarest.answer(),
                "bands": [band.answer() for band in self.bands],
            },
        }


def _row(outcome: Outcome) -> dict[str, object]:
    return {
        "row": outcome.hand,
        "pays": outcome.pays,
        "count": outcome.count,
        "of": outcome.of,
        "probability": {"value": float(outcome.probability), "standard_error": error_of(outcome)},
        "contribution_to_return": {"value": float(outcome.probability * (outcome.net + 1))},
        "contribution_to_house_edge": {"value": float(-outcome.contribution)},
    }


def error_of(outcome: Outcome) -> float:
    """Return the standard error of an estimated probability."""
    share = float(outcome.probability)
    return sqrt(share * (1 - share) / outcome.of)


class CoverAllSection(msgspec.Struct, frozen=True):
    """The odds of Cover All for every number of players."""

    limits: str
    columns: tuple[Column, ...]
    worst: Worst

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return every clause of the columns."""
        return cite(*(each.estimate.chosen.table for each in self.columns))

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
    game: Game, loss: WorstLoss, precision: float, seed: int, step: Step = no_progress
) -> CoverAllSection | None:
    """Return the section where a game offers Cover All; precision is the wanted standard error."""
    rules = game.rulebook.wagers.cover_all
    if rules is None or not game.offers("cover_all"):
        return None
    seats = range(1, game.submission.positions.at_table + 1)
    players = [each for each in seats if rules.column(each) is not None]
    each_step = part_of(step, 1 / len(players))
    columns = tuple(
        Column(cover_all(cover_all_table(each, None, game.rulebook), each, precision, seed, step=each_step))
        for each in players
    )
    return CoverAllSection(posted(game, "cover_all"), columns, worst_of(loss, "cover_all"))

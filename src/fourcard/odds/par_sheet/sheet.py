"""PAR sheet: the sections of all wagers of a game, with definitions, as data and as JSON."""

import msgspec

from fourcard.fingerprints import fingerprint
from fourcard.odds.decision_values import FOLD
from fourcard.odds.hand_kinds import hand_kinds
from fourcard.odds.par_sheet.progressive_section import progressive_sections
from fourcard.odds.par_sheet.section import MATERIAL_SHARE, MIN_RELIABLE_HITS, Z90, Z95, ParSection
from fourcard.odds.par_sheet.wager_sections import CoverAllSection, base_section, side_sections
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.strategies import OPTIMAL, describe, display_name
from fourcard.refusals import BadInputError
from fourcard.rules.citations import addresses_in
from fourcard.rules.cited import WAGER_LABELS, WagerName
from fourcard.rules.clauses import clauses, rulings
from fourcard.rules.game import Game
from fourcard.rules.worst_case_loss import WorstLoss, worst_loss

DEFINITIONS = {
    "Combinations": (
        "Every deal is counted, none sampled: a figure is an exact fraction, shown rounded. Only what is "
        "marked as estimated comes from a simulation, and it carries its standard error."
    ),
    "House edge": (
        "What the house expects to keep of one unit: of the stake, or of the Ante in the base game."
    ),
    "Return": (
        "The share of all money wagered that comes back, stakes included: one less the house edge. In the"
        " base game, where Play adds to the Ante, one less the element of risk."
    ),
    "Element of risk": "The house edge divided by the average of all that is wagered in a round.",
    "Contribution": (
        "To the return: the probability of a row times what it hands back. To the house edge: the "
        "probability times what the house keeps, negative for an award. Each column adds up to its total."
    ),
    "Hit frequency": (
        "How often a row of the paytable is paid; in the base game, how often a round is a gain."
    ),
    "Standard deviation": "The square root of the variance of one round's result, in units.",
    "Volatility index": (f"The standard deviation times {Z90}, the normal quantile of a confidence of 90%."),
    "Confidence band": (
        f"The return of a unit, give or take {Z90} (90%) or {Z95} (95%) standard deviations divided by the"
        " square root of the rounds, and never less than can come back at all: the normal approximation."
    ),
    "Not reliable": (
        "A band is marked while the rarest award that makes up "
        f"{float(MATERIAL_SHARE):.0%} of the variance or "
        f"more is expected fewer than {MIN_RELIABLE_HITS} times. Actual results are then far from normal: "
        "by then most tables have not paid the award at all, a few have paid it once."
    ),
    "Worst single round": (
        "A bound, not a result: every position stakes the posted maximum and wins by the best row (P4). "
        "Shares of the meter are not counted, reseeding it is."
    ),
    "Long-run edge": (
        "The house edge of a progressive over many jackpots: meter and reserve pay out all that they take"
        " in, and each jackpot costs the house one reset."
    ),
}
"""In the order in which the terms appear."""


LOST_BY_FOLDING: tuple[WagerName, ...] = ("bad_beat", "progressive", "envy", "cover_all")
"""Wagers whose odds would change if a paying hand were folded."""
AUDIT_RULING, BOUND_POLICY = "R91", "P4"
"""The ruling on printed figures, and the policy on the worst round."""


class ParSheet(msgspec.Struct, frozen=True):
    """The content of the PAR sheet of one game."""

    game: Game
    strategy: str
    sections: tuple[ParSection, ...]
    cover_all: CoverAllSection | None
    loss: WorstLoss
    date: str | None = None

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return every clause, ruling and policy that the sheet cites, each once."""
        cited = [clause for section in self.sections for clause in section.clauses]
        if self.cover_all is not None:
            cited += self.cover_all.clauses
        assumptions = [assumption for section in self.sections for assumption in section.report.assumptions]
        readings = sorted({address for assumption in assumptions for address in addresses_in(assumption)})
        audited = [AUDIT_RULING] if any(section.published for section in self.sections) else []
        return tuple(dict.fromkeys((*cited, *readings, *audited, BOUND_POLICY)))

    def answer(self) -> dict[str, object]:
        """Return the sheet as JSON data."""
        game = self.game
        rulebook, submission = game.rulebook, game.submission
        sections = [section.answer() for section in self.sections]
        if self.cover_all is not None:
            sections.append(self.cover_all.answer())
        return {
            "submission": submission.name,
            "operator": submission.operator.name,
            "rulebook": rulebook.id,
            "edition": rulebook.edition,
            "authority": rulebook.authority,
            "document": rulebook.document,
            "game": game.hash,
            "fingerprint": fingerprint(),
            "date": self.date,
            "strategy": {"name": display_name(self.strategy), "says": describe(self.strategy)},
            "positions": submission.positions.at_table,
            "settings": dict(game.settings),
            "sections": sections,
            "worst_loss": self.loss.answer(),
            "definitions": DEFINITIONS,
            "clauses": [{"id": clause, "says": clause_text(clause)} for clause in self.clauses],
        }


def clause_text(address: str) -> str:
    """Return the requirement of a clause, or the reading of a ruling, in one line."""
    if address in clauses():
        clause = clauses()[address]
        return f"{clause.clause}: {clause.requirement}"
    ruling = rulings()[address]
    return f"{ruling.title}: {ruling.reading}"


def par_sheet(
    game: Game,
    cover_all: CoverAllSection | None,
    strategy: str = OPTIMAL,
    date: str | None = None,
    step: ProgressCallback = no_progress,
) -> ParSheet:
    """Return the PAR sheet of a game, with the estimate of Cover All where it is offered.

    The date is text that the caller prints on the sheet: the same game gives the same sheet at any time.
    """
    assert (cover_all is not None) == game.offers("cover_all"), "Cover All is estimated where it is offered"
    loss = worst_loss(game)
    base = base_section(game, loss, strategy, step)
    _check_folds(game, base, strategy)
    sides = (*side_sections(game, loss, step), *progressive_sections(game, loss))
    return ParSheet(game, strategy, (base, *sides), cover_all, loss, date)


def _check_folds(game: Game, base: ParSection, strategy: str) -> None:
    """Refuse a strategy that folds hands which side wagers pay; their odds assume that nobody does."""
    found = base.report.base
    assert found is not None, "the report of the base game holds it"
    paid = [index for index, kind in enumerate(hand_kinds()) if kind[-1] not in ("high_card", "pair")]
    offered = [name for name in LOST_BY_FOLDING if game.offers(name)]
    if offered and found.tally[FOLD][paid].any():
        labels = ", ".join(WAGER_LABELS[name] for name in offered)
        raise BadInputError(
            f"The strategy {display_name(strategy)} folds two pair or better, but the odds of {labels} "
            "assume that nobody does; use `fourcard simulate` for it."
        )

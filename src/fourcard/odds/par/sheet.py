"""PAR sheet: the sections of all wagers of a game, as data and as JSON."""

import msgspec

from fourcard.errors import BadInputError
from fourcard.odds.contest import FOLD
from fourcard.odds.par.base import base_section
from fourcard.odds.par.cover_all import CoverAllSection
from fourcard.odds.par.definitions import DEFINITIONS
from fourcard.odds.par.meters import progressive_sections
from fourcard.odds.par.section import Section
from fourcard.odds.par.side import side_sections
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.rows import kinds
from fourcard.odds.strategies import OPTIMAL, says, title
from fourcard.provenance import fingerprint
from fourcard.rules.citations import addresses_in
from fourcard.rules.clauses import ledger
from fourcard.rules.exposure import WorstLoss, worst_loss
from fourcard.rules.game import Game
from fourcard.rules.nodes import WAGER_LABELS, WagerName
from fourcard.rules.rulings import rulings

LOST_BY_FOLDING: tuple[WagerName, ...] = ("bad_beat", "progressive", "envy", "cover_all")
"""Wagers whose odds would change if a paying hand were folded."""
AUDIT, BOUND = "R91", "P4"
"""The ruling on printed figures, and the policy on the worst round."""


class Sheet(msgspec.Struct, frozen=True):
    """The content of the PAR sheet of one game."""

    game: Game
    strategy: str
    sections: tuple[Section, ...]
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
        audited = [AUDIT] if any(section.published for section in self.sections) else []
        return tuple(dict.fromkeys((*cited, *readings, *audited, BOUND)))

    def answer(self) -> dict[str, object]:
        """Return the sheet as JSON data."""
        game = self.game
        law, submission = game.rulebook, game.submission
        sections = [section.answer() for section in self.sections]
        if self.cover_all is not None:
            sections.append(self.cover_all.answer())
        return {
            "submission": submission.name,
            "operator": submission.operator.name,
            "rulebook": law.id,
            "edition": law.edition,
            "authority": law.authority,
            "document": law.document,
            "game": game.hash,
            "fingerprint": fingerprint(),
            "date": self.date,
            "strategy": {"name": title(self.strategy), "says": says(self.strategy)},
            "positions": submission.positions.at_table,
            "settings": dict(game.settings),
            "sections": sections,
            "worst_loss": self.loss.answer(),
            "definitions": DEFINITIONS,
            "clauses": [{"id": clause, "says": clause_text(clause)} for clause in self.clauses],
        }


def clause_text(address: str) -> str:
    """Return the requirement of a clause, or the reading of a ruling, in one line."""
    if address in ledger():
        clause = ledger()[address]
        return f"{clause.clause}: {clause.requirement}"
    ruling = rulings()[address]
    return f"{ruling.title}: {ruling.reading}"


def par_sheet(
    game: Game,
    cover_all: CoverAllSection | None,
    strategy: str = OPTIMAL,
    date: str | None = None,
    step: Step = no_progress,
) -> Sheet:
    """Return the PAR sheet of a game, with the estimate of Cover All where it is offered.

    The date is text that the caller prints on the sheet: the same game gives the same sheet at any time.
    """
    assert (cover_all is not None) == game.offers("cover_all"), "Cover All is estimated where it is offered"
    loss = worst_loss(game)
    base = base_section(game, loss, strategy, step)
    _check_folds(game, base, strategy)
    sides = (*side_sections(game, loss, step), *progressive_sections(game, loss))
    return Sheet(game, strategy, (base, *sides), cover_all, loss, date)


def _check_folds(game: Game, base: Section, strategy: str) -> None:
    """Refuse a strategy that folds hands which side wagers pay; their odds assume that nobody does."""
    found = base.report.base
    assert found is not None, "the report of the base game holds it"
    paid = [index for index, kind in enumerate(kinds()) if kind[-1] not in ("high_card", "pair")]
    offered = [name for name in LOST_BY_FOLDING if game.offers(name)]
    if offered and found.tally[FOLD][paid].any():
        labels = ", ".join(WAGER_LABELS[name] for name in offered)
        raise BadInputError(
            f"The strategy {title(strategy)} folds two pair or better, but the odds of {labels} "
            "assume that nobody does; use `fourcard simulate` for it."
        )

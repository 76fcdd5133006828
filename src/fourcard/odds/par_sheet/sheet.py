"""PAR sheet: the sections of all wagers of a game, with definitions, as data and as JSON."""

from collections.abc import Iterator

import msgspec

from fourcard.fingerprints import fingerprint
from fourcard.odds.par_sheet.progressive_section import progressive_sections
from fourcard.odds.par_sheet.section import MATERIAL_SHARE, MIN_RELIABLE_HITS, Z90, Z95, ParSection
from fourcard.odds.par_sheet.wager_sections import CoverAllSection, base_section, side_sections
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.strategies import OPTIMAL, describe, display_name
from fourcard.rules.citations import addresses_in
from fourcard.rules.clauses import SettingValue, clauses, rulings
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
AUDIT_RULING, BOUND_POLICY = "R91", "P4"
"""The ruling on printed figures, and the policy on the worst round."""
AnySection = ParSection | CoverAllSection


class NamedText(msgspec.Struct, frozen=True):
    """A strategy and what it does."""

    name: str
    says: str


class CitedText(msgspec.Struct, frozen=True):
    """A clause, ruling or policy and what it says, in one line."""

    id: str
    says: str


class ParSheet(msgspec.Struct, frozen=True, kw_only=True):
    """The PAR sheet of one game."""

    submission: str
    operator: str
    rulebook: str
    edition: str
    authority: str
    document: str
    game: str
    """The hash of the game."""
    fingerprint: str
    date: str | None
    strategy: NamedText
    positions: int
    settings: dict[str, SettingValue]
    sections: tuple[AnySection, ...]
    """Cover All, which is estimated, comes last."""
    worst_loss: WorstLoss
    definitions: dict[str, str]
    clauses: tuple[CitedText, ...]
    """Every clause, ruling and policy that the sheet cites, each once."""

    @property
    def counted(self) -> tuple[ParSection, ...]:
        """Return the sections of counted wagers, the base game first."""
        return tuple(each for each in self.sections if isinstance(each, ParSection))

    @property
    def cover_all(self) -> CoverAllSection | None:
        """Return the section of Cover All, if it is offered."""
        return next((each for each in self.sections if isinstance(each, CoverAllSection)), None)


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
    loss, rulebook, submission = worst_loss(game), game.rulebook, game.submission
    counted = (
        base_section(game, loss, strategy, step),
        *side_sections(game, loss, step),
        *progressive_sections(game, loss),
    )
    sections: tuple[AnySection, ...] = counted if cover_all is None else (*counted, cover_all)
    return ParSheet(
        submission=submission.name,
        operator=submission.operator.name,
        rulebook=rulebook.id,
        edition=rulebook.edition,
        authority=rulebook.authority,
        document=rulebook.document,
        game=game.hash,
        fingerprint=fingerprint(),
        date=date,
        strategy=NamedText(display_name(strategy), describe(strategy)),
        positions=submission.positions.at_table,
        settings=dict(game.settings),
        sections=sections,
        worst_loss=loss,
        definitions=DEFINITIONS,
        clauses=tuple(_cited(sections, counted)),
    )


def _cited(sections: tuple[AnySection, ...], counted: tuple[ParSection, ...]) -> Iterator[CitedText]:
    """Yield every clause, ruling and policy that sections cite, each once."""
    cited = [clause for section in sections for clause in section.clauses]
    assumptions = [assumption for section in counted for assumption in section.assumptions]
    readings = sorted({address for assumption in assumptions for address in addresses_in(assumption)})
    audited = [AUDIT_RULING] if any(section.published for section in counted) else []
    for address in dict.fromkeys((*cited, *readings, *audited, BOUND_POLICY)):
        if address in clauses():
            clause = clauses()[address]
            yield CitedText(address, f"{clause.clause}: {clause.requirement}")
        else:
            ruling = rulings()[address]
            yield CitedText(address, f"{ruling.title}: {ruling.reading}")

"""Published figures: odds that the source documents print, and their audit against the exact values (R91).

A figure agrees if the exact value rounds to the printed one. Where it does not, other definitions are tried
(strategy, basis, Envy from other players, ties) and the closest is reported; nothing is made to fit.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Annotated, Literal, get_args

import msgspec
from msgspec.structs import replace

from fourcard.answers import exact_text
from fourcard.fingerprints import fingerprint
from fourcard.money import Odds, parse_dollars
from fourcard.odds.base_game import BaseGame, base_game
from fourcard.odds.decision_values import FOLD, base_terms
from fourcard.odds.paytable_lookup import (
    PaytableRef,
    find_envy_paytable,
    find_paytable,
    printed_paytables,
)
from fourcard.odds.progress import ProgressCallback, no_progress
from fourcard.odds.progressive import MAX_OTHERS, ProgressiveOdds
from fourcard.odds.side_bets import (
    bad_beat_distribution,
    own_hand_distribution,
    two_deck_bad_beat_distribution,
)
from fourcard.odds.strategies import OPTIMAL, decision_points, find_strategy, strategy_names
from fourcard.rules.clauses import Clause, clauses
from fourcard.rules.loading import every_rulebook, rulebook
from fourcard.wagers import TableWager

Measure = Literal[
    "house_edge", "hit_frequency", "house_advantage", "top_odds", "top_average", "contribution_growth"
]
MATH = "math"
CLAUSE_PATTERNS: tuple[tuple[str, TableWager, str], ...] = (
    (r"WA-(FCP-\d\d)-AU-", "aces_up", r"\1"),
    (r"WA-(FCP-\d\d)-AB-", "automatic_bonus", r"\1"),
    (r"WA-(BBB-\d\d)-", "bad_beat", r"\1"),
    (r"SM-BB-4-", "bad_beat", "BBB-01"),
    (r"WA-REC-2$", "progressive", "1"),
)
"""The paytable that a figure belongs to, by the start of its clause id."""


class PublishedFigure(msgspec.Struct, frozen=True):
    """One figure as a source document prints it."""

    clause: Clause
    wager: TableWager
    table: str
    measure: Measure
    text: str

    @property
    def paytable(self) -> PaytableRef:
        """Return the paytable that the figure belongs to."""
        return find_paytable(self.wager, self.table, rulebook(_rulebooks()[self.clause.source]))

    def belongs_to(self, other: PaytableRef) -> bool:
        """Return whether a paytable equals the one that the figure belongs to, under any id."""
        mine = self.paytable
        return mine.pays == other.pays and mine.table.cards == other.table.cards


@cache
def _rulebooks() -> dict[str, str]:
    return {rulebook.source: rulebook.id for rulebook in every_rulebook()}


@cache
def published_figures() -> tuple[PublishedFigure, ...]:
    """Return every published figure that can be compared with a count, in the order of the clauses."""
    return tuple(
        PublishedFigure(clause, wager, table, measure, _as_printed(clause.figures[measure]))
        for clause in clauses().values()
        if clause.topic == MATH
        for measure in _measures(clause)
        for wager, table in [_subject(clause)]
    )


def _as_printed(figure: str) -> str:
    """Return a figure with the commas and spaces of the printed document."""
    spaced = figure.replace("-to-", " to ")
    return re.sub(r"\d{4,}", lambda digits: f"{int(digits[0]):,}", spaced)


def _measures(clause: Clause) -> list[Measure]:
    return [measure for measure in get_args(Measure) if measure in clause.figures]


def _subject(clause: Clause) -> tuple[TableWager, str]:
    for pattern, wager, table in CLAUSE_PATTERNS:
        if found := re.match(pattern, clause.id):
            return wager, found.expand(table)
    pays = re.search(r"Pays (\d)", clause.requirement)
    assert pays is not None, f"{clause.id} prints a figure of an unknown paytable"
    return "progressive", pays[1]


class PrintedFigure(msgspec.Struct, frozen=True):
    """A figure as printed in a source."""

    printed: str
    clause: str
    basis: str
    """What the figure is of, where it is not the wager's own figure; else empty."""


BASES: dict[tuple[TableWager, Measure], str] = {
    ("automatic_bonus", "house_edge"): "of the base game; its strategy and basis are not stated",
    ("automatic_bonus", "hit_frequency"): "of the Automatic Bonus alone",
}
"""What a printed figure is of, where it stands beside a figure of something else."""


def published_for(chosen: PaytableRef) -> dict[str, PrintedFigure] | None:
    """Return what the sources print for a paytable; None if nothing.

    Of several equal paytables, the chosen one goes first, then the first of its source, then the first.
    """

    def nearness(figure: PublishedFigure) -> tuple[bool, bool]:
        own = figure.clause.source == chosen.rulebook.source
        return own and figure.table == chosen.id, own

    figures = [each for each in published_figures() if each.wager == chosen.wager and each.belongs_to(chosen)]
    found = dict[str, PrintedFigure]()
    for measure in dict.fromkeys(each.measure for each in figures if each.measure != "contribution_growth"):
        nearest = max((each for each in figures if each.measure == measure), key=nearness)
        basis = BASES.get((nearest.wager, measure), "")
        found[measure] = PrintedFigure(nearest.text, nearest.clause.id, basis)
    return found or None


STAKE = 100
ROUNDED, TRUNCATED = "rounded", "cut off"


class BasisFigure(msgspec.Struct, frozen=True):
    """An exact figure and the definition it uses."""

    basis: str
    fraction: str
    value: float


class ClosestFigure(BasisFigure, frozen=True):
    """The definition that comes closest to a printed figure that ours does not match."""

    match: str | None
    """How it gives the printed figure: rounded or cut off; None if it does not."""
    does_not_fit: tuple[str, ...]
    """Clauses of the same wager whose figures contradict it."""


class PublishedComparison(msgspec.Struct, frozen=True):
    """A printed figure next to ours."""

    clause: str
    wager: TableWager
    paytable: str
    measure: Annotated[Measure, "words"]
    printed: str
    exact: BasisFigure | None
    agrees: bool | None
    closest: ClosestFigure | None
    note: str


class PublishedAudit(msgspec.Struct, frozen=True):
    """Every printed figure next to ours."""

    figures: tuple[PublishedComparison, ...]
    fingerprint: str


class FigureCandidate(msgspec.Struct, frozen=True):
    """The exact value under one definition of the figure."""

    basis: str
    value: Fraction

    @property
    def parts(self) -> tuple[str, str, float]:
        """Return the definition, the fraction and its value."""
        return self.basis, exact_text(self.value), float(self.value)


class FigureFinding(msgspec.Struct, frozen=True):
    """The comparison of one published figure with the exact value."""

    figure: PublishedFigure
    printed: Fraction
    unit: Fraction
    """One unit in the last printed digit."""
    ours: FigureCandidate | None
    """The value by our definition, or None if the source does not say enough to compute it."""
    others: tuple[FigureCandidate, ...] = ()
    note: str = ""
    contradicting_clauses: tuple[str, ...] = ()
    """Clauses of the same wager whose figures contradict the closest definition."""

    @property
    def agrees(self) -> bool | None:
        """Return whether our value rounds to the printed one; None if there is none."""
        return None if self.ours is None else self.match(self.ours) == ROUNDED

    def match(self, candidate: FigureCandidate) -> str | None:
        """Return how a value gives the printed figure: rounded or truncated; None if it does not."""
        if abs(candidate.value - self.printed) <= self.unit / 2:
            return ROUNDED
        return TRUNCATED if 0 <= candidate.value - self.printed < self.unit else None

    @property
    def closest(self) -> FigureCandidate | None:
        """Return the candidate closest to the printed figure if ours does not agree; it can still be ours."""
        if self.ours is None or self.agrees:
            return None
        return min((self.ours, *self.others), key=lambda each: abs(each.value - self.printed))

    def comparison(self) -> PublishedComparison:
        """Return the finding as it is sent."""
        figure, ours, closest = self.figure, self.ours, self.closest
        return PublishedComparison(
            figure.clause.id,
            figure.wager,
            figure.table,
            figure.measure,
            figure.text,
            None if ours is None else BasisFigure(*ours.parts),
            self.agrees,
            None
            if closest is None
            else ClosestFigure(*closest.parts, self.match(closest), self.contradicting_clauses),
            self.note,
        )


def published_audit(findings: Iterable[FigureFinding]) -> PublishedAudit:
    """Return findings as they are sent."""
    return PublishedAudit(tuple(each.comparison() for each in findings), fingerprint())


def audit_published_figures(step: ProgressCallback = no_progress) -> tuple[FigureFinding, ...]:
    """Return a finding for every published figure, in the order of the clauses."""
    found = [AUDITORS[figure.wager](figure, step) for figure in published_figures()]
    return tuple(replace(each, contradicting_clauses=_contradicting_clauses(each, found)) for each in found)


def _contradicting_clauses(finding: FigureFinding, every: list[FigureFinding]) -> tuple[str, ...]:
    """Return the clauses of the same wager whose figures contradict the closest definition."""
    closest = finding.closest
    if closest is None or closest is finding.ours:
        return ()
    family = [each for each in every if each.figure.wager == finding.figure.wager]
    return tuple(
        each.figure.clause.id
        for each in family
        for candidate in each.others
        if each is not finding and candidate.basis == closest.basis and each.match(candidate) is None
    )


def _finding(
    figure: PublishedFigure, ours: FigureCandidate, others: Iterable[FigureCandidate] = ()
) -> FigureFinding:
    printed, unit = _percent(figure.text)
    return FigureFinding(figure, printed, unit, ours, tuple(others))


def _percent(text: str) -> tuple[Fraction, Fraction]:
    """Return a printed percentage and one unit in its last digit."""
    found = re.fullmatch(r"\d+(?:\.(\d+))?%", text)
    assert found is not None, f"{text} is not a percentage"
    return Fraction(text[:-1]) / 100, Fraction(1, 100 * 10 ** len(found[1] or ""))


@cache
def _base_games(name: str, pays: tuple[tuple[str, Odds], ...], step: ProgressCallback) -> dict[str, BaseGame]:
    """Return the base game under every strategy; cached, because most printed bonus tables are equal."""
    spots = decision_points(base_terms(rulebook(name), dict(pays)), step)
    return {name: base_game(spots, find_strategy(name)) for name in strategy_names()}


def _audit_bonus(figure: PublishedFigure, step: ProgressCallback) -> FigureFinding:
    chosen = figure.paytable
    games = _base_games(chosen.rulebook.id, tuple(chosen.pays.items()), step)
    if figure.measure == "hit_frequency":
        return _audit_bonus_hits(figure, games[OPTIMAL])
    every = [
        candidate
        for name, game in games.items()
        for candidate in (
            FigureCandidate(f"{name} strategy, per Ante", game.house_edge),
            FigureCandidate(f"{name} strategy, per unit wagered", game.element_of_risk),
        )
    ]
    return _finding(figure, every[0], every[1:])


def _audit_bonus_hits(figure: PublishedFigure, game: BaseGame) -> FigureFinding:
    unit, by_row = _percent(figure.text)[1], game.bonus_shares
    upwards = sum((ceil(share / unit) * unit for share in by_row.values()), Fraction(0))
    others = (
        FigureCandidate(
            "of the hands that are played", game.bonus_hit_frequency / (1 - game.decisions[FOLD])
        ),
        FigureCandidate("each row rounded up to the printed place, then added", upwards),
    )
    return _finding(
        figure, FigureCandidate("bonus paid, of all hands dealt", game.bonus_hit_frequency), others
    )


def _audit_aces_up(figure: PublishedFigure, step: ProgressCallback) -> FigureFinding:
    del step
    chosen = figure.paytable
    found = own_hand_distribution("aces_up", chosen.pays)
    if figure.measure == "hit_frequency":
        return _finding(figure, FigureCandidate("a pair of aces or better", found.hit_frequency))
    return _finding(
        figure, FigureCandidate("of the stake", found.house_edge), _replaced_row_candidates(chosen)
    )


def _replaced_row_candidates(chosen: PaytableRef) -> Iterator[FigureCandidate]:
    """Yield the edge of the paytable with one row replaced by that of another printed paytable."""
    tried: set[tuple[str, str]] = set()
    for other in printed_paytables("aces_up"):
        for row, odds in other.pays.items():
            if chosen.pays.get(row) != odds and (row, str(odds)) not in tried:
                tried.add((row, str(odds)))
                found = own_hand_distribution("aces_up", {**chosen.pays, row: odds}).house_edge
                yield FigureCandidate(f"if {row.replace('_', ' ')} paid {odds}, as in {other.id}", found)


def _audit_bad_beat(figure: PublishedFigure, step: ProgressCallback) -> FigureFinding:
    chosen = figure.paytable
    spots = decision_points(base_terms(chosen.rulebook, {}), step)
    ways = {
        "ties lose (R40)": bad_beat_distribution(spots, chosen.pays),
        "ties pay": bad_beat_distribution(spots, chosen.pays, tie_wins=True),
        "hands of two decks, ties lose": two_deck_bad_beat_distribution(chosen.pays, tie_wins=False),
        "hands of two decks, ties pay": two_deck_bad_beat_distribution(chosen.pays, tie_wins=True),
    }
    hit = figure.measure == "hit_frequency"
    every = [
        FigureCandidate(way, each.hit_frequency if hit else each.house_edge) for way, each in ways.items()
    ]
    return _finding(figure, every[0], every[1:])


def _audit_progressive(figure: PublishedFigure, step: ProgressCallback) -> FigureFinding:
    del step
    if figure.measure == "top_average":
        return _audit_average(figure)
    if figure.measure == "contribution_growth":
        return _audit_growth(figure)
    average = next(
        parse_dollars(each.text)
        for each in published_figures()
        if each.wager == figure.wager and each.table == figure.table and each.measure == "top_average"
    )
    alone = _progressive_odds(figure, average, 0)
    if figure.measure == "top_odds":
        assert alone.top is not None
        printed = Fraction(figure.text.removesuffix(" to 1").replace(",", ""))
        once_in = FigureCandidate("hands dealt for each top award (R92)", 1 / alone.top.probability)
        return FigureFinding(figure, printed, Fraction(1), once_in)
    if figure.measure == "hit_frequency":
        return _finding(figure, FigureCandidate("of all hands dealt", alone.own.hit_frequency))
    ours = FigureCandidate("meter at the printed average, no Envy", alone.house_edge)
    return _finding(figure, ours, _advantage_candidates(figure, average))


def _advantage_candidates(figure: PublishedFigure, average: int) -> Iterator[FigureCandidate]:
    for others in range(1, MAX_OTHERS + 1):
        found = _progressive_odds(figure, average, others).house_edge
        yield FigureCandidate(f"meter at the printed average, Envy from {others} other players", found)
    yield FigureCandidate(
        "meter at its seed, no Envy", _progressive_odds(figure, _seed(figure), 0).house_edge
    )


def _progressive_odds(figure: PublishedFigure, meter: int, others: int) -> ProgressiveOdds:
    chosen = figure.paytable
    return ProgressiveOdds(
        chosen.table, find_envy_paytable(chosen.rulebook, chosen.id, STAKE), STAKE, meter, others
    )


def _seed(figure: PublishedFigure) -> int:
    rules = figure.paytable.rulebook.wagers.progressive
    assert rules is not None
    return rules.preset_seed[figure.table].value


def _audit_growth(figure: PublishedFigure) -> FigureFinding:
    """Describe what a recommended rate leaves for growth if the meter pays every award."""
    printed, unit = _percent(figure.text)
    taken = {
        table: ProgressiveOdds(chosen.table, None, STAKE, 0, 0).fixed_return
        for table in ("1", "2")
        for chosen in [find_paytable("progressive", table, figure.paytable.rulebook)]
    }
    returns = " and ".join(f"{float(share):.2%} (Pays {table})" for table, share in taken.items())
    note = (
        f"Advice, not a figure of one table. If the meter pays every award, fixed awards return {returns} "
        f"of each wager, so that a rate of {figure.text} lets the meter grow."
    )
    return FigureFinding(figure, printed, unit, None, (), note)


def _audit_average(figure: PublishedFigure) -> FigureFinding:
    """Describe which rate a printed average award needs; no source prints the rate itself."""
    printed, seed = parse_dollars(figure.text), _seed(figure)
    top = _progressive_odds(figure, printed, 0).top
    assert top is not None
    rate = Fraction(printed - seed, STAKE) * top.probability
    note = (
        f"Not computable: the rate is not printed. An average of {figure.text} from a seed of "
        f"${seed // 100:,} needs a rate of {float(rate):.2%} of each wager."
    )
    return FigureFinding(figure, Fraction(printed, 100), Fraction(1), None, (), note)


AUDITORS: dict[str, Callable[[PublishedFigure, ProgressCallback], FigureFinding]] = {
    "automatic_bonus": _audit_bonus,
    "aces_up": _audit_aces_up,
    "bad_beat": _audit_bad_beat,
    "progressive": _audit_progressive,
}

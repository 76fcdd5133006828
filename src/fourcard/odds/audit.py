"""Audit of published figures: compares every figure that the sources print with the exact value.

A figure agrees if the exact value rounds to the printed one. Where it does not, other definitions are tried
(strategy, basis, Envy from other players, ties) and the closest is reported; nothing is made to fit (R91).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import ceil

import msgspec
from msgspec.structs import replace

from fourcard.money import Odds, parse_dollars
from fourcard.odds.bad_beat import bad_beat, bad_beat_of_two_decks
from fourcard.odds.base_game import BaseGame, base_game
from fourcard.odds.contest import FOLD, contest
from fourcard.odds.figures import exact
from fourcard.odds.printed import Chosen, chosen_table, envy_table, every_printed
from fourcard.odds.printed_figures import PrintedFigure, printed_figures
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.progressive import MOST_OTHERS, Progressive
from fourcard.odds.side_bets import aces_up
from fourcard.odds.strategies import OPTIMAL, names, spots_of, strategy_named
from fourcard.rules.loading import rulebook

STAKE = 100
ROUNDED, CUT_OFF = "rounded", "cut off"


class Candidate(msgspec.Struct, frozen=True):
    """The exact value under one definition of the figure."""

    basis: str
    value: Fraction

    def answer(self) -> dict[str, object]:
        """Return the candidate as JSON data."""
        return {"basis": self.basis, **exact(self.value)}


class Finding(msgspec.Struct, frozen=True):
    """The comparison of one published figure with the exact value."""

    figure: PrintedFigure
    printed: Fraction
    unit: Fraction
    """One unit in the last printed digit."""
    ours: Candidate | None
    """The value by our definition, or None if the source does not say enough to compute it."""
    others: tuple[Candidate, ...] = ()
    note: str = ""
    misfits: tuple[str, ...] = ()
    """Clauses of the same wager whose figures contradict the closest definition."""

    @property
    def agrees(self) -> bool | None:
        """Return whether our value rounds to the printed one; None if there is none."""
        return None if self.ours is None else self.match(self.ours) == ROUNDED

    def match(self, candidate: Candidate) -> str | None:
        """Return how a value gives the printed figure: rounded or truncated; None if it does not."""
        if abs(candidate.value - self.printed) <= self.unit / 2:
            return ROUNDED
        return CUT_OFF if 0 <= candidate.value - self.printed < self.unit else None

    @property
    def closest(self) -> Candidate | None:
        """Return the candidate closest to the printed figure if ours does not agree; it can still be ours."""
        if self.ours is None or self.agrees:
            return None
        return min((self.ours, *self.others), key=lambda each: abs(each.value - self.printed))

    def answer(self) -> dict[str, object]:
        """Return the finding as JSON data."""
        closest = self.closest
        return {
            "clause": self.figure.clause.id,
            "wager": self.figure.wager,
            "paytable": self.figure.table,
            "measure": self.figure.measure,
            "printed": self.figure.text,
            "exact": None if self.ours is None else self.ours.answer(),
            "agrees": self.agrees,
            "closest": closest
            and {**closest.answer(), "match": self.match(closest), "does_not_fit": list(self.misfits)},
            "note": self.note,
        }


def audit_printed(step: Step = no_progress) -> tuple[Finding, ...]:
    """Return a finding for every published figure, in the order of the clauses."""
    found = [AUDITORS[figure.wager](figure, step) for figure in printed_figures()]
    return tuple(replace(each, misfits=_misfits(each, found)) for each in found)


def _misfits(finding: Finding, every: list[Finding]) -> tuple[str, ...]:
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


def _finding(figure: PrintedFigure, ours: Candidate, others: Iterable[Candidate] = ()) -> Finding:
    printed, unit = _percent(figure.text)
    return Finding(figure, printed, unit, ours, tuple(others))


def _percent(text: str) -> tuple[Fraction, Fraction]:
    """Return a printed percentage and one unit in its last digit."""
    found = re.fullmatch(r"\d+(?:\.(\d+))?%", text)
    assert found is not None, f"{text} is not a percentage"
    return Fraction(text[:-1]) / 100, Fraction(1, 100 * 10 ** len(found[1] or ""))


@cache
def _base_games(book: str, pays: tuple[tuple[str, Odds], ...], step: Step) -> dict[str, BaseGame]:
    """Return the base game under every strategy; cached, because most printed bonus tables are equal."""
    spots = spots_of(contest(rulebook(book), dict(pays)), step)
    return {name: base_game(spots, strategy_named(name)) for name in names()}


def _bonus(figure: PrintedFigure, step: Step) -> Finding:
    chosen = figure.chosen
    games = _base_games(chosen.book.id, tuple(chosen.pays.items()), step)
    if figure.measure == "hit_frequency":
        return _bonus_hits(figure, games[OPTIMAL])
    every = [
        candidate
        for name, game in games.items()
        for candidate in (
            Candidate(f"{name} strategy, per Ante", game.house_edge),
            Candidate(f"{name} strategy, per unit wagered", game.element_of_risk),
        )
    ]
    return _finding(figure, every[0], every[1:])


def _bonus_hits(figure: PrintedFigure, game: BaseGame) -> Finding:
    unit, by_row = _percent(figure.text)[1], game.bonus_shares
    upwards = sum((ceil(share / unit) * unit for share in by_row.values()), Fraction(0))
    others = (
        Candidate("of the hands that are played", game.bonus_hit_frequency / (1 - game.decisions[FOLD])),
        Candidate("each row rounded up to the printed place, then added", upwards),
    )
    return _finding(figure, Candidate("bonus paid, of all hands dealt", game.bonus_hit_frequency), others)


def _aces_up(figure: PrintedFigure, step: Step) -> Finding:
    del step
    chosen = figure.chosen
    found = aces_up(chosen.pays)
    if figure.measure == "hit_frequency":
        return _finding(figure, Candidate("a pair of aces or better", found.hit_frequency))
    return _finding(figure, Candidate("of the stake", found.house_edge), _other_cells(chosen))


def _other_cells(chosen: Chosen) -> Iterator[Candidate]:
    """Yield the edge of the paytable with one row replaced by that of another printed paytable."""
    tried: set[tuple[str, str]] = set()
    for other in every_printed("aces_up"):
        for row, odds in other.pays.items():
            if chosen.pays.get(row) != odds and (row, str(odds)) not in tried:
                tried.add((row, str(odds)))
                found = aces_up({**chosen.pays, row: odds}).house_edge
                yield Candidate(f"if {row.replace('_', ' ')} paid {odds}, as in {other.id}", found)


def _bad_beat(figure: PrintedFigure, step: Step) -> Finding:
    chosen = figure.chosen
    spots = spots_of(contest(chosen.book, {}), step)
    ways = {
        "ties lose (R40)": bad_beat(spots, chosen.pays),
        "ties pay": bad_beat(spots, chosen.pays, tie_wins=True),
        "hands of two decks, ties lose": bad_beat_of_two_decks(chosen.pays, tie_wins=False),
        "hands of two decks, ties pay": bad_beat_of_two_decks(chosen.pays, tie_wins=True),
    }
    hit = figure.measure == "hit_frequency"
    every = [Candidate(way, each.hit_frequency if hit else each.house_edge) for way, each in ways.items()]
    return _finding(figure, every[0], every[1:])


def _progressive(figure: PrintedFigure, step: Step) -> Finding:
    del step
    if figure.measure == "top_average":
        return _average(figure)
    if figure.measure == "contribution_growth":
        return _growth(figure)
    average = next(
        parse_dollars(each.text)
        for each in printed_figures()
        if each.wager == figure.wager and each.table == figure.table and each.measure == "top_average"
    )
    alone = _wager(figure, average, 0)
    if figure.measure == "top_odds":
        assert alone.top is not None
        printed = Fraction(figure.text.removesuffix(" to 1").replace(",", ""))
        once_in = Candidate("hands dealt for each top award (R92)", 1 / alone.top.probability)
        return Finding(figure, printed, Fraction(1), once_in)
    if figure.measure == "hit_frequency":
        return _finding(figure, Candidate("of all hands dealt", alone.own.hit_frequency))
    ours = Candidate("meter at the printed average, no Envy", alone.house_edge)
    return _finding(figure, ours, _advantages(figure, average))


def _advantages(figure: PrintedFigure, average: int) -> Iterator[Candidate]:
    for others in range(1, MOST_OTHERS + 1):
        found = _wager(figure, average, others).house_edge
        yield Candidate(f"meter at the printed average, Envy from {others} other players", found)
    yield Candidate("meter at its seed, no Envy", _wager(figure, _seed(figure), 0).house_edge)


def _wager(figure: PrintedFigure, meter: int, others: int) -> Progressive:
    chosen = figure.chosen
    return Progressive(chosen.table, envy_table(chosen.book, chosen.id, STAKE), STAKE, meter, others)


def _seed(figure: PrintedFigure) -> int:
    rules = figure.chosen.book.wagers.progressive
    assert rules is not None
    return rules.preset_seed[figure.table].value


def _growth(figure: PrintedFigure) -> Finding:
    """Describe what a recommended rate leaves for growth if the meter pays every award."""
    printed, unit = _percent(figure.text)
    taken = {
        table: Progressive(chosen.table, None, STAKE, 0, 0).fixed_return
        for table in ("1", "2")
        for chosen in [chosen_table("progressive", table, figure.chosen.book)]
    }
    returns = " and ".join(f"{float(share):.2%} (Pays {table})" for table, share in taken.items())
    note = (
        f"Advice, not a figure of one table. If the meter pays every award, fixed awards return {returns} "
        f"of each wager, so that a rate of {figure.text} lets the meter grow."
    )
    return Finding(figure, printed, unit, None, (), note)


def _average(figure: PrintedFigure) -> Finding:
    """Describe which rate a printed average award needs; no source prints the rate itself."""
    printed, seed = parse_dollars(figure.text), _seed(figure)
    top = _wager(figure, printed, 0).top
    assert top is not None
    rate = Fraction(printed - seed, STAKE) * top.probability
    note = (
        f"Not computable: the rate is not printed. An average of {figure.text} from a seed of "
        f"${seed // 100:,} needs a rate of {float(rate):.2%} of each wager."
    )
    return Finding(figure, Fraction(printed, 100), Fraction(1), None, (), note)


AUDITORS: dict[str, Callable[[PrintedFigure, Step], Finding]] = {
    "automatic_bonus": _bonus,
    "aces_up": _aces_up,
    "bad_beat": _bad_beat,
    "progressive": _progressive,
}

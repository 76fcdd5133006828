"""Published figures: odds that the source documents print, read from the table of clauses (R91)."""

import re
from functools import cache
from typing import Literal, get_args

import msgspec

from fourcard.odds.printed import Chosen, OddsWager, chosen_table
from fourcard.rules.clauses import Clause, ledger
from fourcard.rules.loading import every_rulebook, rulebook

Measure = Literal[
    "house_edge", "hit_frequency", "house_advantage", "top_odds", "top_average", "contribution_growth"
]
MATH = "math"
ADDRESSES: tuple[tuple[str, OddsWager, str], ...] = (
    (r"WA-(FCP-\d\d)-AU-", "aces_up", r"\1"),
    (r"WA-(FCP-\d\d)-AB-", "automatic_bonus", r"\1"),
    (r"WA-(BBB-\d\d)-", "bad_beat", r"\1"),
    (r"SM-BB-4-", "bad_beat", "BBB-01"),
    (r"WA-REC-2$", "progressive", "1"),
)
"""The paytable that a figure belongs to, by the start of its clause id."""


class PrintedFigure(msgspec.Struct, frozen=True):
    """One figure as a source document prints it."""

    clause: Clause
    wager: OddsWager
    table: str
    measure: Measure
    text: str

    @property
    def chosen(self) -> Chosen:
        """Return the paytable that the figure belongs to."""
        return chosen_table(self.wager, self.table, rulebook(_books()[self.clause.source]))

    def is_of(self, other: Chosen) -> bool:
        """Return whether a paytable equals the one that the figure belongs to, under any id."""
        mine = self.chosen
        return mine.pays == other.pays and mine.table.cards == other.table.cards


@cache
def _books() -> dict[str, str]:
    return {book.source: book.id for book in every_rulebook()}


@cache
def printed_figures() -> tuple[PrintedFigure, ...]:
    """Return every published figure that can be compared with a count, in the order of the clauses."""
    return tuple(
        PrintedFigure(clause, wager, table, measure, _as_printed(clause.figures[measure]))
        for clause in ledger().values()
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


def _subject(clause: Clause) -> tuple[OddsWager, str]:
    for pattern, wager, table in ADDRESSES:
        if found := re.match(pattern, clause.id):
            return wager, found.expand(table)
    pays = re.search(r"Pays (\d)", clause.requirement)
    assert pays is not None, f"{clause.id} prints a figure of an unknown paytable"
    return "progressive", pays[1]


class Printed(msgspec.Struct, frozen=True):
    """A published figure's text and its clause."""

    text: str
    clause: str


def printed_of(chosen: Chosen) -> dict[str, Printed] | None:
    """Return what the sources print for a paytable, under this or another id; None if nothing."""
    own_last = sorted(printed_figures(), key=lambda figure: figure.clause.source == chosen.book.source)
    found: dict[str, Printed] = {
        figure.measure: Printed(figure.text, figure.clause.id)
        for figure in own_last
        if figure.wager == chosen.wager and figure.is_of(chosen) and figure.measure != "contribution_growth"
    }
    return found or None

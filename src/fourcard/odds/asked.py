"""Which game is meant where only a bonus table, or only a rulebook, is named; it needs no compiled code."""

from fourcard.odds.contest import Contest, contest
from fourcard.odds.printed import Chosen, chosen_table
from fourcard.rules.loading import rulebook
from fourcard.rules.rulebook import Rulebook

NONE = "none"
ANY_BOOK = "maryland"
"""The rulebook of a game without bonus, where none is named: the contest is the same in all."""


def bonus_asked(bonus: str | None, book: Rulebook | None) -> tuple[Chosen | None, Rulebook]:
    """Return the table of the Automatic Bonus and whose game it is played in."""
    if bonus == NONE:
        return None, book or rulebook(ANY_BOOK)
    table = chosen_table("automatic_bonus", bonus, book)
    return table, book or table.book


def contest_asked(bonus: str | None, book: Rulebook | None) -> Contest:
    """Return the contest with the dealer that is meant."""
    table, home = bonus_asked(bonus, book)
    return contest(home, {} if table is None else table.pays)

"""Base terms lookup: the terms of the base game for a bonus table or a rulebook; needs no compiled code."""

from fourcard.odds.contest import Contest, contest
from fourcard.odds.printed import Chosen, chosen_table
from fourcard.rules.loading import rulebook
from fourcard.rules.rulebook import Rulebook

NONE = "none"
ANY_BOOK = "maryland"
"""The default rulebook of a game without a bonus: Ante and Play pay the same in all of them."""


def bonus_asked(bonus: str | None, book: Rulebook | None) -> tuple[Chosen | None, Rulebook]:
    """Return the Automatic Bonus table, or None, and the rulebook of the game."""
    if bonus == NONE:
        return None, book or rulebook(ANY_BOOK)
    table = chosen_table("automatic_bonus", bonus, book)
    return table, book or table.book


def contest_asked(bonus: str | None, book: Rulebook | None) -> Contest:
    """Return the base terms for a bonus table id and a rulebook, each optional."""
    table, home = bonus_asked(bonus, book)
    return contest(home, {} if table is None else table.pays)

"""Wagers: one module each with its specification, from which every list of wagers derives.

A new wager is a module in this folder and a field of the rulebooks that offer it.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal

from fourcard.wagers.specification import Instrument, OddsOption, SpotLook, WagerSpecification

__all__ = ["Instrument", "OddsOption", "SpotLook", "WagerSpecification"]


def _specifications() -> Iterator[WagerSpecification]:
    """Yield the specifications of every module in this folder."""
    for module in iter_modules(__path__, f"{__name__}."):
        yield from getattr(import_module(module.name), "SPECIFICATIONS", ())


SPECIFICATIONS = {each.name: each for each in sorted(_specifications(), key=lambda each: each.rank)}
"""Every wager by its name, in order."""
WAGERS = tuple(SPECIFICATIONS)
WAGER_LABELS = {name: each.label for name, each in SPECIFICATIONS.items()}
TABLE_WAGERS = tuple(name for name, each in SPECIFICATIONS.items() if each.paytable)
"""Wagers with a paytable that the operator chooses."""
LIMITED_WAGERS = tuple(name for name, each in SPECIFICATIONS.items() if each.stake == "limited")
"""Wagers with posted limits; Play follows the Ante, and a progressive has fixed stakes."""
PLACED_WAGERS = tuple(name for name, each in SPECIFICATIONS.items() if each.placed)
"""Wagers placed before the deal; Play follows the Ante, and bonus and Envy are automatic."""
BASE_GAME = tuple(name for name, each in SPECIFICATIONS.items() if each.odds == "with_ante" or name == "ante")
"""The contest with the dealer, whose odds are found together: Ante, Play and Automatic Bonus."""
SIDE_WAGERS = tuple(name for name in WAGERS if name not in BASE_GAME)
ODDS_WAGERS = tuple(name for name, each in SPECIFICATIONS.items() if each.odds != "with_ante")
"""Wagers with odds of their own; the Ante's are those of the whole base game."""
LAYOUT = {
    name: look
    for name in (*reversed(SIDE_WAGERS), *BASE_GAME)
    if (look := SPECIFICATIONS[name].spot) is not None
}
"""Look of every betting spot, ordered from the dealer to the player."""
ODDS_LABELS = {name: WAGER_LABELS[name] for name in ODDS_WAGERS} | {"ante": "Ante, Play and Automatic Bonus"}
"""Name of each wager's odds; the Ante stands for the whole base game."""
_ROWS = dict.fromkeys(row for each in SPECIFICATIONS.values() for row in (*each.rows, *each.rows_of_five))

if TYPE_CHECKING:
    WagerName = str
    TableWager = str
    LimitedWager = str
    PlacedWager = str
    OddsWager = str
    RowName = str
else:
    WagerName = Literal[WAGERS]
    TableWager = Literal[TABLE_WAGERS]
    LimitedWager = Literal[LIMITED_WAGERS]
    PlacedWager = Literal[PLACED_WAGERS]
    OddsWager = Literal[ODDS_WAGERS]
    RowName = Literal[tuple(_ROWS)]

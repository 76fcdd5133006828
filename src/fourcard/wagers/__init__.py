"""Wagers: one module each with its specification, from which every list of wagers derives.

A new wager is a module in this folder and a field of the rulebooks that offer it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal, get_args

from fourcard.wagers.specification import Instrument, OddsOption, OptionName, SpotLook, WagerSpecification

__all__ = ["Instrument", "OddsOption", "OptionName", "SpotLook", "WagerSpecification"]


def _specifications() -> Iterator[WagerSpecification]:
    """Yield the specifications of every module in this folder."""
    for module in iter_modules(__path__, f"{__name__}."):
        yield from getattr(import_module(module.name), "SPECIFICATIONS", ())


def specifications_by_name(found: Sequence[WagerSpecification]) -> dict[str, WagerSpecification]:
    """Return specifications by name, or refuse two wagers of one name, rank or key."""
    keys = [each.spot.key for each in found if each.spot is not None and each.spot.key]
    taken = (*(each.name for each in found), *(each.rank for each in found), *RESERVED_KEYS, *keys)
    twice = [each for each, times in Counter(taken).items() if times > 1]
    if twice:
        raise ValueError(f"two wagers, or a wager and the page, have {twice[0]!r}")
    return {each.name: each for each in found}


RESERVED_KEYS = "CDNR"
"""Keys that the page uses while bets are open."""
SPECIFICATIONS = specifications_by_name(sorted(_specifications(), key=lambda each: each.rank))
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
_BASE_LABELS = [WAGER_LABELS[name] for name in BASE_GAME]
ODDS_LABELS = {name: WAGER_LABELS[name] for name in ODDS_WAGERS} | {
    "ante": f"{', '.join(_BASE_LABELS[:-1])} and {_BASE_LABELS[-1]}"
}
"""Name of each wager's odds; the Ante stands for the whole base game."""
OPTION_WAGERS = {
    option: tuple(
        name for name, each in SPECIFICATIONS.items() if option in [its.name for its in each.odds_options]
    )
    for option in get_args(OptionName)
}
"""Wagers whose odds each option changes; it is refused with any other."""
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

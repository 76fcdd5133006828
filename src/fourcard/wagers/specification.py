"""Wager specification: what a wager is, whichever rulebook offers it.

A rulebook says whether a wager is offered, with which tables, limits, prerequisites and deadlines. A
specification says what is the same everywhere: its name, how it is staked, the rows that it can pay, how its
odds are found and how its spot looks.
"""

from collections.abc import Callable
from typing import Literal, get_args

import msgspec

from fourcard.money import OddsKind

Stake = Literal["limited", "fixed", "of_ante", "none"]
"""How a wager is staked: within posted limits, at the progressive's fixed stakes, as a multiple of the Ante,
or not at all, which needs a settler of its own."""
OddsMethod = Literal["counted", "solved", "estimated", "with_ante"]
"""How odds are found: by counting hands, by solving the game, by simulation, or as part of the Ante's."""
Instrument = Literal["chip", "plaque", "match-play-coupon", "approved-instrument", "cash"]
OptionKind = Literal["dollars", "count", "strategy", "tick", "hidden"]
"""Form field of an option; a hidden one is taken by command and API but has no field on the page."""
Shape = Literal["circle", "ring", "box", "sensor"]


OptionName = Literal[
    "bonus", "strategy", "stake", "meter", "others", "envy", "tie_wins", "players", "precision", "seed",
    "rate", "reserve", "fixed_awards",
]  # fmt: skip
"""Options of `fourcard odds` and `/api/odds`."""


class OddsOption(msgspec.Struct, frozen=True):
    """Option that changes a wager's odds, with its form field; amounts in dollars."""

    name: OptionName
    label: str = ""
    kind: OptionKind = "hidden"
    least: int = 0
    most: int = 0
    step: int = 1
    start: int | None = None
    """Value of the field before anybody changes it; None leaves it to the server."""


class SpotLook(msgspec.Struct, frozen=True):
    """Betting spot on the layout: its printed text, shape, colour and key."""

    text: str
    key: str
    """Key that adds a chip; empty if none."""
    shape: Shape = "box"
    colour: str = "#d9c48a"
    """Colour of its line on the cloth, as CSS writes it."""


class WagerSpecification(msgspec.Struct, frozen=True, kw_only=True):
    """Specification of one wager."""

    name: str
    label: str
    rank: int
    """Place among the wagers: from the Ante outwards on the layout, and in every list and result."""
    stake: Stake = "limited"
    pays_on: str | None = None
    """Wager whose stake its awards are computed on, where it has no stake of its own."""
    paytable: bool = True
    """Whether an operator chooses a paytable for it."""
    rows: tuple[str, ...] = ()
    """Rows that its tables may have, the best hand first."""
    rows_of_five: tuple[str, ...] = ()
    """Rows of a table that ranks all five cards, where the wager has such tables (R8)."""
    cards: Literal[4, 5, 6] = 4
    """Number of cards that its tables judge, where `rows_won` does not say it."""
    awards: tuple[OddsKind, ...] = (OddsKind.TO, OddsKind.FOR)
    """Notations that its awards may have."""
    rows_won: Callable[[tuple[int, ...]], tuple[str, ...]] | None = None
    """Rows that a player's five cards win, the best first; by default those of the best four cards."""
    own_hand: bool = False
    """Whether only the player's own cards decide it, so folded cards stay for it (R3)."""
    odds: OddsMethod = "counted"
    odds_options: tuple[OddsOption, ...] = ()
    instruments: tuple[Instrument, ...] = get_args(Instrument)
    """What its spot takes, where the rulebook allows it."""
    spot: SpotLook | None = None

    @property
    def placed(self) -> bool:
        """Say whether players place it before the cards."""
        return self.stake in ("limited", "fixed")

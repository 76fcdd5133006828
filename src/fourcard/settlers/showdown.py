"""Showdown: every position's cards and standing, the dealer's hand and the bonus card.

A wager settles from the whole showdown, because some wagers depend on other hands.
"""

from collections.abc import Mapping
from enum import Enum, auto

import msgspec

from fourcard.hands import Hand
from fourcard.wagers import WagerName

DEALER = 0
"""Position number of the dealer; players' positions start at 1."""


class Standing(Enum):
    """Standing of a position's hand at the showdown."""

    LIVE = auto()
    KEPT = auto()
    """Folded, but its cards stay for a side wager that they decide (R3, MA-10c.2)."""
    MUCKED = auto()
    """Folded and collected."""
    LEFT = auto()
    """Abandoned by a player who left, its wagers lost (MD-07B2)."""


LIVE, KEPT, MUCKED = Standing.LIVE, Standing.KEPT, Standing.MUCKED


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One betting position at the end of a round."""

    position: int
    player: str
    cards: tuple[int, ...]
    hand: Hand
    """The best four of its cards, unless the player set it (MA-10d.2, MD-11D4b, SM-W1-1, WA-W1-1)."""
    wagers: Mapping[WagerName, int]
    """Cents by wager; the Play among them if there is one."""
    standing: Standing
    set_by_player: bool = False
    """Whether the player chose the four cards of the hand (R27)."""

    @property
    def folded(self) -> bool:
        """Say whether the player folded."""
        return self.standing is KEPT or self.standing is MUCKED


class Showdown(msgspec.Struct, frozen=True, gc=False):
    """Showdown: the input of every settlement."""

    seats: tuple[Seat, ...]
    """In the order of settling."""
    dealer: tuple[int, ...]
    dealer_hand: Hand
    """The best four of the dealer's six (MA-10d.1, MD-11D3, IA-COMP-3.1); the dealer always qualifies
    (SM-W1-2, WA-W1-2, IA-INT-6)."""
    bonus_card: int | None = None

"""The shape of one line: a finished round as a laboratory writes it down, in JSON."""

from typing import Annotated, Literal

import msgspec

PlacedWager = Literal["ante", "aces_up", "bad_beat", "six_card", "cover_all", "progressive"]
"""The wagers that are placed before the cards; Play follows the Ante, bonus and Envy come by themselves."""
LineId = str | int | None
Named = Annotated[str, msgspec.Meta(min_length=1)]
"""A name that says something: an empty one is a slip, not a default."""
NOTHING = msgspec.Raw(b"{}")
NO_PROOF = msgspec.Raw(b"null")


class SeatLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One betting position."""

    position: int
    wagers: dict[PlacedWager, int]
    cards: str = ""
    player: str | int | None = None
    play: int | None = None
    left: bool = False
    presented: str | None = None
    """The four cards that the player set, where the setting ``player_sets_hand`` is on (R27)."""


class Line(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One round; options, settings and proof stay as they are written until somebody reads them."""

    rulebook: str
    seats: list[SeatLine]
    id: LineId = None
    dealer: str = ""
    edition: Named | None = None
    options: msgspec.Raw = NOTHING
    settings: msgspec.Raw = NOTHING
    bonus_card: str | None = None
    meter: int | None = None
    reset: int | None = None
    void: str | None = None
    proof: msgspec.Raw = NO_PROOF
    """How the cards were shuffled, for whoever verifies that; settling does not look into it."""

"""Line schema: a finished round in JSON, as a laboratory writes it."""

from typing import Annotated

import msgspec

from fourcard.wagers import PlacedWager

LineId = str | int | None
NonEmptyName = Annotated[str, msgspec.Meta(min_length=1)]
"""Non-empty name; an empty one is a mistake, not a default."""
NOTHING = msgspec.Raw(b"{}")
NO_PROOF = msgspec.Raw(b"null")


class SeatLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """Seat: one betting position."""

    position: int
    wagers: dict[PlacedWager, int]
    cards: str = ""
    player: str | int | None = None
    play: int | None = None
    left: bool = False
    presented: str | None = None
    """The four cards that the player set, where the setting ``player_sets_hand`` is on (R27)."""


class RoundLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """Round line; options, settings and proof stay raw until they are needed."""

    rulebook: str
    seats: list[SeatLine]
    id: LineId = None
    dealer: str = ""
    edition: NonEmptyName | None = None
    options: msgspec.Raw = NOTHING
    settings: msgspec.Raw = NOTHING
    bonus_card: str | None = None
    meter: int | None = None
    reset: int | None = None
    void: str | None = None
    proof: msgspec.Raw = NO_PROOF
    """Shuffle proof for verification; settling ignores it."""

"""Pauses: how long viewers should see what happened before the next thing happens, in milliseconds."""

from collections.abc import Iterable

from fourcard.round import events as of_round
from fourcard.table import events as of_table

EVENT_PAUSES: dict[type, int] = {
    of_table.RoundBegan: 60,
    of_round.SeatTaken: 150,
    of_round.WagerPlaced: 120,
    of_round.CardsDealt: 130,
    of_round.UpCardTurned: 450,
    of_round.PlayMade: 350,
    of_round.HandFolded: 350,
    of_round.WagersSettled: 420,
    of_round.AwardPaid: 900,
    of_round.AwardAwaited: 600,
    of_round.RoundVoided: 900,
    of_round.RoundEnded: 900,
}
ACT_PAUSES = {
    "reveal_dealer": 800,
    "reveal_bonus_card": 500,
    "announce_dealer": 300,
    "reveal_hand": 350,
    "collect_forfeits": 300,
    "take": 300,
    "pay": 500,
    "settle": 500,
    "settle_winners": 500,
    "settle_last": 400,
}
"""Acts of a settlement that viewers should see: cards turned and money moved."""


def pause_after(events: Iterable[object]) -> int:
    """Return the longest pause of some events; most need none."""
    return max((_event_pause(event) for event in events), default=0)


def _event_pause(event: object) -> int:
    if isinstance(event, of_round.ActPerformed):
        return ACT_PAUSES.get(event.act, 0)
    return EVENT_PAUSES.get(type(event), 0)

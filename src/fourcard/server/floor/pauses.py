"""Pauses: how long viewers should see what happened before the next thing happens, in milliseconds.

They are those of the speed "normal": a round alone with two bots takes three to four seconds.
"""

from collections.abc import Iterable

from fourcard.round import events as of_round
from fourcard.table import events as of_table

EVENT_PAUSES: dict[type, int] = {
    of_table.RoundBegan: 40,
    of_round.SeatTaken: 120,
    of_round.WagerPlaced: 60,
    of_round.CardsDealt: 90,
    of_round.UpCardTurned: 320,
    of_round.PlayMade: 200,
    of_round.HandFolded: 200,
    of_round.WagersSettled: 220,
    of_round.AwardPaid: 700,
    of_round.AwardAwaited: 500,
    of_round.RoundVoided: 700,
    of_round.RoundEnded: 450,
}
ACT_PAUSES = {
    "reveal_dealer": 550,
    "reveal_bonus_card": 350,
    "announce_dealer": 160,
    "reveal_hand": 180,
    "collect_forfeits": 150,
    "take": 130,
    "pay": 230,
    "settle": 230,
    "settle_winners": 230,
    "settle_last": 200,
}
"""Acts of a settlement that viewers should see: cards turned and money moved."""


def pause_after(events: Iterable[object]) -> int:
    """Return the longest pause of some events; most need none."""
    return max((_event_pause(event) for event in events), default=0)


def _event_pause(event: object) -> int:
    if isinstance(event, of_round.ActPerformed):
        return ACT_PAUSES.get(event.act, 0)
    return EVENT_PAUSES.get(type(event), 0)

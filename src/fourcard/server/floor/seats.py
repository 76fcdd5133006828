"""Seats of people who have gone: who has done nothing at a table for long is let out of the seat (P34).

It counts from the last that a person did there, or from the end of the last round in which the person had a
wager: both are seen from committed events, which every process follows. A connection, which one process has,
says nothing.
"""

from collections.abc import Mapping
from typing import Any

from fourcard.house.actors import is_bot
from fourcard.house.records import Recorded
from fourcard.round.events import RoundEnded, RoundVoided, SeatTaken, WagerPlaced
from fourcard.server.settings import SECOND
from fourcard.table.state import TableState

GRACE = 60 * SECOND
"""For how long wagers are taken in any case before somebody goes: a round may have waited for long."""


def people(state: TableState) -> frozenset[str]:
    """Return the players at a table who are no bots."""
    return frozenset(player for player in state.seats.values() if not is_bot(player))


def acted(
    before: Mapping[str, int], record: Recorded, event: Any, state: TableState | None
) -> Mapping[str, int]:
    """Return since when each person in a seat has done nothing at the table, after an event."""
    if state is None:
        return {}
    here = people(state)
    active = here & _of(record, event, state)
    if not active and before.keys() <= here:
        return before
    return {
        player: record.at if player in active else before[player] for player in here & before.keys() | active
    }


def _of(record: Recorded, event: Any, state: TableState) -> set[str]:
    """Return whose event it is: a seat or a wager is the player's own, whoever entered it.

    What the dealer does for somebody who lets the time pass is not.
    """
    if isinstance(event, SeatTaken | WagerPlaced):
        return {state.seats.get(event.position, "")}
    if isinstance(event, RoundEnded | RoundVoided) and state.finished is not None:
        return {place.player for place in state.finished.places.values() if place.wagers}
    return {record.by}


def kept_until(state: TableState, since: Mapping[str, int], began: int, limit: int | None) -> dict[int, int]:
    """Return until when each seat of a person is kept; where a wager lies, it is kept in any case."""
    if limit is None:
        return {}
    places = () if state.round is None else state.round.places.values()
    staking = {place.player for place in places if place.wagers or place.unregistered}
    idle = (people(state) - staking) & since.keys()
    until = {player: max(since[player] + limit, began + GRACE) for player in idle}
    return {position: until[player] for position, player in state.seats.items() if player in until}

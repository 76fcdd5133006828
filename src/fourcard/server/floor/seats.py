"""Seats of people who have gone: who does nothing at a table is not waited for, then loses the seat (P34).

Rounds count that were dealt to their end while the person neither wagered nor did anything else at the table.
Time counts from the last that a person did there, or from the end of the last round in which the person had a
wager. Both are seen from committed events, which every process follows. A connection, which one process has,
says nothing.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from fourcard.house.actors import is_bot
from fourcard.house.records import Recorded
from fourcard.round.events import RoundEnded, RoundVoided, SeatTaken, WagerPlaced
from fourcard.server.settings import SECOND
from fourcard.table.events import RoundBegan
from fourcard.table.state import TableState

GRACE = 60 * SECOND
"""For how long wagers are taken in any case before somebody goes: a round may have waited for long."""


SITS_OUT, FREED = 1, 3
"""After how many missed rounds in a row nobody waits for a person, and after how many the seat is freed."""


class Attendance(msgspec.Struct, frozen=True):
    """Who takes part in the rounds of a table, and who misses them."""

    active: frozenset[str] = frozenset()
    """Who has done something at the table since the last round began."""
    missed: Mapping[str, int] = {}
    """How many rounds in a row a person has missed; who missed none is left out."""

    def away(self, here: frozenset[str], rounds: int = SITS_OUT) -> frozenset[str]:
        """Return who of some people has missed so many rounds or more."""
        return frozenset(player for player in here if self.missed.get(player, 0) >= rounds)


def attendance(before: Attendance, record: Recorded, event: Any, state: TableState) -> Attendance:
    """Return who takes part after an event; whatever somebody does at the table ends the absence."""
    here = people(state)
    acting = here & _of(record, event, state)
    active = (frozenset() if isinstance(event, RoundBegan) else before.active) | acting
    missed = {player: count for player, count in before.missed.items() if player in here - acting}
    if isinstance(event, RoundEnded):
        missed |= {player: missed.get(player, 0) + 1 for player in here - active}
    if active == before.active and missed == before.missed:
        return before
    return Attendance(active, missed)


def people(state: TableState) -> frozenset[str]:
    """Return the players at a table who are no bots."""
    return frozenset(player for player in state.seats.values() if not is_bot(player))


def acted(before: Mapping[str, int], record: Recorded, event: Any, state: TableState) -> Mapping[str, int]:
    """Return since when each person in a seat has done nothing at the table, after an event."""
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

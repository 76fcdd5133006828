"""Idle seats: a person who does nothing sits out, then loses the seat (P34).

A missed round is one that ended while the person neither bet nor did anything else at the table. Idle time
runs from the person's last action, or from the end of the last round with a wager of theirs. Both come from
committed events, which every process sees; connections do not count.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from fourcard.house.auth.identity import is_bot
from fourcard.house.journal import JournalRecord
from fourcard.round.events import RoundEnded, RoundVoided, SeatTaken, WagerPlaced
from fourcard.server.settings import SECOND
from fourcard.table.events import RoundBegan
from fourcard.table.state import TableState

MIN_BETTING_TIME = 60 * SECOND
"""Minimum betting time before a seat is freed, because a round may have waited for long."""


ROUNDS_TO_SIT_OUT, ROUNDS_TO_FREE_SEAT = 1, 3
"""Missed rounds in a row until a person sits out, and until the seat is freed."""


class Attendance(msgspec.Struct, frozen=True):
    """Who takes part in the rounds of a table, and who misses them."""

    active: frozenset[str] = frozenset()
    """Who has acted at the table since the last round began."""
    missed: Mapping[str, int] = {}
    """Missed rounds in a row by person; people who missed none are left out."""

    def away(self, here: frozenset[str], rounds: int = ROUNDS_TO_SIT_OUT) -> frozenset[str]:
        """Return who of these people has missed at least so many rounds."""
        return frozenset(player for player in here if self.missed.get(player, 0) >= rounds)


def attendance_after(before: Attendance, record: JournalRecord, event: Any, state: TableState) -> Attendance:
    """Return the attendance after an event; any action at the table ends an absence."""
    here = seated_people(state)
    acting = here & _actors_of(record, event, state)
    active = (frozenset() if isinstance(event, RoundBegan) else before.active) | acting
    missed = {player: count for player, count in before.missed.items() if player in here - acting}
    if isinstance(event, RoundEnded):
        missed |= {player: missed.get(player, 0) + 1 for player in here - active}
    if active == before.active and missed == before.missed:
        return before
    return Attendance(active, missed)


def seated_people(state: TableState) -> frozenset[str]:
    """Return the seated players who are not bots."""
    return frozenset(player for player in state.seats.values() if not is_bot(player))


def last_active(
    before: Mapping[str, int], record: JournalRecord, event: Any, state: TableState
) -> Mapping[str, int]:
    """Return since when each seated person has been idle, after an event."""
    here = seated_people(state)
    active = here & _actors_of(record, event, state)
    if not active and before.keys() <= here:
        return before
    return {
        player: record.at if player in active else before[player] for player in here & before.keys() | active
    }


def _actors_of(record: JournalRecord, event: Any, state: TableState) -> set[str]:
    """Return who acted: a seat or wager counts for its player, whoever entered it.

    What the dealer does for an idle person does not count.
    """
    if isinstance(event, SeatTaken | WagerPlaced):
        return {state.seats.get(event.position, "")}
    if isinstance(event, RoundEnded | RoundVoided) and state.last_round is not None:
        return {place.player for place in state.last_round.positions.values() if place.wagers}
    return {record.by}


def seat_deadlines(
    state: TableState, since: Mapping[str, int], began: int, limit: int | None
) -> dict[int, int]:
    """Return when each idle seat is freed; a seat with a wager is kept."""
    if limit is None:
        return {}
    places = () if state.round is None else state.round.positions.values()
    staking = {place.player for place in places if place.wagers or place.unregistered}
    idle = (seated_people(state) - staking) & since.keys()
    until = {player: max(since[player] + limit, began + MIN_BETTING_TIME) for player in idle}
    return {position: until[player] for position, player in state.seats.items() if player in until}

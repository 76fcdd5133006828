"""Timers: since when a table waits for its people, and who misses rounds (P34).

A missed round is one that ended while the person neither bet nor did anything else at the table. Idle time
runs from the person's last action, or from the end of the last round with a wager of theirs. Both come from
committed events, which every process sees; connections do not count.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from fourcard.house.auth.identity import is_bot
from fourcard.house.events import LeaveAsked, SeedCommitted, SeedRevealed, TableInstalled
from fourcard.house.journal import JournalRecord
from fourcard.round.events import RoundEnded, RoundVoided, SeatLeft, SeatTaken, WagerPlaced, WagerWithdrawn
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.state import RoundState
from fourcard.table.events import LastHandCalled, RoundBegan
from fourcard.table.state import TableState

MIN_BETTING_TIME = 60_000
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


class Timers(msgspec.Struct, frozen=True):
    """Start times of a table's time limits, in milliseconds since the epoch."""

    first_wager_at: int | None = None
    """When a person placed the first wager of this round."""
    turn_began_at: int = 0
    """When the deciding position got its turn."""
    position: int = 0
    """The deciding position; 0 if there is none."""
    last_action_at: Mapping[str, int] = {}
    """Since when each seated person has done nothing at the table."""
    betting_began_at: int = 0
    """When betting in this round began."""
    attendance: Attendance = Attendance()
    """Who takes part in rounds and who misses them."""
    hurried_at: int = 0
    """When the last hand was called or somebody asked to leave, whichever is later."""

    def shifted(self, by: int) -> "Timers":
        """Return the same times shifted with the clock, so that nobody gets more or less time."""
        return replace(
            self,
            first_wager_at=None if self.first_wager_at is None else self.first_wager_at + by,
            last_action_at={player: at + by for player, at in self.last_action_at.items()},
            turn_began_at=self.turn_began_at + by,
            betting_began_at=self.betting_began_at + by,
            hurried_at=self.hurried_at + by,
        )


def timers_from(state: TableState, now: int) -> Timers:
    """Return the timers of a table that is followed from now on: everybody gets the full time."""
    wagered = now if state.round is not None and _has_person_wager(state.round) else None
    here = dict.fromkeys(seated_people(state), now)
    return Timers(wagered, now, _deciding_position(state), here, now, hurried_at=now)


_TIMED = frozenset(
    (
        LastHandCalled, LeaveAsked, RoundBegan, RoundEnded, RoundVoided, SeatLeft, SeatTaken, TableInstalled,
        WagerPlaced, WagerWithdrawn,
    )
)  # fmt: skip
"""Events that change timers whoever acted; others do so only if a person acted or the turn passes on."""


_BY_PAGE = frozenset((SeedCommitted, SeedRevealed))
"""Events that a player's page causes by itself: the player may be away."""


def timers_after(before: Timers, record: JournalRecord, event: Any, state: TableState, now: int) -> Timers:
    """Return the timers after an event, from the table's state after it."""
    if type(event) in _BY_PAGE:
        return before
    position = _deciding_position(state)
    if position == before.position and type(event) not in _TIMED and record.by not in before.last_action_at:
        return before
    wagered, began, hurried = before.first_wager_at, before.betting_began_at, before.hurried_at
    if isinstance(event, RoundBegan):
        wagered, began = None, now
    elif isinstance(event, LastHandCalled | LeaveAsked):
        hurried = now
    elif isinstance(event, WagerPlaced) and wagered is None:
        wagered = None if is_bot(state.seats.get(event.position, "")) else now
    elif isinstance(event, WagerWithdrawn) and state.round is not None:
        wagered = wagered if _has_person_wager(state.round) else None
    here = seated_people(state)
    acting = here & _actors_of(record, event, state)
    return Timers(
        wagered,
        before.turn_began_at if position == before.position else now,
        position,
        _last_actions(before.last_action_at, here, acting, record.at),
        began,
        _attendance_after(before.attendance, here, acting, event),
        hurried,
    )


def seated_people(state: TableState) -> frozenset[str]:
    """Return the seated players who are not bots."""
    return frozenset(player for player in state.seats.values() if not is_bot(player))


def _actors_of(record: JournalRecord, event: Any, state: TableState) -> set[str]:
    """Return who acted: a seat or wager counts for its player, whoever entered it.

    What the dealer does for an idle person does not count.
    """
    if isinstance(event, SeatTaken | WagerPlaced):
        return {state.seats.get(event.position, "")}
    if isinstance(event, RoundEnded | RoundVoided) and state.last_round is not None:
        return {place.player for place in state.last_round.positions.values() if place.wagers}
    return {record.by}


def _last_actions(
    before: Mapping[str, int], here: frozenset[str], acting: frozenset[str], at: int
) -> Mapping[str, int]:
    """Return since when each seated person has been idle."""
    if not acting and before.keys() <= here:
        return before
    return {player: at if player in acting else before[player] for player in here & before.keys() | acting}


def _attendance_after(
    before: Attendance, here: frozenset[str], acting: frozenset[str], event: Any
) -> Attendance:
    """Return the attendance after an event; any action at the table ends an absence."""
    active = (frozenset() if isinstance(event, RoundBegan) else before.active) | acting
    missed = {player: count for player, count in before.missed.items() if player in here - acting}
    if isinstance(event, RoundEnded):
        missed |= {player: missed.get(player, 0) + 1 for player in here - active}
    if active == before.active and missed == before.missed:
        return before
    return Attendance(active, missed)


def seat_deadlines(state: TableState, timers: Timers, limit: int | None) -> dict[int, int]:
    """Return when each idle seat is freed; a seat with a wager is kept."""
    if limit is None:
        return {}
    places = () if state.round is None else state.round.positions.values()
    staking = {place.player for place in places if place.wagers or place.unregistered}
    since, began = timers.last_action_at, timers.betting_began_at
    idle = (seated_people(state) - staking) & since.keys()
    until = {player: max(since[player] + limit, began + MIN_BETTING_TIME) for player in idle}
    return {position: until[player] for position, player in state.seats.items() if player in until}


def _deciding_position(state: TableState) -> int:
    """Return the deciding position, or 0 if there is none."""
    current_round = state.round
    if current_round is None or current_round.phase != "deciding" or not current_round.players_looked:
        return 0
    return next(iter(positions_to_decide(current_round)), 0)


def _has_person_wager(current_round: RoundState) -> bool:
    return any(place.wagers and not is_bot(place.player) for place in current_round.positions.values())

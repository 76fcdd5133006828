"""Auto-dealer policy: picks the next command for a table from its state, ready players and time.

The house dealer follows the procedure, one command at a time. People bet and decide without a limit or within
one (P34). A progressive win and its documents wait for staff.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Literal

import msgspec
from msgspec.structs import replace

from fourcard.house.auth.identity import HOUSE_DEALER, Actor, AnyCommand, is_bot
from fourcard.house.bot_driver import next_between_rounds, next_console_motion, no_cards
from fourcard.house.commands import ActingRole, FillTray
from fourcard.house.table_state import HouseTable
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import CallOff, CompleteDocument, Fold, LeaveSeat, Perform, Play
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.prompts import PROMPTS
from fourcard.round.state import RoundState
from fourcard.server.floor.bots import bot_decision, bot_join_command, bot_wager, player_actor
from fourcard.server.floor.idle_seats import (
    MIN_BETTING_TIME,
    ROUNDS_TO_FREE_SEAT,
    Attendance,
    seat_deadlines,
    seated_people,
)
from fourcard.server.settings import PaceSettings, ServerSettings
from fourcard.table.autopilot import next_preparation, next_round_command
from fourcard.table.commands import BeginRound, Prepare
from fourcard.table.decide import decide
from fourcard.table.state import TableState

HOUSE_DEALER_ACTOR = Actor(HOUSE_DEALER, "staff", ("dealer", "floorperson", "supervisor"))
"""The house dealer; it also acts as floor at every table."""
LEAST_TRAY, FILL_CENTS = 25_000_00, 100_000_00
"""Tray level in cents below which it is filled, and the amount of a fill."""
WaitKind = Literal["wagers", "ready", "decision", "jackpot", "document", "players", "staff"]
MAKE_READY = "Make the table ready for the next round."
STAFF_TASKS = {
    "verify_inspection": "Verify the inspection of the cards.",
    "count_tray": "Count the tray.",
    "open_table": "Open the table.",
    "bring_deck": "Bring a new deck.",
    "begin_round": "Begin the round.",
    "call_off": "Call the round off.",
    "press": "Press the next button on the console.",
    "turn_key": "Turn the console key back to Run.",
}
"""What staff must do, by command or step; all other steps use their prompt."""


class AutoCommand(msgspec.Struct, frozen=True):
    """A command that the house dealer or a bot gives now."""

    command: AnyCommand
    actor: Actor


class WaitReason(msgspec.Struct, frozen=True):
    """What a table waits for, at which position, and until when (milliseconds since the epoch)."""

    for_: WaitKind
    position: int = 0
    until: int | None = None
    seat_until: int | None = None
    """When the next idle seat is freed, if nothing happens before."""
    role: ActingRole = "player"
    """Role of the person who must act."""
    task: str = ""
    """What staff must do, as a prompt."""


class Timers(msgspec.Struct, frozen=True):
    """Start times of a table's time limits."""

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
        first_wager_at = None if self.first_wager_at is None else self.first_wager_at + by
        last_action_at = {player: at + by for player, at in self.last_action_at.items()}
        return replace(
            self,
            first_wager_at=first_wager_at,
            last_action_at=last_action_at,
            turn_began_at=self.turn_began_at + by,
            betting_began_at=self.betting_began_at + by,
            hurried_at=self.hurried_at + by,
        )


def next_action(
    table: HouseTable, ready: AbstractSet[str], timers: Timers, now: int, settings: ServerSettings
) -> AutoCommand | WaitReason:
    """Return the next automatic command at a table, or what it waits for."""
    aged = replace(table, state=replace(table.state, at=max(now, table.state.at)))
    state = aged.state
    manual = table.card_source != "built-in" or not settings.deals
    effective = (
        replace(settings, deals=False, bots=0, opens=False, pace=PaceSettings()) if manual else settings
    )
    timing = _Timing(ready, timers, now, effective)
    if state.round is None:
        action = _between_rounds(aged, state, timing)
    else:
        action = _in_round(aged, state, state.round, timing)
    return _wait_for_people(state, action) if manual else action


def _wait_for_people(state: TableState, action: AutoCommand | WaitReason) -> WaitReason:
    """Return who must act where the house does not deal automatically."""
    if isinstance(action, WaitReason):
        return action
    command = action.command
    if isinstance(command, Fold | Play):
        return WaitReason("decision", command.position)
    if state.round is not None and _pending_award(state.round):
        return _wait_for_jackpot(_pending_award(state.round), command.role)
    return _wait_for_staff(state, command)


def _wait_for_staff(state: TableState, command: AnyCommand) -> WaitReason:
    """Return that staff must give a command."""
    unready = isinstance(command, BeginRound) and isinstance(decide(state, command), Refusal)
    name = command.step if isinstance(command, Prepare | Perform) else str(command.__struct_config__.tag)
    task = MAKE_READY if unready else STAFF_TASKS.get(name) or PROMPTS.get(name, "")
    return WaitReason("staff", role=command.role, task=task)


class _Timing(msgspec.Struct, frozen=True):
    """Ready players, timers and the current time."""

    ready: AbstractSet[str]
    timers: Timers
    now: int
    settings: ServerSettings

    def until(self, since: int | None, limit: int | None, state: TableState, *, hurry: bool) -> int | None:
        """Return when a time limit ends; none applies if nobody else waits, unless hurried (P34)."""
        if since is None or limit is None:
            return None
        if not self.settings.pace.patient or len(self.present(state)) > 1:
            return since + limit
        return max(since, self.timers.hurried_at) + limit if hurry or state.last_hand else None

    def present(self, state: TableState) -> frozenset[str]:
        """Return the people the table waits for: those who do not sit out (P34)."""
        here = seated_people(state)
        return here - self.timers.attendance.away(here)

    def free_absent_seat(self, state: TableState) -> AutoCommand | None:
        """Free the seat of somebody who missed too many rounds (P34)."""
        away = self.timers.attendance.away(seated_people(state), ROUNDS_TO_FREE_SEAT)
        position = next((each for each, player in state.seats.items() if player in away), None)
        return (
            None
            if position is None
            else AutoCommand(LeaveSeat(position=position, role="dealer"), HOUSE_DEALER_ACTOR)
        )

    def seat_deadlines(self, state: TableState) -> dict[int, int]:
        """Return when each idle seat is freed (P34)."""
        return seat_deadlines(
            state, self.timers.last_action_at, self.timers.betting_began_at, self.settings.pace.seat
        )

    def free_idle_seat(self, state: TableState) -> AutoCommand | None:
        """Free the seat of somebody who has been idle for too long (P34)."""
        over = (position for position, until in self.seat_deadlines(state).items() if self.now >= until)
        position = next(over, None)
        return (
            None
            if position is None
            else AutoCommand(LeaveSeat(position=position, role="dealer"), HOUSE_DEALER_ACTOR)
        )


def _between_rounds(table: HouseTable, state: TableState, timing: _Timing) -> AutoCommand | WaitReason:
    """Return what to do between rounds."""
    settings = timing.settings
    motion = next_console_motion(table)
    if motion is not None:
        return (
            AutoCommand(motion, HOUSE_DEALER_ACTOR)
            if motion.role == "dealer"
            else _wait_for_jackpot(0, motion.role)
        )
    freed = timing.free_absent_seat(state) if settings.deals else None
    if freed is not None:
        return freed
    low = settings.opens and table.cents(table.accounts.tray) < LEAST_TRAY
    if low or state.phase == "closed":
        return _open_table(table, state, settings, low=low)
    joining = bot_join_command(table, settings.bots) if settings.deals else None
    if joining is not None:
        return AutoCommand(joining, player_actor(joining.by))
    command = next_between_rounds(table)
    if not seated_people(state) and (settings.deals or _needs_players(state, command)):
        return WaitReason("players")
    return AutoCommand(command, HOUSE_DEALER_ACTOR)


def _needs_players(state: TableState, command: AnyCommand) -> bool:
    """Return whether the next staff command makes sense only once somebody is seated."""
    if not isinstance(command, Prepare):
        return isinstance(command, BeginRound)
    refused = decide(state, command)
    return isinstance(refused, Refusal) and refused.code is Code.FIRST_PLAYER_MISSING


def _open_table(
    table: HouseTable, state: TableState, settings: ServerSettings, *, low: bool
) -> AutoCommand | WaitReason:
    """Fill the tray and open the table automatically, or wait for the floor.

    A table that was closed by a last hand is always opened by the floor (P36).
    """
    if not settings.opens or (state.phase == "closed" and state.last_hand):
        return _wait_for_staff(state, next_between_rounds(table))
    fill = FillTray(cents=FILL_CENTS, slip=f"auto-{state.round_number}", role="supervisor")
    return AutoCommand(fill if low else next_between_rounds(table), HOUSE_DEALER_ACTOR)


def _in_round(
    table: HouseTable, state: TableState, current_round: RoundState, timing: _Timing
) -> AutoCommand | WaitReason:
    if (
        current_round.phase == "betting"
        and current_round.betting_stage == "betting"
        and current_round.steps_performed == 0
    ):
        unplayed = _wait_in_last_hand(state, current_round, timing)
        waiting = (
            timing.free_idle_seat(state) or unplayed or _during_betting(table, state, current_round, timing)
        )
        if waiting is not None:
            return waiting
    motion = next_console_motion(table)
    if motion is not None:
        by_dealer = motion.role == "dealer"
        return (
            AutoCommand(motion, HOUSE_DEALER_ACTOR)
            if by_dealer
            else _wait_for_jackpot(_pending_award(current_round), motion.role)
        )
    act = next_round_command(state)
    if act is None:
        return _during_decisions(table, current_round, timing)
    if isinstance(act, CompleteDocument):
        task = f"Complete the document of position {act.position}."
        return WaitReason("document", act.position, role=act.role, task=task)
    if state.agenda and current_round.phase == "betting":
        return AutoCommand(replace(next_preparation(state, no_cards), order=None), HOUSE_DEALER_ACTOR)
    return AutoCommand(act, HOUSE_DEALER_ACTOR)


def _pending_award(current_round: RoundState) -> int:
    """Return the position whose award is pending, or 0."""
    return 0 if current_round.awaited_step is None else current_round.awaited_step.position


def _wait_for_jackpot(position: int, role: ActingRole) -> WaitReason:
    return WaitReason(
        "jackpot", position, role=role, task="Complete the next step for the win on the console."
    )


def _during_betting(
    table: HouseTable, state: TableState, current_round: RoundState, timing: _Timing
) -> AutoCommand | WaitReason | None:
    """Let bots and people bet; return None when betting can close."""
    here = seated_people(state)
    if not here:
        return _call_off(current_round)
    bet = bot_wager(table, current_round) if timing.settings.deals else None
    if bet is not None:
        return AutoCommand(bet, player_actor(bet.by))
    wagering = {place.player for place in current_round.positions.values() if place.wagers} - {""}
    seat_until = min(timing.seat_deadlines(state).values(), default=None)
    if not current_round.dealt_in:
        return WaitReason("wagers", seat_until=seat_until)
    present = timing.present(state) - table.leaving
    if present <= timing.ready and (present or here & wagering):
        return None
    until = timing.until(timing.timers.first_wager_at, timing.settings.pace.wagering, state, hurry=False)
    if until is not None and timing.now >= until:
        return None
    return WaitReason("ready" if here & wagering else "wagers", until=until, seat_until=seat_until)


def _wait_in_last_hand(
    state: TableState, current_round: RoundState, timing: _Timing
) -> AutoCommand | WaitReason | None:
    """Wait a while for a person to bet in the last hand, then call the round off (P36)."""
    here = seated_people(state)
    playing = {current_round.positions[position].player for position in current_round.dealt_in}
    if not state.last_hand or not timing.settings.deals or not here or here & playing:
        return None
    until = max(timing.timers.hurried_at, timing.timers.betting_began_at) + MIN_BETTING_TIME
    return WaitReason("wagers", until=until) if timing.now < until else _call_off(current_round)


def _call_off(current_round: RoundState) -> AutoCommand:
    """Call off a round that nobody plays; as floorperson if there are wagers (P24)."""
    wagered = any(place.wagers or place.unregistered for place in current_round.positions.values())
    return AutoCommand(CallOff(role="floorperson" if wagered else "dealer"), HOUSE_DEALER_ACTOR)


def _during_decisions(
    table: HouseTable, current_round: RoundState, timing: _Timing
) -> AutoCommand | WaitReason:
    """Let a bot decide, or wait for a person; a decision that takes too long is a fold (P34)."""
    position = positions_to_decide(current_round)[0]
    if is_bot(current_round.positions[position].player):
        decided = bot_decision(table, current_round, position)
        return AutoCommand(decided, player_actor(decided.by))
    leaves = current_round.positions[position].player in table.leaving
    until = timing.until(
        timing.timers.turn_began_at, timing.settings.pace.deciding, table.state, hurry=leaves
    )
    if until is not None and timing.now >= until:
        return AutoCommand(Fold(position=position, role="dealer"), HOUSE_DEALER_ACTOR)
    return WaitReason("decision", position, until)

"""Auto-dealer policy: picks the next command for a table from its state, ready players and time.

The house dealer follows the procedure, one command at a time. People bet and decide without a limit or within
one (P34). A progressive win and its documents wait for staff.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Literal

import msgspec
from msgspec.structs import replace

from fourcard.house.actors import HOUSE_DEALER, Actor, AnyCommand, is_bot
from fourcard.house.commands import ActingRole, FillTray
from fourcard.house.rehearsal import known_deck, next_between, on_console
from fourcard.house.table_book import TableBook
from fourcard.refusals import Code, Refusal
from fourcard.round.commands import CallOff, CompleteDocument, Fold, LeaveSeat, Perform, Play
from fourcard.round.due import deciders
from fourcard.round.state import RoundState
from fourcard.round.words import PROMPTS
from fourcard.server.floor.crowd import actor_of, coming, decision, wager
from fourcard.server.floor.seats import FREED, GRACE, Attendance, kept_until, people
from fourcard.server.settings import Pace, Settings
from fourcard.table.commands import BeginRound, Prepare
from fourcard.table.croupier import act_due, preparation
from fourcard.table.decide import decide
from fourcard.table.state import TableState

DEALER = Actor(HOUSE_DEALER, "staff", ("dealer", "floorperson", "supervisor"))
"""The house dealer; it also acts as floor at every table."""
LEAST_TRAY, FILL = 25_000_00, 100_000_00
"""Tray level in cents below which it is filled, and the amount of a fill."""
Awaited = Literal["wagers", "ready", "decision", "jackpot", "document", "players", "staff"]
UNREADY = "Make the table ready for the next round."
TASKS = {
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


class Deed(msgspec.Struct, frozen=True):
    """A command that the house dealer or a bot gives now."""

    command: AnyCommand
    actor: Actor


class Wait(msgspec.Struct, frozen=True):
    """What a table waits for, at which position, and until when (milliseconds since the epoch)."""

    for_: Awaited
    position: int = 0
    until: int | None = None
    seat_until: int | None = None
    """When the next idle seat is freed, if nothing happens before."""
    role: ActingRole = "player"
    """Role of the person who must act."""
    task: str = ""
    """What staff must do, as a prompt."""


class Moments(msgspec.Struct, frozen=True):
    """Start times of a table's time limits."""

    wagered: int | None = None
    """When a person placed the first wager of this round."""
    asked: int = 0
    """When the deciding position got its turn."""
    position: int = 0
    """The deciding position; 0 if there is none."""
    acted: Mapping[str, int] = {}
    """Since when each seated person has done nothing at the table."""
    began: int = 0
    """When betting in this round began."""
    attendance: Attendance = Attendance()
    """Who takes part in rounds and who misses them."""
    hurried: int = 0
    """When the last hand was called or somebody asked to leave, whichever is later."""

    def moved(self, by: int) -> "Moments":
        """Return the same times shifted with the clock, so that nobody gets more or less time."""
        wagered = None if self.wagered is None else self.wagered + by
        acted = {player: at + by for player, at in self.acted.items()}
        shifted = {"asked": self.asked + by, "began": self.began + by, "hurried": self.hurried + by}
        return replace(self, wagered=wagered, acted=acted, **shifted)


def next_deed(
    book: TableBook, ready: AbstractSet[str], moments: Moments, now: int, settings: Settings
) -> Deed | Wait:
    """Return the next automatic command at a table, or what it waits for."""
    aged = replace(book, state=replace(book.state, at=max(now, book.state.at)))
    state = aged.state
    manual = book.cards != "built-in" or not settings.deals
    effective = replace(settings, deals=False, bots=0, opens=False, pace=Pace()) if manual else settings
    timing = _Timing(ready, moments, now, effective)
    if state.round is None:
        action = _between_rounds(aged, state, timing)
    else:
        action = _in_round(aged, state, state.round, timing)
    return _wait_for_people(state, action) if manual else action


def _wait_for_people(state: TableState, action: Deed | Wait) -> Wait:
    """Return who must act where the house does not deal automatically."""
    if isinstance(action, Wait):
        return action
    command = action.command
    if isinstance(command, Fold | Play):
        return Wait("decision", command.position)
    if state.round is not None and _pending_award(state.round):
        return _wait_for_jackpot(_pending_award(state.round), command.role)
    return _wait_for_staff(state, command)


def _wait_for_staff(state: TableState, command: AnyCommand) -> Wait:
    """Return that staff must give a command."""
    unready = isinstance(command, BeginRound) and isinstance(decide(state, command), Refusal)
    name = command.step if isinstance(command, Prepare | Perform) else str(command.__struct_config__.tag)
    task = UNREADY if unready else TASKS.get(name) or PROMPTS.get(name, "")
    return Wait("staff", role=command.role, task=task)


class _Timing(msgspec.Struct, frozen=True):
    """Ready players, timers and the current time."""

    ready: AbstractSet[str]
    moments: Moments
    now: int
    settings: Settings

    def until(self, since: int | None, limit: int | None, state: TableState, *, hurry: bool) -> int | None:
        """Return when a time limit ends; none applies if nobody else waits, unless hurried (P34)."""
        if since is None or limit is None:
            return None
        if not self.settings.pace.patient or len(self.present(state)) > 1:
            return since + limit
        return max(since, self.moments.hurried) + limit if hurry or state.last_hand else None

    def present(self, state: TableState) -> frozenset[str]:
        """Return the people the table waits for: those who do not sit out (P34)."""
        here = people(state)
        return here - self.moments.attendance.away(here)

    def freed(self, state: TableState) -> Deed | None:
        """Free the seat of somebody who missed too many rounds (P34)."""
        away = self.moments.attendance.away(people(state), FREED)
        position = next((each for each, player in state.seats.items() if player in away), None)
        return None if position is None else Deed(LeaveSeat(position=position, role="dealer"), DEALER)

    def seats(self, state: TableState) -> dict[int, int]:
        """Return when each idle seat is freed (P34)."""
        return kept_until(state, self.moments.acted, self.moments.began, self.settings.pace.seat)

    def leaving(self, state: TableState) -> Deed | None:
        """Free the seat of somebody who has been idle for too long (P34)."""
        over = (position for position, until in self.seats(state).items() if self.now >= until)
        position = next(over, None)
        return None if position is None else Deed(LeaveSeat(position=position, role="dealer"), DEALER)


def _between_rounds(book: TableBook, state: TableState, timing: _Timing) -> Deed | Wait:
    """Return what to do between rounds."""
    settings = timing.settings
    motion = on_console(book)
    if motion is not None:
        return Deed(motion, DEALER) if motion.role == "dealer" else _wait_for_jackpot(0, motion.role)
    freed = timing.freed(state) if settings.deals else None
    if freed is not None:
        return freed
    low = settings.opens and book.cents(book.names.tray) < LEAST_TRAY
    if low or state.phase == "closed":
        return _open_table(book, state, settings, low=low)
    joining = coming(book, settings.bots) if settings.deals else None
    if joining is not None:
        return Deed(joining, actor_of(joining.by))
    command = next_between(book)
    if not people(state) and (settings.deals or _needs_players(state, command)):
        return Wait("players")
    return Deed(command, DEALER)


def _needs_players(state: TableState, command: AnyCommand) -> bool:
    """Return whether the next staff command makes sense only once somebody is seated."""
    if not isinstance(command, Prepare):
        return isinstance(command, BeginRound)
    refused = decide(state, command)
    return isinstance(refused, Refusal) and refused.code is Code.FIRST_PLAYER_MISSING


def _open_table(book: TableBook, state: TableState, settings: Settings, *, low: bool) -> Deed | Wait:
    """Fill the tray and open the table automatically, or wait for the floor.

    A table that was closed by a last hand is always opened by the floor (P36).
    """
    if not settings.opens or (state.phase == "closed" and state.last_hand):
        return _wait_for_staff(state, next_between(book))
    fill = FillTray(cents=FILL, slip=f"auto-{state.number}", role="supervisor")
    return Deed(fill if low else next_between(book), DEALER)


def _in_round(book: TableBook, state: TableState, under_way: RoundState, timing: _Timing) -> Deed | Wait:
    if under_way.phase == "betting" and under_way.moment == "betting" and under_way.step == 0:
        unplayed = _wait_in_last_hand(state, under_way, timing)
        waiting = timing.leaving(state) or unplayed or _during_betting(book, state, under_way, timing)
        if waiting is not None:
            return waiting
    motion = on_console(book)
    if motion is not None:
        by_dealer = motion.role == "dealer"
        return (
            Deed(motion, DEALER) if by_dealer else _wait_for_jackpot(_pending_award(under_way), motion.role)
        )
    act = act_due(state)
    if act is None:
        return _during_decisions(book, under_way, timing)
    if isinstance(act, CompleteDocument):
        task = f"Complete the document of position {act.position}."
        return Wait("document", act.position, role=act.role, task=task)
    if state.agenda and under_way.phase == "betting":
        return Deed(replace(preparation(state, known_deck), order=None), DEALER)
    return Deed(act, DEALER)


def _pending_award(under_way: RoundState) -> int:
    """Return the position whose award is pending, or 0."""
    return 0 if under_way.awaiting is None else under_way.awaiting.position


def _wait_for_jackpot(position: int, role: ActingRole) -> Wait:
    return Wait("jackpot", position, role=role, task="Complete the next step for the win on the console.")


def _during_betting(
    book: TableBook, state: TableState, under_way: RoundState, timing: _Timing
) -> Deed | Wait | None:
    """Let bots and people bet; return None when betting can close."""
    here = people(state)
    if not here:
        return _call_off(under_way)
    bet = wager(book, under_way) if timing.settings.deals else None
    if bet is not None:
        return Deed(bet, actor_of(bet.by))
    wagering = {place.player for place in under_way.places.values() if place.wagers} - {""}
    seat_until = min(timing.seats(state).values(), default=None)
    if not under_way.dealt_in:
        return Wait("wagers", seat_until=seat_until)
    present = timing.present(state) - book.leaving
    if present <= timing.ready and (present or here & wagering):
        return None
    until = timing.until(timing.moments.wagered, timing.settings.pace.wagering, state, hurry=False)
    if until is not None and timing.now >= until:
        return None
    return Wait("ready" if here & wagering else "wagers", until=until, seat_until=seat_until)


def _wait_in_last_hand(state: TableState, under_way: RoundState, timing: _Timing) -> Deed | Wait | None:
    """Wait a while for a person to bet in the last hand, then call the round off (P36)."""
    here = people(state)
    playing = {under_way.places[position].player for position in under_way.dealt_in}
    if not state.last_hand or not timing.settings.deals or not here or here & playing:
        return None
    until = max(timing.moments.hurried, timing.moments.began) + GRACE
    return Wait("wagers", until=until) if timing.now < until else _call_off(under_way)


def _call_off(under_way: RoundState) -> Deed:
    """Call off a round that nobody plays; as floorperson if there are wagers (P24)."""
    wagered = any(place.wagers or place.unregistered for place in under_way.places.values())
    return Deed(CallOff(role="floorperson" if wagered else "dealer"), DEALER)


def _during_decisions(book: TableBook, under_way: RoundState, timing: _Timing) -> Deed | Wait:
    """Let a bot decide, or wait for a person; a decision that takes too long is a fold (P34)."""
    position = deciders(under_way)[0]
    if is_bot(under_way.places[position].player):
        decided = decision(book, under_way, position)
        return Deed(decided, actor_of(decided.by))
    leaves = under_way.places[position].player in book.leaving
    until = timing.until(timing.moments.asked, timing.settings.pace.deciding, book.state, hurry=leaves)
    if until is not None and timing.now >= until:
        return Deed(Fold(position=position, role="dealer"), DEALER)
    return Wait("decision", position, until)

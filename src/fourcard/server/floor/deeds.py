"""What happens next at a table by itself: a pure function of the table, of who is ready, and of the moment.

The dealer of the house goes by the book, one command at a time. People wager and decide in their own time,
or within a limit (P34); a win of the progressive and its papers wait for the staff.
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
from fourcard.server.floor import crowd
from fourcard.server.floor.seats import FREED, GRACE, Attendance, kept_until, people
from fourcard.server.settings import Pace, Settings
from fourcard.table.commands import BeginRound, Prepare
from fourcard.table.croupier import act_due, preparation
from fourcard.table.decide import decide
from fourcard.table.state import TableState

DEALER = Actor(HOUSE_DEALER, "staff", ("dealer", "floorperson", "supervisor"))
"""Who deals where the house deals by itself, and does what the floor does at every table."""
LEAST_TRAY, FILL = 25_000_00, 100_000_00
"""Below how many cents a tray is filled, and with how many."""
Awaited = Literal["wagers", "ready", "decision", "jackpot", "document", "players", "staff"]
UNREADY = "Make the table ready for the next round."
TASKS = {
    "verify_inspection": "Verify the inspection of the cards.",
    "count_tray": "Count the tray.",
    "open_table": "Open the table.",
    "bring_deck": "Bring a new deck.",
    "begin_round": "Begin the round.",
    "call_off": "Call the round off.",
    "press": "Press the button that is due on the console.",
    "turn_key": "Turn the key of the console back to Run.",
}
"""What staff are told to do, by command or step; every other step has its prompt."""


class Deed(msgspec.Struct, frozen=True):
    """A command that somebody without a person gives now."""

    command: AnyCommand
    actor: Actor


class Wait(msgspec.Struct, frozen=True):
    """What a table waits for, at which position, and until when, in milliseconds since the epoch."""

    for_: Awaited
    position: int = 0
    until: int | None = None
    seat_until: int | None = None
    """When the next seat of somebody who does nothing is given up, if nothing happens before."""
    role: ActingRole = "player"
    """In which role somebody is to act."""
    task: str = ""
    """What staff are to do, as they are prompted for it."""


class Moments(msgspec.Struct, frozen=True):
    """When what a limit of time counts from came to be."""

    wagered: int | None = None
    """When the first wager of a person was placed in this round."""
    asked: int = 0
    """When it came to the position that is to decide now."""
    position: int = 0
    """That position; 0 while nobody is to decide."""
    acted: Mapping[str, int] = {}
    """Since when each person in a seat has done nothing at the table."""
    began: int = 0
    """When wagers began to be taken for this round."""
    attendance: Attendance = Attendance()
    """Who takes part in the rounds, and who misses them."""
    hurried: int = 0
    """When the last hand was called, or when somebody asked to leave, whichever came last."""

    def moved(self, by: int) -> "Moments":
        """Return the same moments by a clock that was moved, so that nobody has more time or less."""
        wagered = None if self.wagered is None else self.wagered + by
        acted = {player: at + by for player, at in self.acted.items()}
        moved = {"asked": self.asked + by, "began": self.began + by, "hurried": self.hurried + by}
        return replace(self, wagered=wagered, acted=acted, **moved)


def next_deed(
    book: TableBook, ready: AbstractSet[str], moments: Moments, now: int, settings: Settings
) -> Deed | Wait:
    """Return what is done next at a table, or what it waits for."""
    aged = replace(book, state=replace(book.state, at=max(now, book.state.at)))
    state = aged.state
    by_people = book.cards != "built-in" or not settings.deals
    used = replace(settings, deals=False, bots=0, opens=False, pace=Pace()) if by_people else settings
    clock = _Clock(ready, moments, now, used)
    if state.round is None:
        following = _between(aged, state, clock)
    else:
        following = _in_round(aged, state, state.round, clock)
    return _for_people(state, following) if by_people else following


def _for_people(state: TableState, following: Deed | Wait) -> Wait:
    """Return who is to do what the house would do where it deals by itself."""
    if isinstance(following, Wait):
        return following
    command = following.command
    if isinstance(command, Fold | Play):
        return Wait("decision", command.position)
    if state.round is not None and _awaiting(state.round):
        return _awarding(_awaiting(state.round), command.role)
    return _for_staff(state, command)


def _for_staff(state: TableState, command: AnyCommand) -> Wait:
    """Return that a member of staff is to give a command."""
    unready = isinstance(command, BeginRound) and isinstance(decide(state, command), Refusal)
    name = command.step if isinstance(command, Prepare | Perform) else str(command.__struct_config__.tag)
    task = UNREADY if unready else TASKS.get(name) or PROMPTS.get(name, "")
    return Wait("staff", role=command.role, task=task)


class _Clock(msgspec.Struct, frozen=True):
    """Who is ready, and what the time is."""

    ready: AbstractSet[str]
    moments: Moments
    now: int
    settings: Settings

    def until(self, since: int | None, limit: int | None, state: TableState, *, hurry: bool) -> int | None:
        """Return when a limit of time is over; none holds where nobody else waits, or hurries on (P34)."""
        if since is None or limit is None:
            return None
        if not self.settings.pace.patient or len(self.present(state)) > 1:
            return since + limit
        return max(since, self.moments.hurried) + limit if hurry or state.last_hand else None

    def present(self, state: TableState) -> frozenset[str]:
        """Return the people whom the table waits for: those who do not sit out (P34)."""
        here = people(state)
        return here - self.moments.attendance.away(here)

    def freed(self, state: TableState) -> Deed | None:
        """Free the seat of somebody who has missed too many rounds (P34)."""
        away = self.moments.attendance.away(people(state), FREED)
        position = next((each for each, player in state.seats.items() if player in away), None)
        return None if position is None else Deed(LeaveSeat(position=position, role="dealer"), DEALER)

    def seats(self, state: TableState) -> dict[int, int]:
        """Return until when each seat of a person is kept (P34)."""
        return kept_until(state, self.moments.acted, self.moments.began, self.settings.pace.seat)

    def leaving(self, state: TableState) -> Deed | None:
        """Let somebody out of the seat who has done nothing at the table for too long (P34)."""
        over = (position for position, until in self.seats(state).items() if self.now >= until)
        position = next(over, None)
        return None if position is None else Deed(LeaveSeat(position=position, role="dealer"), DEALER)


def _between(book: TableBook, state: TableState, clock: _Clock) -> Deed | Wait:
    """Return what is done while no round is under way."""
    settings = clock.settings
    motion = on_console(book)
    if motion is not None:
        return Deed(motion, DEALER) if motion.role == "dealer" else _awarding(0, motion.role)
    freed = clock.freed(state) if settings.deals else None
    if freed is not None:
        return freed
    low = settings.opens and book.cents(book.names.tray) < LEAST_TRAY
    if low or state.phase == "closed":
        return _opening(book, state, settings, low=low)
    joining = crowd.coming(book, settings.bots) if settings.deals else None
    if joining is not None:
        return Deed(joining, crowd.actor_of(joining.by))
    following = next_between(book)
    if not people(state) and (settings.deals or _needs_players(state, following)):
        return Wait("players")
    return Deed(following, DEALER)


def _needs_players(state: TableState, command: AnyCommand) -> bool:
    """Say whether the next act of the staff makes sense only once somebody sits there."""
    if not isinstance(command, Prepare):
        return isinstance(command, BeginRound)
    refused = decide(state, command)
    return isinstance(refused, Refusal) and refused.code is Code.FIRST_PLAYER_MISSING


def _opening(book: TableBook, state: TableState, settings: Settings, *, low: bool) -> Deed | Wait:
    """Fill the tray and open the table, where the house does that by itself; else the floor does.

    A table that was closed by a last hand is opened by the floor in any case (P36).
    """
    if not settings.opens or (state.phase == "closed" and state.last_hand):
        return _for_staff(state, next_between(book))
    fill = FillTray(cents=FILL, slip=f"auto-{state.number}", role="supervisor")
    return Deed(fill if low else next_between(book), DEALER)


def _in_round(book: TableBook, state: TableState, under_way: RoundState, clock: _Clock) -> Deed | Wait:
    if under_way.phase == "betting" and under_way.moment == "betting" and under_way.step == 0:
        unplayed = _unplayed_last_hand(state, under_way, clock)
        waiting = clock.leaving(state) or unplayed or _wagering(book, state, under_way, clock)
        if waiting is not None:
            return waiting
    motion = on_console(book)
    if motion is not None:
        by_dealer = motion.role == "dealer"
        return Deed(motion, DEALER) if by_dealer else _awarding(_awaiting(under_way), motion.role)
    act = act_due(state)
    if act is None:
        return _deciding(book, under_way, clock)
    if isinstance(act, CompleteDocument):
        task = f"Complete the document of position {act.position}."
        return Wait("document", act.position, role=act.role, task=task)
    if state.agenda and under_way.phase == "betting":
        return Deed(replace(preparation(state, known_deck), order=None), DEALER)
    return Deed(act, DEALER)


def _awaiting(under_way: RoundState) -> int:
    """Return the position whose award waits, or 0 while none does."""
    return 0 if under_way.awaiting is None else under_way.awaiting.position


def _awarding(position: int, role: ActingRole) -> Wait:
    return Wait("jackpot", position, role=role, task="Do what is due for the win on the console.")


def _wagering(book: TableBook, state: TableState, under_way: RoundState, clock: _Clock) -> Deed | Wait | None:
    """Let bots and people wager; return None once bets can be closed."""
    here = people(state)
    if not here:
        return _called_off(under_way)
    bet = crowd.wager(book, under_way) if clock.settings.deals else None
    if bet is not None:
        return Deed(bet, crowd.actor_of(bet.by))
    wagering = {place.player for place in under_way.places.values() if place.wagers} - {""}
    seat_until = min(clock.seats(state).values(), default=None)
    if not under_way.dealt_in:
        return Wait("wagers", seat_until=seat_until)
    present = clock.present(state) - book.leaving
    if present <= clock.ready and (present or here & wagering):
        return None
    until = clock.until(clock.moments.wagered, clock.settings.pace.wagering, state, hurry=False)
    if until is not None and clock.now >= until:
        return None
    return Wait("ready" if here & wagering else "wagers", until=until, seat_until=seat_until)


def _unplayed_last_hand(state: TableState, under_way: RoundState, clock: _Clock) -> Deed | Wait | None:
    """Wait a while for a person to wager in the last hand, and then call the round off (P36)."""
    here = people(state)
    playing = {under_way.places[position].player for position in under_way.dealt_in}
    if not state.last_hand or not clock.settings.deals or not here or here & playing:
        return None
    until = max(clock.moments.hurried, clock.moments.began) + GRACE
    return Wait("wagers", until=until) if clock.now < until else _called_off(under_way)


def _called_off(under_way: RoundState) -> Deed:
    """Call a round off that nobody plays in; the floor does where wagers lie (P24)."""
    wagered = any(place.wagers or place.unregistered for place in under_way.places.values())
    return Deed(CallOff(role="floorperson" if wagered else "dealer"), DEALER)


def _deciding(book: TableBook, under_way: RoundState, clock: _Clock) -> Deed | Wait:
    """Let a bot decide, or wait for a person; who lets the time pass has folded (P34)."""
    position = deciders(under_way)[0]
    if is_bot(under_way.places[position].player):
        decided = crowd.decision(book, under_way, position)
        return Deed(decided, crowd.actor_of(decided.by))
    leaves = under_way.places[position].player in book.leaving
    until = clock.until(clock.moments.asked, clock.settings.pace.deciding, book.state, hurry=leaves)
    if until is not None and clock.now >= until:
        return Deed(Fold(position=position, role="dealer"), DEALER)
    return Wait("decision", position, until)

"""What happens next at a table by itself: a pure function of the table, of who is ready, and of the moment.

The dealer of the house goes by the book, one command at a time. People wager and decide in their own time,
or within a limit (P34); a win of the progressive and its papers wait for the staff.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Literal

import msgspec
from msgspec.structs import replace

from fourcard.house.actors import HOUSE_DEALER, Actor, is_bot
from fourcard.house.commands import FillTray, HouseCommand
from fourcard.house.rehearsal import known_deck, next_between, on_console
from fourcard.house.table_book import TableBook
from fourcard.round.commands import CallOff, Command, CompleteDocument, Fold, LeaveSeat
from fourcard.round.due import deciders
from fourcard.round.state import RoundState
from fourcard.server.floor import crowd
from fourcard.server.floor.seats import kept_until, people
from fourcard.server.settings import Settings
from fourcard.table.croupier import act_due, preparation
from fourcard.table.state import TableState

DEALER = Actor(HOUSE_DEALER, "staff", ("dealer", "floorperson", "supervisor"))
"""Who deals where the house deals by itself, and does what the floor does at every table."""
LEAST_TRAY, FILL = 25_000_00, 100_000_00
"""Below how many cents a tray is filled, and with how many."""
Awaited = Literal["wagers", "ready", "decision", "jackpot", "document", "players", "staff"]


class Deed(msgspec.Struct, frozen=True):
    """A command that somebody without a person gives now."""

    command: Command | HouseCommand
    actor: Actor


class Wait(msgspec.Struct, frozen=True):
    """What a table waits for, at which position, and until when, in milliseconds since the epoch."""

    for_: Awaited
    position: int = 0
    until: int | None = None
    seat_until: int | None = None
    """When the next seat of somebody who does nothing is given up, if nothing happens before."""


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

    def moved(self, by: int) -> "Moments":
        """Return the same moments by a clock that was moved, so that nobody has more time or less."""
        wagered = None if self.wagered is None else self.wagered + by
        acted = {player: at + by for player, at in self.acted.items()}
        return Moments(wagered, self.asked + by, self.position, acted, self.began + by)


def next_deed(
    book: TableBook, ready: AbstractSet[str], moments: Moments, now: int, settings: Settings
) -> Deed | Wait:
    """Return what is done next at a table, or what it waits for."""
    assert book.state is not None
    aged = replace(book, state=replace(book.state, at=max(now, book.state.at)))
    state = aged.state
    assert state is not None
    if book.cards != "built-in" or not settings.deals:
        return Wait("staff")
    if state.round is None:
        return _between(aged, state, settings)
    return _in_round(aged, state, state.round, _Clock(ready, moments, now, settings))


class _Clock(msgspec.Struct, frozen=True):
    """Who is ready, and what the time is."""

    ready: AbstractSet[str]
    moments: Moments
    now: int
    settings: Settings

    def limit(self, here: AbstractSet[str], limit: int | None) -> int | None:
        """Return a limit of time, none where only one person sits there and nobody else waits (P34)."""
        alone = self.settings.pace.patient and len(here) < 2
        return None if alone else limit

    def seats(self, state: TableState) -> dict[int, int]:
        """Return until when each seat of a person is kept (P34)."""
        return kept_until(state, self.moments.acted, self.moments.began, self.settings.pace.seat)

    def leaving(self, state: TableState) -> Deed | None:
        """Let somebody out of the seat who has done nothing at the table for too long (P34)."""
        over = (position for position, until in self.seats(state).items() if self.now >= until)
        position = next(over, None)
        return None if position is None else Deed(LeaveSeat(position=position, role="dealer"), DEALER)


def _between(book: TableBook, state: TableState, settings: Settings) -> Deed | Wait:
    """Return what is done while no round is under way."""
    motion = on_console(book)
    if motion is not None:
        return Deed(motion, DEALER) if motion.role == "dealer" else Wait("jackpot")
    low = settings.opens and book.cents(book.names.tray) < LEAST_TRAY
    if low or state.phase == "closed":
        return _opening(book, state, settings, low=low)
    joining = crowd.coming(book, settings.bots)
    if joining is not None:
        return Deed(joining, crowd.actor_of(joining.by))
    if not people(state):
        return Wait("players")
    return Deed(next_between(book), DEALER)


def _opening(book: TableBook, state: TableState, settings: Settings, *, low: bool) -> Deed | Wait:
    """Fill the tray and open the table, where the house does that by itself; else the floor does."""
    if not settings.opens:
        return Wait("staff")
    fill = FillTray(cents=FILL, slip=f"auto-{state.number}", role="supervisor")
    return Deed(fill if low else next_between(book), DEALER)


def _in_round(book: TableBook, state: TableState, under_way: RoundState, clock: _Clock) -> Deed | Wait:
    if under_way.phase == "betting" and under_way.moment == "betting" and under_way.step == 0:
        waiting = clock.leaving(state) or _wagering(book, state, under_way, clock)
        if waiting is not None:
            return waiting
    motion = on_console(book)
    if motion is not None:
        return Deed(motion, DEALER) if motion.role == "dealer" else _awarding(under_way)
    act = act_due(state)
    if act is None:
        return _deciding(book, under_way, clock)
    if isinstance(act, CompleteDocument):
        return Wait("document", act.position)
    if state.agenda and under_way.phase == "betting":
        return Deed(replace(preparation(state, known_deck), order=None), DEALER)
    return Deed(act, DEALER)


def _awarding(under_way: RoundState) -> Wait:
    return Wait("jackpot", under_way.awaiting.position if under_way.awaiting is not None else 0)


def _wagering(book: TableBook, state: TableState, under_way: RoundState, clock: _Clock) -> Deed | Wait | None:
    """Let bots and people wager; return None once bets can be closed."""
    here = people(state)
    if not here:
        wagered = any(place.wagers or place.unregistered for place in under_way.places.values())
        return Deed(CallOff(role="floorperson" if wagered else "dealer"), DEALER)
    bet = crowd.wager(book, under_way)
    if bet is not None:
        return Deed(bet, crowd.actor_of(bet.by))
    wagering = {place.player for place in under_way.places.values() if place.wagers} - {""}
    seat_until = min(clock.seats(state).values(), default=None)
    if not under_way.dealt_in:
        return Wait("wagers", seat_until=seat_until)
    if here <= clock.ready:
        return None
    limit, since = clock.limit(here, clock.settings.pace.wagering), clock.moments.wagered
    until = None if limit is None or since is None else since + limit
    if until is not None and clock.now >= until:
        return None
    return Wait("ready" if here & wagering else "wagers", until=until, seat_until=seat_until)


def _deciding(book: TableBook, under_way: RoundState, clock: _Clock) -> Deed | Wait:
    """Let a bot decide, or wait for a person; who lets the time pass has folded (P34)."""
    position = deciders(under_way)[0]
    if is_bot(under_way.places[position].player):
        decided = crowd.decision(book, under_way, position)
        return Deed(decided, crowd.actor_of(decided.by))
    assert book.state is not None
    limit = clock.limit(people(book.state), clock.settings.pace.deciding)
    until = None if limit is None else clock.moments.asked + limit
    if until is not None and clock.now >= until:
        return Deed(Fold(position=position, role="dealer"), DEALER)
    return Wait("decision", position, until)

"""What one person is shown of a table: built from what that person may see, and from nothing else."""

from bisect import bisect_left
from collections.abc import Set as AbstractSet
from typing import Any, Literal

import msgspec

from fourcard.house.actors import Actor
from fourcard.house.commands import ActingRole
from fourcard.house.permissions import acting_roles
from fourcard.house.table_book import TableBook
from fourcard.progressive.commands import KeyPosition
from fourcard.progressive.console import Mark
from fourcard.progressive.croupier import next_motion
from fourcard.progressive.picturing import Sensor, picture
from fourcard.refusals import Refusal
from fourcard.round.commands import ActorRole, Command
from fourcard.round.due import deciders
from fourcard.round.state import RoundState
from fourcard.round.view import Viewer
from fourcard.rules.consoles import Console as ConsoleKind
from fourcard.rules.limits import play_refusal
from fourcard.rules.nodes import WagerName
from fourcard.server.floor.deeds import Awaited, Deed, Wait
from fourcard.server.floor.seats import people
from fourcard.server.floor.watching import Seen
from fourcard.server.sentences import Told, told
from fourcard.table.commands import LastHand
from fourcard.table.croupier import act_due
from fourcard.table.decide import decide
from fourcard.table.legal import Offer, offers
from fourcard.table.state import TableState
from fourcard.table.view import TableView, table_view

ROLES: tuple[ActorRole, ...] = ("executive", "casino-supervisor", "supervisor", "floorperson", "dealer")
"""The roles at a table, the highest first."""


class Plays(msgspec.Struct, frozen=True):
    """The Play wagers that rules and chips allow, in cents."""

    least: int
    most: int
    step: int


class FoldResult(msgspec.Struct, frozen=True):
    """What a fold loses, by wager in cents, and which wagers stay in play after it."""

    lost: dict[WagerName, int]
    stays: tuple[WagerName, ...]


class Chances(msgspec.Struct, frozen=True):
    """What the looker may do now."""

    may: tuple[dict[str, Any], ...] = ()
    plays: dict[int, Plays] = {}
    folds: dict[int, FoldResult] = {}
    """By own position that decides, what a fold leads to."""


class You(msgspec.Struct, frozen=True):
    """The player who looks, as this table knows the person."""

    player: str
    positions: tuple[int, ...]
    chips: int
    account: int
    ready: bool
    seed: str
    leaving: bool = False
    """Whether the player leaves when the round under way is over (P35)."""
    sits_out: bool = False
    """Whether nobody waits for the player, who has missed a round (P34)."""


class NextView(msgspec.Struct, frozen=True):
    """What is due at a console, and the command that it is in the role that gives it."""

    what: str
    who: str
    role: str
    clauses: tuple[str, ...]
    command: dict[str, Any]


class ConsoleView(msgspec.Struct, frozen=True):
    """The console of the progressive, for staff alone."""

    console: ConsoleKind
    sensors: tuple[Sensor, ...]
    key: KeyPosition | None
    spot: int | None
    mark: Mark | None
    prize: int | None
    meter: int
    link: str
    hands: tuple[str, ...]
    next: NextView | None


class Waiting(msgspec.Struct, frozen=True, rename={"for_": "for"}):
    """What the table waits for, at which position, and the milliseconds that are left, if limited."""

    for_: Awaited
    position: int
    left: int | None
    role: ActingRole
    """In which role somebody is to act."""
    task: str
    """What staff are to do; empty while players are to act."""


class TableMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it is now to one person."""

    kind: Literal["table"] = "table"
    table: str
    sequence: int
    view: TableView
    you: You | None
    chances: Chances
    meter: int | None
    told: tuple[Told, ...]
    waiting: Waiting | None
    commitment: str
    console: ConsoleView | None
    sitting_out: tuple[int, ...] = ()
    """The positions of people who have missed a round, for whom nobody waits (P34)."""


class Moment(msgspec.Struct, frozen=True):
    """What is known beside a table when it is shown."""

    now: int
    next: Deed | Wait
    ready: AbstractSet[str]
    meter: int | None
    closed: str = ""
    """Why the link of the meter is closed; empty while it is open."""


def viewer_of(actor: Actor) -> Viewer:
    """Return as whom a person looks: a player at the own cards, staff as their office allows."""
    if actor.kind == "player":
        return Viewer("seat", actor.person)
    roles = acting_roles(actor)
    if "floorperson" in roles:
        return Viewer("floor")
    return Viewer("surveillance" if "auditor" in roles else "dealer")


def message(seen: Seen, actor: Actor, moment: Moment, account: int, since: int) -> TableMessage:
    """Return a table as a person may see it, with what was told since a sentence's number."""
    book = seen.book
    state = book.state
    player = actor.person if actor.kind == "player" else ""
    return TableMessage(
        table=book.table,
        sequence=seen.sequence,
        view=table_view(_without_past(state), viewer_of(actor)),
        you=_you(seen, state, player, account, moment) if player else None,
        chances=_chances(book, state, player) if player else Chances(_staff_may(state, actor)),
        meter=moment.meter,
        told=tuple(map(told, seen.since(since))),
        waiting=_waiting(moment),
        commitment=book.commitment,
        console=None if player else _console(book, state, moment),
        sitting_out=_sitting_out(seen, state),
    )


def _sitting_out(seen: Seen, state: TableState) -> tuple[int, ...]:
    away = seen.moments.attendance.away(people(state))
    return tuple(position for position, player in state.seats.items() if player in away)


def _without_past(state: TableState) -> TableState:
    """Leave the round before away once cards come: it is half of a message, and nobody looks at it then."""
    if state.round is None or state.round.phase == "betting":
        return state
    return msgspec.structs.replace(state, finished=None)


def _you(seen: Seen, state: TableState, player: str, account: int, moment: Moment) -> You:
    book = seen.book
    positions = tuple(sorted(position for position, who in state.seats.items() if who == player))
    seed = book.seeds.get(player, "")
    sits_out = not {*positions}.isdisjoint(_sitting_out(seen, state))
    leaving, ready = player in book.leaving, player in moment.ready
    return You(player, positions, book.chips(player), account, ready, seed, leaving, sits_out)


def _chances(book: TableBook, state: TableState, player: str) -> Chances:
    """Return what a player may do; while the dealer is at work that is nothing."""
    under_way = state.round
    if under_way is not None and under_way.phase not in ("betting", "deciding"):
        return Chances()
    may = tuple(map(_offered, offers(state, "player", player)))
    if under_way is None or under_way.phase != "deciding" or not under_way.looked:
        return Chances(may)
    asked = deciders(under_way)[:1]
    own = [position for position in asked if under_way.places[position].player == player]
    plays = {position: plays_at(under_way, position, book.chips(player)) for position in own}
    folds = {position: fold_at(under_way, position) for position in own}
    return Chances(may, {position: found for position, found in plays.items() if found is not None}, folds)


def fold_at(under_way: RoundState, position: int) -> FoldResult:
    """Return what a position loses by folding, as the game settles its wagers."""
    wagers = under_way.places[position].wagers
    lost = under_way.rules.settler.lost_by_fold(wagers)
    return FoldResult(lost, tuple(name for name in wagers if name not in lost))


def plays_at(under_way: RoundState, position: int, chips: int) -> Plays | None:
    """Return the Play wagers that the chips cover and the rules allow, or None where there are none."""
    game, ante = under_way.rules.game, under_way.places[position].wagers.get("ante", 0)
    rules = game.rulebook.wagers.play
    step = ante if rules.whole_multiples.value else int(game.submission.chip)
    covered = range(rules.least.value * ante, min(rules.most.value * ante, chips) + 1, max(step, 1))
    allowed = covered[
        : bisect_left(covered, True, key=lambda play: play_refusal(game, ante, play) is not None)
    ]
    return Plays(allowed[0], allowed[-1], step) if allowed else None


def _staff_may(state: TableState, actor: Actor) -> tuple[dict[str, Any], ...]:
    """Return what a member of staff may do in the highest role held at a table.

    In a round that is the last hand too, though nothing at the table calls for it.
    """
    held = acting_roles(actor)
    role = next((role for role in ROLES if role in held), None)
    if role is None:
        return ()
    last = LastHand(role=role)
    closes = state.round is not None and not isinstance(decide(state, last), Refusal)
    return (*map(_offered, offers(state, role)), *((as_sent(last),) if closes else ()))


def as_sent(command: Command) -> dict[str, Any]:
    """Return a command as it is sent: without who gives it and when, which the house stamps on it."""
    fields: dict[str, Any] = msgspec.to_builtins(command)
    return {name: value for name, value in fields.items() if name not in ("by", "at", "key")}


def _offered(offer: Offer) -> dict[str, Any]:
    """Return a command as it may be sent, null in each field that the person has to enter."""
    return {**dict.fromkeys(offer.asks), **as_sent(offer.command)}


def _waiting(moment: Moment) -> Waiting | None:
    following = moment.next
    if isinstance(following, Deed):
        return None
    left = None if following.until is None else max(0, following.until - moment.now)
    return Waiting(following.for_, following.position, left, following.role, following.task)


def _console(book: TableBook, state: TableState, moment: Moment) -> ConsoleView | None:
    if book.console is None or moment.meter is None:
        return None
    seen = picture(book.console, state, moment.meter, moment.closed)
    following = None
    if seen.next is not None:
        motion = next_motion(book.console, state) or act_due(state) or seen.next.command
        role = motion.role
        command = {**dict.fromkeys(seen.next.asks), **as_sent(seen.next.command), "role": role}
        following = NextView(seen.next.what, seen.next.who, role, seen.next.clauses, command)
    return ConsoleView(
        console=seen.console,
        sensors=seen.sensors,
        key=seen.key,
        spot=seen.spot,
        mark=seen.mark,
        prize=seen.prize,
        meter=seen.meter,
        link=seen.link,
        hands=seen.hands,
        next=following,
    )

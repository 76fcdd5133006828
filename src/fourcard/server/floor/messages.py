"""Table messages: what one person sees of a table, built only from what that person may see."""

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
"""Roles at a table, highest first."""


class Plays(msgspec.Struct, frozen=True):
    """Allowed Play wagers within rules and chips, in cents."""

    least: int
    most: int
    step: int


class FoldResult(msgspec.Struct, frozen=True):
    """What a fold loses, by wager in cents, and which wagers stay in play."""

    lost: dict[WagerName, int]
    stays: tuple[WagerName, ...]


class Chances(msgspec.Struct, frozen=True):
    """What the viewer may do now."""

    may: tuple[dict[str, Any], ...] = ()
    plays: dict[int, Plays] = {}
    folds: dict[int, FoldResult] = {}
    """By own deciding position, the result of a fold."""


class You(msgspec.Struct, frozen=True):
    """The viewing player at this table."""

    player: str
    positions: tuple[int, ...]
    chips: int
    account: int
    ready: bool
    seed: str
    leaving: bool = False
    """Whether the player leaves when the current round ends (P35)."""
    sits_out: bool = False
    """Whether the player sits out after missing a round, so that nobody waits for them (P34)."""


class NextView(msgspec.Struct, frozen=True):
    """Next step at a console, and the command for it."""

    what: str
    who: str
    role: str
    clauses: tuple[str, ...]
    command: dict[str, Any]


class ConsoleView(msgspec.Struct, frozen=True):
    """Console of the progressive, for staff only."""

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
    """What the table waits for, at which position, and the milliseconds left if limited."""

    for_: Awaited
    position: int
    left: int | None
    role: ActingRole
    """Role of the person who must act."""
    task: str
    """What staff must do; empty while players act."""


class TableMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one person sees it now."""

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
    """Positions of people who sit out, so that nobody waits for them (P34)."""


class Moment(msgspec.Struct, frozen=True):
    """Context of a table when it is shown."""

    now: int
    next: Deed | Wait
    ready: AbstractSet[str]
    meter: int | None
    closed: str = ""
    """Why the meter's link is closed; empty if it is open."""


def viewer_of(actor: Actor) -> Viewer:
    """Return the view of a person: players see their own cards, staff what their role allows."""
    if actor.kind == "player":
        return Viewer("seat", actor.person)
    roles = acting_roles(actor)
    if "floorperson" in roles:
        return Viewer("floor")
    return Viewer("surveillance" if "auditor" in roles else "dealer")


def message(snapshot: Seen, actor: Actor, moment: Moment, account: int, since: int) -> TableMessage:
    """Return a table as a person may see it, with the narration since a line number."""
    book = snapshot.book
    state = book.state
    player = actor.person if actor.kind == "player" else ""
    return TableMessage(
        table=book.table,
        sequence=snapshot.sequence,
        view=table_view(_without_finished_round(state), viewer_of(actor)),
        you=_viewer_seat(snapshot, state, player, account, moment) if player else None,
        chances=_allowed_actions(book, state, player) if player else Chances(_staff_actions(state, actor)),
        meter=moment.meter,
        told=tuple(map(told, snapshot.since(since))),
        waiting=_waiting(moment),
        commitment=book.commitment,
        console=None if player else _console(book, state, moment),
        sitting_out=_sitting_out(snapshot, state),
    )


def _sitting_out(snapshot: Seen, state: TableState) -> tuple[int, ...]:
    away = snapshot.moments.attendance.away(people(state))
    return tuple(position for position, player in state.seats.items() if player in away)


def _without_finished_round(state: TableState) -> TableState:
    """Drop the previous round once cards are dealt: it is half of a message and nobody needs it."""
    if state.round is None or state.round.phase == "betting":
        return state
    return msgspec.structs.replace(state, finished=None)


def _viewer_seat(snapshot: Seen, state: TableState, player: str, account: int, moment: Moment) -> You:
    book = snapshot.book
    positions = tuple(sorted(position for position, who in state.seats.items() if who == player))
    seed = book.seeds.get(player, "")
    sits_out = not {*positions}.isdisjoint(_sitting_out(snapshot, state))
    leaving, ready = player in book.leaving, player in moment.ready
    return You(player, positions, book.chips(player), account, ready, seed, leaving, sits_out)


def _allowed_actions(book: TableBook, state: TableState, player: str) -> Chances:
    """Return what a player may do: nothing while the dealer acts."""
    under_way = state.round
    if under_way is not None and under_way.phase not in ("betting", "deciding"):
        return Chances()
    may = tuple(map(_offer_as_sent, offers(state, "player", player)))
    if under_way is None or under_way.phase != "deciding" or not under_way.looked:
        return Chances(may)
    deciding = deciders(under_way)[:1]
    own = [position for position in deciding if under_way.places[position].player == player]
    plays = {position: plays_at(under_way, position, book.chips(player)) for position in own}
    folds = {position: fold_at(under_way, position) for position in own}
    return Chances(may, {position: found for position, found in plays.items() if found is not None}, folds)


def fold_at(under_way: RoundState, position: int) -> FoldResult:
    """Return what a position loses by folding, as the game settles its wagers."""
    wagers = under_way.places[position].wagers
    lost = under_way.rules.settler.lost_by_fold(wagers)
    return FoldResult(lost, tuple(name for name in wagers if name not in lost))


def plays_at(under_way: RoundState, position: int, chips: int) -> Plays | None:
    """Return the Play wagers within chips and rules, or None if there are none."""
    game, ante = under_way.rules.game, under_way.places[position].wagers.get("ante", 0)
    rules = game.rulebook.wagers.play
    step = ante if rules.whole_multiples.value else int(game.submission.chip)
    covered = range(rules.least.value * ante, min(rules.most.value * ante, chips) + 1, max(step, 1))
    allowed = covered[
        : bisect_left(covered, True, key=lambda play: play_refusal(game, ante, play) is not None)
    ]
    return Plays(allowed[0], allowed[-1], step) if allowed else None


def _staff_actions(state: TableState, actor: Actor) -> tuple[dict[str, Any], ...]:
    """Return what staff may do at a table in their highest role.

    During a round this includes calling the last hand, although no step requires it.
    """
    roles = acting_roles(actor)
    role = next((role for role in ROLES if role in roles), None)
    if role is None:
        return ()
    last = LastHand(role=role)
    closes = state.round is not None and not isinstance(decide(state, last), Refusal)
    return (*map(_offer_as_sent, offers(state, role)), *((as_sent(last),) if closes else ()))


def as_sent(command: Command) -> dict[str, Any]:
    """Return a command as a client sends it: without actor, time and key, which the house sets."""
    fields: dict[str, Any] = msgspec.to_builtins(command)
    return {name: value for name, value in fields.items() if name not in ("by", "at", "key")}


def _offer_as_sent(offer: Offer) -> dict[str, Any]:
    """Return an offered command as a client sends it, with null for each field to fill in."""
    return {**dict.fromkeys(offer.asks), **as_sent(offer.command)}


def _waiting(moment: Moment) -> Waiting | None:
    action = moment.next
    if isinstance(action, Deed):
        return None
    left = None if action.until is None else max(0, action.until - moment.now)
    return Waiting(action.for_, action.position, left, action.role, action.task)


def _console(book: TableBook, state: TableState, moment: Moment) -> ConsoleView | None:
    if book.console is None or moment.meter is None:
        return None
    console = picture(book.console, state, moment.meter, moment.closed)
    step = None
    if console.next is not None:
        motion = next_motion(book.console, state) or act_due(state) or console.next.command
        role = motion.role
        command = {**dict.fromkeys(console.next.asks), **as_sent(console.next.command), "role": role}
        step = NextView(console.next.what, console.next.who, role, console.next.clauses, command)
    return ConsoleView(
        console=console.console,
        sensors=console.sensors,
        key=console.key,
        spot=console.spot,
        mark=console.mark,
        prize=console.prize,
        meter=console.meter,
        link=console.link,
        hands=console.hands,
        next=step,
    )

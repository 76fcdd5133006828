"""Table messages: what one person sees of a table, built only from what that person may see.

A message has a public part, which is what an onlooker sees, and the private values of a group of viewers. A
whole message has both; afterwards only changes of either are sent.
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Any, Literal, TypedDict, cast

import msgspec

from fourcard.house.auth.identity import Actor
from fourcard.house.auth.permissions import acting_roles
from fourcard.house.autopilot import WaitKind, WaitReason
from fourcard.house.commands import ActingRole
from fourcard.house.decide_shuffle import dealable_state
from fourcard.house.route_command import Request
from fourcard.house.shuffle_algorithm import ALGORITHM
from fourcard.house.table_state import HouseTable
from fourcard.house.timers import seated_people
from fourcard.narration import Sentence
from fourcard.progressive.autopilot import next_motion
from fourcard.progressive.console import KeyPosition, MarkedHand
from fourcard.progressive.console_view import SensorView, console_view
from fourcard.refusals import Refusal
from fourcard.round.commands import ActorRole, Command
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.state import PositionState, RoundState
from fourcard.round.view import ONLOOKER, Viewer, ViewPath
from fourcard.rules.limits import plays_allowed
from fourcard.rules.rulebook import ConsoleKind
from fourcard.server.floor.changes import Change, PrivateValues, with_values
from fourcard.server.floor.projections import LiveSnapshot
from fourcard.table.autopilot import next_command
from fourcard.table.commands import LastHand
from fourcard.table.decide import decide
from fourcard.table.legal_commands import (
    CommandsBasis,
    LegalCommand,
    commands_basis,
    legal_commands_with_blanks,
)
from fourcard.table.state import TableState
from fourcard.table.view import TableView, private_table_values, table_view
from fourcard.wagers import WagerName


class NarrationLine(msgspec.Struct, frozen=True):
    """One sentence of narration, with its clauses and the position it is about (0: none)."""

    text: str
    clauses: tuple[str, ...]
    position: int


def narration_line(sentence: Sentence) -> NarrationLine:
    """Return a sentence as sent to the page."""
    return NarrationLine(sentence.text, sentence.clauses, sentence.position or 0)


ROLES: tuple[ActorRole, ...] = ("executive", "casino-supervisor", "supervisor", "floorperson", "dealer")
"""Roles at a table, highest first."""


class AllowedPlays(msgspec.Struct, frozen=True):
    """Allowed Play wagers within rules and chips, in cents."""

    least: int
    most: int
    step: int


class FoldResult(msgspec.Struct, frozen=True):
    """What a fold loses, by wager in cents, and which wagers stay in play."""

    lost: dict[WagerName, int]
    stays: tuple[WagerName, ...]


class OfferedCommand(TypedDict):
    """A command as a client sends it, with its fields by name; a person fills in each that is null."""

    kind: str


class AllowedActions(msgspec.Struct, frozen=True):
    """What the viewer may do now."""

    may: tuple[OfferedCommand, ...] = ()
    plays: dict[int, AllowedPlays] = {}
    folds: dict[int, FoldResult] = {}
    """By own deciding position, the result of a fold."""


class ViewerSeat(msgspec.Struct, frozen=True):
    """The viewing player at this table."""

    player: str
    positions: tuple[int, ...]
    chips: int
    account: int
    ready: bool
    seed: str
    """The player's seed for the next shuffle, once it is revealed."""
    leaving: bool = False
    """Whether the player leaves when the current round ends (P35)."""
    sits_out: bool = False
    """Whether the player sits out after missing a round, so that nobody waits for them (P34)."""
    seed_hash: str = ""
    """The hash of the player's seed for the next shuffle; empty until the page has sent it (P40)."""


class ConsoleStepView(msgspec.Struct, frozen=True):
    """Next step at a console, and the command for it."""

    what: str
    who: str
    role: ActorRole
    clauses: tuple[str, ...]
    command: OfferedCommand


class ConsoleMessage(msgspec.Struct, frozen=True):
    """Console of the progressive, for staff only."""

    console: ConsoleKind
    sensors: tuple[SensorView, ...]
    key: KeyPosition | None
    spot: int | None
    mark: MarkedHand | None
    prize: int | None
    meter: int
    link: str
    hands: tuple[str, ...]
    next: ConsoleStepView | None


class WaitingView(msgspec.Struct, frozen=True, rename={"for_": "for"}):
    """What the table waits for, at which position, and the milliseconds left if limited."""

    for_: WaitKind
    position: int
    left: int | None
    role: ActingRole
    """Role of the person who must act."""
    task: str
    """What staff must do; empty while players act."""


class SeedsView(msgspec.Struct, frozen=True):
    """The seeds of the next shuffle of the house (P40)."""

    shuffle: int
    """The number of the shuffle that the commitment is for."""
    called: bool
    """Whether bets are closed, so that the seeds must be revealed now."""
    hashes: tuple[tuple[str, str], ...]
    """Players who have sent the hash of a seed, each with it: no seed is added once they are called."""
    revealed: tuple[str, ...]
    """Players whose seed is revealed."""


class TableMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one person sees it now."""

    kind: Literal["table"] = "table"
    table: str
    sequence: int
    view: TableView
    you: ViewerSeat | None
    allowed: AllowedActions = msgspec.field(name="chances")
    meter: int | None
    told: tuple[NarrationLine, ...]
    waiting: WaitingView | None
    commitment: str
    console: ConsoleMessage | None
    sitting_out: tuple[int, ...] = ()
    """Positions of people who sit out, so that nobody waits for them (P34)."""
    seeds: SeedsView | None = None
    """The seeds of the next shuffle; null where players have none."""
    version: int = 0
    """Number of the message on a live connection, from which the next change counts; 0 over HTTP."""


class TableChange(msgspec.Struct, frozen=True, kw_only=True, rename={"from_": "from", "changes": "set"}):
    """What changed at a table since the message before, for a client that keeps the table.

    Replace `version`, `sequence` and `told`, then set each value at its path, in order.
    """

    kind: Literal["change"] = "change"
    from_: int
    """Version of the message before; a client that has another one asks for the whole table."""
    version: int
    sequence: int
    told: tuple[NarrationLine, ...]
    changes: tuple[Change, ...]
    """Paths of field names and list indexes, each with the value that stands there now."""


class PublicTable(msgspec.Struct, frozen=True):
    """What everybody sees of a table: the part of a table message that an onlooker may see."""

    view: TableView
    meter: int | None
    waiting: WaitingView | None
    commitment: str
    sitting_out: tuple[int, ...]
    seeds: SeedsView | None


class ViewerGroup(msgspec.Struct, frozen=True):
    """People who see the same of a table and may do the same: one player, or staff in one role."""

    viewer: Viewer
    role: ActorRole | None
    """The role in which they act; None if they may do nothing."""
    player: str = ""
    """The player, if it is one."""


class TableContext(msgspec.Struct, frozen=True):
    """Context of a table when it is shown."""

    now: int
    next: Request | WaitReason
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


def group_of(actor: Actor) -> ViewerGroup:
    """Return the group of viewers that a person belongs to; staff act in their highest role."""
    if actor.kind == "player":
        return ViewerGroup(viewer_of(actor), "player", actor.person)
    roles = acting_roles(actor)
    return ViewerGroup(viewer_of(actor), next((role for role in ROLES if role in roles), None))


def public_table(
    snapshot: LiveSnapshot, context: TableContext, known: tuple[LiveSnapshot, PublicTable] | None = None
) -> PublicTable:
    """Return what everybody sees of a table, sharing with a known public part what did not change."""
    table = snapshot.state
    before = None if known is None else (known[0].state.state, known[1].view)
    return PublicTable(
        table_view(shown_state(table.state), ONLOOKER, before),
        context.meter,
        waiting_view(context),
        table.commitment if table.card_source == "built-in" else "",
        sitting_out_positions(snapshot),
        seeds_view(table),
    )


def seeds_view(table: HouseTable) -> SeedsView | None:
    """Return the seeds of the next shuffle, where players have any."""
    if table.card_source != "built-in" or table.algorithm != ALGORITHM:
        return None
    return SeedsView(
        table.shuffle_number,
        table.seeds_called_at is not None,
        tuple(sorted(table.seed_hashes.items())),
        tuple(sorted(table.revealed_seeds)),
    )


class PlayerBasis(msgspec.Struct, frozen=True):
    """What the private values of one player depend on: they are the same while this is equal."""

    shared: tuple[object, ...]
    own: tuple[PositionState, ...]
    decides: bool
    shown: tuple[object, ...]
    seat: ViewerSeat


class PrivateBasis(msgspec.Struct, frozen=True):
    """What the private values of the players at a table depend on."""

    commands: CommandsBasis
    shown: tuple[object, ...]
    """What decides which of their own cards and hands players see, besides the cards themselves."""

    def of(
        self, table: HouseTable, player: str, account: int, context: TableContext, public: PublicTable
    ) -> PlayerBasis:
        """Return what the private values of one player depend on."""
        seat = viewer_seat(table, player, account, context, public.sitting_out)
        commands = self.commands
        own, decides = commands.own.get(player, ()), commands.decider == player
        return PlayerBasis(commands.shared, own, decides, self.shown, seat)


def private_basis(state: TableState, before: PrivateBasis | None = None) -> PrivateBasis:
    """Return what the private values depend on; equal parts of an earlier basis are quick to compare."""
    current_round, last = state.round, shown_state(state).last_round
    shown = last, *(() if current_round is None else (current_round.players_looked, current_round.steps))
    commands = commands_basis(state)
    if before is None:
        return PrivateBasis(commands, shown)
    if before.commands.shared == commands.shared:
        commands = msgspec.structs.replace(commands, shared=before.commands.shared)
    return PrivateBasis(commands, before.shown if before.shown == shown else shown)


def private_values(
    table: HouseTable,
    group: ViewerGroup,
    public: PublicTable,
    allowed: AllowedActions,
    beside: ViewerSeat | ConsoleMessage | None,
) -> dict[ViewPath, Any]:
    """Return what a group of viewers sees of a table beyond its public part, by path in the message.

    A player sees an own seat beside the table, and staff the console.
    """
    own = private_table_values(table.state, group.viewer, public.view)
    values: dict[ViewPath, Any] = {("view", *path): value for path, value in own.items()}
    return {**values, ("chances",): allowed, ("you" if group.player else "console",): beside}


def table_message(
    snapshot: LiveSnapshot, public: PublicTable, values: PrivateValues, since: int, version: int
) -> TableMessage:
    """Return a whole table: its public part, private values over it, and the narration since a line."""
    own = {path[1:]: value for path, value in values.items() if path[0] == "view"}
    return TableMessage(
        table=snapshot.state.name,
        sequence=snapshot.sequence,
        view=with_values(public.view, own),
        you=values.get(("you",)),
        allowed=values["chances",],
        meter=public.meter,
        told=narration_lines(snapshot, since),
        waiting=public.waiting,
        commitment=public.commitment,
        console=values.get(("console",)),
        sitting_out=public.sitting_out,
        seeds=public.seeds,
        version=version,
    )


def narration_lines(snapshot: LiveSnapshot, since: int) -> tuple[NarrationLine, ...]:
    """Return the narration of a table since a line number."""
    return tuple(map(narration_line, snapshot.lines_since(since)))


def sitting_out_positions(snapshot: LiveSnapshot) -> tuple[int, ...]:
    """Return the positions of people who sit out."""
    state = snapshot.state.state
    away = snapshot.timers.attendance.away(seated_people(state))
    return tuple(position for position, player in state.seats.items() if player in away)


def shown_state(state: TableState) -> TableState:
    """Drop the previous round once cards are dealt: it is half of a message and nobody needs it."""
    if state.round is None or state.round.phase == "betting":
        return state
    return msgspec.structs.replace(state, last_round=None)


def viewer_seat(
    table: HouseTable, player: str, account: int, context: TableContext, away: tuple[int, ...]
) -> ViewerSeat:
    """Return a player at a table, with chips and account."""
    positions = tuple(sorted(position for position, who in table.state.seats.items() if who == player))
    seed, hash_ = table.revealed_seeds.get(player, ""), table.seed_hashes.get(player, "")
    sits_out = not {*positions}.isdisjoint(away)
    leaving, ready = player in table.leaving, player in context.ready
    return ViewerSeat(player, positions, table.chips(player), account, ready, seed, leaving, sits_out, hash_)


def allowed_actions(table: HouseTable, group: ViewerGroup) -> AllowedActions:
    """Return what a group of viewers may do at a table now."""
    if group.player:
        return player_actions(table, group.player, player_offers(table.state, group.player))
    return AllowedActions(() if group.role is None else _staff_actions(dealable_state(table), group.role))


def player_offers(state: TableState, player: str) -> tuple[OfferedCommand, ...]:
    """Return the commands that a player may send: none while the dealer acts."""
    if state.round is not None and state.round.phase not in ("betting", "deciding"):
        return ()
    return tuple(map(_offer_as_sent, legal_commands_with_blanks(state, "player", player)))


def player_actions(table: HouseTable, player: str, may: tuple[OfferedCommand, ...]) -> AllowedActions:
    """Return what a player may do: the offered commands, and the choices of an own deciding position."""
    current_round = table.state.round
    if current_round is None or current_round.phase != "deciding" or not current_round.players_looked:
        return AllowedActions(may)
    deciding = positions_to_decide(current_round)[:1]
    own = [position for position in deciding if current_round.positions[position].player == player]
    plays = {position: allowed_plays(current_round, position, table.chips(player)) for position in own}
    folds = {position: fold_result(current_round, position) for position in own}
    return AllowedActions(
        may, {position: found for position, found in plays.items() if found is not None}, folds
    )


def fold_result(current_round: RoundState, position: int) -> FoldResult:
    """Return what a position loses by folding, as the game settles its wagers."""
    wagers = current_round.positions[position].wagers
    lost = current_round.rules.settler.lost_by_fold(wagers)
    return FoldResult(lost, tuple(name for name in wagers if name not in lost))


def allowed_plays(current_round: RoundState, position: int, chips: int) -> AllowedPlays | None:
    """Return the Play wagers within chips and rules, or None if there are none."""
    ante = current_round.positions[position].wagers.get("ante", 0)
    allowed = plays_allowed(current_round.rules.game, ante, chips)
    return AllowedPlays(allowed[0], allowed[-1], allowed.step) if allowed else None


def _staff_actions(state: TableState, role: ActorRole) -> tuple[OfferedCommand, ...]:
    """Return what staff may do at a table in a role.

    During a round this includes calling the last hand, although no step requires it.
    """
    last = LastHand(role=role)
    closes = state.round is not None and not isinstance(decide(state, last), Refusal)
    return (
        *map(_offer_as_sent, legal_commands_with_blanks(state, role)),
        *((_as_sent(last),) if closes else ()),
    )


def _as_sent(command: Command, blanks: Iterable[str] = (), **others: str) -> OfferedCommand:
    """Return a command as a client sends it: without what the house sets, and null in blanks to fill in."""
    fields: dict[str, Any] = {**dict.fromkeys(blanks), **msgspec.to_builtins(command), **others}
    sent = {name: value for name, value in fields.items() if name not in ("by", "at", "key")}
    return cast("OfferedCommand", sent)


def _offer_as_sent(offer: LegalCommand) -> OfferedCommand:
    return _as_sent(offer.command, offer.blanks)


def waiting_view(context: TableContext) -> WaitingView | None:
    """Return what a table waits for, if it waits."""
    action = context.next
    if isinstance(action, Request):
        return None
    left = None if action.until is None else max(0, action.until - context.now)
    return WaitingView(action.for_, action.position, left, action.role, action.task)


def console_message(table: HouseTable, context: TableContext) -> ConsoleMessage | None:
    """Return the console of a table's progressive as staff see it, or None if it has none."""
    state = table.state
    if table.console is None or context.meter is None:
        return None
    console = console_view(table.console, state, context.meter, context.closed)
    step = None
    if console.next is not None:
        motion = next_motion(table.console, state) or next_command(state) or console.next.command
        role = motion.role
        command = _as_sent(console.next.command, console.next.asks, role=role)
        step = ConsoleStepView(console.next.what, console.next.who, role, console.next.clauses, command)
    return ConsoleMessage(
        console=console.console,
        sensors=console.sensors,
        key=console.key,
        spot=console.spot,
        mark=console.mark,
        prize=console.prize,
        meter=console.meter,
        link=console.link_problem,
        hands=console.hands,
        next=step,
    )

"""House autopilot: the next request at a table of the house, or what the table waits for.

It adds to the game's own next command what a house must do: trays, buy-ins, seats, staff and time limits.
`next_action` deals to people and bots: they bet and decide without a limit or within one (P34), and a
progressive win and its documents wait for staff. `TableBots` plays a whole table without people.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from fourcard.house.auth.identity import BOT_PREFIX, HOUSE_DEALER, Actor, AnyCommand, is_bot
from fourcard.house.clock_entropy import Clock
from fourcard.house.commands import ActingRole, BuyIn, CountTray, Deposit, FillTray, RegisterPlayer
from fourcard.house.decide_shuffle import seeds_awaited_until
from fourcard.house.decision import table_stream
from fourcard.house.journal import JournalRecord
from fourcard.house.route_command import Request
from fourcard.house.table_state import HouseTable
from fourcard.house.timers import (
    MIN_BETTING_TIME,
    ROUNDS_TO_FREE_SEAT,
    Timers,
    seat_deadlines,
    seated_people,
    timers_after,
)
from fourcard.progressive.autopilot import MotionCommand, next_motion
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import (
    CallOff,
    CompleteDocument,
    ConfirmAward,
    Deal,
    Fold,
    LeaveSeat,
    Perform,
    Play,
    ReportIrregularity,
    TakeSeat,
)
from fourcard.round.preconditions import next_step, positions_to_decide
from fourcard.round.prompts import PROMPTS
from fourcard.round.state import RoundState
from fourcard.rules.limits import least_wager
from fourcard.table.autopilot import aged, next_command
from fourcard.table.bots import PLAIN_BOTS, BotPolicy, decision, next_wagers, within_limits
from fourcard.table.commands import BeginRound, Prepare
from fourcard.table.decide import decide
from fourcard.table.state import TableState

HOUSE_DEALER_ACTOR = Actor(HOUSE_DEALER, "staff", ("dealer", "floorperson", "supervisor"))
"""The house dealer; it also acts as floor at every table."""
BOT_STAFF = Actor("crew", "staff", ("dealer", "floorperson", "supervisor", "executive", "administrator"))
"""The staff of a table without people, in every role that it needs."""
BOT_FLOORPERSON = Actor("floor", "staff", ("floorperson", "supervisor", "executive"))
"""A second person there, who confirms the wins that the crew marked."""
LEAST_TRAY, FILL_CENTS = 25_000_00, 100_000_00
"""Tray level in cents below which it is filled, and the amount of a fill."""
BOT_NAMES = ("bea", "cal", "dot", "eli", "fay", "gus", "hal")
BUY_IN_ANTES = 100
"""Buy-in of a bot, in minimum Antes."""
BOT_CENTS = 1_000_000_00
"""Deposit of a bot that has run out of money, in cents."""
MOTIONS: tuple[type, ...] = get_args(MotionCommand)
WaitKind = Literal["wagers", "ready", "decision", "seeds", "jackpot", "document", "players", "staff"]
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


class TimeLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How long people may take, in milliseconds; None means no limit (P34)."""

    wagering: int | None = None
    """Time to bet after the first wager of a round; None waits until everyone is ready."""
    deciding: int | None = None
    """Time for a decision."""
    patient: bool = False
    """Whether time limits apply only while several people sit at a table."""
    seat: int | None = None
    """Time until an idle seat is freed."""


class DealerPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """What a house does by itself at its tables."""

    deals: bool = True
    """Whether the house deals automatically at tables with built-in cards."""
    bots: int = 2
    """How many bots join people at a table."""
    opens: bool = True
    """Whether the house opens tables and fills trays automatically."""
    pace: TimeLimits = TimeLimits()


BY_PEOPLE = DealerPolicy(deals=False, bots=0, opens=False)


class ReadyPlayers(msgspec.Struct, frozen=True):
    """The players who are done betting in one round of a table."""

    round_number: int = 0
    players: frozenset[str] = frozenset()

    def of(self, table: HouseTable) -> frozenset[str]:
        """Return the players who are done betting in the current round of the table."""
        return self.players if table.state.round_number == self.round_number else frozenset()

    def adding(self, number: int, player: str) -> "ReadyPlayers":
        """Return these players and one more; those of an earlier round are forgotten."""
        if number < self.round_number:
            return self
        known = self.players if number == self.round_number else frozenset()
        return ReadyPlayers(number, known | {player})


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


def aged_table(table: HouseTable, now: int) -> HouseTable:
    """Return a table at a time; only between rounds does it matter how old its decks are."""
    return table if table.state.round is not None else replace(table, state=aged(table.state, now))


def next_staff_command(table: HouseTable) -> AnyCommand | None:
    """Return the next command of the staff, whoever gives it; None while players must decide.

    The console comes first, and the tray is counted before the table opens.
    """
    motion = next_motion(table.console, table.state)
    if motion is None and table.state.phase == "closed" and not table.tray_counted:
        return CountTray(occasion="opening", cents=table.cents(table.accounts.tray), role="floorperson")
    return motion or next_command(table.state)


def fill_command(table: HouseTable) -> FillTray | None:
    """Return what fills a tray that has become low."""
    if table.cents(table.accounts.tray) >= LEAST_TRAY:
        return None
    return FillTray(cents=FILL_CENTS, slip=f"auto-{table.state.round_number}", role="supervisor")


def bot_name(table: str, number: int) -> str:
    """Return the name of a table's bot by number; each table has its own bots with own accounts."""
    return f"{BOT_PREFIX}{BOT_NAMES[number % len(BOT_NAMES)]}-{table}"[:40]


def bot_buy_in(state: TableState) -> int:
    """Return the buy-in of a bot, in cents."""
    return BUY_IN_ANTES * least_wager(state.game, "ante")


def seat_command(table: HouseTable, player: str, position: int) -> BuyIn | TakeSeat | None:
    """Return what a bot needs before it can play at a position: chips, then the seat."""
    buy_in = bot_buy_in(table.state)
    if table.chips(player) < buy_in // 4:
        return BuyIn(player=player, cents=buy_in, by=player, role="player")
    if position in table.state.seats or player in table.state.seats.values():
        return None
    return TakeSeat(position=position, player=player, by=player, role="player")


def bot_join_command(table: HouseTable, most_bots: int) -> BuyIn | TakeSeat | LeaveSeat | None:
    """Return the next command of a bot between rounds: join people, buy in, or leave when too many sit."""
    state = table.state
    seated = {player: position for position, player in state.seats.items() if is_bot(player)}
    positions = range(1, state.game.submission.positions.at_table + 1)
    free = [position for position in positions if position not in state.seats]
    wanted = min(most_bots, len(BOT_NAMES)) if seated_people(state) else 0
    bots = [bot_name(table.name, number) for number in range(wanted)]
    leaving = [bot for bot in seated if bot not in bots] or ([] if free else [*seated])
    if leaving:
        return LeaveSeat(position=seated[leaving[-1]], by=leaving[-1], role="player")
    joining = (bot for bot in bots if bot in seated or len(free) > 1)
    commands = (seat_command(table, bot, free[len(free) // 2]) for bot in joining)
    return next((command for command in commands if command is not None), None)


def funding_commands(buy_in: BuyIn, refusal: Refusal) -> tuple[RegisterPlayer | Deposit, ...]:
    """Return what lets a bot buy in that was refused: an account, money, or nothing if neither is missing."""
    deposit = Deposit(cents=max(BOT_CENTS, buy_in.cents), role="supervisor")
    if refusal.code is Code.PLAYER_UNKNOWN:
        return RegisterPlayer(name=buy_in.player, role="supervisor"), deposit
    return (deposit,) if refusal.code is Code.MONEY_SHORT else ()


class TableBots:
    """One table where bots sit at some positions and everything happens by itself, one request at a time."""

    def __init__(
        self,
        table: str,
        players: Mapping[int, str],
        policy: BotPolicy,
        keys: str = "",
        *,
        in_runs: bool = False,
    ) -> None:
        """Take the players by position; with a key word, every request gets its own key.

        With ``in_runs`` the staff does everything between two acts of players in one record, as in a house.
        """
        self.table, self.players, self.policy, self.keys = table, players, policy, keys
        self.stream, self.in_runs = table_stream(table), in_runs
        self.commands = 0

    def next(self, table: HouseTable, now: int = 0, closed_reason: str = "") -> Request:
        """Return the next request at a time; no progressive wager is placed while its link is down."""
        request = self.choose(table, now, closed_reason)
        self.commands += 1
        if self.keys:
            key = f"{self.commands:08d}-{self.table}-{self.keys}"
            request = replace(request, command=replace(request.command, key=key))
        if self.in_runs and request.actor.kind == "staff":
            request = replace(request, then=lambda: StaffRun(self, closed_reason))
        return request

    def choose(self, table: HouseTable, now: int, closed_reason: str) -> Request:
        """Return the next request without a key."""
        command = self._next(aged_table(table, now), closed_reason)
        return Request(self.stream, command, author_of(command))

    def _next(self, table: HouseTable, closed_reason: str) -> Any:
        current_round = table.state.round
        if current_round is None:
            return fill_command(table) or self._seat(table) or next_staff_command(table)
        wager = None
        if current_round.phase == "betting":
            policy = self._policy(table, closed_reason)
            wager = next_wagers(table.state, self.players.values(), policy, table.chips)
        return (
            wager
            or next_staff_command(table)
            or decision(current_round, within_limits(self.policy.strategy, table.chips))
        )

    def _seat(self, table: HouseTable) -> BuyIn | TakeSeat | None:
        if table.state.phase == "closed":
            return None
        commands = (seat_command(table, player, position) for position, player in self.players.items())
        return next((command for command in commands if command is not None), None)

    def _policy(self, table: HouseTable, closed_reason: str) -> BotPolicy:
        if table.console is not None and not table.console.link_problem(closed_reason):
            return self.policy
        wants = self.policy.wants
        return replace(
            self.policy, wants=lambda wager, number: wager.wager != "progressive" and wants(wager, number)
        )


class StaffRun:
    """Autopilot of a table of bots: the staff goes on until a player must act."""

    def __init__(self, bots: TableBots, closed_reason: str) -> None:
        """Take the bots of a table, and why its link is closed, if it is."""
        self._bots, self._closed_reason = bots, closed_reason

    def next(self, table: HouseTable, now: int) -> Request | None:
        """Return the next request of the staff."""
        request = self._bots.choose(table, now, self._closed_reason)
        return request if request.actor.kind == "staff" else None

    def note(self, record: JournalRecord, event: Any, table: HouseTable) -> None:
        """Need nothing of the events."""


class DealerRun:
    """Autopilot of a table with people: the house dealer and the bots go on until a person must act."""

    def __init__(self, policy: DealerPolicy, ready: ReadyPlayers, timers: Timers, clock: Clock) -> None:
        """Take what the house does by itself, who is done betting, and the timers before the run."""
        self._policy, self._ready, self._timers, self._clock = policy, ready, timers, clock

    def next(self, table: HouseTable, now: int) -> Request | None:
        """Return the next request of the dealer or of a bot."""
        action = next_action(table, self._ready.of(table), self._timers, now, self._policy)
        return action if isinstance(action, Request) else None

    def note(self, record: JournalRecord, event: Any, table: HouseTable) -> None:
        """Note who acts and whose turn it is."""
        self._timers = timers_after(self._timers, record, event, table.state, self._clock.now())


def author_of(command: Any) -> Actor:
    """Return who gives a command where there are no people: its player, the crew, or who confirms."""
    if command.role == "player":
        return Actor(command.by, "player")
    confirms = command.role != "dealer" and isinstance(
        command, (*MOTIONS, CompleteDocument, ConfirmAward, ReportIrregularity)
    )
    return BOT_FLOORPERSON if confirms else BOT_STAFF


def next_action(
    table: HouseTable, ready: AbstractSet[str], timers: Timers, now: int, policy: DealerPolicy
) -> Request | WaitReason:
    """Return the next request at a table with people, or what it waits for."""
    table = aged_table(table, now)
    manual = table.card_source != "built-in" or not policy.deals
    context = _Context(table, table.state, ready, timers, now, BY_PEOPLE if manual else policy)
    current_round = table.state.round
    action = _between_rounds(context) if current_round is None else _in_round(context, current_round)
    if isinstance(action, WaitReason):
        return action
    if manual:
        return _wait_for_people(table.state, action)
    actor = Actor(action.by, "player") if action.role == "player" else HOUSE_DEALER_ACTOR
    return Request(table_stream(table.name), action, actor)  # type: ignore[arg-type]


def _wait_for_people(state: TableState, command: AnyCommand) -> WaitReason:
    """Return who must act where the house does not deal automatically."""
    if isinstance(command, Fold | Play):
        return WaitReason("decision", command.position)
    if state.round is not None and _pending_award(state.round):
        return _wait_for_jackpot(_pending_award(state.round), command.role)
    return _wait_for_staff(state, command)


def _wait_for_staff(state: TableState, command: AnyCommand) -> WaitReason:
    """Return that staff must give a command."""
    unready = isinstance(command, BeginRound) and isinstance(decide(state, command), Refusal)
    name = command.step if isinstance(command, Prepare | Perform) else str(command.__struct_config__.tag)
    if isinstance(command, Perform) and state.round is not None:
        expected = next_step(state.round)
        name = (expected and expected.kept) or name
    task = MAKE_READY if unready else STAFF_TASKS.get(name) or PROMPTS.get(name, "")
    return WaitReason("staff", role=command.role, task=task)


class _Context(msgspec.Struct, frozen=True):
    """A table with its ready players, timers, the current time and the policy."""

    table: HouseTable
    state: TableState
    ready: AbstractSet[str]
    timers: Timers
    now: int
    policy: DealerPolicy

    def until(self, since: int | None, limit: int | None, *, hurry: bool) -> int | None:
        """Return when a time limit ends; none applies if nobody else waits, unless hurried (P34)."""
        if since is None or limit is None:
            return None
        if not self.policy.pace.patient or len(self.present) > 1:
            return since + limit
        return max(since, self.timers.hurried_at) + limit if hurry or self.state.last_hand else None

    @property
    def here(self) -> frozenset[str]:
        """Return the seated people."""
        return seated_people(self.state)

    @property
    def present(self) -> frozenset[str]:
        """Return the people the table waits for: those who do not sit out (P34)."""
        return self.here - self.timers.attendance.away(self.here)

    @property
    def seat_deadlines(self) -> dict[int, int]:
        """Return when each idle seat is freed (P34)."""
        return seat_deadlines(self.state, self.timers, self.policy.pace.seat)


def _free_seat(position: int | None) -> LeaveSeat | None:
    return None if position is None else LeaveSeat(position=position, role="dealer")


def _free_absent_seat(context: _Context) -> LeaveSeat | None:
    """Free the seat of somebody who missed too many rounds (P34)."""
    away = context.timers.attendance.away(context.here, ROUNDS_TO_FREE_SEAT)
    return _free_seat(next((each for each, player in context.state.seats.items() if player in away), None))


def _free_idle_seat(context: _Context) -> LeaveSeat | None:
    """Free the seat of somebody who has been idle for too long (P34)."""
    over = (position for position, until in context.seat_deadlines.items() if context.now >= until)
    return _free_seat(next(over, None))


def _between_rounds(context: _Context) -> AnyCommand | WaitReason:
    """Return what to do between rounds."""
    table, state, policy = context.table, context.state, context.policy
    motion = next_motion(table.console, state)
    if motion is not None:
        return motion if motion.role == "dealer" else _wait_for_jackpot(0, motion.role)
    freed = _free_absent_seat(context) if policy.deals else None
    if freed is not None:
        return freed
    fill = fill_command(table) if policy.opens else None
    command = next_staff_command(table)
    assert command is not None
    if fill is not None or state.phase == "closed":
        # A table that was closed by a last hand is always opened by the floor (P36).
        by_floor = not policy.opens or (state.phase == "closed" and state.last_hand)
        return _wait_for_staff(state, command) if by_floor else fill or command
    joining = bot_join_command(table, policy.bots) if policy.deals else None
    if joining is not None:
        return joining
    idle = state.phase == "idle" and isinstance(command, BeginRound)
    if idle or (not context.here and (policy.deals or _needs_players(state, command))):
        return WaitReason("players")
    return command


def _needs_players(state: TableState, command: AnyCommand) -> bool:
    """Return whether the next staff command makes sense only once somebody is seated."""
    if not isinstance(command, Prepare):
        return isinstance(command, BeginRound)
    refused = decide(state, command)
    return isinstance(refused, Refusal) and refused.code is Code.FIRST_PLAYER_MISSING


def _in_round(context: _Context, current_round: RoundState) -> AnyCommand | WaitReason:
    betting = current_round.phase == "betting" and current_round.betting_stage == "betting"
    if betting and current_round.steps_performed == 0:
        waiting = (
            _free_idle_seat(context)
            or _wait_in_last_hand(context, current_round)
            or _during_betting(context, current_round)
        )
        if waiting is not None:
            return waiting
    command = next_staff_command(context.table)
    if command is None:
        return _during_decisions(context, current_round)
    until = seeds_awaited_until(context.table) if isinstance(command, Deal) else None
    if until is not None and context.now < until:
        return WaitReason("seeds", until=until)
    return _wait_for_confirmation(command, current_round) or command


def _wait_for_confirmation(command: AnyCommand, current_round: RoundState) -> WaitReason | None:
    """Return what a round waits for where somebody other than the dealer gives the next command."""
    if isinstance(command, CompleteDocument):
        task = f"Complete the document of position {command.position}."
        return WaitReason("document", command.position, role=command.role, task=task)
    if isinstance(command, ConfirmAward):
        task = f"Confirm the award of position {command.position}."
        return WaitReason("jackpot", command.position, role=command.role, task=task)
    if isinstance(command, MOTIONS) and command.role != "dealer":
        return _wait_for_jackpot(_pending_award(current_round), command.role)
    return None


def _pending_award(current_round: RoundState) -> int:
    """Return the position whose award is pending, or 0."""
    return 0 if current_round.awaited_step is None else current_round.awaited_step.position


def _wait_for_jackpot(position: int, role: ActingRole) -> WaitReason:
    return WaitReason(
        "jackpot", position, role=role, task="Complete the next step for the win on the console."
    )


def _during_betting(context: _Context, current_round: RoundState) -> AnyCommand | WaitReason | None:
    """Let bots and people bet; return None when betting can close."""
    table, here, pace = context.table, context.here, context.policy.pace
    if not here:
        return _call_off(current_round)
    if context.policy.deals:
        bots = [player for player in context.state.seats.values() if is_bot(player)]
        wager = next_wagers(context.state, bots, PLAIN_BOTS, table.chips)
        if wager is not None:
            return wager
    wagering = {place.player for place in current_round.positions.values() if place.wagers} - {""}
    seat_until = min(context.seat_deadlines.values(), default=None)
    if not current_round.dealt_in:
        return WaitReason("wagers", seat_until=seat_until)
    present = context.present - table.leaving
    if present <= context.ready and (present or here & wagering):
        return None
    until = context.until(context.timers.first_wager_at, pace.wagering, hurry=False)
    if until is not None and context.now >= until:
        return None
    return WaitReason("ready" if here & wagering else "wagers", until=until, seat_until=seat_until)


def _wait_in_last_hand(context: _Context, current_round: RoundState) -> AnyCommand | WaitReason | None:
    """Wait a while for a person to bet in the last hand, then call the round off (P36)."""
    playing = {current_round.positions[position].player for position in current_round.dealt_in}
    called = context.state.last_hand and context.policy.deals
    if not called or not context.here or context.here & playing:
        return None
    until = max(context.timers.hurried_at, context.timers.betting_began_at) + MIN_BETTING_TIME
    return WaitReason("wagers", until=until) if context.now < until else _call_off(current_round)


def _call_off(current_round: RoundState) -> CallOff:
    """Call off a round that nobody plays; as floorperson if there are wagers (P24)."""
    wagered = any(place.wagers or place.unregistered for place in current_round.positions.values())
    return CallOff(role="floorperson" if wagered else "dealer")


def _during_decisions(context: _Context, current_round: RoundState) -> AnyCommand | WaitReason:
    """Let a bot decide, or wait for a person; a decision that takes too long is a fold (P34)."""
    position = positions_to_decide(current_round)[0]
    player = current_round.positions[position].player
    if is_bot(player):
        return decision(current_round, within_limits(PLAIN_BOTS.strategy, context.table.chips))
    leaves = player in context.table.leaving
    until = context.until(context.timers.turn_began_at, context.policy.pace.deciding, hurry=leaves)
    if until is not None and context.now >= until:
        return Fold(position=position, role="dealer")
    return WaitReason("decision", position, until)

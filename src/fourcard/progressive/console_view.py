"""Console view: sensor lights, key or spot, mark, monitor, meter and link, and the next step."""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from fourcard.money import dollars
from fourcard.progressive.autopilot import MotionCommand, next_motion
from fourcard.progressive.console import (
    ConsoleState,
    KeyPosition,
    Light,
    MarkedHand,
    Press,
    TurnKey,
    button_label,
    console_rules,
    displayed_prize,
    sensor_lights,
)
from fourcard.progressive.decide import BUTTON_MOTIONS, COMMAND_MOTIONS, END_BUTTONS
from fourcard.progressive.win_confirmation import DEALER_MOTIONS, MOTION_PHRASES
from fourcard.round.commands import ActorRole, Command, CompleteDocument, Perform
from fourcard.rules.cited import clauses_of
from fourcard.rules.rulebook import ConsoleKind, ConsoleMotion
from fourcard.table.autopilot import next_in_round
from fourcard.table.legal_commands import without_counts
from fourcard.table.state import TableState

UNSET_ROLE: ActorRole = "dealer"
"""The role of a command that nobody has given yet."""


class SensorView(msgspec.Struct, frozen=True):
    """One position's sensor and its light."""

    position: int
    player: str
    light: Light


class NextConsoleStep(msgspec.Struct, frozen=True):
    """The next step at a console, who does it, and the clauses that order it."""

    what: str
    who: str
    clauses: tuple[str, ...]
    command: Command
    """The command of the step, without its actor."""
    asks: tuple[str, ...] = ()
    """The fields of the command that the person must fill in."""


class ConsoleView(msgspec.Struct, frozen=True, kw_only=True):
    """What people see at a console."""

    console: ConsoleKind
    round: int
    """The number of the current round, or of the last one."""
    phase: str
    sensors: tuple[SensorView, ...]
    key: KeyPosition | None
    """The position of the key; None on a console without a key."""
    spot: int | None
    """The selected spot; None if none is selected or the console has no spots."""
    mark: MarkedHand | None
    prize: int | None
    """The prize on the monitor, in cents."""
    meter: int
    """The meter's display, in cents."""
    link_problem: str = msgspec.field(name="link")
    """Why the link to the meter is down; empty while it is up."""
    hands: tuple[str, ...]
    """The hand buttons."""
    next: NextConsoleStep | None
    """The next step at the console, or None while none is due there."""

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the view as labelled lines of text."""
        lit = (f"{each.position} {each.light}" for each in self.sensors)
        yield "sensors", " · ".join(lit)
        if self.key is not None:
            yield "key", "at JPH" if self.key == "jph" else "at Run"
        else:
            yield "spot", "none selected" if self.spot is None else f"{self.spot} selected"
        yield "marked", self.marked
        yield "monitor", "nothing due" if self.prize is None else f"{dollars(self.prize)} due"
        yield "meter", dollars(self.meter)
        yield "link", f"down: {self.link_problem}" if self.link_problem else "up"
        yield "next", format_next_step(self.next)

    @property
    def marked(self) -> str:
        """Return the marked hand as text."""
        if self.mark is None:
            return "nothing"
        by = f", by {self.mark.by}" if self.mark.by else ""
        return f"{self.mark.row.replace('_', ' ')} at position {self.mark.position}{by}"


def format_next_step(due: NextConsoleStep | None) -> str:
    """Return the next step as text, with its clauses."""
    if due is None:
        return "nothing on the console"
    cited = f"  [{' '.join(due.clauses)}]" if due.clauses else ""
    return f"{due.who}: {due.what}{cited}"


def console_view(
    console: ConsoleState, table: TableState, meter: int, closed_reason: str = ""
) -> ConsoleView:
    """Return the view of a console, with the meter's display in cents and why its link is closed."""
    rules, current_round = console_rules(console, table.game), table.round
    keyed = "turn_to_jph" in rules.cycle
    return ConsoleView(
        console=console.kind,
        round=table.round_number,
        phase=current_round.phase if current_round is not None else table.phase,
        sensors=tuple(
            SensorView(position, table.seats.get(position, ""), light)
            for position, light in sensor_lights(console, table).items()
        ),
        key=console.key if keyed else None,
        spot=console.selected_spot or None,
        mark=console.mark,
        prize=displayed_prize(console, table.game),
        meter=meter,
        link_problem=console.link_problem(closed_reason),
        hands=tuple(map(str, table.game.tables["progressive"].pays)),
        next=next_console_step(console, table),
    )


def next_console_step(console: ConsoleState, table: TableState) -> NextConsoleStep | None:
    """Return the next step at a console, or None while none is due there."""
    motion = next_motion(console, table)
    if motion is not None:
        return _next_of_motion(console, table, replace(motion, role=UNSET_ROLE))
    act = None if table.round is None else next_in_round(table, table.round)
    rules = console_rules(console, table.game)
    if isinstance(act, CompleteDocument):
        progressive = table.game.rulebook.wagers.progressive
        assert progressive is not None
        stays = clauses_of(progressive.cards_stay_until_documented, table.rules.duty("validates_jackpot"))
        what = f"complete the document of position {act.position}"
        return NextConsoleStep(what, f"a {_validators(table)}", stays, replace(act, role=UNSET_ROLE))
    if not isinstance(act, Perform) or table.round is None or table.round.phase != "betting":
        return None
    if act.step == _start_step(table):
        button = rules.starts.value
        return NextConsoleStep(
            f"press {button_label(button)}", "the dealer", clauses_of(rules.starts), Press(button=button)
        )
    if act.step == "count_chips":
        clauses = dict(table.rules.before_cards)["count_chips"]
        offer = without_counts(replace(act, role=UNSET_ROLE))
        return NextConsoleStep(
            "count the progressive chips", f"the {act.role}", clauses, offer.command, offer.blanks
        )
    return None


def _start_step(table: TableState) -> str:
    """Return the step of the round that the start button performs."""
    return "lock_out" if table.rules.locks_by_step else "announce_no_more_bets"


def _next_of_motion(console: ConsoleState, table: TableState, motion: MotionCommand) -> NextConsoleStep:
    rules = console_rules(console, table.game)
    if isinstance(motion, Press) and motion.button in END_BUTTONS:
        return NextConsoleStep(
            f"press {button_label(motion.button)}", "the dealer", clauses_of(rules.ends), motion
        )
    named = motion_of(motion)
    waits = table.round is not None and table.round.awaited_win is not None
    clauses = rules.cycle[named].clauses if waits else clauses_of(rules.run_restores)
    at = (
        f" for position {table.round.awaited_win.position}" if table.round and table.round.awaited_win else ""
    )
    who = "the dealer" if named in DEALER_MOTIONS else _confirmers(console, table, named)
    return NextConsoleStep(
        f"{MOTION_PHRASES[named]}{at if named in DEALER_MOTIONS else ''}", who, clauses, motion
    )


def motion_of(command: MotionCommand) -> ConsoleMotion:
    """Return the motion of a command in a win confirmation."""
    if isinstance(command, TurnKey):
        return "turn_to_jph" if command.to == "jph" else "turn_to_run"
    return BUTTON_MOTIONS[command.button] if isinstance(command, Press) else COMMAND_MOTIONS[type(command)]


def _validators(table: TableState) -> str:
    """Return the roles that validate wins by the rulebook."""
    duty = table.rules.duty("validates_jackpot")
    return " or ".join(role.replace("-", " ") for role in duty.value) if duty is not None else "supervisor"


def _confirmers(console: ConsoleState, table: TableState, motion: ConsoleMotion) -> str:
    """Return who confirms a win; the motion that logs it may need an executive (WA-NEX-8f.2)."""
    progressive, choice = table.game.rulebook.wagers.progressive, table.game.submission.progressive
    rule = None if progressive is None else progressive.executive_threshold
    level = None if choice is None else choice.executive_threshold
    logs = motion == console_rules(console, table.game).logs_at.value
    if not logs or rule is None or level is None or rule.value != console.kind:
        return f"a {_validators(table)}"
    return f"a {_validators(table)}, or an executive from {dollars(level)} on"

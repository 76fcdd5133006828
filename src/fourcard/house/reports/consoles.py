"""Console reports: the status of every console, and open jackpots."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from fourcard.answers import InCents, InWords
from fourcard.cards import cards_text
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import meter_stream, table_stream
from fourcard.house.meter_state import MeterState
from fourcard.house.reports.event_scan import table_names
from fourcard.house.state_cache import StateCache
from fourcard.house.store.interface import ReadTransaction
from fourcard.house.table_state import HouseTable
from fourcard.progressive.console import (
    ConsoleState,
    Light,
    console_rules,
    displayed_prize,
    is_game_under_way,
    motion_order,
    sensor_lights,
)
from fourcard.progressive.win_confirmation import MOTION_PHRASES
from fourcard.refusals import RefusedError
from fourcard.round.decide_settlement import price_award
from fourcard.round.state import RoundState
from fourcard.rules.rulebook import ConsoleKind
from fourcard.settlers.wager_settler import SettlementStep
from fourcard.table.state import TableState

GameState = Literal["ready", "wagers open", "in game", "to be ended"]
"""Between games, while wagers are placed, while they are locked in, and after a round until its reset."""


class ProgressiveTable(msgspec.Struct, frozen=True):
    """A table with a progressive, and the linked meter."""

    table: HouseTable
    meter: MeterState

    @property
    def state(self) -> TableState:
        """Return the state of the table."""
        return self.table.state

    @property
    def console(self) -> ConsoleState:
        """Return the console of the table."""
        assert self.table.console is not None
        return self.table.console


class ConsoleStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The status of one console."""

    table: str
    meter: str
    console: ConsoleKind
    round: int
    game: GameState
    ends: str
    """The button that ends a game."""
    lights: dict[str, Light]
    """By position."""
    key: str
    """The position of the supervisor's key; empty on a console without one."""
    marked: str
    """The marked hand; empty where there is none."""
    marked_position: int
    marked_by: str
    logged_position: int
    logged_cents: int | None
    """The prize of a logged win that is not paid yet."""
    monitor_cents: int | None
    """What the Game Manager's monitor shows as due."""
    linked: bool
    closed: str
    """Why the link of the meter is closed; empty while it is open."""


def progressive_tables(reading: ReadTransaction, only: str | None = None) -> Iterator[ProgressiveTable]:
    """Yield every table with a progressive, or one of them, with its meter, by name."""
    cache = StateCache(SystemEntropy())
    cache.use_reader(reading)
    heads = reading.streams()
    for name in table_names(reading, only):
        cache.catch_up(table_stream(name), heads[table_stream(name)])
        table = cache.table(name)
        if table.console is not None:
            linked = meter_stream(table.meter)
            cache.catch_up(linked, heads[linked])
            yield ProgressiveTable(table, cache.meter(table.meter))


def console_statuses(reading: ReadTransaction, only: str | None = None) -> tuple[ConsoleStatus, ...]:
    """Return every console of a house, or that of one table."""
    return tuple(map(_console_status, progressive_tables(reading, only)))


def _console_status(at: ProgressiveTable) -> ConsoleStatus:
    console, state = at.console, at.state
    rules, mark, logged = console_rules(console, state.game), console.mark, console.unpaid_win
    return ConsoleStatus(
        table=at.table.name,
        meter=at.meter.name,
        console=console.kind,
        round=state.round_number,
        game=_game_state(console, state),
        ends=rules.ends.value.replace("_", " ").upper(),
        lights={str(position): light for position, light in sensor_lights(console, state).items()},
        key=console.key if "turn_to_jph" in rules.cycle else "",
        marked="" if mark is None else mark.row,
        marked_position=0 if mark is None else mark.position,
        marked_by="" if mark is None else mark.by,
        logged_position=0 if logged is None else logged.position,
        logged_cents=None if logged is None else logged.payment.amount,
        monitor_cents=displayed_prize(console, state.game),
        linked=console.linked,
        closed=at.meter.closed_reason,
    )


def _game_state(console: ConsoleState, state: TableState) -> GameState:
    if state.round is None:
        return "to be ended" if is_game_under_way(console, state) else "ready"
    return "in game" if is_game_under_way(console, state) else "wagers open"


Stage = Literal["awarded", "marked", "logged", "to be documented"]


class OpenJackpot(msgspec.Struct, frozen=True, kw_only=True):
    """One jackpot that needs another step."""

    table: str
    meter: str
    round: int
    position: int
    player: str
    cards: str
    row: InWords
    odds: str
    amount_cents: InCents | None
    """What it pays; before it is logged, at the current meter; None where the reset amount is unknown."""
    stage: Stage
    next: str
    """The next step."""
    win: int
    """The number of the logged win; 0 before, and where the meter no longer lists it among the last."""


def open_jackpots(reading: ReadTransaction) -> tuple[OpenJackpot, ...]:
    """Return every open jackpot, by table, in the order of winning."""
    return tuple(each for at in progressive_tables(reading) for each in _jackpots_at(at))


def _jackpots_at(at: ProgressiveTable) -> Iterator[OpenJackpot]:
    round_state = at.state.round
    if round_state is None:
        return
    for position in round_state.undocumented_positions:
        yield _undocumented(at, round_state, position)
    if round_state.awaited_win is not None:
        yield _awaited(at, round_state, round_state.awaited_win)


def _undocumented(at: ProgressiveTable, round_state: RoundState, position: int) -> OpenJackpot:
    """Return a paid jackpot whose cards stay until its document is complete."""
    steps = [step for step in round_state.steps if step.action == "pay" and step.wager == "progressive"]
    paid = [step for step in steps if step.position == position]
    cents = sum(step.amount for step in paid)
    return _jackpot(at, paid[0], cents, "to be documented", "complete the document")


def _awaited(at: ProgressiveTable, round_state: RoundState, step: SettlementStep) -> OpenJackpot:
    """Return the waiting jackpot, with the next step on the console."""
    console = at.console
    order = motion_order(console_rules(console, at.state.game))
    next_step = MOTION_PHRASES[next(motion for motion in order if motion not in console.steps_done)]
    if console.unpaid_win is not None:
        return _jackpot(at, step, console.unpaid_win.payment.amount, "logged", next_step)
    stage: Stage = "awarded" if console.mark is None else "marked"
    try:
        cents = price_award(at.meter.amounts, round_state).payment.amount
    except RefusedError:
        cents = None
    return _jackpot(at, step, cents, stage, next_step)


def _jackpot(
    at: ProgressiveTable, step: SettlementStep, cents: int | None, stage: Stage, next_step: str
) -> OpenJackpot:
    assert at.state.round is not None
    place, number = at.state.round.positions[step.position], at.state.round_number
    known = (win.logged for win in at.meter.last_wins)
    mine = (at.table.name, number, step.position)
    win = next((each.number for each in known if (each.table, each.round, each.position) == mine), 0)
    return OpenJackpot(
        table=at.table.name,
        meter=at.meter.name,
        round=number,
        position=step.position,
        player=place.player,
        cards=cards_text(place.cards),
        row=step.row or step.hand,
        odds=step.odds or "",
        amount_cents=cents,
        stage=stage,
        next=next_step,
        win=win,
    )

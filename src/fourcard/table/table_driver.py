"""Table driver: a table for programs, with an automatic dealer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random, SystemRandom

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.meter import Meter
from fourcard.refusals import Refusal, RefusedError
from fourcard.round.commands import PayAward, PlaceWager, TakeSeat, WithdrawWager
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.table.autopilot import (
    aged,
    next_between_rounds,
    next_in_round,
    next_preparation,
    open_command,
)
from fourcard.table.bots import Strategy, decision
from fourcard.table.commands import Prepare, TableCommand
from fourcard.table.decide import decide
from fourcard.table.deck_preparation import ends_shuffle
from fourcard.table.events import TableEvent, TableEventsOrRefusal
from fourcard.table.evolve import replay
from fourcard.table.local_meter import LocalMeter
from fourcard.table.state import TableState, new_table
from fourcard.wagers import WAGERS, WagerName

ShuffleFunction = Callable[[], Sequence[int]]
"""A function that returns the 52 cards in a new order."""


def fair_shuffle() -> Sequence[int]:
    """Return a deck shuffled with the operating system's random numbers."""
    return _shuffle_with(SystemRandom())


def seeded_shuffle(seed: int) -> ShuffleFunction:
    """Return a shuffle that repeats for the same seed: for tests and practice, never for money."""
    return partial(_shuffle_with, Random(seed))


def _shuffle_with(random: Random) -> Sequence[int]:
    cards = list(DECK)
    random.shuffle(cards)
    return cards


class Table:
    """One table: ``do`` a command, check with ``may``, or let the automatic dealer ``advance``."""

    def __init__(
        self,
        game: Game,
        shuffle: ShuffleFunction = fair_shuffle,
        meter: Meter | None = None,
        clock: Callable[[], int] | None = None,
    ) -> None:
        """Set up a closed table; the meter defaults to the submission's.

        The clock (milliseconds since the epoch) sets the time of commands that have none; without a clock
        decks do not age.
        """
        self.state: TableState = new_table(game)
        self.shuffle, self.clock = shuffle, clock
        self.local_meter = LocalMeter(game, meter)
        self.events: list[TableEvent] = []

    @property
    def game(self) -> Game:
        """Return the table's game."""
        return self.state.game

    @property
    def round(self) -> RoundState | None:
        """Return the current round, or the last one."""
        return self.state.round or self.state.last_round

    def may(self, command: TableCommand) -> Refusal | None:
        """Return the refusal of a command, or None if it is allowed."""
        outcome = self._decide(command)
        return outcome if isinstance(outcome, Refusal) else None

    def _decide(self, command: TableCommand) -> TableEventsOrRefusal:
        """Decide a command; an award must match the local meter."""
        refusal = (
            self.local_meter.award_refusal(self.state.round, command)
            if isinstance(command, PayAward)
            else None
        )
        return refusal or decide(self.state, self._timed(command))

    def _timed(self, command: TableCommand) -> TableCommand:
        """Return a command with the clock's time, if it has none of its own."""
        return command if self.clock is None or command.at else replace(command, at=self.clock())

    def do(self, command: TableCommand) -> list[TableEvent]:
        """Execute a command and return its events, or raise RefusedError."""
        outcome = self._decide(command)
        if isinstance(outcome, Refusal):
            raise RefusedError(outcome)
        after = replay(self.state, outcome)
        self.local_meter.apply_events(outcome)
        self.state = after
        self.events += outcome
        return [*outcome]

    def seat(self, position: int, player: str) -> None:
        """Seat a player, and open the table first if it is closed."""
        if self.state.phase == "closed":
            self.open()
        self.do(TakeSeat(position=position, player=player))

    def open(self) -> None:
        """Open the table with the number of decks that the submission names."""
        self.do(open_command(self.game))

    def begin(self) -> None:
        """Open a round: open the table, replace a deck that is too old, and prepare the cards first."""
        while self.state.round is None:
            now = self.state.at if self.clock is None else self.clock()
            command = next_between_rounds(aged(self.state, now))
            self.do(self.next_preparation() if isinstance(command, Prepare) else command)

    def next_preparation(self) -> Prepare:
        """Return the next preparation step, with the order, cut, count and hand that a dealer would use."""
        step = next_preparation(self.state)
        return replace(step, order=tuple(self.shuffle())) if ends_shuffle(self.state.agenda) else step

    def next_command(self) -> TableCommand | None:
        """Return the dealer's next command in the round, or None while players must act."""
        state = self.state.round
        if state is None:
            return None
        if state.awaited_win is not None:
            return self.local_meter.price_award(state)
        command = next_in_round(self.state, state)
        return self.next_preparation() if isinstance(command, Prepare) else command

    def advance(self) -> Iterator[list[TableEvent]]:
        """Let the dealer continue until a player must decide or the round ends; yield each step's events."""
        while (command := self.next_command()) is not None:
            yield self.do(command)

    def play_round(
        self, wagers: Mapping[int, Mapping[WagerName, int]], strategy: Strategy | Mapping[int, Strategy]
    ) -> RoundState:
        """Play a whole round with wagers by position, and one strategy for all or one per position."""
        if isinstance(strategy, Mapping):
            missing = [p for p, placed in wagers.items() if "ante" in placed and p not in strategy]
            if missing:
                raise ValueError(f"position {missing[0]} has an Ante but no strategy")
        if self.state.round is None:
            self.begin()
        self._place_wagers(wagers)
        self.finish(strategy)
        assert self.state.last_round is not None
        return self.state.last_round

    def _place_wagers(self, wagers: Mapping[int, Mapping[WagerName, int]]) -> None:
        """Place wagers, required ones first; if one is refused, withdraw the others."""
        placed: list[PlaceWager] = []
        try:
            for position, amounts in wagers.items():
                for wager in sorted(amounts, key=WAGERS.index):
                    command = PlaceWager(position=position, wager=wager, amount=amounts[wager])
                    self.do(command)
                    placed.append(command)
        except RefusedError:
            for each in reversed(placed):
                self.do(WithdrawWager(position=each.position, wager=each.wager))
            raise

    def finish(self, strategy: Strategy | Mapping[int, Strategy]) -> None:
        """Deal, decide and settle until the round is over."""
        while self.state.round is not None:
            for _ in self.advance():
                pass
            state = self.state.round
            if state is None:
                return
            position = positions_to_decide(state)[0]
            self.do(decision(state, strategy[position] if isinstance(strategy, Mapping) else strategy))

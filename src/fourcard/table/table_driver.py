"""Table driver: a table for programs, with an automatic dealer and a basic player strategy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random, SystemRandom

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.hands import Category, best_hand
from fourcard.meter import Meter
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError
from fourcard.round.commands import Deal, Fold, PayAward, PlaceWager, Play, TakeSeat, WithdrawWager
from fourcard.round.preconditions import positions_to_decide
from fourcard.round.state import RoundState
from fourcard.rules.cited import WAGERS, WagerName
from fourcard.rules.game import Game
from fourcard.table.autopilot import ShuffleFunction, next_command, next_preparation
from fourcard.table.commands import BeginRound, BringDeck, OpenTable, Prepare, TableCommand
from fourcard.table.decide import decide
from fourcard.table.events import TableEvent, TableEventsOrRefusal
from fourcard.table.evolve import replay
from fourcard.table.local_meter import LocalMeter
from fourcard.table.state import TableState, new_table

Strategy = Callable[["PlayerSpot"], int]
"""A player's strategy: returns the Play wager in Antes, 0 for a fold."""
DECK_BACKS = ("red", "blue")


class PlayerSpot:
    """What a player knows when deciding: the own cards, the up card and the Ante."""

    def __init__(self, state: RoundState, position: int) -> None:
        """Read what the player at a position may see."""
        place = state.positions[position]
        self.position, self.player = position, place.player
        self.cards, self.ante = place.cards, place.wagers["ante"]
        assert state.up_card is not None
        self.up: int = state.up_card
        self.game: Game = state.rules.game


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
        self.do(OpenTable(decks=DECK_BACKS[: self.game.submission.dealing.decks]))

    def begin(self) -> None:
        """Prepare the cards, with a new deck if the old one is too old, and open a round."""
        if self.state.phase == "closed":
            self.open()
        refusal = self.may(BeginRound())
        if refusal is not None and refusal.code is Code.DECK_TOO_OLD:
            self.do(BringDeck(back=self.state.decks[self.state.active].back))
        while self.state.agenda:
            self.do(self.next_preparation())
        self.do(BeginRound())

    def next_preparation(self) -> Prepare:
        """Return the next preparation step, with the cut, count and hand that a dealer would use."""
        return next_preparation(self.state, self.shuffle)

    def next_command(self) -> TableCommand | None:
        """Return the dealer's next command in the round, or None while players must act.

        After an order to reshuffle before the first card, the cards are prepared first.
        """
        act = next_command(self.state, self.local_meter)
        return self.next_preparation() if isinstance(act, Deal) and self.state.agenda else act

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
            spot = PlayerSpot(state, position)
            choose = strategy[position] if isinstance(strategy, Mapping) else strategy
            times = choose(spot)
            self.do(Play(position=position, amount=times * spot.ante) if times else Fold(position=position))


TENS, THREES = 8, 1
"""Ranks as numbers: a two is 0."""


def basic_strategy(spot: PlayerSpot) -> int:
    """Fold below a pair of threes, play 1x with threes to nines, 3x with tens or better.

    This is the manufacturer's advice for players; it ignores the up card.
    """
    hand = best_hand(spot.cards)
    if hand.category > Category.PAIR or (hand.category is Category.PAIR and hand.ranks[0] >= TENS):
        return 3
    return 1 if hand.category is Category.PAIR and hand.ranks[0] >= THREES else 0

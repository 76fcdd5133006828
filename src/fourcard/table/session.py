"""A table in a program's hands: commands in, events out, and a dealer who does by himself what is due."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random, SystemRandom

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.meter import Meter
from fourcard.refusals import Code, Refusal, RefusedError
from fourcard.round.commands import Deal, Fold, PayAward, PlaceWager, Play, TakeSeat, WithdrawWager
from fourcard.round.due import deciders
from fourcard.round.state import RoundState
from fourcard.rules.game import Game
from fourcard.rules.nodes import WAGERS, WagerName
from fourcard.table.commands import BeginRound, BringDeck, OpenTable, Prepare, TableCommand
from fourcard.table.croupier import Shuffle, next_act, preparation
from fourcard.table.decide import decide
from fourcard.table.events import Decided, TableEvent
from fourcard.table.evolve import replay
from fourcard.table.meters import MeterBesideTable
from fourcard.table.state import TableState, table_of

Strategy = Callable[["Spot"], int]
"""What a player decides: how many times the Ante goes on Play, 0 for a fold."""
BACKS = ("red", "blue")


class Spot:
    """What a player knows when asked: the own cards, the up card, the own Ante."""

    def __init__(self, state: RoundState, position: int) -> None:
        """Look at what the player at a position may see."""
        place = state.places[position]
        self.position, self.player = position, place.player
        self.cards, self.ante = place.cards, place.wagers["ante"]
        assert state.up is not None
        self.up: int = state.up
        self.game: Game = state.rules.game


def fair_shuffle() -> Sequence[int]:
    """Return a deck in an order that the operating system's chance gave it."""
    cards = list(DECK)
    SystemRandom().shuffle(cards)
    return cards


def seeded_shuffle(seed: int) -> Shuffle:
    """Return a shuffler that gives the same decks every time, for tests and practice, never for money."""
    return partial(_shuffled_by, Random(seed))


def _shuffled_by(chance: Random) -> Sequence[int]:
    cards = list(DECK)
    chance.shuffle(cards)
    return cards


class Table:
    """One table: ``do`` a command, ask whether one ``may`` be done, or let the dealer ``deal`` by himself."""

    def __init__(
        self,
        game: Game,
        shuffle: Shuffle = fair_shuffle,
        meter: Meter | None = None,
        clock: Callable[[], int] | None = None,
    ) -> None:
        """Take a game, a source of shuffled decks, a meter if not the submitted one, and a clock.

        The clock gives milliseconds since the epoch to commands that have no moment; without one decks do not
        age.
        """
        self.state: TableState = table_of(game)
        self.shuffle, self.clock = shuffle, clock
        self.meters = MeterBesideTable(game, meter)
        self.events: list[TableEvent] = []

    @property
    def game(self) -> Game:
        """Return the game that is played."""
        return self.state.game

    @property
    def round(self) -> RoundState | None:
        """Return the round under way, or the last one."""
        return self.state.round or self.state.finished

    def may(self, command: TableCommand) -> Refusal | None:
        """Return why a command may not be done, or None if it may."""
        outcome = self._decide(command)
        return outcome if isinstance(outcome, Refusal) else None

    def _decide(self, command: TableCommand) -> Decided:
        """Decide a command at its moment, an award only at what the meter beside the table gives for it."""
        refusal = self.meters.refusal(self.state.round, command) if isinstance(command, PayAward) else None
        return refusal or decide(self.state, self._timed(command))

    def _timed(self, command: TableCommand) -> TableCommand:
        """Return a command with the clock's moment, where it has none of its own."""
        return command if self.clock is None or command.at else replace(command, at=self.clock())

    def do(self, command: TableCommand) -> list[TableEvent]:
        """Do a command and return what happened, or raise the refusal."""
        outcome = self._decide(command)
        if isinstance(outcome, Refusal):
            raise RefusedError(outcome)
        after = replay(self.state, outcome)
        self.meters.follow(outcome)
        self.state = after
        self.events += outcome
        return [*outcome]

    def seat(self, position: int, player: str) -> None:
        """Seat a player."""
        if self.state.phase == "closed":
            self.open()
        self.do(TakeSeat(position=position, player=player))

    def open(self) -> None:
        """Open the table with as many decks as the submission names."""
        self.do(OpenTable(decks=BACKS[: self.game.submission.dealing.decks]))

    def begin(self) -> None:
        """Make the cards ready, with a new deck where one has served its hours, and open a round."""
        if self.state.phase == "closed":
            self.open()
        refusal = self.may(BeginRound())
        if refusal is not None and refusal.code is Code.DECK_TOO_OLD:
            self.do(BringDeck(back=self.state.decks[self.state.active].back))
        while self.state.agenda:
            self.do(self.preparation())
        self.do(BeginRound())

    def preparation(self) -> Prepare:
        """Return the step that makes the next deck ready, with what a dealer would do in it."""
        return preparation(self.state, self.shuffle)

    def next_act(self) -> TableCommand | None:
        """Return what the dealer does next in the round, or None while players are to act.

        Cards that were ordered to be shuffled again before the first one came are made ready first.
        """
        act = next_act(self.state, self.meters)
        return self.preparation() if isinstance(act, Deal) and self.state.agenda else act

    def advance(self) -> Iterator[list[TableEvent]]:
        """Let the dealer go on, act by act, until a player must decide or the round is over."""
        while (command := self.next_act()) is not None:
            yield self.do(command)

    def play_round(
        self, wagers: Mapping[int, Mapping[WagerName, int]], strategy: Strategy | Mapping[int, Strategy]
    ) -> RoundState:
        """Play a whole round: these wagers by position, decided by one strategy or by one a position."""
        if isinstance(strategy, Mapping):
            missing = [p for p, placed in wagers.items() if "ante" in placed and p not in strategy]
            if missing:
                raise ValueError(f"position {missing[0]} has an Ante and no strategy")
        if self.state.round is None:
            self.begin()
        self._place(wagers)
        self.finish(strategy)
        assert self.state.finished is not None
        return self.state.finished

    def _place(self, wagers: Mapping[int, Mapping[WagerName, int]]) -> None:
        """Place wagers, those that others need first; if one is refused, take the others back."""
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
        """Deal, ask and settle until the round is over."""
        while self.state.round is not None:
            for _ in self.advance():
                pass
            state = self.state.round
            if state is None:
                return
            position = deciders(state)[0]
            spot = Spot(state, position)
            chosen = strategy[position] if isinstance(strategy, Mapping) else strategy
            times = chosen(spot)
            self.do(Play(position=position, amount=times * spot.ante) if times else Fold(position=position))

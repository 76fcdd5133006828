"""A game in the terminal: the player, the bots, and the dealer between them."""

import random
import time
from collections.abc import Callable, Sequence

from fourcard.cli.coaching import Coach
from fourcard.cli.playing_choices import ask_decision, ask_wagers
from fourcard.cli.playing_screen import LeaveTableError, Screen
from fourcard.money import dollars
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.round import events as of_round
from fourcard.round.commands import Fold, PlaceWager, Play, RoundCommand, WithdrawWager
from fourcard.round.due import deciders
from fourcard.rules.game import Game
from fourcard.rules.limits import play_refusal
from fourcard.rules.nodes import LimitedWager, WagerName, cite
from fourcard.settling import MONEY_ACTS
from fourcard.table import events as of_table
from fourcard.table.bots import basic
from fourcard.table.events import TableEvent
from fourcard.table.session import Spot, Table, fair_shuffle, seeded_shuffle
from fourcard.table.telling import Narrator

YOU = "you"
NAMES = ("Bea", "Cal", "Dot", "Eli", "Fay", "Gus", "Hal")
QUIET = (
    of_table.StepPrepared,
    of_table.TableOpened,
    of_table.DeckPutInShuffler,
    of_table.RoundBegan,
    of_round.SeatTaken,
    of_round.CardsDealt,
    of_round.CardsDiscarded,
)
"""What is told only to who wants to hear all."""
PUTTING_AWAY = ("rack_hand", "rack_dealer", "bring_hand", "choose_hand", "muck_hands")
LOUD_STEPS = ("announce_no_more_bets", "lock_out", "count_stub")


def _now() -> int:
    """Return the milliseconds since the epoch, by which decks age."""
    return time.time_ns() // 1_000_000


def _allowed(spot: Spot, wanted: int) -> int:
    """Return how many Antes a bot plays: as many as it wants, or the most under them that a limit leaves."""
    fewer = range(wanted, 0, -1)
    return next((n for n in fewer if play_refusal(spot.game, spot.ante, n * spot.ante) is None), 0)


class Playing:
    """One visit to one table."""

    def __init__(self, game: Game, screen: Screen, bankroll: int, seed: int | None = None) -> None:
        """Open the table."""
        self.chance = random.Random(seed) if seed is not None else random.SystemRandom()
        self.table = Table(game, fair_shuffle if seed is None else seeded_shuffle(seed), clock=_now)
        self.narrator = Narrator(self.table.state)
        self.screen, self.money, self.brought = screen, bankroll, bankroll
        self.mine: list[int] = []
        self.placed: dict[int, dict[WagerName, int]] = {}
        """What was placed in the round at hand, by position."""
        self.last: dict[int, dict[WagerName, int]] = {}
        """What was placed in the last round."""
        self.played = 0
        self.coach = Coach(game)

    @property
    def left(self) -> int:
        """Return the cents in the pocket, what lies on the layout being out of it."""
        state = self.table.state.round
        return self.money if state is None else self.money + sum(state.pockets.get(p, 0) for p in self.mine)

    @property
    def least_dealt_in(self) -> int:
        """Return the smallest wager that gets cards."""
        return min(self.least("ante"), self.least("aces_up"))

    @property
    def dealt_in(self) -> list[int]:
        """Return the own positions with a wager that gets cards."""
        state = self.table.state.round
        return [] if state is None else [position for position in state.dealt_in if position in self.mine]

    def least(self, name: LimitedWager) -> int:
        """Return the posted minimum of a wager."""
        posted = self.table.game.submission.limits.posted.get(name)
        return int(posted.least) if posted is not None else int(self.table.game.submission.chip)

    def sit(self, positions: int, mine: Sequence[int]) -> None:
        """Take one's own positions and fill the others with bots; a seat that may not be taken is refused."""
        game = self.table.game
        most = game.submission.positions.at_table
        if positions > most:
            clauses = cite(game.rulebook.positions.at_table)
            raise RefusedError(refuse(Code.TABLE_POSITIONS, clauses, most=most, count=positions))
        self.mine = sorted(set(mine))
        for position in self.mine:
            self.table.seat(position, YOU)
        others = [p for p in range(1, most + 1) if p not in self.mine][: max(0, positions - len(self.mine))]
        for position, name in zip(others, NAMES, strict=False):
            self.table.seat(position, name)
        self.narrator.tell(self.table.events)

    def run(self, rounds: int | None) -> None:
        """Play until the player leaves, has no more money, or has played as many rounds as wanted."""
        self.screen.welcome(self.table.game, dict(self.table.state.seats), self.mine)
        try:
            while (rounds is None or self.played < rounds) and self._can_go_on():
                self.round()
        except LeaveTableError:
            pass
        coached = self.coach.decisions, self.coach.right, self.coach.cost
        self.screen.farewell(self.played, self.money, self.brought, coached)

    def _can_go_on(self) -> bool:
        """Say whether the money is enough for a wager that gets cards, and if not, say so."""
        if self.money >= self.least_dealt_in:
            return True
        least = f"the smallest wager here is {dollars(self.least_dealt_in)}"
        self.screen.say(f"You have {dollars(self.money)}, and {least}.")
        return False

    def round(self) -> None:
        """Play one round."""
        self.follow(self.table.begin)
        meter = self.table.meters.meter.displayed if self.table.game.offers("progressive") else None
        self.screen.heading(self.table.state.number, self.money, meter)
        self.placed = {}
        try:
            ask_wagers(self)
        except LeaveTableError:
            self.take_back()
            raise
        self.last = {**self.last, **self.placed}
        self.bots_wager()
        self._play_out()

    def _play_out(self) -> None:
        """Deal, decide and settle; who leaves has the remaining hands folded, and the round still ends."""
        gone = False
        while self.table.state.round is not None:
            for events in self.table.advance():
                self.tell(events)
            if self.table.state.round is not None:
                gone = self.decide(gone=gone)
        finished = self.table.state.finished
        assert finished is not None
        self.money += sum(finished.nets[position] for position in self.mine)
        self.played += 1
        if gone:
            raise LeaveTableError

    def take_back(self) -> None:
        """Withdraw what was placed before bets close, the wagers that need others first."""
        state = self.table.state.round
        assert state is not None
        for position in self.mine:
            for wager in reversed(tuple(state.places[position].wagers)):
                self.do(WithdrawWager(position=position, wager=wager))

    def follow(self, act: Callable[[], object]) -> None:
        """Do something and tell what came of it."""
        before = len(self.table.events)
        act()
        self.tell(self.table.events[before:])

    def do(self, command: RoundCommand) -> None:
        """Do a command and tell what came of it."""
        self.tell(self.table.do(command))

    def attempt(self, command: RoundCommand, amount: int) -> bool:
        """Do a command that costs something, or say why not."""
        placed = self._lying(command)
        if amount > self.left + placed:
            self.screen.refuse(f"You have {dollars(self.left + placed)} left.")
            return False
        try:
            self.do(command)
        except RefusedError as error:
            self.screen.refuse(error.refusal.message, error.refusal.clauses)
            return False
        return True

    def _lying(self, command: RoundCommand) -> int:
        """Return what lies on a spot already and would be replaced."""
        state = self.table.state.round
        if state is None or not isinstance(command, PlaceWager):
            return 0
        return state.places[command.position].wagers.get(command.wager, 0)

    def tell(self, events: Sequence[TableEvent]) -> None:
        """Tell events, all or the main ones."""
        for event in events:
            sentences = self.narrator.tell([event])
            if self.screen.told == "all" or not self._quiet(event):
                self.screen.tell(sentences, self.mine)

    def _quiet(self, event: TableEvent) -> bool:
        if isinstance(event, of_round.StepDone):
            return event.step not in LOUD_STEPS
        if isinstance(event, of_round.CardsDealt) and event.up:
            return False
        own = getattr(event, "position", None) in self.mine
        if isinstance(event, of_round.ActPerformed):
            return event.act in PUTTING_AWAY or (event.act in MONEY_ACTS and event.position > 0 and not own)
        return isinstance(event, QUIET) or (isinstance(event, of_round.WagerPlaced) and own)

    def bots_wager(self) -> None:
        """Let the bots place the least Ante, and now and then Aces Up."""
        for position, who in self.table.state.seats.items():
            if who == YOU:
                continue
            self.do(PlaceWager(position=position, wager="ante", amount=self.least("ante")))
            if self.chance.random() < 0.5:
                self.do(PlaceWager(position=position, wager="aces_up", amount=self.least("aces_up")))

    def decide(self, *, gone: bool) -> bool:
        """Let whoever is asked decide; return whether the player has gone, whose hands then fold."""
        state = self.table.state.round
        assert state is not None
        spot = Spot(state, deciders(state)[0])
        if spot.position not in self.mine:
            self._decided(spot, _allowed(spot, basic(spot)))
            return gone
        if gone:
            self._decided(spot, 0)
            return True
        try:
            ask_decision(self, spot)
        except LeaveTableError:
            self.screen.say("The hand is folded, and the round goes on to its end.")
            self._decided(spot, 0)
            return True
        return False

    def _decided(self, spot: Spot, times: int) -> None:
        amount = times * spot.ante
        self.do(Play(position=spot.position, amount=amount) if amount else Fold(position=spot.position))

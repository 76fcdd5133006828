"""Play session: rounds in the terminal, with a player's money, wagers, positions and coach at one table."""

import random
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from fourcard.cli.play_prompts import ask_decision, ask_wagers
from fourcard.cli.play_view import LeaveTableError, PlayView
from fourcard.money import dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.round import events as of_round
from fourcard.round.commands import Fold, PlaceWager, Play, RoundCommand, WithdrawWager
from fourcard.round.preconditions import positions_to_decide
from fourcard.rules.cited import LimitedWager, WagerName, clauses_of
from fourcard.rules.game import Game
from fourcard.rules.limits import play_refusal, plays_allowed
from fourcard.settling import MONEY_ACTS
from fourcard.table import events as of_table
from fourcard.table.events import TableEvent
from fourcard.table.narrate import TableNarrator
from fourcard.table.table_driver import PlayerSpot, Table, basic_strategy, fair_shuffle, seeded_shuffle

if TYPE_CHECKING:
    from fourcard.odds.decision_values import DecisionOptions


class Coach:
    """Values decisions before or after they are made, and counts the best ones."""

    def __init__(self, game: "Game") -> None:
        """Coach one game."""
        self.game = game
        self.when: Literal["off", "after", "before"] = "off"
        self.decisions, self.right = 0, 0
        self.cost = Fraction(0)
        """The cost of all decisions against the best ones, in cents."""

    def options(self, spot: "PlayerSpot", money: int) -> "DecisionOptions":
        """Return the exact value of every decision, and how much money is missing for it."""
        from fourcard.odds.decision_values import DecisionOptions, advice
        from fourcard.odds.strategies import base_terms_of

        values = advice(spot.cards, spot.up, base_terms_of(self.game))
        return DecisionOptions(values, spot.ante, plays_allowed(self.game, spot.ante), money)

    def judge(self, options: "DecisionOptions", amount: int) -> Fraction:
        """Count a decision and return its cost in cents against the best one."""
        cost = options.cost(amount)
        self.decisions += 1
        self.right += cost == 0
        self.cost += cost
        return cost


YOU = "you"
NAMES = ("Bea", "Cal", "Dot", "Eli", "Fay", "Gus", "Hal")
MINOR_EVENTS = (
    of_table.StepPrepared,
    of_table.TableOpened,
    of_table.DeckPutInShuffler,
    of_table.RoundBegan,
    of_round.SeatTaken,
    of_round.CardsDealt,
    of_round.CardsDiscarded,
)
"""Events that only the full narration mentions."""
RACKING_ACTS = ("rack_hand", "rack_dealer", "bring_hand", "choose_hand", "muck_hands")
MAIN_STEPS = ("announce_no_more_bets", "lock_out", "count_stub")


def _now() -> int:
    """Return the time in milliseconds since the epoch, for the age of decks."""
    return time.time_ns() // 1_000_000


def _allowed(spot: PlayerSpot, wanted: int) -> int:
    """Return how many Antes a bot plays: the wanted number, or the largest below it that limits allow."""
    fewer = range(wanted, 0, -1)
    return next((n for n in fewer if play_refusal(spot.game, spot.ante, n * spot.ante) is None), 0)


class PlaySession:
    """A player's session at one table: rounds between the player, the bots and the dealer."""

    def __init__(self, game: Game, screen: PlayView, bankroll: int, seed: int | None = None) -> None:
        """Open the table."""
        self.chance = random.Random(seed) if seed is not None else random.SystemRandom()
        self.table = Table(game, fair_shuffle if seed is None else seeded_shuffle(seed), clock=_now)
        self.narrator = TableNarrator(self.table.state)
        self.screen, self.money, self.bankroll = screen, bankroll, bankroll
        self.positions: list[int] = []
        self.placed: dict[int, dict[WagerName, int]] = {}
        """The wagers of the current round, by position."""
        self.last: dict[int, dict[WagerName, int]] = {}
        """The wagers of the last round, by position."""
        self.played = 0
        self.coach = Coach(game)

    @property
    def money_left(self) -> int:
        """Return the player's money in cents, without the wagers on the layout."""
        state = self.table.state.round
        return (
            self.money if state is None else self.money + sum(state.pockets.get(p, 0) for p in self.positions)
        )

    @property
    def least_dealt_in(self) -> int:
        """Return the smallest wager that is dealt cards, in cents."""
        return min(self.least("ante"), self.least("aces_up"))

    @property
    def dealt_in(self) -> list[int]:
        """Return the player's positions that are dealt cards."""
        state = self.table.state.round
        return (
            [] if state is None else [position for position in state.dealt_in if position in self.positions]
        )

    def least(self, name: LimitedWager) -> int:
        """Return the posted minimum of a wager."""
        posted = self.table.game.submission.limits.posted.get(name)
        return int(posted.least) if posted is not None else int(self.table.game.submission.chip)

    def sit(self, positions: int, mine: Sequence[int]) -> None:
        """Seat the player and fill the other positions with bots, or refuse an invalid seat."""
        game = self.table.game
        most = game.submission.positions.at_table
        if positions > most:
            clauses = clauses_of(game.rulebook.positions.at_table)
            raise RefusedError(refuse(Code.TABLE_POSITIONS, clauses, most=most, count=positions))
        self.positions = sorted(set(mine))
        for position in self.positions:
            self.table.seat(position, YOU)
        others = [p for p in range(1, most + 1) if p not in self.positions][
            : max(0, positions - len(self.positions))
        ]
        for position, name in zip(others, NAMES, strict=False):
            self.table.seat(position, name)
        self.narrator.narrate(self.table.events)

    def take_back(self) -> None:
        """Withdraw the player's wagers before bets close, in reverse order."""
        state = self.table.state.round
        assert state is not None
        for position in self.positions:
            for wager in reversed(tuple(state.places[position].wagers)):
                self.do(WithdrawWager(position=position, wager=wager))

    def follow(self, act: Callable[[], object]) -> None:
        """Run an action on the table and narrate its events."""
        before = len(self.table.events)
        act()
        self.tell(self.table.events[before:])

    def do(self, command: RoundCommand) -> None:
        """Run a command and narrate its events."""
        self.tell(self.table.do(command))

    def attempt(self, command: RoundCommand, amount: int) -> bool:
        """Run a command that costs money, or print why it is refused."""
        placed = self._already_placed(command)
        if amount > self.money_left + placed:
            self.screen.refuse(f"You have {dollars(self.money_left + placed)} left.")
            return False
        try:
            self.do(command)
        except RefusedError as error:
            self.screen.refuse(error.refusal.message, error.refusal.clauses)
            return False
        return True

    def _already_placed(self, command: RoundCommand) -> int:
        """Return the cents already on a spot, which the command would replace."""
        state = self.table.state.round
        if state is None or not isinstance(command, PlaceWager):
            return 0
        return state.places[command.position].wagers.get(command.wager, 0)

    def tell(self, events: Sequence[TableEvent]) -> None:
        """Narrate all events, or only the main ones."""
        for event in events:
            sentences = self.narrator.narrate([event])
            if self.screen.narration == "all" or not self._is_minor(event):
                self.screen.tell(sentences, self.positions)

    def _is_minor(self, event: TableEvent) -> bool:
        if isinstance(event, of_round.StepDone):
            return event.step not in MAIN_STEPS
        if isinstance(event, of_round.CardsDealt) and event.up:
            return False
        own = getattr(event, "position", None) in self.positions
        if isinstance(event, of_round.ActPerformed):
            return event.act in RACKING_ACTS or (event.act in MONEY_ACTS and event.position > 0 and not own)
        return isinstance(event, MINOR_EVENTS) or (isinstance(event, of_round.WagerPlaced) and own)

    def bots_wager(self) -> None:
        """Place the minimum Ante for each bot, and sometimes Aces Up."""
        for position, who in self.table.state.seats.items():
            if who == YOU:
                continue
            self.do(PlaceWager(position=position, wager="ante", amount=self.least("ante")))
            if self.chance.random() < 0.5:
                self.do(PlaceWager(position=position, wager="aces_up", amount=self.least("aces_up")))

    def run(self, rounds: int | None) -> None:
        """Play until the player leaves, runs out of money, or has played the wanted number of rounds."""
        self.screen.welcome(self.table.game, dict(self.table.state.seats), self.positions)
        try:
            while (rounds is None or self.played < rounds) and self._can_go_on():
                self.round()
        except LeaveTableError:
            pass
        coached = self.coach.decisions, self.coach.right, self.coach.cost
        self.screen.farewell(self.played, self.money, self.bankroll, coached)

    def _can_go_on(self) -> bool:
        """Return whether the money is enough for the smallest wager; if not, print it."""
        if self.money >= self.least_dealt_in:
            return True
        least = f"the smallest wager here is {dollars(self.least_dealt_in)}"
        self.screen.say(f"You have {dollars(self.money)}, but {least}.")
        return False

    def round(self) -> None:
        """Play one round."""
        self.follow(self.table.begin)
        meter = self.table.local_meter.meter.displayed if self.table.game.offers("progressive") else None
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
        """Deal, decide and settle; if the player leaves, the remaining hands fold and the round ends."""
        gone = False
        while self.table.state.round is not None:
            for events in self.table.advance():
                self.tell(events)
            if self.table.state.round is not None:
                gone = self.decide(gone=gone)
        finished = self.table.state.finished
        assert finished is not None
        self.money += sum(finished.nets[position] for position in self.positions)
        self.played += 1
        if gone:
            raise LeaveTableError

    def decide(self, *, gone: bool) -> bool:
        """Make the next decision; return whether the player has left, whose hands then fold."""
        state = self.table.state.round
        assert state is not None
        spot = PlayerSpot(state, positions_to_decide(state)[0])
        if spot.position not in self.positions:
            self._submit(spot, _allowed(spot, basic_strategy(spot)))
            return gone
        if gone:
            self._submit(spot, 0)
            return True
        try:
            ask_decision(self, spot)
        except LeaveTableError:
            self.screen.say("The hand is folded, and the round is played to its end.")
            self._submit(spot, 0)
            return True
        return False

    def _submit(self, spot: PlayerSpot, times: int) -> None:
        amount = times * spot.ante
        self.do(Play(position=spot.position, amount=amount) if amount else Fold(position=spot.position))

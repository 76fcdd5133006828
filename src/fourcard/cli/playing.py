"""A game in the terminal: the player's wagers and decisions, the bots', and the dealer between them."""

import random
from collections.abc import Callable, Sequence

from fourcard.cards import DECK
from fourcard.cli.coaching import Coach
from fourcard.cli.playing_screen import LeaveTableError, Screen
from fourcard.money import MoneyError, dollars, parse_dollars
from fourcard.refusals import RefusedError
from fourcard.round import events as of_round
from fourcard.round.commands import Command, Fold, PlaceWager, Play
from fourcard.round.due import deciders
from fourcard.rules.game import Game
from fourcard.rules.nodes import LIMITED_WAGERS, WAGER_LABELS, WagerName
from fourcard.settling import MONEY_ACTS
from fourcard.table import events as of_table
from fourcard.table.bots import basic
from fourcard.table.events import TableEvent
from fourcard.table.session import Spot, Table, fair_shuffle
from fourcard.table.telling import Narrator

YOU = "you"
PLACED: tuple[WagerName, ...] = (*LIMITED_WAGERS, "progressive")
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


class Playing:
    """One visit to one table."""

    def __init__(self, game: Game, screen: Screen, bankroll: int, seed: int | None = None) -> None:
        """Open the table."""
        self.chance = random.Random(seed) if seed is not None else random.SystemRandom()
        self.table = Table(game, fair_shuffle if seed is None else self._seeded)
        self.narrator = Narrator(self.table.state)
        self.screen, self.money, self.brought = screen, bankroll, bankroll
        self.mine: list[int] = []
        self.placed: dict[int, dict[WagerName, int]] = {}
        self.coach = Coach(game)

    def _seeded(self) -> list[int]:
        cards = list(DECK)
        self.chance.shuffle(cards)
        return cards

    def sit(self, positions: int, mine: Sequence[int]) -> None:
        """Take one's own positions and fill the others with bots; a seat that may not be taken is refused."""
        self.mine = sorted(set(mine))
        for position in self.mine:
            self.table.seat(position, YOU)
        others = [p for p in range(1, positions + 1) if p not in self.mine][: positions - len(self.mine)]
        for position, name in zip(others, NAMES, strict=False):
            self.table.seat(position, name)
        self.tell(self.table.events)

    def run(self, rounds: int | None) -> None:
        """Play until the player leaves, has no more money, or has played as many rounds as wanted."""
        self.screen.welcome(self.table.game, dict(self.table.state.seats), self.mine)
        played = 0
        try:
            while rounds is None or played < rounds:
                self.round()
                played += 1
        except LeaveTableError:
            pass
        coached = self.coach.decisions, self.coach.right, self.coach.cost
        self.screen.farewell(played, self.money, self.brought, coached)

    def round(self) -> None:
        """Play one round."""
        self.follow(self.table.begin)
        meter = self.table.meters.meter.displayed if self.table.game.offers("progressive") else None
        self.screen.heading(self.table.state.number, self.money, meter)
        for position in self.mine:
            self.wager(position)
        self.bots_wager()
        left = False
        while self.table.state.round is not None:
            for events in self.table.advance():
                self.tell(events)
            if self.table.state.round is not None:
                left = self.decide(left=left) or left
        finished = self.table.state.finished
        assert finished is not None
        self.money += sum(finished.nets[position] for position in self.mine)
        if left:
            raise LeaveTableError

    def follow(self, act: Callable[[], object]) -> None:
        """Do something and tell what came of it."""
        before = len(self.table.events)
        act()
        self.tell(self.table.events[before:])

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

    def wager(self, position: int) -> None:
        """Ask for every wager that can be placed; an empty answer repeats the last, or the least Ante."""
        game = self.table.game
        offered = [name for name in PLACED if game.offers(name)]
        last = self.placed.get(position)
        where = f" at {position}" if len(self.mine) > 1 else ""
        if last is not None and self._repeats(position, last, where):
            return
        placed: dict[WagerName, int] = {}
        while not placed:
            for name in offered:
                amount = self.place(position, name, where)
                if amount:
                    placed[name] = amount
            if not placed:
                self.screen.refuse("Place an Ante or an Aces Up wager to be dealt in, or q to leave.")
        self.placed[position] = placed

    def _repeats(self, position: int, last: dict[WagerName, int], where: str) -> bool:
        """Offer the wagers of the last round again."""
        same = ", ".join(f"{WAGER_LABELS[name]} {dollars(amount)}" for name, amount in last.items())
        if sum(last.values()) > self.money or self.screen.ask(f"{same}{where} again? Enter, or n to change"):
            return False
        for name, amount in last.items():
            self.follow_command(PlaceWager(position=position, wager=name, amount=amount))
        return True

    def place(self, position: int, name: WagerName, where: str) -> int:
        """Ask for one wager until it is one, or none."""
        default = self._least_ante() if name == "ante" else 0
        while True:
            shown = dollars(default) if default else "none"
            answer = self.screen.ask(f"{WAGER_LABELS[name]}{where} [{shown}]:")
            amount = default if not answer else self._amount(answer)
            if amount is None:
                continue
            if amount == 0 or self._try(PlaceWager(position=position, wager=name, amount=amount), amount):
                return amount

    def _least_ante(self) -> int:
        posted = self.table.game.submission.limits.posted.get("ante")
        return int(posted.least) if posted is not None else int(self.table.game.submission.chip)

    def _amount(self, answer: str) -> int | None:
        """Return the cents of an answer such as ``25`` or ``$2.50``; 0 and 'no' are none."""
        text = answer.lower().removeprefix("$")
        if text in ("0", "n", "no", "none", "-"):
            return 0
        try:
            return parse_dollars(f"${text}")
        except MoneyError as error:
            self.screen.refuse(str(error))
            return None

    def _try(self, command: Command, amount: int) -> bool:
        """Do a command that costs something, or say why not."""
        state = self.table.state.round
        out = 0 if state is None else -sum(state.pockets.get(p, 0) for p in self.mine)
        if amount > self.money - out:
            self.screen.refuse(f"You have {dollars(self.money - out)} left.")
            return False
        try:
            self.follow_command(command)
        except RefusedError as error:
            self.screen.refuse(error.refusal.message, error.refusal.clauses)
            return False
        return True

    def follow_command(self, command: Command) -> None:
        """Do a command and tell what came of it."""
        self.tell(self.table.do(command))  # type: ignore[arg-type]

    def bots_wager(self) -> None:
        """Let the bots place the least Ante, and now and then Aces Up."""
        posted = self.table.game.submission.limits.posted.get("aces_up")
        for position, who in self.table.state.seats.items():
            if who == YOU:
                continue
            self.follow_command(PlaceWager(position=position, wager="ante", amount=self._least_ante()))
            if posted is not None and self.chance.random() < 0.5:
                self.follow_command(PlaceWager(position=position, wager="aces_up", amount=int(posted.least)))

    def decide(self, *, left: bool) -> bool:
        """Let whoever is asked decide; return whether the player has gone, whose hands then fold."""
        state = self.table.state.round
        assert state is not None
        spot = Spot(state, deciders(state)[0])
        if spot.position not in self.mine:
            times = basic(spot)
            self._do_decision(spot, times * spot.ante)
            return left
        if left:
            self._do_decision(spot, 0)
            return True
        try:
            self._ask_decision(spot)
        except LeaveTableError:
            self.screen.refuse("The hand is folded, and the round goes on to its end.")
            self._do_decision(spot, 0)
            return True
        return False

    def _do_decision(self, spot: Spot, amount: int) -> None:
        command = Play(position=spot.position, amount=amount) if amount else Fold(position=spot.position)
        self.follow_command(command)

    def _ask_decision(self, spot: Spot) -> None:
        """Show the hand and ask until there is a decision that may be made."""
        self.screen.hand(spot)
        given = self.coach.advice(spot) if self.coach.when != "off" else None
        if given is not None and self.coach.when == "before":
            self.screen.values(given, spot.ante)
        while True:
            answer = self.screen.ask("Fold, 1x, 2x, 3x or an amount:").lower()
            amount = 0 if answer in ("f", "fold") else self._times(answer, spot.ante)
            if amount is None:
                continue
            command = Play(position=spot.position, amount=amount) if amount else Fold(position=spot.position)
            if self._try(command, amount):
                break
        if given is not None:
            cost = self.coach.judge(spot, amount, given)
            self.screen.verdict(given, cost)

    def _times(self, answer: str, ante: int) -> int | None:
        """Return the Play wager that an answer means: 1, 2x, or an amount of money."""
        times = answer.removesuffix("x")
        if times in ("1", "2", "3"):
            return int(times) * ante
        if not answer:
            self.screen.refuse("Say f to fold, 1x, 2x or 3x to play, or an amount such as $40.")
            return None
        return self._amount(answer) or None

"""Play session: asks for wagers and decisions in the terminal and plays the rounds."""

import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from fourcard.cli.output import parse_typed_dollars
from fourcard.cli.play_view import LeaveTableError, PlayView
from fourcard.money import MoneyError, dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.round import events as of_round
from fourcard.round.commands import Fold, PlaceWager, Play, RoundCommand, WithdrawWager
from fourcard.round.preconditions import positions_to_decide
from fourcard.rules.checks.finding import join_or
from fourcard.rules.cited import clauses_of
from fourcard.rules.game import Game
from fourcard.rules.limits import least_wager, plays_allowed, positions_refusal, prerequisite_refusal
from fourcard.settling import MONEY_ACTS
from fourcard.table import events as of_table
from fourcard.table.bots import PLAIN_BOTS, PlayerSpot, decision, next_wagers, within_limits
from fourcard.table.events import TableEvent
from fourcard.table.narrate import TableNarrator
from fourcard.table.table_driver import Table, fair_shuffle, seeded_shuffle
from fourcard.wagers import LIMITED_WAGERS, PLACED_WAGERS, WAGER_LABELS, LimitedWager, WagerName

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


class PlaySession:
    """A player's session at one table: rounds between the player, the bots and the dealer."""

    def __init__(self, game: Game, screen: PlayView, bankroll: int, seed: int | None = None) -> None:
        """Open the table."""
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
            self.money
            if state is None
            else self.money + sum(state.net_changes.get(p, 0) for p in self.positions)
        )

    @property
    def least_dealt_in(self) -> int:
        """Return the smallest wager that is dealt cards, in cents."""
        return min(least_wager(self.table.game, name) for name in self.dealt_in_wagers)

    @property
    def dealt_in_wagers(self) -> list[LimitedWager]:
        """Return the wagers on offer that are dealt cards."""
        state = self.table.state
        return [
            name for name in LIMITED_WAGERS if name in state.rules.dealt_in_wagers and state.game.offers(name)
        ]

    @property
    def dealt_in(self) -> list[int]:
        """Return the player's positions that are dealt cards."""
        state = self.table.state.round
        return (
            [] if state is None else [position for position in state.dealt_in if position in self.positions]
        )

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
            for wager in reversed(tuple(state.positions[position].wagers)):
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
        return state.positions[command.position].wagers.get(command.wager, 0)

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
        """Place the wagers of the bots."""
        bots = {*self.table.state.seats.values()} - {YOU}
        while (wager := next_wagers(self.table.state, bots, PLAIN_BOTS)) is not None:
            self.do(wager)

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
        meter = self.table.local_meter.meter.whole_cents if self.table.game.offers("progressive") else None
        self.screen.heading(self.table.state.round_number, self.money, meter)
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
        finished = self.table.state.last_round
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
            self.do(decision(state, within_limits(PLAIN_BOTS.strategy)))
            return gone
        if gone:
            self.do(Fold(position=spot.position))
            return True
        try:
            ask_decision(self, spot)
        except LeaveTableError:
            self.screen.say("The hand is folded, and the round is played to its end.")
            self.do(Fold(position=spot.position))
            return True
        return False


YES, NONE, FOLDS = ("", "y", "yes"), ("0", "n", "no", "none", "-"), ("f", "fold")


def ask_wagers(visit: "PlaySession") -> None:
    """Ask for the wagers of each of the player's positions, until at least one can be dealt in."""
    while True:
        for position in visit.positions:
            _ask_position(visit, position)
        if _can_be_dealt_in(visit):
            return
        visit.take_back()


def _can_be_dealt_in(visit: "PlaySession") -> bool:
    """Return whether the player's positions with wagers can be dealt in; if not, print why."""
    if not visit.dealt_in:
        named = " or ".join(_with_article(WAGER_LABELS[name]) for name in visit.dealt_in_wagers)
        visit.screen.refuse(f"Place {named} wager to be dealt in, or enter q to leave.")
        return False
    refusal = positions_refusal(visit.table.game, visit.dealt_in)
    if refusal is not None:
        visit.screen.refuse(refusal.message, refusal.clauses)
    return refusal is None


def _with_article(label: str) -> str:
    return f"{'an' if label[0] in 'AEIOU' else 'a'} {label}"


def _ask_position(visit: "PlaySession", position: int) -> None:
    """Offer the last wagers again, or ask for each wager; without enough money a position sits out."""
    where = f" at {position}" if len(visit.positions) > 1 else ""
    last = visit.placed.pop(position, None) or visit.last.get(position)
    if visit.money_left < visit.least_dealt_in:
        visit.screen.say(f"You have {dollars(visit.money_left)} left, so position {position} sits out.")
        return
    if last and _repeats(visit, position, last, where):
        visit.placed[position] = last
        return
    placed: dict[WagerName, int] = {}
    for name in _open_to(visit, placed):
        amount = _ask_wager(visit, position, name, where)
        if amount:
            placed[name] = amount
    visit.placed[position] = placed


def _open_to(visit: "PlaySession", placed: dict[WagerName, int]) -> Iterator[WagerName]:
    """Yield the offered wagers, without those that need another wager that was not placed."""
    game = visit.table.game
    for name in PLACED_WAGERS:
        if game.offers(name) and prerequisite_refusal(game, name, [*placed, name]) is None:
            yield name


def _repeats(visit: "PlaySession", position: int, last: dict[WagerName, int], where: str) -> bool:
    """Offer the wagers of the last round again, and return whether they were placed."""
    same = ", ".join(f"{WAGER_LABELS[name]} {dollars(amount)}" for name, amount in last.items())
    if sum(last.values()) > visit.money_left:
        return False
    if visit.screen.ask(f"{same}{where} again? Enter for yes, n to change:").lower() not in YES:
        return False
    for name, amount in last.items():
        visit.do(PlaceWager(position=position, wager=name, amount=amount))
    return True


def _ask_wager(visit: "PlaySession", position: int, name: WagerName, where: str) -> int:
    """Ask for one wager until the answer is valid; an empty answer is the minimum Ante, or no side wager."""
    least = least_wager(visit.table.game, "ante")
    default = least if name == "ante" and visit.money_left >= least else 0
    while True:
        shown = dollars(default) if default else "none"
        answer = visit.screen.ask(f"{WAGER_LABELS[name]}{where}, in dollars [{shown}]:")
        amount = _amount(visit, answer) if answer else default
        if amount is None:
            continue
        if amount == 0 or visit.attempt(PlaceWager(position=position, wager=name, amount=amount), amount):
            if name == "ante" and visit.money_left < amount:
                left, play = dollars(visit.money_left), dollars(amount)
                short = f"That leaves {left}, too little for a Play wager of {play}"
                visit.screen.say(f"{short}: you can only fold.")
            return amount


def _amount(visit: "PlaySession", answer: str) -> int | None:
    """Parse an answer such as ``25`` or ``$2.50`` into cents; 0 and 'no' are none."""
    if answer.lower() in NONE:
        return 0
    try:
        return parse_typed_dollars(answer)
    except MoneyError as error:
        visit.screen.refuse(str(error))
        return None


def ask_decision(visit: "PlaySession", spot: "PlayerSpot") -> None:
    """Show the hand and ask until the decision is valid; a hand that can only fold is folded."""
    visit.screen.hand(spot)
    plays = plays_allowed(spot.game, spot.ante, visit.money_left)
    options = visit.coach.options(spot, visit.money_left) if visit.coach.when != "off" else None
    if options is not None and visit.coach.when == "before":
        visit.screen.values(options)
    amount = 0
    if plays:
        amount = _ask_play(visit, spot, plays)
    else:
        short = f"You have {dollars(visit.money_left)} left and a Play wager costs {dollars(spot.ante)}"
        visit.screen.say(f"{short}: the hand is folded.")
        visit.do(Fold(position=spot.position))
    if options is not None and plays:
        visit.screen.verdict(options, visit.coach.judge(options, amount))


def _ask_play(visit: "PlaySession", spot: "PlayerSpot", plays: range) -> int:
    whole = spot.game.rulebook.wagers.play.whole_multiples.value
    choices = [f"{times}x" for times in (1, 2, 3) if times * spot.ante in plays]
    named = ["Fold", *choices] if whole else ["Fold", *choices, "an amount in dollars"]
    question = f"{', '.join(named[:-1])} or {named[-1]}:"
    ways = choices if whole else [*choices, f"an amount such as {dollars(spot.ante)}"]
    hint = f"Enter f to fold, or {join_or(ways)} to play."
    while True:
        amount = _play(visit, visit.screen.ask(question).lower(), spot.ante, hint)
        if amount == 0:
            visit.do(Fold(position=spot.position))
            return 0
        if amount and visit.attempt(Play(position=spot.position, amount=amount), amount):
            return amount


def _play(visit: "PlaySession", answer: str, ante: int, hint: str) -> int | None:
    """Parse a decision: 1, 2x, an amount of money, or 0 for a fold."""
    times = answer.removesuffix("x").strip()
    if answer in FOLDS:
        return 0
    if times in ("1", "2", "3"):
        return int(times) * ante
    if answer.removeprefix("$")[:1].isdigit() and not answer.endswith("x") and answer not in NONE:
        return _amount(visit, answer) or None
    visit.screen.refuse(hint)
    return None

"""A meter among tables without their rounds: every event that the deciders of a meter produce, in any order.

Tables stake, win, are paid, end or are void; the Game Manager closes the link, changes terms and adjusts. A
ledger takes every movement, also those that a table posts when it pays or is void.
"""

from collections import Counter
from random import Random
from typing import Any

from fourcard.house import ledger
from fourcard.house.account_state import AccountState
from fourcard.house.auth.staff import StaffState
from fourcard.house.decide_meter import decide_meter, meter_event_for, reversal_for, start_event
from fourcard.house.decision import game_of_submission
from fourcard.house.events import (
    AwardLogged,
    MeterAdjusted,
    MeterEvent,
    RoundReversed,
    TableLinked,
    TableUnlinked,
)
from fourcard.house.ledger import Posting
from fourcard.house.meter_state import MeterState, evolve
from fourcard.house.shuffle_algorithm import ShuffleInput
from fourcard.house.table_state import UninstalledTable
from fourcard.meter import Payment, pay_meter_award
from fourcard.progressive.console import WinLogged
from fourcard.refusals import Refusal
from fourcard.round.events import AwardPaid, ProgressiveLocked, Stake
from fourcard.rules.game import Game
from tests.kit.meter_oracle import MeterOracle
from tests.laws.meter_house import Kind, game_of, random_meter_command, source_of, terms_of

NAME = "link"
TABLES = ("one", "two", "three")


class Playing:
    """A round of a table as its meter knows it."""

    def __init__(self, number: int, stakes: tuple[Stake, ...]) -> None:
        """Begin with stakes that were locked in."""
        self.number, self.left = number, list(stakes)
        self.logged: AwardLogged | None = None
        self.paid: list[Payment] = []


class World:
    """A meter, its tables, their ledger, and an oracle of it all."""

    def __init__(self, kind: Kind, seen: Counter[str]) -> None:
        """Start the meter by the first table's terms, and link every table to it."""
        self.texts, self.others = kind
        self.games = {game.hash: game for game in map(game_of, (*self.texts, *self.others))}
        self.seen, self.book = seen, MeterState(NAME)
        self.events: list[MeterEvent] = []
        self.ledger: Counter[str] = Counter()
        self.rounds: dict[str, Playing | None] = dict.fromkeys(TABLES)
        self.numbers = dict.fromkeys(TABLES, 0)
        self.oracle = MeterOracle(NAME)
        self.happens(start_event(game_of(self.texts[0])))
        for table in TABLES:
            self.happens(TableLinked(table))

    def obey(self, place: int, number: int) -> None:
        """Do what a number stands for, another thing at every place of a sequence."""
        chance = Random(f"{place} {number}")
        if chance.random() < 0.3:
            self._manage(chance)
            return
        table = chance.choice(TABLES)
        playing = self.rounds[table]
        if playing is None:
            self._between(table, chance)
        elif playing.logged is not None and chance.random() < 0.7:
            self._pay(table, playing)
        elif playing.logged is None and playing.left and chance.random() < 0.6:
            self._win(table, playing, chance)
        elif playing.logged is None and chance.random() < 0.5:
            self.rounds[table] = None
        else:
            self._void(table, playing)

    def happens(self, event: MeterEvent) -> None:
        """Fold an event into the meter and its oracle, and its movements into the ledger."""
        self.book, moved = evolve(self.book, event)
        self.oracle.apply(event)
        assert self.oracle.terms == terms_of(self.games[self.book.terms_game])
        self.events.append(event)
        self.seen[type(event).__name__] += 1
        for move in moved:
            self._post(move)

    def _post(self, move: Posting) -> None:
        assert move.units > 0
        self.ledger[move.giver] -= move.units
        self.ledger[move.taker] += move.units

    def _between(self, table: str, chance: Random) -> None:
        """Lock stakes in, or now and then take a table from the meter or back to it."""
        if table not in self.book.tables:
            self.happens(TableLinked(table))
        elif chance.random() < 0.05:
            self.happens(TableUnlinked(table))
        elif not self.book.closed_reason:
            self._stake(table, chance)

    def _stake(self, table: str, chance: Random) -> None:
        choice = self._game(table).submission.progressive
        assert choice is not None
        assert choice.stakes is not None
        places = sorted(chance.sample(range(1, 8), chance.randint(1, 7)))
        stakes = tuple((place, int(chance.choice(choice.stakes))) for place in places)
        self.numbers[table] += 1
        self.rounds[table] = Playing(self.numbers[table], stakes)
        self._follow(table, ProgressiveLocked(stakes))

    def _win(self, table: str, playing: Playing, chance: Random) -> None:
        """Log a win of a position that has none yet, at the meter as it stands."""
        position, stake = playing.left.pop(chance.randrange(len(playing.left)))
        row, odds = chance.choice([*self._game(table).tables["progressive"].pays.items()])
        source = source_of(self._game(table), odds)
        left, payment = pay_meter_award(self.book.amounts, odds, stake, source)
        before, after = self.book.amounts.whole_cents, left.whole_cents
        price = self.oracle.price(str(odds), stake, source)
        taken = payment.from_meter + payment.meter_to_tray
        assert (payment.amount, taken, payment.whole_meter) == (price.cents, price.borne, price.whole)
        names = ("ann", (), "dora", "susan", "supervisor", ())
        self._follow(table, WinLogged(position, row, payment, before, after, *names))
        logged = self.events[-1]
        assert isinstance(logged, AwardLogged)
        playing.logged = logged
        self.seen["whole meter" if payment.whole_meter else f"award {odds.kind.name.lower()}"] += 1
        self.seen["ran dry"] += payment.shortfall > 0
        self.seen["share by tray"] += payment.meter_to_tray > 0

    def _pay(self, table: str, playing: Playing) -> None:
        """Pay a logged win; the table posts it out of the prizes that are owed."""
        logged = playing.logged
        assert logged is not None
        paid = AwardPaid(logged.position, (), logged.payment, logged.before, logged.after, documented=True)
        self._follow(table, paid)
        playing.logged = None
        playing.paid.append(logged.payment)
        self.ledger[ledger.prizes_account(NAME)] -= logged.payment.meter_units
        self.ledger["table"] += logged.payment.meter_units

    def _void(self, table: str, playing: Playing) -> None:
        """Make a round void; the table posts what it had paid back into the meter."""
        self.seen["void with a logged win"] += playing.logged is not None
        event = reversal_for(self.book, table, playing.number)
        assert isinstance(event, RoundReversed)
        back = sum(payment.meter_units for payment in playing.paid)
        self.ledger["table"] -= back
        self.ledger[ledger.meter_account(NAME)] += back
        self.happens(event)
        self.rounds[table] = None
        self.seen["borne"] += event.absorbed > 0

    def _follow(self, table: str, event: object) -> None:
        """Let the meter follow an event of a table."""
        meant = meter_event_for(self.book, table, self.numbers[table], event, 0)
        assert meant is not None
        self.happens(meant)

    def _manage(self, chance: Random) -> None:
        """Ask something of the Game Manager; a link is closed between games only."""
        quiet = not any(self.rounds.values())
        command = random_meter_command(self.book, chance, (*self.texts, *self.others), quiet=quiet)
        decided = decide_meter(self, NAME, command)
        if isinstance(decided, Refusal):
            self.seen[f"refused {decided.name}"] += 1
            return
        for event in decided.events:
            self._managed(event)

    def _managed(self, event: Any) -> None:
        proposal = self.book.proposals.get(event.number) if isinstance(event, MeterAdjusted) else None
        self.happens(event)
        self.seen["backed out"] += proposal is not None and proposal.win > 0

    def _game(self, table: str) -> Game:
        """Return the game of a table; each was set up by a submission of its own."""
        return game_of(self.texts[TABLES.index(table) % len(self.texts)])

    # What a decision at a meter may look at; no table is under way when a link is closed.

    def find_table(self, name: str) -> UninstalledTable:
        """Return a table of which nothing is known."""
        return UninstalledTable(name)

    def meter(self, name: str) -> MeterState:
        """Return the meter."""
        assert name == NAME
        return self.book

    def player(self, name: str) -> AccountState:
        """Return nobody."""
        return AccountState(name)

    def staff(self) -> StaffState:
        """Return nobody."""
        return StaffState()

    def game(self, hash_: str) -> Game:
        """Return one of the games."""
        return self.games[hash_]

    def resolve_submission(self, text: str) -> Game | Refusal:
        """Return the game of a submission."""
        return game_of_submission(text)

    def shuffled_order(self, shuffle: ShuffleInput) -> tuple[int, ...]:
        """Shuffle nothing."""
        raise LookupError(shuffle)

    def commit_shuffle(self) -> tuple[str, bytes, str]:
        """Commit to nothing."""
        raise LookupError

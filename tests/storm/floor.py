"""One table as the people at it see it: what is proper next, by the random commands of the laws."""

from random import Random
from typing import Any

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.house.commands import (
    BuyIn,
    CountTray,
    Deposit,
    FillTray,
    HouseCommand,
    PayFromMeter,
)
from fourcard.house.player_book import PlayerBook
from fourcard.house.table_book import TableBook
from fourcard.refusals import Code, Refusal
from fourcard.round.commands import CallOff, Command, Deal, PayAward, Perform, PlaceWager, Play, TakeSeat
from fourcard.round.delivering import upcoming
from fourcard.round.state import RoundState
from fourcard.rules.examples import examples
from fourcard.table.commands import BeginRound, BringDeck, OpenTable, Prepare
from fourcard.table.decide import decide
from fourcard.table.session import Table
from tests.laws.random_commands import proper
from tests.laws.seldom_commands import seldom
from tests.storm.opening import install
from tests.storm.people import PLAYERS
from tests.storm.witness import Witness
from tests.strong_hands import strong_deck

FLOAT = 20_000_00
STACK = 1_000_00
Wanted = Command | HouseCommand


class Floor:
    """A table, the physical deck of one whose cards are keyed in, and what is done there."""

    def __init__(self, name: str, chance: Random) -> None:
        """Take the table's name."""
        self.name, self.chance = name, chance
        self._tables: dict[str, Table] = {}
        self._deck: tuple[int, tuple[int, ...], list[int]] = (-1, (), [])

    def look(self, witness: Witness) -> tuple[TableBook, Table]:
        """Return the table as it stands, in the form that the laws' commands are made from."""
        book = witness.table(self.name)
        state = book.state
        assert state is not None
        at = self._tables.get(state.game.hash)
        if at is None:
            at = self._tables[state.game.hash] = Table(state.game, lambda: ())
        at.state = state
        if book.meter:
            at.meters.meter = witness.meter(book.meter).meter
        return book, at

    def proper(self, witness: Witness, now: int) -> Wanted:
        """Return what somebody does here next where nothing goes wrong."""
        book, at = self.look(witness)
        state = at.state
        if state.phase == "closed" and not book.counted:
            return CountTray(
                occasion="opening", cents=max(0, book.cents(book.names.tray)), role="floorperson"
            )
        tray = book.cents(book.names.tray)
        if tray < FLOAT // 10:
            return FillTray(cents=FLOAT, slip="fill", role="supervisor")
        wanted = self._for_the_meter(at) or proper(at, self.chance)
        if isinstance(wanted, BeginRound):
            refused = decide(state, replace(wanted, at=max(now, state.at)))
            if isinstance(refused, Refusal) and refused.code is Code.DECK_TOO_OLD:
                return BringDeck(back=state.decks[state.active].back, role="floorperson")
        if self._at_odds(at, wanted):
            return CallOff(role="floorperson")
        return self._first_chips(witness, book, self.for_desk(book, wanted))

    def _at_odds(self, at: Table, wanted: Wanted) -> bool:
        """Say whether a player's wagers lie so far apart that the round cannot go on with them."""
        refused = at.may(wanted) if isinstance(wanted, Perform | Deal) else None
        return refused is not None and refused.code is Code.POSITIONS_NOT_ADJACENT

    def _for_the_meter(self, at: Table) -> PlaceWager | None:
        """Return a progressive wager beside another one, so that there are awards to pay."""
        under_way, choice = at.state.round, at.game.submission.progressive
        if under_way is None or under_way.phase != "betting" or choice is None or self.chance.random() < 0.7:
            return None
        bare = [p for p, each in under_way.places.items() if each.wagers and "progressive" not in each.wagers]
        if not bare:
            return None
        amount = int(self.chance.choice(choice.stakes))
        wager = PlaceWager(position=self.chance.choice(bare), wager="progressive", amount=amount)
        return wager if at.may(wager) is None else None

    def seldom(self, witness: Witness) -> Wanted:
        """Return what seldom happens here."""
        book, at = self.look(witness)
        if at.state.phase == "closed":
            return install(self.chance.choice([*examples()]), self.chance)
        return self.for_desk(book, seldom(at, self.chance))

    def for_desk(self, book: TableBook, wanted: Command) -> Wanted:
        """Return a command of the game as the house takes it: its own prices and orders, known players."""
        if isinstance(wanted, PayAward):
            return PayFromMeter(position=wanted.position, role="dealer")
        if isinstance(wanted, TakeSeat):
            return replace(wanted, player=self.chance.choice(PLAYERS))
        if isinstance(wanted, Prepare):
            return replace(wanted, order=None)
        if isinstance(wanted, OpenTable):
            return replace(wanted, role="floorperson")
        assert book.state is not None
        under_way = book.state.round
        if isinstance(wanted, Deal) and wanted.cards and under_way is not None:
            return replace(wanted, cards=self._keyed(book, under_way))
        return wanted

    def _keyed(self, book: TableBook, under_way: RoundState) -> tuple[int, ...]:
        """Return the next cards of a physical deck, which mostly deals rare hands."""
        assert book.state is not None
        dealt_in, number = under_way.dealt_in, book.state.number
        if self._deck[:2] != (number, dealt_in):
            order = list(DECK)
            self.chance.shuffle(order)
            if self.chance.random() < 0.75 and dealt_in:
                order = [*strong_deck(book.state.game, dealt_in, self.chance, book.state.method)]
            self._deck = (number, dealt_in, order)
        seen = under_way.seen
        left = [card for card in self._deck[2] if card not in seen]
        return tuple(left[: upcoming(under_way).count])

    def _first_chips(self, witness: Witness, book: TableBook, wanted: Wanted) -> Wanted:
        """Return what must come before a wager that the player has no chips for: money, then chips."""
        under_way = book.state.round if book.state is not None else None
        if not isinstance(wanted, PlaceWager | Play) or under_way is None:
            return wanted
        place = under_way.places.get(wanted.position)
        if place is None or wanted.amount <= book.chips(place.player):
            return wanted
        account: PlayerBook = witness.player(place.player)
        needed = max(STACK, wanted.amount)
        if account.cents < needed:
            return Deposit(cents=20 * needed, by=place.player, role="supervisor")
        if book.cents(book.names.tray) < needed:
            return FillTray(cents=FLOAT + needed, slip="fill", role="supervisor")
        return BuyIn(player=place.player, cents=needed, role="dealer")


def stream_of(table: str, wanted: Wanted) -> str:
    """Return the stream that a command made at a table is for."""
    return f"player/{wanted.by}" if isinstance(wanted, Deposit) else f"table/{table}"


def owner(book: TableBook, wanted: Any) -> str:
    """Return the player whose own act a command is, or nobody."""
    if isinstance(wanted, TakeSeat | BuyIn):
        return wanted.player
    under_way = book.state.round if book.state is not None else None
    place = None if under_way is None else under_way.places.get(getattr(wanted, "position", 0))
    return "" if place is None else place.player

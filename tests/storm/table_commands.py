"""Table commands of the storm: what is valid next at one table, and its keyed deck."""

from random import Random
from typing import Any

from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.house.account_state import AccountState
from fourcard.house.bot_driver import next_console_motion
from fourcard.house.commands import BuyIn, CountTray, Deposit, FillTray, HouseCommand, InstallTable
from fourcard.house.table_state import HouseTable
from fourcard.progressive.console import Press, ReportLink, SwipeCard, TurnKey
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import (
    CallOff,
    Command,
    CompleteDocument,
    Deal,
    Perform,
    PlaceWager,
    Play,
    ReportIrregularity,
    TakeSeat,
)
from fourcard.round.decide_deal import upcoming_move
from fourcard.round.state import RoundState
from fourcard.table.commands import BeginRound, BringDeck, CloseTable, OpenTable, Prepare
from fourcard.table.decide import decide
from fourcard.table.state import TableState
from fourcard.table.table_driver import Table
from tests.kit.decks import strong_deck
from tests.laws.random_commands import proper, seldom
from tests.storm.observer import Witness
from tests.storm.setup import PLAYERS, anything, following, same_terms

FLOAT = 20_000_00
STACK = 1_000_00
TRIES = 50
Wanted = Command | HouseCommand


class StormTable:
    """A table, and what is done there."""

    def __init__(self, name: str, chance: Random) -> None:
        """Take the table's name."""
        self.name, self.chance = name, chance
        self.restrained = False
        """Whether no progressive wager is placed for a while, so that a link can be closed."""
        self._tables: dict[str, Table] = {}
        self._cards = KeyedCards(chance)

    def look(self, witness: Witness) -> tuple[HouseTable, Table]:
        """Return the table as it stands, in the form that the laws' commands are made from."""
        book = witness.table(self.name)
        state = book.state
        at = self._tables.get(state.game.hash)
        if at is None:
            at = self._tables[state.game.hash] = Table(state.game, lambda: ())
        at.state = state
        if book.meter:
            at.local_meter.meter = witness.meter(book.meter).meter
        return book, at

    def proper(self, witness: Witness, now: int) -> Wanted:
        """Return what somebody does here next where nothing goes wrong."""
        book, at = self.look(witness)
        state = at.state
        wanted = self._new_terms(witness, book) or self._at_console(book)
        if wanted is not None:
            return wanted
        if state.phase == "closed" and not book.counted:
            return CountTray(
                occasion="opening", cents=max(0, book.cents(book.accounts.tray)), role="floorperson"
            )
        if book.cents(book.accounts.tray) < FLOAT // 10:
            return FillTray(cents=FLOAT, slip="fill", role="supervisor")
        return self._played(witness, book, at, now)

    def _played(self, witness: Witness, book: HouseTable, at: Table, now: int) -> Wanted:
        """Return what comes next in the game itself."""
        state, takes = at.state, self._takes_stakes(witness, book)
        wanted = (self._for_the_meter(at) if takes else None) or proper(at, self.chance)
        for _ in range(TRIES):
            if takes or not isinstance(wanted, PlaceWager) or wanted.wager != "progressive":
                break
            wanted = proper(at, self.chance)
        else:
            return CallOff(role="floorperson")
        if isinstance(wanted, BeginRound):
            refused = decide(state, replace(wanted, at=max(now, state.at)))
            if isinstance(refused, Refusal) and refused.code is Code.DECK_TOO_OLD:
                return BringDeck(back=state.decks[state.active].back, role="floorperson")
        if self._at_odds(at, wanted):
            return CallOff(role="floorperson")
        return self._first_chips(witness, book, self.for_desk(book, wanted))

    def _takes_stakes(self, witness: Witness, book: HouseTable) -> bool:
        """Say whether progressive wagers are taken here, and nobody waits until none lie anywhere."""
        linked = book.console is not None and book.console.linked
        return linked and not self.restrained and not witness.meter(book.meter).closed_reason

    def _at_console(self, book: HouseTable) -> Wanted | None:
        """Return what is due on the console, or the return of its link; a game may end a little later."""
        motion, console, state = next_console_motion(book), book.console, book.state
        if isinstance(motion, Press) and state.agenda and self.chance.random() < 0.5:
            return None
        if console is None or console.linked:
            return motion
        mended = motion is not None or self.chance.random() < 0.1
        return ReportLink(up=True, reason="mended") if mended else None

    def _new_terms(self, witness: Witness, book: HouseTable) -> Wanted | None:
        """Return what brings a table to the terms that its meter follows by now: closed, and set up again."""
        state, meter = book.state, witness.meter(book.meter)
        if state.round is not None or not book.meter or same_terms(state.game.hash, meter.terms_game):
            return None
        if state.phase != "closed":
            return CloseTable()
        text = following(meter.terms_game, self.chance)
        assert text is not None
        return InstallTable(submission=text, cards=book.cards, meter=book.meter)

    def _at_odds(self, at: Table, wanted: Wanted) -> bool:
        """Say whether a player's wagers lie so far apart that the round cannot go on with them."""
        refused = at.may(wanted) if isinstance(wanted, Perform | Deal) else None
        return refused is not None and refused.code is Code.POSITIONS_NOT_ADJACENT

    def _for_the_meter(self, at: Table) -> PlaceWager | None:
        """Return a progressive wager beside another one, so that there are awards to pay."""
        under_way, choice = at.state.round, at.game.submission.progressive
        if under_way is None or under_way.phase != "betting" or choice is None or self.chance.random() < 0.4:
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
            return anything(self.chance)
        return self._void(book, at) or self.for_desk(book, seldom(at, self.chance))

    def _void(self, book: HouseTable, at: Table) -> ReportIrregularity | None:
        """Return now and then what makes a round void whose awards wait or are paid, by whoever it is."""
        under_way, console = at.state.round, book.console
        if under_way is None or under_way.phase != "settling":
            return None
        won = console is not None and (under_way.awaiting is not None or console.staff)
        if self.chance.random() > (0.3 if won else 0.03):
            return None
        marked = [] if console is None else [staff.marked_by for staff in console.staff.values()]
        return ReportIrregularity(
            irregularity="wrong_number_of_cards",
            position=self.chance.choice([0, *under_way.dealt_in]),
            count=3,
            role=self.chance.choice(("supervisor", "supervisor", "supervisor", "floorperson", "dealer")),
            by=self.chance.choice((*marked, "", "", "")),
        )

    def for_desk(self, book: HouseTable, wanted: Command) -> Wanted:
        """Return a command of the game as the house takes it: its own prices and orders, known players."""
        if isinstance(wanted, TakeSeat):
            return replace(wanted, player=self.chance.choice(PLAYERS))
        if isinstance(wanted, Prepare):
            return replace(wanted, order=None)
        if isinstance(wanted, OpenTable):
            return replace(wanted, role="floorperson")
        under_way = book.state.round
        if isinstance(wanted, Deal) and wanted.cards and under_way is not None:
            return replace(wanted, cards=self._cards.next(book.state, under_way))
        return wanted

    def _first_chips(self, witness: Witness, book: HouseTable, wanted: Wanted) -> Wanted:
        """Return what must come before a wager that the player has no chips for: money, then chips."""
        under_way = book.state.round
        if not isinstance(wanted, PlaceWager | Play) or under_way is None:
            return wanted
        place = under_way.places.get(wanted.position)
        if place is None or wanted.amount <= book.chips(place.player):
            return wanted
        account: AccountState = witness.player(place.player)
        needed = max(STACK, wanted.amount)
        if account.cents < needed:
            return Deposit(cents=20 * needed, by=place.player, role="supervisor")
        if book.cents(book.accounts.tray) < needed:
            return FillTray(cents=FLOAT + needed, slip="fill", role="supervisor")
        return BuyIn(player=place.player, cents=needed, role="dealer")


def stream_of(table: str, wanted: Wanted) -> str:
    """Return the stream that a command made at a table is for."""
    return f"player/{wanted.by}" if isinstance(wanted, Deposit) else f"table/{table}"


def owner(book: HouseTable, wanted: Any) -> str:
    """Return the player whose own act a command is, or nobody."""
    if isinstance(wanted, TakeSeat | BuyIn):
        return wanted.player
    under_way = book.state.round
    place = None if under_way is None else under_way.places.get(getattr(wanted, "position", 0))
    return "" if place is None else place.player


def marker(book: HouseTable, wanted: Any) -> str:
    """Return the person who marked the win that a command is about, and who may not confirm it."""
    console = book.console
    if console is None:
        return ""
    if isinstance(wanted, CompleteDocument):
        staff = console.staff.get(wanted.position)
        return "" if staff is None else staff.marked_by
    confirms = isinstance(wanted, Press | TurnKey | SwipeCard) and console.mark is not None
    return console.mark.by if confirms and console.mark is not None else ""


class KeyedCards:
    """A deck for every round, made when it is known who is dealt in."""

    def __init__(self, chance: Random) -> None:
        """Begin without a deck."""
        self.chance = chance
        self._deck: tuple[int, tuple[int, ...], list[int]] = (-1, (), [])

    def next(self, state: TableState, under_way: RoundState) -> tuple[int, ...]:
        """Return the next cards."""
        dealt_in = under_way.dealt_in
        if self._deck[:2] != (state.number, dealt_in):
            order = list(DECK)
            self.chance.shuffle(order)
            if self.chance.random() < 0.75 and dealt_in:
                order = [*strong_deck(state.game, dealt_in, self.chance, state.method)]
            self._deck = (state.number, dealt_in, order)
        left = [card for card in self._deck[2] if card not in under_way.dealt_cards]
        return tuple(left[: upcoming_move(under_way).count])

"""Invariants checked after every commit: authors, cards, money, meters, wins, shuffles, streams."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from fourcard.cards import DECK_SET, DECK_SIZE
from fourcard.house import ledger
from fourcard.house.account_state import AccountState
from fourcard.house.auth.permissions import acting_roles
from fourcard.house.auth.security import SECURITY
from fourcard.house.auth.staff import StaffState
from fourcard.house.decision import HOUSE, STAFF, player_stream
from fourcard.house.events import (
    AdjustmentProposed,
    AwardLogged,
    BoughtIn,
    CashedOut,
    ChipsBought,
    ChipsReturned,
    ContributionsAdded,
    MeterAdjusted,
    RoundReversed,
    RoundSealed,
    SecretRevealed,
    ShuffleCommitted,
    ShuffleDrawn,
    SignAdjusted,
    TableInstalled,
    TableLinked,
    TableUnlinked,
    TrayCredited,
    TrayFilled,
)
from fourcard.house.meter_state import MeterState
from fourcard.house.shuffle_algorithm import ShuffleInput, order_of
from fourcard.house.store.interface import ReadTransaction, key_of
from fourcard.house.table_state import HouseTable
from fourcard.meter import UNITS_PER_CENT, Payment
from fourcard.money import Rounding
from fourcard.progressive.console import GameReset, WinLogged, WinMarked, WinUnmarked
from fourcard.round.events import (
    AwardPaid,
    CardsDealt,
    DocumentCompleted,
    FaceUpCardDiscarded,
    ProgressiveLocked,
    RoundVoided,
)
from fourcard.round.state import RoundState
from fourcard.table.events import DeckBrought, DeckOrdered, RoundBegan, TableClosed, TableOpened
from fourcard.table.state import TableState
from tests.kit.invariants import BrokenError, require
from tests.kit.meter_oracle import MeterOracle
from tests.storm.counts import Counts
from tests.storm.observer import NewEvents, ObservedEvent, Observer
from tests.storm.summary import EventCounter


class AuthorCheck:
    """Knows who is employed and who has an account."""

    def __init__(self, observer: Observer, counts: Counts) -> None:
        """Begin with nobody."""
        self.observer, self.counts = observer, counts
        self.moments: dict[str, int] = {}
        self._new_events: list[ObservedEvent] = []
        self._staffs = [StaffState()]
        """The staff as it was, and as it became since."""

    def on_event(self, observed: ObservedEvent) -> None:
        """Look at the moment that a table knows."""
        book = observed.after
        if isinstance(book, StaffState):
            self._staffs.append(book)
        if isinstance(book, HouseTable):
            last = self.moments.get(book.name, 0)
            require(book.state.at >= last, "a table's time ran backwards", observed.record)
            self.moments[book.name] = book.state.at
        self._new_events.append(observed)

    def after_batch(self, _reading: ReadTransaction, _events: NewEvents) -> None:
        """Find every author employed when this was last looked at or since, or a player."""
        for observed in self._new_events:
            record = observed.record
            if record.stream in (HOUSE, STAFF, SECURITY):
                continue
            actors = [each for each in (staff.actor(record.by) for staff in self._staffs) if each is not None]
            book = self.observer.books.get(player_stream(record.by))
            plays = record.role == "player" and isinstance(book, AccountState) and book.registered
            works = any(record.role in acting_roles(actor) for actor in actors)
            require(plays or works, "an event is by nobody who may", record)
            self.counts.checked["events by somebody who may"] += 1
        self._new_events.clear()
        del self._staffs[:-1]


class CardCheck:
    """Keeps the cards that left the deck in the round of each table."""

    def __init__(self, observer: Observer, counts: Counts) -> None:
        """Begin with every card in its deck."""
        self.observer, self.counts = observer, counts
        self.out: dict[str, set[int]] = {}

    def on_event(self, observed: ObservedEvent) -> None:
        """Take dealt cards off the deck."""
        event, stream = observed.event, observed.record.stream
        if isinstance(event, RoundBegan):
            self.out[stream] = set()
        elif isinstance(event, CardsDealt):
            self._take(stream, event.cards)
        elif isinstance(event, FaceUpCardDiscarded):
            self._take(stream, (event.card,))

    def _take(self, stream: str, cards: tuple[int, ...]) -> None:
        known = self.out[stream]
        fresh = len({*cards}) == len(cards) and known.isdisjoint(cards) and DECK_SET.issuperset(cards)
        require(fresh, "a card was dealt twice", stream, cards)
        known.update(cards)
        self.counts.checked["dealt cards distinct"] += len(cards)

    def after_batch(self, _reading: ReadTransaction, new_events: NewEvents) -> None:
        """Find every card of each deck in it or on the table."""
        for stream in new_events:
            book = self.observer.books.get(stream)
            if isinstance(book, HouseTable):
                self._check_decks(stream, book.state)

    def _check_decks(self, stream: str, state: TableState) -> None:
        out = set[int]()
        if state.round is not None:
            cards = [*state.round.cards_out()]
            out = {*cards}
            require(len(out) == len(cards), "a card lies on the table twice", stream, cards)
            require(out == self.out[stream], "other cards are out than were dealt", stream, out)
        for number, deck in enumerate(state.decks):
            gone = out if number == state.active else set[int]()
            whole = deck.left + len(gone) == DECK_SIZE
            if deck.order is not None:
                whole = whole and len(deck.order) == deck.left and {*deck.order} | gone == DECK_SET
            require(whole, "a deck is not whole", stream, number, deck, gone)
            self.counts.checked["decks whole"] += 1


METER_CHECKS: dict[type, str] = {
    AwardLogged: "wins numbered and priced at the meter as it stood",
    SignAdjusted: "wins paid once, as logged",
    RoundReversed: "void rounds reversed to the unit",
    MeterAdjusted: "adjustments approved by another person",
}
"""By event, what the oracle checks of it."""


class MeterCheck:
    """Recomputes every meter, and compares state, journal and ledger with it."""

    def __init__(self, observer: Observer, counts: Counts) -> None:
        """Begin without a meter."""
        self.observer, self.counts = observer, counts
        self.meters: dict[str, MeterOracle] = {}
        self.locked: dict[tuple[str, str], int] = {}
        """By meter and table, the cents that were locked in at the table."""

    def on_event(self, observed: ObservedEvent) -> None:
        """Follow an event of a meter; of a table, note what was locked in for its meter."""
        event, book = observed.event, observed.after
        if isinstance(book, HouseTable) and isinstance(event, ProgressiveLocked) and book.meter:
            place = (book.meter, book.name)
            self.locked[place] = self.locked.get(place, 0) + sum(stake for _, stake in event.stakes)
        elif isinstance(book, MeterState):
            self._apply(self.meters.setdefault(book.name, MeterOracle(book.name)), observed)

    def _apply(self, oracle: MeterOracle, observed: ObservedEvent) -> None:
        """Let the oracle follow an event, whose author is the person that it names."""
        event, by = observed.event, observed.record.by
        if isinstance(event, AwardLogged):
            require(event.confirmed_by == by, "a win was confirmed by another person", event, by)
        elif isinstance(event, AdjustmentProposed | MeterAdjusted):
            require(event.by == by, "an adjustment is by another person", event, by)
        elif isinstance(event, RoundReversed):
            self.counts.seen["void rounds with a win"] += bool(oracle.wins_of((event.table, event.round)))
        oracle.apply(event)
        if type(event) in METER_CHECKS:
            self.counts.checked[METER_CHECKS[type(event)]] += 1

    def after_batch(self, reading: ReadTransaction, new_events: NewEvents) -> None:
        """Find every meter that moved where it must be, in the books of the desk and in the ledger."""
        balances = reading.balances()
        for name, known in self.meters.items():
            for account, units in known.accounts().items():
                require(balances.get(account, 0) == units, "the ledger has another meter", account, units)
            self.counts.checked["meters equal to the ledger"] += 1
            if f"meter/{name}" in new_events:
                known.compare(self.observer.meter(name))
                self.counts.checked["meters whose law holds to the unit"] += 1
                self._check_stakes(known)

    def _check_stakes(self, known: MeterOracle) -> None:
        """Find no stake lost and none added twice: what a table locked in is what the meter heard of."""
        mine = Counter({table: cents for (meter, table), cents in self.locked.items() if meter == known.name})
        require(mine == known.wagered, "stakes were lost or doubled", known.name, mine, known.wagered)
        self.counts.checked["stakes added as they were locked in"] += 1


OWED_BY_NOBODY = ("player/", "chips/", "layout/", "drop/", "meter/", "reserve/", "prizes/")
"""Accounts that never fall below nothing."""


class MoneyCheck:
    """Follows every account by the events alone, and finds the same in the store and in each round."""

    def __init__(self, observer: Observer, counts: Counts) -> None:
        """Begin with no money anywhere."""
        self.observer, self.counts = observer, counts
        self.ledger: dict[str, int] = {}
        self._moved: set[str] = set()
        """Accounts that the news moved."""
        self.tables: dict[str, dict[str, int]] = {}
        """By table, what its events moved into every account."""
        self.began: dict[str, dict[str, int]] = {}
        """By table, the same when its last round began, and what moved besides since then."""

    def on_event(self, observed: ObservedEvent) -> None:
        """Move what an event moved."""
        books = [self.ledger]
        if isinstance(observed.after, HouseTable):
            books.append(self.tables.setdefault(observed.after.name, {}))
        for move in observed.moved:
            require(move.units > 0, "a movement of nothing", move)
            for units in books:
                _add(units, move.giver, -move.units)
                _add(units, move.taker, move.units)
            self._moved |= {move.giver, move.taker}
        if isinstance(observed.after, HouseTable):
            self._follow(observed.after, observed.event)

    def _follow(self, book: HouseTable, event: object) -> None:
        """Keep what the accounts of a table would hold if the round had not been."""
        if isinstance(event, RoundBegan):
            self.began[book.name] = dict(self.tables[book.name])
            return
        if isinstance(event, TableClosed):
            self.began.pop(book.name, None)
        base, names = self.began.get(book.name), book.accounts
        if base is None:
            return
        if isinstance(event, BoughtIn):
            _add(base, names.chips(event.player), event.cents * UNITS_PER_CENT)
            _add(base, names.tray, -event.cents * UNITS_PER_CENT)
        elif isinstance(event, CashedOut):
            _add(base, names.chips(event.player), -event.cents * UNITS_PER_CENT)
        elif isinstance(event, TrayFilled):
            _add(base, names.tray, event.cents * UNITS_PER_CENT)
        elif isinstance(event, TrayCredited):
            _add(base, names.tray, -event.cents * UNITS_PER_CENT)

    def after_batch(self, reading: ReadTransaction, new_events: NewEvents) -> None:
        """Compare the store's balances with the events', and each state that moved with both."""
        balances = reading.balances()
        mine = {account: units for account, units in self.ledger.items() if units}
        if balances != mine:
            raise BrokenError(f"the ledger is not the journal's: {difference(balances, mine)}")
        require(sum(balances.values()) == 0, "money came from nowhere", sum(balances.values()))
        for account in self._moved:
            units = balances.get(account, 0)
            require(units >= 0 or not account.startswith(OWED_BY_NOBODY), "an account owes", account, units)
        self.counts.checked["balances conserved and as the journal says"] += 1
        for stream in new_events:
            book = self.observer.books.get(stream)
            if isinstance(book, HouseTable):
                self._check_table(book)
            elif isinstance(book, AccountState):
                self._check_account(ledger.player_account(book.player), book.cents * UNITS_PER_CENT)
            elif isinstance(book, MeterState):
                self._check_account(ledger.meter_account(book.name), book.amounts.amount)
                self._check_account(ledger.reserve_account(book.name), book.amounts.reserve)
                self._check_account(ledger.prizes_account(book.name), book.owed)
        self._moved.clear()

    def _check_account(self, account: str, units: int) -> None:
        held = self.ledger.get(account, 0)
        require(held == units, "a state holds another amount than the ledger", account, held, units)
        self.counts.checked["accounts equal to their state"] += 1

    def _check_table(self, book: HouseTable) -> None:
        """Find on the layout, in pockets and tray what the game itself says of the round."""
        state = book.state
        for account in self._moved:
            if account in book.accounts.used_accounts:
                self._check_account(account, book.balances.get(account, 0))
        lying = sum(units for account, units in book.balances.items() if account.startswith("layout/"))
        current_round = 0 if state.round is None else state.round.layout * UNITS_PER_CENT
        require(lying == current_round, "the layout holds another amount", book.name, lying, current_round)
        last = state.round or state.last_round
        if last is not None and book.name in self.began:
            self._check_round(book, last, self.began[book.name])

    def _check_round(self, book: HouseTable, last: RoundState, base: Mapping[str, int]) -> None:
        """Find that chips, tray and meter changed by what the round says, however it was posted.

        What the meter pays comes out of the prizes that are owed, and goes back to the meter if it is void.
        """
        names, moved = book.accounts, self.tables[book.name]
        gained: dict[tuple[str, ...], int] = {
            (names.tray,): last.tray_change,
            (names.meter, names.prizes): last.meter_change,
        }
        for position, place in last.positions.items():
            pocket = (names.chips(place.player),)
            gained[pocket] = gained.get(pocket, 0) + last.net_changes.get(position, 0)
        for account, cents in gained.items():
            expected = sum(base.get(each, 0) for each in account) + cents * UNITS_PER_CENT
            found = sum(moved.get(each, 0) for each in account)
            require(found == expected, "a round moved another amount", account, found, expected)
        self.counts.checked["rounds equal to their postings"] += 1


def _add(units: dict[str, int], account: str, more: int) -> None:
    units[account] = units.get(account, 0) + more


def difference(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return where two balances differ."""
    names = sorted({*one, *other})
    pairs = {name: (one.get(name, 0), other.get(name, 0)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


class StreamPairCheck:
    """Counts what tables say of accounts and meters against what those say of tables."""

    def __init__(self, counts: Counts) -> None:
        """Begin with nothing open."""
        self.counts = counts
        self.open: Counter[tuple[Any, ...]] = Counter()
        self.touched: set[tuple[str, int]] = set()
        """Rounds that brought something to a meter or took something from it."""

    def on_event(self, observed: ObservedEvent) -> None:
        """Count an event on its side."""
        name = observed.record.stream.partition("/")[2]
        if isinstance(observed.after, HouseTable):
            for fact in (
                *self._table_facts(name, observed.after, observed.event),
                *_link_facts(name, observed),
            ):
                self.open[fact] += 1
        else:
            for fact in _other_facts(name, observed.event):
                self.open[fact] -= 1

    def _table_facts(self, table: str, book: HouseTable, event: object) -> list[tuple[Any, ...]]:
        if isinstance(event, BoughtIn):
            return [("bought", table, event.player, event.cents)]
        if isinstance(event, CashedOut):
            return [("cashed", table, event.player, event.cents)]
        return self._meter_facts(table, book, event) if book.meter else []

    def _meter_facts(self, table: str, book: HouseTable, event: object) -> list[tuple[Any, ...]]:
        place = (book.meter, table, book.state.round_number)
        if isinstance(event, ProgressiveLocked) and event.stakes:
            self.touched.add((table, book.state.round_number))
            return [("stakes", *place, tuple(stake for _, stake in event.stakes))]
        if isinstance(event, WinLogged):
            return [("win", *place, _shared_facts(event))]
        if isinstance(event, AwardPaid):
            self.touched.add((table, book.state.round_number))
            return [("award", *place, event.payment)]
        if isinstance(event, RoundVoided) and (table, book.state.round_number) in self.touched:
            return [("void", *place)]
        return []

    def after_batch(self, _reading: ReadTransaction, _new_events: NewEvents) -> None:
        """Find that nothing is on one side only."""
        halves = {fact: count for fact, count in self.open.items() if count}
        require(not halves, "one stream has what another lacks", halves)
        self.counts.checked["pairs of events in two streams"] += len(self.open)
        self.open.clear()


def _other_facts(name: str, event: object) -> list[tuple[Any, ...]]:
    facts = _FACTS.get(type(event))
    return [] if facts is None else [facts(name, event)]


def _stake_facts(name: str, event: ContributionsAdded) -> tuple[Any, ...]:
    whole = [part.to_meter + part.to_reserve + part.to_house for part in event.parts]
    return "stakes", name, event.table, event.round, tuple(each // UNITS_PER_CENT for each in whole)


def _link_facts(table: str, observed: ObservedEvent) -> list[tuple[Any, ...]]:
    """Return what a table that is set up says of the meters that it had and has."""
    if not isinstance(observed.event, TableInstalled):
        return []
    before = observed.before.meter if isinstance(observed.before, HouseTable) else ""
    after = observed.event.meter
    changes = (("unlinked", before, table), ("linked", after, table))
    return [each for each in changes if each[1] and before != after]


def _shared_facts(win: WinLogged | AwardLogged) -> tuple[Any, ...]:
    """Return what a table and its meter must say alike of a win."""
    amounts = win.payment, win.before, win.after
    people = win.player, win.marked_by, win.confirmed_by, win.confirmed_as
    return win.position, win.row, *amounts, *people, win.cards


_FACTS: dict[type, Callable[[str, Any], tuple[Any, ...]]] = {
    ChipsBought: lambda name, event: ("bought", event.table, name, event.cents),
    ChipsReturned: lambda name, event: ("cashed", event.table, name, event.cents),
    ContributionsAdded: _stake_facts,
    AwardLogged: lambda name, event: ("win", name, event.table, event.round, _shared_facts(event)),
    SignAdjusted: lambda name, event: ("award", name, event.table, event.round, event.payment),
    RoundReversed: lambda name, event: ("void", name, event.table, event.round),
    TableLinked: lambda name, event: ("linked", name, event.table),
    TableUnlinked: lambda name, event: ("unlinked", name, event.table),
}
"""By event, what accounts and meters say of tables."""


@dataclass(slots=True)
class _Shuffles:
    """What is public of one table's shuffles."""

    commitments: dict[int, str] = field(default_factory=dict)
    drawn: dict[int, ShuffleDrawn] = field(default_factory=dict)
    orders: dict[int, tuple[int, ...]] = field(default_factory=dict)
    revealed: set[int] = field(default_factory=set)
    of_deck: dict[int, int] = field(default_factory=dict)
    """By deck, the shuffle that gave it its order."""
    seals: set[int] = field(default_factory=set)
    """The secrets that seal rounds whose cards are keyed in."""


class SecretCheck:
    """Follows every commitment to its end."""

    def __init__(self, observer: Observer, counts: Counts) -> None:
        """Begin with no shuffle."""
        self.observer, self.counts = observer, counts
        self.tables: dict[str, _Shuffles] = {}
        self.hidden: dict[tuple[str, int], str] = {}
        """The commitments whose secrets are not public."""
        self.secrets: dict[tuple[str, int], bytes] = {}
        self._hidden: tuple[bytes, ...] = ()

    def on_event(self, observed: ObservedEvent) -> None:
        """Look at an event of a table."""
        body = observed.record.body
        if not isinstance(observed.event, SecretRevealed):
            leaked = any(secret in body for secret in self._hidden)
            require(not leaked, "a secret stands in the journal", observed.record)
        if isinstance(observed.after, HouseTable):
            shuffles = self.tables.setdefault(observed.record.stream, _Shuffles())
            self._follow(shuffles, observed.after, observed.event)
            if isinstance(observed.event, ShuffleCommitted):
                self.hidden[observed.record.stream, observed.event.shuffle] = observed.event.commitment
            elif isinstance(observed.event, RoundSealed):
                self.hidden[observed.record.stream, observed.event.number] = observed.event.commitment
            elif isinstance(observed.event, SecretRevealed):
                self.hidden.pop((observed.record.stream, observed.event.shuffle), None)

    def _follow(self, shuffles: _Shuffles, book: HouseTable, event: object) -> None:
        if isinstance(event, ShuffleCommitted):
            require(event.shuffle == len(shuffles.commitments) + 1, "a shuffle has another number", book.name)
            shuffles.commitments[event.shuffle] = event.commitment
        elif isinstance(event, RoundSealed):
            require(event.number == len(shuffles.commitments) + 1, "a seal has another number", book.name)
            require(book.card_source == "keyed", "a round of a shuffled deck is sealed alone", book.name)
            shuffles.commitments[event.number] = event.commitment
            shuffles.seals.add(event.number)
        elif isinstance(event, ShuffleDrawn):
            fresh = event.shuffle in shuffles.commitments and event.shuffle not in shuffles.drawn
            require(fresh, "a shuffle was drawn twice, or before it was committed to", book.name, event)
            require(event.shuffle not in shuffles.revealed, "a public secret was used", book.name, event)
            shuffles.drawn[event.shuffle] = event
            shuffles.of_deck[event.deck] = event.shuffle
        elif isinstance(event, DeckOrdered):
            number = shuffles.of_deck[event.deck]
            require(number not in shuffles.orders, "an order without a shuffle", book.name, event)
            shuffles.orders[number] = event.order
        elif isinstance(event, SecretRevealed):
            self._check_revealed(shuffles, book, event)
        elif isinstance(event, TableOpened):
            shuffles.of_deck.clear()
        elif isinstance(event, DeckBrought):
            shuffles.of_deck.pop(event.deck, None)
        elif isinstance(event, CardsDealt | FaceUpCardDiscarded):
            self._check_dealt(shuffles, book)

    def _check_revealed(self, shuffles: _Shuffles, book: HouseTable, event: SecretRevealed) -> None:
        """Find the secret to be the one that was committed to, and none of its cards in play."""
        number, secret = event.shuffle, bytes.fromhex(event.secret)
        require(number not in shuffles.revealed, "a secret was revealed twice", book.name, number)
        commitment = sha256(secret).hexdigest()
        require(commitment == shuffles.commitments[number], "another secret was revealed", book.name, number)
        shuffles.revealed.add(number)
        self.counts.checked["secrets revealed in time"] += 1
        if number in shuffles.seals:
            dealt = book.state.round is not None and book.state.round.dealt_mask
            require(not dealt, "a seal was opened while its round was under way", book.name, number)
            self.counts.checked["sealed rounds opened"] += 1
            return
        drawn = shuffles.drawn.get(number)
        if drawn is None:
            require(number == book.shuffle_number - 1, "an unused secret was revealed", book.name, number)
            self.counts.checked["shuffles discarded after their seeds"] += 1
            return
        shuffle = ShuffleInput(book.name, number, drawn.seeds, drawn.round, drawn.withheld)
        order = order_of(secret, shuffle)
        require(order == shuffles.orders[number], "another order was dealt", book.name, number)
        self.counts.checked["seeds in shuffles"] += len(drawn.seeds)
        self.counts.checked["seeds withheld"] += len(drawn.withheld)
        state = book.state
        in_play = state.round is not None and state.round.dealt_mask and state.active == drawn.deck
        lies = in_play and shuffles.of_deck.get(drawn.deck) == number
        require(not lies, "a secret was revealed while its cards were in play", book.name, number)

    def _check_dealt(self, shuffles: _Shuffles, book: HouseTable) -> None:
        """Find cards dealt only from a deck whose order nobody can know."""
        number = shuffles.of_deck.get(book.state.active)
        known = number is not None and number in shuffles.revealed
        require(not known, "cards were dealt from a shuffle whose secret is public", book.name, number)
        missing = number is None and book.card_source == "built-in"
        require(not missing, "cards were dealt from a deck that was not shuffled", book.name)
        unsealed = book.card_source == "keyed" and book.shuffle_in_play is None
        require(not unsealed, "cards were keyed in without a seal", book.name)
        self.counts.checked["deals from an unrevealed shuffle"] += 1

    def after_batch(self, reading: ReadTransaction, new_events: NewEvents) -> None:
        """Find exactly the secrets kept that are not public yet, and an order for every shuffle."""
        for stream in new_events:
            shuffles = self.tables.get(stream)
            if shuffles is not None:
                idle = shuffles.drawn.keys() - shuffles.orders.keys()
                require(not idle, "a shuffle was drawn that gave no deck its order", stream, idle)
        key, command = key_of(reading), self.hidden
        kept = {place: key.open(*place, sealed) or b"" for place, sealed in reading.secrets().items()}
        require(
            kept.keys() == command.keys(),
            "other secrets are kept than are hidden",
            kept.keys() ^ command.keys(),
        )
        for place in kept.keys() - self.secrets.keys():
            held = sha256(kept[place]).hexdigest()
            require(held == command[place], "a kept secret is not the committed one", place)
        if kept != self.secrets:
            self.secrets = dict(kept)
            self._hidden = tuple(secret.hex().encode() for secret in kept.values())
        self.counts.checked["kept secrets are the hidden ones"] += 1


@dataclass(slots=True)
class _Game:
    """What one table's console must remember of a game."""

    locked: bool = False
    """Whether wagers were locked in and the game was not ended since."""
    mark: tuple[int, str, str] | None = None
    """The position and the hand that are marked, and by whom."""
    logged: tuple[int, Payment] | None = None
    marked_by: dict[int, str] = field(default_factory=dict)
    """By position, who marked a win that was logged in this game."""


class WinCheck:
    """Follows each winner's confirmation by the authors of its events."""

    def __init__(self, counts: Counts) -> None:
        """Begin with no game."""
        self.counts = counts
        self.games: dict[str, _Game] = {}

    def on_event(self, observed: ObservedEvent) -> None:
        """Look at an event of a table with a console."""
        before, after = observed.before, observed.after
        if isinstance(observed.event, TableInstalled):
            self.games[observed.record.stream] = _Game()
        elif isinstance(after, HouseTable) and after.console is not None:
            assert isinstance(before, HouseTable)
            self._follow(self.games[observed.record.stream], observed, before)

    def _follow(self, game: _Game, observed: ObservedEvent, before: HouseTable) -> None:
        event, by = observed.event, observed.record.by
        if isinstance(event, RoundBegan):
            require(not game.locked, "a round began before the game was ended", observed.record)
        elif isinstance(event, ProgressiveLocked):
            self._check_locked(game, event, before)
        elif isinstance(event, WinMarked):
            require(game.mark is None and event.by == by, "a win was marked over another", observed.record)
            game.mark = (event.position, event.row, by)
        elif isinstance(event, WinUnmarked):
            game.mark = None
        elif isinstance(event, WinLogged):
            self._check_logged(game, event, before, observed)
        elif isinstance(event, AwardPaid):
            self._check_paid(game, event, by)
        elif isinstance(event, DocumentCompleted):
            require(
                game.marked_by.get(event.position) != by, "one person marked and documented", observed.record
            )
        elif isinstance(event, RoundVoided):
            self._check_voided(game, before, observed)
        elif isinstance(event, GameReset):
            self.games[observed.record.stream] = _Game()

    def _check_locked(self, game: _Game, event: ProgressiveLocked, before: HouseTable) -> None:
        linked = before.console is None or before.console.linked
        require(linked or not event.stakes, "stakes were locked in over a lost link", before.name, event)
        game.locked = True

    def _check_logged(
        self, game: _Game, event: WinLogged, before: HouseTable, observed: ObservedEvent
    ) -> None:
        """Find a win confirmed by another person than marked it, at the price that its row is worth."""
        by, role = observed.record.by, observed.record.role
        mark = (event.position, event.row, event.marked_by)
        require(game.mark == mark, "a win was logged that nobody marked so", game.mark, event)
        people = (event.confirmed_by, event.confirmed_as) == (by, role) and by != event.marked_by
        require(people, "one person marked and confirmed", observed.record, event)
        require(before.console is not None and before.console.linked, "a win came over a lost link", event)
        self._check_price(event, before)
        game.logged, game.marked_by[event.position] = (event.position, event.payment), event.marked_by
        self.counts.checked["wins confirmed by another person"] += 1

    def _check_price(self, event: WinLogged, before: HouseTable) -> None:
        current_round, choice = before.state.round, before.state.game.submission.progressive
        assert current_round is not None
        assert choice is not None
        assert before.console is not None
        stake = dict(current_round.locked_stakes or ())[event.position]
        rows = before.state.game.tables["progressive"].pays
        odds = next(odds for row, odds in rows.items() if row == event.row)
        worth = odds.pays(stake, Rounding.DOWN, event.before)
        require(event.payment.amount == worth, "a win is worth another amount", event, worth)
        place = current_round.positions[event.position]
        require((event.player, event.cards) == (place.player, place.cards), "another's win", event, place)
        level = choice.executive_threshold
        large = before.console.kind == "touch" and level is not None and worth >= level
        require(not large or event.confirmed_as == "executive", "nobody of rank confirmed", event)

    def _check_paid(self, game: _Game, event: AwardPaid, by: str) -> None:
        """Find an award paid that was logged just so, and by another person than marked it."""
        require(game.logged == (event.position, event.payment), "an award nobody logged", game.logged, event)
        require(by != game.marked_by[event.position], "one person marked and paid", by, event)
        game.mark = game.logged = None

    def _check_voided(self, game: _Game, before: HouseTable, observed: ObservedEvent) -> None:
        """Find a round with a win voided by somebody who may confirm wins, and who marked none of them."""
        assert before.state.round is not None
        by, role = observed.record.by, observed.record.role
        marked = {*game.marked_by.values()} | ({game.mark[2]} if game.mark is not None else set())
        if before.state.round.awaited_step is not None or marked:
            require(role != "dealer" and by not in marked, "a win was voided by who may not", observed.record)
            self.counts.checked["rounds with a win voided by who may"] += 1
        game.mark = game.logged = None

    def after_batch(self, _reading: ReadTransaction, _new_events: NewEvents) -> None:
        """Look at nothing more."""


def checking_observer(counts: Counts) -> Observer:
    """Return a witness that looks at everything."""
    observer = Observer(counts)
    observer.checks += [
        MoneyCheck(observer, counts),
        CardCheck(observer, counts),
        SecretCheck(observer, counts),
        StreamPairCheck(counts),
        MeterCheck(observer, counts),
        WinCheck(counts),
        AuthorCheck(observer, counts),
        EventCounter(counts),
    ]
    return observer

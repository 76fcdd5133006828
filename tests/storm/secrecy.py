"""Shuffles under watch: committed to, drawn once, and their secrets unseen while their cards may be dealt."""

from dataclasses import dataclass, field
from hashlib import sha256

from fourcard.house.events import SecretRevealed, ShuffleCommitted, ShuffleDrawn
from fourcard.house.fairness import order_of
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded
from fourcard.table.events import DeckBrought, StepPrepared, TableOpened
from tests.storm.tally import Tally, demand
from tests.storm.witness import News, Seen, Witness


@dataclass(slots=True)
class _Shuffles:
    """What is public of one table's shuffles."""

    commitments: dict[int, str] = field(default_factory=dict)
    drawn: dict[int, ShuffleDrawn] = field(default_factory=dict)
    orders: dict[int, tuple[int, ...]] = field(default_factory=dict)
    revealed: set[int] = field(default_factory=set)
    of_deck: dict[int, int] = field(default_factory=dict)
    """By deck, the shuffle that gave it its order."""


class SecrecyWatch:
    """Follows every commitment to its end."""

    def __init__(self, witness: Witness, tally: Tally) -> None:
        """Begin with no shuffle."""
        self.witness, self.tally = witness, tally
        self.tables: dict[str, _Shuffles] = {}
        self.hidden: dict[tuple[str, int], str] = {}
        """The commitments whose secrets are not public."""
        self.secrets: dict[tuple[str, int], bytes] = {}
        self._hidden: tuple[bytes, ...] = ()

    def saw(self, seen: Seen) -> None:
        """Look at an event of a table."""
        body = seen.record.body
        if not isinstance(seen.event, SecretRevealed):
            leaked = any(secret in body for secret in self._hidden)
            demand(not leaked, "a secret stands in the journal", seen.record)
        if isinstance(seen.after, TableBook):
            shuffles = self.tables.setdefault(seen.record.stream, _Shuffles())
            self._follow(shuffles, seen.after, seen.event)
            if isinstance(seen.event, ShuffleCommitted):
                self.hidden[seen.record.stream, seen.event.shuffle] = seen.event.commitment
            elif isinstance(seen.event, SecretRevealed):
                self.hidden.pop((seen.record.stream, seen.event.shuffle), None)

    def _follow(self, shuffles: _Shuffles, book: TableBook, event: object) -> None:
        if isinstance(event, ShuffleCommitted):
            demand(event.shuffle == len(shuffles.commitments) + 1, "a shuffle has another number", book.table)
            shuffles.commitments[event.shuffle] = event.commitment
        elif isinstance(event, ShuffleDrawn):
            fresh = event.shuffle in shuffles.commitments and event.shuffle not in shuffles.drawn
            demand(fresh, "a shuffle was drawn twice, or before it was committed to", book.table, event)
            demand(event.shuffle not in shuffles.revealed, "a public secret was used", book.table, event)
            shuffles.drawn[event.shuffle] = event
            shuffles.of_deck[event.deck] = event.shuffle
        elif isinstance(event, StepPrepared) and event.order is not None:
            number = shuffles.of_deck[event.deck]
            demand(number not in shuffles.orders, "an order without a shuffle", book.table, event)
            shuffles.orders[number] = event.order
        elif isinstance(event, SecretRevealed):
            self._revealed(shuffles, book, event)
        elif isinstance(event, TableOpened):
            shuffles.of_deck.clear()
        elif isinstance(event, DeckBrought):
            shuffles.of_deck.pop(event.deck, None)
        elif isinstance(event, CardsDealt | FaceUpCardDiscarded):
            self._dealt(shuffles, book)

    def _revealed(self, shuffles: _Shuffles, book: TableBook, event: SecretRevealed) -> None:
        """Find the secret to be the one that was committed to, and none of its cards in play."""
        number, secret = event.shuffle, bytes.fromhex(event.secret)
        demand(number not in shuffles.revealed, "a secret was revealed twice", book.table, number)
        commitment = sha256(secret).hexdigest()
        demand(commitment == shuffles.commitments[number], "another secret was revealed", book.table, number)
        drawn = shuffles.drawn[number]
        if number in shuffles.orders:
            order = order_of(secret, book.table, number, drawn.seeds)
            demand(order == shuffles.orders[number], "another order was dealt", book.table, number)
        state = book.state
        in_play = state.round is not None and state.round.out and state.active == drawn.deck
        lies = in_play and shuffles.of_deck.get(drawn.deck) == number
        demand(not lies, "a secret was revealed while its cards were in play", book.table, number)
        shuffles.revealed.add(number)
        self.tally.checked["secrets revealed in time"] += 1

    def _dealt(self, shuffles: _Shuffles, book: TableBook) -> None:
        """Find cards dealt only from a deck whose order nobody can know."""
        number = shuffles.of_deck.get(book.state.active)
        known = number is not None and number in shuffles.revealed
        demand(not known, "cards were dealt from a shuffle whose secret is public", book.table, number)
        missing = number is None and book.cards == "built-in"
        demand(not missing, "cards were dealt from a deck that was not shuffled", book.table)
        self.tally.checked["deals from an unrevealed shuffle"] += 1

    def rest(self, reading: Reading, news: News) -> None:
        """Find exactly the secrets kept that are not public yet, and an order for every shuffle."""
        for stream in news:
            shuffles = self.tables.get(stream)
            if shuffles is not None:
                idle = shuffles.drawn.keys() - shuffles.orders.keys()
                demand(not idle, "a shuffle was drawn that gave no deck its order", stream, idle)
        kept, wanted = reading.secrets(), self.hidden
        demand(
            kept.keys() == wanted.keys(),
            "other secrets are kept than are hidden",
            kept.keys() ^ wanted.keys(),
        )
        for place in kept.keys() - self.secrets.keys():
            held = sha256(kept[place]).hexdigest()
            demand(held == wanted[place], "a kept secret is not the committed one", place)
        if kept != self.secrets:
            self.secrets = dict(kept)
            self._hidden = tuple(secret.hex().encode() for secret in kept.values())
        self.tally.checked["kept secrets are the hidden ones"] += 1

"""Cards under watch: each of a round once, none out of nowhere, none lost."""

from fourcard.cards import DECK_SET, DECK_SIZE
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from fourcard.round.events import CardsDealt, FaceUpCardDiscarded
from fourcard.table.events import RoundBegan
from fourcard.table.state import TableState
from tests.storm.tally import Tally, demand
from tests.storm.witness import News, Seen, Witness


class CardsWatch:
    """Keeps the cards that left the deck in the round of each table."""

    def __init__(self, witness: Witness, tally: Tally) -> None:
        """Begin with every card in its deck."""
        self.witness, self.tally = witness, tally
        self.out: dict[str, set[int]] = {}

    def saw(self, seen: Seen) -> None:
        """Take dealt cards off the deck."""
        event, stream = seen.event, seen.record.stream
        if isinstance(event, RoundBegan):
            self.out[stream] = set()
        elif isinstance(event, CardsDealt):
            self._take(stream, event.cards)
        elif isinstance(event, FaceUpCardDiscarded):
            self._take(stream, (event.card,))

    def _take(self, stream: str, cards: tuple[int, ...]) -> None:
        known = self.out[stream]
        fresh = len({*cards}) == len(cards) and known.isdisjoint(cards) and DECK_SET.issuperset(cards)
        demand(fresh, "a card was dealt twice", stream, cards)
        known.update(cards)
        self.tally.checked["dealt cards distinct"] += len(cards)

    def rest(self, _reading: Reading, news: News) -> None:
        """Find every card of each deck in it or on the table."""
        for stream in news:
            book = self.witness.books.get(stream)
            if isinstance(book, TableBook):
                self._look(stream, book.state)

    def _look(self, stream: str, state: TableState) -> None:
        out = set[int]()
        if state.round is not None:
            cards = [*state.round.cards_out()]
            out = {*cards}
            demand(len(out) == len(cards), "a card lies on the table twice", stream, cards)
            demand(out == self.out[stream], "other cards are out than were dealt", stream, out)
        for number, deck in enumerate(state.decks):
            gone = out if number == state.active else set[int]()
            whole = deck.left + len(gone) == DECK_SIZE
            if deck.order is not None:
                whole = whole and len(deck.order) == deck.left and {*deck.order} | gone == DECK_SET
            demand(whole, "a deck is not whole", stream, number, deck, gone)
            self.tally.checked["decks whole"] += 1

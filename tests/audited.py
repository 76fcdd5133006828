"""Houses to be audited: a small one in which everything happened once, and what can happen in others."""

import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from fourcard.house import writing
from fourcard.house.commands import BuyIn, CashOut, ChooseSeed, CollectDrop, CountTray, Withdraw
from fourcard.house.house import House
from fourcard.house.outcome import player_stream
from fourcard.house.signing import Anchor, HouseKey
from fourcard.house.store.contract import Store
from fourcard.house.store.copying import copy_house
from fourcard.house.store.memory import MemoryStore
from fourcard.house.store.sql import open_store
from fourcard.round.commands import CallOff, ReportIrregularity
from fourcard.table.commands import CloseTable
from tests.forging import Forger
from tests.houses import TestHouse, play_keyed, player
from tests.strong_hands import strong_deck

KEY = HouseKey(bytes(range(32)))
PLAYERS = ("ann", "bob", "cid")
AWARDED = (9, 10, 11)
"""Seeds of decks that win awards of the meter."""
SNAPSHOT_EVERY = 60
"""Snapshots come often, so that a small house has some."""


class Founded(TestHouse):
    """A house with a key, whose clock goes on with every command."""

    def __init__(self, store: Store, seed: int = 1) -> None:
        """Found it."""
        super().__init__(store, seed)
        self.house = House(store, KEY, self.clock, self.entropy)

    def do(self, stream: str, command: object, *actors: Any) -> Any:
        """Do a command, a second after the one before."""
        self.clock.at += 1_000
        return super().do(stream, command, *actors)

    def sign(self) -> None:
        """Sign the heads."""
        self.clock.at += 1_000
        self.house.sign()

    def anchor(self) -> Anchor:
        """Return an anchor of this moment."""
        self.clock.at += 1_000
        return self.house.anchor()


def small_house(store: Store) -> tuple[Founded, Anchor]:
    """Return a house in which everything happened once, signed in its middle, and an anchor of its end.

    Table ``one`` is dealt from the house's own shuffles and has a meter, ``two`` is plain, the cards of
    ``three`` are keyed in and win awards of the meter of ``one``.
    """
    made = Founded(store)
    with patch.object(writing, "SNAPSHOT_EVERY", SNAPSHOT_EVERY):
        made.staff()
        made.register(*PLAYERS)
        made.install("one", "maryland-everything")
        made.install("two", "massachusetts")
        made.install("three", "maryland-everything", cards="keyed", meter="one")
        for table in ("one", "two", "three"):
            made.open(table)
            made.seat(table, PLAYERS)
        made.at("one", ChooseSeed(player="ann", seed="apples"), player("ann"))
        play(made, "one", 2)
        play(made, "two", 2)
        made.sign()
        play(made, "two", 1)
        play_strong(made, "three")
        play(made, "one", 1)
        void(made, "one")
        made.at("two", CashOut(player="bob", cents=1_000), player("bob"))
        made.do(player_stream("bob"), Withdraw(cents=500, role="supervisor"))
    return made, made.anchor()


def play(made: TestHouse, table: str, rounds: int) -> None:
    """Let bots play."""
    made.play(made.rehearsal(table, PLAYERS, seed=rounds, keys=f"k{made.number(table)}"), rounds)


def play_strong(made: TestHouse, table: str, seeds: Iterable[int] = AWARDED) -> None:
    """Play rounds with keyed cards that win awards of the meter."""
    for seed in seeds:
        state = made.book(table).state
        order = strong_deck(state.game, state.seats, Random(seed), state.method)
        play_keyed(made, table, PLAYERS, order, f"strong{seed}", seed=seed)


def void(made: TestHouse, table: str) -> None:
    """Begin a round, deal it, and find a hand with a wrong number of cards."""
    bots = made.rehearsal(table, PLAYERS, seed=99, keys=f"void{made.number(table)}")
    while (under_way := made.book(table).state.round) is None or under_way.phase != "deciding":
        made.step(bots)
    made.at(table, ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=7))


def call_off(made: TestHouse, table: str) -> None:
    """Begin a round, and call it off with wagers on the layout."""
    bots = made.rehearsal(table, PLAYERS, seed=98, keys=f"off{made.number(table)}")
    while (under_way := made.book(table).state.round) is None or not any(
        place.wagers for place in under_way.places.values()
    ):
        made.step(bots)
    made.at(table, CallOff(role="floorperson"))


def close(made: TestHouse, table: str) -> None:
    """Close a table, and count what is there, a dollar less than there should be."""
    made.at(table, CloseTable(role="floorperson"))
    book = made.book(table)
    tray, drop = book.cents(book.names.tray), book.cents(book.names.drop)
    made.at(table, CountTray(occasion="closing", cents=tray - 100, role="floorperson"))
    made.at(table, CollectDrop(cents=drop, role="supervisor"))


def buy(made: TestHouse, table: str, name: str, cents: int) -> None:
    """Sell chips to a player."""
    made.at(table, BuyIn(player=name, cents=cents), player(name))


class Original:
    """A house as it really was, to be copied and forged."""

    def __init__(self) -> None:
        """Play a small house, and keep it as a file would be."""
        self.memory = MemoryStore()
        self.made, self.anchor = small_house(self.memory)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "house.db"
            store = open_store(file)
            copy_house(self.memory, store)
            store.close()
            self._file = file.read_bytes()

    def forger(self, folder: Path) -> Forger:
        """Return somebody who can write to a copy of it in a folder."""
        file = folder / "house.db"
        file.write_bytes(self._file)
        return Forger(str(file))


@cache
def original() -> Original:
    """Return the house that every forger starts from."""
    return Original()

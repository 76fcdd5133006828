"""Train the dictionary that compresses journal records, from rounds of every example game.

A dictionary that a release has used is never changed: records are stored with its number. When the events
have changed so much that records compress badly, train one with the next number and add it to
``house/store/compression.py``.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from zstandard import train_dictionary

from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from fourcard.rules.submission import examples
from tests.kit.houses import TestHouse

SIZE = 32_768
ROUNDS = 30
PLAYERS = tuple(f"p{number}" for number in range(1, 8))
TARGET = Path(__file__).parents[1] / "src/fourcard/house/store"


def play_rounds() -> Store:
    """Return a house in which seven players have played every example game."""
    store = MemoryStore()
    house = TestHouse(store)
    house.staff()
    house.register(*PLAYERS)
    for number, name in enumerate(sorted(examples())):
        table = f"t{number}"
        house.install(table, name)
        house.open(table)
        house.seat(table, PLAYERS[: house.house_table(table).state.game.submission.positions.at_table])
        seated = [*house.house_table(table).state.seats.values()]
        house.play(house.rehearsal(table, seated, seed=number, keys="k"), ROUNDS)
    return store


def bodies(store: Store) -> Iterator[bytes]:
    """Yield the bodies of all records of a house."""
    with store.reading() as reading:
        for stream in reading.streams():
            yield from (record.body for record in reading.records(stream))


def main(number: str) -> None:
    """Write the dictionary with a number."""
    found = train_dictionary(SIZE, [*bodies(play_rounds())], level=3)
    (TARGET / f"journal-{number}.zdict").write_bytes(found.as_bytes())


if __name__ == "__main__":
    main(sys.argv[1])

"""A process of a house that is killed sooner or later: it plays on where the last one was cut off."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from fourcard.house.clock_entropy import SystemClock, SystemEntropy
from fourcard.house.head_signatures import HouseKey
from fourcard.house.house import House
from fourcard.house.route_command import CommandResult
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import StoreError
from tests.storm.clients import Clients
from tests.storm.commands import Asked
from tests.storm.commands_of_all import Crowd
from tests.storm.counts import Tally
from tests.storm.kill_log import Log
from tests.storm.observer import Witness
from tests.storm.process import ASKS, HEARD, WINS
from tests.storm.storm import unusual
from tests.storm.summary import winning
from tests.storm.table_commands import StormTable

KEY = HouseKey(bytes(range(32)))
SIGN_EVERY = 40
"""Groups after which heads are signed."""


class Child:
    """One process with a desk of its own; what it asks, it writes down first."""

    def __init__(self, address: str, log: Path, seed: str, tables: Sequence[str]) -> None:
        """Open the house and look at where it stands; the last word of the seed begins every key."""
        self.log, self.chance = Log(log), Random(seed)
        store, key_file = open_store(address), log.with_name("house.key")
        self.house = House(store, KEY, SystemClock(), SystemEntropy(), key_file)
        assert self.house.recovered is None, "a killed process was taken for a database that was put back"
        self.witness = Witness(Tally())
        self.clients = Clients(self.witness, Tally())
        self.floors = [StormTable(table, self.chance) for table in tables]
        self.crowd = Crowd(self.witness, self.clients, self.floors, self.chance, seed.rpartition("/")[2])
        self.look()

    def look(self) -> None:
        """Read what the journal has."""
        with self.house.store.reading() as reading:
            self.witness.look(reading)

    def ask(self, asked: Sequence[Asked], *, again: bool = False, pure: bool = False) -> None:
        """Ask something, having written it down; then write down the replies, and say so."""
        number = self.log.next_number()
        self.log.asks(number, asked, again=again, pure=pure)
        wins = {*winning(each.request for each in asked)} - {"reset"}
        os.write(sys.stdout.fileno(), ASKS + WINS if wins else ASKS)
        replies = self.house.service.execute([each.request for each in asked])
        self.log.heard(number, replies)
        os.write(sys.stdout.fileno(), HEARD)
        for each, reply in zip(asked, replies, strict=True):
            if isinstance(reply, StoreError) and each.request.command.key:
                self.clients.unknown.append(each)
            elif isinstance(reply, CommandResult) and each.request.command.key:
                self.clients.past.append(each)
        self.look()

    def resume(self) -> None:
        """Ask again what nobody knows the answer to."""
        letter = self.log.unanswered()
        if letter is not None:
            self.ask([Asked(request, sort) for sort, request in letter.asked], again=True, pure=letter.pure)

    def play(self) -> None:
        """Go on until somebody kills the process."""
        while True:
            now = int(time.time() * 1_000)
            if self.chance.random() < 0.5:
                self.ask(self.crowd.proper(self.floors, now), pure=not self.clients.unknown)
            else:
                self.ask(self.crowd.group(now))
            if self.log.next_number() % SIGN_EVERY == 0:
                self.house.sign()

    def finish(self) -> None:
        """Let every round come to its end, and close the house."""
        while going := [floor for floor in self.floors if self._under_way(floor)]:
            self.ask(self.crowd.proper(going, int(time.time() * 1_000)))
        self.house.close()

    def _under_way(self, floor: StormTable) -> bool:
        return self.witness.table(floor.name).state.round is not None


def main() -> None:
    """Play, or finish."""
    parser = argparse.ArgumentParser(prog="python -m tests.storm.child")
    parser.add_argument("address")
    parser.add_argument("log", type=Path)
    parser.add_argument("seed")
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--finish", action="store_true")
    told = parser.parse_args()
    with unusual():
        child = Child(told.address, told.log, told.seed, told.tables)
        child.resume()
        child.finish() if told.finish else child.play()


if __name__ == "__main__":
    main()

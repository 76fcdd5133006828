"""Child process of a house that is killed sooner or later: it plays on where the last one was cut off."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from fourcard.house.clock_entropy import SystemClock, SystemEntropy
from fourcard.house.house import House
from fourcard.house.route_command import CommandResult
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import StoreError
from tests.storm.clients import ClientModel, StormCommand
from tests.storm.commands import CommandGenerator
from tests.storm.counts import Counts
from tests.storm.kill_log import ASKS, HEARD, KEY, WINS, CommandLog
from tests.storm.observer import Observer
from tests.storm.storm import storm_settings
from tests.storm.summary import win_actions
from tests.storm.table_commands import StormTable

SIGN_EVERY = 40
"""Batches after which heads are signed."""


class Child:
    """One process with a command service of its own; what it sends, it logs first."""

    def __init__(self, address: str, log: Path, seed: str, tables: Sequence[str]) -> None:
        """Open the house and look at where it stands; the last word of the seed begins every key."""
        self.log, self.chance = CommandLog(log), Random(seed)
        store, key_file = open_store(address), log.with_name("house.key")
        self.house = House(store, KEY, SystemClock(), SystemEntropy(), key_file)
        assert self.house.recovered is None, "a killed process was taken for a database that was put back"
        self.observer = Observer(Counts())
        self.clients = ClientModel(self.observer, Counts())
        self.tables = [StormTable(table, self.chance) for table in tables]
        self.generator = CommandGenerator(
            self.observer, self.clients, self.tables, self.chance, seed.rpartition("/")[2]
        )
        self.read_journal()

    def read_journal(self) -> None:
        """Read what the journal has."""
        with self.house.store.reading() as reading:
            self.observer.read_new(reading)

    def send(self, batch: Sequence[StormCommand], *, again: bool = False, pure: bool = False) -> None:
        """Log a batch and send it; then log the replies, and say so."""
        number = self.log.next_number()
        self.log.log_batch(number, batch, again=again, pure=pure)
        wins = {*win_actions(each.request for each in batch)} - {"reset"}
        os.write(sys.stdout.fileno(), ASKS + WINS if wins else ASKS)
        replies = self.house.service.execute([each.request for each in batch])
        self.log.log_replies(number, replies)
        os.write(sys.stdout.fileno(), HEARD)
        for each, reply in zip(batch, replies, strict=True):
            if isinstance(reply, StoreError) and each.request.command.key:
                self.clients.unanswered.append(each)
            elif isinstance(reply, CommandResult) and each.request.command.key:
                self.clients.past.append(each)
        self.read_journal()

    def resume(self) -> None:
        """Send again what nobody knows the answer to."""
        line = self.log.unanswered()
        if line is not None:
            self.send(
                [StormCommand(request, sort) for sort, request in line.batch], again=True, pure=line.pure
            )

    def play(self) -> None:
        """Go on until somebody kills the process."""
        while True:
            now = int(time.time() * 1_000)
            if self.chance.random() < 0.5:
                self.send(self.generator.proper_batch(self.tables, now), pure=not self.clients.unanswered)
            else:
                self.send(self.generator.next_batch(now))
            if self.log.next_number() % SIGN_EVERY == 0:
                self.house.sign()

    def finish(self) -> None:
        """Let every round come to its end, and close the house."""
        while going := [table for table in self.tables if self._is_under_way(table)]:
            self.send(self.generator.proper_batch(going, int(time.time() * 1_000)))
        self.house.close()

    def _is_under_way(self, table: StormTable) -> bool:
        return self.observer.table(table.name).state.round is not None


def main() -> None:
    """Play, or finish."""
    parser = argparse.ArgumentParser(prog="python -m tests.storm.child")
    parser.add_argument("address")
    parser.add_argument("log", type=Path)
    parser.add_argument("seed")
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--finish", action="store_true")
    options = parser.parse_args()
    with storm_settings():
        child = Child(options.address, options.log, options.seed, options.tables)
        child.resume()
        child.finish() if options.finish else child.play()


if __name__ == "__main__":
    main()

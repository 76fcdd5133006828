"""Tables linked to one meter, played by several processes: `python -m tests.contract.linked_play`."""

import argparse
import sys
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from fourcard.house.autopilot import TableBots
from fourcard.house.clock_entropy import SystemClock, SystemEntropy
from fourcard.house.commands import InstallTable
from fourcard.house.house import House
from fourcard.house.route_command import CommandResult, InternalError, Request
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import Store, StoreError
from fourcard.house.table_state import HouseTable
from fourcard.progressive.console import is_game_under_way
from fourcard.table.autopilot import with_cards
from fourcard.table.bots import varied_bots
from tests.kit.houses import TestHouse
from tests.kit.invariants import require
from tests.kit.tables import stack
from tests.storm.kill_log import KEY
from tests.storm.setup import families

METER, FAMILY = "link", "washington"
SEATS = (1, 2)
FOUR_ACES = "As Ah Ad Ac 2h"
READY = "ready"


def set_up_house(store: Store, tables: Sequence[str]) -> None:
    """Set up a house whose tables share a meter, some with a keypad and some with a touch display."""
    House(store, KEY, SystemClock(), SystemEntropy())
    house, texts = TestHouse(store), families()[FAMILY][:2]
    house.staff()
    for number, table in enumerate(tables):
        house.register(*_players(table))
        submission = texts[number % len(texts)]
        house.at(table, InstallTable(submission=submission, cards="keyed", meter=METER))


def _players(table: str) -> list[str]:
    return [f"{table}-{seat}" for seat in SEATS]


class ProcessTables:
    """The tables of one process, each a step further with every group, so that their wins come together."""

    def __init__(self, store: Store, tables: Sequence[str], seed: int) -> None:
        """Take the tables; whoever sits first has four aces in every round."""
        self.house = TestHouse(store, seed)
        self.bots = [self._bots(table) for table in tables]
        self.decks: dict[tuple[str, int], list[int]] = {}
        self.lost = 0
        """Replies that never came, because another process was first too often."""

    def _bots(self, table: str) -> TableBots:
        return TableBots(table, dict(zip(SEATS, _players(table), strict=True)), varied_bots(table), "linked")

    def play(self, rounds: int) -> None:
        """Play so many rounds at every table; a request whose reply is lost is asked again with its key."""
        waiting: dict[str, Request] = {}
        while going := [
            bots for bots in self.bots if bots.table in waiting or self._is_playing(bots, rounds)
        ]:
            for bots in going:
                waiting[bots.table] = waiting.get(bots.table) or self._next_request(bots)
            replies = self.house.service.execute([waiting[bots.table] for bots in going])
            for bots, reply in zip(going, replies, strict=True):
                request = waiting[bots.table]
                lost = isinstance(reply, StoreError) and not isinstance(reply, InternalError)
                require(lost or isinstance(reply, CommandResult), "what is due was refused", request, reply)
                self.lost += lost
                if not lost:
                    del waiting[bots.table]

    def _is_playing(self, bots: TableBots, rounds: int) -> bool:
        book = self._book(bots)
        assert book.console is not None
        current_round = book.state.round is not None or is_game_under_way(book.console, book.state)
        return book.state.round_number < rounds or current_round

    def _book(self, bots: TableBots) -> HouseTable:
        return self.house.house_table(bots.table)

    def _next_request(self, bots: TableBots) -> Request:
        """Return what is due, the cards of a deal out of the deck of the round."""
        book = self._book(bots)
        request = bots.next(book)
        current_round = book.state.round
        if current_round is None or not current_round.dealt_in:
            return request
        hands = {current_round.dealt_in[0]: FOUR_ACES}
        deck = stack(book.state.game, hands, current_round.dealt_in)
        return replace(request, command=with_cards(book.state, request.command, deck))


def tables_per_process(tables: Sequence[str], count: int) -> Iterator[list[str]]:
    """Yield the tables of each of so many processes."""
    yield from ([*tables[number::count]] for number in range(count))


def main() -> None:
    """Say that everything is open, wait for a word, and play."""
    parser = argparse.ArgumentParser(prog="python -m tests.contract.linked_play")
    parser.add_argument("address")
    parser.add_argument("seed", type=int)
    parser.add_argument("rounds", type=int)
    parser.add_argument("tables", nargs="+")
    options = parser.parse_args()
    tables = ProcessTables(open_store(options.address), options.tables, options.seed)
    print(READY, flush=True)
    sys.stdin.readline()
    tables.play(options.rounds)
    print(tables.lost, flush=True)


if __name__ == "__main__":
    main()

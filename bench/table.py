"""Table rounds: whole rounds at a table of seven positions, compared with settling the same rounds as lines.

Every command goes through ``Table.do``: cards are prepared and dealt, wagers placed, decisions made and hands
settled step by step as the rulebook orders it. The peer only settles the finished rounds.
"""

import json
from functools import partial
from itertools import cycle
from random import Random

from rich.table import Table as Figures

from bench.measuring import seconds, table_of
from fourcard.cards import DECK
from fourcard.house.export import Line, line_of
from fourcard.lines.answering import answer_line, encoded
from fourcard.round.commands import Fold, PlaceWager, Play
from fourcard.round.due import deciders
from fourcard.rules.game import Game
from fourcard.rules.nodes import WagerName
from fourcard.table.commands import BeginRound, TableCommand
from fourcard.table.session import Table
from tests.support import game

ROUNDS = 200
RUNS = 3
PLAIN: dict[WagerName, int] = {"ante": 2500, "aces_up": 500}
EVERY: dict[WagerName, int] = {**PLAIN, "six_card": 100, "progressive": 100}
MEASURED: tuple[tuple[str, str, dict[WagerName, int]], ...] = (
    ("massachusetts", "from a shoe", PLAIN),
    ("maryland", "from the hand", PLAIN),
    ("shuffle-master", "by machine", PLAIN),
    ("maryland-everything", "by machine, every wager", EVERY),
)
DECISIONS = (0, 1, 3)
"""The Play wagers in Antes, taken in turn; 0 is a fold."""


class Rounds:
    """Rounds of one game with seven players, and the number of their commands."""

    def __init__(self, made: Game, wagers: dict[WagerName, int]) -> None:
        """Seat seven players at an open table; decks and decisions are the same in every run."""
        chance = Random(4)
        self.table = Table(made, lambda: chance.sample(DECK, len(DECK)))
        for position in range(1, 8):
            self.table.seat(position, f"p{position}")
        self.wagers, self.decisions = wagers, cycle(DECISIONS)
        self.meter, self.commands = self.table.meters.meter, 0
        self.lines: list[Line] = []

    def play(self, rounds: int, *, keep: bool = False) -> None:
        """Play a number of rounds; ``keep`` stores them as lines."""
        for _ in range(rounds):
            self._round()
            if keep:
                assert self.table.state.finished is not None
                self.lines.append(line_of(self.table.state.finished, self.meter))

    def _round(self) -> None:
        while self.table.state.agenda:
            self._do(self.table.preparation())
        self._do(BeginRound())
        for position in self.table.state.seats:
            for wager, amount in self.wagers.items():
                self._do(PlaceWager(position=position, wager=wager, amount=amount))
        while self.table.state.round is not None:
            act = self.table.next_act()
            if act is None:
                act, self.meter = self._decision(), self.table.meters.meter
            self._do(act)

    def _decision(self) -> TableCommand:
        assert self.table.state.round is not None
        position, times = deciders(self.table.state.round)[0], next(self.decisions)
        return (
            Play(position=position, amount=times * self.wagers["ante"]) if times else Fold(position=position)
        )

    def _do(self, command: TableCommand) -> None:
        self.commands += 1
        self.table.do(command)


def _settle(lines: list[bytes]) -> None:
    for line in lines:
        encoded(answer_line(line))


def whole_rounds() -> Figures:
    """Compare rounds per second at the table with lines per second of settling alone."""
    figures = table_of(
        f"seven-position rounds through the table, one core, median of {RUNS}",
        "game",
        "commands per round",
        "rounds/s",
        "commands/s",
        "settled as lines/s",
        "times slower",
    )
    for name, how, wagers in MEASURED:
        kept = Rounds(game(name), wagers)
        kept.play(ROUNDS, keep=True)
        lines = [json.dumps(line).encode() for line in kept.lines]
        rate = ROUNDS / seconds(partial(Rounds(game(name), wagers).play, ROUNDS), RUNS)
        peer = ROUNDS / seconds(partial(_settle, lines), RUNS)
        commands = kept.commands / ROUNDS
        figures.add_row(
            f"{name}, {how}",
            f"{commands:.0f}",
            f"{rate:,.0f}",
            f"{rate * commands:,.0f}",
            f"{peer:,.0f}",
            f"{peer / rate:.1f}",
        )
    return figures

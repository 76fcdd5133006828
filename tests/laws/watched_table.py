"""A table under watch: every command is decided twice, every event folded alone, and each state looked at."""

from collections import Counter
from collections.abc import Callable
from random import Random

from fourcard.refusals import Refusal, RefusedError
from fourcard.round.commands import PayAward
from fourcard.round.events import AwardPaid
from fourcard.rules.game import Game
from fourcard.table.commands import TableCommand
from fourcard.table.decide import decide
from fourcard.table.events import TableEvent
from fourcard.table.evolve import evolve
from fourcard.table.state import TableState
from fourcard.table.table_driver import Table
from tests.laws.random_commands import command, proper, shuffler

Look = Callable[[TableState, TableEvent, TableState], None]
"""What is asked of every event: the state before it, and the state after it."""
MAX_TO_END = 400


class Watched:
    """One table that commands come to, and what was seen there."""

    def __init__(self, game: Game, seed: int, look: Look | None, seen: Counter[str]) -> None:
        """Begin with a closed table."""
        self.table = Table(game)
        self.table.shuffle = shuffler(self.table, Random(seed))
        self.look, self.seen = look, seen

    def obey(self, number: int) -> None:
        """Do the command that a number stands for; a proper one may not be refused."""
        wanted, is_proper = command(self.table, number)
        self.seen[f"tried {type(wanted).__name__}"] += 1
        refusal = self.do(wanted)
        assert not (is_proper and refusal), (wanted, refusal)

    def do(self, wanted: TableCommand) -> Refusal | None:
        """Do a command, or find it refused; a price that is not the meter's is asked about only."""
        before = self.table.state
        if isinstance(wanted, PayAward) and not self._is_price(wanted):
            self._ask(before, wanted)
            return None
        try:
            events = self.table.do(wanted)
        except RefusedError as error:
            self.seen[f"refused {error.refusal.name}"] += 1
            assert self.table.state is before
            return error.refusal
        self._fold(before, events)
        return None

    def _ask(self, state: TableState, wanted: PayAward) -> None:
        """Ask about a price; a round that knows no meter may take it, but nothing below nothing."""
        outcome = decide(state, wanted)
        events = [] if isinstance(outcome, Refusal) else outcome
        steps = [step for event in events if isinstance(event, AwardPaid) for step in event.steps]
        assert all(step.amount >= 0 for step in steps)

    def _is_price(self, wanted: PayAward) -> bool:
        state = self.table.state.round
        return state is None or state.awaited_step is None or wanted == self.table.next_command()

    def _fold(self, before: TableState, events: list[TableEvent]) -> None:
        for event in events:
            after = evolve(before, event)
            self.seen[type(event).__name__] += 1
            if self.look is not None:
                self.look(before, event, after)
            before = after
        assert before == self.table.state

    def end_round(self) -> None:
        """Let everybody do what is proper until no round is under way: none may get stuck."""
        for number in range(MAX_TO_END):
            if self.table.state.round is None:
                return
            wanted = proper(self.table, Random(number))
            refusal = self.do(wanted)
            assert refusal is None, (wanted, refusal)
        raise AssertionError(f"the round does not end: {self.table.state.round}")

"""Console narration: sentences with clauses for the events that people at a console see and hear."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast, get_args

from fourcard.cards import cards_text
from fourcard.money import dollars
from fourcard.narration import Sentence
from fourcard.progressive.console import (
    ConsoleEvent,
    ConsoleState,
    GameReset,
    KeyWithdrawn,
    LinkLost,
    LinkRestored,
    MotionDone,
    WinLogged,
    WinMarked,
    WinUnmarked,
    button_label,
    console_rules,
    evolve_console,
)
from fourcard.round import events as of_round
from fourcard.rules.cited import clauses_of
from fourcard.rules.rulebook import ConsoleMotion, ConsoleRules
from fourcard.table.events import RoundBegan, TableEvent
from fourcard.table.narrate import TableNarrator
from fourcard.table.state import TableState

Sentences = Iterator[Sentence]
MOTION_NARRATION: dict[ConsoleMotion, str] = {
    "select_spot": "The spot of position {position} is selected",
    "press_hand": "The hand button is pressed for position {position}",
    "turn_to_jph": "The key is turned to JPH",
    "press_j_pot": "J-POT is pressed",
    "turn_to_run": "The key is turned back to Run",
    "press_confirm": "CONFIRM is pressed",
    "swipe_card": "The card is swiped",
}
NARRATED_STEPS = ("announce_no_more_bets", "lock_out", "count_chips")
NARRATED_TABLE_EVENTS = frozenset(
    (
        RoundBegan,
        of_round.ProgressiveLocked,
        of_round.ChipsDiffered,
        of_round.AwardPaid,
        of_round.DocumentCompleted,
        of_round.IrregularityNoted,
        of_round.RoundVoided,
    )
)
"""Table events that are also narrated at the console."""
_TABLE_EVENTS, _CONSOLE_EVENTS = frozenset(get_args(TableEvent)), frozenset(get_args(ConsoleEvent))


class ConsoleNarrator:
    """Narrates the events of a console and follows its state and its table's."""

    def __init__(self, console: ConsoleState, table: TableState) -> None:
        """Start from the current console and table."""
        self.console, self.narrator = console, TableNarrator(table)

    def narrate(self, events: Iterable[object]) -> list[Sentence]:
        """Return the sentences for some events; events of the house are skipped."""
        return [sentence for event in events for sentence in self._narrate(event)]

    def _narrate(self, event: object) -> list[Sentence]:
        sentences: list[Sentence] = []
        if type(event) in _TABLE_EVENTS:
            at_table = self.narrator.narrate([cast(TableEvent, event)])
            sentences = at_table if self._is_heard(event) else [*self._narrate_round(event)]
        elif type(event) in _CONSOLE_EVENTS:
            sentences = [*_NARRATORS[type(event)](self, event)]
        self.console = evolve_console(self.console, event)
        return sentences

    @staticmethod
    def _is_heard(event: object) -> bool:
        if isinstance(event, of_round.StepDone):
            return event.step in NARRATED_STEPS
        if isinstance(event, of_round.WagerPlaced):
            return event.wager == "progressive" and not event.accepted
        return type(event) in NARRATED_TABLE_EVENTS

    def _narrate_round(self, event: object) -> Sentences:
        """Narrate the events of the round that matter here: a winning hand, and the end of the round."""
        if isinstance(event, of_round.AwardAwaited) and event.step.wager == "progressive":
            position, current_round = event.step.position, self.narrator.state.round
            assert current_round is not None
            cards = cards_text(current_round.positions[position].cards)
            words = f"{self.narrator.who(position)} has a hand that wins on the progressive: {cards}."
            yield Sentence(words, clauses_of(self.rules.verified), position)
        elif isinstance(event, of_round.RoundEnded):
            yield Sentence("All action is settled, and the round is over.")

    @property
    def rules(self) -> ConsoleRules:
        """Return the rulebook's rules for this console."""
        return console_rules(self.console, self.narrator.state.game)

    def _on_motion_done(self, event: MotionDone) -> Sentences:
        words = MOTION_NARRATION[event.motion].format(position=event.position)
        yield Sentence(f"{words}{_by(event.by)}.", event.clauses, event.position)

    def _on_key_withdrawn(self, event: KeyWithdrawn) -> Sentences:
        words = f"The key is turned back to Run{_by(event.by)}, and nothing was logged."
        yield Sentence(words, clauses_of(self.rules.run_restores))

    def _on_win_marked(self, event: WinMarked) -> Sentences:
        words = f"{self.narrator.who(event.position)}: {_hand(event.row)} is marked, and the cards match."
        yield Sentence(words, event.clauses, event.position)

    def _on_win_unmarked(self, event: WinUnmarked) -> Sentences:
        words = f"{self.narrator.who(event.position)}: the same button again cancels the mark."
        yield Sentence(words, clauses_of(self.rules.hand_toggles), event.position)

    def _on_win_logged(self, event: WinLogged) -> Sentences:
        prize, shown = dollars(event.payment.amount), dollars(event.before)
        words = f"{self.narrator.who(event.position)}: the win is logged, {prize} for {_hand(event.row)}"
        logged_by = event.confirmed_by or "the floor"
        pressed = self.console.pressed_by
        done = f"CONFIRM pressed by {pressed}, card swiped" if pressed else "confirmed"
        staff = f"marked by {event.marked_by or 'the dealer'}, {done} by {logged_by}"
        yield Sentence(f"{words} at a meter of {shown}; {staff}.", event.clauses, event.position)
        if self.rules.monitor.value:
            due = f"The monitor of the Game Manager shows {prize} as due."
            yield Sentence(due, clauses_of(self.rules.monitor), event.position)

    def _on_game_reset(self, event: GameReset) -> Sentences:
        button = button_label(self.rules.ends.value)
        words = (
            f"{button} is pressed: round {event.round} is over, and the system is ready for the next hand."
        )
        yield Sentence(words, clauses_of(self.rules.ends))

    def _on_link_lost(self, event: LinkLost) -> Sentences:
        words = f"The table has lost the link to its meter ({event.reason}): no progressive wager is taken."
        yield Sentence(words, ("P31",))

    def _on_link_restored(self, event: LinkRestored) -> Sentences:
        yield Sentence(f"The table has the link to its meter again ({event.reason}).", ("P31",))


def _by(person: str) -> str:
    return f" by {person}" if person else ""


def _hand(row: str) -> str:
    return row.replace("_", " ")


_NARRATORS: dict[type, Callable[[ConsoleNarrator, Any], Sentences]] = {
    MotionDone: ConsoleNarrator._on_motion_done,
    KeyWithdrawn: ConsoleNarrator._on_key_withdrawn,
    WinMarked: ConsoleNarrator._on_win_marked,
    WinUnmarked: ConsoleNarrator._on_win_unmarked,
    WinLogged: ConsoleNarrator._on_win_logged,
    GameReset: ConsoleNarrator._on_game_reset,
    LinkLost: ConsoleNarrator._on_link_lost,
    LinkRestored: ConsoleNarrator._on_link_restored,
}

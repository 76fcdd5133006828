"""Telling what happens on a console in sentences with their clauses, and what of the round concerns it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast, get_args

from fourcard.cards import cards_text
from fourcard.money import dollars
from fourcard.progressive.console import Console, evolve, rules_of
from fourcard.progressive.events import (
    ConsoleEvent,
    GameReset,
    KeyWithdrawn,
    LinkLost,
    LinkRestored,
    MotionDone,
    WinLogged,
    WinMarked,
    WinUnmarked,
)
from fourcard.round import events as of_round
from fourcard.rules.consoles import ConsoleMotion, ConsoleRules
from fourcard.rules.nodes import cite
from fourcard.table.events import RoundBegan, TableEvent
from fourcard.table.state import TableState
from fourcard.table.telling import Narrator
from fourcard.wording import Sentence

Told = Iterator[Sentence]
MOTIONS_TOLD: dict[ConsoleMotion, str] = {
    "select_spot": "The spot of position {position} is selected",
    "press_hand": "The hand button is pressed for position {position}",
    "turn_to_jph": "The key is turned to JPH",
    "press_j_pot": "J-POT is pressed",
    "turn_to_run": "The key is turned back to Run",
    "press_confirm": "CONFIRM is pressed",
    "swipe_card": "The card is swiped",
}
STEPS_TOLD = ("announce_no_more_bets", "lock_out", "count_chips")
HEARD = frozenset(
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
"""What is told at the console in the words of the table."""
_OF_TABLE, _OF_CONSOLE = frozenset(get_args(TableEvent)), frozenset(get_args(ConsoleEvent))


class ConsoleNarrator:
    """Follows a table and its console, and finds the words for what people at the console see and hear."""

    def __init__(self, console: Console, table: TableState) -> None:
        """Start from a console and its table as they are."""
        self.console, self.narrator = console, Narrator(table)

    def tell(self, events: Iterable[object]) -> list[Sentence]:
        """Return what some events are in words, and follow them; what the house notes besides is not told."""
        return [sentence for event in events for sentence in self._told(event)]

    def _told(self, event: object) -> list[Sentence]:
        said: list[Sentence] = []
        if type(event) in _OF_TABLE:
            words = self.narrator.tell([cast(TableEvent, event)])
            said = words if self._is_heard(event) else [*self._of_round(event)]
        elif type(event) in _OF_CONSOLE:
            said = [*_WORDS[type(event)](self, event)]
        self.console = evolve(self.console, event)
        return said

    @staticmethod
    def _is_heard(event: object) -> bool:
        if isinstance(event, of_round.StepDone):
            return event.step in STEPS_TOLD
        if isinstance(event, of_round.WagerPlaced):
            return event.wager == "progressive" and not event.accepted
        return type(event) in HEARD

    def _of_round(self, event: object) -> Told:
        """Tell what a console makes of the round: whose cards are looked at now, and that all is settled."""
        if isinstance(event, of_round.AwardAwaited):
            position, under_way = event.step.position, self.narrator.state.round
            assert under_way is not None
            cards = cards_text(under_way.places[position].cards)
            words = f"{self.narrator.who(position)} has a hand that wins on the progressive: {cards}."
            yield Sentence(words, cite(self.rules.verified), position)
        elif isinstance(event, of_round.RoundEnded):
            yield Sentence("All action is settled, and the round is over.")

    @property
    def rules(self) -> ConsoleRules:
        """Return what the rulebook says of this console."""
        return rules_of(self.console, self.narrator.state.game)

    def moved(self, event: MotionDone) -> Told:
        """Tell a motion of hands."""
        words = MOTIONS_TOLD[event.motion].format(position=event.position)
        yield Sentence(f"{words}{_by(event.by)}.", event.clauses, event.position)

    def withdrawn(self, event: KeyWithdrawn) -> Told:
        """Tell that the key went back for nothing."""
        words = f"The key is turned back to Run{_by(event.by)}, and nothing was logged."
        yield Sentence(words, cite(self.rules.run_restores))

    def marked(self, event: WinMarked) -> Told:
        """Tell a mark, which the cards bear out."""
        words = f"{self._whose(event.position)}: {_hand(event.row)} is marked, and the cards are just that."
        yield Sentence(words, event.clauses, event.position)

    def unmarked(self, event: WinUnmarked) -> Told:
        """Tell that a mark is gone."""
        words = f"{self._whose(event.position)}: the same button again, and nothing is marked any more."
        yield Sentence(words, cite(self.rules.hand_toggles), event.position)

    def logged(self, event: WinLogged) -> Told:
        """Tell a win as the Game Manager records it, and what the monitor then shows."""
        prize, shown = dollars(event.payment.amount), dollars(event.before)
        words = f"{self._whose(event.position)}: the win is logged, {prize} for {_hand(event.row)}"
        staff = (
            f"marked by {event.marked_by or 'the dealer'}, confirmed by {event.confirmed_by or 'the floor'}"
        )
        yield Sentence(f"{words} at a meter of {shown}; {staff}.", event.clauses, event.position)
        if self.rules.monitor.value:
            due = f"The monitor of the Game Manager shows {prize} as due."
            yield Sentence(due, cite(self.rules.monitor), event.position)

    def reset(self, event: GameReset) -> Told:
        """Tell the end of a game."""
        button = self.rules.ends.value.replace("_", " ").upper()
        words = (
            f"{button} is pressed: round {event.round} is over, and the system is ready for the next hand."
        )
        yield Sentence(words, cite(self.rules.ends))

    def lost(self, event: LinkLost) -> Told:
        """Tell that the link is gone."""
        words = f"The table has lost the link to its meter ({event.reason}): no progressive wager is taken."
        yield Sentence(words, ("P31",))

    def restored(self, event: LinkRestored) -> Told:
        """Tell that the link is back."""
        yield Sentence(f"The table has the link to its meter again ({event.reason}).", ("P31",))

    def _whose(self, position: int) -> str:
        return self.narrator.who(position)


def _by(person: str) -> str:
    return f" by {person}" if person else ""


def _hand(row: str) -> str:
    return row.replace("_", " ")


_WORDS: dict[type, Callable[[ConsoleNarrator, Any], Told]] = {
    MotionDone: ConsoleNarrator.moved,
    KeyWithdrawn: ConsoleNarrator.withdrawn,
    WinMarked: ConsoleNarrator.marked,
    WinUnmarked: ConsoleNarrator.unmarked,
    WinLogged: ConsoleNarrator.logged,
    GameReset: ConsoleNarrator.reset,
    LinkLost: ConsoleNarrator.lost,
    LinkRestored: ConsoleNarrator.restored,
}

"""Table playthroughs: a title, input sentences, and the output of each.

``python -m tests.playthroughs.table_script`` writes every file under ``tables`` again from its input lines,
which begin with ``> ``, and its remarks, which begin with ``# ``.
"""

import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from msgspec.structs import replace

from fourcard.cards import DECK, cards_text
from fourcard.dealing import BONUS, EXTRA
from fourcard.money import dollars
from fourcard.narration import Sentence
from fourcard.refusals import Refusal, RefusedError
from fourcard.round.events import CardsDealt, IrregularityNoted, RoundEnded
from fourcard.round.prompts import METHOD_PHRASES
from fourcard.rules.game import Game
from fourcard.settlers.showdown import DEALER
from fourcard.table.commands import TableCommand
from fourcard.table.events import StepPrepared, TableEvent
from fourcard.table.narrate import TableNarrator
from fourcard.table.table_driver import Table
from fourcard.wagers import WAGER_LABELS
from tests.kit.support import game
from tests.playthroughs.story_files import ScriptError, line_of, line_of_refusal, rewrite, stories_in
from tests.playthroughs.table_sentences import change_table, commands, envelope, stacked_deck

FOLDER = Path(__file__).parent / "tables"
HOUR = 3_600_000
NarratedEvent = tuple[TableEvent, Sentence]
PLACES = {DEALER: "the dealer", EXTRA: "the extra stack", BONUS: "the bonus box"}
ROLES = "(?:dealer|floorperson|supervisor|casino supervisor|executive|player)(?: [A-Z]\\w*)?"
TABLE = re.compile(r"table (?P<example>[a-z-]+)(?: with (?P<changes>.+))?")
ACTED = re.compile(rf"(?P<attempt>try )?(?:(?P<who>{ROLES}): )?(?P<sentence>.+)")
HOURS = re.compile(r"(?P<hours>\d+) hours? pass(?:es)?")


class TableStory:
    """One table playthrough being run."""

    def __init__(self) -> None:
        """Start without a table."""
        self._table: Table | None = None
        self.narrator: TableNarrator | None = None
        self.now = 0
        self.decks: list[str] = []
        self.chance = random.Random(4)
        self.played: set[tuple[str, str, str]] = set()
        """Rulebook, edition and dealing method of every round that was played to its end."""
        self.went_wrong: set[tuple[str, str]] = set()
        """Rulebook and kind of every irregularity."""

    @property
    def table(self) -> Table:
        """Return the table of the playthrough."""
        if self._table is None:
            raise ScriptError("there is no table yet")
        return self._table

    def narrate(self, line: str) -> list[str]:
        """Execute a line and return its output."""
        if (found := TABLE.fullmatch(line)) is not None:
            return self._set_table(found)
        if line.startswith("deck "):
            self.decks.append(line.removeprefix("deck "))
            return []
        if (found := HOURS.fullmatch(line)) is not None:
            self.now += int(found["hours"]) * HOUR
            return []
        if line == "money":
            return [self._money()]
        acted = ACTED.fullmatch(line)
        assert acted is not None
        said, refusal = self.act(acted["sentence"], acted["who"] or "")
        if bool(refusal) != bool(acted["attempt"]):
            raise ScriptError("it is not refused" if refusal is None else f"it is refused: {refusal.message}")
        return [*map(line_of, said), *([] if refusal is None else [line_of_refusal(refusal)])]

    def act(self, sentence: str, who: str = "") -> tuple[list[Sentence], Refusal | None]:
        """Execute the commands of a sentence up to the first refusal, and return what is said."""
        tried, refusal = self._do(sentence, who)
        said = _in_brief(tried) if sentence.endswith(" in brief") else (each for _, each in tried)
        return [*said], refusal

    def _set_table(self, found: re.Match[str]) -> list[str]:
        self.set_table(game(found["example"], **change_table(found["changes"] or "")))
        made = self.table.game
        book = made.rulebook
        edition = f", {book.edition} edition" if len(book.editions) > 1 else ""
        method = METHOD_PHRASES[made.submission.dealing.method]
        return [f"{made.submission.name}: {book.name}{edition}, dealt {method}."]

    def set_table(self, made: Game) -> None:
        """Begin with a closed table for a game."""
        self._table = Table(made, self._shuffle)
        self.narrator = TableNarrator(self.table.state, open_cards=True)

    def _money(self) -> str:
        """Return what lies on the layout, and what the round has brought to the tray."""
        state = self.table.state.round
        if state is None:
            raise ScriptError("there is no round")
        on_spots = Counter[str]()
        for place in state.positions.values():
            on_spots.update({WAGER_LABELS[wager]: cents for wager, cents in place.on_layout.items()})
            on_spots["chips not registered"] += place.unregistered
        lies = ", ".join(f"{dollars(cents)} {label}" for label, cents in on_spots.items() if cents)
        change = f"{dollars(abs(state.tray_change))} {'more' if state.tray_change > 0 else 'less'}"
        tray = change if state.tray_change else "nothing new"
        return f"On the layout: {lies or 'nothing'}. In the tray: {tray}."

    def _shuffle(self) -> list[int]:
        if self.decks:
            return [*stacked_deck(self.table, self.decks.pop(0))]
        order = list(DECK)
        self.chance.shuffle(order)
        return order

    def _do(self, sentence: str, who: str) -> tuple[list[NarratedEvent], Refusal | None]:
        said: list[NarratedEvent] = []
        for command in commands(self, sentence):
            sent = _sent(command, who, self.now)
            try:
                events = self.command(sent)
            except RefusedError as error:
                return said, error.refusal
            assert self.narrator is not None
            said += [(event, each) for event in events for each in self.narrator.narrate([event])]
            self._note(events)
            self._balance()
        return said, None

    def command(self, sent: TableCommand) -> list[TableEvent]:
        """Execute one command and return its events."""
        return self.table.do(sent)

    def _balance(self) -> None:
        """Check that every cent is accounted for, and that a void round returns everything."""
        for state in (self.table.state.round, self.table.state.last_round):
            if (
                state is not None
                and sum(state.net_changes.values()) + state.tray_change + state.meter_change + state.layout
            ):
                raise ScriptError("money came from nowhere, or went there")
            if state is not None and state.phase == "void" and any(state.nets.values()):
                raise ScriptError("somebody won or lost in a void round")

    def _note(self, events: list[TableEvent]) -> None:
        book = self.table.game.rulebook
        for event in events:
            if isinstance(event, RoundEnded):
                self.played.add((book.id, book.edition, self.table.state.method))
            elif isinstance(event, IrregularityNoted):
                self.went_wrong.add((book.id, event.irregularity))


def _sent(command: TableCommand, who: str, now: int) -> TableCommand:
    return replace(command, **envelope(who, now))


def _in_brief(told: list[NarratedEvent]) -> Iterator[Sentence]:
    """Yield the preparation in one sentence and the deal hand by hand; other sentences unchanged."""
    for kind, group in groupby(told, key=lambda each: type(each[0])):
        run = list(group)
        said = [sentence for _, sentence in run]
        clauses = tuple(dict.fromkeys(clause for each in said for clause in each.clauses))
        if kind is StepPrepared:
            steps = "1 step" if len(run) == 1 else f"{len(run)} steps"
            yield Sentence(f"The cards are made ready in {steps}.", clauses)
        elif kind is CardsDealt:
            yield Sentence(f"Dealt: {_hands(event for event, _ in run)}.", clauses)
        else:
            yield from said


def _hands(events: Iterable[TableEvent]) -> str:
    """Return the cards of each place, in the order of its first card."""
    hands: dict[int, list[str]] = {}
    for event in events:
        assert isinstance(event, CardsDealt)
        hands.setdefault(event.to, []).append(cards_text(event.cards))
    return "; ".join(f"{PLACES.get(to, f'position {to}')} {' '.join(cards)}" for to, cards in hands.items())


def stories() -> dict[str, Path]:
    """Return every playthrough by name."""
    return stories_in(FOLDER)


if __name__ == "__main__":
    sys.exit(rewrite(stories(), TableStory))

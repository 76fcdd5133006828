"""Console session: shows the console of a table in a house and runs commands on it."""

from collections.abc import Callable

import msgspec

from fourcard.house.actors import Actor, AnyCommand, Given
from fourcard.house.commands import HouseCommand
from fourcard.house.desk import Desk
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_events import AdjustmentProposed, AdjustmentRejected, MeterAdjusted
from fourcard.house.outcome import meter_stream, table_stream
from fourcard.house.requests import Answer
from fourcard.house.table_book import TableBook
from fourcard.money import dollars
from fourcard.progressive.commands import ConsoleCommand, Press, PressHand, SelectSpot
from fourcard.progressive.console import Console
from fourcard.progressive.deciding import ENDING, STARTING, Meters
from fourcard.progressive.deciding import decide as decide_console
from fourcard.progressive.picturing import Picture, picture
from fourcard.progressive.telling import ConsoleNarrator
from fourcard.refusals import Code, Refusal, RefusedError, refuse
from fourcard.round.ask import AUTHORITY
from fourcard.round.commands import Command, CompleteDocument, Perform
from fourcard.table.decide import decide as decide_table
from fourcard.table.meters import award_at
from fourcard.table.state import TableState
from fourcard.wording import Sentence

Give = Callable[[str, AnyCommand, Actor], Answer]


def _console_in(book: TableBook) -> tuple[TableState, Console]:
    """Return a table's state and its console, or refuse one that is not there or has none."""
    if book.console is None:
        raise RefusedError(refuse(Code.NO_CONSOLE))
    return book.state, book.console


def picture_of(book: TableBook, meter: MeterBook) -> Picture:
    """Return what the console of a table shows."""
    state, console = _console_in(book)
    return picture(console, state, meter.displayed, meter.closed)


class AtConsole:
    """The console of one table of a house and its meter, always current."""

    def __init__(self, desk: Desk, table: str, give: Give) -> None:
        """Read a table through a desk and run commands through ``give``; refuse a table without a console."""
        self.desk, self.table, self._give = desk, table, give
        self.look()

    def look(self) -> tuple[TableBook, TableState, Console]:
        """Return the table, its state and its console as they are now."""
        book = self.desk.table(self.table)
        return book, *_console_in(book)

    @property
    def meter(self) -> MeterBook:
        """Return the meter as it is now."""
        name = self.look()[0].meter
        for error in self.desk.look_up([meter_stream(name)]).values():
            raise error
        return self.desk.library.meter(name)

    def picture(self) -> Picture:
        """Return what the console shows."""
        return picture_of(self.look()[0], self.meter)

    def give(self, command: AnyCommand, actor: Actor) -> list[Sentence]:
        """Run a command and return its narration, or raise the refusal."""
        book, state, console = self.look()
        if isinstance(command, HouseCommand):
            answer = self._give(meter_stream(book.meter), command, actor)
            return [sentence for event in answer.events for sentence in self._of_meter(event)]
        stream = table_stream(self.table)
        seen = self.desk.library.heads[stream].sequence
        answer = self._give(stream, command, actor)
        if answer.first != seen + 1:
            return [Sentence("Done; somebody else changed the table in the meantime.")]
        return ConsoleNarrator(console, state).tell(answer.events)

    def _of_meter(self, event: object) -> list[Sentence]:
        """Return the narration of an adjustment."""
        if isinstance(event, AdjustmentProposed):
            words = (
                f"Adjustment {event.number} is proposed by {event.by}: win {event.win} is to be backed out"
            )
            return [Sentence(f"{words} ({event.reason}). Somebody else must approve it.", ("P30",))]
        if isinstance(event, AdjustmentRejected):
            return [Sentence(f"Adjustment {event.number} is rejected ({event.reason}).", ("P30",))]
        assert isinstance(event, MeterAdjusted)
        shown = dollars(self.meter.displayed)
        words = f"Adjustment {event.number} is approved by {event.by}, and the meter shows {shown}."
        return [Sentence(words, ("P30",))]

    def refusal(self, command: Command, actor: Actor) -> Refusal | None:
        """Return why a command would be refused for a person, or None; nothing changes."""
        _, state, console = self.look()
        meter, given = self.meter, in_role(command, actor)
        if isinstance(given, ConsoleCommand):
            meters = Meters(lambda under_way: award_at(meter.meter, under_way), meter.closed)
            return _refused(decide_console(console, state, given, meters))
        assert isinstance(given, CompleteDocument | Perform)
        return _refused(decide_table(state, given))


def _refused(decided: object) -> Refusal | None:
    return decided if isinstance(decided, Refusal) else None


def in_role(command: Given, actor: Actor) -> Given:
    """Return a command with the person's role for it: dealer for a dealer's work, else the highest role."""
    held = [role for role in AUTHORITY if role in actor.roles]
    floor = [role for role in held if role != "dealer"]
    as_dealer = "dealer" in held and (_is_dealers(command) or not floor)
    role = "dealer" if as_dealer else floor[-1] if floor else actor.roles[0]
    return msgspec.structs.replace(command, by=actor.person, role=role)


def _is_dealers(command: AnyCommand) -> bool:
    if isinstance(command, Press):
        return command.button in (*STARTING, *ENDING)
    return isinstance(command, PressHand | SelectSpot | Perform)

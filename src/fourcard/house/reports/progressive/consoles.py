"""Console status: lights, key, marked or logged win, and meter link of every table's console."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from fourcard.house.library import Library
from fourcard.house.meter_book import MeterBook
from fourcard.house.outcome import meter_stream, table_stream
from fourcard.house.ports import SystemEntropy
from fourcard.house.reports.progressive.streams import tables_named
from fourcard.house.store.contract import Reading
from fourcard.house.table_book import TableBook
from fourcard.progressive.console import Console, Light, in_game, lights, prize, rules_of
from fourcard.rules.consoles import Console as ConsoleKind
from fourcard.table.state import TableState

GameState = Literal["ready", "wagers open", "in game", "to be ended"]
"""Between games, while wagers are placed, while they are locked in, and after a round until its reset."""


class Standing(msgspec.Struct, frozen=True):
    """A table with a progressive, and the linked meter."""

    book: TableBook
    meter: MeterBook

    @property
    def state(self) -> TableState:
        """Return the state of the table."""
        return self.book.state

    @property
    def console(self) -> Console:
        """Return the console of the table."""
        assert self.book.console is not None
        return self.book.console


class ConsoleNow(msgspec.Struct, frozen=True, kw_only=True):
    """The status of one console."""

    table: str
    meter: str
    console: ConsoleKind
    round: int
    game: GameState
    ends: str
    """The button that ends a game."""
    lights: Mapping[int, Light]
    key: str
    """The position of the supervisor's key; empty on a console without one."""
    marked: str
    """The marked hand; empty where there is none."""
    marked_position: int
    marked_by: str
    logged_position: int
    logged_cents: int | None
    """The prize of a logged win that is not paid yet."""
    monitor_cents: int | None
    """What the Game Manager's monitor shows as due."""
    linked: bool
    closed: str
    """Why the link of the meter is closed; empty while it is open."""

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        lit = {str(position): light for position, light in self.lights.items()}
        return {**msgspec.to_builtins(self), "lights": lit}


def standing(reading: Reading, only: str | None = None) -> Iterator[Standing]:
    """Yield every table with a progressive, or one of them, with its meter, by name."""
    library = Library(SystemEntropy())
    library.look(reading)
    heads = reading.streams()
    for name in tables_named(reading, only):
        library.bring(table_stream(name), heads[table_stream(name)])
        book = library.table(name)
        if book.console is not None:
            linked = meter_stream(book.meter)
            library.bring(linked, heads[linked])
            yield Standing(book, library.meter(book.meter))


def consoles_now(reading: Reading, only: str | None = None) -> tuple[ConsoleNow, ...]:
    """Return every console of a house, or that of one table."""
    return tuple(map(_console, standing(reading, only)))


def _console(at: Standing) -> ConsoleNow:
    console, state = at.console, at.state
    rules, mark, logged = rules_of(console, state.game), console.mark, console.logged
    return ConsoleNow(
        table=at.book.table,
        meter=at.meter.name,
        console=console.kind,
        round=state.number,
        game=_game(console, state),
        ends=rules.ends.value.replace("_", " ").upper(),
        lights=lights(console, state),
        key=console.key if "turn_to_jph" in rules.cycle else "",
        marked="" if mark is None else mark.row,
        marked_position=0 if mark is None else mark.position,
        marked_by="" if mark is None else mark.by,
        logged_position=0 if logged is None else logged.position,
        logged_cents=None if logged is None else logged.payment.amount,
        monitor_cents=prize(console, state.game),
        linked=console.linked,
        closed=at.meter.closed,
    )


def _game(console: Console, state: TableState) -> GameState:
    if state.round is None:
        return "to be ended" if in_game(console, state) else "ready"
    return "in game" if in_game(console, state) else "wagers open"

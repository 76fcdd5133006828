"""Live console: shows the console of a real table, and drives it for people who sign in."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fourcard.cli.console_at import AtConsole, picture_of
from fourcard.cli.console_driving import Driver, roles
from fourcard.cli.console_language import CONSOLE
from fourcard.cli.console_screen import ConsoleScreen
from fourcard.cli.house_opening import house_open, reading_house
from fourcard.cli.house_passwords import present_password
from fourcard.cli.playing_screen import LeaveTableError
from fourcard.cli.signing_in import signed_in
from fourcard.errors import BadInputError
from fourcard.house.actors import Actor
from fourcard.house.library import Library
from fourcard.house.outcome import meter_stream, table_stream
from fourcard.house.ports import SystemEntropy
from fourcard.progressive.picturing import Picture
from fourcard.refusals import RefusedError


class Staff:
    """The people who have signed in at a console.

    On a terminal, whoever takes over enters the password again: nobody can act for a person who left (P29).
    """

    def __init__(self, sign_in: Callable[[str, str], Actor], *, typed: bool) -> None:
        """Start without anybody signed in."""
        self._sign_in, self._typed = sign_in, typed
        self.people: dict[str, Actor] = {}

    def called(self, word: str) -> Actor:
        """Return a person by name; on a terminal the person signs in again."""
        known = None if self._typed else self.people.get(word)
        return known or self.enter(word)

    def enter(self, person: str, file: Path | None = None) -> Actor:
        """Sign a person in."""
        self.people[person] = self._sign_in(person, present_password(person, file))
        return self.people[person]

    def known(self) -> Sequence[tuple[str, Actor]]:
        """Return those who have signed in."""
        return [*self.people.items()]


def picture_in(database: str, table: str) -> Picture:
    """Return what the console of a table in a house shows, read-only."""
    with reading_house(database) as reading:
        library, heads = Library(SystemEntropy()), reading.streams()
        library.look(reading)
        stream = table_stream(table)
        if stream in heads:
            library.bring(stream, heads[stream])
        book = library.table(table)
        linked = meter_stream(book.meter)
        if linked in heads:
            library.bring(linked, heads[linked])
        return picture_of(book, library.meter(book.meter))


@contextmanager
def driver_in(
    database: str,
    key: Path | None,
    table: str,
    people: Sequence[str],
    files: Sequence[Path],
    screen: ConsoleScreen,
) -> Iterator[Driver]:
    """Open a house and sign people in at the console of a table; the first one acts first."""
    if len(files) > len(people):
        raise BadInputError("There are more password files than people who act.")
    with house_open(database, key) as house, ExitStack() as doors:
        at = AtConsole(house.desk, table, house.do)
        typed = sys.stdin.isatty()
        enter = doors.enter_context
        staff = Staff(lambda person, password: enter(signed_in(house, person, password)), typed=typed)
        each: list[Path | None] = [*files, *[None] * (len(people) - len(files))]
        first, *_ = [staff.enter(person, file) for person, file in zip(people, each, strict=True)]
        yield Driver(at, staff, screen, CONSOLE, first)


def drive(driver: Driver, screen: ConsoleScreen, lines: Sequence[str]) -> None:
    """Run the given lines, or those typed or piped in; lines that are not typed stop at the first refusal."""
    if not lines and sys.stdin.isatty():
        _talk(driver, screen)
        return
    given = lines or [line for line in sys.stdin if line.strip()]
    for line in given or ["show"]:
        driver.line(line)


def _talk(driver: Driver, screen: ConsoleScreen) -> None:
    """Read lines from a person until they leave, and print refusals."""
    driver.line("show")
    while True:
        try:
            driver.line(screen.ask(f"{driver.actor.person} ({roles(driver.actor)}):"))
        except LeaveTableError:
            return
        except RefusedError as error:
            screen.refuse(error.refusal.message, error.refusal.clauses)
        except BadInputError as error:
            screen.refuse(str(error))

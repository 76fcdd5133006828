"""Live console: shows the console of a real table, and drives it for people who sign in."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fourcard.cli.console_session import CONSOLE_PHRASES, ConsoleRepl, ConsoleSession, picture_of, roles_text
from fourcard.cli.console_view import ConsoleScreen
from fourcard.cli.house_connect import open_house, open_house_for_reading, present_password, staff_signed_in
from fourcard.cli.play_view import LeaveTableError
from fourcard.house.auth.identity import Actor
from fourcard.house.clock_entropy import SystemEntropy
from fourcard.house.decision import meter_stream, table_stream
from fourcard.house.state_cache import StateCache
from fourcard.progressive.console_view import ConsoleView
from fourcard.refusals import BadInputError, RefusedError


class SignedInStaff:
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


def read_console(database: str, key: Path | None, table: str) -> ConsoleView:
    """Return what the console of a table in a house shows, read-only."""
    with open_house_for_reading(database, key) as reading:
        cache, heads = StateCache(SystemEntropy()), reading.streams()
        cache.use_reader(reading)
        stream = table_stream(table)
        if stream in heads:
            cache.catch_up(stream, heads[stream])
        house_table = cache.table(table)
        linked = meter_stream(house_table.meter)
        if linked in heads:
            cache.catch_up(linked, heads[linked])
        return picture_of(house_table, cache.meter(house_table.meter))


@contextmanager
def open_repl(
    database: str,
    key: Path | None,
    table: str,
    people: Sequence[str],
    files: Sequence[Path],
    screen: ConsoleScreen,
) -> Iterator[ConsoleRepl]:
    """Open a house and sign people in at the console of a table; the first one acts first."""
    if len(files) > len(people):
        raise BadInputError("There are more password files than people who act.")
    with open_house(database, key) as house, ExitStack() as stack:
        at = ConsoleSession(house.service, table, house.do)
        typed = sys.stdin.isatty()
        enter = stack.enter_context
        staff = SignedInStaff(
            lambda person, password: enter(staff_signed_in(house, person, password)), typed=typed
        )
        each: list[Path | None] = [*files, *[None] * (len(people) - len(files))]
        first, *_ = [staff.enter(person, file) for person, file in zip(people, each, strict=True)]
        yield ConsoleRepl(at, staff, screen, CONSOLE_PHRASES, first)


def run_lines(driver: ConsoleRepl, screen: ConsoleScreen, lines: Sequence[str]) -> None:
    """Run the given lines, or those typed or piped in; lines that are not typed stop at the first refusal."""
    if not lines and sys.stdin.isatty():
        _run_interactively(driver, screen)
        return
    given = lines or [line for line in sys.stdin if line.strip()]
    for line in given or ["show"]:
        driver.run_line(line)


def _run_interactively(driver: ConsoleRepl, screen: ConsoleScreen) -> None:
    """Read lines from a person until they leave, and print refusals."""
    driver.run_line("show")
    while True:
        try:
            driver.run_line(screen.ask(f"{driver.actor.person} ({roles_text(driver.actor)}):"))
        except LeaveTableError:
            return
        except RefusedError as error:
            screen.refuse(error.refusal.message, error.refusal.clauses)
        except BadInputError as error:
            screen.refuse(str(error))

"""House connection: options that name a house, and how commands open it and act as its console."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.actors import Actor, AnyCommand
    from fourcard.house.commands import StaffRole
    from fourcard.house.house import House
    from fourcard.house.signing import HouseKey
    from fourcard.house.store.contract import Reading

DATABASE = "fourcard.db"
ROLLED_BACK = (
    "The database is older than what was committed here before. Restore {restore} is recorded: rounds "
    "in progress are void, all sign-ins have ended, and each meter needs a reading by two people before its "
    "tables open."
)
CONSOLE_ROLES: "tuple[StaffRole, ...]" = ("supervisor", "administrator")
"""The roles of the house's console: supervisor for money at the cage, administrator for tables and people."""
Database = Annotated[
    str,
    typer.Option(
        "--database",
        "-d",
        metavar="URL",
        envvar="FOURCARD_DATABASE",
        help="A SQLite file, or a URL such as postgresql://user@host/house.",
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        envvar="FOURCARD_KEY",
        help="The key of the house, default next to its file, or house.key.",
    ),
]


@contextmanager
def citing_refusals() -> Iterator[None]:
    """Turn a refusal into a command-line error that cites its clauses."""
    from fourcard.refusals import RefusedError

    try:
        yield
    except RefusedError as error:
        clauses = error.refusal.clauses
        text = f"{error.refusal.message} [{' '.join(clauses)}]" if clauses else error.refusal.message
        raise BadInputError(text) from None


@contextmanager
def reading_house(database: str) -> "Iterator[Reading]":
    """Open a house read-only; it may be running."""
    from fourcard.house.house import refuse_unfounded
    from fourcard.house.reports.founding import founding
    from fourcard.house.store.sql import open_store

    store = open_store(database, writing=False)
    try:
        with citing_refusals(), store.reading() as reading:
            refuse_unfounded(founding(reading), store)
            yield reading
    finally:
        store.close()


@contextmanager
def house_open(database: str, key: Path | None) -> "Iterator[House]":
    """Open an existing house to run commands in it."""
    from fourcard.house.clock_watch import ClockWatch
    from fourcard.house.house import open_founded

    with open_founded(database, key) as house, citing_refusals():
        ClockWatch(house).look()
        report_recovery(house)
        yield house


def report_recovery(house: "House") -> None:
    """Report on standard error that the database was rolled back, and what was done about it."""
    from fourcard.house.gap import describe_gap

    event = house.recovered
    if event is not None:
        typer.echo(ROLLED_BACK.format(restore=event.restore), err=True)
        for line in describe_gap(event.lost):
            typer.echo(f"- {line}", err=True)


def key_of(database: str, key: Path | None) -> "HouseKey":
    """Return the key of a house, or refuse if it is missing; no new one is created."""
    from fourcard.house.house import key_beside
    from fourcard.house.signing import key_in

    return key_in(key or key_beside(database))


def console_of(house: "House") -> "Actor":
    """Return the console as an actor, or refuse if it was dismissed."""
    from fourcard.house.actors import CONSOLE
    from fourcard.house.reports.people import staff_now

    with house.store.reading() as reading:
        actor = staff_now(reading).actor(CONSOLE)
    if actor is None:
        raise BadInputError(
            "The console of this house was dismissed: only people who sign in can make changes."
        )
    return actor


def do(house: "House", stream: str, *commands: "AnyCommand") -> None:
    """Run commands on a stream one after the other, as the console."""
    actor = console_of(house)
    for command in commands:
        house.do(stream, command, actor)

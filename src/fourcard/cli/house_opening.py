"""How the commands of a house find and open it, and who gives them: the console of its machine."""

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
PUT_BACK = (
    "The database is older than what was committed here before. Restore {restore} is recorded: rounds "
    "under way are void, every sign-in has ended, and each meter needs a reading by two people before its "
    "tables open."
)
CONSOLE_ROLES: "tuple[StaffRole, ...]" = ("supervisor", "administrator")
"""What the console of the house needs: money at the cage, and tables and people."""
Database = Annotated[
    str,
    typer.Option(
        "--database",
        "-d",
        metavar="URL",
        envvar="FOURCARD_DATABASE",
        help="A SQLite file, or an address like postgresql://user@host/house.",
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        envvar="FOURCARD_KEY",
        help="The key of the house; beside its file, or house.key, unless told.",
    ),
]


@contextmanager
def told() -> Iterator[None]:
    """Let a refusal be told with the clauses that it rests on."""
    from fourcard.refusals import RefusedError

    try:
        yield
    except RefusedError as error:
        clauses = error.refusal.clauses
        text = f"{error.refusal.message} [{' '.join(clauses)}]" if clauses else error.refusal.message
        raise BadInputError(text) from None


@contextmanager
def reading_house(database: str) -> "Iterator[Reading]":
    """Open a view of a house, which may be running, and change nothing."""
    from fourcard.house.house import refuse_unfounded
    from fourcard.house.reports.founding import founding
    from fourcard.house.store.sql import open_store

    store = open_store(database, writing=False)
    try:
        with told(), store.reading() as reading:
            refuse_unfounded(founding(reading), store)
            yield reading
    finally:
        store.close()


@contextmanager
def house_open(database: str, key: Path | None) -> "Iterator[House]":
    """Open a house that has been founded, to give commands in it."""
    from fourcard.house.clock_watch import ClockWatch
    from fourcard.house.house import open_founded

    with open_founded(database, key) as house, told():
        ClockWatch(house).look()
        tell_recovery(house)
        yield house


def tell_recovery(house: "House") -> None:
    """Say on standard error that the database had been put back, and what was done about it."""
    from fourcard.house.gap import describe_gap

    event = house.recovered
    if event is not None:
        err = typer.echo
        err(PUT_BACK.format(restore=event.restore), err=True)
        for line in describe_gap(event.lost):
            err(f"- {line}", err=True)


def key_of(database: str, key: Path | None) -> "HouseKey":
    """Return the key of a house, or say that it is not there; no other one is made in its place."""
    from fourcard.house.house import key_beside
    from fourcard.house.signing import key_in

    return key_in(key or key_beside(database))


def console_of(house: "House") -> "Actor":
    """Return who gives commands here, or refuse where the console was let go."""
    from fourcard.house.actors import CONSOLE
    from fourcard.house.reports.people import staff_now

    with house.store.reading() as reading:
        actor = staff_now(reading).actor(CONSOLE)
    if actor is None:
        raise BadInputError("The console of this house was let go: only people who sign in change anything.")
    return actor


def do(house: "House", stream: str, *commands: "AnyCommand") -> None:
    """Do commands at a stream one after the other, as the console."""
    actor = console_of(house)
    for command in commands:
        house.do(stream, command, actor)

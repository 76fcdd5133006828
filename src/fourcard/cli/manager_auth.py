"""Game Manager sign-in: commands run as the machine's console or as a member of staff who signs in.

The console needs no password: whoever has the database and the key could read and change everything anyway.
Commands under dual control need two people who each sign in; the console is not a person.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from fourcard.cli.house_connect import (
    CONSOLE_ROLES,
    DATABASE,
    Database,
    Key,
    PasswordFile,
    console_actor,
    open_house,
    open_house_for_reading,
    present_password,
    staff_signed_in,
)
from fourcard.cli.output import EventProgress, Json, event_progress, print_json
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.house.auth.identity import Actor
    from fourcard.house.auth.permissions import Readable
    from fourcard.house.commands import MeterCommand
    from fourcard.house.house import House
    from fourcard.house.meter_state import MeterState
    from fourcard.house.store.interface import ReadTransaction

BROKEN = 1
"""The exit status if the sums of a meter are wrong."""
AsPerson = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="PERSON",
        help="A member of staff, who signs in with a password; default the machine's console.",
    ),
]
Reason = Annotated[str, typer.Option(help="The reason, for the journal.")]
Meter = Annotated[str, typer.Argument(help="The meter's name.")]
Win = Annotated[int, typer.Argument(help="The number of the win on its meter.")]
OfMeter = Annotated[str | None, typer.Option("--meter", help="One meter.")]


class ManagerSession(msgspec.Struct, frozen=True):
    """Who runs a Game Manager command, and in which house."""

    person: AsPerson = None
    password_file: PasswordFile = None
    database: Database = DATABASE
    key: Key = None


class ManagerOptions(ManagerSession, frozen=True):
    """The session of a command that can print JSON."""

    json: Json = False


class CommandDone(msgspec.Struct, frozen=True):
    """The result of a meter command: its events, and the meter afterwards."""

    events: tuple[Any, ...]
    meter: "MeterState"


@contextmanager
def reading_as(what: "Readable", session: ManagerSession) -> "Iterator[ReadTransaction]":
    """Open a house read-only for a person who is permitted to read ``what``."""
    from fourcard.house.auth.identity import CONSOLE, Actor

    if session.person is None:
        with open_house_for_reading(session.database, session.key) as reading:
            _check_permission(Actor(CONSOLE, "staff", CONSOLE_ROLES), what)
            yield reading
        return
    with _sign_in(session) as (house, actor):
        _check_permission(actor, what, house)
        with house.store.reading() as reading:
            yield reading


@contextmanager
def scanning_as(
    what: "Readable", session: ManagerSession, label: str = "Reading"
) -> "Iterator[tuple[ReadTransaction, EventProgress]]":
    """Open a house as ``reading_as`` does, with a progress bar for reading many events."""
    with reading_as(what, session) as reading, event_progress(label) as step:
        yield reading, step


def _check_permission(actor: "Actor", what: "Readable", house: "House | None" = None) -> None:
    """Refuse a person without permission to read, and log it if the person signed in."""
    from fourcard.house.auth.permissions import reading_refusal
    from fourcard.refusals import RefusedError

    refusal = reading_refusal(actor, what)
    if refusal is None:
        return
    if house is not None:
        house.service.security.note(actor.person, f"read {what}", refusal.name)
    raise RefusedError(refusal)


def run_command(
    session: ManagerOptions, meter: str, command: "MeterCommand", *, by_two: bool = False
) -> CommandDone:
    """Run a command on a meter; under dual control (``by_two``) a person must sign in."""
    if by_two and session.person is None:
        raise BadInputError("This needs two people, each under their own name: sign in with --as. [P30]")
    with open_as(session) as (house, actor):
        return _run_as(house, actor, meter, command)


@contextmanager
def open_as(session: ManagerSession) -> "Iterator[tuple[House, Actor]]":
    """Open a house for the person who signs in, or for the console."""
    if session.person is not None:
        with _sign_in(session) as signed_in:
            yield signed_in
        return
    with open_house(session.database, session.key) as house:
        yield house, console_actor(house)


def _run_as(house: "House", actor: "Actor", meter: str, command: "MeterCommand") -> CommandDone:
    from fourcard.house.decision import meter_stream

    in_role = msgspec.structs.replace(command, role=_role_for(actor, command))
    answer = house.do(meter_stream(meter), in_role, actor)
    return CommandDone(answer.events, house.service.cache.meter(meter))


def _role_for(actor: "Actor", command: "MeterCommand") -> Any:
    """Return the role in which a person may run a command: one of their own, or one that it includes."""
    from fourcard.house.auth.permissions import acting_roles, permissions

    allowed = permissions().commands[str(type(command).__struct_config__.tag)].roles
    for roles in (actor.roles, acting_roles(actor)):
        role = next((each for each in allowed if each in roles), None)
        if role is not None:
            return role
    return actor.roles[0]


@contextmanager
def _sign_in(session: ManagerSession) -> "Iterator[tuple[House, Actor]]":
    """Sign a person in for one command, and out after it."""
    assert session.person is not None
    password = present_password(session.person, session.password_file)
    with (
        open_house(session.database, session.key) as house,
        staff_signed_in(house, session.person, password) as actor,
    ):
        yield house, actor


def print_done(done: CommandDone, sentence: str, session: ManagerOptions) -> None:
    """Print a sentence for people, or the events as JSON for scripts."""
    if session.json:
        print_json(done.events)
    else:
        print(sentence)

"""Who asks the Game Manager: the console of the machine, or a member of staff who signs in with a password.

Whoever has database and key could read and change everything by hand, so that the console needs no password.
What takes two people needs two who signed in, each under an own name: the console is nobody in particular.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from fourcard.cli.house_opening import CONSOLE_ROLES, console_of, house_open, reading_house
from fourcard.cli.house_passwords import present_password
from fourcard.cli.output import print_json
from fourcard.cli.signing_in import signed_in
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.actors import Actor
    from fourcard.house.house import House
    from fourcard.house.meter_book import MeterBook
    from fourcard.house.meter_commands import MeterCommand
    from fourcard.house.permissions import Readable
    from fourcard.house.store.contract import Reading

As = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="PERSON",
        help="A member of staff, who signs in with a password; the console of the machine unless told.",
    ),
]
Reason = Annotated[str, typer.Option(help="Why; it stands in the journal.")]
Meter = Annotated[str, typer.Argument(help="The meter's name.")]
Win = Annotated[int, typer.Argument(help="The number of the win on its meter.")]
OfMeter = Annotated[str | None, typer.Option("--meter", help="One meter.")]
Since = Annotated[str | None, typer.Option(metavar="MOMENT", help="From this day or moment on, in UTC.")]
Until = Annotated[str | None, typer.Option(metavar="MOMENT", help="Up to just before this one, in UTC.")]


class Asked(NamedTuple):
    """Who asks, and which house."""

    person: str | None
    password_file: Path | None
    database: str
    key: Path | None


class Done(NamedTuple):
    """What came of a command to a meter: its events, and the meter afterwards."""

    events: tuple[Any, ...]
    book: "MeterBook"


@contextmanager
def reading_as(what: "Readable", asked: Asked) -> "Iterator[Reading]":
    """Open a view of a house for somebody who may read this of it."""
    from fourcard.house.actors import CONSOLE, Actor

    if asked.person is None:
        with reading_house(asked.database) as reading:
            _allow(Actor(CONSOLE, "staff", CONSOLE_ROLES), what)
            yield reading
        return
    with _signed_in(asked) as (house, actor):
        _allow(actor, what, house)
        with house.store.reading() as reading:
            yield reading


def _allow(actor: "Actor", what: "Readable", house: "House | None" = None) -> None:
    """Refuse who may not read something, and note it where somebody signed in."""
    from fourcard.house.permissions import reading_refusal
    from fourcard.refusals import RefusedError

    refusal = reading_refusal(actor, what)
    if refusal is None:
        return
    if house is not None:
        house.desk.security.note(actor.person, f"read {what}", refusal.name)
    raise RefusedError(refusal)


def command(asked: Asked, meter: str, given: "MeterCommand", *, by_two: bool = False) -> Done:
    """Give a command to a meter; what takes two people is not given by the console."""
    if by_two and asked.person is None:
        raise BadInputError("This takes two people, each under an own name: say who you are with --as. [P30]")
    if asked.person is not None:
        with _signed_in(asked) as (house, actor):
            return _done(house, actor, meter, given)
    with house_open(asked.database, asked.key) as house:
        return _done(house, console_of(house), meter, given)


def _done(house: "House", actor: "Actor", meter: str, given: "MeterCommand") -> Done:
    from msgspec.structs import replace

    from fourcard.house.outcome import meter_stream

    acted = replace(given, role=_role(actor, given))
    answer = house.do(meter_stream(meter), acted, actor)
    return Done(answer.events, house.desk.library.meter(meter))


def _role(actor: "Actor", given: "MeterCommand") -> Any:
    """Return the role in which a person gives a command: an own one, or one that goes with it."""
    from fourcard.house.permissions import acting_roles, permissions

    wanted = permissions().commands[str(type(given).__struct_config__.tag)].roles
    acted = acting_roles(actor)
    for roles in (actor.roles, acted):
        found = next((role for role in wanted if role in roles), None)
        if found is not None:
            return found
    return actor.roles[0]


@contextmanager
def _signed_in(asked: Asked) -> "Iterator[tuple[House, Actor]]":
    """Sign a person in for one command, and out again after it."""
    assert asked.person is not None
    password = present_password(asked.person, asked.password_file)
    with (
        house_open(asked.database, asked.key) as house,
        signed_in(house, asked.person, password) as actor,
    ):
        yield house, actor


def tell(done: Done, sentence: str, *, json: bool) -> None:
    """Say what came of a command, to people or to scripts."""
    import msgspec

    if json:
        print_json([msgspec.to_builtins(event) for event in done.events])
    else:
        print(sentence)

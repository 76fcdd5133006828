"""House connection: the options that house commands share, opening a house, passwords and sign-in."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from getpass import GetPassWarning, getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from warnings import catch_warnings, simplefilter

import msgspec
import typer

from fourcard.cli.output import Json
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.house.auth.identity import Actor, AnyCommand
    from fourcard.house.commands import PersonKind, StaffRole
    from fourcard.house.house import House
    from fourcard.house.store.interface import ReadTransaction

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


class HouseOptions(msgspec.Struct, frozen=True):
    """Which house a command changes."""

    database: Database = DATABASE
    key: Key = None


class ReadOptions(msgspec.Struct, frozen=True):
    """Which house a command reads, and how it prints."""

    database: Database = DATABASE
    json: Json = False


def with_options(command: Callable[..., None]) -> Any:
    """Return a command that takes the fields of an option group, such as ``HouseOptions``, one by one.

    The group is a keyword-only parameter of the command; its options stand in its place.
    """
    known = inspect.signature(command).parameters.values()
    groups = {each.name: each.annotation for each in known if _is_option_group(each.annotation)}
    parameters = [
        option.replace(kind=inspect.Parameter.KEYWORD_ONLY) if each.name in groups else option
        for each in known
        for option in (_options_of(each.annotation) if each.name in groups else (each,))
    ]
    signature = inspect.Signature(parameters)

    def run(*arguments: Any, **given: Any) -> None:
        values = signature.bind(*arguments, **given)
        values.apply_defaults()
        taken = values.arguments
        for name, group in groups.items():
            taken[name] = group(**{field: taken.pop(field) for field in group.__struct_fields__})
        command(**taken)

    wrapped: Any = wraps(command)(run)
    wrapped.__signature__ = signature
    return wrapped


def _is_option_group(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, msgspec.Struct)


def _options_of(group: Callable[..., object]) -> Iterable[inspect.Parameter]:
    return inspect.signature(group).parameters.values()


Player = Annotated[str, typer.Argument(help="The player's id.")]
TableName = Annotated[str | None, typer.Option("--table", help="One table.")]
Since = Annotated[str | None, typer.Option(metavar="MOMENT", help="From this day or time (UTC) on.")]
Until = Annotated[
    str | None, typer.Option(metavar="MOMENT", help="Up to just before this day or time (UTC).")
]
Begins = Annotated[int, typer.Option(metavar="HOUR", help="The hour (UTC) at which a gaming day begins.")]
KeepDays = Annotated[
    int | None,
    typer.Option(
        min=2,
        max=36_500,
        metavar="DAYS",
        help="Days after which a day is moved into its segment, default 35.",
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
def open_house_for_reading(database: str, key: Path | None = None) -> "Iterator[ReadTransaction]":
    """Open a house read-only; it may be running. With its key at hand, sealed records are opened."""
    from fourcard.house.house import key_beside, refuse_unfounded, use_key
    from fourcard.house.reports.house_status import house_identity
    from fourcard.house.store.address import open_store

    store = open_store(database, writing=False)
    try:
        use_key(store, key or key_beside(database))
        with citing_refusals(), store.reading() as reading:
            refuse_unfounded(house_identity(reading), store)
            yield reading
    finally:
        store.close()


@contextmanager
def open_house(database: str, key: Path | None) -> "Iterator[House]":
    """Open an existing house to run commands in it."""
    from fourcard.house.house import ClockWatch, open_founded

    with open_founded(database, key) as house, citing_refusals():
        ClockWatch(house).check()
        report_recovery(house)
        yield house


def report_recovery(house: "House") -> None:
    """Report on standard error that the database was rolled back, and what was done about it."""
    from fourcard.house.recovery import describe_gap

    event = house.recovered
    if event is not None:
        typer.echo(ROLLED_BACK.format(restore=event.restore), err=True)
        for line in describe_gap(event.lost):
            typer.echo(f"- {line}", err=True)


def console_actor(house: "House") -> "Actor":
    """Return the console as an actor, or refuse if it was dismissed."""
    from fourcard.house.auth.identity import CONSOLE
    from fourcard.house.reports.house_status import current_staff

    with house.store.reading() as reading:
        actor = current_staff(reading).actor(CONSOLE)
    if actor is None:
        raise BadInputError(
            "The console of this house was dismissed: only people who sign in can make changes."
        )
    return actor


def run_as_console(house: "House", stream: str, *commands: "AnyCommand") -> None:
    """Run commands on a stream one after the other, as the console."""
    actor = console_actor(house)
    for command in commands:
        house.do(stream, command, actor)


PasswordFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Read the password from the first line of a file, default from the keyboard."
    ),
]


def new_password(person: str, file: Path | None) -> str:
    """Return a new password that is strong enough, from a file or from the keyboard."""
    from fourcard.house.auth.sign_in import password_refusal
    from fourcard.refusals import RefusedError

    password = _type_twice(person) if file is None else _read_password(file)
    refusal = password_refusal(person, password)
    if refusal is not None:
        raise RefusedError(refusal)
    return password


def _read_password(file: Path) -> str:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadInputError(
            f"{file} cannot be read: {(error.strerror or 'it breaks off').lower()}."
        ) from None
    except UnicodeError:
        raise BadInputError(f"{file} cannot be read: it is not text.") from None
    return lines[0] if lines else ""


def present_password(person: str, file: Path | None) -> str:
    """Return the password with which a person signs in, from a file or from the keyboard."""
    if file is not None:
        return _read_password(file)
    (password,) = _ask_passwords(f"Password of {person}: ")
    return password


def _type_twice(person: str) -> str:
    """Ask for a new password twice."""
    first, second = _ask_passwords(f"New password for {person}: ", "Repeat it: ")
    if first != second:
        raise BadInputError("The two passwords are not the same.")
    return first


def _ask_passwords(*prompts: str) -> list[str]:
    """Ask for passwords without echo, or refuse if the terminal cannot hide them."""
    try:
        with catch_warnings():
            simplefilter("error", GetPassWarning)
            return [getpass(prompt) for prompt in prompts]
    except (GetPassWarning, EOFError):
        raise BadInputError(
            "A password cannot be typed here without showing it; use --password-file."
        ) from None


def set_password(house: "House", kind: "PersonKind", person: str, password: str) -> None:
    """Set a person's password, and record in the journal that it was set."""
    from fourcard.house.commands import NotePassword

    house.set_password(kind, NotePassword(person=person), password, console_actor(house))


@contextmanager
def staff_signed_in(house: "House", person: str, password: str) -> "Iterator[Actor]":
    """Sign a member of staff in, and out at the end."""
    from fourcard.refusals import Refusal, RefusedError

    token = house.sign_in.sign_in("staff", person, password)
    if isinstance(token, Refusal):
        raise RefusedError(token)
    try:
        actor = house.actor(token)
        if isinstance(actor, Refusal):
            raise RefusedError(actor)
        yield actor
    finally:
        house.sign_in.revoke(token)

"""Passwords: typed without echo or read from a file; never an argument of a command."""

from getpass import GetPassWarning, getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from warnings import catch_warnings, simplefilter

import typer

from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.house import House
    from fourcard.house.store.contract import PersonKind

PasswordFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Read the password from the first line of a file, default from the keyboard."
    ),
]


def new_password(person: str, file: Path | None) -> str:
    """Return a new password that is strong enough, from a file or from the keyboard."""
    from fourcard.house.passwords import weakness
    from fourcard.refusals import RefusedError

    password = _type_twice(person) if file is None else _read_password(file)
    refusal = weakness(person, password)
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
    from fourcard.cli.house_opening import console_of
    from fourcard.house.commands import NotePassword

    house.set_password(kind, NotePassword(person=person), password, console_of(house))

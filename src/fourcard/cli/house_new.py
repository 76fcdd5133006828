"""`fourcard house new`: the database, the key, the console and the first administrator of a house."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import (
    CONSOLE_ROLES,
    DATABASE,
    Database,
    Key,
    told,
)
from fourcard.cli.house_passwords import PasswordFile, new_password, set_password
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.errors import BadInputError
from fourcard.house.store.house_files import file_of, make_private

if TYPE_CHECKING:
    from fourcard.house.commands import HireStaff
    from fourcard.house.house import House
    from fourcard.house.store.contract import Store

Administrator = Annotated[
    str, typer.Option(metavar="PERSON", help="Who minds tables and people: an id to sign in with.")
]
Name = Annotated[str, typer.Option(help="What the administrator is called.")]


def new(
    administrator: Administrator,
    name: Name = "",
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Make a house: its database, its key, and its first administrator."""
    from fourcard.house.house import key_beside

    file = key or key_beside(database)
    with told(), ExitStack() as stack:
        first = _hires(administrator, name or administrator)
        password = new_password(administrator, password_file)
        house = stack.enter_context(_founded(database, file))
        _hire(house, first)
        set_password(house, "staff", administrator, password)
    answer = {
        "house": house.name,
        "database": house.store.name,
        "key": str(file),
        "public_key": house.key.public,
        "administrator": administrator,
    }
    if json:
        print_json(answer)
        return
    for what, text in answer.items():
        console().print(f"[bold]{what.replace('_', ' '):<14}[/]{plain(text)}", soft_wrap=True)
    console().print("[dim]Keep a copy of the key elsewhere: without it nobody can go on in this house.[/]")


def _hires(administrator: str, name: str) -> "list[HireStaff]":
    """Return who is taken on first, or refuse before anything is made."""
    from fourcard.house.actors import CONSOLE
    from fourcard.house.commands import HireStaff
    from fourcard.house.staff import StaffState, decide, evolve
    from fourcard.refusals import Refusal, RefusedError

    hires = [
        HireStaff(person=CONSOLE, name="Console of the house", roles=CONSOLE_ROLES),
        HireStaff(person=administrator, name=name, roles=("administrator",)),
    ]
    state = StaffState()
    for hire in hires:
        decided = decide(state, hire)
        if isinstance(decided, Refusal):
            raise RefusedError(decided)
        for event in decided:
            state = evolve(state, event)
    return hires


def _founded(database: str, key: Path) -> "House":
    """Found a house where there is none; if that fails, no database is left that was not there before."""
    from fourcard.house.house import House
    from fourcard.house.ports import SystemEntropy
    from fourcard.house.signing import key_in
    from fourcard.house.store.sql import open_store

    file = file_of(database)
    is_new = file is not None and not file.exists()
    make_private(file)
    store = open_store(database)
    try:
        _refuse_founded(store)
        return House(store, key_in(key, SystemEntropy()))
    except BaseException:
        store.close()
        if file is not None and is_new:
            file.unlink(missing_ok=True)
        raise


def _refuse_founded(store: "Store") -> None:
    from fourcard.house.outcome import STAFF

    with store.reading() as reading:
        if STAFF in reading.streams():
            raise BadInputError(f"There is a house in {store.name} already.")


def _hire(house: "House", hires: "list[HireStaff]") -> None:
    """Take both on in one commit, so that no house is left with half of its staff."""
    from fourcard.house.actors import CONSOLE, Actor
    from fourcard.house.outcome import STAFF
    from fourcard.house.requests import Answer, Request
    from fourcard.refusals import Refusal, RefusedError

    actor = Actor(CONSOLE, "staff", CONSOLE_ROLES)
    for reply in house.desk.execute([Request(STAFF, hire, actor) for hire in hires]):
        if isinstance(reply, Refusal):
            raise RefusedError(reply)
        if not isinstance(reply, Answer):
            raise reply

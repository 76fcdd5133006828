"""House set-up: the `house new` command creates database, key, console and first administrator."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import (
    CONSOLE_ROLES,
    DATABASE,
    Database,
    Key,
    citing_refusals,
)
from fourcard.cli.house_passwords import PasswordFile, new_password, set_password
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.errors import BadInputError

if TYPE_CHECKING:
    from fourcard.house.commands import HireStaff
    from fourcard.house.house import House
    from fourcard.house.store.contract import Store

Administrator = Annotated[
    str, typer.Option(metavar="PERSON", help="The id with which the first administrator signs in.")
]
Name = Annotated[str, typer.Option(help="The administrator's name.")]


def new(
    administrator: Administrator,
    name: Name = "",
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Create a house: its database, its key, and its first administrator."""
    from fourcard.house.house import key_beside

    file = key or key_beside(database)
    with citing_refusals(), ExitStack() as stack:
        first = _first_hires(administrator, name or administrator)
        password = new_password(administrator, password_file)
        house = stack.enter_context(_create_house(database, file))
        _hire_first(house, first)
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
    console().print("[dim]Keep a copy of the key elsewhere: without it the house cannot continue.[/]")


def _first_hires(administrator: str, name: str) -> "list[HireStaff]":
    """Return the commands that hire the first staff, or refuse before anything is created."""
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


def _create_house(database: str, key: Path) -> "House":
    """Create a house in an empty database; on failure, delete a database file that is new."""
    from fourcard.house.house import House
    from fourcard.house.ports import SystemEntropy
    from fourcard.house.signing import key_in
    from fourcard.house.store.house_files import file_of, make_private
    from fourcard.house.store.sql import open_store

    file = file_of(database)
    is_new = file is not None and not file.exists()
    make_private(file)
    store = open_store(database)
    try:
        _refuse_existing(store)
        return House(store, key_in(key, SystemEntropy()))
    except BaseException:
        store.close()
        if file is not None and is_new:
            file.unlink(missing_ok=True)
        raise


def _refuse_existing(store: "Store") -> None:
    from fourcard.house.outcome import STAFF

    with store.reading() as reading:
        if STAFF in reading.streams():
            raise BadInputError(f"{store.name} already holds a house.")


def _hire_first(house: "House", hires: "list[HireStaff]") -> None:
    """Hire the first staff in one commit, so that no house has only half of it."""
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

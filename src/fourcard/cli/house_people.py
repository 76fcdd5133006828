"""`fourcard house hire`, `roles`, `dismiss`, `password`, `staff`, `register`, `deposit` and `withdraw`."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.amounts import money
from fourcard.cli.house_opening import DATABASE, Database, Key, do, house_open, reading_house
from fourcard.cli.house_passwords import PasswordFile, new_password, set_password
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.errors import BadInputError
from fourcard.money import dollars

if TYPE_CHECKING:
    from pathlib import Path

    from fourcard.house.commands import Deposit, StaffRole, Withdraw

Person = Annotated[str, typer.Argument(help="An id: small letters, digits, '.', '_' and '-'.")]
Player = Annotated[str, typer.Argument(help="The player's id.")]
Amount = Annotated[str, typer.Argument(metavar="AMOUNT", help="Money with its unit: '$50', 50.00 or 5000c.")]
Called = Annotated[str, typer.Option(help="What the person is called; the id unless told.")]
Roles = Annotated[
    list[str],
    typer.Option(
        "--role", help="dealer, floorperson, supervisor, executive, auditor or administrator; again for more."
    ),
]
Asked = Annotated[bool, typer.Option("--password", help="Ask for a password, without showing it.")]
IsPlayer = Annotated[bool, typer.Option("--player", help="The person is a player, not of the staff.")]


def hire(
    person: Person,
    role: Roles,
    name: Called = "",
    password: Asked = False,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
) -> None:
    """Take a person on, in one role or more; without a password the person cannot sign in yet."""
    from fourcard.house.commands import HireStaff
    from fourcard.house.outcome import STAFF

    roles = _roles(role)
    with house_open(database, key) as house:
        chosen = new_password(person, password_file) if password or password_file else None
        do(house, STAFF, HireStaff(person=person, name=name or person, roles=roles))
        if chosen is not None:
            set_password(house, "staff", person, chosen)
    print(f"{person} works here as {', '.join(roles)}.")


def roles(person: Person, role: Roles, database: Database = DATABASE, key: Key = None) -> None:
    """Give a person other roles in place of those before."""
    from fourcard.house.commands import ChangeRoles
    from fourcard.house.outcome import STAFF

    given = _roles(role)
    with house_open(database, key) as house:
        do(house, STAFF, ChangeRoles(person=person, roles=given))
    print(f"{person} works here as {', '.join(given)}.")


def dismiss(person: Person, database: Database = DATABASE, key: Key = None) -> None:
    """Let a person go: the password and every sign-in end."""
    from fourcard.house.commands import DismissStaff
    from fourcard.house.outcome import STAFF

    with house_open(database, key) as house:
        do(house, STAFF, DismissStaff(person=person))
    print(f"{person} works here no longer.")


def password(
    person: Person,
    player: IsPlayer = False,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
) -> None:
    """Give somebody a new password; every sign-in under the old one ends."""
    with house_open(database, key) as house:
        set_password(house, "player" if player else "staff", person, new_password(person, password_file))
    print(f"{person} has a new password.")


def staff(database: Database = DATABASE, json: Json = False) -> None:
    """Show who works here, and as what."""
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.people import people

    with reading_house(database) as reading:
        found = people(reading)
    if json:
        print_json([each.answer() for each in found])
        return
    table = Table(box=box.SIMPLE_HEAD)
    for head in ("person", "name", "roles", "can sign in"):
        table.add_column(head, overflow="fold")
    for each in found:
        listed = ", ".join(each.roles) or "[dim]let go[/]"
        table.add_row(each.person, plain(each.name), listed, "yes" if each.password else "no")
    console().print(table)


def register(
    player: Player,
    name: Called = "",
    password: Asked = False,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
) -> None:
    """Open an account for a player."""
    from fourcard.house.commands import RegisterPlayer
    from fourcard.house.outcome import player_stream

    with house_open(database, key) as house:
        chosen = new_password(player, password_file) if password or password_file else None
        do(house, player_stream(player), RegisterPlayer(name=name or player))
        if chosen is not None:
            set_password(house, "player", player, chosen)
    print(f"{player} has an account.")


def deposit(player: Player, amount: Amount, database: Database = DATABASE, key: Key = None) -> None:
    """Pay money into a player's account at the cage."""
    from fourcard.house.commands import Deposit

    paid = money(amount)
    held = _at_cage(player, Deposit(cents=paid, role="supervisor"), database, key)
    print(f"{player} paid {dollars(paid)} in; the account holds {dollars(held)}.")


def withdraw(player: Player, amount: Amount, database: Database = DATABASE, key: Key = None) -> None:
    """Pay money out of a player's account at the cage."""
    from fourcard.house.commands import Withdraw

    paid = money(amount)
    held = _at_cage(player, Withdraw(cents=paid, role="supervisor"), database, key)
    print(f"{player} was paid {dollars(paid)}; the account holds {dollars(held)}.")


def _at_cage(player: str, command: "Deposit | Withdraw", database: str, key: "Path | None") -> int:
    """Do a command at the cage, and return what the account holds afterwards."""
    from fourcard.house.outcome import player_stream

    with house_open(database, key) as house:
        do(house, player_stream(player), command)
        return house.desk.library.player(player).cents


def _roles(named: list[str]) -> "tuple[StaffRole, ...]":
    """Return roles in their order, or refuse one that nobody has."""
    from fourcard.house.permissions import STAFF_ROLES

    unknown = next((role for role in named if role not in STAFF_ROLES), None)
    if unknown is not None:
        known = f"{', '.join(STAFF_ROLES[:-1])} or {STAFF_ROLES[-1]}"
        raise BadInputError(f"There is no role '{unknown}'; it must be {known}.")
    return tuple(role for role in STAFF_ROLES if role in named)

"""People: the `house` commands for staff, players, passwords and money at the cage."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_connect import (
    HouseOptions,
    PasswordFile,
    Player,
    ReadOptions,
    new_password,
    open_house,
    open_house_for_reading,
    run_as_console,
    set_password,
    with_options,
)
from fourcard.cli.output import console, parse_money, print_rows, struct_table
from fourcard.money import dollars
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.house.commands import Deposit, StaffRole, Withdraw
    from fourcard.house.reports.house_status import StaffMember

Person = Annotated[str, typer.Argument(help="An id: lower-case letters, digits, '.', '_' and '-'.")]
Amount = Annotated[str, typer.Argument(metavar="AMOUNT", help="Money with its unit: '$50', 50.00 or 5000c.")]
PersonName = Annotated[str, typer.Option(help="The person's name, default the id.")]
Roles = Annotated[
    list[str],
    typer.Option(
        "--role",
        help="dealer, floorperson, supervisor, executive, auditor or administrator; repeat for more.",
    ),
]
AskPassword = Annotated[bool, typer.Option("--password", help="Ask for a password without showing it.")]
IsPlayer = Annotated[bool, typer.Option("--player", help="The person is a player, not staff.")]


@with_options
def hire(
    person: Person,
    role: Roles,
    name: PersonName = "",
    password: AskPassword = False,
    password_file: PasswordFile = None,
    *,
    at: HouseOptions,
) -> None:
    """Hire a person in one or more roles; without a password the person cannot sign in yet."""
    from fourcard.house.commands import HireStaff
    from fourcard.house.decision import STAFF

    roles = _parse_roles(role)
    with open_house(at.database, at.key) as house:
        chosen = new_password(person, password_file) if password or password_file else None
        run_as_console(house, STAFF, HireStaff(person=person, name=name or person, roles=roles))
        if chosen is not None:
            set_password(house, "staff", person, chosen)
    print(f"{person} works here as {', '.join(roles)}.")


@with_options
def roles(person: Person, role: Roles, *, at: HouseOptions) -> None:
    """Replace the roles of a person."""
    from fourcard.house.commands import ChangeRoles
    from fourcard.house.decision import STAFF

    changed = _parse_roles(role)
    with open_house(at.database, at.key) as house:
        run_as_console(house, STAFF, ChangeRoles(person=person, roles=changed))
    print(f"{person} works here as {', '.join(changed)}.")


@with_options
def dismiss(person: Person, *, at: HouseOptions) -> None:
    """Dismiss a person: the password and every sign-in end."""
    from fourcard.house.commands import DismissStaff
    from fourcard.house.decision import STAFF

    with open_house(at.database, at.key) as house:
        run_as_console(house, STAFF, DismissStaff(person=person))
    print(f"{person} no longer works here.")


@with_options
def password(
    person: Person, player: IsPlayer = False, password_file: PasswordFile = None, *, at: HouseOptions
) -> None:
    """Set a new password for a person; sign-ins with the old one end."""
    with open_house(at.database, at.key) as house:
        set_password(house, "player" if player else "staff", person, new_password(person, password_file))
    print(f"{person} has a new password.")


@with_options
def staff(*, at: ReadOptions) -> None:
    """Show the staff and their roles."""
    from fourcard.house.reports.house_status import staff_members

    with open_house_for_reading(at.database) as reading:
        print_rows(staff_members(reading), _show_staff, json=at.json)


def _show_staff(found: "tuple[StaffMember, ...]") -> None:
    roles = ("roles", lambda each: ", ".join(each.roles) or "[dim]dismissed[/]")
    console().print(struct_table(found, "person", "name", roles, ("can sign in", "password")))


@with_options
def register(
    player: Player,
    name: PersonName = "",
    password: AskPassword = False,
    password_file: PasswordFile = None,
    *,
    at: HouseOptions,
) -> None:
    """Open an account for a player."""
    from fourcard.house.commands import RegisterPlayer
    from fourcard.house.decision import player_stream

    with open_house(at.database, at.key) as house:
        chosen = new_password(player, password_file) if password or password_file else None
        run_as_console(house, player_stream(player), RegisterPlayer(name=name or player))
        if chosen is not None:
            set_password(house, "player", player, chosen)
    print(f"{player} has an account.")


@with_options
def deposit(player: Player, amount: Amount, *, at: HouseOptions) -> None:
    """Deposit money into a player's account at the cage."""
    from fourcard.house.commands import Deposit

    paid = parse_money(amount)
    balance = _at_cage(player, Deposit(cents=paid, role="supervisor"), at)
    print(f"{player} deposited {dollars(paid)}; the account holds {dollars(balance)}.")


@with_options
def withdraw(player: Player, amount: Amount, *, at: HouseOptions) -> None:
    """Withdraw money from a player's account at the cage."""
    from fourcard.house.commands import Withdraw

    paid = parse_money(amount)
    balance = _at_cage(player, Withdraw(cents=paid, role="supervisor"), at)
    print(f"{player} withdrew {dollars(paid)}; the account holds {dollars(balance)}.")


def _at_cage(player: str, command: "Deposit | Withdraw", at: HouseOptions) -> int:
    """Run a command at the cage and return the account's new balance in cents."""
    from fourcard.house.decision import player_stream

    with open_house(at.database, at.key) as house:
        run_as_console(house, player_stream(player), command)
        return house.service.cache.player(player).cents


def _parse_roles(named: list[str]) -> "tuple[StaffRole, ...]":
    """Return roles in their usual order, or refuse an unknown one."""
    from fourcard.house.auth.permissions import STAFF_ROLES

    unknown = next((role for role in named if role not in STAFF_ROLES), None)
    if unknown is not None:
        known = f"{', '.join(STAFF_ROLES[:-1])} or {STAFF_ROLES[-1]}"
        raise BadInputError(f"There is no role '{unknown}'; it must be {known}.")
    return tuple(role for role in STAFF_ROLES if role in named)

"""Staff: people are hired, change roles and are dismissed; one administrator always remains."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from fourcard.house.auth.identity import CONSOLE, Actor, printable
from fourcard.house.auth.permissions import STAFF_ROLES
from fourcard.house.commands import (
    ChangeRoles,
    ConfirmClock,
    DismissStaff,
    HireStaff,
    StaffCommand,
    StaffRole,
    is_name,
)
from fourcard.house.events import (
    ClockConfirmed,
    PasswordSet,
    RolesChanged,
    StaffDismissed,
    StaffEvent,
    StaffHired,
)
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse

MAX_NAME_LENGTH = 80
StaffEventsOrRefusal = Refusal | list[StaffEvent]


class Employee(msgspec.Struct, frozen=True):
    """A person as the house knows it; a dismissed person has no roles."""

    name: str
    roles: tuple[StaffRole, ...]
    password: bool = False
    """Whether a password was set since the person was hired."""


class StaffState(msgspec.Struct, frozen=True):
    """All current and former staff, by id."""

    people: Mapping[str, Employee] = {}

    def employed(self, person: str) -> Employee | None:
        """Return a person who works here now, or None."""
        found = self.people.get(person)
        return found if found is not None and found.roles else None

    def actor(self, person: str) -> Actor | None:
        """Return a current member of staff as the author of commands, or None."""
        found = self.employed(person)
        return Actor(person, "staff", found.roles) if found is not None else None

    def administrators(self) -> tuple[str, ...]:
        """Return the administrators, including those who cannot sign in yet."""
        return tuple(person for person, each in self.people.items() if "administrator" in each.roles)

    def able_administrators(self) -> tuple[str, ...]:
        """Return the administrators who can act: the console, and people with a password.

        If there is none, as in a house whose people sign in elsewhere, return every administrator.
        """
        known = self.administrators()
        able = tuple(each for each in known if each == CONSOLE or self.people[each].password)
        return able or known


def decide(state: StaffState, command: StaffCommand) -> StaffEventsOrRefusal:
    """Return the events of a staff command, or a refusal."""
    if isinstance(command, HireStaff):
        return _hire(state, command)
    if isinstance(command, ConfirmClock):
        return [ClockConfirmed(command.ahead)]
    if state.employed(command.person) is None:
        return refuse(Code.PERSON_UNKNOWN, person=printable(command.person))
    if isinstance(command, ChangeRoles):
        return _change(state, command)
    if isinstance(command, DismissStaff):
        return _last_administrator_refusal(state, command.person, ()) or [StaffDismissed(command.person)]
    return refuse(Code.CONSOLE_PASSWORD) if command.person == CONSOLE else [PasswordSet(command.person)]


def _hire(state: StaffState, command: HireStaff) -> StaffEventsOrRefusal:
    person, name, roles = command.person, " ".join(command.name.split()), sorted_roles(command.roles)
    if not is_name(person):
        return refuse(Code.ID_UNFIT, what="person", name=printable(person))
    if state.employed(person) is not None:
        return refuse(Code.PERSON_KNOWN, person=person)
    if not (0 < len(name) <= MAX_NAME_LENGTH and name.isprintable()):
        return refuse(Code.PERSON_NAME_MISSING, most=MAX_NAME_LENGTH)
    refusal = _roles_refusal(roles)
    if refusal is not None:
        return refusal
    if not state.administrators() and "administrator" not in roles:
        return refuse(Code.ADMINISTRATOR_FIRST)
    return [StaffHired(person, name, roles)]


def _change(state: StaffState, command: ChangeRoles) -> StaffEventsOrRefusal:
    person, roles = command.person, sorted_roles(command.roles)
    refusal = _roles_refusal(roles)
    if refusal is not None:
        return refusal
    if command.by == person:
        return refuse(Code.OWN_ROLES, ("P25",), person=person)
    if roles == state.people[person].roles:
        return refuse(Code.ROLES_UNCHANGED, person=person)
    return _last_administrator_refusal(state, person, roles) or [RolesChanged(person, roles)]


def _roles_refusal(roles: tuple[StaffRole, ...]) -> Refusal | None:
    """Refuse a person without roles, and an auditor with other roles (P25)."""
    if not roles:
        return refuse(Code.ROLES_MISSING)
    return refuse(Code.AUDITOR_APART, ("P25",)) if "auditor" in roles and len(roles) > 1 else None


def _last_administrator_refusal(
    state: StaffState, person: str, roles: tuple[StaffRole, ...]
) -> Refusal | None:
    """Refuse to remove the last administrator who can act: nobody could repair it."""
    if "administrator" in roles or state.able_administrators() != (person,):
        return None
    return refuse(Code.LAST_ADMINISTRATOR, person=person)


def sorted_roles(roles: tuple[StaffRole, ...]) -> tuple[StaffRole, ...]:
    """Return roles in their fixed order, each once."""
    return tuple(role for role in STAFF_ROLES if role in roles)


def evolve(state: StaffState, event: StaffEvent) -> StaffState:
    """Return the staff after an event; a confirmed clock changes nothing."""
    if isinstance(event, ClockConfirmed):
        return state
    if isinstance(event, StaffHired):
        return _with_employee(state, event.person, Employee(event.name, event.roles))
    known = state.people[event.person]
    if isinstance(event, RolesChanged):
        return _with_employee(state, event.person, replace(known, roles=event.roles))
    if isinstance(event, PasswordSet):
        return _with_employee(state, event.person, replace(known, password=True))
    return _with_employee(state, event.person, replace(known, roles=(), password=False))


def _with_employee(state: StaffState, person: str, employee: Employee) -> StaffState:
    return StaffState({**state.people, person: employee})

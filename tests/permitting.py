"""People of a house and what its outer gate says to their commands."""

from typing import get_args

from fourcard.house.actors import Actor, AnyCommand, acting
from fourcard.house.commands import ActingRole, StaffRole
from fourcard.house.permissions import acting_roles, permission_refusal
from fourcard.refusals import Refusal

ANN, BEN = Actor("ann", "player"), Actor("ben", "player")
ROLES: tuple[ActingRole, ...] = tuple(role for part in get_args(ActingRole) for role in get_args(part))
STAFF: tuple[StaffRole, ...] = get_args(StaffRole)


def staff(*roles: StaffRole, person: str = "sam") -> Actor:
    """Return a member of staff."""
    return Actor(person, "staff", roles)


def refusal_of(actor: Actor, command: AnyCommand) -> Refusal | None:
    """Return what the gate says to a command as this person gives it."""
    return permission_refusal(actor, acting(actor, command))


def code_of(actor: Actor, command: AnyCommand) -> str:
    """Return the name of the gate's refusal, or nothing."""
    return refusal.name if (refusal := refusal_of(actor, command)) is not None else ""


def holder(role: ActingRole) -> Actor:
    """Return the lowest person who acts in a role."""
    if role == "player":
        return ANN
    return next(staff(each) for each in STAFF if role in acting_roles(staff(each)))

"""Who is in the house: staff in every role, players, and whoever may do something."""

from random import Random

from fourcard.house.actors import Actor
from fourcard.house.commands import ActingRole, StaffRole
from fourcard.house.permissions import acting_roles
from fourcard.house.staff import StaffState

FOUNDER = Actor("ada", "staff", ("administrator",))
STAFF: dict[str, tuple[StaffRole, ...]] = {
    "ada": ("administrator",),
    "dora": ("dealer",),
    "dan": ("dealer", "supervisor"),
    "duke": ("dealer", "floorperson"),
    "flo": ("floorperson",),
    "sue": ("supervisor",),
    "sam": ("supervisor", "dealer"),
    "eve": ("executive",),
    "rex": ("executive", "dealer"),
    "otto": ("auditor",),
    "adam": ("administrator", "executive"),
}
"""Those who stay; others come and go. Whoever deals and ranks higher too may mark a win or confirm it, but
never both."""
PLAYERS = tuple(f"p{number}" for number in range(1, 21))


def player(name: str) -> Actor:
    """Return a player as one who gives commands."""
    return Actor(name, "player")


def everybody(staff: StaffState) -> list[Actor]:
    """Return all who work here now."""
    found = (staff.actor(person) for person in staff.people)
    return [actor for actor in found if actor is not None]


class Roster:
    """Who may act in each role, worked out anew only when the staff has changed."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._staff = StaffState()
        self._able: dict[ActingRole, list[Actor]] = {}

    def somebody(self, staff: StaffState, role: ActingRole, chance: Random, but: str = "") -> Actor:
        """Return one of the staff who may act in a role, but not a certain person."""
        if staff is not self._staff:
            self._staff, self._able = staff, {}
        if role not in self._able:
            self._able[role] = [actor for actor in everybody(staff) if role in acting_roles(actor)]
        return chance.choice([actor for actor in self._able[role] if actor.person != but])


def signed_in(actor: Actor, staff: StaffState) -> Actor:
    """Return a person as a sign-in of this moment has it: somebody who was let go has no role left."""
    if actor.kind == "player":
        return actor
    return staff.actor(actor.person) or Actor(actor.person, "staff")

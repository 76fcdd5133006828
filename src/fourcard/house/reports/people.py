"""Who works in the house, as a report and for whoever acts at its console."""

import msgspec

from fourcard.house.library import Library
from fourcard.house.outcome import STAFF
from fourcard.house.ports import SystemEntropy
from fourcard.house.staff import StaffState
from fourcard.house.store.contract import Reading


class Person(msgspec.Struct, frozen=True):
    """A member of staff; one who was let go has no roles."""

    person: str
    name: str
    roles: tuple[str, ...]
    password: bool
    """Whether the person can sign in."""

    def answer(self) -> dict[str, object]:
        """Return it as scripts read it."""
        return {**msgspec.to_builtins(self), "roles": list(self.roles)}


def staff_now(reading: Reading) -> StaffState:
    """Return the staff of one moment."""
    head = reading.streams().get(STAFF)
    if head is None:
        return StaffState()
    library = Library(SystemEntropy())
    library.look(reading)
    library.bring(STAFF, head)
    return library.staff()


def people(reading: Reading) -> tuple[Person, ...]:
    """Return everybody who works here or once did, by id."""
    known = sorted(staff_now(reading).people.items())
    return tuple(Person(person, each.name, each.roles, each.password) for person, each in known)

"""Staff report: the people who work or worked in the house, with their roles."""

import msgspec

from fourcard.house.library import Library
from fourcard.house.outcome import STAFF
from fourcard.house.ports import SystemEntropy
from fourcard.house.staff import StaffState
from fourcard.house.store.contract import Reading


class Person(msgspec.Struct, frozen=True):
    """A member of staff; a dismissed one has no roles."""

    person: str
    name: str
    roles: tuple[str, ...]
    password: bool
    """Whether the person has a password and can sign in."""

    def answer(self) -> dict[str, object]:
        """Return it as JSON data."""
        return {**msgspec.to_builtins(self), "roles": list(self.roles)}


def staff_now(reading: Reading) -> StaffState:
    """Return the current staff."""
    head = reading.streams().get(STAFF)
    if head is None:
        return StaffState()
    library = Library(SystemEntropy())
    library.look(reading)
    library.bring(STAFF, head)
    return library.staff()


def people(reading: Reading) -> tuple[Person, ...]:
    """Return everybody who works here or did before, by id."""
    known = sorted(staff_now(reading).people.items())
    return tuple(Person(person, each.name, each.roles, each.password) for person, each in known)

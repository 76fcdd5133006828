"""Hosted house: an existing house opened with its key, with an automatic dealer if it deals."""

from pathlib import Path

from fourcard.errors import BadInputError
from fourcard.house.actors import CONSOLE
from fourcard.house.commands import HireStaff
from fourcard.house.house import House, open_founded
from fourcard.house.outcome import STAFF
from fourcard.server.floor.bus import Bus, OnlyProcess
from fourcard.server.floor.deeds import DEALER

NO_DEALER = (
    "The house dealer is missing: hire '{person}' as dealer, floorperson and supervisor, or use --no-deal."
)


def shared_house(database: str, key: Path | None, *, deals: bool) -> House:
    """Open an existing house; hire the house dealer if the house deals automatically."""
    house = open_founded(database, key)
    try:
        if deals:
            _hire_dealer(house)
    except BaseException:
        house.close()
        raise
    return house


def _hire_dealer(house: House) -> None:
    staff = house.desk.staff()
    known = staff.employed(DEALER.person)
    if known is not None and {*known.roles} >= {*DEALER.roles}:
        return
    console = staff.actor(CONSOLE)
    if console is None or known is not None:
        raise BadInputError(NO_DEALER.format(person=DEALER.person))
    hire = HireStaff(person=DEALER.person, name="Dealer of the house", roles=DEALER.roles)
    house.do(STAFF, hire, console)


def bus_of(database: str) -> Bus:
    """Return the bus between the processes of a house: PostgreSQL, or none for a single process."""
    if not database.startswith(("postgres://", "postgresql")):
        return OnlyProcess()
    from fourcard.server.floor.postgres_bus import PostgresBus  # noqa: PLC0415  its driver is optional

    return PostgresBus(database)

"""Hosted house: an existing house opened with its key, with an automatic dealer if it deals."""

from pathlib import Path

from fourcard.house.auth.identity import CONSOLE
from fourcard.house.autopilot import HOUSE_DEALER_ACTOR
from fourcard.house.commands import HireStaff
from fourcard.house.decision import STAFF
from fourcard.house.house import House, open_founded
from fourcard.house.store.address import is_postgres
from fourcard.refusals import BadInputError
from fourcard.server.floor.bus import Bus, SingleProcessBus, WorkerSockets

NO_DEALER = (
    "The house dealer is missing: hire '{person}' as dealer, floorperson and supervisor, or use --no-deal."
)


def open_hosted_house(database: str, key: Path | None, *, deals: bool) -> House:
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
    staff = house.service.staff()
    known = staff.employed(HOUSE_DEALER_ACTOR.person)
    if known is not None and {*known.roles} >= {*HOUSE_DEALER_ACTOR.roles}:
        return
    console = staff.actor(CONSOLE)
    if console is None or known is not None:
        raise BadInputError(NO_DEALER.format(person=HOUSE_DEALER_ACTOR.person))
    hire = HireStaff(
        person=HOUSE_DEALER_ACTOR.person, name="Dealer of the house", roles=HOUSE_DEALER_ACTOR.roles
    )
    house.do(STAFF, hire, console)


def bus_for(database: str, *, deals: bool, sockets: WorkerSockets | None = None) -> Bus:
    """Return the bus between the processes of a house: PostgreSQL, or none for a single process."""
    if not is_postgres(database):
        return SingleProcessBus()
    from fourcard.server.floor.postgres_bus import PostgresBus  # noqa: PLC0415  its driver is optional

    return PostgresBus(database, sockets, deals=deals)

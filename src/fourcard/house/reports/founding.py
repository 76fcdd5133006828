"""House identity: the founding event with the id and the public key of a house."""

from fourcard.house.events import HouseFounded
from fourcard.house.journal import HOUSE as CODEC
from fourcard.house.outcome import HOUSE
from fourcard.house.store.contract import Reading


def founding(reading: Reading) -> HouseFounded | None:
    """Return the founding event of a house, or None where there is none."""
    for record in reading.events(HOUSE):
        event = CODEC.decode(record)
        return event if isinstance(event, HouseFounded) else None
    return None

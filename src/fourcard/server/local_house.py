"""Local house: created at first start, with staff and one table per rulebook."""

from collections.abc import Callable
from pathlib import Path

import platformdirs

from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.autopilot import HOUSE_DEALER_ACTOR
from fourcard.house.commands import ApproveAdjustment, EnterReading, HireStaff, InstallTable, StaffRole
from fourcard.house.decision import STAFF, meter_stream, table_stream
from fourcard.house.house import House, open_house
from fourcard.house.recovery import last_seen
from fourcard.house.route_command import CommandResult, Request
from fourcard.house.store.address import create_private_file
from fourcard.money import dollars
from fourcard.refusals import BadInputError, Refusal, RefusedError
from fourcard.rules.loading import rulebook_ids
from fourcard.rules.submission import fullest_examples

Confirm = Callable[[str], bool]
"""Asks a yes-or-no question; returns True for yes."""
RESTORED = (
    "This house was restored to an older state: unfinished rounds are void, their wagers were returned, and "
    "all sign-ins have ended. Its meters continue from their last known reading: {meters}. Open it?"
)
LOCAL_FLOOR = Actor("floor", "staff", ("floorperson", "supervisor", "executive", "administrator"))
"""The person behind the staff link."""
CONSOLE_ROLES: tuple[StaffRole, ...] = ("supervisor", "administrator")


def open_local_house(path: Path, key: Path | None = None, agree: Confirm = lambda _question: True) -> House:
    """Open the house in a file, or create it; missing staff and tables are added.

    After a restore it asks before opening (P38), because a practice house has no staff to approve meters.
    """
    is_new = not path.exists()
    _create_file(path)
    try:
        house = open_house(str(path), key)
    except BadInputError:
        if is_new:
            path.unlink(missing_ok=True)
        raise
    try:
        _hire_missing(house)
        _install_missing(house)
        _confirm_meters(house, agree)
    except BaseException:
        house.close()
        raise
    return house


def _create_file(path: Path) -> None:
    """Create the file of a new house and its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or "no access").lower()
        raise BadInputError(f"The house cannot be stored in {path.parent}: {reason}.") from None
    create_private_file(path)


def _hire_missing(house: House) -> None:
    """Hire who is missing: the console, the house dealer and the floor."""
    staff = house.service.staff()
    console = Actor(CONSOLE, "staff", CONSOLE_ROLES)
    people = ((console, "Console"), (HOUSE_DEALER_ACTOR, "Dealer of the house"), (LOCAL_FLOOR, "Floor"))
    hires = [
        Request(STAFF, HireStaff(person=who.person, name=name, roles=who.roles), console)
        for who, name in people
        if staff.employed(who.person) is None
    ]
    if staff.people and staff.actor(CONSOLE) is None and hires:
        raise BadInputError("The console of this house was dismissed: use 'fourcard serve --house'.")
    _run_all(house, hires)


def _install_missing(house: House) -> None:
    """Install a table for each rulebook that has an example and no table yet."""
    with house.store.reading() as reading:
        known = reading.streams([table_stream(name) for name in rulebook_ids()])
    missing = [name for name in rulebook_ids() if table_stream(name) not in known]
    console = house.service.staff().actor(CONSOLE)
    if console is None or not missing:
        return
    texts = {name: path.read_text(encoding="utf-8") for name, path in fullest_examples().items()}
    _run_all(
        house,
        [
            Request(table_stream(name), InstallTable(submission=texts[name]), console)
            for name in missing
            if name in texts
        ],
    )


def _confirm_meters(house: House, agree: Confirm) -> None:
    """Set the meters of a restored practice house to their last reading, if the player agrees."""
    with house.store.reading() as reading:
        names = [each.removeprefix("meter/") for each in reading.streams_of("meter")]
        meters = [house.service.meter(name) for name in names]
        waiting = {table.name: table for table in meters if table.unconfirmed_restore}
        last_readings = {
            name: last_seen(reading, table.unconfirmed_restore) for name, table in waiting.items()
        }
    staff = house.service.staff()
    console, floor = staff.actor(CONSOLE), staff.actor(LOCAL_FLOOR.person)
    practice = not any(each.password for each in staff.people.values())
    if not waiting or not practice or console is None or floor is None:
        return
    amounts = {
        name: last_readings[name].get(meter_stream(name), table.displayed) for name, table in waiting.items()
    }
    readings = ", ".join(f"{name} {dollars(cents)}" for name, cents in amounts.items())
    if not agree(RESTORED.format(meters=readings)):
        raise BadInputError("The house stays closed.")
    for name, cents in amounts.items():
        entered = EnterReading(cents=cents, reason="practice house", role="supervisor")
        approved = ApproveAdjustment(number=waiting[name].proposal_count + 1, role="executive")
        stream = meter_stream(name)
        _run_all(house, [Request(stream, entered, console), Request(stream, approved, floor)])


def _run_all(house: House, requests: list[Request]) -> None:
    """Run commands in one commit; raise the first refusal."""
    for reply in house.service.execute(requests) if requests else ():
        if isinstance(reply, Refusal):
            raise RefusedError(reply)
        if not isinstance(reply, CommandResult):
            raise reply


def local_house_file() -> Path:
    """Return the default file of a local house."""
    return Path(platformdirs.user_data_dir("fourcard", appauthor=False)) / "own-house.db"

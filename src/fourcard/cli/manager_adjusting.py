"""`fourcard manager adjust`, `back-out`, `approve`, `reject` and `adjustments`: a meter adjusted by hand (P30)."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.amounts import MOST_DIGITS
from fourcard.cli.audit import telling
from fourcard.cli.house_opening import DATABASE, Database, Key
from fourcard.cli.house_passwords import PasswordFile
from fourcard.cli.manager_opening import As, Asked, Reason, command, reading_as, tell
from fourcard.cli.output import Json, console, plain, print_json
from fourcard.errors import BadInputError
from fourcard.money import MoneyError, dollars, parse_dollars

if TYPE_CHECKING:
    from fourcard.house.reports.progressive.adjustments import Adjustment

Meter = Annotated[str, typer.Argument(help="The meter's name.")]
Win = Annotated[int, typer.Argument(help="The number of the win on its meter.")]
Number = Annotated[int, typer.Argument(help="The number of the adjustment on its meter.")]
OfMeter = Annotated[str | None, typer.Option("--meter", help="One meter.")]
Since = Annotated[str | None, typer.Option(metavar="MOMENT", help="From this day or moment on, in UTC.")]
Until = Annotated[str | None, typer.Option(metavar="MOMENT", help="Up to just before this one, in UTC.")]
Part = Annotated[Literal["meter", "reserve"], typer.Option(help="What is adjusted.")]
InCents = Annotated[str | None, typer.Option("--cents", help="Cents to add, or to take away like -500.")]
InDollars = Annotated[
    str | None, typer.Option("--dollars", help="Dollars to add, or to take away like -5.25.")
]
MOST = 2**31


def adjust(
    meter: Meter,
    reason: Reason,
    cents: InCents = None,
    dollars_: InDollars = None,
    part: Part = "meter",
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Propose to add money to a meter or its reserve, or to take it away; somebody else approves it."""
    from fourcard.house.meter_commands import ProposeAdjustment

    given = ProposeAdjustment(cents=_amount(cents, dollars_), reason=reason, part=part)
    done = command(Asked(person, password_file, database, key), meter, given, by_two=True)
    (event,) = done.events
    what = f"{dollars(given.cents)} to the {part}" if given.cents > 0 else f"{dollars(given.cents)} of the {part}"
    tell(done, _waits(meter, event.number, what), json=json)


def _waits(meter: str, number: int, what: str) -> str:
    return f"Adjustment {number} of {meter} waits for an executive who is somebody else: {what}."


def _amount(cents: str | None, in_dollars: str | None) -> int:
    """Return the cents of one of two texts, either of which may be less than nothing."""
    if (cents is None) == (in_dollars is None):
        raise BadInputError("Give the amount either in --cents or in --dollars.")
    text = cents if cents is not None else in_dollars
    assert text is not None
    plus = text.strip().replace("$", "").removeprefix("-")
    sign = -1 if "-" in text.strip().replace("$", "")[:1] else 1
    try:
        if cents is not None:
            return sign * _whole(plus)
        return sign * parse_dollars(f"${plus}")
    except MoneyError:
        form = "whole cents like -500" if cents is not None else "dollars like -5.25 or 1,000"
        raise BadInputError(f"{text!r} is not an amount; write {form}.") from None

"""`fourcard manager adjust`, `back-out`, `approve`, `reject` and `adjustments`: by two people (P30)."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.amounts import cents, money
from fourcard.cli.audit import telling
from fourcard.cli.house_opening import DATABASE, Database, Key
from fourcard.cli.house_passwords import PasswordFile
from fourcard.cli.manager_opening import (
    As,
    Asked,
    Meter,
    OfMeter,
    Reason,
    Since,
    Until,
    Win,
    command,
    reading_as,
    tell,
)
from fourcard.cli.output import Json, console, plain, print_json, print_table
from fourcard.errors import BadInputError
from fourcard.money import dollars

if TYPE_CHECKING:
    from fourcard.house.reports.progressive.adjustments import Adjustment

Number = Annotated[int, typer.Argument(help="The number of the adjustment on its meter.")]
Part = Annotated[Literal["meter", "reserve"], typer.Option(help="What is adjusted.")]
Cents = Annotated[
    str | None, typer.Option("--cents", help="Cents to add, or to take away like -500; or '$5'.")
]
Dollars = Annotated[
    str | None, typer.Option("--dollars", help="Money to add, or to take away: '$50', 50.00, -5.25 or 5000c.")
]


def adjust(
    meter: Meter,
    reason: Reason,
    in_cents: Cents = None,
    in_dollars: Dollars = None,
    part: Part = "meter",
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Propose to add money to a meter or its reserve, or to take it away; somebody else approves it."""
    from fourcard.house.meter_commands import ProposeAdjustment

    amount = _amount(in_cents, in_dollars)
    given = ProposeAdjustment(cents=amount, reason=reason, part=part)
    done = command(Asked(person, password_file, database, key), meter, given, by_two=True)
    what = f"{dollars(abs(amount))} {'into' if amount > 0 else 'out of'} the {part}"
    tell(done, _waits(meter, done.book.proposed, what), json=json)


def _amount(in_cents: str | None, in_dollars: str | None) -> int:
    """Return the cents that one of two options names, and not the other."""
    if in_cents is not None and in_dollars is None:
        return cents(in_cents, signed=True)
    if in_dollars is None or in_cents is not None:
        raise BadInputError("Give the amount in --cents or in --dollars, one of them.")
    return money(in_dollars, signed=True)


def reading(
    meter: Meter,
    amount: Annotated[str, typer.Argument(help="What the signs showed last, such as '$5,012.50'.")],
    reason: Reason,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Enter what the signs of a restored meter showed last; somebody else approves it."""
    from fourcard.house.meter_commands import EnterReading

    given = EnterReading(cents=money(amount), reason=reason)
    done = command(Asked(person, password_file, database, key), meter, given, by_two=True)
    tell(done, _waits(meter, done.book.proposed, f"the signs showed {dollars(given.cents)}"), json=json)


def back_out(
    meter: Meter,
    win: Win,
    reason: Reason,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Propose to back a logged win out of its meter; somebody else approves it."""
    from fourcard.house.meter_commands import ProposeBackOut

    given = ProposeBackOut(win=win, reason=reason)
    done = command(Asked(person, password_file, database, key), meter, given, by_two=True)
    tell(done, _waits(meter, done.book.proposed, f"win {win} backed out"), json=json)


def _waits(meter: str, number: int, what: str) -> str:
    return f"Adjustment {number} of {meter} waits for an executive who is somebody else: {what}."


def approve(
    meter: Meter,
    number: Number,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Approve what somebody else proposed, which adjusts the meter."""
    from fourcard.house.meter_commands import ApproveAdjustment
    from fourcard.house.reports.showing import exact_dollars

    given = ApproveAdjustment(number=number)
    done = command(Asked(person, password_file, database, key), meter, given, by_two=True)
    held = f"the meter holds {exact_dollars(done.book.meter.amount)}"
    kept = f"its reserve {exact_dollars(done.book.meter.reserve)}"
    tell(done, f"Adjustment {number} of {meter} is made: {held} and {kept}.", json=json)


def reject(
    meter: Meter,
    number: Number,
    reason: Reason,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Reject what was proposed; nothing is adjusted."""
    from fourcard.house.meter_commands import RejectAdjustment

    given = RejectAdjustment(number=number, reason=reason)
    done = command(Asked(person, password_file, database, key), meter, given, by_two=True)
    tell(done, f"Adjustment {number} of {meter} is rejected.", json=json)


def adjustments(
    meter: OfMeter = None,
    since: Since = None,
    until: Until = None,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show every adjustment: who proposed it and why, who approved or rejected it, and void rounds."""
    from fourcard.house.reports.progressive import adjustments as history
    from fourcard.house.reports.progressive.streams import period_named

    period = period_named(since, until)
    with (
        reading_as("wins", Asked(person, password_file, database, key)) as reading,
        telling("Reading") as step,
    ):
        found = history.adjustments(reading, meter, period, step)
    if json:
        print_json([each.answer() for each in found])
    else:
        _show(found)


def _show(found: "tuple[Adjustment, ...]") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import exact_dollars, moment

    if not found:
        console().print("No meter was ever adjusted.")
        return
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("proposed (UTC)", no_wrap=True)
    for head in ("meter", "what", "why", "by", "decided"):
        table.add_column(head, overflow="fold")
    table.add_column("meter after", justify="right")
    for each in found:
        after = "" if each.units is None else exact_dollars(each.units)
        by = f"{plain(each.by)}\n[dim]{plain(each.role)}[/]"
        table.add_row(
            moment(each.at), plain(each.meter), _what(each), plain(each.reason), by, _decided(each), after
        )
    print_table(console(), table)


def _what(each: "Adjustment") -> str:
    number = f"{each.number} " if each.number else ""
    if each.what == "back-out":
        return f"{number}win {each.win} backed out\n[dim]{dollars(each.cents)}[/]"
    if each.what == "void round":
        return f"void round\n[dim]{dollars(each.cents)} of prizes back[/]"
    return f"{number}{dollars(each.cents)}\n[dim]{each.part}[/]"


def _decided(each: "Adjustment") -> str:
    if each.decided_at is None:
        return "[yellow]waits[/]"
    if each.what == "void round":
        return "[dim]nobody has to[/]"
    why = f": {plain(each.decided_why)}" if each.decided_why else ""
    return f"{each.state} by {plain(each.decided_by)}{why}"

"""Game Manager changes: adjustments under dual control (P30), links and terms (P31)."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.house_connect import Since, Until, with_options
from fourcard.cli.manager_auth import (
    ManagerOptions,
    Meter,
    OfMeter,
    Reason,
    Win,
    print_done,
    run_command,
    scanning_as,
)
from fourcard.cli.output import (
    console,
    escape_text,
    keep_times_whole,
    parse_cents,
    parse_money,
    print_rows,
    print_table,
    struct_table,
)
from fourcard.money import dollars, share_text
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from fourcard.house.reports.wins import Adjustment

Number = Annotated[int, typer.Argument(help="The number of the adjustment on its meter.")]
Part = Annotated[Literal["meter", "reserve"], typer.Option(help="What to adjust.")]
InCents = Annotated[
    str | None, typer.Option("--cents", help="Cents to add, or to subtract like -500; or '$5'.")
]
InDollars = Annotated[
    str | None, typer.Option("--dollars", help="Money to add or subtract: '$50', 50.00, -5.25 or 5000c.")
]


@with_options
def adjust(
    meter: Meter,
    reason: Reason,
    in_cents: InCents = None,
    in_dollars: InDollars = None,
    part: Part = "meter",
    *,
    session: ManagerOptions,
) -> None:
    """Propose to add money to a meter or its reserve, or to subtract it; somebody else approves it."""
    from fourcard.house.commands import ProposeAdjustment

    amount = _adjustment_cents(in_cents, in_dollars)
    command = ProposeAdjustment(cents=amount, reason=reason, part=part)
    done = run_command(session, meter, command, by_two=True)
    what = f"{dollars(abs(amount))} {'into' if amount > 0 else 'out of'} the {part}"
    print_done(done, _waits_text(meter, done.meter.proposal_count, what), session)


def _adjustment_cents(in_cents: str | None, in_dollars: str | None) -> int:
    """Return the cents of the one option that is given."""
    if in_cents is not None and in_dollars is None:
        return parse_cents(in_cents, signed=True)
    if in_dollars is None or in_cents is not None:
        raise BadInputError("Give the amount with either --cents or --dollars.")
    return parse_money(in_dollars, signed=True)


@with_options
def reading(
    meter: Meter,
    amount: Annotated[str, typer.Argument(help="The last amount on the signs, such as '$5,012.50'.")],
    reason: Reason,
    *,
    session: ManagerOptions,
) -> None:
    """Enter the last amount that the signs of a restored meter showed; somebody else approves it."""
    from fourcard.house.commands import EnterReading

    command = EnterReading(cents=parse_money(amount), reason=reason)
    done = run_command(session, meter, command, by_two=True)
    what = f"the signs showed {dollars(command.cents)}"
    print_done(done, _waits_text(meter, done.meter.proposal_count, what), session)


@with_options
def back_out(meter: Meter, win: Win, reason: Reason, *, session: ManagerOptions) -> None:
    """Propose to back a logged win out of its meter; somebody else approves it."""
    from fourcard.house.commands import ProposeBackOut

    command = ProposeBackOut(win=win, reason=reason)
    done = run_command(session, meter, command, by_two=True)
    print_done(done, _waits_text(meter, done.meter.proposal_count, f"win {win} backed out"), session)


def _waits_text(meter: str, number: int, what: str) -> str:
    return f"Adjustment {number} of {meter} waits for approval by another executive: {what}."


@with_options
def approve(meter: Meter, number: Number, *, session: ManagerOptions) -> None:
    """Approve an adjustment that somebody else proposed; this adjusts the meter."""
    from fourcard.house.commands import ApproveAdjustment
    from fourcard.house.reports.formats import exact_dollars

    command = ApproveAdjustment(number=number)
    done = run_command(session, meter, command, by_two=True)
    amount = f"the meter holds {exact_dollars(done.meter.amounts.amount)}"
    reserve = f"its reserve {exact_dollars(done.meter.amounts.reserve)}"
    print_done(done, f"Adjustment {number} of {meter} is made: {amount} and {reserve}.", session)


@with_options
def reject(meter: Meter, number: Number, reason: Reason, *, session: ManagerOptions) -> None:
    """Reject a proposed adjustment; nothing is adjusted."""
    from fourcard.house.commands import RejectAdjustment

    command = RejectAdjustment(number=number, reason=reason)
    done = run_command(session, meter, command, by_two=True)
    print_done(done, f"Adjustment {number} of {meter} is rejected.", session)


@with_options
def adjustments(
    meter: OfMeter = None, since: Since = None, until: Until = None, *, session: ManagerOptions
) -> None:
    """Show every adjustment and void round: who proposed it and why, and who decided it."""
    from fourcard.house.reports import wins as history
    from fourcard.house.reports.event_scan import parse_period

    period = parse_period(since, until)
    with scanning_as("wins", session) as (reading, step):
        rows = history.adjustments(reading, meter, period, step)
    print_rows(rows, _show_adjustments, "There are no adjustments.", json=session.json)


def _show_adjustments(rows: "tuple[Adjustment, ...]") -> None:
    table = struct_table(
        rows,
        ("proposed (UTC)", "moment"),
        "meter",
        ("what", _adjustment_text),
        ("why", "reason"),
        ("by", lambda each: f"{escape_text(each.by)}\n[dim]{escape_text(each.role)}[/]"),
        ("decided", _decision_text),
        ("meter after", "meter_units"),
    )
    print_table(console(), keep_times_whole(table))


def _adjustment_text(each: "Adjustment") -> str:
    number = f"{each.number} " if each.number else ""
    if each.what == "back-out":
        return f"{number}win {each.win} backed out\n[dim]{dollars(each.amount_cents)}[/]"
    if each.what == "void round":
        return f"void round\n[dim]{dollars(each.amount_cents)} of prizes back[/]"
    return f"{number}{dollars(each.amount_cents)}\n[dim]{each.part}[/]"


def _decision_text(each: "Adjustment") -> str:
    if each.decided_at is None:
        return "[yellow]waits[/]"
    if each.what == "void round":
        return "[dim]not needed[/]"
    why = f": {escape_text(each.decided_why)}" if each.decided_why else ""
    return f"{each.state} by {escape_text(each.decided_by)}{why}"


Submission = Annotated[
    str, typer.Argument(help="A Rules Submission, or the name of an example such as 'washington-everything'.")
]


@with_options
def close_link(meter: Meter, reason: Reason, *, session: ManagerOptions) -> None:
    """Close a meter's link between games: its tables take no progressive wagers until it is open."""
    from fourcard.house.commands import CloseLink

    done = run_command(session, meter, CloseLink(reason=reason))
    print_done(done, f"The link of {meter} is closed to {_table_names(done.meter.tables)}.", session)


@with_options
def open_link(meter: Meter, reason: Reason, *, session: ManagerOptions) -> None:
    """Open a meter's link again, after all its tables were set up with the same terms."""
    from fourcard.house.commands import OpenLink

    done = run_command(session, meter, OpenLink(reason=reason))
    print_done(done, f"The link of {meter} is open to {_table_names(done.meter.tables)}.", session)


@with_options
def configure(meter: Meter, submission: Submission, reason: Reason, *, session: ManagerOptions) -> None:
    """Give a meter with a closed link the rate, reserve and reset of another submission."""
    from fourcard.cli.house_tables import submission_text
    from fourcard.house.commands import ChangeTerms

    done = run_command(session, meter, ChangeTerms(submission=submission_text(submission), reason=reason))
    after = done.meter
    rates = f"{share_text(after.rate)} of a wager, {share_text(after.reserve_rate)} to its reserve"
    reset = (
        "no reset amount"
        if after.amounts.reset_amount is None
        else f"a reset of {dollars(after.amounts.reset_amount)}"
    )
    next_step = "install its tables again, then open the link"
    print_done(done, f"The meter {meter} takes {rates}, and has {reset}; {next_step}.", session)


def _table_names(names: tuple[str, ...]) -> str:
    return ", ".join(names) if names else "no table"

"""Meter link and terms (P31): the `manager` commands `close-link`, `open-link` and `configure`."""

from typing import Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database, Key
from fourcard.cli.house_passwords import PasswordFile
from fourcard.cli.manager_opening import As, ManagerSession, Meter, Reason, print_done, run_command
from fourcard.cli.output import Json
from fourcard.money import dollars, share_text

Submission = Annotated[
    str, typer.Argument(help="A Rules Submission, or the name of an example such as 'washington-everything'.")
]


def close_link(
    meter: Meter,
    reason: Reason,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Close a meter's link between games: its tables take no progressive wagers until it is open."""
    from fourcard.house.meter_commands import CloseLink

    session = ManagerSession(person, password_file, database, key)
    done = run_command(session, meter, CloseLink(reason=reason))
    print_done(done, f"The link of {meter} is closed to {_table_names(done.book.tables)}.", json=json)


def open_link(
    meter: Meter,
    reason: Reason,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Open a meter's link again, after all its tables were set up with the same terms."""
    from fourcard.house.meter_commands import OpenLink

    session = ManagerSession(person, password_file, database, key)
    done = run_command(session, meter, OpenLink(reason=reason))
    print_done(done, f"The link of {meter} is open to {_table_names(done.book.tables)}.", json=json)


def configure(
    meter: Meter,
    submission: Submission,
    reason: Reason,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Give a meter with a closed link the rate, reserve and reset of another submission."""
    from fourcard.cli.house_tables import submission_text
    from fourcard.house.meter_commands import ChangeTerms

    session = ManagerSession(person, password_file, database, key)
    done = run_command(session, meter, ChangeTerms(submission=submission_text(submission), reason=reason))
    book = done.book
    rates = f"{share_text(book.rate)} of a wager, {share_text(book.reserve_rate)} to its reserve"
    reset = "no reset amount" if book.meter.seed is None else f"a reset of {dollars(book.meter.seed)}"
    next_step = "install its tables again, then open the link"
    print_done(done, f"The meter {meter} takes {rates}, and has {reset}; {next_step}.", json=json)


def _table_names(names: tuple[str, ...]) -> str:
    return ", ".join(names) if names else "no table"

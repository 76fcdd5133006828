"""`fourcard manager close-link`, `open-link` and `configure`: a meter's link and its terms (P31)."""

from typing import Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database, Key
from fourcard.cli.house_passwords import PasswordFile
from fourcard.cli.manager_opening import As, Asked, Meter, Reason, command, tell
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
    """Close a meter's link between games: no table of it takes a progressive wager until it is open again."""
    from fourcard.house.meter_commands import CloseLink

    done = command(Asked(person, password_file, database, key), meter, CloseLink(reason=reason))
    tell(done, f"The link of {meter} is closed to {_tables(done.book.tables)}.", json=json)


def open_link(
    meter: Meter,
    reason: Reason,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Open a meter's link again, when every table of it was set up by the same terms."""
    from fourcard.house.meter_commands import OpenLink

    done = command(Asked(person, password_file, database, key), meter, OpenLink(reason=reason))
    tell(done, f"The link of {meter} is open to {_tables(done.book.tables)}.", json=json)


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
    """Let a meter whose link is closed follow the rate, reserve and reset of another submission."""
    from fourcard.cli.house_tables import submission_text
    from fourcard.house.meter_commands import ChangeTerms

    given = ChangeTerms(submission=submission_text(submission), reason=reason)
    done = command(Asked(person, password_file, database, key), meter, given)
    book = done.book
    rates = f"{share_text(book.rate)} of a wager, {share_text(book.reserve_rate)} to its reserve"
    reset = "no reset amount" if book.meter.seed is None else f"a reset of {dollars(book.meter.seed)}"
    sentence = f"The meter {meter} takes {rates}, and has {reset}; set its tables up anew and open the link."
    tell(done, sentence, json=json)


def _tables(names: tuple[str, ...]) -> str:
    return ", ".join(names) if names else "no table"

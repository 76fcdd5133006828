"""Game Manager commands: the `manager` group for the progressive system.

It reads meters, consoles, wins and alerts from the journal. A meter changes only as permissions allow: links
and terms by one person, adjustments by two people who each sign in.
"""

import typer

from fourcard.cli.manager_adjustments import (
    adjust,
    adjustments,
    approve,
    back_out,
    close_link,
    configure,
    open_link,
    reading,
    reject,
)
from fourcard.cli.manager_meters import meter, meters, tables
from fourcard.cli.manager_reports import alerts, export, history, jackpots, report, win_page

manager_app = typer.Typer(
    name="manager",
    help="The Game Manager: meters, wins under dual control, adjustments, alerts, win pages.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    meters,
    meter,
    tables,
    jackpots,
    history,
    win_page,
    adjustments,
    adjust,
    back_out,
    reading,
    approve,
    reject,
    close_link,
    open_link,
    configure,
    alerts,
    report,
    export,
)
for each in COMMANDS:
    manager_app.command()(each)


@manager_app.callback(invoke_without_command=True)
def _print_help(context: typer.Context) -> None:
    """Print the help if no command is given."""
    if context.invoked_subcommand is None:
        print(context.get_help())

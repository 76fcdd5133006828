"""Game Manager commands: the `manager` group for the progressive system.

It reads meters, consoles, wins and alerts from the journal. A meter changes only as permissions allow: links
and terms by one person, adjustments by two people who each sign in.
"""

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
from fourcard.cli.output import command_group

manager_app = command_group(
    "manager", "The Game Manager: meters, wins under dual control, adjustments, alerts, win pages."
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

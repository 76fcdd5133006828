"""House commands: the `house` group.

The commands ask for no password: whoever has the database and the key could change everything anyway. They
run as the member of staff ``console``, whom the journal records like anybody else.
"""

from fourcard.cli.house_bots import rehearse
from fourcard.cli.house_days import close_days, segment
from fourcard.cli.house_maintenance import (
    anchor,
    backup,
    clock,
    new,
    repair,
    restore,
    rotate_key,
    security,
    upgrade,
)
from fourcard.cli.house_people import deposit, dismiss, hire, password, register, roles, staff, withdraw
from fourcard.cli.house_reports import balance, results, statement
from fourcard.cli.house_tables import install, last_hand, tables
from fourcard.cli.output import command_group
from fourcard.cli.witness import house_witness_app

house_app = command_group("house", "Manage a house: tables, people, money, reports, backups.")
COMMANDS = (
    new,
    hire,
    roles,
    dismiss,
    password,
    staff,
    register,
    deposit,
    withdraw,
    install,
    tables,
    last_hand,
    rehearse,
    statement,
    balance,
    results,
    anchor,
    backup,
    restore,
    close_days,
    segment,
    rotate_key,
    upgrade,
    repair,
    security,
    clock,
)
for command in COMMANDS:
    house_app.command()(command)
house_app.add_typer(house_witness_app)

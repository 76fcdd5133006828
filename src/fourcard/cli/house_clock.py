"""House clock: the `house clock` command shows the house's time and confirms a clock that jumped."""

from typing import Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database, Key, console_of, house_open, reading_house
from fourcard.cli.output import Json, print_json

Confirm = Annotated[bool, typer.Option("--confirm", help="Use the machine's clock from now on: it is right.")]


def clock(
    confirm: Confirm = False, database: Database = DATABASE, key: Key = None, json: Json = False
) -> None:
    """Show the house's time and whether the machine's clock jumped; confirm the clock after a jump."""
    from fourcard.house.clock_watch import ClockWatch
    from fourcard.house.guarded_clock import clock_for_reading
    from fourcard.house.house import key_beside
    from fourcard.house.reports.showing import moment

    confirmed = None
    if confirm:
        with house_open(database, key) as house:
            confirmed = ClockWatch(house).confirm(console_of(house))
    with reading_house(database):
        guarded = clock_for_reading(key or key_beside(database))
        stamped, jump = guarded.now(), guarded.jump
    ahead = 0 if jump is None else jump.ahead
    if json:
        print_json({"stamped": stamped, "shown": stamped + ahead, "ahead": ahead})
        return
    if confirmed is not None:
        print(f"The clock is confirmed: the house's time moves {confirmed.how_far}.")
    print(f"house's time    {moment(stamped)} UTC")
    print(f"machine's clock {moment(stamped + ahead)} UTC")
    if jump is not None:
        print(f"The clock jumped {jump.how_far}. Correct it, or confirm it with --confirm.")

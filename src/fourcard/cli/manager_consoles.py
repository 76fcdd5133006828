"""Consoles: the `manager tables` command shows every table's console."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.house_opening import DATABASE, Database, Key
from fourcard.cli.house_passwords import PasswordFile
from fourcard.cli.manager_meters import link_text
from fourcard.cli.manager_opening import As, ManagerSession, reading_as
from fourcard.cli.output import Json, console, plain, print_json, print_table
from fourcard.money import dollars

if TYPE_CHECKING:
    from fourcard.house.reports.progressive.consoles import ConsoleNow

TableName = Annotated[str | None, typer.Option("--table", help="One table.")]
LIGHTS = {"off": "[dim]{}[/]", "placed": "[yellow]({})[/]", "registered": "[bold green][{}][/]"}
"""A position's light, readable without colours too."""


def tables(
    table: TableName = None,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show every table's console: lights, game, key, marked or logged win, link."""
    from fourcard.house.reports.progressive.consoles import consoles_now

    with reading_as("meters", ManagerSession(person, password_file, database, key)) as reading:
        rows = consoles_now(reading, table)
    if json:
        print_json([each.answer() for each in rows])
    else:
        _show_consoles(rows)


def _show_consoles(rows: "tuple[ConsoleNow, ...]") -> None:
    from rich import box
    from rich.table import Table

    if not rows:
        console().print("There is no table with a progressive.")
        return
    table = Table(box=box.SIMPLE_HEAD)
    for head in ("table", "meter", "console", "lights", "game", "key", "win", "link"):
        table.add_column(head, overflow="fold")
    for each in rows:
        lit = " ".join(LIGHTS[light].format(position) for position, light in each.lights.items())
        ended = f"\n[dim]press {each.ends}[/]" if each.game == "to be ended" else ""
        table.add_row(
            plain(each.table),
            plain(each.meter),
            each.console,
            lit,
            f"{each.game}\n[dim]round {each.round:,}[/]{ended}",
            each.key.upper() if each.key == "jph" else each.key,
            _console_win(each),
            _console_link(each),
        )
    print_table(console(), table)


def _console_win(each: "ConsoleNow") -> str:
    if each.logged_cents is not None:
        return f"logged: {dollars(each.logged_cents)} at position {each.logged_position}"
    if not each.marked:
        return ""
    hand = each.marked.replace("_", " ")
    return f"marked: {hand} at position {each.marked_position}\n[dim]by {plain(each.marked_by)}[/]"


def _console_link(each: "ConsoleNow") -> str:
    lost = "" if each.linked else "[red]lost[/]"
    return f"{lost or 'up'}\n{link_text(each.closed)}" if each.closed else lost or "up"

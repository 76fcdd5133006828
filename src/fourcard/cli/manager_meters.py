"""Game Manager meters and consoles: `meters`, `meter` and `tables`."""

from fractions import Fraction
from typing import TYPE_CHECKING

import typer

from fourcard.cli.house_connect import TableName, with_options
from fourcard.cli.manager_auth import BROKEN, ManagerOptions, Meter, reading_as
from fourcard.cli.output import (
    Column,
    console,
    escape_text,
    print_json,
    print_rows,
    print_table,
    struct_table,
    with_card_faces,
)
from fourcard.money import dollars, share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.table import Table

    from fourcard.house.reports.consoles import ConsoleStatus
    from fourcard.house.reports.meters import MeterStatus, MeterSummary, RecentWin

MOVEMENT_COLUMNS: tuple[Column, ...] = (
    ("wagered", "wagered_cents"),
    ("contributed", "contributed_units"),
    ("seeded", "seeded_units"),
    ("adjusted", "adjusted_units"),
    ("paid", "paid_units"),
    (">hits", lambda each: f"{each.hits:,}\n[dim]{dollars(each.won_cents)}[/]"),
)
"""What came into a meter and went out of it."""


@with_options
def meters(*, session: ManagerOptions) -> None:
    """Show every meter: displayed amount, reserve, money in and out, link and tables."""
    import msgspec

    from fourcard.house.reports.meters import MeterSummary, meter_statuses

    rows: tuple[MeterSummary, ...]
    with reading_as("meters", session) as reading:
        rows = meter_statuses(reading)
    if session.json:
        rows = msgspec.convert(rows, tuple[MeterSummary, ...], from_attributes=True)
    print_rows(rows, _show_meters, "There is no meter in this house yet.", json=session.json)
    _exit_if_broken(rows)


def _exit_if_broken(rows: "Iterable[MeterSummary]") -> None:
    if not all(each.holds and each.agrees for each in rows):
        raise typer.Exit(BROKEN)


def _show_meters(rows: "tuple[MeterSummary, ...]") -> None:
    from fourcard.house.reports.formats import exact_dollars

    out = console()
    table = struct_table(
        rows,
        "meter",
        (
            ">shows",
            lambda each: (
                f"{dollars(each.displayed_cents)}\n[dim]{exact_dollars(each.reserve_units)} in reserve[/]"
            ),
        ),
        *MOVEMENT_COLUMNS,
        ("link", lambda each: link_text(each.closed)),
        "tables",
    )
    print_table(out, table)
    for each in rows:
        out.print(_conservation_text(each), soft_wrap=True)


def link_text(closed: str) -> str:
    """Return "open", or "closed" with the reason."""
    return f"[yellow]closed[/]\n[dim]{escape_text(closed)}[/]" if closed else "open"


def _conservation_text(each: "MeterSummary") -> str:
    """Return the conservation of a meter's money with its figures, and whether the ledger agrees."""
    from fourcard.house.reports.formats import exact_dollars

    held, paid = exact_dollars(each.meter_units + each.reserve_units), exact_dollars(each.paid_units)
    parts = {
        "seeded": each.seeded_units,
        "contributed": each.contributed_units,
        "adjusted": each.adjusted_units,
    }
    money_in = " + ".join(f"{name} {exact_dollars(units)}" for name, units in parts.items())
    equation = f"held {held} + paid {paid} {'=' if each.holds else '≠'} {money_in}"
    agrees = "agrees" if each.agrees else f"has {exact_dollars(each.in_ledger_units)} instead"
    style = "green" if each.holds and each.agrees else "bold red"
    return f"[bold]{escape_text(each.meter)}[/]: [{style}]{equation}[/]; the ledger [{style}]{agrees}[/]."


@with_options
def meter(meter: Meter, *, session: ManagerOptions) -> None:
    """Show one meter in full: terms, hits by row, the last 25 wins, and what waits."""
    from fourcard.house.reports.meters import meter_statuses

    with reading_as("wins", session) as reading:
        (details,) = meter_statuses(reading, meter)
    if session.json:
        print_json(details)
    else:
        _show_meter(details)
    _exit_if_broken([details])


def _show_meter(details: "MeterStatus") -> None:
    out = console()
    out.print(f"[bold]{escape_text(details.meter)}[/]")
    for name, text in _meter_facts(details):
        out.print(f"[dim]{name:<16}[/] {text}", soft_wrap=True)
    out.print(_conservation_text(details), soft_wrap=True)
    print_table(out, struct_table(details.rows, "row", ("pays", "odds"), "hits"))
    if details.last:
        print_table(out, _last_wins_table(details.last))
    for win in details.unpaid:
        amount = dollars(win.amount_cents)
        where = f"{escape_text(win.table)}, round {win.round:,}, position {win.position}"
        out.print(f"[yellow]waits[/] win {win.number} of {amount} at {where}: the prize is not paid yet.")
    for each in details.proposals:
        what = (
            f"win {each.win} backed out" if each.win else f"{dollars(each.amount_cents)} to the {each.part}"
        )
        adjustment = f"adjustment {each.number} by {escape_text(each.by)}: {what}, {escape_text(each.reason)}"
        out.print(f"[yellow]waits[/] {adjustment}.")


def _meter_facts(meter: "MeterStatus") -> "Iterator[tuple[str, str]]":
    from fourcard.house.reports.formats import exact_dollars

    rate, reserve = share_text(Fraction(meter.rate)), share_text(Fraction(meter.reserve_rate))
    yield "shows", f"[bold]{dollars(meter.displayed_cents)}[/]"
    yield (
        "holds",
        f"{exact_dollars(meter.meter_units)}, and {exact_dollars(meter.reserve_units)} in reserve",
    )
    yield "prizes owed", exact_dollars(meter.owed_units)
    yield "rate", f"{rate} of a wager, {reserve} to the reserve"
    yield "reset", "none" if meter.reset_cents is None else dollars(meter.reset_cents)
    yield "terms of", f"{escape_text(meter.submission)} ({escape_text(meter.rulebook_name)}, {meter.edition})"
    contributed = exact_dollars(meter.contributed_units)
    yield "wagered", f"{dollars(meter.wagered_cents)}, of which {contributed} contributed"
    yield "seeded", exact_dollars(meter.seeded_units)
    yield (
        "paid",
        f"{exact_dollars(meter.paid_units)} by the meter, {dollars(meter.won_cents)} including trays",
    )
    yield "adjusted", exact_dollars(meter.adjusted_units)
    yield "shortfall", f"{dollars(meter.shortfall_cents)} paid from trays because the meter was empty"
    yield "paid by house", exact_dollars(meter.borne_units)
    yield "wins", f"{meter.hits:,}, {meter.times_taken:,} of the whole meter"
    yield "link", f"[yellow]closed[/]: {escape_text(meter.closed)}" if meter.closed else "open"
    yield "tables", escape_text(", ".join(meter.tables)) or "none"


def _last_wins_table(wins: "Iterable[RecentWin]") -> "Table":
    def state(each: "RecentWin") -> str:
        return "backed out" if each.backed_out else "" if each.adjusted else "[yellow]logged[/]"

    return struct_table(
        wins,
        ("win", "number"),
        ("logged (UTC)", "moment"),
        ("table", lambda each: f"{escape_text(each.table)}, {each.round:,}"),
        ("player", lambda each: f"{escape_text(each.player)} at {each.position}"),
        ("cards", lambda each: with_card_faces(each.cards)),
        ("hand", "row"),
        ("amount", "amount_cents"),
        ("", state),
    )


LIGHTS = {"off": "[dim]{}[/]", "placed": "[yellow]({})[/]", "registered": "[bold green][{}][/]"}
"""A position's light, readable without colours too."""


@with_options
def tables(table: TableName = None, *, session: ManagerOptions) -> None:
    """Show every table's console: lights, game, key, marked or logged win, link."""
    from fourcard.house.reports.consoles import console_statuses

    with reading_as("meters", session) as reading:
        rows = console_statuses(reading, table)
    print_rows(rows, _show_consoles, "There is no table with a progressive.", json=session.json)


def _show_consoles(rows: "tuple[ConsoleStatus, ...]") -> None:
    table = struct_table(
        rows,
        "table",
        "meter",
        "console",
        ("lights", lambda each: " ".join(LIGHTS[light].format(at) for at, light in each.lights.items())),
        ("game", _console_game),
        ("key", lambda each: each.key.upper() if each.key == "jph" else each.key),
        ("win", _console_win),
        ("link", _console_link),
    )
    print_table(console(), table)


def _console_game(each: "ConsoleStatus") -> str:
    ended = f"\n[dim]press {each.ends}[/]" if each.game == "to be ended" else ""
    return f"{each.game}\n[dim]round {each.round:,}[/]{ended}"


def _console_win(each: "ConsoleStatus") -> str:
    if each.logged_cents is not None:
        return f"logged: {dollars(each.logged_cents)} at position {each.logged_position}"
    if not each.marked:
        return ""
    hand = each.marked.replace("_", " ")
    return f"marked: {hand} at position {each.marked_position}\n[dim]by {escape_text(each.marked_by)}[/]"


def _console_link(each: "ConsoleStatus") -> str:
    lost = "" if each.linked else "[red]lost[/]"
    return f"{lost or 'up'}\n{link_text(each.closed)}" if each.closed else lost or "up"

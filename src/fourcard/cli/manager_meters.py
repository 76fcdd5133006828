"""Game Manager meters and consoles: `meters`, `meter` and `tables`."""

from typing import TYPE_CHECKING

import typer

from fourcard.cli.house_connect import TableName
from fourcard.cli.manager_auth import BROKEN, ManagerSession, Meter, reading_as
from fourcard.cli.output import (
    Json,
    card_faces,
    console,
    escape_text,
    new_table,
    print_json,
    print_rows,
    print_table,
)
from fourcard.money import dollars, share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.table import Table

    from fourcard.house.meter_state import LoggedWin
    from fourcard.house.reports.consoles import ConsoleStatus
    from fourcard.house.reports.meters import MeterStatus


def meters(session: ManagerSession, json: Json = False) -> None:
    """Show every meter: displayed amount, reserve, money in and out, link and tables."""
    from fourcard.house.reports.meters import meter_statuses

    with reading_as("meters", session) as reading:
        rows = meter_statuses(reading)
    print_rows(rows, _show_meters, "There is no meter in this house yet.", json=json)
    _exit_if_broken(rows)


def _exit_if_broken(rows: "Iterable[MeterStatus]") -> None:
    if not all(each.holds and each.agrees for each in rows):
        raise typer.Exit(BROKEN)


def _show_meters(rows: "tuple[MeterStatus, ...]") -> None:
    from fourcard.house.reports.formats import exact_dollars

    out = console()
    heads = (">shows", ">wagered", ">contributed", ">seeded", ">adjusted", ">paid", ">hits")
    table = new_table("meter", *heads, "link", "tables")
    for each in rows:
        meter, totals = each.state, each.state.totals
        units = (totals.contributed, totals.seeded, totals.adjusted, totals.paid)
        table.add_row(
            escape_text(meter.name),
            f"{dollars(meter.displayed)}\n[dim]{exact_dollars(meter.amounts.reserve)} in reserve[/]",
            dollars(totals.wagered),
            *map(exact_dollars, units),
            f"{meter.win_count:,}\n[dim]{dollars(totals.won)}[/]",
            link_text(meter.closed_reason),
            escape_text(", ".join(meter.tables)),
        )
    print_table(out, table)
    for each in rows:
        out.print(_conservation_text(each), soft_wrap=True)


def link_text(closed: str) -> str:
    """Return "open", or "closed" with the reason."""
    return f"[yellow]closed[/]\n[dim]{escape_text(closed)}[/]" if closed else "open"


def _conservation_text(each: "MeterStatus") -> str:
    """Return the conservation of a meter's money with its figures, and whether the ledger agrees."""
    from fourcard.house.reports.formats import exact_dollars

    totals = each.state.totals
    held, paid = exact_dollars(each.held), exact_dollars(totals.paid)
    parts = {"seeded": totals.seeded, "contributed": totals.contributed, "adjusted": totals.adjusted}
    money_in = " + ".join(f"{name} {exact_dollars(units)}" for name, units in parts.items())
    equation = f"held {held} + paid {paid} {'=' if each.holds else '≠'} {money_in}"
    agrees = "agrees" if each.agrees else f"has {exact_dollars(each.in_ledger)} instead"
    style = "green" if each.holds and each.agrees else "bold red"
    return (
        f"[bold]{escape_text(each.state.name)}[/]: [{style}]{equation}[/]; the ledger [{style}]{agrees}[/]."
    )


def meter(session: ManagerSession, meter: Meter, json: Json = False) -> None:
    """Show one meter in full: terms, hits by row, the last 25 wins, and what waits."""
    from fourcard.house.reports.meters import meter_statuses

    with reading_as("wins", session) as reading:
        (details,) = meter_statuses(reading, meter)
    if json:
        print_json(details.details())
    else:
        _show_meter(details)
    _exit_if_broken([details])


def _show_meter(details: "MeterStatus") -> None:
    out, meter = console(), details.state
    out.print(f"[bold]{escape_text(meter.name)}[/]")
    for name, text in _meter_facts(details):
        out.print(f"[dim]{name:<16}[/] {text}", soft_wrap=True)
    out.print(_conservation_text(details), soft_wrap=True)
    print_table(out, _hits_table(details))
    if meter.last_wins:
        print_table(out, _last_wins_table(reversed(meter.last_wins)))
    for win in meter.unpaid_wins:
        amount = dollars(win.payment.amount)
        where = f"{escape_text(win.table)}, round {win.round:,}, position {win.position}"
        out.print(f"[yellow]waits[/] win {win.number} of {amount} at {where}: the prize is not paid yet.")
    for each in meter.proposals.values():
        what = f"win {each.win} backed out" if each.win else f"{dollars(each.cents)} to the {each.part}"
        adjustment = f"adjustment {each.number} by {escape_text(each.by)}: {what}, {escape_text(each.reason)}"
        out.print(f"[yellow]waits[/] {adjustment}.")


def _meter_facts(details: "MeterStatus") -> "Iterator[tuple[str, str]]":
    from fourcard.house.reports.formats import exact_dollars

    meter, game = details.state, details.game
    totals = meter.totals
    yield "shows", f"[bold]{dollars(meter.displayed)}[/]"
    yield (
        "holds",
        f"{exact_dollars(meter.amounts.amount)}, and {exact_dollars(meter.amounts.reserve)} in reserve",
    )
    yield "prizes owed", exact_dollars(meter.owed)
    yield "rate", f"{share_text(meter.rate)} of a wager, {share_text(meter.reserve_rate)} to the reserve"
    yield "reset", "none" if meter.amounts.reset_amount is None else dollars(meter.amounts.reset_amount)
    yield (
        "terms of",
        f"{escape_text(game.submission.name)} ({escape_text(game.rulebook.name)}, {game.rulebook.edition})",
    )
    yield "wagered", f"{dollars(totals.wagered)}, of which {exact_dollars(totals.contributed)} contributed"
    yield "seeded", exact_dollars(totals.seeded)
    yield "paid", f"{exact_dollars(totals.paid)} by the meter, {dollars(totals.won)} including trays"
    yield "adjusted", exact_dollars(totals.adjusted)
    yield "shortfall", f"{dollars(totals.shortfall)} paid from trays because the meter was empty"
    yield "paid by house", exact_dollars(meter.absorbed)
    yield "wins", f"{meter.win_count:,}, {meter.amounts.whole_meter_wins:,} of the whole meter"
    yield "link", f"[yellow]closed[/]: {escape_text(meter.closed_reason)}" if meter.closed_reason else "open"
    yield "tables", escape_text(", ".join(meter.tables)) or "none"


def _hits_table(details: "MeterStatus") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("row")
    table.add_column("pays")
    table.add_column("hits", justify="right")
    for each in details.rows:
        table.add_row(each.row.replace("_", " "), each.odds, f"{each.hits:,}")
    return table


def _last_wins_table(wins: "Iterable[LoggedWin]") -> "Table":
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.formats import format_time

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("win", justify="right")
    for head in ("logged (UTC)", "table", "player", "cards", "hand"):
        table.add_column(head, overflow="fold")
    table.add_column("amount", justify="right")
    table.add_column("")
    for each in wins:
        win = each.logged
        state = "backed out" if each.backed_out else "" if each.sign_adjusted else "[yellow]logged[/]"
        table.add_row(
            f"{win.number:,}",
            format_time(win.at),
            f"{escape_text(win.table)}, {win.round:,}",
            f"{escape_text(win.player)} at {win.position}",
            card_faces(win.cards),
            win.row.replace("_", " "),
            dollars(win.payment.amount),
            state,
        )
    return table


LIGHTS = {"off": "[dim]{}[/]", "placed": "[yellow]({})[/]", "registered": "[bold green][{}][/]"}
"""A position's light, readable without colours too."""


def tables(session: ManagerSession, table: TableName = None, json: Json = False) -> None:
    """Show every table's console: lights, game, key, marked or logged win, link."""
    from fourcard.house.reports.consoles import console_statuses

    with reading_as("meters", session) as reading:
        rows = console_statuses(reading, table)
    print_rows(rows, _show_consoles, "There is no table with a progressive.", json=json)


def _show_consoles(rows: "tuple[ConsoleStatus, ...]") -> None:
    table = new_table("table", "meter", "console", "lights", "game", "key", "win", "link")
    for each in rows:
        lit = " ".join(LIGHTS[light].format(position) for position, light in each.lights.items())
        ended = f"\n[dim]press {each.ends}[/]" if each.game == "to be ended" else ""
        table.add_row(
            escape_text(each.table),
            escape_text(each.meter),
            each.console,
            lit,
            f"{each.game}\n[dim]round {each.round:,}[/]{ended}",
            each.key.upper() if each.key == "jph" else each.key,
            _console_win(each),
            _console_link(each),
        )
    print_table(console(), table)


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

"""Meters: the `manager` commands `meters` and `meter`, which also check that money is conserved."""

from typing import TYPE_CHECKING

import typer

from fourcard.cli.house_opening import DATABASE, Database, Key
from fourcard.cli.house_passwords import PasswordFile
from fourcard.cli.manager_opening import As, ManagerSession, Meter, reading_as
from fourcard.cli.output import Json, card_faces, console, plain, print_json, print_table
from fourcard.money import dollars, share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.table import Table

    from fourcard.house.meter_book import Win
    from fourcard.house.reports.progressive.meters import MeterTold

BROKEN = 1


def meters(
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show every meter: displayed amount, reserve, money in and out, link and tables."""
    from fourcard.house.reports.progressive.meters import meters_now

    with reading_as("meters", ManagerSession(person, password_file, database, key)) as reading:
        rows = meters_now(reading)
    if json:
        print_json([each.answer() for each in rows])
    else:
        _show_meters(rows)
    _exit_if_broken(rows)


def _exit_if_broken(rows: "Iterable[MeterTold]") -> None:
    if not all(each.holds and each.agrees for each in rows):
        raise typer.Exit(BROKEN)


def _show_meters(rows: "tuple[MeterTold, ...]") -> None:
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import exact_dollars

    out = console()
    if not rows:
        out.print("There is no meter in this house yet.")
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    table.add_column("meter", overflow="fold")
    for head in ("shows", "wagered", "contributed", "seeded", "adjusted", "paid", "hits"):
        table.add_column(head, justify="right", overflow="fold")
    for head in ("link", "tables"):
        table.add_column(head, overflow="fold")
    for each in rows:
        book, totals = each.book, each.book.totals
        units = (totals.contributed, totals.seeded, totals.adjusted, totals.paid)
        table.add_row(
            plain(book.name),
            f"{dollars(book.displayed)}\n[dim]{exact_dollars(book.meter.reserve)} in reserve[/]",
            dollars(totals.wagered),
            *map(exact_dollars, units),
            f"{book.count:,}\n[dim]{dollars(totals.won)}[/]",
            link_text(book.closed),
            plain(", ".join(book.tables)),
        )
    print_table(out, table)
    for each in rows:
        out.print(_conservation_text(each), soft_wrap=True)


def link_text(closed: str) -> str:
    """Return "open", or "closed" with the reason."""
    return f"[yellow]closed[/]\n[dim]{plain(closed)}[/]" if closed else "open"


def _conservation_text(each: "MeterTold") -> str:
    """Return the conservation of a meter's money with its figures, and whether the ledger agrees."""
    from fourcard.house.reports.showing import exact_dollars

    totals = each.book.totals
    held, paid = exact_dollars(each.held), exact_dollars(totals.paid)
    parts = {"seeded": totals.seeded, "contributed": totals.contributed, "adjusted": totals.adjusted}
    money_in = " + ".join(f"{name} {exact_dollars(units)}" for name, units in parts.items())
    equation = f"held {held} + paid {paid} {'=' if each.holds else '≠'} {money_in}"
    agrees = "agrees" if each.agrees else f"has {exact_dollars(each.in_ledger)} instead"
    style = "green" if each.holds and each.agrees else "bold red"
    return f"[bold]{plain(each.book.name)}[/]: [{style}]{equation}[/]; the ledger [{style}]{agrees}[/]."


def meter(
    meter: Meter,
    person: As = None,
    password_file: PasswordFile = None,
    database: Database = DATABASE,
    key: Key = None,
    json: Json = False,
) -> None:
    """Show one meter in full: terms, hits by row, the last 25 wins, and what waits."""
    from fourcard.house.reports.progressive.meters import meters_now

    with reading_as("wins", ManagerSession(person, password_file, database, key)) as reading:
        (details,) = meters_now(reading, meter)
    if json:
        print_json(details.details())
    else:
        _show_meter(details)
    _exit_if_broken([details])


def _show_meter(details: "MeterTold") -> None:
    out, book = console(), details.book
    out.print(f"[bold]{plain(book.name)}[/]")
    for name, text in _meter_facts(details):
        out.print(f"[dim]{name:<16}[/] {text}", soft_wrap=True)
    out.print(_conservation_text(details), soft_wrap=True)
    print_table(out, _hits_table(details))
    if book.last:
        print_table(out, _last_wins_table(reversed(book.last)))
    for win in book.logged:
        amount = dollars(win.payment.amount)
        where = f"{plain(win.table)}, round {win.round:,}, position {win.position}"
        out.print(f"[yellow]waits[/] win {win.number} of {amount} at {where}: the prize is not paid yet.")
    for each in book.proposals.values():
        what = f"win {each.win} backed out" if each.win else f"{dollars(each.cents)} to the {each.part}"
        adjustment = f"adjustment {each.number} by {plain(each.by)}: {what}, {plain(each.reason)}"
        out.print(f"[yellow]waits[/] {adjustment}.")


def _meter_facts(details: "MeterTold") -> "Iterator[tuple[str, str]]":
    from fourcard.house.reports.showing import exact_dollars

    book, game = details.book, details.game
    totals = book.totals
    yield "shows", f"[bold]{dollars(book.displayed)}[/]"
    yield "holds", f"{exact_dollars(book.meter.amount)}, and {exact_dollars(book.meter.reserve)} in reserve"
    yield "prizes owed", exact_dollars(book.owed)
    yield "rate", f"{share_text(book.rate)} of a wager, {share_text(book.reserve_rate)} to the reserve"
    yield "reset", "none" if book.meter.seed is None else dollars(book.meter.seed)
    yield "terms of", f"{plain(game.submission.name)} ({plain(game.rulebook.name)}, {game.rulebook.edition})"
    yield "wagered", f"{dollars(totals.wagered)}, of which {exact_dollars(totals.contributed)} contributed"
    yield "seeded", exact_dollars(totals.seeded)
    yield "paid", f"{exact_dollars(totals.paid)} by the meter, {dollars(totals.won)} including trays"
    yield "adjusted", exact_dollars(totals.adjusted)
    yield "shortfall", f"{dollars(totals.shortfall)} paid from trays because the meter was empty"
    yield "paid by house", exact_dollars(book.borne)
    yield "wins", f"{book.count:,}, {book.meter.taken:,} of the whole meter"
    yield "link", f"[yellow]closed[/]: {plain(book.closed)}" if book.closed else "open"
    yield "tables", plain(", ".join(book.tables)) or "none"


def _hits_table(details: "MeterTold") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("row")
    table.add_column("pays")
    table.add_column("hits", justify="right")
    for each in details.rows:
        table.add_row(each.row.replace("_", " "), each.odds, f"{each.hits:,}")
    return table


def _last_wins_table(wins: "Iterable[Win]") -> "Table":
    from rich import box
    from rich.table import Table

    from fourcard.house.reports.showing import moment

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("win", justify="right")
    for head in ("logged (UTC)", "table", "player", "cards", "hand"):
        table.add_column(head, overflow="fold")
    table.add_column("amount", justify="right")
    table.add_column("")
    for each in wins:
        win = each.logged
        state = "backed out" if each.backed_out else "" if each.adjusted else "[yellow]logged[/]"
        table.add_row(
            f"{win.number:,}",
            moment(win.at),
            f"{plain(win.table)}, {win.round:,}",
            f"{plain(win.player)} at {win.position}",
            card_faces(win.cards),
            win.row.replace("_", " "),
            dollars(win.payment.amount),
            state,
        )
    return table

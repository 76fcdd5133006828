"""Tables: the `house` commands `install`, `tables` and `last-hand`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fourcard.cli.house_connect import (
    HouseOptions,
    ReadOptions,
    console_actor,
    open_house,
    open_house_for_reading,
    with_options,
)
from fourcard.cli.manager_auth import ManagerSession, open_as
from fourcard.cli.output import console, escape_text, print_rows, struct_table
from fourcard.money import dollars

if TYPE_CHECKING:
    from fourcard.house.reports.house_status import DeckStatus, TableStatus

Cards = Literal["built-in", "keyed"]
Table = Annotated[str, typer.Argument(help="The table's id: lower-case letters, digits, '.', '_' and '-'.")]
Submission = Annotated[
    str, typer.Argument(help="A Rules Submission, or the name of an example such as 'maryland'.")
]
Meter = Annotated[str, typer.Option(help="The meter of its progressive, default one of its own.")]
CardsOption = Annotated[
    Cards, typer.Option(help="The house shuffles, or a dealer keys in the cards of a physical deck.")
]
RulebookHash = Annotated[
    str, typer.Option(metavar="HASH", help="The full hash of a rulebook that is not part of the release.")
]


@with_options
def install(
    table: Table,
    submission: Submission,
    meter: Meter = "",
    cards: CardsOption = "built-in",
    rulebook_hash: RulebookHash = "",
    *,
    session: ManagerSession,
) -> None:
    """Set up a table for the game of a Rules Submission, or change the game of a closed table."""
    from fourcard.house.commands import InstallTable
    from fourcard.house.decision import table_stream

    text = submission_text(submission)
    command = InstallTable(submission=text, cards=cards, meter=meter, rulebook_hash=rulebook_hash)
    with open_as(session) as (house, actor):
        house.do(table_stream(table), command, actor)
        house_table = house.service.cache.table(table)
    game = house_table.state.game
    linked = f", its progressive linked to the meter {house_table.meter}" if house_table.meter else ""
    waits = (
        " It opens when another person has set it up in the same way." if house_table.unconfirmed_by else ""
    )
    print(f"{table} is set up for {game.submission.name} ({game.rulebook.name}){linked}.{waits}")


@with_options
def last_hand(table: Table, *, at: HouseOptions) -> None:
    """Close a table after the current round; its players' chips go back to their accounts."""
    from fourcard.house.decision import table_stream
    from fourcard.house.events import CashedOut
    from fourcard.table.commands import LastHand
    from fourcard.table.events import TableClosed

    with open_house(at.database, at.key) as house:
        answer = house.do(table_stream(table), LastHand(role="supervisor"), console_actor(house))
        state = house.service.table(table).state
    if not any(isinstance(event, TableClosed) for event in answer.events):
        print(f"Last hand at {table}: the table closes when round {state.round_number} is over.")
        return
    cashed = [event for event in answer.events if isinstance(event, CashedOut)]
    back = (
        f" Cashed out: {', '.join(f'{each.player} {dollars(each.cents)}' for each in cashed)}."
        if cashed
        else ""
    )
    print(f"{table} is closed.{back}")


def submission_text(submission: str) -> str:
    """Return the text of a submission, or refuse one that cannot be read."""
    from fourcard.rules.submission import examples, submission_named

    submission_named(submission)
    path = Path(submission)
    return (path if path.is_file() else examples()[submission]).read_text(encoding="utf-8")


@with_options
def tables(*, at: ReadOptions) -> None:
    """Show every table: game and phase, decks and their age, next stub count, tray and meter."""
    from fourcard.house.clock_entropy import clock_for_reading
    from fourcard.house.house import key_beside
    from fourcard.house.reports.house_status import table_statuses

    with open_house_for_reading(at.database) as reading:
        rows = table_statuses(reading, clock_for_reading(key_beside(at.database)).now())
    print_rows(rows, _show_tables, json=at.json)


def _show_tables(rows: "tuple[TableStatus, ...]") -> None:
    table = struct_table(
        rows,
        "table",
        ("game", lambda each: f"{escape_text(each.submission)}\n[dim]{each.rulebook}, {each.edition}[/]"),
        ("phase", _phase),
        ("seats", lambda each: f"{len(each.seats)}"),
        ("decks", lambda each: "\n".join(_decks(each))),
        ("stub count", _count),
        "tray",
        "drop",
        (">meter", _meter),
    )
    console().print(table)


def _phase(each: "TableStatus") -> str:
    if each.in_round:
        return f"round {each.round:,}\n[dim]{each.in_round}[/]"
    return f"{each.phase}\n[dim]{each.round:,} rounds[/]" if each.round else each.phase


def _decks(each: "TableStatus") -> Iterator[str]:
    for deck in each.decks:
        if deck.removed:
            yield f"{escape_text(deck.back)}: [yellow]removed[/]"
        else:
            yield f"{escape_text(deck.back)}: {_age(deck)}{' [dim]in play[/]' if deck.in_play else ''}"


def _age(deck: "DeckStatus") -> str:
    if deck.most_hours is None:
        return f"{deck.hours} h"
    style = "red" if deck.overdue else "default"
    return f"[{style}]{deck.hours} of {deck.most_hours} h[/]"


def _count(each: "TableStatus") -> str:
    if each.count_in is None:
        return "[dim]none due[/]"
    return "next round" if each.count_in == 1 else f"in {each.count_in} rounds"


def _meter(each: "TableStatus") -> str:
    from fourcard.house.reports.formats import exact_dollars

    if each.meter is None:
        return ""
    return f"{exact_dollars(each.meter.units)}\n[dim]{escape_text(each.meter.name)}[/]"

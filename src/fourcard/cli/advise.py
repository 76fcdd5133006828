"""Advice: the `advise` command gives the exact value of every decision for one hand and up card."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import Json, card_faces, console, print_json

if TYPE_CHECKING:
    from fourcard.odds.advice import Advice


def advise(
    cards: Annotated[str, typer.Argument(help="Your five cards, such as 'As Ah Kd 7c 2h'.")],
    up: Annotated[str, typer.Option(help="The dealer's up card, such as Ac.")],
    bonus: Annotated[str | None, typer.Option(help="The Automatic Bonus table, a file, or 'none'.")] = None,
    rulebook: Annotated[str | None, typer.Option(help="The rulebook of the game and its table.")] = None,
    json: Json = False,
) -> None:
    """Show the exact value of fold, 1x, 2x and 3x for one hand, from all 1,370,754 dealer hands."""
    from fourcard.cards import parse_card, parse_cards
    from fourcard.odds.advice import advice
    from fourcard.odds.asked import contest_asked
    from fourcard.odds.states import HAND
    from fourcard.rules import loading

    hand, shown = parse_cards(cards, (HAND,)), parse_card(up)
    book = loading.rulebook(rulebook) if rulebook is not None else None
    found = advice(hand, shown, contest_asked(bonus, book))
    if json:
        from fourcard.provenance import fingerprint

        print_json({**found.answer(), "fingerprint": fingerprint()})
    else:
        _print_advice(found)


def _print_advice(found: "Advice") -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from fourcard.odds.states import COMPLETIONS

    out = console()
    out.print(Text.assemble(card_faces(found.hand), "  against  ", card_faces([found.up])))
    out.print(f"[dim]{found.name}[/]")
    counts = found.counts
    for what, number in (("below", counts.below), ("tied", counts.tied), ("above", counts.above)):
        out.print(f"dealer {what:6}{number:>12,}  {number / COMPLETIONS:8.4%}")
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("decision")
    table.add_column("value in Antes", justify="right")
    table.add_column("exact value", justify="right", style="dim")
    table.add_column("cost", justify="right")
    most = max(found.values.values())
    for choice, value in found.values.items():
        style = "bold green" if choice == found.best else ""
        loss = "best" if choice == found.best else f"{float(most - value):.6f}"
        table.add_row(choice, f"{float(value):+.6f}", str(value), loss, style=style)
    out.print(table)

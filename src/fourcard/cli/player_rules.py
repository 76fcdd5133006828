"""Player rules command: `rules` prints one rulebook as players read it."""

from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import Json, card_faces, console, new_table, print_json, print_table
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fourcard.rules.player_rules import RulebookRules, RulesPage
    from fourcard.rules.player_rules.page import RulesSentence
    from fourcard.rules.player_rules.pay_grid import PayGrid


def rules(
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", help="The id of a rulebook, such as maryland.")
    ],
    edition: Annotated[str | None, typer.Option(help="The edition; default: that of the rulebook.")] = None,
    clauses: Annotated[bool, typer.Option("--clauses", help="Show the clauses of every sentence.")] = False,
    json: Json = False,
) -> None:
    """Print the rules of one rulebook for players: how to play, what pays, what differs elsewhere."""
    from fourcard.rules.player_rules import rulebook_rules

    found = rulebook_rules(rulebook)
    page = next((each for each in found.pages if each.edition == (edition or found.default_edition)), None)
    if page is None:
        known = " and ".join(found.editions)
        raise BadInputError(f"The rulebook {found.id} has no edition '{edition}'; there are {known}.")
    if json:
        print_json(found)
    else:
        _print_page(found, page, clauses=clauses)


def _print_page(found: "RulebookRules", page: "RulesPage", *, clauses: bool) -> None:
    out = console()
    out.print(f"[bold]{found.name}[/]  [dim]{found.authority}, {found.document}, {page.edition} edition[/]")
    for section in page.sections:
        _print_heading(section.title)
        _print_sentences(section.sentences, clauses=clauses)
    for wager in page.wagers:
        _print_heading(wager.label)
        first = () if wager.offered is None else (wager.offered,)
        _print_sentences((*first, *wager.sentences), clauses=clauses)
        for grid in wager.grids:
            _print_grid(grid)
    _print_heading("Hands, best first")
    for hand in page.ranking.hands:
        out.print(f"  {hand.label:<16}", _faces(hand.cards))
    _print_sentences(page.ranking.sentences, clauses=clauses)
    _print_heading("What is different elsewhere")
    for difference in page.differences:
        out.print(f"  [yellow]{difference.topic}[/]: {difference.here.text}", highlight=False)
        for other in difference.elsewhere:
            out.print(f"    [dim]{', '.join(other.names)}:[/] {other.sentence.text}", highlight=False)


def _faces(cards: str) -> object:
    from fourcard.cards import parse_card

    return card_faces(map(parse_card, cards.split()))


def _print_heading(title: str) -> None:
    console().print(f"\n[bold yellow]{title}[/]")


def _print_sentences(sentences: "Iterable[RulesSentence]", *, clauses: bool) -> None:
    for each in sentences:
        shown = f"  [dim]{' '.join(each.clauses)}[/]" if clauses else ""
        console().print(f"  {each.text}{shown}", highlight=False)


def _print_grid(grid: "PayGrid") -> None:
    table = new_table("", *(f">{column.heading}" for column in grid.columns))
    for row in grid.rows:
        table.add_row(row.label, *(column.pays.get(row.row, "") for column in grid.columns))
    print_table(console(), table)

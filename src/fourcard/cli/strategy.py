"""Strategy commands: `rank`, `advise` and `strategy`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import (
    Json,
    card_faces,
    console,
    new_table,
    print_json,
    progress_bar,
    solving_progress,
    struct_table,
)
from fourcard.refusals import BadInputError

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from fourcard.odds.base_game import StrategyResult
    from fourcard.odds.decision_values import Advice
    from fourcard.odds.strategies import Strategy
    from fourcard.odds.strategy_chart import ChartCell, StrategyChart
    from fourcard.odds.strategy_search import RuleStrategy

Bonus = Annotated[str | None, typer.Option(help="The Automatic Bonus table, a file, or 'none'.")]
GameRulebook = Annotated[str | None, typer.Option(help="The rulebook of the game and its table.")]


def rank(
    cards: Annotated[list[str], typer.Argument(help="Four to six cards, such as 'As Ah Kd 7c 2h'.")],
    json: Json = False,
) -> None:
    """Rank the best four-card hand of four to six cards."""
    from fourcard.cards import cards_text, parse_cards
    from fourcard.hands import HAND_SIZES, best_hand

    held = parse_cards(" ".join(cards), HAND_SIZES)
    hand = best_hand(held)
    if json:
        print_json(
            {
                "hand": hand.category.text,
                "best": cards_text(hand.cards),
                "strength": hand.strength,
                "name": hand.name,
            }
        )
        return
    out = console()
    out.print(card_faces(hand.cards), f"  [bold]{hand.name}[/]")
    unused = [card for card in held if card not in hand.cards]
    if unused:
        out.print("[dim]not used:[/]", card_faces(unused))
    out.print(f"[dim]strength {hand.strength:,} of 0 to 2,534[/]")


def advise(
    cards: Annotated[str, typer.Argument(help="Your five cards, such as 'As Ah Kd 7c 2h'.")],
    up: Annotated[str, typer.Option(help="The dealer's up card, such as Ac.")],
    bonus: Bonus = None,
    rulebook: GameRulebook = None,
    json: Json = False,
) -> None:
    """Show the exact value of fold, 1x, 2x and 3x for one hand, from all 1,370,754 dealer hands."""
    from fourcard.cards import parse_card, parse_cards
    from fourcard.odds.decision_values import advice
    from fourcard.odds.paytable_lookup import resolve_base_terms
    from fourcard.odds.state_counts import HAND
    from fourcard.rules import loading

    hand, shown = parse_cards(cards, (HAND,)), parse_card(up)
    chosen_rulebook = loading.rulebook(rulebook) if rulebook is not None else None
    found = advice(hand, shown, resolve_base_terms(bonus, chosen_rulebook))
    if json:
        print_json(found.answer())
    else:
        _print_advice(found)


def _print_advice(found: "Advice") -> None:
    from rich.text import Text

    out, answer = console(), found.answer()
    out.print(Text.assemble(card_faces(found.hand), "  against  ", card_faces([found.up])))
    out.print(f"[dim]{found.name}[/]")
    dealer = answer.dealer
    for what, number in (("below", dealer.below), ("tied", dealer.tied), ("above", dealer.above)):
        out.print(f"dealer {what:6}{number:>12,}  {number / dealer.of:8.4%}")
    table = new_table("decision", ">value in Antes", ">exact value", ">cost")
    table.columns[2].style = "dim"
    most = max(found.values.values())
    for choice, value in found.values.items():
        style = "bold green" if choice == found.best else ""
        loss = "best" if choice == found.best else f"{float(most - value):.6f}"
        table.add_row(choice, f"{float(value):+.6f}", str(value), loss, style=style)
    out.print(table)


STYLES = {"fold": "dim", "1x": "yellow", "2x": "cyan", "3x": "bold green"}
CHART = "chart"
MOST_RULES = 12
RULE_SUFFIXES = (".toml",)


def strategy(
    bonus: Bonus = None,
    rulebook: GameRulebook = None,
    compare: Annotated[
        list[str] | None, typer.Option(help="Your own strategy, a TOML file; repeat for more.")
    ] = None,
    cell: Annotated[
        str | None, typer.Option(help="List every hand of one cell, such as 'pair of nines/6'.")
    ] = None,
    rules: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_RULES, help="Find a strategy to memorise of so many rules instead."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Save the chart as .svg, .png or .html; --rules as .toml."),
    ] = None,
    json: Json = False,
) -> None:
    """Show the best decision for each hand and up card, and what simpler strategies cost exactly."""
    from fourcard.documents.charts import CHART_SUFFIXES
    from fourcard.documents.files import check_suffix

    if output is not None:
        check_suffix(output, CHART_SUFFIXES if rules is None else RULE_SUFFIXES)
    if rules is not None:
        if cell is not None or compare:
            raise BadInputError("--rules finds a strategy of its own; leave out --cell and --compare.")
        _find_rules(bonus, rulebook, rules, output, json=json)
        return
    with solving_progress() as step:
        from fourcard.odds.paytable_lookup import resolve_base_terms
        from fourcard.odds.strategies import decision_points, find_strategy, strategy_names
        from fourcard.odds.strategy_chart import StrategyChart
        from fourcard.rules import loading

        chosen_rulebook = loading.rulebook(rulebook) if rulebook is not None else None
        chosen = {name: find_strategy(name) for name in (*strategy_names(), *(compare or ()))}
        spots = decision_points(resolve_base_terms(bonus, chosen_rulebook), step)
        chart = StrategyChart(spots)
        if cell is not None:
            _show_cell(chart, cell, json=json)
            return
        results = _results(chart, chosen)
    if output is not None:
        from fourcard.documents.charts import save_chart_file
        from fourcard.odds.strategy_chart import draw_strategy_chart

        save_chart_file(
            draw_strategy_chart(chart, f"this chart costs {float(chart.cost):.4%} of an Ante"), output
        )
    if json:
        _print_chart_json(chart, results)
    else:
        _print_chart(chart, results)


def _find_rules(
    bonus: str | None, rulebook: str | None, count: int, output: Path | None, *, json: bool
) -> None:
    """Find a strategy of so many rules; print it with its cost, and save it as a file."""
    from fourcard.documents.files import save_file
    from fourcard.odds.paytable_lookup import resolve_base_terms
    from fourcard.odds.strategies import decision_points, strategy_text
    from fourcard.rules import loading

    home = None if rulebook is None else loading.rulebook(rulebook)
    with solving_progress() as step:
        points = decision_points(resolve_base_terms(bonus, home), step)
    with progress_bar(f"Searching for {count} rules") as step:
        from fourcard.odds.strategy_search import rule_strategies

        (found,) = rule_strategies(points, (count,), step)
    if output is not None:
        save_file(output, [strategy_text(found.file).encode()])
    if json:
        from msgspec.structs import asdict

        from fourcard.fingerprints import fingerprint

        print_json({**asdict(found), "fingerprint": fingerprint()})
    else:
        _print_rules(found, count)


def _print_rules(found: "RuleStrategy", count: int) -> None:
    from fourcard.fingerprints import fingerprint

    out, table = console(), new_table(">", "rule", title=f"[bold]A strategy in {len(found.rules)} rules[/]")
    for number, rule in enumerate(found.rules, 1):
        table.add_row(str(number), rule.says)
    table.add_row("", f"Otherwise {'fold' if found.otherwise == 'fold' else f'play {found.otherwise}'}.")
    out.print(table)
    out.print("[dim]The first rule that fits decides.[/]")
    if len(found.rules) < count:
        out.print("[dim]No other rule saves anything.[/]")
    for figure, what in (
        (found.house_edge, f"of the Ante: the house edge  [dim]{found.house_edge}[/]"),
        (found.element_of_risk, "per unit wagered"),
        (found.cost, "more than the best strategy"),
    ):
        out.print(f"{float(figure):9.4%} {what}")
    out.print("[dim]`-o mine.toml` saves it; `--strategy mine.toml` uses it.[/]")
    out.print(f"[dim]{fingerprint()}[/]")


def _show_cell(chart: "StrategyChart", cell: str, *, json: bool) -> None:
    """Print the best decision for each set of three side cards of one cell."""
    hand, _, up = cell.partition("/")
    sides = chart.decisions_by_side_cards(hand.strip().lower(), up.strip().upper())
    if json:
        print_json({side: {each: float(n) for each, n in shares.items()} for side, shares in sides.items()})
        return
    out = console()
    for choice, style in reversed(STYLES.items()):
        always = [side for side, shares in sides.items() if shares.get(choice) == 1]
        if always:
            out.print(f"[{style}]{choice}[/] with  {',  '.join(always)}", soft_wrap=True)
    for side, shares in sides.items():
        if len(shares) > 1:
            parts = ", ".join(f"{choice} {float(share):.0%}" for choice, share in shares.items())
            out.print(f"[bold]depends on suits[/] with  {side}:  {parts}")


def _results(chart: "StrategyChart", chosen: "dict[str, Strategy]") -> "tuple[StrategyResult, ...]":
    from fourcard.odds.base_game import base_game, strategy_results
    from fourcard.odds.strategies import describe

    games = {name: base_game(chart.points, each) for name, each in {**chosen, CHART: chart.decide}.items()}
    return strategy_results(
        games, lambda name: "This chart with its exceptions." if name == CHART else describe(name)
    )


def _print_chart_json(chart: "StrategyChart", results: "tuple[StrategyResult, ...]") -> None:
    from fourcard.fingerprints import fingerprint

    print_json(
        {
            "cells": chart.cells,
            "exceptions": list(chart.exceptions()),
            "strategies": {each.name: each for each in results},
            "fingerprint": fingerprint(),
        }
    )


def _print_chart(chart: "StrategyChart", results: "tuple[StrategyResult, ...]") -> None:
    from fourcard.fingerprints import fingerprint

    out = console()
    out.print(_chart_table(chart))
    out.print("[dim]F: fold; 1 and 3: the Play wager in Antes; *: has exceptions:[/]")
    for sentence in chart.exceptions():
        out.print(f"  {sentence}", soft_wrap=True)
    out.print("[dim]`fourcard strategy --cell 'pair of nines/6'` lists every hand of a cell.[/]")
    out.print(
        struct_table(
            results,
            ("strategy", "name"),
            ("per Ante", "house_edge"),
            ("per unit wagered", "element_of_risk"),
            ("more than the best", "cost"),
            ("", "says"),
            title="[bold]What strategies cost[/]",
        )
    )
    out.print(f"[dim]{fingerprint()}[/]")


def _chart_table(chart: "StrategyChart") -> "Table":
    from fourcard.cards import RANKS

    table = new_table("hand", title="[bold]The best decision[/]  by up card")
    for rank in RANKS:
        table.add_column(rank.replace("T", "10"), justify="center")
    cells = iter(chart.cells)
    for name in chart.rows:
        table.add_row(name, *(_letter(next(cells)) for _ in RANKS))
    return table


def _letter(cell: "ChartCell") -> "Text":
    from rich.text import Text

    text = "F" if cell.decision == "fold" else cell.decision[:-1]
    return Text(text + ("*" if cell.mixed else " "), STYLES[cell.decision])

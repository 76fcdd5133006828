"""Demonstration: the `demo` command takes a short tour with a real deal and the real rulebooks."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from fourcard.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from fourcard.hands import Hand
    from fourcard.rules.rulebook import Rulebook
    from fourcard.settle_files.settle import SettleAnswer, SettleRefusal
    from fourcard.wagers import WagerName


def demo(
    seed: Annotated[int | None, typer.Option(help="Deal the same cards every time.")] = None,
    pause: Annotated[bool, typer.Option(help="On a terminal, wait for Enter between scenes.")] = True,
) -> None:
    """Take a tour: a deal settled under every rulebook, a clause, and a submission checked."""
    out = console()
    waits = pause and sys.stdin.isatty() and sys.stdout.isatty()
    scenes = (_welcome(), _deal(seed), _clause(), _submission(), _next_steps())
    for number, scene in enumerate(scenes):
        if number and waits:
            out.input("[dim]Press Enter to continue ...[/] ")
        for part in scene:
            out.print(part)


def _heading(text: str) -> "RenderableType":
    from rich.rule import Rule

    return Rule(f"[bold yellow]{text}[/]", align="left", style="green")


def _welcome() -> "list[RenderableType]":
    from rich.panel import Panel

    from fourcard.rules.clauses import clauses
    from fourcard.rules.loading import rulebook_ids
    from fourcard.version import __version__

    words = (
        f"[bold]fourcard {__version__}[/]: Four Card Poker by {len(rulebook_ids())} rulebooks.\n"
        f"{len(clauses()):,} clauses, each with an id; exact figures; money in whole cents.\n"
        "[dim]Four Card Poker is its owner's trademark. This is an independent implementation, certified by "
        "nobody, for play money.[/]"
    )
    return [Panel(words, border_style="green", padding=(1, 2))]


def _deal(seed: int | None) -> "list[RenderableType]":
    import random

    from fourcard.cards import DECK
    from fourcard.hands import DEALER_CARDS, PLAYER_CARDS, Category, best_hand

    chance = random.SystemRandom() if seed is None else random.Random(seed)
    deals = 0
    while True:
        dealt = chance.sample(DECK, PLAYER_CARDS + DEALER_CARDS)
        player, dealer = dealt[:PLAYER_CARDS], dealt[PLAYER_CARDS:]
        mine, theirs = best_hand(player), best_hand(dealer)
        deals += 1
        if mine.category > Category.PAIR or mine.is_pair_of_aces:
            break
    verdict = "ties, and the player wins ties" if mine == theirs else "wins" if mine > theirs else "loses"
    tries = "the first deal pays" if deals == 1 else f"it took {deals} deals to get one that pays"
    return [
        _heading("One deal: best four of five against best four of six"),
        _hand_panel("You", player, mine),
        _hand_panel("Dealer", dealer, theirs),
        f"Your hand [bold]{verdict}[/] against the dealer. Aces Up pays by your hand alone: {tries}.\n",
        _heading("The same round settled under every rulebook"),
        "[dim]$10 Ante, $30 Play and $5 Aces Up, each by the rulebook's first table[/]",
        _settlement_table(player, dealer),
    ]


def _hand_panel(who: str, cards: "Sequence[int]", hand: "Hand") -> "RenderableType":
    from rich.panel import Panel
    from rich.table import Table

    from fourcard.cli.output import card_faces

    ordered = [*hand.cards, *(card for card in cards if card not in hand.cards)]
    faces = [
        Panel(
            card_faces([card]),
            width=6,
            padding=(0, 0),
            border_style="white" if card in hand.cards else "bright_black",
        )
        for card in ordered
    ]
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_row(f"[bold]{who:<7}[/]", *faces)
    panel = Table.grid()
    panel.add_row(row)
    panel.add_row(f"        [bold cyan]{hand.name}[/]")
    return panel


def _settlement_table(player: "Sequence[int]", dealer: "Sequence[int]") -> "RenderableType":
    from rich.table import Table

    from fourcard.money import dollars
    from fourcard.rules.differences import edition_title
    from fourcard.rules.loading import every_rulebook
    from fourcard.settle_files.settle import SettleAnswer

    shown: tuple[WagerName, ...] = ("ante", "play", "automatic_bonus", "aces_up")
    table = Table(box=None, header_style="dim", padding=(0, 3, 0, 0))
    for head in ("rulebook", "Ante", "Play", "Bonus", "Aces Up", "total"):
        table.add_column(head, justify="left" if head == "rulebook" else "right")
    for rulebook in every_rulebook():
        answer = _settle(rulebook, player, dealer)
        assert isinstance(answer, SettleAnswer)
        won = answer.seats[0].net
        cells = [dollars(won[name]) if won[name] else "-" for name in shown]
        table.add_row(edition_title(rulebook), *cells, f"[bold]{dollars(sum(won.values()))}[/]")
    return table


def _settle(
    rulebook: "Rulebook", player: "Sequence[int]", dealer: "Sequence[int]"
) -> "SettleAnswer | SettleRefusal":
    """Settle the deal as a line of a settle file."""
    import json

    from fourcard.cards import cards_text
    from fourcard.rules.paytables import selectable_tables
    from fourcard.settle_files.settle import answer_line

    number = selectable_tables(rulebook, "aces_up")[0]
    bonus = number if number in selectable_tables(rulebook, "automatic_bonus") else "standard"
    seat = {
        "position": 1,
        "cards": cards_text(player),
        "wagers": {"ante": 1000, "aces_up": 500},
        "play": 3000,
    }
    line = {
        "rulebook": rulebook.id,
        "edition": rulebook.edition,
        "options": {"aces_up": number, "automatic_bonus": bonus},
        "seats": [seat],
        "dealer": cards_text(dealer),
    }
    return answer_line(json.dumps(line))


def _clause() -> "list[RenderableType]":
    from fourcard.rules.citations import carried_by, proven_by
    from fourcard.rules.clauses import clauses, rulings

    clause = clauses()["IA-RANK-1.3"]
    (ruling_id,) = clause.rulings
    return [
        "",
        _heading("Every rule cites its clause"),
        f"[bold]{clause.id}[/] {clause.requirement}. [dim]{clause.notes}.[/]",
        f"[cyan]{ruling_id}[/] is our ruling: {rulings()[ruling_id].reading}",
        f"[dim]implemented by[/] {', '.join(carried_by(ruling_id))}",
        f"[dim]proven by[/]      {', '.join(proven_by(clause.id)) or 'no test yet'}\n",
    ]


def _submission() -> "list[RenderableType]":
    from importlib.resources import files

    from fourcard.rules.check import check_submission
    from fourcard.rules.submission import parse_submission

    text = files("fourcard.cli").joinpath("demo_submission.toml").read_text(encoding="utf-8")
    lines: list[RenderableType] = [
        _heading("A submission is checked clause by clause"),
        "A house asks for Cover All at seven positions, three of them for one player, a low seed, low odds:",
    ]
    for finding in check_submission(parse_submission(text, "demo_submission.toml")):
        style = "red" if finding.level == "error" else "yellow"
        clauses = " ".join(finding.refusal.clauses)
        lines.append(f"[{style}]{finding.level}[/] {finding.refusal.message} [dim]{clauses}[/]")
    return lines


def _next_steps() -> "list[RenderableType]":
    commands = (
        ('fourcard rank "As Ah Kd 7c 2h"', "what a hand is worth"),
        ('fourcard advise "As Ah Kd 7c 2h" --up Ac', "the exact value of every decision"),
        ("fourcard strategy", "the best decisions, solved once in seconds"),
        ("fourcard published --differing", "printed figures that differ from the exact ones"),
        ("fourcard par examples/maryland-everything.toml -o sheet.pdf", "the PAR sheet"),
        ("fourcard explain examples/rounds.jsonl --id jackpot", "a settlement, in the dealer's words"),
        ("fourcard settle --check", "the laboratory's kit of test rounds"),
        ("fourcard differences play", "how the rulebooks differ about Play"),
        ("fourcard clauses MA-12-RF", "a clause, its ruling, its code and its tests"),
        ("fourcard check examples/maryland.toml", "a submission against its rulebook"),
        ("fourcard paytables examples/washington.toml", "the sign at the table"),
    )
    lines: list[RenderableType] = ["", _heading("Try next, in the project's folder")]
    return [*lines, *(f"  [bold].venv/bin/{command}[/]\n      [dim]{what}[/]" for command, what in commands)]

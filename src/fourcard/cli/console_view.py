"""Console view: prints the console, what happened, and the available phrases."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fourcard.cli.output import escape_text
from fourcard.cli.play_view import PlayView
from fourcard.money import dollars

if TYPE_CHECKING:
    from rich.table import Table

    from fourcard.cli.console_session import Phrase
    from fourcard.progressive.console import Light
    from fourcard.progressive.console_view import ConsoleView
    from fourcard.refusals import Refusal
    from fourcard.rules.game import Game

LIGHTS: "Mapping[Light, str]" = {
    "off": "[bright_black]○[/]",
    "placed": "[yellow]◐[/]",
    "registered": "[bold green]●[/]",
}
CELL = 10
"""Seven sensors of this width fit into a terminal of eighty columns."""
OWN = (
    ("as WHO", "act as somebody else"),
    ("show", "show the console"),
    ("hint", "show the next step and its clauses"),
    ("help", "show this list"),
    ("quit", "leave"),
)


class ConsoleScreen(PlayView):
    """Prints the console and asks for lines; it knows no rules."""

    def show(self, seen: "ConsoleView") -> None:
        """Show the console."""
        from rich.console import Group
        from rich.panel import Panel

        title = f"[bold]{seen.console} console[/] · round {seen.round} · {seen.phase}"
        body = Group(_sensors(seen), "", _state(seen))
        self.out.print(Panel(body, title=title, title_align="left", border_style="cyan", expand=False))

    def explain(self, phrases: "Sequence[Phrase]", hands: Sequence[str]) -> None:
        """Show the available phrases."""
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        for usage, tells in (*((each.usage, each.meaning) for each in phrases), *OWN):
            table.add_row(f"  [bold]{usage}[/]", tells)
        table.add_row("  [dim]hands[/]", _buttons(hands))
        self.out.print(table)

    def opening(self, game: "Game", kind: str, staff: Mapping[str, Sequence[str]]) -> None:
        """Introduce a practice session."""
        from rich.panel import Panel

        people = ", ".join(f"{name} ({' and '.join(roles)})" for name, roles in staff.items())
        every = "Every win is confirmed here, those that the tray pays too.\n"
        words = (
            f"[bold]{escape_text(game.submission.name)}[/]: the {kind} console by {game.rulebook.name}.\n"
            f"You are, in turn, {people}: 'as supervisor' or 'as sue' changes who acts.\n"
            f"{every if game.settings.get('confirm') == 'every_win' else ''}"
            f"[dim]Bots play, and nothing is stored. 'hint' shows the next step, 'help' lists the commands, "
            f"'quit' leaves.[/]"
        )
        self.out.print(Panel(words, border_style="cyan", padding=(0, 2)))

    def game(self, number: int, meter: int) -> None:
        """Print the heading of a game."""
        from rich.rule import Rule

        title = f"[bold]Game {number}[/] · the meter shows {dollars(meter)}"
        self.out.print(Rule(title, align="left", style="cyan"))

    def report(self, games: int, motions: int, mistakes: "Mapping[Refusal, int]") -> None:
        """Print the summary of a practice session: games, commands, and every mistake with its clauses."""
        total = sum(mistakes.values())
        counts = (_counted(games, "game"), _counted(motions, "command"), _counted(total, "mistake"))
        self.out.print("You leave after {}, {} and {}.".format(*counts))
        for refusal, times in mistakes.items():
            cited = f" [dim]{escape_text(' '.join(refusal.clauses))}[/]" if refusal.clauses else ""
            head = f"{times} x {int(refusal.code)} {refusal.name}"
            self.out.print(f"  [red]{head}[/]: {escape_text(refusal.message)}{cited}")


def _counted(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def _sensors(seen: "ConsoleView") -> "Table":
    """Return the sensors side by side: light, position, player."""
    from rich.table import Table

    table = Table.grid(padding=(0, 1))
    for _ in seen.sensors:
        table.add_column(justify="center", width=CELL, no_wrap=True, overflow="ellipsis")
    table.add_row(*(f"[bold]{each.position}[/] {LIGHTS[each.light]}" for each in seen.sensors))
    table.add_row(*(each.light for each in seen.sensors))
    table.add_row(*(f"[dim]{escape_text(each.player)}[/]" for each in seen.sensors))
    return table


def _state(seen: "ConsoleView") -> "Table":
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for label, text in seen.lines():
        if label != "sensors":
            table.add_row(f"[dim]{label}[/]", escape_text(text))
    table.add_row("[dim]hands[/]", _buttons(seen.hands))
    return table


def _buttons(hands: Sequence[str]) -> str:
    """Return the hand buttons with their numbers."""
    named = (
        f"[bold]{number}[/] {escape_text(hand.replace('_', ' '))}" for number, hand in enumerate(hands, 1)
    )
    return "  ".join(named)

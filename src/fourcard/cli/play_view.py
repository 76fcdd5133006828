"""Play view: prints the table in the terminal and reads answers."""

import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from fourcard.cli.output import card_faces, console, escape_text, printable, with_card_faces
from fourcard.money import dollars

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fourcard.narration import Sentence
    from fourcard.odds.decision_values import DecisionOptions
    from fourcard.rules.game import Game
    from fourcard.table.bots import PlayerSpot


class LeaveTableError(Exception):
    """The player leaves, or the input has ended."""


class PlayView:
    """Prints and asks; it knows no rules of the game."""

    def __init__(self, narration: Literal["short", "all"] = "short") -> None:
        """Take how much of the dealer's work is narrated."""
        self.out = console()
        self.narration = narration

    def ask(self, question: str) -> str:
        """Return an answer, or raise LeaveTableError at the end of the input."""
        try:
            answer = self.out.input(f"[bold yellow]{escape_text(question)}[/] ").strip()
        except (EOFError, KeyboardInterrupt):
            self.out.print()
            raise LeaveTableError from None
        if not sys.stdin.isatty():
            self.out.print(escape_text(answer))
        if answer.lower() in ("q", "quit", "leave"):
            raise LeaveTableError
        return answer

    def say(self, sentence: str) -> None:
        """Print a note."""
        self.out.print(f"[yellow]{escape_text(sentence)}[/]")

    def refuse(self, sentence: str, clauses: Sequence[str] = ()) -> None:
        """Print why something is refused."""
        cited = f" [dim]{escape_text(' '.join(clauses))}[/]" if clauses else ""
        self.out.print(f"[red]{escape_text(sentence)}[/]{cited}")

    def welcome(self, game: "Game", seats: dict[int, str], mine: Sequence[int]) -> None:
        """Introduce the table."""
        from rich.panel import Panel

        from fourcard.round.prompts import METHOD_PHRASES
        from fourcard.wagers import WAGER_LABELS

        rulebook = game.rulebook
        edition = f", {rulebook.edition} edition" if len(rulebook.editions) > 1 else ""
        limits = [
            f"{WAGER_LABELS[name]} {dollars(each.least)} to {dollars(each.most)}"
            for name, each in game.submission.limits.posted.items()
        ]
        if game.submission.progressive is not None:
            stakes = " or ".join(map(dollars, game.submission.progressive.stakes))
            limits.append(f"{WAGER_LABELS['progressive']} {stakes}")
        others = (
            ", ".join(f"{escape_text(who)} at {p}" for p, who in seats.items() if p not in mine) or "nobody"
        )
        words = (
            f"[bold]{escape_text(game.submission.name)}[/]: Four Card Poker by {rulebook.name}{edition}, "
            f"dealt {METHOD_PHRASES[game.submission.dealing.method]}.\n"
            f"You sit at position {' and '.join(map(str, mine))}; other players: {others}.\n"
            f"[dim]{escape_text(', '.join(limits))}. Play money. Enter q to leave the table.[/]"
        )
        self.out.print(Panel(words, border_style="green", padding=(0, 2)))

    def heading(self, number: int, money: int, meter: int | None) -> None:
        """Print the heading of a round."""
        from rich.rule import Rule

        shown = f" · meter {dollars(meter)}" if meter is not None else ""
        title = f"[bold]Round {number}[/] · you have {dollars(money)}{shown}"
        self.out.print(Rule(title, align="left", style="green"))

    def tell(self, sentences: "Iterable[Sentence]", mine: Sequence[int] = ()) -> None:
        """Print sentences with their clauses, in bold for the player's own positions."""
        for sentence in sentences:
            style = "bold" if sentence.position in mine and sentence.position else ""
            cited = f" [dim]{escape_text(' '.join(sentence.clauses))}[/]" if sentence.clauses else ""
            self.out.print(with_card_faces(printable(sentence.text), style), cited)

    def hand(self, spot: "PlayerSpot") -> None:
        """Show the player's cards and the dealer's up card."""
        from rich.columns import Columns
        from rich.panel import Panel

        from fourcard.hands import best_hand

        best = best_hand(spot.cards)
        ordered = [*best.cards, *(card for card in spot.cards if card not in best.cards)]
        faces: list[RenderableType] = [
            Panel(card_faces([card]), width=7, border_style="white" if card in best.cards else "bright_black")
            for card in ordered
        ]
        up = Panel(card_faces([spot.up]), width=8, border_style="yellow", title="up")
        self.out.print(Columns([*faces, " ", up]))
        self.out.print(f"Position {spot.position}: [bold cyan]{best.name}[/], Ante {dollars(spot.ante)}.")

    def values(self, options: "DecisionOptions") -> None:
        """Show the average value of each decision in money, the best one, and how much money is missing."""
        best, allowed = options.best, [each for each in options.options if each.allowed]
        shown = ", ".join(
            f"[bold]{each.name} {_cents(each.value)}[/]"
            if each == best
            else f"{each.name} {_cents(each.value)}"
            for each in allowed
        )
        over = ", ".join(f"{each.name} {_cents(each.value)}" for each in options.options if not each.allowed)
        notes = f" [dim]The limits do not allow {over}.[/]" if over else ""
        lacking = ", ".join(
            f"{dollars(each.missing_cents)} more for {each.name}" for each in allowed if each.missing_cents
        )
        notes += f" You need {lacking}." if lacking else ""
        self.out.print(f"[cyan]Coach:[/] {shown} on average. {best.name} is best.{notes}")

    def verdict(self, options: "DecisionOptions", cost: Fraction) -> None:
        """Print how good a decision was."""
        best = options.best
        if cost == 0:
            self.out.print("[cyan]Coach:[/] [green]that was the best decision.[/]")
            return
        lacked = f" You needed {dollars(best.missing_cents)} more for it." if best.missing_cents else ""
        self.out.print(
            f"[cyan]Coach:[/] {best.name} was better; that cost {_cents(cost)} on average.{lacked}"
        )

    def farewell(self, rounds: int, money: int, brought: int, coached: tuple[int, int, Fraction]) -> None:
        """Print the summary of a session."""
        net = money - brought
        result = "even" if net == 0 else f"{'up' if net > 0 else 'down'} {dollars(abs(net))}"
        played = "1 round" if rounds == 1 else f"{rounds} rounds"
        self.out.print(f"You leave after {played} with {dollars(money)}, {result}.")
        decisions, right, cost = coached
        if decisions:
            self.out.print(
                f"[cyan]Coach:[/] {right} of {decisions} decisions were best; cost {_cents(cost)}."
            )


def _cents(amount: Fraction) -> str:
    """Return a fraction of cents as money, rounded to the nearest cent."""
    shown = f"${abs(float(amount)) / 100:,.2f}"
    return f"-{shown}" if amount < 0 and shown != "$0.00" else shown

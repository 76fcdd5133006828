"""`fourcard play`: a table in the terminal, with bots beside and a dealer who goes by the book."""

from typing import Annotated, Literal

import typer

from fourcard.cli.amounts import Cents, cents
from fourcard.cli.submission_argument import SubmissionName

CoachChoice = Literal["off", "after", "before"]
ToldChoice = Literal["short", "all"]


def play(
    submission: SubmissionName = "massachusetts",
    positions: Annotated[int, typer.Option(min=1, help="How many positions are in play, yours too.")] = 3,
    at: Annotated[
        list[int] | None, typer.Option(help="Your position; again for a second one where you may.")
    ] = None,
    bankroll: Annotated[str, Cents(help="What you bring to the table.")] = "$1,000",
    coach: Annotated[CoachChoice, typer.Option(help="Exact values before or after a decision.")] = "off",
    tell: Annotated[ToldChoice, typer.Option(help="All that the dealer's hands do, or the main.")] = "short",
    rounds: Annotated[int | None, typer.Option(min=1, help="Stop after so many rounds.")] = None,
    seed: Annotated[int | None, typer.Option(help="Shuffle the same decks every time.")] = None,
) -> None:
    """Play at a table of any rulebook: the dealer announces, and every payment comes with its reason."""
    from fourcard.cli.playing import Playing
    from fourcard.cli.playing_screen import Screen
    from fourcard.rules.examples import submission_named
    from fourcard.rules.game import resolve_game

    game = resolve_game(submission_named(submission))
    mine = at or [(positions + 1) // 2]
    playing = Playing(game, Screen(told=tell), cents(bankroll), seed)
    playing.sit(positions, mine)
    playing.coach.when = coach
    playing.run(rounds)

"""Play: the `play` command opens a table in the terminal with bots and a dealer."""

from typing import Annotated, Literal

import typer

from fourcard.cli.output import SubmissionName, cents_option, parse_cents

CoachChoice = Literal["off", "after", "before"]
NarrationChoice = Literal["short", "all"]


def play(
    submission: SubmissionName = "massachusetts",
    positions: Annotated[int, typer.Option(min=1, help="Number of positions in play, including yours.")] = 3,
    at: Annotated[
        list[int] | None, typer.Option(help="Your position; repeat for a second one if allowed.")
    ] = None,
    bankroll: Annotated[str, cents_option(help="Your money.")] = "$1,000",
    coach: Annotated[CoachChoice, typer.Option(help="Exact values before or after a decision.")] = "off",
    tell: Annotated[
        NarrationChoice, typer.Option(help="Narrate everything the dealer does, or only the main steps.")
    ] = "short",
    rounds: Annotated[int | None, typer.Option(min=1, help="Stop after this many rounds.")] = None,
    seed: Annotated[int | None, typer.Option(help="Shuffle the same decks every time.")] = None,
) -> None:
    """Play at a table of any rulebook: the dealer announces, and every payment comes with its reason."""
    from fourcard.cli.play_session import PlaySession
    from fourcard.cli.play_view import PlayView
    from fourcard.rules.game import resolve_game
    from fourcard.rules.submission import submission_named

    game = resolve_game(submission_named(submission))
    mine = at or [(positions + 1) // 2]
    playing = PlaySession(game, PlayView(narration=tell), parse_cents(bankroll), seed)
    playing.sit(positions, mine)
    playing.coach.when = coach
    playing.run(rounds)

"""Console commands: the `console` group drives a progressive console, for practice or in a house."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from fourcard.cli.house_connect import DATABASE, Database, Key
from fourcard.cli.output import Json, command_group, print_json
from fourcard.refusals import BadInputError

TABLE = "TABLE"
Kind = Literal["keypad", "touch"]
Practised = Annotated[
    Kind | None,
    typer.Argument(metavar="[keypad|touch]", help="The kind of console, default the submission's own."),
]
Submission = Annotated[
    str | None,
    typer.Option(help="A submission file, or the name of an example such as 'maryland-everything'."),
]
Rulebook = Annotated[
    str | None, typer.Option(help="Use the example of this rulebook that offers most wagers.")
]
Games = Annotated[int, typer.Option(min=1, help="Stop after this many games.")]
Seed = Annotated[int | None, typer.Option(help="Deal the same games every time.")]
People = Annotated[
    list[str] | None,
    typer.Option(
        "--as", metavar="PERSON", help="A member of staff, who signs in with a password; repeat for more."
    ),
]
PasswordFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--password-file",
        metavar="FILE",
        help="Read the password from the first line of a file; repeat for the next person.",
    ),
]
Table = Annotated[str, typer.Argument(metavar="TABLE", help="The table's id.")]
Do = Annotated[
    list[str] | None,
    typer.Option("--do", metavar="LINE", help="Run a line such as 'key jph', and exit; repeat for more."),
]


class TablesByName(TyperGroup):
    """A command group that takes an unknown command as the name of a table."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the command and its remaining arguments."""
        if args[0] != TABLE and args[0] in self.commands:
            return super().resolve_command(ctx, args)
        return "", self.commands[TABLE], args


console_app = command_group(
    "console", "Drive a progressive console: practise, or work at a real table.", cls=TablesByName
)


@console_app.command()
def practise(
    console: Practised = None,
    submission: Submission = None,
    rulebook: Rulebook = None,
    games: Games = 6,
    seed: Seed = None,
) -> None:
    """Practise a console at a table in memory, as dealer and floor in turn; nothing is stored."""
    from fourcard.cli.console_practice import (
        PracticeSession,
        example_of,
        practice_submission,
    )
    from fourcard.cli.console_view import ConsoleScreen

    if submission is not None and rulebook is not None:
        raise BadInputError("Give a submission or a rulebook, not both.")
    named = submission or example_of(rulebook, console)
    text = practice_submission(named, console, every_win=submission is None)
    PracticeSession(text, ConsoleScreen(), games, seed).run()


@console_app.command(TABLE)
def at_table(
    table: Table,
    people: People = None,
    password_file: PasswordFiles = None,
    do: Do = None,
    json: Json = False,
    database: Database = DATABASE,
    key: Key = None,
) -> None:
    """Show the console of a table in a house, or drive it after signing in."""
    from fourcard.cli.console_live import open_repl, read_console, run_lines
    from fourcard.cli.console_view import ConsoleScreen

    screen = ConsoleScreen()
    if people:
        screen.out.quiet = json
        with open_repl(database, key, table, people, password_file or [], screen) as driver:
            run_lines(driver, screen, do or [])
            seen = driver.session.picture()
    elif do or password_file:
        raise BadInputError("Sign in with --as PERSON to act.")
    else:
        seen = read_console(database, key, table)
        if not json:
            screen.show(seen)
    if json:
        import msgspec

        print_json(msgspec.to_builtins(seen))

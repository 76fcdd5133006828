"""The `fourcard` command: every subcommand, and one sentence on standard error for bad input."""

import os
import sys
from typing import Annotated

import typer

from fourcard.cli.check import check, paytables
from fourcard.cli.clauses import clauses
from fourcard.cli.demo import demo
from fourcard.cli.differences import differences
from fourcard.cli.rank import rank
from fourcard.version import __version__

BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="fourcard",
    help="Four Card Poker: the law as data, every rule with its clause, every figure exact.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (rank, clauses, check, paytables, differences, demo):
    app.command()(command)


def _print_version(asked: bool) -> None:
    if asked:
        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Hold the options of the command itself."""


def main() -> None:
    """Run the command line; a broken pipe is no error, and bad input never gives a traceback."""
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except KeyboardInterrupt:
        status = INTERRUPTED
    except typer.Abort:
        status = INTERRUPTED
    except typer.TyperException as error:
        status = _refuse(getattr(error, "format_message", error.__str__)())
    except ValueError as error:
        status = _refuse(str(error))
    sys.exit(status if isinstance(status, int) else 0)


def _refuse(sentence: str) -> int:
    print(f"fourcard: {sentence}", file=sys.stderr)
    return BAD_INPUT

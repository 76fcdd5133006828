"""Entry point of the `fourcard` command: registers every subcommand and reports errors in one sentence."""

import io
import logging
import os
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from fourcard.cli.audit import audit, export, rng_test, verify_shuffle
from fourcard.cli.console import console_app
from fourcard.cli.demo import demo
from fourcard.cli.house import house_app
from fourcard.cli.installation import verify_install
from fourcard.cli.manager import manager_app
from fourcard.cli.odds import odds, published
from fourcard.cli.output import HELP_OPTIONS, print_help, printable
from fourcard.cli.par import par
from fourcard.cli.play import play
from fourcard.cli.player_rules import rules
from fourcard.cli.rules import check, clauses, differences, paytables
from fourcard.cli.serve import serve
from fourcard.cli.settle import explain, settle
from fourcard.cli.simulate import INTERRUPTED, simulate
from fourcard.cli.simulate_jackpot import simulate_meter
from fourcard.cli.site import site
from fourcard.cli.strategy import advise, rank, strategy
from fourcard.cli.witness import witness_app
from fourcard.refusals import BadInputError
from fourcard.rulebooks import FOLDER_VARIABLE, own_folder
from fourcard.version import __version__

BAD_INPUT = 2

app = typer.Typer(
    name="fourcard",
    help="Four Card Poker: rules as data, every rule with its clause, every figure exact.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=HELP_OPTIONS,
)
COMMANDS = (
    serve,
    play,
    rank,
    settle,
    explain,
    odds,
    advise,
    strategy,
    published,
    par,
    simulate,
    simulate_meter,
    rules,
    clauses,
    check,
    paytables,
    differences,
    demo,
    site,
    audit,
    export,
    verify_shuffle,
    rng_test,
    verify_install,
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(house_app)
app.add_typer(manager_app)
app.add_typer(console_app)
app.add_typer(witness_app)


def _print_version(requested: bool) -> None:
    if requested:
        print(__version__)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    rulebooks: Annotated[
        Path | None,
        typer.Option(
            envvar=FOLDER_VARIABLE,
            help="A folder with rulebooks of your own (TOML) and their clauses (clauses.csv).",
        ),
    ] = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the global options; without a subcommand, print the help."""
    if rulebooks is not None:  # in the environment, so that processes started by a command see it too
        os.environ[FOLDER_VARIABLE] = str(rulebooks)
        own_folder()
    print_help(context)


def main() -> None:
    """Run the command line; bad input exits with one sentence, and a closed pipe is not an error."""
    _open_streams()
    signal.signal(signal.SIGINT, _interrupt)
    status = _run()
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


def _run() -> int:
    try:
        status = app(standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # the help's own console raises SystemExit on a closed pipe
        return 0
    except Exception as error:
        if _interrupted:
            return INTERRUPTED
        message = _message_for(error)
        if message is None:
            raise
        return _print_error(message)
    return status if isinstance(status, int) else 0


def _message_for(error: Exception) -> str | None:
    """Return the message for an error the user can fix, or None for a bug of ours."""
    if isinstance(error, typer.TyperException):
        return str(getattr(error, "format_message", error.__str__)())
    if isinstance(error, BadInputError):
        return str(error)
    return f"The output cannot be written: {error.strerror}." if isinstance(error, OSError) else None


_interrupted: list[int] = []
"""Interrupts received: Numba's compiler may raise an unrelated error when it is interrupted."""


def _interrupt(number: int, _frame: object) -> None:
    """Record an interrupt and stop, without the log messages of libraries that it disturbs."""
    _interrupted.append(number)
    logging.disable()
    raise KeyboardInterrupt


def _open_streams() -> None:
    """Replace closed standard streams, and print '?' for characters that the terminal cannot encode."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _print_error(message: str) -> int:
    print(f"fourcard: {printable(message)}", file=sys.stderr)
    return BAD_INPUT

"""Terminal pictures: records a table, a console and the demonstration as SVG for the documents."""

from io import StringIO
from unittest.mock import patch

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from fourcard.cli import demo
from fourcard.cli.console_practice import PracticeSession, practice_submission
from fourcard.cli.console_view import ConsoleScreen
from fourcard.cli.output import escape_text
from fourcard.cli.play_session import PlaySession
from fourcard.cli.play_view import LeaveTableError, PlayView
from fourcard.rules.game import resolve_game
from fourcard.rules.submission import submission_named
from tools.claims import ROOT

FELT = TerminalTheme(
    (12, 41, 31),
    (226, 232, 226),
    [(70, 80, 75), (235, 110, 100), (120, 205, 130), (240, 205, 110), (120, 175, 240), (200, 150, 230),
     (120, 210, 210), (230, 235, 230)],
    [(110, 125, 118), (245, 130, 120), (140, 225, 150), (250, 220, 130), (140, 195, 250), (215, 170, 240),
     (140, 225, 225), (255, 255, 255)],
)  # fmt: skip
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"
 xml:space="preserve" role="img">
<title>fourcard</title>
<style>
.{unique_id}-matrix {{ font: {char_height}px ui-monospace, Menlo, Consolas, monospace; white-space: pre }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="{width}" height="{height}" rx="12" fill="#0c291f"/>
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""
WIDTH = 112
SEED = 44


ANSWERS = ("25", "5", "1", "1", "3x", "q")
PLAY_SEED = 7
LINES = (
    "start game",
    "spot 2",
    "spot 6",
    "hand three of a kind",
    "as supervisor",
    "confirm",
    "show",
    "swipe",
    "as dealer",
    "end game",
)
CONSOLE_SEED = 3


class ScriptedScreen(PlayView):
    """A screen whose player answers from a list."""

    def __init__(self, out: Console) -> None:
        """Write to a console that records."""
        super().__init__()
        self.out, self._answers = out, iter(ANSWERS)

    def ask(self, question: str) -> str:
        """Print the question with the next answer, and return the answer."""
        answer = next(self._answers)
        if answer == "q":
            raise LeaveTableError
        self.out.print(f"[bold yellow]{escape_text(question)}[/] {answer}")
        return answer


class ScriptedConsole(ConsoleScreen):
    """A console view whose trainee types from a list."""

    def __init__(self, out: Console) -> None:
        """Write to a console that records."""
        super().__init__()
        self.out, self._lines = out, iter(LINES)

    def ask(self, question: str) -> str:
        """Print the question with the next line, and return the line."""
        line = next(self._lines)
        self.out.print(f"[bold yellow]{escape_text(question)}[/] {line}")
        return line


def recorder() -> Console:
    """Return a console that records what it prints."""
    return Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, highlight=False)


def keep(console: Console, name: str) -> None:
    """Write the output of a console as a picture."""
    picture = console.export_svg(title="", theme=FELT, code_format=FRAME, unique_id="fourcard")
    (ROOT / "docs" / name).write_text(picture, encoding="utf-8")


def main() -> None:
    """Record a round and the demonstration with the same cards every time."""
    table = recorder()
    game = resolve_game(submission_named("maryland-everything"))
    playing = PlaySession(game, ScriptedScreen(table), 100_000, PLAY_SEED)
    playing.sit(3, [2])
    playing.coach.when = "before"
    playing.run(1)
    keep(table, "play.svg")
    practice = recorder()
    touch = practice_submission("washington-everything", "touch")
    PracticeSession(touch, ScriptedConsole(practice), 1, CONSOLE_SEED).run()
    keep(practice, "console.svg")
    tour = recorder()
    with patch.object(demo, "console", lambda: tour):
        demo.demo(seed=SEED, pause=False)
    keep(tour, "demo.svg")


if __name__ == "__main__":
    main()

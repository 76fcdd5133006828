"""The progress bar of `fourcard settle`: on a terminal that the answers do not go to, and nowhere else."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

from tests.kit.settle_lines import line_of
from tests.kit.waiting import PROCESS_PATIENCE

FOURCARD = Path(sys.executable).parent / "fourcard"
ROUNDS = 600


def watched(folder: Path, *, answers_too: bool) -> tuple[bytes, bytes]:
    """Settle a file with a terminal for what is said besides; return what it showed, and the answers."""
    file = folder / "rounds.jsonl"
    file.write_text("\n".join(json.dumps(line_of("maryland", id=number)) for number in range(ROUNDS)))
    terminal, other_end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with (folder / "answers.jsonl").open("wb") as answers:
        running = subprocess.Popen(
            [FOURCARD, "settle", file],
            stdin=subprocess.DEVNULL,
            stdout=other_end if answers_too else answers,
            stderr=other_end,
            env=environment,
        )
    os.close(other_end)
    shown = seen(terminal)
    os.close(terminal)
    assert running.wait(PROCESS_PATIENCE) == 0
    return shown, (folder / "answers.jsonl").read_bytes()


def seen(terminal: int) -> bytes:
    """Return all that appears on a terminal until the other end is closed, or patience ends."""
    found, end = b"", time.monotonic() + PROCESS_PATIENCE
    while select.select([terminal], [], [], max(0.0, end - time.monotonic()))[0]:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:
            return found
        if not piece:
            return found
        found += piece
    raise AssertionError(f"still open: {found[-200:]!r}")


def test_a_bar_is_shown_on_a_terminal_while_answers_go_to_a_file(tmp_path: Path) -> None:
    shown, answers = watched(tmp_path, answers_too=False)
    assert b"settling" in shown
    assert b"rounds" in shown
    assert [json.loads(line)["id"] for line in answers.splitlines()] == [*range(ROUNDS)]


def test_no_bar_is_mixed_into_answers_on_the_same_terminal(tmp_path: Path) -> None:
    shown, _ = watched(tmp_path, answers_too=True)
    assert b"settling" not in shown
    assert [json.loads(line)["id"] for line in shown.splitlines()] == [*range(ROUNDS)]

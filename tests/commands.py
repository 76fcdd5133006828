"""Commands run inside the test's own process, where starting Python anew takes longer than the answer."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from fourcard.cli.main import main

HOUSE_FILE = "fourcard.db"
PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def answer(self) -> Any:
        """Return the JSON answer of a command that succeeded."""
        assert (self.status, self.err) == (0, "")
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """Return the one sentence of a command that refused."""
        assert (self.status, self.out) == (2, "")
        assert self.err.startswith("fourcard: ")
        assert self.err.count("\n") == 1
        return self.err.removeprefix("fourcard: ").rstrip("\n")


Command = Callable[..., Done]


def said(done: Done) -> str:
    """Return what a command that succeeded said."""
    assert (done.status, done.err) == (0, "")
    return done.out


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return what runs a command as the installed one would."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["fourcard", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        status = ended.value.code
        return Done(status if isinstance(status, int) else 0, captured.out, captured.err)

    return run

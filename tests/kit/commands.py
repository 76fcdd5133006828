"""Commands run inside the test's process, and visits to a table in the terminal."""

import io
import json
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest.mock import patch

import pytest
import typer

from fourcard.cli.main import app, main

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


@cache
def built_app() -> Callable[..., Any]:
    """Return the command line with its tree of options, which is built once and not for every command."""
    return typer.main.get_command(app)


def said(done: Done) -> str:
    """Return what a command that succeeded said."""
    assert (done.status, done.err) == (0, "")
    return done.out


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return what runs a command as the installed one would."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["fourcard", *map(str, arguments)])
        monkeypatch.setattr("fourcard.cli.main.app", built_app())
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        status = ended.value.code
        return Done(status if isinstance(status, int) else 0, captured.out, captured.err)

    return run


def run_with_bytes(*arguments: str | Path, given: bytes | None = None) -> CompletedProcess[bytes]:
    """Run a command in this process, its standard streams being pipes of bytes, as a started one's are."""
    command = ["fourcard", *map(str, arguments)]
    stdin, stdout, stderr = (io.TextIOWrapper(io.BytesIO(text), "utf-8") for text in (given or b"", b"", b""))
    with (
        patch.multiple(sys, argv=command, stdin=stdin),
        patch("fourcard.cli.main.app", built_app()),
        redirect_stdout(stdout),
        redirect_stderr(stderr),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    printed = []
    for stream in (stdout, stderr):
        stream.flush()
        printed.append(stream.buffer.getvalue())
    status = ended.value.code
    return CompletedProcess(command, status if isinstance(status, int) else 0, *printed)


Answer = Callable[[str], str | None]
MAX_QUESTIONS = 400


@dataclass
class Person(io.TextIOBase):
    """Somebody who reads each question off the screen and answers it; None is the end of the input."""

    screen: pytest.CaptureFixture[str]
    answer: Answer
    seen: str = ""
    asked: list[str] = field(default_factory=list)

    def readline(self, _size: int | None = -1) -> str:  # type: ignore[override]
        """Answer the question that stands on the screen."""
        self.seen += self.screen.readouterr().out
        self.asked.append(self.seen.rsplit("\n", 1)[-1].strip())
        assert len(self.asked) < MAX_QUESTIONS, self.seen[-2000:]
        answer = self.answer(self.asked[-1])
        return "" if answer is None else f"{answer}\n"


@dataclass(frozen=True)
class Visit:
    """A visit to a table: what was on the screen, and what was asked."""

    text: str
    asked: list[str]

    @property
    def nets(self) -> list[int]:
        """Return what every own position won or lost in each round, in cents."""
        found = re.findall(r"Position \d+ \(you\) (?:is (even)|(wins|loses) \$([\d,.]+)) in all", self.text)
        return [0 if even else cents(money) * (1 if how == "wins" else -1) for even, how, money in found]

    @property
    def left(self) -> int:
        """Return the cents that the player left with."""
        found = re.search(r"You leave after \d+ rounds? with \$([\d,.]+), ", self.text)
        assert found is not None
        return cents(found[1])


def spelled(text: str) -> str:
    """Return a text with its cards in two characters, as files write them."""
    signs = dict(zip("♣♦♥♠", "cdhs", strict=True))
    return re.sub(r"(10|[2-9JQKA])([♣♦♥♠])", lambda m: m[1].replace("10", "T") + signs[m[2]], text)


def cents(text: str) -> int:
    whole, _, rest = text.replace(",", "").partition(".")
    return int(whole) * 100 + int(rest or 0)


Play = Callable[..., Visit]


def visitor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Return what visits a table with somebody at the keyboard."""

    def visit(answer: Answer, *arguments: object) -> Visit:
        person = Person(capsys, answer)
        monkeypatch.setattr(sys, "stdin", person)
        monkeypatch.setattr(sys, "argv", ["fourcard", "play", *map(str, arguments)])
        monkeypatch.setattr("fourcard.cli.main.app", built_app())
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        assert (ended.value.code, captured.err) == (0, "")
        return Visit(person.seen + captured.out, person.asked)

    return visit


def least(question: str) -> str:
    """Place the least Ante and nothing else, and play once."""
    return "1x" if question.startswith("Fold") else ""


def by_word(**answers: str | None) -> Answer:
    """Answer by the first word of a question, and else as ``least`` does."""

    def answer(question: str) -> str | None:
        word = question.split(maxsplit=1)[0].rstrip(",").lower()
        return answers.get(word, least(question))

    return answer


def in_turn(*answers: str | None) -> Answer:
    """Give some answers one after the other, and then none."""
    left = iter(answers)
    return lambda _question: next(left, None)

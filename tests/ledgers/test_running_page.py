"""The page for operators is true: its commands run in their order, and say what it says that they say."""

import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path

import pytest

from fourcard.cli.house import COMMANDS, house_app
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from tests.kit.commands import runner
from tests.kit.support import ROOT

PAGE = (ROOT / "docs" / "operator" / "running-a-house.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(console|python)\n(.*?)```", re.DOTALL)
VARYING = re.compile(r"[0-9a-f]{16,64}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
BY_CHANCE = ("results", "balance", "backup", "restore")
"""Commands whose answers follow from cards that nobody can foresee."""
LEAST = 15


def steps() -> Iterator[tuple[str, str, str]]:
    """Yield what is typed on the page, in its order: its kind, the text, and what it prints."""
    for kind, text in BLOCK.findall(PAGE[: PAGE.index("## PostgreSQL")]):
        if kind == "python":
            yield kind, text, ""
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield kind, command, printed


def _plain(text: str) -> list[str]:
    """Return the lines of an answer without what differs from run to run, nor the widths of columns."""
    lines = (" ".join(VARYING.sub("*", line).replace("─", "").split()) for line in text.splitlines())
    return [line for line in lines if line]


def test_every_command_of_the_page_runs_and_says_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourcard.house.house.SignIn", partial(SignIn, terms=AuthPolicy(cost=TEST_COST)))
    for name in ("FOURCARD_DATABASE", "FOURCARD_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "password").write_text("correct horse battery staple\n", encoding="utf-8")
    fourcard, count = runner(capsys, monkeypatch), 0
    with chdir(tmp_path):
        for kind, text, printed in steps():
            if kind == "python":
                exec(compile(text, "the page", "exec"), {})
                continue
            program, *arguments = shlex.split(text)
            done = fourcard(*arguments)
            assert program == "fourcard"
            assert (done.status == 2) == printed.startswith("fourcard: "), text
            if arguments[1] not in BY_CHANCE:
                assert _plain(done.out + done.err) == _plain(printed), text
            count += 1
    assert count >= LEAST


def test_the_page_names_only_commands_that_there_are() -> None:
    named = {*re.findall(r"`house ([a-z-]+)", PAGE), *re.findall(r"fourcard house ([a-z-]+)", PAGE)}
    groups = {
        str(group.typer_instance.info.name) for group in house_app.registered_groups if group.typer_instance
    }
    assert named <= {command.__name__.replace("_", "-") for command in COMMANDS} | groups
    assert len(named) >= LEAST

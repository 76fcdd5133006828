"""The page of the Game Manager is true: its commands run in their order, and say what it says."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourcard.cli import house_connect
from fourcard.cli.manager import COMMANDS
from tests.kit.commands import PASSWORD, Command
from tests.kit.managed_house import LATER
from tests.kit.support import ROOT

PAGE = ROOT / "docs" / "operator" / "game-manager.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
VARYING = re.compile(r"[0-9a-f]{64}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
LEAST = 20


def steps() -> Iterator[tuple[str, str]]:
    """Yield what is typed on the page, in its order, and what it prints."""
    for text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def _plain(text: str) -> list[str]:
    """Return the lines of an answer without what differs from run to run, nor the widths of columns."""
    lines = (" ".join(VARYING.sub("*", line).replace("─", "").split()) for line in text.splitlines())
    return [line for line in lines if line]


def test_every_command_of_the_page_runs_and_says_what_it_says(
    manager: Command, fourcard: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del manager
    monkeypatch.setattr(house_connect, "getpass", lambda _prompt: PASSWORD)
    (folder / "new-year.toml").write_text(LATER, encoding="utf-8")
    count = 0
    for typed, printed in steps():
        program, *arguments = shlex.split(typed)
        done = fourcard(*arguments)
        assert program == "fourcard"
        assert (done.status == 2) == printed.startswith("fourcard: "), typed
        assert _plain(done.out + done.err) == _plain(printed), typed
        count += 1
    assert count >= LEAST
    assert fourcard("audit", "--json").answer["clean"] is True


def test_the_page_names_every_command_and_no_other() -> None:
    text = PAGE.read_text(encoding="utf-8")
    known = {command.__name__.replace("_", "-") for command in COMMANDS}
    assert {*re.findall(r"fourcard manager ([a-z-]+)", text)} <= known
    assert [name for name in known if f"`{name}`" not in text] == []

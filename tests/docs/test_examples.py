"""The examples in the documents run, and print what stands below them."""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from fourcard.cli.main import app
from fourcard.odds.verdicts import VERDICTS
from tests.kit.commands import runner
from tests.kit.support import ROOT

BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


def blocks(name: str) -> list[tuple[str, str]]:
    """Return the code of a document, and the text that it prints where that is told."""
    found = BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))
    pairs = []
    for number, (kind, text) in enumerate(found):
        if kind == "python":
            told = found[number + 1] if number + 1 < len(found) else ("", "")
            pairs.append((text, told[1] if told[0] == "text" else ""))
    return pairs


@pytest.mark.parametrize(("name", "count"), [("docs/developer/library.md", 4), ("README.md", 1)])
def test_the_examples_run_and_print_what_is_told(name: str, count: int) -> None:
    names: dict[str, object] = {}
    examples = blocks(name)
    assert len(examples) == count
    with contextlib.chdir(ROOT):
        for code, told in examples:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, name, "exec"), names)
            assert not told or printed.getvalue() == told


def test_the_round_in_ten_lines_has_no_more() -> None:
    code = next(code for code, _ in blocks("docs/developer/library.md") if "play_round" in code)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
FENCED = re.compile(r"```.*?```", re.DOTALL)
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def anchors(page: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub writes them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_document_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), f"{target}#{anchor}"


def test_the_verdicts_are_told_as_they_are() -> None:
    page = (ROOT / "docs" / "player" / "training.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| (\w+) \| (nothing|more|[\d/]+)", page, re.MULTILINE)
    bounds = {"nothing": "0/1", "more": None}
    assert [(name, bounds.get(most, most)) for name, most in told[: len(VERDICTS)]] == [
        (each.name, each.most) for each in VERDICTS
    ]


def test_the_index_lists_every_document() -> None:
    folder = ROOT / "docs"
    listed = {target for target, _ in LINK.findall((folder / "README.md").read_text(encoding="utf-8"))}
    pages = {str(page.relative_to(folder)) for page in folder.rglob("*.md")} - {"README.md"}
    assert len(pages) > 20
    assert pages <= listed


def typed_commands(page: str) -> Iterator[list[str]]:
    """Yield the words of every `fourcard` command line of a page."""
    lines = [line.removeprefix("$ ") for block in FENCED.findall(page) for line in block.splitlines()]
    lines += re.findall(r"`(fourcard [a-z][^`]*)`", FENCED.sub("", page))
    for line in lines:
        if re.match(r"fourcard [a-z-]", line):
            yield shlex.split(re.split(r" +#| && | > ", line)[0])


def test_every_command_line_names_real_commands_and_options() -> None:
    count, whole = 0, get_command(app)
    for page in DOCUMENTS:
        for program, *words in typed_commands(page.read_text(encoding="utf-8")):
            command = whole
            while isinstance(command, TyperGroup) and words and words[0] in command.commands:
                command = command.commands[words.pop(0)]
            if command.name == "console":
                continue  # the console of a table by its name, as tests/cli runs it
            known = {option for parameter in command.params for option in parameter.opts}
            named = {word for word in words if re.match(r"--?[a-z]", word)}
            assert command.name != program, words
            assert named <= {*known, "--help"}, f"{page.name}: {command.name} {words}"
            count += 1
    assert count > 150


def _plain(text: str) -> list[str]:
    """Return the lines of an answer without rules and widths of columns."""
    lines = (" ".join(line.replace("─", "").split()) for line in text.splitlines())
    return [line for line in lines if line]


def test_the_answers_in_the_readme_are_those_of_the_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, count = runner(capsys, monkeypatch), 0
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    with contextlib.chdir(ROOT):
        for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                typed, _, printed = part.partition("\n")
                if not printed:
                    continue
                answer = "\n".join(_plain(run(*shlex.split(typed)[1:]).out))
                pieces = [re.escape(piece) for piece in "\n".join(_plain(printed)).split("...")]
                assert re.fullmatch("(?s:.*)".join(pieces), answer), typed
                count += 1
    assert count == 6

"""The word check: each rule fails on a small sample, and it proves that it looked at everything."""

import subprocess
from pathlib import Path

import pytest

from tools.check_words import (
    RETIRED_CLASSES,
    RETIRED_FUNCTIONS,
    RETIRED_MODULES,
    SourceFile,
    check_files,
    check_floor,
    tracked_files,
)


def problems(*files: tuple[str, str]) -> list[str]:
    """Return what the check says of some files."""
    return [*check_files([SourceFile(name, text) for name, text in files])]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("src/fourcard/server/doors.py", "", "the module name 'doors' is retired"),
        ("src/fourcard/house/library.py", "", "the module name 'library' is retired"),
        ("src/fourcard/lines/__init__.py", "", "the module name 'lines' is retired"),
        ("src/fourcard/house/store/faults.py", "", "the module name 'faults' is retired"),
        ("tests/storm/weather.py", "", "the module name 'weather' is retired"),
        ("src/fourcard/money.py", "class Deed: ...\n", "the class name 'Deed' is retired"),
        ("tests/api/small.py", "class Doors: ...\n", "the class name 'Doors' is retired"),
        ("src/fourcard/house/x.py", "class Outcome: ...\n", "the class name 'Outcome' is retired"),
        ("src/fourcard/money.py", "def told() -> None: ...\n", "the function name 'told' is retired"),
        (
            "src/fourcard/house/command_service.py",
            "class CommandService:\n    def _received(self) -> None: ...\n",
            "the function name '_received' is retired",
        ),
        ("src/fourcard/server/x.py", "async def why() -> None: ...\n", "the function name 'why' is retired"),
    ],
)
def test_retired_names_are_found(name: str, text: str, problem: str) -> None:
    (found,) = problems((name, text))
    assert found.startswith(name)
    assert found.endswith(problem)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("src/fourcard/odds/x.py", "class Outcome: ...\n"),
        ("src/fourcard/settlers/showdown.py", "class Standing: ...\n"),
        ("tests/unit/x.py", "def told() -> None: ...\n"),
        ("src/fourcard/cli/rules.py", "def check() -> None: ...\n"),
        ("src/fourcard/money.py", "def add() -> None:\n    def told() -> None: ...\n"),
        ("tools/kit/case.py", "class Doors: ...\n"),
    ],
)
def test_a_name_is_free_where_it_is_not_retired(name: str, text: str) -> None:
    assert problems((name, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "The port; 8444 unless told.",
        "Unless\nTold otherwise",
        "Written Anew each time.",
        "This is no card.",
        "this is\n    # no card",
        '("this is "\n    "no card")',
        "It Is No longer so.",
    ],
)
def test_retired_phrases_are_found(text: str) -> None:
    (found,) = problems(("docs/sample.md", text))
    assert "retired phrase" in found
    assert problems(("tools/kit/sample.py", "")) == []


@pytest.mark.parametrize(
    "text",
    ["There is no card.", "where there\nis no card", "there is\n  no card", "renewed", "this is not a card"],
)
def test_plain_phrases_pass(text: str) -> None:
    assert problems(("docs/sample.md", text)) == []


@pytest.mark.parametrize(
    "name",
    [
        "src/fourcard/lines/kit-2.jsonl",
        "src/fourcard/rulebooks/clauses.csv",
        "LICENSE",
        "requirements/dev.txt",
    ],
)
def test_pinned_texts_may_hold_any_phrase(name: str) -> None:
    assert problems((name, "a card that is no card")) == []


def test_open_work_is_found() -> None:
    assert problems(("web/src/a.ts", "// TO" + "DO later")) == ["web/src/a.ts leaves work open"]


def test_a_registry_is_found() -> None:
    assert problems(("docs/a.md", "https://py" + "pi.org/simple")) == ["docs/a.md names a registry's host"]


def test_a_class_name_in_two_modules_is_found() -> None:
    text = "class Small: ...\n"
    (found,) = problems(("src/fourcard/a.py", text), ("src/fourcard/b.py", text))
    assert found == "the class name 'Small' stands in src/fourcard/a.py and src/fourcard/b.py"
    assert problems(("src/fourcard/a.py", text), ("tests/b.py", text)) == []


def repository(root: Path) -> None:
    """Make a small repository with one package inside the other."""
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    for name in ("src/fourcard/__init__.py", "src/fourcard/small/__init__.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("", encoding="utf-8")


def test_the_check_sees_what_git_lists(tmp_path: Path) -> None:
    repository(tmp_path)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    files = tracked_files(tmp_path)
    assert [each.name for each in files] == ["src/fourcard/__init__.py", "src/fourcard/small/__init__.py"]
    assert [*check_floor(tmp_path, files)] == []


def test_the_check_fails_where_it_did_not_look(tmp_path: Path) -> None:
    repository(tmp_path)
    assert next(check_floor(tmp_path, [])) == "git lists no Python files"
    (tmp_path / ".gitignore").write_text("small/\n", encoding="utf-8")
    assert [*check_floor(tmp_path, tracked_files(tmp_path))] == ["src/fourcard/small was not checked"]


def test_every_table_names_something_once() -> None:
    for table in (RETIRED_MODULES, RETIRED_CLASSES, RETIRED_FUNCTIONS):
        for scope, names in table.items():
            assert names.split(), scope
            assert len({*names.split()}) == len(names.split()), scope

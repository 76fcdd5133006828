"""Surfaces: whether a test that claims a clause drives what a user touches, read from its source alone.

A helper may be right while nothing calls it. So a claim counts only if its test reaches a surface of the
closed lists below, itself or through fixtures and helpers of the tests, and asks no `*_refusal` of the
program directly. Printed paytables, figures and remarks are excepted: no surface has to enforce them.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

from fourcard.rules.clauses import Kind, clauses, rulings
from tools.claims import ROOT

FUNCTIONS = frozenset(
    (
        "fourcard.answer_line",
        "fourcard.best_hand",
        "fourcard.check_submission",
        "fourcard.cli.main.main",
        "fourcard.explain_round",
        "fourcard.hands.best_hand",
        "fourcard.odds.published_figures.audit_published_figures",
        "fourcard.odds.report.odds_of",
        "fourcard.posted_sign",
        "fourcard.progressive.decide.decide",
        "fourcard.rules.check.check_submission",
        "fourcard.rules.check_report.check_report",
        "fourcard.rules.posted_sign.posted_sign",
        "fourcard.settle_files.explain.explain_round",
        "fourcard.settle_files.settle.answer_line",
        "fourcard.table.decide.decide",
    )
)
"""The functions behind the table, the console and the commands."""
METHODS = frozenset(("do", "advance", "finish", "play_round", "may"))
"""What tests call of a table and of the house's command service."""
PRINTED: tuple[Kind, ...] = ("data", "info")
"""The kinds of clauses that no surface has to enforce: paytables, figures and remarks."""
FIXTURES = ROOT / "tests" / "kit" / "house_fixtures.py"
Definition = tuple[Path, ast.AST]
SURFACE: Final = "surface"
HELPER: Final = "helper"
"""A `*_refusal` of the program: its answer is nothing until a surface gives it."""
Used = Definition | Literal["surface", "helper"]


def undriven(claims: Mapping[str, Iterable[str]]) -> tuple[int, list[str]]:
    """Return how many claims were looked at, and those whose tests drive no surface."""
    found = sorted(
        {(claim, test.split("[")[0]) for claim, tests in claims.items() if _demands(claim) for test in tests}
    )
    return len(found), [f"{claim} by {test}" for claim, test in found if not drives(test)]


def _demands(claim: str) -> bool:
    """Say whether a clause, or any clause that a ruling reads, demands more than to be printed."""
    known = clauses()
    read = (claim,) if claim in known else rulings()[claim].clauses
    return not read or any(known[each].kind not in PRINTED for each in read)


@cache
def drives(test: str) -> bool:
    """Say whether a test, named as pytest names it, reaches a surface."""
    file, _, name = test.partition("::")
    waiting: list[Used] = [_module(ROOT / file).definitions[name]]
    seen = set[Used]()
    while waiting:
        used = waiting.pop()
        if used not in seen and not isinstance(used, str):
            waiting += _uses(*used)
        seen.add(used)
    return SURFACE in seen and HELPER not in seen


def _uses(path: Path, node: ast.AST) -> Iterator[Used]:
    """Yield the definitions of the tests that one uses, and the program's surfaces and helpers."""
    module = _module(path)
    for each in _inside(node):
        if isinstance(each, ast.arg):
            yield from _fixture(path, each.arg)
        elif isinstance(each, ast.Name):
            yield from _named(path, each.id)
        elif isinstance(each, ast.Attribute):
            if each.attr in METHODS:
                yield SURFACE
            if isinstance(each.value, ast.Name):
                yield from _imported(f"{module.imports.get(each.value.id, '')}.{each.attr}")
            yield from module.methods.get(each.attr, ())


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a definition, without its decorators; of a class only how it is made."""
    if isinstance(node, ast.ClassDef):
        made = [each for each in node.body if getattr(each, "name", "") in ("__init__", "__post_init__")]
        yield from (inner for each in (*made, *node.bases) for inner in ast.walk(each))
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from (inner for each in (node.args, *node.body) for inner in ast.walk(each))
    else:
        yield from ast.walk(node)


def _named(path: Path, name: str) -> Iterator[Used]:
    """Yield the definition of a name in a module."""
    module = _module(path)
    if name in module.definitions:
        yield module.definitions[name]
    elif name in module.imports:
        yield from _imported(module.imports[name])


def _imported(full: str) -> Iterator[Used]:
    """Yield the definition of an imported name: a surface of the program, or a helper of the tests."""
    place, _, name = full.rpartition(".")
    if full in FUNCTIONS:
        yield SURFACE
    elif place.startswith("fourcard.") and name.endswith("_refusal"):
        yield HELPER
    file = ROOT / f"{place.replace('.', '/')}.py"
    if place.startswith("tests.") and file.exists():
        yield from _named(file, name)


def _fixture(path: Path, name: str) -> Iterator[Definition]:
    """Yield the fixture of a name, as pytest finds it."""
    for file in (path, path.parent / "conftest.py", FIXTURES):
        if file.exists() and name in _module(file).fixtures:
            yield _module(file).definitions[name]
            return


class _Module:
    """Module of the tests: its definitions, fixtures and imports, and the methods of its classes."""

    def __init__(self, path: Path) -> None:
        self.definitions = dict[str, Definition]()
        self.fixtures = set[str]()
        self.imports = dict[str, str]()
        self.methods = defaultdict[str, list[Definition]](list)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            match node:
                case ast.ImportFrom():
                    for alias in node.names:
                        self.imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.definitions[node.name] = path, node
                    if any("fixture" in ast.unparse(mark) for mark in node.decorator_list):
                        self.fixtures.add(node.name)
                case ast.ClassDef():
                    self.definitions[node.name] = path, node
                    for part in node.body:
                        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                            self.methods[part.name].append((path, part))
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    self.definitions[name] = path, node
                case _:
                    pass


@cache
def _module(path: Path) -> _Module:
    return _Module(path)

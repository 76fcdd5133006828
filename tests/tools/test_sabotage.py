"""Sabotage of the code: where the points are, what turning a switch changes, and what is recorded."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from tests.kit.support import ROOT
from tools.sabotage.code import LEAST_POINTS
from tools.sabotage.imports import has_rules
from tools.sabotage.instrument import instrument
from tools.sabotage.points import Point
from tools.sabotage.settings import read_settings
from tools.sabotage.switches import NONE, SWITCHES, Reached, clauses_in

SOURCE = '''
def stake_refusal(stake, most, seated):
    """Refuse a stake that is too large (MA-6b.3)."""
    if not seated:
        return refuse(Code.NO_ROUND)
    if stake <= 0 or stake > most:
        figures = {"most": "$5" if most == 500 else "more"}
        return refuse(Code.PLAYERS_SEATED, ("R30",), **figures)
    return None


def place(stake, most=500, seated=True):
    refusal = stake_refusal(stake, most, seated)
    if refusal is not None:
        return refusal
    return [stake] if stake % 2 == 0 else [stake, "odd"]


def total(stakes):
    return sum(stake for stake in stakes if stake > 1) + len(stakes)
'''


@pytest.fixture
def switched() -> Iterator[tuple[Callable[[str], Any], dict[str, int]]]:
    """Return the functions of the source with switches, and the numbers of the points by name."""
    tree, points = instrument("fourcard.small", SOURCE, arithmetic=True)
    names: dict[str, Any] = {"refuse": refuse, "Code": Code}
    exec(compile(tree, "small", "exec"), names)
    yield names.__getitem__, {str(point): number for number, point in enumerate(points)}
    SWITCHES.turned, SWITCHES.reached = NONE, None


def test_points_are_known_by_function_change_and_expression(switched: Any) -> None:
    _, numbers = switched
    assert [*numbers] == [
        "small.stake_refusal | never | not seated",
        "small.stake_refusal | never | stake <= 0 or stake > most",
        "small.stake_refusal | dropped | stake <= 0",
        "small.stake_refusal | shifted | stake <= 0",
        "small.stake_refusal | dropped | stake > most",
        "small.stake_refusal | shifted | stake > most",
        "small.place | removed | stake_refusal(stake, most, seated)",
        "small.place | inverted | stake % 2 == 0",
        "small.place | swapped | stake % 2",
        "small.total | inverted | stake > 1",
        "small.total | shifted | stake > 1",
        "small.total | swapped | sum((stake for stake in stakes if stake > 1)) + len(stakes)",
    ]


@pytest.mark.parametrize(
    ("turned", "stake", "found"),
    [
        ("", 2, [2]),
        ("", 3, [3, "odd"]),
        ("", 0, Code.PLAYERS_SEATED),
        ("", 501, Code.PLAYERS_SEATED),
        ("stake_refusal | never | stake <= 0 or stake > most", 501, [501, "odd"]),
        ("stake_refusal | dropped | stake <= 0", 0, [0]),
        ("stake_refusal | dropped | stake <= 0", 501, Code.PLAYERS_SEATED),
        ("stake_refusal | shifted | stake > most", 500, Code.PLAYERS_SEATED),
        ("place | removed | stake_refusal(stake, most, seated)", 502, [502]),
        ("place | inverted | stake % 2 == 0", 2, [2, "odd"]),
    ],
)
def test_a_turned_switch_alters_one_point(switched: Any, turned: str, stake: int, found: object) -> None:
    function, numbers = switched
    SWITCHES.turned = numbers[f"small.{turned}"] if turned else NONE
    outcome = function("place")(stake)
    assert (outcome.code if isinstance(outcome, Refusal) else outcome) == found


def test_points_record_tests_and_clauses(switched: Any) -> None:
    function, numbers = switched
    SWITCHES.reached = Reached()
    SWITCHES.start("test_small")
    function("place")(501)
    never, removed = (
        numbers["small.stake_refusal | never | stake <= 0 or stake > most"],
        numbers["small.place | removed | stake_refusal(stake, most, seated)"],
    )
    branch = numbers["small.place | inverted | stake % 2 == 0"]
    assert SWITCHES.reached.tests[never] == {"test_small"}
    assert SWITCHES.reached.refused_with[never] == SWITCHES.reached.refused_with[removed] == {"R30"}
    assert branch not in SWITCHES.reached.tests


def test_clauses_are_found_in_events_and_their_steps() -> None:
    refusal = refuse(Code.NO_ROUND, ("MA-6e",))
    assert [*clauses_in([refusal, (refusal, None)])] == ["MA-6e", "MA-6e"]


def _points() -> list[Point]:
    found: list[Point] = []
    for path in sorted((ROOT / "src" / "fourcard").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        if has_rules(module.removesuffix(".__init__")):
            found += instrument(module, path.read_text(encoding="utf-8"))[1]
    return found


def test_points_are_found_where_the_code_refuses() -> None:
    points = _points()
    assert len(points) > LEAST_POINTS - 100
    assert len({str(point) for point in points}) == len(points)
    places = {(point.module, point.function.rpartition(".")[2]) for point in points}
    for module in {point.module for point in points}:
        path = Path(ROOT / "src" / module.replace(".", "/")).with_suffix(".py")
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and _may_refuse(function):
                assert (module, function.name) in places


def _may_refuse(function: ast.FunctionDef) -> bool:
    """Say whether a function refuses something, but not always."""
    always = function.returns is not None and ast.unparse(function.returns) == "Refusal"
    return not always and any(
        isinstance(node, ast.Call) and ast.unparse(node.func) == "refuse" for node in ast.walk(function)
    )


def test_the_settings_name_test_modules_that_exist() -> None:
    modules = {module for found in read_settings().tests.values() for module in found}
    assert modules
    assert all((ROOT / module).is_file() for module in modules)

"""A claim counts only if its test drives what people use; a helper alone is not enough."""

from pathlib import Path

import pytest

from tools.surfaces import drives, undriven

TESTS = {
    "a helper alone": ("assert play_refusal(game(MA), 2_000, 1_900)", False),
    "a helper beside a surface": ("assert play_refusal(game(MA), 2_000, 1_900) or findings(MA)", False),
    "a helper through another": ("assert helper(MA)", False),
    "data alone": ("assert rulebook(MA).wagers.play.least.value == 1", False),
    "a table at which nothing is done": ("assert table(MA)", False),
    "a surface in the decorator": ("assert rulebook(MA)", False),
    "a command at the table": ("assert refused(table(MA), Play(position=1, amount=1))", True),
    "a table of its own": ("table(MA).do(Play(position=1, amount=1))", True),
    "a check": ("assert findings(MA) == ()", True),
    "a module's function": ("assert answers.answer_line('')", True),
    "a helper of the file": ("assert told(MA)", True),
    "a helper as a value": ("assert [each(MA) for each in LOOKS]", True),
}
MODULE = """
import pytest

from fourcard.rules.limits import play_refusal
from fourcard.rules.loading import rulebook
from fourcard.settle_files import settle as answers
from tests.kit.houses import code_of
from tests.kit.support import findings, game
from tests.kit.tables import refused, table

MA = "massachusetts"


def told(name):
    return findings(name)


def helper(name):
    return play_refusal(game(name), 1, 0) or told(name)


LOOKS = (told,)


@pytest.mark.parametrize("found", findings(MA))
def test_it():
    {body}


@pytest.fixture
def settled():
    return told(MA)


def test_by_fixture(settled):
    assert settled == ()


def test_of_the_gate():
    assert code_of(MA, MA) == ""
"""


@pytest.mark.parametrize("name", TESTS)
def test_a_test_drives_a_surface_or_does_not(tmp_path: Path, name: str) -> None:
    body, expected = TESTS[name]
    assert drives(f"{_module(tmp_path, body)}::test_it") is expected


def test_fixtures_are_followed_and_so_are_helpers_of_the_kit(tmp_path: Path) -> None:
    module = _module(tmp_path)
    assert drives(f"{module}::test_by_fixture")
    assert not drives(f"{module}::test_of_the_gate")


def test_claims_of_what_is_only_printed_are_not_checked(tmp_path: Path) -> None:
    test = f"{_module(tmp_path)}::test_it"
    printed, demanded = ("MA-11a3-IV", "R86", "WA-REC-5"), ("MA-6e", "P8", "R5")
    claims = {claim: [f"{test}[one]", f"{test}[other]"] for claim in (*printed, *demanded)}
    assert undriven(claims) == (3, [f"{claim} by {test}" for claim in demanded])


def _module(folder: Path, body: str = "pass") -> Path:
    """Write a module of tests, with this body in one of them."""
    file = folder / "test_small.py"
    file.write_text(MODULE.format(body=body), encoding="utf-8")
    return file

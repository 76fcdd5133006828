"""`make bench`: measurements are named, and those that need no other evaluator can be run anywhere."""

import pytest

from bench.__main__ import main


def test_a_quick_measurement_prints_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["page_weight"]) == 0
    printed = capsys.readouterr().out
    assert "scripts and styles of the first page" in printed
    assert "%" in printed


def test_an_unknown_measurement_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "'nothing' is not a measurement. Choose from: start_of_commands, " in capsys.readouterr().err

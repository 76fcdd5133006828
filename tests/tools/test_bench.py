"""`make bench`: measurements are named, and those that need no other evaluator can be run anywhere."""

import pytest

from bench import rounds
from bench.__main__ import main


def test_a_quick_measurement_prints_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["page_weight"]) == 0
    printed = capsys.readouterr().out
    assert "scripts and styles of the first page" in printed
    assert "%" in printed


def test_an_unknown_measurement_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "'nothing' is not a measurement. Choose from: start_of_commands, " in capsys.readouterr().err


def test_durable_rounds_are_measured_on_both_databases(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "DURABLE_ROUNDS", 4)
    monkeypatch.setattr(rounds, "MANY_TABLES", 2)
    monkeypatch.setattr(rounds, "GAMES", rounds.GAMES[:1])
    assert main(["durable_rounds"]) == 0
    printed = capsys.readouterr().out
    assert "journal" in printed
    for database in ("SQLite", "PostgreSQL"):
        assert printed.count(f"{database}, ") == 2

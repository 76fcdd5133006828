"""`make bench`: measurements are named, and those that need no other evaluator can be run anywhere."""

import pytest

from bench import rounds
from bench.__main__ import main
from bench.hostile_connections import MEMORY_LIMIT, measure_attack


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


def test_a_player_is_served_while_more_connections_are_silent_than_the_server_accepts_by_default() -> None:
    found = measure_attack("silent", 1_100, span=4.0, seats=7)
    assert found.counts.opened >= 1_100
    assert found.missing == 0
    assert found.longest_gap < 3.0
    assert found.memory < MEMORY_LIMIT

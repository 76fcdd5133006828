"""Settled rounds as text files, reviewed by a person; review every change.

``python -m tests.playthroughs.round_script`` writes them again.
"""

import pytest

from tests.playthroughs.round_script import FOLDER, ROUNDS, playthrough


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_is_told_and_settled_as_it_was_written_down(name: str) -> None:
    assert playthrough(ROUNDS[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_playthrough_is_of_a_round() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(ROUNDS)
    assert len(ROUNDS) >= 16

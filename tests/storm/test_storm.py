"""The storm, as much of it as fits into every run of the tests; `make thorough` and `make storm` do more."""

import os
import subprocess
import sys
from collections import Counter
from typing import get_args

import pytest

from tests.kit.audited_houses import ALL_COMMANDS, SELDOM_STORMED
from tests.kit.support import ROOT, WHOLE
from tests.storm.clients import Sort
from tests.storm.counts import Counts
from tests.storm.faults import POINTS
from tests.storm.kills import run_kills
from tests.storm.setup import Plan, StoreKind, store_factory
from tests.storm.storm import DECIDED_AGAIN, run_houses
from tests.storm.summary import MOMENTS

SEEN: dict[str, int] = {
    "accepted": 50_000,
    "adjustments approved": 20,
    "answers lost": 500,
    "awards": 100,
    "barred": 1_000,
    "clock jumps": 20,
    "device failures": 20,
    "faults": 150,
    "games ended": 300,
    "irregularities": 150,
    "last hands": 20,
    "meter links closed": 10,
    "refused": 8_000,
    "refused as ADJUSTMENT_OWN": 3,
    "refused as GAME_NOT_OVER": 20,
    "refused as SAME_PERSON": 10,
    "repeated": 2_000,
    "restarts": 40,
    "restarts between mark and confirmation": 1,
    "restarts between payment and reset": 1,
    "rounds": 2_000,
    "signatures": 20,
    "table links lost": 50,
    "tables installed": 15,
    "tables left": 50,
    "tables linked": 8,
    "tables not left after all": 3,
    "terms changed": 2,
    "void rounds with a win": 5,
    "voids": 100,
    "wins logged": 100,
    "wins of the tray": 10,
    "wins of the whole meter": 10,
    "wins unmarked": 3,
}
"""What 2,000 rounds show at the least, so that a storm that has died down does not pass."""
CHECKED: dict[str, int] = {
    "accounts equal to their state": 40_000,
    "adjustments approved by another person": 20,
    "answers equal to the journal": 50_000,
    "commands decided again": 60_000,
    "balances conserved and as the journal says": 15_000,
    "deals from an unrevealed shuffle": 5_000,
    "dealt cards distinct": 30_000,
    "decks whole": 50_000,
    "events audited": 60_000,
    "events by somebody who may": 60_000,
    "events chained and in sequence": 60_000,
    "groups whose events follow from answers": 15_000,
    "kept secrets are the hidden ones": 15_000,
    "keys with one effect": 50_000,
    "meters equal to the ledger": 20_000,
    "meters whose law holds to the unit": 800,
    "pairs of events in two streams": 1_000,
    "repeats answered as before": 2_000,
    "reused keys refused": 400,
    "rounds equal to their postings": 50_000,
    "rounds with a win voided by who may": 5,
    "secrets revealed in time": 500,
    "stakes added as they were locked in": 800,
    "states equal to the journal": 50_000,
    "void rounds reversed to the unit": 20,
    "whole houses replayed and audited": 1,
    "wins confirmed by another person": 100,
    "wins numbered and priced at the meter as it stood": 100,
    "wins paid once, as logged": 100,
}


def run_storm(plan: Plan) -> Counts:
    """Run a storm and return what it saw."""
    counts = Counts()
    with store_factory(plan.store) as place:
        found = run_houses(plan, place, counts, lambda _: None)
        if found is None and plan.kills:
            found = run_kills(plan, place, counts, lambda _: None)
    assert found is None, "\n".join(found.lines())
    return counts


def test_many_rounds_in_memory() -> None:
    counts = run_storm(Plan("every run", rounds=2_000) if WHOLE else Plan("s27", rounds=200))
    thin = _thin(counts.seen, SEEN) | _thin(counts.checked, CHECKED)
    assert not thin, f"seen or checked too seldom: {thin}"
    missed = [point for point in POINTS if not counts.seen[f"fault at {point}"]]
    assert not missed, f"the store never failed at {missed}"
    unsent = [sort for sort in get_args(Sort) if not counts.seen[f"asked {sort}"]]
    assert not unsent, f"nobody sent commands of the sorts {unsent}"
    decided = {name.removeprefix(DECIDED_AGAIN) for name in counts.checked if name.startswith(DECIDED_AGAIN)}
    if WHOLE:
        assert ALL_COMMANDS - decided <= SELDOM_STORMED
    assert len(decided) >= 45


def _thin(found: Counter[str], floors: dict[str, int]) -> dict[str, int]:
    """Return what was found too seldom; a tenth of the rounds need only show a tenth."""
    share = 1 if WHOLE else 10
    return {name: found[name] for name, least in floors.items() if found[name] < max(1, least // share)}


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_rounds_and_kills_on_a_database(store: StoreKind) -> None:
    seed, rounds, kills = ("every run", 200, 10) if WHOLE else ("s866", 30, 3)
    counts = run_storm(Plan(seed, rounds=rounds, store=store, kills=kills))
    assert counts.seen["rounds"] >= rounds
    assert counts.seen["restarts"] >= (2 if WHOLE else 1)
    assert counts.seen["faults"] >= rounds // 20
    assert counts.seen["kills"] == kills
    assert counts.checked["answers of killed processes in the journal"] >= 20 * kills
    assert counts.checked["whole houses replayed and audited"] >= 3
    assert counts.checked["wins paid once, as logged"] >= rounds // 20
    if WHOLE:  # three kills may all miss the moments that are aimed at
        assert sum(counts.seen[f"kills {moment}"] for moment in MOMENTS) >= 1


def test_a_seed_gives_the_same_storm_in_every_process() -> None:
    command = [sys.executable, "-m", "tests.storm", "--seed", "twice", "--rounds", "40"]
    runs = [
        subprocess.run(
            command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        for seed in ("1", "2")
    ]
    first, second = (run.stdout.decode().splitlines() for run in runs)
    assert first[-2].startswith("4")
    assert [line for line in first if " a second" not in line] == [
        line for line in second if " a second" not in line
    ]
    assert any(line.startswith("journal of house 0") for line in first)

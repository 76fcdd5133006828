"""The guards look: false claims, missed tests and falling counts do not pass."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fourcard.rules.clauses import KINDS, sources
from tests.kit.support import ROOT
from tools.proofs import Counts, fallen, page_text
from tools.sabotage.alterations import every_alteration

USAGE_ERROR = 4


def run_pytest(folder: Path, body: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one small test under the project's own rules."""
    (folder / "test_small.py").write_text(f"import pytest\n\n\n{body}", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    command += ["-p", "xdist", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), str(folder)]
    found = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=found)


@pytest.mark.parametrize(
    ("claim", "complaint"),
    [
        ('@pytest.mark.clause("MA-99")', "claims MA-99, which does not exist"),
        ('@pytest.mark.part("R999")', "claims R999, which does not exist"),
        ('@pytest.mark.clause("MA-6e", "MA-8a", "R5", "R6")', "claims 4 clauses; 3 at most"),
        ("@pytest.mark.clause()", "claims nothing"),
        ('@pytest.mark.clause(id="MA-6e")', "claims nothing"),
        ('@pytest.mark.skip\n@pytest.mark.clause("MA-6e")', "may be skipped"),
    ],
)
def test_a_false_claim_stops_the_run(tmp_path: Path, claim: str, complaint: str) -> None:
    done = run_pytest(tmp_path, f"{claim}\ndef test_it() -> None:\n    pass\n")
    assert done.returncode == USAGE_ERROR
    assert complaint in done.stderr + done.stdout


def test_a_true_claim_passes(tmp_path: Path) -> None:
    body = '@pytest.mark.clause("MA-6e", "R5", "P1")\ndef test_it() -> None:\n    pass\n'
    assert run_pytest(tmp_path, body).returncode == 0


def test_a_skipped_test_is_a_failure_on_ci(tmp_path: Path) -> None:
    body = "@pytest.mark.skip\ndef test_it() -> None:\n    pass\n"
    assert run_pytest(tmp_path, body, CI="").returncode == 0
    done = run_pytest(tmp_path, body, CI="true")
    assert done.returncode == 1
    assert "counts as a failure" in done.stdout


def test_a_falling_count_is_seen() -> None:
    counts: Counts = {(source, kind): (5, 9) for source in sources() for kind in KINDS}
    page = page_text(counts)
    assert fallen(page, counts) == []
    assert fallen(page, {**counts, ("MD", "data"): (4, 9)}) == ["MD data: 4, was 5"]
    assert fallen(page, {**counts, ("MD", "data"): (6, 9)}) == []
    assert fallen(page.replace("| WA |", "| NV |"), counts) == ["proven.md has no row for WA"]


def test_every_cited_value_is_altered() -> None:
    altered = {(each.rulebook, each.place) for each in every_alteration()}
    assert len(altered) > 750
    assert ("maryland", "wagers.progressive.least_meter.C") in altered
    assert ("washington", "wagers.progressive.components.keypad.ViPS.or_higher") in altered


def test_sabotage_refuses_to_try_nothing() -> None:
    command = [sys.executable, "-m", "tools.sabotage", "data", "--place", "no such place"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (2, "No alteration was chosen.\n")


def test_no_sample_of_sabotage_is_stored() -> None:
    command = [sys.executable, "-m", "tools.sabotage", "code", "--sample", "1", "--write"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert "--write needs whole places" in done.stderr

"""The page of the journal: a stranger verifies anchor, signatures and chain with the script printed there."""

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.commands import HOUSE_FILE, Command, said
from tests.kit.support import ROOT
from tests.kit.waiting import PATIENCE

PAGE = (ROOT / "docs" / "laboratory" / "journal.md").read_text(encoding="utf-8")
(SCRIPT,) = re.findall(r"```python\n(import hashlib\n.*?)```", PAGE, re.DOTALL)


def checked(key: str) -> subprocess.CompletedProcess[str]:
    """Run the script of the page on the anchor and the house in the folder at hand."""
    program = [sys.executable, "-c", SCRIPT, key, "anchor.json", HOUSE_FILE]
    return subprocess.run(program, capture_output=True, text=True, check=False, timeout=PATIENCE)


@pytest.fixture
def key(house: Command) -> str:
    """Return the public key of a house in which something happened, with an anchor in the folder."""
    said(house("rehearse", "--rounds", 1, "--tables", 1))
    said(house("register", "zoe", "--name", "Zoë Ōta"))
    said(house("anchor", "-o", "anchor.json"))
    printed = said(house("anchor"))
    (found,) = re.findall(r'"public_key":"([0-9a-f]{64})"', printed)
    return str(found)


def test_a_stranger_finds_everything_as_it_was(key: str) -> None:
    done = checked(key)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"has all \d+ heads that were signed, in \d+ events", done.stdout)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("UPDATE events SET body = CAST(body || ' ' AS BLOB) WHERE kind = 'wager_placed'", "hash"),
        ("DELETE FROM events WHERE stream = 'player/zoe'", "KeyError"),
        ("UPDATE events SET at = at + 1 WHERE kind = 'heads_signed'", "hash"),
    ],
)
def test_a_stranger_finds_what_was_changed(key: str, folder: Path, change: str, fault: str) -> None:
    with closing(sqlite3.connect(folder / HOUSE_FILE)) as file, file:
        file.execute(change)
    done = checked(key)
    assert done.returncode == 1
    assert fault in done.stderr


def test_another_key_has_not_signed(key: str) -> None:
    other = "330e5f84dc7ba9310af5a95ee5db51f5dd55252fb9356b2d00b5affa43566dbd"
    assert key != other
    assert "InvalidSignature" in checked(other).stderr

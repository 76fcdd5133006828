"""The page of the journal: a stranger verifies anchor, signatures and chain with the script printed there."""

import io
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from zstandard import ZstdCompressionDict, ZstdDecompressor

from fourcard.house.journal import JournalRecord, unpack_events
from fourcard.house.store.address import open_store
from fourcard.house.store.compression import row_of_record
from tests.kit.audited_houses import KEY, three_days
from tests.kit.commands import HOUSE_FILE, Command, said
from tests.kit.support import ROOT
from tests.kit.waiting import PATIENCE

PAGE = (ROOT / "docs" / "laboratory" / "journal.md").read_text(encoding="utf-8")
DICTIONARIES = ROOT / "src" / "fourcard" / "house" / "store"
OTHER = JournalRecord(
    "player/zoe", 1, 1, "commands", 1, 0, "", "", "", "", "", b'[[[{"kind":"player_registered"}],null]]'
)
OTHER_BODY = row_of_record(OTHER)[JournalRecord.__struct_fields__.index("body")]
FILE_SCRIPT, SCRIPT = re.findall(r"```python\n(import hashlib\n.*?)```", PAGE, re.DOTALL)


def checked(key: str) -> subprocess.CompletedProcess[str]:
    """Run the script of the page on the anchor and the house in the folder at hand."""
    program = [sys.executable, "-c", SCRIPT, key, "anchor.json", str(DICTIONARIES), HOUSE_FILE]
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
        ("UPDATE events SET body = :other WHERE stream = 'player/zoe'", "hash"),
        ("UPDATE events SET body = CAST(body || ' ' AS BLOB) WHERE stream = 'player/zoe'", "ZstdError"),
        ("DELETE FROM events WHERE stream = 'player/zoe'", "KeyError"),
        ("UPDATE events SET at = at + 1 WHERE stream = 'house' AND sequence > 1", "hash"),
        ("UPDATE events SET command = command - 1 WHERE stream = 'player/zoe'", "missing"),
    ],
)
def test_a_stranger_finds_what_was_changed(key: str, folder: Path, change: str, fault: str) -> None:
    with closing(sqlite3.connect(folder / HOUSE_FILE)) as file, file:
        assert file.execute(change, {"other": OTHER_BODY}).rowcount
    done = checked(key)
    assert done.returncode == 1
    assert fault in done.stderr


def test_a_stranger_verifies_a_checkpoint(key: str, folder: Path, fourcard: Command) -> None:
    said(fourcard("audit", "--database", HOUSE_FILE))
    file = folder / f"{HOUSE_FILE}.checkpoint"
    program = [sys.executable, "-c", FILE_SCRIPT, key, str(file)]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stdout.startswith("fourcard-checkpoint-1 of the house ")
    file.write_bytes(file.read_bytes()[:-1])
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert "the content was altered" in done.stderr


def test_a_stranger_verifies_closed_days_and_their_file(folder: Path, fourcard: Command) -> None:
    """Close days of long ago, verify journal and segment with the scripts, and find what was changed."""
    with closing(open_store(folder / HOUSE_FILE)) as store:
        anchor = three_days(store).anchor()
    (folder / "anchor.json").write_bytes(msgspec.json.encode(anchor))
    (folder / f"{HOUSE_FILE}.key").write_text(bytes(range(32)).hex())
    assert [each["day"] for each in fourcard("house", "close-days", "--json").answer] == [
        "2026-01-01", "2026-01-02", "2026-01-03",
    ]  # fmt: skip
    assert said(fourcard("house", "close-days")) == "No day is old enough to be closed.\n"
    assert "heads that were signed" in checked(KEY.public).stdout
    file = folder / "day.segment"
    assert "day.segment holds the segment of 2026-01-02" in said(
        fourcard("house", "segment", "2026-01-02", "-o", file)
    )
    assert file.stat().st_mode & 0o777 == 0o600
    program = [sys.executable, "-c", FILE_SCRIPT, KEY.public, str(file)]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stdout.startswith("fourcard-segment-1 of the house ")
    frames = io.BytesIO(file.read_bytes().partition(b"\n")[2])
    content = ZstdDecompressor().stream_reader(frames, read_across_frames=True).read()
    parts = [json.loads(line) for line in content.splitlines()]
    assert {"table/one", "player/ann", "house"} <= {part["stream"] for part in parts}
    assert sum(len(part["transfers"]) for part in parts) > 10
    with closing(sqlite3.connect(folder / HOUSE_FILE)) as house, house:
        assert house.execute("DELETE FROM segment_parts WHERE stream = 'player/ann'").rowcount > 1
    assert "KeyError" in checked(KEY.public).stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("2026-01-09", "-o", "new"),
            "2026-01-09 has no segment: it is not closed, or nothing",
        ),
        (("yesterday", "-o", "new"), "'yesterday' is not a date; write it like 2026-01-31."),
        (("2026-01-02", "-o", HOUSE_FILE), "never overwrites a file"),
    ],
)
def test_a_segment_that_cannot_be_written_is_refused(
    house: Command, words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in house("segment", *words).sentence
    assert not Path("new").exists()


def test_another_key_has_not_signed(key: str) -> None:
    other = "330e5f84dc7ba9310af5a95ee5db51f5dd55252fb9356b2d00b5affa43566dbd"
    assert key != other
    assert "InvalidSignature" in checked(other).stderr


def test_a_body_is_an_ordinary_frame_with_the_bytes_in_front_that_the_page_tells(
    key: str, folder: Path
) -> None:
    del key
    (magic,) = re.findall(r"With the bytes `([0-9A-F ]+)` in front", PAGE)
    dictionary = ZstdCompressionDict((DICTIONARIES / "journal-1.zdict").read_bytes())
    with closing(sqlite3.connect(folder / HOUSE_FILE)) as file:
        bodies = [each for (each,) in file.execute("SELECT body FROM events WHERE kind = 'commands'")]
    assert len(bodies) > 30
    for body in bodies:
        frame = bytes.fromhex(magic) + body[1:]
        assert body[0] == 1
        assert ZstdDecompressor(dictionary).decompress(frame).startswith(b'[[[{"kind":"')


def test_the_record_that_the_page_shows_can_be_read() -> None:
    (shown,) = re.findall(r"```text\n(\[\[.*?)\n```", PAGE)
    body = shown.replace(", …", "").encode()
    first, second = unpack_events(replace(OTHER, sequence=2, by="ann", role="player", body=body))
    assert (first.kind, first.by, first.role, first.command) == (
        "hand_folded", "ann", "player", b'{"kind":"fold"}',
    )  # fmt: skip
    assert (second.kind, second.by, second.role) == ("act_performed", "crew", "dealer")

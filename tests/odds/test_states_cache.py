"""The table of all states in its folder: written whole or not at all, checked, and rebuilt if damaged."""

import hashlib
import inspect
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fourcard.cards import CardsError, parse_card, parse_cards
from fourcard.hands import best_hand
from fourcard.odds import solver, states_cache
from fourcard.odds.evaluator import best_of_five
from fourcard.odds.hand_counting import count_hands
from fourcard.odds.progress import ProgressCallback
from fourcard.odds.state_counts import StateTable, canonical_suits, check_state
from fourcard.odds.states_cache import HEAD, MAGIC, all_states, cached_states, solved_states, states_path

WHOLE = HEAD + 134_459 * (47 * 2 * 4 + 4 + 2 + 1 + 5)
FIELDS = ("counts", "places", "strengths", "sizes", "cards")
REAL_FOLDER = os.environ.get("FOURCARD_CACHE")
"""Where tables and kernels are kept outside these tests, if the environment says so."""
KILLED = """
import os, pathlib, signal, sys, tempfile
import fourcard.odds.solver as solver
from fourcard.odds.states_cache import all_states, solved_states
found = all_states()
os.environ["FOURCARD_CACHE"] = sys.argv[1]
{patch}
solved_states({step})
"""
DIES = "os.kill(os.getpid(), signal.SIGKILL)"
AT_ONCE = "solver.solve = lambda *_: found"
DEATHS = {
    "while solving": ("", "lambda share: " + DIES, 0),
    "before a file is opened": (f"{AT_ONCE}; tempfile.mkstemp = lambda **_: {DIES}", "", 0),
    "before it is on the disk": (f"{AT_ONCE}; os.fsync = lambda _: {DIES}", "", 1),
    "before it is moved": (f"{AT_ONCE}; pathlib.Path.replace = lambda *_: {DIES}", "", 1),
}
"""Where a process dies: what is done to it, how it is told of its progress, and how many files it leaves."""


@pytest.fixture(scope="module")
def solved() -> StateTable:
    """Return the table, solved or mapped before any test moves the folder."""
    return all_states()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder in which the table is to be kept."""
    monkeypatch.setenv("FOURCARD_CACHE", str(tmp_path / "cache"))
    assert states_path().parent == tmp_path / "cache"
    return tmp_path / "cache"


@pytest.fixture
def at_once(solved: StateTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let solving take no time: the result is there already."""
    monkeypatch.setattr(solver, "solve", lambda _threads, _step: solved)


def same(one: StateTable | None, other: StateTable) -> bool:
    """Say whether two tables hold the same."""
    return one is not None and all(
        np.array_equal(getattr(one, each), getattr(other, each)) for each in FIELDS
    )


def nothing_left(folder: Path) -> bool:
    """Say whether neither a table nor part of one lies in a folder."""
    return not folder.exists() or not list(folder.iterdir())


def test_where_nothing_was_kept_there_is_no_table(folder: Path) -> None:
    assert cached_states() is None
    assert nothing_left(folder)


@pytest.mark.usefixtures("at_once")
def test_a_solved_table_is_kept_whole_and_mapped_again(folder: Path, solved: StateTable) -> None:
    assert solved_states() is solved
    assert list(folder.iterdir()) == [states_path()]
    kept = states_path().stat()
    assert kept.st_size == WHOLE
    assert stat.S_IMODE(kept.st_mode) & (stat.S_IRUSR | stat.S_IWGRP | stat.S_IWOTH) == stat.S_IRUSR
    content = states_path().read_bytes()
    assert content.startswith(MAGIC + hashlib.sha256(content[HEAD:]).digest())
    mapped = cached_states()
    assert same(mapped, solved)
    assert mapped is not None
    assert not mapped.counts.flags.writeable
    assert mapped.counts.dtype == np.uint32


def test_one_thread_and_two_solve_the_same_bytes(folder: Path, solved: StateTable) -> None:
    digests = set()
    for threads in (1, 2):
        done: list[float] = []
        assert same(solved_states(done.append, threads), solved)
        assert sum(done) == pytest.approx(1)
        assert min(done) > 0
        digests.add(hashlib.sha256(states_path().read_bytes()).hexdigest())
    assert len(digests) == 1
    assert [path.name for path in folder.iterdir()] == [states_path().name]


def flipped(place: int) -> Callable[[bytes], bytes]:
    """Return what changes one bit of a file."""
    return lambda content: content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def sealed(body: bytes) -> bytes:
    """Return a file that is not damaged, and yet no table."""
    return MAGIC + hashlib.sha256(body).digest() + body


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "first byte": flipped(0),
    "first byte of the digest": flipped(len(MAGIC)),
    "last byte of the digest": flipped(HEAD - 1),
    "first count": flipped(HEAD),
    "a count": flipped(HEAD + 30_000_001),
    "a strength": flipped(WHOLE - 134_459 * 7),
    "last byte": flipped(WHOLE - 1),
    "a byte short": lambda content: content[:-1],
    "half": lambda content: content[: len(content) // 2],
    "short, with a digest of its own": lambda content: sealed(content[HEAD:-5]),
    "long, with a digest of its own": lambda content: sealed(content[HEAD:] + bytes(5)),
    "a byte long": lambda content: content + b"\0",
    "empty": lambda _: b"",
}


@pytest.mark.usefixtures("at_once")
def test_a_damaged_table_is_noticed_and_built_anew(folder: Path, solved: StateTable) -> None:
    solved_states()
    whole = states_path().read_bytes()
    for name, damage in DAMAGES.items():
        damaged = damage(whole)
        assert damaged != whole
        states_path().write_bytes(damaged)
        assert cached_states() is None, name
    assert solved_states() is solved
    assert states_path().read_bytes() == whole
    assert same(cached_states(), solved)
    assert list(folder.iterdir()) == [states_path()]


def test_a_damaged_table_is_never_answered_from(
    folder: Path, solved: StateTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def solve(threads: int, _step: ProgressCallback) -> StateTable:
        asked.append(threads)
        return solved

    monkeypatch.setattr(solver, "solve", solve)
    monkeypatch.setattr(states_cache, "_LOADED", [])
    assert all_states() is solved
    assert all_states(step=lambda _: None) is solved
    states_cache._LOADED.clear()
    assert same(all_states(), solved)
    assert len(asked) == 1
    states_path().write_bytes(flipped(HEAD + 5)(states_path().read_bytes()))
    states_cache._LOADED.clear()
    assert all_states() is solved
    assert len(asked) == 2
    assert same(cached_states(), solved)
    assert list(folder.iterdir()) == [states_path()]


@pytest.mark.usefixtures("at_once")
def test_a_directory_in_the_tables_place_is_left_alone_and_the_answer_still_given(
    folder: Path, solved: StateTable
) -> None:
    (states_path() / "inside").mkdir(parents=True)
    assert cached_states() is None
    assert solved_states() is solved
    assert list(folder.iterdir()) == [states_path()]
    assert (states_path() / "inside").is_dir()


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), PermissionError(13, "Permission denied")]
)
@pytest.mark.parametrize("call", ["fsync", "mkstemp", "replace"])
def test_where_the_table_cannot_be_kept_the_answer_is_still_given(
    folder: Path, solved: StateTable, monkeypatch: pytest.MonkeyPatch, call: str, error: OSError
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    where = {"fsync": "os.fsync", "mkstemp": "tempfile.mkstemp", "replace": "pathlib.Path.replace"}
    monkeypatch.setattr(where[call], fail)
    assert solved_states() is solved
    assert nothing_left(folder)
    assert cached_states() is None


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("made", [False, True])
def test_where_the_folder_cannot_be_written_one_of_this_process_alone_serves(
    made: bool, tmp_path: Path, solved: StateTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    chosen = tmp_path / ("cache" if made else "file/cache")
    monkeypatch.setenv("FOURCARD_CACHE", str(chosen))
    if made:
        monkeypatch.setattr("os.access", lambda *_: False)
    own = states_path().parent
    assert tmp_path not in own.parents
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    assert cached_states() is None
    try:
        assert solved_states() is solved
        assert same(cached_states(), solved)
    finally:
        states_path().unlink()
    assert not any(chosen.iterdir()) if made else not chosen.exists()


def test_a_folder_of_one_process_goes_with_it() -> None:
    code = "from fourcard.odds.disk_cache import cache_folder; print(cache_folder(), cache_folder().is_dir())"
    environment = {**os.environ, "FOURCARD_CACHE": os.devnull + "/cache"}
    command = [sys.executable, "-c", code]
    said = {
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(said) == 2
    for text in said:
        folder, there = text.split()
        assert there == "True"
        assert not Path(folder).exists()


@pytest.mark.usefixtures("at_once")
def test_an_interrupted_write_leaves_nothing_and_is_passed_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solved_states()
    assert nothing_left(folder)


@pytest.mark.parametrize("after", [0.0, 0.3])
def test_an_interrupted_solve_leaves_nothing_and_is_passed_on(folder: Path, after: float) -> None:
    done: list[float] = []

    def step(share: float) -> None:
        done.append(share)
        if sum(done) > after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solved_states(step)
    assert after < sum(done) < 1
    assert nothing_left(folder)


@pytest.mark.usefixtures("at_once")
def test_what_an_earlier_process_left_half_written_is_cleared(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    left = folder / f"{states_path().name}.abc123.part"
    left.write_bytes(MAGIC)
    other = folder / "states-0123456789ab.bin.xyz.part"
    other.write_bytes(MAGIC)
    solved_states()
    assert sorted(folder.iterdir()) == sorted([states_path(), other])


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("where", DEATHS)
def test_a_process_killed_on_the_way_leaves_no_table_that_is_taken_for_whole(
    where: str, folder: Path, solved: StateTable
) -> None:
    patch, step, files = DEATHS[where]
    environment = {key: value for key, value in os.environ.items() if key != "FOURCARD_CACHE"}
    if REAL_FOLDER is not None:
        environment["FOURCARD_CACHE"] = REAL_FOLDER
    command = [sys.executable, "-c", KILLED.format(patch=patch, step=step), str(folder)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert cached_states() is None
    left = list(folder.iterdir()) if folder.exists() else []
    assert [path.suffix for path in left] == [".part"] * files
    assert solved_states() is solved
    assert list(folder.iterdir()) == [states_path()]
    assert same(cached_states(), solved)


def test_the_name_of_the_table_changes_with_the_code_that_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = states_path()
    asked: list[Path] = []

    def digest(paths: list[Path]) -> str:
        asked.extend(paths)
        return "0123456789ab"

    monkeypatch.setattr(states_cache, "source_digest", digest)
    assert states_path() == before.with_name("states-0123456789ab.bin")
    parts = (best_of_five, count_hands, solver.solve, StateTable, canonical_suits, best_hand, parse_card)
    assert {Path(inspect.getfile(part)) for part in parts} <= set(asked)
    assert all(path.is_file() for path in asked)


@pytest.mark.parametrize(
    ("hand", "up", "sentence"),
    [
        ("As Ah Kd 7c", "Ac", "4 cards were given where 5 are needed."),
        ("As Ah Kd 7c 2h 3h", "Ac", "6 cards were given where 5 are needed."),
        ("As Ah Kd 7c 2h", "Kd", "The up card Kd is among the player's cards."),
    ],
)
def test_cards_that_are_no_state_are_refused_in_a_sentence(hand: str, up: str, sentence: str) -> None:
    with pytest.raises(CardsError) as refused:
        check_state(parse_cards(hand), parse_card(up))
    assert str(refused.value) == sentence


def test_an_up_card_that_is_no_card_is_refused_and_a_state_is_not() -> None:
    hand = parse_cards("As Ah Kd 7c 2h")
    with pytest.raises(CardsError, match=r"^52 is not a card; a card is a number from 0 to 51\.$"):
        check_state(hand, 52)
    check_state(hand, parse_card("Ac"))

"""Fixtures: a house in its own folder and the commands that run in it."""

from collections.abc import Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path
from shutil import copy

import pytest

from fourcard.cli.house_maintenance import new
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from fourcard.house.clock_entropy import SimulatedClock
from tests.kit.commands import HOUSE_FILE, PASSWORD, Command, runner
from tests.kit.managed_house import manage


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return runner(capsys, monkeypatch)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, _cheap_passwords: None) -> Iterator[Path]:
    """Work in an empty folder but for a password, with nothing told by the environment."""
    for name in ("FOURCARD_DATABASE", "FOURCARD_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "password").write_text(f"{PASSWORD}\nnot this\n", encoding="utf-8")
    with chdir(tmp_path):
        yield tmp_path


@pytest.fixture
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hashes cost nothing, because every command that opens a house makes one."""
    monkeypatch.setattr("fourcard.house.house.SignIn", partial(SignIn, terms=AuthPolicy(cost=TEST_COST)))


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a house once, to be copied."""
    return _new_house(tmp_path_factory.mktemp("made"))


def _new_house(folder: Path) -> Path:
    """Make a house with its first administrator in an empty folder, and return the folder."""
    (folder / "password").write_text(PASSWORD, encoding="utf-8")
    new("ann", password_file=folder / "password", database=str(folder / HOUSE_FILE))
    return folder


@pytest.fixture
def house(fourcard: Command, folder: Path, made: Path) -> Command:
    """Return what gives commands in a house in the folder."""
    for name in (HOUSE_FILE, f"{HOUSE_FILE}.key"):
        copy(made / name, folder / name)
    return partial(fourcard, "house")


@pytest.fixture(scope="session")
def managed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a house with meters and wins once, to be copied; its clock is never set back."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fourcard.house.house.GuardedClock", SimulatedClock)
        folder = _new_house(tmp_path_factory.mktemp("managed"))
    manage(folder)
    return folder


@pytest.fixture
def manager(fourcard: Command, folder: Path, managed: Path) -> Command:
    """Return what asks the Game Manager of such a house in the folder."""
    for name in (HOUSE_FILE, f"{HOUSE_FILE}.key"):
        copy(managed / name, folder / name)
    return partial(fourcard, "manager")

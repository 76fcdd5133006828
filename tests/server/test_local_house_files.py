"""Files of a house that `fourcard serve` opens: the named key, and a database with the same name."""

import os
from collections.abc import Mapping
from pathlib import Path

from fourcard.house.store.address import open_store
from tests.server.processes import ServeProcess

NAMES = "is one of 2 names (hard links) of the same file, which cannot be locked safely"
OTHER_KEY = (
    "has another key. If the database is older than the last rotation of the key, restore it with the key of "
    "that time."
)


def served(folder: Path, *options: str, environment: Mapping[str, str] | None = None) -> ServeProcess:
    """Start serving a local house in a folder."""
    process = ServeProcess(folder / "log", "-d", str(folder / "house.db"), *options, environment=environment)
    process.start()
    return process


def test_a_house_of_ones_own_is_founded_and_opened_with_the_key_that_is_named(tmp_path: Path) -> None:
    def with_option(name: str) -> ServeProcess:
        return served(tmp_path, "--key", str(tmp_path / name))

    def with_environment(name: str) -> ServeProcess:
        return served(tmp_path, environment={"FOURCARD_KEY": str(tmp_path / name)})

    for with_key in (with_environment, with_option):
        process = with_key("own.key")
        process.listen()
        assert process.stop() == 0
    assert {each.name for each in tmp_path.iterdir()} >= {"house.db", "own.key"}
    assert not (tmp_path / "house.db.key").exists()
    (tmp_path / "other.key").write_text("ab" * 32, encoding="ascii")
    for with_key, name, sentence in (
        (with_environment, "other.key", OTHER_KEY),
        (with_option, "absent.key", "cannot be used"),
    ):
        process = with_key(name)
        assert process.wait_for_exit() == 2
        assert sentence in process.output()


def test_a_key_that_cannot_be_used_leaves_no_house_behind(tmp_path: Path) -> None:
    (tmp_path / "bad.key").write_text("no key", encoding="ascii")
    process = served(tmp_path, "--key", str(tmp_path / "bad.key"))
    assert process.wait_for_exit() == 2
    assert "is not a key" in process.output()
    assert {each.name for each in tmp_path.iterdir()} == {"bad.key", "log"}


def test_no_second_process_writes_to_a_house_under_another_name(tmp_path: Path) -> None:
    first = served(tmp_path)
    try:
        first.listen()
        os.link(tmp_path / "house.db", tmp_path / "same.db")
        second = ServeProcess(tmp_path / "second.log", "-d", str(tmp_path / "same.db"))
        second.start()
        assert second.wait_for_exit() == 2
        assert f"{tmp_path / 'same.db'} {NAMES}" in second.output()
        assert not (tmp_path / "same.db.key").exists()
    finally:
        assert first.stop() == 0
    again = served(tmp_path)
    assert again.wait_for_exit() == 2
    assert f"{tmp_path / 'house.db'} {NAMES}" in again.output()
    (tmp_path / "same.db").unlink()
    open_store(tmp_path / "house.db").close()

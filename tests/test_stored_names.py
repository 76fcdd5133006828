"""Stored and sent names never change by accident: renaming a class leaves every format as it is."""

import json

import pytest

from tests.kit.stored_names import FILE, as_text, stored_names

PINNED = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("section", sorted(PINNED.keys() - {"api"}))
def test_stored_names_are_as_pinned(section: str) -> None:
    found = json.loads(as_text(stored_names()))[section]
    assert found.keys() == PINNED[section].keys()
    assert {name: found[name] for name in found if found[name] != PINNED[section][name]} == {}


def test_nothing_stored_goes_unpinned() -> None:
    assert {*stored_names()} | {"api"} == {*PINNED}
    assert sum(len(kinds) for kinds in PINNED["events"].values()) > 80
    assert len(PINNED["commands"]) > 50

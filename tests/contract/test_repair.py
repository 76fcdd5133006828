"""`fourcard house repair`: totals, rounds and snapshots that somebody altered are written again."""

import msgspec
import pytest
from sqlalchemy import delete, insert, select, update

from fourcard.house.audit.auditor import audit
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from tests.contract.test_migrations import rows_of
from tests.kit.audited_houses import Forger, original
from tests.kit.commands import Command, runner, said

ONE = "table/one"


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return what runs a command."""
    return runner(capsys, monkeypatch)


@pytest.fixture
def house(new_address: str) -> str:
    """Return the address of a house in which everything happened once."""
    store = open_store(new_address)
    copy_house(original().memory, store)
    store.close()
    assert not faults(new_address)
    return new_address


def faults(address: str) -> set[tuple[str, str]]:
    """Return what an audit finds wrong: where it is kept, and what was done to it."""
    store = open_store(address, writing=False)
    try:
        return {(each.place.kept, each.what) for each in audit(store).findings}
    finally:
        store.close()


def falsify(address: str) -> None:
    """Alter totals and a snapshot, take a round away, and add rows that no event led to."""
    forger, hours, rounds = Forger(address), schema.hour_totals, schema.rounds
    (row,) = forger.run(select(hours).where(hours.c.stream == ONE))
    body = msgspec.json.decode(row.body)
    body["dealers"]["crew"][0][0] += 100
    forger.run(update(hours).where(hours.c.stream == ONE).values(body=msgspec.json.encode(body)))
    forger.run(delete(rounds).where(rounds.c.stream == ONE, rounds.c.number == 2))
    (first,) = forger.run(select(rounds).where(rounds.c.stream == ONE, rounds.c.number == 1))
    forger.run(insert(rounds).values({**first._mapping, "stream": "table/ghost"}))
    forger.run(insert(schema.player_rounds).values(player="eve", at=first.at, stream=ONE, number=1))
    forger.run(update(schema.snapshots).where(schema.snapshots.c.stream == ONE).values(body=b"{}"))


def test_altered_totals_and_rounds_are_found_and_repaired(house: str, fourcard: Command) -> None:
    falsify(house)
    assert {("totals", "altered"), ("rounds", "missing"), ("rounds", "inserted")} <= faults(house)
    found = fourcard("house", "repair", "--database", house, "--json").answer
    wrong = {(each["stream"], each["kind"]): each for each in found}
    counts = {
        place: (each["missing"], each["altered"], each["inserted"])
        for place, each in wrong.items()
        if place[1] != "snapshots"
    }
    assert counts == {
        (ONE, "totals"): (0, 1, 0),
        (ONE, "rounds"): (1, 0, 0),
        (ONE, "players"): (0, 0, 1),
        ("table/ghost", "rounds"): (0, 0, 1),
    }
    assert not faults(house)
    assert said(fourcard("house", "repair", "--database", house)) == "Nothing was wrong.\n"


def test_a_house_in_use_is_not_repaired(house: str, fourcard: Command) -> None:
    falsify(house)
    before, server = rows_of(house), open_store(house)
    try:
        with server.reading():
            refused = fourcard("house", "repair", "--database", house).sentence
    finally:
        server.close()
    assert "already open for writing" in refused or "in use by 1 other connection" in refused
    assert rows_of(house) == before


def test_a_damaged_journal_is_left_to_the_audit(house: str, fourcard: Command) -> None:
    forger, events = Forger(house), schema.events
    forger.run(update(events).where(events.c.stream == ONE, events.c.sequence > 40).values(body=b"{"))
    before = rows_of(house)
    refused = fourcard("house", "repair", "--database", house).sentence
    assert refused.startswith(f"{ONE} cannot be read to its end")
    assert refused.endswith("run an audit. Nothing was changed.")
    assert rows_of(house) == before

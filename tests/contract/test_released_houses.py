"""Houses of every released format: they open, keep their records as they are, play on and audit clean."""

import lzma
from pathlib import Path

import msgspec
import psycopg
import pytest
from msgspec.structs import replace

from fourcard.house.audit.auditor import audit, audit_from
from fourcard.house.audit.checkpoint import write_checkpoint
from fourcard.house.commands import Deposit, LeaveTable
from fourcard.house.decision import player_stream
from fourcard.house.store.address import is_postgres, open_store
from fourcard.house.store.interface import Store
from fourcard.house.store.schema_objects import expected_objects
from fourcard.refusals import RefusedError
from fourcard.round.commands import PlaceWager
from tests.kit.audited_houses import KEY, Forger, Founded, buy, close, holds, play, play_strong, told
from tests.kit.houses import player
from tests.kit.postgres import Server
from tests.kit.support import ROOT
from tools.schema import objects_of

HOUSES = ROOT / "tests" / "fixtures" / "houses"
"""In each house everything of ``small_house`` happened; then table ``two`` was closed and counted."""
WITHOUT_COMMANDS = ("0.1.0", "0.1.1")
COMMANDS = 578
"""How many commands each house holds."""


def unpack(released: str, kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    """Return the address of a copy of a released house."""
    if kind == "sqlite":
        file = folder / "house.db"
        file.write_bytes(lzma.decompress((HOUSES / f"{released}.sqlite.xz").read_bytes()))
        return str(file)
    running: Server = request.getfixturevalue("postgres")
    address = running.fresh()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(lzma.decompress((HOUSES / f"{released}.postgres.sql.xz").read_bytes()))
    return address


@pytest.fixture(
    params=[f"{version} {kind}" for version in WITHOUT_COMMANDS for kind in ("sqlite", "postgres")]
)
def released(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a house that a released version made."""
    version, kind = request.param.split()
    return unpack(version, kind, tmp_path, request)


def journal(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Return every record of a house, by stream."""
    with store.reading() as reading:
        return {
            stream: [
                (each.sequence, each.body, each.digest, each.hash, each.command)
                for each in reading.events(stream)
            ]
            for stream in reading.journal_streams()
        }


@pytest.mark.clause("P35")
def test_a_released_house_opens_plays_on_and_audits_clean(
    released: str, request: pytest.FixtureRequest
) -> None:
    """Play on, and let who left chips at a closed table, as 0.1.0 allowed, take them along."""
    store = open_store(released)
    before, first = journal(store), audit_from(store, None)
    old = first.report
    assert first.checkpoint is not None, told(old)
    file = write_checkpoint(first.checkpoint, KEY.signer(old.house), 1_000)
    assert old.counts.commands == old.counts.not_redecided == COMMANDS
    assert old.counts.settlements >= 8
    assert old.counts.indexed == old.counts.rounds > 8
    assert old.counts.hours >= 3
    commands, secrets = old.cannot_exclude[-2:]
    assert commands.startswith("That an event of version 0.1 does not follow from the rules")
    assert "not re-decided: stored without its command" in commands
    assert secrets.startswith("That secrets of shuffles to come were altered"), "its key was not given yet"
    assert old.counts.secrets == 0
    made = Founded(store, seed=2)
    with store.reading() as reading:
        made.clock.at = max(record.at for name in reading.streams() for record in reading.events(name))
    play(made, "one", 2)
    play_strong(made, "three", (12,))
    left_behind = made.house_table("two").chip_holders
    assert bool(left_behind) == ("0.1.0" in request.node.name)
    for name in left_behind:
        made.at("two", LeaveTable(player=name), player(name))
    assert made.house_table("two").chip_holders == ()
    made.open("two")
    buy(made, "one", "cid", 700)
    close(made, "one")
    made.sign()
    after, new = journal(store), audit(store)
    assert new.clean, told(new)
    assert new.cannot_exclude[-1] == commands
    assert new.counts.secrets > 0
    assert new.counts.not_redecided == COMMANDS
    assert new.counts.indexed == new.counts.rounds == old.counts.rounds + 3
    assert new.counts.commands > COMMANDS + 100
    later = audit_from(store, file).report
    assert later.clean, told(later)
    assert later.counts.not_redecided == 0
    assert later.counts.rounds + later.start.counts.rounds == new.counts.rounds
    assert later.cannot_exclude[-1] == commands
    assert {stream: after[stream][: len(records)] for stream, records in before.items()} == before
    added = [each for stream, records in after.items() for each in records[len(before.get(stream, ())) :]]
    assert sum(each[-1] is not None for each in added) == new.counts.commands - COMMANDS
    store.close()


def test_a_released_house_gets_the_schema_of_a_new_one(released: str) -> None:
    assert objects_of(released) == expected_objects("postgres" if is_postgres(released) else "sqlite")


def test_a_command_of_a_released_house_is_repeated_by_its_digest(released: str) -> None:
    """Send a command of before the update again: it had its effect, and under its key another is refused."""
    store = open_store(released)
    made = Founded(store, seed=2)
    with store.reading() as reading:
        first = next(each for each in reading.events("table/one") if each.key and each.kind == "wager_placed")
    heads = made.heads()
    event = msgspec.json.decode(first.body)
    command = PlaceWager(
        position=event["position"], wager=event["wager"], amount=event["amount"], key=first.key
    )
    actor = player(first.by)
    assert made.do("table/one", command, actor).repeated
    with pytest.raises(RefusedError, match="key"):
        made.do("table/one", replace(command, amount=command.amount + 500), actor)
    assert made.heads() == heads
    store.close()


def test_a_record_of_a_released_house_that_was_altered_is_found(released: str) -> None:
    store = open_store(released)
    made = Founded(store, seed=2)
    for _ in range(2):
        made.do(player_stream("bob"), Deposit(cents=500, role="supervisor"))
    store.close()
    forger = Forger(released)
    settled = forger.find("table/one", "round_ended")
    nets = forger.body("table/one", settled)["nets"]
    forger.edit("table/one", settled, nets=[[position, net + 100] for position, net in nets])
    deposit = forger.find("player/bob", "money_deposited", -1)
    forger.change("player/bob", deposit, command=None)
    for stream in ("table/one", "player/bob"):
        forger.rechain(stream)
    report = forger.audit()
    holds(report, ("events", "table/one", settled), "settlement")
    holds(report, ("events", "player/bob", deposit), "missing")

"""Audits that go on from a checkpoint: as good as full ones, and no checkpoint can be forged."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import delete, insert, select, text, update
from zstandard import ZstdDecompressor

from fourcard.house.audit.auditor import AuditResult, audit_from
from fourcard.house.audit.checkpoint import CHECKPOINT_FORMAT, Checkpoint, CheckpointFacts, write_checkpoint
from fourcard.house.audit.report import AuditReport
from fourcard.house.decision import HOUSE, STAFF, table_stream
from fourcard.house.events import HouseFounded
from fourcard.house.head_signatures import HouseKey
from fourcard.house.journal import codec_of
from fourcard.house.recovery import RestoreEvidence, recover
from fourcard.house.signed_files import read_header, sign_file
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from tests.kit.audited_houses import KEY, PLAYERS, Forger, Founded, holds, play, small_house, told, void

MAIN = table_stream("main")
OTHER_KEY = HouseKey(bytes(32))


def founded(store: Store) -> HouseFounded:
    """Return the founding event of a house."""
    with store.reading() as reading:
        event = codec_of(HOUSE).decode(next(reading.events(HOUSE)))
    assert isinstance(event, HouseFounded)
    return event


def written(store: Store, checkpoint: Checkpoint, key: HouseKey = KEY) -> bytes:
    """Return a checkpoint as a file."""
    return write_checkpoint(checkpoint, key.signer(founded(store).house), 1_000)


def next_checkpoint(store: Store, file: bytes | None) -> bytes:
    """Go on from a checkpoint, demand that nothing is found, and return the next one."""
    result = audit_from(store, file)
    assert result.checkpoint is not None, told(result.report)
    assert (result.report.start.at is None) == (file is None), result.report.start.reason
    return written(store, result.checkpoint)


class AuditedHouse(Founded):
    """A house that is audited after every few commands, each time from the checkpoint before."""

    every = 7
    file: bytes | None = None
    count = 0

    def do(self, stream: str, command: object, *actors: Any) -> Any:
        """Do a command, and sometimes an audit after it, in the middle of rounds too."""
        done = super().do(stream, command, *actors)
        self.count += 1
        if self.count % self.every == 0:
            self.file = next_checkpoint(self.store, self.file)
        return done


def plain(checkpoint: Checkpoint | None) -> Any:
    """Return a checkpoint as plain data, without the order of what has none."""
    assert checkpoint is not None
    found = msgspec.json.decode(msgspec.json.encode(checkpoint))
    for stream in found["streams"].values():
        state = stream["state"] or {}
        if "house" in state:
            state["house"]["leaving"].sort()
    return found


def test_audits_from_checkpoint_to_checkpoint_know_what_a_full_audit_knows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Audit a house of wins, voids, snapshots and open rounds after every few commands."""
    monkeypatch.setattr("tests.kit.audited_houses.Founded", AuditedHouse)
    store = MemoryStore()
    made, _ = small_house(store)
    assert isinstance(made, AuditedHouse)
    assert made.count > 40 * made.every
    step, full = audit_from(store, made.file), audit_from(store, made.file, full=True)
    assert (step.report.findings, full.report.findings) == ((), ())
    assert step.report.counts.events < full.report.counts.events / 10
    assert plain(step.checkpoint)["counts"] == plain(full.checkpoint)["counts"]
    assert plain(step.checkpoint) == plain(full.checkpoint)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """Return a house, and a checkpoint in the middle of a round of long ago."""
    path = tmp_path_factory.mktemp("checkpoints") / "house.db"
    store = open_store(path)
    made = Founded(store)
    made.staff()
    made.register(*PLAYERS)
    made.install("main", "maryland-everything")
    made.open("main")
    made.seat("main", PLAYERS)
    play(made, "main", 2)
    made.sign()
    bots = made.rehearsal("main", PLAYERS, seed=5, keys="middle")
    while (now := made.house_table("main").state.round) is None or now.phase != "deciding":
        made.step(bots)
    file = next_checkpoint(store, None)
    made.play(bots, 1)
    made.sign()
    play(made, "main", 1)
    void(made, "main")
    store.close()
    return path, file


class Tampered(Forger):
    """Somebody with a copy of the house and its checkpoint."""

    def __init__(self, folder: Path, honest: tuple[Path, bytes]) -> None:
        """Copy both."""
        copy = folder / "house.db"
        shutil.copy(honest[0], copy)
        super().__init__(str(copy))
        self.file = honest[1]
        content = self.content(self.file)
        self.covered = content.streams[MAIN].rows
        """What the checkpoint covers of the table."""

    @staticmethod
    def content(file: bytes) -> Checkpoint:
        """Return what a checkpoint holds, verified or not."""
        _, frame = read_header(file, CHECKPOINT_FORMAT)
        return msgspec.json.decode(ZstdDecompressor().decompress(frame), type=Checkpoint)

    def result(self, *, full: bool = False, file: bytes | None = None) -> AuditResult:
        """Return what an audit from the checkpoint finds, or a full one."""
        store = open_store(self.address, writing=False)
        try:
            return audit_from(store, self.file if file is None else file, full=full)
        finally:
            store.close()

    def resigned(self, checkpoint: Checkpoint, key: HouseKey) -> bytes:
        """Return another checkpoint, signed with a key."""
        store = open_store(self.address, writing=False)
        try:
            return written(store, checkpoint, key)
        finally:
            store.close()


@pytest.fixture
def forger(honest: tuple[Path, bytes], tmp_path: Path) -> Tampered:
    """Return somebody with a copy."""
    return Tampered(tmp_path, honest)


def found(report: AuditReport) -> set[tuple[str, str, str]]:
    """Return what was found, in a form that can be compared."""
    return {(str(each.place), each.what, each.sentence) for each in report.findings}


def test_a_clean_house_is_clean_from_its_checkpoint(forger: Tampered) -> None:
    step, full = forger.result(), forger.result(full=True)
    assert (step.report.findings, full.report.findings) == ((), ())
    assert plain(step.checkpoint)["streams"] == plain(full.checkpoint)["streams"]
    start = step.report.start
    assert (start.events, start.public_key) == (start.counts.events, KEY.public)
    assert 0 < start.counts.rounds < full.report.counts.rounds
    assert step.report.counts.rounds + start.counts.rounds == full.report.counts.rounds
    assert step.report.counts.events + start.events == full.report.counts.events
    assert "up to the checkpoint" in step.report.cannot_exclude[0]
    assert not any("checkpoint" in each for each in full.report.cannot_exclude)


def alter_a_wager(forger: Forger) -> None:
    forger.edit(MAIN, forger.find(MAIN, "wager_placed", -1), amount=1)


def deal_another_card(forger: Forger) -> None:
    place = forger.find(MAIN, "cards_dealt", -1)
    forger.edit(MAIN, place, cards=[1, 2, 3, 4, 5])
    forger.rechain(MAIN)


def cut_the_end_off(forger: Forger) -> None:
    forger.drop(MAIN, forger.records(MAIN)[-1].sequence)


def leave_a_transfer_out(forger: Forger) -> None:
    last = max(row.sequence for row in forger.run(select(schema.transfers)))
    forger.run(delete(schema.transfers).where(schema.transfers.c.sequence == last))


def add_a_transfer(forger: Forger) -> None:
    row = {"stream": MAIN, "sequence": 10_000, "number": 0, "giver": "cage", "taker": "player/ann"}
    forger.run(insert(schema.transfers).values(**row, amount=10_000, what="fill", wager="", at=1))


def add_transfers_of_nobody(forger: Forger) -> None:
    row = {"stream": "table/ghost", "sequence": 1, "number": 0, "giver": "cage", "taker": "player/ann"}
    forger.run(insert(schema.transfers).values(**row, amount=10_000, what="fill", wager="", at=1))


def raise_a_balance(forger: Forger) -> None:
    table = schema.balances
    forger.run(update(table).where(table.c.account == "player/ann").values(amount=table.c.amount + 10_000))


def alter_the_last_round(forger: Forger) -> None:
    last = max(row.number for row in forger.run(select(schema.rounds)))
    forger.run(update(schema.rounds).where(schema.rounds.c.number == last).values(game="none"))


def add_a_player_to_the_last_round(forger: Forger) -> None:
    last = max(forger.run(select(schema.player_rounds)), key=lambda row: row.number)
    forger.run(insert(schema.player_rounds).values(**{**last._mapping, "player": "eve"}))


def alter_the_totals(forger: Forger) -> None:
    (row,) = forger.run(select(schema.hour_totals))
    body = row.body.replace(b'"dealer":"', b'"dealer":"x')
    forger.run(update(schema.hour_totals).values(body=body))


def drop_the_secrets(forger: Forger) -> None:
    forger.run(delete(schema.secrets))


def drop_the_game(forger: Forger) -> None:
    forger.run(delete(schema.games))


def add_staff_without_an_author(forger: Forger) -> None:
    last = forger.records(STAFF)[-1]
    forger.add(replace(last, sequence=last.sequence + 1, command_sequence=last.sequence + 1))
    forger.rechain(STAFF)


def repeat_an_old_key(forger: Forger) -> None:
    forger.run(text("DROP INDEX events_by_key"))
    first, *_, last = (each for each in forger.records(MAIN) if each.key)
    forger.put(last, key=first.key)
    forger.rechain(MAIN)


LATER = (
    repeat_an_old_key, alter_a_wager, deal_another_card, cut_the_end_off, leave_a_transfer_out,
    add_a_transfer, add_transfers_of_nobody, raise_a_balance, alter_the_last_round,
    add_a_player_to_the_last_round, alter_the_totals, drop_the_secrets, add_staff_without_an_author,
)  # fmt: skip


@pytest.mark.parametrize("forge", LATER)
def test_what_is_changed_after_a_checkpoint_is_found_as_by_a_full_audit(
    forger: Tampered, forge: Callable[[Forger], None]
) -> None:
    forge(forger)
    step, full = forger.result().report, forger.result(full=True).report
    assert step.start.at is not None, step.start.reason
    assert found(step) == found(full)
    assert step.findings


def drop_an_old_record(forger: Tampered) -> None:
    forger.drop(MAIN, 5)


def cut_off_to_before_it(forger: Tampered) -> None:
    last = forger.records(MAIN)[-1].sequence
    forger.drop(MAIN, forger.covered.records.last, last)
    end = forger.records(MAIN)[-1]
    forger.move(MAIN, sequence=end.sequence, hash=end.hash)


def drop_the_stream(forger: Tampered) -> None:
    forger.run(delete(schema.events).where(schema.events.c.stream == "player/cid"))


def rewrite_the_chain(forger: Tampered) -> None:
    forger.edit(MAIN, forger.find(MAIN, "wager_placed"), amount=1)
    forger.rechain(MAIN)


def drop_an_old_transfer(forger: Tampered) -> None:
    forger.run(delete(schema.transfers).where(schema.transfers.c.sequence == forger.find(MAIN, "bought_in")))


def add_an_old_transfer(forger: Tampered) -> None:
    row = {"stream": MAIN, "sequence": 1, "number": 0, "giver": "cage", "taker": "player/ann"}
    forger.run(insert(schema.transfers).values(**row, amount=10_000, what="fill", wager="", at=1))


def drop_an_old_round(forger: Tampered) -> None:
    forger.run(delete(schema.rounds).where(schema.rounds.c.number == 1))


def add_a_player_to_an_old_round(forger: Tampered) -> None:
    old = min(forger.run(select(schema.player_rounds)), key=lambda row: row.number)
    forger.run(insert(schema.player_rounds).values(**{**old._mapping, "player": "eve"}))


EARLIER = (
    drop_an_old_record, cut_off_to_before_it, drop_the_stream, rewrite_the_chain, drop_an_old_transfer,
    add_an_old_transfer, drop_an_old_round, add_a_player_to_an_old_round, drop_the_game,
)  # fmt: skip


@pytest.mark.parametrize("forge", EARLIER)
def test_a_database_that_contradicts_its_checkpoint_is_audited_from_the_first_event(
    forger: Tampered, forge: Callable[[Tampered], None]
) -> None:
    """Report the contradiction, and everything that a full audit finds."""
    forge(forger)
    step, full = forger.result().report, forger.result(full=True).report
    holds(step, ("checkpoint", "", None), "checkpoint")
    assert (step.start.at, step.counts.events) == (None, full.counts.events)
    assert step.start.reason
    assert {each for each in found(full) if each[1] != "checkpoint"} <= found(step)


def test_what_is_changed_in_place_before_a_checkpoint_needs_a_full_audit(forger: Tampered) -> None:
    """Prove what the documents say an audit from a checkpoint cannot see."""
    forger.edit(MAIN, forger.find(MAIN, "wager_placed"), amount=1)
    step, full = forger.result().report, forger.result(full=True).report
    assert step.clean
    assert "A full audit reads them (--full)" in step.cannot_exclude[0]
    assert not full.clean


def more_money(content: Checkpoint) -> Checkpoint:
    """Return a checkpoint in which a player and the cage have more."""
    more = {"player/ann": 10_000, "cage": -10_000}
    balances = {name: units + more.get(name, 0) for name, units in content.balances.items()}
    return replace(content, balances=balances)


def another_state(content: Checkpoint) -> Checkpoint:
    """Return a checkpoint in which an account holds more."""
    account = content.streams["player/ann"]
    state = {**msgspec.json.decode(account.state), "cents": 99_999_999}
    changed = replace(account, state=msgspec.Raw(msgspec.json.encode(state)))
    return replace(content, streams={**content.streams, "player/ann": changed})


@pytest.mark.parametrize("change", [more_money, another_state])
def test_a_false_state_signed_with_another_key_is_found(
    forger: Tampered, change: Callable[[Checkpoint], Checkpoint]
) -> None:
    false = change(forger.content(forger.file))
    report = forger.result(file=forger.resigned(false, OTHER_KEY)).report
    holds(report, ("checkpoint", "", None), "checkpoint")
    assert report.start.at is None
    assert forger.result(file=forger.resigned(false, OTHER_KEY), full=True).report.findings


@pytest.mark.parametrize("change", [more_money, another_state])
def test_a_false_state_signed_with_the_key_of_the_house_is_found_by_a_full_audit(
    forger: Tampered, change: Callable[[Checkpoint], Checkpoint]
) -> None:
    false = forger.resigned(change(forger.content(forger.file)), KEY)
    holds(forger.result(file=false, full=True).report, ("checkpoint", "", None), "checkpoint")
    if change is more_money:
        holds(forger.result(file=false).report, ("balances", "player/ann", None), "altered")


def spoiled(file: bytes) -> dict[str, bytes]:
    """Return a checkpoint changed in many ways."""
    head, _, frame = file.partition(b"\n")
    middle = len(frame) // 2
    flipped = frame[:middle] + bytes((frame[middle] ^ 1,)) + frame[middle + 1 :]
    return {
        "a byte is flipped": head + b"\n" + flipped,
        "cut short": file[:-10],
        "only the header": head + b"\n",
        "half a header": head[: len(head) // 2],
        "empty": b"",
        "something else": b"no checkpoint\n" * 100,
        "another time": file.replace(b'"at":1000', b'"at":1001', 1),
        "another format": file.replace(b"checkpoint-1", b"checkpoint-2", 1),
        "more at its end": file + b"more",
    }


@pytest.mark.parametrize("how", [*spoiled(b"{}\n12")])
def test_a_checkpoint_that_was_tampered_with_is_a_finding(forger: Tampered, how: str) -> None:
    for full in (False, True):
        report = forger.result(file=spoiled(forger.file)[how], full=full).report
        holds(report, ("checkpoint", "", None), "checkpoint")
        assert len(report.findings) == 1


def test_a_checkpoint_of_another_house_is_a_finding(forger: Tampered) -> None:
    content = forger.content(forger.file)
    foreign = write_checkpoint(content, KEY.signer("another"), 1_000)
    report = forger.result(file=foreign).report
    holds(report, ("checkpoint", "", None), "checkpoint")
    assert "of the house another" in told(report)


def test_a_house_that_was_restored_since_is_audited_from_its_first_event_without_a_finding() -> None:
    store, backup = MemoryStore(), MemoryStore()
    made = Founded(store)
    made.staff()
    copy_house(store, backup)
    made.register(*PLAYERS)
    file = next_checkpoint(store, None)
    holds(audit_from(backup, file).report, ("checkpoint", "", None), "checkpoint")
    backup.key = store.key
    with backup.writing() as writing:
        recover(writing, RestoreEvidence("restore"), made.entropy, made.clock.now())
    report = audit_from(backup, file).report
    assert report.clean, told(report)
    assert len(report.restores) == 1
    assert "which is not there now" in report.start.reason


def test_a_game_of_long_ago_is_still_known() -> None:
    store = MemoryStore()
    made = Founded(store)
    made.staff()
    for game in ("massachusetts", "maryland-everything"):
        made.install("one", game)
    file = next_checkpoint(store, next_checkpoint(store, None))
    made.register(*PLAYERS)
    assert audit_from(store, file).report.clean


def test_a_checkpoint_of_another_program_is_not_used_and_no_finding(forger: Tampered) -> None:
    content = forger.content(forger.file)
    store = open_store(forger.address, writing=False)
    signer, facts = KEY.signer(founded(store).house), CheckpointFacts("fourcard 0.0.1", 10)
    store.close()
    other = sign_file(signer, CHECKPOINT_FORMAT, 1_000, facts, msgspec.json.encode(content))
    result = forger.result(file=other)
    assert result.report.clean
    assert "Another program wrote it: fourcard 0.0.1." in result.report.start.reason
    assert result.checkpoint is not None

"""`fourcard house rotate-key`: what the old key signed and sealed goes on under the new one, and only so."""

from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select, update

from fourcard.cli.house_bots import bots_at_tables, hire_bot_staff, next_request
from fourcard.house.audit.auditor import audit_from
from fourcard.house.audit.checkpoint import write_checkpoint
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from fourcard.house.events import KeyRotated
from fourcard.house.head_signatures import HouseKey, read_key, rotation_message
from fourcard.house.house import House, open_founded
from fourcard.house.journal import StreamHead, house_record
from fourcard.house.store import schema
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import StoreError
from fourcard.house.store.sealing import StoreKey
from tests.kit.audited_houses import KEY, Forger, holds, original, three_days, told
from tests.kit.commands import PASSWORD, Command, runner, said

OLD = "The key of the house was rotated, and this is an old one. Give the new one with --key."


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Return what runs a command; the key and the checkpoint lie in the test's own folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fourcard.house.house.SignIn", partial(SignIn, terms=AuthPolicy(cost=TEST_COST)))
    monkeypatch.setenv("FOURCARD_KEY", str(tmp_path / "house.key"))
    return runner(capsys, monkeypatch)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Return where the key of the house lies."""
    return tmp_path / "house.key"


def founded(address: str, fourcard: Command) -> str:
    """Make a house and return its address."""
    Path("password").write_text(PASSWORD, encoding="utf-8")
    at = ("--database", address, "--password-file", "password")
    said(fourcard("house", "new", "--administrator", "ann", *at))
    return address


@pytest.fixture
def made(tmp_path: Path, fourcard: Command) -> str:
    """Return the address of a new house in a file."""
    return founded(str(tmp_path / "house.db"), fourcard)


@pytest.fixture
def dealt(new_address: str, key: Path, fourcard: Command) -> str:
    """Return the address of a house in which cards are dealt at a table, and nobody has decided yet."""
    with open_founded(founded(new_address, fourcard), key) as house:
        hire_bot_staff(house)
        (bot,) = bots_at_tables(house, 1, seed=1)
        while (now := house.service.table(bot.table).state.round) is None or now.phase != "deciding":
            house.service.execute([next_request(house, bot)])
    return new_address


def test_a_round_goes_on_and_everything_stays_proven_after_a_rotation(
    dealt: str, key: Path, tmp_path: Path, fourcard: Command
) -> None:
    at, old = ("--database", dealt), read_key(key)
    audit = ("audit", *at, "--checkpoint", tmp_path / "checkpoint", "--json")
    said(fourcard("house", "anchor", *at, "--output", tmp_path / "anchor"))
    said(fourcard("house", "backup", tmp_path / "before.db", *at))
    assert fourcard(*audit).answer["checkpoint"] == {"file": str(tmp_path / "checkpoint")}
    shown = said(fourcard("house", "rotate-key", *at))
    assert read_key(key).public in shown
    assert read_key(tmp_path / "house.key.old-1").public == old.public
    assert {each.stat().st_mode & 0o777 for each in tmp_path.glob("house.key*")} == {0o600}
    assert not (tmp_path / "house.key.new").exists()

    answer = fourcard(*audit).answer
    assert (answer["clean"], answer["start"]["public_key"]) == (True, old.public)
    assert [each["public_key"] for each in answer["rotations"]] == [read_key(key).public]
    said(fourcard("house", "rehearse", "--rounds", 2, "--tables", 1, *at))
    said(fourcard("house", "rotate-key", *at))
    said(fourcard("house", "rehearse", "--rounds", 1, "--tables", 1, *at))
    for more in ((), ("--full",), ("--full", "--anchor", tmp_path / "anchor")):
        answer = fourcard(*audit, *more).answer
        assert (answer["clean"], answer["public_key"], len(answer["rotations"])) == (
            True, read_key(key).public, 2,
        )  # fmt: skip
    assert "Rotations of the key, each signed with the key before:" in said(fourcard("audit", *at))

    after = tmp_path / "after.db"
    said(fourcard("house", "backup", after, *at, "--previous", tmp_path / "before.db"))
    assert fourcard("audit", "--database", after, "--full", "--json").answer["clean"]
    restored = ("--database", tmp_path / "restored.db")
    said(fourcard("house", "restore", after, *restored, "--anchor", tmp_path / "anchor", "--yes"))
    assert fourcard("audit", *restored, "--full", "--json").answer["clean"]
    with closing(open_store(after, writing=False)) as store, store.reading() as reading:
        assert all(
            StoreKey(read_key(key).secret).open(*place, held) for place, held in reading.secrets().items()
        )
    early = ("house", "restore", tmp_path / "before.db", "--database", tmp_path / "early.db", "--yes")
    assert "give the key of that time with --key" in fourcard(*early).sentence
    said(fourcard(*early, "--key", tmp_path / "house.key.old-1"))


def test_an_old_key_opens_nothing_and_signs_nothing(
    dealt: str, key: Path, tmp_path: Path, fourcard: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ("--database", dealt)
    said(fourcard("house", "rotate-key", *at))
    monkeypatch.setenv("FOURCARD_KEY", str(tmp_path / "house.key.old-1"))
    for command in (("register", "bob"), ("anchor",), ("rotate-key",)):
        assert fourcard("house", *command, *at).sentence == OLD
    answer = fourcard("audit", *at, "--json").answer
    assert answer["checkpoint"]["reason"].endswith(
        "house.key.old-1 is not the key of the house, or an old one."
    )

    old, forger = StoreKey(read_key(tmp_path / "house.key.old-1").secret), Forger(dealt)
    monkeypatch.setenv("FOURCARD_KEY", str(key))
    said(fourcard("house", "register", "bob", *at))
    commits = schema.commits
    *_, last = forger.run(select(commits).order_by(commits.c.id))
    forger.run(update(commits).where(commits.c.id == last.id).values(signature=old.sign(last.digest)))
    done = fourcard("audit", *at, "--full", "--json")
    assert done.status == 1
    found = {(each["where"], each["what"]) for each in msgspec.json.decode(done.out)["findings"]}
    assert found == {(f"commit {last.id}", "signature")}


def test_an_anchor_or_a_checkpoint_that_an_old_key_signed_later_is_refused(
    made: str, key: Path, tmp_path: Path, fourcard: Command
) -> None:
    at, old = ("--database", made), read_key(key)
    said(fourcard("house", "rotate-key", *at))
    with closing(open_store(made, writing=False)) as store, store.reading() as reading:
        result, at_heads = audit_from(store, None), reading.streams()
        assert result.checkpoint is not None
        house, now = result.report.house, result.report.rotations[0].at
    anchor, checkpoint = tmp_path / "anchor", tmp_path / "checkpoint"
    anchor.write_bytes(msgspec.json.encode(old.anchor(house, now, at_heads)))
    checkpoint.write_bytes(write_checkpoint(result.checkpoint, old.signer(house), now))
    for option, file in (("--anchor", anchor), ("--checkpoint", checkpoint)):
        done = fourcard("audit", *at, option, file, "--json")
        assert done.status == 1
        findings = msgspec.json.decode(done.out)["findings"]
        assert [each["what"] for each in findings] == [file.name]
        assert "another key than the house had" in findings[0]["sentence"]


def test_a_house_in_use_keeps_its_key(dealt: str, key: Path, fourcard: Command) -> None:
    before = key.read_bytes()
    with open_founded(dealt, key):
        refused = fourcard("house", "rotate-key", "--database", dealt).sentence
    assert "already open for writing" in refused or "other connections of this program" in refused
    assert key.read_bytes() == before
    said(fourcard("house", "register", "bob", "--database", dealt))


def cut_off(monkeypatch: pytest.MonkeyPatch, file: Path, fourcard: Command) -> None:
    """Rotate the key of a house, and fail after the commit, before the file of the key is replaced."""

    def fail(_self: Path, _target: object) -> Path:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        refused = fourcard("house", "rotate-key", "--database", file).sentence
    assert refused.endswith("cannot be written: Input/output error.")


def test_a_rotation_that_was_cut_off_is_finished_by_whoever_opens_the_house(
    made: str, key: Path, tmp_path: Path, fourcard: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, waiting, old = ("--database", made), tmp_path / "house.key.new", read_key(key)
    waiting.write_text("ab" * 32, encoding="ascii")
    said(fourcard("house", "register", "bob", *at))
    assert read_key(key).public == old.public
    for number in (1, 2):
        before = read_key(key)
        cut_off(monkeypatch, Path(made), fourcard)
        new = read_key(waiting)
        assert read_key(key).public == before.public != new.public
        assert fourcard("audit", *at, "--json").answer["checkpoint"]["file"]
        assert fourcard("house", "anchor", *at).answer["public_key"] == new.public
        assert read_key(key).public == before.public
        said(fourcard("house", "deposit", "bob", "$5", *at))
        assert read_key(key).public == new.public
        assert read_key(tmp_path / f"house.key.old-{number}").public == before.public
    assert {each.name for each in tmp_path.glob("house.key.[no]*")} == {"house.key.old-1", "house.key.old-2"}
    assert fourcard("audit", *at, "--full", "--json").answer["clean"]


def test_a_rotation_that_the_old_key_did_not_sign_is_found_and_changes_nothing(tmp_path: Path) -> None:
    forger, thief = original().forger(tmp_path), HouseKey(bytes(32))
    last = forger.records("house")[-1]
    message = rotation_message(original().made.house.name, 1, thief.public)
    forged = KeyRotated(thief.public, StoreKey(thief.secret).sign(message).hex())
    forger.add(house_record(StreamHead(last.sequence, last.hash), forged, last.at))
    forger.move("house", sequence=last.sequence + 1, hash=forger.records("house")[-1].hash)
    report = forger.audit()
    holds(report, ("events", "house", last.sequence + 1), "signature")
    assert (report.public_key, report.rotations, len(report.findings)) == (KEY.public, (), 1), told(report)
    with pytest.raises(StoreError, match="has another key"):
        House(open_store(forger.address), thief)


def test_segments_of_before_a_rotation_stay_valid(key: Path, tmp_path: Path, fourcard: Command) -> None:
    at = ("--database", tmp_path / "house.db")
    key.write_text(KEY.secret.hex(), encoding="ascii")
    with closing(open_store(tmp_path / "house.db")) as store:
        three_days(store)
    closed = fourcard("house", "close-days", "--keep-days", 2, *at, "--json").answer
    said(fourcard("house", "rotate-key", *at))
    answer = fourcard("audit", *at, "--json").answer
    assert (answer["clean"], answer["counts"]["segments"]) == (True, len(closed))
    assert closed

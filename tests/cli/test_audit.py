"""`fourcard audit` and `fourcard export` as a regulator runs them."""

import json
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import delete

from fourcard.house.audit.report import AuditCounts
from fourcard.house.head_signatures import Anchor
from fourcard.house.store import schema
from tests.kit.audited_houses import KEY, Forger, original
from tests.kit.commands import Command, runner

TWO = "table/two"


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return what runs a command, with nothing told by the environment."""
    monkeypatch.delenv("FOURCARD_DATABASE", raising=False)
    return runner(capsys, monkeypatch)


@pytest.fixture
def forger(tmp_path: Path) -> Forger:
    """Return somebody who can write to a house."""
    return original().forger(tmp_path)


@pytest.fixture
def anchor(tmp_path: Path) -> Path:
    """Return an anchor in a file."""
    return written(tmp_path / "anchor.json", original().anchor)


def written(file: Path, anchor: Anchor) -> Path:
    """Write an anchor."""
    file.write_bytes(msgspec.json.encode(anchor))
    return file


def test_a_clean_house_is_told_with_all_that_was_looked_at(fourcard: Command, forger: Forger) -> None:
    done = fourcard("audit", "--database", forger.address)
    assert (done.status, done.err) == (0, "")
    assert "Findings: none." in done.out
    assert KEY.public in done.out
    for name in AuditCounts.__struct_fields__:
        assert f" {name}" in done.out
    assert "cannot detect" in done.out
    assert "rewritten" in done.out


def test_a_clean_house_in_json(fourcard: Command, forger: Forger, anchor: Path) -> None:
    answer = fourcard("audit", "--database", forger.address, "--anchor", anchor, "--json").answer
    assert answer["clean"] is True
    assert answer["findings"] == []
    assert answer["public_key"] == KEY.public
    assert answer["counts"].keys() == {*AuditCounts.__struct_fields__}
    assert answer["counts"]["events"] > 500
    assert "0 events are newer than the anchor" in answer["cannot_exclude"][0]
    assert answer["fingerprint"].startswith("fourcard ")


def test_what_the_audit_does_not_examine_is_named(fourcard: Command, forger: Forger, anchor: Path) -> None:
    """Changes that the audit cannot find stand by name in what it cannot exclude."""
    forger.run(delete(schema.snapshots))
    for arguments in ((), ("--anchor", anchor)):
        done = fourcard("audit", "--database", forger.address, *arguments)
        answer = fourcard("audit", "--database", forger.address, *arguments, "--json").answer
        assert (done.status, answer["clean"]) == (0, True)
        (named,) = [each for each in answer["cannot_exclude"] if "balances of zero" in each]
        assert named in " ".join(done.out.split())


def test_a_finding_is_told_with_its_place_and_makes_the_status_1(fourcard: Command, forger: Forger) -> None:
    first_wager = forger.find(TWO, "wager_placed")
    forger.edit(TWO, first_wager, amount=1)
    sequence = forger.record(TWO, first_wager).sequence
    done = fourcard("audit", "--database", forger.address)
    assert done.status == 1
    assert f"{TWO}, event {sequence}" in done.out
    assert "altered" in done.out
    told = fourcard("audit", "--database", forger.address, "--json")
    assert told.status == 1
    first = json.loads(told.out)["findings"][0]
    assert first["where"] == f"{TWO}, event {sequence}"
    assert first["place"] == {"kept": "events", "name": TWO, "sequence": sequence}
    sentence = f"Events {first_wager} to {sequence} do not match the stored hash."
    assert (first["what"], first["sentence"]) == ("altered", sentence)


def test_what_a_forger_wrote_cannot_steer_the_screen(fourcard: Command, forger: Forger) -> None:
    record = forger.events("staff")[0]
    forger.add(msgspec.structs.replace(record, stream="[red]\x1b[2J"))
    done = fourcard("audit", "--database", forger.address)
    assert done.status == 1
    assert "[red]\\x1b[2J" in done.out


def test_an_altered_anchor_is_a_finding(fourcard: Command, forger: Forger, tmp_path: Path) -> None:
    altered = msgspec.structs.replace(original().anchor, at=1)
    file = written(tmp_path / "altered.json", altered)
    done = fourcard("audit", "--database", forger.address, "--anchor", file)
    assert done.status == 1
    assert "it was altered and proves nothing" in done.out


def test_a_report_of_many_findings_says_how_many_more(fourcard: Command, forger: Forger) -> None:
    forger.run(delete(schema.transfers))
    told = json.loads(fourcard("audit", "--database", forger.address, "--json").out)
    assert told["unlisted"] > 0
    done = fourcard("audit", "--database", forger.address)
    assert f"{len(told['findings'])} found, and {told['unlisted']} more like these." in done.out


def test_an_audit_leaves_a_checkpoint_and_the_next_one_goes_on_from_it(
    fourcard: Command, forger: Forger, tmp_path: Path
) -> None:
    """Only with the key, for its owner alone, and said in every report."""
    audit, file = ("audit", "--database", forger.address), tmp_path / "house.db.checkpoint"
    first = fourcard(*audit, "--json").answer
    assert "The key of the house is not at hand" in first["checkpoint"]["reason"]
    assert (first["start"]["at"], file.exists()) == (None, False)
    assert any("secrets of shuffles to come" in each for each in first["cannot_exclude"])
    (tmp_path / "house.db.key").write_text(bytes(range(32)).hex(), encoding="ascii")
    first = fourcard(*audit, "--json").answer
    file.unlink()
    assert "From the first event." in fourcard(*audit).out
    assert file.stat().st_mode & 0o777 == 0o600
    second = fourcard(*audit, "--json").answer
    assert second["start"]["events"] == first["counts"]["events"]
    assert second["start"]["counts"]["rounds"] == first["counts"]["rounds"]
    assert (second["start"]["public_key"], second["counts"]["events"]) == (KEY.public, 0)
    assert second["checkpoint"] == {"file": str(file)}
    shown = fourcard(*audit).out
    assert f"Verified before it: {first['counts']['events']} events" in shown
    assert f"Checkpoint written: {file}" in " ".join(shown.split("\n")) or str(file) in shown.replace(
        "\n", ""
    )
    full = fourcard(*audit, "--full", "--json").answer
    assert (full["start"]["at"], full["counts"]) == (None, first["counts"])


def test_a_checkpoint_given_by_name_is_used_without_the_key(
    fourcard: Command, forger: Forger, tmp_path: Path
) -> None:
    key, given = tmp_path / "other.key", tmp_path / "given"
    key.write_text(bytes(range(32)).hex(), encoding="ascii")
    audit = ("audit", "--database", forger.address, "--checkpoint", given, "--json")
    assert fourcard(*audit, "--key", key).answer["checkpoint"] == {"file": str(given)}
    before = given.read_bytes()
    answer = fourcard(*audit).answer
    assert (answer["clean"], answer["counts"]["events"]) == (True, 0)
    assert given.read_bytes() == before
    forger.edit(TWO, forger.find(TWO, "wager_placed"), amount=1)
    given.write_bytes(before[:-1])
    done = fourcard(*audit, "--key", key)
    assert done.status == 1
    told = json.loads(done.out)
    assert {"checkpoint", "altered"} <= {each["what"] for each in told["findings"]}
    assert told["checkpoint"] == {"reason": "There are findings."}
    assert given.read_bytes() == before[:-1]
    key.write_text(bytes(32).hex(), encoding="ascii")
    honest = original().forger(tmp_path).address
    answer = fourcard("audit", "-d", honest, "--key", key, "--json").answer
    assert "is not the key of the house" in answer["checkpoint"]["reason"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["audit", "--database", "nothing.db"], "nothing.db does not exist."),
        (["audit", "--database", "notes.txt"], "notes.txt is not a database."),
        (["audit", "--database", "oracle://x"], "oracle:// is an unknown kind of store"),
        (["audit", "--anchor", "nothing.json"], "The anchor nothing.json cannot be read"),
        (["audit", "--anchor", "notes.txt"], "notes.txt is not an anchor"),
        (["audit", "-d", "house.db", "--checkpoint", "."], "The checkpoint . cannot be read"),
        (["export", "--database", "nothing.db"], "nothing.db does not exist."),
        (["export", "--database", "house.db", "--table", "nowhere"], "There is no table 'nowhere'"),
        (["export", "--database", "house.db", "--output", "none/at/all"], "none/at/all cannot be written"),
        (["export", "--database", "house.db", "--since", "today"], "'today' is not a time"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(
    fourcard: Command,
    forger: Forger,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[str],
    sentence: str,
) -> None:
    assert Path(forger.address).parent == tmp_path
    (tmp_path / "notes.txt").write_text("no house " * 100, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert sentence in fourcard(*arguments).sentence


def test_the_database_is_the_one_in_the_folder_at_hand(
    fourcard: Command, forger: Forger, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Path(forger.address).rename(tmp_path / "fourcard.db")
    monkeypatch.chdir(tmp_path)
    assert fourcard("audit", "--json").answer["database"] == "fourcard.db"


def test_rounds_go_to_settle_and_to_the_verification_of_shuffles(
    fourcard: Command, forger: Forger, tmp_path: Path
) -> None:
    file = tmp_path / "rounds.jsonl"
    done = fourcard("export", "--database", forger.address, "--output", file)
    assert (done.status, done.out, done.err) == (0, "", "10 rounds exported.\n")
    settled = fourcard("settle", file)
    assert (settled.status, settled.out.count("\n")) == (0, 10)
    assert "refused" not in settled.out
    verified = fourcard("verify-shuffle", file)
    assert verified.status == 0
    assert "10 rounds: 0 fair, 7 committed only, 3 not verifiable, 0 false." in verified.out


def test_rounds_of_one_table_go_to_standard_output(fourcard: Command, forger: Forger) -> None:
    done = fourcard("export", "--database", forger.address, "--table", "two", "--since", "2020-01-01")
    assert (done.status, done.err) == (0, "3 rounds exported.\n")
    assert [json.loads(line)["id"] for line in done.out.splitlines()] == ["two/1", "two/2", "two/3"]
    later = fourcard("export", "--database", forger.address, "--since", "2100-01-01T00:00:00")
    assert (later.out, later.err) == ("", "0 rounds exported.\n")


def test_a_journal_that_cannot_be_replayed_is_not_exported(fourcard: Command, forger: Forger) -> None:
    forger.drop(TWO, 7)
    refused = fourcard("export", "--database", forger.address, "--table", "two")
    assert refused.status == 2
    assert "The journal of table/two cannot be replayed at event" in refused.err
    assert "run an audit" in refused.err
    forger.change(TWO, 9, body=b"{}")
    assert "event 9 (commands) cannot be read" in fourcard("export", "-d", forger.address).err

"""Restoring a house: lost state predicts nothing, and no meter falls below what it showed."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from fourcard.house.audit.report import AuditReport
from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.auth.security import security_notes
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF
from fourcard.house.commands import (
    ApproveAdjustment,
    CountTray,
    EnterReading,
    FillTray,
    InstallTable,
    NotePassword,
    RegisterPlayer,
    RejectAdjustment,
)
from fourcard.house.decision import meter_stream, player_stream, table_stream
from fourcard.house.head_signatures import read_key
from fourcard.house.house import House, open_house
from fourcard.house.recovery import Watermark
from fourcard.house.state_cache import CommitsLostError
from fourcard.house.store.address import open_store
from fourcard.money import dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal
from fourcard.rules.loading import rulebook_ids
from fourcard.server.app import ReadinessCheck
from fourcard.server.local_house import open_local_house
from tests.api.restored_house import (
    EXAMPLE,
    PLAYERS,
    BackedUpHouse,
    Databases,
    RestoredBots,
    open_bot_house,
    predicted,
    refusal_of,
    replica,
    report_on,
)
from tests.kit.commands import PASSWORD, Command, runner, said
from tests.kit.houses import submission_text
from tests.kit.postgres import Server, server


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """Return a running PostgreSQL server."""
    with server(durable=False) as running:
        yield running


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return a command runner."""
    return runner(capsys, monkeypatch)


@pytest.fixture
def files(tmp_path: Path) -> Databases:
    """Return databases in files."""
    return Databases(tmp_path, None)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Return where a new house keeps its key."""
    return tmp_path / "house.key"


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def story(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> BackedUpHouse:
    """Return a house that was backed up and played on, on each kind of database."""
    running = request.getfixturevalue("postgres") if request.param == "postgres" else None
    return BackedUpHouse(Databases(tmp_path_factory.mktemp("story"), running))


@pytest.fixture(scope="module")
def in_files(tmp_path_factory: pytest.TempPathFactory) -> BackedUpHouse:
    """Return a house in a file that was backed up and played on."""
    return BackedUpHouse(Databases(tmp_path_factory.mktemp("files"), None))


def goes_on(at: RestoredBots, story: BackedUpHouse) -> dict[int, dict[str, Any]]:
    """Confirm the meter, play on, and return the proofs of the new rounds."""
    done = {*at.proofs()}
    at.confirm(story.shown)
    at.reopen()
    at.play(3)
    assert at.displayed >= story.shown
    return {number: proof for number, proof in at.proofs().items() if number not in done}


def test_without_recovery_a_player_predicts_every_card_after_a_restore(
    story: BackedUpHouse, tmp_path: Path
) -> None:
    """The attack: a backup opened where nothing remembers the later state."""
    alone = tmp_path / "alone.key"
    copy(story.key(tmp_path), alone)
    with open_bot_house(story.raw(), alone) as at:
        assert at.house.actor(story.token) == Actor("ann", "player")
        done = {*at.proofs()}
        at.play(3)
        after = {number: proof for number, proof in at.proofs().items() if number not in done}
        guessed = [number for number, proof in after.items() if predicted(story.proofs, proof)]
        assert len(guessed) >= 2, "the cards under way, and those of the shuffle that was committed to"


@pytest.mark.clause("P38")
def test_a_restored_house_deals_nothing_that_a_player_has_seen(
    story: BackedUpHouse, tmp_path: Path, fourcard: Command
) -> None:
    url, key = story.databases.fresh(), story.key(tmp_path)
    arguments = ("-d", url, "--key", key, "--anchor", story.anchor, "--yes")
    done = fourcard("house", "restore", story.backup, *arguments)
    assert (done.status, done.err) == (0, "")
    with open_bot_house(url, key) as at:
        assert at.house.recovered is None
        assert made_safe(at, story)
        new = goes_on(at, story)
        assert len(new) >= 2
        assert not any(predicted(story.proofs, proof) for proof in new.values())
        secrets = {proof["secret"] for proof in story.proofs.values()}
        assert not secrets & {proof["secret"] for proof in new.values()}
    names_the_restore(report_on(url), "restore")


@pytest.mark.clause("P38")
def test_a_replica_that_lags_is_found_out_when_the_house_opens(story: BackedUpHouse, tmp_path: Path) -> None:
    url, key = story.raw(), story.key(tmp_path)
    with open_bot_house(url, key) as at:
        assert at.house.recovered is not None
        assert made_safe(at, story)
        new = goes_on(at, story)
        assert not any(predicted(story.proofs, proof) for proof in new.values())
    with open_bot_house(url, key) as at:
        assert at.house.recovered is None, "it recovers once"
    names_the_restore(report_on(url), "rollback")


def made_safe(at: RestoredBots, story: BackedUpHouse) -> bool:
    """Assert that the round is void, stakes are returned, nobody is signed in, and the meter waits."""
    book = at.house.service.table("main")
    assert (book.state.phase, book.state.round) == ("closed", None)
    assert not book.chip_holders
    assert at.accounts() == {
        name: story.accounts[name] + story.held[name] + story.stakes[name] for name in PLAYERS
    }
    assert isinstance(at.house.actor(story.token), Refusal)
    with at.house.store.reading() as view:
        notes = [note for note in security_notes(view) if note.by == "house"]
        assert [note.what for note in notes] in (["restore"], ["rollback"])
        assert {number for _, number in view.secrets()} == {book.shuffle_number}
    assert at.house.service.meter("main").unconfirmed_restore == 1
    return True


def names_the_restore(report: AuditReport, cause: str) -> None:
    """Assert that an audit finds nothing wrong and names the restore with what it lost."""
    assert report.clean, report.findings
    (restore,) = report.restores
    assert (restore.recorded.restore, restore.recorded.cause) == (1, cause)
    assert restore.recorded.voided == (("main", 3),)
    assert restore.recorded.signed_out == 1
    lost = {each.stream: each for each in restore.recorded.lost}
    assert {"table/main", "meter/main", "player/cy"} <= {*lost}
    assert lost["meter/main"].seen is not None
    assert lost["meter/main"].seen > (lost["meter/main"].cents or 0)
    if cause == "restore":
        assert lost["player/cy"].deposits == 1


@pytest.mark.clause("P38")
def test_a_restored_meter_takes_two_people_before_its_tables_open(
    in_files: BackedUpHouse, tmp_path: Path
) -> None:
    url, stream = in_files.raw(), meter_stream("main")
    with open_bot_house(url, in_files.key(tmp_path)) as at:
        at.desk.at("main", FillTray(cents=1_000_000, slip="F2", role="supervisor"))
        tray = at.house.service.table("main").cents("tray/main")
        at.desk.at("main", CountTray(occasion="opening", cents=tray, role="floorperson"))
        refused = refusal_of(at.open_table)
        assert (refused.code, refused.clauses) == (Code.METER_UNCONFIRMED, ("P38",))
        too_low = EnterReading(cents=-1, reason="read", role="supervisor")
        assert at.desk.refused(stream, too_low, BOT_STAFF).code is Code.READING_UNFIT
        entered = at.desk.do(stream, EnterReading(cents=0, reason="wrong", role="supervisor"), BOT_STAFF)
        again = EnterReading(cents=in_files.shown, reason="read", role="supervisor")
        assert at.desk.refused(stream, again, BOT_FLOORPERSON).code is Code.READING_WAITS
        own = ApproveAdjustment(number=entered.events[0].number, role="executive")
        assert at.desk.refused(stream, own, BOT_STAFF).code is Code.ADJUSTMENT_OWN
        at.desk.do(stream, RejectAdjustment(number=1, reason="wrong", role="supervisor"), BOT_STAFF)
        assert refusal_of(at.open_table).code is Code.METER_UNCONFIRMED
        at.desk.do(stream, again, BOT_STAFF)
        assert refusal_of(at.open_table).code is Code.METER_UNCONFIRMED
        at.desk.do(stream, ApproveAdjustment(number=2, role="executive"), BOT_FLOORPERSON)
        assert at.displayed == in_files.shown
        at.open_table()
        assert at.desk.refused(stream, again, BOT_STAFF).code is Code.READING_NOT_DUE
    assert report_on(url).clean


def test_restore_says_what_it_does_and_starts_only_with_a_yes(
    in_files: BackedUpHouse, tmp_path: Path, fourcard: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = in_files.databases.fresh()
    key = in_files.key(tmp_path)
    arguments = ("house", "restore", in_files.backup, "-d", url, "--key", key)
    monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
    done = fourcard(*arguments)
    assert done.status == 2
    assert "Nothing was restored." in done.err
    assert not Path(url).exists()
    for words in ("secret", "void", "sign-in", "another person", "audit"):
        assert words in done.out
    assert "meter/main" in done.out, "the watermark beside the key tells of the gap"
    monkeypatch.setattr("typer.confirm", lambda *_, **__: True)
    assert fourcard(*arguments).status == 0
    text = in_files.anchor.read_text(encoding="utf-8").replace('"player/cy",0,1', '"player/cy",0,9')
    (tmp_path / "forged.json").write_text(text, encoding="utf-8")
    forged = ("--anchor", tmp_path / "forged.json", "--yes")
    told = fourcard(
        "house", "restore", in_files.backup, "-d", in_files.databases.fresh(), "--key", key, *forged
    ).sentence
    assert told.endswith("was changed: its signature is invalid.")


def test_a_killed_house_is_not_taken_for_one_that_was_put_back(files: Databases, key: Path) -> None:
    """The watermark lags if a process dies between a commit and its line."""
    url = files.fresh()
    house = open_house(url, key)
    at = RestoredBots(house)
    at.begin()
    at.play(1)
    kept = house.service.watermark
    assert kept is not None
    text = kept.path.read_bytes()
    at.play_into_a_round()
    house.group_commit.close()
    house.store.close()
    for lagging in (text, text + b'["table/main",99', kept.path.read_bytes()):
        kept.path.write_bytes(lagging)
        with open_bot_house(url, key) as again:
            assert again.house.recovered is None
            assert again.round is not None
    kept.path.unlink()
    with open_bot_house(url, key) as again:
        assert again.house.recovered is None
        again.play(1)
    assert report_on(url).clean


def test_a_watermark_stays_short_and_keeps_the_newest_of_every_stream(
    files: Databases, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourcard.house.recovery.MAX_WATERMARK_LENGTH", 4_000)
    url = files.fresh()
    with open_bot_house(url, key, found=True) as at:
        at.begin()
        at.play(6)
        watermark = at.house.service.watermark
        assert watermark is not None
        assert watermark.path.stat().st_size < 8_000
        with at.house.store.reading() as view:
            heads = {stream: head.sequence for stream, head in view.streams().items()}
        seen = watermark.read()
        assert seen is not None
        assert {stream: mark.sequence for stream, mark in seen.marks.items()} == heads


@pytest.mark.parametrize("grown", [False, True], ids=["shorter", "grown past it"])
def test_a_process_stops_when_its_database_is_put_back_under_it(
    postgres: Server, tmp_path: Path, grown: bool
) -> None:
    """A lagging replica takes over while the house is open: nothing runs until it opens again."""
    url, key = postgres.fresh(), tmp_path / "house.key"
    with open_bot_house(url, key, found=True) as at:
        at.begin()
        at.play(1)
        lagging = replica(url, postgres.fresh())
        at.play(1)
    if grown:
        with open_bot_house(lagging, key) as other:
            assert other.house.recovered is not None
            other.desk.at("main", FillTray(cents=1_000_000, slip="F2", role="supervisor"))
            for slip in range(200):
                other.desk.at("main", FillTray(cents=100, slip=f"more-{slip}", role="supervisor"))
    store = open_store(lagging)
    with closing(open_store(url, writing=False)) as former:
        house = House(store, read_key(key), key_file=None)
        house.service.store = former
        request = RestoredBots(house).bots().next(house.service.table("main"))
        house.service.store = store
        for _ in range(2):
            with pytest.raises(CommitsLostError, match="rolled back to an older state"):
                house.service.do(request.stream, request.command, request.actor)
        assert not asyncio.run(ReadinessCheck(house).is_writable())
        house.close()


@pytest.mark.clause("P38")
def test_what_was_proposed_before_a_restore_confirms_nothing_after_it(
    in_files: BackedUpHouse, tmp_path: Path
) -> None:
    url, key, stream = in_files.raw(), in_files.key(tmp_path), meter_stream("main")
    low = EnterReading(cents=0, reason="low", role="supervisor")
    with open_bot_house(url, key) as at:
        at.desk.do(stream, low, BOT_STAFF)
    later = replica(url, in_files.databases.fresh())
    with open_bot_house(url, key) as at:
        at.desk.do(stream, ApproveAdjustment(number=1, role="executive"), BOT_FLOORPERSON)
    with open_bot_house(later, key) as at:
        assert at.house.service.meter("main").unconfirmed_restore == 2
        alone = at.desk.refused(stream, ApproveAdjustment(number=1, role="executive"), BOT_FLOORPERSON)
        assert alone.code is Code.ADJUSTMENT_UNKNOWN
        other = InstallTable(submission=submission_text(EXAMPLE), meter="another")
        assert at.desk.refused(table_stream("main"), other, BOT_STAFF).code is Code.METER_UNCONFIRMED
    assert report_on(later).clean


def test_damaged_or_locked_watermarks_are_refused_in_a_sentence(
    files: Databases, key: Path, fourcard: Command
) -> None:
    url = files.fresh()
    with open_bot_house(url, key, found=True) as at:
        at.desk.staff()
        path = Watermark(key, at.house.name).path
    path.write_bytes(b"not a watermark\n")
    told = fourcard("house", "register", "bob", "-d", url, "--key", key).sentence
    assert "is damaged" in told
    path.unlink()
    path.mkdir()
    told = fourcard("house", "register", "bob", "-d", url, "--key", key).sentence
    assert "cannot be used" in told


def test_an_audit_finds_a_restore_that_retired_nothing(
    in_files: BackedUpHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourcard.house.recovery._Recovery._retire", lambda *_: None)
    url = in_files.raw()
    key = in_files.key(tmp_path)
    with open_bot_house(url, key) as at:
        assert at.house.recovered is not None
    findings = report_on(url, key).findings
    assert {finding.what for finding in findings} == {"shuffle"}
    assert any("did not retire" in finding.sentence for finding in findings)


def test_the_game_manager_takes_readings_by_name(
    in_files: BackedUpHouse, tmp_path: Path, fourcard: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, key = in_files.raw(), in_files.key(tmp_path)
    monkeypatch.setattr("fourcard.house.house.SignIn", partial(SignIn, terms=AuthPolicy(cost=TEST_COST)))
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    with open_bot_house(url, key) as at:
        for person in (BOT_STAFF, BOT_FLOORPERSON):
            note = NotePassword(person=person.person)
            at.house.set_password("staff", note, PASSWORD, BOT_STAFF)
    manager = partial(fourcard, "manager")
    house = ("-d", url, "--key", key)
    (alert,) = [each for each in manager("alerts", "--json", *house).answer if each["stands"]]
    assert (alert["kind"], alert["clauses"]) == ("meter restored", ["P38"])
    signed = (*house, "--password-file", tmp_path / "password")
    shown = dollars(in_files.shown)
    alone = manager("reading", "main", shown, "--reason", "sign", *house).sentence
    assert "needs two people" in alone
    wrong = manager("reading", "main", "lots", "--reason", "sign", "--as", "crew", *signed).sentence
    assert "not an amount" in wrong
    entered = manager("reading", "main", shown, "--reason", "sign", "--as", "crew", *signed)
    assert shown in said(entered)
    own = manager("approve", "main", 1, "--as", "crew", *signed)
    assert (own.status, own.out) == (2, "")
    assert shown in said(manager("approve", "main", 1, "--as", "floor", *signed))
    assert not [each for each in manager("alerts", "--json", *house).answer if each["stands"]]


def test_a_practice_house_asks_and_opens_and_no_other_does(tmp_path: Path) -> None:
    file, older = tmp_path / "own.db", tmp_path / "older.db"
    administrator = Actor(CONSOLE, "staff", ("supervisor", "administrator"))
    open_local_house(file).close()
    copy(file, older)
    with open_local_house(file) as house:
        house.do(player_stream("ann"), RegisterPlayer(name="Ann"), administrator)
    copy(older, file)
    asked: list[str] = []

    def keep_closed(question: str) -> bool:
        asked.append(question)
        return False

    with pytest.raises(BadInputError, match="stays closed"):
        open_local_house(file, agree=keep_closed)
    assert "maryland $10,000" in asked[0]
    with open_local_house(file) as house:
        assert not any(house.service.meter(name).unconfirmed_restore for name in rulebook_ids())
        house.set_password("staff", NotePassword(person="floor"), PASSWORD, administrator)
    copy(file, older)
    with open_local_house(file) as house:
        house.do(player_stream("bob"), RegisterPlayer(name="Bob"), administrator)
    copy(older, file)
    with open_local_house(file) as house:
        assert all(house.service.meter(name).unconfirmed_restore for name in ("maryland", "washington"))

"""Restoring a house: what players saw of the lost state predicts nothing, and no meter falls below it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from shutil import copy
from typing import Any

import msgspec
import pytest

from fourcard.cards import parse_cards
from fourcard.house.actors import Actor
from fourcard.house.auditing.audit import audit
from fourcard.house.auditing.report import AuditReport
from fourcard.house.commands import BuyIn, CountTray, FillTray
from fourcard.house.fairness import order_of
from fourcard.house.house import House, open_founded, open_house
from fourcard.house.library import PutBackError
from fourcard.house.meter_commands import ApproveAdjustment, EnterReading, RejectAdjustment
from fourcard.house.outcome import meter_stream
from fourcard.house.rehearsal import CREW, FLOOR
from fourcard.house.store.copying import copy_house
from fourcard.house.store.sql import open_store
from fourcard.house.watermark import Watermark
from fourcard.refusals import Code, Refusal, RefusedError
from fourcard.round.commands import TakeSeat
from fourcard.table.commands import OpenTable
from fourcard.table.session import BACKS
from tests.api.reading_app import reading
from tests.commands import Command, runner
from tests.houses import STACK, TestHouse, player
from tests.postgres import Server, server

ANN, PLAYERS = player("ann"), ("ann", "bob")
EXAMPLE = "massachusetts-everything"
_seeds = count(1)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """Return a running PostgreSQL server."""
    with server(durable=False) as running:
        yield running


@pytest.fixture
def fourcard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return what runs a command."""
    return runner(capsys, monkeypatch)


class Databases:
    """Gives addresses of empty databases of one kind."""

    def __init__(self, folder: Path, postgres: Server | None) -> None:
        """Keep everything in a folder, or in a server."""
        self.folder, self._postgres = folder, postgres
        self._numbers = count(1)

    def fresh(self) -> str:
        """Return the address of an empty database."""
        if self._postgres is not None:
            return self._postgres.fresh()
        return str(self.folder / f"house-{next(self._numbers)}.db")


@pytest.fixture
def files(tmp_path: Path) -> Databases:
    """Return databases in files."""
    return Databases(tmp_path, None)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Return where a new house keeps its key."""
    return tmp_path / "house.key"


class Played:
    """A house that bots play in, opened as every command and server opens it."""

    def __init__(self, house: House) -> None:
        """Give commands at the desk of a house."""
        self.house, self.desk = house, TestHouse(house.store)
        self.desk.desk = house.desk

    def begin(self, example: str = EXAMPLE) -> None:
        """Take people on, open a table and seat players."""
        self.desk.staff()
        self.desk.register(*PLAYERS)
        self.desk.install("main", example)
        self.desk.open("main")
        self.desk.seat("main", PLAYERS)

    def play(self, rounds: int) -> None:
        """Let bots play whole rounds."""
        self.desk.play(self._bots(), rounds)

    def play_into_a_round(self) -> None:
        """Let bots play until cards are out, and leave it there."""
        bots = self._bots()
        while not (self.round is not None and self.round.out):
            self.desk.step(bots)

    def _bots(self) -> Any:
        seed = next(_seeds)
        return self.desk.rehearsal("main", PLAYERS, seed, f"k{seed}")

    @property
    def round(self) -> Any:
        """Return the round under way."""
        state = self.house.desk.table("main").state
        assert state is not None
        return state.round

    def reopen(self) -> None:
        """Open the table again, and seat who had chips there."""
        book = self.house.desk.table("main")
        assert book.state is not None
        assert book.state.phase == "closed"
        self.desk.at("main", FillTray(cents=1_000_000, slip="F2", role="supervisor"))
        tray = self.house.desk.table("main").cents(book.names.tray)
        self.desk.at("main", CountTray(occasion="opening", cents=tray, role="floorperson"))
        self.open_table()
        for position, name in enumerate(PLAYERS, 1):
            self.desk.at("main", BuyIn(player=name, cents=STACK), player(name))
            self.desk.at("main", TakeSeat(position=position, player=name), player(name))

    def open_table(self) -> None:
        """Open the table, its tray having been counted."""
        state = self.house.desk.table("main").state
        assert state is not None
        decks = BACKS[: state.game.submission.dealing.decks]
        self.desk.at("main", OpenTable(decks=decks, role="floorperson"))

    def confirm(self, cents: int) -> None:
        """Enter what the signs showed, and have somebody else approve it."""
        stream = meter_stream("main")
        entered = self.desk.do(stream, EnterReading(cents=cents, reason="read", role="supervisor"), CREW)
        number = entered.events[0].number
        self.desk.do(stream, ApproveAdjustment(number=number, role="executive"), FLOOR)

    @property
    def displayed(self) -> int:
        """Return what the signs of the meter show, in cents."""
        return self.house.desk.meter("main").displayed

    def proofs(self) -> dict[int, dict[str, Any]]:
        """Return what a player can read of the shuffles of own rounds, by their number."""
        with reading(self.house) as reader:
            rounds = reader.ask("/api/rounds", ANN, limit=100)["items"]
            told = [reader.ask(f"/api/rounds/main/{each['number']}", ANN)["proof"] for each in rounds]
        found = [each["proof"] for each in told if each is not None and each["proof"] is not None]
        return {proof["shuffle"]: proof for proof in found}


@contextmanager
def opened(url: str, key: Path, *, found: bool = False) -> Iterator[Played]:
    """Open a house, or found one."""
    with (open_house if found else open_founded)(url, key) as house:
        yield Played(house)


def predicted(known: dict[int, dict[str, Any]], proof: dict[str, Any]) -> bool:
    """Say whether a player who kept earlier proofs knew the order of a deck before it was dealt.

    The player knows the number of the next shuffle, and everybody's seeds, from the page.
    """
    earlier = known.get(proof["shuffle"])
    if earlier is None:
        return False
    seeds = tuple((name, seed) for name, seed in proof["seeds"])
    order = [*order_of(bytes.fromhex(earlier["secret"]), proof["table"], proof["shuffle"], seeds)]
    for depth in proof["cuts"]:
        order = order[depth:] + order[:depth]
    dealt = [card for drawn in proof["drawn"] for card in parse_cards(drawn["cards"])]
    return order[: len(dealt)] == dealt


def replica(source: str, target: str) -> str:
    """Copy a database as it is, like a replica that lags or a copy of the file."""
    with closing(open_store(source, writing=False)) as one, closing(open_store(target)) as other:
        copy_house(one, other)
    return target


def report_on(url: str) -> AuditReport:
    """Audit a database."""
    with closing(open_store(url, writing=False)) as store:
        return audit(store)


class Story:
    """A house whose players played on after a backup and kept what they were shown."""

    def __init__(self, databases: Databases) -> None:
        """Play, back up in the middle of a round, and play on."""
        self.databases, self._key = databases, databases.folder / "house.key"
        self.backup, self.anchor = databases.folder / "backup.db", databases.folder / "anchor.json"
        with opened(databases.fresh(), self._key, found=True) as at:
            at.begin()
            at.play(2)
            at.play_into_a_round()
            self.token = at.house.sign_in.admit("player", "ann")
            self.stakes = {place.player: sum(place.wagers.values()) for place in at.round.places.values()}
            self.held = {name: at.house.desk.table("main").chips(name) for name in PLAYERS}
            self.before = at.displayed
            with closing(open_store(self.backup)) as backup:
                copy_house(at.house.store, backup)
            at.play(4)
            self.proofs, self.shown = at.proofs(), at.displayed
            at.desk.register("cy")
            self.anchor.write_bytes(msgspec.json.encode(at.house.anchor()))
        assert self.shown > self.before

    def key(self, folder: Path) -> Path:
        """Return the key of the house in another folder, with the watermark beside it."""
        for file in self._key.parent.glob("house.key*"):
            copy(file, folder)
        return folder / self._key.name

    def raw(self) -> str:
        """Return a database as the backup has it, with nothing made safe."""
        return replica(str(self.backup), self.databases.fresh())


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def story(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """Return a house that was backed up and played on in, on each kind of database."""
    running = request.getfixturevalue("postgres") if request.param == "postgres" else None
    return Story(Databases(tmp_path_factory.mktemp("story"), running))


@pytest.fixture(scope="module")
def in_files(tmp_path_factory: pytest.TempPathFactory) -> Story:
    """Return a house in a file that was backed up and played on in."""
    return Story(Databases(tmp_path_factory.mktemp("files"), None))


def goes_on(at: Played, story: Story) -> dict[int, dict[str, Any]]:
    """Confirm the meter, play on, and return the proofs of the new rounds."""
    done = {*at.proofs()}
    at.confirm(story.shown)
    at.reopen()
    at.play(3)
    assert at.displayed >= story.shown
    return {number: proof for number, proof in at.proofs().items() if number not in done}


def test_without_recovery_a_player_predicts_every_card_after_a_restore(story: Story, tmp_path: Path) -> None:
    """The attack itself: the state of a backup, opened where nothing remembers the later one."""
    alone = tmp_path / "alone.key"
    copy(story.key(tmp_path), alone)
    with opened(story.raw(), alone) as at:
        assert at.house.actor(story.token) == Actor("ann", "player")
        done = {*at.proofs()}
        at.play(3)
        after = {number: proof for number, proof in at.proofs().items() if number not in done}
        guessed = [number for number, proof in after.items() if predicted(story.proofs, proof)]
        assert len(guessed) >= 2, "the cards under way, and those of the shuffle that was committed to"


@pytest.mark.clause("P39")
def test_a_restored_house_deals_nothing_that_a_player_has_seen(
    story: Story, tmp_path: Path, fourcard: Command
) -> None:
    url, key = story.databases.fresh(), story.key(tmp_path)
    arguments = ("-d", url, "--key", key, "--anchor", story.anchor, "--yes")
    done = fourcard("house", "restore", story.backup, *arguments)
    assert (done.status, done.err) == (0, "")
    with opened(url, key) as at:
        assert at.house.recovered is None
        assert made_safe(at, story)
        new = goes_on(at, story)
        assert len(new) >= 2
        assert not any(predicted(story.proofs, proof) for proof in new.values())
        secrets = {proof["secret"] for proof in story.proofs.values()}
        assert not secrets & {proof["secret"] for proof in new.values()}
    names_the_restore(report_on(url), "restore")


@pytest.mark.clause("P39")
def test_a_replica_that_lags_is_found_out_when_the_house_opens(story: Story, tmp_path: Path) -> None:
    url, key = story.raw(), story.key(tmp_path)
    with opened(url, key) as at:
        assert at.house.recovered is not None
        assert made_safe(at, story)
        new = goes_on(at, story)
        assert not any(predicted(story.proofs, proof) for proof in new.values())
    with opened(url, key) as at:
        assert at.house.recovered is None, "it recovers once"
    names_the_restore(report_on(url), "rollback")


def made_safe(at: Played, story: Story) -> bool:
    """See that the round is void, the stakes are back, nobody is signed in, and the meter waits."""
    book = at.house.desk.table("main")
    assert book.state is not None
    assert (book.state.phase, book.state.round) == ("closed", None)
    assert {name: book.chips(name) for name in PLAYERS} == {
        name: story.held[name] + story.stakes[name] for name in PLAYERS
    }
    assert isinstance(at.house.actor(story.token), Refusal)
    with at.house.store.reading() as view:
        notes = [note for note in view.security_notes() if note.by == "house"]
        assert [note.what for note in notes] in (["restore"], ["rollback"])
        assert {number for _, number in view.secrets()} == {book.shuffle}
    assert at.house.desk.meter("main").restored == 1
    return True


def names_the_restore(report: AuditReport, cause: str) -> None:
    """See that an audit finds nothing wrong, and names the restore with what was lost by it."""
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


@pytest.mark.clause("P39")
def test_a_restored_meter_takes_two_people_before_its_tables_open(in_files: Story, tmp_path: Path) -> None:
    url, stream = in_files.raw(), meter_stream("main")
    with opened(url, in_files.key(tmp_path)) as at:
        at.desk.at("main", FillTray(cents=1_000_000, slip="F2", role="supervisor"))
        tray = at.house.desk.table("main").cents("tray/main")
        at.desk.at("main", CountTray(occasion="opening", cents=tray, role="floorperson"))
        refused = refusal_of(at.open_table)
        assert (refused.code, refused.clauses) == (Code.METER_UNCONFIRMED, ("P39",))
        too_low = EnterReading(cents=-1, reason="read", role="supervisor")
        assert at.desk.refused(stream, too_low, CREW).code is Code.READING_UNFIT
        entered = at.desk.do(stream, EnterReading(cents=0, reason="wrong", role="supervisor"), CREW)
        again = EnterReading(cents=in_files.shown, reason="read", role="supervisor")
        assert at.desk.refused(stream, again, FLOOR).code is Code.READING_WAITS
        own = ApproveAdjustment(number=entered.events[0].number, role="executive")
        assert at.desk.refused(stream, own, CREW).code is Code.ADJUSTMENT_OWN
        at.desk.do(stream, RejectAdjustment(number=1, reason="wrong", role="supervisor"), CREW)
        assert refusal_of(at.open_table).code is Code.METER_UNCONFIRMED
        at.desk.do(stream, again, CREW)
        assert refusal_of(at.open_table).code is Code.METER_UNCONFIRMED
        at.desk.do(stream, ApproveAdjustment(number=2, role="executive"), FLOOR)
        assert at.displayed == in_files.shown
        at.open_table()
        assert at.desk.refused(stream, again, CREW).code is Code.READING_NOT_DUE
    assert report_on(url).clean


def refusal_of(act: Any) -> Refusal:
    """Return why something is refused."""
    with pytest.raises(RefusedError) as refused:
        act()
    return refused.value.refusal


def test_restore_says_what_it_does_and_starts_only_with_a_yes(
    in_files: Story, tmp_path: Path, fourcard: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = in_files.databases.fresh()
    arguments = ("house", "restore", in_files.backup, "-d", url, "--key", in_files.key(tmp_path))
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
    told = fourcard("house", "restore", in_files.backup, "-d", in_files.databases.fresh(), *forged).sentence
    assert told.endswith("was changed: its signature does not fit.")


def test_a_killed_house_is_not_taken_for_one_that_was_put_back(files: Databases, key: Path) -> None:
    """The watermark lags where a process dies between a commit and its line."""
    url = files.fresh()
    house = open_house(url, key)
    at = Played(house)
    at.begin()
    at.play(1)
    kept = house.desk.watermark
    assert kept is not None
    text = kept.path.read_bytes()
    at.play_into_a_round()
    house.writer.close()
    house.store.close()
    for lagging in (text, text + b'["table/main",99', kept.path.read_bytes()):
        kept.path.write_bytes(lagging)
        with opened(url, key) as again:
            assert again.house.recovered is None
            assert again.round is not None
    kept.path.unlink()
    with opened(url, key) as again:
        assert again.house.recovered is None
        again.play(1)
    assert report_on(url).clean


def test_a_watermark_stays_short_and_keeps_the_newest_of_every_stream(
    files: Databases, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourcard.house.watermark.LONGEST", 4_000)
    url = files.fresh()
    with opened(url, key, found=True) as at:
        at.begin()
        at.play(6)
        watermark = at.house.desk.watermark
        assert watermark is not None
        assert watermark.path.stat().st_size < 8_000
        with at.house.store.reading() as view:
            heads = {stream: head.sequence for stream, head in view.streams().items()}
        seen = watermark.read()
        assert seen is not None
        assert {stream: mark.sequence for stream, mark in seen.marks.items()} == heads


def test_a_process_stops_when_its_database_is_put_back_under_it(postgres: Server, key: Path) -> None:
    """A replica that lagged takes over while the house is open: nothing more is done until it opens again."""
    url = postgres.fresh()
    with opened(url, key, found=True) as at:
        at.begin()
        at.play(1)
        lagging = replica(url, postgres.fresh())
        at.play(1)
    store = open_store(lagging)
    house = open_founded(url, key)
    original = house.desk.store
    try:
        request = Played(house)._bots().next(house.desk.table("main"))
        house.desk.store = store
        for _ in range(2):
            with pytest.raises(PutBackError, match="put back to an older state"):
                house.desk.do(request.stream, request.command, request.actor)
    finally:
        house.desk.store = original
        house.close()
        store.close()


def test_damaged_or_locked_watermarks_are_refused_in_a_sentence(
    files: Databases, key: Path, fourcard: Command
) -> None:
    url = files.fresh()
    with opened(url, key, found=True) as at:
        at.desk.staff()
        path = Watermark(key, at.house.name).path
    path.write_bytes(b"not a watermark\n")
    told = fourcard("house", "register", "bob", "-d", url, "--key", key).sentence
    assert "is damaged" in told
    path.unlink()
    path.mkdir()
    told = fourcard("house", "register", "bob", "-d", url, "--key", key).sentence
    assert "cannot be used" in told

"""Backup of a running house, and restore: of one moment, whole, and gone on with in the middle of a round."""

import stat
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from shutil import copy

import pytest

from fourcard.cli.house_bots import bots_at_tables, hire_bot_staff, next_request
from fourcard.cli.house_connect import open_house
from fourcard.cli.house_maintenance import new
from fourcard.house.auth.sign_in import TEST_COST, AuthPolicy, SignIn
from fourcard.house.autopilot import BOT_FLOORPERSON, BOT_STAFF
from fourcard.house.commands import ApproveAdjustment, EnterReading
from fourcard.house.house import House, use_key
from fourcard.house.journal import GENESIS, chain_hash, codec_of
from fourcard.house.ledger import Transfer
from fourcard.house.reports.house_status import table_statuses
from fourcard.house.reports.statements import trial_balance
from fourcard.house.reports.table_results import table_results
from fourcard.house.route_command import CommandResult
from fourcard.house.state_cache import empty_state, evolve_state
from fourcard.house.store.address import OWNER_ONLY, open_store
from fourcard.house.store.interface import ReadTransaction, Store
from fourcard.refusals import BadInputError
from fourcard.rules.game import decode_game
from tests.contract.records import contents
from tests.kit.commands import Command
from tests.kit.postgres import Server, server
from tests.kit.waiting import PROCESS_PATIENCE, wait_until

PASSWORD = "correct horse battery"
TABLES = 2
TRIES = 40
"""Seconds after which something that does not happen has failed."""
FOURCARD = Path(sys.executable).parent / "fourcard"


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourcard.house.house.SignIn", partial(SignIn, terms=AuthPolicy(cost=TEST_COST)))


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """Return a running PostgreSQL server."""
    with server() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of an empty database of each kind; the key lies in the test's own folder."""
    monkeypatch.setenv("FOURCARD_KEY", str(tmp_path / "house.key"))
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    running: Server = request.getfixturevalue("postgres")
    return running.fresh()


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Return where the key of the house lies."""
    return tmp_path / "house.key"


@pytest.fixture
def founded(address: str, tmp_path: Path, key: Path) -> str:
    """Make a house and return its address."""
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    new("ann", password_file=tmp_path / "password", database=address, key=key)
    return address


def made(folder: Path, fourcard: Command) -> str:
    """Make a house in a file of a folder and return its address."""
    (folder / "password").write_text(PASSWORD, encoding="utf-8")
    address = str(folder / "house.db")
    done = fourcard(
        "house", "new", "--administrator", "ann", "--password-file", folder / "password", "-d", address
    )
    assert done.status == 0
    return address


class Player:
    """Bots that play in a thread of their own until they are told to stop."""

    def __init__(self, house: House) -> None:
        """Set tables up."""
        hire_bot_staff(house)
        self.house, self.bots = house, bots_at_tables(house, TABLES, seed=1)
        self.commands = 0
        self.stop = threading.Event()
        self.failed: list[object] = []

    def step(self) -> None:
        """Do one command at every table."""
        requests = [next_request(self.house, bot) for bot in self.bots]
        replies = self.house.service.execute(requests)
        self.failed += [reply for reply in replies if not isinstance(reply, CommandResult)]
        self.commands += len(requests)

    def play(self) -> None:
        """Go on until somebody says stop, or something is refused."""
        while not self.stop.is_set() and not self.failed:
            self.step()


@contextmanager
def playing(address: str, key: Path) -> Iterator[Player]:
    """Let bots play in the house while something else is done."""
    with open_house(address, key) as house:
        player = Player(house)
        thread = threading.Thread(target=player.play)
        thread.start()
        try:
            yield player
        finally:
            player.stop.set()
            thread.join()
    assert player.failed == []


def audit(reading: ReadTransaction) -> None:
    """See that every chain holds, and that ledger and balances follow from the journal."""
    games = {hash_: decode_game(body) for hash_, body in reading.games().items()}
    sums: Counter[str] = Counter()
    derived = list[Transfer]()
    for stream in reading.journal_streams():
        last, book = GENESIS, empty_state(stream)
        for stored in reading.records(stream):
            assert stored.hash == chain_hash(last, stored)
            last = stored.hash
        for record in () if stream == "house" else reading.events(stream):
            book, moved = evolve_state(book, codec_of(stream).decode(record), games.__getitem__)
            derived += [
                Transfer(
                    stream, record.sequence, number, m.giver, m.taker, m.units, m.what, m.wager, record.at
                )
                for number, m in enumerate(moved)
            ]
        assert reading.streams()[stream].hash == last
    assert sorted(derived, key=_place) == [*reading.transfers()]
    for each in derived:
        sums[each.giver] -= each.units
        sums[each.taker] += each.units
    assert {account: units for account, units in sums.items() if units} == dict(reading.balances())
    assert trial_balance(reading).sum == 0


def _place(each: Transfer) -> tuple[str, int, int]:
    return each.stream, each.sequence, each.number


def is_of_one_moment(reading: ReadTransaction) -> None:
    """See that what one commit writes into several streams is there in all of them or in none."""
    kinds = Counter(record.kind for stream in reading.journal_streams() for record in reading.events(stream))
    assert kinds["bought_in"] == kinds["chips_bought"] > 0
    assert kinds["cashed_out"] == kinds["chips_returned"]
    locked = [
        codec_of(stream).decode(record)
        for stream in reading.journal_streams()
        for record in reading.events(stream)
        if record.kind == "progressive_locked"
    ]
    assert kinds["stakes_added"] == sum(bool(event.stakes) for event in locked)
    drawn = kinds["shuffle_committed"] - kinds["secret_revealed"]
    assert len(reading.secrets()) == drawn


def opened(address: str | Path, key: Path) -> Store:
    """Return a store to be read with the key of its house."""
    store = open_store(address, writing=False)
    use_key(store, key)
    return store


def in_round(file: Path, key: Path) -> bool:
    """Say whether a round is under way at every table of a copy."""
    with closing(opened(file, key)) as store, store.reading() as reading:
        return all(each.in_round not in ("", "betting") for each in table_statuses(reading, 0))


def has_buy_ins(address: str) -> bool:
    """Say whether somebody has bought chips in a house."""
    with closing(open_store(address, writing=False)) as store, store.reading() as reading:
        return any(
            record.kind == "bought_in" for stream in reading.streams() for record in reading.events(stream)
        )


def heads(address: str | Path) -> dict[str, int]:
    """Return where every stream of a database stands."""
    with closing(open_store(address, writing=False)) as store, store.reading() as reading:
        return {name: head.sequence for name, head in reading.streams().items()}


def test_a_backup_of_a_running_house_is_whole_and_play_goes_on_in_it(
    founded: str, key: Path, tmp_path: Path, fourcard: Command
) -> None:
    files = list[Path]()
    with playing(founded, key) as player:
        wait_until(lambda: has_buy_ins(founded))
        while not (len(files) > 2 and in_round(files[-1], key)):
            assert len(files) < TRIES
            files.append(tmp_path / f"backup-{len(files)}.db")
            done = fourcard("house", "backup", files[-1], "--database", founded)
            assert (done.status, done.err) == (0, "")
        during = player.commands
    assert during > len(files)
    for file in files:
        with closing(opened(file, key)) as store, store.reading() as reading:
            audit(reading)
            is_of_one_moment(reading)
    for before, after in pairwise(files):
        earlier, later = heads(before), heads(after)
        assert all(later[name] >= sequence for name, sequence in earlier.items())
    assert heads(files[0]) != heads(files[-1])
    _goes_on(files[-1], key, tmp_path, fourcard)


def confirm_meters(address: str, key: Path) -> None:
    """Let two people confirm what every restored meter shows."""
    with open_house(address, key) as house, house.store.reading() as reading:
        for stream in [each for each in reading.streams() if each.startswith("meter/")]:
            shown = house.service.meter(stream.removeprefix("meter/")).displayed
            entered = house.do(stream, EnterReading(cents=shown, reason="read", role="supervisor"), BOT_STAFF)
            number = entered.events[0].number
            house.do(stream, ApproveAdjustment(number=number, role="executive"), BOT_FLOORPERSON)


def _goes_on(file: Path, key: Path, tmp_path: Path, fourcard: Command) -> None:
    """Restore a backup in the middle of a round, which is void by it, and play on."""
    restored = tmp_path / "restored.db"
    done = fourcard("house", "restore", file, "--database", restored, "--key", key, "--yes")
    assert (done.status, done.err) == (0, "")
    with closing(opened(restored, key)) as store, store.reading() as reading:
        before = {each.table: each for each in table_statuses(reading, 0)}
        assert not any(each.in_round for each in before.values())
    confirm_meters(str(restored), key)
    done = fourcard(
        "house", "rehearse", "--rounds", 2, "--tables", TABLES, "--database", restored, "--key", key
    )
    assert (done.status, done.err) == (0, "")
    with closing(opened(restored, key)) as store, store.reading() as reading:
        audit(reading)
        is_of_one_moment(reading)
        after = {each.table: each for each in table_statuses(reading, 0)}
        days = table_results(reading)
    assert all(after[name].round == before[name].round + 2 for name in before)
    assert all(day.win == day.win_of_wagers for day in days)


def test_a_house_in_another_process_is_backed_up_and_survives_its_sudden_end(
    tmp_path: Path, fourcard: Command
) -> None:
    address = made(tmp_path, fourcard)
    command = [str(FOURCARD), "house", "rehearse", "--rounds", "100000", "--tables", "1", "-d", address]
    files = [tmp_path / f"backup-{number}.db" for number in range(3)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        try:
            deadline = time.monotonic() + PROCESS_PATIENCE
            for file in files:
                reached = sum(heads(address).values())
                while sum(heads(address).values()) < reached + 100:
                    assert running.poll() is None
                    assert time.monotonic() < deadline
                    time.sleep(0.02)
                assert fourcard("house", "backup", file, "--database", address).status == 0
            assert running.poll() is None
        finally:
            running.kill()
    for file in files:
        with closing(opened(file, tmp_path / "house.db.key")) as store, store.reading() as reading:
            audit(reading)
            is_of_one_moment(reading)
    assert fourcard("house", "rehearse", "--rounds", 1, "--tables", 1, "-d", address).status == 0
    with closing(opened(address, tmp_path / "house.db.key")) as store, store.reading() as reading:
        audit(reading)


def test_a_backup_goes_from_one_kind_of_database_to_the_other(
    postgres: Server, tmp_path: Path, fourcard: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOURCARD_KEY", str(tmp_path / "house.key"))
    (tmp_path / "password").write_text(PASSWORD, encoding="utf-8")
    first, second = str(tmp_path / "house.db"), postgres.fresh()
    new("ann", password_file=tmp_path / "password", database=first, key=tmp_path / "house.key")
    for arguments in (
        ("rehearse", "--rounds", 1, "--database", first),
        ("backup", tmp_path / "one.db", "--database", first),
        ("restore", tmp_path / "one.db", "--database", second, "--yes"),
        ("rehearse", "--rounds", 1, "--database", second),
        ("backup", tmp_path / "two.db", "--database", second),
    ):
        done = fourcard("house", *arguments)
        assert (done.status, done.err) == (0, "")
        if arguments[0] == "restore":
            confirm_meters(second, tmp_path / "house.key")
    with closing(opened(tmp_path / "two.db", tmp_path / "house.key")) as store, store.reading() as reading:
        audit(reading)
        assert sum(day.rounds for day in table_results(reading)) == 4
    with open_house(second, tmp_path / "house.key") as house:
        assert isinstance(house.sign_in.sign_in("staff", "ann", PASSWORD), str)


def test_a_backup_overwrites_nothing_and_leaves_nothing_half(
    tmp_path: Path, fourcard: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = made(tmp_path, fourcard)
    kept = tmp_path / "kept.db"
    kept.write_text("mine", encoding="utf-8")
    told = fourcard("house", "backup", kept, "--database", address).sentence
    assert told == f"{kept} already exists, and a backup never overwrites a file. Choose another name."
    assert kept.read_text(encoding="utf-8") == "mine"
    nowhere = tmp_path / "nowhere" / "backup.db"
    assert "there is no folder" in fourcard("house", "backup", nowhere, "--database", address).sentence
    before = {*tmp_path.iterdir()}

    def broken(*_: object) -> None:
        raise BadInputError("The disk is full.")

    monkeypatch.setattr("fourcard.house.store.backup._pages", broken)
    told = fourcard("house", "backup", tmp_path / "new.db", "--database", address).sentence
    assert told == "The disk is full."
    assert {*tmp_path.iterdir()} - before <= {tmp_path / "house.db-wal", tmp_path / "house.db-shm"}


def test_a_backup_goes_on_from_the_one_before(tmp_path: Path, fourcard: Command) -> None:
    address = made(tmp_path, fourcard)
    monday, tuesday, again = (tmp_path / name for name in ("monday.db", "tuesday.db", "again.db"))
    fourcard("house", "backup", monday, "--database", address)
    before = monday.read_bytes()
    fourcard("house", "rehearse", "--rounds", 2, "--tables", 2, "--database", address)
    done = fourcard("house", "backup", tuesday, "--database", address, "--previous", monday)
    full = fourcard("house", "backup", again, "--database", address)
    assert done.out == full.out.replace(str(again), str(tuesday))
    assert (monday.read_bytes(), stat.S_IMODE(tuesday.stat().st_mode)) == (before, OWNER_ONLY)
    assert fourcard("audit", "--database", tuesday, "--json").answer["clean"]
    with closing(open_store(tuesday, writing=False)) as one, closing(open_store(again, writing=False)) as two:
        assert contents(one) == contents(two)
    there = {*tmp_path.iterdir()}
    (tmp_path / "other").mkdir()
    other = made(tmp_path / "other", fourcard)
    refused = fourcard("house", "backup", tmp_path / "new.db", "--database", other, "--previous", monday)
    assert "new.db.part is not an earlier backup of this house" in refused.sentence
    missing = fourcard("house", "backup", tmp_path / "new.db", "--database", other, "--previous", "none.db")
    assert missing.sentence == "There is no backup none.db."
    (tmp_path / "text.db").write_text("no database " * 100, encoding="utf-8")
    unfit = fourcard(
        "house", "backup", tmp_path / "new.db", "--database", other, "--previous", tmp_path / "text.db"
    )
    assert "text.db cannot be copied" in unfit.sentence
    assert {path.name for path in {*tmp_path.iterdir()} - there} == {"other", "text.db"}


def test_a_backup_is_for_its_owner_alone_and_without_the_key(tmp_path: Path, fourcard: Command) -> None:
    address = made(tmp_path, fourcard)
    file = tmp_path / "backup.db"
    done = fourcard("house", "backup", file, "--database", address)
    assert done.out == f"{file} holds the house: 3 streams, 7 events, 0 transfers.\n"
    assert stat.S_IMODE(file.stat().st_mode) == OWNER_ONLY
    secret = (tmp_path / "house.db.key").read_text(encoding="ascii").strip()
    assert bytes.fromhex(secret) not in file.read_bytes()
    assert secret.encode() not in file.read_bytes()
    restored = tmp_path / "restored.db"
    again = ("house", "restore", file, "--database", restored, "--yes")
    assert fourcard(*again).sentence.endswith(f"copy it to {restored}.key first.")
    (tmp_path / "restored.db.key").write_text(bytes(32).hex(), encoding="ascii")
    assert "is the key of another house" in fourcard(*again).sentence
    assert not restored.exists()
    copy(tmp_path / "house.db.key", tmp_path / "restored.db.key")
    assert fourcard(*again).status == 0
    assert stat.S_IMODE(restored.stat().st_mode) == OWNER_ONLY
    assert fourcard("house", "register", "bob", "--database", restored).out == "bob has an account.\n"


def test_nothing_is_restored_over_a_house_or_from_nothing(tmp_path: Path, fourcard: Command) -> None:
    address = made(tmp_path, fourcard)
    assert fourcard("house", "backup", tmp_path / "backup.db", "--database", address).status == 0
    before = heads(address)
    done = fourcard("house", "restore", tmp_path / "backup.db", "--database", address, "--yes")
    assert done.status == 2
    assert "is not empty" in done.err
    assert heads(address) == before
    none = ("house", "restore", tmp_path / "none.db", "--database", tmp_path / "new.db", "--yes")
    copy(tmp_path / "house.db.key", tmp_path / "new.db.key")
    told = fourcard(*none).sentence
    assert told.endswith("none.db does not exist.")
    assert not (tmp_path / "new.db").exists()

"""The writer and the house: groups, replies after the commit, signatures, anchors, and how a house ends."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fourcard.house import group_commit as writers
from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.commands import DismissStaff, FillTray, HireStaff
from fourcard.house.decision import STAFF, table_stream
from fourcard.house.events import HeadsSigned, HouseFounded
from fourcard.house.group_commit import GroupCommit
from fourcard.house.head_signatures import HouseKey, is_signed, read_anchor, read_key
from fourcard.house.house import House, key_beside, open_house
from fourcard.house.journal import HOUSE_CODEC
from fourcard.house.route_command import CommandResult, Reply, Request
from fourcard.house.store.interface import StoreError
from fourcard.house.store.memory import MemoryStore
from fourcard.refusals import BadInputError, Refusal, RefusedError
from tests.kit.faulty_store import FaultyStore
from tests.kit.houses import TestHouse, house_with

MAIN = table_stream("main")
KEY = HouseKey(bytes(range(32)))
AMY = Actor("amy", "staff", ("administrator",))


def fill(key: str) -> Request:
    """Return a command that is always accepted."""
    return Request(MAIN, FillTray(cents=1, slip="F", role="supervisor", key=key), BOT_STAFF)


def lingering(busy: threading.Event, hold: threading.Event) -> Callable[[Reply], None]:
    """Return what keeps the writer's thread until it is let go."""

    def linger(_reply: Reply) -> None:
        busy.set()
        hold.wait()

    return linger


def test_commands_that_are_handed_in_together_share_a_commit_and_are_answered_in_order() -> None:
    house = house_with()
    writer = GroupCommit(house.service)
    requests = [
        fill("first"),
        Request(MAIN, FillTray(cents=0, slip="F", role="supervisor"), BOT_STAFF),
        fill("last"),
    ]
    first, refused, last = writer.submit_and_wait(requests)
    assert isinstance(first, CommandResult)
    assert isinstance(refused, Refusal)
    assert isinstance(last, CommandResult)
    assert (last.first_sequence, writer.batches) == (first.first_sequence + 1, 1)
    assert writer.submit_and_wait([]) == []
    writer.close()
    with pytest.raises(StoreError, match="closed"):
        writer.submit_and_wait(requests)


def test_of_commands_that_are_handed_in_together_all_are_taken_or_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writers, "MAX_WAITING", 2)
    house = house_with()
    before, writer = house.balances()["tray/main"], GroupCommit(house.service)
    with pytest.raises(StoreError, match="too busy"):
        writer.submit_and_wait([fill("1"), fill("2"), fill("3")])
    assert house.balances()["tray/main"] == before
    assert len(writer.submit_and_wait([fill("1"), fill("2")])) == 2
    writer.close()


@pytest.mark.parametrize("stop", [SystemExit, KeyboardInterrupt, asyncio.CancelledError])
def test_nobody_who_takes_a_reply_can_stop_the_writer(stop: type[BaseException]) -> None:
    house = house_with()
    writer = GroupCommit(house.service)

    def leave(_reply: Reply) -> None:
        raise stop

    writer.submit(fill("first"), leave)
    assert len(writer.submit_and_wait([fill("second")])) == 1
    writer.close()


def test_who_takes_a_reply_cannot_wait_for_another_there() -> None:
    house = house_with()
    writer, told = GroupCommit(house.service), list[str]()
    heard = threading.Event()

    def ask_again(_reply: Reply) -> None:
        try:
            writer.submit_and_wait([fill("second")])
        except StoreError as error:
            told.append(str(error))
        writer.submit(fill("third"), lambda _: heard.set())

    writer.submit(fill("first"), ask_again)
    assert heard.wait(10)
    writer.close()
    assert told == ["A reply callback cannot wait for another reply; use submit instead."]


def test_commands_of_many_threads_all_get_their_own_reply() -> None:
    house = house_with()
    before = house.balances()["tray/main"]
    writer = GroupCommit(house.service)
    answers: list[CommandResult] = []

    def client(number: int) -> None:
        for step in range(25):
            command = FillTray(cents=1, slip="F", role="supervisor", key=f"{number}-{step}")
            answers.append(writer.do(MAIN, command, BOT_STAFF))

    threads = [threading.Thread(target=client, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    writer.close()
    assert len({answer.first_sequence for answer in answers}) == len(answers) == 200
    assert house.balances()["tray/main"] == before + 200 * 10_000
    assert writer.batches <= 200


def test_commands_that_wait_share_a_commit() -> None:
    house = house_with()
    writer = GroupCommit(house.service)
    replies: list[Reply] = []
    hold = threading.Event()
    writer.submit(fill("first"), lingering(threading.Event(), hold))
    for number in range(50):
        writer.submit(fill(f"k{number}"), replies.append)
    hold.set()
    writer.close()
    assert len(replies) == 50
    assert all(isinstance(reply, CommandResult) for reply in replies)
    assert writer.batches <= 3


def test_a_reply_comes_after_the_commit() -> None:
    committed: list[str] = []

    def noting(point: str) -> bool:
        committed.append(point)
        return False

    store = FaultyStore(MemoryStore(), noting)
    house = TestHouse(store)
    house.staff()
    house.install("main")
    writer = GroupCommit(house.service)
    committed.clear()
    seen: list[list[str]] = []
    writer.submit(fill("k"), lambda _reply: seen.append([*committed]))
    writer.close()
    assert "commit:after" in seen[0]


def test_a_store_that_fails_is_told_to_everybody_and_the_writer_goes_on() -> None:
    failing = [False]
    store = FaultyStore(MemoryStore(), lambda point: failing[0] and point == "commit:before")
    house = TestHouse(store)
    house.staff()
    house.install("main")
    writer = GroupCommit(house.service)
    failing[0] = True
    with pytest.raises(StoreError):
        writer.do(MAIN, fill("k").command, BOT_STAFF)
    failing[0] = False
    assert not writer.do(MAIN, fill("k").command, BOT_STAFF).repeated
    with pytest.raises(RefusedError):
        writer.do(MAIN, FillTray(cents=0, slip="F", role="supervisor"), BOT_STAFF)
    writer.close()


def test_a_fault_of_ours_is_told_and_the_writer_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    house = house_with()
    writer = GroupCommit(house.service)
    with monkeypatch.context() as patch:
        patch.setattr(house.service, "execute", lambda _requests: 1 / 0)
        with pytest.raises(StoreError, match="ZeroDivisionError"):
            writer.do(MAIN, fill("k").command, BOT_STAFF)
    assert not writer.do(MAIN, fill("k").command, BOT_STAFF).repeated
    writer.close()


def test_a_writer_turns_away_what_it_cannot_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "MAX_WAITING", 3)
    house = house_with()
    writer = GroupCommit(house.service)
    hold, busy = threading.Event(), threading.Event()
    writer.submit(fill("first"), lingering(busy, hold))
    busy.wait()
    for number in range(3):
        writer.submit(fill(f"k{number}"), lambda _reply: None)
    with pytest.raises(StoreError, match="too busy"):
        writer.submit(fill("k3"), lambda _reply: None)
    hold.set()
    writer.close()
    with pytest.raises(StoreError, match="closed"):
        writer.submit(fill("k4"), lambda _reply: None)


def founded(store: MemoryStore | None = None) -> House:
    """Return a house in memory."""
    return House(store or MemoryStore(), KEY, SimulatedClock(), SeededEntropy(1))


def test_a_house_is_founded_once_and_knows_its_key() -> None:
    store = MemoryStore()
    first = founded(store)
    assert founded(store).name == first.name
    with store.reading() as reading:
        events = [HOUSE_CODEC.decode(record) for record in reading.events("house")]
    assert events == [HouseFounded(first.name, KEY.public, signs=True)]
    with pytest.raises(StoreError, match="another key"):
        House(store, HouseKey(bytes(32)), SimulatedClock(), SeededEntropy(1))


def test_heads_that_moved_are_signed_into_the_houses_stream() -> None:
    house = founded()
    house.do(STAFF, HireStaff(person="amy", name="Amy", roles=("administrator",)), AMY)
    assert house.sign() == 1
    assert house.sign() == 0
    house.do(STAFF, HireStaff(person="bo", name="Bo", roles=("dealer",)), AMY)
    assert house.sign() == 1
    with house.store.reading() as reading:
        records = [*reading.events("house")]
        head = reading.streams()[STAFF]
    last = HOUSE_CODEC.decode(records[-1])
    assert isinstance(last, HeadsSigned)
    assert (last.heads[0].stream, last.heads[0].sequence, last.heads[0].hash) == (
        STAFF,
        head.sequence,
        head.hash.hex(),
    )
    assert is_signed(KEY.public, last.signature, house.name, records[-1].at, last.heads)
    assert not is_signed(KEY.public, last.signature, house.name, records[-1].at + 1, last.heads)


def test_heads_are_signed_as_commits_go_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourcard.house.house.SIGN_EVERY", 3)
    house = founded()
    for person in ("amy", *(f"p{number}" for number in range(6))):
        house.do(STAFF, HireStaff(person=person, name="P", roles=("administrator",)), AMY)
    house.close()
    with house.store.reading() as reading:
        signed = [record for record in reading.events("house") if record.kind == "heads_signed"]
    assert len(signed) == 3


def test_an_anchor_holds_every_stream_and_survives_a_file(tmp_path: Path) -> None:
    house = founded()
    house.do(STAFF, HireStaff(person="amy", name="Amy", roles=("administrator",)), AMY)
    anchor = house.anchor()
    assert [head.stream for head in anchor.heads] == ["house", STAFF]
    assert is_signed(anchor.public_key, anchor.signature, anchor.house, anchor.at, anchor.heads)
    file = tmp_path / "anchor.json"
    file.write_bytes(msgspec.json.encode(anchor))
    assert read_anchor(file) == anchor


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "other"}'])
def test_a_file_that_is_no_anchor_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "anchor.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError, match="is not an anchor"):
        read_anchor(file)
    with pytest.raises(BadInputError, match="cannot be read"):
        read_anchor(tmp_path / "missing.json")


def test_who_is_let_go_cannot_sign_in_any_more() -> None:
    house = founded()
    for person in ("amy", "bo"):
        house.do(STAFF, HireStaff(person=person, name="A", roles=("administrator",)), AMY)
    house.sign_in.set_password("staff", "bo", "a long enough word")
    token = house.sign_in.sign_in("staff", "bo", "a long enough word")
    assert isinstance(token, str)
    assert house.actor(token) == Actor("bo", "staff", ("administrator",))
    house.do(STAFF, DismissStaff(person="bo"), AMY)
    assert isinstance(house.actor(token), Refusal)
    assert isinstance(house.sign_in.sign_in("staff", "bo", "a long enough word"), Refusal)


def test_a_key_file_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "house.key"
    made = read_key(file, SeededEntropy(1))
    assert read_key(file).public == made.public
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text("no key", encoding="ascii")
    with pytest.raises(BadInputError, match="64 hexadecimal digits"):
        read_key(file)
    with pytest.raises(BadInputError, match="cannot be used"):
        read_key(tmp_path / "missing.key")


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("fourcard.db", "fourcard.db.key"),
        ("sqlite:///data/h.db", "data/h.db.key"),
        ("postgresql://host/base", "house.key"),
    ],
)
def test_a_key_lies_beside_its_database(url: str, file: str) -> None:
    assert key_beside(url) == Path(file)


def test_a_house_that_is_opened_and_closed_signs_nothing_anew(tmp_path: Path) -> None:
    url = str(tmp_path / "h.db")
    with open_house(url) as house:
        house.do(STAFF, HireStaff(person="amy", name="Amy", roles=("administrator",)), AMY)
    for _ in range(3):
        with open_house(url) as house, house.store.reading() as reading:
            assert reading.streams()["house"].sequence == 2


def test_a_key_that_is_lost_is_not_made_anew(tmp_path: Path) -> None:
    url = str(tmp_path / "h.db")
    open_house(url).close()
    key = tmp_path / "h.db.key"
    kept = key.read_text(encoding="ascii")
    key.unlink()
    for _ in range(2):
        with pytest.raises(BadInputError, match="cannot be used"):
            open_house(url)
    assert not key.exists()
    key.write_text(kept, encoding="ascii")
    open_house(url).close()


def test_a_house_in_a_file_goes_on_where_it_was(tmp_path: Path) -> None:
    url = str(tmp_path / "h.db")
    with open_house(url) as house:
        name = house.name
        house.do(STAFF, HireStaff(person="amy", name="Amy", roles=("administrator",)), AMY)
    with open_house(url) as house:
        assert house.name == name
        house.service.catch_up([STAFF])
        assert house.service.cache.staff().administrators() == ("amy",)

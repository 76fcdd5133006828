"""The desk against hostile and broken things: whatever one command or stream does, the others go on."""

import threading
from typing import Any

import msgspec
import pytest

from fourcard.house import decide_table
from fourcard.house.auth.identity import Actor
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.command_service import CommandService
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    CommitSeed,
    CountTray,
    Deposit,
    DismissStaff,
    FillTray,
    HireStaff,
    InstallTable,
    NotePassword,
    RegisterPlayer,
)
from fourcard.house.decision import STAFF, meter_stream, player_stream, table_stream
from fourcard.house.group_commit import GroupCommit
from fourcard.house.head_signatures import HouseKey
from fourcard.house.house import House
from fourcard.house.route_command import CommandResult, InternalError, Reply, Request
from fourcard.house.store.interface import Snapshot, StoreError
from fourcard.house.store.memory import MemoryStore
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import CorrectPayment, JudgeCount, PlaceWager, TakeSeat
from fourcard.table.commands import BringDeck, CloseTable, OpenTable
from tests.kit.houses import SEED_HASH, TestHouse, break_event, house_with, player, submission_text

MAIN = table_stream("main")
INNOCENT = Request(player_stream("bob"), Deposit(cents=1, role="supervisor"), BOT_STAFF)
SURROGATE = "a\ud800b"
HUGE = 10**5000


@pytest.mark.parametrize(
    "command",
    [
        FillTray(cents=1, slip=SURROGATE, role="supervisor"),
        FillTray(cents=HUGE, slip="F", role="supervisor"),
        FillTray(cents=1, slip="s" * 200_000, role="supervisor"),
        OpenTable(decks=(SURROGATE,), role="dealer"),
        BringDeck(back=SURROGATE, role="dealer"),
        CountTray(occasion="opening", cents=-HUGE, role="floorperson"),
        InstallTable(submission=SURROGATE),
        JudgeCount(stub=HUGE, hands={}),
        PlaceWager(position=HUGE, wager="ante", amount=HUGE, role="dealer"),
        CorrectPayment(position=1, wager="ante", handed=1, reason=SURROGATE, role="supervisor"),
        TakeSeat(position=1, player=SURROGATE, role="dealer"),
        BuyIn(player=SURROGATE, cents=1, role="dealer"),
    ],
)
@pytest.mark.parametrize("key", ["", "k"])
def test_what_no_journal_can_hold_is_refused_alone(command: Any, key: str) -> None:
    house = house_with()
    bad = Request(MAIN, msgspec.structs.replace(command, key=key), BOT_STAFF)
    first, second, third = house.service.execute([INNOCENT, bad, INNOCENT])
    assert isinstance(first, CommandResult)
    assert isinstance(second, Refusal)
    assert isinstance(third, CommandResult)


def test_a_fault_in_one_command_does_not_hinder_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    house = house_with()
    monkeypatch.setitem(decide_table._HOUSE_DECIDERS, FillTray, lambda *_given: 1 // 0)
    bad = Request(MAIN, FillTray(cents=1, slip="F", role="supervisor"), BOT_STAFF)
    before = house.balances()["player/bob"]
    first, second, third = house.service.execute([INNOCENT, bad, INNOCENT])
    assert isinstance(second, InternalError)
    assert isinstance(first, CommandResult)
    assert isinstance(third, CommandResult)
    assert house.balances()["player/bob"] == before + 2 * 10_000


@pytest.mark.parametrize("length", [80, 81])
def test_a_name_is_short_enough_to_be_read(length: int) -> None:
    house = TestHouse()
    house.staff()
    command = RegisterPlayer(name="x" * length)
    if length == 80:
        assert house.do(player_stream("eve"), command).events
    else:
        assert house.refused(player_stream("eve"), command).code is Code.WORD_UNFIT
    for name in ("a\x1b[2J", "a\nb", "a\0b"):
        assert house.refused(player_stream("fay"), RegisterPlayer(name=name)).code is Code.WORD_UNFIT


@pytest.mark.parametrize(("length", "fits"), [(100_000, True), (100_001, False)])
def test_a_command_is_as_long_as_the_journal_takes(length: int, fits: bool) -> None:
    house = house_with()
    empty = InstallTable(submission="", role="administrator", by=BOT_STAFF.person)
    command = msgspec.structs.replace(empty, submission="x" * (length - len(msgspec.json.encode(empty))))
    refused = house.refused(table_stream("next"), command).code
    assert (refused is not Code.COMMAND_UNWRITABLE) == fits


@pytest.mark.parametrize("meter", ["Bad Name", "a/b", "x" * 41])
def test_a_meter_has_a_plain_name(meter: str) -> None:
    house = house_with()
    command = InstallTable(
        submission=submission_text("washington-everything"), meter=meter, role="administrator"
    )
    assert house.refused(table_stream("next"), command).code is Code.ID_UNFIT
    assert house.refused(MAIN, CashOut(player=meter, cents=1, role="dealer")).code is Code.PLAYER_UNKNOWN


@pytest.mark.parametrize(("length", "fits"), [(40, True), (41, False)])
def test_a_slip_is_short(length: int, fits: bool) -> None:
    house = house_with()
    fill = FillTray(cents=1, slip="x" * length, role="supervisor")
    if fits:
        assert house.at("main", fill).events
    else:
        assert house.refused(MAIN, fill).code is Code.WORD_UNFIT


def test_invented_names_leave_nothing_behind() -> None:
    house = house_with()
    known = len(house.house_table("main").accounts.used_accounts)
    for number in range(50):
        command = CashOut(player=f"nobody{number}", cents=1, role="dealer")
        assert house.refused(MAIN, command).code is Code.PLAYER_UNKNOWN
    assert len(house.house_table("main").accounts.used_accounts) == known


@pytest.mark.clause("P25")
def test_a_dealer_alone_does_not_count_the_tray() -> None:
    house = house_with()
    house.do(STAFF, HireStaff(person="dot", name="Dot", roles=("dealer",)))
    dealer = Actor("dot", "staff", ("dealer",))
    house.at("main", CloseTable(), dealer)
    count = CountTray(occasion="closing", cents=0, role="dealer")
    assert house.refused(MAIN, count, dealer).code is Code.NOT_PERMITTED


@pytest.mark.clause("P25")
def test_a_password_is_noted_at_oneself() -> None:
    house = house_with()
    for actor, stream, person in (
        (player("crew"), STAFF, "crew"),
        (Actor("ann", "staff", ("dealer",)), player_stream("ann"), "ann"),
    ):
        role = "player" if actor.kind == "player" else "dealer"
        command = NotePassword(person=person, role=role)  # type: ignore[arg-type]
        assert house.refused(stream, command, actor).code is Code.NOT_YOUR_ACCOUNT
    own = NotePassword(person="ann", role="player")
    assert house.do(player_stream("ann"), own, player("ann")).events


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("wager_placed", {"position": 6}),
        ("round_began", {"deck": 9}),
        ("cards_dealt", {"to": 7}),
        ("wager_placed", {"kind": "nothing"}),
    ],
)
def test_a_stream_that_does_not_fold_hinders_nobody_else(kind: str, changes: dict[str, object]) -> None:
    house = house_with()
    house.play(house.rehearsal("main", ("ann", "bob")))
    break_event(house, MAIN, kind, changes)
    house.restart()
    seed = Request(MAIN, CommitSeed(player="ann", shuffle=1, hash=SEED_HASH), player("ann"))
    broken, fine = house.service.execute([seed, INNOCENT])
    assert isinstance(broken, StoreError)
    assert not isinstance(broken, InternalError)
    assert "audit" in str(broken)
    assert isinstance(fine, CommandResult)


@pytest.mark.parametrize("body", [b"{}", b"\xff"])
def test_a_game_that_cannot_be_read_hinders_nobody_else(body: bytes) -> None:
    house = house_with()
    house.restart()
    house.service.cache.game = lambda hash_: house.service.cache.cache_game(hash_, body)  # type: ignore[method-assign]
    seed = Request(MAIN, CommitSeed(player="ann", shuffle=1, hash=SEED_HASH), player("ann"))
    broken, fine = house.service.execute([seed, INNOCENT])
    assert isinstance(broken, StoreError)
    assert not isinstance(broken, InternalError)
    assert isinstance(fine, CommandResult)


def test_a_repeat_of_a_record_that_cannot_be_read_is_told() -> None:
    house = house_with()
    seed = CommitSeed(player="ann", shuffle=1, hash=SEED_HASH, key="k")
    house.at("main", seed, player("ann"))
    break_event(house, MAIN, "seed_committed", {"kind": "nothing"})
    again, fine = house.service.execute([Request(MAIN, seed, player("ann")), INNOCENT])
    assert isinstance(again, StoreError)
    assert isinstance(fine, CommandResult)


@pytest.mark.parametrize("changes", [{"active": 7}, {"method": "nothing"}, {"decks": []}, {"number": "x"}])
def test_a_snapshot_that_leads_nowhere_is_passed_over(
    changes: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fourcard.house.unit_of_work.SNAPSHOT_EVERY", 30)
    house = house_with("washington-everything")
    house.play(house.rehearsal("main", ("ann", "bob")), 6)
    before = house.house_table("main")
    for stream, other in ((MAIN, changes), (meter_stream("main"), {"rate": "x/0"})):
        with house.store.writing() as writing:
            kept = writing.snapshot(stream)
            assert kept is not None or stream != MAIN
            if kept is not None:
                body = msgspec.json.encode({**msgspec.json.decode(kept.body), **other})
                writing.keep_snapshot(Snapshot(stream, kept.sequence, body))
    house.restart()
    assert house.house_table("main") == before
    house.play(house.rehearsal("main", ("ann", "bob"), keys="on"))


def test_looking_at_a_table_from_another_thread_disturbs_nothing() -> None:
    house = house_with()
    writer, stop = GroupCommit(house.service), threading.Event()
    failures: list[BaseException] = []

    def look() -> None:
        try:
            while not stop.is_set():
                house.service.table("main")
                house.service.staff()
        except BaseException as error:  # noqa: BLE001  told by the thread that waits
            failures.append(error)

    readers = [threading.Thread(target=look) for _ in range(2)]
    for each in readers:
        each.start()
    bots = house.rehearsal("main", ("ann", "bob"))
    for _ in range(600):
        request = bots.next(house.service.table("main"))
        writer.do(request.stream, request.command, request.actor)
    stop.set()
    for each in readers:
        each.join()
    writer.close()
    assert not failures
    fresh = CommandService(house.store, house.clock, house.entropy)
    assert fresh.table("main") == house.house_table("main")


def test_a_reply_that_cannot_be_given_does_not_stop_the_writer(caplog: pytest.LogCaptureFixture) -> None:
    house = house_with()
    writer = GroupCommit(house.service, task_interval=1, task=lambda: 1 // 0)
    told: list[Reply] = []

    def closed(_reply: Reply) -> None:
        raise RuntimeError("Event loop is closed")

    writer.submit(INNOCENT, closed)
    for _ in range(3):
        writer.submit(INNOCENT, told.append)
    writer.do(INNOCENT.stream, INNOCENT.command, BOT_STAFF)
    writer.close()
    assert len(told) == 3
    assert "A reply callback failed." in caplog.text
    assert "will run again" in caplog.text


def founded() -> House:
    """Return a house with a crew and two administrators."""
    house = House(MemoryStore(), HouseKey(bytes(32)), SimulatedClock(), SeededEntropy(1))
    house.do(STAFF, HireStaff(person=BOT_STAFF.person, name="Crew", roles=BOT_STAFF.roles), BOT_STAFF)
    for person in ("amy", "bo"):
        house.do(STAFF, HireStaff(person=person, name="A", roles=("administrator",)), BOT_STAFF)
    return house


def test_letting_somebody_go_ends_the_sign_ins_in_the_same_commit() -> None:
    house = founded()
    house.sign_in.set_password("staff", "bo", "a long enough word")
    token = house.sign_in.sign_in("staff", "bo", "a long enough word")
    assert isinstance(token, str)
    dismissal = DismissStaff(person="bo", key="once")
    house.service.do(STAFF, dismissal, Actor("amy", "staff", ("administrator",)))
    other = House(house.store, HouseKey(bytes(32)), SimulatedClock(), SeededEntropy(2))
    assert isinstance(other.actor(token), Refusal)
    other.do(STAFF, HireStaff(person="bo", name="Bo", roles=("dealer",)), BOT_STAFF)
    assert isinstance(other.actor(token), Refusal)
    assert isinstance(other.sign_in.sign_in("staff", "bo", "a long enough word"), Refusal)
    other.sign_in.set_password("staff", "bo", "another long word")
    assert other.do(STAFF, dismissal, Actor("amy", "staff", ("administrator",))).repeated
    assert isinstance(other.sign_in.sign_in("staff", "bo", "another long word"), str)


def test_a_dismissal_ends_the_sign_ins_that_another_process_has_issued() -> None:
    house = founded()
    other = House(house.store, HouseKey(bytes(32)), SimulatedClock(), SeededEntropy(2))
    house.sign_in.set_password("staff", "bo", "a long enough word")
    assert isinstance(house.sign_in.sign_in("staff", "bo", "a long enough word"), str)
    other.service.do(STAFF, DismissStaff(person="bo"), Actor("amy", "staff", ("administrator",)))
    state = house.service.security_state()
    assert (state.password("staff", "bo"), state.tokens_of("staff", "bo")) == ("", [])


def test_a_token_gives_the_roles_that_its_person_has_now() -> None:
    house = founded()
    house.do(player_stream("ann"), RegisterPlayer(name="Ann"), BOT_STAFF)
    for kind, person in (("staff", "bo"), ("player", "ann")):
        house.sign_in.set_password(kind, person, "a long enough word")  # type: ignore[arg-type]
    staff = house.sign_in.sign_in("staff", "bo", "a long enough word")
    guest = house.sign_in.sign_in("player", "ann", "a long enough word")
    assert isinstance(staff, str)
    assert isinstance(guest, str)
    assert house.actor(staff) == Actor("bo", "staff", ("administrator",))
    assert house.actor(guest) == Actor("ann", "player")
    assert isinstance(house.actor("nothing"), Refusal)

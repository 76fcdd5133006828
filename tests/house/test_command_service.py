"""The desk: one command one commit, keys, permissions, broken streams, clocks, and what a crash leaves."""

from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fourcard.house.auth.identity import Actor
from fourcard.house.auth.security import security_notes
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.commands import (
    BuyIn,
    CashOut,
    CommitSeed,
    Deposit,
    FillTray,
    HireStaff,
    InstallTable,
    RegisterPlayer,
)
from fourcard.house.decision import STAFF, meter_stream, player_stream, table_stream
from fourcard.house.route_command import CommandResult, Request, cite_own_rulebook, is_repeat, streams_of
from fourcard.house.store.interface import StoreError
from fourcard.house.store.memory import MemoryStore
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from fourcard.round.commands import PlaceWager
from fourcard.table.commands import CloseTable
from tests.kit.faulty_store import FaultyStore
from tests.kit.houses import SEED_HASH, TestHouse, house_with, player, submission_text

MAIN = table_stream("main")


def test_a_repeated_command_answers_the_same_and_changes_nothing() -> None:
    house = house_with()
    fill = FillTray(cents=10_000, slip="F7", role="supervisor", key="once")
    first = house.at("main", fill)
    before, balances = house.heads(), house.balances()
    again = house.at("main", fill)
    assert (again.first_sequence, again.events) == (first.first_sequence, first.events)
    assert (first.repeated, again.repeated) == (False, True)
    assert (house.heads(), house.balances()) == (before, balances)


def test_a_command_that_version_0_1_stored_is_known_again_by_its_digest() -> None:
    fill = FillTray(cents=10_000, slip="F7", role="supervisor", key="once", by="sam", at=5)
    digest = sha256(msgspec.json.encode(replace(fill, at=0))).hexdigest()
    with house_with().store.reading() as reading:
        stored = replace(next(reading.records(MAIN)), command=None, digest=digest)
    assert is_repeat(replace(fill, at=9), stored, None)
    assert not is_repeat(replace(fill, cents=9_999), stored, None)


def test_a_repeated_command_answers_the_same_after_a_crash() -> None:
    house = house_with()
    fill = FillTray(cents=10_000, slip="F7", role="supervisor", key="once")
    first = house.at("main", fill)
    house.restart()
    again = house.at("main", fill)
    assert (again.first_sequence, again.events, again.repeated) == (first.first_sequence, first.events, True)


def test_a_command_repeated_in_the_same_group_takes_effect_once() -> None:
    house = house_with()
    fill = FillTray(cents=10_000, slip="F7", role="supervisor", key="once")
    before = house.balances()["tray/main"]
    one, other = house.service.execute([Request(MAIN, fill, BOT_STAFF)] * 2)
    assert isinstance(one, CommandResult)
    assert isinstance(other, CommandResult)
    assert (one.first_sequence, one.events, one.repeated, other.repeated) == (
        other.first_sequence,
        other.events,
        False,
        True,
    )
    assert house.balances()["tray/main"] == before + 10_000 * 10_000


@pytest.mark.parametrize(
    "other",
    [
        FillTray(cents=10_001, slip="F7", role="supervisor", key="once"),
        FillTray(cents=10_000, slip="F8", role="supervisor", key="once"),
        CloseTable(role="dealer", key="once"),
    ],
)
def test_the_same_key_with_another_body_is_refused(other: Any) -> None:
    house = house_with()
    house.at("main", FillTray(cents=10_000, slip="F7", role="supervisor", key="once"))
    assert house.refused(MAIN, other).code is Code.KEY_REUSED


def test_the_same_key_of_another_person_is_refused() -> None:
    house = house_with()
    house.at("main", CommitSeed(player="ann", shuffle=1, hash=SEED_HASH, key="once"), player("ann"))
    refusal = house.refused(
        MAIN, CommitSeed(player="bob", shuffle=1, hash=SEED_HASH, key="once"), player("bob")
    )
    assert refusal.code is Code.KEY_REUSED


def test_a_key_belongs_to_its_stream() -> None:
    house = house_with()
    house.at("main", CommitSeed(player="ann", shuffle=1, hash=SEED_HASH, key="once"), player("ann"))
    deposit = Deposit(cents=500, role="supervisor", key="once")
    assert not house.do(player_stream("ann"), deposit).repeated


def test_a_refused_command_has_not_used_its_key() -> None:
    house = house_with()
    early = PlaceWager(position=1, wager="ante", amount=2500, key="k1")
    assert house.refused(MAIN, early, player("ann")).code is Code.NO_ROUND
    bots = house.rehearsal("main", ("ann", "bob"))
    while house.between("main"):
        house.step(bots)
    assert not house.at("main", early, player("ann")).repeated


@pytest.mark.parametrize(("key", "fits"), [("k" * 100, True), ("k" * 101, False), ("a\nb", False)])
def test_a_key_is_short_and_printable(key: str, fits: bool) -> None:
    house = house_with()
    fill = FillTray(cents=100, slip="F", role="supervisor", key=key)
    if fits:
        assert house.at("main", fill).events
    else:
        assert house.refused(MAIN, fill).code is Code.KEY_UNFIT


def test_what_a_person_may_not_do_is_noted_and_never_reaches_a_stream() -> None:
    house = house_with()
    dealer = Actor("dot", "staff", ("dealer",))
    fill = FillTray(cents=100, slip="F", role="supervisor")
    assert house.refused(MAIN, fill, dealer).code is Code.ROLE_NOT_HELD
    mine = CashOut(player="ann", cents=100)
    assert house.refused(MAIN, mine, player("bob")).code is Code.NOT_YOUR_ACCOUNT
    with house.store.reading() as reading:
        notes = [(note.by, note.what) for note in security_notes(reading)]
    assert notes == [("bob", "cash_out"), ("dot", "fill_tray")]


def test_a_command_of_another_stream_is_refused() -> None:
    house = house_with()
    for stream, command in (
        (player_stream("ann"), CloseTable()),
        (MAIN, RegisterPlayer(name="Ann")),
        ("nowhere", CloseTable()),
        ("house", CloseTable()),
        ("staff/x", HireStaff(person="eve", name="Eve", roles=("dealer",))),
        ("meter/main", CloseTable()),
    ):
        assert house.refused(stream, command).code is Code.COMMAND_FOREIGN, stream


@pytest.mark.parametrize("name", ["", "Main", "a b", "../x", "x" * 41])
def test_a_stream_that_nothing_can_be_called_is_refused(name: str) -> None:
    house = house_with()
    assert house.refused(table_stream(name), CloseTable()).code is Code.ID_UNFIT
    assert house.refused(player_stream(name), RegisterPlayer(name="A")).code is Code.ID_UNFIT
    assert house.refused(MAIN, BuyIn(player=name, cents=1), Actor(name, "player")).code is Code.PLAYER_UNKNOWN


def test_an_unknown_table_is_refused() -> None:
    house = house_with()
    assert house.refused(table_stream("other"), CloseTable()).code is Code.NO_SUCH_TABLE


def test_a_name_that_nothing_can_be_called_names_no_stream() -> None:
    own = meter_stream("main")
    for name, others in (("ann", (player_stream("ann"),)), ("../x", ())):
        assert streams_of(Request(MAIN, BuyIn(player=name, cents=1), BOT_STAFF)) == (MAIN, *others)
    for meter, others in (("link", (meter_stream("link"),)), ("", (own,)), ("../x", ())):
        install = InstallTable(submission="", meter=meter)
        assert streams_of(Request(MAIN, install, BOT_STAFF)) == (MAIN, *others)


def test_a_refusal_at_a_table_cites_its_own_rulebook_and_policies() -> None:
    house = TestHouse()
    house.at("main", InstallTable(submission=submission_text("maryland")))
    table = house.house_table("main")
    several = Refusal(Code.NO_ROUND, "No round.", ("MA-1-ANTE", "MD-02C1", "P26", "R55"))
    foreign = Refusal(Code.NO_ROUND, "No round.", ("MA-1-ANTE",))
    for state, kept in ((table, ("MD-02C1", "P26", "R55")), (None, ("P26", "R55"))):
        assert cite_own_rulebook(several, MAIN, state).clauses == kept
        assert cite_own_rulebook(foreign, MAIN, state).clauses == ("P25",)
    assert cite_own_rulebook(several, STAFF, table) == several


def test_commands_of_one_group_see_what_the_ones_before_left() -> None:
    house = house_with(players=("ann",))
    held = house.house_table("main").chips("ann")
    out = CashOut(player="ann", cents=held)
    one, other = house.service.execute([Request(MAIN, out, player("ann"))] * 2)
    assert isinstance(one, CommandResult)
    assert isinstance(other, Refusal)
    assert other.code is Code.CHIPS_SHORT


def test_a_refusal_in_a_group_does_not_hinder_the_others() -> None:
    house = house_with(players=("ann",))
    good = BuyIn(player="ann", cents=100)
    bad = BuyIn(player="ann", cents=10**11)
    replies = house.service.execute([Request(MAIN, each, player("ann")) for each in (good, bad, good)])
    assert [type(reply).__name__ for reply in replies] == ["CommandResult", "Refusal", "CommandResult"]


def test_a_clock_that_is_set_back_does_not_stop_a_table() -> None:
    house = house_with()
    bots = house.rehearsal("main", ("ann", "bob"))
    house.play(bots)
    house.clock.at += 60_000
    house.play(bots)
    begun = house.clock.at
    house.clock.at -= 10**9
    house.play(bots)
    with house.store.reading() as reading:
        moments = [record.at for record in reading.events(MAIN)]
    assert house.number("main") == 3
    assert moments[-1] == begun


def test_the_moment_is_the_desks_whatever_a_command_says() -> None:
    house = house_with()
    house.at("main", CommitSeed(player="ann", shuffle=1, hash=SEED_HASH, at=10**18, key="k"), player("ann"))
    with house.store.reading() as reading:
        assert [*reading.events(MAIN)][-1].at == house.clock.now()
    assert house.at(
        "main", CommitSeed(player="ann", shuffle=1, hash=SEED_HASH, at=5, key="k"), player("ann")
    ).repeated


POINTS = (
    "begin",
    "lock_exclusive",
    "append:before",
    "append:after",
    "post:before",
    "post:after",
    "commit:before",
)


@pytest.mark.parametrize("point", POINTS)
def test_a_store_that_fails_changes_nothing_and_the_same_command_can_be_tried_again(point: str) -> None:
    failing = [False]
    faulty = FaultyStore(MemoryStore(), lambda where: failing[0] and where == point)
    house = _ready(faulty)
    before, balances = house.heads(), house.balances()
    failing[0] = True
    buy = BuyIn(player="ann", cents=100, key="once")
    with pytest.raises(StoreError):
        house.at("main", buy, player("ann"))
    failing[0] = False
    assert (house.heads(), house.balances()) == (before, balances)
    assert not house.at("main", buy, player("ann")).repeated


def test_a_commit_whose_answer_was_lost_is_answered_when_asked_again() -> None:
    failing = [False]
    faulty = FaultyStore(MemoryStore(), lambda where: failing[0] and where == "commit:after")
    house = _ready(faulty)
    chips = house.house_table("main").chips("ann")
    failing[0] = True
    buy = BuyIn(player="ann", cents=100, key="once")
    with pytest.raises(StoreError):
        house.at("main", buy, player("ann"))
    failing[0] = False
    assert house.at("main", buy, player("ann")).repeated
    assert house.house_table("main").chips("ann") == chips + 100


@pytest.mark.parametrize("point", ["view", "streams", "snapshot", "records", "game"])
def test_a_store_that_fails_while_a_table_is_looked_up_leaves_nothing_half_known(point: str) -> None:
    failing = [False]
    faulty = FaultyStore(MemoryStore(), lambda where: failing[0] and where == point)
    house = TestHouse(faulty)
    house.staff()
    house.register("ann", "bob")
    house.install("main", "maryland-everything")
    house.open("main")
    house.seat("main", ["ann", "bob"])
    bots = house.rehearsal("main", ("ann", "bob"))
    for _ in range(160):
        request = bots.next(house.house_table("main"))
        house.restart()
        failing[0] = True
        (reply,) = house.service.execute([request])
        assert isinstance(reply, StoreError)
        failing[0] = False
        house.do(request.stream, request.command, request.actor)
    assert house.number("main") >= 2


def test_a_table_that_another_desk_linked_to_another_meter_is_read_anew() -> None:
    house = house_with("washington-everything", ("ann", "bob"))
    other = TestHouse(house.store)
    other.at("main", CloseTable())
    other.install("main", "washington-everything", meter="other")
    bots = house.rehearsal("main", ("ann", "bob"))
    house.at("main", FillTray(cents=100, slip="F", role="supervisor"))
    assert house.house_table("main").meter == "other"
    house.play(bots, 2)
    assert house.service.cache.meter("other").amounts.amount > 0


def _ready(store: Any) -> TestHouse:
    house = TestHouse(store)
    house.staff()
    house.register("ann")
    house.install("main")
    house.open("main")
    house.seat("main", ["ann"])
    return house


def test_two_desks_on_one_store_follow_each_other() -> None:
    house = house_with()
    other = TestHouse(house.store)
    bots = house.rehearsal("main", ("ann", "bob"))
    other.at("main", BuyIn(player="ann", cents=700), player("ann"))
    for _ in range(300):
        request = bots.next(house.house_table("main"))
        acting = other if bots.commands % 3 == 0 else house
        acting.do(request.stream, request.command, request.actor)
        house.at("main", FillTray(cents=1, slip="F", role="supervisor"))
    other.at("main", FillTray(cents=1, slip="F", role="supervisor"))
    house.at("main", FillTray(cents=1, slip="F", role="supervisor"))
    other.at("main", FillTray(cents=1, slip="F", role="supervisor"))
    assert other.number("main") == house.number("main") >= 2


def test_a_restart_at_every_command_plays_the_same_game() -> None:
    """Interrupt rounds everywhere: what comes back is what stood there."""
    steady, shaken = (house_with("maryland-everything", ("ann", "bob", "cal")) for _ in range(2))
    steady_bots, shaken_bots = (
        each.rehearsal("main", ("ann", "bob", "cal"), seed=3) for each in (steady, shaken)
    )
    for _ in range(400):
        steady.step(steady_bots)
        request = shaken_bots.next(shaken.house_table("main"))
        shaken.restart()
        shaken.do(request.stream, request.command, request.actor)
        assert shaken.house_table("main") == steady.house_table("main")
    assert _journal(steady) == _journal(shaken)


def _journal(house: TestHouse) -> list[bytes]:
    with house.store.reading() as reading:
        return [record.hash for name in reading.journal_streams() for record in reading.events(name)]


def test_a_stream_that_cannot_be_read_hinders_nobody_else() -> None:
    house = house_with()
    house.install("other")
    house.service.cache.forget([MAIN, table_stream("other")])
    with house.store.writing() as writing:
        secret = writing.secret(MAIN, 1)
        assert secret is not None
        writing.forget_secrets([(MAIN, 1)])
    bots = house.rehearsal("main", ("ann", "bob"))
    house.commit_seed("main", "ann")
    with pytest.raises(StoreError, match="secret of shuffle 1"):
        house.play(bots)
    fill = FillTray(cents=100, slip="F", role="supervisor")
    assert house.at("other", fill).events

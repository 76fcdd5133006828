"""Commands decided while the commit before them is under way: order, failures, keys and readers."""

import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from fourcard.house import group_commit
from fourcard.house.account_state import AccountState
from fourcard.house.audit.auditor import audit
from fourcard.house.autopilot import BOT_STAFF
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.command_service import CommandService
from fourcard.house.commands import Deposit, HireStaff, RegisterPlayer, Withdraw
from fourcard.house.decision import STAFF, player_stream
from fourcard.house.head_signatures import HouseKey
from fourcard.house.house import House
from fourcard.house.route_command import CommandResult, Reply, Request
from fourcard.house.store.interface import StoreError
from fourcard.house.store.sqlite import open_sqlite
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from tests.kit.faulty_store import FaultyStore
from tests.kit.waiting import wait_until

ANN = player_stream("ann")
MONEY = 100_00
COMMITTER = "fourcard-commit"


def deposit(cents: int, key: str = "") -> Request:
    return Request(ANN, Deposit(cents=cents, role="supervisor", key=key), BOT_STAFF)


def withdraw(cents: int, key: str = "") -> Request:
    return Request(ANN, Withdraw(cents=cents, role="supervisor", key=key), BOT_STAFF)


class Ahead:
    """A house in a file whose writer decides one command during the commit of the one before."""

    def __init__(self, folder: Path) -> None:
        """Register a player with money, and let commits of the second thread stop where a test wants it."""
        self.fails: Callable[[str], bool] = lambda _point: False
        self.go_on, self.stopped = threading.Event(), threading.Event()
        self.go_on.set()
        self.store = FaultyStore(open_sqlite(folder / "house.db", writing=True), self._plan)
        self.house = House(self.store, HouseKey(bytes(range(32))), SimulatedClock(), SeededEntropy(1))
        self.service, self.writer = self.house.service, self.house.group_commit
        hired = HireStaff(person="crew", name="Crew", roles=BOT_STAFF.roles)
        self.house.do(STAFF, hired, BOT_STAFF)
        self.house.do(ANN, RegisterPlayer(name="Ann"), BOT_STAFF)
        self.house.do(ANN, Deposit(cents=MONEY, role="supervisor"), BOT_STAFF)
        self.replies: list[tuple[int, Reply]] = []

    def _plan(self, point: str) -> bool:
        if not threading.current_thread().name.startswith(COMMITTER):
            return False
        if point == "commit:before":
            self.stopped.set()
            self.go_on.wait()
        return self.fails(point)

    def hold(self) -> None:
        """Stop the next commit of the second thread before its end."""
        self.stopped.clear()
        self.go_on.clear()

    def submit(self, *requests: Request) -> None:
        """Submit commands together; their replies are noted by number."""
        numbers = iter(range(len(requests)))
        self.writer._enqueue(requests, lambda reply: self.replies.append((next(numbers), reply)))

    def all_replies(self, count: int) -> list[Reply]:
        """Return the replies once all are there, in the order of the commands."""
        wait_until(lambda: len(self.replies) == count)
        return [reply for _, reply in self.replies]

    def cents(self) -> int:
        """Return the player's money as it is stored."""
        account, _ = CommandService(self.store, SimulatedClock(), SeededEntropy(1)).committed_state(ANN)
        assert isinstance(account, AccountState)
        return account.cents

    def close(self) -> None:
        """Close the writer; the journal must be sound."""
        self.go_on.set()
        self.writer.close()
        self.house.sign()
        report = audit(self.store)
        assert report.clean, report.findings
        self.store.close()


@pytest.fixture
def ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ahead]:
    monkeypatch.setattr(group_commit, "MAX_IN_BATCH", 1)
    ahead = Ahead(tmp_path)
    yield ahead
    ahead.close()


def test_a_command_is_decided_during_the_commit_before_it_and_answered_after_its_own(ahead: Ahead) -> None:
    ahead.hold()
    ahead.submit(deposit(1), deposit(2), deposit(3))
    assert ahead.stopped.wait(10)
    wait_until(lambda: ahead.service.cache.player("ann").cents == MONEY + 3)
    assert ahead.replies == []
    assert ahead.cents() == MONEY
    ahead.go_on.set()
    first, second, third = ahead.all_replies(3)
    assert isinstance(first, CommandResult)
    assert isinstance(third, CommandResult)
    assert third.first_sequence == first.first_sequence + 2
    assert isinstance(second, CommandResult)
    assert ahead.cents() == MONEY + 6


def test_who_reads_a_state_waits_for_the_commit_that_it_is_from(ahead: Ahead) -> None:
    ahead.hold()
    ahead.submit(deposit(1), deposit(2))
    assert ahead.stopped.wait(10)
    seen: list[int] = []

    def read() -> None:
        account, _ = ahead.service.committed_state(ANN)
        assert isinstance(account, AccountState)
        seen.append(account.cents)

    reader = threading.Thread(target=read)
    reader.start()
    reader.join(0.2)
    assert seen == []
    ahead.go_on.set()
    reader.join(10)
    assert len(seen) == 1
    ahead.all_replies(2)
    assert seen[0] in {MONEY + 1, MONEY + 3}


@pytest.mark.parametrize(
    "point", ["begin", "lock_exclusive", "append:before", "append:after", "commit:before"]
)
def test_after_a_failed_commit_the_next_command_is_decided_again(ahead: Ahead, point: str) -> None:
    failures = iter([True])
    ahead.fails = lambda name: name == point and next(failures, False)
    ahead.submit(withdraw(MONEY), withdraw(MONEY), deposit(5))
    failed, again, last = ahead.all_replies(3)
    assert isinstance(failed, StoreError)
    assert isinstance(again, CommandResult), again
    assert isinstance(last, CommandResult)
    assert ahead.cents() == 5


def test_a_lost_answer_does_not_repeat_what_was_stored(ahead: Ahead) -> None:
    failures = iter([True])
    ahead.fails = lambda name: name == "commit:after" and next(failures, False)
    ahead.submit(withdraw(MONEY, "w"), withdraw(MONEY, "w"), withdraw(1))
    lost, repeated, short = ahead.all_replies(3)
    assert isinstance(lost, StoreError)
    assert isinstance(repeated, CommandResult)
    assert repeated.repeated
    assert isinstance(short, Refusal)
    assert ahead.cents() == 0


def test_a_key_of_the_commit_under_way_is_known(ahead: Ahead) -> None:
    ahead.hold()
    ahead.submit(withdraw(MONEY, "k"), withdraw(MONEY, "k"), deposit(2, "k"))
    assert ahead.stopped.wait(10)
    ahead.go_on.set()
    first, repeated, other = ahead.all_replies(3)
    assert isinstance(first, CommandResult)
    assert isinstance(repeated, CommandResult)
    assert (first.repeated, repeated.repeated) == (False, True)
    assert repeated.first_sequence == first.first_sequence
    assert isinstance(other, Refusal)
    assert other.code is Code.KEY_REUSED
    assert ahead.cents() == 0


def test_what_another_service_wrote_meanwhile_is_noticed(ahead: Ahead) -> None:
    other = CommandService(ahead.store, SimulatedClock(), SeededEntropy(2))
    other.committed_state(ANN)
    written = threading.Event()

    def write_first(name: str) -> bool:
        if name == "begin" and not written.is_set():
            written.set()
            (reply,) = other.execute([withdraw(MONEY)])
            assert isinstance(reply, CommandResult)
        return False

    ahead.fails = write_first
    ahead.submit(withdraw(MONEY), deposit(7))
    short, last = ahead.all_replies(2)
    assert written.is_set()
    assert isinstance(short, Refusal)
    assert short.code is Code.ACCOUNT_SHORT
    assert isinstance(last, CommandResult)
    assert ahead.cents() == 7


@pytest.mark.parametrize("every", [7, 11, 13, 17, 23])
def test_nothing_is_lost_or_done_twice_when_commits_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    points = count(1)
    monkeypatch.setattr(group_commit, "MAX_IN_BATCH", 3)
    ahead = Ahead(tmp_path)
    ahead.fails = lambda _name: next(points) % every == 0
    requests = [deposit(1 << number, f"k{number}") for number in range(30)]
    ahead.submit(*requests)
    done = ahead.all_replies(len(requests))
    ahead.fails = lambda _name: False
    assert {type(each) for each in done} == {CommandResult, StoreError}
    repeated = ahead.writer.submit_and_wait(requests)
    for before, after in zip(done, repeated, strict=True):
        assert isinstance(after, CommandResult)
        assert after.repeated or not isinstance(before, CommandResult)
    assert ahead.cents() == MONEY + (1 << len(requests)) - 1
    ahead.close()

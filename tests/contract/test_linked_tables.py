"""Tables of several processes on one meter: near-simultaneous wins of all of it, each in its order."""

import subprocess
import sys
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from fourcard.house.audit.auditor import audit
from fourcard.house.decision import meter_stream
from fourcard.house.events import AwardLogged, ContributionsAdded
from fourcard.house.store.address import open_store
from fourcard.house.store.interface import Store
from tests.contract.linked_play import METER, READY, ProcessTables, set_up_house, tables_per_process
from tests.contract.records import ROOT
from tests.kit.postgres import Server
from tests.kit.waiting import PROCESS_PATIENCE
from tests.storm.checks import checking_observer
from tests.storm.counts import Counts

TABLES = tuple(f"t{number}" for number in range(6))
PROCESSES = 3
ROUNDS = 5


def test_processes_on_one_meter_lose_no_stake_and_order_every_win(postgres: Server) -> None:
    address = postgres.emptied()
    store = open_store(address)
    set_up_house(store, TABLES)
    _play_in_processes(address, [*tables_per_process(TABLES, PROCESSES)])
    _check(store)
    store.close()


def test_threads_on_one_file_lose_no_stake_and_order_every_win(tmp_path: Path) -> None:
    store = open_store(tmp_path / "house.db")
    set_up_house(store, TABLES)
    _play_in_threads(store, [*tables_per_process(TABLES, PROCESSES)])
    _check(store)
    store.close()


def _play_in_processes(address: str, each_plays: Sequence[Sequence[str]]) -> None:
    """Let processes open the house, and begin all of them at one word."""
    pipe = subprocess.PIPE
    commands = [
        [sys.executable, "-m", "tests.contract.linked_play", address, str(seed), str(ROUNDS), *tables]
        for seed, tables in enumerate(each_plays)
    ]
    running = [
        subprocess.Popen(each, cwd=ROOT, text=True, stdin=pipe, stdout=pipe, stderr=pipe) for each in commands
    ]
    try:
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == READY
        for process in running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in running:
            _, errors = process.communicate(timeout=PROCESS_PATIENCE)
            assert process.returncode == 0, errors
    finally:
        for process in running:
            process.kill()
            process.wait()


def _play_in_threads(store: Store, each_plays: Sequence[Sequence[str]]) -> None:
    """Let threads play, each at a desk of its own."""
    failures = list[BaseException]()
    start = threading.Barrier(len(each_plays))

    def play(seed: int, tables: Sequence[str]) -> None:
        share = ProcessTables(store, tables, seed)
        start.wait()
        try:
            share.play(ROUNDS)
        except BaseException as error:  # noqa: BLE001  told by the thread that waits
            failures.append(error)

    threads = [threading.Thread(target=play, args=each) for each in enumerate(each_plays)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PROCESS_PATIENCE)
    assert not failures


def _check(store: Store) -> None:
    """Find every stake added once, every win numbered and priced, the law kept, and nothing to be found."""
    observer = checking_observer(Counts())
    with store.reading() as reading:
        new_events = observer.read_new(reading)
    events = [each.event for each in new_events[meter_stream(METER)]]
    assert {each.table for each in events if isinstance(each, ContributionsAdded)} == {*TABLES}
    _check_wins(events)
    meter = observer.meter(METER)
    assert (meter.unpaid_wins, meter.owed) == ((), 0)
    report = audit(store)
    assert report.clean, report.findings
    assert report.counts.events == sum(head.sequence for head in observer.heads.values())


def _check_wins(events: Sequence[object]) -> None:
    """Find wins in one order over all tables, each of the whole meter leaving the seed to the next one."""
    wins = [event for event in events if isinstance(event, AwardLogged)]
    whole = [win for win in wins if win.payment.whole_meter]
    assert [win.number for win in wins] == [*range(1, len(wins) + 1)]
    assert [win.payment.wins_before for win in whole] == [*range(len(whole))]
    assert len(whole) >= len(TABLES)
    assert all(win.payment.amount == win.before > 0 for win in whole)
    assert len({win.table for win in whole}) >= len(TABLES) // 2
    players = [TABLES.index(win.table) % PROCESSES for win in wins]
    assert sum(one != other for one, other in pairwise(players)) >= 2 * PROCESSES
    assert all(win.marked_by != win.confirmed_by for win in wins)

"""Report processes: the same answers from a process of its own, within limits, gone with its server."""

import os
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest

from fourcard.house.commands import HireStaff
from fourcard.house.decision import STAFF
from fourcard.house.house import open_house
from fourcard.house.reports.event_scan import Period
from fourcard.house.store.address import open_store
from fourcard.house.store.backup import copy_house
from fourcard.refusals import RefusedError
from fourcard.server.api.house import balance_page, meters_page, security_page, wins_page
from fourcard.server.api.report_process import ReportError, ReportLimits, ReportProcess, Reports, reports_of
from fourcard.server.api.round_index import Histories
from fourcard.server.api.rounds import export_lines, round_details
from tests.kit.audited_houses import original
from tests.kit.waiting import PROCESS_PATIENCE
from tests.server.processes import CREW, ServeProcess, create_hosted_house

PAGES: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = (
    (balance_page, (5, None)),
    (meters_page, (50, None)),
    (wins_page, (None, None, Period(), 50, None)),
    (security_page, (0, 50)),
    (round_details, (None, "one", 1)),
    (round_details, ("ann", "one", 2)),
)


@pytest.fixture
def reports(new_address: str) -> Iterator[Reports]:
    """Return the report processes of a house in which everything happened once."""
    store = open_store(new_address)
    copy_house(original().memory, store)
    found = reports_of(Histories(store))
    yield found
    found.stop()
    store.close()


def children(of: int) -> set[int]:
    """Return the processes that a process has started and that have not ended."""
    found = set[int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == of and state != "Z":
            found.add(int(stat.parent.name))
    return found


def wait_for_end(process: int) -> None:
    """Wait until a process has ended."""
    until = time.monotonic() + PROCESS_PATIENCE
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            threads = len([*Path(f"/proc/{process}/task").iterdir()])
        except OSError:
            return
        if state == "Z" and threads <= 1:
            return
        time.sleep(0.01)
    raise AssertionError(f"process {process} is still there")


def test_a_process_answers_as_the_house_itself_would(reports: Reports) -> None:
    memory = reports_of(Histories(original().memory))
    before = children(os.getpid())
    for report, given in PAGES:
        assert reports.pages.run(report, *given) == memory.pages.run(report, *given)
    (process,) = children(os.getpid()) - before
    with (
        reports.exports.write_file(export_lines, None, "ann") as found,
        memory.exports.write_file(export_lines, None, "ann") as right,
    ):
        lines = right.read()
        assert len(lines.splitlines()) > 2
        assert found.read() == lines
    assert children(os.getpid()) - before == {process}, "an export's process ends with it"
    with pytest.raises(RefusedError, match="There is no meter 'nowhere'"):
        reports.pages.run(wins_page, "nowhere", None, Period(), 50, None)
    with pytest.raises(ReportError, match="TypeError"):
        reports.pages.run(wins_page)  # type: ignore[call-arg]
    os.kill(process, signal.SIGKILL)
    wait_for_end(process)
    assert reports.pages.run(balance_page, 5, None).sum == 0
    reports.stop()
    assert children(os.getpid()) == before
    with pytest.raises(RefusedError, match="closing"):
        reports.pages.run(balance_page, 5, None)


@pytest.fixture
def histories(tmp_path: Path) -> Histories:
    """Return the histories of a house in a file."""
    store = open_store(tmp_path / "house.db")
    copy_house(original().memory, store)
    return Histories(store)


def test_a_report_that_takes_or_waits_too_long_is_refused(histories: Histories) -> None:
    before = children(os.getpid())
    hurried = ReportProcess(histories, ReportLimits(0.01, 8, "busy"))
    with pytest.raises(RefusedError, match="took too long and was stopped"):
        hurried.run(balance_page, 5, None)
    assert children(os.getpid()) == before
    alone = ReportProcess(histories, ReportLimits(PROCESS_PATIENCE, 1, "another one is running"))
    answers = list[object]()
    first = Thread(target=lambda: answers.append(alone.run(balance_page, 5, None)))
    first.start()
    while not children(os.getpid()) - before:
        time.sleep(0.001)
    with pytest.raises(RefusedError, match="another one is running"):
        alone.run(balance_page, 5, None)
    first.join()
    assert len(answers) == 1
    alone.stop()
    histories.store.close()


def test_no_process_outlives_a_killed_server(tmp_path: Path) -> None:
    url, key = str(tmp_path / "house.db"), tmp_path / "house.key"
    create_hosted_house(url, key, "maryland-everything", ("ann",))
    with open_house(url, key) as house:
        house.do(STAFF, HireStaff(person="eve", name="Eve", roles=("auditor",)), CREW)
        token = house.sign_in.issue_by_link("staff", "eve")
    server = ServeProcess(tmp_path / "log", "--house", "--database", url, "--key", str(key))
    server.start()
    try:
        server.listen()
        before = children(server.number)
        request = urllib.request.Request(
            f"http://{server.address}/api/house/balance", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request, timeout=PROCESS_PATIENCE) as answer:
            assert msgspec.json.decode(answer.read())["sum"] == 0
        (process,) = children(server.number) - before
        assert os.getpriority(os.PRIO_PROCESS, process) > os.getpriority(os.PRIO_PROCESS, server.number)
    finally:
        server.kill()
    wait_for_end(process)

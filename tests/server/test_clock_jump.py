"""Clock jump of a served house: timestamps continue from before until staff confirm the clock."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from fourcard.house.commands import HireStaff
from fourcard.house.decision import STAFF
from fourcard.house.house import open_house
from fourcard.house.store.address import open_store
from tests.kit.waiting import PATIENCE, wait_until
from tests.server.processes import CREW, TABLE, FinalHouse, ServeProcess, create_hosted_house

DAY = 86_400_000
SOON = 600_000
"""Milliseconds within which a timestamp counts as now."""
ROOT = Path(__file__).parents[2]


class Casino:
    """A house in a folder, served with a clock that the test sets."""

    def __init__(self, folder: Path) -> None:
        """Create it, with a player, an administrator and a dealer who stay signed in."""
        self.database, self.key, self._offset = folder / "house.db", folder / "house.key", folder / "offset"
        self._keys = count(1)
        self.set_clock(0)
        create_hosted_house(str(self.database), self.key, "massachusetts", ("ann",))
        with open_house(str(self.database), self.key) as house:
            house.do(STAFF, HireStaff(person="ada", name="Ada", roles=("administrator",)), CREW)
            house.do(STAFF, HireStaff(person="dan", name="Dan", roles=("dealer",)), CREW)
            self.tokens = {
                person: house.sign_in.issue_by_link(
                    "player" if person == "ann" else "staff", person, 1_000 * DAY
                )
                for person in ("ann", "ada", "dan")
            }
        self.before = (sys.executable, "-m", "tests.server.set_clock", str(self._offset))
        self.environment = {"PYTHONPATH": str(ROOT)}
        options = ("--house", "--no-deal", "-d", str(self.database), "--key", str(self.key))
        self.process = ServeProcess(
            folder / "log", *options, before=self.before, environment=self.environment
        )

    def set_clock(self, ahead: int) -> None:
        """Set the machine's clock this many milliseconds ahead."""
        part = self._offset.with_name("part")
        part.write_text(str(ahead), encoding="ascii")
        part.replace(self._offset)

    def serve(self) -> None:
        """Serve it."""
        self.process.start()
        self.process.listen()

    def ask(self, person: str, method: str, path: str, **body: Any) -> httpx.Response:
        """Send a request as somebody."""
        headers = {"Authorization": f"Bearer {self.tokens[person]}"} if person else {}
        address = f"http://{self.process.address}{path}"
        return httpx.request(
            method, address, headers=headers, json=body or None, timeout=PATIENCE, trust_env=False
        )

    def command(self, person: str, path: str, **command: Any) -> httpx.Response:
        """Send a command as somebody."""
        return self.ask(
            person, "POST", f"/api/{path}/commands", key=f"test-{next(self._keys)}", command=command
        )

    def stamp(self) -> int:
        """Let the player act at the table; return how far its timestamp is from the real time."""
        done = self.command("ann", f"tables/{TABLE}", kind="buy_in", player="ann", cents=500)
        assert done.status_code == 200, done.text
        store = open_store(self.database, writing=False)
        try:
            with store.reading() as reading:
                *_, last = reading.events(f"table/{TABLE}")
        finally:
            store.close()
        return last.at - time.time_ns() // 1_000_000

    def alerts(self) -> list[str]:
        """Return the operator alerts; the house must be ready."""
        ready, health = (self.ask("", "GET", f"/{each}") for each in ("ready", "health"))
        assert (ready.status_code, health.status_code) == (200, 200)
        assert ready.json()["alerts"] == health.json()["alerts"]
        found: list[str] = ready.json()["alerts"]
        return found

    def notes(self) -> list[str]:
        """Return the clock entries of the security log, newest first."""
        log = self.ask("ada", "GET", "/api/house/security-log").json()["items"]
        return [each["reason"] for each in log if each["what"] == "clock jump"]

    def notes_become(self, expected: list[str]) -> None:
        """Wait for a clock entry in the security log."""
        wait_until(lambda: self.notes() == expected, self.notes)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command on the house's machine."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("FOURCARD_")}
        words = [*arguments, "-d", str(self.database), "--key", str(self.key)]
        return subprocess.run(
            [*self.before, "fourcard", *words],
            env={**own, **self.environment},
            cwd=self.database.parent,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    made = Casino(tmp_path)
    made.serve()
    yield made
    made.process.kill()


@pytest.mark.clause("P37")
def test_after_a_jump_forward_moments_go_on_until_somebody_who_may_confirms_it(casino: Casino) -> None:
    assert abs(casino.stamp()) < SOON
    assert casino.alerts() == []
    casino.set_clock(DAY)
    assert abs(casino.stamp()) < SOON
    (alert,) = casino.alerts()
    assert alert.startswith("The machine's clock jumped forward by 1 d.")
    casino.notes_become(["forward by 1 d"])
    shown = casino.ask("dan", "GET", "/api/house/clock").json()
    assert abs(shown["ahead"] - DAY) < 1_000
    assert shown["shown"] - shown["stamped"] == shown["ahead"]
    assert shown["alert"] == alert
    for person, ahead, status, code in (
        ("ann", shown["ahead"], 403, 940),
        ("dan", shown["ahead"], 403, 941),
        ("ada", shown["ahead"] - 12_000, 409, 981),
        ("ada", -shown["ahead"], 409, 981),
    ):
        refused = casino.command(person, "staff", kind="confirm_clock", ahead=ahead)
        assert (refused.status_code, refused.json()["refusal"]["code"]) == (status, code)
    assert abs(casino.stamp()) < SOON
    assert casino.command("ada", "staff", kind="confirm_clock", ahead=shown["ahead"]).status_code == 200
    assert abs(casino.stamp() - DAY) < SOON
    assert casino.alerts() == []
    casino.notes_become(["over", "forward by 1 d"])
    again = casino.command("ada", "staff", kind="confirm_clock", ahead=shown["ahead"])
    assert (again.status_code, again.json()["refusal"]["code"]) == (409, 980)
    assert casino.process.stop() == 0
    report = FinalHouse(str(casino.database)).report
    assert report.clean, report.findings


def test_neither_a_crash_nor_a_command_on_the_machine_goes_by_a_clock_that_jumped(casino: Casino) -> None:
    assert abs(casino.stamp()) < SOON
    casino.process.kill()
    casino.set_clock(DAY)
    casino.serve()
    assert abs(casino.stamp()) < SOON
    assert len(casino.alerts()) == 1
    busy = casino.run("house", "clock", "--confirm")
    assert (busy.returncode, busy.stderr.count("\n")) == (2, 1)
    assert "is open in another process" in busy.stderr
    assert casino.process.stop() == 0
    looked = casino.run("house", "clock")
    assert "The clock jumped forward by 1 d." in looked.stdout
    deposited = casino.run("house", "deposit", "ann", "$5")
    assert deposited.returncode == 0
    assert "The machine's clock jumped forward by 1 d." in deposited.stderr
    confirmed = casino.run("house", "clock", "--confirm")
    assert (confirmed.returncode, confirmed.stdout.splitlines()[0]) == (
        0,
        "The clock is confirmed: the house's time moves forward by 1 d.",
    )
    refused = casino.run("house", "clock", "--confirm")
    assert (refused.returncode, refused.stderr) == (
        2,
        "fourcard: The clock has not jumped: there is nothing to confirm. [P37]\n",
    )
    casino.serve()
    assert abs(casino.stamp() - DAY) < SOON
    assert casino.alerts() == []


def test_a_clock_that_is_set_right_again_needs_no_confirmation(casino: Casino) -> None:
    casino.set_clock(-DAY)
    assert abs(casino.stamp()) < SOON
    casino.notes_become(["back by 1 d"])
    casino.set_clock(9_000)
    assert abs(casino.stamp() - 9_000) < 5_000
    assert casino.alerts() == []
    casino.notes_become(["over", "back by 1 d"])

"""A local house whose process is killed in the middle of rounds, again and again."""

import asyncio
import time
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random
from urllib.request import HTTPCookieProcessor, build_opener

import httpx

from fourcard.house.decision import table_stream
from fourcard.rules.loading import rulebook_ids
from tests.kit.waiting import wait_until
from tests.server.processes import ConnectedPlayer, FinalHouse, ServeProcess

KILLS = 4
TABLE = "maryland"
ANTE = 1_000


def entered(process: ServeProcess) -> str:
    """Sign in with the player's link and return the token."""
    link = process.wait_for_output("/enter/")
    jar = CookieJar()
    with build_opener(HTTPCookieProcessor(jar)).open(link, timeout=30):
        return next(cookie.value or "" for cookie in jar)


async def story(process: ServeProcess, guest: ConnectedPlayer) -> list[str]:
    """Let somebody play while the process is killed in the middle of rounds; return when."""
    chance, killed = Random("kills"), list[str]()
    life = asyncio.ensure_future(guest.live())
    try:
        for _ in range(KILLS):
            goal = guest.round + 2
            await guest.until(lambda goal=goal: guest.round >= goal)  # type: ignore[misc]
            await asyncio.sleep(chance.random() * 0.5)
            await asyncio.to_thread(process.kill)
            killed.append(guest.phase)
            process.start()
            await asyncio.to_thread(process.listen)
        goal = guest.round + 2
        await guest.until(lambda: guest.round >= goal)
    finally:
        life.cancel()
        with suppress(asyncio.CancelledError):
            await life
    return killed


def test_a_house_that_is_killed_in_the_middle_of_rounds_loses_nothing(tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    process = ServeProcess(tmp_path / "serve.log", "-d", str(database), "--pace", "0", "--bots", "2")
    process.start()
    try:
        process.listen()
        guest = ConnectedPlayer("guest-1", entered(process), [process.address], TABLE, 4)
        killed = asyncio.run(story(process, guest))
        assert process.stop() == 0
    finally:
        process.kill()
    assert len(killed) == KILLS
    assert any(killed), "it was never killed in the middle of a round"
    assert guest.connections == KILLS + 1
    kept = FinalHouse(str(database), rulebook_ids())
    kept.check()
    assert len(guest.answered) >= 2 * KILLS
    for key, sequence in guest.answered.items():
        assert [record.sequence for record in kept.keyed(key)] == [sequence]
    for key in guest.waiting:
        assert len(kept.keyed(key)) <= 1
    own = [record for record in kept.records if record.stream == table_stream(TABLE) and record.key]
    assert len({record.key for record in own}) == len(own)


def test_who_left_before_the_process_was_killed_is_cashed_out_after_the_round(tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    process = ServeProcess(tmp_path / "serve.log", "-d", str(database), "--pace", "0", "--bots", "0")
    process.start()
    try:
        process.listen()
        token = entered(process)
        with httpx.Client(base_url=f"http://{process.address}", timeout=30) as guest:
            guest.headers["authorization"] = f"Bearer {token}"
            leave_in_round(guest)
            process.kill()
            process.start()
            process.listen()
            (stack,) = guest.get("/api/me").json()["stacks"]
            assert stack["leaving"]
            assert do(guest, "fold", position=4) == 200
            wait_until(lambda: guest.get("/api/me").json()["stacks"] == [])
            assert guest.get("/api/me").json()["account"] == 100_000 - ANTE
        assert process.stop() == 0
    finally:
        process.kill()
    FinalHouse(str(database), rulebook_ids()).check()


def leave_in_round(guest: httpx.Client) -> None:
    """Sit down, bet, and disconnect when the cards are dealt."""
    assert do(guest, "buy_in", player="guest-1", cents=20_000) == 200
    wait_until(lambda: do(guest, "take_seat", position=4, player="guest-1") == 200)
    wait_until(lambda: do(guest, "place_wager", position=4, wager="ante", amount=ANTE) == 200)
    assert guest.post(f"/api/tables/{TABLE}/ready", json={"round": 1}).status_code == 204
    wait_until(lambda: (guest.get(f"/api/tables/{TABLE}").json()["view"]["round"] or {})["deciding"] == 4)
    assert do(guest, "leave_table", player="guest-1") == 200


def do(guest: httpx.Client, kind: str, **fields: object) -> int:
    """Send a command under a new key and return the HTTP status."""
    sent = {"key": f"{kind}-{time.monotonic_ns()}", "command": {"kind": kind, **fields}}
    return guest.post(f"/api/tables/{TABLE}/commands", json=sent).status_code

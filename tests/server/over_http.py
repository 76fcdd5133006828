"""Requests to a simulated floor over real HTTP: every route that shows a table or its rounds."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import msgspec

from fourcard.house.actors import Actor
from tests.server.simulated import TABLE, SimulatedFloor

ADDRESSES = ("/api/me", "/api/tables", f"/api/tables/{TABLE}", f"/api/tables/{TABLE}/felt")
HISTORY = ("/api/rounds", f"/api/rounds?table={TABLE}&limit=1", "/api/rounds/export")
REPORTS = tuple(f"/api/house/{each}" for each in ("tables", "results", "meters", "wins", "balance"))


class OverHttp:
    """Sends requests as people who all sign in at the start, because sign-ins use the house's entropy."""

    def __init__(self, people: Sequence[Actor]) -> None:
        """Take the people who ask."""
        self._people = people
        self._client: httpx.AsyncClient | None = None
        self._tokens: dict[str, str] = {}
        self.answered: list[tuple[str, int]] = []

    async def __call__(self, at: SimulatedFloor, actor: Actor, ended: bool) -> list[bytes]:
        """Return the answers of every route, with rounds once a round has ended."""
        last = f"/api/rounds/{TABLE}/{at.state.number}"
        reports = () if actor.kind == "player" else REPORTS
        addresses = (*ADDRESSES, *((*HISTORY, last, *reports) if ended else ()))
        return [await self._asked(at, actor, each) for each in addresses]

    async def _asked(self, at: SimulatedFloor, actor: Actor, address: str) -> bytes:
        if self._client is None:
            app: Any = at.serving.app()
            transport = httpx.ASGITransport(app=app)
            self._client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
            admit = at.house.sign_in.admit
            self._tokens = {each.person: admit(each.kind, each.person) for each in self._people}
        header = {"authorization": f"Bearer {self._tokens[actor.person]}"}
        answer = await self._client.get(address, headers=header)
        self.answered.append((address, answer.status_code))
        return b"%s %d %s" % (address.encode(), answer.status_code, masked(answer, actor))


def masked(answer: httpx.Response, actor: Actor) -> bytes:
    """Return an answer without what a revealed secret adds: proofs, and a player's exported rounds."""
    if not answer.content:
        return b""
    if "jsonl" in answer.headers.get("content-type", ""):
        lines = [msgspec.json.decode(line) for line in answer.content.splitlines()]
        return msgspec.json.encode([_without_proof(line, actor) for line in lines])
    found = msgspec.json.decode(answer.content)
    return msgspec.json.encode({**found, "proof": None} if isinstance(found, dict) else found)


def _without_proof(line: Mapping[str, object], actor: Actor) -> dict[str, object]:
    return {"id": line["id"]} if actor.kind == "player" else {**line, "proof": None}

"""Shared by the API tests: a house with rounds played by bots, and a client for its routes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from litestar import Litestar
from litestar.di import Provide
from litestar.testing import TestClient

from fourcard.house.auth.identity import Actor
from fourcard.house.clock_entropy import SeededEntropy
from fourcard.house.head_signatures import HouseKey
from fourcard.house.house import House
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.submission import submission_named
from fourcard.server.api import ROUTES, Histories, Solver, reports_of
from fourcard.server.api.fraction_schema import FIGURE_ENCODERS
from fourcard.server.error_handlers import HANDLERS
from tests.kit.houses import TestHouse

KEY = HouseKey(bytes(range(32)))
AUDITOR = Actor("audrey", "staff", ("auditor",))
DEALER = Actor("dean", "staff", ("dealer",))


def game_of(example: str) -> Game:
    """Return the game of an example."""
    return resolve_game(submission_named(example))


def house_of(desk: TestHouse) -> House:
    """Return a whole house over the store of a command service."""
    return House(desk.store, KEY, desk.clock, SeededEntropy(2))


def house_with_rounds(
    example: str,
    players: Sequence[str],
    rounds: int,
    table: str = "main",
    desk: TestHouse | None = None,
    seed: int = 1,
) -> TestHouse:
    """Return a house with some rounds played by bots, one per minute."""
    made = desk or TestHouse(seed=seed)
    if desk is None:
        made.staff()
        made.register(*players)
    made.install(table, example)
    made.open(table)
    made.seat(table, players)
    bots = made.rehearsal(table, players, seed)
    for _ in range(rounds):
        made.clock.at += 60_000
        made.play(bots)
    return made


class ApiReader:
    """Sends requests to a house, signed in or not."""

    def __init__(self, client: TestClient[Litestar], who: dict[str, Actor | None]) -> None:
        """Take a client and who is signed in."""
        self.client, self._who = client, who

    def ask(self, path: str, actor: Actor | None = None, status: int = 200, **query: Any) -> Any:
        """Return a JSON answer, asserting its status."""
        self._who["actor"] = actor
        given = {name: each for name, each in query.items() if each is not None}
        found = self.client.get(path, params=given or None)
        assert found.status_code == status, (found.status_code, found.text)
        return msgspec.json.decode(found.content)

    def raw(self, path: str, actor: Actor | None = None, **query: Any) -> Any:
        """Return a raw response."""
        self._who["actor"] = actor
        return self.client.get(path, params=query or None)

    def send(self, path: str, body: object, status: int = 200, **query: Any) -> Any:
        """Return the answer to a POST."""
        self._who["actor"] = None
        found = self.client.post(path, json=body, params=query or None)
        assert found.status_code == status, (found.status_code, found.text)
        return msgspec.json.decode(found.content)

    def refused(self, path: str, status: int, actor: Actor | None = None, **query: Any) -> str:
        """Return the message of a refusal."""
        answer = self.ask(path, actor, status, **query)
        refusal = answer["refusal"]
        assert {*refusal} == {"code", "name", "message", "clauses"}
        assert refusal["message"]
        return str(refusal["message"])


@contextmanager
def read_house(house: House, solver: Solver | None = None) -> Iterator[ApiReader]:
    """Serve the reading routes of a house."""
    who: dict[str, Actor | None] = {"actor": None}

    def actor() -> Actor:
        found = who["actor"]
        if found is None:
            raise RefusedError(refuse(Code.NOT_SIGNED_IN))
        return found

    house.store.address = None  # reports run in this process; others test those of a server
    histories = Histories(house.store)
    given: dict[str, Any] = {
        "house": house,
        "solver": solver or Solver(),
        "histories": histories,
        "reports": reports_of(histories),
    }
    app = Litestar(
        ROUTES,
        dependencies={
            **{name: Provide(_provider(value), sync_to_thread=False) for name, value in given.items()},
            "actor": Provide(actor, sync_to_thread=False),
            "visitor": Provide(_provider(DEALER), sync_to_thread=False),
        },
        exception_handlers=HANDLERS,
        type_encoders=FIGURE_ENCODERS,
        logging_config=None,
    )
    with TestClient(app) as client:
        yield ApiReader(client, who)


def _provider(value: Any) -> Any:
    def given() -> Any:
        return value

    return given

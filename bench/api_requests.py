"""API benchmark: requests per second, compared with a bare Litestar echo under the same load generator.

Granian serves both with the same settings, each in its own process. The requests to the house are: a table of
seven seats as one of its players sees it, who that player is, a wager below the posted minimum, which is
refused with its clauses, and the health check.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

import msgspec
from rich.table import Table as Figures

from bench.http_load import KEY, LoadJob, LoadResult
from bench.measurement import ServerProcess, WorkerProcess, free_port, quantile, running_server, table_of
from bench.setup_house import SeatedPlayer, set_up_house

CONNECTIONS = 16
TURNS = 3
SPAN = 3.0
SEATS = 7
LOW = 1
"""A wager in cents that every table refuses."""


class ApiRequest(msgspec.Struct, frozen=True):
    """One request, its server, and the expected status."""

    what: str
    of_house: bool
    method: str
    path: str
    status: int = 200
    body: bytes = b""


class RequestRun(msgspec.Struct, frozen=True):
    """One run of a request: the result, and the server's CPU seconds."""

    result: LoadResult
    cpu: float

    @property
    def rate(self) -> float:
        """Return the requests per second."""
        return self.result.requests / self.result.span

    @property
    def cpu_of_request(self) -> float:
        """Return the server's CPU seconds per request, which depend less on what else the machine does."""
        return self.cpu / max(1, self.result.requests)


def _api_requests(seat: SeatedPlayer) -> tuple[ApiRequest, ...]:
    wager = {"kind": "place_wager", "position": seat.position, "wager": "ante", "amount": LOW}
    body = msgspec.json.encode({"key": KEY.decode(), "command": wager})
    table = f"/api/tables/{seat.table}"
    return (
        ApiRequest("bare Litestar, GET", False, "GET", "/echo"),
        ApiRequest("bare Litestar, POST", False, "POST", "/echo", 200, body),
        ApiRequest("GET /health", True, "GET", "/health"),
        ApiRequest("GET /api/me", True, "GET", "/api/me"),
        ApiRequest("GET /api/tables/NAME", True, "GET", table),
        ApiRequest("POST a command that is refused", True, "POST", f"{table}/commands", 409, body),
    )


def requests_a_second(turns: int = TURNS, span: float = SPAN) -> Figures:
    """Compare the API with the echo of the same method."""
    figures = table_of(
        f"requests per second, {CONNECTIONS} connections, median of {turns} turns of {span:.0f} s; "
        "rate limits lifted",
        "what",
        "requests/s",
        "of the echo",
        "p50 ms",
        "p99 ms",
        "server CPU, µs",
        "of the echo's",
        "server, of a core",
        "client, of a core",
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seat = set_up_house(folder / "house.db", SEATS)[0]
        found_turns = _run_requests(folder, seat, turns, span)
    peers = {question.method: each for question, each in found_turns if not question.of_house}
    for question, each in found_turns:
        figures.add_row(question.what, *_row(each, peers[question.method]))
    return figures


def _run_requests(
    folder: Path, seat: SeatedPlayer, turns: int, span: float
) -> list[tuple[ApiRequest, list[RequestRun]]]:
    """Load both servers in turn, so that all requests run under the same conditions."""
    questions, house, echo = _api_requests(seat), free_port(), free_port()
    command = [sys.executable, "-m", "bench.http_servers"]
    with (
        running_server(
            [*command, str(house), str(folder / "house.db")], house, folder / "house.log"
        ) as of_house,
        running_server([*command, str(echo)], echo, folder / "echo.log") as of_echo,
    ):
        of_house.await_solver()
        asker = WorkerProcess("bench.http_load", []).wait()
        processes = [of_house if each.of_house else of_echo for each in questions]
        asked = list(zip(questions, processes, strict=True))
        try:
            rounds = [
                [
                    _run_request(asker, process, _job(each, seat, process.port, span), each)
                    for each, process in asked
                ]
                for _ in range(turns)
            ]
        finally:
            asker.close()
    return [(each, [turn[place] for turn in rounds]) for place, each in enumerate(questions)]


def _job(question: ApiRequest, seat: SeatedPlayer, port: int, span: float) -> LoadJob:
    head = [
        f"{question.method} {question.path} HTTP/1.1",
        f"host: 127.0.0.1:{port}",
        f"authorization: Bearer {seat.token}",
    ]
    if question.body:
        head += ["content-type: application/json", f"content-length: {len(question.body)}"]
    return LoadJob(port, "\r\n".join([*head, "", ""]).encode() + question.body, CONNECTIONS, span)


def _run_request(
    asker: WorkerProcess, process: ServerProcess, job: LoadJob, question: ApiRequest
) -> RequestRun:
    before = process.cpu()
    asker.send(msgspec.json.encode(job).decode())
    asked = asker.answer(LoadResult)
    if set(asked.statuses) != {question.status}:
        raise RuntimeError(f"{question.what} was answered with {asked.statuses}, not {question.status}")
    return RequestRun(asked, process.cpu() - before)


def _row(turns: list[RequestRun], peers: list[RequestRun]) -> tuple[str, ...]:
    times = [each for turn in turns for each in turn.result.times]
    pairs = list(zip(turns, peers, strict=True))
    return (
        f"{median(turn.rate for turn in turns):,.0f}",
        f"{median(turn.rate / peer.rate for turn, peer in pairs):.0%}",
        f"{quantile(times, 0.5) * 1000:.2f}",
        f"{quantile(times, 0.99) * 1000:.2f}",
        f"{median(turn.cpu_of_request for turn in turns) * 1e6:,.0f}",
        f"{median(turn.cpu_of_request / peer.cpu_of_request for turn, peer in pairs):.0%}",
        f"{median(turn.cpu / turn.result.span for turn in turns):.0%}",
        f"{median(turn.result.cpu / turn.result.span for turn in turns):.0%}",
    )

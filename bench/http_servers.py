"""HTTP servers for the API benchmark, each run as a separate process: a house, or a bare echo.

One client sends requests as fast as responses arrive, so the house's rate limits are lifted here.
"""

import logging
import sys
from typing import Any

from litestar import Litestar, get, post
from litestar.types import ASGIApp

from fourcard.server.app import Application
from fourcard.server.hosted_house import open_hosted_house
from fourcard.server.run import HasApplication, ListenAddress, log_to_stderr, serve
from fourcard.server.settings import PaceSettings, RequestLimits, ServerSettings

LIFTED = 10**9


class EchoServer:
    """A bare Litestar application that echoes a few bytes."""

    def app(self) -> ASGIApp:
        """Return the application."""
        return Litestar([health, echo_nothing, echo], openapi_config=None, logging_config=None)


@get("/health")
async def health() -> dict[str, str]:
    """Return that the process is alive."""
    return {"status": "ok"}


@get("/echo")
async def echo_nothing() -> dict[str, str]:
    """Return a minimal response."""
    return {"echo": ""}


@post("/echo", status_code=200)
async def echo(data: dict[str, Any]) -> dict[str, Any]:
    """Return the request body."""
    return data


def house(database: str) -> Application:
    """Return a house as `fourcard serve --house` serves it, without rate limits."""
    limits = RequestLimits(requests=LIFTED, burst=LIFTED, commands=LIFTED, command_burst=LIFTED)
    settings = ServerSettings(
        mode="house", secure=True, bots=0, opens=False, pace=PaceSettings(0.0), limits=limits
    )
    return Application(open_hosted_house(database, None, deals=True), settings)


def main(port: str, database: str = "") -> None:
    """Serve the house of a database, or by default the echo."""
    log_to_stderr(logging.INFO)
    served: HasApplication = house(database) if database else EchoServer()
    serve(served, ListenAddress(port=int(port)), lambda: None)


if __name__ == "__main__":
    main(*sys.argv[1:])

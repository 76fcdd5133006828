"""A server as a process of its own for measuring requests: the API of a house, or a bare echo.

One person asks as quickly as answers come, which no house allows; so the limits of rates are lifted here.
"""

import logging
import sys
from typing import Any

from litestar import Litestar, get, post
from litestar.types import ASGIApp

from fourcard.server.app import Serving
from fourcard.server.serving import Place, Served, log_to_stderr, serve
from fourcard.server.settings import Limits, Pace, Settings
from fourcard.server.shared_house import shared_house

LIFTED = 10**9


class Echo:
    """What Litestar answers at most: no house, no guard, a few bytes back as they came."""

    def app(self) -> ASGIApp:
        """Return the application."""
        return Litestar([health, echo_nothing, echo], openapi_config=None, logging_config=None)


@get("/health")
async def health() -> dict[str, str]:
    """Say that the process answers."""
    return {"status": "ok"}


@get("/echo")
async def echo_nothing() -> dict[str, str]:
    """Answer with as little as possible."""
    return {"echo": ""}


@post("/echo", status_code=200)
async def echo(data: dict[str, Any]) -> dict[str, Any]:
    """Answer with what was sent."""
    return data


def house(database: str) -> Serving:
    """Return a house as `fourcard serve --house` serves it, but for the limits of rates."""
    limits = Limits(requests=LIFTED, burst=LIFTED, commands=LIFTED, command_burst=LIFTED)
    settings = Settings(mode="house", secure=True, bots=0, opens=False, pace=Pace(0.0), limits=limits)
    return Serving(shared_house(database, None, deals=True), settings)


def main(port: str, database: str = "") -> None:
    """Serve the house in a database, or else the echo."""
    log_to_stderr(logging.INFO)
    served: Served = house(database) if database else Echo()
    serve(served, Place(port=int(port)), lambda: None)


if __name__ == "__main__":
    main(*sys.argv[1:])

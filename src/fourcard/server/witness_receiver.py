"""Witness receiver: appends the statements of one house to a folder, and refuses what does not follow."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from litestar import Litestar, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.response import Stream
from litestar.types import ASGIApp

from fourcard.house.witness_statements import (
    MAX_STATEMENT,
    WitnessError,
    WitnessFolder,
    WitnessPosition,
)


class ReceiverRefusal(msgspec.Struct, frozen=True):
    """Why a statement was not taken."""

    reason: str


class WitnessReceiver:
    """The application of a witness; the first statement says whose witness it is."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of the statements."""
        self._folder = WitnessFolder(folder)

    def app(self) -> ASGIApp:
        """Return the application."""
        return Litestar(
            route_handlers=[statements, last_statement, take_statement],
            dependencies={"folder": Provide(lambda: self._folder, sync_to_thread=False)},
            exception_handlers={WitnessError: _refused},
            request_max_body_size=MAX_STATEMENT,
            openapi_config=None,
            logging_config=None,
        )


def _refused(_request: object, error: WitnessError) -> Response[ReceiverRefusal]:
    return Response(ReceiverRefusal(str(error)), status_code=409)


@get("/", sync_to_thread=False)
def statements(folder: NamedDependency[WitnessFolder]) -> Stream:
    """Return every statement, one a line."""

    def lines() -> Iterator[bytes]:
        return (line + b"\n" for line in folder.lines())

    return Stream(lines(), media_type="application/jsonl")


@get("/last", sync_to_thread=True)
def last_statement(folder: NamedDependency[WitnessFolder]) -> WitnessPosition:
    """Return number and digest of the last statement."""
    return folder.last()


@post("/", status_code=201, sync_to_thread=True)
def take_statement(folder: NamedDependency[WitnessFolder], body: bytes) -> WitnessPosition:
    """Append the next statement, and return its number and digest."""
    folder.append(body)
    return folder.last()

"""Application: every route, the dependencies handlers receive, and start-up and shutdown."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ASGIApp

from fourcard.house.actors import Actor
from fourcard.house.clock_watch import ClockWatch
from fourcard.house.house import House
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.server.connections import Connections
from fourcard.server.doors import Doors, Secrets
from fourcard.server.faults import HANDLERS
from fourcard.server.floor.bus import Bus, OnlyProcess
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.minding import Minding
from fourcard.server.gateway import Gateway
from fourcard.server.guard import Guard
from fourcard.server.live import LIVE_ROUTES
from fourcard.server.page import PACKED, PAGE_ROUTES
from fourcard.server.passwords import PASSWORD_ROUTES
from fourcard.server.rates import Rate
from fourcard.server.readiness import UNWRITABLE, Readiness
from fourcard.server.reading import ROUTES, Histories, Solver
from fourcard.server.schema import StructSchemas, described
from fourcard.server.settings import Settings
from fourcard.server.staffing import STAFF_ROUTES
from fourcard.server.tables import TABLE_ROUTES
from fourcard.server.visitors import AUTH_ROUTES
from fourcard.version import __version__

CLOSING = "The house is closing."
CLOCK_EVERY = 1.0
"""Seconds between two clock checks."""
_log = logging.getLogger(__name__)


class Health(msgspec.Struct, frozen=True):
    """Health of the process, and the version it runs."""

    status: str
    version: str
    reason: str = ""
    """Why the house is not ready; empty if it is ready."""
    alerts: tuple[str, ...] = ()
    """What an operator must fix, although the house keeps running."""


class Serving:
    """Application of one process: builds the parts that handlers receive and owns their lifetime."""

    def __init__(
        self, house: House, settings: Settings, links: Secrets | None = None, bus: Bus | None = None
    ) -> None:
        """Build the parts for a house."""
        self.house, self.settings = house, settings
        self.floor = Floor(house, settings, bus or OnlyProcess())
        self.authenticator = Doors(house, settings, links)
        self.clock_watch = ClockWatch(house, self.floor.move_moments)
        self.gateway, self.connections = Gateway(self.floor, self.clock_watch), Connections()
        self.minding = Minding(self.floor)
        self.solver, self.histories = Solver(), Histories(house)
        self.sign_ins = Rate(settings.limits.sign_ins, settings.limits.sign_in_burst)
        self.readiness = Readiness(house)
        self.closing = False

    def app(self) -> ASGIApp:
        """Return the application behind the security middleware."""
        return Guard(self.inner(), self.settings, self.authenticator)

    def inner(self) -> Litestar:
        """Return the Litestar application without the middleware."""
        dependencies: dict[str, object] = {
            "house": self.house,
            "settings": self.settings,
            "floor": self.floor,
            "authenticator": self.authenticator,
            "gateway": self.gateway,
            "connections": self.connections,
            "sign_ins": self.sign_ins,
            "solver": self.solver,
            "histories": self.histories,
            "application": self,
        }
        routes: list[Any] = [
            health,
            is_ready,
            *AUTH_ROUTES,
            *PASSWORD_ROUTES,
            *TABLE_ROUTES,
            *STAFF_ROUTES,
        ]
        return Litestar(
            route_handlers=[*routes, *LIVE_ROUTES, *ROUTES, *PAGE_ROUTES],
            dependencies={
                **{
                    name: Provide(_provider(value), sync_to_thread=False)
                    for name, value in dependencies.items()
                },
                "visitor": Provide(self.visitor),
                "actor": Provide(self.actor),
            },
            exception_handlers=HANDLERS,
            lifespan=[self.lifespan],
            request_max_body_size=self.settings.limits.body,
            compression_config=CompressionConfig(
                "gzip", minimum_size=1_000, gzip_compress_level=5, exclude_opt_key=PACKED
            ),
            openapi_config=described(self.authenticator.cookie_name),
            plugins=[StructSchemas()],
            logging_config=None,
            debug=False,
        )

    async def visitor(self, request: Request[Any, Any, Any]) -> Actor | None:
        """Dependency: return the signed-in person, or None."""
        return await self.authenticator.who(request)

    async def actor(self, visitor: NamedDependency[Actor | None]) -> Actor:
        """Dependency: return the signed-in person, or refuse the request."""
        if visitor is None:
            raise RefusedError(refuse(Code.NOT_SIGNED_IN))
        return visitor

    async def leave(self) -> None:
        """Stop dealing and close every live connection; HTTP requests are still answered."""
        self.closing = True
        await self.minding.stop()
        await self.connections.close()

    async def _check_clock(self) -> None:
        """Check the clock every second; an error is logged and the check repeated."""
        while True:
            try:
                await asyncio.to_thread(self.clock_watch.look)
            except Exception:  # noqa: BLE001  a failed check must not stop the house
                _log.exception("The clock check failed.")
            await asyncio.sleep(CLOCK_EVERY)

    @property
    def alerts(self) -> tuple[str, ...]:
        """Return what an operator must fix."""
        found = self.clock_watch.alert
        return (found,) if found else ()

    @asynccontextmanager
    async def lifespan(self, _app: Litestar) -> AsyncIterator[None]:
        """Start the floor; on shutdown finish commands in progress and leave rounds as they are."""
        await self.floor.start()
        self.solver.start()
        self.minding.start()
        watching = asyncio.create_task(self._check_clock())
        try:
            yield
        finally:
            watching.cancel()
            self.solver.stop()
            await self.leave()
            self.floor.stop()
            await asyncio.to_thread(self.house.close)


def _provider(value: object) -> Any:
    """Return a provider that always returns the same value."""

    def provide() -> Any:
        return value

    return provide


@get("/health", summary="Health of the process", tags=["watch"])
async def health(application: NamedDependency[Serving]) -> Health:
    """Return that the process answers, with alerts for the operator."""
    return Health("ok", __version__, alerts=application.alerts)


@get(
    "/ready",
    summary="Readiness of the house",
    tags=["watch"],
    responses={
        503: ResponseSpec(Health, description="The house is closing, or its store cannot commit a write.")
    },
)
async def is_ready(application: NamedDependency[Serving]) -> Response[Health]:
    """Return whether the store can commit a write and the house is not closing.

    The write is tried at most once a second; requests in between get the last result.
    """
    writable = await application.readiness.is_writable()
    reason = CLOSING if application.closing else "" if writable else UNWRITABLE
    status = "not ready" if reason else "ready"
    return Response(
        Health(status, __version__, reason, application.alerts), status_code=503 if reason else 200
    )

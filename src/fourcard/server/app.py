"""Application: every route, the dependencies handlers receive, health checks, start and shutdown."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar, Response, get
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ASGIApp, Scope

from fourcard.house.auth.identity import Actor
from fourcard.house.decision import HOUSE
from fourcard.house.house import ClockWatch, House
from fourcard.house.store.interface import StoreError
from fourcard.house.witnesses import WitnessSender
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.server.api import ROUTES, Histories, Solver, reports_of
from fourcard.server.api.auth import AUTH_ROUTES, PASSWORD_ROUTES
from fourcard.server.api.fraction_schema import FIGURE_ENCODERS, FigureSchemas
from fourcard.server.api.house import STAFF_ROUTES
from fourcard.server.api.tables import TABLE_ROUTES
from fourcard.server.authn import Authenticator, LinkSecrets
from fourcard.server.command_gateway import CommandGateway
from fourcard.server.error_handlers import HANDLERS
from fourcard.server.floor.bus import Bus, SingleProcessBus, WorkerSockets
from fourcard.server.floor.dealer_loop import DealerSupervisor
from fourcard.server.floor.floor import Floor
from fourcard.server.live import LIVE_ROUTES, ConnectionRegistry
from fourcard.server.live_routing import LiveListener, LiveRouter
from fourcard.server.middleware import SecurityMiddleware
from fourcard.server.openapi import StructSchemas, openapi_config
from fourcard.server.rate_limit import RateLimiter
from fourcard.server.sessions import RECHECK_SECONDS
from fourcard.server.settings import ServerSettings
from fourcard.server.short_routes import FindPerson, ShortRoutes
from fourcard.server.static_page import PAGE_ROUTES
from fourcard.version import __version__

READINESS_SECONDS = 1.0
"""Seconds between two checks; requests in between get the last result."""
READINESS_TIMEOUT = 5.0
"""Seconds that a request waits for a running check."""
UNWRITABLE = "The store cannot commit a write."
_log = logging.getLogger(__name__)


class ReadinessCheck:
    """Checks whether the store can be written; concurrent requests share one check."""

    def __init__(self, house: House) -> None:
        """Take a house; the first request starts the first check."""
        self._house = house
        self._writable = True
        self._checked_at: float | None = None
        self._check: asyncio.Task[bool] | None = None

    async def is_writable(self) -> bool:
        """Return whether a write was committed within the last second, or can be now."""
        if self._check is None and self._is_due():
            self._check = asyncio.create_task(self._run_check())
        if self._check is None:
            return self._writable
        try:
            return await asyncio.wait_for(asyncio.shield(self._check), READINESS_TIMEOUT)
        except TimeoutError:
            return False

    def _is_due(self) -> bool:
        return self._checked_at is None or time.monotonic() - self._checked_at >= READINESS_SECONDS

    async def _run_check(self) -> bool:
        try:
            self._writable = await asyncio.to_thread(self._write)
        finally:
            self._checked_at, self._check = time.monotonic(), None
        return self._writable

    def _write(self) -> bool:
        """Commit a write that changes nothing; log when it starts or stops failing."""
        try:
            if self._house.service.commits_lost is not None:
                raise self._house.service.commits_lost
            with self._house.store.writing() as writing:
                writing.rewrite_head(HOUSE)
        except StoreError as error:
            if self._writable:
                _log.warning("The house is not ready: %s", error)
            return False
        if not self._writable:
            _log.warning("The house is ready again.")
        return True


HOUSE_CLOSING = "The house is closing."
CLOCK_CHECK_SECONDS = 1.0
"""Seconds between two clock checks."""
CLOSING_SECONDS = 600.0
"""Seconds between two looks for days to close."""
WITNESS_LEASE = "house/witnesses"
"""The lease of the process that sends to the witnesses; no table can have this name."""
STOPPED_ALERT = (
    "The journal of {count} streams was altered or cannot be read: they take no commands. The security log "
    "names them; run an audit."
)
CLOSING_REST = 4.0
"""Rest after each commit that closes a part of a day, in the time that it took: play goes first."""


class Health(msgspec.Struct, frozen=True):
    """Health of the process, and the version it runs."""

    status: str
    version: str
    reason: str = ""
    """Why the house is not ready; empty if it is ready."""
    alerts: tuple[str, ...] = ()
    """What an operator must fix, although the house keeps running."""


class Application:
    """Application of one process: builds the parts that handlers receive and owns their lifetime."""

    def __init__(
        self,
        house: House,
        settings: ServerSettings,
        links: LinkSecrets | None = None,
        bus: Bus | None = None,
        sockets: WorkerSockets | None = None,
    ) -> None:
        """Build the parts for a house; one of several workers has sockets to the others."""
        self.house, self.settings = house, settings
        self.floor = Floor(house, settings, bus or SingleProcessBus())
        self.authenticator = Authenticator(house, self.floor.sessions, settings, links)
        self.clock_watch = ClockWatch(house, self.floor.shift_timers)
        self.gateway, self.connections = CommandGateway(self.floor, self.clock_watch), ConnectionRegistry()
        self.supervisor = DealerSupervisor(self.floor)
        self.solver, self.histories = Solver(), Histories(house.store)
        self.reports = reports_of(self.histories)
        self.sign_ins = RateLimiter(settings.limits.sign_ins, settings.limits.sign_in_burst)
        self.readiness = ReadinessCheck(house)
        self.day_closer = house.day_closer(settings.keep_days, rest=CLOSING_REST)
        self.witnesses = WitnessSender(house, lambda: self.floor.bus.lease(WITNESS_LEASE))
        self.closing = False
        self._sockets = sockets
        self._listener: LiveListener | None = None

    def app(self) -> ASGIApp:
        """Return the application behind the security middleware."""
        app, sockets = self.litestar_app(), self._sockets
        routes = ShortRoutes(app, self._parts(), self._people(), self.settings.limits.body)
        if sockets is None:
            return self._secured(routes)
        secured = self._secured(LiveRouter(routes, self.floor, sockets, self.connections))
        self._listener = LiveListener(secured, self.floor, sockets)
        return secured

    def _secured(self, app: ASGIApp) -> ASGIApp:
        return SecurityMiddleware(app, self.settings, self.authenticator, self.health)

    def _parts(self) -> dict[str, object]:
        """Return the parts that handlers receive by name."""
        return {
            "house": self.house,
            "settings": self.settings,
            "floor": self.floor,
            "authenticator": self.authenticator,
            "gateway": self.gateway,
            "connections": self.connections,
            "sign_ins": self.sign_ins,
            "solver": self.solver,
            "histories": self.histories,
            "reports": self.reports,
            "application": self,
        }

    def _people(self) -> dict[str, FindPerson]:
        """Return the dependencies that find the person of a request."""
        return {"visitor": self.visitor, "actor": self.actor}

    def litestar_app(self) -> Litestar:
        """Return the Litestar application without the middleware."""
        schemas = StructSchemas()
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
                    for name, value in self._parts().items()
                },
                **{name: Provide(find) for name, find in self._people().items()},
            },
            exception_handlers=HANDLERS,
            lifespan=[self.lifespan],
            request_max_body_size=self.settings.limits.body,
            openapi_config=openapi_config(self.authenticator.cookie_name, schemas),
            plugins=[schemas, FigureSchemas()],
            type_encoders=FIGURE_ENCODERS,
            logging_config=None,
            debug=False,
        )

    async def visitor(self, scope: Scope) -> Actor | None:
        """Dependency: return the signed-in person, or None."""
        return await self.authenticator.identify(scope)

    async def actor(self, scope: Scope) -> Actor:
        """Dependency: return the signed-in person, or refuse the request."""
        found = await self.authenticator.identify(scope)
        if found is None:
            raise RefusedError(refuse(Code.NOT_SIGNED_IN))
        return found

    async def close_live(self) -> None:
        """Stop dealing and close every live connection; HTTP requests are still answered."""
        self.closing = True
        if self._listener is not None:
            self._listener.stop()
        await self.supervisor.stop()
        await self.connections.close()

    async def _repeat(self, check: Callable[[], None], seconds: float) -> None:
        """Run a check again and again; an error is logged and the check repeated."""
        while True:
            try:
                await asyncio.to_thread(check)
            except StoreError as error:
                _log.warning("A regular check failed: %s", error)
            except Exception:  # noqa: BLE001  a failed check must not stop the house
                _log.exception("A regular check failed.")
            await asyncio.sleep(seconds)

    def _close_days(self) -> None:
        """Close the days that are old enough."""
        for closed in self.day_closer.close_due():
            _log.info("Closed %s: %d events in %d bytes.", closed.day, closed.events, closed.bytes)

    def health(self) -> Health:
        """Return that the process answers, with alerts for the operator."""
        return Health("ok", __version__, alerts=self.alerts)

    @property
    def alerts(self) -> tuple[str, ...]:
        """Return what an operator must fix."""
        found = self.clock_watch.alert
        stopped = len(self.house.service.stopped)
        told = (STOPPED_ALERT.format(count=stopped),) if stopped else ()
        return *((found,) if found else ()), *told, *self.witnesses.alerts

    @asynccontextmanager
    async def lifespan(self, _app: Litestar) -> AsyncIterator[None]:
        """Start the floor; on shutdown finish commands in progress and leave rounds as they are."""
        if self._listener is not None:
            await self._listener.start()
        await self.floor.start()
        self.solver.start()
        self.supervisor.start()
        checks = (
            asyncio.create_task(self._repeat(self.clock_watch.check, CLOCK_CHECK_SECONDS)),
            asyncio.create_task(self._repeat(self.floor.sessions.recheck, RECHECK_SECONDS)),
            asyncio.create_task(self._repeat(self._close_days, CLOSING_SECONDS)),
            asyncio.create_task(self._repeat(self.witnesses.send_if_leading, self.settings.witness_seconds)),
        )
        try:
            yield
        finally:
            for check in checks:
                check.cancel()
            self.solver.stop()
            self.reports.stop()
            await asyncio.to_thread(self.day_closer.stop)
            await self.close_live()
            last = self.witnesses.send if self.witnesses.leads else None
            self.floor.stop()
            await asyncio.to_thread(self.house.close, last)


def _provider(value: object) -> Any:
    """Return a provider that always returns the same value."""

    def provide() -> Any:
        return value

    return provide


@get("/health", summary="Health of the process", tags=["watch"])
async def health(application: NamedDependency[Application]) -> Health:
    """Return that the process answers, with alerts for the operator."""
    return application.health()


@get(
    "/ready",
    summary="Readiness of the house",
    tags=["watch"],
    responses={
        503: ResponseSpec(Health, description="The house is closing, or its store cannot commit a write.")
    },
)
async def is_ready(application: NamedDependency[Application]) -> Response[Health]:
    """Return whether the store can commit a write and the house is not closing.

    The write is tried at most once a second; requests in between get the last result.
    """
    writable = await application.readiness.is_writable()
    reason = HOUSE_CLOSING if application.closing else "" if writable else UNWRITABLE
    status = "not ready" if reason else "ready"
    return Response(
        Health(status, __version__, reason, application.alerts), status_code=503 if reason else 200
    )

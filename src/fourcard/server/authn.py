"""Authentication: sign-in links, session tokens and cookies, and same-origin checks."""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.commands import Deposit, RegisterPlayer
from fourcard.house.decision import player_stream
from fourcard.house.house import House
from fourcard.house.store.interface import PersonKind
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError, refuse
from fourcard.server.local_house import LOCAL_FLOOR
from fourcard.server.settings import LOCAL_HOSTS, SECOND, ServerSettings

GUEST_CENTS = 1_000_00
"""Play money of a guest, in cents."""
SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
AUTHORIZATION = "Bearer "
GUEST_NAME_TRIES = 100
"""How many guest names are tried when several guests arrive at the same time."""
GUEST_PREFIX = "guest-"
HOSTED_LIFETIME, LOCAL_LIFETIME = 12 * 60 * 60 * SECOND, 30 * 24 * 60 * 60 * SECOND
"""Lifetime of a sign-in in milliseconds: in a hosted house, and on the user's own machine."""
Connection = ASGIConnection[Any, Any, Any, Any]
MAX_VERIFIED = 10_000
"""How many verified tokens are remembered; the least recently used are dropped first."""
PASSWORD_THREADS = ThreadPoolExecutor(2, "fourcard-passwords")
"""Threads that compare passwords (deliberately slow), so that no command waits behind them."""


class LinkSecrets(msgspec.Struct, frozen=True):
    """Secrets of the two sign-in links that a local house prints when it starts."""

    player: str
    staff: str


def new_link_secrets() -> LinkSecrets:
    """Return new random secrets."""
    return LinkSecrets(secrets.token_urlsafe(24), secrets.token_urlsafe(24))


class Authenticator:
    """Authenticator: signs people in and identifies them on each request."""

    def __init__(self, house: House, settings: ServerSettings, links: LinkSecrets | None) -> None:
        """Serve a house; links work only in a house on the user's own machine."""
        self._house, self._settings, self._links = house, settings, links
        self._lifetime = LOCAL_LIFETIME if settings.mode == "local" else HOSTED_LIFETIME
        self._last_guest = 0
        """The highest guest number that this process has tried; 0 before the first guest."""
        self._verified: dict[bytes, str] = {}
        """By token hash, the person the token belonged to at the last lookup."""
        self.cookie_name = "__Host-fourcard_session" if settings.secure else "fourcard_session"

    def cookie(self, token: str) -> Cookie:
        """Return the session cookie: not readable by scripts, not sent by other sites."""
        return Cookie(
            key=self.cookie_name,
            value=token,
            path="/",
            httponly=True,
            samesite="strict",
            secure=self._settings.secure,
            max_age=self._lifetime // SECOND if token else 0,
        )

    def token(self, connection: Connection) -> str:
        """Return the session token of a request, or an empty string."""
        header = connection.headers.get("authorization", "")
        if header.startswith(AUTHORIZATION):
            return header.removeprefix(AUTHORIZATION).strip()
        return connection.cookies.get(self.cookie_name, "")

    async def identify(self, connection: Connection) -> Actor | None:
        """Return the signed-in person with current roles, or None."""
        token = self.token(connection)
        if not token:
            return None
        found = await asyncio.to_thread(self._house.actor, token)
        self._remember(token, None if isinstance(found, Refusal) else found)
        return None if isinstance(found, Refusal) else found

    def _remember(self, token: str, actor: Actor | None) -> None:
        """Remember whose token this is, or forget it if it is invalid."""
        self._verified.pop(_digest(token), None)
        if actor is not None:
            if len(self._verified) >= MAX_VERIFIED:
                del self._verified[next(iter(self._verified))]
            self._verified[_digest(token)] = f"{actor.kind}/{actor.person}"

    def verified_person(self, token: str) -> str:
        """Return the person of a token at its last lookup, or an empty string."""
        return self._verified.get(_digest(token), "")

    def address(self, connection: Connection) -> str:
        """Return the client address; behind a proxy, the last one that the proxy reports."""
        forwarded = connection.headers.getall("x-forwarded-for", []) if self._settings.proxied else []
        nearest = ",".join(forwarded).rpartition(",")[2].strip()[:64]
        return nearest or (connection.client.host if connection.client is not None else "nowhere")

    def is_same_site(self, connection: Connection) -> bool:
        """Return whether a request comes from this site's own page, or from no page at all.

        Browsers send cookies with requests that other sites trigger, so a request with a cookie must prove
        its origin. A request with its own bearer token cannot come from another site.
        """
        if not self.is_our_host(connection):
            return False
        origin = connection.headers.get("origin")
        if origin is not None:
            return self._is_same_origin(origin, connection.headers.get("host", ""))
        fetch_site = connection.headers.get("sec-fetch-site")
        if fetch_site is not None:
            return fetch_site in ("same-origin", "none")
        return self.cookie_name not in connection.cookies

    def _is_same_origin(self, origin: str, host: str) -> bool:
        """Return whether an origin is this site; with https, plain http counts only on the same machine."""
        scheme, _, at = origin.partition("://")
        plain = not self._settings.secure or _host_name(host) in LOCAL_HOSTS
        return at == host and (scheme == "https" or (scheme == "http" and plain))

    def is_our_host(self, connection: Connection) -> bool:
        """Return whether the Host header names this house (protects against DNS rebinding)."""
        return _host_name(connection.headers.get("host", "")) in self._settings.hosts

    def enter_by_link(self, secret: str, visitor: Actor | None) -> tuple[PersonKind, str] | None:
        """Return the kind of person and a new token for a link's secret, or None if it is invalid.

        A guest who uses the link again stays the same guest and gets no new token.
        """
        links = self._links
        if links is None:
            return None
        if secrets.compare_digest(secret.encode(), links.staff.encode()):
            return "staff", self._house.sign_in.issue_by_link("staff", LOCAL_FLOOR.person, LOCAL_LIFETIME)
        if not secrets.compare_digest(secret.encode(), links.player.encode()):
            return None
        if visitor is not None and visitor.kind == "player":
            return "player", ""
        return "player", self._house.sign_in.issue_by_link("player", self._new_guest(), LOCAL_LIFETIME)

    def _new_guest(self) -> str:
        """Open a guest account with play money."""
        console, first = self._console(), (self._last_guest or self._last_guest_number()) + 1
        for number in range(first, first + GUEST_NAME_TRIES):
            self._last_guest = number
            name = f"{GUEST_PREFIX}{number}"
            try:
                self._house.do(player_stream(name), RegisterPlayer(name=f"Guest {number}"), console)
            except RefusedError as error:
                if error.refusal.code is Code.PLAYER_KNOWN:
                    continue
                raise
            self._house.do(player_stream(name), Deposit(cents=GUEST_CENTS, role="supervisor"), console)
            return name
        raise RefusedError(refuse(Code.HOUSE_IN_TROUBLE, reason="too many guests arrive at the same time"))

    def _last_guest_number(self) -> int:
        """Return the highest guest number in use; read once, before the first guest of this process."""
        prefix = player_stream(GUEST_PREFIX)
        with self._house.store.reading() as reading:
            streams = reading.streams_of("player")
        numbers = [each.removeprefix(prefix) for each in streams if each.startswith(prefix)]
        return max((int(each) for each in numbers if each.isdecimal()), default=0)

    def refill(self, actor: Actor, held: int) -> None:
        """Give a guest more play money when nearly all of it is gone."""
        if self._settings.mode != "local" or actor.kind != "player":
            raise RefusedError(refuse(Code.LOCAL_MODE_ONLY))
        if held >= GUEST_CENTS // 10:
            raise RefusedError(refuse(Code.PURSE_NOT_EMPTY, least="$100", held=f"${held / 100:,.2f}"))
        deposit = Deposit(cents=GUEST_CENTS, role="supervisor")
        self._house.do(player_stream(actor.person), deposit, self._console())

    def _console(self) -> Actor:
        """Return the console of this machine, which deposits play money."""
        found = self._house.service.staff().actor(CONSOLE)
        if found is None:
            raise RefusedError(refuse(Code.HOUSE_IN_TROUBLE, reason="its console was dismissed"))
        return found


def _host_name(host: str) -> str:
    """Return a host name without its port."""
    name, _, port = host.rpartition(":")
    return (name if port.isdigit() else host).lower()


def _digest(token: str) -> bytes:
    """Return the hash under which a token is remembered; it cannot be used to sign in."""
    return sha256(token.encode("utf-8", "surrogateescape")).digest()

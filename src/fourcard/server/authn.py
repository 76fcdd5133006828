"""Authentication: sign-in links, session tokens and cookies, and same-origin checks."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, TypeVar

import msgspec
from litestar.datastructures import Cookie
from litestar.types import Scope

from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.auth.sign_in import token_hash
from fourcard.house.commands import Deposit, PersonKind, RegisterPlayer
from fourcard.house.decision import player_stream
from fourcard.house.house import House
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.server.error_handlers import BusyError
from fourcard.server.local_house import LOCAL_FLOOR
from fourcard.server.sessions import Sessions
from fourcard.server.settings import LOCAL_HOSTS, SECOND, ServerSettings

GUEST_CENTS = 1_000_00
"""Play money of a guest, in cents."""
SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
BEARER = "Bearer "
GUEST_NAME_TRIES = 100
"""How many guest names are tried when several guests arrive at the same time."""
GUEST_PREFIX = "guest-"
HOSTED_LIFETIME, LOCAL_LIFETIME = 12 * 60 * 60 * SECOND, 30 * 24 * 60 * 60 * SECOND
"""Lifetime of a sign-in in milliseconds: in a hosted house, and on the user's own machine."""
LISTED_HEADERS = {b"cookie": b"; ", b"x-forwarded-for": b","}
"""Headers that may come in several lines, and what joins these."""
READ_HEADERS = frozenset(
    (b"host", b"origin", b"sec-fetch-site", b"authorization", b"accept-encoding", *LISTED_HEADERS)
)
"""Headers that a `RequestHead` is read from."""
HEAD_KEY = "fourcard_head"
"""Where the scope of a request keeps its `RequestHead`."""
PASSWORD_THREADS = 2
"""Threads that compare passwords (deliberately slow), so that no command waits behind them."""
MAX_PASSWORDS_WAITING = 16
"""Requests that wait for these threads; a comparison takes about a fifth of a second."""
BUSY_SECONDS = 3
"""Seconds after which a request that found too many others waiting should be sent again."""
UNTRUSTED_PROXY = (
    "A request from %s reports another client address, but it is not a trusted proxy. "
    "If it is one, name it with --proxy."
)
MAX_PEERS = 1_024
"""Peers and clients whose address is remembered in its short form."""
Answered = TypeVar("Answered")
_log = logging.getLogger(__name__)


class LinkSecrets(msgspec.Struct, frozen=True):
    """Secrets of the two sign-in links that a local house prints when it starts."""

    player: str
    staff: str


def new_link_secrets() -> LinkSecrets:
    """Return new random secrets."""
    return LinkSecrets(secrets.token_urlsafe(24), secrets.token_urlsafe(24))


class PasswordQueue:
    """Compares passwords in threads of its own; when too many requests wait, another one is refused."""

    def __init__(self) -> None:
        """Start with nobody waiting."""
        self._threads = ThreadPoolExecutor(PASSWORD_THREADS, "fourcard-passwords")
        self._waiting = 0

    async def run(self, work: Callable[[], Answered]) -> Answered:
        """Run some work that compares a password, or refuse it for now."""
        if self._waiting >= PASSWORD_THREADS + MAX_PASSWORDS_WAITING:
            raise BusyError("too many people sign in at the same time", BUSY_SECONDS)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


class RequestHead(msgspec.Struct, frozen=True, gc=False):
    """What the server needs to know of a request before its handler, read once from its headers."""

    host: str
    origin: str | None
    fetch_site: str | None
    token: str
    """The session token, or an empty string."""
    session: str
    """The hash of the token, by which its session is found."""
    has_cookie: bool
    """Whether the request carries the session cookie."""
    address: str
    """The client address (of IPv6 its network of 64 bits); a trusted proxy reports it."""
    takes_gzip: bool


class TrustedProxies:
    """The proxies whose report of a client address is believed."""

    def __init__(self, networks: Iterable[str]) -> None:
        """Take their networks; without any, no report is believed."""
        self._networks = tuple(map(ip_network, networks))
        self._trusted: dict[str, bool] = {}

    def is_trusted(self, peer: str) -> bool:
        """Return whether a peer is a proxy of the house; log the first time that another one reports."""
        if not self._networks:
            return False
        found = self._trusted.get(peer)
        if found is None:
            found = self._look_up(peer)
            if len(self._trusted) < MAX_PEERS:
                self._trusted[peer] = found
        return found

    def _look_up(self, peer: str) -> bool:
        try:
            address = ip_address(peer)
        except ValueError:
            return False
        trusted = any(address in network for network in self._networks)
        if not trusted:
            _log.warning(UNTRUSTED_PROXY, peer)
        return trusted


@lru_cache(MAX_PEERS)
def client_address(host: str) -> str:
    """Return what counts as one client: an address, or the first 64 bits of an IPv6 address."""
    if ":" not in host:
        return host
    try:
        address = IPv6Address(host)
    except ValueError:
        return host
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


class Authenticator:
    """Authenticator: signs people in and identifies them on each request."""

    def __init__(
        self, house: House, sessions: Sessions, settings: ServerSettings, links: LinkSecrets | None
    ) -> None:
        """Serve a house; links work only in a house on the user's own machine."""
        self._house, self.sessions, self._settings, self._links = house, sessions, settings, links
        self._lifetime = LOCAL_LIFETIME if settings.mode == "local" else HOSTED_LIFETIME
        self._hosts = frozenset(settings.hosts)
        self.passwords = PasswordQueue()
        self._proxies = TrustedProxies(settings.proxies)
        self._last_guest = 0
        """The highest guest number that this process has tried; 0 before the first guest."""
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

    def head(self, scope: Any) -> RequestHead:
        """Return what to know of a request before its handler; its headers are read once."""
        found: RequestHead | None = scope.get(HEAD_KEY)
        if found is None:
            found = scope[HEAD_KEY] = self._read_head(scope)
        return found

    def _read_head(self, scope: Any) -> RequestHead:
        lines: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in READ_HEADERS:
                joint = LISTED_HEADERS.get(name) if name in lines else None
                lines[name] = lines.get(name, value) if joint is None else lines[name] + joint + value
        headers = {name: value.decode("latin-1") for name, value in lines.items()}
        cookie = _cookie_value(headers.get(b"cookie", ""), self.cookie_name)
        bearer = headers.get(b"authorization", "")
        token = bearer.removeprefix(BEARER).strip() if bearer.startswith(BEARER) else cookie or ""
        return RequestHead(
            host=headers.get(b"host", ""),
            origin=headers.get(b"origin"),
            fetch_site=headers.get(b"sec-fetch-site"),
            token=token,
            session=token_hash(token) if token else "",
            has_cookie=cookie is not None,
            address=self._address(scope["client"], headers.get(b"x-forwarded-for", "")),
            takes_gzip="gzip" in headers.get(b"accept-encoding", ""),
        )

    def _address(self, client: tuple[str, int] | None, forwarded: str) -> str:
        peer = client[0] if client is not None else "nowhere"
        reported = forwarded.rpartition(",")[2].strip()[:64] if forwarded else ""
        return client_address(reported if reported and self._proxies.is_trusted(peer) else peer)

    async def identify(self, scope: Scope) -> Actor | None:
        """Return the signed-in person with current roles, or None."""
        session = self.head(scope).session
        if not session:
            return None
        return self.sessions.current(session) or await asyncio.to_thread(self.sessions.read, session)

    def is_same_site(self, head: RequestHead) -> bool:
        """Return whether a request comes from this site's own page, or from no page at all.

        Browsers send cookies with requests that other sites trigger, so a request with a cookie must prove
        its origin. A request with its own bearer token cannot come from another site.
        """
        if not self.is_our_host(head):
            return False
        if head.origin is not None:
            return self._is_same_origin(head.origin, head.host)
        if head.fetch_site is not None:
            return head.fetch_site in ("same-origin", "none")
        return not head.has_cookie

    def _is_same_origin(self, origin: str, host: str) -> bool:
        """Return whether an origin is this site; with https, plain http counts only on the same machine."""
        scheme, _, at = origin.partition("://")
        plain = not self._settings.secure or _host_name(host) in LOCAL_HOSTS
        return at == host and (scheme == "https" or (scheme == "http" and plain))

    def is_our_host(self, head: RequestHead) -> bool:
        """Return whether the Host header names this house (protects against DNS rebinding)."""
        return _host_name(head.host) in self._hosts

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


def _cookie_value(line: str, wanted: str) -> str | None:
    """Return the value of a cookie, or None if it is not there; the last of several counts."""
    if wanted not in line:
        return None
    pairs = (part.partition("=") for part in line.split(";"))
    return {name.strip(): value.strip().strip('"') for name, _, value in pairs}.get(wanted)

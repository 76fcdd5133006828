"""Who comes in: by a link of this machine, or by name and password; and whether a request is of this site."""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from fourcard.house.actors import CONSOLE, Actor
from fourcard.house.commands import Deposit, RegisterPlayer
from fourcard.house.house import House
from fourcard.house.outcome import player_stream
from fourcard.house.store.contract import PersonKind
from fourcard.refusals import Code, Refusal, RefusedError, refuse
from fourcard.server.own_house import FLOOR
from fourcard.server.settings import OWN_MACHINE, SECOND, Settings

PURSE = 1_000_00
"""The play money of a guest, in cents."""
SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
AUTHORIZATION = "Bearer "
CROWDED = 100
"""How many names are tried for a guest, where others come at the same moment."""
GUEST = "guest-"
HOUSE_LIFETIME, AT_HOME = 12 * 60 * 60 * SECOND, 30 * 24 * 60 * 60 * SECOND
"""How long a sign-in lasts, in milliseconds: in a house, and on one's own machine."""
Connection = ASGIConnection[Any, Any, Any, Any]
MOST_PROVEN = 10_000
"""How many sign-ins are remembered as proven; the ones that were used longest ago are forgotten first."""
COMPARING = ThreadPoolExecutor(2, "fourcard-passwords")
"""Threads in which passwords are compared, slowly as they must be: nobody's command waits behind them."""


class Secrets(msgspec.Struct, frozen=True):
    """The secrets of the two links that a house on one's own machine prints when it starts."""

    player: str
    staff: str


def new_secrets() -> Secrets:
    """Return secrets that nobody can guess."""
    return Secrets(secrets.token_urlsafe(24), secrets.token_urlsafe(24))


class Doors:
    """Lets people in, and says who they are."""

    def __init__(self, house: House, settings: Settings, links: Secrets | None) -> None:
        """Mind the doors of a house; links open them only where it is served on one's own machine."""
        self._house, self._settings, self._links = house, settings, links
        self._lifetime = AT_HOME if settings.mode == "local" else HOUSE_LIFETIME
        self._proven: dict[bytes, str] = {}
        """By the hash of a token, whose it was when that was looked up last."""
        self.cookie_name = "__Host-fourcard_session" if settings.secure else "fourcard_session"

    def cookie(self, token: str) -> Cookie:
        """Return the cookie that carries a sign-in, out of reach of scripts and of other sites."""
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
        """Return what a request was signed with, or nothing."""
        header = connection.headers.get("authorization", "")
        if header.startswith(AUTHORIZATION):
            return header.removeprefix(AUTHORIZATION).strip()
        return connection.cookies.get(self.cookie_name, "")

    async def who(self, connection: Connection) -> Actor | None:
        """Return who has signed in, in the roles of this moment, or None."""
        token = self.token(connection)
        if not token:
            return None
        found = await asyncio.to_thread(self._house.actor, token)
        self._remember(token, None if isinstance(found, Refusal) else found)
        return None if isinstance(found, Refusal) else found

    def _remember(self, token: str, actor: Actor | None) -> None:
        """Remember whose a token is, or that it is nobody's."""
        self._proven.pop(_digest(token), None)
        if actor is not None:
            if len(self._proven) >= MOST_PROVEN:
                del self._proven[next(iter(self._proven))]
            self._proven[_digest(token)] = f"{actor.kind}/{actor.person}"

    def proven(self, token: str) -> str:
        """Return whose a token was when it was looked up last, or nothing where it never was."""
        return self._proven.get(_digest(token), "")

    def address(self, connection: Connection) -> str:
        """Return where a request comes from; behind a proxy, what the proxy says last."""
        told = connection.headers.getall("x-forwarded-for", []) if self._settings.proxied else []
        nearest = ",".join(told).rpartition(",")[2].strip()[:64]
        return nearest or (connection.client.host if connection.client is not None else "nowhere")

    def is_own(self, connection: Connection) -> bool:
        """Say whether a request comes from this site's own page, or from no page at all.

        A cookie is sent by a browser whoever made it ask; a request by cookie must say that it comes from
        here. What carries its token itself cannot have been made by another site.
        """
        if not self.is_for_us(connection):
            return False
        origin = connection.headers.get("origin")
        if origin is not None:
            return self._is_ours(origin, connection.headers.get("host", ""))
        fetched = connection.headers.get("sec-fetch-site")
        if fetched is not None:
            return fetched in ("same-origin", "none")
        return self.cookie_name not in connection.cookies

    def _is_ours(self, origin: str, host: str) -> bool:
        """Say whether a page is of this site; where people come by https, plain ones are only from here."""
        scheme, _, at = origin.partition("://")
        plain = not self._settings.secure or _name(host) in OWN_MACHINE
        return at == host and (scheme == "https" or (scheme == "http" and plain))

    def is_for_us(self, connection: Connection) -> bool:
        """Say whether a request is for a name of this house: no other name can be made to lead here."""
        return _name(connection.headers.get("host", "")) in self._settings.hosts

    def enter(self, secret: str, visitor: Actor | None) -> tuple[PersonKind, str] | None:
        """Return a sign-in for the secret of a link and of which kind, or None where it opens nothing.

        A guest who comes again by the link stays the same guest, and gets no new sign-in.
        """
        links = self._links
        if links is None:
            return None
        if secrets.compare_digest(secret.encode(), links.staff.encode()):
            return "staff", self._house.sign_in.admit("staff", FLOOR.person, AT_HOME)
        if not secrets.compare_digest(secret.encode(), links.player.encode()):
            return None
        if visitor is not None and visitor.kind == "player":
            return "player", ""
        return "player", self._house.sign_in.admit("player", self._new_guest(), AT_HOME)

    def _new_guest(self) -> str:
        """Open an account for somebody who came by the player's link, with play money in it."""
        console, first = self._console(), self._guests() + 1
        for number in range(first, first + CROWDED):
            name = f"{GUEST}{number}"
            try:
                self._house.do(player_stream(name), RegisterPlayer(name=f"Guest {number}"), console)
            except RefusedError as error:
                if error.refusal.code is Code.PLAYER_KNOWN:
                    continue
                raise
            self._house.do(player_stream(name), Deposit(cents=PURSE, role="supervisor"), console)
            return name
        raise RefusedError(refuse(Code.HOUSE_IN_TROUBLE, reason="too many guests come at once"))

    def _guests(self) -> int:
        """Return the highest number that a guest has."""
        prefix = player_stream(GUEST)
        with self._house.store.reading() as reading:
            numbers = [each.removeprefix(prefix) for each in reading.streams() if each.startswith(prefix)]
        return max((int(each) for each in numbers if each.isdecimal()), default=0)

    def refill(self, actor: Actor, held: int) -> None:
        """Give a guest more play money, once nearly all of it is gone."""
        if self._settings.mode != "local" or actor.kind != "player":
            raise RefusedError(refuse(Code.LOCAL_MODE_ONLY))
        if held >= PURSE // 10:
            raise RefusedError(refuse(Code.PURSE_NOT_EMPTY, least="$100", held=f"${held / 100:,.2f}"))
        deposit = Deposit(cents=PURSE, role="supervisor")
        self._house.do(player_stream(actor.person), deposit, self._console())

    def _console(self) -> Actor:
        """Return the console of this machine, which gives play money and nothing else here."""
        found = self._house.desk.staff().actor(CONSOLE)
        if found is None:
            raise RefusedError(refuse(Code.HOUSE_IN_TROUBLE, reason="its console was let go"))
        return found


def _name(host: str) -> str:
    """Return the name of a host without its port."""
    name, _, port = host.rpartition(":")
    return (name if port.isdigit() else host).lower()


def _digest(token: str) -> bytes:
    """Return under what a token is remembered, which opens nothing."""
    return sha256(token.encode("utf-8", "surrogateescape")).digest()

"""Server settings: mode, host names, pace and limits."""

from typing import Literal

import msgspec

from fourcard.house.autopilot import DealerPolicy, TimeLimits
from fourcard.house.segments import KEEP_DAYS

Mode = Literal["local", "house"]
SECOND = 1_000
SEAT_MILLISECONDS = 10 * 60 * SECOND
"""How long an idle seat is kept in a hosted house."""


class PaceSettings(TimeLimits, frozen=True):
    """Dealer pauses and the time limits of people."""

    factor: float = 1.0
    """Factor of every dealer pause; 0 means no pauses."""


class RequestLimits(msgspec.Struct, frozen=True):
    """Rate and size limits per person and per address."""

    requests: float = 40.0
    """Requests per second of one person, or of one address without a sign-in."""
    burst: int = 200
    """How many requests may come at once."""
    crowd: int = 10
    """How many times the limit of one person a shared address may use.

    Requests with a token that was not looked up yet may come in a burst of half this size, then at the rate
    of one person: everybody at an address reconnects after a restart, but tokens can also be invented.
    """
    commands: float = 20.0
    """Commands per second of one person."""
    command_burst: int = 60
    sign_ins: float = 0.2
    """Sign-ins per second from one address."""
    sign_in_burst: int = 10
    body: int = 200_000
    """Largest request body in bytes; a command can use half of it."""
    message: int = 100_000
    """Largest live message in bytes."""
    connections: int = 20
    """Live connections of one person."""
    rejected_messages: int = 20
    """Rejected messages, invalid or over the rate limit, after which a live connection is closed."""


LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")
"""Host names of the local machine."""


class ServerSettings(DealerPolicy, frozen=True, kw_only=True):
    """Settings of a server."""

    mode: Mode = "local"
    hosts: tuple[str, ...] = LOCAL_HOSTS
    """Host names of this house; requests for other names are refused."""
    secure: bool = False
    """Whether people use https, so that cookies are sent over https only."""
    proxied: bool = False
    """Whether every request comes through a proxy that reports the client address."""
    pace: PaceSettings = PaceSettings()
    limits: RequestLimits = RequestLimits()
    keep_days: int = KEEP_DAYS
    """Days whose events stay as rows before they are closed."""

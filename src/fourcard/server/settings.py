"""Server settings: mode, host names, pace and limits."""

from typing import Literal

import msgspec

from fourcard.house.autopilot import DealerPolicy, TimeLimits
from fourcard.house.segments import KEEP_DAYS

Mode = Literal["local", "house"]
WITNESS_SECONDS = 60
MAX_BOTS = 6
"""Bots at a table of seven positions that leave one for a person."""
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


LOOPBACK_NETWORKS = ("127.0.0.0/8", "::1/128")
"""Addresses of the machine itself."""
CONNECTIONS_PER_ADDRESS = 256
"""A browser opens about seven; behind one address there can be a whole room of players."""


class ConnectionLimits(msgspec.Struct, frozen=True):
    """Limits of a connection, whatever is sent over it."""

    head_seconds: float = 10.0
    """Seconds until the head of a request is complete, from the start or from the last answer."""
    head_bytes: int = 32_768
    """Largest head of a request in bytes."""
    body_seconds: float = 10.0
    """Seconds until the body of a request is complete."""
    body_memory: int = 64 * 1024 * 1024
    """Bytes of unfinished bodies in memory; beyond that only small bodies are received."""
    unfinished_message: int = 200_000
    """Bytes of a live message that has not ended: twice the largest one, because pings count here too."""
    message_memory: int = 16 * 1024 * 1024
    """Bytes of unfinished live messages in memory; beyond that the connections that hold most are closed."""
    stalled_seconds: float = 30.0
    """Seconds until a connection ends whose client takes nothing of what was sent, or has vanished."""
    per_address: int = CONNECTIONS_PER_ADDRESS
    """Connections of one IPv4 address or one IPv6 network of 64 bits; 0 means no limit."""
    uncounted: tuple[str, ...] = LOOPBACK_NETWORKS
    """Networks without a limit of connections: this machine, and the proxies."""


LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")
"""Host names of the local machine."""


class ServerSettings(DealerPolicy, frozen=True, kw_only=True):
    """Settings of a server."""

    mode: Mode = "local"
    hosts: tuple[str, ...] = LOCAL_HOSTS
    """Host names of this house; requests for other names are refused."""
    secure: bool = False
    """Whether people use https, so that cookies are sent over https only."""
    proxies: tuple[str, ...] = ()
    """Networks of the proxies that report the client address; from elsewhere it is not believed."""
    pace: PaceSettings = PaceSettings()
    limits: RequestLimits = RequestLimits()
    connections: ConnectionLimits = ConnectionLimits()
    keep_days: int = KEEP_DAYS
    """Days whose events stay as rows before they are closed."""
    witness_seconds: float = WITNESS_SECONDS
    """Seconds between two statements to the witnesses."""

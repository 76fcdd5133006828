"""How a house is served: for whom, where, at which pace, and within which limits."""

from typing import Literal

import msgspec

Mode = Literal["local", "house"]
SECOND = 1_000
SEAT_KEPT = 10 * 60 * SECOND
"""How long a seat is kept in a house for many people."""


class Pace(msgspec.Struct, frozen=True):
    """How long things are left to be seen, and how long people have, in milliseconds."""

    factor: float = 1.0
    """What every pause of the dealer is multiplied with; 0 leaves them out."""
    wagering: int | None = None
    """How long wagers are taken after the first one of a round; None waits until everybody is ready (P34)."""
    deciding: int | None = None
    """How long a player has for a decision; None waits for ever (P34)."""
    patient: bool = False
    """Whether limits of time hold only while several people sit at a table."""
    seat: int | None = None
    """How long the seat of somebody who does nothing at the table is kept; None keeps it for ever (P34)."""


class Limits(msgspec.Struct, frozen=True):
    """What one person or one address may ask in a time, and how much at once."""

    requests: float = 40.0
    """Requests a second that one person, or one address where nobody has signed in, may go on making."""
    burst: int = 200
    """How many of them may come at once."""
    crowd: int = 10
    """How many times as much one address may ask as one person, for all who share it.

    Half as many as may come at once may come with a sign-in that was not looked up yet, and go on coming like
    one person: all who share an address come again when the house has been closed, and tokens can be made up.
    """
    commands: float = 20.0
    """Commands a second of one person."""
    command_burst: int = 60
    sign_ins: float = 0.2
    """Sign-ins a second from one address."""
    sign_in_burst: int = 10
    body: int = 200_000
    """Bytes of a request; a command may have half of them."""
    message: int = 100_000
    """Bytes of a message on a live connection."""
    connections: int = 20
    """Live connections of one person."""
    quiet: int = 20
    """Unreadable messages after which a live connection is closed."""


OWN_MACHINE = ("127.0.0.1", "localhost", "[::1]")
"""Names that lead from a machine to itself."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is chosen when a house is served."""

    mode: Mode = "local"
    hosts: tuple[str, ...] = OWN_MACHINE
    """The names under which the house is reached; requests for others are not taken."""
    secure: bool = False
    """Whether people come by https, so that cookies are sent nowhere else."""
    proxied: bool = False
    """Whether every request comes through a proxy, which says from where it came to it."""
    deals: bool = True
    """Whether the house deals by itself where it shuffles."""
    bots: int = 2
    """How many bots sit down beside people at a table."""
    opens: bool = True
    """Whether the house opens closed tables and fills their trays by itself."""
    pace: Pace = Pace()
    limits: Limits = Limits()

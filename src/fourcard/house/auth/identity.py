"""Identity: the person who gives a command, and the name and role written into it."""

from typing import TypeVar

import msgspec
from msgspec.structs import replace

from fourcard.house.commands import HouseCommand, PersonKind, StaffRole
from fourcard.round.commands import Command

AnyCommand = Command | HouseCommand
"""Any command to the house: of a round, of a table, or of the house itself."""
CommandT = TypeVar("CommandT", bound=AnyCommand)
CONSOLE = "console"
"""Author of commands typed on the house's own machine; nobody can sign in under this name."""
HOUSE_DEALER = "house-dealer"
"""Author of the automatic dealer, which also brings the bots."""
BOT_PREFIX = "bot-"
"""Prefix of every bot's name; only the automatic dealer can open an account under it."""
MAX_SHOWN_LENGTH = 80
"""Longest part of a name that is shown in a sentence, in characters."""


class Actor(msgspec.Struct, frozen=True, gc=False):
    """A person who signed in, with the person's roles."""

    person: str
    kind: PersonKind
    roles: tuple[StaffRole, ...] = ()
    """Roles of a member of staff; empty for a player."""


def is_bot(player: str) -> bool:
    """Say whether a player is a bot."""
    return player.startswith(BOT_PREFIX)


def with_author(actor: Actor, command: CommandT, at: int | None = None) -> CommandT:
    """Return a command with its real author, and with a time if one is given; a player acts as a player."""
    role = "player" if actor.kind == "player" else command.role
    if at is not None:
        return replace(command, by=actor.person, role=role, at=at)
    if command.by == actor.person and command.role == role:
        return command
    return replace(command, by=actor.person, role=role)


def printable(text: str, most: int = MAX_SHOWN_LENGTH) -> str:
    """Return text cut to a length, with a question mark for each unprintable character."""
    return "".join(char if char.isprintable() else "?" for char in text[:most])

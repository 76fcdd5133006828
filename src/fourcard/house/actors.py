"""Who really gives a command: the person that signed in, stamped on it over whatever the command says."""

from typing import TypeVar

import msgspec
from msgspec.structs import replace

from fourcard.house.commands import HouseCommand, StaffRole
from fourcard.house.store.contract import PersonKind
from fourcard.round.commands import Command

AnyCommand = Command | HouseCommand
"""What can be asked of the house: a command of a round, of a table, or of the house itself."""
Given = TypeVar("Given", bound=AnyCommand)
CONSOLE = "console"
"""Who gives the commands that are typed on the machine of the house; nobody signs in under this name."""
HOUSE_DEALER = "house-dealer"
"""Who deals where the house deals by itself, and brings its bots."""
BOT_PREFIX = "bot-"
"""What every bot's name begins with; the desk lets nobody but that dealer open an account under it."""
LONGEST = 80
"""How many characters of a name stand in a sentence."""


class Actor(msgspec.Struct, frozen=True, gc=False):
    """A person who signed in, and what the person is employed as."""

    person: str
    kind: PersonKind
    roles: tuple[StaffRole, ...] = ()
    """The roles of a member of staff; a player has none."""


def is_bot(player: str) -> bool:
    """Say whether a player is a bot."""
    return player.startswith(BOT_PREFIX)


def acting(actor: Actor, command: Given) -> Given:
    """Return a command stamped with who gives it; staff act in the role that it names, if they hold it."""
    role = "player" if actor.kind == "player" else command.role
    if command.by == actor.person and command.role == role:
        return command
    return replace(command, by=actor.person, role=role)


def legible(text: str, most: int = LONGEST) -> str:
    """Return what somebody typed, no longer than told, with a question mark for what cannot be printed."""
    return "".join(char if char.isprintable() else "?" for char in text[:most])

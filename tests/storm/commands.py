"""One command as somebody in the storm gives it, and why."""

from dataclasses import dataclass
from typing import Literal

from fourcard.house.route_command import Request

Sort = Literal[
    "proper",
    "near",
    "seldom",
    "wild",
    "astray",
    "house",
    "manager",
    "barred",
    "again",
    "reused",
    "elsewhere",
    "late",
    "retried",
]
"""What sort of behaviour a command is: from what is due to what nobody may do, once or again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and what sort of behaviour it is."""

    request: Request
    sort: Sort

    @property
    def place(self) -> tuple[str, str]:
        """Return the stream and the key: what makes a command one and the same."""
        return self.request.stream, self.request.command.key

    def told(self) -> str:
        """Return it in a line."""
        actor = self.request.actor
        return (
            f"[{self.sort}] {self.request.stream} {actor.person}{list(actor.roles)}: {self.request.command}"
        )

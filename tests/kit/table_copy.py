"""A client's copy of a live table: the whole table message, kept by applying each change."""

from typing import Any

import msgspec

from fourcard.server.floor.changes import apply_change
from fourcard.server.floor.messages import TableChange


class TableCopy:
    """The table as one client has it."""

    def __init__(self) -> None:
        """Start without the table."""
        self.message: dict[str, Any] = {}
        self.received: list[bytes] = []
        """Every message as it was sent, answers included."""

    def take(self, text: str | bytes) -> dict[str, Any]:
        """Take a message; return the whole table after a change, and any other message as it is."""
        sent = text.encode() if isinstance(text, str) else text
        self.received.append(sent)
        message: dict[str, Any] = msgspec.json.decode(sent)
        if message["kind"] == "table":
            self.message = message
        elif message["kind"] == "change":
            change = msgspec.json.decode(sent, type=TableChange)
            assert (change.from_, change.version) == (self.message["version"], change.from_ + 1)
            message = self.message = apply_change(self.message, message)
        return message

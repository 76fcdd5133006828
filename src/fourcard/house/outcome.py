"""Decision: the events of a command in all streams, with new secrets and games; and stream names."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from fourcard.house.meter_book import MeterBook
from fourcard.house.player_book import PlayerBook
from fourcard.house.staff import StaffState
from fourcard.house.table_book import AnyTable
from fourcard.refusals import Refusal
from fourcard.rules.game import Game

STAFF, HOUSE = "staff", "house"


def table_stream(name: str) -> str:
    """Return the stream of a table."""
    return f"table/{name}"


def meter_stream(name: str) -> str:
    """Return the stream of a meter."""
    return f"meter/{name}"


def player_stream(name: str) -> str:
    """Return the stream of a player's account."""
    return f"player/{name}"


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What an accepted command writes: events in its own stream and in others, secrets and games."""

    events: Sequence[object]
    """The events of the command's own stream, at least one."""
    others: Sequence[tuple[str, object]] = ()
    """Events of other streams, each with its stream."""
    secrets: Sequence[tuple[str, int, bytes]] = ()
    """New shuffle secrets by stream and shuffle, stored until they are revealed."""
    games: Mapping[str, bytes] = {}
    """Games to pin, by their hash."""


Decided = Refusal | Outcome


class Books(Protocol):
    """What a decision can read: every current state, games, secrets and random bytes."""

    def find_table(self, name: str) -> AnyTable:
        """Return a table, installed or not."""
        ...

    def meter(self, name: str) -> MeterBook:
        """Return a meter."""
        ...

    def player(self, name: str) -> PlayerBook:
        """Return a player's account."""
        ...

    def staff(self) -> StaffState:
        """Return the staff."""
        ...

    def game(self, hash_: str) -> Game:
        """Return a pinned game."""
        ...

    def secret(self, stream: str, number: int) -> bytes:
        """Return the secret of a shuffle that has been committed to."""
        ...

    def draw(self, count: int) -> bytes:
        """Return random bytes."""
        ...

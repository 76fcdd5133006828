"""Decision: what a command writes in all streams, what it can read, and the names of streams."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from fourcard.house.account_state import AccountState
from fourcard.house.auth.staff import StaffState
from fourcard.house.meter_state import MeterState
from fourcard.house.shuffle_algorithm import ShuffleInput
from fourcard.house.table_state import AnyTable
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, Refusal, RefusedError, refuse
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.submission import parse_submission


def game_of_submission(text: str) -> Game | Refusal:
    """Return the game of a submission, or a refusal."""
    try:
        return resolve_game(parse_submission(text))
    except RefusedError as error:
        return error.refusal
    except BadInputError as error:
        return refuse(Code.SUBMISSION_REFUSED, reason=str(error).rstrip("."))


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


class Decision(msgspec.Struct, frozen=True, gc=False):
    """What an accepted command writes: events in its own stream and in others, secrets and games."""

    events: Sequence[object]
    """The events of the command's own stream, at least one."""
    other_events: Sequence[tuple[str, object]] = ()
    """Events of other streams, each with its stream."""
    secrets: Sequence[tuple[str, int, bytes]] = ()
    """New shuffle secrets by stream and shuffle, stored until they are revealed."""
    games: Mapping[str, bytes] = {}
    """Games to pin, by their hash."""


DecisionOrRefusal = Refusal | Decision


class StateReader(Protocol):
    """What a decision can read: every current state, games, and what comes from outside: law and chance."""

    def find_table(self, name: str) -> AnyTable:
        """Return a table, installed or not."""
        ...

    def meter(self, name: str) -> MeterState:
        """Return a meter."""
        ...

    def player(self, name: str) -> AccountState:
        """Return a player's account."""
        ...

    def staff(self) -> StaffState:
        """Return the staff."""
        ...

    def game(self, hash_: str) -> Game:
        """Return a pinned game."""
        ...

    def resolve_submission(self, text: str) -> Game | Refusal:
        """Return the game that a submission makes, or a refusal."""
        ...

    def shuffled_order(self, shuffle: ShuffleInput) -> tuple[int, ...]:
        """Return the order that a committed shuffle gives a deck."""
        ...

    def commit_shuffle(self) -> tuple[str, bytes, str]:
        """Return the commitment to a new shuffle, its secret, and its algorithm."""
        ...

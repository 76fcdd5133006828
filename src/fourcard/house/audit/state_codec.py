"""State codec: the whole folded state of a stream as JSON, a round under way included, and back.

Rules and games are stored by their key alone: a state is read together with the pinned games of its house.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import fields

from fourcard.house.account_state import AccountState
from fourcard.house.auth.security import SECURITY, SecurityState
from fourcard.house.auth.staff import StaffState
from fourcard.house.ledger import TableAccounts
from fourcard.house.meter_state import MeterState
from fourcard.house.state_cache import StreamState, empty_state
from fourcard.house.table_state import GameLookup, HouseTable, UninstalledTable
from fourcard.round.state import RoundRules, RoundState
from fourcard.rules.procedures import DealingMethod
from fourcard.table.state import TableState


def _without(kind: type[msgspec.Struct], *left_out: str) -> Any:
    """Return a struct with the fields of another, except some."""
    kept = [(each.name, each.type) for each in fields(kind) if each.name not in left_out]
    return msgspec.defstruct(f"Stored{kind.__name__}", kept, frozen=True)


StoredHouseTable = _without(HouseTable, "state", "accounts")
StoredTableState = _without(TableState, "game", "rules", "round", "last_round")
StoredRoundState = _without(RoundState, "rules")


class RulesKey(msgspec.Struct, frozen=True, array_like=True):
    """What the rules of a round follow from: the hash of the game, and how it is dealt."""

    game: str
    method: DealingMethod
    by_hand: bool


StoredTable: Any = msgspec.defstruct(
    "StoredTable",
    [
        ("rules", RulesKey),
        ("house", StoredHouseTable),
        ("state", StoredTableState),
        ("round", StoredRoundState | None),
        ("last", tuple[RulesKey, StoredRoundState] | None),  # type: ignore[valid-type]
    ],
    frozen=True,
)
"""A table with its current and its last round."""
_KINDS: dict[str, Any] = {
    "meter": MeterState,
    "player": AccountState,
    "staff": StaffState,
    SECURITY: SecurityState,
}


class StateCodec:
    """Writes states and reads them again; tables of the same game share their rules."""

    def __init__(self, games: GameLookup) -> None:
        """Take the pinned games of the house."""
        self._games = games
        self._rules: dict[RulesKey, RoundRules] = {}

    @staticmethod
    def encode(state: StreamState) -> bytes:
        """Return a state in JSON; null for a table that is not installed."""
        if isinstance(state, UninstalledTable):
            return b"null"
        stored = _stored_table(state) if isinstance(state, HouseTable) else state
        return msgspec.json.encode(stored, enc_hook=str)

    def decode(self, stream: str, body: bytes | msgspec.Raw) -> StreamState:
        """Return the state of a stream from JSON."""
        family = stream.partition("/")[0]
        if family == "table":
            stored = msgspec.json.decode(body, type=StoredTable | None, dec_hook=_exact)
            return empty_state(stream) if stored is None else self._table(stored)
        state: StreamState = msgspec.json.decode(body, type=_KINDS[family], dec_hook=_exact)
        return state

    def _table(self, stored: Any) -> HouseTable:
        rules = self._rules_of(stored.rules)
        state = TableState(
            game=rules.game,
            rules=rules,
            round=None if stored.round is None else _full(RoundState, stored.round, rules=rules),
            last_round=None
            if stored.last is None
            else _full(RoundState, stored.last[1], rules=self._rules_of(stored.last[0])),
            **_values(stored.state),
        )
        accounts = TableAccounts(stored.house.name, stored.house.meter)
        table: HouseTable = _full(HouseTable, stored.house, state=state, accounts=accounts)
        return table

    def _rules_of(self, key: RulesKey) -> RoundRules:
        known = self._rules.get(key)
        if known is None:
            known = self._rules[key] = RoundRules(self._games(key.game), key.method, by_hand=key.by_hand)
        return known


def _stored_table(table: HouseTable) -> Any:
    state, last = table.state, table.state.last_round
    return StoredTable(
        rules=_key(state.rules),
        house=_part(StoredHouseTable, table),
        state=_part(StoredTableState, state),
        round=None if state.round is None else _part(StoredRoundState, state.round),
        last=None if last is None else (_key(last.rules), _part(StoredRoundState, last)),
    )


def _key(rules: RoundRules) -> RulesKey:
    return RulesKey(rules.game.hash, rules.method, rules.shuffled_by_hand)


def _values(struct: Any) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def _part(kind: Any, whole: Any) -> Any:
    return kind(**{name: getattr(whole, name) for name in kind.__struct_fields__})


def _full(kind: Callable[..., Any], stored: Any, **added: Any) -> Any:
    return kind(**_values(stored), **added)


def _exact(kind: type[Any], text: Any) -> Any:
    """Return odds and fractions from their text."""
    return kind(text)

"""Cited values: the nodes of a rulebook, each a value with the clauses that demand it."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Generic, Literal, Self, TypeGuard, TypeVar

import msgspec
from msgspec import UnsetType

from fourcard.money import MoneyError, Odds, OddsKind, dollars, parse_dollars, parse_share
from fourcard.wagers import RowName

T = TypeVar("T")
F = TypeVar("F", bound="FrozenData")


class Cents(int):
    """Amount in cents, written in dollars in rulebooks and submissions."""


class FrozenData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Deeply immutable struct: its dictionaries are read-only too, because caches share loaded data."""

    def __post_init__(self) -> None:
        """Make every dictionary read-only."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, dict):
                msgspec.structs.force_setattr(self, name, _read_only(value))

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[type[Self], dict[str, object]]]:
        """Support pickling and copying: read-only dictionaries travel as plain ones."""
        fields = {name: _plain_dict(getattr(self, name)) for name in self.__struct_fields__}
        return _rebuild, (type(self), fields)


def _rebuild(kind: type[F], fields: Mapping[str, object]) -> F:
    """Rebuild pickled data."""
    return kind(**fields)


def _plain_dict(value: object) -> object:
    """Return a read-only dictionary as a plain one."""
    return {key: _plain_dict(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _read_only(value: object) -> object:
    """Return a dictionary as read-only, nested ones included."""
    if isinstance(value, dict):
        return MappingProxyType({key: _read_only(item) for key, item in value.items()})
    return value


def is_set(flag: "Cited[bool] | UnsetType | None") -> TypeGuard["Cited[bool]"]:
    """Say whether a rulebook has a flag and it is set; a missing flag is not set.

    A field that a later version added is UNSET where it is missing, so that older games keep their hashes.
    """
    return isinstance(flag, Cited) and flag.value


class CitedNode(FrozenData, frozen=True, kw_only=True):
    """Node that cites its clauses."""

    clauses: tuple[str, ...]


class Cited(CitedNode, Generic[T], frozen=True, kw_only=True):
    """Value with the clauses that demand it."""

    value: T


class Paytable(CitedNode, frozen=True, kw_only=True):
    """Paytable: what each hand pays, the best hand first."""

    pays: Mapping[RowName, Odds]
    cards: Literal[4, 5, 6] = 4
    """Number of cards that the table judges: four, five (R8), or six with the bonus card."""
    odds_only: bool = False
    """Printed but never offered; available for odds only (R10)."""

    def times(self, factor: Fraction) -> "Paytable":
        """Return a table of fixed amounts, each multiplied exactly by a factor."""
        grown = {row: odds.value * factor for row, odds in self.pays.items()}
        fixed = all(odds.kind is OddsKind.FIXED for odds in self.pays.values())
        if not fixed or any(amount.denominator != 1 for amount in grown.values()):
            raise MoneyError(
                f"The table of {', '.join(self.clauses)} cannot grow by {factor} in whole cents."
            )
        return msgspec.structs.replace(
            self, pays={row: Odds(dollars(int(amount))) for row, amount in grown.items()}
        )


def clauses_of(*nodes: CitedNode | UnsetType | None) -> tuple[str, ...]:
    """Return the clauses of nodes, each once, in order."""
    return tuple(dict.fromkeys(clause for node in nodes if node for clause in node.clauses))


def from_text(wanted: type, text: object) -> object:
    """Convert a text to an exact amount; this is the decoding hook for msgspec."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} must be written as text, such as '$5' or '25 to 1'")
    if wanted is Odds:
        return Odds(text)
    if wanted is Cents:
        return Cents(parse_dollars(text))
    if wanted is Fraction:
        return parse_share(text)
    raise TypeError(f"no text form for {wanted}")


def walk_nodes(struct: msgspec.Struct, place: str = "") -> Iterator[tuple[str, CitedNode]]:
    """Yield every node under a struct with its place, such as ``wagers.ante.offered``."""
    for name in struct.__struct_fields__:
        yield from _walk_value(getattr(struct, name), f"{place}.{name}" if place else name)


def _walk_value(value: object, place: str) -> Iterator[tuple[str, CitedNode]]:
    if isinstance(value, CitedNode):
        yield place, value
    if isinstance(value, msgspec.Struct):
        yield from walk_nodes(value, place)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _walk_value(item, f"{place}.{key}")

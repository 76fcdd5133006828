"""The nodes that a rulebook is made of: a value and the clauses that demand it, side by side."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Generic, Literal, Self, TypeGuard, TypeVar, get_args

import msgspec

from fourcard.money import MoneyError, Odds, OddsKind, dollars, parse_dollars, parse_share

WagerName = Literal[
    "ante", "play", "automatic_bonus", "aces_up", "bad_beat", "six_card", "cover_all", "progressive", "envy"
]
WAGERS: tuple[WagerName, ...] = get_args(WagerName)
TableWager = Literal["automatic_bonus", "aces_up", "bad_beat", "six_card", "cover_all", "progressive"]
TABLE_WAGERS: tuple[TableWager, ...] = get_args(TableWager)
"""The wagers that pay by a table which an operator chooses."""
LimitedWager = Literal["ante", "aces_up", "bad_beat", "six_card", "cover_all"]
LIMITED_WAGERS: tuple[LimitedWager, ...] = get_args(LimitedWager)
"""The wagers whose least and most are posted; the Play follows the Ante, a progressive has set stakes."""
WAGER_LABELS: dict[WagerName, str] = {
    "ante": "Ante",
    "play": "Play",
    "automatic_bonus": "Automatic Bonus",
    "aces_up": "Aces Up",
    "bad_beat": "Bad Beat Bonus",
    "six_card": "Six Card Bonus",
    "cover_all": "Cover All",
    "progressive": "Progressive",
    "envy": "Envy",
}
RowName = Literal[
    "super_royal_diamonds", "super_royal_hearts", "super_royal_spades", "super_royal_clubs",
    "four_aces", "royal_flush", "four_of_a_kind", "straight_flush", "full_house", "three_of_a_kind",
    "flush", "straight", "two_pair", "pair_of_aces",
]  # fmt: skip

T = TypeVar("T")
F = TypeVar("F", bound="Frozen")


class Cents(int):
    """An amount that a rulebook or a submission prints in dollars, held in cents."""


class Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Data that nothing can change: its dictionaries are closed too, for caches share what was loaded."""

    def __post_init__(self) -> None:
        """Close every dictionary."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, dict):
                msgspec.structs.force_setattr(self, name, _closed(value))

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[type[Self], dict[str, object]]]:
        """Let it be pickled and copied: closed dictionaries travel open, and are closed again there."""
        fields = {name: _open(getattr(self, name)) for name in self.__struct_fields__}
        return _rebuild, (type(self), fields)


def _rebuild(kind: type[F], fields: Mapping[str, object]) -> F:
    """Return data that was pickled."""
    return kind(**fields)


def _open(value: object) -> object:
    """Return a closed dictionary as one that can be pickled."""
    return {key: _open(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _closed(value: object) -> object:
    """Return a dictionary that cannot be changed, nor those in it."""
    if isinstance(value, dict):
        return MappingProxyType({key: _closed(item) for key, item in value.items()})
    return value


def holds(flag: "Cited[bool] | None") -> TypeGuard["Cited[bool]"]:
    """Say whether a rulebook has a flag and it is set; silence is no."""
    return flag is not None and flag.value


class Node(Frozen, frozen=True, kw_only=True):
    """Anything that cites its clauses."""

    clauses: tuple[str, ...]


class Cited(Node, Generic[T], frozen=True, kw_only=True):
    """One value of the law with the clauses that demand it."""

    value: T


class Paytable(Node, frozen=True, kw_only=True):
    """One printed table: what each hand pays, the best hand first."""

    pays: Mapping[RowName, Odds]
    cards: Literal[4, 5, 6] = 4
    """How many cards the hand that it judges has at most: four, five (R8) or six with the bonus card."""
    odds_only: bool = False
    """Printed, but never offered: it can only be asked for its odds (R10)."""

    def times(self, factor: Fraction) -> "Paytable":
        """Return a table of fixed amounts with each grown by a factor, exactly."""
        grown = {row: odds.value * factor for row, odds in self.pays.items()}
        fixed = all(odds.kind is OddsKind.FIXED for odds in self.pays.values())
        if not fixed or any(amount.denominator != 1 for amount in grown.values()):
            raise MoneyError(
                f"The table of {', '.join(self.clauses)} cannot grow by {factor} in whole cents."
            )
        return msgspec.structs.replace(
            self, pays={row: Odds(dollars(int(amount))) for row, amount in grown.items()}
        )


def cite(*nodes: Node | None) -> tuple[str, ...]:
    """Return the clauses of nodes, each once, in order."""
    return tuple(dict.fromkeys(clause for node in nodes if node for clause in node.clauses))


def from_text(wanted: type, text: object) -> object:
    """Turn the texts of a file into exact amounts: the hook that msgspec calls for our own types."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} must be written as text, such as '$5' or '25 to 1'")
    if wanted is Odds:
        return Odds(text)
    if wanted is Cents:
        return Cents(parse_dollars(text))
    if wanted is Fraction:
        return parse_share(text)
    raise TypeError(f"no text form for {wanted}")


def walk(struct: msgspec.Struct, place: str = "") -> Iterator[tuple[str, Node]]:
    """Yield every node below a struct with its place, such as ``wagers.ante.offered``."""
    for name in struct.__struct_fields__:
        yield from _walk_value(getattr(struct, name), f"{place}.{name}" if place else name)


def _walk_value(value: object, place: str) -> Iterator[tuple[str, Node]]:
    if isinstance(value, Node):
        yield place, value
    elif isinstance(value, msgspec.Struct):
        yield from walk(value, place)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _walk_value(item, f"{place}.{key}")

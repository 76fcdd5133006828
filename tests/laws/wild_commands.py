"""Anything at all: well-typed commands of every kind with anything in them, or one thing changed."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, get_args

from msgspec import inspect
from msgspec.structs import replace

from fourcard.cards import DECK
from fourcard.round.commands import CARD_FIELDS
from fourcard.table.commands import TableCommand

COMMANDS: tuple[type, ...] = get_args(TableCommand)
AMOUNTS = (-(10**18), -1, 0, 1, 99, 100, 500, 1_000, 2_500, 2_501, 7_500, 10**12, 10**12 + 1)
NUMBERS: dict[str, tuple[int, ...]] = {
    "position": (*range(-2, 9), 10**9),
    "card": (-1, *DECK, 52),
    "cards": (-1, *DECK, *DECK, 52),
    "at": (0, 0, 0, -1, 1, 10**7, 3 * 10**7, 10**18),
    "deck": (-1, 0, 1, 2),
    "depth": (-1, 0, 9, 10, 19, 20, 26, 32, 33, 42, 43, 51, 52),
    "count": (-1, 0, 1, 2, 3, 4, 5, 6, 31, 41, 51, 52, 10**9),
    "stub": (-1, 0, 1, 16, 31, 41, 52),
    "place": (-1, 0, 1, 4, 5, 60),
    "hands": (-1, 0, 4, 5, 5, 6, 6, 10**9),
}
TEXTS = ("", "p1", "p2", "p3", "red", "blue", "a stranger")
CARD_TEXTS = ("As", "td", "2c", "Kh")
"""Cards as text, each of which stands for a list of one card too."""
SOME = range(6)


@cache
def _fields(kind: type) -> tuple[inspect.Field, ...]:
    shape = inspect.type_info(kind)
    assert isinstance(shape, inspect.StructType)
    return shape.fields


def wild(chance: Random, kind: type | None = None) -> Any:
    """Return a well-typed command, or another struct, of any kind with anything in it."""
    kind = kind or chance.choice(COMMANDS)
    given = [field for field in _fields(kind) if field.required or chance.random() < 0.4]
    return kind(**{field.name: _value(chance, field.type, field.name) for field in given})


def near(wanted: TableCommand, chance: Random) -> TableCommand:
    """Return a command with one thing in it changed."""
    field = chance.choice(_fields(type(wanted)))
    return replace(wanted, **{field.name: _value(chance, field.type, field.name)})


def _value(chance: Random, kind: inspect.Type, name: str) -> Any:
    if isinstance(kind, inspect.UnionType):
        return _value(chance, chance.choice(kind.types), name)
    if isinstance(kind, inspect.LiteralType):
        return chance.choice(kind.values)
    if isinstance(kind, inspect.VarTupleType):
        return _many(chance, kind.item_type, name)
    if isinstance(kind, inspect.DictType):
        return _mapping(chance, kind, name)
    if isinstance(kind, inspect.StructType):
        return wild(chance, kind.cls)
    plain: dict[type, Callable[[], object]] = {
        inspect.IntType: lambda: chance.choice(NUMBERS.get(name, AMOUNTS)),
        inspect.StrType: lambda: chance.choice(CARD_TEXTS if name in CARD_FIELDS else TEXTS),
        inspect.BoolType: lambda: chance.random() < 0.5,
        inspect.NoneType: lambda: None,
    }
    return plain[type(kind)]()


def _mapping(chance: Random, kind: inspect.DictType, name: str) -> dict[Any, int]:
    """Return some amounts by name, or numbers by position."""
    if isinstance(kind.key_type, inspect.LiteralType):
        names = chance.sample(kind.key_type.values, chance.randrange(4))
        return {each: chance.choice(AMOUNTS) for each in names}
    return {0: 6} | {place: chance.choice(NUMBERS[name]) for place in chance.sample(range(5), 3)}


def _many(chance: Random, item: inspect.Type, name: str) -> tuple[Any, ...]:
    if name == "order" and chance.random() < 0.7:
        return tuple(chance.sample(DECK, 52))
    name = {"order": "cards", "orders": "order"}.get(name, name)
    return tuple(_value(chance, item, name) for _ in range(chance.choice(SOME)))

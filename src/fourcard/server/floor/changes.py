"""Changes of a message: the values that differ between two structs, with their paths, and how to apply them.

A path names fields, and indexes of lists. Lists of structs that grow get their new elements one by one, each
under the next index; a map, and any other list that changes, is replaced whole.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from fourcard.round.view import ViewPath

Change = tuple[ViewPath, Any]
"""A path and the value that stands there now."""
PrivateValues = Mapping[ViewPath, Any]
"""Values that stand over those of a public struct, by path; no part of them is public."""


def differences(before: object, after: object, path: ViewPath = ()) -> list[Change]:
    """Return every value of a struct that differs from the struct before it."""
    found = list[Change]()
    if before is not after and before != after:
        _compare(before, after, path, found)
    return found


def _compare(before: Any, after: Any, path: ViewPath, found: list[Change]) -> None:
    """Add the differences of two unequal values; what is equal costs no call."""
    if isinstance(after, msgspec.Struct) and type(before) is type(after):
        for field, name in _named_fields(type(after)):
            old, new = getattr(before, field), getattr(after, field)
            if old is not new and old != new:
                _compare(old, new, (*path, name), found)
    elif isinstance(before, tuple) and isinstance(after, tuple) and _extends(before, after):
        for index, (old, new) in enumerate(zip(before, after, strict=False)):
            if old is not new and old != new:
                _compare(old, new, (*path, index), found)
        found += (((*path, index), after[index]) for index in range(len(before), len(after)))
    else:
        found.append((path, after))


@cache
def _named_fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """Return each field of a struct with its name in messages."""
    return tuple(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))


def _extends(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    """Say whether a list is compared element by element: one of structs that did not get shorter."""
    return len(before) <= len(after) and isinstance(after[0], msgspec.Struct)


def value_at(struct: object, path: ViewPath) -> object:
    """Return the value at a path in a struct."""
    for step in path:
        if isinstance(step, int):
            assert isinstance(struct, Sequence)
            struct = struct[step]
        else:
            assert isinstance(struct, msgspec.Struct)
            struct = getattr(struct, type(struct).__struct_fields__[_field_index(struct, step)])
    return struct


StructType = TypeVar("StructType", bound=msgspec.Struct)


def with_values(struct: StructType, values: PrivateValues) -> StructType:
    """Return a struct with other values at some paths."""
    for path, value in values.items():
        struct = _struct_with(struct, path, value)
    return struct


def _struct_with(node: Any, path: ViewPath, value: object) -> Any:
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return (*node[:step], _struct_with(node[step], rest, value), *node[step + 1 :])
    field = type(node).__struct_fields__[_field_index(node, step)]
    return replace(node, **{field: _struct_with(getattr(node, field), rest, value)})


def _field_index(struct: msgspec.Struct, name: str) -> int:
    return type(struct).__struct_encode_fields__.index(name)


class ChangedPaths:
    """The paths of some changes."""

    def __init__(self, changes: Iterable[Change]) -> None:
        """Take the changes."""
        self._paths = {path for path, _ in changes}
        self._lengths = {len(path) for path in self._paths}

    def replace(self, path: ViewPath) -> bool:
        """Say whether a change replaced the value at a path, or something that it is part of."""
        return any(path[:length] in self._paths for length in self._lengths)


def private_changes(
    before: PrivateValues, after: PrivateValues, public: object, changed: ChangedPaths
) -> Iterator[Change]:
    """Yield what must be set after public changes were applied, so that the private values stand again."""
    for path in before.keys() - after.keys():
        if not changed.replace(path):
            yield path, value_at(public, path)
    for path, value in after.items():
        if path in before and not changed.replace(path):
            yield from differences(before[path], value, path)
        else:
            yield path, value


def apply_change(message: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decoded table message after a decoded change; the message itself stays as it is."""
    found: Any = {**message, **{name: change[name] for name in ("version", "sequence", "told")}}
    for path, value in change["set"]:
        found = _with_value(found, path, value)
    return dict(found)


def _with_value(node: Any, path: Sequence[str | int], value: object) -> Any:
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(node, list):
        index = int(first)
        new = _with_value(node[index] if index < len(node) else None, rest, value)
        return [*node[:index], new, *node[index + 1 :]]
    return {**node, first: _with_value(node[first] if rest else None, rest, value)}

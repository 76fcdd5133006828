"""Lists over the wire come in pages: so many items, and the cursor that the next page begins after."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

Item = TypeVar("Item")


class Page(msgspec.Struct, Generic[Item], frozen=True):
    """Some items of a list."""

    items: tuple[Item, ...]
    next: str | None
    """What to ask for as ``after`` to go on; None at the end."""


def page_of(found: Sequence[Item], limit: int, cursor: Callable[[Item], str]) -> Page[Item]:
    """Return the first items of those found, of which there is one more than wanted where there are more."""
    items = tuple(found[:limit])
    return Page(items, cursor(items[-1]) if len(found) > limit and items else None)

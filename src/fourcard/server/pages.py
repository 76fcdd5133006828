"""Pagination: a page of items and the cursor of the next page."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

Item = TypeVar("Item")


class Page(msgspec.Struct, Generic[Item], frozen=True):
    """One page of a list."""

    items: tuple[Item, ...]
    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


def page_of(found: Sequence[Item], limit: int, cursor: Callable[[Item], str]) -> Page[Item]:
    """Return a page of the first items; one item more than the limit means that there is a next page."""
    items = tuple(found[:limit])
    return Page(items, cursor(items[-1]) if len(found) > limit and items else None)

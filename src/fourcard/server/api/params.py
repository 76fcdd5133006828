"""Request parameters: pagination, limits, known names, table access and common refusals."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Annotated, Generic, TypeVar

import msgspec
from litestar.di import NamedDependency, Provide
from litestar.openapi.spec import SecurityRequirement
from litestar.params import Parameter, QueryParameter

from fourcard.house.auth.identity import MAX_SHOWN_LENGTH, Actor, printable
from fourcard.refusal_codes import Code
from fourcard.refusals import BadInputError, RefusedError, refuse
from fourcard.rules.line_options import MAX_CENTS
from fourcard.rules.loading import rulebook, rulebook_ids
from fourcard.rules.rulebook import Rulebook

Item = TypeVar("Item")


class ListPage(msgspec.Struct, Generic[Item], frozen=True):
    """One page of a list."""

    items: tuple[Item, ...]
    next: str | None
    """Cursor to send as ``after`` for the next page; None on the last page."""


def page_of(found: Sequence[Item], limit: int, cursor: Callable[[Item], str]) -> ListPage[Item]:
    """Return a page of the first items; one item more than the limit means that there is a next page."""
    items = tuple(found[:limit])
    return ListPage(items, cursor(items[-1]) if len(found) > limit and items else None)


MAX_ITEMS = 200
MAX_TEXT_LENGTH = 200
LimitParam = Annotated[int, Parameter(ge=1, le=MAX_ITEMS, description="Maximum number of items.")]
AfterParam = Annotated[
    str | None,
    Parameter(
        max_length=MAX_TEXT_LENGTH, description="Cursor of the previous page; default: the first page."
    ),
]
TableParam = Annotated[str | None, Parameter(max_length=40, description="The name of a table.")]
RoundNumberParam = Annotated[
    int | None, Parameter(ge=1, le=2**31, description="The number of a round at its table.")
]
TimeParam = Annotated[
    int | None, Parameter(ge=0, le=2**53, description="Milliseconds since the start of 1970.")
]
RulebookParam = Annotated[str | None, Parameter(max_length=40, description="The id of a rulebook.")]
NameParam = Annotated[str | None, Parameter(max_length=40)]
DataFileParam = Annotated[str, Parameter(max_length=80, description="The name of a data file.")]
CentsParam = Annotated[int | None, Parameter(ge=0, le=MAX_CENTS, description="Cents.")]
DEFAULT_LIMIT = 50


def page_after(
    items: Iterable[Item], key: Callable[[Item], str], limit: int, after: str | None
) -> ListPage[Item]:
    """Return the page after a cursor, or the first one."""
    remaining = iter(items)
    if after and not any(key(each) == after for each in remaining):
        raise BadInputError(f"There is no page after '{printable(after, MAX_SHOWN_LENGTH)}'.")
    return page_of(list(islice(remaining, limit + 1)), limit, key)


def not_found(what: str) -> RefusedError:
    """Return the refusal for something that does not exist."""
    return RefusedError(refuse(Code.NOTHING_HERE, what=what))


def busy_refusal(reason: str) -> RefusedError:
    """Return the refusal for something that cannot be answered yet."""
    return RefusedError(refuse(Code.HOUSE_IN_TROUBLE, reason=reason.rstrip(".")))


def rulebook_by_id(name: str | None) -> Rulebook | None:
    """Return a rulebook by id, or refuse an unknown id."""
    if name is None:
        return None
    if name not in rulebook_ids():
        raise not_found(
            f"no rulebook '{printable(name, MAX_SHOWN_LENGTH)}'; there are {', '.join(rulebook_ids())}"
        )
    return rulebook(name)


def check_known(what: str, name: str | None, known: Sequence[str]) -> None:
    """Refuse an unknown name; None is always accepted."""
    if name is not None and name not in known:
        raise BadInputError(
            f"There is no {what} '{printable(name, MAX_SHOWN_LENGTH)}'; there are {', '.join(known)}."
        )


OPTIONAL_SIGN_IN: tuple[SecurityRequirement, ...] = ({}, {"cookie": []}, {"token": []})
"""OpenAPI security of routes that need a sign-in only for some parameters."""


def check_signed_in(visitor: Actor | None) -> None:
    """Refuse a visitor without a sign-in: tables of a house are not public."""
    if visitor is None:
        raise RefusedError(refuse(Code.NOT_SIGNED_IN))


async def optional_table(
    visitor: NamedDependency[Actor | None],
    table_named: Annotated[
        str | None, QueryParameter(name="table", max_length=40, description="The name of a table.")
    ] = None,
) -> str | None:
    """Return the table named in the query, if the visitor may see it."""
    if table_named is not None:
        check_signed_in(visitor)
    return table_named


OPTIONAL_TABLE = {"table": Provide(optional_table)}
"""Replaces the query parameter `table` on routes where it is optional."""

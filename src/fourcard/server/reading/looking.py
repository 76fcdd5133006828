"""Table access: naming a table of the house requires a sign-in; everything else is public."""

from typing import Annotated

from litestar.di import NamedDependency, Provide
from litestar.openapi.spec import SecurityRequirement
from litestar.params import QueryParameter

from fourcard.house.actors import Actor
from fourcard.refusals import Code, RefusedError, refuse

SOMETIMES: tuple[SecurityRequirement, ...] = ({}, {"cookie": []}, {"token": []})
"""OpenAPI security of routes that need a sign-in only for some parameters."""


def check_may_look(visitor: Actor | None) -> None:
    """Refuse a visitor without a sign-in: tables of a house are not public."""
    if visitor is None:
        raise RefusedError(refuse(Code.NOT_SIGNED_IN))


async def table_asked_about(
    visitor: NamedDependency[Actor | None],
    table_named: Annotated[
        str | None, QueryParameter(name="table", max_length=40, description="The name of a table.")
    ] = None,
) -> str | None:
    """Return the table named in the query, if the visitor may see it."""
    if table_named is not None:
        check_may_look(visitor)
    return table_named


TABLE = {"table": Provide(table_asked_about)}
"""Replaces the query parameter `table` on routes where it is optional."""

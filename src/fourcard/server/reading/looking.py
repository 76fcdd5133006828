"""Who may ask about a table of the house: whoever may see the list of them; the rest is open to anybody."""

from typing import Annotated

from litestar.di import NamedDependency, Provide
from litestar.openapi.spec import SecurityRequirement
from litestar.params import QueryParameter

from fourcard.house.actors import Actor
from fourcard.refusals import Code, RefusedError, refuse

SOMETIMES: tuple[SecurityRequirement, ...] = ({}, {"cookie": []}, {"token": []})
"""A sign-in is needed for some of what can be asked."""


def check_may_look(visitor: Actor | None) -> None:
    """Refuse whoever has not signed in: the tables of a house are shown to nobody else."""
    if visitor is None:
        raise RefusedError(refuse(Code.NOT_SIGNED_IN))


async def table_asked_about(
    visitor: NamedDependency[Actor | None],
    table_named: Annotated[
        str | None, QueryParameter(name="table", max_length=40, description="The name of a table.")
    ] = None,
) -> str | None:
    """Return the table whose game is meant, if one is named, to somebody who may see it."""
    if table_named is not None:
        check_may_look(visitor)
    return table_named


TABLE = {"table": Provide(table_asked_about)}
"""In place of the parameter of that name, wherever a table can be named but need not be."""

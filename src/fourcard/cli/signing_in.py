"""Signing in on the command line: a member of staff acts under the own name, with the own password."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourcard.house.actors import Actor
    from fourcard.house.house import House


@contextmanager
def signed_in(house: "House", person: str, password: str) -> "Iterator[Actor]":
    """Sign a member of staff in, and out again at the end."""
    from fourcard.refusals import Refusal, RefusedError

    token = house.sign_in.sign_in("staff", person, password)
    if isinstance(token, Refusal):
        raise RefusedError(token)
    try:
        actor = house.actor(token)
        if isinstance(actor, Refusal):
            raise RefusedError(actor)
        yield actor
    finally:
        house.sign_in.revoke(token)

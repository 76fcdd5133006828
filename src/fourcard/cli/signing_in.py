"""Sign-in: a member of staff signs in with a password for one command or session."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fourcard.house.actors import Actor
    from fourcard.house.house import House


@contextmanager
def signed_in(house: "House", person: str, password: str) -> "Iterator[Actor]":
    """Sign a member of staff in, and out at the end."""
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

"""Password routes: an administrator sets anyone's password, everyone changes their own."""

import asyncio
from functools import partial
from typing import Annotated, Literal

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from fourcard.house.actors import Actor
from fourcard.house.commands import ActingRole, NotePassword
from fourcard.house.house import House
from fourcard.house.passwords import weakness
from fourcard.house.permissions import acting_roles
from fourcard.refusals import Refusal, RefusedError
from fourcard.server.documented import problems
from fourcard.server.doors import COMPARING, Doors
from fourcard.server.faults import TooFastError
from fourcard.server.rates import Rate
from fourcard.server.visitors import LONGEST_PASSWORD

Word = Annotated[str, msgspec.Meta(max_length=LONGEST_PASSWORD)]


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new password; the present one is required to change your own."""

    kind: Literal["player", "staff"]
    person: Annotated[str, msgspec.Meta(max_length=40)]
    password: Word
    present: Word = ""


@post(
    "/api/passwords",
    summary="Set a password",
    tags=["visitors"],
    status_code=204,
    responses=problems(400, 401, 403, 404, 409, 413, 429, 503),
)
async def set_password(
    house: NamedDependency[House],
    authenticator: NamedDependency[Doors],
    actor: NamedDependency[Actor],
    sign_ins: NamedDependency[Rate],
    data: JSONBody[NewPassword],
) -> Response[None]:
    """Set a password; all other sign-ins of that person end."""
    own = (actor.kind, actor.person) == (data.kind, data.person)
    trusted = not own and "administrator" in actor.roles
    wait = 0 if trusted else sign_ins.wait(f"{actor.kind}/{actor.person}")
    if wait:
        raise TooFastError(wait)
    setting = partial(_set_password, house, actor, data, own=own)
    token = await asyncio.get_running_loop().run_in_executor(COMPARING, setting)
    return Response(None, status_code=204, cookies=[authenticator.cookie(token)] if token else [])


def _set_password(house: House, actor: Actor, new: NewPassword, *, own: bool) -> str:
    """Set a password; return a new token if people change their own, else an empty string."""
    weak = weakness(new.person, new.password)
    if weak is not None:
        raise RefusedError(weak)
    if own:
        _revoked(house, _sign_in(house, new, new.present))
    note = NotePassword(person=new.person, role=_role(actor))
    house.set_password(new.kind, note, new.password, actor)
    return _sign_in(house, new, new.password) if own else ""


def _sign_in(house: House, new: NewPassword, password: str) -> str:
    found = house.sign_in.sign_in(new.kind, new.person, password)
    if isinstance(found, Refusal):
        raise RefusedError(found)
    return found


def _revoked(house: House, token: str) -> None:
    house.sign_in.revoke(token)


def _role(actor: Actor) -> ActingRole:
    """Return the role for setting a password: administrator if held."""
    roles = acting_roles(actor)
    return "administrator" if "administrator" in roles else min(roles)


PASSWORD_ROUTES = (set_password,)

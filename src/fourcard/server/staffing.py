"""Command routes of meters, player accounts and staff."""

from typing import Annotated

from litestar import post
from litestar.di import NamedDependency
from litestar.params import JSONBody, Parameter

from fourcard.house.actors import Actor
from fourcard.server.documented import problems
from fourcard.server.gateway import Done, Gateway, SentToMeter, SentToPlayer, SentToStaff

Name = Annotated[str, Parameter(max_length=40)]
REFUSALS = problems(400, 401, 403, 404, 409, 413, 429, 503)


@post(
    "/api/meters/{meter:str}/commands",
    summary="Run a command on a meter",
    tags=["commands"],
    status_code=200,
    responses=REFUSALS,
)
async def command_meter(
    gateway: NamedDependency[Gateway], actor: NamedDependency[Actor], meter: Name, data: JSONBody[SentToMeter]
) -> Done:
    """Close or open a link, change terms, propose or approve an adjustment."""
    return await gateway.do("meter", meter, data, actor)


@post(
    "/api/players/{player:str}/commands",
    summary="Run a command on a player's account",
    tags=["commands"],
    status_code=200,
    responses=REFUSALS,
)
async def command_player(
    gateway: NamedDependency[Gateway],
    actor: NamedDependency[Actor],
    player: Name,
    data: JSONBody[SentToPlayer],
) -> Done:
    """Open an account, deposit or withdraw at the cage."""
    return await gateway.do("player", player, data, actor)


@post(
    "/api/staff/commands",
    summary="Run a staff command",
    tags=["commands"],
    status_code=200,
    responses=REFUSALS,
)
async def command_staff(
    gateway: NamedDependency[Gateway], actor: NamedDependency[Actor], data: JSONBody[SentToStaff]
) -> Done:
    """Hire people, change their roles, dismiss them."""
    return await gateway.do("staff", "", data, actor)


STAFF_ROUTES = (command_meter, command_player, command_staff)

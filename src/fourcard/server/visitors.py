"""Authentication routes: sign-in links, sign-in, sign-out, and the current person."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import JSONBody, Parameter
from litestar.response import Redirect

from fourcard.house import accounts
from fourcard.house.actors import Actor
from fourcard.house.commands import StaffRole
from fourcard.house.house import House
from fourcard.house.outcome import player_stream
from fourcard.house.player_book import PlayerBook
from fourcard.house.store.contract import PersonKind
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusals import Code, Refusal, RefusedError, refuse
from fourcard.server.chips import Stack, leave_all, stacks
from fourcard.server.documented import problems
from fourcard.server.doors import COMPARING, Doors
from fourcard.server.faults import TooFastError, asks_for_page
from fourcard.server.floor.floor import Floor
from fourcard.server.rates import Rate
from fourcard.server.settings import Mode

LONGEST_PASSWORD = 1_000
HOMES: Mapping[PersonKind, str] = {"player": "/", "staff": "/#/staff"}
"""Start page of players and of staff."""
OLD_LINK = "/#/old-link"
"""Page that explains an expired link."""


class Who(msgspec.Struct, frozen=True):
    """The signed-in person."""

    kind: PersonKind
    person: str
    name: str
    roles: tuple[StaffRole, ...]


class Me(msgspec.Struct, frozen=True):
    """The current visitor."""

    mode: Mode
    who: Who | None
    account: int | None
    """Cents on the player's account; None for others."""
    stacks: tuple[Stack, ...] = ()
    """The player's chips and seats, sorted by table name."""


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a password."""

    kind: Literal["player", "staff"]
    person: Annotated[str, msgspec.Meta(max_length=80)]
    password: Annotated[str, msgspec.Meta(max_length=LONGEST_PASSWORD)]


def me_of(floor: Floor, actor: Actor | None) -> Me:
    """Return who a person is, with account and chips."""
    house, settings = floor.house, floor.settings
    if actor is None:
        return Me(settings.mode, None, None)
    if actor.kind == "staff":
        person = house.desk.staff().employed(actor.person)
        name = person.name if person is not None else actor.person
        return Me(settings.mode, Who("staff", actor.person, name, actor.roles), None)
    book, _ = house.desk.standing(player_stream(actor.person))
    assert isinstance(book, PlayerBook)
    who = Who("player", actor.person, book.name, ())
    return Me(settings.mode, who, book.cents, stacks(floor, actor.person))


@get(
    "/enter/{secret:str}",
    summary="Sign in with a link",
    tags=["visitors"],
    include_in_schema=False,
)
async def enter(
    request: Request[Any, Any, Any],
    authenticator: NamedDependency[Doors],
    visitor: NamedDependency[Actor | None],
    secret: Annotated[str, Parameter(max_length=200)],
) -> Redirect:
    """Sign in with a link's secret and redirect to the page."""
    found = await asyncio.to_thread(authenticator.enter, secret, visitor)
    if found is None:
        return _redirect_expired_link(request, visitor)
    kind, token = found
    answer = Redirect(HOMES[kind], status_code=303)
    if token:
        answer.set_cookie(authenticator.cookie(token))
    return answer


def _redirect_expired_link(request: Request[Any, Any, Any], visitor: Actor | None) -> Redirect:
    """Redirect a browser with an expired link: to its start page if signed in, else to an explanation."""
    if not asks_for_page(request):
        raise RefusedError(refuse(Code.LINK_SPENT))
    return Redirect(OLD_LINK if visitor is None else HOMES[visitor.kind], status_code=303)


@get("/api/me", summary="Who has signed in", tags=["visitors"], responses=problems(429))
async def show_me(floor: NamedDependency[Floor], visitor: NamedDependency[Actor | None]) -> Me:
    """Return the current person, or that nobody has signed in."""
    return await asyncio.to_thread(me_of, floor, visitor)


@post(
    "/api/sign-in",
    summary="Sign in",
    tags=["visitors"],
    status_code=200,
    responses=problems(400, 401, 403, 413, 429, 503),
)
async def sign_in(
    request: Request[Any, Any, Any],
    house: NamedDependency[House],
    floor: NamedDependency[Floor],
    authenticator: NamedDependency[Doors],
    sign_ins: NamedDependency[Rate],
    data: JSONBody[Credentials],
) -> Response[Me]:
    """Sign in with name and password; the answer sets the cookie and also carries the token."""
    wait = sign_ins.wait(authenticator.address(request))
    if wait:
        raise TooFastError(wait)
    credentials = data.kind, data.person, data.password
    token = await asyncio.get_running_loop().run_in_executor(COMPARING, house.sign_in.sign_in, *credentials)
    if isinstance(token, Refusal):
        raise RefusedError(token)
    actor = await asyncio.to_thread(house.actor, token)
    if isinstance(actor, Refusal):
        raise RefusedError(actor)
    me = await asyncio.to_thread(me_of, floor, actor)
    return Response(me, cookies=[authenticator.cookie(token)], headers={"X-Fourcard-Token": token})


@post("/api/sign-out", summary="Sign out", tags=["visitors"], status_code=204, responses=problems(403, 429))
async def sign_out(
    request: Request[Any, Any, Any],
    house: NamedDependency[House],
    floor: NamedDependency[Floor],
    authenticator: NamedDependency[Doors],
    visitor: NamedDependency[Actor | None],
) -> Response[None]:
    """Sign out; a player's last sign-out leaves every table."""
    token = authenticator.token(request)
    if token:
        await asyncio.to_thread(house.sign_in.revoke, token)
    if visitor is not None and visitor.kind == "player":
        signed_in = await asyncio.to_thread(house.sign_in.is_signed_in, visitor.kind, visitor.person)
        if not signed_in:
            await leave_all(floor, visitor)
    expired: list[Cookie] = [authenticator.cookie("")]
    return Response(None, status_code=204, cookies=expired)


@post(
    "/api/me/refill",
    summary="More play money",
    tags=["visitors"],
    status_code=200,
    responses=problems(401, 403, 409, 429),
)
async def refill(
    house: NamedDependency[House],
    floor: NamedDependency[Floor],
    authenticator: NamedDependency[Doors],
    actor: NamedDependency[Actor],
) -> Me:
    """Give a guest of a local house more play money when nearly all is gone."""

    def filled() -> Me:
        with house.store.reading() as reading:
            held = _total_cents(reading.balances(), actor.person)
        authenticator.refill(actor, held)
        return me_of(floor, actor)

    return await asyncio.to_thread(filled)


def _total_cents(balances: Mapping[str, int], player: str) -> int:
    """Return the cents of a player, on the account and in chips at every table."""
    own, stacks, of_player = accounts.player(player), accounts.chips("", "").rstrip("/"), f"/{player}"
    found = (
        amount
        for name, amount in balances.items()
        if name == own or (name.startswith(f"{stacks}/") and name.endswith(of_player))
    )
    return sum(found) // UNITS_PER_CENT


AUTH_ROUTES = (enter, show_me, sign_in, sign_out, refill)

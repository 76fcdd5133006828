"""Authentication routes: sign-in links, sign-in, sign-out, passwords, and the current person."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import JSONBody, Parameter
from litestar.response import Redirect

from fourcard.house import ledger
from fourcard.house.auth.identity import Actor
from fourcard.house.auth.permissions import acting_roles
from fourcard.house.auth.sign_in import password_refusal
from fourcard.house.commands import ActingRole, LeaveTable, NotePassword, PersonKind, StaffRole
from fourcard.house.house import House
from fourcard.house.table_state import HouseTable
from fourcard.meter import UNITS_PER_CENT
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, RefusedError, refuse
from fourcard.server.authn import Authenticator
from fourcard.server.error_handlers import RateLimitError, error_responses, wants_page
from fourcard.server.floor.floor import Floor
from fourcard.server.rate_limit import RateLimiter
from fourcard.server.settings import MAX_BOTS, Mode


class TableChips(msgspec.Struct, frozen=True):
    """Chips and seats of a player at one table."""

    table: str
    title: str
    chips: int
    """Cents in chips, without those on the layout."""
    wagered: int
    """Cents on the layout in the current round."""
    positions: tuple[int, ...]
    leaving: bool
    """Whether the player leaves when the current round ends (P35)."""


def chips_by_table(floor: Floor, player: str) -> tuple[TableChips, ...]:
    """Return the chips and seats of a player at each table, sorted by table name."""
    found = (_table_chips(floor.tables[name].state, player) for name in sorted(floor.tables))
    return tuple(each for each in found if each.chips or each.wagered or each.positions)


def _table_chips(table: HouseTable, player: str) -> TableChips:
    state = table.state
    places = () if state.round is None else state.round.positions.values()
    own = [place for place in places if place.player == player]
    return TableChips(
        table=table.name,
        title=state.game.submission.name,
        chips=table.chips(player),
        wagered=sum(place.unregistered + sum(place.on_layout.values()) for place in own),
        positions=tuple(position for position, who in state.seats.items() if who == player),
        leaving=player in table.leaving,
    )


async def leave_all_tables(floor: Floor, actor: Actor) -> None:
    """Make a player leave every table; a refusal (already leaving, for example) changes nothing."""
    await floor.read_tables()
    for stack in chips_by_table(floor, actor.person):
        watch = floor.tables[stack.table]
        await floor.submit(watch.stream, LeaveTable(player=actor.person, role="player"), actor)
        floor.notify_viewers(stack.table)


MAX_PASSWORD_LENGTH = 1_000
START_PAGES: Mapping[PersonKind, str] = {"player": "/", "staff": "/#/staff"}
"""Start page of players and of staff."""
EXPIRED_LINK_PAGE = "/#/old-link"
"""Page that explains an expired link."""


class SignedInPerson(msgspec.Struct, frozen=True):
    """The signed-in person."""

    kind: PersonKind
    person: str
    name: str
    roles: tuple[StaffRole, ...]


class VisitorAnswer(msgspec.Struct, frozen=True):
    """The current visitor."""

    mode: Mode
    who: SignedInPerson | None
    account: int | None
    """Cents on the player's account; None for others."""
    stacks: tuple[TableChips, ...] = ()
    """The player's chips and seats, sorted by table name."""
    bots: int | None = None
    """How many bots join people at each table, where players choose that: in a house of their own."""


class BotsChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many bots join people at each table."""

    bots: Annotated[int, msgspec.Meta(ge=0, le=MAX_BOTS)]


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a password."""

    kind: Literal["player", "staff"]
    person: Annotated[str, msgspec.Meta(max_length=80)]
    password: Annotated[str, msgspec.Meta(max_length=MAX_PASSWORD_LENGTH)]


async def describe_visitor(floor: Floor, actor: Actor | None) -> VisitorAnswer:
    """Return who a person is, with account and chips."""
    mode = floor.settings.mode
    if actor is None:
        return VisitorAnswer(mode, None, None)
    if actor.kind == "staff":
        person = (await floor.staff()).employed(actor.person)
        name = person.name if person is not None else actor.person
        return VisitorAnswer(mode, SignedInPerson("staff", actor.person, name, actor.roles), None)
    account = await floor.account(actor.person)
    await floor.read_tables()
    who = SignedInPerson("player", actor.person, account.name, ())
    bots = floor.settings.bots if mode == "local" else None
    return VisitorAnswer(mode, who, account.cents, chips_by_table(floor, actor.person), bots)


@get(
    "/enter/{secret:str}",
    summary="Sign in with a link",
    tags=["visitors"],
    include_in_schema=False,
)
async def enter(
    request: Request[Any, Any, Any],
    authenticator: NamedDependency[Authenticator],
    visitor: NamedDependency[Actor | None],
    secret: Annotated[str, Parameter(max_length=200)],
) -> Redirect:
    """Sign in with a link's secret and redirect to the page."""
    found = await asyncio.to_thread(authenticator.enter_by_link, secret, visitor)
    if found is None:
        return _redirect_expired_link(request, visitor)
    kind, token = found
    answer = Redirect(START_PAGES[kind], status_code=303)
    if token:
        answer.set_cookie(authenticator.cookie(token))
    return answer


def _redirect_expired_link(request: Request[Any, Any, Any], visitor: Actor | None) -> Redirect:
    """Redirect a browser with an expired link: to its start page if signed in, else to an explanation."""
    if not wants_page(request):
        raise RefusedError(refuse(Code.LINK_SPENT))
    return Redirect(EXPIRED_LINK_PAGE if visitor is None else START_PAGES[visitor.kind], status_code=303)


@get("/api/me", summary="Who has signed in", tags=["visitors"], responses=error_responses(429))
async def show_me(floor: NamedDependency[Floor], visitor: NamedDependency[Actor | None]) -> VisitorAnswer:
    """Return the current person, or that nobody has signed in."""
    return await describe_visitor(floor, visitor)


@post(
    "/api/sign-in",
    summary="Sign in",
    tags=["visitors"],
    status_code=200,
    responses=error_responses(400, 401, 403, 413, 429, 503),
)
async def sign_in(
    request: Request[Any, Any, Any],
    house: NamedDependency[House],
    floor: NamedDependency[Floor],
    authenticator: NamedDependency[Authenticator],
    sign_ins: NamedDependency[RateLimiter],
    data: JSONBody[Credentials],
) -> Response[VisitorAnswer]:
    """Sign in with name and password; the answer sets the cookie and also carries the token."""
    address = authenticator.head(request.scope).address
    wait = sign_ins.wait(address)
    if wait:
        raise RateLimitError(wait)
    signing_in = partial(house.sign_in.sign_in, data.kind, data.person, data.password, address)
    token = await authenticator.passwords.run(signing_in)
    if isinstance(token, Refusal):
        raise RefusedError(token)
    actor = await asyncio.to_thread(house.actor, token)
    if isinstance(actor, Refusal):
        raise RefusedError(actor)
    me = await describe_visitor(floor, actor)
    return Response(me, cookies=[authenticator.cookie(token)], headers={"X-Fourcard-Token": token})


@post(
    "/api/sign-out",
    summary="Sign out",
    tags=["visitors"],
    status_code=204,
    responses=error_responses(403, 429),
)
async def sign_out(
    request: Request[Any, Any, Any],
    house: NamedDependency[House],
    floor: NamedDependency[Floor],
    authenticator: NamedDependency[Authenticator],
    visitor: NamedDependency[Actor | None],
) -> Response[None]:
    """Sign out; a player's last sign-out leaves every table."""
    token = authenticator.head(request.scope).token
    if token:
        await asyncio.to_thread(house.sign_in.revoke, token)
    if visitor is not None and visitor.kind == "player":
        signed_in = await asyncio.to_thread(house.sign_in.is_signed_in, visitor.kind, visitor.person)
        if not signed_in:
            await leave_all_tables(floor, visitor)
    expired: list[Cookie] = [authenticator.cookie("")]
    return Response(None, status_code=204, cookies=expired)


@post(
    "/api/me/refill",
    summary="More play money",
    tags=["visitors"],
    status_code=200,
    responses=error_responses(401, 403, 409, 429),
)
async def refill(
    house: NamedDependency[House],
    floor: NamedDependency[Floor],
    authenticator: NamedDependency[Authenticator],
    actor: NamedDependency[Actor],
) -> VisitorAnswer:
    """Give a guest of a local house more play money when nearly all is gone."""

    def fill() -> None:
        with house.store.reading() as reading:
            held = _total_cents(reading.balances(), actor.person)
        authenticator.refill(actor, held)

    await asyncio.to_thread(fill)
    return await describe_visitor(floor, actor)


def _total_cents(balances: Mapping[str, int], player: str) -> int:
    """Return the cents of a player, on the account and in chips at every table."""
    own, stacks, of_player = (
        ledger.player_account(player),
        ledger.chips_account("", "").rstrip("/"),
        f"/{player}",
    )
    found = (
        amount
        for name, amount in balances.items()
        if name == own or (name.startswith(f"{stacks}/") and name.endswith(of_player))
    )
    return sum(found) // UNITS_PER_CENT


@post(
    "/api/bots",
    summary="Number of bots",
    tags=["visitors"],
    status_code=200,
    responses=error_responses(400, 401, 403, 413, 429),
)
async def choose_bots(
    floor: NamedDependency[Floor], actor: NamedDependency[Actor], data: JSONBody[BotsChoice]
) -> VisitorAnswer:
    """Choose how many bots join people at each table of a local house, until its server ends."""
    if floor.settings.mode != "local" or actor.kind != "player":
        raise RefusedError(refuse(Code.BOTS_SET_BY_HOUSE))
    floor.choose_bots(data.bots)
    return await describe_visitor(floor, actor)


AUTH_ROUTES = (enter, show_me, sign_in, sign_out, refill, choose_bots)


PasswordText = Annotated[str, msgspec.Meta(max_length=MAX_PASSWORD_LENGTH)]


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new password; the present one is required to change your own."""

    kind: Literal["player", "staff"]
    person: Annotated[str, msgspec.Meta(max_length=40)]
    password: PasswordText
    present: PasswordText = ""


@post(
    "/api/passwords",
    summary="Set a password",
    tags=["visitors"],
    status_code=204,
    responses=error_responses(400, 401, 403, 404, 409, 413, 429, 503),
)
async def set_password(
    request: Request[Any, Any, Any],
    house: NamedDependency[House],
    authenticator: NamedDependency[Authenticator],
    actor: NamedDependency[Actor],
    sign_ins: NamedDependency[RateLimiter],
    data: JSONBody[NewPassword],
) -> Response[None]:
    """Set a password; all other sign-ins of that person end."""
    own = (actor.kind, actor.person) == (data.kind, data.person)
    trusted = not own and "administrator" in actor.roles
    wait = 0 if trusted else sign_ins.wait(f"{actor.kind}/{actor.person}")
    if wait:
        raise RateLimitError(wait)
    address = authenticator.head(request.scope).address
    token = await authenticator.passwords.run(partial(_set_password, house, actor, data, address, own=own))
    return Response(None, status_code=204, cookies=[authenticator.cookie(token)] if token else [])


def _set_password(house: House, actor: Actor, new: NewPassword, address: str, *, own: bool) -> str:
    """Set a password; return a new token if people change their own, else an empty string."""
    weak = password_refusal(new.person, new.password)
    if weak is not None:
        raise RefusedError(weak)
    if own:
        _revoked(house, _sign_in(house, new, new.present, address))
    note = NotePassword(person=new.person, role=_role(actor))
    house.set_password(new.kind, note, new.password, actor)
    return _sign_in(house, new, new.password, address) if own else ""


def _sign_in(house: House, new: NewPassword, password: str, address: str) -> str:
    found = house.sign_in.sign_in(new.kind, new.person, password, address)
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

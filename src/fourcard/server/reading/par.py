"""PAR sheet route: the sheet of a table's game or an example, as PDF, HTML or JSON."""

from typing import Annotated, Literal

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter

from fourcard.house.actors import Actor
from fourcard.house.house import House
from fourcard.odds.par.cover_all import cover_all_section
from fourcard.odds.par.rendering import Form, rendered
from fourcard.odds.par.sheet import par_sheet
from fourcard.refusals import Code, RefusedError
from fourcard.rules.examples import examples
from fourcard.rules.exposure import worst_loss
from fourcard.rules.game import Game, resolve_game
from fourcard.rules.submission import read_submission
from fourcard.server.documented import problems
from fourcard.server.reading.asking import absent
from fourcard.server.reading.games import game_at
from fourcard.server.reading.keeping import Kept
from fourcard.server.reading.looking import SOMETIMES, check_may_look
from fourcard.server.reading.solving import Solver

MEDIA: dict[Form, str] = {
    "pdf": "application/pdf",
    "html": "text/html",
    "json": "application/json",
}
PRECISION, SEED = 0.002, 1
"""Precision and seed of the Cover All estimate, as in `fourcard par`."""
_sheets: Kept[bytes] = Kept(16)
Kind = Literal["table", "example"]


@get(
    "/api/par/{name:str}",
    summary="The PAR sheet of a table or an example",
    tags=["odds"],
    responses={
        **problems(400, 401, 404, 429, 503),
        200: ResponseSpec(
            bytes, description="The sheet.", media_type="application/pdf", generate_examples=False
        ),
    },
    security=SOMETIMES,
    sync_to_thread=True,
)
def show_par(
    house: NamedDependency[House],
    solver: NamedDependency[Solver],
    visitor: NamedDependency[Actor | None],
    name: Annotated[str, Parameter(max_length=40, description="The name of a table, or of an example.")],
    format: Annotated[Form, Parameter(description="File format.")] = "pdf",  # noqa: A002  name of the query parameter
    of: Annotated[
        Kind | None,
        Parameter(
            description="What the name refers to; default: a table, else an example. Tables need a sign-in."
        ),
    ] = None,
) -> Response[bytes]:
    """Return every wager of a game counted exactly, as a document for a laboratory."""
    game = _game(house, visitor, name, of)
    solver.states()
    content = _sheets.get((game.hash, format), lambda: _sheet(game, format))
    headers = {"Content-Disposition": f'attachment; filename="par-{name}.{format}"'}
    return Response(content, media_type=MEDIA[format], headers=headers)


def _game(house: House, visitor: Actor | None, name: str, of: Kind | None) -> Game:
    """Return the game of a table, or of an example if there is no such table."""
    known = examples()
    open_to_all = of == "example" or (of is None and visitor is None and name in known)
    if not open_to_all:
        check_may_look(visitor)
        try:
            return game_at(house.store, name)
        except RefusedError as error:
            if of == "table" or error.refusal.code is not Code.NO_SUCH_TABLE:
                raise
    if name not in known:
        raise absent(f"no table or example has this name; examples are {', '.join(known)}")
    return resolve_game(read_submission(known[name]))


def _sheet(game: Game, form: Form) -> bytes:
    estimated = game.offers("cover_all")
    section = cover_all_section(game, worst_loss(game), PRECISION, SEED) if estimated else None
    return rendered(par_sheet(game, section), form)
